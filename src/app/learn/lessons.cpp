#include "app/learn/lessons.hpp"

#include "app/files/settings.hpp"
#include "app/learn/shipped_lessons.hpp" // generated from assets/lessons

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heed::app {

namespace fs = std::filesystem;

const std::vector<ListedLesson>& shipped_lessons() {
    static const std::vector<ListedLesson> lessons = [] {
        std::vector<ListedLesson> list;
        for (const auto& [name, text] : shipped_lesson_files) {
            list.push_back({name, parse_lesson(text, std::string(name) + ".md").lesson, false});
        }
        return list;
    }();
    return lessons;
}

std::string_view shipped_lesson_text(std::string_view name) {
    for (const auto& [known, text] : shipped_lesson_files) {
        if (known == name) return text;
    }
    return {};
}

std::string lessons_folder() {
    const std::string settings = settings_path();
    if (settings.empty()) return {};
    return (fs::path(settings).parent_path() / "lessons").string();
}

OwnLessons own_lessons(const std::string& folder) {
    OwnLessons own;
    if (folder.empty()) return own;
    std::vector<std::string> paths;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
    }
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
        ReadLesson read = read_lesson(path);
        if (read.wrong.empty()) {
            own.lessons.push_back({fs::path(path).stem().string(), std::move(read.lesson), true});
        } else {
            own.wrong.push_back(std::move(read.wrong.front()));
        }
    }
    return own;
}

} // namespace heed::app
