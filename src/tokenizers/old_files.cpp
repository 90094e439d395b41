#include "tokenizers/old_files.hpp"

#include "base/utf8.hpp"
#include "tokenizers/models/wordpiece.hpp"
#include "tokenizers/parts/known_patterns.hpp"
#include "tokenizers/sentencepiece.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace heed::tokenizers {

using base::ErrorKind;
using tensors::Json;

namespace {

template <class T> T taken_from(base::Result<T> result) {
    if (!result) throw Refused(result.error());
    return std::move(*result);
}

/// Calls with each line; "\r\n" ends one too.
template <class Take> void for_lines(std::string_view bytes, const Take& take) {
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        take(line);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
}

void read_merges(const std::string& path, Document& document) {
    const std::string bytes = bytes_of_file(path);
    for_lines(bytes, [&](std::string_view line) {
        if (line.empty() || line.starts_with("#version")) return;
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos ||
            line.find(' ', space + 1) != std::string_view::npos) {
            throw Refused(ErrorKind::malformed, path,
                          fmt::format("'{}' is not two tokens with a space between",
                                      base::to_valid_utf8(line.substr(0, 80))));
        }
        if (document.merge_ends.size() >= 2 * Document::kMaxMerges) {
            throw Refused(
                ErrorKind::out_of_range, path,
                fmt::format("has more than {} merges, and no more are read", Document::kMaxMerges));
        }
        document.merge_bytes += line.substr(0, space);
        document.merge_ends.push_back(static_cast<std::uint32_t>(document.merge_bytes.size()));
        document.merge_bytes += line.substr(space + 1);
        document.merge_ends.push_back(static_cast<std::uint32_t>(document.merge_bytes.size()));
    });
    document.has_merges = true;
}

Json added_token(const AddedToken& token, int id) {
    return {{"id", id},
            {"content", token.content},
            {"single_word", token.single_word},
            {"lstrip", token.left_strip},
            {"rstrip", token.right_strip},
            {"normalized", token.normalized},
            {"special", token.special}};
}

/// The tokens of `keys` (with their usual words) and what the settings add.
std::vector<AddedToken>
special_tokens(const FolderSettings& settings,
               std::initializer_list<std::pair<const char*, const char*>> keys) {
    std::vector<AddedToken> tokens = settings.added();
    for (const auto& [key, usual] : keys) {
        const std::string words = settings.word(key).value_or(usual);
        const bool there = std::any_of(tokens.begin(), tokens.end(),
                                       [&](const AddedToken& t) { return t.content == words; });
        if (words.empty() || there) continue;
        const bool left = std::string_view(key) == "mask_token" && words == "<mask>";
        tokens.push_back({words, false, left, false, false, true});
    }
    return tokens;
}

Json json_of(const std::vector<AddedToken>& tokens) {
    Json list = Json::array();
    for (const AddedToken& token : tokens) list.push_back(added_token(token, 0));
    return list;
}

int id_of_token(const Vocabulary& vocabulary, const std::string& token) {
    if (const auto id = vocabulary.find(token)) return *id;
    throw Refused(ErrorKind::mismatch, "vocab", fmt::format("lacks '{}'", token));
}

/// Special tokens by the class, or by the name of the file where no class is told.
Processor processor_of(const std::string& kind, const FolderSettings& settings,
                       const std::function<int(const std::string&)>& id) {
    const auto token = [&](const char* key, const char* usual) {
        const std::string words = settings.word(key).value_or(usual);
        return Placed{id(words), words, 0, 0};
    };
    if (kind == "T5") return around({}, {token("eos_token", "</s>")});
    if (kind == "Albert")
        return around({token("cls_token", "[CLS]")}, {token("sep_token", "[SEP]")});
    if (kind == "XLMRoberta") {
        return around({token("bos_token", "<s>")}, {token("eos_token", "</s>")});
    }
    std::vector<Placed> before, after;
    if (settings.flag("add_bos_token").value_or(true)) before.push_back(token("bos_token", "<s>"));
    if (settings.flag("add_eos_token").value_or(false)) after.push_back(token("eos_token", "</s>"));
    return around(std::move(before), std::move(after));
}

std::string kind_of(const std::string& path, const FolderSettings& settings) {
    const std::string name = settings.tokenizer_class();
    for (const char* kind : {"XLMRoberta", "T5", "Albert", "Llama", "Gemma"}) {
        if (name.find(kind) != std::string::npos) return kind;
    }
    if (!name.empty()) {
        throw Refused(
            ErrorKind::unsupported, "tokenizer_config.json",
            fmt::format("tokenizer_class '{}' with a SentencePiece model is not known to Heed",
                        name));
    }
    if (settings.model_type() == "albert") return "Albert";
    if (settings.model_type().starts_with("gemma")) return "Gemma";
    if (path.ends_with("sentencepiece.bpe.model")) return "XLMRoberta";
    return path.ends_with("spiece.model") ? "T5" : "Llama";
}

