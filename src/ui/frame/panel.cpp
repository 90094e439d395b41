#include "ui/frame/panel.hpp"

#include "trace/head_names.hpp"

#include <fmt/format.h>

namespace heed::ui {

using trace::AttentionKind;

void Panel::change(const app::UndoTag& tag, const std::string& words, bool seal,
                   const Edit& edit) const {
    // On top of what earlier widgets of this frame asked for.
    app::Document next = document();
    for (const Command& command : commands) {
        if (const auto* earlier = std::get_if<ChangeDocument>(&command)) next = earlier->document;
    }
    edit(next);
    commands.push_back(ChangeDocument{std::move(next), tag, words, seal});
}

void Panel::change_text(const app::UndoTag& tag, const std::string& words, bool seal,
                        const Edit& edit) const {
    change(tag, words, seal, edit);
    std::get<ChangeDocument>(commands.back()).of_text = true;
}

FigureCache::Key Panel::key(float width, float height) const {
    return {work.shared_snapshot(), state.view, width, height, 0, {}};
}

std::string_view kind_words(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::encoder_self: return "Encoder";
    case AttentionKind::decoder_self: return "Decoder";
    case AttentionKind::cross: return "Cross";
    }
    return "";
}

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

nn::Mask mask_in(const models::Controls& controls, const models::Scope& scope,
                 trace::AttentionKind kind) {
    nn::Mask usual;
    usual.causal = kind == AttentionKind::decoder_self;
    return effective(controls, scope).mask.value_or(usual);
}

std::string token_text(const std::vector<text::Token>& tokens, int index) {
    return index >= 0 && index < static_cast<int>(tokens.size())
               ? tokens[static_cast<std::size_t>(index)].text
               : std::string();
}

bool view_fits(const Panel& p, app::View view) {
    const auto& run = p.snapshot().run;
    return app::fits(view, run ? run->model->config() : p.document().model);
}

} // namespace heed::ui
