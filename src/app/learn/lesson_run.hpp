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
/// The values of those rows that are `wanted`; of all where that is empty.
FactValues facts_now(const LessonState& state, const std::vector<bool>& wanted = {});

/// True where a condition holds; `start` as the lesson was begun. A fact that the state lacks holds
/// nothing.
bool holds(const Condition& condition, const LessonState& state, const FactValues& start);

/// The words with every fact as it is, or was before anything was changed; what is not there is an
/// en dash.
std::string filled(const FilledText& text, const LessonState& state, const FactValues& before);

class LessonRun {
  public:
    explicit LessonRun(Lesson lesson);

    /// Looks at a state. The first that has a run is the start, as is the first of another model.
    void watch(const LessonState& state);

    const Lesson& lesson() const { return lesson_; }
    /// True when the condition was met after all above it. It stays once the card is seen; before,
    /// one that is to hold together with others is open again when it no longer holds.
    bool held(std::size_t check) const { return held_[check]; }
    /// The first that was not; the number of conditions where all were.
    std::size_t next() const;
    /// True when all were; it stays. What is said of it can change once, from `same` to `seen`.
    bool seen() const { return seen_.has_value(); }
    /// The words that it ends with, with the numbers of that moment. The guess is answered behind
    /// them. Empty before.
    std::string said() const;
    /// True once it is seen and nothing changed by it: what is done next may change something.
    bool looks_on() const { return said_same_; }
    /// The share that the focused head has of what is asked for, where another head has more, in a
    /// sentence; empty where no head is asked for next.
    const std::string& hint() const { return hint_; }
    /// The reason why it cannot be followed with the open model, in a sentence; empty where it can.
    const std::string& cannot() const { return cannot_; }
    /// True where that is a target that is typed to its end: another model would not help.
    bool lacks_words() const { return lacks_words_; }

    /// True where it waits for steps of a training that was under way, or done, before the card:
    /// its curves tell already what is to be guessed.
    bool needs_fresh_run() const { return needs_fresh_run_; }

    /// True while something is to be guessed.
    bool asks() const { return lesson_.guess && !guessed_ && !seen() && !needs_fresh_run_; }
    /// Keeps what a person thinks; empty: rather not.
    /// Words; of what is read in per cent, "0.9", "90" and "90 %" are the same.
    void guess(const std::string& words);
    const std::optional<std::string>& guessed() const { return guessed_; }
    void take_guess_back() { guessed_.reset(); }
    /// Words for what is wrong with a guess that cannot be the answer, in a sentence: no number, or
    /// none that it can be; no head of the model's, or none that is asked about; a word that the
    /// model does not have. Empty where nothing is.
    std::string why_no_guess(const std::string& words, const Snapshot& snapshot) const;

  private:
    std::string reason_against(const LessonState& state) const;
    void note_before(const LessonState& state, std::vector<bool> holding);
    void tick(const std::vector<bool>& holding);
    void begin(const LessonState& state);
    void follow_text(const LessonState& state);
    void follow_kind(const LessonState& state);
    void end(const LessonState& state);
    void tell_again(const LessonState& state);
    bool has_all_typed(const LessonState& state);
    std::string hint_for(const LessonState& state) const;

    Lesson lesson_;
    std::vector<bool> of_start_, of_before_;  // the facts that either is asked for
    FactValues start_;                        // for what shall have changed
    std::optional<trace::AttentionKind> start_kind_; // that the head of those is of
    std::string start_source_, start_target_; // whose rows and keys those of it are
    /// Facts of the first state with this sentence and head in which the same conditions held: what
    /// is dragged is compared with what it was before the drag.
    FactValues before_;
    std::string before_source_, before_target_;
    std::optional<trace::HeadId> before_head_;
    std::vector<bool> before_holding_;
    std::optional<std::string> begun_with_; // the model's file
    std::vector<bool> held_;
    std::optional<std::string> guessed_, seen_, answer_;
    bool said_same_ = false; // by `same`
    std::string cannot_, hint_;
    bool lacks_words_ = false, needs_fresh_run_ = false;
    std::optional<Document> typed_; // whose text `all_typed_` is of
    bool all_typed_ = false;
};

} // namespace heed::app
