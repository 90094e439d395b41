// Checkpoints of every family against transformers: tests/reference/checkpoints.py, and
// make_gguf.py for GGUF files.
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/titles.hpp"
#include "models/sentences.hpp"
#include "models/temporary_file.hpp"
#include "models/transformer/parameters.hpp"
#include "paths.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace heed;
using namespace heed::models;

namespace {

tensors::Archive expected_of(const std::string& path) {
    auto read = tensors::read_safetensors(bytes_of(path), path);
    REQUIRE(read);
    return *std::move(read);
}

std::vector<int> numbers_of(const tensors::Archive& archive, const std::string& name) {
    std::vector<int> ids;
    if (!archive.arrays.contains(name)) return ids;
    for (const float id : archive.arrays.at(name).values) ids.push_back(static_cast<int>(id));
    return ids;
}

std::vector<text::Token> tokens_of(const std::vector<int>& ids) {
    std::vector<text::Token> tokens;
    for (const int id : ids) tokens.push_back({std::to_string(id), 0, 0, true, id});
    return tokens;
}

Input input_of(const tensors::Archive& expected) {
    Input input;
    input.source = tokens_of(numbers_of(expected, "source_ids"));
    input.target = tokens_of(numbers_of(expected, "target_ids"));
    input.source_types = numbers_of(expected, "type_ids");
    if (expected.arrays.contains("pixels")) {
        const auto& pixels = expected.arrays.at("pixels");
        input.image =
            std::make_shared<const num::Matrix<float>>(Eigen::Map<const num::Matrix<float>>(
                pixels.values.data(), pixels.shape[0], pixels.shape[1]));
    }
    return input;
}

std::shared_ptr<const Model> opened(const std::string& path, num::ThreadPool& pool) {
    auto model = load_model(path, pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

void check_near(const num::Matrix<float>& found, const tensors::Array& expected, double tolerance) {
    REQUIRE(found.size() == std::ssize(expected.values));
    double worst = 0, largest = 1;
    for (num::Index i = 0; i < found.size(); ++i) {
        const auto wanted = static_cast<double>(expected.values[static_cast<std::size_t>(i)]);
        worst = std::max(worst, std::abs(static_cast<double>(found.data()[i]) - wanted));
        largest = std::max(largest, std::abs(wanted));
    }
    CHECK(worst < tolerance * largest);
}

/// Every map, hidden state and logit that the library told.
void check_run(const tensors::Archive& expected, const Run& run, num::ThreadPool& pool) {
    int maps = 0;
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            const std::string array = attention->name + ".weights";
            CAPTURE(array);
            REQUIRE(expected.arrays.contains(array));
            const auto& wanted = expected.arrays.at(array);
            REQUIRE(wanted.shape[0] == std::ssize(attention->heads));
            const auto cells = wanted.shape[1] * wanted.shape[2];
            for (int head = 0; head < wanted.shape[0]; ++head) {
                CAPTURE(head);
                const auto first = wanted.values.begin() + head * cells;
                check_near(trace::AttentionMap(attention, head).whole(trace::Stage::weights),
                           {{}, {first, first + cells}}, 1e-5);
            }
            ++maps;
        }
    }
    for (const auto& [array, wanted] : expected.arrays) maps -= array.ends_with(".weights");
    CHECK(maps == 0);
    for (const char* state : {"memory", "decoder_output"}) {
        if (!expected.arrays.contains(state)) continue;
        CAPTURE(state);
        REQUIRE(run.trace.tensor(state));
        check_near(run.trace.tensor(state)->values, expected.arrays.at(state), 1e-4);
    }
    const num::Matrix<float> logits = run.model->logits(run, pool);
    REQUIRE((logits.size() > 0) == expected.arrays.contains("logits"));
    if (logits.size() > 0) check_near(logits, expected.arrays.at("logits"), 1e-4);
}

void check_model(const std::string& path, const std::string& expected_path) {
    CAPTURE(path);
    num::ThreadPool pool(2);
    const auto model = opened(path, pool);
    const tensors::Archive expected = expected_of(expected_path);
    const auto made = run(model, input_of(expected), {}, pool);
    if (!made) FAIL(base::describe(made.error()));
    check_run(expected, **made, pool);
    CHECK(model->reads_ids());
    CHECK_FALSE(model->traits().has_vocabulary);
}

void check_family(const std::string& name) {
    const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/" + name;
    check_model(folder, folder + "/expected.safetensors");
}

struct CheckpointFolder {
    std::string path;
    explicit CheckpointFolder(const std::string& name)
        : path(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "." + name)) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~CheckpointFolder() { std::filesystem::remove_all(path); }
    CheckpointFolder(const CheckpointFolder&) = delete;
};

