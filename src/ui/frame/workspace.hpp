// The workspace of the window: the document and its history, what is looked at, and the newest
// snapshot of the engine. Panels read it and return commands; only apply() changes the document.
#pragma once

#include "app/document/carried_edits.hpp"
#include "app/document/history.hpp"
#include "app/document/session.hpp"
#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/outcome.hpp"
#include "app/training/training_export.hpp"
#include "app/views/export.hpp"

#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heed::ui {

/// The act of a notice's link: the way out that its words tell.
enum class WayOut { none, undo, open };

inline constexpr const char* kNotRunYet = "This model has not run yet: type a sentence first";

/// The last command's words to the person.
struct Notice {
    std::string text;
    bool bad = false;
    std::optional<app::View> room{}; // that it is said in, and goes with; none: in any
    bool refusal = false;            // of a model: it stays while its sentence is typed
    bool passing = false;            // the next one says how it ended
    WayOut way = WayOut::none;
};

/// Sets the document; controls that a changed model has no place for are left out. Changes with one
/// tag run together until a Seal: a word, a drag.
struct ChangeDocument {
    app::Document document;
    app::UndoTag tag;
    std::string words; // of the entry in the history
    bool seal = false;
    bool of_text = false; // other tokens: what was set cell by cell goes along with its words
};
struct Seal {};
struct Undo {};
struct Redo {};
struct ChangeFocus {
    app::Focus focus;
};
/// Keeps the present document and focus as what others are held against.
struct Pin {};
/// Another state, or none, is the pinned one.
struct PinFormer {
    std::optional<app::Reference> reference;
};
struct Keep {
    app::Bookmark state;
};
struct RenameKept {
    std::size_t index;
    std::string name;
};
struct RemoveKept {
    std::size_t index;
};
/// Writes what is on the screen to a file.
struct Export {
    std::string path;
    app::ViewState view;
    app::ExportOptions options;
};
/// Writes what the Train room shows to a file.
struct ExportExperiment {
    std::shared_ptr<const app::ExperimentSnapshot> snapshot;
    app::TrainingExport wish;
};
/// Writes a picture that is made of no snapshot to a file.
struct ExportFigure {
    std::string path;
    figure::Figure figure;
    app::ExportOptions options;
};
/// Writes what was made already to a file.
struct WriteFile {
    std::string path, bytes;
};
/// Tells the person something.
struct Say {
    Notice notice;
};
/// Commands for the shell, this one and the next: they reach the view too.
struct OpenFile {
    std::string path;
};
struct SaveFile {
    std::string path;
};
/// The model that is being read is read no further; what was open stays.
struct StopReading {};
/// Puts a view's numbers on the clipboard, as tab-separated text.
struct CopyNumbers {
    app::ViewState view;
    app::ExportedHeads heads = app::ExportedHeads::shown;
};

using Command = std::variant<ChangeDocument, Seal, Undo, Redo, ChangeFocus, Pin, PinFormer, Keep,
                             RenameKept, RemoveKept, Export, ExportExperiment, ExportFigure,
                             WriteFile, OpenFile, SaveFile, StopReading, CopyNumbers, Say>;
using Commands = std::vector<Command>;

class Workspace {
  public:
    /// `asks`: for the document; it does not where another one is about to be opened.
    Workspace(app::Engine& engine, app::Document document, app::Focus focus, app::Needs needs = {},
              bool asks = true);

    const app::Document& document() const { return history_.now(); }
    const app::History& history() const { return history_; }
    /// The focus that was asked for; the snapshot's own is moved to what exists.
    const app::Focus& focus() const { return focus_; }
    /// Asks for what the view needs beside that. True when it is something else than before.
    bool need(const app::Needs& needs);
    const app::Snapshot& snapshot() const { return *snapshot_; }
    const std::shared_ptr<const app::Snapshot>& shared_snapshot() const { return snapshot_; }
    std::uint64_t requested_revision() const { return revision_; }
    /// The model that the snapshot's run is of, as the top bar calls it. Requires snapshot().run.
    std::string ran_title() const;
    bool ran_present_model() const { return ran_.model_file == document().model_file; }
    /// True where the snapshot answers the newest request.
    bool up_to_date() const { return snapshot_->revision >= revision_; }

    /// A model that is being read, where it tells how far it is.
    std::optional<app::ModelReading> reading() const { return engine_.reading(); }

    /// Configuration of the model that ran last.
    const models::Config& config() const;
    /// Configuration of the model that is chosen, as it was when it ran last; of one that has not,
    /// config().
    const models::Config& chosen_config() const {
        if (document().model_file.empty()) return document().model;
        const auto known = config_of_.find(document().model_file);
        return known == config_of_.end() ? config() : known->second;
    }
    app::Reader reader() const;

    /// Outcome of the run before the last change, undo or redo. A drag is one change.
    const app::Outcome& former() const { return former_; }
    /// True where that run read another text. It says nothing of this one, and former() is empty.
    bool former_read_other_text() const { return former_read_other_text_; }
    /// Words of every sentence since the start but the present ones.
    const app::SeenWords& seen_words() const { return seen_words_; }

