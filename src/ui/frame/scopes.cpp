#include "ui/frame/scopes.hpp"

#include "models/model/usual_mask.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

namespace heed::ui {

using trace::AttentionKind;

std::string scope_words(ApplyTo apply_to, const trace::HeadId& head) {
    switch (apply_to) {
    case ApplyTo::head:
        return fmt::format("{} {}", trace::name(head.kind),
                           trace::head_number(head.layer, head.head));
    case ApplyTo::layer: return fmt::format("{} layer {}", trace::name(head.kind), head.layer + 1);
    case ApplyTo::kind:
        return head.kind == AttentionKind::cross
                   ? "cross attention"
                   : fmt::format("{} self-attention", trace::name(head.kind));
    case ApplyTo::model: return "model";
    }
    return "";
}

models::Scope scope_of(ApplyTo apply_to, const trace::HeadId& head) {
    models::Scope scope;
    if (apply_to != ApplyTo::model) scope.kind = head.kind;
    if (apply_to == ApplyTo::head || apply_to == ApplyTo::layer) scope.layer = head.layer;
    if (apply_to == ApplyTo::head) scope.head = head.head;
    return scope;
}

models::HeadControls effective(const models::Controls& controls, const models::Scope& scope) {
    const auto holds = [&](const models::Scope& wider) {
        return (!wider.kind || wider.kind == scope.kind) &&
               (!wider.layer || wider.layer == scope.layer) &&
               (!wider.head || wider.head == scope.head);
    };
    models::Controls holding;
    for (const models::ScopedControls& entry : controls.scoped) {
        if (holds(entry.scope)) holding.scoped.push_back(entry);
    }
    trace::HeadId inside;
    inside.kind = scope.kind.value_or(AttentionKind::encoder_self);
    inside.layer = scope.layer.value_or(0);
    inside.head = scope.head.value_or(0);
    return holding.resolved(inside);
}

nn::Mask mask_in(const models::Config& config, const models::Controls& controls,
                 const models::Scope& scope, AttentionKind kind) {
    if (auto chosen = effective(controls, scope).mask) return *std::move(chosen);
    return scope.layer ? models::usual_mask(config, kind, *scope.layer)
                       : models::usual_mask(config, kind);
}

} // namespace heed::ui
