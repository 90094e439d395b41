// One query of a head against all keys, feature by feature: what stands between two vectors and a
// weight.
#pragma once

#include "nn/attention/score_kind.hpp"
#include "trace/trace.hpp"

#include <vector>

namespace heed::trace {

/// d_k features, m keys. The score of key j is factor · Σ_i q[i] k(j, i) where `is_product`, and
/// some other function of q and k where not (additive, concat, cosine, squared distance).
struct Neurons {
    nn::Score score = nn::kDotScore;
    bool is_product = true;
    bool rotated = false; // rotary: q and k are as rotated by their places
    float factor = 1;     // 1/√d_k of the scaled dot product, else 1

    Index query = 0;
    num::RowVector<float> q; // as the score multiplies it: q W when bilinear
    Matrix<float> k;         // m × d_k

    float gamma = 1, temperature = 1;
    float softcap = 0;    // above 0: scaled scores are bounded by it, as in nn::HeadSettings
    bool biased = false;  // a position bias (ALiBi, relative) stands between scaled and masked
    bool dropped = false; // weights are after dropout
    // m numbers each, as of Cell.
    std::vector<float> scores, scaled, masked, exponentials, weights;
    float max = 0; // of masked / temperature; −inf where every key is masked
    float sum = 0; // of the exponentials; 0 where every key is masked

    Index n_keys() const { return k.rows(); }
    Index d_k() const { return k.cols(); }
};

/// `query` is one of the map's queries; ContractError when it is not.
Neurons neurons(const AttentionMap& map, Index query);

} // namespace heed::trace
