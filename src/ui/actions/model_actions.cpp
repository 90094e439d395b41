// Actions on what is computed: controls, the model, tokens.
#include "app/document/changes.hpp"
#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/actions/action_table.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heed::ui {

using shim::Key;
using Group = ActionGroup;
using Table = ActionTable;

namespace {

void add_masks(Table& table) {
    for (const MaskPartInfo& row : kMaskParts) {
        const MaskPart part = row.part;
        table.push_back({.group = Group::controls,
                         .name = fmt::format("Mask: {}", row.label),
                         .run = [=](Panel& p) { choose_mask(p, part); },
                         .keywords = part == MaskPart::paint ? "brush forbid" : "",
                         .on = [=](const Panel& p) { return mask_has(p, part); },
                         .tip = std::string(row.tip)});
    }
}

void add_controls(Table& table) {
    table.push_back({.group = Group::controls,
                     .name = "Scale 1/\u221ad\u2096",
                     .run = toggle_scale,
                     .keys = {key(Key::s)},
                     .keywords = "scaling on off sqrt",
                     .on = is_scaled,
                     .tip = scale_tip()});
    for (const nn::Score score : nn::kScores) {
        table.push_back(choice(Group::controls, fmt::format("Score: {}", nn::info(score).label),
                               score, score_now, choose_score));
        table.back().tip = score_tip(score);
    }
    add_masks(table);
    for (const nn::Positions positions : nn::kPositions) {
        table.push_back(choice(Group::controls,
                               fmt::format("Positions: {}", app::positions_words(positions)),
                               positions, positions_now, choose_positions));
        table.back().keywords = nn::info(positions).keywords;
        table.back().tip = positions_tip(positions);
    }
    const auto scope = [](const Panel& p) { return p.state.choices.apply_to; };
    for (const ApplyToInfo& row : kApplyTo) {
        table.push_back(choice(Group::controls, fmt::format("Apply to: {}", row.label),
                               row.apply_to, scope,
                               [](Panel& p, ApplyTo to) { p.state.choices.apply_to = to; }));
        table.back().usable = [](const Panel& p) { return traits_now(p).has_positions; };
        table.back().tip = row.tip;
    }
    table.push_back({.group = Group::controls,
                     .name = "Reset controls",
                     .run = reset_controls,
                     .usable = has_controls,
                     .tip = kResetTip});
}

void add_model(Table& table) {
    for (const models::NamedSize& size : models::named_sizes()) {
        table.push_back({.group = Group::model,
                         .name = fmt::format("Size: {}", size.name),
                         .run = [&size](Panel& p) { choose_size(p, size); },
                         .on = [&size](const Panel& p) { return has_size(p, size); },
                         .tip = fmt::format("An untrained transformer of {} layers with {} heads, "
                                            "{} features wide",
                                            size.n_layers, size.n_heads, size.d_model)});
    }
    const auto form = [](const Panel& p) {
        return models::traits(p.document().model).architecture;
    };
    for (const auto& [name, value, none] : app::names<models::Architecture>()) {
        table.push_back(choice(
            Group::model, fmt::format("Form: {}", name), value, form,
            [name = std::string(name)](Panel& p, auto to) { choose_architecture(p, to, name); }));
        table.back().tip = architecture_tip(value);
    }
    const auto cut = [](const Panel& p) { return p.document().segmentation; };
    for (const auto& [name, value, tip] : app::names<text::Segmentation>()) {
        table.push_back(choice(
            Group::model, fmt::format("Tokens: {}", name), value, cut,
            [name = std::string(name)](Panel& p, auto to) { choose_segmentation(p, to, name); }));
        table.back().tip = tip;
        table.back().usable = [](const Panel& p) { return !traits_now(p).reads_ids; };
    }
    table.push_back({.group = Group::model,
                     .name = "Tokens: merge to words",
                     .run = toggle_merging,
                     .keywords = "characters subwords pieces",
                     .usable = has_pieces,
                     .on = [](const Panel& p) { return p.focus().merge_words; },
                     .tip = kMergeTip});
    table.push_back({.group = Group::model,
                     .name = "Tokens: hide special ones",
                     .run = toggle_special,
                     .keywords = "bos eos cls sep pad",
                     .usable = has_special,
                     .on = [](const Panel& p) { return p.focus().hide_special; },
                     .tip = kSpecialTip});
    table.push_back({.group = Group::model,
                     .name = "Decoder rows: words read",
                     .run = [](Panel& p) { name_rows(p, !p.focus().rows_read); },
                     .keywords = "said cross label",
                     .usable = has_said_rows,
                     .on = [](const Panel& p) { return p.focus().rows_read; },
                     .tip = kDecoderRowsTip});
    for (const auto& [name, value, tip] : app::names<models::NormOrder>()) {
        table.push_back(
            choice(Group::model, fmt::format("Norm: {}", name), value, norm_now, choose_norm));
        table.back().usable = [](const Panel& p) { return norm_now(p).has_value(); };
        table.back().tip = tip;
    }
    for (const auto& [name, value, tip] : app::names<nn::Join>()) {
        table.push_back(choice(Group::model, fmt::format("Combine with embeddings: {}", name),
                               value, join_now, choose_join));
        table.back().keywords = "join positions";
        table.back().usable = [](const Panel& p) { return join_now(p).has_value(); };
        table.back().tip = tip;
    }
    const auto drops = [](const Panel& p) { return p.document().controls.dropout.rate > 0; };
    table.push_back({.group = Group::model,
                     .name = "Dropout",
                     .run = toggle_dropout,
                     .on = drops,
                     .tip = kDropoutTip});
    table.push_back({.group = Group::model,
                     .name = "Dropout: draw again",
                     .run = draw_dropout_again,
                     .usable = drops,
                     .tip = kDrawAgainTip});
}

} // namespace

void add_model_actions(Table& table) {
    add_controls(table);
    add_model(table);
}

} // namespace heed::ui
