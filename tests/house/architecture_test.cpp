// ARCHITECTURE.md tells of every room and sub-room what CMake's rows say.
#include "catch.hpp"
#include "house/house.hpp"

using namespace house;

namespace {

/// The cells of a row of a table, without the blanks around them.
std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    std::string cell;
    std::getline(stream, cell, '|'); // before the first bar
    while (std::getline(stream, cell, '|')) {
        const auto first = cell.find_first_not_of(' ');
        if (first == std::string::npos) continue;
        result.push_back(cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
    return result;
}

std::string without(std::string text, const std::string& what) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what)) {
        text.erase(at, what.size());
    }
    return text;
}

} // namespace

TEST_CASE("ARCHITECTURE.md's tables are CMake's rows") {
    auto rows = read_rows();
    std::string offences;
    for (const std::string& line : lines_of(fs::path(HEED_SOURCE_DIR "/ARCHITECTURE.md"))) {
        if (line.rfind("| `src/", 0) != 0) continue;
        const auto row = cells(line);
        const std::string name = without(without(row[0], "`"), "src/");
        if (name == "main.cpp") continue;
        const auto found = rows.find(name);
        if (found == rows.end()) {
            offences += name + " has no row in CMakeLists.txt\n";
            continue;
        }
        std::set<std::string> told;
        for (const auto& word : words(without(without(row[2], ","), "–"))) {
            told.insert(is_subroom(name) ? name.substr(0, name.find('/') + 1) + word : word);
        }
        auto uses = found->second.uses;
        uses.erase("base");
        if (told != uses) offences += name + " may use other rooms than ARCHITECTURE.md says\n";
        rows.erase(found);
    }
    for (const auto& [name, row] : rows) offences += name + " is not in ARCHITECTURE.md\n";
    CHECK(offences == "");
}
