#include "models/parameters.hpp"

#include "num/random.hpp"

#include <type_traits>
#include <utility>

namespace heed::models {

namespace {

using Parameters = Transformer::Parameters;

// A number's counter is its place in the tensor's file order, whatever order it is drawn in: so
// weights do not depend on threads, nor on how a matrix is packed.
void fill(const Part<Parameters>& part, const num::Draws& draws, std::uint64_t first) {
    const auto draw = [&](std::uint64_t i) { return part.fill + draws.symmetric(i, part.bound); };
    const auto count = [](Index i) { return static_cast<std::uint64_t>(i); };
    std::visit(
        [&](auto* to) {
            using T = std::remove_reference_t<decltype(*to)>;
            if constexpr (std::is_same_v<T, num::Weights<float>>) {
                Matrix<float> in_by_out(part.cols, part.rows);
                for (Index in = 0; in < part.cols; ++in) {
                    float* row = in_by_out.data() + in * part.rows;
                    for (Index out = 0; out < part.rows; ++out) {
                        row[out] = draw(first + count(out * part.cols + in));
                    }
                }
                *to = num::Weights<float>(in_by_out);
            } else {
                to->resize(part.rows, part.cols);
                for (Index i = 0; i < to->size(); ++i) to->data()[i] = draw(first + count(i));
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
        std::uint64_t first;
    };
    const auto all = slots(*parameters);
    std::vector<Work> work;
    for (const Slot<Parameters>& slot : all) {
        std::uint64_t first = 0;
        for (const Part<Parameters>& part : slot.parts) {
            work.push_back({&part, num::Draws(config.seed, slot.name), first});
            first += static_cast<std::uint64_t>(part.rows * part.cols);
        }
    }
    team.for_each(static_cast<Index>(work.size()), [&](Index i) {
        const Work& w = work[static_cast<std::size_t>(i)];
        fill(*w.part, w.draws, w.first);
    });
    derive(*parameters, team);
    return std::shared_ptr<const Transformer>(new Transformer(std::move(parameters)));
}

Transformer::Transformer(std::unique_ptr<const Parameters> parameters)
    : parameters_(std::move(parameters)) {}
Transformer::~Transformer() = default;
const TransformerConfig& Transformer::config() const { return parameters_->config; }

} // namespace heed::models
