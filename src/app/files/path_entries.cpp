#include "app/files/path_entries.hpp"

#include "app/files/open_file.hpp"
#include "app/files/settings.hpp"
#include "base/file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace heed::app {

namespace {

namespace fs = std::filesystem;

std::string in_small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool lists(Listed listed, const fs::path& file) {
    const std::string ending = in_small_letters(file.extension().string());
    constexpr const char* kOpened[] = {".json", ".safetensors", ".gguf", ".npz",  ".txt",  ".text",
                                       ".md",   ".png",         ".jpg",  ".jpeg", ".align"};
    constexpr const char* kWritten[] = {".png", ".svg", ".pdf", ".csv", ".npy", ".npz"};
    constexpr const char* kSentences[] = {".tsv", ".txt", ".text"};
    const auto is_one_of = [&](const auto& endings) {
        return std::ranges::find(endings, ending) != std::end(endings);
    };
    switch (listed) {
    case Listed::opened: return is_one_of(kOpened);
    case Listed::written: return is_one_of(kWritten);
    case Listed::sentences: return is_one_of(kSentences);
    }
    return false;
}

std::uintmax_t size_of(const fs::directory_entry& entry) {
    std::error_code failed;
    const std::uintmax_t bytes = entry.file_size(failed);
    return failed ? 0 : bytes;
}

void sort(std::vector<PathEntry>& entries, const std::string& stem, PathOrder order) {
    std::sort(entries.begin(), entries.end(), [&](const PathEntry& a, const PathEntry& b) {
        if (a.folder != b.folder) return a.folder;
        if (order == PathOrder::newest && a.modified != b.modified) return a.modified > b.modified;
        if (order == PathOrder::largest && a.bytes != b.bytes) return a.bytes > b.bytes;
        const std::string of_a = in_small_letters(a.name), of_b = in_small_letters(b.name);
        const bool begins_a = of_a.starts_with(stem), begins_b = of_b.starts_with(stem);
        return begins_a != begins_b ? begins_a : of_a < of_b;
    });
}

/// "$HOME/Documents" of `XDG_DOCUMENTS_DIR="$HOME/Documents"`.
std::string user_folder(const std::string& line, const std::string& home) {
    const std::size_t from = line.find("=\""), to = line.rfind('"');
    if (from == line.npos || to < from + 2) return {};
    std::string path = line.substr(from + 2, to - from - 2);
    if (path.starts_with("$HOME/")) path = home + path.substr(5);
    return path.starts_with('/') ? path : std::string();
}

/// The desktop's names of them, or their usual places.
std::vector<KnownFolder> desktop_folders(const std::string& home) {
    std::vector<KnownFolder> places;
    for (const char* name : {"Desktop", "Documents", "Downloads"}) {
        places.push_back({name, home + "/" + name});
    }
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const std::string folder = config != nullptr && *config == '/' ? config : home + "/.config";
    constexpr std::size_t kMost = 65536;
    const auto text = base::read_file(folder + "/user-dirs.dirs", kMost);
    if (!text) return places;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        for (KnownFolder& place : places) {
            // XDG_DOWNLOAD_DIR names the folder in the singular.
            std::string key = "XDG_" + place.name.substr(0, 7);
            std::transform(key.begin(), key.end(), key.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
            if (!line.starts_with(key)) continue;
            if (const std::string own = user_folder(line, home); !own.empty()) place.path = own;
        }
    }
    return places;
}

} // namespace

std::int64_t written_at(const std::string& path) {
    std::error_code failed;
    const auto written = fs::last_write_time(path, failed);
    if (failed) return 0;
    const auto on_clock = std::chrono::file_clock::to_sys(written);
    return std::chrono::duration_cast<std::chrono::seconds>(on_clock.time_since_epoch()).count();
}

std::string time_words(std::int64_t seconds) {
    const std::time_t at = seconds;
    std::tm local{};
    if (seconds <= 0 || localtime_r(&at, &local) == nullptr) return {};
    return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

std::vector<PathEntry> folder_entries(const std::string& typed, Listed listed) {
    constexpr int kMostSeen = 4000;
    const std::string before = typed.substr(0, typed.rfind('/') + 1);
    std::error_code failed;
    fs::directory_iterator at(before.empty() ? "." : whole_path(before), failed), end;
    std::vector<PathEntry> entries;
    for (int seen = 0; !failed && at != end && seen < kMostSeen; at.increment(failed), ++seen) {
        const std::string name = at->path().filename().string();
        std::error_code unknown;
        const bool folder = at->is_directory(unknown);
        if (!folder && !(at->is_regular_file(unknown) && lists(listed, at->path()))) continue;
        const std::string shown = folder ? name + "/" : name;
        entries.push_back(
            {shown, before + shown, folder, folder ? 0 : size_of(*at), written_at(at->path())});
    }
    return entries;
}

std::vector<PathEntry> matching(const std::vector<PathEntry>& entries, const std::string& typed,
                                std::size_t most, PathOrder order) {
    const std::string stem = in_small_letters(typed.substr(typed.rfind('/') + 1));
    const bool dot = stem.starts_with('.');
    std::vector<PathEntry> found;
    std::ranges::copy_if(entries, std::back_inserter(found), [&](const PathEntry& entry) {
        return entry.name.starts_with('.') == dot &&
               in_small_letters(entry.name).find(stem) != std::string::npos;
    });
    sort(found, stem, order);
    if (found.size() > most) found.resize(most);
    return found;
}

std::vector<KnownFolder> known_folders() {
    std::vector<KnownFolder> places;
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home == '/') {
        places.push_back({"Home", home});
        for (KnownFolder& place : desktop_folders(home)) places.push_back(std::move(place));
    }
    places.push_back({"My models", models_folder()});
    places.push_back({"Started in", whole_path(".")});
    std::erase_if(places, [](const KnownFolder& place) {
        std::error_code failed;
        return !fs::is_directory(place.path, failed);
    });
    for (KnownFolder& place : places) {
        if (!place.path.ends_with('/')) place.path += '/';
    }
    return places;
}

std::string documents_folder() {
    const std::vector<KnownFolder> places = known_folders();
    for (const char* name : {"Documents", "Home"}) {
        const auto place = std::ranges::find(places, name, &KnownFolder::name);
        if (place != places.end()) return place->path;
    }
    return whole_path(".");
}

bool takes_files(const std::string& folder) {
    std::error_code failed;
    return fs::is_directory(folder, failed) && ::access(folder.c_str(), W_OK) == 0;
}

} // namespace heed::app
