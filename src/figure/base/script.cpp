#include "figure/base/script.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace heed::figure {

namespace {

bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

/// The ranges of Unicode's emoji-data.txt above U+FFFF, with the unassigned places that are kept
/// for later emoji. Their neighbours (dominoes, alchemy, arrows) are no emoji.
bool is_emoji(char32_t c) {
    return c == 0x1F004 || c == 0x1F0CF || c == 0x1F18E || between(c, 0x1F191, 0x1F19A) ||
           between(c, 0x1F1E6, 0x1F251) || between(c, 0x1F300, 0x1F64F) ||
           between(c, 0x1F680, 0x1F6FF) || between(c, 0x1F7E0, 0x1F7FF) ||
           between(c, 0x1F90C, 0x1F9FF) || between(c, 0x1FA70, 0x1FAFF);
}

template <class Visit> // bool(char32_t): whether to go on
void each_code_point(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        if (!visit(decoded.code_point)) return;
        at += decoded.length;
    }
}

} // namespace

Han han_forms(std::string_view text) {
    Han forms = Han::none;
    each_code_point(text, [&](char32_t c) {
        if (between(c, 0x3040, 0x30FF) || between(c, 0x31F0, 0x31FF) || between(c, 0xFF66, 0xFF9F))
            forms = Han::japanese;
        else if (between(c, 0xAC00, 0xD7AF) || between(c, 0x1100, 0x11FF) ||
                 between(c, 0x3130, 0x318F))
            forms = Han::korean;
        else if (between(c, 0x2E80, 0x9FFF) || between(c, 0xF900, 0xFAFF) ||
                 between(c, 0xFF00, 0xFF65) || between(c, 0x20000, 0x3FFFF))
            forms = Han::chinese;
        return forms != Han::japanese && forms != Han::korean;
    });
    return forms;
}

namespace {

constexpr char32_t kJoiner = 0x200D;

bool is_flag_letter(char32_t c) { return between(c, 0x1F1E6, 0x1F1FF); }

/// True of a code point that is a part of the character before it: marks, the forms and colours of
/// emoji, the tags of a region's flag.
bool goes_on(char32_t c) {
    return c == kJoiner || between(c, 0x300, 0x36F) || between(c, 0x1AB0, 0x1AFF) ||
           between(c, 0x1DC0, 0x1DFF) || between(c, 0x20D0, 0x20FF) || between(c, 0x302A, 0x302F) ||
           c == 0x3099 || c == 0x309A || between(c, 0xFE00, 0xFE0F) || between(c, 0xFE20, 0xFE2F) ||
           between(c, 0x1F3FB, 0x1F3FF) || between(c, 0xE0020, 0xE007F) ||
           between(c, 0xE0100, 0xE01EF);
}

/// Bytes of the character at the front of a text, as a reader counts characters: emoji that are
/// joined, or two letters of a flag, are one.
std::size_t length_of_first(std::string_view text) {
    const base::Decoded first = base::decode_utf8(text, 0);
    std::size_t at = first.length;
    char32_t before = first.code_point;
    bool half_of_flag = is_flag_letter(before);
    while (at < text.size()) {
        const base::Decoded next = base::decode_utf8(text, at);
        const bool flag = half_of_flag && is_flag_letter(next.code_point);
        const bool joined = before == kJoiner && is_emoji(first.code_point);
        if (!goes_on(next.code_point) && !flag && !joined) break;
        half_of_flag = false;
        before = next.code_point;
        at += next.length;
    }
    return at;
}

} // namespace

