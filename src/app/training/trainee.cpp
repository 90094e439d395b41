#include "app/training/trainee.hpp"

#include "train/data/alignment.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

namespace {

/// The frame of its best state, once it has finished; else null.
const train::FilmFrame* best_frame(const Trainee& trainee) {
    const auto& film = trainee.history->film;
    const auto best = std::ranges::find(film, trainee.best_step, &train::FilmFrame::step);
    const bool kept = trainee.finished() && trainee.best_step > 0 && best != film.end();
    return kept ? &*best : nullptr;
}

} // namespace

bool is_better(const train::Measures& one, const train::Measures& other) {
    const double right = one.accuracy(), former = other.accuracy();
    if (right != former) return right > former;
    if (one.token_accuracy != other.token_accuracy)
        return one.token_accuracy > other.token_accuracy;
    return one.loss < other.loss;
}

std::shared_ptr<const models::Model> result_of(const Trainee& trainee) {
    const train::FilmFrame* best = best_frame(trainee);
    return best != nullptr ? best->model : trainee.model;
}

std::uint64_t result_step(const Trainee& trainee) {
    return best_frame(trainee) != nullptr ? trainee.best_step : trainee.step;
}

std::optional<trace::HeadId> head_of(const Trainee& trainee, const AlignedBy& by) {
    if (by.kind == AlignedBy::Kind::mean) return std::nullopt;
    if (by.kind == AlignedBy::Kind::best) {
        return trainee.held_out ? trainee.held_out->aligned_by : std::nullopt;
    }
    const models::Traits traits = models::traits(trainee.plan.model);
    const auto kind = traits.aligning_attention();
    const bool has = kind && by.layer < traits.layers(*kind) && by.head < traits.n_heads;
    return has ? std::optional(trace::HeadId{*kind, by.layer, by.head}) : std::nullopt;
}

std::optional<trace::AttentionKind> watched_attention(const models::Config& config) {
    const models::Traits traits = models::traits(config);
    if (const auto kind = traits.aligning_attention()) return kind;
    constexpr auto kOwn = trace::AttentionKind::encoder_self;
    const bool reads = !traits.decodes && traits.layers(kOwn) > 0;
    return reads ? std::optional(kOwn) : std::nullopt;
}

std::shared_ptr<const num::Matrix<float>>
alignment_of(num::ThreadPool& pool, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head) {
    const auto kind = watched_attention(model->config());
    if (!kind) return nullptr;
    const auto run = train::run_pair(pool, model, pair);
    if (!run) return nullptr;
    const int layers = (*run)->trace.n_layers(*kind), heads = (*run)->trace.n_heads(*kind);
    const auto weights_of = [&](const trace::HeadId& id) {
        const auto map = (*run)->trace.map(id);
        return map->rectangle(trace::Stage::weights, train::aligning_part(**run, *map));
    };
    if (head) return std::make_shared<const num::Matrix<float>>(weights_of(*head));
    num::Matrix<float> mean;
    for (int h = 0; h < heads; ++h) {
        const auto weights = weights_of({*kind, layers - 1, h});
        mean = h == 0 ? weights : num::Matrix<float>(mean + weights);
    }
    mean /= static_cast<float>(heads);
    return std::make_shared<const num::Matrix<float>>(std::move(mean));
}

} // namespace heed::app
