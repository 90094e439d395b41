// What every panel is given: it reads the workspace, edits the window's own state, and returns
// commands. One file a panel.
#pragma once

#include "app/engine/merging.hpp"
#include "app/files/path_entries.hpp"
#include "app/files/settings.hpp"
#include "app/training/experiment_form.hpp"
#include "app/training/training_export.hpp"
#include "app/views/export.hpp"
#include "app/views/gallery.hpp"
#include "app/views/view_figure.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/workspace.hpp"
#include "ui/widgets/form.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heed::ui {

/// Where the controls of the inspector hold.
enum class ApplyTo { head, layer, kind, model };

/// What a typed path may become, and places to start from.
struct FileList {
    std::optional<std::string> read_for{}; // the folder that `all` is of
    std::vector<app::PathEntry> all{};
    std::optional<std::string> listed_for{}; // the path that `entries` go on from
    std::vector<app::PathEntry> entries{};
    std::vector<app::KnownFolder> places{};
    app::PathOrder order = app::PathOrder::name;
    bool folders_alone = false;
    int rows = 7; // that are seen at once
    Scroll scroll{};
};

struct ExportForm {
    app::ExportFormat format = app::ExportFormat::png;
    std::string path;
    bool browses = false; // shows folders in place of the picture
    FileList listed{};
    bool edited = false;  // a person's own path; until then it follows what is looked at
    std::string replaces; // the path that is there already and may be replaced
    int scale = 2;
    enum class Size { screen, one_column, two_columns, other } size = Size::screen;
    float other_cm = 12;   // the page's, where it is neither column
    float font_points = 8; // on a page
    bool crop = true;      // to what is drawn
    app::Ground ground = app::Ground::white;
    app::ExportedHeads heads = app::ExportedHeads::shown; // of numbers
    app::TrainingPart part = app::TrainingPart::room;     // in the Train room
};

struct FilesForm {
    std::string save_path, open_path;    // as typed
    std::string replaces;                // the path that is there already and may be replaced
    bool closes = false, failed = false; // how the last one went: its card is done, or asks again
    FileList listed{};
};

/// A user's own sentences for the Train room, as they are typed.
struct DataForm {
    std::string path, vectors, vocabulary;
    FileList listed{};
};

/// The query and the key that the pointer is at, wherever that is.
struct Pointed {
    std::optional<int> query, key;
    bool operator==(const Pointed&) const = default;
};

/// A drag that moves the view of the large map, while it lasts.
struct Looking {
    bool held = false;
    bool fitted = false; // by a double click, whose end is no click
    figure::Target target{};
    figure::Viewport from;
    Point began; // in the picture
};

/// What a pressed mouse does to cells of the map, until it is let go.
struct Stroke {
    enum class Kind { none, paint, weight } kind = Kind::none;
    bool pressed = false;
    std::pair<int, int> cell; // painted last, or whose weight is dragged
    bool forbids = true;      // paint: or it allows
    bool moved = false;       // weight
    float from_weight = 0, from_y = 0;
};

/// A kept state whose name is edited.
struct Renaming {
    std::size_t index = 0;
    std::string name;
    bool typed = false;
};

/// The search over commands, while it is open.
struct CommandSearch {
    std::string query;
    int at = 0; // the line that Enter takes
    Scroll scroll;
};

