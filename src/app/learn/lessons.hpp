// The lessons that there are: those that come with the program, and a teacher's own.
#pragma once

#include "app/learn/lesson.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// A card of the list. `name`: "4-root-of-d-k", as commands take it.
struct ListedLesson {
    std::string name;
    Lesson lesson;
    bool own = false; // of the user's folder
};

/// Lessons of the program, in their order.
const std::vector<ListedLesson>& shipped_lessons();
/// The folder of a teacher's own lessons: `lessons` beside the settings. Empty where there is no
/// place for settings.
std::string lessons_folder();
/// The good ones among its files *.md, by name; of others their mistakes.
struct OwnLessons {
    std::vector<ListedLesson> lessons{};
    std::vector<base::Error> wrong{};
};
OwnLessons own_lessons(const std::string& folder);

/// The source text of a shipped lesson; empty where there is none of this name.
std::string_view shipped_lesson_text(std::string_view name);

} // namespace heed::app
