#include "app/training/trainee.hpp"

#include "train/data/alignment.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

std::shared_ptr<const models::Model> result_of(const Trainee& trainee) {
    const auto& film = trainee.history->film;
    const auto best = std::find_if(film.begin(), film.end(), [&](const train::FilmFrame& frame) {
        return frame.step == trainee.best_step;
    });
    return trainee.gave_up && best != film.end() ? best->model : trainee.model;
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
