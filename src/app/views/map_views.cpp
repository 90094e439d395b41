#include "app/views/map_views.hpp"

#include "app/document/names.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/pictures.hpp"
#include "app/engine/speech.hpp"
#include "app/views/figure_tables.hpp"
#include "app/views/filter.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/side_by_side.hpp"
#include "figure/views/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

/// The selected cell, where the picture of query × key has it: a sentence may have become shorter.
std::optional<std::pair<int, int>> cell_inside(const ViewState& state, Index queries, Index keys) {
    const auto& s = state.selected;
    const bool inside =
        s && s->first >= 0 && s->second >= 0 && s->first < queries && s->second < keys;
    return inside ? s : std::nullopt;
}

/// Filters a map by the choice of tokens, and adds the strips that choose.
void filter(figure::MapData& data, figure::HeatmapOptions& options, const Snapshot& of,
            const ViewState& state) {
    const Units units(of, map_units(of));
    options.chosen_rows = chosen_queries(units, state.pinned_queries);
    options.chosen_cols = chosen_keys(units, state.pinned_keys);
    data.subtitle += filter_phrase(filter_words(state, units));
    if (!state.strips || !data.weights || !of.strips || !of.strips->given) return;
    // Every query that has a key gives 1 in all, but where some of it goes to hidden tokens.
    float least = 1, most = 0;
    for (const float share : of.strips->given->reshaped()) {
        if (!(share > 0)) continue;
        least = std::min(least, share);
        most = std::max(most, share);
    }
    const bool differ = most - least > 0.005f;
    options.row_strip = {of.strips->given, differ || !options.chosen_cols.empty()};
    options.col_strip = {of.strips->received, true};
}

struct HeatmapParts {
    figure::MapData data;
    figure::HeatmapOptions options;
};

/// `of`: the state that the map is of.
HeatmapParts parts_of(figure::MapData data, const Snapshot& of, const ViewState& state) {
    figure::HeatmapOptions options = map_options(data, state);
    // A stage of features has no cell that is one query and one key.
    if (shows_pairs(of)) {
        options.selected = shown_cell(of, state, Units(of, map_units(of)));
        filter(data, options, of, state);
    }
    return {std::move(data), std::move(options)};
}

/// A map that is drawn, and what its numbers are called.
struct ShownMap {
    std::string name;
    HeatmapParts parts;
};

std::string map_name(const Snapshot& snapshot) {
    const Focus& focus = snapshot.focus;
    if (shows_states(snapshot)) return "states";
    if (shows_multiplied(snapshot)) return fmt::format("weights times {}", name_of(focus.times));
    return focus.combine ? fmt::format("{} of weights", name_of(*focus.combine))
                         : std::string(trace::name(focus.stage));
}

/// "original, 10 rows: le chat noir": the size of a map, and the words of the side that differs.
std::string side_words(const std::string& name, const figure::MapData& map, bool of_rows) {
    constexpr std::size_t kMost = 24; // words
    const auto& labels = of_rows ? map.row_labels : map.col_labels;
    std::string words;
    for (std::size_t i = 0; i < std::min(labels.size(), kMost); ++i) {
        words += (i == 0 ? "" : " ") + labels[i];
    }
    return fmt::format("{}, {} {}: {}{}", name, labels.size(), of_rows ? "rows" : "columns", words,
                       labels.size() > kMost ? " …" : "");
}

/// True where the rows of a map are what a decoder says or reads.
bool has_rows_of_output(const Snapshot& snapshot) {
    return snapshot.focus.head.kind != AttentionKind::encoder_self &&
           snapshot.run->model->traits().encodes && !has_key_rows(snapshot.focus.stage);
}

/// One map; or two, the present one first, where it stands beside the reference's.
std::vector<ShownMap> shown_maps(const Snapshot& snapshot, const ViewState& state) {
    const bool comparable = snapshot.reference && snapshot.reference->run;
    figure::MapData data = map_data(snapshot);
    const std::string name = map_name(snapshot);
    std::vector<ShownMap> maps;
    if (state.compare == Compare::difference && comparable) {
        if (auto difference = difference_data(snapshot)) {
            maps.push_back({"difference", parts_of(*std::move(difference), snapshot, state)});
            return maps;
        }
    }
    maps.push_back({name, parts_of(std::move(data), snapshot, state)});
    if (!shows_beside(snapshot, state)) return maps;
    const Snapshot reference = as_snapshot(*snapshot.reference);
    maps.push_back({snapshot.reference->asked.name + " " + name,
                    parts_of(reference_data(snapshot), reference, state)});
    return maps;
}

