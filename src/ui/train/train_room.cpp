#include "ui/train/train_room.hpp"

#include "app/training/training_room.hpp"
#include "base/check.hpp"
#include "figure/views/training_room.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/train/pointed_part.hpp"
#include "ui/train/train_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heed::ui {

namespace {

using State = app::ExperimentSnapshot::State;

void keep_view_inside(Panel& p) {
    const auto& trainees = p.experiment.seen().trainees;
    app::TrainingView& view = p.state.train->view;
    if (trainees.empty()) return; // it is prepared
    if (view.trainee >= trainees.size()) view = {trainees.size() - 1, {}};
    if (view.step && !app::frame_of(p.experiment.seen(), view)) view.step.reset();
}

constexpr float kTrainNoticePad = 14, kTrainNoticeAbove = 5;

/// In the place of pictures, where nothing can be learned: what to do. The error itself stands
/// below.
void say_what_to_do(Panel& p, const Box& box) {
    const bool own = !p.state.train->form.file.empty();
    p.ui.canvas.fill(box, p.ui.theme().ground);
    p.ui.canvas.text({box.x, box.y, box.w, box.h}, Face::body, p.ui.theme().muted,
                     own ? "Choose another file or task on the left"
                         : "Choose other settings on the right, or another task on the left",
                     AlignX::centre);
}

/// Scrolls to the map among the pictures, with the words around it as far as there is room.
void bring_map(Panel& p, const figure::Figure& picture, Point at, float room) {
    constexpr float kAbove = 96, kBelow = 24; // its title and the names of its columns
    constexpr float kBeside = 16; // that reveal() leaves free
    for (const figure::Target& target : picture.targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(figure::TrainingPart::alignment)) continue;
        const Box map{at.x, at.y + target.box.y, target.box.w, target.box.h};
        const float free = std::max(room - map.h - kBeside, 0.0f);
        const float below = std::min(free / 4, kBelow), above = std::min(free - below, kAbove);
        p.ui.reveal({map.x, map.y - above, map.w, above + map.h + below});
        p.state.train->brings_map = false;
        p.ui.wake_in(0);
    }
}

/// Pictures of the room; where there is no room for all of them, they are scrolled, beyond what
/// lies over their foot.
void pictures(Panel& p, const Box& box, float covered) {
    Canvas& c = p.ui.canvas;
    constexpr float kCurves = 1.22f; // that these are high enough to be read, too
    const float more = p.state.layout.presenting ? 1 : kCurves; // nobody scrolls there
    const float least = figure::training_room_height(box.w);
    const float height = box.h >= least ? box.h : more * least;
    p.state.picture.width = box.w;
    p.state.picture.height = height;
    c.fill(box, p.ui.theme().ground);
    p.ui.begin_scroll(box, "train/stage", p.state.train->stage_scroll);
    const Point at{box.x, box.y - p.state.train->stage_scroll.offset};
    FigureCache::Key key = figure_key(p, box.w, height);
    key.snapshot = nullptr;
    key.dataset = p.experiment.shared();
    key.training = p.state.train->view;
    const figure::Figure& picture = p.figures.get(FigureCache::Slot::main, key, [&] {
        return app::training_figure(p.experiment.seen(), p.state.train->view, p.state.view.dark,
                                    box.w, height);
    });
    const Box seen{box.x, box.y, box.w - (height > box.h ? Scroll::kThumb : 0), box.h};
    const Press press = p.ui.area(seen, "training", "training", Widget::Kind::area);
    p.ui.tip(
        "Loss and accuracy over the steps, accuracy by length, and what the model attends to.");
    c.paint(picture, at);
    if (p.state.train->brings_map) bring_map(p, picture, at, box.h - covered);
    if (press.hovered) {
        const Point mouse = p.ui.mouse();
        const auto hit = figure::pick(picture, {mouse.x - at.x, mouse.y - at.y});
        if (hit) tell_pointed(p, *hit);
    }
    p.ui.end_scroll(box.y + height + covered);
}

