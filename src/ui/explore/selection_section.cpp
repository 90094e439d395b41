#include "ui/explore/selection_section.hpp"

#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "app/document/weight_edits.hpp"
#include "app/engine/speech.hpp"
#include "app/views/map_data.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "figure/parts/stripe.hpp"
#include "inside/map_scores.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/score_info.hpp"
#include "num/softmax.hpp"
#include "trace/cell_terms.hpp"
#include "trace/head_names.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/cell_formula.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace heed::ui {

namespace {

using trace::Stage;

std::string all_figures(float value) { return figure::weight_digits(value); }

/// A heading in which words of the sentence stand as they are written.
struct HeadingPart {
    std::string words;
    bool quoted;
};
void heading(Form& f, std::initializer_list<HeadingPart> parts) {
    Line line{f.row(16, 6), 0};
    for (const auto& [words, quoted] : parts) {
        const Color ink = f.ui.theme().muted;
        line.left(quoted ? f.ui.canvas.text(line.rest, Face::heading, ink, words)
                         : f.ui.canvas.heading(line.rest, ink, words));
    }
}

/// Rows of numbers, drawn in a box.
const figure::Figure& stripes_in(Panel& p, const Box& box, const figure::Stripes& rows) {
    FigureCache::Key key = figure_key(p, box.w, box.h);
    key.view.viewport.reset();
    return p.figures.get(FigureCache::Slot::products, key, [&] {
        figure::Frame frame;
        frame.width = box.w;
        frame.height = box.h;
        frame.theme = &p.ui.theme();
        return figure::stripes(rows, frame);
    });
}

/// Paints stripes, and finds the feature under the pointer.
std::optional<figure::HeatCell> draw_stripes(Panel& p, const Box& box, const char* id,
                                             const figure::Figure& stripes) {
    const Press press = p.ui.area(box, id, id);
    p.ui.tip("The features of the score, one a cell: orange raises it, blue lowers it.");
    p.ui.canvas.paint(stripes, {box.x, box.y});
    step_back(p, box, p.ui.theme().panel);
    const Point mouse = p.ui.mouse();
    return press.hovered ? figure::heat_at(stripes, {mouse.x - box.x, mouse.y - box.y})
                         : std::nullopt;
}

/// The products q_i ∘ k_j that add up to a dot product, as a stripe.
void products(Panel& p, const trace::AttentionMap& map, int query, int key, const Box& box) {
    const trace::CellProducts terms = trace::cell_products(map, query, key);
    const auto under =
        draw_stripes(p, box, "products", stripes_in(p, box, {{terms.products}, 0, 0}));
    if (!under) return;
    p.ui.tip_now(fmt::format("feature {}   {} \u00d7 {} = {}", under->col + 1,
                             all_figures(terms.q(under->col)), all_figures(terms.k(under->col)),
                             all_figures(under->value)));
}

/// Stripes of what an additive score adds up from: W s, U h, their sum, its tanh, and v times
/// that.
void additive_stripes(Panel& p, Form& f, const trace::AdditiveParts& parts, int query, int key) {
    const auto [s, h] = cell_vectors(p.snapshot().run->model->traits(), query, key);
    constexpr float kRow = 19, kLabel = 104;
    const trace::AdditiveTerms terms = trace::additive_terms(parts, key);
    const std::string labels[] = {"W " + s, "U " + h, "W " + s + " + U " + h, "tanh",
                                  "v \u2218 tanh"};
    const Box box{f.x + kLabel, f.y, f.w - kLabel, kRow * static_cast<float>(std::size(labels))};
    const figure::Stripes rows{
        {terms.query, terms.key, terms.sum, terms.hidden, terms.weighted}, 3, 2};
    const auto under = draw_stripes(p, box, "additive", stripes_in(p, box, rows));
    for (const std::string& label : labels) {
        const Box line = f.row(kRow);
        f.text({line.x, line.y, kLabel - 6, kRow}, Face::mono, p.ui.theme().muted, label);
    }
    f.note(fmt::format("These {} numbers sum to {}", terms.weighted.size(),
                       cell_figures(terms.weighted.sum())));
    if (!under) return;
    const auto at = static_cast<std::size_t>((p.ui.mouse().y - box.y) / kRow);
    p.ui.tip_now(fmt::format("{} \u00b7 feature {}   {}",
                             labels[std::min(at, std::size(labels) - 1)], under->col + 1,
                             all_figures(under->value)));
}

/// What a change adds above a fader that is held does not move it: the panel is scrolled instead.
void keep_under_pointer(Panel& p, float at, bool held) {
    std::optional<float>& before = p.state.explore->fader_at;
    if (!held) return before.reset();
    if (before && *before != at) return p.ui.scroll_by(at - *before);
    before = at;
}

/// Why a weight that was set by hand is another one in the run.
void scaled_note(Form& f, const trace::AttentionMap& map, int query, int key) {
    const auto edits = nn::edits_of(map.head().settings.edits, query);
    const auto edit = std::ranges::find(edits, key, &nn::WeightEdit::key);
    if (edit == edits.end() || std::abs(edit->weight - map.cell(query, key).weight) < 5e-4f) return;
    f.note(edits.size() == 1 ? "The only key with a weight: a row sums to 1"
                             : "Weights set by hand are scaled: a row sums to 1");
}

/// The cell's weight as a fader, and the way back.
void weight_rows(Panel& p, Form& f, const trace::AttentionMap& map, int query, int key) {
    const app::Focus& focus = p.snapshot().focus;
    const auto edits = app::edits_of(p.document().controls, focus.head);
    const auto in_row = nn::edits_of(edits, query);
    const bool edited =
        std::any_of(in_row.begin(), in_row.end(), [&](const auto& e) { return e.key == key; });
    f.space(4);
    if (edited) {
        constexpr float kValue = 56; // the number at the right
        f.text({f.x, f.y, f.w - kValue, 26}, Face::control, p.ui.theme().accent, "set by hand",
               AlignX::right);
    }
    float place = std::clamp(map.cell(query, key).weight, 0.0f, 1.0f);
    const num::Matrix<float> row =
        map.rectangle(trace::Stage::weights, {query, 0, 1, map.cols(trace::Stage::weights)});
    const std::string value = figure::row_weight_text(row(0, key), figure::row_of(row, 0));
    const float at = f.y;
    const auto slid = f.slider("Weight", "weight", value, place, 0.01f);
    keep_under_pointer(p, at, slid.held);
    f.tip(fmt::format(
        "Drag to set this weight by hand (also Ctrl+drag on the cell, or {}, {}); the rest "
        "of the row shares what is left. Double click: as computed",
        keys_of(ActionId::raise_weight), keys_of(ActionId::lower_weight)));
    if (slid.reset) {
        reset_weights(p, query, key);
    } else if (slid.changed) {
        set_weight(p, {query, key}, place);
    }
    if (slid.released) p.seal();
    // Below the slider, which stays under the pointer as the line comes.
    if (!in_row.empty() && map.head().settings.dropout == 0) {
        edited_line(f, map.cell(query, key));
        scaled_note(f, map, query, key);
    }
    if (edits.empty()) return;
    Line line = f.line(24, 6);
    if (f.button(line.left(f.w / 2 - 4), "weight/row", "Reset row", Ui::ButtonLook::plain,
                 !in_row.empty())) {
        reset_weights(p, query, {});
    }
    f.tip("Takes back the weights of this query that were set by hand");
    if (f.button(line.rest, "weight/head", "Reset head")) reset_weights(p, {}, {});
    f.tip(fmt::format("Takes back all {} that {} set by hand in this head",
                      edits.size() == 1 ? "1 weight" : fmt::format("{} weights", edits.size()),
                      edits.size() == 1 ? "was" : "were"));
}

/// Rows where weights are between words: what the chosen tokens' word gives to the other.
void merged_rows(Panel& p, Form& f, int query, int key) {
    const app::Units units(p.snapshot(), app::merges(p.snapshot()));
    if (!app::joins_words(p.snapshot())) return;
    const int at = units.of_query(query), to = units.of_key(key);
    const num::Rect tokens = units.tokens(at, to);
    f.space(4);
    const Box row = f.row(20);
    f.text({row.x, row.y, row.w - 56, row.h}, Face::control, p.ui.theme().muted,
           "Merged: " + token_text(units.queries(), at) + " \u2192 " +
               token_text(units.keys(), to));
    f.text(row, Face::mono, p.ui.theme().accent,
           figure::weight_text(app::merged_weight(p.snapshot(), units, at, to)), AlignX::right);
    f.note(fmt::format("Sum over {} key token{}, mean over {} query token{}", tokens.cols,
                       tokens.cols == 1 ? "" : "s", tokens.rows, tokens.rows == 1 ? "" : "s"));
    f.space(4);
}

bool combines(const Panel& p) { return app::shows_combined(p.snapshot(), p.state.view); }

/// True where the row is drawn between words: where the large map has it so.
bool row_merges(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return app::merges_weights(s) && s.map && (!s.focus.combine || combines(p));
}

/// A cell of several heads as one map, and what the heads have there.
void combined_rows(Panel& p, Form& f, int query, int key) {
    constexpr std::size_t kMost = 12;
    const app::Snapshot& s = p.snapshot();
    const app::Units units(s, row_merges(p));
    auto heads = trace::heads_in(s.run->trace, s.focus.head.kind, s.focus.layers, s.focus.heads);
    const trace::Combine how = *s.focus.combine;
    formula_line(f, "combined", std::string(app::tip_of(how)),
                 fmt::format("{} of {} head{} = ", app::name_of(how), heads.size(),
                             heads.size() == 1 ? "" : "s"),
                 cell_figures((*s.map)(units.of_query(query), units.of_key(key))));
    if (units.merged() && app::joins_words(s)) return f.note("Between words, merged");
    std::vector<std::pair<float, trace::HeadId>> weights;
    for (const trace::HeadId& head : heads) {
        const auto map = s.run->trace.map(head);
        weights.emplace_back(map->rectangle(Stage::weights, {query, key, 1, 1})(0, 0), head);
    }
    std::ranges::stable_sort(weights, std::greater<>(), [](const auto& one) { return one.first; });
    weights.resize(std::min(weights.size(), kMost));
    for (const auto& [weight, head] : weights) {
        f.label(trace::head_name(head.layer, head.head), figure::weight_text(weight),
                "What this head gives.");
    }
    if (heads.size() > kMost) f.note(fmt::format("Top {} of {} heads", kMost, heads.size()));
}

/// The keys of a row that are shown, the largest first, as the foot of the list may lie out of
/// sight: all of a short one, of a long one the first of them.
std::vector<int> shown_keys(const num::Matrix<float>& row) {
    constexpr std::size_t kMost = 12;
    std::vector<int> order(static_cast<std::size_t>(row.cols()));
    std::iota(order.begin(), order.end(), 0);
    const std::size_t shown = std::min(order.size(), kMost);
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
        [&](int a, int b) { return row(0, a) != row(0, b) ? row(0, a) > row(0, b) : a < b; });
    order.resize(shown);
    return order;
}

