// Facts that a lesson can look at, as a table: one row a fact, from which its conditions, the
// numbers in its words, and the help are made.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "app/learn/head_patterns.hpp"
#include "models/model/traits.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// Progress in the Train room.
struct TrainingFact {
    std::uint64_t steps = 0;          // of the farthest model, in a run that the card saw begin
    std::uint64_t measured_at = 0;    // the step that `accuracy` is of
    std::optional<double> accuracy{}; // of the model whose map is shown: share of held-out sentences
                                      // that came out right, 0 to 1
    std::optional<double> best{};     // of all measurements of that model up to there, 0 to 1
    std::string task{};               // whose sentences they are: "reverse"
    bool before_card = false;         // the run was under way or done when the card was begun
    bool operator==(const TrainingFact&) const = default;
};

/// The live state. The snapshot may have no run.
struct LessonState {
    const Snapshot& snapshot;
    const ViewState& view;
    std::optional<TrainingFact> training;
    HeadPatterns& patterns;
};

struct FactValue {
    std::optional<double> number{};
    std::string words; // as a person reads it
    bool operator==(const FactValue&) const = default;
};

struct Fact {
    std::string_view name; // "head looks previous"
    std::string_view help; // what it is, in a few words
    bool is_number = false;
    /// Nothing where the present state has none of it: no run, no such head.
    std::optional<FactValue> (*read)(const LessonState&);
    /// All that it can be, where these are a few words; null otherwise.
    std::vector<std::string> (*choices)() = nullptr;
    /// The reason why a model can never come to have it, or to have this value; empty where it can.
    /// Null: any can.
    std::string (*cannot)(const models::Traits&, std::string_view wanted) = nullptr;
    double most = std::numeric_limits<double>::infinity(); // of a number, whose least is 0
    bool in_percent = false; // is read so: "44 %" of the number 0.44
};

std::span<const Fact> facts();
/// True where the model has nothing to say behind a typed target but its end: of itself it says
/// nothing.
bool has_said_all(const Snapshot& snapshot);
/// Null where there is none of this name.
const Fact* fact_named(std::string_view name);

/// A measure that heads are compared by: "previous", "next", "same", "first", "separator", …
struct PatternMeasure {
    std::string_view word;
    std::string_view phrase; // behind "the head that looks most"
    float trace::HeadPattern::*member;
};
std::span<const PatternMeasure> pattern_measures();
/// The head of the focused kind that has most of it; nothing where heads cannot be compared.
std::optional<trace::HeadId> strongest_head(const LessonState& state,
                                            const PatternMeasure& measure);

/// "encoder 1.3": kind, layer and head, from 1.
std::string short_head(const trace::HeadId& head);

} // namespace heed::app
