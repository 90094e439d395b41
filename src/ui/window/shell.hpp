// The window's content: panels, cards and keys over one workspace. It knows neither GLFW nor EGL;
// the window, the screenshot and the tests give it frames.
#pragma once

#include "app/files/file_desk.hpp"
#include "ui/dialogs/disk_question.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/panel.hpp"
#include "ui/window/edge_panels.hpp"
#include "ui/window/input_queue.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

/// Surroundings of the document, which come with a session.
struct Surroundings {
    app::Focus focus;
    app::ViewState view;
    std::optional<app::Reference> pinned;
    std::vector<app::Bookmark> kept;
    std::string session_file;
    std::size_t session = 0; // WindowState::session
};

class Shell {
  public:
    /// `asks`: as a Workspace does.
    Shell(Renderer& renderer, Fonts& fonts, app::Engine& engine, app::Document document,
          app::Focus focus, app::ViewState view, bool asks = true);

    /// One frame, between ImGui::NewFrame and ImGui::Render. `scale`: ImGui units a point.
    void frame(float scale);

    /// The factor by which everything is larger than usual in a window of this height, in points.
    float magnification(float height) const;
    /// True where the next frame would differ without any input.
    bool wants_frame() const { return busy_frames_ > 0; }
    /// Input that is meant for what is about to be there.
    Holds holds() const;
    /// The sentence of the model that is shown next takes what is typed, unless something else
    /// does by then.
    void offer_sentence() { offers_sentence_ = true; }
    /// Seconds until it would; negative when it will not.
    float wants_frame_in() const;
    /// An event came, or a snapshot: draw until what it set off has settled.
    void wake() { busy_frames_ = 3; }
    /// A frame that was wished for is due: nothing else came.
    void wake_once() { busy_frames_ = std::max(busy_frames_, 1); }

    /// Opens a session (.json), a model (.safetensors), or a text that becomes the source sentence,
    /// as one step back. What cannot be opened changes nothing, and the notice says why. Behind a
    /// model its sentence takes what is typed.
    void open_file(const std::string& path);
    /// Takes a checkpoint before the first frame, of a shell that does not ask: nothing else is
    /// computed before it.
    void open_first(const app::FileOpened& checkpoint);
    /// Saves the session. The notice says where, or why not.
    void save_file(const std::string& path);
    /// Somebody wishes to leave, by a key or the window's own button: where a class has learned
    /// what would be missed, a card asks first.
    void wish_to_leave();
    /// True where the window may go now.
    bool leaves() const { return state.leaving.granted; }

    /// True while a file is being read or written, or the disk is asked about a path.
    bool busy_with_files() const;
    /// The work as a session, as it is saved.
    app::Session session() const;

    /// Title of the window: what is looked at.
    std::string title() const;

    /// One line a fact, for whoever watches from outside: revisions, focus, and every widget with
    /// its place in pixels.
    std::string status() const;

    /// True until a file is opened that the window is started with, where no document was
    /// remembered: there is nothing to come back to by Undo.
    bool opens_first = false;

    Ui ui;
    Workspace work;
    WindowState state;
    FigureCache figures;
    ExperimentDesk experiment;

  private:
    void layout(Panel& panel);
    void draw(Panel& panel, Edge edge, const Box& box);
    void cards(Panel& panel);
    void splitters(const Places& places);
    void follow_selection();
    void fit_view();
    void follow_word(const models::Run& run);
    void remember_word();
    void offer_selection();
    void let_go_of_brush();
    void let_go_of_notice();
    void watch_waiting();

    /// A file whose model the engine has yet to read, and what was there before.
    struct Opening {
        std::string path, remark{};
        app::History history;
        Surroundings before;
        app::Document document{};
        std::uint64_t revision = 0;
        bool of_sentence = false; // its own: the chosen cell was one of another
        bool again = false;       // since the one over it failed
    };
    Surroundings surroundings() const;
    void put(Surroundings now);
    void take_files();
    void take_dropped();
    void take_class();
    void take_saved(const app::FileSaved& saved);
    void take_opened(const app::FileOpened& opened);
    void watch_opening();
    void end_well(const Opening& opening);
    void give_sentence_keys();
    /// After a stop that a person asked for.
    std::string stopped_words() const;
    /// `refusal`, `way`: as Notice's.
    void fail(const std::string& why, bool refusal = false, WayOut way = WayOut::none);
    void tell(Notice notice);
    void carry_out(const Command& command);
    /// After another text: pinned tokens stay with their words. `entry`: the history's, before it.
    void move_pins(const app::Document& before, std::size_t entry);
    void step(const Command& command);

    /// Tokens that the view points out, and the text that they were chosen in.
    struct Pins {
        std::vector<int> queries, keys;
        std::optional<std::pair<int, int>> selected;
        bool operator==(const Pins&) const = default;
    };
    struct PinsBefore {
        std::size_t from, to; // the history's entries on both sides of the change, pauses within
        app::Document document;
        Pins pins, left; // left: what became of them last
        bool has(std::size_t entry) const {
            return entry >= std::min(from, to) && entry <= std::max(from, to);
        }
    };
    bool recall_pins(const Pins& here, std::size_t from, std::size_t to);
    /// Heads and tokens of one model that the view points out.
    struct Filter {
        std::vector<int> queries, keys;
        std::vector<trace::HeadId> slots;
    };
    /// Lets go of what is of the model that was left at an entry of the history, and takes what was
    /// left at the present one.
    void leave_filter(std::size_t left, Filter filter);
    Filter filter_now() const;

    std::optional<PinsBefore> pins_before_;
    std::vector<PinsBefore> pins_earlier_; // of acts before that
    std::map<std::size_t, Filter> filters_; // by the entries at which their models were left
    bool offers_sentence_ = false;  // once what is being opened is shown
    std::vector<Opening> openings_; // each over one that is read again where it fails
    /// Surroundings on the other side of the history's entry that opened a session, by that entry.
    std::map<std::size_t, Surroundings> former_;
    struct ViewToCome {
        app::View wanted, meanwhile;
    };
    std::optional<ViewToCome> view_to_come_; // of a session whose model is on its way
    bool selection_offered_ = false;
    std::shared_ptr<const models::Run> selected_in_;     // the run that was looked at last
    trace::AttentionKind selected_kind_ = trace::AttentionKind::encoder_self; // in it
    std::optional<app::Document> selected_of_;           // what it is of
    std::optional<std::pair<int, int>> selected_before_; // and the cell in it
    /// The word whose row is chosen, and where; what the model says may hold it at another step.
    struct ChosenWord {
        trace::AttentionKind kind;
        std::string word;
        std::pair<int, int> cell, now; // now: where it stands
    };
    std::optional<ChosenWord> chosen_word_;
    std::vector<trace::HeadId> docked_heads_; // of those that are kept, what stands beside the grid
    bool choosing_heads_ = false;             // by Shift+click: the grid stays under the pointer
    float waiting_ = 0;                       // seconds, for the engine
    std::string notice_read_;                 // that is on the screen
    float notice_seconds_ = 0;                // since when
    trace::HeadId brush_at_;                  // the head at which a mask is painted
    Commands commands_;
    EdgePanels edge_panels_;
    int busy_frames_ = 3;
    int frames_ = 0;
    app::FileDesk desk_;
    DiskQuestion<bool> dropped_; // whether it is a folder, what was dropped on the Train room
    std::string dropped_path_;
};

/// Colours and sizes of ImGui's own parts (fields), once a context.
void set_style();

} // namespace heed::ui
