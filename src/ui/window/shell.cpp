#include "ui/window/shell.hpp"

#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"
#include "app/training/training_room.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "ui/actions/keys.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/dialogs/export_dialog.hpp"
#include "ui/dialogs/keys_dialog.hpp"
#include "ui/explore/colours_section.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/heads_panel.hpp"
#include "ui/explore/inspector.hpp"
#include "ui/explore/kept_section.hpp"
#include "ui/explore/strip_panel.hpp"
#include "ui/explore/top_bar.hpp"
#include "ui/frame/choices.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/stage/map_panel.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/train/experiment_dialogs.hpp"
#include "ui/train/experiment_export.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/window/cues.hpp"
#include "ui/window/rail.hpp"
#include "ui/window/reading_bar.hpp"

#include <algorithm>
#include <utility>

namespace heed::ui {

void set_style() {
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = ImVec2(0, 0);
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.ItemSpacing = ImVec2(0, 0);
    style.FrameBorderSize = 0;
    style.AntiAliasedLines = style.AntiAliasedFill = true;
    style.CircleTessellationMaxError = 0.15f;
    style.CurveTessellationTol = 0.6f;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false; // nothing moves while nobody types
    io.ConfigWindowsMoveFromTitleBarOnly = true;
}

Shell::Shell(Renderer& renderer, Fonts& fonts, app::Engine& engine, app::Document document,
             app::Focus focus, app::ViewState view, bool asks)
    : ui(renderer, fonts),
      work(engine, std::move(document), focus, app::needs_of(view, focus), asks) {
    state.view = view;
    state.stage = std::make_shared<StageState>();
    state.explore = std::make_shared<ExploreState>();
    state.dialogs = std::make_shared<DialogState>();
    state.train = std::make_shared<TrainState>();
    fonts.note(work.document().source);
    fonts.note(work.document().target);
}

void Shell::splitters(const Places& at) {
    bool reset = false;
    app::PanelSizes& l = state.layout.panels;
    const auto drag = [&](const Box& box, const char* id, bool upright) {
        const float by = ui.splitter(box, id, upright, reset);
        ui.tip("Drag to resize. Double click: first size");
        return by;
    };
    const Box &left = at.of(Edge::left), &right = at.of(Edge::right), &low = at.of(Edge::bottom);
    if (at.docks(Edge::left)) {
        l.left += drag({left.x + left.w - 3, left.y, 6, left.h}, "split/left", true) / at.spare;
        if (reset) l.left = app::PanelSizes{}.left;
    }
    if (at.docks(Edge::right)) {
        l.right -= drag({right.x - 3, right.y, 6, right.h}, "split/right", true) / at.spare;
        if (reset) l.right = app::PanelSizes{}.right;
    }
    if (at.docks(Edge::bottom)) {
        l.bottom -= drag({low.x, low.y - 3, low.w, 6}, "split/bottom", false);
        if (reset) l.bottom = app::PanelSizes{}.bottom;
    }
}

void Shell::draw(Panel& panel, Edge edge, const Box& box) {
    const bool trains = state.view.view == app::View::train;
    const bool learns = state.view.view == app::View::learn;
    Box rest = box;
    switch (edge) {
    case Edge::left:
        if (state.layout.presenting) { // rooms and panel together
            rest = {box.x + kRail, box.y, box.w - kRail, box.h};
            rail(panel, {box.x, box.y, kRail, box.h});
        }
        if (learns) return learn_left(panel, rest);
        return trains ? train_left(panel, rest) : heads_panel(panel, rest);
    case Edge::right:
        if (state.view.view == app::View::inside) return inside_right(panel, box);
        if (learns) return learn_right(panel, box);
        return trains ? train_right(panel, box) : inspector(panel, box);
    case Edge::bottom: return trains ? film_panel(panel, box) : strip_panel(panel, box);
    case Edge::top:
        if (box.h > kTopBar) {
            ui.canvas.fill({box.x, box.y + kTopBar, box.w, box.h - kTopBar}, ui.theme().panel);
            view_tabs(panel, {box.x, 0, box.w, 0}, box.y + kTopBar - 4);
        }
        rest.h = kTopBar;
        return trains ? train_bar(panel, rest) : top_bar(panel, rest);
    }
}

namespace {

/// A side's panel over the stage ends above what went wrong there, so that both can be read.
Box above_failure(const std::optional<Box>& failure, Edge edge, Box panel) {
    if (!failure || (edge != Edge::left && edge != Edge::right)) return panel;
    const bool meets = failure->x <= panel.x + panel.w && panel.x <= failure->x + failure->w;
    const bool low = failure->y > panel.y + panel.h / 2;
    if (meets && low) panel.h = std::min(panel.h, failure->y - 1 - panel.y);
    return panel;
}

} // namespace

void Shell::layout(Panel& panel) {
    app::PanelSizes& l = state.layout.panels;
    state.stage->failure.reset();
    const app::Cues& cues = state.layout.cues;
    const bool cued = cues.type || cues.head || cues.control;
    const bool told = !work.notice.text.empty() && !work.notice.bad;
    ui.canvas.keeps_drawn = cued || told; // they look for a free place
    l.left = std::clamp(l.left, 200.0f, 520.0f);
    l.right = std::clamp(l.right, 270.0f, 620.0f);
    l.bottom = std::clamp(l.bottom, 84.0f, 260.0f);
    const Places at = places_of(ui, state);
    edge_panels_.begin(panel, at);
    splitters(at);
    const Box stage = lesson_card(panel, at.stage);
    if (state.view.view == app::View::train) {
        train_stage(panel, stage);
    } else if (state.view.view == app::View::learn) {
        learn_stage(panel, stage);
    } else {
        let_go_of_zoom(panel);
        map_panel(panel, stage);
    }
    state.layout.seen_panels = at.docked;
    for (const Edge edge : {Edge::bottom, Edge::left, Edge::right}) {
        if (at.docks(edge)) draw(panel, edge, at.of(edge));
    }
    if (at.rail.w > 0) rail(panel, at.rail);
    if (at.docks(Edge::top)) draw(panel, Edge::top, at.of(Edge::top));
    edge_panels_.draw_handles(panel);
    const auto over = edge_panels_.over(at);
    std::optional<Box> covered; // by a panel and its shadow
    if (over) {
        state.layout.seen_panels[index_of(over->first)] = true;
        const Box box = above_failure(state.stage->failure, over->first, over->second);
        constexpr float kShadow = 12;
        covered = inset(box, -kShadow, -kShadow);
        ui.begin_over("over", box);
        ui.canvas.shadow(box, 0);
        draw(panel, over->first, box);
        ui.end_over();
    }
    const bool taught = follows_lesson(state) || state.view.view == app::View::learn;
    if (!state.layout.presenting && !taught) show_cues(panel, covered);
    point_for_lesson(panel);
    hold_pointer(panel);
    reading_bar(panel, at.stage);
    cards(panel);
}

namespace {

/// Draws the export card of the room that is shown.
void export_dialog_of(Panel& panel) {
    switch (panel.state.view.view) {
    case app::View::train: return experiment_export_dialog(panel);
    case app::View::learn: return learn_export_dialog(panel);
    default: return export_dialog(panel);
    }
}

} // namespace

void Shell::cards(Panel& panel) {
    state.dialogs->looks_at_path = false; // unless the card does
    if (ui.popup_open(CardId::export_picture)) export_dialog_of(panel);
    save_dialog(panel);
    open_dialog(panel);
    keys_dialog(panel);
    search_dialog(panel);
    colours_dialog(panel);
    data_dialog(panel);
    corpus_dialog(panel);
    leave_dialog(panel);
}

void Shell::wish_to_leave() {
    state.leaving.asked = false;
    wake();
    if (experiment.has_unsaved_steps()) {
        state.open_dialog = CardId::leave_experiment;
    } else {
        state.leaving.granted = true;
    }
}

/// A model of the class that was written to a file is opened in Explore.
void Shell::take_class() {
    const bool resumed = experiment.resuming();
    if (experiment.poll()) busy_frames_ = std::max(busy_frames_, 1);
    if (resumed && !experiment.resuming()) {
        if (experiment.opened()) {
            state.train->form = *experiment.opened();
        } else {
            // Another class may begin; before its first step it is asked again.
            fail(base::describe(*experiment.seen().error));
            experiment.look_for_saved();
        }
        state.train->view = {app::first_attending(state.train->form), {}};
        state.train->asked.reset();
        wake();
    }
    if (const auto ended = experiment.save_ended()) {
        wake();
        if (*ended) {
            state.leaving.granted = state.leaving.when_saved;
        } else {
            fail(base::describe(ended->error()));
        }
    }
    const auto kept = experiment.take_kept();
    if (!kept) return;
    wake();
    if (!*kept) {
        fail(base::describe(kept->error()));
        return;
    }
    if (state.view.view == app::View::train) state.view.view = state.choices.explore_view;
    open_file(**kept);
}

void Shell::let_go_of_brush() {
    // It was taken up for one map, and paints no other.
    const trace::HeadId& head = work.focus().head;
    if (head != brush_at_ || app::info(state.view.view).shows != app::Shows::map)
        state.choices.painting = false;
    brush_at_ = head;
}

std::string Shell::title() const {
    const bool trains = state.view.view == app::View::train;
    if (state.view.view == app::View::learn) return "Heed \u2014 Learn";
    const models::Config& config = work.config();
    const std::string head = models::traits(config).is_stepwise() // which has one
                                 ? ""
                                 : " · " + app::head_title(work.focus().head);
    const std::string what = trains ? app::training_name(experiment.seen(), state.train->view)
                                    : app::model_title(work.document().model_file, config) + head;
    return "Heed \u2014 " + (what.empty() ? "Train" : what);
}

/// Marks what takes longer than a moment as not there yet; what takes a moment changes no picture.
void Shell::watch_waiting() {
    constexpr float kMoment = 0.3f; // seconds
    waiting_ = work.up_to_date() ? 0 : waiting_ + std::min(ui.seconds_passed(), kMoment / 2);
    state.stage->waits = waiting_ >= kMoment;
    if (!work.up_to_date() && !state.stage->waits) ui.wake_in(kMoment / 2);
}

/// Lets go of a notice: what went well is said for a while, what went wrong until it is closed or
/// the next act.
void Shell::let_go_of_notice() {
    Notice& notice = work.notice;
    constexpr float kOfLetter = 0.06f; // seconds, read at ease
    const float read = std::min(3 + kOfLetter * static_cast<float>(notice.text.size()), 10.0f);
    const bool news = notice.text != notice_read_; // the time that passed was before it
    const bool covered = ui.any_popup();           // it is not drawn under a card
    notice_seconds_ = news ? 0 : notice_seconds_ + (covered ? 0 : ui.seconds_passed());
    notice_read_ = notice.text;
    if (notice.room && *notice.room != state.view.view) notice = {};
    if (notice.text.empty() || notice.bad || work.saving()) return;
    if (notice_seconds_ >= read) {
        notice = {};
        ui.wake_in(0); // another one may wait for its place
    } else {
        ui.wake_in(read - notice_seconds_);
    }
}

float Shell::wants_frame_in() const {
    constexpr float kLook = 0.02f; // whether a file is read or written
    const float due = ui.wants_frame_in();
    const bool busy = work.saving() || busy_with_files() || experiment.keeping() ||
                      experiment.saving() || experiment.resuming() ||
                      (state.view.view == app::View::learn && learn_is_busy(state));
    return busy && (due < 0 || due > kLook) ? kLook : due;
}

float Shell::magnification(float height) const {
    constexpr float kLarger = 1.5f;
    constexpr float kCards = 710, kInside = 636; // points that cards need
    constexpr float kTrain = 660;                // above a film
    if (!state.layout.presenting) return 1;
    const app::View view = state.view.view;
    if (app::in_explore(view) || view == app::View::learn) return kLarger;
    const float needed = view == app::View::train    ? kTrain
                         : view == app::View::inside ? kInside
                                                     : kCards;
    return std::clamp(height / needed, 1.f, kLarger);
}

void Shell::frame(float scale) {
    if (busy_frames_ > 0) --busy_frames_;
    const bool compares = state.view.compare != app::Compare::off;
    work.hold_against(compares ? std::optional(state.view.against) : std::nullopt);
    if (work.poll()) busy_frames_ = std::max(busy_frames_, 2);
    take_files();
    take_class();
    watch_opening();
    give_sentence_keys();
    follow_selection();
    offer_selection();
    remember_word();
    let_go_of_brush();
    fit_view();
    const figure::Theme& theme = state.view.dark ? figure::dark_theme() : figure::light_theme();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ui.begin_frame(theme, scale, size.x / scale, size.y / scale);

    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("heed", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoNav);
    let_go_of_notice();
    watch_waiting();
    if (!state.asked_page.empty()) show_page(state, std::exchange(state.asked_page, {}));
    if (!state.asked_card.empty()) follow_lesson(state, std::exchange(state.asked_card, {}));
    Panel panel{ui, work, state, figures, commands_, experiment};
    if (state.open_dialog) {
        work.clear_notices();
        ui.open_popup(*state.open_dialog);
        state.open_dialog.reset();
    }
    state.stage->pointed = std::exchange(state.stage->pointing, {});
    state.stage->pointed_head.reset();
    state.stage->pointed_word.reset();
    state.stage->over_heads = false;
    close_name(panel);
    layout(panel);
    window_keys(panel);
    // The pointer's own shape lies above panels: what follows a drag needs another frame.
    ImGui::SetCursorScreenPos({0, 0});
    ImGui::Dummy({0, 0});
    ImGui::End();
    ui.end_frame();

    if (state.stage->pointing != state.stage->pointed) busy_frames_ = std::max(busy_frames_, 1);
    if (!commands_.empty()) busy_frames_ = 3;
    for (const Command& command : commands_) {
        follow_cues(state.layout.cues, panel, command);
        carry_out(command);
    }
    commands_.clear();
    // What the view shows decides what the engine has to make ready.
    app::Needs wanted = app::needs_of(state.view, work.focus());
    if (!wanted.any_step && !traits_now(panel).is_stepwise()) wanted.step.reset(); // it has none
    // Heads are kept one after the other by Shift+click: the grid stays while Shift is held, and
    // then until the pointer has left it.
    const bool goes_on =
        choosing_heads_ && state.stage->over_heads && docked_heads_ != wanted.slots;
    choosing_heads_ = state.view.view == app::View::heads && (shim::shift_down() || goes_on);
    if (!choosing_heads_) docked_heads_ = wanted.slots;
    wanted.slots = docked_heads_;
    if (const auto& run = work.snapshot().run) {
        wanted.effects |= app::tells_worth(*run->model, work.focus().head.kind);
    }
    if (work.need(wanted) || state.open_dialog) busy_frames_ = 3;
    if (shim::input_waits()) busy_frames_ = std::max(busy_frames_, 1);
    ++frames_;
}

} // namespace heed::ui
