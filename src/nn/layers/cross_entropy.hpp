// Cross-entropy: how far a model's words are from the right ones, and its gradient.
#pragma once

#include "num/matrix.hpp"

#include <span>

namespace heed::nn {

using num::Index;
using num::Matrix;

/// A row that is not counted: padding, or a word that is given.
inline constexpr Index kNotCounted = -1;

struct CrossEntropy {
    double loss = 0;     // Σ −ln p(target) over counted rows, in nats
    double smoothed = 0; // the same with smoothed targets, which the gradients are of
    Index counted = 0;
    Index right = 0; // rows whose largest logit is the target's
};

/// −Σ_v q_v ln p_v in each row, p = softmax(logits) and q = 1 − ε at the target with ε/V everywhere
/// besides added: label smoothing as in Szegedy et al. 2016, section 7, and torch. logits: n × V;
/// targets: n. In place the logits become their gradients times `factor`, p − q in counted rows and
/// 0 in others; with factor 0 they are left as probabilities. Throws ContractError for a target
/// outside the vocabulary.
template <class S>
CrossEntropy cross_entropy(Matrix<S>& logits, std::span<const Index> targets, S smoothing,
                           S factor);

} // namespace heed::nn
