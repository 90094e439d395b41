// A small checkpoint with a tokeniser that we wrote: 60 words, and one for the end.
#pragma once

#include "base/file.hpp"
#include "catch.hpp"
#include "paths.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

/// Of a model that fills masks: rows 56 to 60 are [UNK], [CLS], [SEP], [MASK] and [PAD], and every
/// sentence stands between [CLS] and [SEP].
inline void make_masked_checkpoint(const std::string& folder, const std::string& name = "bert") {
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    for (const char* file : {"config.json", "model.safetensors"}) {
        fs::copy_file(fs::path(HEED_SOURCE_DIR "/tests/models/checkpoints") / name / file,
                      fs::path(folder) / file);
    }
    std::string words = R"("the": 0, "cat": 1, "sat": 2)", added;
    for (int i = 3; i < 56; ++i) words += fmt::format(", \"w{}\": {}", i, i);
    int id = 56;
    for (const char* special : {"[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"}) {
        words += fmt::format(", \"{}\": {}", special, id);
        added += fmt::format(R"({}{{"id": {}, "content": "{}", "single_word": false, )"
                             R"("lstrip": false, "rstrip": false, "normalized": false, )"
                             R"("special": true}})",
                             added.empty() ? "" : ", ", id++, special);
    }
    const std::string json =
        R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [)" + added +
        R"(], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, )"
        R"("post_processor": {"type": "TemplateProcessing", "single": )"
        R"([{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, )"
        R"({"Sequence": {"id": "A", "type_id": 0}}, )"
        R"({"SpecialToken": {"id": "[SEP]", "type_id": 0}}], "pair": [], "special_tokens": )"
        R"({"[CLS]": {"id": "[CLS]", "ids": [57], "tokens": ["[CLS]"]}, )"
        R"("[SEP]": {"id": "[SEP]", "ids": [58], "tokens": ["[SEP]"]}}}, "decoder": null, )"
        R"("model": {"type": "WordLevel", "vocab": {)" +
        words + R"(}, "unk_token": "[UNK]"}})";
    REQUIRE(heed::base::write_file_atomic(folder + "/tokenizer.json", json));
}

/// A copy of one of tests/models/checkpoints, which has 61 rows, with a tokenizer.json beside it.
/// Its words: "the", "cat", "sat", then "w3" to "w59"; row 60 ends a text.
inline void make_text_checkpoint(const std::string& folder, const std::string& name = "gpt2") {
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    for (const char* file : {"config.json", "model.safetensors"}) {
        fs::copy_file(fs::path(HEED_SOURCE_DIR "/tests/models/checkpoints") / name / file,
                      fs::path(folder) / file);
    }
    std::string words = R"("the": 0, "cat": 1, "sat": 2)";
    for (int i = 3; i < 60; ++i) words += fmt::format(", \"w{}\": {}", i, i);
    const std::string json =
        R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [{"id": 60, )"
        R"("content": "<end>", "single_word": false, "lstrip": false, "rstrip": false, )"
        R"("normalized": false, "special": true}], "normalizer": null, )"
        R"("pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null, )"
        R"("model": {"type": "WordLevel", "vocab": {)" +
        words + R"(, "<end>": 60}, "unk_token": "w59"}})";
    REQUIRE(heed::base::write_file_atomic(folder + "/tokenizer.json", json));
}