/// What is said over the foot of the pictures, which it does not move.
struct TrainNotice {
    std::string words{};
    bool bad = false;
    Box box{};
};

TrainNotice train_notice(Panel& p, const Box& box) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    std::string words = p.work.notice.text;
    bool bad = p.work.notice.bad;
    if (now.error) {
        words = base::describe(*now.error);
        bad = true;
    }
    for (const app::Trainee& trainee : now.trainees) {
        if (!trainee.error) continue;
        words = models::short_title(trainee.plan.model) + ": " + base::describe(*trainee.error);
        bad = true;
    }
    if (words.empty() && now.save_error) { // it learns on
        words = "Not saved: " + base::describe(*now.save_error);
        bad = true;
    }
    if (words.empty() || p.ui.any_popup()) return {};
    constexpr float kFoot = 2; // below it: it stands where the pictures' own margin is
    Canvas& c = p.ui.canvas;
    const float all = std::ceil(c.width_of(Face::control, words)) + 1;
    const float width = std::min(box.w - 32 - 2 * kTrainNoticePad, all);
    const float height =
        c.paragraph({}, width, Face::control, {}, words, false) + 2 * kTrainNoticeAbove;
    return {words, bad,
            Box{box.x + (box.w - width) / 2 - kTrainNoticePad, box.y + box.h - kFoot - height,
                width + 2 * kTrainNoticePad, height}};
}

void draw_train_notice(Panel& p, const TrainNotice& notice) {
    if (notice.words.empty()) return;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Box& note = notice.box;
    c.fill(note, t.panel, 6);
    c.outline(note, notice.bad ? t.bad : t.border, 6);
    c.paragraph({note.x + kTrainNoticePad, note.y + kTrainNoticeAbove},
                note.w - 2 * kTrainNoticePad, Face::control, notice.bad ? t.bad : t.muted,
                notice.words);
}

/// Settings alone are taken up by another start.
bool is_another(const app::ExperimentForm& form, const app::ExperimentForm& opened) {
    return app::task_word(form) != app::task_word(opened) || form.file != opened.file ||
           form.learns != opened.learns;
}

/// Until it is answered, the form is of what learns, with the settings that were chosen for that.
void ask_first(Panel& p, const app::ExperimentForm& wanted) {
    const app::ExperimentForm& opened = *p.experiment.opened();
    app::ExperimentForm& form = p.state.train->form;
    p.state.train->asked = wanted;
    const auto& left = p.state.train->task_settings;
    const auto own = left.find(app::task_word(opened));
    if (app::task_word(wanted) != app::task_word(opened) && own != left.end()) {
        app::take_settings(form, own->second);
    }
    form.task = opened.task;
    form.file = opened.file;
    form.vectors = opened.vectors;
    form.vocabulary = opened.vocabulary;
    form.learns = opened.learns;
}

bool is_disturbed(const Panel& p) {
    return p.experiment.learning() ||
           (p.experiment.has_progress() && !p.experiment.can_come_back());
}

/// True where a wish needs a question. A run of another task stands beside the present one; other
/// models of the same task would take its place.
bool must_ask(const Panel& p, const app::ExperimentForm& wanted) {
    const bool same = app::task_word(wanted) == app::task_word(*p.experiment.opened());
    return is_disturbed(p) || (same && p.experiment.has_progress());
}

void show_from_the_start(Panel& p) {
    p.state.train->view = {app::first_attending(p.state.train->form), {}};
    p.state.train->film = {};
    p.state.train->asked.reset();
}

} // namespace

std::uint64_t steps_done(const Panel& p) {
    std::uint64_t step = 0;
    for (const app::Trainee& trainee : p.experiment.seen().trainees) {
        step = std::max(step, trainee.step);
    }
    return step;
}

bool is_asked(const Panel& p) {
    return p.state.train->asked.has_value() && p.experiment.opened().has_value();
}

