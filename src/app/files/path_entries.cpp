#include "app/files/path_entries.hpp"

#include "app/files/open_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace heed::app {

namespace {

namespace fs = std::filesystem;

std::string in_small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool opens(const fs::path& file) {
    const std::string ending = in_small_letters(file.extension().string());
    constexpr const char* kEndings[] = {".json", ".safetensors", ".txt", ".text", ".md"};
    return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

} // namespace

std::vector<PathEntry> path_entries(const std::string& typed, std::size_t most) {
    constexpr int kMostSeen = 4000;
    const std::size_t slash = typed.rfind('/');
    const std::string before = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
    const std::string stem = in_small_letters(typed.substr(before.size()));
    std::error_code failed;
    fs::directory_iterator at(before.empty() ? "." : whole_path(before), failed), end;
    std::vector<PathEntry> entries;
    for (int seen = 0; !failed && at != end && seen < kMostSeen; at.increment(failed), ++seen) {
        const std::string name = at->path().filename().string();
        const bool hidden = name.starts_with('.') && !stem.starts_with('.');
        if (hidden || !in_small_letters(name).starts_with(stem)) continue;
        std::error_code unknown;
        const bool folder = at->is_directory(unknown);
        if (!folder && !(at->is_regular_file(unknown) && opens(at->path()))) continue;
        const std::string shown = folder ? name + "/" : name;
        entries.push_back({shown, before + shown, folder});
    }
    std::sort(entries.begin(), entries.end(), [](const PathEntry& a, const PathEntry& b) {
        return std::pair(!a.folder, in_small_letters(a.name)) <
               std::pair(!b.folder, in_small_letters(b.name));
    });
    if (entries.size() > most) entries.resize(most);
    return entries;
}

} // namespace heed::app
