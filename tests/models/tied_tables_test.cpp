// What a file has of one table under two names: the same numbers are one table, others are two.
#include "models/temporary_file.hpp"
#include "paths.hpp"

#include <filesystem>
#include <functional>
#include <string>

using namespace heed;
using namespace heed::models;
namespace fs = std::filesystem;

namespace {

const std::string kCheckpoints = HEED_SOURCE_DIR "/tests/models/checkpoints/";

/// A checkpoint with other tensors, gone afterwards.
struct Changed {
    fs::path folder;
    Changed(const std::string& name, const std::function<void(tensors::Archive&)>& change) {
        folder = fs::temp_directory_path() / ("heed_tied." + std::to_string(::getpid()));
        fs::remove_all(folder);
        fs::copy(kCheckpoints + name, folder);
        const std::string path = (folder / "model.safetensors").string();
        auto archive = tensors::read_safetensors(bytes_of(path), path);
        REQUIRE(archive);
        change(*archive);
        REQUIRE(base::write_file_atomic(path, tensors::write_safetensors(*archive)));
    }
    ~Changed() { fs::remove_all(folder); }
    Changed(const Changed&) = delete;
};

num::Matrix<float> logits_of(const fs::path& folder) {
    num::ThreadPool pool(1);
    const auto model = load_model(folder.string(), pool);
    if (!model) FAIL(base::describe(model.error()));
    Input input;
    for (const int id : {7, 3, 20, 9}) {
        input.source.push_back({std::to_string(id), 0, 0, true, id});
    }
    const auto made = run(*model, input, {}, pool);
    REQUIRE(made);
    return (*model)->logits(**made, pool);
}

tensors::Array times(tensors::Array array, float factor) {
    for (float& x : array.values) x *= factor;
    return array;
}

} // namespace

TEST_CASE("a head of words is read where it differs from the embedding it should be tied to") {
    const num::Matrix<float> tied = logits_of(kCheckpoints + "gpt2");
    const auto with_head = [](float factor) {
        return [factor](tensors::Archive& archive) {
            archive.arrays["lm_head.weight"] =
                times(archive.arrays.at("transformer.wte.weight"), factor);
        };
    };
    CHECK(logits_of(Changed("gpt2", with_head(1)).folder) == tied);
    CHECK(logits_of(Changed("gpt2", with_head(2)).folder) == 2 * tied);
}

TEST_CASE("of two biases of the words the one that the library adds is read") {
    const std::pair<const char*, std::string> cases[] = {
        {"bert", "cls.predictions."}, {"roberta", "lm_head."}, {"albert", "predictions."}};
    for (const auto& [name, head] : cases) {
        CAPTURE(name);
        num::Matrix<float> shift;
        const Changed changed(name, [&, at = head](tensors::Archive& archive) {
            tensors::Array& bias = archive.arrays.at(at + "bias");
            shift = Eigen::Map<const num::Matrix<float>>(bias.values.data(), 1,
                                                         std::ssize(bias.values));
            archive.arrays[at + "decoder.bias"] = times(bias, 3);
        });
        const num::Matrix<float> before = logits_of(kCheckpoints + name);
        const num::Matrix<float> after = logits_of(changed.folder);
        CHECK((after - before).isApprox(2 * shift.replicate(before.rows(), 1), 1e-4f));
    }
}

TEST_CASE("a stack that embeds by a table of its own is refused by name, and a copy is not") {
    const std::pair<const char*, std::string> cases[] = {{"bart", "model."}, {"t5", ""}};
    for (const auto& [name, prefix] : cases) {
        CAPTURE(name);
        for (const float factor : {1.f, 2.f}) {
            const Changed changed(name, [&, at = prefix](tensors::Archive& archive) {
                for (const char* stack : {"encoder", "decoder"}) {
                    archive.arrays[at + stack + ".embed_tokens.weight"] =
                        times(archive.arrays.at(at + "shared.weight"), factor);
                }
            });
            num::ThreadPool pool(1);
            const auto model = load_model(changed.folder.string(), pool);
            REQUIRE(model.has_value() == (factor == 1));
            if (model) continue;
            CHECK(has(model.error(), "2 tensors do not belong to this model: " + prefix +
                                         "decoder.embed_tokens.weight"));
        }
    }
}
