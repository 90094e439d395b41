// Files that come into the window, and sessions that go out.
#include "app/document/carried_edits.hpp"
#include "app/document/changes.hpp"
#include "app/document/prepare_image.hpp"
#include "app/files/model_opening.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/model/titles.hpp"
#include "models/model/traits.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/chords.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/train/train_state.hpp"
#include "ui/window/shell.hpp"

#include <algorithm>
#include <filesystem>
#include <type_traits>
#include <utility>

namespace heed::ui {

namespace {

std::string name_of(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// True of a path that may be of sentences to learn from.
bool may_hold_sentences(const std::string& path) {
    constexpr std::string_view kOthers[] = {".safetensors", ".json", ".npz", ".gguf"};
    return std::ranges::none_of(kOthers, [&](auto end) { return path.ends_with(end); });
}

/// "English → français · transformer", "gpt2".
std::string title_of(const std::string& path) {
    const app::ShippedTitle title = app::file_title(path);
    return title.kind.empty() ? title.task : title.task + " \u00b7 " + title.kind;
}

/// True of a session that is there, whose model is not.
bool lacks_model(const std::string& path) {
    std::error_code failed;
    return path.ends_with(".json") && std::filesystem::exists(path, failed);
}

/// Words for a file that is not there, or lacks its model, and what helps.
std::string none_words(const std::string& path, const base::Error& error) {
    return path + ": " + error.message +
           (lacks_model(path)
                ? ". Put the model beside the session"
                : ". Check the path, or find the file with " + keys_of(ActionId::open) +
                      "; it can also be dropped on the window");
}

} // namespace

Surroundings Shell::surroundings() const {
    return {work.focus(),       state.view, work.pinned(), work.kept(), state.files.session_file,
            state.files.session};
}

void Shell::put(Surroundings now) {
    now.view.dark = state.view.dark; // the theme is the window's own
    state.view = std::move(now.view);
    state.choices.painting = false;
    state.choices.filtered_heads = {};
    state.explore->renaming.reset();
    selected_in_.reset(); // what was chosen then comes with it
    state.stage->zoomed_text.reset();
    state.files.session_file = std::move(now.session_file);
    state.files.session = now.session;
    work.pin(std::move(now.pinned));
    work.set_kept(std::move(now.kept));
    work.apply(ChangeFocus{std::move(now.focus)});
}

app::Session Shell::session() const {
    app::Session now{work.document(), work.focus(), state.view, work.pinned(), work.kept()};
    if (!app::of_snapshot(now.view.view)) now.view.view = state.choices.explore_view;
    return now;
}

void Shell::open_file(const std::string& path) {
    offers_sentence_ = false;
    dropped_.forget();
    wake();
    if (path.ends_with(".md") && take_lesson(state, work.notice, app::whole_path(path)))
        return void(opens_first = false);
    if (state.view.view == app::View::train && may_hold_sentences(path)) {
        dropped_path_ = app::whole_path(path);
        dropped_.ask([file = dropped_path_] {
            std::error_code failed;
            return std::filesystem::is_directory(file, failed);
        });
        return take_dropped();
    }
    desk_.open(app::whole_path(path));
    offer_sentence();
}

/// A file is of sentences to learn from, a folder of a model.
void Shell::take_dropped() {
    const auto folder = dropped_.take();
    if (!folder) return;
    wake();
    if (!*folder) return app::choose_file(state.train->form, dropped_path_);
    desk_.open(dropped_path_);
    offer_sentence();
}

void Shell::open_first(const app::FileOpened& checkpoint) {
    offer_sentence();
    take_opened(checkpoint);
}

bool Shell::busy_with_files() const {
    return desk_.busy() || state.dialogs->looks_at_path || dropped_.asks();
}

void Shell::save_file(const std::string& path) {
    wake();
    desk_.save(session(), app::whole_path(path));
}

void Shell::take_files() {
    take_dropped();
    while (const auto done = desk_.take()) {
        wake();
        if (const auto* saved = std::get_if<app::FileSaved>(&*done)) {
            take_saved(*saved);
        } else {
            take_opened(std::get<app::FileOpened>(*done));
        }
    }
}

void Shell::take_saved(const app::FileSaved& saved) {
    if (saved.path == state.files.before_opening) { // unasked
        if (saved.result) app::note_recent(state.files.recent_files, saved.path);
        return;
    }
    if (!saved.result) {
        fail(base::describe(saved.result.error()));
        return;
    }
    state.files.session_file = saved.path;
    app::note_recent(state.files.recent_files, saved.path);
    state.dialogs->files.closes = true;
    work.notice = {"Saved " + saved.path, false};
}

namespace {

/// Puts a text where the model reads it; false where it reads none.
bool read_text(app::Document& document, const std::string& text, const models::Traits& reader) {
    if (reader.reads_pictures || reader.weights_alone) return false;
    (reader.reads_source ? document.source : document.target) = text;
    return true;
}

} // namespace

void Shell::take_opened(const app::FileOpened& opened) {
    const std::string name = name_of(opened.path);
    if (!opened.result) {
        const base::Error& error = opened.result.error();
        const bool none = error.kind == base::ErrorKind::not_found; // then where it was looked for
        const WayOut way = none && !lacks_model(opened.path) ? WayOut::open : WayOut::none;
        return fail(none ? none_words(opened.path, error) : name + ": " + error.message, true, way);
    }
    Opening opening{.path = opened.path, .history = work.history(), .before = surroundings()};
    const bool over = !openings_.empty() && work.document() == openings_.back().document;
    app::Document document = work.document();
    if (const auto* file = std::get_if<app::OpenedSession>(&*opened.result)) {
        const app::Session& session = file->session;
        opening.remark = file->remark;
        if (!state.files.before_opening.empty())
            desk_.save(this->session(), state.files.before_opening);
        work.open(session.document, "opened " + name);
        former_[work.history().id()] = opening.before;
        // That file is overwritten at the next opening: it is no place to save to.
        const bool own = opened.path == state.files.before_opening;
        put({session.focus, session.view, session.pinned, session.kept, own ? "" : opened.path,
             work.history().id()});
    } else if (const auto* text = std::get_if<app::OpenedText>(&*opened.result)) {
        if (!read_text(document, text->sentence, models::traits(work.reader().config))) {
            return fail(name + " is a text, which the model that is open does not read");
        }
        app::Carried carried = app::carried(work.document(), std::move(document), work.reader());
        opening.remark = app::let_go_words(carried);
        const app::Document before = work.document();
        const std::size_t entry = work.history().id();
        work.open(std::move(carried.document), "source from " + name);
        move_pins(before, entry);
    } else if (std::holds_alternative<app::OpenedPicture>(*opened.result)) {
        if (!app::reads_pictures(work.reader().config)) {
            return fail(name + " is a picture: open a ViT or DeiT first, which reads it");
        }
        document.image_file = opened.path;
        work.open(std::move(document), "picture " + name);
    } else {
        state.view.compare = app::Compare::off; // with what was done to another model
        app::ModelOpening model =
            app::model_opening(opened.path, std::get<app::OpenedModel>(*opened.result),
                               std::move(document), work.focus(), work.reader().config);
        if (model.clears_changes) opening.remark = app::kChangesCleared;
        opening.of_sentence = model.has_sentence;
        work.open(std::move(model.document), "model " + title_of(opened.path));
        work.apply(ChangeFocus{model.focus});
    }
    opening.document = work.document();
    opening.revision = work.requested_revision();
    if (opening.document.model_file.empty()) {
        end_well(opening);
    } else { // whether its model can be read is known when the engine has
        work.notice = {"Opening " + title_of(opened.path) + " \u2026", false};
        if (!over) openings_.clear();
        openings_.push_back(std::move(opening));
    }
}

void Shell::watch_opening() {
    if (openings_.empty() || work.snapshot().revision < openings_.back().revision) return;
    const Opening opening = std::move(openings_.back());
    openings_.pop_back();
    if (!work.snapshot().error) {
        openings_.clear();
        end_well(opening);
        return;
    }
    // What was done since then stands on it: the error stays in sight, and undo leads back.
    if (!(work.document() == opening.document)) return openings_.clear();
    const base::Error error = *work.snapshot().error;
    const std::string name = name_of(opening.path);
    const std::string why = name_of(error.subject) == name ? error.message : base::describe(error);
    const std::string after = opening.again && work.notice.bad ? work.notice.text + ". " : "";
    former_.erase(work.history().id());
    work.go_back_to(opening.history);
    put(opening.before);
    if (!openings_.empty()) {
        openings_.back().revision = work.requested_revision();
        openings_.back().again = true;
    }
    if (error.kind == base::ErrorKind::cancelled) {
        state.dialogs->files.closes = true;
        return tell({after + stopped_words(), !after.empty()});
    }
    fail(after + name + " was not opened: " + why, true);
}

std::string Shell::stopped_words() const {
    if (!openings_.empty()) return "Stopped; " + title_of(openings_.back().path) + " is read again";
    return work.snapshot().run ? "Stopped; " + work.ran_title() + " is still open" : "Stopped";
}

void Shell::fail(const std::string& why, bool refusal, WayOut way) {
    state.dialogs->files.failed = true;
    tell({.text = why, .bad = true, .refusal = refusal, .way = way});
}

void Shell::tell(Notice notice) {
    offers_sentence_ = opens_first = false; // it was not opened
    work.notice = std::move(notice);
    wake();
}

void Shell::end_well(const Opening& opening) {
    if (std::exchange(opens_first, false)) work.forget_until(opening.history.id());
    app::note_recent(state.files.recent_files, opening.path);
    state.dialogs->files.closes = true;
    const bool pictures = app::reads_pictures(work.reader().config);
    if (pictures && state.view.view == app::View::heatmap) state.view.view = app::View::picture;
    if (opening.of_sentence) {
        state.view.selected.reset();
        selection_offered_ = false;
    }
    const bool model = opening.document.model_file == opening.path;
    if (model) {
        leave_filter(opening.history.id(), filter_now());
        const models::Config& config = work.reader().config;
        state.files.model_words[opening.path] =
            models::traits(config).weights_alone ? "attention weights" : models::size_title(config);
    }
    offers_sentence_ = model;
    const std::string words = "Opened " + (model ? title_of(opening.path) : name_of(opening.path));
    if (opening.again && work.notice.bad) return wake(); // why the one after it did not open
    work.notice = opening.remark.empty() ? Notice{words, false}
                                         : Notice{words + ". " + opening.remark, false};
    wake();
}

Holds Shell::holds() const {
    if (state.open_dialog || ui.awaits_field()) return Holds::everything;
    const bool in_sentence = ui.edited_sentence().has_value(); // of the former model
    const bool letters = offers_sentence_ && app::of_snapshot(state.view.view) &&
                         (!ui.typing() || in_sentence);
    return letters && !ui.any_popup() ? Holds::letters : Holds::nothing;
}

void Shell::give_sentence_keys() {
    if (!offers_sentence_ || desk_.busy() || !openings_.empty()) return;
    if (ui.any_popup() || (!work.snapshot().run && !work.snapshot().error)) return;
    const bool waited = holds() == Holds::letters;
    offers_sentence_ = false;
    const models::Traits traits = models::traits(work.reader().config);
    if (!waited || work.snapshot().error || traits.reads_pictures || traits.weights_alone) return;
    ui.offer(traits.reads_source ? "source" : "target");
}

Shell::Filter Shell::filter_now() const {
    return {state.view.pinned_queries, state.view.pinned_keys, state.view.slots};
}

void Shell::leave_filter(std::size_t left, Filter filter) {
    app::ViewState& view = state.view;
    filters_[left] = std::move(filter);
    const auto here = filters_.find(work.history().id());
    Filter now = here == filters_.end() ? Filter{} : here->second;
    view.pinned_queries = std::move(now.queries);
    view.pinned_keys = std::move(now.keys);
    view.slots = std::move(now.slots);
}

void Shell::step(const Command& command) {
    const std::size_t from = work.history().id();
    const auto* change = std::get_if<ChangeDocument>(&command);
    const bool moves = (change != nullptr && change->of_text) ||
                       std::holds_alternative<Undo>(command) ||
                       std::holds_alternative<Redo>(command);
    const std::optional<app::Document> before =
        moves ? std::optional(work.document()) : std::nullopt;
    const std::string model = work.document().model_file;
    Filter filter = filter_now();
    work.apply(command);
    const std::size_t to = work.history().id();
    if (before) move_pins(*before, from);
    if (work.document().model_file != model) leave_filter(from, std::move(filter));
    if (from == to) return;
    // Over the border at which a session was opened, what lay around the document changes too.
    const bool back = std::holds_alternative<Undo>(command);
    if (!back && !std::holds_alternative<Redo>(command)) return;
    const auto border = former_.find(back ? from : to);
    if (border != former_.end()) put(std::exchange(border->second, surroundings()));
}

/// True where undo or redo goes over an act before the last one, and what is filtered is as that
/// act left it: what was pinned before it counts again.
bool Shell::recall_pins(const Pins& here, std::size_t from, std::size_t to) {
    const auto at =
        std::find_if(pins_earlier_.rbegin(), pins_earlier_.rend(), [&](const PinsBefore& one) {
            return one.has(from) && one.has(to) && one.left.queries == here.queries &&
                   one.left.keys == here.keys;
        });
    if (at == pins_earlier_.rend()) return false;
    std::swap(*pins_before_, *at);
    return true;
}

void Shell::move_pins(const app::Document& before, std::size_t entry) {
    const app::Document& now = work.document();
    if (app::same_text(before, now)) return;
    app::ViewState& view = state.view;
    const Pins here{view.pinned_queries, view.pinned_keys, view.selected};
    const std::size_t to = work.history().id();
    // While a word is typed, over pauses too, what was pinned before is what counts: its letters
    // come and go. So it is when the typing is undone.
    const bool same = pins_before_ && pins_before_->left == here;
    if (same && entry == pins_before_->to && to > entry && work.history().continues()) {
        pins_before_->to = to;
    }
    const bool goes_on = (same && pins_before_->has(to)) || recall_pins(here, entry, to);
    if (!goes_on && here == Pins{}) return;
    if (!goes_on) {
        constexpr std::size_t kMost = 100; // acts
        if (pins_before_) pins_earlier_.push_back(std::move(*pins_before_));
        if (pins_earlier_.size() > kMost) pins_earlier_.erase(pins_earlier_.begin());
        pins_before_ = PinsBefore{entry, to, before, here, {}};
    }
    if (app::same_text(pins_before_->document, now)) { // what a model says by itself, too
        pins_before_->left = pins_before_->pins;
        view.pinned_queries = pins_before_->pins.queries;
        view.pinned_keys = pins_before_->pins.keys;
        view.selected = pins_before_->pins.selected;
        return;
    }
    const trace::AttentionKind kind = work.focus().head.kind;
    const app::TokenMoves moves = app::token_moves(pins_before_->document, now, work.reader());
    const Pins& pins = pins_before_->pins;
    view.pinned_queries = app::moved(pins.queries, moves.queries(kind));
    view.pinned_keys = app::moved(pins.keys, moves.keys(kind));
    if (pins.selected) { // points out a place; it stays where its words are gone
        const auto query = app::moved({pins.selected->first}, moves.queries(kind));
        const auto key = app::moved({pins.selected->second}, moves.keys(kind));
        if (!query.empty() && !key.empty()) view.selected = {query[0], key[0]};
    }
    pins_before_->left = {view.pinned_queries, view.pinned_keys, view.selected};
}

void Shell::carry_out(const Command& command) {
    if (const auto* open = std::get_if<OpenFile>(&command)) {
        open_file(open->path);
    } else if (const auto* save = std::get_if<SaveFile>(&command)) {
        save_file(save->path);
    } else {
        step(command);
    }
}

} // namespace heed::ui
