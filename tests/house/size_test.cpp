// Bounds that keep the house easy to read: files, functions and folders.
#include "catch.hpp"
#include "house/house.hpp"

using namespace house;

namespace {

constexpr std::size_t kLongestFile = 450, kLongestFunction = 80, kMostFiles = 40;

/// A line that begins in this column, as formatted code does in its scope.
bool begins_at(const std::string& line, std::size_t indent) {
    return line.size() > indent && line.find_first_not_of(' ') == indent;
}

/// Each function's first line with its number of lines: what begins at the left, or four columns in
/// where a class has it, and ends with a brace alone in the same column. The code is formatted.
std::vector<std::pair<std::string, std::size_t>> functions(const std::vector<std::string>& lines) {
    std::vector<std::pair<std::string, std::size_t>> result;
    std::size_t begin = 0, indent = 0; // of the function that is open
    bool open = false, in_class = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string code = code_of(lines[i]);
        if (open) {
            if (!begins_at(lines[i], indent)) continue;
            if (lines[i][indent] == '}') {
                if (lines[i].size() == indent + 1) result.emplace_back(lines[begin], i - begin + 1);
                open = false;
            } else if (code.back() == ';') {
                open = false; // it was a declaration
            }
            continue;
        }
        if (begins_at(lines[i], 0) && code.starts_with("}")) in_class = false;
        indent = in_class ? 4 : 0;
        if (!begins_at(lines[i], indent) || code.find_first_of("#}") == indent || code.empty())
            continue;
        const bool is_class =
            code.find("class ") != std::string::npos || code.find("struct ") != std::string::npos;
        if (is_class && indent == 0 && code.back() == '{') in_class = true;
        if (is_class || code.starts_with("namespace")) continue;
        begin = i;
        open = code.find('(') != std::string::npos && code.find_last_of(";}") != code.size() - 1;
    }
    return result;
}

} // namespace

TEST_CASE("functions are found with their lengths") {
    const auto found = functions({"namespace a {", "int f() {", "    return 1;", "}", "struct S {",
                                  "    int g(int x) {", "        if (x) {", "        }",
                                  "        return 0;", "    }", "};", "int declared();", "}"});
    REQUIRE(found.size() == 2);
    CHECK(found[0] == std::pair<std::string, std::size_t>("int f() {", 3));
    CHECK(found[1].second == 5);
}

TEST_CASE("no file of src has more than 450 lines and no function more than 80") {
    std::string offences;
    for (const File& file : files(read_rooms())) {
        const auto lines = lines_of(file);
        if (lines.size() > kLongestFile) {
            offences += file.path + ": " + std::to_string(lines.size()) + " lines\n";
        }
        for (const auto& [first, length] : functions(lines)) {
            if (length > kLongestFunction) {
                offences += file.path + ": " + std::to_string(length) + " lines: " + first + "\n";
            }
        }
    }
    CHECK(offences == "");
}

TEST_CASE("no folder of src has more than 40 files of its own") {
    std::map<std::string, std::size_t> count;
    for (const File& file : files(read_rooms())) ++count[file.room];
    std::string offences;
    for (const auto& [folder, number] : count) {
        if (number > kMostFiles) offences += folder + ": " + std::to_string(number) + " files\n";
    }
    CHECK(offences == "");
}
