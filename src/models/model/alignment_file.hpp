// Word alignments as text, a line a sentence: links as in Pharaoh ("0-0 1-2": source word, target
// word, from 0), and the soft alignments that Marian writes (a target word's weights with commas
// between, target words with spaces between), with or without the translation and " ||| " before.
#pragma once

#include "models/model/attention_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

inline constexpr std::size_t kMostAlignmentBytes = std::size_t{64} << 20;

inline constexpr std::size_t kMostSentences = 20'000;

/// True where the first line, as far as it is here, is links or weights and nothing else.
bool begins_as_alignment(std::string_view text);

/// Each sentence as cross-attention of one layer and one head. The links of a target word share its
/// row; a word without a link has a row of 0. Sides are as long as their last link says, at least
/// 1. Target words are those of the translation, with ⟨end⟩ behind them where Marian weighs that
/// too; what is not named has its number. Of an n-best list every hypothesis is a sentence.
/// Errors, with the line: malformed (neither links nor weights, or cut off), mismatch (rows of
/// different lengths), out_of_range (weights below 0, not finite, or rows that do not sum to 1;
/// more words than a run has, or
/// more than kMostSentences).
base::Result<std::vector<AttentionFile>> read_alignments(std::string_view text,
                                                         const std::string& subject);

} // namespace heed::models
