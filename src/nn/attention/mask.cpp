#include "nn/attention/mask.hpp"

#include <algorithm>

namespace heed::nn {

bool Mask::allows(Index query, Index key, Index valid_keys) const {
    if (padding && key >= valid_keys) return false;
    if (only_last && key != valid_keys - 1) return false;
    if (causal && key > query) return false;
    if (window && (key > query ? key - query : query - key) > *window) return false;
    return !std::binary_search(painted.begin(), painted.end(), std::pair(query, key));
}

std::pair<Index, Index> Mask::range(Index query, Index keys, Index valid_keys) const {
    Index first = 0, last = keys;
    if (padding) last = std::min(last, valid_keys);
    if (only_last) {
        last = std::min(last, valid_keys);
        first = last - 1;
    }
    if (causal) last = std::min(last, query + 1);
    if (window) {
        first = std::max(first, query - *window);
        // The width may be as large as an Index can be, so it is not added to.
        if (*window < last - query - 1) last = query + *window + 1;
    }
    // A query past the last key leaves nothing of a narrow window.
    return first < last ? std::pair(first, last) : std::pair(Index(0), Index(0));
}

std::vector<std::pair<Index, Index>> Mask::forbidden(Index query, Index keys,
                                                     Index valid_keys) const {
    std::vector<std::pair<Index, Index>> runs;
    const auto add = [&](Index first, Index last) {
        if (first >= last) return;
        if (!runs.empty() && runs.back().second == first) {
            runs.back().second = last;
        } else {
            runs.emplace_back(first, last);
        }
    };
    const auto [first, last] = range(query, keys, valid_keys);
    add(0, first);
    for (const auto& [row, key] : painted_in(query)) {
        if (key >= first && key < last) add(key, key + 1);
    }
    add(last, keys);
    return runs;
}

std::span<const std::pair<Index, Index>> Mask::painted_in(Index query) const {
    const auto [first, last] =
        std::equal_range(painted.begin(), painted.end(), std::pair(query, Index(0)),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    return {first, last};
}

} // namespace heed::nn
