#include "tokenizers/gguf_tokenizer.hpp"

#include "base/utf8.hpp"
#include "tokenizers/parts/known_patterns.hpp"
#include "tokenizers/pipeline.hpp"
#include "tokenizers/sentencepiece.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;
using base::Result;
using tensors::Json;

namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;
using TokenType = SentencePieceFile::Type; // numbered alike

constexpr std::string_view kBefore = "tokenizer.ggml.";

/// Cut of words by a name of "tokenizer.ggml.pre".
struct WordCut {
    std::string_view name;
    std::string pattern; // empty: GPT-2's
    bool digits = false; // each digit is a word, before that
    bool nfc = false;
    bool ignore_merges = false; // a word that is a token is one
    bool begins = false;        // a text begins with the beginning of sequences
};

const std::vector<WordCut>& known_cuts() {
    const std::string up_to_three = R"(\p{N}{1,3})", one = R"(\p{N})";
    const std::string endings = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
    static const std::vector<WordCut> cuts = {
        {"gpt-2", ""},
        {"phi-2", ""},
        {"smollm", "", true},
        {"llama-bpe", words_with_digits(up_to_three), false, false, true, true},
        {"llama3", words_with_digits(up_to_three), false, false, true, true},
        {"llama-v3", words_with_digits(up_to_three), false, false, true, true},
        {"dbrx", words_with_digits(up_to_three)}, // Phi-4
        {"qwen2", words_with_digits(one), false, true},
        {"deepseek-r1-qwen", words_with_digits(one)},
        {"gpt-4o", words_with_capitals(endings, up_to_three)},               // Phi-4 mini
        {"tekken", words_with_capitals("", one), false, false, true, true}}; // Mistral Nemo
    return cuts;
}

/// The values of a file's tokeniser by their names, without what stands before.
class GgufValues {
  public:
    explicit GgufValues(const tensors::GgufHeader& header) : header_(header) {}

    static std::string key(std::string_view name) {
        return std::string(kBefore) + std::string(name);
    }

    template <class T> const T* find(std::string_view name) const {
        const auto found = header_.values.find(key(name));
        if (found == header_.values.end()) return nullptr;
        if (const T* value = std::get_if<T>(&found->second)) return value;
        throw Refused(ErrorKind::malformed, key(name), "is of another type than expected");
    }
    std::string text(std::string_view name) const {
        const auto* value = find<std::string>(name);
        return value ? base::to_valid_utf8(*value) : std::string();
    }
    bool flag(std::string_view name, bool otherwise) const {
        const bool* value = find<bool>(name);
        return value ? *value : otherwise;
    }
    /// An id that there is a token for.
    std::optional<int> id(std::string_view name, std::size_t tokens) const {
        const auto* value = find<std::uint64_t>(name);
        if (!value) return std::nullopt;
        if (*value >= tokens) {
            throw Refused(ErrorKind::mismatch, key(name),
                          fmt::format("is {}, and there are {} tokens", *value, tokens));
        }
        return static_cast<int>(*value);
    }
    const Texts& tokens() const {
        const auto* tokens = find<Texts>("tokens");
        if (!tokens || tokens->empty()) {
            throw Refused(ErrorKind::malformed, key("tokens"), "is missing");
        }
        for (std::size_t i = 0; i < tokens->size(); ++i) {
            if (!base::is_valid_utf8((*tokens)[i])) {
                throw Refused(ErrorKind::malformed, key("tokens"),
                              fmt::format("token {} is not UTF-8", i));
            }
        }
        return *tokens;
    }
    /// A list of as many numbers as there are tokens; null where there is none.
    const Numbers* one_a_token(std::string_view name, std::size_t tokens) const {
        const auto* list = find<Numbers>(name);
        if (!list || list->size() == tokens) return list;
        throw Refused(ErrorKind::mismatch, key(name),
                      fmt::format("has {} numbers for {} tokens", list->size(), tokens));
    }

  private:
    const tensors::GgufHeader& header_;
};

