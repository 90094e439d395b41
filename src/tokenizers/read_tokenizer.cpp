// tokenizer.json: from its document to the parts of a tokeniser.
#include "tokenizers/models/bpe.hpp"
#include "tokenizers/models/unigram.hpp"
#include "tokenizers/models/wordpiece.hpp"
#include "tokenizers/pipeline.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;
using base::Result;
using tensors::Json;

namespace {

std::shared_ptr<const Model> read_bpe(Fields& fields, Document& document) {
    BpeRules rules;
    if (const Json* dropout = fields.find("dropout")) {
        if (!dropout->is_number() || dropout->get<double>() != 0) {
            throw Refused(ErrorKind::unsupported, fields.path_of("dropout"),
                          "is not 0: the tokens of a text would be drawn anew each time");
        }
    }
    rules.unknown = fields.find_string("unk_token");
    rules.continuing_prefix = fields.find_string("continuing_subword_prefix").value_or("");
    rules.end_suffix = fields.find_string("end_of_word_suffix").value_or("");
    rules.fuse_unknown = fields.boolean("fuse_unk", false);
    rules.byte_fallback = fields.boolean("byte_fallback", false);
    rules.ignore_merges = fields.boolean("ignore_merges", false);
    if (!document.has_merges) throw Refused(ErrorKind::malformed, "model", "lacks \"merges\"");
    return make_bpe(std::move(document.vocabulary), document.merges(), std::move(rules));
}

std::shared_ptr<const Model> read_wordpiece(Fields& fields, Document& document) {
    WordPieceRules rules;
    rules.unknown = fields.string("unk_token");
    rules.continuing_prefix = fields.string("continuing_subword_prefix");
    rules.max_characters = fields.count("max_input_chars_per_word");
    return make_wordpiece(std::move(document.vocabulary), std::move(rules));
}

std::shared_ptr<const Model> read_unigram(Fields& fields, Document& document) {
    UnigramRules rules;
    rules.scores = std::move(document.scores);
    if (rules.scores.size() != document.vocabulary.size()) {
        throw Refused(ErrorKind::malformed, "model.vocab", "is no list of tokens with scores");
    }
    for (const double score : rules.scores) {
        if (!std::isfinite(score))
            throw Refused(ErrorKind::malformed, "model.vocab", "has a score that is no number");
    }
    if (fields.find("unk_id")) {
        const std::size_t id = fields.count("unk_id");
        if (id >= rules.scores.size()) {
            throw Refused(ErrorKind::out_of_range, fields.path_of("unk_id"),
                          fmt::format("is {}, and there are {} tokens", id, rules.scores.size()));
        }
        rules.unknown = static_cast<int>(id);
    }
    rules.byte_fallback = fields.boolean("byte_fallback", false);
    const auto lowest = std::min_element(rules.scores.begin(), rules.scores.end());
    rules.lowest = lowest == rules.scores.end() ? 0 : *lowest;
    return make_unigram(std::move(document.vocabulary), rules);
}

/// Files of before 2020 do not say the type.
std::string type_of_model(Fields& fields, const Document& document) {
    if (const auto type = fields.find_string("type")) return *type;
    if (document.has_merges) return "BPE";
    if (!document.scores.empty()) return "Unigram";
    return fields.find("max_input_chars_per_word") ? "WordPiece" : "WordLevel";
}

std::shared_ptr<const Model> read_model(Fields fields, Document& document) {
    const std::string type = type_of_model(fields, document);
    if (!document.has_vocabulary) throw Refused(ErrorKind::malformed, "model", "lacks \"vocab\"");
    std::shared_ptr<const Model> model;
    if (type == "BPE")
        model = read_bpe(fields, document);
    else if (type == "WordPiece")
        model = read_wordpiece(fields, document);
    else if (type == "Unigram")
        model = read_unigram(fields, document);
    else if (type == "WordLevel") {
        model = make_word_level(std::move(document.vocabulary), fields.string("unk_token"));
    } else {
        throw Refused(ErrorKind::unsupported, fields.path(),
                      fmt::format("model '{}' is not known to Heed", type));
    }
    fields.done();
    return model;
}

/// The spelling of tokens, as the parts tell it.
void read_spelling(const Json& part, Spelling& spelling) {
    if (part.is_array()) {
        for (const Json& inner : part) read_spelling(inner, spelling);
    }
    if (!part.is_object()) return;
    const auto words = [&](const char* key) {
        const auto found = part.find(key);
        return found != part.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
    };
    const std::string type = words("type");
    spelling.byte_level = spelling.byte_level || type == "ByteLevel";
    spelling.metaspace = spelling.metaspace || type == "Metaspace" || type == "ByteFallback" ||
                         words("content") == "▁";
    if (type == "WordPiece") spelling.continuing_prefix = words("prefix");
    if (type == "BPEDecoder") spelling.end_suffix = words("suffix");
    for (const char* list : {"normalizers", "pretokenizers", "decoders"}) {
        if (const auto found = part.find(list); found != part.end())
            read_spelling(*found, spelling);
    }
}

std::vector<AddedToken> read_added_tokens(Fields& fields) {
    std::vector<AddedToken> result;
    if (!fields.find("added_tokens")) return result;
    for (Fields& token : fields.objects("added_tokens")) {
        token.count("id");
        result.push_back(read_added_token(token));
        token.done();
    }
    return result;
}

/// Ids by the names that most models use; a folder's other files may say otherwise.
NamedIds usual_names(const AddedTokens& added) {
    const auto first = [&](std::initializer_list<const char*> names) {
        std::optional<int> found;
        for (const char* name : names) {
            if (!found) found = added.find(name);
        }
        return found;
    };
    NamedIds named;
    named.bos = first({"<s>", "<bos>", "<|begin_of_text|>", "[BOS]"});
    named.eos = first({"</s>", "<eos>", "<|end_of_text|>", "<|endoftext|>", "[EOS]"});
    named.pad = first({"<pad>", "[PAD]"});
    named.mask = first({"<mask>", "[MASK]"});
    named.unk = first({"<unk>", "[UNK]"});
    named.cls = first({"[CLS]", "<cls>"});
    named.sep = first({"[SEP]", "<sep>"});
    return named;
}

} // namespace

