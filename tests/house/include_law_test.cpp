// The law of includes: a file of src/<room> includes only its own folder, the rooms of its row in
// the root CMakeLists.txt (read back from rooms.txt), the outside libraries of that row, and the
// standard library. What it may not include it does not name either.
#include "catch.hpp"
#include "house/house.hpp"

#include <algorithm>

using namespace house;

namespace {

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
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return name.rfind(prefix, 0) == 0; });
}

/// Standard headers have neither an ending nor a folder; POSIX and C ones that we use are named.
bool is_system(const std::string& name) {
    static const std::vector<std::string> posix = {"sys/",    "unistd.h",    "fcntl.h", "pthread.h",
                                                   "sched.h", "immintrin.h", "dlfcn.h", "malloc.h"};
    return name.find_first_of("./") == std::string::npos || starts_with_any(name, posix);
}

/// Whether a file of `file.room` may include this header of ours.
bool may_use(const File& file, const Room& room, const std::map<std::string, Room>& rooms,
             const std::string& header) {
    const auto slash = header.rfind('/');
    if (slash == std::string::npos) return false;
    const std::string folder = header.substr(0, slash);
    const std::string whole = folder.substr(0, folder.find('/'));
    if (folder == file.room) return true;
    if (whole == file.whole_room()) return file.room == whole || room.uses.count(folder) == 1;
    return room.uses.count(whole) == 1 && rooms.count(folder) == 1;
}

} // namespace

TEST_CASE("every include stays within its room's row") {
    const auto rooms = read_rooms();
    REQUIRE(rooms.size() >= 12);
    std::string offences;
    int lines_read = 0;
    for (const File& file : files(rooms)) {
        INFO(file.path << " lies in a folder without a row");
        REQUIRE(!file.room.empty());
        const Room& room = rooms.at(file.room);
        for (const std::string& line : lines_of(file)) {
            const std::string target = included(line);
            if (target.empty()) continue;
            ++lines_read;
            const std::string path = target.substr(1);
            const bool allowed = target[0] == '"'
                                     ? may_use(file, room, rooms, path)
                                     : is_system(path) || starts_with_any(path, room.outside);
            if (!allowed) offences += file.path + ": " + line + "\n";
        }
    }
    CHECK(lines_read > 0);
    CHECK(offences == "");
}

TEST_CASE("no file names the namespace of a room that it may not use") {
    const auto rooms = read_rooms();
    std::string offences;
    for (const File& file : files(rooms)) {
        const Room& room = rooms.at(file.room);
        for (const std::string& line : lines_of(file)) {
            const std::string code = code_of(line);
            for (auto at = code.find("::"); at != std::string::npos; at = code.find("::", at + 2)) {
                auto begin = at;
                while (begin > 0 && (std::isalnum(static_cast<unsigned char>(code[begin - 1])) ||
                                     code[begin - 1] == '_')) {
                    --begin;
                }
                const std::string name = code.substr(begin, at - begin);
                if (!rooms.count(name) || name == file.whole_room() || room.uses.count(name)) {
                    continue;
                }
                offences += file.path + ": " + line + "\n";
            }
        }
    }
    CHECK(offences == "");
}

TEST_CASE("nobody above models asks for a kind of model: traits say what it has") {
    std::vector<std::string> kinds = {
        "spec_of(",   "recurrent_of(",     "classifier_of(",   "transformer_of(",
        "stored_of(", ".architecture == ", ".architecture != "};
    for (const char* config : {"ModelSpec", "RecurrentConfig", "StoredConfig"}) {
        kinds.push_back(std::string("get_if<models::") + config);
        kinds.push_back(std::string("holds_alternative<models::") + config);
    }
    const auto rooms = read_rooms();
    std::string offences;
    int above = 0;
    for (const File& file : files(rooms)) {
        if (!rooms.at(file.room).uses.count("models")) continue;
        ++above;
        for (const std::string& line : lines_of(file)) {
            const std::string code = code_of(line);
            for (const std::string& kind : kinds) {
                if (code.find(kind) != std::string::npos)
                    offences += file.path + ": " + line + "\n";
            }
        }
    }
    CHECK(above > 300);
    CHECK(offences == "");
}

TEST_CASE("a row more in the list of scores compiles few files again") {
    std::map<std::string, std::vector<std::string>> includes;
    for (const File& file : files(read_rooms())) {
        for (const std::string& line : lines_of(file)) {
            const std::string target = included(line);
            if (target.starts_with('"')) includes[file.path].push_back(target.substr(1));
        }
    }
    std::set<std::string> reached = {"nn/attention/score_info.hpp"};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const auto& [path, headers] : includes) {
            for (const std::string& header : headers) {
                if (reached.count(header)) reached.insert(path);
            }
        }
    }
    const auto is_source = [](const std::string& path) { return path.ends_with(".cpp"); };
    CHECK(std::count_if(reached.begin(), reached.end(), is_source) <= 60);
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
