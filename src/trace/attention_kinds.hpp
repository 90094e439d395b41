// The kinds of attention as a table: one row each, from which names, tabs and titles come.
#pragma once

#include "trace/trace.hpp"

namespace heed::trace {

struct AttentionKindInfo {
    AttentionKind kind;
    std::string_view name;   // of flags and files
    std::string_view label;  // on a tab
    std::string_view title;  // of a head: "Cross-attention layer 1 · head 2"
    std::string_view phrase; // of all heads
    std::string_view tip;    // who looks at whom, in one sentence
    std::string_view citation;
};

inline constexpr AttentionKindInfo kAttentionKindInfos[] = {
    {AttentionKind::encoder_self, "encoder", "Encoder", "Encoder", "Encoder self-attention",
     "Each word of the source looks at all words of the source.",
     "Vaswani et al. 2017, section 3.2.3"},
    {AttentionKind::decoder_self, "decoder", "Decoder", "Decoder", "Decoder self-attention",
     "Each word of the target looks at the target words up to itself.",
     "Vaswani et al. 2017, section 3.2.3"},
    {AttentionKind::cross, "cross", "Cross", "Cross-attention", "Cross-attention",
     "Each word of the target looks at the words of the source.",
     "Bahdanau et al. 2015; Vaswani et al. 2017, section 3.2.3"},
};

constexpr const AttentionKindInfo& info(AttentionKind kind) {
    return kAttentionKindInfos[static_cast<std::size_t>(kind)];
}

} // namespace heed::trace
