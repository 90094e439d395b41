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
};

inline constexpr AttentionKindInfo kAttentionKindInfos[] = {
    {AttentionKind::encoder_self, "encoder", "Encoder", "Encoder", "Encoder self-attention"},
    {AttentionKind::decoder_self, "decoder", "Decoder", "Decoder", "Decoder self-attention"},
    {AttentionKind::cross, "cross", "Cross", "Cross-attention", "Cross-attention"},
};

constexpr const AttentionKindInfo& info(AttentionKind kind) {
    return kAttentionKindInfos[static_cast<std::size_t>(kind)];
}

} // namespace heed::trace