/// `full`: the weight of a whole bar; `masked`: whether a key may not be looked at.
void bars(Panel& p, Form& f, const app::Units& units, const num::Matrix<float>& row, float full,
          int unit, int chosen, const std::function<bool(int)>& masked) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const auto& queries = units.queries();
    const std::vector<int> order = shown_keys(row);
    const std::vector<std::string> names = names_of_keys(units, order);
    float words = 30;
    for (const std::string& name : names) words = std::max(words, c.width_of(Face::body, name));
    words = std::min(words, f.w * 0.34f);
    const float room = f.w - words - 12 - (c.width_of(Face::mono, "> 0.999") + 10);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const int j = order[i], token = units.first_key(j);
        const std::string& word = names[i];
        const Box line = f.row(22);
        if (p.state.stage->pointed == Pointed{units.first_query(unit), token}) {
            c.fill({line.x - 4, line.y, line.w + 8, line.h}, faded(t.accent, 0.12f), 4);
        }
        f.text({line.x, line.y, words + 1, line.h}, Face::body, j == chosen ? t.accent : t.text,
               word);
        const Box whole{line.x + words + 12, line.y + 7, room, 8};
        c.fill(whole, faded(t.muted, 0.12f), 2);
        const float weight = row(0, j);
        if (weight > 0) {
            const float part = std::max(1.5f, room * std::min(weight / full, 1.0f));
            c.fill({whole.x, whole.y, part, whole.h}, t.accent, 2);
        }
        f.text(line, Face::mono, t.muted,
               masked(token) && weight == 0
                   ? "\u2013"
                   : figure::row_weight_text(weight, figure::row_of(row, 0)),
               AlignX::right);
        const Press press = p.ui.area(line, fmt::format("row/{}", j), word);
        p.ui.tip((combines(p) ? "What the combined heads give to “"
                              : "The share of this query's attention that goes to “") +
                 word + "”. Click to select");
        if (press.hovered) {
            point_out(p, units.first_query(unit), token);
            p.ui.tip_now(
                fmt::format("{} \u2192 {}   {}", token_text(queries, unit), word,
                            all_figures(figure::told_weight(row(0, j), figure::row_of(row, 0)))));
        }
        if (press.clicked) choose_cell(p, units, {unit, j});
    }
    if (std::ssize(order) < row.cols())
        f.note(fmt::format("Top {} of {}", order.size(), row.cols()));
}

