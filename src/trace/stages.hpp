// The stages of an attention layer as a table: one row each, from which what is said of them comes.
#pragma once

#include "trace/trace.hpp"

#include <cstddef>

namespace heed::trace {

struct StageInfo {
    Stage stage;
    std::string_view name; // of flags and files
    std::string_view tip;  // what it is, in one sentence
    std::string_view formula, citation;
};

/// Stages in the order of the enum, in which they are computed.
inline constexpr StageInfo kStageInfos[] = {
    {Stage::q, "q", "Queries: what each word is looking for, its vector times a learned matrix.",
     "Q = X W_Q", "Vaswani et al. 2017, section 3.2.2"},
    {Stage::k, "k",
     "Keys: what each word offers to those who look, its vector times a learned matrix.",
     "K = X W_K", "Vaswani et al. 2017, section 3.2.2"},
    {Stage::v, "v",
     "Values: what a word passes on when it is chosen, its vector times a learned matrix.",
     "V = X W_V", "Vaswani et al. 2017, section 3.2.2"},
    {Stage::scores, "scores", "Scores: how well each query fits each key.", "s(q, k)",
     "Vaswani et al. 2017, section 3.2.1"},
    {Stage::scaled, "scaled", "Scores times the scale, so that softmax does not saturate.",
     "s(q, k) / √dₖ", "Vaswani et al. 2017, section 3.2.1"},
    {Stage::masked, "masked",
     "Scores after the mask: a word that may not be seen has a score of −∞.", "s / √dₖ + M",
     "Vaswani et al. 2017, section 3.2.3"},
    {Stage::weights, "weights",
     "Weights: softmax turns each row of scores into shares of attention that add up to 1.",
     "A = softmax(s / √dₖ + M)", "Vaswani et al. 2017, eq. 1"},
    {Stage::context, "context", "Context: the values, mixed by the weights.", "A V",
     "Vaswani et al. 2017, eq. 1"},
};

constexpr const StageInfo& info(Stage stage) {
    return kStageInfos[static_cast<std::size_t>(stage)];
}

} // namespace heed::trace
