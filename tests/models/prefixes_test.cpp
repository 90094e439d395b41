// Files of models that end too early: every prefix of a small file of each kind is refused, and the
// file is named.
#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "models/checkpoint/generation_settings.hpp"
#include "models/open.hpp"
#include "tensors/named.hpp"

#include <filesystem>
#include <fstream>

using namespace heed;
using namespace heed::models;

namespace {

namespace fs = std::filesystem;

void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// GPT-2 with one layer, one head and three words.
const std::string kSmallConfig =
    R"({"model_type":"gpt2","n_embd":2,"n_head":1,"n_layer":1,"n_inner":2,"n_positions":2,)"
    R"("vocab_size":3})";

tensors::Archive small_weights() {
    tensors::Archive archive;
    const auto add = [&](const char* name, std::vector<std::int64_t> shape) {
        std::size_t count = 1;
        for (const auto side : shape) count *= static_cast<std::size_t>(side);
        archive.arrays[name] = {std::move(shape), std::vector<float>(count, 0.5f)};
    };
    add("wte.weight", {3, 2});
    add("wpe.weight", {2, 2});
    for (const char* norm : {"h.0.ln_1.weight", "h.0.ln_1.bias", "h.0.ln_2.weight", "h.0.ln_2.bias",
                             "ln_f.weight", "ln_f.bias"}) {
        add(norm, {2});
    }
    add("h.0.attn.c_attn.weight", {2, 6});
    add("h.0.attn.c_attn.bias", {6});
    for (const char* part : {"attn.c_proj", "mlp.c_fc", "mlp.c_proj"}) {
        add((std::string("h.0.") + part + ".weight").c_str(), {2, 2});
        add((std::string("h.0.") + part + ".bias").c_str(), {2});
    }
    return archive;
}

/// Cuts a file of a folder behind each of its bytes but the last `spare`; each time it is named.
void check_prefixes(const std::string& folder, const std::string& path, std::size_t spare = 0) {
    num::ThreadPool pool(1);
    const auto whole = load_model(folder, pool);
    if (!whole) FAIL(describe(whole.error()));
    const std::string copy = path + ".whole";
    fs::copy_file(path, copy);
    for (std::size_t n = fs::file_size(path) - spare; n-- > 0;) {
        fs::resize_file(path, n);
        const auto read = load_model(folder, pool);
        if (read || read.error().subject != path) {
            FAIL_CHECK(path << " of " << n
                            << " bytes: " << (read ? "was read" : describe(read.error())));
        }
    }
    fs::rename(copy, path);
}

} // namespace

TEST_CASE("every prefix of a small checkpoint's files is refused", "[checkpoint]") {
    const TemporaryFolder folder;
    write_file(folder / "config.json", kSmallConfig);
    write_file(folder / "model.safetensors", tensors::write_safetensors(small_weights()));
    check_prefixes(folder.path(), folder / "config.json");
    check_prefixes(folder.path(), folder / "model.safetensors");
    write_file(folder / "generation_config.json",
               R"({"eos_token_id":[1,2],"bad_words_ids":[[2]],"length_penalty":0.5})");
    check_prefixes(folder.path(), folder / "generation_config.json");
}

TEST_CASE("every prefix of an index and of its shards is refused", "[checkpoint]") {
    const TemporaryFolder folder;
    write_file(folder / "config.json", kSmallConfig);
    tensors::Archive first = small_weights(), second;
    for (const char* name : {"wte.weight", "ln_f.bias"}) {
        second.arrays.insert(first.arrays.extract(name));
    }
    std::string map;
    for (const auto& [part, file] :
         {std::pair(&first, "a.safetensors"), std::pair(&second, "b.safetensors")}) {
        write_file(folder / file, tensors::write_safetensors(*part));
        for (const auto& entry : part->arrays) {
            map += (map.empty() ? "\"" : ",\"") + entry.first + "\":\"" + file + "\"";
        }
    }
    const std::string index = folder / "model.safetensors.index.json";
    write_file(index, "{\"weight_map\":{" + map + "}}");
    check_prefixes(folder.path(), index);
    check_prefixes(folder.path(), folder / "a.safetensors");
    check_prefixes(folder.path(), folder / "b.safetensors");
}

TEST_CASE("every prefix of a small file of attention is refused", "[checkpoint]") {
    const TemporaryFolder folder;
    tensors::Archive archive;
    archive.arrays["encoder.layers.0.self_attn.weights"] = {{1, 2, 2}, {1, 0, 0.5f, 0.5f}};
    archive.strings["source_tokens"] = {"a", "b"};
    const std::string json = folder / "x.json", npz = folder / "x.npz",
                      safetensors = folder / "x.safetensors";
    write_file(json, tensors::write_json(archive));
    write_file(safetensors, tensors::write_safetensors(archive));
    write_file(npz, tensors::write_npz(archive).value());
    check_prefixes(json, json, 1); // without the end of its line it is whole
    check_prefixes(safetensors, safetensors);
    check_prefixes(npz, npz);
}
