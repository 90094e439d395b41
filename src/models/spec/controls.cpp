#include "models/spec/controls.hpp"

#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {

bool Scope::holds_for(const trace::HeadId& id) const {
    return (!kind || *kind == id.kind) && (!layer || *layer == id.layer) &&
           (!head || *head == id.head);
}

int Scope::narrowness() const { return (head ? 4 : 0) + (layer ? 2 : 0) + (kind ? 1 : 0); }

Scale usual_scale(nn::Score score) {
    return {nn::info(score).scales ? Scale::Kind::on : Scale::Kind::off, 1};
}

float scale_factor(float own, num::Index d_k, bool by_layer, int layer) {
    const float factor = own > 0 ? own : 1 / std::sqrt(static_cast<float>(d_k));
    return by_layer ? factor / static_cast<float>(layer + 1) : factor;
}

HeadControls Controls::at(const Scope& scope) const {
    for (const ScopedControls& entry : scoped) {
        if (entry.scope == scope) return entry.controls;
    }
    return {};
}

void Controls::set(const Scope& scope, HeadControls controls) {
    const auto entry = std::find_if(scoped.begin(), scoped.end(),
                                    [&](const ScopedControls& e) { return e.scope == scope; });
    if (controls.empty()) {
        if (entry != scoped.end()) scoped.erase(entry);
    } else if (entry != scoped.end()) {
        entry->controls = std::move(controls);
    } else {
        scoped.push_back({scope, std::move(controls)});
    }
}

std::vector<const ScopedControls*> Controls::holding(const trace::HeadId& id) const {
    // Two different scopes that hold for one head never have the same narrowness: fields that are
    // set in both agree. So the order below is total.
    std::vector<const ScopedControls*> entries;
    for (const ScopedControls& entry : scoped) {
        if (entry.scope.holds_for(id)) entries.push_back(&entry);
    }
    std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
        return a->scope.narrowness() < b->scope.narrowness();
    });
    return entries;
}

HeadControls Controls::resolved_but_mask(const trace::HeadId& id) const {
    HeadControls result;
    for (const ScopedControls* entry : holding(id)) {
        const HeadControls& c = entry->controls;
        if (c.score) result.score = c.score;
        if (c.scale) result.scale = c.scale;
        if (c.temperature) result.temperature = c.temperature;
        if (c.positions) result.positions = c.positions;
        if (c.gain) result.gain = c.gain;
        if (c.edits) result.edits = c.edits;
    }
    return result;
}

const nn::Mask* Controls::resolved_mask(const trace::HeadId& id) const {
    const nn::Mask* mask = nullptr;
    for (const ScopedControls* entry : holding(id)) {
        if (entry->controls.mask) mask = &*entry->controls.mask;
    }
    return mask;
}

HeadControls Controls::resolved(const trace::HeadId& id) const {
    HeadControls result = resolved_but_mask(id);
    if (const nn::Mask* mask = resolved_mask(id)) result.mask = *mask;
    return result;
}

} // namespace heed::models
