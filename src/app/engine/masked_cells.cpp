#include "app/engine/masked_cells.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

using figure::CellRun;
using num::Index;
using trace::Stage;

namespace {

using Runs = std::vector<std::pair<Index, Index>>; // half open, ascending

Runs common(const Runs& a, const Runs& b) {
    Runs both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Index first = std::max(a[i].first, b[j].first);
        const Index last = std::min(a[i].second, b[j].second);
        if (first < last) both.emplace_back(first, last);
        a[i].second < b[j].second ? ++i : ++j;
    }
    return both;
}

/// But for what was given a weight by hand.
Runs forbidden(const trace::AttentionMap& map, Index query) {
    Runs runs = map.head().settings.mask->forbidden(query, map.cols(Stage::weights),
                                                    map.attention().valid_keys);
    for (const nn::WeightEdit& edit : nn::edits_of(map.head().settings.edits, query)) {
        const auto at = std::find_if(runs.begin(), runs.end(), [&](const auto& run) {
            return edit.key >= run.first && edit.key < run.second;
        });
        if (at == runs.end()) continue;
        const auto [first, last] = *at;
        const Runs around = common({{first, last}}, {{0, edit.key}, {edit.key + 1, last}});
        runs.insert(runs.erase(at), around.begin(), around.end());
    }
    return runs;
}

/// The words that lie inside of runs of tokens.
Runs whole_words(const Runs& runs, const text::Words& keys) {
    Runs words;
    for (const auto& [first, last] : runs) {
        const auto begin = keys.first.begin(), end = keys.first.end() - 1;
        const Index from = std::lower_bound(begin, end, static_cast<std::size_t>(first)) - begin;
        Index to = from;
        while (to < std::ssize(keys.words) &&
               keys.end(static_cast<std::size_t>(to)) <= static_cast<std::size_t>(last)) {
            ++to;
        }
        if (from < to) words.emplace_back(from, to);
    }
    return words;
}

} // namespace

std::vector<CellRun> masked_cells(const trace::AttentionMap& map, const text::Words* queries,
                                  const text::Words* keys) {
    std::vector<CellRun> cells;
    if (map.head().settings.mask->empty()) return cells;
    const Index rows = queries ? static_cast<Index>(queries->count()) : map.rows(Stage::weights);
    for (Index row = 0; row < rows; ++row) {
        const auto word = static_cast<std::size_t>(row);
        const Index first = queries ? static_cast<Index>(queries->first[word]) : row;
        const Index last = queries ? static_cast<Index>(queries->end(word)) : row + 1;
        bool any = false;
        for (Index query = first; query < last; ++query) any |= map.has_distribution(query);
        if (!any) continue;
        Runs runs = forbidden(map, first);
        for (Index query = first + 1; query < last; ++query) {
            runs = common(runs, forbidden(map, query));
        }
        if (keys) runs = whole_words(runs, *keys);
        for (const auto& [from, to] : runs) cells.push_back({row, from, to});
    }
    return cells;
}

std::vector<CellRun> masked_cells(const trace::Trace& trace, std::span<const trace::HeadId> heads,
                                  const text::Words* queries, const text::Words* keys) {
    if (heads.empty()) return {};
    const auto mask_of = [&](const trace::HeadId& id) {
        return trace.map(id)->head().settings.mask;
    };
    const nn::SharedMask mask = mask_of(heads.front());
    const bool alike = std::all_of(heads.begin(), heads.end(),
                                   [&](const trace::HeadId& id) { return mask_of(id) == mask; });
    return alike ? masked_cells(*trace.map(heads.front()), queries, keys) : std::vector<CellRun>{};
}

bool is_masked(const trace::AttentionMap& map, const num::Rect& tokens) {
    if (map.head().settings.mask->empty()) return false;
    for (Index query = tokens.row; query < tokens.row + tokens.rows; ++query) {
        const Runs runs = forbidden(map, query);
        const bool all = std::any_of(runs.begin(), runs.end(), [&](const auto& run) {
            return run.first <= tokens.col && tokens.col + tokens.cols <= run.second;
        });
        if (!all) return false;
    }
    return true;
}

} // namespace heed::app
