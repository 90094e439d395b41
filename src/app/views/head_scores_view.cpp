#include "app/views/head_scores_view.hpp"

#include "app/document/gains.hpp"
#include "app/engine/head_scores.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "figure/parts/head_scatter.hpp"
#include "models/model/sides.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

using figure::percent_text;
using inside::HeadScore;
using num::Index;
using trace::HeadPattern;

constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();

std::size_t heads_of_kind(const Snapshot& s) {
    const trace::AttentionKind kind = s.focus.head.kind;
    return static_cast<std::size_t>(s.run->trace.n_layers(kind) * s.run->trace.n_heads(kind));
}

/// Entropy and distance have no end at 1.
bool is_share(HeadScore score) {
    return score != HeadScore::entropy && score != HeadScore::distance;
}

struct Ends {
    float low = 0, high = 0;
};
Ends ends_of(const std::vector<std::optional<float>>& values) {
    Ends ends{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (const auto& value : values) {
        if (!value) continue;
        ends.low = std::min(ends.low, *value);
        ends.high = std::max(ends.high, *value);
    }
    return ends.low > ends.high ? Ends{} : ends;
}

float least_of(const std::vector<std::optional<float>>& values, float share) {
    const Ends ends = ends_of(values);
    return ends.low + share * (ends.high - ends.low);
}

figure::ValueRange shades_of(HeadScore score, const std::vector<std::optional<float>>& values,
                             bool dark) {
    // Maps have the theme's own palette.
    const auto palette = dark ? figure::PaletteId::lagoon : figure::PaletteId::heather;
    return figure::range_between(nullptr, palette, {0, std::max(ends_of(values).high, 1e-6f)},
                                 std::string(inside::info(score).name));
}

std::string word_at(const std::vector<text::Token>& tokens, num::Index i) {
    if (i >= std::ssize(tokens)) return fmt::format("{}", i + 1);
    return tokens[static_cast<std::size_t>(i)].text;
}

/// True where the model has no other head than this.
bool is_only_head(const Snapshot& s) {
    const models::Traits& traits = s.run->model->traits();
    return traits.n_heads * traits.layers(s.focus.head.kind) == 1;
}

/// True where rows of the map are of padding, which are not counted.
bool pads_rows(const Snapshot& s) {
    const auto& queries = s.run->trace.queries(s.focus.head.kind);
    return !(s.units && s.units->hides) &&
           std::ranges::any_of(
               queries, [](const text::Token& token) { return token.text == models::kPadToken; });
}

/// What a head that is named by this score looks at; empty of scores that name none.
std::string looked_at(const Snapshot& s, HeadScore score, num::Index offset) {
    const std::string unit = key_unit(s);
    switch (score) {
    case HeadScore::previous: return "the previous " + unit;
    case HeadScore::next: return "the next " + unit;
    case HeadScore::same: return fmt::format("the {} itself", unit);
    case HeadScore::first: {
        const auto kind = s.focus.head.kind;
        return joins_words(s)
                   ? fmt::format("the first word, “{}”", word_at(s.units->keys(kind).words, 0))
                   : fmt::format("the first token, “{}”", word_at(s.run->trace.keys(kind), 0));
    }
    case HeadScore::separator:
        return s.run->model->traits().reads_pictures ? "tokens that are no patches"
                                                     : "punctuation and marks";
    case HeadScore::positional:
        return fmt::format("the {} {} places {}", unit, std::abs(offset),
                           offset < 0 ? "before" : "after");
    case HeadScore::duplicate: return fmt::format("the same {} elsewhere", unit);
    case HeadScore::followed:
        return fmt::format("what followed the same {} before, as an induction head does", unit);
    default: return {};
    }
}

/// The rows that a score counts, where it does not count all.
std::string counted_rows(const Snapshot& s, HeadScore score) {
    if (score == HeadScore::same || score == HeadScore::first) return " in rows past the first";
    if (score != HeadScore::duplicate && score != HeadScore::followed) return {};
    return fmt::format(" in rows whose {} {}", key_unit(s),
                       score == HeadScore::followed ? "came before" : "stands there twice");
}

/// " the next word is “b” (0.31), not “q” (0.99). ", " the class stays “world”: 0.62, now 0.99. "
std::string next_without(const Snapshot& s, std::size_t head) {
    const models::Model& model = *s.run->model;
    const Index now = s.prediction->likeliest.front();
    const std::string what =
        (model.traits().classifies() ? "" : "next ") + std::string(unit_said(*s.run));
    const std::string without = figure::probability_text(*s.effects->probability[head]);
    const std::string with = figure::probability_text(s.prediction->probabilities[now]);
    const std::string word = candidate_name(model, now);
    const auto& other = s.effects->says[head];
    return other ? fmt::format(" the {} is “{}” ({}), not “{}” ({}). ", what, *other, without, word,
                               with)
                 : fmt::format(" the {} stays “{}”: {}{}. ", what, word, without,
                               with == without ? "" : ", now " + with);
}

} // namespace

