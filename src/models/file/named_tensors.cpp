#include "models/file/named_tensors.hpp"

#include "base/check.hpp"
#include "num/random.hpp"
#include "num/transposed.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;

num::Weights<float> rounded(const Matrix<float>& in_by_out) {
    std::vector<std::uint16_t> halves(static_cast<std::size_t>(in_by_out.size()));
    std::transform(in_by_out.data(), in_by_out.data() + in_by_out.size(), halves.begin(),
                   num::to_bf16);
    return num::half_weights(num::Stored::bf16, halves.data(), in_by_out.rows(), in_by_out.cols(),
                             true);
}

template <class T> T& floats_of(T& to) { return to; }
Matrix<float>& floats_of(WordTable& to) { return to.floats; }

// A number depends on its place in its tensor alone, in the file's order, whatever order it is
// drawn in: so weights do not depend on threads, nor on how a matrix is packed. One hash makes the
// numbers of two columns, since hashing sixty million times is most of a base model's making.
void fill(const Part<false>& part, const num::Rng& draws, Index first_row, num::Stored stored) {
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
                *to = stored == num::Stored::f32 ? num::Weights<float>(in_by_out)
                                                 : rounded(in_by_out);
            } else {
                auto& table = floats_of(*to);
                table.resize(part.rows, part.cols);
                for (Index row = 0; row < part.rows; ++row) {
                    float* values = table.data() + row * part.cols;
                    for (Index pair = 0; pair < pairs; ++pair) {
                        const bool whole = 2 * pair + 1 < part.cols;
                        draw_pair(row, pair, values[2 * pair],
                                  whole ? values[2 * pair + 1] : beyond);
                    }
                }
                if constexpr (std::is_same_v<T, WordTable>) {
                    if (stored != num::Stored::f32) *to = {{}, rounded(table.transpose())};
                }
            }
        },
        part.to);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

// "a, b, c and 17 more"
std::string list_text(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 3;
    const std::size_t shown = std::min(kShown, names.size());
    std::string text = fmt::format("{:.80}", names[0]);
    for (std::size_t i = 1; i < shown; ++i) text += fmt::format(", {:.80}", names[i]);
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

base::Result<void> check_tensors(const NamedTensors& expected, const tensors::Archive& archive,
                                 const std::string& path) {
    std::vector<std::string> missing, left_over;
    std::size_t present = 0;
    for (const NamedTensor<false>& tensor : expected) {
        const bool has = archive.arrays.contains(tensor.name);
        if (!has && !tensor.optional) missing.push_back(tensor.name);
        present += has;
    }
    if (!missing.empty()) {
        return fail(ErrorKind::mismatch, path,
                    fmt::format("{} of {} tensors of this model are missing: {}", missing.size(),
                                expected.size(), list_text(missing)));
    }
    if (archive.arrays.size() > present) {
        std::vector<std::string> names;
        for (const NamedTensor<false>& tensor : expected) names.push_back(tensor.name);
        std::sort(names.begin(), names.end());
        for (const auto& [name, array] : archive.arrays) {
            if (!std::binary_search(names.begin(), names.end(), name)) left_over.push_back(name);
        }
        return fail(ErrorKind::mismatch, path,
                    fmt::format("{} tensors do not belong to this model: {}", left_over.size(),
                                list_text(left_over)));
    }
    for (const NamedTensor<false>& tensor : expected) {
        const auto found = archive.arrays.find(tensor.name);
        if (found == archive.arrays.end()) continue;
        const tensors::Array& array = found->second;
        if (array.shape != tensor.shape) {
            return fail(ErrorKind::mismatch, path,
                        fmt::format("{} has the shape {}; this model needs {}", tensor.name,
                                    shape_text(array.shape), shape_text(tensor.shape)));
        }
        if (const std::size_t bad = tensors::count_not_finite(array); bad != 0) {
            return fail(ErrorKind::out_of_range, path,
                        fmt::format("{} of the {} numbers in {} are NaN or infinite", bad,
                                    array.values.size(), tensor.name));
        }
    }
    return {};
}

void append(const Part<true>& part, std::vector<float>& values) {
    std::visit(
        [&](const auto* from) {
            using T = std::remove_cvref_t<decltype(*from)>;
            const auto append_dense = [&](const num::Weights<float>& w) {
                const Matrix<float> out_by_in = w.dense().transpose();
                values.insert(values.end(), out_by_in.data(), out_by_in.data() + out_by_in.size());
            };
            if constexpr (std::is_same_v<T, num::Weights<float>>) {
                append_dense(*from);
            } else if constexpr (std::is_same_v<T, WordTable>) {
                const Matrix<float>& rows = from->floats;
                values.insert(values.end(), rows.data(), rows.data() + rows.size());
                if (from->halves.out() > 0) append_dense(from->halves);
            } else {
                values.insert(values.end(), from->data(), from->data() + from->size());
            }
        },
        part.to);
}

} // namespace

