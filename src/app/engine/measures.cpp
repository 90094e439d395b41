#include "app/engine/measures.hpp"

#include "app/engine/pictures.hpp"
#include "app/engine/speech.hpp"
#include "base/check.hpp"
#include "inside/head_order.hpp"
#include "inside/head_table.hpp"
#include "models/model/sampling.hpp"
#include "models/model/sides.hpp"
#include "models/transformer/parameters.hpp"
#include "num/softmax.hpp"
#include "trace/merged.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

namespace heed::app {

namespace {

using Clock = std::chrono::steady_clock;

/// The last thing that a run makes: what every head's work ends in.
const num::SharedRows<float>& output_of(const models::Run& run) {
    return run.trace.layers.back()->tensors.back()->values;
}

models::Controls with_gain(models::Controls controls, const trace::HeadId& head, float gain) {
    const models::Scope scope{head.kind, head.layer, head.head};
    models::HeadControls own = controls.at(scope);
    own.gain = gain;
    controls.set(scope, std::move(own));
    return controls;
}

/// The run's model again, with another input or other controls. Null when stopped or refused.
std::shared_ptr<const models::Run> run_again(const std::shared_ptr<const models::Run>& run,
                                             const models::Input& input,
                                             const models::Controls& controls,
                                             num::ThreadPool& pool, const std::stop_token& stop) {
    models::RunOptions options;
    options.stop = stop;
    options.previous = run;
    const auto again = models::run(run->model, input, controls, pool, options);
    return again ? *again : nullptr;
}

} // namespace

bool HeadEffects::complete() const {
    return std::all_of(relative_change.begin(), relative_change.end(),
                       [](const auto& change) { return change.has_value(); });
}

std::shared_ptr<const Matrix<float>> combined_map(const trace::Trace& trace, const Focus& focus,
                                                  num::ThreadPool& pool,
                                                  const std::stop_token& stop) {
    HEED_CHECK(focus.combine.has_value(), "no heads are combined");
    const auto heads = trace::heads_in(trace, focus.head.kind, focus.layers, focus.heads);
    return std::make_shared<const Matrix<float>>(
        trace::combined_weights(trace, heads, *focus.combine, pool, stop));
}

std::shared_ptr<const Matrix<float>> focused_map(const trace::Trace& trace, const Focus& focus,
                                                 const TokenWords* words, num::ThreadPool& pool,
                                                 const std::stop_token& stop) {
    if (focus.combine) {
        const trace::AttentionKind kind = focus.head.kind;
        auto map = combined_map(trace, focus, pool, stop);
        if (!words || map->size() == 0 || stop.stop_requested()) return map;
        return std::make_shared<const Matrix<float>>(
            trace::merged_weights(*map, words->queries(kind), words->keys(kind)));
    }
    const auto map = trace.map(focus.head);
    if (!map) return nullptr;
    return std::make_shared<const Matrix<float>>(between_units(*map, focus.stage, words));
}

std::vector<std::pair<int, std::shared_ptr<const Matrix<float>>>>
overlay_of(const trace::Trace& trace, const Focus& focus, const std::vector<int>& heads,
           const TokenWords* words) {
    const trace::AttentionKind kind = focus.head.kind;
    std::vector<std::pair<int, std::shared_ptr<const Matrix<float>>>> overlay;
    for (const int head : heads) {
        const auto map = trace.map({kind, focus.head.layer, head});
        overlay.emplace_back(
            head, std::make_shared<const Matrix<float>>(
                      words ? trace::merged_weights(*map, words->queries(kind), words->keys(kind))
                            : map->whole(trace::Stage::weights)));
    }
    return overlay;
}

std::shared_ptr<const trace::Flow> flow_of(const trace::Trace& trace, const Focus& focus,
                                           const FlowFocus& asked, const TokenWords* words,
                                           num::ThreadPool& pool, const std::stop_token& stop) {
    const trace::AttentionKind kind = focus.head.kind;
    if (kind == trace::AttentionKind::cross) return nullptr;
    trace::LayerMaps layers;
    for (int layer = 0; layer < trace.n_layers(kind); ++layer) {
        const auto heads = trace::heads_in(trace, kind, {layer}, {});
        layers.push_back(std::make_shared<const Matrix<float>>(
            trace::combined_weights(trace, heads, trace::Combine::mean, pool, stop)));
        if (stop.stop_requested()) return nullptr;
    }
    if (layers.empty()) return nullptr;
    const num::Index last = layers[0]->rows() - 1;
    const auto token = std::clamp<num::Index>(asked.token ? *asked.token : last, 0, last);
    if (words == nullptr) {
        return std::make_shared<const trace::Flow>(trace::flow_to(layers, asked.rule, token));
    }
    const text::Words& of_kind = words->queries(kind);
    const auto word = static_cast<num::Index>(of_kind.of(static_cast<std::size_t>(token)));
    return std::make_shared<const trace::Flow>(
        trace::flow_to_word(layers, asked.rule, of_kind, word));
}

HeadSummary summarize(const Matrix<float>& weights, const inside::MapTokens& tokens) {
    const inside::MapScores s = inside::map_scores(weights, tokens);
    if (s.rows == 0) return {};
    return {s.values[inside::HeadScore::entropy], s.values[inside::HeadScore::distance], s.values,
            s.offset, s.rows};
}

std::shared_ptr<const std::vector<HeadSummary>> head_summaries(const trace::Trace& trace,
                                                               trace::AttentionKind kind,
                                                               num::ThreadPool& pool,
                                                               const std::stop_token& stop) {
    const auto heads = trace::heads_in(trace, kind, {}, {});
    auto summaries = std::make_shared<std::vector<HeadSummary>>(heads.size());
    pool.for_each(static_cast<num::Index>(heads.size()), [&](num::Index i) {
        if (stop.stop_requested()) return;
        const auto at = static_cast<std::size_t>(i);
        (*summaries)[at] = summarize(trace.map(heads[at])->whole(trace::Stage::weights),
                                     inside::map_tokens(trace, kind));
    });
    if (stop.stop_requested()) return nullptr;
    return summaries;
}

std::shared_ptr<const std::vector<int>> alike_heads(const trace::Trace& trace,
                                                    trace::AttentionKind kind,
                                                    num::ThreadPool& pool,
                                                    const std::stop_token& stop) {
    auto order = inside::head_order(trace, kind, pool, stop);
    return order ? std::make_shared<const std::vector<int>>(*std::move(order)) : nullptr;
}

int row_or_first(int row, Index rows, const std::vector<int>& hidden) {
    if (row >= 0 && row < rows) return row;
    const std::vector<int> shown = without(hidden, rows);
    return shown.empty() ? 0 : shown.front();
}

std::shared_ptr<const Matrix<float>>
query_rows(const trace::Trace& trace, trace::AttentionKind kind, const std::optional<int>& query) {
    const auto heads = trace::heads_in(trace, kind, {}, {});
    if (!query || heads.empty()) return nullptr;
    const trace::AttentionMap map = *trace.map(heads[0]);
    const Index row = row_or_first(*query, map.rows(trace::Stage::weights));
    const Index keys = map.cols(trace::Stage::weights);
    auto rows = std::make_shared<Matrix<float>>(std::ssize(heads), keys);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        rows->row(static_cast<Index>(i)) =
            trace.map(heads[i])->rectangle(trace::Stage::weights, {row, 0, 1, keys});
    }
    return rows;
}

