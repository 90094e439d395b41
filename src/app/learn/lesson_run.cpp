#include "app/learn/lesson_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::app {

namespace {

constexpr const char* kNothingMore = "nothing more";

/// A fact's value. Facts that a model can lack are of its run, and only of one that answers now.
std::optional<FactValue> value_of(const Fact& fact, const LessonState& state) {
    const bool answered = state.snapshot.run && !state.snapshot.error;
    return fact.cannot && !answered ? std::nullopt : fact.read(state);
}

const std::optional<FactValue>& value_of(const Fact& fact, const FactValues& start) {
    static const std::optional<FactValue> kNone;
    const auto row = static_cast<std::size_t>(&fact - facts().data());
    return row < start.size() ? start[row] : kNone;
}

/// True where a fact's words are this one; "causal, padding" is each of both.
bool is_word(const Fact& fact, std::string_view words, std::string_view word) {
    if (!fact.choices) return words == word;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(", "), words.size());
        if (words.substr(0, end) == word) return true;
        words.remove_prefix(std::min(end + 2, words.size()));
    }
    return false;
}

std::string word_of(const std::optional<FactValue>& value) {
    return value && !value->words.empty() ? value->words : "–";
}

/// True of what is said where the model says the end at once.
bool says_nothing_more(const Fact& fact, const LessonState& state) {
    return &fact == fact_named("said") && !value_of(fact, state) && has_said_all(state.snapshot);
}

/// Words of a fact as it is now.
std::string words_now(const Fact& fact, const LessonState& state) {
    return says_nothing_more(fact, state) ? kNothingMore : word_of(value_of(fact, state));
}

} // namespace

FactValues facts_now(const LessonState& state, const std::vector<bool>& wanted) {
    FactValues values;
    for (const Fact& fact : facts()) {
        const bool left_out = !wanted.empty() && !wanted[values.size()];
        values.push_back(left_out ? std::nullopt : value_of(fact, state));
    }
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
    case Kind::is: return is_word(*condition.fact, now->words, condition.word);
    case Kind::is_not: return !is_word(*condition.fact, now->words, condition.word);
    case Kind::changed: {
        if (start.empty()) return false;
        const auto& before = value_of(*condition.fact, start);
        if (!before) return true; // nothing was chosen
        // A row is its place: the same place of another kind of attention is no other row.
        return now->number && before->number ? *now->number != *before->number
                                             : now->words != before->words;
    }
    case Kind::most: return now->words == short_head(state.snapshot.focus.head);
    case Kind::edited: break;
    }
    return false;
}

std::string filled(const FilledText& text, const LessonState& state, const FactValues& before) {
    constexpr std::string_view kOpens = "“", kCloses = "”";
    std::string words;
    bool unquoted = false; // what stands before: no words are quoted where nothing more is said
    for (const FilledText::Part& part : text.parts) {
        if (!part.fact) {
            std::string_view own = part.words;
            if (unquoted) own.remove_prefix(kCloses.size());
            words += own;
            unquoted = false;
            continue;
        }
        const std::string value =
            part.before ? word_of(value_of(*part.fact, before)) : words_now(*part.fact, state);
        const auto next = static_cast<std::size_t>(&part - text.parts.data()) + 1;
        const bool closed = next < text.parts.size() && !text.parts[next].fact &&
                            text.parts[next].words.starts_with(kCloses);
        unquoted = !part.before && says_nothing_more(*part.fact, state) && closed &&
                   words.ends_with(kOpens);
        if (unquoted) words.resize(words.size() - kOpens.size());
        words += value;
    }
    return words;
}

LessonRun::LessonRun(Lesson lesson)
    : lesson_(std::move(lesson)), of_start_(facts().size()), of_before_(facts().size()),
      held_(lesson_.checks.size()) {
    const auto row = [](const Fact* fact) {
        return static_cast<std::size_t>(fact - facts().data());
    };
    for (const Condition& check : lesson_.checks) {
        if (check.kind == Condition::Kind::changed) of_start_[row(check.fact)] = true;
    }
    for (const FilledText::Part& part : lesson_.seen.parts) {
        if (part.fact && part.before) of_before_[row(part.fact)] = true;
    }
}

namespace {

/// True where a model has this kind of attention and no other.
bool has_alone(const models::Traits& traits, std::string_view kind) {
    return std::ranges::all_of(trace::kAttentionKinds, [&](trace::AttentionKind one) {
        return (traits.layers(one) > 0) == (trace::name(one) == kind);
    });
}

} // namespace

