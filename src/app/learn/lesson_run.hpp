// A lesson that somebody follows: what of it holds, and what is said of it.
#pragma once

#include "app/learn/lesson.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

/// One value a row of facts().
using FactValues = std::vector<std::optional<FactValue>>;
FactValues facts_now(const LessonState& state);

/// Whether a condition holds; `start` as the lesson was begun. What the state has none of holds
/// nothing.
bool holds(const Condition& condition, const LessonState& state, const FactValues& start);

/// The words with every fact as it is, or was before anything was changed; what is not there is an
/// en dash.
std::string filled(const FilledText& text, const LessonState& state, const FactValues& before);

class LessonRun {
  public:
    explicit LessonRun(Lesson lesson) : lesson_(std::move(lesson)) {
        held_.resize(lesson_.checks.size());
    }

    /// Looks at a state. The first that has a run is the start, as is the first of another model.
    void watch(const LessonState& state);

    const Lesson& lesson() const { return lesson_; }
    /// Whether the condition holds now or, of `once`, has held.
    bool held(std::size_t check) const { return held_[check]; }
    /// Whether all have held together; it stays.
    bool seen() const { return seen_.has_value(); }
    /// What is said of it, with the numbers of that moment, or of the newest at which they all
    /// hold. The guess is answered behind it. Empty before.
    std::string said() const;
    /// Why it cannot be followed with the open model, in a sentence; empty where it can.
    const std::string& cannot() const { return cannot_; }

    /// Whether something is to be guessed still.
    bool asks() const { return lesson_.guess && !guessed_ && !seen(); }
    /// What a person thinks; empty: rather not.
    void guess(std::string words) { guessed_ = std::move(words); }
    const std::optional<std::string>& guessed() const { return guessed_; }

  private:
    Lesson lesson_;
    FactValues start_;  // for what shall have changed
    FactValues before_; // of the last state whose document was the one that it was begun with
    std::optional<Document> begun_with_;
    std::vector<bool> held_;
    std::optional<std::string> guessed_, seen_, answer_;
    std::string cannot_;
};

} // namespace heed::app
