#include "tokenizers/parts/normalizers.hpp"

#include "tokenizers/parts/precompiled.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/pattern.hpp"
#include "tokenizers/text/refused.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

const icu::Normalizer2& icu_form(bool compatible) {
    UErrorCode failed = U_ZERO_ERROR;
    return compatible ? *icu::Normalizer2::getNFKCInstance(failed)
                      : *icu::Normalizer2::getNFCInstance(failed);
}

int combining_class(char32_t c) {
    return is_normalized_by_library(c) ? u_getCombiningClass(static_cast<UChar32>(c)) : 0;
}

/// Changes in canonical order. The first character of a decomposition replaces, the others are new.
std::vector<Change> decomposed(const AlignedText& text, bool compatible) {
    const icu::Normalizer2& form = icu_form(compatible);
    std::vector<Change> result;
    std::size_t marks = 0; // the first character of a run that is not sorted yet
    const auto sort_marks = [&] {
        std::stable_sort(result.begin() + static_cast<std::ptrdiff_t>(marks), result.end(),
                         [](const Change& a, const Change& b) {
                             return combining_class(a.c) < combining_class(b.c);
                         });
    };
    for (const char32_t c : to_characters(text.text())) {
        icu::UnicodeString parts;
        if (c < 0xA0 || !is_normalized_by_library(c) ||
            !form.getDecomposition(static_cast<UChar32>(c), parts)) {
            parts = icu::UnicodeString(static_cast<UChar32>(c));
        }
        int change = 0;
        for (int at = 0; at < parts.length(); at = parts.moveIndex32(at, 1)) {
            const auto part = static_cast<char32_t>(parts.char32At(at));
            if (combining_class(part) == 0) {
                sort_marks();
                marks = result.size() + 1;
            }
            result.push_back({part, change});
            change = 1;
        }
    }
    sort_marks();
    return result;
}

/// The canonical composition algorithm; a composed character takes the changes of its parts.
std::vector<Change> composed(const std::vector<Change>& parts) {
    const icu::Normalizer2& form = icu_form(false);
    std::vector<Change> result;
    std::size_t starter = parts.size(); // in `result`; parts.size() before the first
    int last_class = -1;                // of the character behind the starter, −1: none
    for (const Change& part : parts) {
        const int own_class = combining_class(part.c);
        const bool blocked = last_class >= 0 && last_class >= own_class;
        if (starter < result.size() && !blocked) {
            const UChar32 both = form.composePair(static_cast<UChar32>(result[starter].c),
                                                  static_cast<UChar32>(part.c));
            if (both >= 0 && is_normalized_by_library(static_cast<char32_t>(both))) {
                result[starter].c = static_cast<char32_t>(both);
                result[starter].change += part.change - 1;
                continue;
            }
        }
        if (own_class == 0) {
            starter = result.size();
            last_class = -1;
        } else if (starter < result.size()) {
            last_class = own_class;
        }
        result.push_back(part);
    }
    return result;
}

Normalizer simple_filter(bool (*removed)(char32_t)) {
    return [removed](AlignedText& text) { text.filter([&](char32_t c) { return !removed(c); }); };
}

