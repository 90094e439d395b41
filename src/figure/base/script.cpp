#include "figure/base/script.hpp"

#include "base/utf8.hpp"

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

bool has_emoji(std::string_view text) {
    constexpr char32_t kEmojiForm = 0xFE0F;
    bool found = false;
    each_code_point(text, [&](char32_t c) {
        found = is_emoji(c) || c == kEmojiForm;
        return !found;
    });
    return found;
}

bool is_right_to_left(std::string_view text) {
    bool right_to_left = false;
    each_code_point(text, [&](char32_t c) {
        // Hebrew to Arabic extended, their presentation forms, and the old scripts of the SMP.
        right_to_left = between(c, 0x590, 0x8FF) || between(c, 0xFB1D, 0xFDFF) ||
                        between(c, 0xFE70, 0xFEFE) || between(c, 0x10800, 0x10FFF) ||
                        between(c, 0x1E800, 0x1EFFF);
        const bool left_to_right = between(c, 'A', 'Z') || between(c, 'a', 'z') ||
                                   (c >= 0xC0 && !right_to_left && !between(c, 0x2000, 0x2BFF) &&
                                    !between(c, 0x3000, 0x3004) && !between(c, 0x3008, 0x3020) &&
                                    !between(c, 0x1F000, 0x1FAFF));
        return !right_to_left && !left_to_right;
    });
    return right_to_left;
}

} // namespace heed::figure
