// The settings of one attention head: plain values, without the layers that read them.
#pragma once

#include "nn/attention/mask.hpp"
#include "nn/attention/position_info.hpp"
#include "nn/attention/score_kind.hpp"
#include "nn/attention/weight_edit.hpp"

#include <cstdint>
#include <vector>

namespace heed::nn {

/// Settings of one head: how it turns its q and k into weights.
template <class S> struct HeadSettings {
    Score score = kDotScore;
    S gamma = 1;       // factor on the scores; 1/sqrt(d_k) when scaling is on
    S temperature = 1; // > 0
    /// Above 0: scaled scores z become softcap · tanh(z / softcap) (Gemma Team 2024, section 2).
    S softcap = 0;
    SharedMask mask;
    Positions positions = Positions::none; // rotary, ALiBi, relative; anything else adds nothing
    S gain = 1;                            // factor on the head's context
    float dropout = 0;                     // share of weights dropped, 0 in evaluation
    std::uint64_t dropout_seed = 0;
    std::vector<WeightEdit> edits = {}; // by query, then key; each cell once
    bool operator==(const HeadSettings&) const = default;
};

} // namespace heed::nn
