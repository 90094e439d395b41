#include "ui/frame/continuation.hpp"

#include "app/engine/continuation.hpp"
#include "ui/frame/choices.hpp"

#include <fmt/format.h>

#include <string>

namespace heed::ui {

namespace {

/// What is shown is of what is typed.
bool is_fresh(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return s.run && !s.error && s.document == p.document();
}

} // namespace

bool can_go_on(const Panel& p) { return app::can_go_on(p.snapshot()); }

void go_on_with(Panel& p, num::Index row) {
    const models::Run& run = *p.snapshot().run;
    const auto more = app::written_behind(run, row);
    if (!more) {
        p.state.player.playing = false;
        p.commands.push_back(
            Say{{fmt::format("The text ends here: {}", run.model->answer(row)), false}});
        return;
    }
    std::string text = p.document().target;
    if (text.empty() && !traits_now(p).encodes) text = p.document().source;
    p.change_text({app::UndoTag::Of::target}, "next token", true,
                  [&](app::Document& d) { d.target = text + *more; });
}

void toggle_going_on(Panel& p) {
    p.state.player.playing = !p.state.player.playing;
    p.state.player.said = 0;
}

void keep_going_on(Panel& p) {
    constexpr int kMost = 64; // at one press
    Player& player = p.state.player;
    if (!player.playing || !can_go_on(p) || !is_fresh(p)) return;
    player.playing = ++player.said < kMost;
    num::Index likeliest = 0;
    p.snapshot().prediction->probabilities.maxCoeff(&likeliest);
    go_on_with(p, likeliest);
}

} // namespace heed::ui
