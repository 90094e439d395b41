// The flow to one token through all layers of self-attention.
#pragma once

#include "num/matrix.hpp"

#include <memory>
#include <vector>

namespace heed::trace {

using num::Index;
using num::Matrix;

/// One n × n map a layer, the first layer first: rows are queries and sum to 1, or to 0 where a
/// query has no key. Heads are combined already.
using LayerMaps = std::vector<std::shared_ptr<const Matrix<float>>>;

enum class FlowRule {
    raw,     // A itself: a path's share is the product of its weights
    rollout, // ½ A + ½ I, rows renormalised: a token also keeps what it holds (residual connection;
             // Abnar and Zuidema 2020, section 3)
};

/// ½ A + ½ I with rows that sum to 1: I where A's row is 0. n × n.
Matrix<float> with_residual(const Matrix<float>& attention);

/// with_residual(A_L) ⋯ with_residual(A_1), n × n: row i says how much of each input token the last
/// layer's token i holds. L products of n × n matrices. ContractError when maps are not square and
/// of one size; the empty matrix without layers.
Matrix<float> rollout(const LayerMaps& layers);

struct Flow {
    FlowRule rule = FlowRule::rollout;
    Index token = 0;     // the one that is flowed to, at the last level
    LayerMaps steps;     // what each layer multiplies by: A, or with_residual(A)
    Matrix<float> reach; // (L + 1) × n. Row l: the share of the token's final state that passes
                         // through each token at level l; level 0 is the input, L the output

    Index n_layers() const { return static_cast<Index>(steps.size()); }
    Index n_tokens() const { return reach.cols(); }
    /// The share that passes from token `from` at level `layer` to `to` at the next one.
    float share(Index layer, Index to, Index from) const {
        return reach(layer + 1, to) * (*steps[static_cast<std::size_t>(layer)])(to, from);
    }
};

/// One product of a row and a matrix a layer. Errors as of rollout(), and a token that is none.
Flow flow_to(const LayerMaps& layers, FlowRule rule, Index token);

} // namespace heed::trace
