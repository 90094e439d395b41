#include "train/nets/places.hpp"

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

Places::Places(models::ConstSlots slots) : slots_(std::move(slots)) {
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        for (std::size_t p = 0; p < slots_[s].parts.size(); ++p) {
            parts_[address_of(slots_[s].parts[p])] = {s, p};
        }
    }
}

Index Places::of(const void* parameter) {
    const auto found = parts_.find(parameter);
    HEED_CHECK(found != parts_.end(), "a parameter that is in none of {} slots", slots_.size());
    const auto [slot, part] = found->second;
    const auto& parts = slots_[slot].parts;
    if (!offsets_.contains(slot)) {
        Index size = 0;
        for (const auto& p : parts) size += size_of(p);
        offsets_[slot] = size_;
        tensors_.push_back({slots_[slot].name, size_, size});
        size_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    Index offset = offsets_[slot];
    for (std::size_t p = 0; p < part; ++p) offset += size_of(parts[p]);
    return offset;
}

template <class S> void Places::read(S* values) const {
    for (const auto& [slot, offset] : offsets_) {
        S* to = values + offset;
        for (const auto& part : slots_[slot].parts) {
            std::visit(
                [&](const auto* from) {
                    using T = std::remove_cvref_t<decltype(*from)>;
                    const auto copy = [&](const auto& m) {
                        std::transform(m.data(), m.data() + m.size(), to,
                                       [](float x) { return static_cast<S>(x); });
                    };
                    if constexpr (std::is_same_v<T, num::Weights<float>>) {
                        copy(from->dense());
                    } else {
                        copy(*from);
                    }
                },
                part.to);
            to += size_of(part);
        }
    }
}
template void Places::read(float*) const;
template void Places::read(double*) const;

void Places::write(const float* values, const models::Slots& slots) const {
    HEED_CHECK(slots.size() == slots_.size(), "{} slots for places in {}", slots.size(),
               slots_.size());
    for (const auto& [slot, offset] : offsets_) {
        const float* from = values + offset;
        for (const auto& part : slots[slot].parts) {
            std::visit(
                [&](auto* to) {
                    using T = std::remove_cvref_t<decltype(*to)>;
                    if constexpr (std::is_same_v<T, num::Weights<float>>) {
                        const models::Matrix<float> in_by_out =
                            Eigen::Map<const models::Matrix<float>>(from, part.cols, part.rows);
                        *to = num::Weights<float>(in_by_out);
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
