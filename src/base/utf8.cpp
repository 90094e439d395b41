#include "base/utf8.hpp"

namespace heed::base {

namespace {

struct Lead {
    int trailing;         // bytes that follow; -1 where no sequence starts so
    unsigned char low;    // range of the first of them
    unsigned char high;
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {0, 0, 0};
    if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF};
    if (byte == 0xE0) return {2, 0xA0, 0xBF};
    if (byte == 0xED) return {2, 0x80, 0x9F};
    if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF};
    if (byte == 0xF0) return {3, 0x90, 0xBF};
    if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF};
    if (byte == 0xF4) return {3, 0x80, 0x8F};
    return {-1, 0, 0};
}

} // namespace

Decoded decode_utf8(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const Lead lead = lead_of(first);
    if (lead.trailing <= 0) return {lead.trailing == 0 ? first : kReplacement, 1, lead.trailing == 0};
    char32_t code_point = first & (0x3Fu >> lead.trailing);
    for (int i = 1; i <= lead.trailing; ++i) {
        const std::size_t here = at + static_cast<std::size_t>(i);
        const unsigned low = i == 1 ? lead.low : 0x80u;
        const unsigned high = i == 1 ? lead.high : 0xBFu;
        const unsigned byte = here < text.size() ? static_cast<unsigned char>(text[here]) : 0u;
        if (byte < low || byte > high) return {kReplacement, static_cast<std::size_t>(i), false};
        code_point = (code_point << 6) | (byte & 0x3Fu);
    }
    return {code_point, static_cast<std::size_t>(lead.trailing) + 1, true};
}

void append_utf8(std::string& out, char32_t c) {
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = kReplacement;
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F));
        put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
    }
}

bool is_valid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Decoded decoded = decode_utf8(text, at);
        if (!decoded.valid) return false;
        at += decoded.length;
    }
    return true;
}

std::string to_valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded decoded = decode_utf8(text, at);
        append_utf8(out, decoded.code_point);
        at += decoded.length;
    }
    return out;
}

std::size_t count_code_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at += decode_utf8(text, at).length;
    return count;
}

} // namespace heed::base
