#include "ui/learn/card_hint.hpp"

#include "ui/learn/learn_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace heed::ui {

namespace {

/// “the”, or “the” (the 2nd) where there are several.
std::string named(const std::string& word, int number) {
    constexpr const char* kEnds[] = {"th", "st", "nd", "rd"};
    const bool teen = number % 100 > 10 && number % 100 < 14;
    const char* end = kEnds[teen || number % 10 > 3 ? 0 : number % 10];
    return number == 0 ? fmt::format("“{}”", word)
                       : fmt::format("“{}” (the {}{})", word, number, end);
}

std::string words_of(const std::optional<app::TellingCell>& cell) {
    if (cell) {
        return fmt::format("Tried on this sentence: the row {} with all its weight on {} "
                           "changes what the model says.",
                           named(cell->row, cell->row_number),
                           named(cell->column, cell->column_number));
    }
    return "Tried on this sentence: each row of this head with all its weight on the word that it "
           "looks at least. The model says the same each time; other heads carry the words.";
}

} // namespace

void TellingSearch::look(const std::shared_ptr<const app::Snapshot>& snapshot) {
    if (looking()) return; // the next frame asks again
    const trace::HeadId& head = snapshot->focus.head;
    if (of_ && of_->head == head && app::run_alike(of_->document, snapshot->document)) return;
    const bool can = app::can_tell(*snapshot);
    const bool same_place = of_ && of_->head == head &&
                            of_->document.model_file == snapshot->document.model_file &&
                            app::same_text(of_->document, snapshot->document);
    if (same_place && !can) return; // what it says is being done
    of_.reset();
    words_.clear();
    if (!can) return;
    of_ = Of{snapshot->document, head};
    found_ = std::async(std::launch::async, [snapshot, stop = stop_.get_token()] {
        try {
            return words_of(app::telling_cell(*snapshot, stop));
        } catch (const std::exception&) { // no memory is left: a hint less
            return std::string();
        }
    });
}

const std::string& TellingSearch::words() {
    if (looking() && found_.wait_for(std::chrono::seconds{0}) == std::future_status::ready) {
        words_ = found_.get();
    }
    return words_;
}

namespace {

bool asks_for_cell(const app::LessonRun& run) {
    const auto& checks = run.lesson().checks;
    if (run.looks_on()) return true;
    if (run.lesson().same.parts.empty() || run.seen() || run.next() == checks.size()) return false;
    const app::Condition& next = checks[run.next()];
    return next.kind == app::Condition::Kind::edited && next.row.empty();
}

} // namespace

bool can_hint(const app::Lesson& lesson) {
    return !lesson.same.parts.empty() ||
           std::ranges::any_of(lesson.checks, [](const app::Condition& check) {
               return check.kind == app::Condition::Kind::most;
           });
}

void prepare_hint(Panel& p, LearnState& state) {
    if (!asks_for_cell(*state.run) || !p.snapshot().run || !p.work.up_to_date()) return;
    state.telling.words(); // takes what was found, so that another can be looked for
    state.telling.look(p.work.shared_snapshot());
    constexpr float kSoon = 0.05f;
    if (state.telling.looking()) p.ui.wake_in(kSoon);
}

std::string card_hint(LearnState& state) {
    if (!state.run->hint().empty()) return state.run->hint();
    return asks_for_cell(*state.run) ? state.telling.words() : std::string();
}

} // namespace heed::ui
