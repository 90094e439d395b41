// Controls are data: what a person turns on a model, for a head, a layer, a kind of attention or
// the whole. A run is a pure function of (model, input, controls).
#pragma once

#include "nn/attention/mask.hpp"
#include "nn/attention/position_info.hpp"
#include "nn/attention/score_kind.hpp"
#include "nn/attention/weight_edit.hpp"
#include "nn/layers/norm_order.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heed::models {

using nn::NormOrder;

/// The factor on the scores.
struct Scale {
    enum class Kind { on, off, factor } kind = Kind::on; // on: 1/sqrt(d_k), off: 1
    float factor = 1;                                    // read when kind is factor
    bool operator==(const Scale&) const = default;
};

/// The scale of a score where no control says otherwise: on for dot, bilinear and squared
/// distance, whose spread grows with sqrt(d_k); scaled_dot divides by itself, the others are
/// bounded or learned.
Scale usual_scale(nn::Score score);
/// The factor that Scale::Kind::on is in a layer, counted from 0: `own` or, where that is 0,
/// 1/sqrt(d_k); divided by the layer's number, counted from 1, where `by_layer`.
float scale_factor(float own, num::Index d_k, bool by_layer, int layer);

/// The settings that can be told for one head. What is not set is taken from a wider scope, and in
/// the end from the model: usual_scale(score), temperature 1, causal in decoder self-attention,
/// gain 1.
struct HeadControls {
    std::optional<nn::Score> score;
    std::optional<Scale> scale;
    std::optional<float> temperature; // > 0
    std::optional<nn::Mask> mask;
    /// Sinusoidal and learned positions join the embedding and so mean something for the whole
    /// model alone; in a narrower scope they say that the head adds no positions of its own.
    std::optional<nn::Positions> positions;
    std::optional<float> gain; // 0 switches the head off
    /// Weights set by hand, from 0 to 1. Cells that the map has not are left out of a run.
    std::optional<std::vector<nn::WeightEdit>> edits;
    bool operator==(const HeadControls&) const = default;
    bool empty() const { return *this == HeadControls{}; }
};

/// The scope of controls: everything that is set must agree. All empty is the whole model.
struct Scope {
    std::optional<trace::AttentionKind> kind;
    std::optional<int> layer; // from 0
    std::optional<int> head;  // from 0
    bool operator==(const Scope&) const = default;
    bool holds_for(const trace::HeadId& id) const;
    /// Narrower scopes win: head before layer before kind before model.
    int narrowness() const;
};

struct ScopedControls {
    Scope scope;
    HeadControls controls;
    bool operator==(const ScopedControls&) const = default;
};

/// Dropout as training sees it (Vaswani et al. 2017, section 5.4): after the embedding, on the
/// attention weights, and after each sublayer.
struct Dropout {
    float rate = 0; // 0 is off
    std::uint64_t seed = 1;
    bool operator==(const Dropout&) const = default;
};

struct Controls {
    std::vector<ScopedControls> scoped; // at most one entry a scope, none of them empty
    std::optional<NormOrder> norm;
    std::optional<nn::Join> join; // of positions and embedding
    Dropout dropout;
    bool operator==(const Controls&) const = default;

    HeadControls at(const Scope& scope) const;           // what is set for exactly this scope
    void set(const Scope& scope, HeadControls controls); // an empty one removes the entry
    /// Every field that some scope sets for this head, the narrowest winning.
    HeadControls resolved(const trace::HeadId& id) const;
    /// Resolved fields in two parts, since a mask may be large: every field but the mask, and the
    /// mask that stays in `scoped`, null when no scope sets one.
    HeadControls resolved_but_mask(const trace::HeadId& id) const;
    const nn::Mask* resolved_mask(const trace::HeadId& id) const;

  private:
    /// Entries that hold for a head, the widest first.
    std::vector<const ScopedControls*> holding(const trace::HeadId& id) const;
};

} // namespace heed::models