std::string score_text(HeadScore score, float value) {
    if (score == HeadScore::entropy) return fmt::format("{:.2f} bits", value);
    if (score == HeadScore::distance) return fmt::format("{:.1f} tokens", value);
    return figure::weight_text(value, 2);
}

std::vector<std::optional<float>> head_values(const Snapshot& s, HeadScore score) {
    const std::size_t heads = heads_of_kind(s);
    std::vector<std::optional<float>> values(heads);
    const auto put = [&](std::size_t at, const inside::ScoreValues& scores) {
        if (at < heads && scores.has(score)) values[at] = scores[score];
    };
    if (s.head_scores) {
        std::size_t at = 0;
        for (const inside::HeadRow& row : s.head_scores->heads) {
            if (row.head.kind == s.focus.head.kind) put(at++, row.scores.values);
        }
    } else if (s.summaries && s.summaries->size() == heads) {
        for (std::size_t i = 0; i < heads; ++i) put(i, (*s.summaries)[i].scores);
    }
    return values;
}

void shade_heads(figure::HeadGrid& grid, const Snapshot& s, const ViewState& state) {
    if (!state.head_colour) return;
    const auto values = head_values(s, *state.head_colour);
    const inside::HeadScoreInfo& score = inside::info(*state.head_colour);
    const bool measured = std::ranges::any_of(values, &std::optional<float>::has_value);
    const std::string sorted = fmt::format("{}: {}, ", score.label, score.formula);
    if (measured && grid.order_words.starts_with(sorted)) { // the formula once
        grid.order_words.replace(0, score.label.size() + 1,
                                 fmt::format("Sorted and framed by {}:", score.name));
    } else {
        grid.order_words +=
            fmt::format("{}frame colour: {}, {}", grid.order_words.empty() ? "" : " · ", score.name,
                        measured ? score.formula : "not measured of these heads");
    }
    if (!measured) return;
    const float least = least_of(values, state.head_least);
    for (const auto& value : values) {
        grid.shades.push_back(value.value_or(kNoScore));
        grid.faded.push_back(state.head_least > 0 && (!value || *value < least));
    }
    grid.shade_range = shades_of(*state.head_colour, values, state.dark);
    if (state.head_least > 0) {
        grid.order_words += fmt::format(", at least {}", score_text(score.score, least));
    }
}

namespace {

/// The heads of the least and of the most of a score; nothing where not all have it, or both are
/// one.
std::optional<HeadEnds> ends_among(const std::vector<std::size_t>& heads,
                                   const std::vector<std::optional<float>>& values) {
    const auto known = [](const auto& value) { return value.has_value(); };
    if (heads.empty() || !std::ranges::all_of(values, known)) return {};
    const auto value = [&](std::size_t i) { return *values[i]; };
    const auto [least, most] = std::ranges::minmax(heads, {}, value);
    if (value(least) == value(most)) return {};
    return HeadEnds{least, most, value(least), value(most), false};
}

std::vector<std::size_t> places_among(const std::vector<std::optional<float>>& values) {
    std::vector<std::size_t> heads(values.size());
    std::iota(heads.begin(), heads.end(), std::size_t{0});
    return heads;
}

} // namespace