    /// Takes the engine's newest snapshot. True when it is another one.
    bool poll();
    void apply(const Command& command);

    /// Another document from outside, as one step of its own.
    void open(app::Document document, const std::string& tag);
    /// Goes back to this history, as if nothing had been done since.
    void go_back_to(app::History history);
    void forget_until(std::size_t entry) { history_.forget_until(entry); }

    /// The state that is pinned, from this session or the one before.
    const std::optional<app::Reference>& pinned() const { return pinned_; }
    void pin(std::optional<app::Reference> reference);
    /// True where the last act deleted a snapshot, or pinned another baseline over one that was
    /// there: undo brings it back.
    bool can_bring_back() const { return !gone_.empty() && gone_.back().at == history_.id(); }
    /// True where the last act was the undo of such a one: redo does it again.
    bool can_go_again() const { return !back_.empty() && back_.back().at == history_.id(); }
    bool can_undo() const { return history_.can_undo() || can_bring_back(); }
    bool can_redo() const { return history_.can_redo() || can_go_again(); }
    /// Words for what undo takes back, and redo does again. Require can_undo(), can_redo().
    std::string undo_words() const {
        return can_bring_back() ? words_of(gone_.back()) : history_.words(history_.at());
    }
    std::string redo_words() const {
        return can_go_again() ? words_of(back_.back()) : history_.words(history_.at() + 1);
    }
    /// Sets the snapshot's reference; it is computed anew with every change while it is set.
    void hold_against(std::optional<app::Against> against);

    const std::vector<app::Bookmark>& kept() const { return kept_; }
    void set_kept(std::vector<app::Bookmark> kept) {
        kept_ = std::move(kept);
        gone_.clear();
        back_.clear();
    }

    /// True while a file or the clipboard's text is being made, on a thread of its own; poll() then
    /// tells how it went.
    bool saving() const { return saving_.valid(); }
    /// True where the last one went wrong.
    bool save_failed() const { return save_failed_; }
    void wait_until_saved() const {
        if (saving()) saving_.wait();
    }

    Notice notice;
    /// Says what has come by itself, or beside another notice of one act. What stands there and is
    /// not read yet is not covered: this one follows when that has gone.
    void tell(Notice next);
    /// Takes all of them away: they have been read.
    void clear_notices() {
        notice = {};
        later_.clear();
    }

  private:
    struct Finished {
        Notice notice;
        std::optional<std::string> clipboard;
    };
    using Task = std::function<Finished(const app::Snapshot&)>;
    /// A large picture takes a second to write, and a large table to print: the window goes on.
    void go_on_while(std::string said, Task task);
    void submit();
    void submit_change();
    void note_ran() {
        ran_ = snapshot_->document;
        if (snapshot_->run) config_of_[ran_.model_file] = snapshot_->run->model->config();
    }
    /// After an undo or a redo, which `words` tell: another model than this one shows what was
    /// looked at in it last, and is named.
    void come_back_from(const std::string& model_file, const std::string& words);
    /// The document of a change of text, and what there is to say of it.
    app::Document with_text(const ChangeDocument& change, std::string& words) const;
    /// A sentence that is replaced, or gone on with after a second, is a step back of its own.
    void divide_typing(const ChangeDocument& change);
    void apply_change(const ChangeDocument& change);
    void undo();
    void redo();
    void pin_now();
    void pin_former(const std::optional<app::Reference>& former);
    void remove_kept(std::size_t index);
    /// False where there is no room for it: it is let go of, and told.
    bool bring_back();
    void go_again();
    std::optional<app::Reference> reference() const;

    app::Engine& engine_;
    app::History history_;
    double typed_at_ = 0; // when a sentence was last changed, in seconds of ImGui's clock
    app::Focus focus_;
    std::map<std::string, app::Focus> focus_of_; // of each model, by its file
    app::Needs needs_;
    std::optional<app::Reference> pinned_;
    /// A baseline that another one took the place of, or a snapshot that was deleted, at an entry
    /// of the history.
    struct Gone {
        std::variant<app::Reference, app::Bookmark> what;
        std::size_t index = 0; // of the snapshot, among them
        std::size_t at = 0;
    };
    static std::string words_of(const Gone& gone);
    std::vector<Gone> gone_; // the last to go is the first to come back
    std::vector<Gone> back_; // what came back; of a baseline the one that went for it
    std::optional<app::Against> against_;
    std::shared_ptr<const app::Snapshot> snapshot_;
    app::Document ran_;                               // that the snapshot's run is of
    std::map<std::string, models::Config> config_of_; // of each model that ran, by its file
    std::uint64_t revision_ = 0;
    std::vector<std::uint64_t> changes_; // the first revisions of changes that are on their way
    std::vector<app::Bookmark> kept_;
    bool save_failed_ = false;
    std::future<Finished> saving_; // its end is waited for before the workspace goes
    app::Outcome former_;
    bool former_read_other_text_ = false;
    app::SeenWords seen_words_;
    std::deque<Notice> later_; // notices that wait for the one that stands there
    bool fresh_ = false;       // whether a command has cleared the notice since the last poll()
};

} // namespace heed::ui
