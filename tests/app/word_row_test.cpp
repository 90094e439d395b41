// Which row of the vocabulary a written word is.
#include "app/inside/word_row.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "models/text_checkpoint.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"

#include <filesystem>

using namespace heed;

namespace {

/// The small GPT-2 with a tokeniser of six words, one of which stands with a space before it too.
std::shared_ptr<const models::Model> gpt2_with_words(const std::string& folder,
                                                     num::ThreadPool& pool) {
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    for (const char* file : {"config.json", "model.safetensors"}) {
        fs::copy_file(fs::path(HEED_SOURCE_DIR "/tests/models/checkpoints/gpt2") / file,
                      fs::path(folder) / file);
    }
    const char* json =
        R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], )"
        R"("normalizer": null, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, )"
        R"("trim_offsets": true, "use_regex": true}, "post_processor": null, )"
        R"("decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, )"
        R"("use_regex": true}, "model": {"type": "BPE", "dropout": null, "unk_token": null, )"
        R"("continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false, )"
        R"("vocab": {"a": 0, "b": 1, "\u0120": 2, "ab": 3, "\u0120ab": 4, "c": 5}, )"
        R"("merges": ["a b", "\u0120 ab"]}})";
    REQUIRE(base::write_file_atomic(folder + "/tokenizer.json", json));
    auto model = models::load_model(folder, pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

} // namespace

TEST_CASE("a word may be two rows, with a space before it and without") {
    const TemporaryFolder folder;
    num::ThreadPool pool(1);
    const auto model = gpt2_with_words(folder / "gpt2", pool);
    const auto both = app::word_rows(*model, "ab", "--word");
    REQUIRE(both);
    CHECK(*both == std::vector<num::Index>{3, 4});
    CHECK(*app::word_rows(*model, " ab", "--word") == std::vector<num::Index>{4});
    CHECK(app::exact_word_name(*model, 3) != app::exact_word_name(*model, 4));
    CHECK(app::exact_word_name(*model, 4).find("id 4") != std::string::npos);
    const auto several = app::word_rows(*model, "abc", "--word");
    REQUIRE_FALSE(several);
    CHECK(several.error().subject == "--word");
    CHECK(several.error().message.find("several tokens: ab c") != std::string::npos);
}

TEST_CASE("without a tokeniser a word is a number") {
    num::ThreadPool pool(1);
    const auto model = models::load_model(HEED_SOURCE_DIR "/tests/models/checkpoints/gpt2", pool);
    REQUIRE(model);
    CHECK(*app::word_rows(**model, "17", "--word") == std::vector<num::Index>{17});
    for (const char* word : {"Mary", "61", "-1", "1x", ""}) {
        CHECK_FALSE(app::word_rows(**model, word, "--word"));
    }
}