/// ALBERT's own rules before those of the file.
Normalizer albert_rules(const FolderSettings& settings, const Normalizer& then) {
    const bool accents = settings.flag("keep_accents").value_or(false);
    const bool lower = settings.flag("do_lower_case").value_or(true);
    return [=](AlignedText& text) {
        for (const auto& [old, becomes] : {std::pair("``", "\""), std::pair("''", "\"")}) {
            text.replace(stretches_of(text.text(), std::string_view(old)), becomes);
        }
        if (!accents) {
            normalize(text, NormalForm::nfkd);
            text.filter([](char32_t c) { return !is_combining_mark(c); });
        }
        if (lower) text.lower_case();
        then(text);
    };
}

/// Fairseq's ids: four of its own, the pieces one further, and the mask last.
Vocabulary fairseq_vocabulary(const SentencePieceFile& file) {
    Vocabulary vocabulary;
    for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"}) {
        vocabulary.add(token, static_cast<int>(vocabulary.size()));
    }
    for (std::size_t i = 3; i < file.entries.size(); ++i) {
        vocabulary.add(file.entries[i].words, static_cast<int>(i) + 1);
    }
    vocabulary.add("<mask>", static_cast<int>(file.entries.size()) + 1);
    return vocabulary;
}

} // namespace

Parts parts_of_merges(const std::string& folder, const FolderSettings& settings) {
    Document document;
    document.vocabulary =
        taken_from(read_vocabulary(bytes_of_file(folder + "/vocab.json"), folder + "/vocab.json"));
    document.has_vocabulary = true;
    read_merges(folder + "/merges.txt", document);
    const std::string name = settings.tokenizer_class();
    const bool roberta =
        name.find("Roberta") != std::string::npos || name.find("Bart") != std::string::npos ||
        (name.empty() && document.vocabulary.find("<s>") && document.vocabulary.find("</s>"));
    const bool qwen = name.find("Qwen2") != std::string::npos;
    const bool prefix = settings.flag("add_prefix_space").value_or(false);
    const Json byte_level = {{"type", "ByteLevel"},
                             {"add_prefix_space", prefix},
                             {"trim_offsets", true},
                             {"use_regex", !qwen}};
    Json json = {{"version", "1.0"}, {"pre_tokenizer", byte_level}, {"decoder", byte_level}};
    if (qwen) {
        json["normalizer"] = {{"type", "NFC"}};
        const Json split = {{"type", "Split"},
                            {"pattern", {{"Regex", words_with_digits(R"(\p{N})")}}},
                            {"behavior", "Isolated"},
                            {"invert", false}};
        json["pre_tokenizer"] = {{"type", "Sequence"},
                                 {"pretokenizers", Json::array({split, byte_level})}};
    }
    std::vector<AddedToken> tokens;
    if (roberta) {
        tokens = special_tokens(settings, {{"bos_token", "<s>"},
                                           {"eos_token", "</s>"},
                                           {"unk_token", "<unk>"},
                                           {"pad_token", "<pad>"},
                                           {"mask_token", "<mask>"}});
        const auto pair = [&](const char* key, const char* usual) {
            const std::string words = settings.word(key).value_or(usual);
            return Json::array({words, id_of_token(document.vocabulary, words)});
        };
        json["post_processor"] = {{"type", "RobertaProcessing"},
                                  {"sep", pair("sep_token", "</s>")},
                                  {"cls", pair("cls_token", "<s>")},
                                  {"trim_offsets", true},
                                  {"add_prefix_space", prefix}};
    } else {
        tokens = special_tokens(settings, {{"eos_token", "<|endoftext|>"},
                                           {"bos_token", ""},
                                           {"unk_token", ""},
                                           {"pad_token", ""}});
    }
    json["added_tokens"] = json_of(tokens);
    json["model"] = {{"type", "BPE"}};
    document.rest = std::move(json);
    return read_parts(std::move(document));
}

