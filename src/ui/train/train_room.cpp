#include "ui/train/train_room.hpp"

#include "app/training/training_room.hpp"
#include "base/check.hpp"
#include "figure/views/training_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heed::ui {

namespace {

using State = app::ExperimentSnapshot::State;

void keep_view_inside(Panel& p) {
    const auto& trainees = p.experiment.seen().trainees;
    app::TrainingView& view = p.state.training;
    if (trainees.empty()) return; // it is prepared
    if (view.trainee >= trainees.size()) view = {trainees.size() - 1, {}};
    const auto frames = trainees[view.trainee].history->film.size();
    if (view.frame && *view.frame >= frames) view.frame.reset();
}

std::string length_words(const app::ExperimentSnapshot& now, int place) {
    std::string words;
    for (const app::Trainee& trainee : now.trainees) {
        if (!trainee.held_out) continue;
        const auto& lengths = trainee.held_out->measures.by_length;
        if (place < 0 || place >= std::ssize(lengths)) continue;
        const auto& length = lengths[static_cast<std::size_t>(place)];
        words += fmt::format("{}{}: {} of {} correct at {} words", words.empty() ? "" : "\n",
                             models::short_title(trainee.plan.model), length.right,
                             length.sentences, length.length);
    }
    return words;
}

std::string step_words(const app::ExperimentSnapshot& now, int place, bool losses) {
    std::uint64_t steps = 1;
    for (const app::Trainee& trainee : now.trainees) steps = std::max(steps, trainee.plan.steps);
    const std::uint64_t step = figure::step_at(steps, std::max(place, 0));
    std::string words = fmt::format("About step {}", step);
    for (const app::Trainee& trainee : now.trainees) {
        const auto& points = trainee.history->held_out;
        const auto at = std::find_if(points.begin(), points.end(),
                                     [&](const auto& point) { return point.step >= step; });
        if (at == points.end()) continue;
        const std::string name = models::short_title(trainee.plan.model);
        words += losses
                     ? fmt::format("\n{}: held-out {:.3f} nats", name, at->measures.loss)
                     : fmt::format("\n{}: {:.1f} % correct", name, 100 * at->measures.exact_match);
    }
    return words;
}

void point_at(Panel& p, const figure::Hit& hit) {
    if (hit.tag.kind != figure::Tag::Kind::cells) return;
    const app::ExperimentSnapshot& now = p.experiment.seen();
    switch (static_cast<figure::TrainingPart>(hit.tag.c)) {
    case figure::TrainingPart::loss: p.ui.tip_now(step_words(now, hit.col, true)); return;
    case figure::TrainingPart::exact_match: p.ui.tip_now(step_words(now, hit.col, false)); return;
    case figure::TrainingPart::by_length: {
        const std::string words = length_words(now, hit.col);
        if (!words.empty()) p.ui.tip_now(words);
        return;
    }
    case figure::TrainingPart::alignment: {
        const app::Trainee& trainee = now.trainees[p.state.training.trainee];
        const train::Frame* frame = app::frame_of(now, p.state.training);
        const auto& weights = frame ? frame->weights : trainee.alignment;
        const train::Pair& pair = now.dataset->pairs[now.shown];
        if (!weights || hit.row < 0 || hit.row >= weights->rows() || hit.col < 0 ||
            hit.col >= weights->cols()) {
            return;
        }
        const auto row = static_cast<std::size_t>(hit.row);
        p.ui.tip_now(fmt::format(
            "{} \u2192 {}: {:.4f}", row < pair.target.size() ? pair.target[row] : "\u27e8end\u27e9",
            pair.source[static_cast<std::size_t>(hit.col)], weights->operator()(hit.row, hit.col)));
        return;
    }
    }
}

void pictures(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    p.state.picture_width = box.w;
    p.state.picture_height = box.h;
    c.fill(box, p.ui.theme().ground);
    FigureCache::Key key = p.key(box.w, box.h);
    key.snapshot = nullptr;
    key.dataset = p.experiment.shared();
    key.training = p.state.training;
    const figure::Figure& picture = p.figures.get(FigureCache::Slot::main, key, [&] {
        return app::training_figure(p.experiment.seen(), p.state.training, p.state.view.dark, box.w,
                                    box.h);
    });
    const Press press = p.ui.area(box, "training", "training", Widget::Kind::area);
    p.ui.tip(
        "Loss and accuracy over the steps, accuracy by length, and what the model attends to.");
    c.push_clip(box);
    c.paint(picture, {box.x, box.y});
    c.pop_clip();
    if (!press.hovered) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(picture, {mouse.x - box.x, mouse.y - box.y});
    if (hit) point_at(p, *hit);
}

/// A drag along it replays; at its end it is the present again.
void film(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule(box.x, box.y, box.w);
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.trainees.empty()) return;
    const Box inside{box.x, box.y + 1, box.w, box.h - 1};
    FigureCache::Key key = p.key(inside.w, inside.h);
    key.snapshot = nullptr;
    key.dataset = p.experiment.shared();
    key.training = p.state.training;
    const figure::Figure& strip = p.figures.get(FigureCache::Slot::strip, key, [&] {
        return app::film_figure(now, p.state.training, p.state.view.dark, inside.w, inside.h);
    });
    const Press press = p.ui.area(inside, "film", "film", Widget::Kind::area, false, true);
    p.ui.tip("How attention formed, step by step. Drag to replay (← →)");
    c.push_clip(inside);
    c.paint(strip, {inside.x, inside.y});
    c.pop_clip();
    if (!press.hovered && !press.held) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(
        strip, {mouse.x - inside.x, std::clamp(mouse.y - inside.y, 4.f, inside.h - 4)});
    if (!hit || hit->tag.kind != figure::Tag::Kind::stage) return;
    p.ui.tip_now("Drag to replay how attention formed", inside);
    if (!press.held && !press.clicked) return;
    const auto at = static_cast<std::size_t>(std::max(hit->tag.a, 0));
    const auto frames = now.trainees[p.state.training.trainee].history->film.size();
    p.state.training.frame = at + 1 < frames ? std::optional(at) : std::nullopt;
}

