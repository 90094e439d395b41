#include "app/views/reading.hpp"

#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/engine/strip_shares.hpp"
#include "app/views/head_scores_view.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/value_range.hpp"
#include "figure/views/neurons.hpp"
#include "inside/map_scores.hpp"
#include "models/model/sides.hpp"
#include "trace/decoder_step.hpp"
#include "trace/neurons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>

namespace heed::app {

namespace {

using figure::number_text;
using figure::percent_text;
using figure::probability_text;
using inside::HeadScore;
using trace::HeadPattern;

/// Names that a picture gives its queries and keys.
struct Names {
    std::function<std::string(num::Index)> query, key;
};

Names quoted_names(const std::vector<text::Token>& queries, const std::vector<text::Token>& keys) {
    return {[&](num::Index i) { return quoted_token(queries, i); },
            [&](num::Index i) { return quoted_token(keys, i); }};
}

/// Positions are as in formulas: counted over hidden tokens too; of a word its first token's.
Names quoted_names(const Units& units) {
    return {[&units](num::Index i) {
                return quoted_token(units.queries(), i, units.first_query(static_cast<int>(i)));
            },
            [&units](num::Index i) {
                return quoted_token(units.keys(), i, units.first_key(static_cast<int>(i)));
            }};
}

std::string weight_told(const num::RowVector<float>& weights, num::Index key) {
    return figure::row_weight_text(weights[key], figure::span_of(weights));
}

using Masks = std::function<bool(num::Index)>; // a query from this key

/// "“pas” attends most to “not” (0.997) and gives 0.001 to “did”. ": the strongest key of a row of
/// weights, and those chosen, where they are others.
std::string attends_words(const Names& names, num::Index query, num::Index strongest,
                          const num::RowVector<float>& weights, const std::vector<int>& chosen,
                          const Masks& masks) {
    std::string given, masked;
    for (const int key : chosen) {
        if (key == strongest || key < 0 || key >= weights.size()) continue;
        if (masks(key)) {
            masked += (masked.empty() ? "; the mask keeps it from " : " and ") + names.key(key);
        } else {
            given += fmt::format("{}{} to {}", given.empty() ? " and gives " : " and ",
                                 weight_told(weights, key), names.key(key));
        }
    }
    return fmt::format("{} attends most to {} ({}){}{}. ", names.query(query), names.key(strongest),
                       weight_told(weights, strongest), given, masked);
}

/// True where the mask keeps a query of the focused head from a key: both tokens.
bool is_masked(const Snapshot& s, const std::pair<num::Index, num::Index>& cell) {
    const auto map = s.run->trace.map(s.focus.head);
    const bool is_cell = map && !s.focus.combine && !map->head().stored && !merges_weights(s) &&
                         cell.first >= 0 && cell.second >= 0 &&
                         cell.first < map->rows(trace::Stage::masked) &&
                         cell.second < map->cols(trace::Stage::masked);
    return is_cell && std::isinf(map->cell(cell.first, cell.second).masked);
}

/// Words for weights that are about the same for so many of the keys; the others have none.
std::string evenly_words(const Snapshot& s, num::Index even, num::Index keys) {
    return even < keys ? fmt::format(" attends about evenly to the {} {}s that it can see", even,
                                     key_unit(s))
                       : fmt::format(" attends about evenly to all {} {}s", even, key_unit(s));
}

/// Words for where a row looks; `chosen`: its keys that are chosen.
std::string words_of_row(const Snapshot& s, const Units& units, int query,
                         const std::vector<int>& chosen) {
    constexpr float kNothing = 0.0005f; // written as 0.000
    if (!s.map || query >= s.map->rows()) return {};
    const bool multiplied = shows_multiplied(s);
    const num::RowVector<float> row = (multiplied ? *s.multiplied : *s.map).row(query);
    num::Index key = 0;
    const float most = row.maxCoeff(&key);
    const Names names = quoted_names(units);
    const float hidden = merges_weights(s) ? share_to_hidden(s, query).value_or(0) : 0;
    std::string to_hidden =
        hidden < kNothing ? std::string()
                          : fmt::format("In the row of {} {} goes to special tokens, which are "
                                        "hidden. ",
                                        names.query(query), percent_text(hidden));
    if (!(most > 0) || (most < kNothing && hidden > 0)) return to_hidden;
    if (multiplied) {
        const int decimals = figure::decimals_for(figure::largest_size(*s.multiplied)); // of cells
        std::string others;
        for (const int other : chosen) {
            if (other == key) continue;
            others +=
                fmt::format("; at {} {}", names.key(other), number_text(row[other], decimals));
        }
        return fmt::format("For {}, weight {} is largest at {} ({}{}). ", names.query(query),
                           times_words(s.focus), names.key(key), number_text(most, decimals),
                           others) +
               to_hidden;
    }
    if (const num::Index even = evenly_over(row); even > 0)
        return names.query(query) + evenly_words(s, even, s.map->cols()) + ". " + to_hidden;
    const auto masks = [&](num::Index other) { return is_masked(s, {query, other}); };
    return attends_words(names, query, key, row, chosen, masks) + to_hidden;
}

/// The keys that are picked out, as long as a sentence can name each.
std::vector<int> few_keys(const Units& units, const ViewState& state) {
    auto keys = chosen_keys(units, state.pinned_keys);
    if (keys.size() > 3) keys.clear();
    return keys;
}

/// Words for where the chosen row looks, or both that are picked out, of a picked key what it gets.
std::string row_words(const Snapshot& s, const ViewState& state) {
    const Units units(s, map_units(s));
    const auto cell = shown_cell(s, state, units);
    const auto picked = chosen_queries(units, state.pinned_queries);
    if (picked.empty()) return cell ? words_of_row(s, units, cell->first, {cell->second}) : "";
    const auto keys = few_keys(units, state);
    const bool among = cell && std::ranges::count(picked, cell->first) > 0;
    std::string words;
    for (const int query : picked) {
        const bool chosen = among && query == cell->first;
        const bool of_cell = chosen && state.pinned_keys.empty();
        if (picked.size() == 2 || chosen || (!among && query == picked.front()))
            words += words_of_row(s, units, query, of_cell ? std::vector{cell->second} : keys);
    }
    return words;
}

/// "“teacher” receives most from “professeur” (0.963). ": of the keys that links are shown to, two
/// at the most.
std::string received_words(const Snapshot& s, const ViewState& state) {
    const Units units(s, map_units(s));
    auto keys = chosen_keys(units, state.pinned_keys);
    if (keys.size() > 2) keys.resize(1);
    std::string words;
    for (const int key : keys) {
        if (!s.map || key >= s.map->cols() || s.map->rows() == 0) continue;
        Index query = 0;
        if (!(s.map->col(key).maxCoeff(&query) > 0)) continue;
        const num::RowVector<float> row = s.map->row(query);
        words += fmt::format(
            "{} receives most from {} ({}). ",
            quoted_token(units.keys(), key, units.first_key(key)),
            quoted_token(units.queries(), query, units.first_query(static_cast<int>(query))),
            figure::row_weight_text(row[key], figure::span_of(row)));
    }
    return words;
}

/// "“black” receives most from “noir” in head 1 (0.93), from “chat” in head 2 (0.41)"
std::string overlay_words(const Snapshot& s, const Names& names, int of, bool of_key) {
    std::string words;
    for (const auto& [head, weights] : s.overlay | std::views::take(4)) {
        if (!weights || of >= (of_key ? weights->cols() : weights->rows())) return {};
        Index other = 0;
        const float most =
            of_key ? weights->col(of).maxCoeff(&other) : weights->row(of).maxCoeff(&other);
        if (!(most > 0)) continue;
        const num::RowVector<float> row = weights->row(of_key ? other : of);
        const char* const next = words.empty() ? "" : of_key ? ", from" : ", to";
        words += fmt::format("{} {} in head {} ({})", next,
                             of_key ? names.query(other) : names.key(other), head + 1,
                             weight_told(row, of_key ? of : other));
    }
    if (words.empty()) return {};
    return fmt::format("{} {}{}", of_key ? names.key(of) : names.query(of),
                       of_key ? "receives most from" : "attends most to", words);
}

/// "“vieux” attends most to “old” in head 1 (0.997), to “book” in head 3 (0.62). ": of heads that
/// lie over each other; of a key that links are shown to what it receives.
std::string overlay_words(const Snapshot& s, const ViewState& state) {
    const Units units(s, merges(s));
    const Names names = quoted_names(units);
    const auto queries = chosen_queries(units, state.pinned_queries);
    const auto keys = chosen_keys(units, state.pinned_keys);
    const auto cell = shown_cell(s, state, units);
    const bool of_key = queries.empty() && !keys.empty();
    if (queries.empty() && keys.empty() && !cell) return {};
    const bool among = cell && std::ranges::count(queries, cell->first) > 0;
    const int of = of_key ? keys.front() : among || queries.empty() ? cell->first : queries.front();
    std::string words = overlay_words(s, names, of, of_key);
    if (words.empty()) return {};
    if (of_key && keys.size() == 2) {
        if (const auto other = overlay_words(s, names, keys[1], true); !other.empty())
            words += ". " + other;
    }
    for (const int key : of_key ? std::vector<int>() : few_keys(units, state)) {
        std::string weights_of_heads;
        for (const auto& [head, weights] : s.overlay) {
            if (key >= weights->cols()) return {};
            weights_of_heads +=
                (weights_of_heads.empty() ? "" : " and ") + weight_told(weights->row(of), key);
        }
        words += fmt::format("; {} gets {}", names.key(key), weights_of_heads);
    }
    return words + ".";
}

/// Sentence on a context that no attention chooses; empty where one does.
std::string context_sentence(const Snapshot& s) {
    const std::string meaning = context_meaning(*s.run);
    return meaning.empty() ? meaning : fmt::format("The context is {}.", meaning);
}

std::string hidden_words(const Snapshot& s) {
    if (!s.to_hidden) return {};
    return fmt::format("On average {} goes to special tokens, which are hidden. ",
                       percent_text(*s.to_hidden));
}

std::string without_last_space(std::string words) {
    while (words.ends_with(' ')) words.pop_back();
    return words;
}

/// The score q · k that a query's strongest key comes from, and what the most of it is.
std::string product_words(const trace::Neurons& row, num::Index key, const std::string& key_words) {
    if (!row.is_product || row.q.size() != row.d_k()) return {};
    const num::RowVector<float> products = row.q.cwiseProduct(row.k.row(key));
    num::Index feature = 0;
    products.maxCoeff(&feature);
    return fmt::format("Its score with {} is {}; feature {} of {} contributes the most, {}.",
                       key_words, number_text(products.sum(), 2), feature + 1, row.d_k(),
                       number_text(products[feature], 2));
}

struct ShownRow {
    num::RowVector<float> weights; // of hidden keys 0
    num::Index largest = 0;
};

/// None where no key that is shown has a weight.
std::optional<ShownRow> shown_row(const std::vector<float>& weights,
                                  const std::vector<int>& hidden) {
    ShownRow row{Eigen::Map<const num::RowVector<float>>(weights.data(), std::ssize(weights))};
    for (float& weight : row.weights) weight = figure::told_weight(weight, weights);
    for (const int key : hidden) row.weights[key] = 0;
    if (weights.empty() || !(row.weights.maxCoeff(&row.largest) > 0)) return std::nullopt;
    return row;
}

/// What `words` says of the row of the query that a picture is of, and of its key.
template <class Words>
std::string query_words(const Snapshot& s, const ViewState& state, const Words& words) {
    const auto map = s.run->trace.map(s.focus.head);
    if (!map) return {};
    if (std::string context = context_sentence(s); !context.empty()) return context;
    const auto cell = read_cell(s, state);
    if (!cell) return {};
    const auto [query, key] = *cell;
    const trace::Neurons row = trace::neurons(*map, query);
    const auto shown = shown_row(row.weights, hidden_keys(s.units.get(), s.focus.head.kind));
    return shown ? words(query, row, key, *shown) : without_last_space(hidden_words(s));
}

/// As links are drawn: of weights, whatever a map shows of the head.
Snapshot with_weights(const Snapshot& s) {
    Snapshot of = s;
    of.focus.stage = trace::Stage::weights;
    of.multiplied.reset();
    of.map = weights_data(s).values;
    return of;
}

std::string attended_words(const Snapshot& s, trace::AttentionKind kind,
                           const std::vector<float>& weights) {
    const auto hidden = hidden_keys(s.units.get(), kind);
    const auto row = shown_row(weights, hidden);
    if (!row) return hidden.empty() ? " attends to nothing" : " attends to special tokens alone";
    const num::Index even = evenly_over(row->weights);
    if (even > 0) return evenly_words(s, even, std::ssize(weights) - std::ssize(hidden));
    return fmt::format(" attends most to {} ({})",
                       quoted_token(s.run->trace.keys(kind), row->largest),
                       weight_told(row->weights, row->largest));
}

} // namespace

std::string summed_by_word(const Snapshot& s, trace::AttentionKind kind,
                           const std::vector<float>& weights) {
    if (!joins_words(s)) return {};
    const text::Words& words = s.units->keys(kind);
    std::vector<float> sums;
    for (std::size_t word = 0; word < words.count(); ++word) {
        const std::span pieces =
            std::span(weights).subspan(words.first[word], words.end(word) - words.first[word]);
        sums.push_back(std::accumulate(pieces.begin(), pieces.end(), 0.0f));
    }
    const auto most = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
    if (sums.empty() || !(sums[most] > 0)) return {};
    return fmt::format(" Summed by word, most goes to {} ({}).",
                       quoted_token(words.words, static_cast<num::Index>(most), words.first[most]),
                       figure::row_weight_text(sums[most], sums));
}

std::string map_reading(const Snapshot& s, const ViewState& state) {
    const bool lines = state.view == View::lines;
    const bool shows_weights = s.focus.stage == trace::Stage::weights;
    if (!lines && !shows_weights) return {};
    if (lines && !s.overlay.empty()) return overlay_words(s, state);
    if (lines && (!shows_weights || s.multiplied)) return map_reading(with_weights(s), state);
    if (std::string context = context_sentence(s); !context.empty()) return context;
    // Where there is no room for all, the last sentences are left out.
    const bool to_keys = state.pinned_queries.empty() && !state.pinned_keys.empty();
    const auto row = to_keys ? received_words(s, state) : row_words(s, state);
    if (s.focus.combine) return without_last_space(row); // of one head is told what it does
    const bool multiplied = shows_multiplied(s);         // what is said of it is drawn
    return without_last_space((row.empty() ? hidden_words(s) : row) + head_worth(s) +
                              (multiplied ? std::string() : head_doing(s)));
}

std::string compared_reading(const Snapshot& s, const ViewState& state) {
    const bool weights = s.focus.combine || s.focus.stage == trace::Stage::weights;
    const auto* then = s.reference ? s.reference->map.get() : nullptr;
    const auto cell = most_changed(s);
    if (!weights || !s.map || !then || !cell) return {};
    const auto [query, key] = *cell;
    const Snapshot reference = as_snapshot(*s.reference);
    const Units units(s, map_units(s)), other_units(reference, map_units(reference));
    const Names names = quoted_names(units), others = quoted_names(other_units);
    const std::string& name = s.reference->asked.name;
    const auto both = [&](const std::string& now, const std::string& other) {
        return now == other ? now : fmt::format("{} ({}: {})", now, name, other);
    };
    const auto told = [&](num::Index row, num::Index col) {
        return fmt::format("{} to {}, was {}, now {}.", both(names.query(row), others.query(row)),
                           both(names.key(col), others.key(col)), weight_told(then->row(row), col),
                           weight_told(s.map->row(row), col));
    };
    const std::string words = fmt::format("Largest change from {}: {}", name, told(query, key));
    const auto chosen =
        state.compare == Compare::difference ? shown_cell(s, state, units) : std::nullopt;
    if (!chosen || (chosen->first == query && chosen->second == key)) return words;
    return words + " Selected: " + told(chosen->first, chosen->second);
}

std::string neurons_reading(const Snapshot& s, const ViewState& state) {
    return query_words(
        s, state,
        [&](num::Index query, const trace::Neurons& row, num::Index chosen, const ShownRow& shown) {
            const num::Index key = shown.largest;
            const auto& keys = s.run->trace.keys(s.focus.head.kind);
            return without_last_space(attends_words(quoted_names(row_tokens(s), keys), query, key,
                                                    shown.weights, {static_cast<int>(chosen)},
                                                    [&](num::Index other) {
                                                        return figure::is_masked(
                                                            row, static_cast<int>(other));
                                                    }) +
                                      product_words(row, key, quoted_token(keys, key))) +
                   summed_by_word(s, s.focus.head.kind, row.weights);
        });
}

std::string stages_reading(const Snapshot& s, const ViewState& state) {
    return query_words(
        s, state,
        [&](num::Index query, const trace::Neurons& row, num::Index chosen, const ShownRow&) {
            const auto key = static_cast<std::size_t>(chosen);
            const Names names = quoted_names(row_tokens(s), s.run->trace.keys(s.focus.head.kind));
            const auto number = [](float value) { return number_text(value, 2); };
            std::string words =
                fmt::format("{}{} and {}: their score is {}", hidden_words(s), names.query(query),
                            names.key(static_cast<num::Index>(key)), number(row.scores[key]));
            if (row.scaled[key] != row.scores[key])
                words += fmt::format(", scaled {}{}", row.softcap > 0 ? "and bounded " : "",
                                     number(row.scaled[key]));
            if (!std::isfinite(row.masked[key]))
                return words + ", and the mask leaves it no weight.";
            if (row.masked[key] != row.scaled[key])
                words += fmt::format(", with position bias {}", number(row.masked[key]));
            if (row.temperature != 1)
                words += fmt::format(", ÷ temperature {:.3g}: {}", row.temperature,
                                     number(row.masked[key] / row.temperature));
            const float share = figure::told_weight(row.exponentials[key] / row.sum, row.weights);
            words += fmt::format("; softmax makes it a weight of {}", figure::weight_text(share));
            if (std::abs(share - row.weights[key]) < 5e-4f) return words + ".";
            return words + fmt::format(", {} {}.", row.dropped ? "after dropout" : "edited to",
                                       figure::row_weight_text(row.weights[key], row.weights));
        });
}

std::string step_reading(const Snapshot& s, const ViewState& state) {
    const auto step =
        s.step ? s.step : trace::decoder_step(s.run->trace, step_shown(s, state), s.focus.head);
    if (!step) return {};
    const SpokenStep* spoken = spoken_at(s, step->step);
    const std::string context = context_sentence(s);
    if (!spoken && !context.empty()) return context;
    std::string words = fmt::format("Step {}", step->step + 1), by_word;
    if (context.empty() && step->row && !step->row->weights.empty()) {
        const auto kind = step->head ? step->head->kind : trace::AttentionKind::cross;
        words += attended_words(s, kind, step->row->weights) + (spoken ? " and" : ".");
        by_word = summed_by_word(s, kind, step->row->weights);
    }
    if (!spoken) return step->row ? words + by_word : "";
    const SaidWord& said = spoken->said;
    const bool likeliest = !spoken->likeliest.empty() && spoken->likeliest[0].row == said.row;
    words += likeliest ? " says “" + said.word + "”, with probability "
                       : " gives “" + said.word + "” a probability of ";
    words += probability_text(said.probability) + ".";
    return words + (context.empty() ? by_word : " " + context);
}

num::Index evenly_over(const num::RowVector<float>& row) {
    constexpr float kAbout = 0.2f;
    const num::Index words = (row.array() > 0).count();
    if (words < 2) return 0;
    const float mean = row.sum() / static_cast<float>(words);
    const bool even = std::ranges::all_of(
        row, [&](float weight) { return weight == 0 || std::abs(weight - mean) <= kAbout * mean; });
    return even ? words : 0;
}

} // namespace heed::app
