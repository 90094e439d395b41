// Runs of the small checkpoints, for tests of what is inside them.
#pragma once

#include "catch.hpp"
#include "models/open.hpp"
#include "models/transformer/transformer.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace heed::inside {

inline std::vector<text::Token> tokens_of(const tensors::Archive& archive,
                                          const std::string& name) {
    std::vector<text::Token> tokens;
    const auto ids = archive.arrays.find(name);
    if (ids == archive.arrays.end()) return tokens;
    for (const float id : ids->second.values) {
        tokens.push_back({std::to_string(static_cast<int>(id)), 0, 0, true, static_cast<int>(id)});
    }
    return tokens;
}

/// A checkpoint of tests/models/checkpoints, and the ids that its expected numbers are of.
struct Checkpoint {
    explicit Checkpoint(const std::string& family, num::ThreadPool& pool) {
        const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/" + family;
        auto opened = models::load_model(folder, pool);
        if (!opened) FAIL(base::describe(opened.error()));
        model = *opened;
        std::ifstream file(folder + "/expected.safetensors", std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const auto said = tensors::read_safetensors(bytes, family);
        REQUIRE(said);
        input.source = tokens_of(*said, "source_ids");
        input.target = tokens_of(*said, "target_ids");
        if (!model->traits().encodes) std::swap(input.source, input.target);
        for (const text::Token& token : tokens_of(*said, "type_ids")) {
            input.source_types.push_back(token.row);
        }
    }
    std::shared_ptr<const models::Run> run(num::ThreadPool& pool) const { return run(input, pool); }
    std::shared_ptr<const models::Run> run(const models::Input& other,
                                           num::ThreadPool& pool) const {
        const auto made = models::run(model, other, {}, pool);
        if (!made) FAIL(base::describe(made.error()));
        return *made;
    }
    /// The same with another token of what is read first.
    models::Input changed(std::size_t token, int id) const {
        models::Input other = input;
        auto& side = other.source.empty() ? other.target : other.source;
        side[token] = {std::to_string(id), 0, 0, true, id};
        return other;
    }

    std::shared_ptr<const models::Model> model;
    models::Input input;
};

} // namespace heed::inside