Parts parts_of_words(const std::string& folder, const FolderSettings& settings) {
    Document document;
    const std::string path = folder + "/vocab.txt", bytes = bytes_of_file(path);
    int id = 0;
    for_lines(bytes, [&](std::string_view line) {
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
        if (document.vocabulary.size() >= Vocabulary::kMostTokens) {
            throw Refused(ErrorKind::out_of_range, path,
                          fmt::format("has more than {} tokens, and no more are read",
                                      Vocabulary::kMostTokens));
        }
        if (!base::is_valid_utf8(line)) {
            throw Refused(ErrorKind::malformed, path, fmt::format("line {} is not UTF-8", id + 1));
        }
        if (!document.vocabulary.add(line, id)) {
            throw Refused(ErrorKind::malformed, path,
                          fmt::format("line {}: '{}' is there twice", id + 1, line));
        }
        ++id;
    });
    document.has_vocabulary = true;
    const std::string unknown = settings.word("unk_token").value_or("[UNK]");
    const std::string cls = settings.word("cls_token").value_or("[CLS]");
    const std::string sep = settings.word("sep_token").value_or("[SEP]");
    const int cls_id = id_of_token(document.vocabulary, cls);
    const int sep_id = id_of_token(document.vocabulary, sep);
    Json normalizer = {
        {"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", settings.flag("tokenize_chinese_chars").value_or(true)},
        {"strip_accents", nullptr},
        {"lowercase", settings.flag("do_lower_case").value_or(true)}};
    if (const auto strip = settings.flag("strip_accents")) normalizer["strip_accents"] = *strip;
    document.rest = {
        {"version", "1.0"},
        {"normalizer", std::move(normalizer)},
        {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
        {"post_processor",
         {{"type", "BertProcessing"},
          {"sep", Json::array({sep, sep_id})},
          {"cls", Json::array({cls, cls_id})}}},
        {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
        {"added_tokens", json_of(special_tokens(settings, {{"unk_token", "[UNK]"},
                                                           {"sep_token", "[SEP]"},
                                                           {"pad_token", "[PAD]"},
                                                           {"cls_token", "[CLS]"},
                                                           {"mask_token", "[MASK]"}}))},
        {"model",
         {{"type", "WordPiece"},
          {"unk_token", unknown},
          {"continuing_subword_prefix", "##"},
          {"max_input_chars_per_word", 100}}}};
    return read_parts(std::move(document));
}

Parts parts_of_sentencepiece(const std::string& path, const FolderSettings* settings) {
    const SentencePieceFile file = taken_from(read_sentencepiece(bytes_of_file(path), path));
    const auto same = [](int piece, std::string_view) { return piece; };
    if (!settings) return sentencepiece_parts(file, vocabulary_of(file), same);
    const std::string kind = kind_of(path, *settings);
    Parts parts;
    if (kind == "XLMRoberta") {
        int unknown = 0;
        for (std::size_t i = 0; i < file.entries.size(); ++i) {
            if (file.entries[i].type == SentencePieceFile::Type::unknown)
                unknown = static_cast<int>(i);
        }
        parts = sentencepiece_parts(
            file, fairseq_vocabulary(file),
            [unknown](int piece, std::string_view) { return piece == unknown ? 3 : piece + 1; });
    } else {
        parts = sentencepiece_parts(file, vocabulary_of(file), same);
    }
    if (kind == "Albert") parts.normalizer = albert_rules(*settings, parts.normalizer);
    std::vector<AddedToken> tokens = settings->added();
    const auto add = [&](const std::string& words) {
        const bool there = std::any_of(tokens.begin(), tokens.end(),
                                       [&](const AddedToken& t) { return t.content == words; });
        if (!there) tokens.push_back({words, false, false, false, false, true});
    };
    for (const SentencePieceFile::Entry& entry : file.entries) {
        if (entry.type == SentencePieceFile::Type::control ||
            entry.type == SentencePieceFile::Type::unknown) {
            add(entry.words);
        }
    }
    if (kind == "XLMRoberta") {
        for (const char* words : {"<pad>", "<mask>"}) add(words);
    }
    if (kind == "T5") { // sentinels stand behind the pieces, the last one first
        for (int i = 99; i >= 0; --i) add(fmt::format("<extra_id_{}>", i));
    }
    parts.added = AddedTokens(tokens, *parts.model, {});
    parts.processor = processor_of(kind, *settings, [&](const std::string& words) {
        if (const auto id = parts.added.find(words)) return *id;
        return id_of_token(parts.model->vocabulary(), words);
    });
    return parts;
}

Parts parts_of_marian(const std::string& folder, const char* model) {
    const std::string path = folder + "/" + model;
    const SentencePieceFile file = taken_from(read_sentencepiece(bytes_of_file(path), path));
    Vocabulary vocabulary =
        taken_from(read_vocabulary(bytes_of_file(folder + "/vocab.json"), folder + "/vocab.json"));
    const int unknown = id_of_token(vocabulary, "<unk>"), end = id_of_token(vocabulary, "</s>");
    const auto ids = std::make_shared<const Vocabulary>(vocabulary);
    Parts parts =
        sentencepiece_parts(file, std::move(vocabulary), [=](int, std::string_view words) {
            return ids->find(words).value_or(unknown);
        });
    std::vector<AddedToken> tokens;
    for (const char* words : {"</s>", "<unk>", "<pad>"}) {
        if (ids->find(words)) tokens.push_back({words, false, false, false, false, true});
    }
    for (int id = 0; id < ids->rows(); ++id) { // of the language that is wanted: ">>fra<<"
        const std::string words(ids->token(id));
        if (words.starts_with(">>") && words.ends_with("<<")) {
            tokens.push_back({words, false, false, false, false, false});
        }
    }
    parts.added = AddedTokens(tokens, *parts.model, {});
    parts.processor = around({}, {{end, "</s>", 0, 0}});
    return parts;
}

} // namespace heed::tokenizers