/// A file of the same tensors whose numbers are bf16, rounded.
std::string in_16_bits(const tensors::Archive& archive) {
    std::string header = "{", data;
    for (const auto& [name, array] : archive.arrays) {
        const std::size_t begin = data.size();
        for (const float x : array.values) {
            const std::uint16_t half = num::to_bf16(x);
            data.append(reinterpret_cast<const char*>(&half), sizeof half);
        }
        header += fmt::format(R"({}"{}":{{"dtype":"BF16","shape":[{}],"data_offsets":[{},{}]}})",
                              header.size() > 1 ? "," : "", name, fmt::join(array.shape, ","),
                              begin, data.size());
    }
    header += '}';
    header.append((8 - header.size() % 8) % 8, ' ');
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

void check_gguf(const std::string& name) {
    const std::string path = HEED_SOURCE_DIR "/tests/models/gguf/" + name;
    check_model(path + ".gguf", path + ".safetensors");
}

} // namespace

TEST_CASE("a checkpoint comes to what transformers says of it: GPT-2, NeoX", "[checkpoint]") {
    for (const char* name : {"gpt2", "gpt2_plain", "neox", "neox_sequential"}) check_family(name);
}
TEST_CASE("a checkpoint comes to what transformers says of it: LLaMA, Mistral, Qwen",
          "[checkpoint]") {
    for (const char* name : {"llama", "llama_tied", "mistral", "qwen2", "qwen3"}) {
        check_family(name);
    }
}
TEST_CASE("a checkpoint comes to what transformers says of it: Gemma, Phi-3", "[checkpoint]") {
    for (const char* name : {"gemma", "gemma_half", "gemma2", "phi3"}) check_family(name);
}
TEST_CASE("a checkpoint comes to what transformers says of it: BERT and its kin", "[checkpoint]") {
    for (const char* name :
         {"bert", "bert_old", "bert_untied", "bert_alone", "distilbert", "roberta", "albert"}) {
        check_family(name);
    }
}
TEST_CASE("a checkpoint of XLM-R comes to what RoBERTa's of the same weights does") {
    // One class in the library: XLMRobertaForMaskedLM differs from RobertaForMaskedLM by name.
    const std::string roberta = HEED_SOURCE_DIR "/tests/models/checkpoints/roberta";
    for (const std::string type : {"xlm-roberta", "camembert"}) {
        const CheckpointFolder folder("heed_xlm_r");
        std::filesystem::copy(roberta + "/model.safetensors", folder.path);
        std::string config = bytes_of(roberta + "/config.json");
        const std::string name = "\"model_type\": \"roberta\"";
        REQUIRE(config.find(name) != config.npos);
        config.replace(config.find(name), name.size(),
                       "\"model_type\": \"" + type + "\", \"output_past\": true, " +
                           "\"position_embedding_type\": \"absolute\"");
        REQUIRE(base::write_file_atomic(folder.path + "/config.json", config));
        check_model(folder.path, roberta + "/expected.safetensors");
    }
}
TEST_CASE("a checkpoint comes to what transformers says of it: BART, Marian, T5", "[checkpoint]") {
    for (const char* name : {"bart", "marian", "t5", "t5_gated", "mt5"}) check_family(name);
}
TEST_CASE("a checkpoint comes to what transformers says of it: ViT, DeiT", "[checkpoint]") {
    for (const char* name : {"vit", "deit", "deit_teacher"}) check_family(name);
}
TEST_CASE("a ViT's title says how many layers it has") {
    num::ThreadPool pool(2);
    const auto model = opened(HEED_SOURCE_DIR "/tests/models/checkpoints/vit", pool);
    CHECK(size_title(model->config()) == "2 × 3 heads · 18");
}
TEST_CASE("a GGUF file comes to what transformers says of it: LLaMA, Mistral", "[gguf]") {
    for (const char* name : {"llama", "llama_tied", "mistral"}) check_gguf(name);
}
TEST_CASE("a GGUF file comes to what transformers says of it: weights in blocks", "[gguf]") {
    check_gguf("llama_blocks");
}
TEST_CASE("a GGUF file comes to what transformers says of it: Qwen2, Qwen3, Phi-3", "[gguf]") {
    for (const char* name : {"qwen2", "qwen3", "phi3"}) check_gguf(name);
}
TEST_CASE("a GGUF file comes to what transformers says of it: Gemma 1 and 2, GPT-2", "[gguf]") {
    for (const char* name : {"gemma", "gemma2", "gpt2"}) check_gguf(name);
}

