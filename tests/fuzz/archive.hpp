// What holds for every archive that a reader has accepted.
#pragma once

#include "fuzz/target.hpp"
#include "tensors/element.hpp"
#include "tensors/named.hpp"

#include <cstring>

namespace heed::fuzz {

inline void check_array(const tensors::Array& array) {
    HEED_CHECK(tensors::element_count(array.shape) == array.values.size(),
               "{} values do not fill the shape", array.values.size());
}

inline void check_archive(const tensors::Archive& archive) {
    for (const auto& [name, array] : archive.arrays) check_array(array);
}

/// Bit for bit, so that NaN equals itself.
inline bool same(const tensors::Archive& a, const tensors::Archive& b) {
    if (a.strings != b.strings || a.metadata != b.metadata) return false;
    if (a.arrays.size() != b.arrays.size()) return false;
    for (const auto& [name, array] : a.arrays) {
        const auto other = b.arrays.find(name);
        if (other == b.arrays.end() || other->second.shape != array.shape) return false;
        if (!array.values.empty() && std::memcmp(array.values.data(), other->second.values.data(),
                                                 array.values.size() * sizeof(float)) != 0) {
            return false;
        }
    }
    return true;
}

} // namespace heed::fuzz
