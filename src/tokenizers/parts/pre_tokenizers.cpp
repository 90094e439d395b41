#include "tokenizers/parts/pre_tokenizers.hpp"

#include "base/utf8.hpp"
#include "tokenizers/parts/normalizers.hpp"
#include "tokenizers/parts/scripts.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/pattern.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

using Cut = std::function<std::vector<AlignedText>(AlignedText)>;

/// Cuts every part that has no tokens; empty parts are left out.
PreTokenizer of(Cut cut) {
    return [cut = std::move(cut)](std::vector<Split>& splits) {
        std::vector<Split> result;
        for (Split& split : splits) {
            if (split.tokens) {
                result.push_back(std::move(split));
                continue;
            }
            for (AlignedText& part : cut(std::move(split.text))) {
                if (!part.empty()) result.push_back({std::move(part), std::nullopt});
            }
        }
        splits = std::move(result);
    };
}

/// Cuts at characters.
PreTokenizer at_characters(std::function<bool(char32_t)> is, Behavior behavior) {
    return of([is = std::move(is), behavior](const AlignedText& text) {
        return text.split(stretches_of(text.text(), is), behavior);
    });
}

PreTokenizer in_turn(std::vector<PreTokenizer> parts) {
    return [parts = std::move(parts)](std::vector<Split>& splits) {
        for (const PreTokenizer& part : parts) part(splits);
    };
}

/// Words, and what is neither word nor white space: `\w+|[^\w\s]+` of Rust's regex.
std::vector<AlignedText> words_and_signs(const AlignedText& text) {
    std::vector<Stretch> stretches;
    int last = -1;
    for (std::size_t at = 0; at < text.text().size();) {
        const base::Decoded decoded = base::decode_utf8(text.text(), at);
        const char32_t c = decoded.code_point;
        const int kind = is_word(c) ? 0 : is_white_space(c) ? 1 : 2;
        if (kind != last) stretches.push_back({at, at, kind == 1});
        last = kind;
        at += decoded.length;
        stretches.back().end = at;
    }
    return text.split(stretches, Behavior::removed);
}

PreTokenizer read_split(Fields& fields) {
    const Behavior behavior = read_behavior(fields, "behavior");
    const bool invert = fields.boolean("invert");
    Fields pattern(fields.member("pattern"), fields.path_of("pattern"));
    std::function<std::vector<Stretch>(std::string_view)> find;
    if (const auto words = pattern.find_string("String")) {
        if (words->empty()) throw Refused(ErrorKind::malformed, pattern.path(), "is empty");
        find = [words = *words](std::string_view text) {
            return stretches_of(text, std::string_view(words));
        };
    } else {
        const auto expression =
            std::make_shared<const Pattern>(pattern.string("Regex"), pattern.path_of("Regex"));
        find = [expression](std::string_view text) { return expression->stretches(text); };
    }
    pattern.done();
    return of([=](const AlignedText& text) {
        std::vector<Stretch> stretches = find(text.text());
        for (Stretch& stretch : stretches) stretch.match = stretch.match != invert;
        return text.split(stretches, behavior);
    });
}

PreTokenizer read_metaspace(Fields& fields) {
    const char32_t replacement = fields.character("replacement");
    const Prepend prepend = read_prepend(fields);
    const bool split = fields.boolean("split", true);
    fields.ignore("str_rep");
    const std::string words = to_utf8(std::u32string(1, replacement));
    return of([=](AlignedText text) {
        text.replace(stretches_of(text.text(), std::string_view(" ")), words);
        const bool wanted =
            prepend == Prepend::always || (prepend == Prepend::first && text.original_begin() == 0);
        if (wanted && !text.text().starts_with(words)) text.prepend(words);
        if (!split) return std::vector<AlignedText>{text};
        return text.split(stretches_of(text.text(), std::string_view(words)),
                          Behavior::merged_with_next);
    });
}

PreTokenizer fixed_length(std::size_t length) {
    return of([length](const AlignedText& text) {
        std::vector<AlignedText> result;
        std::size_t begin = 0, characters = 0;
        for (std::size_t at = 0; at < text.text().size();) {
            at += base::decode_utf8(text.text(), at).length;
            if (++characters % length != 0 && at < text.text().size()) continue;
            result.push_back(text.slice(begin, at));
            begin = at;
        }
        return result;
    });
}

