#include "base/visible.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>

namespace heed::base {

namespace {

bool is_obeyed(char32_t c) {
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return control || direction;
}

/// `kept`: control characters that stay.
std::string shown(std::string_view text, std::string_view kept) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode_utf8(text, at);
        const std::string_view bytes = text.substr(at, next.length);
        at += next.length;
        if (!next.valid) {
            for (const char c : bytes) {
                fmt::format_to(std::back_inserter(result), "\\x{{{:02x}}}",
                               static_cast<unsigned char>(c));
            }
        } else if (is_obeyed(next.code_point) && kept.find(bytes) == std::string_view::npos) {
            fmt::format_to(std::back_inserter(result), "\\u{{{:x}}}",
                           static_cast<unsigned>(next.code_point));
        } else {
            result += bytes;
        }
    }
    return result;
}

} // namespace

std::string visible(std::string_view text) { return shown(text, "\n\t"); }
std::string visible_line(std::string_view text) { return shown(text, ""); }

VisibleStream::VisibleStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) {
    rdbuf(&buffer_);
    setf(std::ios::unitbuf);
}

VisibleStream::Buffer::int_type VisibleStream::Buffer::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize VisibleStream::Buffer::xsputn(const char* text, std::streamsize n) {
    to_ << visible({text, static_cast<std::size_t>(n)});
    return to_ ? n : 0;
}

int VisibleStream::Buffer::sync() { return to_.flush() ? 0 : -1; }

void tell(std::string_view words) {
    const std::string line = visible_line(words) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace heed::base
