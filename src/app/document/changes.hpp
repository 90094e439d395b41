// The controls of a document as a list of changes, each of which can be ticked off and on.
#pragma once

#include "app/document/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

enum class Control { score, scale, temperature, mask, positions, gain, edits, norm, join, dropout };

/// Notice of another model: changes to one model's heads and cells mean nothing in it.
inline constexpr const char* kChangesCleared =
    "Changes to the former model are cleared; Undo brings them back";

/// One control that is set in one scope.
struct Change {
    models::Scope scope; // empty for norm, join and dropout, which are the model's
    Control control;
    bool on;           // false: it rests, kept and not computed with
    std::string words; // "encoder 3.4: scale off"
    bool solo = false; // the gain of a head beside which its layer is silent; that goes along
};

/// Changes of document.controls and document.resting: the whole model first, then by kind of
/// attention, layer and head; within a scope in the order of Control. `one_head`: the model has no
/// other, so that none is numbered.
std::vector<Change> changes(const Document& document, bool one_head = false);
/// The document with this change on instead of resting, or the other way round. What was set in its
/// place gives way.
Document toggled(Document document, const Change& change);
/// The document without this change.
Document without(Document document, const Change& change);

/// The words of a gain of 0.
inline constexpr std::string_view kSwitchedOff = "head switched off";
/// "scale off", "mask causal, window ± 3". Requires that this control is set, and one of a head.
std::string control_words(Control control, const models::HeadControls& controls);
/// "rotary (RoPE)", "ALiBi", "off": as papers write them.
std::string positions_words(nn::Positions positions);
/// "positions added", "positions concatenated": to the embeddings.
std::string join_words(nn::Join join);
/// "encoder 3.4", "encoder layer 3", "decoder", "whole model": layers and heads from 1.
std::string scope_words(const models::Scope& scope);

} // namespace heed::app
