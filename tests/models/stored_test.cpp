// Attention from a file as a model that computes nothing.
#include "models/model/stored.hpp"

#include "base/file.hpp"
#include "catch.hpp"
#include "models/model/alignment_file.hpp"
#include "models/model/titles.hpp"
#include "models/open.hpp"
#include "models/transformer/transformer.hpp"
#include "paths.hpp"
#include "temporary_file.hpp"
#include "tensors/named.hpp"

#include <filesystem>

using namespace heed;
using namespace heed::models;
using trace::AttentionKind;

namespace {

struct Folder {
    std::string path =
        std::filesystem::temp_directory_path() / ("heed-stored-test." + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string write(const std::string& name, std::string_view bytes) const {
        REQUIRE(base::write_file_atomic(path + "/" + name, bytes));
        return path + "/" + name;
    }
};

/// Rows that sum to 1, no two maps alike.
tensors::Array maps(std::int64_t heads, std::int64_t queries, std::int64_t keys) {
    tensors::Array array{{heads, queries, keys}, {}};
    for (std::int64_t row = 0; row < heads * queries; ++row) {
        for (std::int64_t key = 0; key < keys; ++key) {
            const float rest = 0.5f / static_cast<float>(keys);
            array.values.push_back(key == row % keys ? 0.5f + rest : rest);
        }
    }
    return array;
}

tensors::Archive translator() {
    tensors::Archive archive;
    archive.arrays["encoder.layers.0.self_attn.weights"] = maps(2, 3, 3);
    archive.arrays["encoder.layers.1.self_attn.weights"] = maps(2, 3, 3);
    archive.arrays["decoder.layers.0.multihead_attn.weights"] = maps(3, 4, 3);
    archive.strings["source_tokens"] = {"the", "black", "cat"};
    archive.strings["target_tokens"] = {"le", "chat", "noir", "."};
    return archive;
}

base::Result<std::shared_ptr<const Run>> run_of(const std::string& path, int sentence = 0,
                                                const Controls& controls = {}) {
    num::ThreadPool pool(1);
    auto model = load_model(path, pool);
    if (!model) return tl::make_unexpected(model.error());
    Input input;
    input.sentence = sentence;
    return run(*model, input, controls, pool);
}

} // namespace

TEST_CASE("a file of maps runs as the maps that it holds, under its tokens") {
    const Folder folder;
    const tensors::Archive archive = translator();
    for (const char* name : {"x.npz", "x.safetensors", "x.json"}) {
        CAPTURE(name);
        const std::string bytes =
            std::string(name).ends_with(".npz")    ? tensors::write_npz(archive).value()
            : std::string(name).ends_with(".json") ? tensors::write_json(archive)
                                                   : tensors::write_safetensors(archive);
        const auto run = run_of(folder.write(name, bytes));
        if (!run) FAIL(base::describe(run.error()));
        const trace::Trace& trace = (*run)->trace;
        CHECK(trace.n_layers(AttentionKind::encoder_self) == 2);
        CHECK(trace.n_layers(AttentionKind::decoder_self) == 0);
        CHECK(trace.n_heads(AttentionKind::cross) == 3);
        REQUIRE(trace.source.size() == 3);
        CHECK(trace.source[1].text == "black");
        CHECK(trace.target[3].text == ".");
        const auto map = trace.map({AttentionKind::cross, 0, 2});
        REQUIRE(map);
        const auto whole = map->whole(trace::Stage::weights);
        const auto& wanted = archive.arrays.at("decoder.layers.0.multihead_attn.weights");
        for (num::Index i = 0; i < whole.size(); ++i) {
            CHECK(whole.data()[i] == wanted.values[static_cast<std::size_t>(2 * 12 + i)]);
        }
        CHECK(map->rectangle(trace::Stage::weights, {1, 2, 2, 1})(1, 0) == whole(2, 2));
        CHECK(map->cell(1, 1).weight == whole(1, 1));
        CHECK(map->has_distribution(0));
        const Traits& traits = (*run)->model->traits();
        CHECK(traits.weights_alone);
        CHECK(traits.n_heads == 3);
        CHECK(traits.layers(AttentionKind::encoder_self) == 2);
        CHECK(size_title((*run)->model->config()) == "2 layers × 3 heads");
    }
}

TEST_CASE("a file of maps is written as it was read") {
    const tensors::Archive archive = translator();
    const Stored stored({attention_of(archive, "x").value()});
    const tensors::Archive again = stored.archive();
    CHECK(again.strings == archive.strings);
    for (const auto& [name, array] : archive.arrays) {
        CAPTURE(name);
        REQUIRE(again.arrays.contains(name));
        CHECK(again.arrays.at(name).shape == array.shape);
        CHECK(again.arrays.at(name).values == array.values);
    }
}

TEST_CASE("a run of maps gives all its weights, and needs no controls") {
    const Folder folder;
    const std::string path = folder.write("x.json", tensors::write_json(translator()));
    num::ThreadPool pool(1);
    const auto model = load_model(path, pool).value();
    std::vector<float> all(2 * 2 * 9 + 3 * 12, -1);
    RunOptions options;
    options.all_weights = all.data();
    REQUIRE(run(model, {}, {}, pool, options));
    CHECK(std::ranges::none_of(all, [](float w) { return w < 0; }));
    Controls controls;
    HeadControls hot;
    hot.temperature = 2;
    controls.set({}, hot);
    const auto refused = run_of(path, 0, controls);
    REQUIRE_FALSE(refused);
    CHECK(base::describe(refused.error()).find("attention weights alone") != std::string::npos);
}

TEST_CASE("a file of alignments is one sentence after another") {
    const Folder folder;
    const std::string path = folder.write("two.txt", "0-0 1-1\n0-1 1-0 2-2\n");
    const auto first = run_of(path), second = run_of(path, 1), third = run_of(path, 2);
    REQUIRE(first);
    REQUIRE(second);
    CHECK((*first)->trace.source.size() == 2);
    CHECK((*second)->trace.target.size() == 3);
    CHECK((*second)->trace.map({AttentionKind::cross, 0, 0})->whole(trace::Stage::weights)(1, 0) ==
          1);
    REQUIRE_FALSE(third);
    CHECK(base::describe(third.error()) == "sentence: is 3; this file has 1 to 2");
}

TEST_CASE("attention is told from models, checkpoints, sessions and texts") {
    const Folder folder;
    const std::string arrays = tensors::write_safetensors(translator());
    CHECK(holds_attention(folder.write("a.safetensors", arrays)));
    CHECK(holds_attention(folder.path + "/no.npz")); // what is wrong with it, reading tells
    tensors::Archive plain;
    plain.arrays["attn"] = {{1, 2, 2, 2}, std::vector<float>(8, 0.5f)};
    CHECK(holds_attention(folder.write("b.safetensors", tensors::write_safetensors(plain))));
    plain.metadata["heed.model"] = "transformer";
    CHECK_FALSE(holds_attention(folder.write("c.safetensors", tensors::write_safetensors(plain))));
    plain.metadata.clear();
    plain.arrays["bias"] = {{2}, {0, 0}};
    CHECK_FALSE(holds_attention(folder.write("d.safetensors", tensors::write_safetensors(plain))));
    // Beside a config.json a file of maps is still one, and a checkpoint's weights are not.
    folder.write("config.json", "{}");
    CHECK(holds_attention(folder.path + "/a.safetensors"));
    CHECK_FALSE(holds_attention(folder.path + "/config.json"));
    CHECK_FALSE(holds_attention(folder.path + "/model.safetensors.index.json"));
    for (const char* family : {"vit", "gpt2", "bert", "bart", "t5"}) {
        CAPTURE(family);
        CHECK_FALSE(holds_attention(std::string(HEED_SOURCE_DIR "/tests/models/checkpoints/") +
                                    family + "/model.safetensors"));
    }
    CHECK(holds_attention(folder.write("p.txt", "0-0 1-1\nthe cat\n")));
    CHECK(holds_attention(folder.write("m.txt", "un chat ||| 0.9,0.1 0.2,0.8\n")));
    CHECK_FALSE(holds_attention(folder.write("t.txt", "the cat sat on the mat\n")));
    CHECK_FALSE(holds_attention(folder.write("n.txt", "5-3 was the score\n")));
    CHECK_FALSE(holds_attention(folder.write("e.txt", "")));
    CHECK_FALSE(holds_attention(folder.path));
}

TEST_CASE("the first line alone says whether a text is an alignment") {
    CHECK(begins_as_alignment("0-0"));
    CHECK(begins_as_alignment("0-0 1-1\r\nno"));
    CHECK(begins_as_alignment("0-0 1-1 12-1")); // may be cut
    CHECK(begins_as_alignment("0.5,0.5 1,0"));
    CHECK_FALSE(begins_as_alignment("1 2 3"));
    CHECK_FALSE(begins_as_alignment("0-0 word 1-1"));
    CHECK_FALSE(begins_as_alignment("\n0-0"));
    CHECK_FALSE(begins_as_alignment("1,2,3"));
}

TEST_CASE("a file of very many alignments is refused before it fills the memory") {
    std::string text;
    for (std::size_t i = 0; i <= kMostSentences; ++i) text += "0-0\n";
    const auto read = read_alignments(text, "x");
    REQUIRE_FALSE(read);
    CHECK(base::describe(read.error()) == "x: has more than 20000 sentences: open a part of it");

    const std::string links = [] {
        std::string line;
        for (int i = 0; i < (1 << 20) + 1; ++i) line += "0-0 ";
        return line;
    }();
    CHECK_FALSE(read_alignments(links, "x"));
    std::string weights = "0";
    for (int i = 0; i < 3000; ++i) weights += ",0";
    CHECK(base::describe(read_alignments(weights, "x").error()) ==
          "x: line 1: a target word has weights of more than 2048 source words");
}

TEST_CASE("lines without links are sentences too, the last as well") {
    CHECK(read_alignments("0-0\n\n", "x")->size() == 2);
    CHECK(read_alignments("", "x")->size() == 1);
}

TEST_CASE("every prefix of a small file of maps is refused by its name") {
    const Folder folder;
    for (const char* name : {"x.npz", "x.safetensors", "x.json"}) {
        CAPTURE(name);
        const std::string of = name;
        const std::string bytes = of.ends_with(".npz") ? tensors::write_npz(translator()).value()
                                  : of.ends_with(".json")
                                      ? tensors::write_json(translator())
                                      : tensors::write_safetensors(translator());
        for (std::size_t n = 0; n + 2 < bytes.size(); n += 1 + n / 8) {
            const auto run = run_of(folder.write(name, std::string_view(bytes).substr(0, n)));
            REQUIRE_FALSE(run);
            CHECK(run.error().subject.ends_with(name));
        }
    }
}
