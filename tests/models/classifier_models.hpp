// The classifiers of tests/reference/make_classifier.py.
#pragma once

#include "models/recurrent_models.hpp"
#include "models/transformer/parameters.hpp"
#include "paths.hpp"

#include <memory>
#include <string>

namespace heed::models {

inline const tensors::Archive& classifier_reference() {
    static const tensors::Archive archive = [] {
        const std::string path =
            std::string(HEED_SOURCE_DIR) + "/tests/reference/classifier.safetensors";
        auto read = tensors::read_safetensors(bytes_of(path), path);
        REQUIRE(read);
        return *read;
    }();
    return archive;
}

/// What Transformer::save() would write of a variant.
inline tensors::Archive classifier_archive(const std::string& variant) {
    tensors::Archive archive;
    archive.arrays = under(classifier_reference().arrays, variant + "/weights/");
    archive.metadata = {{"format", "pt"},
                        {"heed.model", "transformer"},
                        {"architecture", "encoder-only"},
                        {"layers", "attention"},
                        {"logits", "classes"},
                        {"d_model", "8"},
                        {"n_encoder_layers", "1"},
                        {"n_decoder_layers", "0"},
                        {"d_ff", "0"},
                        {"activation", "relu"},
                        {"norm", "post"},
                        {"norm_epsilon", "1e-05"},
                        {"join", "add"},
                        {"vocabulary", "20"},
                        {"max_positions", "6"},
                        {"dense", "10"},
                        {"seed", "1"},
                        {"n_heads", "1"},
                        {"pooling", "mean"},
                        {"positions", "sinusoidal"},
                        {"classes", "sport\nweather\nhigh politics"}};
    std::string words = "w0";
    for (int i = 1; i < 15; ++i) words += " w" + std::to_string(i);
    archive.metadata["vocabulary.words"] = words;
    archive.metadata["vocabulary.others"] = "2";
    if (variant == "two_heads") {
        archive.metadata["n_heads"] = "2";
        archive.metadata["positions"] = "none";
    } else if (variant == "flattened") {
        archive.metadata["n_heads"] = "4";
        archive.metadata["pooling"] = "flatten";
        archive.metadata["positions"] = "learned";
    }
    return archive;
}

inline std::shared_ptr<const Transformer> classifier_variant(const std::string& variant,
                                                             num::ThreadPool& pool) {
    auto model = Transformer::read(classifier_archive(variant), "a model", pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

inline constexpr const char* kClassifiers[] = {"one_head", "two_heads", "flattened"};

/// Words of these rows of their vocabulary.
inline std::vector<text::Token> words_at(const Transformer& model, const std::vector<Index>& rows) {
    std::vector<text::Token> tokens;
    for (const Index row : rows) tokens.push_back({model.vocabulary_word(row), 0, 0});
    return tokens;
}

} // namespace heed::models
