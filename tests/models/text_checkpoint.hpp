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

/// A tokenizer.json of 61 rows beside a copy of the checkpoint gpt2; `model` has them.
inline void make_gpt_checkpoint(const std::string& folder, const std::string& parts,
                                const std::string& model) {
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    for (const char* file : {"config.json", "model.safetensors"}) {
        fs::copy_file(fs::path(HEED_SOURCE_DIR "/tests/models/checkpoints/gpt2") / file,
                      fs::path(folder) / file);
    }
    const std::string json =
        R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], )"
        R"("normalizer": null, "post_processor": null, )" +
        parts + R"(, "model": )" + model + "}";
    REQUIRE(heed::base::write_file_atomic(folder + "/tokenizer.json", json));
}

/// Pieces: "cat" is row 1, "##s" the row `piece`, "cats" row 4, which is read where both are
/// written.
inline void make_piece_checkpoint(const std::string& folder, int piece = 3) {
    std::string words = R"("the": 0, "cat": 1, "sat": 2, "cats": 4, "[UNK]": 5)";
    for (int i = 3; i < 61; ++i) {
        if (i == 4 || i == 5) continue;
        words += i == piece ? fmt::format(", \"##s\": {}", i) : fmt::format(", \"w{}\": {}", i, i);
    }
    make_gpt_checkpoint(folder,
                        R"("pre_tokenizer": {"type": "Whitespace"}, )"
                        R"("decoder": {"type": "WordPiece", "prefix": "##", "cleanup": false})",
                        R"({"type": "WordPiece", "unk_token": "[UNK]", )"
                        R"("continuing_subword_prefix": "##", )"
                        R"("max_input_chars_per_word": 100, "vocab": {)" +
                            words + "}}");
}

/// Bytes: "a" and "b" are rows 0 and 1, row 3 is the first byte of a character of three, row 8 the
/// whole character U+FFFD; rows 4, 9 and 10 are "！".
inline void make_byte_checkpoint(const std::string& folder) {
    std::string words = R"("a": 0, "b": 1, "Ġ": 2, "ä": 3, "ï": 4, "¿": 5, "½": 6, "ï¿": 7, )"
                        R"("ï¿½": 8, "¼": 9, "ģ": 10)";
    for (int i = 11; i < 61; ++i) words += fmt::format(", \"w{}\": {}", i, i);
    make_gpt_checkpoint(folder,
                        R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, )"
                        R"("trim_offsets": true, "use_regex": true}, )"
                        R"("decoder": {"type": "ByteLevel", "add_prefix_space": false, )"
                        R"("trim_offsets": true, "use_regex": true})",
                        R"({"type": "BPE", "dropout": null, "unk_token": null, )"
                        R"("continuing_subword_prefix": null, "end_of_word_suffix": null, )"
                        R"("fuse_unk": false, "byte_fallback": false, "vocab": {)" +
                            words + R"(}, "merges": ["ï ¿", "ï¿ ½"]})");
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