/// One caption of both maps, which says where either stands; once what is said of both.
std::string caption_beside(const std::string& now, const std::string& then, const std::string& name,
                           bool stacked) {
    const auto capital = [](std::string word) {
        word[0] = static_cast<char>(word[0] - 'a' + 'A');
        return word;
    };
    const MapSides sides = map_sides(stacked);
    const std::string first = capital(sides.reference), second = capital(sides.now);
    if (now.find(then) != now.npos) {
        return fmt::format("{} {}: {}. {}: now.", now, first, name, second);
    }
    return fmt::format("{}, {}: {} {}, now: {}", first, name, then, second, now);
}

/// Says of either map what its model said, where that is not the same.
void tell_outputs(const Snapshot& snapshot, figure::MapData& now, figure::MapData& then) {
    if (!has_rows_of_output(snapshot)) return;
    const std::string says = said_line(*snapshot.run, snapshot.document.segmentation);
    const std::string said =
        said_line(*snapshot.reference->run, snapshot.reference->asked.document.segmentation);
    if (says == said) return;
    // In place of what rows and columns are, which the words at the axes say too.
    const auto told = [](const std::string& words, const std::string& subtitle) {
        const auto behind = subtitle.find(" · ");
        return fmt::format("says “{}”", words) +
               (behind == std::string::npos ? "" : subtitle.substr(behind));
    };
    now.subtitle = told(says, now.subtitle);
    then.subtitle = told(said, then.subtitle);
}

/// Names the model of either map, where they are of two.
void tell_models(const Snapshot& snapshot, figure::MapData& now, figure::MapData& then) {
    if (same_model(snapshot.document, snapshot.reference->asked.document)) return;
    now.subtitle = drawn_model_title(snapshot) + " · " + now.subtitle;
    then.subtitle = drawn_model_title(as_snapshot(*snapshot.reference)) + " · " + then.subtitle;
}

/// Two maps, the reference at the left, as the state from which one came.
figure::Figure maps_beside(const Snapshot& snapshot, const ViewState& state, HeatmapParts& now,
                           HeatmapParts& then, const figure::Frame& frame) {
    figure::Frame half = frame;
    half.width = frame.width / 2;
    half.beside_title = std::min(frame.beside_title, half.width); // the titles go below it
    half.subtitle_lines = 2;
    if (frame.width > 0) half.margin = figure::margin_of(frame.width); // where one map begins
    half.caption.clear();
    figure::Frame left = half;
    half.reading.clear(); // it is of both, and stands once
    // The colour bar, which is of both, takes from either: no more than leaves their titles alike,
    // and what is right of the middle to the right one.
    constexpr float kNarrow = 500; // where words above either need all of their half
    const bool narrow = frame.width > 0 && frame.width < kNarrow;
    // And of its gap: as much is left free by the other map.
    const float half_of_bar = half.width >= 500 ? 37.f : 29.f;
    const float shift =
        frame.width >= kNarrow
            ? std::min(half_of_bar, figure::alike_titles(half.width - 2 * *half.margin))
            : 0;
    left.small_title = half.small_title =
        frame.width > 0 && figure::has_small_title(half.width - 2 * *half.margin);
    left.width -= shift;
    half.width += shift;
    now.data.title += " · now"; // the other one's ends with its name
    tell_outputs(snapshot, now.data, then.data);
    tell_models(snapshot, now.data, then.data);
    fit_subtitle(now.data.subtitle, half);
    fit_subtitle(then.data.subtitle, left);
    // In a column of a page, or on a high stage, two maps that have no room for names stand above
    // each other.
    const bool open = !(frame.height > 0), high = frame.height > 1.2f * frame.width;
    bool stacked = false;
    std::optional<figure::Figure> laid;
    const std::string titles[] = {then.data.title, now.data.title};
    const auto fit = [&] {
        fit_titles({{as_snapshot(*snapshot.reference).focus.head, &then.data.title, left},
                    {snapshot.focus.head, &now.data.title, half}});
    };
    fit();
    if (open ? narrow : high) {
        auto beside = figure::named_heatmaps_beside({then.data, then.options, left},
                                                    {now.data, now.options, half});
        if (beside && !state.caption) return *std::move(beside);
        stacked = !beside;
        if (open) laid = std::move(beside);
    }
    if (stacked) {
        half.width = left.width = frame.width;
        half.small_title = left.small_title = false;
        if (open) half.subtitle_lines = left.subtitle_lines = 0;
        then.data.title = titles[0];
        now.data.title = titles[1];
        fit();
    }
    const auto draw = [&](float height) {
        if (laid) return *std::move(laid); // as it is, of its own height
        left.height = half.height = stacked ? height / 2 : height;
        const figure::HeatmapAsked before{then.data, then.options, left};
        const figure::HeatmapAsked after{now.data, now.options, half};
        return stacked ? figure::heatmaps_stacked(before, after)
                       : figure::heatmaps_beside(before, after);
    };
    if (!state.caption) return draw(frame.height);
    figure::Frame around = frame;
    around.caption = caption_beside(frame.caption, caption(as_snapshot(*snapshot.reference), state),
                                    snapshot.reference->asked.name, stacked);
    if (!(frame.width > 0)) around.width = draw(frame.height).width;
    figure::Sheet sheet(around, around.width, 0);
    const figure::Figure maps = draw(open ? 0 : sheet.footer() + sheet.margin_y());
    sheet.figure.title = maps.title;
    sheet.figure.stacked = maps.stacked;
    figure::put(sheet.figure, maps, {});
    if (open) sheet.close_at(maps.height - sheet.margin_y());
    return std::move(sheet.figure);
}

} // namespace

