// What is computed: controls, the model, tokens.
#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "ui/frame/action_table.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heed::ui {

using shim::Key;
using Group = ActionGroup;
using Table = ActionTable;

namespace {

void add_masks(Table& table) {
    constexpr const char* kNames[] = {"Mask: none", "Mask: padding", "Mask: causal", "Mask: window",
                                      "Mask: paint"};
    for (unsigned i = 0; i < std::size(kNames); ++i) {
        const auto part = static_cast<MaskPart>(i);
        table.push_back({.group = Group::controls,
                         .name = kNames[i],
                         .run = [=](Panel& p) { choose_mask(p, part); },
                         .also = part == MaskPart::paint ? "brush forbid" : "",
                         .on = [=](const Panel& p) { return mask_has(p, part); }});
    }
}

void add_controls(Table& table) {
    table.push_back(
        {.group = Group::controls,
         .name = "Scale 1/\u221ad\u2096",
         .run = toggle_scale,
         .keys = {key(Key::s)},
         .also = "scaling on off sqrt",
         .on = [](const Panel& p) { return scale_now(p).kind == models::Scale::Kind::on; }});
    for (const nn::Score score : nn::kScores) {
        table.push_back(choice(Group::controls, fmt::format("Score: {}", score_words(score)), score,
                               score_now, choose_score));
    }
    add_masks(table);
    for (const auto& [name, value] : app::names<nn::Positions>()) {
        table.push_back(choice(Group::controls, fmt::format("Positions: {}", name), value,
                               positions_now, [name = std::string(name)](Panel& p, auto positions) {
                                   choose_positions(p, positions, name);
                               }));
        if (value == nn::Positions::rotary) table.back().also = "rope";
    }
    constexpr std::pair<ApplyTo, const char*> kScopes[] = {{ApplyTo::head, "head"},
                                                           {ApplyTo::layer, "layer"},
                                                           {ApplyTo::kind, "attention"},
                                                           {ApplyTo::model, "model"}};
    const auto scope = [](const Panel& p) { return p.state.apply_to; };
    for (const auto& [value, name] : kScopes) {
        table.push_back(choice(Group::controls, fmt::format("Apply to: {}", name), value, scope,
                               [](Panel& p, ApplyTo to) { p.state.apply_to = to; }));
    }
    table.push_back({.group = Group::controls,
                     .name = "Reset where they apply",
                     .run = reset_controls,
                     .usable = has_controls});
}

void add_model(Table& table) {
    for (const models::NamedSize& size : models::named_sizes()) {
        table.push_back({.group = Group::model,
                         .name = fmt::format("Size: {}", size.name),
                         .run = [&size](Panel& p) { choose_size(p, size); },
                         .on = [&size](const Panel& p) { return has_size(p, size); }});
    }
    const auto form = [](const Panel& p) -> std::optional<models::Architecture> {
        const models::ModelSpec* c = models::transformer_of(p.document().model);
        return c ? std::optional(c->architecture) : std::nullopt;
    };
    for (const auto& [name, value] : app::names<models::Architecture>()) {
        table.push_back(choice(
            Group::model, fmt::format("Form: {}", name), value, form,
            [name = std::string(name)](Panel& p, auto to) { choose_architecture(p, to, name); }));
    }
    const auto cut = [](const Panel& p) { return p.document().segmentation; };
    for (const auto& [name, value] : app::names<text::Segmentation>()) {
        table.push_back(choice(
            Group::model, fmt::format("Tokens: {}", name), value, cut,
            [name = std::string(name)](Panel& p, auto to) { choose_segmentation(p, to, name); }));
    }
    table.push_back({.group = Group::model,
                     .name = "Tokens: merge to words",
                     .run = toggle_merging,
                     .also = "characters subwords pieces",
                     .usable = has_pieces,
                     .on = [](const Panel& p) { return p.focus().merge_words; }});
    table.push_back({.group = Group::model,
                     .name = "Decoder rows: words read",
                     .run = [](Panel& p) { name_rows(p, !p.focus().rows_read); },
                     .also = "said cross label",
                     .usable = has_said_rows,
                     .on = [](const Panel& p) { return p.focus().rows_read; }});
    for (const auto& [name, value] : app::names<models::NormOrder>()) {
        table.push_back(
            choice(Group::model, fmt::format("Norm: {}", name), value, norm_now, choose_norm));
    }
    for (const auto& [name, value] : app::names<nn::Join>()) {
        table.push_back(choice(Group::model, fmt::format("Join positions: {}", name), value,
                               join_now, choose_join));
    }
    const auto drops = [](const Panel& p) { return p.document().controls.dropout.rate > 0; };
    table.push_back({.group = Group::model, .name = "Dropout", .run = toggle_dropout, .on = drops});
    table.push_back({.group = Group::model,
                     .name = "Dropout: draw again",
                     .run = draw_dropout_again,
                     .usable = drops});
}

} // namespace

void add_model_actions(Table& table) {
    add_controls(table);
    add_model(table);
}

} // namespace heed::ui