void row_section(Panel& p, Form& f, const trace::AttentionMap& map, int query, int key) {
    const app::Snapshot& s = p.snapshot();
    const bool merges = row_merges(p), several = combines(p);
    const app::TokenWords* shown = merges ? s.units.get() : several ? nullptr : token_units(s);
    const app::Units units(s, shown);
    const int unit = units.of_query(query);
    const bool sums = several && p.snapshot().focus.combine == trace::Combine::sum;
    // Neither a maximum nor a sum is a distribution, which an entropy would be of.
    const bool shares = !several || p.snapshot().focus.combine == trace::Combine::mean;
    // Nor is what is left without special tokens: of tokens their whole row counts.
    const bool hides = p.snapshot().units && p.snapshot().units->hides;
    const bool whole = shares && !(hides && (several || app::joins_words(p.snapshot())));
    const num::Matrix<float> all = map.rectangle(
        Stage::weights, {hides ? units.first_query(unit) : query, 0, 1, map.cols(Stage::weights)});
    num::Matrix<float> row = app::without(all, {}, app::hidden_keys(shown, s.focus.head.kind));
    if (merges || several) row = s.map->row(unit);
    const bool told = whole && row.sum() > 0;
    f.rule();
    const auto bits =
        static_cast<double>(told ? inside::mean_entropy_bits(hides ? all : row) : 0.0f);
    heading(
        f, {{"Row ", false},
            {"\u201c" + name_of_query(units, unit) + "\u201d", true},
            {told ? fmt::format(" \u00b7 entropy {} bits", lab::fixed_text(bits, 2)) : "", false}});
    if (app::joins_words(s)) f.note(merges ? "Between words, merged" : "Between tokens, not words");
    if (!(row.sum() > 0)) {
        f.text(f.row(20, 4), Face::control, p.ui.theme().muted,
               "Every key of this query is masked: no distribution.");
        return;
    }
    const float full = sums ? std::max(row.maxCoeff(), 1.0f) : 1.0f;
    bars(p, f, units, row, full, unit, units.of_key(key),
         [&](int token) { return !merges && !several && !map.cell(query, token).allowed; });
}

