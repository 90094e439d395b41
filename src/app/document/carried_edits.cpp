#include "app/document/carried_edits.hpp"

#include "app/document/prepare_input.hpp"
#include "models/model/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using models::HeadControls;
using models::Scope;
using num::Index;
using trace::AttentionKind;
using Cell = std::pair<Index, Index>; // query, key

Moves moves(const std::vector<text::Token>& before, const std::vector<text::Token>& after) {
    const std::size_t n = before.size(), m = after.size(), least = std::min(n, m);
    std::size_t front = 0, back = 0;
    while (front < least && before[front].text == after[front].text) ++front;
    while (back < least - front && before[n - 1 - back].text == after[m - 1 - back].text) ++back;
    Moves places(n);
    for (std::size_t i = 0; i < front; ++i) places[i] = static_cast<int>(i);
    for (std::size_t i = n - back; i < n; ++i) places[i] = static_cast<int>(i + m - n);
    return places;
}

TokenMoves token_moves(const Document& before, const Document& after, const Reader& reader) {
    const auto then = models::sides(reader.config, prepare_input(before, reader.model).input);
    const auto now = models::sides(reader.config, prepare_input(after, reader.model).input);
    return {moves(then.first.tokens, now.first.tokens),
            moves(then.second.tokens, now.second.tokens)};
}

std::vector<int> moved(const std::vector<int>& tokens, const Moves& moves) {
    std::vector<int> places;
    for (const int token : tokens) {
        if (token < 0 || static_cast<std::size_t>(token) >= moves.size()) continue;
        if (const auto place = moves[static_cast<std::size_t>(token)]) places.push_back(*place);
    }
    return places;
}

namespace {

/// New place of a cell of a scope.
std::optional<Cell> place_of(const Cell& cell, const Scope& scope, const TokenMoves& moves) {
    std::optional<Cell> place;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        const Moves &queries = moves.queries(kind), &keys = moves.keys(kind);
        const bool has = (!scope.kind || *scope.kind == kind) && cell.first >= 0 &&
                         cell.second >= 0 && cell.first < static_cast<Index>(queries.size()) &&
                         cell.second < static_cast<Index>(keys.size());
        if (!has) continue;
        const auto query = queries[static_cast<std::size_t>(cell.first)];
        const auto key = keys[static_cast<std::size_t>(cell.second)];
        if (!query || !key || (place && *place != Cell(*query, *key))) return std::nullopt;
        place = Cell(*query, *key);
    }
    return place;
}

/// True where a mask says no more than the model itself where nothing else sets one.
bool is_usual(const nn::Mask& mask, const Scope& scope) {
    if (!scope.kind) return false;
    nn::Mask usual;
    usual.causal = *scope.kind == AttentionKind::decoder_self;
    return mask == usual;
}

std::size_t move_painted(nn::Mask& mask, const Scope& scope, const TokenMoves& moves) {
    std::vector<Cell> places;
    for (const Cell& cell : mask.painted) {
        if (const auto place = place_of(cell, scope, moves)) places.push_back(*place);
    }
    const std::size_t gone = mask.painted.size() - places.size();
    std::sort(places.begin(), places.end());
    mask.painted = std::move(places);
    return gone;
}

std::size_t move_edits(std::vector<nn::WeightEdit>& edits, const Scope& scope,
                       const TokenMoves& moves) {
    std::vector<nn::WeightEdit> places;
    for (const nn::WeightEdit& edit : edits) {
        const auto place = place_of({edit.query, edit.key}, scope, moves);
        if (place) places.push_back({place->first, place->second, edit.weight});
    }
    const std::size_t gone = edits.size() - places.size();
    edits = std::move(places);
    return gone;
}

void carry(models::Controls& controls, const TokenMoves& moves, Carried& count) {
    const auto masks = std::count_if(controls.scoped.begin(), controls.scoped.end(),
                                     [](const auto& entry) { return entry.controls.mask; });
    const std::vector<models::ScopedControls> entries = controls.scoped;
    for (const auto& [scope, before] : entries) {
        HeadControls own = before;
        if (own.mask && !own.mask->painted.empty()) {
            count.painted += move_painted(*own.mask, scope, moves);
            const bool bare = own.mask->painted.empty() && is_usual(*own.mask, scope);
            if (bare && masks == 1) own.mask.reset();
        }
        if (own.edits && !own.edits->empty()) {
            count.edits += move_edits(*own.edits, scope, moves);
            if (own.edits->empty()) own.edits.reset();
        }
        controls.set(scope, std::move(own));
    }
}

bool has_cells(const models::Controls& controls) {
    return std::any_of(controls.scoped.begin(), controls.scoped.end(), [](const auto& entry) {
        const HeadControls& own = entry.controls;
        return (own.mask && !own.mask->painted.empty()) || (own.edits && !own.edits->empty());
    });
}

std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

} // namespace

Carried carried(const Document& before, Document next, const Reader& reader) {
    Carried result;
    next.controls = before.controls;
    next.resting = before.resting;
    if (has_cells(before.controls) || has_cells(before.resting)) {
        const TokenMoves places = token_moves(before, next, reader);
        carry(next.controls, places, result);
        carry(next.resting, places, result);
    }
    result.document = std::move(next);
    return result;
}

std::string let_go_words(const Carried& carried) {
    if (carried.painted + carried.edits == 0) return {};
    std::string words;
    if (carried.painted > 0) words = counted(carried.painted, "painted cell");
    if (carried.edits > 0) {
        words += (words.empty() ? "" : " and ") + counted(carried.edits, "edited weight");
    }
    return words + (carried.painted + carried.edits == 1
                        ? " was removed with its words \u00b7 Undo brings it back"
                        : " were removed with their words \u00b7 Undo brings them back");
}

} // namespace heed::app