/// What clicks on strips made of the focus' layers and heads, so that it can be taken back.
struct FilteredHeads {
    bool on = false;       // they chose layers or heads
    bool combined = false; // and made one map of several heads
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

/// The player of the Train room's film.
struct FilmPlayer {
    bool playing = false;
    float shown_for = 0; // seconds, the present frame
};

struct LearnState;  // ui/learn/learn_state.hpp
struct InsideState; // ui/inside/inside_state.hpp

/// The cell that was chosen in each kind of attention, of one text.
struct SelectedByKind {
    std::string source, target;
    std::map<trace::AttentionKind, std::pair<int, int>> cells;
};

/// What the window shows beyond the document: only looked at, never computed with.
struct WindowState {
    app::ViewState view;
    SelectedByKind selected_by_kind;
    app::View explore_view = app::View::heatmap; // where Explore was left for another room
    ApplyTo apply_to = ApplyTo::head;
    bool painting = false; // clicks on cells paint the mask
    FilteredHeads filtered_heads;
    Looking looking;
    Point colours_at;                          // where the colour bar was clicked
    Pointed pointed, pointing;                 // as the last frame found it, as this frame does
    std::optional<trace::HeadId> pointed_head; // the thumbnail under the pointer, in this frame
    bool over_heads = false;                   // the pointer is in the large grid of heads
    app::PanelSizes panels;                    // the middle takes what is left
    bool presenting = false;                   // the stage alone, larger
    std::optional<Edge> wanted_panel;          // to be shown or put away, as a key or a handle asks
    bool waits = false;                        // the newest state has been computed for a while
    std::optional<Box> failure;                // where the stage says in this frame what went wrong
    app::Cues cues;                            // of the first start
    Stroke stroke;
    std::optional<Renaming> renaming;
    Scroll left_scroll, inspector_scroll, history_scroll, keys_scroll, inside_scroll;
    CommandSearch search;
    Player player;
    app::ExperimentForm experiment_form;                      // the Train room's
    std::map<std::string, app::ExperimentForm> task_settings; // as each task was left, by its word
    app::TrainingView training;
    FilmPlayer film;
    std::shared_ptr<LearnState> learn;        // made when the Learn room is first entered
    std::shared_ptr<InsideState> inside;      // made when the room Inside is first entered
    std::string verdicts_file;                // where its verdicts are kept; or none
    std::string lessons_folder;               // where a teacher's own lessons are; or none
    std::optional<app::ExperimentForm> asked; // what waits until the run that learns may be left
    Scroll train_left, train_right, train_stage;
    std::vector<std::string> recent_commands; // taken from the search, newest first
    float preview_factor = 1; // of the picture in the export card to the one in the file
    ExportForm export_form, experiment_export_form; // the latter is the Train room's
    FilesForm files;
    DataForm data;
    std::string folder;         // where a file was last opened or written; or none
    std::string session_file;   // where the session was saved or opened last
    std::size_t session = 0;    // entry of the history that opened it; 0: the start
    std::string before_opening; // where the session goes whose place another takes; or none
    std::vector<std::string> recent_files;       // newest first
    std::optional<CardId> open_dialog;           // that is to open next frame
    std::string model_file;                      // as typed in the model card
    std::shared_ptr<app::Gallery> gallery;       // made when it is first looked at
    float picture_width = 0, picture_height = 0; // of the main picture, in points
    int heads_in_row = 0;                        // of the large grid, where it is shown
    float zoom_steps = 0;                        // asked for by keys; the window takes them
    bool quit = false;                           // asked for by a key
    bool leaves = false;                         // the window goes: nothing is lost by it
    bool leaves_when_saved = false; // the card that asks about an experiment is open for it
    bool timings = true;            // false: nothing on the screen differs from one run to the next
};

struct Panel {
    Ui& ui;
    const Workspace& work;
    WindowState& state;
    FigureCache& figures;
    Commands& commands;
    ExperimentDesk& experiment;

