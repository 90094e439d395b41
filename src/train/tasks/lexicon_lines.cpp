#include "train/tasks/lexicon_lines.hpp"

#include <sstream>
#include <utility>

namespace heed::train {

const std::string& Line::operator[](std::size_t i) const {
    static const std::string none;
    return i < fields.size() ? fields[i] : none;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::vector<std::string> parts_of(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) {
        const auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
        parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
    }
    return parts;
}

std::vector<Line> lines_of(const char* list) {
    std::vector<Line> lines;
    std::istringstream stream(list);
    for (std::string text; std::getline(stream, text);) {
        if (!text.empty() && text[0] != '#') lines.push_back({parts_of(text, '|')});
    }
    return lines;
}

} // namespace heed::train
