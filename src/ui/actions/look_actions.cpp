// Actions on what is looked at: views, heads, stages, cells, comparison, colours.
#include "app/document/names.hpp"
#include "trace/attention_kinds.hpp"
#include "ui/actions/action_table.hpp"
#include "ui/explore/head_section.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/player.hpp"
#include "ui/stage/filter.hpp"
#include "ui/stage/patch_pointing.hpp"
#include "ui/stage/slots.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

namespace heed::ui {

using shim::Key;
using Group = ActionGroup;
using Table = ActionTable;

namespace {

void add_views(Table& table) {
    const auto now = [](const Panel& p) { return p.state.view.view; };
    for (const app::View view : app::kExploreViews) {
        table.push_back(
            choice(Group::view, std::string(app::info(view).label), view, now, choose_view));
        table.back().tip = app::info(view).tip;
        table.back().keys = {chord_of_tab(view)};
        if (view == app::View::heatmap) table.back().id = ActionId::heatmap;
        table.back().usable = [view](const Panel& p) { return view_fits(p, view); };
        table.back().refusal = [view](const Panel&) {
            return fmt::format("This model has no {}: another one may ({})", app::info(view).label,
                               keys_of(ActionId::model));
        };
    }
    const auto room = [](const Panel& p) {
        return app::in_explore(p.state.view.view) ? app::View::heatmap : p.state.view.view;
    };
    table.push_back(choice(Group::room, "Explore", app::View::heatmap, room, choose_room));
    table.back().tip = kExploreTip;
    for (const app::View view : {app::View::inside, app::View::learn, app::View::positions,
                                 app::View::softmax, app::View::train}) {
        table.push_back(
            choice(Group::room, std::string(app::info(view).label), view, room, choose_room));
        table.back().tip = app::info(view).tip;
    }
}

/// Choices of single views; choosing one shows that view.
void add_view_choices(Table& table) {
    const auto add = [&](app::View view, auto member, auto value, const std::string& name,
                         std::string_view tip) {
        table.push_back({.group = Group::view,
                         .name = std::string(app::info(view).label) + ": " + name,
                         .run =
                             [=](Panel& p) {
                                 p.state.view.*member = value;
                                 p.state.view.view = view;
                             },
                         .on = [=](const Panel& p) { return p.state.view.*member == value; },
                         .tip = std::string(tip)});
    };
    add(app::View::lines, &app::ViewState::columns, false, "arcs", kArcsTip);
    add(app::View::lines, &app::ViewState::columns, true, "columns", kColumnsTip);
    for (const auto& [name, order, tip] : app::names<app::HeadOrder>()) {
        add(app::View::heads, &app::ViewState::head_order, order, fmt::format("sorted by {}", name),
            tip);
    }
    for (const auto& [name, order, tip] : app::names<figure::FeatureOrder>()) {
        add(app::View::neurons, &app::ViewState::feature_order, order,
            fmt::format("features by {}", name), tip);
    }
    for (const auto& [name, rule, tip] : app::names<trace::FlowRule>()) {
        add(app::View::flow, &app::ViewState::flow_rule, rule, std::string(name), tip);
    }
}

std::string no_heads_words(const Panel& p) {
    return unless_not_run(p, "No head is seen here: go to Explore");
}

void add_heads(Table& table) {
    const auto kind = [](const Panel& p) { return p.focus().head.kind; };
    for (const trace::AttentionKindInfo& row : trace::kAttentionKindInfos) {
        table.push_back(
            choice(Group::attention, std::string(row.phrase), row.kind, kind, choose_kind));
        table.back().usable = [v = row.kind](const Panel& p) { return has_kind(p, v); };
        table.back().tip = tip_words(row.tip, {}, row.citation);
    }
    const auto move = [&](const char* name, Key which, int layers, int heads, const char* tip) {
        table.push_back({.group = Group::head,
                         .name = name,
                         .run = [=](Panel& p) { move_head(p, layers, heads); },
                         .keys = {key(which)},
                         .repeats = true,
                         .usable = has_run,
                         .tip = tip,
                         .refusal = [](const Panel&) { return kNotRunYet; }});
    };
    move("Previous head", Key::left_bracket, 0, -1, "Shows the head before this one");
    move("Next head", Key::right_bracket, 0, 1, "Shows the head after this one");
    move("Previous layer", Key::page_up, -1, 0,
         "Shows the same head one layer nearer to the words");
    move("Next layer", Key::page_down, 1, 0, "Shows the same head one layer nearer to the output");
    table.push_back({.id = ActionId::mute,
                     .group = Group::head,
                     .name = "Mute",
                     .run = toggle_mute,
                     .keys = chords_of(ActionId::mute),
                     .keywords = "silence gain 0",
                     .usable = shows_heads,
                     .tip = "Takes this head out of the sum that its layer passes on",
                     .refusal = no_heads_words});
    table.push_back(
        {.id = ActionId::solo,
         .group = Group::head,
         .name = "Solo",
         .run = toggle_solo,
         .keys = chords_of(ActionId::solo),
         .keywords = "alone",
         .usable = [](const Panel& p) { return shows_heads(p) && traits_now(p).n_heads > 1; },
         .tip = "Mutes all other heads of the layer",
         .refusal =
             [](const Panel& p) {
                 return shows_heads(p) ? "This layer has one head: there are no others "
                                         "to mute"
                                       : no_heads_words(p);
             }});
    table.push_back(
        {.id = ActionId::keep_head,
         .group = Group::head,
         .name = "Pin or unpin a head",
         .run =
             [](Panel& p) { keep_head(p, p.state.stage->pointed_head.value_or(p.focus().head)); },
         .keys = chords_of(ActionId::keep_head),
         .keywords = "compare slot pin keep",
         .usable = [](const Panel& p) { return has_run(p) && view_fits(p, app::View::heads); },
         .tip = "Opens the head under the mouse, or the current one, next to others in Heads",
         .refusal =
             [](const Panel& p) {
                 return unless_not_run(p, "This model has no heads to open next to each other");
             }});
    table.push_back({.group = Group::head,
                     .name = "Close all side by side",
                     .run = let_go_of_heads,
                     .keywords = "compare slots pinned",
                     .usable = [](const Panel& p) { return !p.state.view.slots.empty(); },
                     .tip = "Closes the heads that are open next to each other"});
    table.push_back({.group = Group::head,
                     .name = "Reset weights",
                     .run = [](Panel& p) { reset_weights(p, {}, {}); },
                     .keywords = "as computed edited",
                     .usable = has_run,
                     .tip = "Takes back all weights of this head that were set by hand"});
}

void add_combined(Table& table) {
    using How = std::optional<trace::Combine>;
    const auto how = [](const Panel& p) { return p.focus().combine; };
    table.push_back(choice(Group::head, "One head", How(), how, choose_combined));
    table.back().tip = kOneHeadTip;
    for (const auto& [name, value, tip] : app::names<trace::Combine>()) {
        table.push_back(choice(Group::head, fmt::format("Combine heads: {}", name), How(value), how,
                               choose_combined));
        table.back().keywords = "as one";
        table.back().usable = has_several_heads;
        table.back().tip = tip;
    }
    const auto all = [](const Panel& p) { return p.focus().combine && p.focus().layers.empty(); };
    for (const bool value : {false, true}) {
        table.push_back(choice(
            Group::head, value ? "Combine heads: of all layers" : "Combine heads: of this layer",
            value, all, choose_combined_of_all_layers));
        table.back().usable = [](const Panel& p) { return p.focus().combine.has_value(); };
        table.back().tip = value ? kAllLayersTip : kThisLayerTip;
    }
}

void add_stages(Table& table) {
    table.push_back({.group = Group::stage,
                     .name = "Previous stage",
                     .run = [](Panel& p) { move_stage(p, -1); },
                     .keys = {typed(',')},
                     .repeats = true,
                     .tip = "Shows what the present stage was computed from"});
    table.push_back({.group = Group::stage,
                     .name = "Next stage",
                     .run = [](Panel& p) { move_stage(p, 1); },
                     .keys = {typed('.')},
                     .repeats = true,
                     .tip = "Shows what is computed from the present stage"});
    const auto now = [](const Panel& p) { return p.focus().stage; };
    for (const auto& [name, stage, none] : app::names<trace::Stage>()) {
        table.push_back(choice(Group::stage, std::string(name), stage, now, choose_stage));
        table.back().tip = stage_tip(stage);
    }
}

/// The grid of heads takes the arrows for its own while it has the keyboard.
void arrow(Panel& p, int down, int right) {
    if (p.ui.keyboard_acts() && p.ui.keyboard_at() == "heads") {
        move_head(p, down, right);
    } else if (shown_in(p) == app::Shows::heads) {
        walk_heads(p, down, right);
    } else if (shown_in(p) == app::Shows::patches) {
        move_patch(p, down, right);
    } else {
        move_cell(p, down, right);
    }
}

/// True where Space has something to play or to go on with, and the room shows it.
bool can_play(const Panel& p) {
    if (!has_run(p)) return false;
    return plays_steps(p) ? shows_steps(p) : can_go_on(p) && shows_text(p);
}

std::string why_nothing_plays(const Panel& p) {
    if (p.ui.keyboard_visible()) return ""; // Space is of what has the keyboard
    if (!has_run(p)) return kNotRunYet;
    if (can_go_on(p)) return "The text goes on where it is seen: in Explore and Inside";
    if (!view_fits(p, app::View::step)) return "This model writes nothing that could be played";
    return fmt::format("Step plays what the decoder does ({})", key_of_tab(app::View::step));
}

std::string why_nothing_masks(const Panel& p) {
    if (!has_run(p)) return kNotRunYet;
    if (!can_fill(p)) {
        return fmt::format("This model fills no masked tokens: open one that does, as BERT ({})",
                           keys_of(ActionId::open));
    }
    if (!has_cell(p)) return "Click a token\u2019s row first: K masks it";
    return "This token is not of the text: choose another row";
}

void add_cell(Table& table) {
    constexpr int kFar = 1 << 20; // cells: beyond the end of any row
    const auto add = [&](const char* name, Chord chord, std::function<void(Panel&)> run) {
        table.push_back({.group = Group::cell,
                         .name = name,
                         .run = std::move(run),
                         .keys = {chord},
                         .scope = ShortcutScope::off_sliders,
                         .repeats = true,
                         .listed = false,
                         .usable = has_run});
    };
    add("Above", key(Key::up), [](Panel& p) { arrow(p, -1, 0); });
    add("Below", key(Key::down), [](Panel& p) { arrow(p, 1, 0); });
    add("To the left", key(Key::left), [](Panel& p) { arrow(p, 0, -1); });
    add("To the right", key(Key::right), [](Panel& p) { arrow(p, 0, 1); });
    add("First in the row", key(Key::home), [](Panel& p) { move_cell(p, 0, -kFar); });
    add("Last in the row", key(Key::end), [](Panel& p) { move_cell(p, 0, kFar); });
    table.push_back(
        {.group = Group::stage,
         .name = "Play the decoder's steps",
         .run = [](Panel& p) { plays_steps(p) ? toggle_playing(p) : toggle_going_on(p); },
         .keys = {key(Key::space)},
         .scope = ShortcutScope::off_sliders,
         .keywords = "step player stop generate next token go on",
         .usable = can_play,
         .on = [](const Panel& p) { return p.state.player.playing; },
         .tip = "Shows the decoder's steps one after another; a language model goes on with "
                "the text",
         .refusal = why_nothing_plays});
    table.push_back({.group = Group::cell,
                     .name = "Mask the selected token",
                     .run = [](Panel& p) { mask_token(p, p.selected()->first); },
                     .keys = {key(Key::k)},
                     .keywords = "fill masked language model bert",
                     .usable =
                         [](const Panel& p) {
                             return has_cell(p) && can_fill(p) && can_mask(p, p.selected()->first);
                         },
                     .tip = "Masks the token of the selected row, and shows what would fill it",
                     .refusal = why_nothing_masks});
    const auto nudge = [&](const char* name, Chord chord, float by) {
        add(name, chord, [=](Panel& p) { nudge_weight(p, by); });
        table.back().usable = has_cell;
        table.back().refusal = [](const Panel& p) {
            return unless_not_run(p, "Click a cell first: these keys set its weight");
        };
    };
    nudge("Selected weight + 0.05", chords_of(ActionId::raise_weight).front(), 0.05f);
    table.back().id = ActionId::raise_weight;
    nudge("Selected weight \u2212 0.05", chords_of(ActionId::lower_weight).front(), -0.05f);
    table.back().id = ActionId::lower_weight;
    nudge("Selected weight + 0.01", alt_shift(Key::up), 0.01f);
    nudge("Selected weight \u2212 0.01", alt_shift(Key::down), -0.01f);
}

void add_map(Table& table) {
    const auto add = [&](const char* name, std::vector<Chord> chords, void (*run)(Panel&),
                         const char* tip) {
        table.push_back({.group = Group::map,
                         .name = name,
                         .run = run,
                         .keys = std::move(chords),
                         .scope = ShortcutScope::off_sliders,
                         .keywords = "closer wider",
                         .usable = on_map,
                         .tip = tip,
                         .refusal = [](const Panel& p) {
                             return unless_not_run(
                                 p, fmt::format("There is no map to zoom here: {} shows one",
                                                keys_of(ActionId::heatmap)));
                         }});
    };
    add("Zoom in on the map", {typed('+'), secondary(typed('='))}, look_closer,
        "Shows fewer cells, larger");
    add("Zoom out of the map", {typed('-')}, look_wider, "Shows more cells, smaller");
    add(
        "Fit the map", {typed('0')}, [](Panel& p) { p.state.view.viewport.reset(); },
        "Shows the whole map");
}

void add_compare(Table& table) {
    constexpr std::pair<app::Compare, const char*> kWays[] = {
        {app::Compare::off, "Off"},
        {app::Compare::beside, "Side by side"},
        {app::Compare::difference, "Difference"}};
    const auto way = [](const Panel& p) { return p.state.view.compare; };
    for (const auto& [value, name] : kWays) {
        table.push_back(choice(Group::compare, name, value, way, choose_compare));
        table.back().usable = on_heatmap;
        table.back().keywords = "beside";
        table.back().tip = app::tip_of(value);
    }
    table.push_back({.id = ActionId::pin,
                     .group = Group::compare,
                     .name = "Pin as baseline",
                     .run = pin,
                     .keys = chords_of(ActionId::pin),
                     .keywords = "what is shown",
                     .tip = "Pins this as the baseline for comparison"});
    const auto against = [](const Panel& p) { return p.state.view.against; };
    for (const auto& [name, value, tip] : app::names<app::Against>()) {
        table.push_back(choice(Group::compare, fmt::format("Baseline: {}", label_of(value)), value,
                               against, choose_against));
        table.back().usable = on_heatmap;
        table.back().keywords = name;
        table.back().tip = tip;
    }
}

void add_colours(Table& table) {
    table.push_back({.id = ActionId::dark_theme,
                     .group = Group::colours,
                     .name = "Light or dark theme",
                     .run = [](Panel& p) { p.state.view.dark = !p.state.view.dark; },
                     .keys = chords_of(ActionId::dark_theme),
                     .keywords = "light night",
                     .on = [](const Panel& p) { return p.state.view.dark; },
                     .tip = "Dark or light colours of the window and of exports"});
    table.push_back({.group = Group::view,
                     .name = "Filter strips",
                     .run = [](Panel& p) { p.state.view.strips = !p.state.view.strips; },
                     .keywords = "queries keys layers heads",
                     .on = [](const Panel& p) { return p.state.view.strips; },
                     .tip = kStripsTip});
    table.push_back({.group = Group::view,
                     .name = "Clear the filter",
                     .run = clear_filter,
                     .usable = filters,
                     .tip = "Shows all tokens, layers and heads again"});
    using Palette = std::optional<figure::PaletteId>;
    const auto palette = [](const Panel& p) { return p.state.view.palette; };
    const auto set_palette = [](Panel& p, Palette value) { p.state.view.palette = value; };
    for (const Palette value : kPaletteChoices) {
        const std::string name(value ? figure::name(*value) : "the theme's");
        table.push_back(choice(Group::colours, "Palette: " + name, value, palette, set_palette));
        table.back().tip = kPaletteTip;
    }
    constexpr std::pair<figure::RangeMode, const char*> kRanges[] = {
        {figure::RangeMode::fixed, "Range: fixed, 0 to 1"},
        {figure::RangeMode::map, "Range: of the map"},
        {figure::RangeMode::row, "Range: of each row"}};
    const auto range = [](const Panel& p) { return p.state.view.range; };
    for (const auto& [value, name] : kRanges) {
        table.push_back(choice(Group::colours, name, value, range,
                               [](Panel& p, figure::RangeMode to) { p.state.view.range = to; }));
        table.back().tip = app::tip_of(value);
    }
    const auto scale = [](const Panel& p) { return p.state.view.scale; };
    for (const auto& [name, value, tip] : app::names<figure::ColourScale>()) {
        table.push_back(choice(Group::colours, fmt::format("Scale: {}", name), value, scale,
                               [](Panel& p, figure::ColourScale to) { p.state.view.scale = to; }));
        table.back().usable = [](const Panel& p) {
            return !app::shows_signed(p.state.view, p.focus());
        };
        table.back().tip = tip;
    }
    table.push_back({.group = Group::colours,
                     .name = "Numbers in cells",
                     .run = [](Panel& p) { p.state.view.numbers = !p.state.view.numbers; },
                     .on = [](const Panel& p) { return p.state.view.numbers; },
                     .tip = kNumbersTip});
}

} // namespace

void add_look_actions(Table& table) {
    add_views(table);
    add_view_choices(table);
    add_heads(table);
    add_combined(table);
    add_stages(table);
    add_cell(table);
    add_map(table);
    add_compare(table);
    add_colours(table);
}

} // namespace heed::ui