std::string same_maps_words(const Snapshot& snapshot, const ViewState& state) {
    const auto* difference = snapshot.reference ? snapshot.reference->difference.get() : nullptr;
    const bool same = difference != nullptr && (difference->array() == 0).all();
    if (!same || !shows_beside(snapshot, state)) return {};
    std::string words = no_difference_words(snapshot);
    words.front() = 'N';
    return words + ".";
}

std::string lacks_difference(const Snapshot& snapshot, const ViewState& state) {
    const auto& reference = snapshot.reference;
    const bool asked = state.compare == Compare::difference && reference && reference->run;
    if (!asked || reference->difference) return {};
    const std::string& name = reference->asked.name;
    if (!reference->map) return fmt::format("No difference to show: {} has no such map.", name);
    const figure::MapData now = map_data(snapshot), then = reference_data(snapshot);
    const bool of_rows = now.values->rows() != then.values->rows();
    const char* what = of_rows && has_rows_of_output(snapshot) ? "The output has another length now"
                                                               : "The two maps differ in size";
    return fmt::format("{}: there is no difference to show.\n{}\n{}", what,
                       side_words(name, then, of_rows), side_words("now", now, of_rows));
}

figure::Figure heatmap_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame) {
    if (const std::string words = lacks_difference(snapshot, state); !words.empty()) {
        return figure::sentence_instead(map_data(snapshot).title, words, frame);
    }
    auto maps = shown_maps(snapshot, state);
    HeatmapParts& now = maps[0].parts;
    if (maps.size() == 1) {
        fit_titles({{snapshot.focus.head, &now.data.title, frame}});
        return figure::heatmap(now.data, now.options, frame);
    }
    return maps_beside(snapshot, state, now, maps[1].parts, frame);
}

files::Tables heatmap_tables(const Snapshot& snapshot, const ViewState& state) {
    files::Tables tables;
    for (const ShownMap& map : shown_maps(snapshot, state)) {
        const files::Tables one = tables_of(map.parts.data, map.parts.options, map.name);
        tables.all.insert(tables.all.end(), one.all.begin(), one.all.end());
    }
    return tables;
}

namespace {

/// " · from “cat” + “sat”": whose links are shown alone.
std::string pinned_words(const char* before, const std::vector<int>& pinned,
                         const std::vector<std::string>& labels) {
    constexpr std::size_t kMost = 4;
    std::string words;
    for (std::size_t i = 0; i < std::min(pinned.size(), kMost); ++i) {
        const auto unit = static_cast<std::size_t>(pinned[i]);
        words += fmt::format("{}“{}”", words.empty() ? "" : " + ",
                             unit < labels.size() ? labels[unit] : "");
    }
    if (pinned.size() > kMost) words += fmt::format(" + {} more", pinned.size() - kMost);
    return words.empty() ? words : fmt::format(" · {} {}", before, words);
}

} // namespace

namespace {

/// The links of the focused head, or of those that lie over each other; of the map above them where
/// that is of several.
struct LinksParts {
    figure::LinesData data;
    figure::LinksOptions options;
    bool columns; // two of tokens, instead of arcs over one line
};

LinksParts links_parts(const Snapshot& snapshot, const ViewState& state, const Hovered& hovered) {
    const trace::HeadId& head = snapshot.focus.head;
    const figure::MapData map = weights_data(snapshot, shows_combined(snapshot, state));
    figure::LinesData data = figure::lines_data(map);
    if (map.sums) data.full = std::max(figure::largest_size(map), 1.0f);
    data.n_heads = snapshot.run->trace.n_heads(head.kind);
    if (!snapshot.overlay.empty()) {
        data.heads.clear();
        for (const auto& [number, weights] : snapshot.overlay) {
            data.heads.push_back({number, weights});
        }
        data.title = overlay_title(snapshot) + unit_words(snapshot.units.get());
        data.subtitle = weights_meaning(snapshot, Drawn::links) +
                        changes_told(*snapshot.run, overlay_heads(snapshot));
    }
    figure::LinksOptions options = links_options(snapshot, state, hovered);
    data.title += pinned_words("from", options.queries, data.row_labels);
    data.title += pinned_words("to", options.keys, data.col_labels);
    return {std::move(data), std::move(options),
            head.kind == AttentionKind::cross || state.columns};
}

} // namespace

