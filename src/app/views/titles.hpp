// Titles of pictures, captions and models.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/base/frame.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// "Encoder layer 5 · head 3": on the screen layers and heads count from 1.
std::string head_title(const trace::HeadId& head);
/// Title of a picture, alone or beside others: its head in words ("Cross-attention layer 2 · head
/// 1"), else in numbers ("Cross-attention 2.1", "Cross 2.1"), all of them alike and as long as each
/// has room for. `head`: which one each title begins with.
struct BesideTitle {
    trace::HeadId head;
    std::string* title;
    const figure::Frame& frame;
};
void fit_titles(const std::vector<BesideTitle>& beside);
/// Title of a head, or "Alignment" where a stepwise model has nothing else.
std::string shown_title(const models::Run& run, const trace::HeadId& head);
/// A token by its text, “did”; with its position, from 1, where another has the same text: its own
/// in the list, unless `place` (from 0) is another.
std::string quoted_token(const std::vector<text::Token>& tokens, num::Index i,
                         std::optional<num::Index> place = {});
/// Word for one token of a run: "word"; "character" where each is one; "token" of a model that
/// reads those of a tokeniser. `tokens`: the side that is meant, where only one is.
const char* unit_of(const models::Run& run);
const char* unit_of(const models::Run& run, const std::vector<text::Token>& tokens);
/// Word for one of what the model says: "class", or as unit_of() of its target.
const char* unit_said(const models::Run& run);
/// Heading of a list of such: "Next word"; of a model that labels words "Word here", of one
/// that says one of the whole text "Word".
std::string said_heading(const models::Run& run, std::string_view unit);
/// Name of all that may be said and is not listed: "other words", "other rows" of a model without
/// words.
std::string others_of(const models::Run& run);
/// Title of the heads laid over each other: "Encoder layer 1 · heads 2, 3".
std::string overlay_title(const Snapshot& snapshot);
std::vector<trace::HeadId> overlay_heads(const Snapshot& snapshot);
/// Controls changed in any of these heads, and in how many.
std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads);
/// True of a head whose output is set to 0 by a control.
bool is_off(const models::Run& run, const trace::HeadId& head);
/// Words for that in a model without heads.
inline constexpr std::string_view kAttentionOff = "attention switched off";
/// Every control that is not at its default for the focused head: "scale off", "mask causal".
std::vector<std::string> changed_controls(const models::Run& run, const trace::HeadId& head);
/// " · temperature 2 · off: encoder 1.3": every change of the whole model, with the heads that have
/// it where not all do.
std::string changes_of_model(const models::Run& run);
/// Reach of a picture: to the weights of its heads, their layer's output, or what is said.
enum class Reach { weights, layer, said };
/// " · scale off · 3 other heads off": controls of the heads that are drawn, and shortly those of
/// others where they made something of the picture.
std::string changes_told(const models::Run& run, const std::vector<trace::HeadId>& heads,
                         Reach reach = Reach::weights);
/// "Transformer base", "Transformer 96 · 4 heads · 2+2 layers", "English → français · Bahdanau", or
/// the name of the file that it is from, where that is not empty.
std::string model_title(const std::string& file, const models::Config& config);
/// "Encoder layer 5 · head 3", or "Encoder layer 5 · mean of 8 heads".
std::string focus_title(const trace::Trace& trace, const Focus& focus);

/// True where nothing was learned: of a model that is drawn (then `file` is empty), of a file of
/// one, or of one that has not taken its first step.
bool has_random_weights(const std::string& file, const models::Model& model);
inline constexpr std::string_view kRandomWeights = "untrained: random weights";

/// "Transformer 96 · 4 heads · 2+2 layers · seed 1", of a file without the seed; behind it whether
/// its weights are random.
std::string drawn_model_title(const Snapshot& snapshot);
// What pictures are of, as their captions say it behind the model: " · Encoder layer 5 · head 3".
// Each with every control that is not at its default, of other heads where they made something of
// the picture. Requires snapshot.run.
std::string head_provenance(const Snapshot& snapshot);
std::string layer_provenance(const Snapshot& snapshot);
std::string step_provenance(const Snapshot& snapshot);
std::string map_provenance(const Snapshot& snapshot);
std::string links_provenance(const Snapshot& snapshot);
std::string all_heads_provenance(const Snapshot& snapshot);
/// " · sinusoidal positions"; with the head where each head has a table of its own.
std::string positions_provenance(const Snapshot& snapshot);

} // namespace heed::app
