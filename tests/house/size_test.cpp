// Bounds that keep the house easy to read: files, functions and folders.
#include "catch.hpp"
#include "house/house.hpp"

using namespace house;

namespace {

constexpr std::size_t kLongestFile = 450, kLongestFunction = 80, kMostFiles = 40;

/// Lines that stand where the code of a namespace or a class does: no comment, no preprocessor.
bool is_code(const std::string& line, std::size_t indent) {
    if (line.size() <= indent || line.compare(0, indent, std::string(indent, ' ')) != 0) return false;
    const char first = line[indent];
    return first != ' ' && first != '/' && first != '#' && first != '}' && first != '{';
}

/// Each function's first line with its number of lines: what begins at the left, or four columns in
/// where a class has it, and ends with a brace in the same column. The code is formatted.
std::vector<std::pair<std::string, std::size_t>> functions(const std::vector<std::string>& lines) {
    std::vector<std::pair<std::string, std::size_t>> result;
    for (const std::size_t indent : {std::size_t{0}, std::size_t{4}}) {
        const std::string end = std::string(indent, ' ') + "}";
        std::size_t begin = 0;
        bool open = false;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (open && lines[i] == end) {
                result.emplace_back(lines[begin], i - begin + 1);
                open = false;
            } else if (!open && is_code(lines[i], indent)) {
                begin = i;
                const std::string code = code_of(lines[i]);
                const bool names_a_scope = code.find("namespace") != std::string::npos ||
                                           code.find("class ") != std::string::npos ||
                                           code.find("struct ") != std::string::npos;
                open = !names_a_scope && code.find('(') != std::string::npos && code.back() != ';';
            }
        }
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