std::vector<TokenType> types_of(const GgufValues& values, std::size_t tokens) {
    std::vector<TokenType> types(tokens, TokenType::normal);
    const Numbers* list = values.one_a_token("token_type", tokens);
    for (std::size_t i = 0; list && i < tokens; ++i) {
        const double type = (*list)[i]; // 0 is none in particular
        if (type >= 1 && type <= 6) types[i] = static_cast<TokenType>(static_cast<int>(type));
    }
    return types;
}

/// Tokens found in a text before it is cut. Each of their bytes takes some hundred to find.
std::vector<AddedToken> tokens_of_types(const Texts& tokens, const std::vector<TokenType>& types,
                                        std::initializer_list<TokenType> wanted) {
    constexpr std::size_t kMostBytes = 1 << 20;
    std::vector<AddedToken> added;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (types[i] == TokenType::normal || types[i] == TokenType::byte) continue;
        bytes += tokens[i].size();
        if (std::find(wanted.begin(), wanted.end(), types[i]) == wanted.end()) continue;
        added.push_back(
            {tokens[i], false, false, false, false, types[i] != TokenType::user_defined});
    }
    if (bytes <= kMostBytes) return added;
    throw Refused(
        ErrorKind::out_of_range, GgufValues::key("token_type"),
        fmt::format("makes {} bytes of tokens special; at most {} are read", bytes, kMostBytes));
}

NamedIds named_ids(const GgufValues& values, std::size_t tokens, bool usual) {
    const auto id = [&](const char* name) { return values.id(name, tokens); };
    NamedIds named;
    named.bos = id("bos_token_id");
    named.eos = id("eos_token_id");
    named.unk = id("unknown_token_id");
    named.pad = id("padding_token_id");
    named.mask = id("mask_token_id");
    named.cls = id("cls_token_id");
    named.sep = id("seperator_token_id"); // as the format spells it
    if (usual && tokens > 2) {
        if (!named.unk) named.unk = 0;
        if (!named.bos) named.bos = 1;
        if (!named.eos) named.eos = 2;
    }
    return named;
}

/// The ends of a text, where the file wants them.
Processor ends_of(const GgufValues& values, const Texts& tokens, const NamedIds& named,
                  bool begins) {
    std::vector<Placed> before, after;
    const auto placed = [&](int id) {
        return Placed{id, tokens[static_cast<std::size_t>(id)], 0, 0};
    };
    if (named.bos && values.flag("add_bos_token", begins)) before.push_back(placed(*named.bos));
    if (named.eos && values.flag("add_eos_token", false)) after.push_back(placed(*named.eos));
    return around(std::move(before), std::move(after));
}

Parts parts_of_scores(const GgufValues& values) {
    const Texts& tokens = values.tokens();
    const auto types = types_of(values, tokens.size());
    const Numbers* scores = values.one_a_token("scores", tokens.size());
    if (!scores) throw Refused(ErrorKind::malformed, GgufValues::key("scores"), "is missing");
    if (const auto* map = values.find<Numbers>("precompiled_charsmap"); map && !map->empty()) {
        throw Refused(ErrorKind::unsupported, GgufValues::key("precompiled_charsmap"),
                      "is not followed by Heed in a file with merges");
    }
    const auto added = tokens_of_types(tokens, types, {TokenType::control, TokenType::unknown});
    SentencePieceFile file;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        file.entries.push_back({tokens[i], static_cast<float>((*scores)[i]), types[i]});
    }
    file.bpe = true;
    file.byte_fallback = true;
    file.add_dummy_prefix = values.flag("add_space_prefix", true);
    file.remove_extra_spaces = values.flag("remove_extra_whitespaces", false);
    const auto same = [](int piece, std::string_view) { return piece; };
    Parts parts = sentencepiece_parts(file, vocabulary_of(file), same);
    parts.added = AddedTokens(added, *parts.model, {});
    parts.named = named_ids(values, tokens.size(), true);
    parts.processor = ends_of(values, tokens, parts.named, true);
    return parts;
}

const WordCut& cut_of(const GgufValues& values) {
    const std::string name = values.text("pre");
    std::string known;
    for (const WordCut& cut : known_cuts()) {
        if (cut.name == name) return cut;
        known += (known.empty() ? "" : ", ") + std::string(cut.name);
    }
    throw Refused(ErrorKind::unsupported, GgufValues::key("pre"),
                  fmt::format("{}; Heed knows {}",
                              name.empty() ? "is missing, so that it is not told how words are cut"
                                           : fmt::format("is '{:.40}'", name),
                              known));
}

