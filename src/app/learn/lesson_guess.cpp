// What a person guesses of a lesson, and what is wrong with it.
#include "app/document/names.hpp"
#include "app/document/prepare_input.hpp"
#include "app/learn/lesson_run.hpp"
#include "lab/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::app {

namespace {

/// A number as it was guessed.
struct GuessedNumber {
    double number = 0;
    bool in_percent = false, is_share = false; // "90 %"; "0.9", and not "1" or "90"
};

/// Nothing where the words are no number.
std::optional<GuessedNumber> guessed_number(const std::string& words) {
    const std::size_t from = words.find_first_not_of(' '), end = words.find_last_not_of(" %");
    if (from == std::string::npos || end == std::string::npos || end < from) return std::nullopt;
    std::string digits = words.substr(from, end + 1 - from);
    if (digits.find('.') == digits.npos) std::ranges::replace(digits, ',', '.'); // as in 0,9
    const auto number = parse_number(digits, "guess");
    if (!number) return std::nullopt;
    const bool in_percent = words.find('%', end) != std::string::npos;
    const bool is_share = !in_percent && *number <= 1 && digits.find('.') != std::string::npos;
    return GuessedNumber{*number, in_percent, is_share};
}

/// "90 %" of "0.9", "90" or "90 %"; what is no number as it is.
std::string as_percent(const std::string& words) {
    const auto guessed = guessed_number(words);
    if (!guessed) return words;
    const double percent = guessed->is_share ? 100 * guessed->number : guessed->number;
    return lab::digits_text(percent, 3) + " %";
}

std::string without_spaces_around(const std::string& words) {
    const std::size_t from = std::min(words.find_first_not_of(' '), words.size());
    return words.substr(from, words.find_last_not_of(' ') + 1 - from);
}

/// The head that short_head() writes so, in whatever case; nothing where a model has none.
std::optional<trace::HeadId> head_named(std::string words, const models::Traits& traits) {
    std::ranges::transform(words, words.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < traits.layers(kind); ++layer) {
            for (int head = 0; head < traits.n_heads; ++head) {
                if (words == short_head({kind, layer, head}))
                    return trace::HeadId{kind, layer, head};
            }
        }
    }
    return std::nullopt;
}

/// What is wrong with a guess of a number: it is none, or outside of what the fact can be.
std::string why_no_number(const Fact& fact, const std::string& guess) {
    const auto guessed = guessed_number(guess);
    if (!guessed) {
        const char* such = fact.in_percent ? "40 %" : fact.most <= 1 ? "0.4" : "40";
        return fmt::format("“{}” is no number; write one as {}.", guess, such);
    }
    const bool percent = guessed->in_percent || (fact.in_percent && !guessed->is_share);
    const double value = percent ? guessed->number / 100 : guessed->number;
    if (value >= 0 && value <= fact.most) return {};
    if (std::isinf(fact.most)) return "It is never below 0.";
    return fact.in_percent ? fmt::format("It is a share: from 0 % to {:.0f} %.", 100 * fact.most)
                           : fmt::format("It lies between 0 and {:g}.", fact.most);
}

/// True where the lesson's conditions rule this kind of attention not out.
bool asks_about(const Lesson& lesson, trace::AttentionKind kind) {
    return std::ranges::none_of(lesson.checks, [&](const Condition& check) {
        const bool is = check.word == trace::name(kind);
        return !check.once && check.fact == fact_named("attention") &&
               is != (check.kind == Condition::Kind::is);
    });
}

/// What is wrong with a guess of a head, "1.1" or "decoder 1.1": the model has none of this name,
/// or the lesson's conditions rule out its attention.
std::string why_no_head(const Lesson& lesson, const std::string& guess,
                        const models::Traits& traits) {
    const auto asked = std::ranges::find_if(trace::kAttentionKinds, [&](auto kind) {
        return traits.layers(kind) > 0 && asks_about(lesson, kind);
    });
    const bool any = asked != std::end(trace::kAttentionKinds);
    const trace::AttentionKind kind = any ? *asked : trace::kAttentionKinds[0];
    auto head = head_named(guess, traits);
    if (!head) head = head_named(fmt::format("{} {}", trace::name(kind), guess), traits);
    if (!head)
        return fmt::format("“{}” is no head; write one as {}.", guess, short_head({kind, 0, 1}));
    if (asks_about(lesson, head->kind)) return {};
    return fmt::format("A head of {} is none of those that are asked about.",
                       trace::name(head->kind));
}

/// What is wrong with a guess of what the model says: a word that it does not have.
std::string why_not_said(const std::string& guess, const Snapshot& snapshot) {
    const models::Model& model = *snapshot.run->model;
    if (!model.provenance()) return {}; // its words have no rows of their own
    Document asked = snapshot.document;
    asked.target = guess;
    for (const text::Token& token : prepare_input(asked, &model).input.target) {
        if (token.known) continue;
        return fmt::format("This model has no word “{}”: it cannot say that.", token.text);
    }
    return {};
}

} // namespace

std::string LessonRun::why_no_guess(const std::string& words, const Snapshot& snapshot) const {
    if (!lesson_.guess || !snapshot.run) return {};
    const Fact& fact = *lesson_.guess->fact;
    const std::string bare = without_spaces_around(words);
    if (fact.is_number) return why_no_number(fact, bare);
    const bool of_head = fact.name == "head" || fact.name.ends_with(" head");
    if (of_head) return why_no_head(lesson_, bare, snapshot.run->model->traits());
    return &fact == fact_named("said") ? why_not_said(bare, snapshot) : std::string();
}

void LessonRun::guess(const std::string& words) {
    guessed_ = lesson_.guess && lesson_.guess->fact->in_percent ? as_percent(words) : words;
}

} // namespace heed::app
