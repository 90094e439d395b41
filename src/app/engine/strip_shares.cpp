#include "app/engine/strip_shares.hpp"

#include "trace/merged.hpp"
#include "trace/shares.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

using num::Index;
using trace::Stage;

namespace {

/// Tokens as units: ascending, once each.
template <class Unit>
std::vector<int> units_of(const std::vector<int>& tokens, std::size_t count, Unit unit) {
    std::vector<int> list;
    for (const int token : tokens) {
        if (token >= 0 && static_cast<std::size_t>(token) < count) list.push_back(unit(token));
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

/// One number a head: what the chosen queries give to the chosen keys.
Matrix<float> shares_of_heads(const Snapshot& snapshot, const Units& units, num::ThreadPool& pool,
                              const std::stop_token& stop) {
    const trace::Trace& trace = snapshot.run->trace;
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    const auto heads = trace::heads_in(trace, kind, {}, {});
    const std::vector<int> queries = chosen_queries(units, snapshot.needs.strips->queries);
    const std::vector<int> keys = chosen_keys(units, snapshot.needs.strips->keys);
    Matrix<float> shares(trace.n_layers(kind), trace.n_heads(kind));
    pool.for_each(static_cast<Index>(heads.size()), [&](Index i) {
        if (stop.stop_requested()) return;
        const trace::AttentionMap map = *trace.map(heads[static_cast<std::size_t>(i)]);
        const Matrix<float> weights =
            units.merged() ? trace::merged_weights(map, snapshot.units->queries(kind),
                                                   snapshot.units->keys(kind))
                           : map.whole(Stage::weights);
        shares.data()[i] = trace::share(weights, queries, keys);
    });
    return shares;
}

/// Sums and maxima over heads are no attention that is given: they have no shares.
bool of_weights(const Focus& focus) {
    return focus.combine ? *focus.combine == trace::Combine::mean : focus.stage == Stage::weights;
}

StripShares along_map(const Snapshot& snapshot) {
    StripShares shares;
    shares.of = *snapshot.needs.strips;
    if (!of_weights(snapshot.focus) || !snapshot.map || snapshot.map->size() == 0) return shares;
    const Units units(snapshot, map_units(snapshot));
    shares.given =
        num::shared_matrix(trace::given(*snapshot.map, chosen_keys(units, shares.of.keys)));
    shares.received = num::shared_matrix(
        trace::received(*snapshot.map, chosen_queries(units, shares.of.queries)));
    return shares;
}

} // namespace

std::vector<int> chosen_queries(const Units& units, const std::vector<int>& tokens) {
    return units_of(tokens, units.n_query_tokens(),
                    [&](int token) { return units.of_query(token); });
}
std::vector<int> chosen_keys(const Units& units, const std::vector<int>& tokens) {
    return units_of(tokens, units.n_key_tokens(), [&](int token) { return units.of_key(token); });
}

std::shared_ptr<const StripShares> strip_shares(const Snapshot& snapshot, const Snapshot* before,
                                                num::ThreadPool& pool,
                                                const std::stop_token& stop) {
    if (!snapshot.needs.strips) return nullptr;
    auto shares = std::make_shared<StripShares>(along_map(snapshot));
    const Units units(snapshot, merges(snapshot));
    if (chosen_keys(units, shares->of.keys).empty()) return shares;
    const bool known = before && before->strips && before->strips->heads &&
                       before->run == snapshot.run && before->strips->of == shares->of &&
                       before->focus.head.kind == snapshot.focus.head.kind &&
                       before->units == snapshot.units;
    shares->heads = known ? before->strips->heads
                          : num::shared_matrix(shares_of_heads(snapshot, units, pool, stop));
    if (stop.stop_requested()) return nullptr;
    return shares;
}

std::shared_ptr<const StripShares> strip_shares(const Snapshot& reference) {
    if (!reference.needs.strips) return nullptr;
    return std::make_shared<const StripShares>(along_map(reference));
}

Snapshot as_snapshot(const ReferencePicture& reference) {
    Snapshot state;
    state.document = reference.asked.document;
    state.focus = reference.focus;
    state.run = reference.run;
    state.file = reference.asked.document.model_file;
    state.words = reference.words;
    state.units = reference.units;
    state.said = reference.said;
    state.map = reference.map;
    state.strips = reference.strips;
    if (reference.strips) state.needs.strips = reference.strips->of;
    return state;
}

} // namespace heed::app
