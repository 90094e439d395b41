// The source tree as the tests of the house read it.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace house {

namespace fs = std::filesystem;

/// One row of the root CMakeLists.txt: a room ("figure") or a sub-room ("figure/base").
struct Room {
    std::set<std::string> uses;
    std::vector<std::string> outside; // include prefixes
};

inline std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string word; stream >> word;) result.push_back(word);
    return result;
}

inline std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

inline bool is_subroom(const std::string& name) { return name.find('/') != std::string::npos; }

/// The rows as written: `name|what it may use|outside prefixes`.
inline std::map<std::string, Room> read_rows() {
    std::map<std::string, Room> rooms;
    for (const std::string& line : lines_of(HEED_BINARY_DIR "/rooms.txt")) {
        const auto first = line.find('|'), second = line.find('|', first + 1);
        Room& room = rooms[line.substr(0, first)];
        for (auto& use : words(line.substr(first + 1, second - first - 1))) room.uses.insert(use);
        room.outside = words(line.substr(second + 1));
    }
    return rooms;
}

/// The rows as they hold: a sub-room may use what its room may, and what base speaks in (fmt,
/// tl::expected) is everybody's language.
inline std::map<std::string, Room> read_rooms() {
    auto rooms = read_rows();
    const std::vector<std::string> shared = rooms["base"].outside;
    for (auto& [name, room] : rooms) {
        if (is_subroom(name)) {
            const Room& whole = rooms.at(name.substr(0, name.find('/')));
            room.uses.insert(whole.uses.begin(), whole.uses.end());
            room.outside = whole.outside;
        }
        if (room.uses.count("base")) {
            room.outside.insert(room.outside.end(), shared.begin(), shared.end());
        }
    }
    return rooms;
}

/// A source or header of src, by its path below it: "figure/base/pen.hpp".
struct File {
    std::string path;
    std::string room; // the row that it belongs to: "figure/base"
    std::string whole_room() const { return room.substr(0, room.find('/')); }
};

/// Everything of src but main.cpp. A file whose folder has no row has an empty room.
inline std::vector<File> files(const std::map<std::string, Room>& rooms) {
    std::vector<File> result;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/src")) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
        const std::string path = fs::relative(entry.path(), HEED_SOURCE_DIR "/src").string();
        if (path == "main.cpp") continue;
        const std::string folder = path.substr(0, path.rfind('/'));
        result.push_back({path, rooms.count(folder) ? folder : std::string()});
    }
    return result;
}

inline std::vector<std::string> lines_of(const File& file) {
    return lines_of(fs::path(HEED_SOURCE_DIR "/src") / file.path);
}

/// A line without its comment and without what stands in quotes.
inline std::string code_of(const std::string& line) {
    std::string code;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '"') {
            quote = c;
        } else if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') {
            break;
        } else {
            code += c;
        }
    }
    return code;
}

} // namespace house
