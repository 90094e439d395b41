// The chosen cell: its formula with live numbers, the products behind its score, its row as bars.
#include "app/weight_edits.hpp"
#include "figure/stripes.hpp"
#include "figure/viewport.hpp"
#include "num/softmax.hpp"
#include "trace/cell_terms.hpp"
#include "ui/actions.hpp"
#include "ui/panel.hpp"
#include "ui/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::ui {

namespace {

using trace::Stage;

/// Digits below the line: "q₈".
std::string lowered(int number) {
    std::string out;
    for (const char digit : std::to_string(number)) {
        out += "\xE2\x82";
        out += static_cast<char>(0x80 + (digit - '0'));
    }
    return out;
}

std::string figures(float value) {
    return std::abs(value) >= 1e5f || (value != 0 && std::abs(value) < 1e-4f)
               ? fmt::format("{:.3e}", value)
               : fmt::format("{:.4g}", value);
}

struct Writer {
    Panel& p;
    float x, &y, w;

    /// One line of the formula; the last number of it may be told in the accent.
    void line(const std::string& words, const std::string& loud = {}) const {
        const float drawn = p.ui.canvas.text({x, y, w, 20}, Face::mono, p.ui.theme().text, words);
        if (!loud.empty()) {
            p.ui.canvas.text({x + drawn, y, w - drawn, 20}, Face::mono, p.ui.theme().accent, loud);
        }
        y += 21;
    }
};

/// What a query and a key are called: of a recurrent decoder the state that is compared, which is
/// that of the step before where attention comes first.
std::pair<std::string, std::string> vectors(const models::Config& config, int query, int key) {
    const auto* recurrent = models::recurrent_of(config);
    if (!recurrent) return {"q" + lowered(query + 1), "k" + lowered(key + 1)};
    const bool before = recurrent->order == models::StepOrder::attend_first;
    const bool states = recurrent->projection == models::Projection::none;
    return {"s" + lowered(query + (before ? 0 : 1)), (states ? "h" : "k") + lowered(key + 1)};
}

std::string score_name(const trace::HeadSettings& settings, const models::Config& config, int query,
                       int key) {
    const auto [q, k] = vectors(config, query, key);
    switch (settings.score) {
    case nn::Score::additive: return fmt::format("v\u00b7tanh(W {} + U {})", q, k);
    case nn::Score::concat: return fmt::format("w\u00b7tanh([{}; {}]W)", q, k);
    case nn::Score::dot: return fmt::format("{}\u00b7{}", q, k);
    case nn::Score::scaled_dot: return fmt::format("{}\u00b7{} / \u221ad", q, k);
    case nn::Score::bilinear: return fmt::format("{} W {}\u1d40", q, k);
    case nn::Score::cosine: return fmt::format("cos({}, {})", q, k);
    }
    return {};
}

/// From x, the number of the line above, to the weight: the row's largest x is taken off every x of
/// the row first, so that no exponential overflows.
void softmax_lines(const Writer& out, const trace::AttentionMap& map, const trace::Cell& cell,
                   int query) {
    const trace::HeadSettings& settings = map.head().settings;
    out.line("max x of row = " + figures(map.head().row_max[static_cast<std::size_t>(query)]));
    out.line("softmax = exp(x \u2212 max) / \u03a3");
    const float share = cell.exponential / cell.sum;
    const std::string quotient =
        fmt::format("= {} / {} = ", figures(cell.exponential), figures(cell.sum));
    // Dropout and edits come after softmax.
    const bool as_is = std::abs(share - cell.weight) < 5e-4f;
    out.line(quotient + (as_is ? "" : fmt::format("{:.3f}", share)),
             as_is ? fmt::format("{:.3f}", cell.weight) : "");
    if (as_is) return;
    out.line(settings.dropout > 0 ? "weight after dropout = " : "weight as edited = ",
             fmt::format("{:.3f}", cell.weight));
}

void formula(const Writer& out, const trace::AttentionMap& map, int query, int key) {
    const trace::HeadSettings& settings = map.head().settings;
    const trace::Cell cell = map.cell(query, key);
    out.line(score_name(settings, out.p.snapshot().run->model->config(), query, key) + " = ",
             figures(cell.score));
    const auto d_k = map.attention().d_k();
    const float root = std::sqrt(static_cast<float>(d_k));
    if (std::abs(settings.gamma * root - 1) < 1e-5f) {
        out.line(fmt::format("\u00f7 \u221a{} = {}", d_k, figures(cell.scaled)));
    } else if (settings.gamma != 1) {
        out.line(fmt::format("\u00d7 {} = {}", figures(settings.gamma), figures(cell.scaled)));
    }
    if (cell.bias != 0) {
        out.line(fmt::format("{} {} = {}", cell.bias < 0 ? "\u2212" : "+",
                             figures(std::abs(cell.bias)), figures(cell.scaled + cell.bias)));
    }
    if (!cell.allowed) {
        out.line("masked: \u2212\u221e, weight ", "0");
        return;
    }
    if (settings.temperature != 1) {
        out.line(fmt::format("\u00f7 \u03c4 {} = {}", figures(settings.temperature),
                             figures(cell.masked / settings.temperature)));
    }
    softmax_lines(out, map, cell, query);
}

/// Rows of numbers, drawn in a box.
const figure::Figure& stripes_in(Panel& p, const Box& box, const figure::Stripes& rows) {
    FigureCache::Key key = p.key(box.w, box.h);
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
    p.ui.canvas.paint(stripes, {box.x, box.y});
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
    p.ui.tip_now(fmt::format("feature {}   {:.6g} \u00d7 {:.6g} = {:.6g}", under->col + 1,
                             terms.q(under->col), terms.k(under->col), under->value));
}

/// What an additive score adds up from: W s, U h, their sum, its tanh, and v times that, as
/// stripes.
void additive_stripes(Panel& p, const trace::AdditiveParts& parts, int query, int key, float x,
                      float& y, float w) {
    const auto [s, h] = vectors(p.snapshot().run->model->config(), query, key);
    constexpr float kRow = 19, kLabel = 104;
    const trace::AdditiveTerms terms = trace::additive_terms(parts, key);
    const std::string labels[] = {"W " + s, "U " + h, "W " + s + " + U " + h, "tanh",
                                  "v \u2218 tanh"};
    const Box box{x + kLabel, y, w - kLabel, kRow * static_cast<float>(std::size(labels))};
    const figure::Stripes rows{
        {terms.query, terms.key, terms.sum, terms.hidden, terms.weighted}, 3, 2};
    const auto under = draw_stripes(p, box, "additive", stripes_in(p, box, rows));
    for (const std::string& label : labels) {
        p.ui.canvas.text({x, y, kLabel - 6, kRow}, Face::mono, p.ui.theme().muted, label);
        y += kRow;
    }
    p.ui.canvas.text({x, y, w, 18}, Face::small, p.ui.theme().muted,
                     fmt::format("the {} numbers of the last add up to {}", terms.weighted.size(),
                                 figures(terms.weighted.sum())));
    y += 20;
    if (!under) return;
    const auto at = static_cast<std::size_t>((p.ui.mouse().y - box.y) / kRow);
    p.ui.tip_now(fmt::format("{} \u00b7 feature {}   {:.6g}",
                             labels[std::min(at, std::size(labels) - 1)], under->col + 1,
                             under->value));
}

/// The cell's weight as a fader, and the way back.
void weight_rows(Panel& p, const trace::AttentionMap& map, int query, int key, float x, float& y,
                 float w) {
    const app::Focus& focus = p.snapshot().focus;
    const auto edits = app::edits_of(p.document().controls, focus.head);
    const auto in_row = nn::edits_of(edits, query);
    const bool edited =
        std::any_of(in_row.begin(), in_row.end(), [&](const auto& e) { return e.key == key; });
    y += 4;
    p.ui.canvas.text({x, y, w, 22}, Face::body, p.ui.theme().muted, "weight");
    if (edited) {
        p.ui.canvas.text({x, y, w, 22}, Face::control, p.ui.theme().accent, "set by hand",
                         AlignX::right);
    }
    y += 22;
    float place = std::clamp(map.cell(query, key).weight, 0.0f, 1.0f);
    const auto slid = p.ui.slider({x, y, w, 20}, "weight", "weight", place, 0.01f);
    p.ui.tip(fmt::format("Drag it, or Alt+drag the cell up and down, or {}, {}: the row is "
                         "renormalised, later layers follow. Double click: as computed",
                         keys_of(ActionGroup::cell, "Weight + 0.05"),
                         keys_of(ActionGroup::cell, "Weight \u2212 0.05")));
    if (slid.reset) {
        reset_weights(p, query, key);
    } else if (slid.changed) {
        set_weight(p, {query, key}, place);
    }
    if (slid.released) p.seal();
    y += 24;
    if (edits.empty()) return;
    if (p.ui.button({x, y, w / 2 - 4, 24}, "weight/row", "Reset row", Ui::ButtonLook::plain,
                    !in_row.empty())) {
        reset_weights(p, query, {});
    }
    if (p.ui.button({x + w / 2 + 4, y, w / 2 - 4, 24}, "weight/head", "Reset head")) {
        reset_weights(p, {}, {});
    }
    p.ui.tip(edits.size() == 1
                 ? std::string("1 weight is set by hand in this head")
                 : fmt::format("{} weights are set by hand in this head", edits.size()));
    y += 30;
}

/// Where weights are between words: what the chosen tokens' word gives to the other.
void merged_rows(Panel& p, int query, int key, float x, float& y, float w) {
    const app::Units units(p.snapshot(), app::merges(p.snapshot()));
    if (!units.merged()) return;
    const int row = units.of_query(query), col = units.of_key(key);
    const num::Rect tokens = units.tokens(row, col);
    const Color muted = p.ui.theme().muted;
    y += 4;
    p.ui.canvas.text({x, y, w - 56, 20}, Face::control, muted,
                     "Merged: " + token_text(units.queries(), row) + " \u2192 " +
                         token_text(units.keys(), col));
    p.ui.canvas.text({x, y, w, 20}, Face::mono, p.ui.theme().accent,
                     fmt::format("{:.3f}", app::merged_weight(p.snapshot(), units, row, col)),
                     AlignX::right);
    y += 20;
    p.ui.canvas.text({x, y, w, 18}, Face::small, muted,
                     fmt::format("summed over {} key token{}, mean over {} query token{}",
                                 tokens.cols, tokens.cols == 1 ? "" : "s", tokens.rows,
                                 tokens.rows == 1 ? "" : "s"));
    y += 22;
}

/// Whether the row is drawn between words: where the large map has it so.
bool row_merges(const Panel& p) {
    return app::merges_map(p.snapshot()) && !p.snapshot().focus.combine && p.snapshot().map;
}

void row_bars(Panel& p, const trace::AttentionMap& map, int query, int key, float x, float& y,
              float w) {
    Canvas& c = p.ui.canvas;
    const app::Units units(p.snapshot(), row_merges(p));
    const auto &queries = units.queries(), &keys = units.keys();
    const int unit = units.of_query(query);
    const num::Matrix<float> row =
        units.merged() ? num::Matrix<float>(p.snapshot().map->row(unit))
                       : map.rectangle(Stage::weights, {query, 0, 1, map.cols(Stage::weights)});
    const num::Index n = row.cols();
    y += 12;
    c.rule(x, y, w);
    y += 14;
    float at = x + c.heading({x, y, w, 16}, p.ui.theme().muted, "Row ");
    at += c.text({at, y, 100, 16}, Face::heading, p.ui.theme().muted,
                 "\u201c" + token_text(queries, unit) + "\u201d");
    c.heading({at, y, x + w - at, 16}, p.ui.theme().muted,
              fmt::format(" \u00b7 entropy {:.2f} bits",
                          num::entropy_bits(num::RowVector<float>(row.row(0)))));
    y += 22;
    if (app::merges(p.snapshot())) {
        c.text({x, y - 4, w, 18}, Face::small, p.ui.theme().muted,
               units.merged() ? "between words, merged" : "between tokens, not words");
        y += 18;
    }
    if (!(row.sum() > 0)) {
        c.text({x, y, w, 20}, Face::control, p.ui.theme().muted,
               "Every key of this query is masked: no distribution.");
        y += 24;
        return;
    }
    // All of a short row; of a long one the largest, still in the sentence's order.
    constexpr std::size_t kMost = 12;
    std::vector<num::Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > kMost) {
        std::partial_sort(order.begin(), order.begin() + kMost, order.end(),
                          [&](auto a, auto b) { return row(0, a) > row(0, b); });
        order.resize(kMost);
        std::sort(order.begin(), order.end());
    }
    float words_width = 30;
    for (const auto j : order) {
        words_width =
            std::max(words_width, c.width_of(Face::body, token_text(keys, static_cast<int>(j))));
    }
    words_width = std::min(words_width, w * 0.34f);
    const float from = x + words_width + 12, room = w - words_width - 12 - 52;
    const float largest = std::max(row.maxCoeff(), 1e-9f);
    for (const auto j : order) {
        const bool chosen = j == units.of_key(key);
        const int token = units.first_key(static_cast<int>(j));
        if (p.state.pointed == Pointed{units.first_query(unit), token}) {
            c.fill({x - 4, y, w + 8, 22}, faded(p.ui.theme().accent, 0.12f), 4);
        }
        c.text({x, y, words_width + 1, 22}, Face::body,
               chosen ? p.ui.theme().accent : p.ui.theme().text,
               token_text(keys, static_cast<int>(j)));
        const float length = std::max(1.5f, room * row(0, j) / largest);
        c.fill({from, y + 7, length, 8}, p.ui.theme().accent, 2);
        c.text({x, y, w, 22}, Face::mono, p.ui.theme().muted, fmt::format("{:.3f}", row(0, j)),
               AlignX::right);
        const Press press = p.ui.area({x, y, w, 22}, fmt::format("row/{}", j),
                                      token_text(keys, static_cast<int>(j)));
        if (press.hovered) {
            point_out(p, units.first_query(unit), token);
            p.ui.tip_now(fmt::format("{} \u2192 {}   {:.6g}", token_text(queries, unit),
                                     token_text(keys, static_cast<int>(j)), row(0, j)));
        }
        if (press.clicked) choose_cell(p, units, {unit, static_cast<int>(j)});
        y += 22;
    }
    if (static_cast<num::Index>(order.size()) < n) {
        c.text({x, y, w, 20}, Face::small, p.ui.theme().muted,
               fmt::format("the {} largest of {}", order.size(), n));
        y += 22;
    }
}

} // namespace

