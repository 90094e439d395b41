// The room Inside as a picture, numbers and words.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/inside_picture.hpp"
#include "figure/base/frame.hpp"
#include "figure/views/inside_room.hpp"
#include "files/tables.hpp"

#include <string>
#include <string_view>

namespace heed::app {

// Each requires snapshot.run; what is not measured yet is left open.
figure::Figure inside_figure(const Snapshot& snapshot, const ViewState& state,
                             const figure::Frame& frame);
figure::InsideRoomData inside_room_data(const Snapshot& snapshot); // without an error
/// True of the cards on tokens; a recurrent model has the other ones alone.
bool shows_inside_tokens(const Snapshot& snapshot, const ViewState& state);
files::Tables inside_tables(const Snapshot& snapshot, const ViewState& state);
std::string inside_provenance(const Snapshot& snapshot);
/// Reason why there is nothing to show, a sentence: "This model has no residual stream; open a
/// transformer".
std::string inside_refusal(const base::Error& error);
/// Words in the place of what is not measured: nothing will be while an error stands.
inline std::string not_yet_words(const Snapshot& snapshot) {
    return snapshot.error ? "Not measured: the model has not run" : "Measuring …";
}
/// Reading of the four pictures: which layer first says the word, which head gives most to it and
/// what that one does, which part it needs most, and where the other run has to be changed.
std::string inside_reading(const Snapshot& snapshot, const ViewState& state);

/// Papers on the pictures that there are, "Elhage et al. 2021 · Wang et al. 2022"; of some none.
std::string inside_citations(const Snapshot& snapshot);

/// The rest of a sum that is written with so many decimals beside it: alike where they show it,
/// else "2·10⁻⁶".
std::string inside_remainder(double value, int decimals);
/// "set to its mean": what is done to a part, in words; for a narrow column "at its mean".
std::string_view instead_words(inside::Instead instead, bool narrow = false);
/// "setting head 2.4 to its mean".
std::string replacing_words(inside::Instead instead, const std::string& part);
/// A row of the vocabulary, or a class, as a person reads it.
std::string inside_word(const models::Model& model, num::Index row);
/// "head", "cross head": what the heads of a stack are called before their number.
std::string kind_of_heads(const models::Traits& traits, trace::AttentionKind kind);
/// "part"; where a model has other heads than these "cross head or feed-forward layer".
std::string kind_of_parts(const models::Traits& traits, trace::AttentionKind kind, bool networks);
/// The kind of heads that the grid shows: the focused one, or that of the stack that says words.
trace::AttentionKind inside_kind(const Snapshot& snapshot);
/// "encoder ", "decoder " before "layer" of a model that has both; empty of others.
std::string stack_prefix(const Snapshot& snapshot, trace::AttentionKind kind);

/// Words behind the name of a head that a control has switched off.
inline constexpr std::string_view kOffAlready = "is off already";

/// Words for what is under the pointer, by figure::InsidePart; empty where nothing is measured.
std::string lens_words(const Snapshot& snapshot, int layer, int column);
std::string patch_words(const Snapshot& snapshot, int row, int column);
std::string head_words(const Snapshot& snapshot, int layer, int head);
/// Part that a bar is of; null where it is of several.
struct InsideBarPart {
    std::string words;
    std::optional<inside::PartId> part;
};
InsideBarPart bar_part(const Snapshot& snapshot, int place);

/// Finding of other weights in one sentence, with its numbers. `allowed`: as it was asked;
/// `classes`: of a model that says classes.
std::string weights_verdict(const inside::OtherWeights& found, double allowed,
                            std::string_view unit);

} // namespace heed::app
