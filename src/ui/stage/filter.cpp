#include "ui/stage/filter.hpp"

#include "app/views/filter.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "figure/parts/strip.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/cell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::ui {

using figure::StripOf;

namespace {

/// A plain click chooses `cells` alone, or lets go where they are alone already; with Shift they
/// are added to the choice, or taken out of it.
void choose(std::vector<int>& chosen, const std::vector<int>& cells) {
    if (!shim::shift_down()) {
        chosen = chosen == cells ? std::vector<int>() : cells;
        return;
    }
    const bool there = std::includes(chosen.begin(), chosen.end(), cells.begin(), cells.end());
    for (const int cell : cells) {
        const auto at = std::lower_bound(chosen.begin(), chosen.end(), cell);
        const bool has = at != chosen.end() && *at == cell;
        if (there && has) chosen.erase(at);
        if (!there && !has) chosen.insert(at, cell);
    }
}

std::vector<int> from_to(int first, int last) {
    std::vector<int> cells;
    for (int i = first; i < last; ++i) cells.push_back(i);
    return cells;
}

/// Layers and heads are chosen by what the map is made of: the mean over them.
void choose_heads(Panel& p, StripOf of, int cell) {
    app::Focus focus = p.focus();
    FilteredHeads& memory = p.state.choices.filtered_heads;
    if (!focus.combine) {
        focus.combine = trace::Combine::mean;
        focus.stage = trace::Stage::weights;
        focus.layers.clear();
        focus.heads.clear();
        memory.combined = true;
    }
    choose(of == StripOf::layers ? focus.layers : focus.heads, {cell});
    memory.on = !focus.layers.empty() || !focus.heads.empty();
    if (!memory.on && std::exchange(memory.combined, false)) focus.combine.reset();
    p.commands.push_back(ChangeFocus{focus});
}

/// Words for what is chosen of a side, or `what` where nothing is.
std::string side_words(const std::vector<std::string>& words, const char* what) {
    return words.empty() ? what : words.front();
}

/// Snapshot shown by the half of a picture that the strip stands in.
app::Snapshot pointed_side(const Panel& p, const figure::Figure& picture, const figure::Hit& hit) {
    const app::Snapshot& s = p.snapshot();
    return is_at_reference(p, picture, hit) ? app::as_snapshot(*s.reference) : s;
}

std::string token_strip_words(const Panel& p, const app::Snapshot& shown, StripOf of, int cell,
                              float value, bool informs) {
    const app::Units units(shown, units_shown(p));
    app::ViewState queries = p.state.view, keys = p.state.view;
    queries.pinned_keys.clear();
    keys.pinned_queries.clear();
    if (of == StripOf::keys) {
        return fmt::format("{}   receives {} of the attention of {}",
                           token_text(units.keys(), cell), figure::weight_digits(value, 4),
                           side_words(app::filter_words(queries, units), "all queries"));
    }
    const std::string name = token_text(units.queries(), cell);
    const auto& shares = shown.strips;
    const bool given = shares && shares->given && cell < shares->given->rows();
    if (given && (*shares->given)(cell, 0) == 0 && !informs) {
        return name + "   attends to nothing: all keys are masked";
    }
    if (!informs) {
        return name + "   total attention given: 1.00, as by every query: grey until a key is "
                      "chosen";
    }
    return fmt::format("{}   gives {} to {}", name, figure::weight_digits(value, 4),
                       side_words(app::filter_words(keys, units), "all keys"));
}

std::string head_strip_words(const Panel& p, StripOf of, int cell, float value, bool informs) {
    const bool layers = of == StripOf::layers;
    const std::string name = fmt::format("{} {}", layers ? "layer" : "head", cell + 1);
    if (!informs) return name + " \u00b7 select keys to see what goes to them";
    const app::Units units(p.snapshot(), app::merges(p.snapshot()));
    std::string words = name + "   " + figure::weight_digits(value);
    for (const std::string& side : app::filter_words(p.state.view, units)) {
        words += (side.starts_with("quer") ? " from " : " to ") + side;
    }
    const bool all =
        (layers ? app::chosen_heads(p.snapshot().focus) : app::chosen_layers(p.snapshot().focus))
            .empty();
    return words + fmt::format(", mean over {} {}", all ? "all" : "the chosen",
                               layers ? "heads" : "layers");
}

} // namespace

std::string strip_words(const Panel& p, const figure::Figure& picture, const figure::Hit& hit) {
    const auto* strip = hit.as<figure::tag::Strip>();
    if (!p.snapshot().run || !strip || hit.row < 0 || hit.col < 0) return {};
    const StripOf of = strip->of;
    const int cell = std::max(hit.row, hit.col);
    // In the middle of the strip's cell, wherever in its target the pointer is.
    const figure::Target* target = nullptr;
    for (const figure::Target& t : picture.targets) {
        if (t.tag == hit.tag && t.box == hit.box) target = &t;
    }
    if (target == nullptr) return {};
    const Box box = figure::common(figure::cell_box(*target, hit.row, hit.col), target->box);
    const auto under = figure::heat_at(picture, {box.x + box.w / 2, box.y + box.h / 2});
    const float value = under ? under->value : 1;
    const bool tokens = of == StripOf::queries || of == StripOf::keys;
    return (tokens ? token_strip_words(p, pointed_side(p, picture, hit), of, cell, value,
                                       under.has_value())
                   : head_strip_words(p, of, cell, value, under.has_value())) +
           ". Click to filter, Shift+click to add";
}