std::string shades_told(const Snapshot& s, const ViewState& state) {
    if (!state.head_colour) return {};
    const HeadScore score = *state.head_colour;
    const auto values = head_values(s, score);
    const auto ends = ends_among(places_among(values), values);
    if (!ends || score_text(score, ends->at_least) == score_text(score, ends->at_most)) return {};
    const int heads = s.run->trace.n_heads(s.focus.head.kind);
    const auto name = [&](std::size_t place) {
        const int at = static_cast<int>(place);
        return trace::head_name(at / heads, at % heads);
    };
    return fmt::format("{}: {} has the most, {}; {} the least, {}.", inside::info(score).label,
                       name(ends->most), score_text(score, ends->at_most), name(ends->least),
                       score_text(score, ends->at_least));
}

HeadsLeft heads_left(const Snapshot& s, const ViewState& state) {
    HeadsLeft heads;
    if (!state.head_colour) return heads;
    const auto values = head_values(s, *state.head_colour);
    heads.least = least_of(values, state.head_least);
    for (const auto& value : values) {
        heads.all += value ? 1 : 0;
        heads.left += value && *value >= heads.least ? 1 : 0;
    }
    return heads;
}

namespace {

figure::HeadScatter::Axis axis_of(HeadScore score,
                                  const std::vector<std::optional<float>>& values) {
    const inside::HeadScoreInfo& row = inside::info(score);
    figure::HeadScatter::Axis axis{std::string(row.label), std::string(row.formula)};
    const float high = std::max(ends_of(values).high, 1e-3f);
    if (is_share(score)) {
        for (const float end : {0.5f, 0.25f, 0.1f}) {
            if (high <= end) axis.high = end;
        }
        return axis;
    }
    const float step = high > 10 ? 5 : high > 2 ? 1 : 0.5f;
    axis.high = step * std::ceil(high / step);
    return axis;
}

figure::HeadScatter scatter_of(const Snapshot& s, const ViewState& state) {
    const trace::HeadId& focus = s.focus.head;
    const auto across = head_values(s, state.scatter_x), up = head_values(s, state.scatter_y);
    figure::HeadScatter scatter;
    scatter.title = fmt::format("{} · {} head{}", trace::info(focus.kind).phrase, across.size(),
                                across.size() == 1 ? "" : "s");
    if (s.head_scores && s.head_scores->sequences < s.head_scores->all_sequences) {
        scatter.subtitle = fmt::format("random sequences: {} of {}", s.head_scores->sequences,
                                       s.head_scores->all_sequences);
    }
    scatter.across = axis_of(state.scatter_x, across);
    scatter.up = axis_of(state.scatter_y, up);
    scatter.selected = {focus.layer, focus.head};
    const auto shade = state.head_colour ? head_values(s, *state.head_colour)
                                         : std::vector<std::optional<float>>(across.size());
    const float least = least_of(shade, state.head_least);
    if (std::ranges::any_of(shade, &std::optional<float>::has_value)) {
        scatter.shades = shades_of(*state.head_colour, shade, state.dark);
    }
    const int heads = s.run->trace.n_heads(focus.kind);
    const auto ends = head_ends(s);
    const auto is_end = [&](std::size_t i) {
        return ends && (i == ends->least || i == ends->most);
    };
    for (std::size_t i = 0; i < across.size(); ++i) {
        if (!across[i] || !up[i]) continue;
        const int place = static_cast<int>(i);
        const bool below =
            state.head_colour && state.head_least > 0 && (!shade[i] || *shade[i] < least);
        scatter.points.push_back({place / heads, place % heads, *across[i], *up[i],
                                  trace::head_number(place / heads, place % heads), shade[i], below,
                                  is_end(i)});
    }
    return scatter;
}

} // namespace

