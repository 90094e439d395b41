#include "app/engine/unknown_words.hpp"

#include "text/known_words.hpp"
#include "train/tasks/writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace heed::app {

namespace {

/// "“foo”, “bar”, “baz” and 1 more".
std::string few_of(const std::vector<std::string>& unknown) {
    constexpr std::size_t kFewNamed = 3;
    const std::size_t named = std::min(unknown.size(), kFewNamed);
    std::string words;
    for (std::size_t i = 0; i < named; ++i) {
        const bool last = i + 1 == unknown.size();
        words += i == 0 ? "" : last ? " and " : ", ";
        words += "“" + unknown[i] + "”";
    }
    if (unknown.size() > named) words += fmt::format(" and {} more", unknown.size() - named);
    return words;
}

/// The language of a translation task's sources; empty for other models.
std::string_view language_read(const models::Run& run) {
    const auto& trained = run.model->provenance();
    if (!trained) return {};
    if (trained->task == "zh-en") return "Chinese";
    return trained->task == "en-fr" || trained->task == "en-zh" ? "English" : "";
}

/// Note on words that have a row, which this model has learned to say and not to read.
std::string unread_note(const models::Run& run, const std::vector<std::string>& unread) {
    if (unread.empty()) return {};
    const std::string_view language = language_read(run);
    return (language.empty() ? "" : fmt::format("This model reads {}: ", language)) +
           fmt::format("{} {} that {} says but has never read", few_of(unread),
                       unread.size() == 1 ? "is a word" : "are words",
                       language.empty() ? "this model" : "it");
}

/// Word for the words of a vocabulary.
const char* listed_as(const text::Vocabulary& words) {
    return words.of_characters() ? "characters" : "words";
}

std::string lacking_note(const models::Run& run, const std::vector<std::string>& unknown) {
    if (unknown.empty()) return {};
    const std::string words = few_of(unknown);
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
    return fmt::format("{} {} among the {} {} of this model; it reads {} instead", words,
                       unknown.size() == 1 ? "is not" : "are not", known.words().size(),
                       listed_as(known),
                       one_row ? known.word(listed) : "rows that unknown words share");
}

} // namespace

std::string unknown_words_note(const models::Run& run) {
    std::vector<std::string> unknown, unread; // in the order in which they are met, once each
    std::unordered_set<std::string_view> met;
    const text::Vocabulary* listed = run.model->words();
    for (const auto* tokens : {&run.trace.source, &run.trace.target}) {
        for (const text::Token& token : *tokens) {
            if (token.known || !met.insert(token.text).second) continue;
            (listed && listed->knows(token.text) ? unread : unknown).push_back(token.text);
        }
    }
    const std::string lacking = lacking_note(run, unknown), other = unread_note(run, unread);
    return lacking + (lacking.empty() || other.empty() ? "" : ". ") + other;
}

namespace {

std::string left_out_note(const Document& document, const models::Run& run) {
    std::string marks = text::left_out_marks(document.source, run.input.source);
    if (marks.empty()) marks = text::left_out_marks(document.target, run.input.target);
    if (marks.empty()) return {};
    return fmt::format("This model reads the sentence without “{}” at its end", marks);
}

std::string too_long_note(const models::Run& run) {
    const auto& learned = run.model->provenance();
    if (!learned || !learned->lengths) return {};
    const int longest = learned->lengths->second;
    if (std::ssize(run.input.source) <= longest) return {};
    return fmt::format("This model was trained on sentences of up to {} {}; beyond that its answer "
                       "is a guess",
                       longest, listed_as(*run.model->words()));
}

std::string no_date_note(const Document& document, const models::Run& run) {
    const auto& learned = run.model->provenance();
    const bool dates = learned && learned->task == train::name(train::Task::dates);
    if (!dates || document.source.empty() || train::is_date(document.source)) return {};
    return "This model reads dates from 1900 to 2099, such as 3 May 2019, May 3, 2019, 3.5.2019 or "
           "2019年5月3日; of any other text its answer is a guess";
}

} // namespace

std::string typed_text_note(const Document& document, const models::Run& run) {
    if (!run.model->words()) return {};
    const bool words = document.segmentation == text::Segmentation::words;
    const std::string marks = words ? left_out_note(document, run) : std::string();
    std::string length = no_date_note(document, run);
    if (length.empty()) length = too_long_note(run);
    return marks + (marks.empty() || length.empty() ? "" : ". ") + length;
}

} // namespace heed::app
