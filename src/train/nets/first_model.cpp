#include "train/nets/first_model.hpp"

#include "models/file/tensor_list.hpp"
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
void draw_to_learn(models::NamedTensors named_tensors, double embedded, int hidden,
                   std::uint64_t seed, num::ThreadPool& pool) {
    for (auto& tensor : named_tensors) {
        for (auto& part : tensor.parts) {
            if (part.rows == 1) {
                part.bound = 0; // and where its fill is 1, a norm's gain
            } else if (contains(tensor.name, "embedding.weight")) {
                part.bound = models::bound_of_variance(embedded);
            } else if (contains(tensor.name, "weight_ih") || contains(tensor.name, "weight_hh")) {
                part.bound = 1 / std::sqrt(static_cast<float>(hidden));
            } else {
                part.bound =
                    models::bound_of_variance(2.0 / static_cast<double>(part.rows + part.cols));
            }
        }
    }
    models::draw(named_tensors, seed, pool);
}

/// Into every embedding among the slots, multiplied with `factor`.
base::Result<void> fill(const models::NamedTensors& named_tensors, const WordVectors* vectors,
                        float factor, const text::Vocabulary& vocabulary) {
    if (!vectors) return {};
    WordVectors scaled = *vectors;
    scaled.vectors *= factor;
    for (const auto& tensor : named_tensors) {
        if (!contains(tensor.name, "embedding.weight")) continue;
        for (const auto& part : tensor.parts) {
            auto* const* words = std::get_if<models::WordTable*>(&part.to);
            auto* const* rows = std::get_if<num::Matrix<float>*>(&part.to);
            if (!words && !rows) continue;
            num::Matrix<float>& table = words ? (*words)->floats : **rows;
            if (auto ok = fill_embedding(scaled, vocabulary, table); !ok) {
                return tl::make_unexpected(ok.error());
            }
        }
    }
    return {};
}

/// The field of what gradients are not passed through; null where there is none.
const char* untrained_part(const models::ModelSpec& s) {
    const std::pair<bool, const char*> parts[] = {
        {!models::reads_words(s), "reads"},
        {s.logits == models::Logits::none, "logits"},
        {s.pooling >= models::Pooling::first, "pooling"},
        {s.shared_layers, "shared_layers"},
        {s.embedding.width > 0, "embedding.width"},
        {s.embedding.own_positions, "embedding.own_positions"},
        {s.embedding.sines_first, "embedding.sines_first"},
        {s.attention.head_norm, "attention.head_norm"},
        {s.attention.softcap > 0, "attention.softcap"},
        {s.norms.after, "norms.after"},
        {s.word_logits.transform, "word_logits.transform"},
        {s.word_logits.softcap > 0, "word_logits.softcap"}};
    for (const auto& [there, field] : parts) {
        if (there) return field;
    }
    return nullptr;
}

Made first(models::ModelSpec config, const Dataset& dataset, num::ThreadPool& pool,
           const WordVectors* vectors) {
    const text::Vocabulary& vocabulary = dataset.vocabulary;
    config.vocabulary = static_cast<int>(vocabulary.size());
    config.has_vocabulary = true;
    if (auto ok = models::check(config); !ok) return tl::make_unexpected(ok.error());
    if (const char* part = untrained_part(config)) {
        return base::fail(base::ErrorKind::unsupported, part,
                          "is of models that Heed runs, and does not train");
    }
    if (is_classifier(config) && dataset.classes.size() < 2) {
        return base::fail(base::ErrorKind::mismatch, "model",
                          "is a classifier, but this task's sentences have no labels");
    }
    auto parameters = std::make_unique<models::Transformer::Parameters>();
    parameters->config = config;
    parameters->vocabulary = vocabulary;
    if (is_classifier(config)) parameters->head.classes = dataset.classes;
    make_room(*parameters);
    draw_to_learn(named_tensors(*parameters), 1.0 / config.d_model, config.d_model, config.seed,
                  pool);
    // A transformer multiplies what it reads with √d_model.
    const float factor = 1 / std::sqrt(static_cast<float>(config.d_model));
    if (auto ok = fill(named_tensors(*parameters), vectors, factor, vocabulary); !ok) {
        return tl::make_unexpected(ok.error());
    }
    derive(*parameters);
    return models::Transformer::of(std::move(parameters), dataset.provenance);
}

Made first(const models::RecurrentConfig& config, const Dataset& dataset, num::ThreadPool& pool,
           const WordVectors* vectors) {
    if (auto ok = models::check(config); !ok) return tl::make_unexpected(ok.error());
    auto parameters = std::make_unique<models::Recurrent::Parameters>();
    parameters->config = config;
    parameters->vocabulary = dataset.vocabulary;
    make_room(*parameters);
    draw_to_learn(named_tensors(*parameters), 1, config.hidden, config.seed, pool);
    if (auto ok = fill(named_tensors(*parameters), vectors, 1, dataset.vocabulary); !ok) {
        return tl::make_unexpected(ok.error());
    }
    return models::Recurrent::of(std::move(parameters), dataset.provenance);
}

Made first(const models::StoredConfig&, const Dataset&, num::ThreadPool&, const WordVectors*) {
    return base::fail(base::ErrorKind::unsupported, "model",
                      "is weights of a file alone, which cannot learn");
}

} // namespace

Made first_model(models::Config config, const Dataset& dataset, num::ThreadPool& pool,
                 const WordVectors* vectors) {
    return std::visit([&](const auto& kind) { return first(kind, dataset, pool, vectors); },
                      config);
}

} // namespace heed::train
