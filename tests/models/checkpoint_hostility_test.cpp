// Checkpoints are strangers' files: what is wrong with one is said by name, and nothing else
// happens.
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/temporary_file.hpp"
#include "paths.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

using namespace heed;
using namespace heed::models;
namespace fs = std::filesystem;

namespace {

/// A copy of a checkpoint that may be broken, gone afterwards.
struct Copy {
    fs::path folder;
    explicit Copy(const std::string& name) {
        folder = fs::temp_directory_path() / ("heed_checkpoint." + std::to_string(::getpid()));
        fs::remove_all(folder);
        fs::copy(HEED_SOURCE_DIR "/tests/models/checkpoints/" + name, folder);
        fs::remove(folder / "expected.safetensors");
    }
    ~Copy() { fs::remove_all(folder); }
    Copy(const Copy&) = delete;

    std::string at(const char* file) const { return (folder / file).string(); }
    std::string bytes(const char* file) const { return bytes_of(at(file)); }
    void write(const char* file, const std::string& bytes) const {
        REQUIRE(base::write_file_atomic(at(file), bytes));
    }
    void replace(const char* file, const std::string& from, const std::string& to) const {
        std::string text = bytes(file);
        const auto place = text.find(from);
        INFO(from);
        REQUIRE(place != std::string::npos);
        text.replace(place, from.size(), to);
        write(file, text);
    }
    void change(const std::function<void(tensors::Archive&)>& change) const {
        const std::string path = at("model.safetensors");
        auto archive = tensors::read_safetensors(bytes("model.safetensors"), path);
        REQUIRE(archive);
        change(*archive);
        write("model.safetensors", tensors::write_safetensors(*archive));
    }
    base::Error error(const char* file = "") const {
        num::ThreadPool pool(1);
        const auto model = load_model(*file ? at(file) : folder.string(), pool);
        REQUIRE_FALSE(model);
        return model.error();
    }
    bool opens(const char* file = "") const {
        num::ThreadPool pool(1);
        const auto model = load_model(*file ? at(file) : folder.string(), pool);
        if (!model) INFO(base::describe(model.error()));
        return model.has_value();
    }
};

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";

} // namespace

TEST_CASE("a checkpoint opens by its folder, its config.json or its file", "[checkpoint]") {
    const Copy copy("gpt2_plain");
    CHECK(copy.opens());
    CHECK(copy.opens(kConfig));
    CHECK(copy.opens(kWeights));
    const Copy shards("llama_tied");
    CHECK(shards.opens("model.safetensors.index.json"));
    CHECK(shards.opens("model-00002-of-00003.safetensors"));
}

TEST_CASE("every prefix of a checkpoint's files is refused", "[checkpoint]") {
    const Copy copy("gpt2_plain");
    const std::string config = copy.bytes(kConfig), weights = copy.bytes(kWeights);
    for (std::size_t n = 0; n + 2 < config.size(); ++n) {
        copy.write(kConfig, config.substr(0, n));
        CHECK(copy.error().subject == copy.at(kConfig));
    }
    copy.write(kConfig, config);
    for (std::size_t n = 0; n < weights.size(); n += n < 2500 ? 7 : 97) {
        copy.write(kWeights, weights.substr(0, n));
        CHECK(copy.error().subject == copy.at(kWeights));
    }
}