TEST_CASE("weights of 16 bits stay so, and those of 32 are floats") {
    num::ThreadPool pool(2);
    const auto stored = [&](const char* family) {
        const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/";
        const auto model = opened(folder + family, pool);
        const auto& parameters = transformer(*model)->parameters();
        const auto& layer = parameters.decoder[0];
        for (const WordTable* table : {&parameters.embedding, &parameters.output}) {
            const bool there = table->rows() > 0; // not where the logits read the embedding
            const bool floats = num::stored_as(layer.feed_forward.linear2) == num::Stored::f32;
            CHECK((table->floats.size() > 0) == (there && floats));
            if (there && !floats) {
                CHECK(num::stored_as(table->halves) == num::stored_as(layer.feed_forward.linear2));
            }
        }
        CHECK(num::stored_as(layer.feed_forward.linear2) ==
              num::stored_as(layer.self_attention.query));
        return num::stored_as(layer.feed_forward.linear2);
    };
    CHECK(stored("mistral") == num::Stored::bf16);
    CHECK(stored("qwen2") == num::Stored::f16);
    CHECK(stored("gpt2") == num::Stored::f32);
}

TEST_CASE("16 bits in every layout come to the floats that they stand for") {
    num::ThreadPool pool(2);
    for (const std::string family : {"gpt2", "neox", "phi3", "bert", "t5_gated"}) {
        CAPTURE(family);
        const std::string from = HEED_SOURCE_DIR "/tests/models/checkpoints/" + family;
        const CheckpointFolder folder("heed_16_bits");
        std::filesystem::copy(from + "/config.json", folder.path);
        const std::string file = folder.path + "/model.safetensors";
        tensors::Archive archive = expected_of(from + "/model.safetensors");
        REQUIRE(base::write_file_atomic(file, in_16_bits(archive)));
        const auto halves = opened(folder.path, pool)->archive();
        for (auto& [name, array] : archive.arrays) {
            for (float& x : array.values) x = num::widened(num::to_bf16(x), num::Stored::bf16);
        }
        REQUIRE(base::write_file_atomic(file, tensors::write_safetensors(archive)));
        const auto floats = opened(folder.path, pool)->archive();
        REQUIRE(halves.arrays.size() == floats.arrays.size());
        for (const auto& [name, array] : floats.arrays) {
            CAPTURE(name);
            CHECK(halves.arrays.at(name).values == array.values);
        }
    }
}

TEST_CASE("what only some controls read is drawn when they ask for it, and then is what it was") {
    num::ThreadPool pool(2);
    const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/gpt2";
    const auto model = opened(folder, pool), other = opened(folder, pool);
    const auto& usual = transformer(*model)->usual_parameters();
    const auto empty = [&] {
        const auto& scores = usual.scores[static_cast<int>(trace::AttentionKind::decoder_self)];
        return usual.join.out() == 0 && scores.front().hidden.size() == 0;
    };
    Input input;
    input.target = tokens_of({3, 1, 4, 1});
    REQUIRE(run(model, input, {}, pool));
    CHECK(empty());
    Controls additive;
    HeadControls score;
    score.score = nn::kAdditiveScore;
    additive.set({}, score);
    const auto made = run(model, input, additive, pool);
    REQUIRE(made);
    CHECK_FALSE(empty());
    const auto all = other->archive(); // a saved model has everything
    CHECK(all.arrays.contains("positions.join.weight"));
    CHECK(all.arrays.contains("scores.decoder.layers.0.self_attn.hidden"));
    const auto after = model->archive();
    REQUIRE(after.arrays.size() == all.arrays.size());
    for (const auto& [name, array] : all.arrays) {
        CAPTURE(name);
        CHECK(after.arrays.at(name).values == array.values);
    }
    Controls joined;
    joined.join = nn::Join::concatenate;
    const auto fresh = opened(folder, pool);
    CHECK(run(fresh, input, joined, pool));
    CHECK(transformer(*fresh)->usual_parameters().join.out() > 0);
}

TEST_CASE("who watches a checkpoint being read hears how far it is, and may stop it") {
    num::ThreadPool pool(2);
    const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/llama_tied";
    std::vector<double> heard;
    REQUIRE(load_model(folder, pool, [&](double fraction) {
        heard.push_back(fraction);
        return true;
    }));
    CHECK(heard.size() > 5);
    CHECK(heard.front() == 0);
    CHECK(heard.back() == Approx(1));
    CHECK(std::is_sorted(heard.begin(), heard.end()));
    for (const double last : {0.0, 0.3}) {
        const auto stopped =
            load_model(folder, pool, [&](double fraction) { return fraction < last; });
        REQUIRE_FALSE(stopped);
        CHECK(stopped.error().kind == base::ErrorKind::cancelled);
        CHECK(stopped.error().message.find("stopped") != std::string::npos);
    }
}
