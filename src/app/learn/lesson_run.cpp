#include "app/learn/lesson_run.hpp"

#include "app/engine/speech.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heed::app {

using trace::Stage;

namespace {

/// Almost all: what edits leave to others by rounding is none.
constexpr float kAll = 0.99f;

/// What a model can lack is of its run, and the last good run is no answer to a newer request.
std::optional<FactValue> value_of(const Fact& fact, const LessonState& state) {
    const bool of_run = fact.cannot != nullptr;
    const bool answered = state.snapshot.run && !state.snapshot.error;
    return of_run && !answered ? std::nullopt : fact.read(state);
}

const std::optional<FactValue>& value_of(const Fact& fact, const FactValues& start) {
    static const std::optional<FactValue> kNone;
    const auto row = static_cast<std::size_t>(&fact - facts().data());
    return row < start.size() ? start[row] : kNone;
}

/// "causal, padding" is each of both.
bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(", "), words.size());
        if (words.substr(0, end) == word) return true;
        words.remove_prefix(std::min(end + 2, words.size()));
    }
    return false;
}

bool edited_so(const Condition& condition, const Snapshot& snapshot) {
    if (!snapshot.run || snapshot.error) return false;
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    if (!map) return false;
    const auto& edits = map->head().settings.edits;
    const auto& rows = row_tokens(snapshot);
    const auto& keys = snapshot.run->trace.keys(snapshot.focus.head.kind);
    const num::Index n = map->rows(Stage::weights), m = map->cols(Stage::weights);
    for (num::Index i = 0; i < n; ++i) {
        if (nn::edits_of(edits, i).empty()) continue;
        const auto at = static_cast<std::size_t>(i);
        if (!condition.row.empty() && (at >= rows.size() || rows[at].text != condition.row)) {
            continue;
        }
        const num::Matrix<float> row = map->rectangle(Stage::weights, {i, 0, 1, m});
        float upon = condition.keys.empty() ? row.maxCoeff() : 0;
        for (num::Index j = 0; j < m && !condition.keys.empty(); ++j) {
            const std::string& key = keys[static_cast<std::size_t>(j)].text;
            if (std::ranges::find(condition.keys, key) != condition.keys.end()) upon += row(0, j);
        }
        if (upon >= kAll) return true;
    }
    return false;
}

std::string word_of(const std::optional<FactValue>& value) {
    return value && !value->words.empty() ? value->words : "–";
}

} // namespace

FactValues facts_now(const LessonState& state) {
    FactValues values;
    for (const Fact& fact : facts()) values.push_back(value_of(fact, state));
    return values;
}

bool holds(const Condition& condition, const LessonState& state, const FactValues& start) {
    using Kind = Condition::Kind;
    if (condition.kind == Kind::edited) return edited_so(condition, state.snapshot);
    const auto now = value_of(*condition.fact, state);
    if (!now) return false;
    switch (condition.kind) {
    case Kind::above: return now->number && *now->number > condition.number;
    case Kind::below: return now->number && *now->number < condition.number;
    case Kind::is: return has_word(now->words, condition.word);
    case Kind::is_not: return !has_word(now->words, condition.word);
    case Kind::changed: {
        const auto& before = value_of(*condition.fact, start);
        return before && !(*before == *now);
    }
    case Kind::most: return now->words == short_head(state.snapshot.focus.head);
    case Kind::edited: break;
    }
    return false;
}

std::string filled(const FilledText& text, const LessonState& state, const FactValues& before) {
    std::string words;
    for (const FilledText::Part& part : text.parts) {
        if (!part.fact) {
            words += part.words;
        } else if (part.before) {
            words += word_of(value_of(*part.fact, before));
        } else {
            words += word_of(value_of(*part.fact, state));
        }
    }
    return words;
}

void LessonRun::watch(const LessonState& state) {
    const Snapshot& now = state.snapshot;
    if (!now.run) return;
    cannot_.clear();
    for (const Condition& check : lesson_.checks) {
        if (check.kind == Condition::Kind::is_not) continue;              // another than this one
        const auto* fact = check.fact ? check.fact : fact_named("scale"); // edits are controls, too
        if (!fact->cannot || !cannot_.empty()) continue;
        cannot_ = fact->cannot(now.run->model->traits(), check.word);
    }
    if (!cannot_.empty()) return;
    if (start_.empty() || (begun_with_ && begun_with_->model_file != now.document.model_file)) {
        start_ = facts_now(state);
        begun_with_ = now.document;
        std::fill(held_.begin(), held_.end(), false);
    }
    if (now.document == *begun_with_) before_ = facts_now(state);
    bool all = true;
    for (std::size_t i = 0; i < held_.size(); ++i) {
        const Condition& check = lesson_.checks[i];
        held_[i] = (check.once && held_[i]) || holds(check, state, start_);
        all = all && held_[i];
    }
    if (!all) return;
    seen_ = filled(lesson_.seen, state, before_);
    if (lesson_.guess) answer_ = word_of(value_of(*lesson_.guess->fact, state));
}

std::string LessonRun::said() const {
    if (!seen_) return {};
    if (!guessed_ || guessed_->empty() || !answer_) return *seen_;
    return fmt::format("{} You guessed {}; it is {}.", *seen_, *guessed_, *answer_);
}

} // namespace heed::app
