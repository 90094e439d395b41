// The window's state beyond the document: only looked at, never computed with. A part a room,
// declared beside its panels; here stand those that all rooms read.
#pragma once

#include "app/document/view_state.hpp"
#include "app/files/settings.hpp"
#include "ui/frame/scopes.hpp"
#include "ui/widgets/card_id.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

/// The cell that was chosen in each kind of attention, of one text.
struct SelectedByKind {
    std::string source, target;
    std::map<trace::AttentionKind, std::pair<int, int>> cells;
};

/// Memory of what clicks on strips chose of the focus' layers and heads, to be taken back.
struct FilteredHeads {
    bool on = false;       // they chose layers or heads
    bool combined = false; // and made one map of several heads
};

/// Memory of choices beyond what they choose.
struct ChoiceState {
    SelectedByKind selected_by_kind;
    FilteredHeads filtered_heads;
    app::View explore_view = app::View::heatmap; // where Explore was left for another room
    ApplyTo apply_to = ApplyTo::head;
    bool painting = false; // clicks on cells paint the mask
};

/// The player of a decoder's steps.
struct Player {
    bool playing = false;
    float seconds = 1;   // a step
    float shown_for = 0; // seconds, the present one
    int said = 0;        // tokens that a language model went on with
    bool steps = false;  // of a transformer: they are played, no text goes on
};

/// The panels around the stage.
enum class Edge { left, right, bottom, top };
inline constexpr std::size_t kEdges = 4;
constexpr std::size_t index_of(Edge edge) { return static_cast<std::size_t>(edge); }

struct LayoutState {
    app::PanelSizes panels;           // the middle takes what is left
    bool presenting = false;          // the stage alone, larger
    bool with_card = false;           // of a lesson, above the stage
    std::array<bool, kEdges> seen_panels{}; // in this frame, beside the stage or over it
    std::optional<Edge> wanted_panel; // to be shown or put away, as a key or a handle asks
    std::optional<Edge> shown_panel;  // to be shown, where it is not: something in it is pointed to
    float zoom_steps = 0;             // asked for by keys; the window takes them
    app::Cues cues;                   // of the first start
};

/// The main picture of the last frame.
struct PictureState {
    float width = 0, height = 0; // in points
    figure::Box drawn{};         // of a room of cards: their own place
    int heads_in_row = 0;        // of the large grid, where it is shown
    bool of_page = false;        // in the Learn room: a page's, not a list
    bool links = false, strips = false; // whether they lie about a map
};

/// Files that the window knows of.
struct KnownFiles {
    std::string folder;         // where one was last opened or written; or none
    std::string written_folder; // where one was last written; or none
    std::string session_file;   // where the session was saved or opened last
    std::size_t session = 0;    // entry of the history that opened it; 0: the start
    std::string before_opening; // where the session goes whose place another takes; or none
    std::vector<std::string> recent_files; // newest first
    std::map<std::string, std::string> model_words; // as app::Settings has them
    std::string verdicts_file;             // where the Learn room's verdicts are kept; or none
    std::string lessons_folder;            // where a teacher's own lessons are; or none
};

struct LeavingState {
    bool asked = false;      // by a key
    bool granted = false;    // the window goes: nothing is lost by it
    bool when_saved = false; // the card that asks about an experiment is open for it
};

/// Letters that are pressed where no field has the keys. A word, to which nothing answers, is what
/// follows a letter at once; then all that is typed until a pause.
struct LooseLetters {
    static constexpr double kAtOnce = 0.3, kPause = 1; // seconds
    double at = -1;    // when the last was pressed, in seconds of ImGui's clock; negative: none
    unsigned last = 0; // that letter
    bool word = false;
    std::size_t made = 0;  // entries of the history, before the first of them
    std::optional<app::Reference> pinned; // before it
    app::ViewState view;                  // likewise
    /// True where more letters would go on: no key is meant for what they are then.
    bool going_on(double now) const { return at >= 0 && now - at < (word ? kPause : kAtOnce); }
};

struct StageState;   // ui/stage/stage_state.hpp
struct ExploreState; // ui/explore/explore_state.hpp
struct DialogState;  // ui/dialogs/dialog_state.hpp
struct TrainState;   // ui/train/train_state.hpp
struct LearnState;   // ui/learn/learn_state.hpp
struct InsideState;  // ui/inside/inside_state.hpp

struct WindowState {
    app::ViewState view;
    ChoiceState choices;
    Player player;
    LayoutState layout;
    PictureState picture;
    KnownFiles files;
    LeavingState leaving;
    LooseLetters letters;
    std::optional<CardId> open_dialog; // that is to open next frame
    std::string asked_page, asked_card; // of the Learn room, that are to be shown next frame
    bool timings = true; // false: nothing on the screen differs from one run to the next

    // Made by the shell.
    std::shared_ptr<StageState> stage;
    std::shared_ptr<ExploreState> explore;
    std::shared_ptr<DialogState> dialogs;
    std::shared_ptr<TrainState> train;
    // Made when their rooms are first entered.
    std::shared_ptr<LearnState> learn;
    std::shared_ptr<InsideState> inside;
};

} // namespace heed::ui