std::vector<std::string> wide_characters(std::string_view text) {
    constexpr char32_t kWide = 0x2E80;
    std::vector<std::string> characters;
    while (!text.empty()) {
        if (base::decode_utf8(text, 0).code_point < kWide) return {};
        const std::size_t length = length_of_first(text);
        characters.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return characters;
}

bool is_one_letter(std::string_view text) {
    return !text.empty() && length_of_first(text) == text.size();
}

bool has_emoji(std::string_view text) {
    constexpr char32_t kEmojiForm = 0xFE0F;
    bool found = false;
    each_code_point(text, [&](char32_t c) {
        found = is_emoji(c) || c == kEmojiForm;
        return !found;
    });
    return found;
}

namespace {

enum class Direction { none, left_to_right, right_to_left };

Direction direction_of(char32_t c) {
    // Hebrew to Arabic extended, their presentation forms, and the old scripts of the SMP.
    if (between(c, 0x590, 0x8FF) || between(c, 0xFB1D, 0xFDFF) || between(c, 0xFE70, 0xFEFE) ||
        between(c, 0x10800, 0x10FFF) || between(c, 0x1E800, 0x1EFFF)) {
        return Direction::right_to_left;
    }
    const bool left_to_right =
        between(c, 'A', 'Z') || between(c, 'a', 'z') ||
        (c >= 0xC0 && !between(c, 0x2000, 0x2BFF) && !between(c, 0x3000, 0x3004) &&
         !between(c, 0x3008, 0x3020) && !between(c, 0x1F000, 0x1FAFF));
    return left_to_right ? Direction::left_to_right : Direction::none;
}

bool begins_right_to_left(std::string_view text) {
    Direction first = Direction::none;
    each_code_point(text, [&](char32_t c) {
        first = direction_of(c);
        return first == Direction::none;
    });
    return first == Direction::right_to_left;
}

constexpr char32_t kOpened = U'“', kClosed = U'”';

/// A sign of sentences and lists of ours.
bool is_ours(char32_t c) { return c == kOpened || c == U'→' || c == U'·'; }

/// What ends a stretch that is read from right to left.
bool divides(char32_t c) {
    constexpr std::u32string_view kSigns = U"()[]{}/,;:+=|“”→·…";
    return direction_of(c) == Direction::left_to_right || kSigns.find(c) != kSigns.npos;
}

struct Stretch {
    std::size_t first = 0, last = 0; // bytes
};

/// The stretch that begins at a letter that is read from right to left and ends behind another.
Stretch stretch_at(std::string_view text, std::size_t first) {
    Stretch stretch{first, first};
    char32_t before = 0;
    for (std::size_t at = first; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        const char32_t c = decoded.code_point;
        // A number apart from the word is no part of it.
        if (divides(c) || (between(c, '0', '9') && before == ' ')) break;
        at += decoded.length;
        if (direction_of(c) == Direction::right_to_left) stretch.last = at;
        before = c;
    }
    return stretch;
}

} // namespace

bool is_right_to_left(std::string_view text) {
    if (!begins_right_to_left(text)) return false;
    bool ours = false, spaced = false, other = false;
    each_code_point(text, [&](char32_t c) {
        spaced = spaced || c == ' ';
        other = other || between(c, '0', '9') || direction_of(c) == Direction::left_to_right;
        ours = is_ours(c) || (spaced && other);
        return !ours;
    });
    return !ours;
}

std::string isolated(const std::string& text) {
    constexpr std::string_view kIsolate = "\u2068", kEnd = "\u2069";
    bool any = false;
    each_code_point(text, [&](char32_t c) {
        any = direction_of(c) == Direction::right_to_left;
        return !any;
    });
    if (!any || is_right_to_left(text)) return text;
    std::string result;
    const std::string_view whole = text;
    const auto isolate = [&](std::size_t first, std::size_t last) {
        result.append(kIsolate).append(whole.substr(first, last - first)).append(kEnd);
    };
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        const std::size_t behind = at + decoded.length;
        if (decoded.code_point == kOpened) { // the whole of a token, with its marks
            const std::size_t end = std::min(text.find("”", behind), text.size());
            const std::string_view token = whole.substr(behind, end - behind);
            if (is_right_to_left(token)) {
                result.append(whole.substr(at, decoded.length));
                isolate(behind, end);
                at = end;
                continue;
            }
        } else if (direction_of(decoded.code_point) == Direction::right_to_left) {
            const Stretch stretch = stretch_at(text, at);
            isolate(stretch.first, stretch.last);
            at = stretch.last;
            continue;
        }
        result.append(whole.substr(at, decoded.length));
        at = behind;
    }
    return result;
}

std::vector<std::size_t> lone_i(std::string_view text) {
    constexpr std::string_view kOpens = "“", kQuoted = "“I”";
    if (text == "I") return {0};
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(kQuoted); at != text.npos;
         at = text.find(kQuoted, at + kQuoted.size())) {
        places.push_back(at + kOpens.size());
    }
    return places;
}

} // namespace heed::figure
