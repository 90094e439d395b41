#include "ui/frame/workspace.hpp"

#include "app/document/carried_edits.hpp"
#include "app/document/fitting_controls.hpp"
#include "app/engine/missing_letters.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "base/file.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/left_behind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string_view>
#include <utility>

namespace heed::ui {

namespace {

/// The document with what fits its model; what a file's model has is known to the engine alone.
app::Document fitting(app::Document document) {
    if (document.model_file.empty()) {
        document.controls = app::fitting_controls(std::move(document.controls), document.model);
        document.decoding = app::fitting_decoding(document.decoding, document.model);
    }
    return document;
}

} // namespace

Workspace::Workspace(app::Engine& engine, app::Document document, app::Focus focus,
                     app::Needs needs, bool asks)
    : engine_(engine), history_(fitting(std::move(document))), focus_(std::move(focus)),
      needs_(std::move(needs)), snapshot_(std::make_shared<const app::Snapshot>()) {
    if (asks) submit();
}

void Workspace::submit() {
    revision_ = engine_.submit(history_.now(), focus_, needs_, reference());
}

bool Workspace::need(const app::Needs& needs) {
    if (needs == needs_) return false;
    needs_ = needs;
    submit();
    return true;
}

std::optional<app::Reference> Workspace::reference() const {
    if (!against_) return std::nullopt;
    if (*against_ == app::Against::pinned) {
        auto pinned = pinned_; // in the same units, so that the two can be compared
        if (pinned) {
            pinned->focus.merge_words = focus_.merge_words;
            pinned->focus.hide_special = focus_.hide_special;
            pinned->focus.rows_read = focus_.rows_read;
            pinned->focus.stage = focus_.stage;
            pinned->focus.times = focus_.times;
            if (focus_.stage != trace::Stage::weights) pinned->focus.combine.reset();
        }
        return pinned;
    }
    return app::unaltered(history_.now(), focus_);
}

void Workspace::pin(std::optional<app::Reference> reference) {
    pinned_ = std::move(reference);
    if (against_ == app::Against::pinned) submit();
}

void Workspace::hold_against(std::optional<app::Against> against) {
    if (against == against_) return;
    against_ = against;
    submit();
}

void Workspace::submit_change() {
    submit();
    changes_.push_back(revision_);
}

void Workspace::come_back_from(const std::string& model_file, const std::string& words) {
    const auto then = focus_of_.find(history_.now().model_file);
    const bool another = history_.now().model_file != model_file;
    if (another) notice = {words, false};
    if (another && then != focus_of_.end()) focus_ = then->second;
    submit_change();
}

void Workspace::open(app::Document document, const std::string& tag) {
    back_.clear();
    history_.begin(fitting(std::move(document)), tag);
    submit_change();
}

void Workspace::go_back_to(app::History history) {
    history_ = std::move(history);
    submit();
}

void Workspace::tell(Notice next) {
    constexpr std::size_t kMost = 3; // more are no news any more
    if (next.text.empty() || notice.text.empty() || notice.passing || notice.text == next.text) {
        notice = std::move(next);
    } else if (next.bad && !notice.bad) { // at once; the other one is still to be read
        later_.push_front(std::exchange(notice, std::move(next)));
        if (later_.size() > kMost) later_.pop_back();
    } else {
        later_.push_back(std::move(next));
        if (later_.size() > kMost) later_.pop_front();
    }
}

bool Workspace::poll() {
    fresh_ = false;
    const bool follows = notice.text.empty() && !later_.empty();
    if (follows) {
        notice = std::move(later_.front());
        later_.pop_front();
    }
    const bool saved =
        saving() && saving_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (saved) {
        Finished finished = saving_.get();
        save_failed_ = finished.notice.bad;
        tell(std::move(finished.notice));
        if (finished.clipboard) ImGui::SetClipboardText(finished.clipboard->c_str());
    }
    auto latest = engine_.latest();
    if (latest == snapshot_) return saved || follows;
    // Said once for each new set of letters, not again with every keystroke.
    const std::u32string& missing = latest->missing_letters;
    const bool news = !missing.empty() && missing != snapshot_->missing_letters;
    if (news) {
        constexpr std::size_t kFit = 3; // in one line of a small window
        std::string words = app::missing_letters_note(missing, kFit);
        words[0] = 'N'; // it is a sentence of its own here
        tell({std::move(words), false});
    }
    const auto answered = std::upper_bound(changes_.begin(), changes_.end(), latest->revision);
    if (answered != changes_.begin() && snapshot_->run && !latest->error) {
        // Of another model the same row of the vocabulary is another word.
        const bool alike = app::same_model(latest->document, ran_);
        former_read_other_text_ = alike && !app::reads_alike(latest->document, ran_);
        const bool comparable = alike && !former_read_other_text_;
        former_ = comparable ? app::outcome_of(*snapshot_) : app::Outcome{};
        seen_words_.note(snapshot_->run->input.source);
        seen_words_.note(snapshot_->run->input.target);
    }
    changes_.erase(changes_.begin(), answered);
    snapshot_ = std::move(latest);
    if (!snapshot_->error) note_ran();
    // A model without this layer or head moves the focus; later requests start from there.
    if (up_to_date() && snapshot_->run) {
        focus_.head = snapshot_->focus.head;
        focus_.layers = snapshot_->focus.layers;
        focus_.heads = snapshot_->focus.heads;
        focus_of_[history_.now().model_file] = focus_;
    }
    return true;
}

std::string Workspace::ran_title() const {
    return app::model_title(snapshot_->file, snapshot_->run->model->config());
}

namespace {

Notice saved_words(const base::Result<void>& written, const std::string& path) {
    if (!written) return {base::describe(written.error()), true};
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return {"Saved " + (failed ? path : whole.lexically_normal().string()), false};
}

/// True of a command about what Explore shows.
bool needs_run(const Command& command) {
    return std::holds_alternative<Export>(command) || std::holds_alternative<CopyNumbers>(command);
}

} // namespace

void Workspace::go_on_while(std::string said, Task task) {
    if (saving()) {
        notice = {
            .text = "Please wait until the last file is written", .bad = true, .passing = true};
    } else {
        notice = {.text = std::move(said), .passing = true};
        save_failed_ = false;
        saving_ = std::async(std::launch::async, [snapshot = snapshot_, task = std::move(task)] {
            try {
                return task(*snapshot);
            } catch (const std::exception& thrown) { // no memory is left
                return Finished{{fmt::format("That failed: {}", thrown.what()), true}, {}};
            }
        });
    }
}

app::Document Workspace::with_text(const ChangeDocument& change, std::string& words) const {
    const app::Document& now = history_.now();
    app::Document before = history_.before(change.tag);
    // Something else changed what is computed in the same breath: that stands.
    if (!(change.document.controls == now.controls && change.document.resting == now.resting)) {
        before = now;
        before.controls = change.document.controls;
        before.resting = change.document.resting;
    }
    app::Carried carried = app::carried(before, change.document, reader());
    words = app::let_go_words(carried);
    return std::move(carried.document);
}

namespace {

/// The text that a change with this tag is typed into; null of any other change.
template <class Document>
auto text_of(Document& document, const app::UndoTag& tag) -> decltype(&document.source) {
    switch (tag.of) {
    case app::UndoTag::Of::source: return &document.source;
    case app::UndoTag::Of::target: return &document.target;
    case app::UndoTag::Of::other_sentence: return &document.inside.other;
    default: return nullptr;
    }
}

/// True where nothing but the text that is typed into changes of the texts.
bool one_text(const app::Document& now, const app::Document& next, const app::UndoTag& tag) {
    using Of = app::UndoTag::Of;
    return (tag.of == Of::source || now.source == next.source) &&
           (tag.of == Of::target || now.target == next.target);
}

/// True where letters come into a text, at one place, and none go.
bool inserts(std::string_view from, std::string_view to) {
    if (to.size() <= from.size()) return false;
    const auto at = std::ranges::mismatch(from, to).in1;
    return to.ends_with(from.substr(static_cast<std::size_t>(at - from.begin())));
}

/// True where letters came by keys, be they many in a slow frame: Ctrl+V is held while a text is
/// pasted, and what a model said stands in its field before the first letter is typed.
bool by_keys(const std::string& from, const std::string& to) {
    constexpr std::size_t kMost = 40; // bytes; no hand is so fast
    if (app::is_typed(from, to)) return true;
    const bool fast = !from.empty() && to.size() < from.size() + kMost && inserts(from, to);
    return fast && !shim::command_down();
}

/// Of a change that types several words at once the first one, with the space behind it.
std::optional<ChangeDocument> first_word(const app::Document& now, const ChangeDocument& change) {
    const std::string *from = text_of(now, change.tag), *to = text_of(change.document, change.tag);
    const bool said = !(change.document.written == now.written); // by the model, token by token
    if (from == nullptr || said || change.seal || !by_keys(*from, *to)) return std::nullopt;
    auto text = app::up_to_next_word(*from, *to);
    if (!text) return std::nullopt;
    ChangeDocument first = change;
    *text_of(first.document, change.tag) = *std::move(text);
    first.seal = false;
    return first;
}

} // namespace

void Workspace::divide_typing(const ChangeDocument& change) {
    constexpr double kPause = 1; // seconds
    const app::Document &now = history_.now(), &next = change.document;
    const std::string *from = text_of(now, change.tag), *to = text_of(next, change.tag);
    if (from == nullptr) return;
    const double time = ImGui::GetTime(), passed = time - std::exchange(typed_at_, time);
    const bool alone = one_text(now, next, change.tag);
    const std::string& first = *text_of(history_.before(change.tag), change.tag);
    if (alone && app::goes_on_in_word(first, *from, *to)) return;
    const std::string& word_before = *text_of(history_.before_entry(change.tag), change.tag);
    const bool another = app::begins_word(word_before, *from, *to);
    const bool others =
        app::is_typed(now.source, next.source) && app::is_typed(now.target, next.target);
    const bool typed = (alone || others) && by_keys(*from, *to);
    if (passed >= kPause || !typed || another) history_.pause(change.tag);
}

app::Reader Workspace::reader() const {
    return {config(), snapshot_->run ? snapshot_->run->model.get() : nullptr};
}

const models::Config& Workspace::config() const {
    return snapshot_->run ? snapshot_->run->model->config() : history_.now().model;
}

namespace {

/// Words are rows of one vocabulary, and tokens those of its sentence.
void forget_rows_of(const app::Document& now, app::Document& next) {
    if (next.written.text != next.target) next.written = {};
    if (next.model_file == now.model_file && next.model == now.model) return;
    if (next.written == now.written) next.written = {};
    next.inside.token.reset();
    next.inside.word.reset();
    next.inside.against.reset();
}

} // namespace

void Workspace::apply_change(const ChangeDocument& change) {
    constexpr int kMostWords = 64; // that come at once; each is taken back alone
    for (int i = 0; i < kMostWords; ++i) {
        const auto first = first_word(history_.now(), change);
        if (!first) break;
        apply_change(*first);
    }
    std::string let_go;
    divide_typing(change);
    app::Document next = fitting(change.of_text ? with_text(change, let_go) : change.document);
    const app::Document& now = history_.now();
    app::bring_text(now, next);
    if (!let_go.empty()) notice = {.text = let_go, .way = WayOut::undo};
    for (Notice& left : left_behind(now, next)) tell(std::move(left));
    if (next == now) return;
    back_.clear();
    const bool of_another =
        snapshot_->error && ran_.model_file != now.model_file; // what is in sight
    if (of_another && next.model_file == now.model_file && !(next.controls == now.controls)) {
        notice = {kNotRunYet, false};
        return;
    }
    const bool asks = app::run_alike(now, next);
    // A hypothesis is one of its search: of another search the best is shown.
    if (!asks && next.decoding.followed == now.decoding.followed) next.decoding.followed = 0;
    forget_rows_of(now, next);
    const std::size_t entries = history_.made();
    history_.change(std::move(next), change.tag, change.words);
    if (change.seal) history_.seal();
    if (history_.made() > entries && !asks) {
        submit_change();
    } else {
        submit();
    }
}

void Workspace::apply(const Command& command) {
    const auto* change = std::get_if<ChangeDocument>(&command);
    // What was said about an earlier act has been read by the time of the next; while somebody
    // types, what went wrong may not have been.
    const bool types = change && change->of_text;
    const auto* says = std::get_if<Say>(&command);
    // What an act says beside a change of its own stands beside what the change says.
    const bool beside = says && fresh_ && !says->notice.text.empty() && !notice.text.empty();
    const bool stays = std::holds_alternative<Seal>(command) || (types && notice.refusal);
    if (!stays && !beside) {
        const bool read = says && says->notice.text.empty(); // others are still to be
        if (!read) later_.clear();
        notice = {};
        fresh_ = true;
    }
    if (change) {
        apply_change(*change);
    } else if (std::holds_alternative<Seal>(command)) {
        history_.seal();
    } else if (std::holds_alternative<Undo>(command)) {
        undo();
    } else if (std::holds_alternative<Redo>(command)) {
        redo();
    } else if (const auto* focus = std::get_if<ChangeFocus>(&command)) {
        if (focus->focus == focus_) return;
        focus_ = focus->focus;
        submit();
    } else if (std::holds_alternative<Pin>(command)) {
        back_.clear();
        pin_now();
    } else if (const auto* former = std::get_if<PinFormer>(&command)) {
        back_.clear();
        pin_former(former->reference);
    } else if (const auto* keep = std::get_if<Keep>(&command)) {
        back_.clear();
        kept_.push_back(keep->state);
    } else if (const auto* renamed = std::get_if<RenameKept>(&command)) {
        if (renamed->index < kept_.size()) kept_[renamed->index].name = renamed->name;
    } else if (const auto* removed = std::get_if<RemoveKept>(&command)) {
        back_.clear();
        remove_kept(removed->index);
    } else if (needs_run(command) && !snapshot_->run) {
        notice = {"There is nothing to export yet", true};
    } else if (const auto* file = std::get_if<Export>(&command)) {
        go_on_while("Saving \u2026", [command = *file](const app::Snapshot& snapshot) {
            const auto written =
                app::export_to(snapshot, command.view, command.path, command.options);
            return Finished{saved_words(written, command.path), {}};
        });
    } else if (const auto* room = std::get_if<ExportExperiment>(&command)) {
        go_on_while("Saving \u2026", [command = *room](const app::Snapshot&) {
            const auto written = app::export_training(*command.snapshot, command.wish);
            return Finished{saved_words(written, command.wish.path), {}};
        });
    } else if (const auto* picture = std::get_if<ExportFigure>(&command)) {
        go_on_while("Saving \u2026", [command = *picture](const app::Snapshot&) {
            const auto written =
                app::export_figure_to(command.figure, command.path, command.options);
            return Finished{saved_words(written, command.path), {}};
        });
    } else if (const auto* write = std::get_if<WriteFile>(&command)) {
        go_on_while("Saving \u2026", [command = *write](const app::Snapshot&) {
            const auto written = base::write_file_atomic(command.path, command.bytes);
            return Finished{saved_words(written, command.path), {}};
        });
    } else if (says) {
        tell(says->notice);
    } else if (std::holds_alternative<StopReading>(command)) {
        engine_.stop_reading();
    } else if (const auto* copy = std::get_if<CopyNumbers>(&command)) {
        go_on_while("Copying \u2026", [command = *copy](const app::Snapshot& snapshot) {
            auto text = app::numbers_as_text(snapshot, command.view, command.heads);
            if (!text) return Finished{{base::describe(text.error()), true}, {}};
            return Finished{{"Copied the numbers as tab-separated text", false}, *std::move(text)};
        });
    }
}

} // namespace heed::ui