void notice(Panel& p, const Box& box) {
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
    if (words.empty() || p.ui.any_popup()) return;
    Canvas& c = p.ui.canvas;
    constexpr float kBeside = 14, kAbove = 6;
    const Color ink = bad ? p.ui.theme().bad : p.ui.theme().muted;
    const float all = std::ceil(c.width_of(Face::control, words)) + 1;
    const float width = std::min(box.w - 32 - 2 * kBeside, all);
    const float height = c.paragraph({}, width, Face::control, ink, words, false) + 2 * kAbove;
    const Box note{box.x + (box.w - width) / 2 - kBeside, box.y + box.h - 14 - height,
                   width + 2 * kBeside, height};
    c.fill(note, p.ui.theme().panel, 6);
    c.outline(note, bad ? p.ui.theme().bad : p.ui.theme().border, 6);
    c.paragraph({note.x + kBeside, note.y + kAbove}, width, Face::control, ink, words);
}

/// What is saved of an earlier start would be given up for the first step of another experiment.
bool asks_to_go_on(Panel& p) {
    if (!p.experiment.offered()) return false;
    p.state.open_dialog = CardId::go_on;
    return true;
}

} // namespace

void keep_experiment_fresh(Panel& p) {
    if (p.experiment.resuming()) return;
    const bool same = p.experiment.opened() == p.state.experiment_form;
    if (same || p.experiment.has_progress() || p.experiment.learning()) return;
    p.state.training = {app::first_attending(p.state.experiment_form), {}};
    p.experiment.open(p.state.experiment_form);
}

void toggle_experiment(Panel& p) {
    if (asks_to_go_on(p)) return;
    if (p.experiment.learning()) {
        p.experiment.pause();
    } else {
        if (p.experiment.seen().state == State::finished) start_experiment_over(p);
        p.experiment.play();
        p.state.training.frame.reset();
    }
}

void step_experiment(Panel& p) {
    if (asks_to_go_on(p)) return;
    p.state.training.frame.reset();
    p.experiment.step();
}

void start_experiment_over(Panel& p) {
    const std::size_t trainee = p.state.training.trainee;
    p.state.training = {trainee, {}};
    p.experiment.open(p.state.experiment_form);
}

void move_film(Panel& p, int by) {
    const auto& trainees = p.experiment.seen().trainees;
    app::TrainingView& view = p.state.training;
    if (view.trainee >= trainees.size()) return;
    const int frames = static_cast<int>(trainees[view.trainee].history->film.size());
    const int now = view.frame ? static_cast<int>(*view.frame) : frames - 1;
    const int next = std::clamp(now + by, 0, std::max(frames - 1, 0));
    view.frame = next + 1 < frames ? std::optional(static_cast<std::size_t>(next)) : std::nullopt;
}

std::string kept_model_path(const Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const app::Trainee& trainee = now.trainees[p.state.training.trainee];
    const train::Frame* frame = app::frame_of(now, p.state.training);
    std::string name =
        fmt::format("{}-{}-{}", now.dataset->provenance.task,
                    models::short_title(trainee.plan.model), frame ? frame->step : trainee.step);
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
    if (p.state.training.trainee >= now.trainees.size() || p.experiment.keeping()) return;
    const app::Trainee& trainee = now.trainees[p.state.training.trainee];
    const train::Frame* frame = app::frame_of(now, p.state.training);
    const auto model = frame ? frame->model : app::result_of(trainee);
    if (!model) return;
    const auto head = app::head_of(trainee, {app::AlignedBy::Kind::best});
    p.experiment.keep(model, kept_model_path(p), head);
}

void class_keys(Panel& p) {
    const bool at_rest = !p.ui.any_popup() && !p.ui.typing() && !p.ui.keyboard_visible();
    if (!at_rest || shim::command_down() || shim::alt_down()) return;
    const State now = p.experiment.seen().state;
    if (shim::key_pressed(shim::Key::space, false) && now != State::empty) toggle_experiment(p);
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    if (typed.contains('.') && now == State::paused) step_experiment(p);
    if (shim::key_pressed(shim::Key::left, true)) move_film(p, -1);
    if (shim::key_pressed(shim::Key::right, true)) move_film(p, 1);
}

void train_film(Panel& p, const Box& box) { film(p, box); }

void train_stage(Panel& p, const Box& box) {
    keep_experiment_fresh(p);
    class_keys(p);
    keep_view_inside(p);
    pictures(p, box);
    notice(p, box);
}

} // namespace heed::ui
