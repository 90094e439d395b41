// Lines of the word lists of assets/tasks: fields between bars, a line a word.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed::train {

/// Fields without blanks around them; those that a line leaves away are empty.
struct Line {
    std::vector<std::string> fields;
    const std::string& operator[](std::size_t i) const;
};

/// The lines that are not empty and begin with no #.
std::vector<Line> lines_of(const char* list);
/// Parts between marks, without blanks around them.
std::vector<std::string> parts_of(const std::string& text, char mark);
/// Parts between blanks.
std::vector<std::string> words_of(const std::string& text);

} // namespace heed::train