void selection_section(Panel& p, const Box& box, float& y) {
    Canvas& c = p.ui.canvas;
    const float x = box.x, w = box.w;
    if (p.snapshot().run && !attends(p)) return;
    y += 12;
    c.rule(x, y, w);
    y += 14;
    const auto& snapshot = p.snapshot();
    const auto selected = p.selected();
    if (!selected) {
        c.heading({x, y, w, 16}, p.ui.theme().muted, "Selected");
        y += 22;
        c.text({x, y, w, 20}, Face::control, p.ui.theme().faint,
               "Click a cell to see how it is computed");
        y += 22;
        return;
    }
    const auto [query, key] = *selected;
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    float at = x + c.heading({x, y, w, 16}, p.ui.theme().muted, "Selected \u00b7 ");
    const Color muted = p.ui.theme().muted;
    at += c.text({at, y, w * 0.4f, 16}, Face::heading, muted,
                 token_text(snapshot.run->trace.queries(kind), query));
    at += c.heading({at, y, 40, 16}, muted, " \u2192 ");
    c.text({at, y, x + w - at, 16}, Face::heading, muted,
           token_text(snapshot.run->trace.keys(kind), key));
    y += 22;
    if (app::merges(snapshot)) {
        c.text({x, y - 4, w, 18}, Face::small, muted, "two tokens, not their words");
        y += 18;
    }
    formula(Writer{p, x, y, w}, *map, query, key);
    merged_rows(p, query, key, x, y, w);
    const nn::Score score = map->head().settings.score;
    if (score == nn::Score::dot || score == nn::Score::scaled_dot) {
        y += 6;
        c.text({x, y, w, 18}, Face::control, muted,
               fmt::format("q{} \u2218 k{} \u2014 {} products add up to it", lowered(query + 1),
                           lowered(key + 1), map->attention().d_k()));
        y += 22;
        products(p, *map, query, key, {x, y, w, 26});
        y += 30;
    }
    const auto& step = snapshot.step;
    if (step && step->additive && step->step == query && key < step->additive->key.rows()) {
        y += 6;
        additive_stripes(p, *step->additive, query, key, x, y, w);
    }
    weight_rows(p, *map, query, key, x, y, w);
    row_bars(p, *map, query, key, x, y, w);
}

} // namespace heed::ui