figure::Figure links_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::Frame& frame, const Hovered& hovered) {
    LinksParts links = links_parts(snapshot, state, hovered);
    fit_titles({{snapshot.focus.head, &links.data.title, frame}});
    return links.columns ? figure::lines(links.data, links.options, frame)
                         : figure::arcs(links.data, links.options, frame);
}

std::string key_unit(const Snapshot& s) {
    if (joins_words(s)) return "word";
    const bool target = s.focus.head.kind == trace::AttentionKind::decoder_self;
    return target ? unit_of(*s.run) : unit_of(*s.run, s.run->input.source);
}

files::Tables links_tables(const Snapshot& snapshot, const ViewState& state) {
    const LinksParts links = links_parts(snapshot, state, {});
    return tables_of(links.data, links.options, links.columns);
}

figure::HeatmapOptions map_options(const figure::MapData& data, const ViewState& state) {
    figure::HeatmapOptions options;
    options.palette = data.signed_values ? std::nullopt : state.palette;
    options.range = state.range;
    // A large map has its logarithms from the engine, and is never searched through here.
    const bool ready = !data.prepared || data.prepared->logarithms;
    if (!data.signed_values && ready) options.scale = state.scale;
    options.numbers = state.numbers;
    options.colour_bar = state.bar;
    options.viewport = state.viewport;
    return options;
}

figure::LinksOptions links_options(const Snapshot& snapshot, const ViewState& state,
                                   const Hovered& hovered) {
    const Units units(snapshot, merges(snapshot));
    figure::LinksOptions options;
    options.threshold = state.threshold;
    options.selected = shown_cell(snapshot, state, units);
    options.queries = chosen_queries(units, state.pinned_queries);
    options.keys = chosen_keys(units, state.pinned_keys);
    options.isolated_query = hovered.query;
    options.isolated_key = hovered.key;
    options.columns = state.columns;
    return options;
}

bool shows_beside(const Snapshot& snapshot, const ViewState& state) {
    if (state.compare == Compare::off || !snapshot.reference || !snapshot.reference->run) {
        return false;
    }
    return state.compare == Compare::beside || !snapshot.reference->difference;
}

bool shows_combined(const Snapshot& snapshot, const ViewState& state) {
    const bool lines = state.view == View::lines && snapshot.overlay.empty();
    const bool in_view = lines || state.view == View::heatmap || state.view == View::picture;
    return in_view && snapshot.focus.combine && snapshot.map;
}

std::optional<std::pair<int, int>> selected_cell(const Snapshot& snapshot, const ViewState& state) {
    const auto map = snapshot.run ? snapshot.run->trace.map(snapshot.focus.head) : std::nullopt;
    if (!map) return std::nullopt;
    return cell_inside(state, map->rows(Stage::weights), map->cols(Stage::weights));
}

int query_shown(const ViewState& state, Index queries, const std::vector<int>& hidden) {
    const int query = state.selected ? state.selected->first : -1;
    return row_or_first(std::ranges::binary_search(hidden, query) ? -1 : query, queries, hidden);
}

std::optional<int> key_shown(const ViewState& state, Index keys, const std::vector<int>& hidden) {
    const int key = state.selected ? state.selected->second : -1;
    const bool there = key >= 0 && key < keys && !std::ranges::binary_search(hidden, key);
    return there ? std::optional(key) : std::nullopt;
}

std::optional<std::pair<int, int>> shown_cell(const Snapshot& snapshot, const ViewState& state,
                                              const Units& units) {
    const auto cell = selected_cell(snapshot, state);
    if (!cell) return std::nullopt;
    return std::pair(units.of_query(cell->first), units.of_key(cell->second));
}

std::optional<MapPlace> place_in_map(const Snapshot& snapshot, const ViewState& state) {
    if (!snapshot.run) return std::nullopt;
    const auto cell = shown_cell(snapshot, state, Units(snapshot, map_units(snapshot)));
    if (!cell) return std::nullopt;
    if (shows_pairs(snapshot)) return MapPlace{cell->first, cell->second};
    return MapPlace{has_key_rows(snapshot.focus.stage) ? cell->second : cell->first};
}

} // namespace heed::app