std::shared_ptr<const std::vector<num::DotHistogram>> dot_histograms(num::ThreadPool& pool) {
    constexpr num::Index kWidths[] = {4, 64, 256};
    auto list = std::make_shared<std::vector<num::DotHistogram>>(2 * std::size(kWidths));
    pool.for_each(static_cast<num::Index>(list->size()), [&](num::Index i) {
        num::DotHistogramOptions options;
        options.d_k = kWidths[i / 2];
        options.scaled = i % 2 == 1;
        if (options.scaled) {
            options.low = -4;
            options.high = 4;
        }
        (*list)[static_cast<std::size_t>(i)] = num::dot_histogram(options);
    });
    return list;
}

namespace {

num::RowVector<float> softmax_of(const Matrix<float>& logits, Index row) {
    return num::softmax<float>(num::RowVector<float>(logits.row(row)));
}

/// Null where no token is masked, or the model fills no masks.
std::shared_ptr<const Prediction> prediction_of_masks(const models::Run& run,
                                                      num::ThreadPool& pool) {
    const std::vector<int> places = masked_tokens(run);
    if (places.empty()) return nullptr;
    const auto states = run.trace.tensor("memory");
    Matrix<float> masked(std::ssize(places), states->values.cols());
    for (Index i = 0; i < masked.rows(); ++i) {
        masked.row(i) = states->values.row(places[static_cast<std::size_t>(i)]);
    }
    const auto& parameters = models::transformer(*run.model)->usual_parameters();
    const Matrix<float> logits = models::word_logits(pool, parameters, masked);
    Prediction prediction;
    for (Index i = 0; i < logits.rows(); ++i) {
        auto p = softmax_of(logits, i);
        const float entropy = num::entropy_bits(p);
        auto likeliest = likeliest_rows(p);
        prediction.masked.push_back(
            {places[static_cast<std::size_t>(i)], std::move(p), entropy, std::move(likeliest)});
    }
    prediction.probabilities = prediction.masked.front().probabilities;
    prediction.entropy_bits = prediction.masked.front().entropy_bits;
    prediction.likeliest = prediction.masked.front().likeliest;
    return std::make_shared<const Prediction>(std::move(prediction));
}

} // namespace

