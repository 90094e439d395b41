#include "app/engine/unknown_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace heed::app {

std::string unknown_words_note(const models::Run& run) {
    constexpr std::size_t kFewNamed = 3;
    std::vector<std::string> unknown; // in the order in which they are met, once each
    std::unordered_set<std::string_view> met;
    for (const auto* tokens : {&run.trace.source, &run.trace.target}) {
        for (const text::Token& token : *tokens) {
            if (!token.known && met.insert(token.text).second) unknown.push_back(token.text);
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
    if (run.model->text_to_ids()) {
        return fmt::format("{} {} for what this model's vocabulary lacks", words,
                           unknown.size() == 1 ? "stands" : "stand");
    }
    if (!run.model->words()) {
        return fmt::format("{} {} in this model's vocabulary", words,
                           unknown.size() == 1 ? "is not" : "are not");
    }
    const text::Vocabulary& known = *run.model->words();
    const std::size_t listed = text::Vocabulary::kFirstWord + known.words().size();
    const bool one_row = known.size() == listed + 1;
    return fmt::format("{} {} among the {} words of this model; it reads {} instead", words,
                       unknown.size() == 1 ? "is not" : "are not", known.words().size(),
                       one_row ? known.word(listed) : "rows that unknown words share");
}

} // namespace heed::app