Json cutting_of(const WordCut& cut) {
    const auto level = [](bool words) {
        return Json{{"type", "ByteLevel"},
                    {"add_prefix_space", false},
                    {"trim_offsets", false},
                    {"use_regex", words}};
    };
    Json steps = Json::array();
    if (cut.digits) steps.push_back({{"type", "Digits"}, {"individual_digits", true}});
    if (!cut.pattern.empty()) {
        steps.push_back({{"type", "Split"},
                         {"pattern", {{"Regex", cut.pattern}}},
                         {"behavior", "Isolated"},
                         {"invert", false}});
    }
    steps.push_back(level(cut.pattern.empty()));
    return {{"type", "Sequence"}, {"pretokenizers", std::move(steps)}};
}

void add_merges(const GgufValues& values, Document& document) {
    const auto* merges = values.find<Texts>("merges");
    if (!merges) throw Refused(ErrorKind::malformed, GgufValues::key("merges"), "is missing");
    const auto add = [&](std::string_view words) {
        document.merge_bytes += words;
        document.merge_ends.push_back(static_cast<std::uint32_t>(document.merge_bytes.size()));
    };
    for (const std::string& merge : *merges) {
        const std::string_view words = merge;
        const std::size_t space = words.find(' ');
        if (space == std::string_view::npos || words.find(' ', space + 1) != words.npos ||
            !base::is_valid_utf8(words)) {
            throw Refused(ErrorKind::malformed, GgufValues::key("merges"),
                          fmt::format("'{}' is not two tokens with a space between",
                                      base::to_valid_utf8(words.substr(0, 80))));
        }
        add(words.substr(0, space));
        add(words.substr(space + 1));
    }
    document.has_merges = true;
}

Parts parts_of_bytes(const GgufValues& values) {
    const WordCut& cut = cut_of(values);
    const Texts& tokens = values.tokens();
    const auto types = types_of(values, tokens.size());
    Document document;
    const auto added =
        tokens_of_types(tokens, types, {TokenType::control, TokenType::user_defined});
    document.vocabulary.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!document.vocabulary.add(tokens[i], static_cast<int>(i))) {
            throw Refused(ErrorKind::malformed, GgufValues::key("tokens"),
                          fmt::format("'{:.80}' is there twice", tokens[i]));
        }
    }
    document.has_vocabulary = true;
    add_merges(values, document);
    document.rest = {{"version", "1.0"},
                     {"pre_tokenizer", cutting_of(cut)},
                     {"decoder",
                      {{"type", "ByteLevel"},
                       {"add_prefix_space", false},
                       {"trim_offsets", false},
                       {"use_regex", true}}},
                     {"model", {{"type", "BPE"}, {"ignore_merges", cut.ignore_merges}}}};
    if (cut.nfc) document.rest["normalizer"] = {{"type", "NFC"}};
    Parts parts = read_parts(std::move(document));
    parts.added = AddedTokens(added, *parts.model, parts.normalizer);
    parts.named = named_ids(values, tokens.size(), false);
    parts.processor = ends_of(values, tokens, parts.named, cut.begins);
    return parts;
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> read_gguf_tokenizer(const tensors::GgufFile& file) {
    try {
        const GgufValues values(file.header());
        const std::string model = values.text("model");
        if (model.empty()) {
            throw Refused(ErrorKind::not_found, GgufValues::key("model"), "is missing");
        }
        if (model == "llama") return make_tokenizer(parts_of_scores(values));
        if (model == "gpt2") return make_tokenizer(parts_of_bytes(values));
        throw Refused(ErrorKind::unsupported, GgufValues::key("model"),
                      fmt::format("is '{:.40}'; Heed knows llama and gpt2", model));
    } catch (const Refused& refused) {
        base::Error error = refused.error();
        error.message = describe(error);
        error.subject = file.path();
        return tl::make_unexpected(error);
    }
}

} // namespace heed::tokenizers