bool is_silent(const Snapshot& s, std::size_t place) {
    const trace::AttentionKind kind = s.focus.head.kind;
    const int heads = s.run->trace.n_heads(kind), at = static_cast<int>(place);
    return muted(s.run->controls, {kind, at / heads, at % heads});
}

std::optional<HeadEnds> head_ends(const Snapshot& s) {
    if (s.effects && s.effects->kind == s.focus.head.kind) {
        const auto& effects = s.effects->relative_change;
        std::vector<std::size_t> heads = places_among(effects);
        std::erase_if(heads, [&](std::size_t i) { return is_silent(s, i); }); // have no effect
        if (auto ends = ends_among(heads, effects)) {
            ends->of_effect = true;
            return ends;
        }
    }
    std::vector<std::optional<float>> bits;
    for (const HeadSummary& summary : s.summaries ? *s.summaries : std::vector<HeadSummary>()) {
        bits.emplace_back(summary.mean_entropy_bits);
    }
    return ends_among(places_among(bits), bits);
}

std::string head_doing(const Snapshot& s) {
    HeadPattern p = s.pattern;
    inside::ScoreValues scores = s.summary.scores;
    if (merges_weights(s) && s.map) { // its rows are counted as they are shown
        const Units units(s, true);
        const HeadPattern shown =
            trace::head_pattern(*s.map, units.queries(), units.keys(), models::kPadToken);
        if (joins_words(s)) {
            p = shown;
            scores = {};
        } else { // places are counted over hidden tokens too
            p.rows = shown.rows;
            p.settled = shown.settled;
            p.largest = shown.largest;
            std::tie(p.one_key, p.to_one_key, p.at_one_key) =
                std::tie(shown.one_key, shown.to_one_key, shown.at_one_key);
        }
    }
    if (p.rows > 0 && s.run->trace.keys(s.focus.head.kind).size() == 1)
        return fmt::format("With one {} to look at, every weight is 1. ", key_unit(s));
    if (p.rows == 0 || trace::tells_little(p.rows)) return {};
    const bool only = is_only_head(s);
    std::string head = only ? "Attention" : "This head";
    if (has_random_weights(s.file, *s.run->model))
        head = std::string("By chance, as its weights are random, ") +
               (only ? "attention" : "this head");
    const std::string unit = key_unit(s);
    const bool cross = s.focus.head.kind == trace::AttentionKind::cross;
    scores[HeadScore::previous] = p.previous;
    scores[HeadScore::next] = p.next;
    scores[HeadScore::same] = p.same;
    const bool hides_first =
        std::ranges::count(hidden_keys(s.units.get(), s.focus.head.kind), 0) > 0;
    scores[HeadScore::first] = hides_first ? kNoScore : p.first; // which is told of what is hidden
    scores[HeadScore::separator] = p.separator;
    scores.one_key = p.to_one_key;
    const num::Index offset = s.summary.positional_offset;
    const auto named = cross ? std::nullopt : inside::naming_score(scores, offset);
    if (named) {
        return fmt::format("{} looks {}at {}: {} of the attention{}. ", head,
                           scores[*named] < inside::kConfident ? "most " : "",
                           looked_at(s, *named, offset), percent_text(scores[*named]),
                           counted_rows(s, *named));
    }
    if (p.at_one_key == p.rows && p.to_one_key >= HeadPattern::kSettled) {
        const Units units(s, map_units(s));
        const auto key = static_cast<int>(p.one_key);
        return fmt::format("{} looks at one {}{} from everywhere: {}, {} of the attention. ", head,
                           cross ? "source " : "", unit,
                           quoted_token(units.keys(), key, units.first_key(key)),
                           percent_text(p.to_one_key));
    }
    if (p.rows > 1 && 2 * p.settled >= p.rows) {
        return fmt::format("{} puts\u00a0> {:.0f} % on one {}{} in {} of {}\u00a0rows{}. ", head,
                           100 * HeadPattern::kSettled, cross ? "source " : "", unit, p.settled,
                           p.rows, pads_rows(s) ? ", without padding" : "");
    }
    if (p.breadth >= inside::kBroad) {
        return fmt::format("{} spreads broadly: {} of the highest possible entropy. ", head,
                           percent_text(p.breadth));
    }
    const bool mixed = !cross && p.largest > inside::kNamed && p.largest <= inside::kConfident;
    return p.rows > 1 ? fmt::format("{} largest weight of a row is {:.2f} on average. ",
                                    mixed ? head + " is mixed: the" : "The", p.largest)
                      : std::string();
}