/// The weight times what the map multiplies it by, of the cell that the map shows.
void multiplied_line(Panel& p, Form& f, int query, int key) {
    const app::Snapshot& s = p.snapshot();
    const bool shown = p.state.view.view == app::View::heatmap && app::shows_multiplied(s);
    if (!shown || app::joins_words(s)) return;
    const app::Units units(s, app::map_units(s));
    if (!units.shows_query(query) || !units.shows_key(key)) return;
    formula_line(f, "multiplied", "The weight by the length of what it passes on.",
                 app::times_words(s.focus) + " = ",
                 cell_figures((*s.multiplied)(units.of_query(query), units.of_key(key))));
}

/// The cell that the picture names though none is chosen.
std::optional<std::pair<int, int>> named_cell(const Panel& p) {
    const app::View view = p.state.view.view;
    if (!p.snapshot().run || (view != app::View::stages && view != app::View::neurons)) return {};
    const auto cell = app::read_cell(p.snapshot(), p.state.view);
    if (!cell) return {};
    return std::pair(static_cast<int>(cell->first), static_cast<int>(cell->second));
}

} // namespace

void selection_section(Panel& p, Form& f) {
    const auto& snapshot = p.snapshot();
    if (snapshot.run && !attends(p)) return;
    const auto chosen = p.selected(), selected = chosen ? chosen : named_cell(p);
    if (!selected) {
        f.section("Selected");
        f.text(f.row(20, 2), Face::control, p.ui.theme().muted,
               "Click a cell to see how it is computed");
        return;
    }
    const auto [query, key] = *selected;
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    const app::Units tokens(snapshot, nullptr);
    f.rule();
    heading(f, {{chosen ? "Selected \u00b7 " : "Shown \u00b7 ", false},
                {name_of_query(tokens, query), true},
                {" \u2192 ", false},
                {name_of_key(tokens, key), true}});
    if (combines(p)) {
        combined_rows(p, f, query, key);
        return row_section(p, f, *map, query, key);
    }
    if (app::joins_words(snapshot)) f.note("Two tokens, not their words");
    const trace::HeadId& head = snapshot.focus.head;
    const int heads = snapshot.run->trace.n_heads(kind);
    const bool others = heads * snapshot.run->trace.n_layers(kind) > 1;
    if (p.state.view.view == app::View::flow && others) {
        f.note(fmt::format(
            "Of {} alone; the picture is of all layers{}", trace::head_name(head.layer, head.head),
            heads == 1 ? "" : fmt::format(", averaged over the {} heads of each", heads)));
    }
    const bool computed = !map->head().stored;
    if (computed) {
        cell_formula(p, f, *map, query, key);
        multiplied_line(p, f, query, key);
    } else {
        f.label("Weight", all_figures(map->cell(query, key).weight),
                "As the file has it: how it was computed is not told there.");
    }
    merged_rows(p, f, query, key);
    const nn::Score score = map->head().settings.score;
    if (!computed) {
        // There are no vectors to multiply.
    } else if (nn::info(score).is_product && !nn::has_parameters(score)) {
        f.space(6);
        f.text(f.row(18, 4), Face::control, p.ui.theme().muted,
               fmt::format("The {} products that sum to the score", map->attention().d_k()));
        products(p, *map, query, key, f.row(26, 4));
    }
    const auto& step = snapshot.step;
    if (step && step->additive && step->step == query && key < step->additive->key.rows()) {
        f.space(6);
        additive_stripes(p, f, *step->additive, query, key);
    }
    if (computed) weight_rows(p, f, *map, query, key);
    row_section(p, f, *map, query, key);
}

} // namespace heed::ui
