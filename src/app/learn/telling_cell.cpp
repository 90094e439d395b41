#include "app/learn/telling_cell.hpp"

#include "app/engine/measures.hpp"
#include "app/engine/speech.hpp"
#include "base/check.hpp"
#include "models/model/model.hpp"
#include "num/threads.hpp"

#include <limits>
#include <utility>

namespace heed::app {

namespace {

/// The key with the least weight of those that the row may look at.
std::optional<num::Index> least_key(const num::RowVector<float>& row) {
    std::optional<num::Index> least;
    float weight = std::numeric_limits<float>::infinity();
    for (num::Index j = 0; j < row.size(); ++j) {
        if (!(row[j] > 0) || row[j] >= weight) continue;
        least = j;
        weight = row[j];
    }
    return least;
}

/// Which of the tokens with the same text this one is, from 1; 0 where it is the only one.
int number_among(const std::vector<text::Token>& tokens, num::Index at) {
    int number = 0, all = 0;
    for (num::Index i = 0; i < std::ssize(tokens); ++i) {
        if (tokens[static_cast<std::size_t>(i)].text != tokens[static_cast<std::size_t>(at)].text)
            continue;
        ++all;
        number += i <= at;
    }
    return all > 1 ? number : 0;
}

std::shared_ptr<const models::Run> run_with(const std::shared_ptr<const models::Run>& run,
                                            const trace::HeadId& head, const nn::WeightEdit& edit,
                                            num::ThreadPool& pool, const std::stop_token& stop) {
    const models::Scope scope{head.kind, head.layer, head.head};
    models::Controls controls = run->controls;
    models::HeadControls own = controls.at(scope);
    own.edits = {edit};
    controls.set(scope, std::move(own));
    models::RunOptions options;
    options.stop = stop;
    options.previous = run;
    const auto again = models::run(run->model, run->input, controls, pool, options);
    return again ? *again : nullptr;
}

} // namespace

bool can_tell(const Snapshot& s) {
    if (!s.run || s.error || !s.run->model->traits().decodes) return false;
    const auto map = s.run->trace.map(s.focus.head);
    return map && map->head().settings.edits.empty() &&
           tells_worth(*s.run->model, s.focus.head.kind) && !added_words(*s.run).empty();
}

std::optional<TellingCell> telling_cell(const Snapshot& s, const std::stop_token& stop) {
    HEED_CHECK(can_tell(s), "nothing can be told of this head");
    num::ThreadPool pool(1);
    const auto map = s.run->trace.map(s.focus.head);
    const auto& rows = row_tokens(s);
    const auto& keys = s.run->trace.keys(s.focus.head.kind);
    const num::Matrix<float> weights = map->whole(trace::Stage::weights);
    const std::string said = added_line(*s.run, s.document.segmentation);
    for (num::Index i = 0; i < weights.rows() && i < std::ssize(rows); ++i) {
        const auto key = least_key(weights.row(i));
        if (!key || *key >= std::ssize(keys)) continue;
        const auto run = run_with(s.run, s.focus.head, {i, *key, 1.0f}, pool, stop);
        if (stop.stop_requested()) return std::nullopt;
        if (!run) continue;
        std::string says = added_line(*run, s.document.segmentation);
        if (says == said) continue;
        return TellingCell{i,
                           *key,
                           rows[static_cast<std::size_t>(i)].text,
                           keys[static_cast<std::size_t>(*key)].text,
                           std::move(says),
                           number_among(rows, i),
                           number_among(keys, *key)};
    }
    return std::nullopt;
}

} // namespace heed::app