std::vector<Index> likeliest_rows(const num::RowVector<float>& p, std::size_t most) {
    std::vector<Index> order(static_cast<std::size_t>(p.size()));
    std::iota(order.begin(), order.end(), 0);
    most = std::min(most, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                      [&](Index a, Index b) { return p(a) != p(b) ? p(a) > p(b) : a < b; });
    order.resize(most);
    return order;
}

std::vector<int> masked_tokens(const models::Run& run) {
    constexpr std::size_t kMost = 32; // beyond it nobody looks
    const models::TextToIds* ids = run.model->text_to_ids();
    std::vector<int> places;
    if (!run.model->traits().fills_masks || !ids || !ids->tokenizers.source) return places;
    const auto mask = ids->tokenizers.source->named().mask;
    const auto& read = run.trace.source;
    for (std::size_t i = 0; mask && i < read.size() && places.size() < kMost; ++i) {
        if (read[i].row == *mask) places.push_back(static_cast<int>(i));
    }
    return places;
}

num::RowVector<float> probabilities_to_draw(const models::Run& run, num::RowVector<float> p) {
    // Of a text that somebody wrote nobody knows which tokens a model said; of a decoder's start
    // alone it has said none.
    const auto& target = run.trace.target;
    const bool encodes = run.model->traits().encodes;
    const std::size_t said = encodes ? std::max<std::size_t>(target.size(), 1) - 1 : target.size();
    models::forbid(*run.model, {encodes ? run.trace.source : target, target, said}, p);
    return p;
}

std::shared_ptr<const Prediction> prediction_of(const models::Run& run, num::ThreadPool& pool) {
    if (run.model->traits().fills_masks) return prediction_of_masks(run, pool);
    auto probabilities = run.model->next_token_probabilities(run, pool);
    if (probabilities.size() == 0) return nullptr;
    const float entropy = num::entropy_bits(probabilities);
    const bool ids = run.model->text_to_ids() != nullptr;
    const models::Sampling& sampling = run.input.decoding.sampling;
    auto likeliest = likeliest_rows(probabilities);
    std::shared_ptr<const models::Cut> cut;
    if (ids && models::alters(sampling)) {
        cut = std::make_shared<const models::Cut>(
            models::cut(probabilities_to_draw(run, probabilities), sampling));
    }
    Matrix<float> after_each;
    const Index most_cells = ids ? 1 << 20 : 1 << 18;
    const Index tokens = std::ssize(run.trace.target), words = probabilities.size();
    const bool says = run.model->words() || (ids && run.model->traits().encodes);
    if (says && !run.model->traits().classifies() && tokens * words <= most_cells) {
        after_each = run.model->logits(run, pool);
        for (Index row = 0; row < after_each.rows(); ++row) {
            num::RowVector<float> p = after_each.row(row);
            const auto [max, sum] = num::exp_row({p.data(), static_cast<std::size_t>(p.size())});
            after_each.row(row) = p / sum;
        }
    }
    return std::make_shared<const Prediction>(Prediction{std::move(probabilities),
                                                         entropy,
                                                         std::move(after_each),
                                                         std::move(likeliest),
                                                         {},
                                                         std::move(cut)});
}

