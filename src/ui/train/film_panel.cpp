// The Train room's film: how attention formed, as a player.
#include "app/training/training_room.hpp"
#include "figure/film_strip.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/icons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

constexpr float kFilmSeconds = 0.45f; // a frame
constexpr float kFilmPad = 12, kButtons = 118;
constexpr const char* kReplay = "Drag to replay";

const train::Film& film_now(const Panel& p) {
    static const train::Film kNone;
    const auto* trainee = app::watched_trainee(p.experiment.seen(), p.state.train->view);
    return trainee ? trainee->history->film : kNone;
}

/// The place of the frame that is shown; the last one for the present.
std::size_t place_now(const Panel& p) {
    const train::Film& film = film_now(p);
    const train::FilmFrame* shown = app::frame_of(p.experiment.seen(), p.state.train->view);
    return shown ? static_cast<std::size_t>(shown - film.data())
                 : std::max<std::size_t>(film.size(), 1) - 1;
}

/// Behind the last frame is the present.
void go_to_frame(Panel& p, std::size_t place) {
    const train::Film& film = film_now(p);
    const bool inside = place < film.size();
    const bool present = !inside || (place + 1 == film.size() && !p.experiment.learning());
    p.state.train->view.step = present ? std::nullopt : std::optional(film[place].step);
}

/// Play, the way back, and which moment it is.
void film_buttons(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const bool plays = p.state.train->film.playing, replays = p.state.train->view.step.has_value();
    const bool moves = film_now(p).size() > 1;
    const Box play{box.x, box.y + 8, 36, 28}, present{box.x + 42, box.y + 8, box.w - 42, 28};
    if (ui.icon_button(play, "film/play", plays ? "Pause the film" : "Play the film",
                       plays ? Icon::pause : Icon::play, moves)) {
        toggle_film(p);
    }
    ui.tip(plays ? "Stops the film at this frame"
                 : "Plays the film of how attention formed, from the first step to now. It trains "
                   "nothing");
    if (ui.button(present, "film/now", "Now", Ui::ButtonLook::plain, replays)) {
        p.state.train->view.step.reset();
        p.state.train->film = {};
    }
    ui.tip(replays ? "Back to the present: map, samples and numbers of now"
                   : "The present is shown: no frame of the film is replayed");
    if (now.trainees.empty()) return;
    const std::uint64_t steps = now.trainees[p.state.train->view.trainee].plan.steps;
    const std::string words = replays
                                  ? fmt::format("step {} of {}", *p.state.train->view.step, steps)
                                  : fmt::format("{} frame{}", film_now(p).size(), moves ? "s" : "");
    ui.canvas.text({box.x, box.y + 40, box.w, 20}, Face::small, ui.theme().muted, words);
    constexpr float kWithReplay = 76; // points that three lines take
    if (moves && box.h >= kWithReplay)
        ui.canvas.text({box.x, box.y + 57, box.w, 18}, Face::small, ui.theme().muted, kReplay);
}

void film_scrubber(Panel& p, const Box& strip, float y) {
    constexpr float kKnob = 7;
    const std::size_t frames = film_now(p).size();
    const figure::FilmSpan span = figure::film_span(frames, strip.w);
    const Box box{strip.x + span.first - kKnob, y, span.last - span.first + 2 * kKnob, 16};
    const auto last = static_cast<float>(std::max<std::size_t>(frames, 2) - 1);
    float place = frames > 1 ? static_cast<float>(place_now(p)) / last : 1;
    const auto slid =
        p.ui.slider(box, "film/scrubber", "Frame of the film", place, 1 / last, frames > 1);
    p.ui.tip(std::string(kReplay) + " (\u2190 \u2192)");
    if (slid.changed) {
        p.state.train->film = {};
        go_to_frame(p, static_cast<std::size_t>(std::lround(place * last)));
    }
    if (slid.reset) p.state.train->view.step.reset();
}

/// A drag along the frames replays, too.
void film_frames(Panel& p, const Box& box) {
    FigureCache::Key key = figure_key(p, box.w, box.h);
    key.snapshot = nullptr;
    key.dataset = p.experiment.shared();
    key.training = p.state.train->view;
    const figure::Figure& strip = p.figures.get(FigureCache::Slot::strip, key, [&] {
        return app::film_figure(p.experiment.seen(), p.state.train->view, p.state.view.dark, box.w,
                                box.h);
    });
    const Press press = p.ui.area(box, "film", "film", Widget::Kind::area);
    p.ui.tip("How attention formed: the frames in which the map changed most. Drag to replay.\n"
             "Colours are those of the alignment above: the same weight, the same colour.");
    const Box around{box.x - 3, box.y - 3, box.w + 6, box.h + 6};
    p.ui.canvas.push_clip(around);
    p.ui.canvas.paint(strip, {box.x, box.y});
    p.ui.canvas.pop_clip();
    if (!press.held && !press.clicked) return;
    const Point mouse = p.ui.mouse();
    const auto hit =
        figure::pick(strip, {mouse.x - box.x, std::clamp(mouse.y - box.y, 4.f, box.h - 4)});
    const auto* frame = hit ? hit->as<figure::tag::Stage>() : nullptr;
    if (!frame) return;
    p.state.train->film = {};
    go_to_frame(p, static_cast<std::size_t>(std::max(frame->id, 0)));
}

} // namespace

void play_film_on(Panel& p) {
    FilmPlayer& player = p.state.train->film;
    if (!player.playing) return;
    player.shown_for += p.ui.seconds_passed();
    if (player.shown_for >= kFilmSeconds) {
        player.shown_for = 0;
        go_to_frame(p, place_now(p) + 1);
        p.ui.wake_in(0); // what was drawn before in this frame shows the former moment
    }
    player.playing = p.state.train->view.step.has_value();
    if (player.playing) p.ui.wake_in(kFilmSeconds - player.shown_for);
}

void toggle_film(Panel& p) {
    FilmPlayer& player = p.state.train->film;
    const bool plays = !player.playing && film_now(p).size() > 1;
    player = {plays, 0};
    if (plays && !p.state.train->view.step) go_to_frame(p, 0);
}

void move_film(Panel& p, int by) {
    const auto last = static_cast<int>(film_now(p).size()) - 1;
    if (last < 0) return;
    p.state.train->film = {};
    const bool present = !p.state.train->view.step;
    const bool beyond = present && p.experiment.learning(); // now is behind the last frame
    const int from = static_cast<int>(place_now(p)) + (beyond ? 1 : 0);
    go_to_frame(p, static_cast<std::size_t>(std::clamp(from + by, 0, last + 1)));
}

void film_panel(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule(box.x, box.y, box.w);
    const Box inside = inset(box, kFilmPad, 4);
    film_buttons(p, {inside.x, inside.y, kButtons, inside.h});
    const float x = inside.x + kButtons + 18;
    const Box strip{x, inside.y + 2, inside.x + inside.w - x, inside.h - 22};
    if (p.experiment.seen().trainees.empty() || strip.w < 40) return;
    film_frames(p, strip);
    if (film_now(p).size() > 1) film_scrubber(p, strip, strip.y + strip.h + 3);
}

} // namespace heed::ui
