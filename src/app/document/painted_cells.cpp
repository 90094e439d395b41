#include "app/document/painted_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heed::app {

namespace {

struct MapSize {
    trace::AttentionKind kind;
    num::Index queries, keys;
};

std::vector<MapSize> sizes_of(const models::Scope& scope, const trace::Trace& trace) {
    std::vector<MapSize> sizes;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        if (scope.kind && *scope.kind != kind) continue;
        if (const auto map = trace.map({kind, 0, 0})) { // every head's is as large
            sizes.push_back(
                {kind, map->rows(trace::Stage::weights), map->cols(trace::Stage::weights)});
        }
    }
    return sizes;
}

} // namespace

std::string painted_outside(const models::ScopedControls& entry, const trace::Trace& trace) {
    if (!entry.controls.mask) return {};
    const std::vector<MapSize> sizes = sizes_of(entry.scope, trace);
    for (const auto& [query, key] : entry.controls.mask->painted) {
        const auto holds = [q = query, k = key](const MapSize& map) {
            return q < map.queries && k < map.keys;
        };
        if (std::any_of(sizes.begin(), sizes.end(), holds)) continue;
        std::string words = fmt::format(
            "the painted cell {}:{} lies outside of queries × keys:", query + 1, key + 1);
        for (const MapSize& map : sizes) {
            words += fmt::format("{} {} {} × {}", &map == &sizes.front() ? "" : ",",
                                 trace::name(map.kind), map.queries, map.keys);
        }
        return words;
    }
    return {};
}

std::string painted_outside(const models::Controls& controls, const trace::Trace& trace) {
    for (const models::ScopedControls& entry : controls.scoped) {
        if (std::string words = painted_outside(entry, trace); !words.empty()) return words;
    }
    return {};
}

} // namespace heed::app
