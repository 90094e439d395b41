// Files of checkpoints and of attention that are larger than any real one, or that lead out of
// their folder.
#include "app/temporary_folder.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "counted_memory.hpp"
#include "models/model/attention_file.hpp"
#include "models/open.hpp"
#include "paths.hpp"
#include "refusals.hpp"
#include "tensors/json.hpp"
#include "tensors/safetensors_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace heed;
using namespace heed::models;
namespace fs = std::filesystem;
using test::filled, test::says;

namespace {

constexpr std::size_t kMostMemory = 100'000'000;

/// A copy of a small checkpoint.
struct FolderOfModel {
    TemporaryFolder folder;
    explicit FolderOfModel(const std::string& name) {
        for (const auto& entry :
             fs::directory_iterator(HEED_SOURCE_DIR "/tests/models/checkpoints/" + name)) {
            fs::copy(entry.path(), folder / entry.path().filename().string());
        }
    }
    void write(const char* name, const std::string& bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    std::string refusal() const {
        num::ThreadPool pool(1);
        const auto model = load_model(folder.path(), pool);
        return model ? "" : describe(model.error());
    }
};

} // namespace

TEST_CASE("an index of shards larger than any model's is refused unread", "[checkpoint]") {
    constexpr const char* kIndex = "model.safetensors.index.json";
    const FolderOfModel model("llama_tied");
    model.write(kIndex, "");
    fs::resize_file(model.folder / kIndex, 60 << 20);
    std::string found;
    const auto memory = test::memory_of([&] { found = model.refusal(); });
    CHECK(says(found, std::string(kIndex) + ": is 60 MB; at most 3 MB are read"));
    CHECK(memory < 5'000'000);
    for (const char* piece : {R"("":"",)", "0,", "[],", "[0],", R"({"":0},)"}) {
        CAPTURE(piece);
        const bool members = std::string(piece).starts_with("\"\":");
        model.write(kIndex, (members ? "{" : "{\"weight_map\":[") + filled(piece, (3 << 20) - 64) +
                                (members ? "\"a\":0}" : "0]}"));
        const auto most = test::memory_of([&] { found = model.refusal(); });
        INFO(most);
        CHECK(says(found, kIndex));
        CHECK(most < kMostMemory);
    }
}

TEST_CASE("each class has its name, in whatever order a hundred thousand of them stand",
          "[checkpoint]") {
    const FolderOfModel model("vit");
    std::string config = model.folder.bytes("config.json"), labels;
    for (int i = 99'999; i > 0; --i) {
        labels += "\"" + std::to_string(i) + "\":\"c" + std::to_string(i) + "\",";
    }
    const auto from = config.find("\"id2label\"");
    REQUIRE(from != std::string::npos);
    const auto to = config.find('}', from);
    const std::string before = config.substr(0, from), after = config.substr(to + 1);
    model.write("config.json", before + "\"id2label\":{" + labels + "\"0\":\"c0\"}" + after);
    CHECK(says(model.refusal(), "its config.json asks for [100000, "));
    model.write("config.json",
                before + R"("id2label":{"4":"last","x":"no","0":"first","03":"no","2":"two"})" +
                    after);
    num::ThreadPool pool(1);
    const auto read = load_model(model.folder.path(), pool);
    if (!read) FAIL(describe(read.error()));
    CHECK((*read)->classes() ==
          std::vector<std::string>{"first", "class 1", "two", "class 3", "last"});
}

TEST_CASE("settings of a checkpoint that are links out of its folder are refused", "[checkpoint]") {
    for (const char* name : {"config.json", "generation_config.json"}) {
        CAPTURE(name);
        const FolderOfModel model("gpt2_plain");
        const TemporaryFolder other;
        if (!model.folder.holds(name)) model.write(name, "{}");
        CHECK(model.refusal().empty());
        fs::rename(model.folder / name, other / name);
        fs::create_symlink(other / name, model.folder / name);
        CHECK(says(model.refusal(), std::string(name) + ": is a link out of its folder"));
    }
    const FolderOfModel shards("llama_tied");
    constexpr const char* kShard = "model-00002-of-00003.safetensors";
    const TemporaryFolder other;
    fs::rename(shards.folder / kShard, other / kShard);
    fs::create_symlink(other / kShard, shards.folder / kShard);
    CHECK(says(shards.refusal(), std::string(kShard) + ": is a link out of its folder"));
}

TEST_CASE("a file of weights that is cut while it is open says so", "[checkpoint]") {
    const FolderOfModel model("gpt2_plain");
    const std::string path = model.folder / "model.safetensors";
    const auto file = tensors::SafetensorsFile::open(path);
    REQUIRE(file);
    fs::resize_file(path, fs::file_size(path) / 2);
    int cut = 0;
    for (const auto& entry : file->header().entries) {
        std::int64_t count = 1;
        for (const auto side : entry.shape) count *= side;
        std::vector<float> numbers(static_cast<std::size_t>(count));
        const auto read = file->read(entry, numbers);
        if (read) continue;
        ++cut;
        CHECK(says(describe(read.error()), path + ": "));
    }
    CHECK(cut > 0);
}

TEST_CASE("numbers of attention in JSON take their four bytes and no tree") {
    const auto memory_and_refusal = [](const std::string& json) {
        std::string found;
        const auto memory = test::memory_of([&] {
            const auto read = read_archive_json(json, "x.json");
            if (!read) found = describe(read.error());
        });
        INFO(memory << " " << found.substr(0, 100));
        CHECK(memory + json.size() < kMostMemory);
        return found;
    };
    const std::string zeros = filled("0,", 2'000'000) + "0";
    CHECK(memory_and_refusal("{\"a\":[[[[" + zeros + "]]]]}").empty());
    const std::string few = "{\"a\":[" + filled("0,", 16'000'000) + "0]}";
    CHECK(memory_and_refusal(few).empty());
    CHECK(says(memory_and_refusal("{\"a\":[" + filled("0,", 17'000'000) + "0]}"),
               "a: is the array with which the file has more than 8388608 numbers; an .npz holds"));
    CHECK(says(memory_and_refusal("{\"a\":[" + filled("\"\",", 4'000'000) + "0]}"),
               "a: has more than 1048576 texts"));
    std::string names;
    for (int i = 0; i < 20'000; ++i) names += "\"" + std::to_string(i) + "\":\"\",";
    CHECK(says(memory_and_refusal("{" + names + "\"a\":\"\"}"), "has more than 10000 names"));
    const TemporaryFolder folder;
    std::ofstream(folder / "x.json").close();
    fs::resize_file(folder / "x.json", 60 << 20);
    const auto read = read_attention_file(folder / "x.json");
    REQUIRE_FALSE(read);
    CHECK(says(describe(read.error()), "is 60 MB; at most 40 MB are read; an .npz holds more"));
}

TEST_CASE("arrays in JSON keep their shapes, in whatever order they are told") {
    const auto read = read_archive_json(
        R"({"tokens":["a","b"],"e":[],"arrays":{"x":{"values":[1,null,3,4],"shape":[2,2]},)"
        R"("y":[[1,2,3],[4,5,6]]},"z":[[],[]],"note":"n"})",
        "x.json");
    if (!read) FAIL(describe(read.error()));
    CHECK(read->strings.at("tokens") == std::vector<std::string>{"a", "b"});
    CHECK(read->strings.at("e").empty());
    CHECK(read->metadata.at("note") == "n");
    CHECK(read->arrays.at("x").shape == std::vector<std::int64_t>{2, 2});
    CHECK(std::isnan(read->arrays.at("x").values[1]));
    CHECK(read->arrays.at("y").shape == std::vector<std::int64_t>{2, 3});
    CHECK(read->arrays.at("y").values == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(read->arrays.at("z").shape == std::vector<std::int64_t>{2, 0});
    const auto refused = [](const std::string& json) {
        const auto made = read_archive_json(json, "x.json");
        REQUIRE_FALSE(made);
        return describe(made.error());
    };
    CHECK(says(refused(R"({"a":"x","a":"y"})"), "x.json: an object has the key \"a\" twice"));
    CHECK(says(refused(R"({"arrays":{"a":{"shape":[2]}}})"), "x.json: a.values: is missing"));
    CHECK(says(refused(R"({"a":{"shape":[2],"valves":[1]}})"), "a.valves: is not known here"));
    CHECK(says(refused(R"({"a":{"shape":[1.5],"values":[1]}})"), "a: expected a whole number"));
    CHECK(says(refused(R"({"a":{"shape":3,"values":[1]}})"), "a: has a shape and values"));
    CHECK(says(refused(R"({"a":[true]})"), "a: expected a number, found true"));
    CHECK(says(refused(R"({"a":[1,2)"), "x.json: not JSON: line 1, column"));
    CHECK(says(refused("3"), "x.json: is no JSON object with arrays"));
}

TEST_CASE("LLaMA 1's config, which tells nothing of positions, is that of plain ones",
          "[checkpoint]") {
    const auto logits_with = [](const std::string& positions) {
        const FolderOfModel model("llama");
        const std::string config = model.folder.bytes("config.json");
        auto json = tensors::parse_json(config, "config.json").value();
        for (const char* key : {"rope_parameters", "rope_scaling", "rope_theta", "pad_token_id"}) {
            json.erase(key);
        }
        auto more = tensors::parse_json(positions, "more").value();
        for (const auto& item : more.items()) json[item.key()] = item.value();
        model.write("config.json", tensors::dump_json(json));
        num::ThreadPool pool(1);
        const auto read = load_model(model.folder.path(), pool);
        if (!read) FAIL(describe(read.error()));
        Input input;
        for (const int id : {5, 9, 30}) {
            input.target.push_back({std::to_string(id), 0, 0, true, id});
        }
        const auto ran = run(*read, input, {}, pool);
        if (!ran) FAIL(describe(ran.error()));
        return (*read)->logits(**ran, pool);
    };
    const auto old =
        logits_with(R"({"max_sequence_length":2048,"pad_token_id":-1,"torch_dtype":"float16"})");
    const auto plain =
        logits_with(R"({"rope_parameters":{"rope_type":"default","rope_theta":10000.0}})");
    REQUIRE(old.size() > 0);
    CHECK(old == plain);
}