namespace {

void say_kept(Panel& p) {
    if (!p.experiment.has_progress() || !p.experiment.can_come_back()) {
        if (tells_of_sentences(p)) p.commands.push_back(Say{});
        return;
    }
    const std::string task = sentences_title(p, app::task_word(*p.experiment.opened()));
    // One that learns ends a few steps later.
    const std::string where =
        p.experiment.learning() ? "" : fmt::format(" at step {}", steps_done(p));
    p.commands.push_back(Say{{fmt::format("{} is kept{}. Choose it again to go back.", task, where),
                              false, app::View::train}});
}

/// Goes back, in turn, to the runs of a task that were left.
void go_back(Panel& p, const std::string& task) {
    say_kept(p);
    show_from_the_start(p);
    p.experiment.come_back_to(task);
}

} // namespace

bool take_up(Panel& p, const app::ExperimentForm& form) {
    const auto& opened = p.experiment.opened();
    const bool another = opened && app::task_word(form) != app::task_word(*opened);
    p.state.train->form = form;
    say_kept(p);
    show_from_the_start(p);
    if (another && p.experiment.come_back_to(app::task_word(form))) return false;
    p.experiment.switch_to(form);
    return true;
}

void begin_run(Panel& p, const app::ExperimentForm& form) {
    if (take_up(p, form)) p.experiment.play();
}

bool chooses_left_run(Panel& p, const std::string& word) {
    const auto& opened = p.experiment.opened();
    if (!opened || word != app::task_word(*opened) || p.state.train->asked) return false;
    const bool disturbed = p.experiment.learning() || p.experiment.has_progress();
    if (disturbed && !p.experiment.can_come_back()) return false;
    if (!p.experiment.runs().of_task(word)) return false;
    go_back(p, word);
    return true;
}

void keep_experiment_fresh(Panel& p) {
    const auto& opened = p.experiment.opened();
    if (p.experiment.resuming() || opened == p.state.train->form) return;
    const app::ExperimentForm wanted = p.state.train->form;
    if (!opened) {
        show_from_the_start(p);
        p.experiment.open(wanted);
    } else if (is_another(wanted, *opened)) {
        if (must_ask(p, wanted)) return ask_first(p, wanted);
        take_up(p, wanted);
    } else if (!p.experiment.has_progress() && !p.experiment.learning()) {
        show_from_the_start(p);
        p.experiment.open(wanted);
    }
}

void toggle_experiment(Panel& p) {
    if (is_asked(p)) return;
    if (p.experiment.learning()) {
        p.experiment.pause();
    } else if (p.experiment.seen().state != State::finished) {
        p.experiment.play();
        p.state.train->view.step.reset();
    }
}

void step_experiment(Panel& p) {
    if (is_asked(p)) return;
    p.state.train->view.step.reset();
    p.experiment.step();
}

app::ExperimentForm asked_form(const Panel& p) {
    app::ExperimentForm asked = *p.state.train->asked;
    const bool same = app::task_word(asked) == app::task_word(*p.experiment.opened());
    if (same) app::take_settings(asked, p.state.train->form);
    return asked;
}

namespace {

/// True where another run would cost steps that nothing brings back.
bool would_lose(const Panel& p) {
    return p.experiment.opened() && p.experiment.has_progress() && !p.experiment.can_come_back();
}

} // namespace

void prepare_fresh_run(Panel& p) {
    if (is_asked(p)) return;
    if (would_lose(p)) {
        p.state.train->asked = p.state.train->form;
        return;
    }
    take_up(p, p.state.train->form);
}

void start_experiment_over(Panel& p) {
    if (is_asked(p)) return;
    if (would_lose(p)) {
        p.state.train->asked = p.state.train->form;
        return;
    }
    const std::size_t trainee = p.state.train->view.trainee;
    begin_run(p, p.state.train->form);
    p.state.train->view.trainee = trainee;
}