    const app::Snapshot& snapshot() const { return work.snapshot(); }
    const app::Document& document() const { return work.document(); }
    const app::Focus& focus() const { return work.focus(); }
    using Edit = std::function<void(app::Document&)>;
    /// Asks for the document that `edit` makes of the present one, as an act of its own. `words`
    /// name it in the history.
    void change(const std::string& words, const Edit& edit) const { change({}, words, true, edit); }
    /// The same as a part of a longer act, which `seal` ends.
    void change(const app::UndoTag& tag, const std::string& words, bool seal,
                const Edit& edit) const;
    /// A change of what decides the tokens.
    void change_text(const app::UndoTag& tag, const std::string& words, bool seal,
                     const Edit& edit) const;
    void seal() const { commands.push_back(Seal{}); }
    FigureCache::Key key(float width, float height) const;
    /// The cell that every panel points out.
    std::optional<std::pair<int, int>> selected() const {
        return app::selected_cell(snapshot(), state.view);
    }
    /// The same as the large map counts it.
    std::optional<std::pair<int, int>> selected_in_map() const {
        return app::shown_cell(snapshot(), state.view, app::merges_map(snapshot()));
    }
};

/// "encoder 5.3" (its layer and head), "encoder layer 5", "cross attention", "model".
std::string scope_words(ApplyTo apply_to, const trace::HeadId& head);
models::Scope scope_of(ApplyTo apply_to, const trace::HeadId& head);
/// What holds in a scope: its own settings, and those of every wider one where it has none.
models::HeadControls effective(const models::Controls& controls, const models::Scope& scope);
/// The mask that holds in a scope, or what the model itself has for this kind of attention.
nn::Mask mask_in(const models::Controls& controls, const models::Scope& scope,
                 trace::AttentionKind kind);
std::string_view kind_words(trace::AttentionKind kind); // "Encoder", "Decoder", "Cross"
/// The word of a token in queries or keys; empty where there is none.
std::string token_text(const std::vector<text::Token>& tokens, int index);

/// Whether the model that is shown has something for this view.
bool view_fits(const Panel& panel, app::View view);
/// True where the tabs of Explore's views lie upon the stage.
bool has_tabs(const WindowState& state);
/// The tabs of Explore's views, below `top`.
void view_tabs(Panel& panel, const Box& box, float top);

void top_bar(Panel& panel, const Box& box);
void picture_input(Panel& panel, const Box& box);  // part of it, of a model that reads pictures
void sentence_input(Panel& panel, const Box& box); // the same of a file of alignments
void rail(Panel& panel, const Box& box);
void heads_panel(Panel& panel, const Box& box);
void head_section(Panel& panel, Form& form);    // part of the heads' panel
void outcome_section(Panel& panel, Form& form); // and this
void toggle_mute(Panel& panel);                 // of the focused head
void toggle_solo(Panel& panel);
/// Whether a picture's rows and columns are words, merged of tokens: the view's own or, `links`,
/// the links below a map.
bool between_words(const Panel& panel, bool links = false);
/// Chooses a cell that a picture shows: of a merged one its strongest tokens.
void choose_cell(Panel& panel, const app::Units& units, std::pair<int, int> cell);
/// What pointing at a cell of the large picture says; empty outside of the map.
std::string cell_words(const Panel& panel, const figure::Figure& picture, const figure::Hit& hit);
/// What wheel, drag and double click do on the large map. True while the pointer moves the view, so
/// that it does nothing else.
bool look_around(Panel& panel, const figure::Figure& picture, const Box& box, const Press& press);
void look_closer(Panel& panel);
void look_wider(Panel& panel);
/// Moves the view until the chosen cell is in it.
void look_at_cell(Panel& panel);
/// Which part of the map is seen, along its sides.
void draw_scroll_hints(Panel& panel, const figure::Figure& picture, const Box& box);
/// The same of a grid or a stripe of any other view.
std::string value_words(const Panel& panel, const figure::Figure& picture, Point at,
                        const figure::Hit& hit);
/// Part of the left panel: what the map is held against, and how.
void compare_section(Panel& panel, Form& form);
/// Part of the left panel: what the colours mean.
void colours_section(Panel& panel, Form& form);
void colours_dialog(Panel& panel); // the same, beside the colour bar
/// Keeps the present state, and says that it is what others are held against.
void pin(Panel& panel);
void map_panel(Panel& panel, const Box& box);
/// Below the words of a view that has nothing to show of this run: what gives it something.
void offer_another(Panel& panel, const Box& main, const figure::Figure& words);
/// True where pictures are of a run before the newest state: that could not be computed, or is not
/// yet.
bool shows_former(const Panel& panel);
/// A picture of such a run steps back, towards the ground that it stands on.
void step_back(Panel& panel, const Box& box, Color ground);
/// The same of the large one, which says what it is of.
void dim_former(Panel& panel, const Box& box);
/// What there is to say of the newest request, at the foot of the stage: what is pointed at stays
/// where it is.
void draw_remarks(Panel& panel, const Box& box);
float height_of_remarks(const Panel& panel, float width);
/// The notice on a stage; one of what went wrong goes with a click on it. `tabs_above`: the view
/// tabs stand in two rows, for the stage is narrow.
void tell_notice(Panel& panel, const Box& stage, bool tabs_above);
/// The brush, and Alt on a cell of the weights. True while the mouse is theirs.
bool stroke_on_map(Panel& panel, const figure::Figure& figure, const Box& box, const Press& press);
/// Sets a cell's weight of the focused head by hand, 0 to 1.
void set_weight(Panel& panel, std::pair<int, int> cell, float weight);
/// As computed again: a cell, a row where no key is given, the head where no query is either.
void reset_weights(Panel& panel, std::optional<int> query, std::optional<int> key);
void nudge_weight(Panel& panel, float by); // of the chosen cell
void inspector(Panel& panel, const Box& box);
void changes_section(Panel& panel, Form& form); // part of the inspector
void kept_section(Panel& panel, Form& form);    // and this
void keep_state(Panel& panel);                  // the present one, under a proposed name
void return_to(Panel& panel, const app::Kept& kept);
bool is_here(const Panel& panel, const app::Kept& kept); // whether that is the present state
void clear_changes(Panel& panel);
void selection_section(Panel& panel, Form& form); // part of the inspector
void strip_panel(Panel& panel, const Box& box);
/// What a stage's thumbnail is for.
std::string stage_words(const Panel& panel, const app::StripItem& item);
/// The same with the value that the strip shows at a place.
std::string stage_words(const Panel& panel, const figure::Figure& strip, Point at,
                        const app::StripItem& item);
/// What pointing at a head's thumbnail says: layer, head, and the value that the grid shows there.
std::string head_words(const Panel& panel, const figure::Figure& grid, Point at,
                       const figure::Hit& hit);
/// Says which query and key the pointer is at; every panel lights them in its next frame.
void point_out(Panel& panel, std::optional<int> query, std::optional<int> key);
/// The same of a place of the large map or, `links`, of a picture of links.
void point_out(Panel& panel, const figure::Hit& hit, bool links);
/// Lights what is pointed at upon the large map (or, `links`, upon a picture of links).
void draw_pointed(Panel& panel, const figure::Figure& picture, const Box& place, bool links);
/// What pointing at a strip says; empty outside of it.
std::string strip_words(const Panel& panel, const figure::Figure& picture, const figure::Hit& hit);
/// Chooses a query or key, as a picture counts them, alone or, with Shift, beside those chosen;
/// chosen alone already, it goes.
void choose_token(Panel& panel, const app::Units& units, bool of_keys, int cell);
/// Chooses what the strip's cell is of, alone or, with Shift, beside what is chosen.
void click_strip(Panel& panel, const figure::Hit& hit);
bool filters(const Panel& panel); // whether anything is chosen
/// Whether Esc lets go of it: not of the layer that a switch has chosen.
bool strips_filter(const Panel& panel);
void clear_filter(Panel& panel);
/// Of a focus on one head: what strips chose of layers and heads holds no longer.
void clear_head_filter(Panel& panel, app::Focus& focus);
void filter_section(Panel& panel, Form& form); // part of the inspector
void faults_section(Panel& panel, Form& form); // and this
/// The switch of the strips.
void strips_row(Panel& panel, Form& form);
/// Keeps a head beside others in Heads, or lets it go; says so where that cannot be seen.
void keep_head(Panel& panel, const trace::HeadId& head);
void let_go_of_heads(Panel& panel);
/// A pin on the thumbnail under the pointer, and a cross on every map that is kept. They lie upon
/// the picture, and are asked before it who the pointer is for.
class SlotButtons {
  public:
    SlotButtons(Panel& panel, const figure::Figure& picture, const Box& place);
    void draw() const;

