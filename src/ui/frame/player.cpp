#include "ui/frame/player.hpp"

#include "app/engine/speech.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/shown_cell.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

bool is_stepwise(const Panel& p) { return traits_now(p).is_stepwise(); }

bool plays_steps(const Panel& p) {
    const bool decodes = p.focus().head.kind != trace::AttentionKind::encoder_self;
    return is_stepwise(p) || (p.state.view.view == app::View::step && decodes);
}

bool shows_steps(const Panel& p) {
    const app::View view = p.state.view.view;
    return app::in_explore(view) || view == app::View::softmax;
}

int n_steps(const Panel& p) {
    return p.snapshot().run ? static_cast<int>(p.snapshot().run->trace.target.size()) : 0;
}

bool attends(const Panel& p) {
    return p.snapshot().run && p.snapshot().run->trace.map(p.snapshot().focus.head).has_value();
}

std::optional<int> step_now(const Panel& p) {
    const auto& chosen = p.state.view.selected;
    return chosen && chosen->first < n_steps(p) ? std::optional(chosen->first) : std::nullopt;
}

void go_to_step(Panel& p, int step) {
    const auto map = p.snapshot().run ? p.snapshot().run->trace.map(p.snapshot().focus.head)
                                      : std::optional<trace::AttentionMap>();
    if (!map && step >= 0 && step < n_steps(p)) p.state.view.selected = {step, 0};
    if (!map || step < 0 || step >= map->rows(trace::Stage::weights)) return;
    p.state.view.selected = {step, app::strongest_key(p.snapshot(), step)};
    look_at_cell(p);
}

void toggle_playing(Panel& p) {
    Player& player = p.state.player;
    player.playing = !player.playing && n_steps(p) > 1;
    player.steps = true;
    player.shown_for = 0;
    if (!player.playing) return;
    const auto now = step_now(p);
    if (!now || *now + 1 >= n_steps(p)) go_to_step(p, 0);
}

void play_on(Panel& p) {
    Player& player = p.state.player;
    if (!player.playing || (!player.steps && !is_stepwise(p))) return;
    if (!plays_steps(p) || !shows_steps(p)) return void(player.playing = false);
    player.shown_for += p.ui.seconds_passed();
    if (player.shown_for >= player.seconds) {
        player.shown_for = 0;
        go_to_step(p, step_now(p).value_or(-1) + 1);
    }
    player.playing = step_now(p).value_or(0) + 1 < n_steps(p);
    if (player.playing) p.ui.wake_in(player.seconds - player.shown_for);
}

void choose_context(Panel& p, models::Context context) {
    p.change(fmt::format("context {}", models::name(context)),
             [&](app::Document& d) { models::set_context(d.model, context); });
}

void choose_decoding(Panel& p, models::Decoding::Rule rule) {
    const char* const words[] = {"as the target says", "greedy decoding", "beam search"};
    p.change(words[static_cast<std::size_t>(rule)], [&](app::Document& d) {
        d.decoding.rule = rule;
        d.decoding.followed = 0;
    });
}

void choose_beam_width(Panel& p, int width) {
    p.change({app::UndoTag::Of::beam_width}, "beam width", false, [&](app::Document& d) {
        d.decoding.beam_width = std::clamp(width, 1, models::kMaxBeam);
        d.decoding.followed = 0;
    });
}

void follow(Panel& p, int hypothesis) {
    p.change(app::hypothesis_name(hypothesis),
             [&](app::Document& d) { d.decoding.followed = hypothesis; });
}

bool can_say(const Panel& p, int step, const std::string& word) {
    return app::forced(p.document(), *p.snapshot().run, step, word).has_value();
}

void say(Panel& p, int step, const std::string& word) {
    auto next = app::forced(p.document(), *p.snapshot().run, step, word);
    if (!next) return;
    p.change_text({}, fmt::format("say \u201c{}\u201d at step {}", word, step + 1), true,
                  [&](app::Document& d) { d = *std::move(next); });
}

} // namespace heed::ui