TEST_CASE("what config.json asks that Heed cannot do is named", "[checkpoint]") {
    const Copy copy("llama");
    const std::string config = copy.bytes(kConfig);
    const auto error_with = [&](const std::string& from, const std::string& to) {
        copy.write(kConfig, config);
        copy.replace(kConfig, from, to);
        return copy.error();
    };
    CHECK(has(error_with("\"silu\"", "\"xielu\""), "\"hidden_act\" is \"xielu\"; Heed knows relu"));
    CHECK(has(error_with("\"llama3\"", "\"yarn\""), "default, linear and llama3"));
    CHECK(has(error_with("\"model_type\": \"llama\"", "\"model_type\": \"mamba\""),
              "\"model_type\" is \"mamba\"; Heed knows gpt2"));
    CHECK(has(error_with("\"mlp_bias\"", "\"mlp_twist\""), "\"mlp_twist\" is true; Heed does not"));
    CHECK(has(error_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": -2"), "from 1 to"));
    CHECK(has(error_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 2.5"), "from 1 to"));
    CHECK(has(error_with("\"num_hidden_layers\": 2", "\"num_layers\": 2"), "num_hidden_layers"));
    CHECK(
        has(error_with("\"num_attention_heads\": 3", "\"num_attention_heads\": 99999"), "n_heads"));
    CHECK(has(error_with("\"num_hidden_layers\": 2",
                         "\"quantization_config\": {\"bits\": 4}, \"num_hidden_layers\": 2"),
              "quantization_config"));
    CHECK(has(error_with("\"vocab_size\": 61", "\"vocab_size\": 62"),
              "has the shape [61, 18]; its config.json asks for [62, 18]"));
    CHECK(has(error_with("\"factor\": 8.0", "\"factor\": \"x\""), "rope_parameters"));
    copy.write(kConfig, "[1]");
    CHECK(has(copy.error(), "no JSON object"));
    fs::remove(copy.folder / kConfig);
    CHECK(copy.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("settings that files have, and that change nothing as they are, are no obstacle",
          "[checkpoint]") {
    constexpr const char* kVocabulary = "\"vocab_size\": 61";
    const auto with = [&](const Copy& copy, const std::string& more) {
        copy.replace(kConfig, kVocabulary, more + ", \"vocab_size\": 61");
    };
    const Copy bert("bert");
    with(bert, R"("position_embedding_type": "absolute", "directionality": "bidi",
                  "pooler_type": "first_token_transform", "gradient_checkpointing": false,
                  "quantization_config": null, "label2id": {"a": 0}, "some_new_key": null)");
    CHECK(bert.opens());
    bert.replace(kConfig, "\"absolute\"", "\"relative_key\"");
    CHECK(
        has(bert.error(), "\"position_embedding_type\" is \"relative_key\"; Heed knows absolute"));
    const Copy marian("marian");
    with(marian, R"("normalize_embedding": false, "static_position_embeddings": true,
                    "add_final_layer_norm": false, "num_hidden_layers": 2, "bad_words_ids": [[60]])");
    CHECK(marian.opens());
    const Copy bart("bart");
    with(bart, R"("normalize_before": false, "normalize_embedding": true, "classif_dropout": 0.0)");
    CHECK(bart.opens());
    bart.replace(kConfig, "\"normalize_before\": false", "\"normalize_before\": true");
    CHECK(has(bart.error(), "\"normalize_before\" is true; Heed knows false"));
    const Copy qwen("qwen3");
    with(qwen, R"("rope_scaling": null, "use_mrope": false, "auto_map": {"AutoConfig": "x.Y"})");
    CHECK(qwen.opens());
}

TEST_CASE("tensors that lack, are left over or do not fit are named", "[checkpoint]") {
    using Archive = tensors::Archive;
    const auto error_of = [](const std::function<void(Archive&)>& change) {
        const Copy copy("gpt2");
        copy.change(change);
        const base::Error error = copy.error();
        CHECK(error.subject == copy.at(kWeights));
        return error;
    };
    constexpr const char* kName = "transformer.h.1.attn.c_attn.weight";
    CHECK(has(error_of([](Archive& a) { a.arrays.erase(kName); }), kName));
    CHECK(has(error_of([](Archive& a) {
                  a.arrays["transformer.h.2.ln_1.weight"] = {{1}, {1}};
              }),
              "1 tensors do not belong to this model: transformer.h.2.ln_1.weight"));
    CHECK(has(
        error_of([](Archive& a) { std::swap(a.arrays[kName].shape[0], a.arrays[kName].shape[1]); }),
        "transformer.h.1.attn.c_attn.weight has the shape [54, 18]; its config.json asks for "
        "[18, 54]"));
    CHECK(has(error_of([](Archive& a) { a.arrays[kName].values[3] = std::nanf(""); }),
              "1 of the 972 numbers in transformer.h.1.attn.c_attn.weight are NaN or infinite"));
    CHECK(has(error_of([](Archive& a) { a.arrays[kName].values[3] = HUGE_VALF; }), "NaN or inf"));
}

TEST_CASE("a wide embedding is charged for what is drawn, not for sines that nobody asked for",
          "[checkpoint]") {
    const Copy copy("albert");
    copy.replace("config.json", "\"embedding_size\": 10,", "\"embedding_size\": 10000,");
    copy.change([](tensors::Archive& archive) {
        for (auto& [name, array] : archive.arrays) {
            for (auto& size : array.shape) {
                if (size != 10) continue;
                size = 10000;
                array.values.resize(1000 * array.values.size(), 0.01f);
            }
        }
    });
    CHECK(copy.opens());
}

TEST_CASE("masks that old files hold beside their weights are no weights", "[checkpoint]") {
    const Copy copy("gpt2");
    copy.change([](tensors::Archive& a) {
        a.arrays["transformer.h.0.attn.bias"] = {{1, 1, 2, 2}, {1, 0, 1, 1}};
        a.arrays["h.1.attn.masked_bias"] = {{}, {-1e4f}};
        a.arrays["lm_head.weight"] = a.arrays["transformer.wte.weight"];
    });
    CHECK(copy.opens());
}

TEST_CASE("ranges of a checkpoint that overlap are refused", "[checkpoint]") {
    const Copy copy("bert_alone");
    const std::string weights = copy.bytes(kWeights);
    const auto at = weights.find("data_offsets\":[");
    REQUIRE(at != std::string::npos);
    std::string forged = weights;
    forged[at + 15] = forged[at + 15] == '0' ? '1' : '0';
    copy.write(kWeights, forged);
    CHECK(copy.error().kind == base::ErrorKind::malformed);
}

TEST_CASE("a shard is a plain name of a file that is there, once", "[checkpoint]") {
    constexpr const char* kIndex = "model.safetensors.index.json";
    constexpr const char* kFirst = "model-00001-of-00003.safetensors";
    const Copy copy("llama_tied");
    const std::string index = copy.bytes(kIndex);
    for (const char* name : {"../x.safetensors", "/etc/passwd", "..", "", "a\\\\b"}) {
        copy.write(kIndex, index);
        copy.replace(kIndex, kFirst, name);
        CHECK(has(copy.error(), "the plain name of a file beside it is expected"));
    }
    copy.write(kIndex, index);
    copy.replace(kIndex, kFirst, "gone.safetensors");
    CHECK(copy.error().kind == base::ErrorKind::not_found);
    copy.write(kIndex, index);
    copy.replace(kIndex, kFirst, "model-00002-of-00003.safetensors");
    CHECK(has(copy.error(), "lacks \"model.embed_tokens.weight\""));
    copy.write(kIndex, "{\"weight_map\": 3}");
    CHECK(has(copy.error(), "weight_map"));
    for (std::size_t n = 0; n < index.size() - 2; n += 13) {
        copy.write(kIndex, index.substr(0, n));
        CHECK(copy.error().subject == copy.at(kIndex));
    }
}

TEST_CASE("a link out of the folder is refused, one into the hub's cache is not", "[checkpoint]") {
    const Copy copy("gpt2_plain");
    const fs::path other = copy.folder.string() + ".other";
    fs::remove_all(other);
    fs::rename(copy.folder / kWeights, other);
    fs::create_symlink(other, copy.folder / kWeights);
    CHECK(has(copy.error(), "is a link out of its folder"));
    const fs::path hub = copy.folder / "models--x";
    const fs::path snapshot = hub / "snapshots" / "0123";
    fs::create_directories(snapshot);
    fs::create_directories(hub / "blobs");
    fs::rename(other, hub / "blobs" / "abc");
    fs::create_symlink("../../blobs/abc", snapshot / kWeights);
    fs::copy(copy.folder / kConfig, snapshot / kConfig);
    num::ThreadPool pool(1);
    CHECK(load_model(snapshot.string(), pool));
}

TEST_CASE("a pickle is refused with the two lines that convert it", "[checkpoint]") {
    const Copy copy("gpt2_plain");
    copy.write("pytorch_model.bin", "PK");
    CHECK(copy.opens()); // safetensors lie beside it
    const std::string lines = "from transformers import GPT2LMHeadModel\n  "
                              "GPT2LMHeadModel.from_pretrained(\"" +
                              copy.folder.string() + "\").save_pretrained(";
    CHECK(has(copy.error("pytorch_model.bin"), lines));
    fs::remove(copy.folder / kWeights);
    CHECK(has(copy.error(), lines));
}

TEST_CASE("ids are told exactly, and a sentence without a tokeniser is refused", "[checkpoint]") {
    num::ThreadPool pool(1);
    const auto model = load_model(HEED_SOURCE_DIR "/tests/models/checkpoints/bert", pool);
    REQUIRE(model);
    const auto error_of = [&](Input input) {
        const auto made = run(*model, input, {}, pool);
        REQUIRE_FALSE(made);
        return made.error();
    };
    Input input;
    input.source = {{"cat"}};
    CHECK(has(error_of(input), "--source-ids"));
    input.source = {{"61", 0, 0, true, 61}};
    CHECK(has(error_of(input), "has the id 61; the vocabulary of this model has 61 rows"));
    input.source = {{"60", 0, 0, true, 60}};
    CHECK(run(*model, input, {}, pool));
    input.source_types = {2};
    CHECK(has(error_of(input), "0 to 1"));
    input.source.clear();
    CHECK(has(error_of(input), "is empty"));
    input.source.assign(25, {"7", 0, 0, true, 7});
    CHECK(has(error_of(input), "the learned positions of this model end at 24"));
}

TEST_CASE("a checkpoint that is saved reads back as it was", "[checkpoint]") {
    num::ThreadPool pool(2);
    for (const std::string name : {"gemma2", "roberta", "albert", "bart", "marian", "qwen3"}) {
        CAPTURE(name);
        const auto model = load_model(HEED_SOURCE_DIR "/tests/models/checkpoints/" + name, pool);
        REQUIRE(model);
        const TemporaryFile file("heed_checkpoint.safetensors");
        REQUIRE((*model)->save(file.path));
        const auto again = load_model(file.path, pool);
        if (!again) FAIL(base::describe(again.error()));
        CHECK(*spec_of((*again)->config()) == *spec_of((*model)->config()));
    }
}
