#include "app/engine/unknown_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heed::app {

std::string unknown_words_note(const models::Run& run) {
    constexpr std::size_t kFewNamed = 3;
    std::vector<std::string> unknown;
    for (const auto* tokens : {&run.input.source, &run.input.target}) {
        for (const text::Token& token : *tokens) {
            if (!token.known && std::ranges::find(unknown, token.text) == unknown.end()) {
                unknown.push_back(token.text);
            }
        }
    }
    if (unknown.empty()) return {};
    const std::size_t named = std::min(unknown.size(), kFewNamed);
    std::string words;
    for (std::size_t i = 0; i < named; ++i) {
        const bool last = i + 1 == unknown.size();
        words += i == 0 ? "" : last ? " and " : ", ";
        words += "“" + unknown[i] + "”";
    }
    if (unknown.size() > named) words += fmt::format(" and {} more", unknown.size() - named);
    return fmt::format("{} {} among the {} words of this model; it reads ⟨other⟩ instead", words,
                       unknown.size() == 1 ? "is not" : "are not",
                       run.model->words()->words().size());
}

} // namespace heed::app
