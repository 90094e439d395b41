#include "ui/frame/continuation.hpp"

#include "app/engine/continuation.hpp"
#include "app/engine/speech.hpp"
#include "models/model/text_to_ids.hpp"
#include "ui/frame/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace heed::ui {

namespace {

/// True where what is shown is of what is typed.
bool is_fresh(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return s.run && !s.error && s.document == p.document();
}

} // namespace

bool can_go_on(const Panel& p) { return app::can_go_on(p.snapshot()); }

bool takes_all_places(const Panel& p) {
    const auto& run = p.snapshot().run;
    return run && run->trace.target.size() >= models::most_tokens(run->model->traits());
}

std::string all_places_words(const Panel& p) {
    const models::Traits traits = p.snapshot().run->model->traits();
    const std::size_t most = models::most_tokens(traits);
    const bool of_model = traits.places && static_cast<std::size_t>(*traits.places) == most;
    return of_model ? fmt::format(
                          "The text takes all {} places of this model. Delete words to go on", most)
                    : fmt::format("Heed reads {} tokens at most. Delete words to go on", most);
}

bool shows_text(const Panel& p) {
    const app::View view = p.state.view.view;
    return app::in_explore(view) || view == app::View::inside;
}

namespace {

void go_on_with(Panel& p, num::Index row, const app::UndoTag& tag, const char* words) {
    const models::Run& run = *p.snapshot().run;
    const auto more = app::written_behind(run, row);
    if (!more) {
        p.state.player.playing = false;
        p.commands.push_back(
            Say{{fmt::format("The text ends here: {}", run.model->answer(row)), false}});
        return;
    }
    if (takes_all_places(p)) {
        p.state.player.playing = false;
        p.commands.push_back(Say{{all_places_words(p), false}});
        return;
    }
    std::string text = p.document().target;
    if (text.empty() && !traits_now(p).encodes) text = p.document().source;
    text = app::written_and_said(run, text); // what the model said by itself stands before it
    text += *more;
    p.change_text(tag, words, tag.of == app::UndoTag::Of::target, [&](app::Document& d) {
        d.written = {text, app::ids_with(run, row)};
        d.target = std::move(text);
    });
}

} // namespace

void go_on_with(Panel& p, num::Index row) {
    go_on_with(p, row, {app::UndoTag::Of::target}, "next token");
}

void toggle_going_on(Panel& p) {
    p.seal();
    p.state.player.playing = !p.state.player.playing;
    p.state.player.steps = false;
    p.state.player.said = 0;
}

void keep_going_on(Panel& p) {
    constexpr int kMost = 64; // at one press
    Player& player = p.state.player;
    if (!player.playing || player.steps) return;
    if (!shows_text(p)) player.playing = false;
    if (!player.playing || !can_go_on(p) || !is_fresh(p)) return;
    player.playing = ++player.said < kMost;
    go_on_with(p, app::found_next(p.snapshot()), {app::UndoTag::Of::generation}, "next tokens");
}

void set_sampling(Panel& p, app::UndoTag::Of of, const std::string& what, bool seal,
                  const std::function<void(models::Sampling&)>& edit) {
    p.change({of}, what, seal, [&](app::Document& d) { edit(d.decoding.sampling); });
}

bool can_fill(const Panel& p) { return app::can_fill(p.snapshot()); }

bool is_masked(const Panel& p, int token) {
    const auto& prediction = p.snapshot().prediction;
    if (!prediction) return false;
    return std::any_of(prediction->masked.begin(), prediction->masked.end(),
                       [&](const app::MaskedToken& masked) { return masked.token == token; });
}

bool can_mask(const Panel& p, int token) {
    return can_fill(p) && is_fresh(p) &&
           (is_masked(p, token) || app::masked_source(p.snapshot(), token).has_value());
}

void mask_token(Panel& p, int token) {
    if (!can_mask(p, token)) return;
    p.state.view.selected = {token, token};
    if (is_masked(p, token)) return;
    std::string source = *app::masked_source(p.snapshot(), token);
    const std::string word = p.snapshot().run->trace.source[static_cast<std::size_t>(token)].text;
    p.change_text({}, fmt::format("mask \u201c{}\u201d", word), true,
                  [&](app::Document& d) { d.source = std::move(source); });
}

int mask_chosen(const Panel& p) {
    const auto& chosen = p.state.view.selected;
    if (chosen && is_masked(p, chosen->first)) return chosen->first;
    const auto& prediction = p.snapshot().prediction;
    return prediction && !prediction->masked.empty() ? prediction->masked.front().token : -1;
}

void fill_mask(Panel& p, num::Index row) {
    if (!can_fill(p) || !is_fresh(p)) return;
    auto source = app::filled_source(p.snapshot(), mask_chosen(p), row);
    if (!source) return;
    p.change_text({}, fmt::format("fill \u201c{}\u201d", p.snapshot().run->model->answer(row)),
                  true, [&](app::Document& d) { d.source = *std::move(source); });
}

} // namespace heed::ui
