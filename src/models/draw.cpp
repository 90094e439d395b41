#include "models/parameters.hpp"

#include "num/random.hpp"

#include <type_traits>
#include <utility>

namespace heed::models {

namespace {

using Parameters = Transformer::Parameters;

// A number depends on its place in its tensor alone, in the file's order, whatever order it is
// drawn in: so weights do not depend on threads, nor on how a matrix is packed. One hash makes the
// numbers of two columns, since hashing sixty million times is most of a base model's making.
void fill(const Part<Parameters>& part, const num::Draws& draws, Index first_row) {
    const Index pairs = (part.cols + 1) / 2;
    const float low = part.fill - part.bound, step = part.bound * 0x1p-23f;
    const auto draw_pair = [&](Index row, Index pair, float& left, float& right) {
        const auto bits = draws.bits(static_cast<std::uint64_t>((first_row + row) * pairs + pair));
        left = low + step * static_cast<float>(bits >> 40);
        right = low + step * static_cast<float>((bits >> 16) & 0xffffff);
    };
    float beyond = 0; // takes the second number of the last pair where columns are odd in number
    std::visit(
        [&](auto* to) {
            using T = std::remove_reference_t<decltype(*to)>;
            if constexpr (std::is_same_v<T, num::Weights<float>>) {
                Matrix<float> in_by_out(part.cols, part.rows);
                for (Index pair = 0; pair < pairs; ++pair) {
                    float* left = in_by_out.data() + 2 * pair * part.rows;
                    const bool whole = 2 * pair + 1 < part.cols;
                    for (Index row = 0; row < part.rows; ++row) {
                        draw_pair(row, pair, left[row], whole ? left[part.rows + row] : beyond);
                    }
                }
                *to = num::Weights<float>(in_by_out);
            } else {
                to->resize(part.rows, part.cols);
                for (Index row = 0; row < part.rows; ++row) {
                    float* values = to->data() + row * part.cols;
                    for (Index pair = 0; pair < pairs; ++pair) {
                        const bool whole = 2 * pair + 1 < part.cols;
                        draw_pair(row, pair, values[2 * pair],
                                  whole ? values[2 * pair + 1] : beyond);
                    }
                }
            }
        },
        part.to);
}

} // namespace

base::Result<std::shared_ptr<const Transformer>> Transformer::draw(const TransformerConfig& config,
                                                                   num::Team& team) {
    if (auto ok = check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<Parameters>();
    parameters->config = config;
    make_room(*parameters);

    struct Work {
        const Part<Parameters>* part;
        num::Draws draws;
        Index first_row;
    };
    const auto all = slots(*parameters);
    std::vector<Work> work;
    for (const Slot<Parameters>& slot : all) {
        Index first_row = 0;
        for (const Part<Parameters>& part : slot.parts) {
            work.push_back({&part, num::Draws(config.seed, slot.name), first_row});
            first_row += part.rows;
        }
    }
    team.for_each(static_cast<Index>(work.size()), [&](Index i) {
        const Work& w = work[static_cast<std::size_t>(i)];
        fill(*w.part, w.draws, w.first_row);
    });
    derive(*parameters, team);
    return std::shared_ptr<const Transformer>(new Transformer(std::move(parameters)));
}

Transformer::Transformer(std::unique_ptr<const Parameters> parameters)
    : parameters_(std::move(parameters)) {}
Transformer::~Transformer() = default;
const TransformerConfig& Transformer::config() const { return parameters_->config; }

} // namespace heed::models
