#include "app/document/gains.hpp"

#include <utility>

namespace heed::app {

namespace {

using models::Controls;
using models::HeadControls;
using models::Scope;

Scope scope_of(const trace::HeadId& head) { return {head.kind, head.layer, head.head}; }
Scope layer_of(const trace::HeadId& head) { return {head.kind, head.layer, {}}; }

void set_gain(Controls& controls, const Scope& scope, std::optional<float> gain) {
    HeadControls own = controls.at(scope);
    own.gain = gain;
    controls.set(scope, std::move(own));
}

/// True of the head that its layer is silent beside: its gain of 1 is no setting of its own.
bool is_of_solo(const Controls& controls, const Scope& scope) {
    const Scope layer{scope.kind, scope.layer, {}};
    return scope.head && controls.at(scope).gain == 1.0f && controls.at(layer).gain == 0.0f;
}

/// Puts `gain` in place of the scope's own, which rests until take_back().
void put_over(Document& d, const Scope& scope, std::optional<float> gain) {
    const std::optional<float> own = d.controls.at(scope).gain;
    if (own && own != 0.0f && !is_of_solo(d.controls, scope)) set_gain(d.resting, scope, own);
    set_gain(d.controls, scope, gain);
}

void take_back(Document& d, const Scope& scope) {
    set_gain(d.controls, scope, d.resting.at(scope).gain);
    set_gain(d.resting, scope, std::nullopt);
}

} // namespace

float gain_of(const Controls& controls, const trace::HeadId& head) {
    return controls.resolved_but_mask(head).gain.value_or(1);
}

Document with_gain(Document document, const trace::HeadId& head, float gain) {
    const Scope scope = scope_of(head);
    set_gain(document.controls, scope, std::nullopt);
    if (gain_of(document.controls, head) != gain) set_gain(document.controls, scope, gain);
    return document;
}

Document with_mute(Document document, const trace::HeadId& head, bool on) {
    if (on) {
        put_over(document, scope_of(head), 0.0f);
        return document;
    }
    take_back(document, scope_of(head));
    return muted(document.controls, head) ? with_gain(std::move(document), head, 1) : document;
}

std::vector<bool> silent_heads(const Controls& controls, trace::AttentionKind kind, int layers,
                               int heads) {
    std::vector<bool> silent;
    for (int i = 0; i < layers * heads; ++i) {
        silent.push_back(muted(controls, {kind, i / heads, i % heads}));
    }
    return silent;
}

bool soloed(const Controls& controls, const trace::HeadId& head, int n_heads) {
    trace::HeadId other = head;
    for (other.head = 0; other.head < n_heads; ++other.head) {
        if (muted(controls, other) != (other.head != head.head)) return false;
    }
    return n_heads > 1;
}

Document with_solo(Document document, const trace::HeadId& head, int n_heads, bool on) {
    trace::HeadId other = head;
    if (on) {
        const float gain = gain_of(document.controls, head);
        put_over(document, layer_of(head), 0.0f);
        for (other.head = 0; other.head < n_heads; ++other.head) {
            if (other.head == head.head) continue;
            put_over(document, scope_of(other), std::nullopt);
        }
        return with_gain(std::move(document), head, gain == 0 ? 1 : gain);
    }
    take_back(document, layer_of(head));
    for (other.head = 0; other.head < n_heads; ++other.head) {
        const std::optional<float> own = document.controls.at(scope_of(other)).gain;
        if (own == 1.0f) set_gain(document.controls, scope_of(other), std::nullopt);
        if (other.head == head.head) continue;
        if (!own || own == 0.0f) take_back(document, scope_of(other));
        if (muted(document.controls, other)) document = with_gain(std::move(document), other, 1);
    }
    return document;
}

} // namespace heed::app
