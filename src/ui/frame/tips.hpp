// Tips of things that several panels show, and the rows of choices that only the window has. What
// belongs to a score, a position, a stage, a view … stands in that one's own table.
#pragma once

#include "app/document/names.hpp"
#include "trace/trace.hpp"
#include "ui/frame/choices.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::ui {

/// Words behind the tip of a row in a list of what might be said: what its mark means, if it has
/// one.
std::string continues_tip(const models::Model& model, num::Index row);

struct MaskPartInfo {
    MaskPart part;
    std::string_view label, tip;
};
/// Parts in the order of the enum.
inline constexpr MaskPartInfo kMaskParts[] = {
    {MaskPart::none, "none", "Every word may look at every word."},
    {MaskPart::padding, "padding",
     "The empty places that fill up a short sentence cannot be looked at."},
    {MaskPart::causal, "causal",
     "No word sees the words after it, so that each next word has to be guessed (Vaswani et al. "
     "2017, section 3.2.3)."},
    {MaskPart::window, "window",
     "Each word sees only its neighbours up to a distance (Beltagy et al. 2020)."},
    {MaskPart::paint, "paint", "Forbid single pairs of words by drawing over their cells."},
};

struct ApplyToInfo {
    ApplyTo apply_to;
    std::string_view label, tip;
};
/// Scopes in the order of the enum.
inline constexpr ApplyToInfo kApplyTo[] = {
    {ApplyTo::head, "head", "The controls above change this head alone."},
    {ApplyTo::layer, "layer", "The controls above change all heads of this layer."},
    {ApplyTo::kind, "all of its kind",
     "The controls above change all heads of this kind: encoder, decoder or cross."},
    {ApplyTo::model, "model", "The controls above change every head of the model."},
};

inline constexpr const char* kExploreTip =
    "Look into the attention of a model: type a sentence, choose a head, change it.";
inline constexpr const char* kArcsTip = "One line of words, with arcs between them.";
inline constexpr const char* kColumnsTip =
    "Queries in the left column, keys in the right one, straight lines between them.";
inline constexpr const char* kOneHeadTip = "The map of the current head alone.";
inline constexpr const char* kThisLayerTip = "The heads of this layer are combined.";
inline constexpr const char* kAllLayersTip = "The heads of all layers are combined.";
inline constexpr const char* kStripsTip =
    "Bars along the map show how much attention each token gives or receives. Click one to filter.";
inline constexpr const char* kPaletteTip =
    "The colours that stand for small and large numbers; “theme” goes with the window.";
inline constexpr const char* kNumbersTip =
    "Writes each weight into its cell, where there is room and it is not 0.00.";
inline constexpr const char* kResetTip =
    "Takes back the controls that were set here; those of wider scopes hold again.";
inline constexpr const char* kDecoderRowsTip =
    "A decoder reads one word and says the next. Rows are named by the word that is said there, or "
    "by the one that is read";
inline constexpr const char* kMergeTip =
    "Shows the weights between whole words: to a word the sum over its pieces, from it their mean. "
    "Vectors and scores stay tokens: brackets join those of a word.";
inline constexpr const char* kSpecialTip =
    "Leaves tokens that are no words (BOS, EOS, CLS, SEP, PAD, codes of languages) out of every "
    "picture but Unrolled, Beam and a step that is chosen, whose steps they are. The rows that "
    "remain are not renormalised: what is missing from 1 went to these tokens.";
inline constexpr const char* kJoinTip =
    "How the vector of a place is combined with the vector of the word that stands there.";
inline constexpr const char* kDropoutTip =
    "Sets random parts of the model to zero, as in training.\nSrivastava et al. 2014";
inline constexpr const char* kDrawAgainTip = "Other parts are set to zero.";
inline constexpr const char* kGainTip =
    "How much of this head its layer adds to what it passes on, 0 to 200 %. Double click: 100 %";
inline constexpr const char* kFactorTip =
    "A number that all scores are multiplied with before softmax: more makes attention sharper.";
inline constexpr const char* kBeamTip =
    "How many half-finished sentences are kept at each step: 1 is greedy.\nSutskever et al. 2014, "
    "section 3.2";

std::string scale_tip();
/// The sentence, the formula and the paper of a row.
std::string score_tip(nn::Score score);
std::string positions_tip(nn::Positions positions);
std::string stage_tip(trace::Stage stage);
std::string kind_tip(trace::AttentionKind kind);
std::string architecture_tip(models::Architecture architecture);

/// The window's words for a comparison and its baseline.
std::string label_of(app::Compare way);
std::string label_of(app::Against against);

/// The tips of several values of one list of words, in their order.
template <class E, std::size_t N> std::vector<std::string> tips_of(const E (&values)[N]) {
    std::vector<std::string> tips;
    for (const E value : values) tips.emplace_back(app::tip_of(value));
    return tips;
}

} // namespace heed::ui
