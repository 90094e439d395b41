// Is attention an explanation? Other weights of one row of a head, as far from the run's as they
// can be, under which the model answers the same (Jain and Wallace 2019, section 4.2; Wiegreffe and
// Pinter 2019 on what that shows).
#pragma once

#include "inside/replay.hpp"

namespace heed::inside {

enum class OtherWeightsVerdict {
    one_key, // the row can see one key: there are no other weights
    idle,    // not even all weight on one key changes the answer by more than is allowed
    free,    // rows that share less than half of their weight give the same answer
    held,    // none that differ so much were found: the answer needs weights like these
};
std::string_view name(OtherWeightsVerdict verdict);

struct OtherWeightsOptions {
    double allowed = 0.01; // the most that the answer may change: total variation, 0 to 1
    std::stop_token stop = {};
};

struct OtherWeights {
    num::RowVector<double> own, other; // of every key; sums of 1
    /// Between the two: Jensen and Shannon's divergence in bits, and total variation, half of the
    /// sum of differences. Both from 0 to 1.
    double divergence = 0, distance = 0;
    /// Total variation between the next word's distributions, of a replay with `other`.
    double change = 0;
    Answer own_answer, other_answer;
    /// Divergence of the weights among them that give the head's very context; 0
    /// where the keys' values are too few or too different for any.
    double same_context = 0;
    double most = 0; // change of the answer where one key has all the weight, of the worst key
    Index keys = 0;  // that the row can see
    OtherWeightsVerdict verdict = OtherWeightsVerdict::held;
};

/// Other weights of a row of one head, for the word that is said at the question's token. The
/// head's context is linear in its weights: those that differ by what all values map to 0 give the
/// same one exactly. Beyond them the answer's change is taken as a quadratic form of the weights,
/// made of one replay a key (or a feature of the values, where these are fewer), the divergence
/// raised under it by gradients, and the result held to replays. Errors: those of readout_of, check
/// and models::run; out_of_range for a head or query that is not there, mismatch for weights that
/// were edited, cancelled.
base::Result<OtherWeights> other_weights(const std::shared_ptr<const models::Run>& run,
                                         const Question& question, const trace::HeadId& head,
                                         Index query, num::ThreadPool& pool,
                                         const OtherWeightsOptions& options = {});

/// Divergence of two rows of weights that sum to 1: bits, 0 to 1.
double jensen_shannon_bits(const num::RowVector<double>& a, const num::RowVector<double>& b);
double total_variation(const num::RowVector<double>& a, const num::RowVector<double>& b);

} // namespace heed::inside
