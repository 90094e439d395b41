#include "tokenizers/parts/scripts.hpp"

#include "base/utf8.hpp"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <optional>

namespace heed::tokenizers {

namespace {

/// Nothing for the space, and for what is younger than the library's table (Unicode 9).
std::optional<UScriptCode> script_of(char32_t c) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    if (c == ' ' || age[0] == 0 || age[0] > 9) return std::nullopt;
    if (c == 0x0589 || c == 0x061C) return USCRIPT_COMMON; // as the library's table has them
    UErrorCode failed = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &failed);
    if (script == USCRIPT_UNKNOWN) return std::nullopt;
    if (c == 0x30FC || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) return USCRIPT_HAN;
    return script;
}

} // namespace

std::vector<AlignedText> split_at_scripts(const AlignedText& text) {
    std::vector<std::size_t> borders;
    std::optional<UScriptCode> last;
    for (std::size_t at = 0; at < text.text().size();) {
        const base::Decoded decoded = base::decode_utf8(text.text(), at);
        const auto script = script_of(decoded.code_point);
        if (script && script != last) borders.push_back(at);
        if (script) last = script;
        at += decoded.length;
    }
    borders.push_back(text.text().size());
    std::vector<AlignedText> result;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        result.push_back(text.slice(borders[i], borders[i + 1]));
    }
    return result;
}

} // namespace heed::tokenizers
