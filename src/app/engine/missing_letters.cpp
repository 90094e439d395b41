#include "app/engine/missing_letters.hpp"

#include "base/utf8.hpp"
#include "figure/base/script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heed::app {

std::string_view font_package(char32_t letter) {
    const bool private_use = (letter >= 0xE000 && letter <= 0xF8FF) || letter >= 0xF0000;
    const bool no_letter = (letter & 0xFFFE) == 0xFFFE || (letter >= 0xFDD0 && letter <= 0xFDEF);
    if (private_use || no_letter) return "";
    std::string text;
    base::append_utf8(text, letter);
    if (figure::has_emoji(text)) return "fonts-noto-color-emoji";
    return figure::han_forms(text) == figure::Han::none ? "fonts-noto-core" : "fonts-noto-cjk";
}

std::string missing_letters_note(std::u32string_view missing, std::size_t most_named) {
    if (missing.empty()) return {};
    std::vector<std::string> named;
    std::vector<std::string_view> packages;
    for (const char32_t letter : missing) {
        if (named.size() < most_named) {
            named.push_back(fmt::format("U+{:04X}", static_cast<std::uint32_t>(letter)));
        }
        const std::string_view package = font_package(letter);
        if (!package.empty() &&
            std::find(packages.begin(), packages.end(), package) == packages.end()) {
            packages.push_back(package);
        }
    }
    std::string note = fmt::format("no installed font has {}", fmt::join(named, ", "));
    if (missing.size() > named.size()) {
        note += fmt::format(" and {} more", missing.size() - named.size());
    }
    if (packages.empty()) return note + ": these code points are nobody's letters";
    return note + fmt::format(": install {}", fmt::join(packages, ", "));
}

} // namespace heed::app