std::shared_ptr<const Prediction> prediction_after(const Prediction& prediction, int token) {
    for (const MaskedToken& masked : prediction.masked) {
        if (masked.token != token) continue;
        return std::make_shared<const Prediction>(
            Prediction{masked.probabilities, masked.entropy_bits, {}, masked.likeliest});
    }
    if (token < 0 || token >= prediction.after_each.rows()) return nullptr;
    num::RowVector<float> row = prediction.after_each.row(token);
    const float entropy = num::entropy_bits(row);
    return std::make_shared<const Prediction>(Prediction{std::move(row), entropy});
}

bool tells_worth(const models::Model& model, trace::AttentionKind kind) {
    constexpr int kFew = 16;
    const int heads = model.traits().layers(kind) * model.traits().n_heads;
    return model.provenance() && heads > 0 && heads <= kFew;
}

std::shared_ptr<const HeadEffects> effects_known(const Snapshot& now, const Snapshot* before) {
    const trace::AttentionKind kind = now.focus.head.kind;
    if (before && before->run == now.run && before->effects && before->effects->kind == kind) {
        return before->effects;
    }
    HeadEffects none{kind, now.run->trace.n_layers(kind), now.run->trace.n_heads(kind), {}, {}, {}};
    const auto heads = static_cast<std::size_t>(none.layers) * static_cast<std::size_t>(none.heads);
    none.relative_change.resize(heads);
    none.says.resize(heads);
    none.probability.resize(heads);
    return std::make_shared<const HeadEffects>(std::move(none));
}

std::shared_ptr<const HeadEffects> measure_effects(const Snapshot& snapshot, num::ThreadPool& pool,
                                                   const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kAtOnce{50};
    HEED_CHECK(snapshot.run && snapshot.effects, "no effects were asked for");
    auto effects = std::make_shared<HeadEffects>(*snapshot.effects);
    const auto begin = Clock::now();
    const models::Run& free = *snapshot.run;
    const models::Input input = models::forced_input(free);
    const auto forced = input == free.input
                            ? snapshot.run
                            : run_again(snapshot.run, input, free.controls, pool, stop);
    if (!forced) return nullptr;
    const auto segmentation = snapshot.document.segmentation;
    const std::string said = said_line(free, segmentation);
    const auto& whole = output_of(*forced);
    for (std::size_t i = 0; i < effects->relative_change.size(); ++i) {
        if (effects->relative_change[i]) continue;
        const auto heads = static_cast<std::size_t>(effects->heads);
        const trace::HeadId head{effects->kind, static_cast<int>(i / heads),
                                 static_cast<int>(i % heads)};
        const bool off = free.controls.resolved(head).gain == 0.0f;
        const models::Controls controls = with_gain(free.controls, head, off ? 1.0f : 0.0f);
        const auto other = run_again(forced, input, controls, pool, stop);
        if (!other) return nullptr;
        const float size = (off ? output_of(*other) : whole).norm();
        effects->relative_change[i] = size > 0 ? (output_of(*other) - whole).norm() / size : 0;
        if (forced != snapshot.run) {
            const auto freely = run_again(snapshot.run, free.input, controls, pool, stop);
            if (!freely) return nullptr;
            std::string line = said_line(*freely, segmentation);
            if (line != said) effects->says[i] = std::move(line);
        } else if (snapshot.prediction && !free.model->traits().fills_masks) {
            const auto next = free.model->next_token_probabilities(*other, pool);
            Index likeliest = 0;
            effects->probability[i] = next.maxCoeff(&likeliest);
            if (likeliest != snapshot.prediction->likeliest.front())
                effects->says[i] = candidate_name(*free.model, likeliest);
        }
        if (Clock::now() - begin > kAtOnce) break;
    }
    return effects;
}

} // namespace heed::app
