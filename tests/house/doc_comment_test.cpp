// Doc comments of headers begin with what they document, so that a reader can scan them: "Gradients
// through row_norm: …", and not "What row_norm passes back: …".
#include "catch.hpp"
#include "house/house.hpp"

#include <algorithm>

using namespace house;

namespace {

/// Words that put the noun off (a question word, a preposition) or leave it to another comment (a
/// pronoun), which may move away. "The same of …" is one of the latter, too. What begins small is a
/// name of the code.
constexpr const char* kForbidden[] = {
    "As",    "By",      "For",   "From", "How",      "In",      "It",      "Its",     "Of",
    "On",    "So",      "Such",  "That", "Their",    "Them",    "These",   "They",    "This",
    "Those", "Through", "To",    "What", "Whatever", "When",    "Where",   "Whether", "Which",
    "Who",   "Whoever", "Whose", "Why",  "With",     "Without", "The same"};

bool is_doc(const std::string& line) {
    const auto at = line.find_first_not_of(' ');
    return at != std::string::npos && line.compare(at, 3, "///") == 0;
}

/// The first word of each doc comment, two where it is an article, without punctuation; with the
/// number of its line, from 1.
std::vector<std::pair<std::string, std::size_t>> openings(const std::vector<std::string>& lines) {
    std::vector<std::pair<std::string, std::size_t>> result;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!is_doc(lines[i]) || (i > 0 && is_doc(lines[i - 1]))) continue;
        std::vector<std::string> said = words(lines[i].substr(lines[i].find("///") + 3));
        if (said.empty()) continue;
        std::string opening = said[0] == "The" && said.size() > 1 ? "The " + said[1] : said[0];
        std::erase_if(opening, [](char c) { return c == ',' || c == ':' || c == '.' || c == ';'; });
        result.emplace_back(opening, i + 1);
    }
    return result;
}

bool is_forbidden(const std::string& opening) {
    return std::ranges::find(kForbidden, opening) != std::end(kForbidden);
}

} // namespace

TEST_CASE("openings of doc comments are found, and those that put the noun off") {
    const auto found = openings({"/// What it is.", "/// Which goes on.", "int a;", "// Of no doc.",
                                 "    /// The same, with b.", "    int c;", "/// The mean of a."});
    REQUIRE(found.size() == 3);
    CHECK(found[0] == std::pair<std::string, std::size_t>("What", 1));
    CHECK(found[1] == std::pair<std::string, std::size_t>("The same", 5));
    CHECK(found[2] == std::pair<std::string, std::size_t>("The mean", 7));
    CHECK(is_forbidden(found[0].first));
    CHECK(is_forbidden(found[1].first));
    CHECK_FALSE(is_forbidden(found[2].first));
    CHECK_FALSE(is_forbidden("what"));
}

TEST_CASE("each doc comment of a header begins with the noun that it documents") {
    std::string offences;
    for (const File& file : files(read_rooms())) {
        if (!file.path.ends_with(".hpp")) continue;
        const auto lines = lines_of(file);
        for (const auto& [opening, line] : openings(lines)) {
            if (!is_forbidden(opening)) continue;
            offences += file.path + ":" + std::to_string(line) + ": " + lines[line - 1] + "\n";
        }
    }
    CHECK(offences == "");
}
