// The terms that one cell's score is the sum of, and the weight that a score becomes.
#pragma once

#include "trace/decoder_step.hpp"
#include "trace/trace.hpp"

namespace heed::trace {

/// Features of one query and one key as a dot product multiplies them (rotary: as rotated by their
/// places), d_k numbers each.
struct CellProducts {
    num::RowVector<float> q, k;
    num::RowVector<float> products; // qᵢ kᵢ: they add up to the score of a dot product
};
/// ContractError where the map has no such query or key.
CellProducts cell_products(const AttentionMap& map, Index query, Index key);

/// Terms of an additive or concat score e = v · tanh(W s + U h) of one key, a numbers each.
struct AdditiveTerms {
    num::RowVector<float> query, key; // W s and U h
    num::RowVector<float> sum;        // W s + U h
    num::RowVector<float> hidden;     // its tanh
    num::RowVector<float> weighted;   // v ∘ tanh: they add up to e
};
AdditiveTerms additive_terms(const AdditiveParts& parts, Index key);

/// A score and the softmax weight that it has in its row.
struct ScoreWeight {
    float score = 0, weight = 0;
};
/// One cell of a query's masked scores divided by the temperature, all times `factor`.
ScoreWeight softmax_of_scaled(const AttentionMap& map, Index query, float factor, Index key);

} // namespace heed::trace
