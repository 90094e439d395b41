// The shape of attention that another program computed, and of which there are weights alone.
#pragma once

#include "base/result.hpp"
#include "trace/trace.hpp"

#include <array>
#include <iterator>
#include <string_view>

namespace heed::models {

struct StoredConfig {
    std::array<int, std::size(trace::kAttentionKinds)> layers{}; // by kind; 0: none of it
    int n_heads = 1;                                             // the most that a kind has
    int sentences = 1;                                           // of which one is looked at
    bool operator==(const StoredConfig&) const = default;
};

constexpr std::string_view form(const StoredConfig&) { return "attention file"; }
/// Nobody asks for such a model but its file.
inline base::Result<void> check(const StoredConfig&) { return {}; }

} // namespace heed::models