void put(const Part<false>& part, const float* values, bool in_by_out) {
    const auto as = [&](Index rows, Index cols) {
        return num::ConstView<float>(values, rows, cols, Eigen::OuterStride<>(cols));
    };
    std::visit(
        [&](auto* to) {
            using T = std::remove_reference_t<decltype(*to)>;
            if constexpr (!std::is_same_v<T, num::Weights<float>>) {
                floats_of(*to) = as(part.rows, part.cols);
            } else if (in_by_out) {
                num::repack(*to, as(part.cols, part.rows));
            } else {
                num::repack_transposed(*to, as(part.rows, part.cols));
            }
        },
        part.to);
}

void draw(const NamedTensors& named_tensors, std::uint64_t seed, num::ThreadPool& pool,
          num::Stored stored) {
    HEED_CHECK(stored != num::Stored::f16, "{} tensors are drawn in f16", named_tensors.size());
    struct Work {
        const Part<false>* part;
        num::Rng draws;
        Index first_row;
    };
    std::vector<Work> work;
    for (const NamedTensor<false>& tensor : named_tensors) {
        Index first_row = 0;
        for (const Part<false>& part : tensor.parts) {
            work.push_back({&part, num::Rng(seed, tensor.name), first_row});
            first_row += part.rows;
        }
    }
    pool.for_each(static_cast<Index>(work.size()), [&](Index i) {
        const Work& w = work[static_cast<std::size_t>(i)];
        fill(*w.part, w.draws, w.first_row, stored);
    });
}

base::Result<void> read(const NamedTensors& named_tensors, const tensors::Archive& archive,
                        const std::string& path, std::uint64_t seed, num::ThreadPool& pool) {
    if (auto ok = check_tensors(named_tensors, archive, path); !ok) return ok;
    NamedTensors drawn;
    std::copy_if(named_tensors.begin(), named_tensors.end(), std::back_inserter(drawn),
                 [&](const auto& tensor) { return !archive.arrays.contains(tensor.name); });
    draw(drawn, seed, pool);
    pool.for_each(static_cast<Index>(named_tensors.size()), [&](Index i) {
        const NamedTensor<false>& tensor = named_tensors[static_cast<std::size_t>(i)];
        const auto found = archive.arrays.find(tensor.name);
        if (found == archive.arrays.end()) return;
        const float* values = found->second.values.data();
        for (const Part<false>& part : tensor.parts) {
            put(part, values);
            values += part.rows * part.cols;
        }
    });
    return {};
}

void write(const ConstNamedTensors& named_tensors, tensors::Archive& archive) {
    for (const NamedTensor<true>& tensor : named_tensors) {
        tensors::Array& array = archive.arrays[tensor.name];
        array.shape = tensor.shape;
        Index size = 0;
        for (const auto& part : tensor.parts) size += part.rows * part.cols;
        array.values.reserve(static_cast<std::size_t>(size));
        for (const auto& part : tensor.parts) append(part, array.values);
    }
}

} // namespace heed::models
