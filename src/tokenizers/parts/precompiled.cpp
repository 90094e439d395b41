#include "tokenizers/parts/precompiled.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

std::string from_base64(const std::string& words, const std::string& path) {
    std::string result;
    std::uint32_t bits = 0;
    int held = 0;
    std::size_t length = words.size();
    while (length > 0 && words[length - 1] == '=') --length;
    for (std::size_t i = 0; i < length; ++i) {
        const char c = words[i];
        std::uint32_t value = 0;
        if (c >= 'A' && c <= 'Z')
            value = static_cast<std::uint32_t>(c - 'A');
        else if (c >= 'a' && c <= 'z')
            value = static_cast<std::uint32_t>(c - 'a' + 26);
        else if (c >= '0' && c <= '9')
            value = static_cast<std::uint32_t>(c - '0' + 52);
        else if (c == '+')
            value = 62;
        else if (c == '/')
            value = 63;
        else
            throw Refused(ErrorKind::malformed, path, "is not base64");
        bits = bits << 6 | value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            result += static_cast<char>(bits >> held & 0xFF);
        }
    }
    return result;
}

/// Ends of what a reader calls characters (UAX 29, extended grapheme clusters).
std::vector<std::size_t> grapheme_ends(std::string_view text) {
    UErrorCode failed = U_ZERO_ERROR;
    thread_local const std::unique_ptr<icu::BreakIterator> breaks(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), failed));
    std::vector<std::size_t> ends;
    UErrorCode status = U_ZERO_ERROR;
    UText* bytes =
        utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status);
    if (breaks && U_SUCCESS(status)) {
        breaks->setText(bytes, status);
        for (int end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
            ends.push_back(static_cast<std::size_t>(end));
        }
    }
    utext_close(bytes);
    return ends;
}

/// The library's accounting of a replacement: additions last, removals at the last character.
void add_replacement(std::vector<Change>& changes, std::string_view old, std::string_view becomes) {
    const auto difference = static_cast<int>(base::count_code_points(becomes)) -
                            static_cast<int>(base::count_code_points(old));
    for (const char32_t c : to_characters(becomes)) changes.push_back({c, 0});
    for (int i = 0; i < difference; ++i)
        changes[changes.size() - 1 - static_cast<std::size_t>(i)].change = 1;
    if (difference < 0 && !changes.empty()) changes.back().change += difference;
}

void apply(const CharacterMap& map, AlignedText& text) {
    const std::string_view words = text.text();
    std::vector<Change> changes;
    bool modified = false;
    const auto replaced = [&](std::string_view part) {
        const auto found = map.shortest(part);
        if (!found) return false;
        modified = true;
        add_replacement(changes, part, found->becomes);
        return true;
    };
    std::size_t begin = 0;
    for (const std::size_t end : grapheme_ends(words)) {
        const std::string_view grapheme = words.substr(begin, end - begin);
        begin = end;
        if (grapheme.size() < 6 && replaced(grapheme)) continue;
        for (std::size_t at = 0; at < grapheme.size();) {
            const base::Decoded decoded = base::decode_utf8(grapheme, at);
            if (!replaced(grapheme.substr(at, decoded.length))) {
                changes.push_back({decoded.code_point, 0});
            }
            at += decoded.length;
        }
    }
    if (modified) text.transform(changes, 0);
}

} // namespace

CharacterMap::CharacterMap(std::string_view bytes, const std::string& path) {
    if (bytes.size() < 4) throw Refused(ErrorKind::malformed, path, "is shorter than its head");
    const std::size_t size = little_endian(bytes, 0);
    if (size % 4 != 0 || size > bytes.size() - 4) {
        throw Refused(ErrorKind::malformed, path, "has a table that is longer than its bytes");
    }
    units_.resize(size / 4);
    for (std::size_t i = 0; i < units_.size(); ++i) units_[i] = little_endian(bytes, 4 + 4 * i);
    words_ = bytes.substr(4 + size);
    if (!base::is_valid_utf8(words_)) throw Refused(ErrorKind::malformed, path, "is not UTF-8");
    for (std::size_t at = 0; at < words_.size();) {
        constexpr std::size_t kMost = 256; // Unicode's longest has 33
        const std::size_t end = std::min(words_.find('\0', at), words_.size());
        if (end - at > kMost) {
            throw Refused(ErrorKind::out_of_range, path,
                          fmt::format("writes {} bytes for a character; at most {} are read",
                                      end - at, kMost));
        }
        at = end + 1;
    }
}

std::optional<CharacterMap::Found> CharacterMap::look_up(std::string_view text,
                                                         bool longest) const {
    std::optional<Found> found;
    const auto offset_of = [](std::uint32_t unit) {
        return std::size_t{unit >> 10} << ((unit & (1U << 9)) >> 6);
    };
    if (units_.empty()) return found;
    std::size_t node = offset_of(units_[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        node ^= byte;
        if (byte == 0 || node >= units_.size()) break;
        const std::uint32_t unit = units_[node];
        if ((unit & (1U << 31 | 0xFF)) != byte) break;
        node ^= offset_of(unit);
        if ((unit >> 8 & 1) == 0) continue;
        if (node >= units_.size()) break;
        const std::size_t at = units_[node] & 0x7FFFFFFF;
        if (at > words_.size()) break;
        const std::size_t end = std::min(words_.find('\0', at), words_.size());
        const std::string_view becomes = std::string_view(words_).substr(at, end - at);
        if (base::is_valid_utf8(becomes)) found = Found{i + 1, becomes};
        if (!longest) break;
    }
    return found;
}

Normalizer read_precompiled(const std::string& base64, const std::string& path) {
    const auto map = std::make_shared<const CharacterMap>(from_base64(base64, path), path);
    return [map](AlignedText& text) { apply(*map, text); };
}

} // namespace heed::tokenizers