namespace {

std::size_t count_patterns(const Json& part) {
    if (!part.is_structured()) return 0;
    std::size_t count = part.is_object() && part.contains("Regex") ? 1 : 0;
    for (const Json& inner : part) count += count_patterns(inner);
    return count;
}

/// Each may take its whole time on a text.
void check_patterns(const Json& document) {
    constexpr std::size_t kMost = 64; // real ones have three
    const std::size_t found = count_patterns(document);
    if (found <= kMost) return;
    throw Refused(ErrorKind::out_of_range, "tokenizer",
                  fmt::format("has {} regular expressions; at most {} are read", found, kMost));
}

} // namespace

Parts read_parts(Document document) {
    check_patterns(document.rest);
    Fields fields(document.rest, "tokenizer");
    if (const auto version = fields.find_string("version"); version && *version != "1.0") {
        throw Refused(ErrorKind::unsupported, "version",
                      fmt::format("'{}' is not known to Heed", *version));
    }
    // How a batch is cut and filled up; nobody's tokens of one text.
    fields.ignore("truncation");
    fields.ignore("padding");
    Parts parts;
    for (const char* part : {"decoder", "pre_tokenizer", "normalizer"}) {
        if (const Json* json = fields.find(part)) read_spelling(*json, parts.spelling);
    }
    const auto inner = [&](const char* key) { return Fields(fields.member(key), key); };
    if (fields.find("normalizer")) parts.normalizer = read_normalizer(inner("normalizer"));
    if (fields.find("pre_tokenizer"))
        parts.pre_tokenizer = read_pre_tokenizer(inner("pre_tokenizer"));
    if (fields.find("post_processor")) parts.processor = read_processor(inner("post_processor"));
    if (fields.find("decoder")) parts.decoder = read_decoder(inner("decoder"));
    parts.model = read_model(inner("model"), document);
    parts.added = AddedTokens(read_added_tokens(fields), *parts.model, parts.normalizer);
    parts.named = usual_names(parts.added);
    if (const auto unknown = parts.model->unknown_token()) parts.named.unk = unknown;
    fields.done();
    return parts;
}

Result<std::shared_ptr<const Tokenizer>> read_tokenizer(std::string_view tokenizer_json_bytes,
                                                        const std::string& subject) {
    auto document = read_document(tokenizer_json_bytes, subject);
    if (!document) return tl::make_unexpected(document.error());
    try {
        return make_tokenizer(read_parts(std::move(**document)));
    } catch (const Refused& refused) {
        base::Error error = refused.error();
        error.message = describe(error);
        error.subject = subject;
        return tl::make_unexpected(error);
    }
}

} // namespace heed::tokenizers
