#include "text/word_names.hpp"

#include <unordered_map>

namespace heed::text {

std::vector<std::string> word_names(std::span<const std::string_view> words,
                                    std::span<const int> places,
                                    const std::function<int(int)>& position) {
    // Of those that are named alone: a sentence may be long.
    std::unordered_map<std::string_view, int> times;
    for (const int place : places) times.emplace(words[static_cast<std::size_t>(place)], 0);
    for (const std::string_view word : words) {
        if (const auto found = times.find(word); found != times.end()) ++found->second;
    }
    std::vector<std::string> names;
    for (const int place : places) {
        const std::string_view word = words[static_cast<std::size_t>(place)];
        names.emplace_back(word);
        if (times[word] < 2) continue;
        names.back() += " (" + std::to_string(position ? position(place) : place + 1) + ")";
    }
    return names;
}

} // namespace heed::text
