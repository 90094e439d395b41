// Choices, wherever they are made: at a switch in a panel, by a key, or by their names.
#pragma once

#include "ui/frame/panel.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::ui {

class Form; // ui/widgets/form.hpp

/// The model of the run that is shown, else the document's.
const models::Config& config_now(const Panel& panel);
models::Traits traits_now(const Panel& panel); // of the same
/// The model card's configuration: of a model from a file that one's, else what was chosen.
const models::Config& chosen_config(const Panel& panel);
/// scope_words(), and of a model that has one head "attention".
std::string scope_name(const Panel& panel, ApplyTo apply_to, const trace::HeadId& head);
/// Controls that hold where the inspector's apply.
models::HeadControls controls_now(const Panel& panel);
/// Changes that, as a part of a longer act. `what` names it in the history: "score cosine".
void set_controls(Panel& panel, app::UndoTag::Of of, const std::string& what, bool seal,
                  const std::function<void(models::HeadControls&)>& edit);
/// Changes them as an act of its own.
inline void set_controls(Panel& panel, const std::string& what,
                         const std::function<void(models::HeadControls&)>& edit) {
    set_controls(panel, app::UndoTag::Of::choice, what, true, edit);
}
void reset_controls(Panel& panel); // back to what wider scopes and the model say
bool has_controls(const Panel& panel);

/// The factor on the scores that holds there.
models::Scale scale_now(const Panel& panel);
/// True of a model that was trained without a factor on its scores, as T5.
bool never_divides(const models::Traits& traits);
/// True where the switch of the scale stands on.
bool is_scaled(const Panel& panel);
void toggle_scale(Panel& panel);

nn::Mask mask_now(const Panel& panel);
/// Parts of the mask in the order of their switches. A second choice takes a part away again; of
/// the paint, a second ends the painting and a third takes the paint away.
enum class MaskPart { none, padding, causal, window, paint };
bool mask_has(const Panel& panel, MaskPart part);
void choose_mask(Panel& panel, MaskPart part);

/// The score that the weights were trained with; none where they are draws.
std::optional<nn::Score> trained_score(const Panel& panel);
/// Words for what the score is, and whether the model was trained with it.
std::string tip_of_score(const Panel& panel, nn::Score score);
nn::Score score_now(const Panel& panel);
void choose_score(Panel& panel, nn::Score score);

nn::Positions positions_now(const Panel& panel);
/// All kinds as one choice in rows of three; the one that was clicked. `more`: said behind the tip
/// of each.
std::optional<nn::Positions> position_choice(Form& form, const std::string& id, nn::Positions now,
                                             const std::string& more = {});
void choose_positions(Panel& panel, nn::Positions positions);

/// Empty where the model has none to order or join.
std::optional<models::NormOrder> norm_now(const Panel& panel);
std::optional<nn::Join> join_now(const Panel& panel);
void choose_norm(Panel& panel, models::NormOrder order);
void choose_join(Panel& panel, nn::Join join);
void toggle_dropout(Panel& panel);
void draw_dropout_again(Panel& panel);

// The model.
/// A form of such a kind, as it is looked for by its name.
struct DrawnForm {
    const char *about, *keywords;
    models::Config (*make)();
};
/// A kind of model that is drawn from a seed.
struct DrawnKind {
    const char *label, *words; // `words`: as the history names it
    const char* tip;
    std::span<const DrawnForm> forms;    // the usual one first
    bool (*fits)(const models::Traits&); // whether a model is of this kind
};
std::span<const DrawnKind> drawn_kinds();
/// The document's model becomes this one, with random weights. `words` name it in the history.
void draw_model(Panel& panel, const std::string& words, const models::Config& config);
/// The form of a new model in the place of one from a file: that one's. None where that reads
/// pictures or ids, which no drawn model does.
std::optional<models::Config> form_of_file(const Panel& panel);
bool has_size(const Panel& panel, const models::NamedSize& size);
void choose_size(Panel& panel, const models::NamedSize& size);
/// The transformer of this size, with what else the card of models shows: the form, the
/// feed-forward and the seed of `before`.
models::ModelSpec resized(const models::ModelSpec& before, const models::NamedSize& size);
void choose_architecture(Panel& panel, models::Architecture architecture, const std::string& words);
void choose_segmentation(Panel& panel, text::Segmentation segmentation, const std::string& words);

bool has_pieces(const Panel& panel); // whether tokens can merge to words
void toggle_merging(Panel& panel);
/// True where there are tokens such as BOS and SEP, which can be left out of maps.
bool has_special(const Panel& panel);
void toggle_special(Panel& panel);
/// True where rows are of a decoder that says another word than it reads.
bool has_said_rows(const Panel& panel);
void name_rows(Panel& panel, bool read);

// What is looked at.
void change_focus(Panel& panel, const std::function<void(app::Focus&)>& edit);
void choose_room(Panel& panel, app::View room); // heatmap stands for all of Explore
void choose_view(Panel& panel, app::View view);    // of Explore; Step leaves the encoder
bool has_kind(const Panel& panel, trace::AttentionKind kind);
void choose_kind(Panel& panel, trace::AttentionKind kind);
void choose_stage(Panel& panel, trace::Stage stage);
void choose_head(Panel& panel, const trace::HeadId& head); // alone, also where several were combined
void go_to_head(Panel& panel, const trace::HeadId& head);  // the same, with the chosen word
bool has_several_heads(const Panel& panel);                // of the focused kind
void choose_combined(Panel& panel, std::optional<trace::Combine> how);
void choose_combined_of_all_layers(Panel& panel, bool all); // or of the focused one
void choose_compare(Panel& panel, app::Compare way);
void choose_against(Panel& panel, app::Against against);
/// Clears, for a focus on one head, what strips chose of layers and heads.
void clear_head_filter(Panel& panel, app::Focus& focus);
/// Keeps the present state, and says that it is what others are held against.
void pin(Panel& panel);
/// Heads in reading order, whole layers too; stops at the first and the last.
void move_head(Panel& panel, int layers, int heads);
/// Moves through the heads as the large grid has them, sorted or by place.
void walk_heads(Panel& panel, int rows, int heads);
/// Moves through the stages in the order in which they are computed.
void move_stage(Panel& panel, int by);
void move_cell(Panel& panel, int down, int right);

/// Palettes of weights; none is the theme's.
inline constexpr std::optional<figure::PaletteId> kPaletteChoices[] = {std::nullopt,
                                                                       figure::PaletteId::amber,
                                                                       figure::PaletteId::heather,
                                                                       figure::PaletteId::ember,
                                                                       figure::PaletteId::lagoon,
                                                                       figure::PaletteId::grey};

/// Opens a card in the next frame; a field that is edited is left.
void open_card(Panel& panel, CardId id);

} // namespace heed::ui