std::string head_worth(const Snapshot& s) {
    const trace::HeadId& head = s.focus.head;
    const bool off = s.run->controls.resolved(head).gain == 0.0f;
    const std::string is_off = !off              ? ""
                               : is_only_head(s) ? "Attention is off. "
                                                 : "This head is off. ";
    if (!s.effects || s.effects->kind != head.kind) return is_off;
    const auto at = static_cast<std::size_t>(head.layer * s.effects->heads + head.head);
    const bool known = at < s.effects->relative_change.size() && s.effects->relative_change[at];
    if (!known) return is_off;
    const auto& says = s.effects->says[at];
    const std::string which = is_off + (off ? "With " : "Without ") +
                              (s.run->model->traits().is_stepwise() ? "attention" : "this head");
    const bool none_freely = models::forced_input(*s.run) == s.run->input;
    if (none_freely) return s.effects->probability[at] ? which + next_without(s, at) : is_off;
    if (says && says->empty()) return which + " the model says nothing. ";
    if (says) return fmt::format("{}{}: “{}”. ", which, hypothesis_words(*s.run), *says);
    return fmt::format("{} {} changes by {} of its norm. ", which,
                       added_words(*s.run).empty() ? "the model's output"
                                                   : "the words are the same; the model's output",
                       percent_text(*s.effects->relative_change[at]));
}

figure::Figure scatter_figure(const Snapshot& s, const ViewState& state,
                              const figure::Frame& frame) {
    figure::HeadScatter scatter = scatter_of(s, state);
    if (!frame.marks.head) scatter.selected.reset();
    return figure::head_scatter(scatter, frame);
}

files::Tables scatter_tables(const Snapshot& s, const ViewState& state) {
    const auto heads = static_cast<Index>(heads_of_kind(s));
    const int in_layer = s.run->trace.n_heads(s.focus.head.kind);
    std::vector<std::string> names;
    for (int i = 0; i < heads; ++i) {
        names.push_back(head_name({s.focus.head.kind, i / in_layer, i % in_layer}));
    }
    const auto table = [&](std::string name, const std::vector<HeadScore>& scores) {
        auto values = std::make_shared<Matrix<float>>(heads, std::ssize(scores));
        std::vector<std::string> columns;
        for (std::size_t c = 0; c < scores.size(); ++c) {
            columns.emplace_back(inside::info(scores[c]).name);
            const auto known = head_values(s, scores[c]);
            for (Index i = 0; i < heads; ++i) {
                (*values)(i, static_cast<Index>(c)) =
                    known[static_cast<std::size_t>(i)].value_or(kNoScore);
            }
        }
        return files::Table{std::move(name), names, std::move(columns), std::move(values)};
    };
    std::vector<HeadScore> all;
    for (const auto& row : inside::kHeadScores) all.push_back(row.score);
    files::Tables tables;
    tables.main = {0};
    tables.all.push_back(table("scatter", {state.scatter_x, state.scatter_y}));
    tables.all.push_back(table("scores", all));
    return tables;
}

} // namespace heed::app
