// Small recurrent models for tests: those of tests/reference/make_seq2seq.py, and others made of
// them.
#pragma once

#include "models/recurrent/recurrent_parameters.hpp"
#include "models/sentences.hpp"
#include "models/temporary_file.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::models {

inline const tensors::Archive& seq2seq_reference() {
    static const tensors::Archive archive = [] {
        const std::string path = HEED_SOURCE_DIR "/tests/reference/seq2seq.safetensors";
        auto read = tensors::read_safetensors(bytes_of(path), path);
        REQUIRE(read);
        return *read;
    }();
    return archive;
}

inline bool starts(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

/// The entries whose names begin with a prefix, without it.
template <class Map> Map under(const Map& all, const std::string& prefix) {
    Map some;
    for (const auto& [name, value] : all) {
        if (starts(name, prefix)) some.emplace(name.substr(prefix.size()), value);
    }
    return some;
}

/// What Recurrent::save() would write of a variant's model.
inline tensors::Archive variant_archive(const std::string& variant) {
    const tensors::Archive& all = seq2seq_reference();
    tensors::Archive archive;
    archive.metadata = under(all.metadata, variant + "/");
    REQUIRE(archive.metadata.count("model") == 1);
    archive.arrays = under(all.arrays, archive.metadata["model"] + ":");
    return archive;
}

inline std::shared_ptr<const Recurrent> made(const tensors::Archive& archive,
                                             num::ThreadPool& pool) {
    auto model = Recurrent::read(archive, "a model", pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

/// A variant's model, its archive changed.
inline std::shared_ptr<const Recurrent>
variant(const std::string& name, num::ThreadPool& pool,
        const std::function<void(tensors::Archive&)>& change = {}) {
    tensors::Archive archive = variant_archive(name);
    if (change) change(archive);
    return made(archive, pool);
}

/// Leaves the first words of its vocabulary, and one row for others.
inline void leave_words(tensors::Archive& archive, std::int64_t words) {
    std::string list;
    std::size_t end = 0;
    const std::string all = archive.metadata["vocabulary.words"];
    for (std::int64_t i = 0; i < words; ++i) end = all.find(' ', end + 1);
    archive.metadata["vocabulary.words"] = all.substr(0, end);
    archive.metadata["vocabulary.others"] = "1";
    for (const char* name :
         {"encoder.embedding.weight", "decoder.embedding.weight", "output.weight", "output.bias"}) {
        auto& array = archive.arrays.at(name);
        array.shape[0] = 3 + words + 1;
        std::size_t size = 1;
        for (const std::int64_t n : array.shape) size *= static_cast<std::size_t>(n);
        array.values.resize(size);
    }
}

/// Makes ⟨end⟩ sure, or out of the question.
inline void bias_of_end(tensors::Archive& archive, float bias) {
    archive.arrays.at("output.bias").values[text::Vocabulary::kEnd] = bias;
}

inline RecurrentConfig small_recurrent(nn::Cell cell = nn::Cell::gru) {
    RecurrentConfig c;
    c.cell = cell;
    c.hidden = 12;
    c.embedding = 8;
    return c;
}

inline std::shared_ptr<const Recurrent> drawn(const RecurrentConfig& config,
                                              num::ThreadPool& pool) {
    auto model = Recurrent::draw(config, pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

/// A source with a word that no vocabulary here lists.
inline Input question() { return {tokens({"the", "cat", "昨天", "ate", "🍎", "cat"}), {}, 0, {}}; }

inline Input said_by(Decoding::Rule rule, int limit = 7) {
    Input input = question();
    input.decoding.rule = rule;
    input.decoding.limit = limit;
    return input;
}

inline std::vector<std::string> words_of(const std::vector<text::Token>& tokens) {
    std::vector<std::string> words;
    for (const auto& token : tokens) words.push_back(token.text);
    return words;
}

inline constexpr trace::HeadId kAlignment{trace::AttentionKind::cross, 0, 0};

inline num::Matrix<float> alignment(const Run& run, trace::Stage stage = trace::Stage::weights) {
    const auto map = run.trace.map(kAlignment);
    REQUIRE(map);
    return map->whole(stage);
}

inline num::Matrix<float> values(const Run& run, const std::string& name) {
    const auto tensor = run.trace.tensor(name);
    if (!tensor) FAIL("no tensor " << name);
    return tensor->values;
}

inline Controls controlling(const HeadControls& head) {
    Controls controls;
    controls.set({}, head);
    return controls;
}

} // namespace heed::models
