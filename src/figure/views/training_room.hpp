// The Train room: models that learn side by side, in four pictures.
#pragma once

#include "figure/base/frame.hpp"
#include "train/loop/history.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// One model of the class.
struct LearnerCurves {
    std::string name{}; // "additive attention"
    std::shared_ptr<const train::History> history{};
    std::vector<train::LengthAccuracy> by_length{}; // the newest
    int kind = 0;                                   // of model, whose colour it always has
};

/// The colour of a kind of model, whichever others stand beside it: none is like that of another
/// that learns the same task. Kinds: last state, mean state,
/// attention, transformer, decoder alone, from one word, a word at each, encoder alone, classifier,
/// classifier of several heads, one word; any other number has a colour, too.
Color learner_color(const Theme& theme, int kind);

struct TrainingRoomData {
    std::string title{}, subtitle{}; // above the cards; none: the cards have their room
    std::vector<LearnerCurves> learners{};
    std::size_t watched = 0; // of them, whose curves lie on top
    std::uint64_t steps = 1; // where the curves end when all is done
    /// The alignment that is watched: target words × source words; null where there is none.
    std::shared_ptr<const Matrix<float>> alignment{};
    std::vector<std::string> rows{}, columns{}; // its words
    std::string no_alignment{};                 // said in its place
    std::string alignment_title = "Alignment now", alignment_subtitle{};
    std::optional<std::uint64_t> marked{}; // a step that is replayed
    bool prepares = false;                 // its sentences are being made
    bool labels = false;                   // the models name texts instead of translating them
};

/// The part that a target belongs to: `part` of its tag.
enum class TrainingPart { loss, exact_match, alignment, by_length };

/// Losses (held-out bold, training thin), exact match, the alignment and exact match against
/// length, as cards; what is measured on all sentences at the end is a ring beside the curve. In a
/// narrow frame cards lie one below the other. Targets: cells; of curves 1 × kPlaces, of the
/// alignment rows × columns, of lengths 1 × their bins. In a frame lower than
/// training_room_height() the last cards may be left out.
Figure training_room(const TrainingRoomData& data, const Frame& frame);

/// The lowest frame of this width in which all of its cards are whole, below a title.
float training_room_height(float width);

/// The alignment alone, as one card.
Figure training_alignment(const TrainingRoomData& data, const Frame& frame);

/// The bins of lengths that the accuracy is drawn over, of all models.
std::vector<train::LengthBin> length_bins(const std::vector<LearnerCurves>& learners);

/// The places along the axis of steps that a curve is drawn at.
inline constexpr int kPlaces = 201;
/// The step of a place, of so many in all.
std::uint64_t step_at(std::uint64_t steps, int place);

/// Points of (step, value) drawn as straight lines, looked up at some steps; NaN before the first
/// and behind the last.
std::vector<float> sampled(const std::vector<std::pair<double, double>>& points,
                           const std::vector<float>& steps);

} // namespace heed::figure
