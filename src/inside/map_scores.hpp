// Scores of one head on one text, from its map.
#pragma once

#include "inside/head_score.hpp"
#include "num/matrix.hpp"
#include "text/token.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::inside {

/// Tokens of a map's rows and columns.
struct MapTokens {
    const std::vector<text::Token>& queries;
    const std::vector<text::Token>& keys;
    bool self = true;                   // both are the same tokens
    bool causal = false;                // no query sees a later key
    std::string_view padding = "⟨pad⟩"; // queries of this text are left out
};

/// Shares and largest weights from which on a head is told by them.
inline constexpr float kNamed = 0.3f, kConfident = 0.5f, kBroad = 0.75f;

struct MapScores {
    ScoreValues values; // those that need weights and tokens alone
    /// The mean weight of the offset first_offset + d, key minus query, over the queries that have
    /// such a key; 0 where none has.
    std::vector<float> by_offset;
    num::Index first_offset = 0;
    num::Index offset = 0; // the one that positional is about
    int rows = 0;          // queries that have a distribution
};

/// weights: queries × keys; previous, next, same, first, separator and confidence are those of
/// trace::head_pattern(). An offset counts for `positional` when half of the queries have it, so
/// that no single cell in a corner does. Queries without another occurrence of their token do not
/// count for `duplicate`, those without an earlier one with a token between for `followed`; both
/// are NaN where no query does, or where the map is not of self-attention; so is `same`, since the
/// token at the same place of another sentence is another one.
MapScores map_scores(const num::Matrix<float>& weights, const MapTokens& tokens);

/// Mean over the rows that have a distribution; 0 without any.
float mean_entropy_bits(const num::Matrix<float>& weights);
float mean_distance(const num::Matrix<float>& weights);

/// "previous token (0.93)": the largest of the scores that heads are named by, of equal ones the
/// last and most particular; of an induction head not the place where it rests, of cross-attention
/// the alignment first, and never an offset; nor of others one that gets no more than a single key
/// does from all queries (ScoreValues::one_key). Of one whose largest is below kNamed, or up to 0.5
/// that of a place beside the query while a single key gets more, the first of these that holds:
/// "one token (0.72)", the share of a single key, from 0.6 on; "confident (0.93)", the mean of a
/// query's largest weight, above 0.5; "broad (2.81 bits)", the entropy, where that is from 0.75 of
/// the highest on, and always in cross-attention; "mixed: first token (0.21)" where the largest
/// weight is above kNamed; else broad. `minus`: as screens write it; files have "-".
std::string head_label(const ScoreValues& values, num::Index offset, std::string_view minus = "−");
/// The score that head_label() names a head by; none where that is below kNamed.
std::optional<HeadScore> naming_score(const ScoreValues& values, num::Index offset);

} // namespace heed::inside
