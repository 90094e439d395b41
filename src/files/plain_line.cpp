#include "files/plain_line.hpp"

#include "base/utf8.hpp"

namespace heed::files {

std::string plain_line(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto [c, length, valid] = base::decode_utf8(text, at);
        at += length;
        if (c == U'\t' || c == U'\n' || c == U'\r' || c == 0x2028 || c == 0x2029)
            line += ' ';
        else if (c == 0xFFFE || c == 0xFFFF)
            base::append_utf8(line, base::kReplacement);
        else if (c >= 0x20 && !(c >= 0x7F && c <= 0x9F))
            base::append_utf8(line, c);
    }
    return line;
}

} // namespace heed::files
