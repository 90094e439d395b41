// Byte pair encoding (Sennrich et al. 2016): neighbours are merged, the earliest merge first.
#pragma once

#include "tokenizers/models/model.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::tokenizers {

struct BpeRules {
    std::optional<std::string> unknown;
    std::string continuing_prefix, end_suffix;
    bool fuse_unknown = false;
    bool byte_fallback = false; // a character that is no token becomes "<0xE4>" and the like
    bool ignore_merges = false; // a word that is a token is one
};

/// A line of merges.
struct MergeLine {
    std::string_view left, right;
};

/// Throws Refused where a merge names what is no token.
std::shared_ptr<const Model> make_bpe(Vocabulary vocabulary, std::span<const MergeLine> merges,
                                      BpeRules rules);

} // namespace heed::tokenizers