std::string kept_model_path(const Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const app::Trainee& trainee = now.trainees[p.state.train->view.trainee];
    const std::optional<std::uint64_t> step = p.state.train->view.step;
    const train::FilmFrame* frame = step ? train::frame_at(trainee.history->film, *step) : nullptr;
    const std::uint64_t taken = app::result_step(trainee);
    std::string name =
        fmt::format("{}-{}-step-{}", now.dataset->provenance.task,
                    models::short_title(trainee.plan.model), frame ? frame->step : taken);
    for (char& letter : name) {
        if (std::string_view(" +,/").find(letter) != std::string_view::npos) letter = '-';
    }
    const auto both_dashes = [](char a, char b) { return a == '-' && b == '-'; };
    name.erase(std::unique(name.begin(), name.end(), both_dashes), name.end());
    const std::string path = app::models_folder() + "/" + name;
    std::error_code ignored;
    for (int i = 1;; ++i) { // another experiment may have had one of this name
        const std::string free =
            fmt::format("{}{}.safetensors", path, i == 1 ? "" : fmt::format("-{}", i));
        if (i == 1000 || !std::filesystem::exists(free, ignored)) return free;
    }
}

void explore_learner(Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (p.state.train->view.trainee >= now.trainees.size() || p.experiment.keeping()) return;
    const app::Trainee& trainee = now.trainees[p.state.train->view.trainee];
    const std::optional<std::uint64_t> replayed = p.state.train->view.step;
    const train::FilmFrame* frame =
        replayed ? train::frame_at(trainee.history->film, *replayed) : nullptr;
    const auto model = frame ? frame->model : app::result_of(trainee);
    if (!model) return;
    const std::uint64_t step = frame ? frame->step : app::result_step(trainee);
    models::Findings found{.aligned_by = app::head_of(trainee, {app::AlignedBy::Kind::best}),
                           .steps = static_cast<std::int64_t>(step)};
    const train::HeldOutPoint* measured = train::measured_at(*trainee.history, step);
    if (measured && measured->step == step) found.exact_match = measured->measures.exact_match;
    p.experiment.keep(model, kept_model_path(p), found);
}

void class_keys(Panel& p) {
    const bool at_rest = !p.ui.any_popup() && !p.ui.typing() && !p.ui.keyboard_visible() &&
                         !p.state.letters.going_on(ImGui::GetTime());
    if (!at_rest || shim::command_down() || shim::alt_down()) return;
    const State now = p.experiment.seen().state;
    if (shim::key_pressed(shim::Key::space, false) && now != State::empty) toggle_experiment(p);
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    if (typed.contains('.') && now == State::paused) step_experiment(p);
    if (shim::key_pressed(shim::Key::left, true)) move_film(p, -1);
    if (shim::key_pressed(shim::Key::right, true)) move_film(p, 1);
}

void train_stage(Panel& p, const Box& box) {
    keep_experiment_fresh(p);
    class_keys(p);
    remember_own_file(p);
    keep_view_inside(p);
    play_film_on(p);
    const Box stage = quiet_bars(p, box);
    const TrainNotice notice = train_notice(p, stage);
    if (!notice.words.empty()) {
        const bool closes = notice.bad && notice.words == p.work.notice.text;
        const Press press = p.ui.area(notice.box, "train/notice", notice.words,
                                      closes ? Widget::Kind::button : Widget::Kind::area);
        p.ui.tip(closes       ? "Click or press Esc to hide this"
                 : notice.bad ? "What went wrong"
                              : "What was done last; it goes by itself");
        if (closes && press.clicked) p.commands.push_back(Say{});
    }
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.error && now.trainees.empty()) {
        say_what_to_do(p, stage);
    } else { // what is said for long is scrolled away from what it lies on
        pictures(p, stage, notice.bad ? notice.box.h : 0);
    }
    draw_train_notice(p, notice);
}

} // namespace heed::ui