/// SentencePiece's rules for machine translation.
void nmt(AlignedText& text) {
    text.filter([](char32_t c) {
        return !((c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F ||
                 c == 0x8F || c == 0x9F);
    });
    text.map([](char32_t c) {
        const bool space = c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 ||
                           (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
                           c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
        return space ? U' ' : c;
    });
}

Normalizer read_replace(Fields& fields) {
    const std::string content = fields.string("content");
    Fields pattern(fields.member("pattern"), fields.path_of("pattern"));
    if (const auto words = pattern.find_string("String")) {
        pattern.done();
        if (words->empty()) throw Refused(ErrorKind::malformed, pattern.path(), "is empty");
        return [words = *words, content](AlignedText& text) {
            text.replace(stretches_of(text.text(), std::string_view(words)), content);
        };
    }
    const auto expression =
        std::make_shared<const Pattern>(pattern.string("Regex"), pattern.path_of("Regex"));
    pattern.done();
    return [expression, content](AlignedText& text) {
        text.replace(expression->stretches(text.text()), content);
    };
}

Normalizer read_bert(Fields& fields) {
    BertRules rules;
    rules.clean_text = fields.boolean("clean_text");
    rules.handle_chinese_chars = fields.boolean("handle_chinese_chars");
    rules.lowercase = fields.boolean("lowercase");
    rules.strip_accents = fields.boolean("strip_accents", rules.lowercase);
    return bert_normalizer(rules);
}

Normalizer read_one(const std::string& type, Fields& fields) {
    if (type == "BertNormalizer") return read_bert(fields);
    if (type == "NFC") return [](AlignedText& text) { normalize(text, NormalForm::nfc); };
    if (type == "NFD") return [](AlignedText& text) { normalize(text, NormalForm::nfd); };
    if (type == "NFKC") return [](AlignedText& text) { normalize(text, NormalForm::nfkc); };
    if (type == "NFKD") return [](AlignedText& text) { normalize(text, NormalForm::nfkd); };
    if (type == "Lowercase") return [](AlignedText& text) { text.lower_case(); };
    if (type == "StripAccents") return simple_filter(is_combining_mark);
    if (type == "Nmt") return nmt;
    if (type == "ByteLevel") return bytes_to_characters;
    if (type == "Replace") return read_replace(fields);
    if (type == "Precompiled") {
        return read_precompiled(fields.string("precompiled_charsmap", std::string::npos),
                                fields.path_of("precompiled_charsmap"));
    }
    if (type == "Strip") {
        const bool left = fields.boolean("strip_left"), right = fields.boolean("strip_right");
        return [left, right](AlignedText& text) { text.strip(left, right); };
    }
    if (type == "Prepend") {
        return [words = fields.string("prepend")](AlignedText& text) { text.prepend(words); };
    }
    if (type == "Sequence") {
        std::vector<Normalizer> parts;
        for (Fields& part : fields.objects("normalizers")) {
            parts.push_back(read_normalizer(std::move(part)));
        }
        return [parts](AlignedText& text) {
            for (const Normalizer& part : parts) part(text);
        };
    }
    throw Refused(ErrorKind::unsupported, fields.path(),
                  fmt::format("normalizer '{}' is not known to Heed", type));
}

} // namespace

Normalizer read_normalizer(Fields fields) {
    const Normalizer normalizer = read_one(fields.string("type"), fields);
    fields.done();
    return normalizer;
}

void bytes_to_characters(AlignedText& text) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < text.text().size(); ++i) {
        const auto byte = static_cast<unsigned char>(text.text()[i]);
        changes.push_back({byte_to_character(byte), (byte & 0xC0) == 0x80 ? 1 : 0});
    }
    text.transform(changes, 0);
}

void normalize(AlignedText& text, NormalForm form) {
    const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
    std::vector<Change> changes = decomposed(text, compatible);
    if (form == NormalForm::nfc || form == NormalForm::nfkc) changes = composed(changes);
    text.transform(changes, 0);
}

Normalizer bert_normalizer(const BertRules& rules) {
    return [rules](AlignedText& text) {
        if (rules.clean_text) {
            text.filter([](char32_t c) {
                return c != 0 && c != 0xFFFD &&
                       (c == '\t' || c == '\n' || c == '\r' || !is_other(c));
            });
            text.map([](char32_t c) { return is_white_space(c) ? U' ' : c; });
        }
        if (rules.handle_chinese_chars) {
            std::vector<Change> changes;
            for (const char32_t c : to_characters(text.text())) {
                if (is_cjk_ideograph(c)) {
                    changes.insert(changes.end(), {{U' ', 0}, {c, 1}, {U' ', 1}});
                } else {
                    changes.push_back({c, 0});
                }
            }
            text.transform(changes, 0);
        }
        if (rules.strip_accents) {
            normalize(text, NormalForm::nfd);
            text.filter([](char32_t c) { return !is_nonspacing_mark(c); });
        }
        if (rules.lowercase) text.lower_case();
    };
}

} // namespace heed::tokenizers