/// Reason why this model, or this sentence, has nothing for the lesson.
std::string LessonRun::reason_against(const LessonState& state) const {
    const models::Traits& traits = state.snapshot.run->model->traits();
    const auto against = [&](const Fact* fact, std::string_view wanted) {
        return fact && fact->cannot ? fact->cannot(traits, wanted) : std::string();
    };
    for (const Fact* need : lesson_.needs) {
        if (std::string why = against(need, {}); !why.empty()) return why;
    }
    for (const Condition& check : lesson_.checks) {
        const bool not_so = check.kind == Condition::Kind::is_not;              // any other will do
        const Fact* fact = check.fact ? check.fact : fact_named("temperature"); // set by hand, too
        if (not_so && fact == fact_named("attention") && has_alone(traits, check.word)) {
            const bool cross = check.word == trace::name(trace::AttentionKind::cross);
            return fmt::format("This model has {}{}attention alone.", check.word,
                               cross ? "-" : " self-");
        }
        std::string why = against(fact, not_so ? "" : check.word);
        if (!why.empty()) return why;
        if (check.kind == Condition::Kind::most && state.patterns.of(state.snapshot).empty()) {
            return "This sentence is too long for its heads to be compared here.";
        }
    }
    for (const FilledText::Part& part : lesson_.seen.parts) {
        if (std::string why = against(part.fact, {}); !why.empty()) return why;
    }
    return lesson_.guess ? against(lesson_.guess->fact, {}) : std::string();
}

void LessonRun::note_before(const LessonState& state, std::vector<bool> holding) {
    const Document& document = state.snapshot.document;
    const trace::HeadId& head = state.snapshot.focus.head;
    const bool same = before_head_ == head && before_source_ == document.source &&
                      before_target_ == document.target && before_holding_ == holding;
    if (same) return;
    before_ = facts_now(state, of_before_);
    before_head_ = head;
    before_source_ = document.source;
    before_target_ = document.target;
    before_holding_ = std::move(holding);
}

std::size_t LessonRun::next() const {
    return static_cast<std::size_t>(std::ranges::find(held_, false) - held_.begin());
}

/// One after the other: what is to hold together holds still when the last of it is met.
void LessonRun::tick(const std::vector<bool>& holding) {
    bool together = true;
    for (std::size_t i = 0; i < held_.size(); ++i) {
        if (!lesson_.checks[i].once && !holding[i]) held_[i] = false; // it is next again
        if (!held_[i]) {
            const bool once = lesson_.checks[i].once;
            if (!holding[i] || !(once || together)) return;
            held_[i] = true;
        }
        together = together && (lesson_.checks[i].once || holding[i]);
    }
}

std::string LessonRun::hint_for(const LessonState& state) const {
    if (next() == held_.size()) return {};
    const Condition& asked = lesson_.checks[next()];
    if (asked.kind != Condition::Kind::most) return {};
    const auto measures = pattern_measures();
    const auto measure = std::ranges::find(measures, asked.word, &PatternMeasure::word);
    const auto most = strongest_head(state, *measure);
    const trace::HeadId& head = state.snapshot.focus.head;
    if (!most || *most == head) return {};
    return fmt::format("Head {} looks {} with {:.0f} % of its weight; another head has more.",
                       short_head(head), measure->phrase,
                       100 * state.snapshot.pattern.*(measure->member));
}

namespace {

/// True where every fact that is told as it was before is known and no other than now.
bool is_as_before(const FilledText& text, const LessonState& state, const FactValues& before) {
    return std::ranges::all_of(text.parts, [&](const FilledText::Part& part) {
        if (!part.fact || !part.before) return true;
        const auto& was = value_of(*part.fact, before);
        return was && was == value_of(*part.fact, state);
    });
}

} // namespace

/// All holds at once: what is said of it.
void LessonRun::end(const LessonState& state) {
    const Snapshot& now = state.snapshot;
    const bool same_head = before_head_ == now.focus.head &&
                           before_source_ == now.document.source &&
                           before_target_ == now.document.target;
    if (!same_head && seen_) return; // nothing to compare with
    if (!same_head) before_.clear(); // of something else: no number is better than a wrong one
    said_same_ = !lesson_.same.parts.empty() && is_as_before(lesson_.seen, state, before_);
    seen_ = filled(said_same_ ? lesson_.same : lesson_.seen, state, before_);
    if (lesson_.guess) answer_ = words_now(*lesson_.guess->fact, state);
}

namespace {

/// True where what is said compares nothing, and answers no guess: it is of what is chosen now.
bool tells_now(const Lesson& lesson) {
    return !lesson.guess && lesson.same.parts.empty() &&
           std::ranges::none_of(lesson.seen.parts, &FilledText::Part::before);
}

} // namespace

