// Random sequences that come twice: no meaning helps there, so what a head finds it finds by what
// stood before (Olsson et al. 2022, "repeated random sequences").
#pragma once

#include "inside/head_table.hpp"

#include <cstdint>

namespace heed::inside {

/// Count of tokens that come twice: 25 as in the paper, fewer where the model was trained on
/// shorter sentences, has fewer positions, or knows fewer words.
num::Index repeated_length(const models::Model& model);

/// The sequence of this number under this seed, all of its tokens different: words, or ids that
/// are no special tokens. Every side that the model reads has the whole, both times; nothing is
/// said freely. Errors: unsupported where a model reads no tokens, or knows fewer than two.
base::Result<models::Input> repeated_input(const models::Model& model, std::uint64_t seed,
                                           std::uint64_t number);

/// Scores of heads of self-attention in a run of repeated_input(): `induction`, as
/// HeadScore::followed measures it there, and `copying` where the model allows; the rest is NaN.
/// Heads in the order of all_heads(). Errors: cancelled.
base::Result<std::vector<ScoreValues>>
repeated_scores(const models::Run& run, num::ThreadPool& pool, const std::stop_token& stop = {});

} // namespace heed::inside
