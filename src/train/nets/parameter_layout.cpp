#include "train/nets/parameter_layout.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace heed::train {

namespace {

/// Tensors start at a cache line.
constexpr Index kAlignment = 16;

template <class Part> Index size_of(const Part& part) { return part.rows * part.cols; }

const void* address_of(const models::Part<true>& part) {
    return std::visit([](const auto* to) { return static_cast<const void*>(to); }, part.to);
}

} // namespace

ParameterLayout::ParameterLayout(models::ConstNamedTensors named_tensors)
    : slots_(std::move(named_tensors)) {
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        for (std::size_t p = 0; p < slots_[s].parts.size(); ++p) {
            parts_[address_of(slots_[s].parts[p])] = {s, p};
        }
    }
}

Index ParameterLayout::of(const void* parameter) {
    const auto found = parts_.find(parameter);
    HEED_CHECK(found != parts_.end(), "a parameter that is in none of {} slots", slots_.size());
    const auto [tensor, part] = found->second;
    const auto& parts = slots_[tensor].parts;
    if (!offsets_.contains(tensor)) {
        Index size = 0;
        for (const auto& p : parts) size += size_of(p);
        offsets_[tensor] = size_;
        tensors_.push_back({slots_[tensor].name, size_, size});
        size_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    Index offset = offsets_[tensor];
    for (std::size_t p = 0; p < part; ++p) offset += size_of(parts[p]);
    return offset;
}

template <class S> void ParameterLayout::read(S* values) const {
    for (const auto& [tensor, offset] : offsets_) {
        S* to = values + offset;
        for (const auto& part : slots_[tensor].parts) {
            std::visit(
                [&](const auto* from) {
                    using T = std::remove_cvref_t<decltype(*from)>;
                    const auto copy = [&](const auto& m) {
                        std::transform(m.data(), m.data() + m.size(), to,
                                       [](float x) { return static_cast<S>(x); });
                    };
                    if constexpr (std::is_same_v<T, num::Weights<float>>) {
                        copy(from->dense());
                    } else if constexpr (std::is_same_v<T, models::WordTable>) {
                        copy(from->floats); // what learns has no halves
                    } else {
                        copy(*from);
                    }
                },
                part.to);
            to += size_of(part);
        }
    }
}
template void ParameterLayout::read(float*) const;
template void ParameterLayout::read(double*) const;

void ParameterLayout::write(const float* values, const models::NamedTensors& named_tensors) const {
    HEED_CHECK(named_tensors.size() == slots_.size(), "{} slots for places in {}",
               named_tensors.size(), slots_.size());
    for (const auto& [tensor, offset] : offsets_) {
        const float* from = values + offset;
        for (const auto& part : named_tensors[tensor].parts) {
            std::visit(
                [&](auto* to) {
                    using T = std::remove_cvref_t<decltype(*to)>;
                    if constexpr (std::is_same_v<T, num::Weights<float>>) {
                        const models::Matrix<float> in_by_out =
                            Eigen::Map<const models::Matrix<float>>(from, part.cols, part.rows);
                        *to = num::Weights<float>(in_by_out);
                    } else if constexpr (std::is_same_v<T, models::WordTable>) {
                        to->floats =
                            Eigen::Map<const models::Matrix<float>>(from, part.rows, part.cols);
                    } else {
                        *to = Eigen::Map<const models::Matrix<float>>(from, part.rows, part.cols);
                    }
                },
                part.to);
            from += size_of(part);
        }
    }
}

} // namespace heed::train