PreTokenizer read_sequence(Fields& fields) {
    std::vector<PreTokenizer> parts;
    for (Fields& part : fields.objects("pretokenizers")) {
        parts.push_back(read_pre_tokenizer(std::move(part)));
    }
    return in_turn(std::move(parts));
}

PreTokenizer read_one_pre_tokenizer(const std::string& type, Fields& fields) {
    if (type == "ByteLevel") {
        const bool prefix = fields.boolean("add_prefix_space");
        fields.boolean("trim_offsets", true); // of the processor alone
        return byte_level(prefix, fields.boolean("use_regex", true));
    }
    if (type == "BertPreTokenizer") return bert_pre_tokenizer();
    if (type == "Whitespace") return of(words_and_signs);
    if (type == "WhitespaceSplit") return at_characters(is_white_space, Behavior::removed);
    if (type == "Split") return read_split(fields);
    if (type == "Metaspace") return read_metaspace(fields);
    if (type == "UnicodeScripts") return of(split_at_scripts);
    if (type == "Sequence") return read_sequence(fields);
    if (type == "Digits") {
        return at_characters(is_numeric, fields.boolean("individual_digits")
                                             ? Behavior::isolated
                                             : Behavior::contiguous);
    }
    if (type == "Punctuation") {
        const Behavior behavior =
            fields.find("behavior") ? read_behavior(fields, "behavior") : Behavior::isolated;
        return at_characters(is_ascii_or_punctuation, behavior);
    }
    if (type == "CharDelimiterSplit") {
        const char32_t delimiter = fields.character("delimiter");
        return at_characters([delimiter](char32_t c) { return c == delimiter; }, Behavior::removed);
    }
    if (type == "FixedLength") {
        const std::size_t length = fields.find("length") ? fields.count("length") : 5;
        if (length == 0) throw Refused(ErrorKind::out_of_range, fields.path_of("length"), "is 0");
        return fixed_length(length);
    }
    throw Refused(ErrorKind::unsupported, fields.path(),
                  fmt::format("pre-tokenizer '{}' is not known to Heed", type));
}

} // namespace

PreTokenizer read_pre_tokenizer(Fields fields) {
    PreTokenizer result = read_one_pre_tokenizer(fields.string("type"), fields);
    fields.done();
    return result;
}

PreTokenizer byte_level(bool add_prefix_space, bool use_regex) {
    static const Pattern gpt2(
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
        "ByteLevel");
    return of([=](AlignedText text) {
        if (add_prefix_space && !text.text().starts_with(' ')) text.prepend(" ");
        std::vector<AlignedText> parts =
            use_regex ? text.split(gpt2.stretches(text.text()), Behavior::isolated)
                      : std::vector<AlignedText>{std::move(text)};
        for (AlignedText& part : parts) bytes_to_characters(part);
        return parts;
    });
}

PreTokenizer bert_pre_tokenizer() {
    return in_turn({at_characters(is_white_space, Behavior::removed),
                    at_characters(is_ascii_or_punctuation, Behavior::isolated)});
}

Behavior read_behavior(Fields& fields, const char* key) {
    const std::string name = fields.string(key);
    if (name == "Removed") return Behavior::removed;
    if (name == "Isolated") return Behavior::isolated;
    if (name == "MergedWithPrevious") return Behavior::merged_with_previous;
    if (name == "MergedWithNext") return Behavior::merged_with_next;
    if (name == "Contiguous") return Behavior::contiguous;
    throw Refused(ErrorKind::unsupported, fields.path_of(key),
                  fmt::format("'{}' is not known to Heed", name));
}

Prepend read_prepend(Fields& fields) {
    const std::string scheme = fields.find_string("prepend_scheme").value_or("always");
    const bool prefix = fields.boolean("add_prefix_space", true);
    if (scheme == "never" || (!prefix && !fields.find("prepend_scheme"))) return Prepend::never;
    if (!prefix) {
        throw Refused(ErrorKind::mismatch, fields.path(),
                      "\"add_prefix_space\" and \"prepend_scheme\" do not agree");
    }
    if (scheme == "always") return Prepend::always;
    if (scheme == "first") return Prepend::first;
    throw Refused(ErrorKind::unsupported, fields.path_of("prepend_scheme"),
                  fmt::format("'{}' is not known to Heed", scheme));
}

} // namespace heed::tokenizers
