#include "train/nets/first_model.hpp"

#include "models/file/slot_list.hpp"
#include "models/recurrent/recurrent_parameters.hpp"
#include "models/transformer/parameters.hpp"

#include <cmath>
#include <string_view>
#include <utility>

namespace heed::train {

namespace {

using Made = base::Result<std::shared_ptr<const models::Model>>;

bool contains(std::string_view name, std::string_view part) {
    return name.find(part) != std::string_view::npos;
}

/// `embedded`: the variance of an embedding's numbers.
void draw_to_learn(models::Slots slots, double embedded, int hidden, std::uint64_t seed,
                   num::Team& team) {
    for (auto& slot : slots) {
        for (auto& part : slot.parts) {
            if (part.rows == 1) {
                part.bound = 0; // and where its fill is 1, a norm's gain
            } else if (contains(slot.name, "embedding.weight")) {
                part.bound = models::bound_of_variance(embedded);
            } else if (contains(slot.name, "weight_ih") || contains(slot.name, "weight_hh")) {
                part.bound = 1 / std::sqrt(static_cast<float>(hidden));
            } else {
                part.bound =
                    models::bound_of_variance(2.0 / static_cast<double>(part.rows + part.cols));
            }
        }
    }
    models::draw(slots, seed, team);
}

/// Into every embedding among the slots, multiplied with `factor`.
base::Result<void> fill(const models::Slots& slots, const WordVectors* vectors, float factor,
                        const text::Vocabulary& vocabulary) {
    if (!vectors) return {};
    WordVectors scaled = *vectors;
    scaled.vectors *= factor;
    for (const auto& slot : slots) {
        if (!contains(slot.name, "embedding.weight")) continue;
        for (const auto& part : slot.parts) {
            auto* const* table = std::get_if<num::Matrix<float>*>(&part.to);
            if (!table) continue;
            if (auto ok = fill_embedding(scaled, vocabulary, **table); !ok) {
                return tl::make_unexpected(ok.error());
            }
        }
    }
    return {};
}

Made first(models::ModelSpec config, const Lesson& lesson, num::Team& team,
           const WordVectors* vectors) {
    const text::Vocabulary& vocabulary = lesson.vocabulary;
    config.vocabulary = static_cast<int>(vocabulary.size());
    config.speaks = true;
    if (auto ok = models::check(config); !ok) return tl::make_unexpected(ok.error());
    if (is_classifier(config) && lesson.classes.size() < 2) {
        return base::fail(base::ErrorKind::mismatch, "model",
                          "is a classifier, but this task's sentences have no labels");
    }
    auto parameters = std::make_unique<models::Transformer::Parameters>();
    parameters->config = config;
    parameters->vocabulary = vocabulary;
    if (is_classifier(config)) parameters->head.classes = lesson.classes;
    make_room(*parameters);
    draw_to_learn(slots(*parameters), 1.0 / config.d_model, config.d_model, config.seed, team);
    // A transformer multiplies what it reads with √d_model.
    const float factor = 1 / std::sqrt(static_cast<float>(config.d_model));
    if (auto ok = fill(slots(*parameters), vectors, factor, vocabulary); !ok) {
        return tl::make_unexpected(ok.error());
    }
    derive(*parameters, team);
    return models::Transformer::of(std::move(parameters), lesson.schooling);
}

Made first(const models::RecurrentConfig& config, const Lesson& lesson, num::Team& team,
           const WordVectors* vectors) {
    if (auto ok = models::check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<models::Recurrent::Parameters>();
    parameters->config = config;
    parameters->vocabulary = lesson.vocabulary;
    make_room(*parameters);
    draw_to_learn(slots(*parameters), 1, config.hidden, config.seed, team);
    if (auto ok = fill(slots(*parameters), vectors, 1, lesson.vocabulary); !ok) {
        return tl::make_unexpected(ok.error());
    }
    return models::Recurrent::of(std::move(parameters), lesson.schooling);
}

} // namespace

Made first_model(models::Config config, const Lesson& lesson, num::Team& team,
                 const WordVectors* vectors) {
    return std::visit([&](const auto& kind) { return first(kind, lesson, team, vectors); }, config);
}

} // namespace heed::train
