#include "ui/paint/private_use.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace heed::ui {

namespace {
constexpr char32_t kFirst = 0xE000, kLast = 0xF8FF;
}

bool PrivateUse::needs_stand_in(char32_t c) { return c > 0xFFFF || (c >= kFirst && c <= kLast); }

char32_t PrivateUse::stand_in(char32_t character) {
    const auto known = stand_ins_.find(character);
    if (known != stand_ins_.end()) return known->second;
    // 6 400 different ones in one sitting: more than any person types.
    if (characters_.size() > kLast - kFirst) return base::kReplacement;
    const char32_t next = kFirst + static_cast<char32_t>(characters_.size());
    stand_ins_.emplace(character, next);
    characters_.push_back(character);
    return next;
}

std::string PrivateUse::encode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        const char32_t c = decoded.code_point;
        base::append_utf8(out, needs_stand_in(c) ? stand_in(c) : c);
        at += decoded.length;
    }
    return out;
}

std::string PrivateUse::pasted(std::string_view text) {
    constexpr std::string_view kBreaks = "\n\r\t";
    const std::size_t first = text.find_first_not_of(kBreaks);
    if (first == std::string_view::npos) return {};
    std::string line = encode(text.substr(first, text.find_last_not_of(kBreaks) + 1 - first));
    std::ranges::replace_if(
        line, [&](char c) { return kBreaks.find(c) != std::string_view::npos; }, ' ');
    return line;
}

std::string PrivateUse::decode(std::string_view text) const {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const base::Decoded decoded = base::decode_utf8(text, at);
        char32_t c = decoded.code_point;
        if (c >= kFirst && c <= kLast && c - kFirst < characters_.size()) {
            c = characters_[c - kFirst];
        }
        base::append_utf8(out, c);
        at += decoded.length;
    }
    return out;
}

} // namespace heed::ui