/// Says it of what has been chosen since, also of what was chosen at the start.
void LessonRun::tell_again(const LessonState& state) {
    const bool met = std::ranges::all_of(lesson_.checks, [&](const Condition& check) {
        return check.once || check.kind == Condition::Kind::changed || holds(check, state, start_);
    });
    const bool known = std::ranges::all_of(lesson_.seen.parts, [&](const FilledText::Part& part) {
        return !part.fact || value_of(*part.fact, state);
    });
    if (met && known && begun_with_ == state.snapshot.document.model_file)
        seen_ = filled(lesson_.seen, state, before_);
}

void LessonRun::begin(const LessonState& state) {
    start_ = facts_now(state, of_start_);
    start_kind_ = state.snapshot.focus.head.kind;
    start_source_ = state.snapshot.document.source;
    start_target_ = state.snapshot.document.target;
    begun_with_ = state.snapshot.document.model_file;
    before_head_.reset();
    std::fill(held_.begin(), held_.end(), false);
}

/// A text that is typed may move what is chosen: nobody chose another row.
void LessonRun::follow_text(const LessonState& state) {
    const Document& document = state.snapshot.document;
    const bool same = start_source_ == document.source && start_target_ == document.target;
    if (same || state.snapshot.error) return;
    start_source_ = document.source;
    start_target_ = document.target;
    const FactValues now = facts_now(state, of_start_);
    for (const char* chosen : {"row", "key"}) {
        const auto row = static_cast<std::size_t>(fact_named(chosen) - facts().data());
        start_[row] = now[row];
    }
}

/// Another kind of attention shows a head of its own: nobody chose another one in it.
void LessonRun::follow_kind(const LessonState& state) {
    const trace::AttentionKind kind = state.snapshot.focus.head.kind;
    if (start_kind_ == kind) return;
    start_kind_ = kind;
    const Fact* head = fact_named("head");
    start_[static_cast<std::size_t>(head - facts().data())] = value_of(*head, state);
}

/// True where the target beside a source is typed to its end: what a model says before anything is
/// changed for the card tells that, not what it says by the change.
bool LessonRun::has_all_typed(const LessonState& state) {
    const Document& document = state.snapshot.document;
    if (!state.snapshot.run->model->traits().reads_source) return false; // it is all that is read
    if (state.snapshot.error) return all_typed_;
    const bool same =
        typed_ && typed_->model_file == document.model_file && same_text(*typed_, document);
    const bool unchanged = document.controls == models::Controls{};
    const bool done = std::ranges::any_of(lesson_.checks, [&](const Condition& check) {
        return !check.once && holds(check, state, start_);
    });
    if (!same) all_typed_ = false; // until it is known
    if (!done && (unchanged || !same)) all_typed_ = has_said_all(state.snapshot);
    typed_ = document;
    return all_typed_;
}

void LessonRun::watch(const LessonState& state) {
    const Snapshot& now = state.snapshot;
    if (!now.run) return;
    if (seen_ && tells_now(lesson_)) return tell_again(state);
    if (seen_ && !said_same_) return; // what was met stays
    if (seen_) {
        const bool all = std::ranges::all_of(lesson_.checks, [&](const Condition& check) {
            return check.once || holds(check, state, start_);
        });
        if (all && begun_with_ == now.document.model_file) end(state);
        return;
    }
    needs_fresh_run_ = state.training && app::needs_fresh_run(lesson_, *state.training);
    cannot_ = reason_against(state);
    lacks_words_ = cannot_.empty() && tells_said(lesson_) && has_all_typed(state);
    if (lacks_words_)
        cannot_ =
            "Behind this target the model says nothing: empty it, and it says words of its own.";
    hint_.clear();
    if (!cannot_.empty()) return;
    if (begun_with_ != now.document.model_file) begin(state);
    follow_text(state);
    follow_kind(state);
    std::vector<bool> holding(held_.size());
    for (std::size_t i = 0; i < held_.size(); ++i) {
        holding[i] = holds(lesson_.checks[i], state, start_);
    }
    tick(holding);
    hint_ = hint_for(state);
    if (next() < held_.size()) return note_before(state, std::move(holding));
    end(state);
}

std::string LessonRun::said() const {
    if (!seen_) return {};
    if (!guessed_ || guessed_->empty() || !answer_) return *seen_;
    return fmt::format("{} You guessed {}; it is {}.", *seen_, *guessed_, *answer_);
}

} // namespace heed::app
