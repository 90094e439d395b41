// The law of includes: a file of src/<room> includes only its own room, the rooms of its row in
// the root CMakeLists.txt (read back from rooms.txt), the outside libraries of that row, and the
// standard library.
#include "catch.hpp"
#include "paths.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Room {
    std::set<std::string> uses;
    std::vector<std::string> outside; // include prefixes
};

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string word; stream >> word;) result.push_back(word);
    return result;
}

std::map<std::string, Room> read_rooms() {
    std::ifstream file(HEED_BINARY_DIR "/rooms.txt");
    std::map<std::string, Room> rooms;
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find('|');
        const auto second = line.find('|', first + 1);
        Room& room = rooms[line.substr(0, first)];
        for (auto& use : words(line.substr(first + 1, second - first - 1))) room.uses.insert(use);
        room.outside = words(line.substr(second + 1));
    }
    // What base speaks in (fmt, tl::expected) is everybody's language.
    const std::vector<std::string> shared = rooms["base"].outside;
    for (auto& [name, room] : rooms)
        if (room.uses.count("base"))
            room.outside.insert(room.outside.end(), shared.begin(), shared.end());
    return rooms;
}

/// The text between the quotes or brackets of an include line, with its opening mark; else empty.
std::string included(const std::string& line) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') return {};
    const auto word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
    const auto open = line.find_first_of("<\"", word);
    if (open == std::string::npos) return {};
    return line.substr(open, line.find_first_of(">\"", open + 1) - open);
}

bool starts_with_any(const std::string& name, const std::vector<std::string>& prefixes) {
    for (const auto& prefix : prefixes) {
        if (name.rfind(prefix, 0) == 0) return true;
    }
    return false;
}

/// Standard headers have neither an ending nor a folder; POSIX and C ones that we use are named.
bool is_system(const std::string& name) {
    static const std::vector<std::string> posix = {"sys/",    "unistd.h",    "fcntl.h", "pthread.h",
                                                   "sched.h", "immintrin.h", "dlfcn.h", "malloc.h"};
    return name.find_first_of("./") == std::string::npos || starts_with_any(name, posix);
}

} // namespace

TEST_CASE("every include stays within its room's row") {
    const auto rooms = read_rooms();
    REQUIRE(rooms.size() >= 12);
    std::string offences;
    int lines_read = 0;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/src")) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
        const auto relative = fs::relative(entry.path(), HEED_SOURCE_DIR "/src");
        const std::string name = relative.begin()->string();
        if (name == "main.cpp") continue;
        REQUIRE(rooms.count(name) == 1);
        const Room& room = rooms.at(name);
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            const std::string target = included(line);
            if (target.empty()) continue;
            ++lines_read;
            const std::string path = target.substr(1);
            const bool allowed = target[0] == '"'
                                     ? path.find('/') != std::string::npos &&
                                           (path.rfind(name + "/", 0) == 0 ||
                                            room.uses.count(path.substr(0, path.find('/'))) == 1)
                                     : is_system(path) || starts_with_any(path, room.outside);
            if (!allowed) offences += relative.string() + ": " + line + "\n";
        }
    }
    CHECK(lines_read > 0);
    CHECK(offences == "");
}

TEST_CASE("rooms are used in one direction only") {
    const auto rooms = read_rooms();
    std::set<std::string> reached; // rooms whose whole chain of uses is known to end
    while (reached.size() < rooms.size()) {
        const auto before = reached.size();
        for (const auto& [name, room] : rooms) {
            bool ends = true;
            for (const auto& used : room.uses) ends = ends && reached.count(used) == 1;
            if (ends) reached.insert(name);
        }
        INFO("a circle among the rooms beyond these " << reached.size());
        REQUIRE(reached.size() > before);
    }
}