  private:
    struct Button {
        Box box;
        bool cross = false, on = false, hovered = false;
    };
    Panel& panel_;
    std::vector<Button> buttons_;
};
/// Clicks on the maps that are kept, and what pointing at them says.
void point_at_slot(Panel& panel, const figure::Hit& hit, bool clicked);
/// Clicks and Shift+clicks on the tokens of a picture of links.
void pin_token(Panel& panel, const figure::Tag& tag);
/// Of what filters or, where nothing does, of the chosen cell.
void let_go_of_tokens(Panel& panel);
/// What pointing at a token of a picture of links says.
std::string token_words(const Panel& panel, const figure::Tag& tag);
/// The token that the pointer was at in the last frame, in whichever panel, as pictures of links
/// count it.
app::Hovered hovered_unit(const Panel& panel);
/// The patch, or the token before the patches, that the pointer was at in the last frame.
app::Hovered hovered_patch(const Panel& panel);
/// Moves the chosen patch; beyond the first row and patch lie the tokens before them.
void move_patch(Panel& panel, int down, int right);
/// The weights that links are drawn of, of the focused head or of several as one map, where the
/// snapshot has them made.
std::shared_ptr<const num::Matrix<float>> shown_weights(const Panel& panel);
/// What a square beside the columns of links stands for.
std::string square_words(const Panel& panel, const figure::Tag& tag);
void export_dialog(Panel& panel);
void experiment_export_dialog(Panel& panel); // the same in the Train room
void learn_export_dialog(Panel& panel);      // and of a picture of the Learn room
void save_dialog(Panel& panel);
void open_dialog(Panel& panel);
/// Places at the left and, beside them, what the typed path may become, looked up when another is
/// typed. A folder that is clicked is gone into; a file is returned. `field`: the id of the field,
/// within the form.
std::optional<std::string> file_list(Form& form, FileList& list, std::string& typed,
                                     const std::string& field);
/// The same for a file that is written: its name stays while folders change. True where either did.
bool folder_list(Form& form, FileList& list, std::string& path, const std::string& field);
int rows_of_list(float height); // that fill it, with what is above them
/// The list is looked up anew: folders change.
void forget(FileList& list);
/// A path in the folder where a file was last opened or written; or in the present one.
std::string in_last_folder(const Panel& panel, const std::string& name);
void remember_folder(Panel& panel, const std::string& path);
void data_dialog(Panel& panel);  // a user's own sentences for the Train room
void leave_dialog(Panel& panel); // an experiment learned what is not saved
/// In a card: that a file would be replaced, or else what the last command has to say.
void card_remark(const Panel& panel, Form& form, const std::string& replaces);
/// Whether a file may be written. One that is there already is replaced when asked a second time:
/// `replaces` holds its path in between.
bool may_write(const std::string& path, std::string& replaces);
void keys_dialog(Panel& panel);
void search_dialog(Panel& panel);
/// Shortcuts of the window itself.
void window_keys(Panel& panel);

} // namespace heed::ui