void fade_handles(Panel& p, const figure::Figure& picture, Point corner, Color ground, bool near,
                  float& seen) {
    constexpr float kFades = 0.25f, kFrame = 1.0f / 30, kFrameOf = 1; // seconds; points
    const bool of_heads = std::ranges::any_of(picture.targets, [](const figure::Target& target) {
        const auto* strip = target.as<figure::tag::Strip>();
        return strip && (strip->of == StripOf::layers || strip->of == StripOf::heads);
    });
    const app::Focus& focus = p.snapshot().focus;
    const bool of_tokens_alone = // which says nothing of the layers and heads
        of_heads && app::chosen_layers(focus).empty() && app::chosen_heads(focus).empty();
    const bool shown = near || (filters(p) && !of_tokens_alone);
    const float by = std::min(p.ui.seconds_passed(), kFrame) / kFades;
    seen = std::clamp(seen + (shown ? by : -by), 0.0f, 1.0f);
    if (seen != (shown ? 1.0f : 0.0f)) p.ui.wake_in(0);
    if (seen == 1) return;
    for (const figure::Target& target : picture.targets) {
        const auto* strip = target.as<figure::tag::Strip>();
        const Point middle{target.box.x + target.box.w / 2, target.box.y + target.box.h / 2};
        if (!strip || figure::heat_at(picture, middle)) continue;
        const bool upright = strip->of == StripOf::queries || strip->of == StripOf::layers;
        constexpr float kIn = figure::kStripGap - kFrameOf; // the target reaches beyond the strip
        const Box own = inset(target.box, upright ? kIn : -kFrameOf, upright ? -kFrameOf : kIn);
        p.ui.canvas.fill({corner.x + own.x, corner.y + own.y, own.w, own.h},
                         faded(ground, 1 - seen));
    }
}

void choose_token(Panel& p, const app::Units& units, bool of_keys, int cell) {
    app::ViewState& view = p.state.view;
    if (of_keys) {
        choose(view.pinned_keys, from_to(units.first_key(cell), units.end_key(cell)));
    } else {
        choose(view.pinned_queries, from_to(units.first_query(cell), units.end_query(cell)));
    }
    if (view.selected) select_in_filter(p);
}

void select_in_filter(Panel& p) {
    const auto cell = app::cell_of_filter(p.snapshot(), p.state.view);
    if (cell) p.state.view.selected = cell;
}

bool is_alone(const Panel& p, const app::Units& units, bool of_keys, int cell) {
    const app::ViewState& view = p.state.view;
    return of_keys ? view.pinned_keys == from_to(units.first_key(cell), units.end_key(cell))
                   : view.pinned_queries == from_to(units.first_query(cell), units.end_query(cell));
}

void click_strip(Panel& p, const figure::Hit& hit) {
    const auto* strip = hit.as<figure::tag::Strip>();
    if (!p.snapshot().run || !strip || hit.row < 0 || hit.col < 0) return;
    const StripOf of = strip->of;
    const int cell = std::max(hit.row, hit.col);
    const app::Units units(p.snapshot(), units_shown(p));
    switch (of) {
    case StripOf::queries:
    case StripOf::keys: {
        const auto& own = of == StripOf::keys ? units.keys() : units.queries();
        // A reference beside may have tokens that the present sentence lacks.
        if (cell < static_cast<int>(own.size())) choose_token(p, units, of == StripOf::keys, cell);
        return;
    }
    case StripOf::layers:
    case StripOf::heads: choose_heads(p, of, cell); return;
    }
}

bool filters(const Panel& p) {
    const app::ViewState& view = p.state.view;
    return !view.pinned_queries.empty() || !view.pinned_keys.empty() ||
           !app::filter_words(p.focus()).empty();
}

bool strips_filter(const Panel& p) {
    const app::ViewState& view = p.state.view;
    return !view.pinned_queries.empty() || !view.pinned_keys.empty() ||
           (p.state.choices.filtered_heads.on && p.focus().combine);
}

void clear_filter(Panel& p) {
    p.state.view.pinned_queries.clear();
    p.state.view.pinned_keys.clear();
    app::Focus focus = p.focus();
    clear_head_filter(p, focus);
    focus.layers.clear();
    focus.heads.clear();
    if (focus == p.focus()) return;
    p.commands.push_back(ChangeFocus{focus});
}

} // namespace heed::ui
