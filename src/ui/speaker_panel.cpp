// The left panel of a recurrent model: six scores, what the decoder reads, how it finds its words,
// and its steps one by one.
#include "app/names.hpp"
#include "app/speech.hpp"
#include "figure/gallery.hpp"
#include "ui/choices.hpp"
#include "ui/player.hpp"
#include "ui/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

using models::Decoding;

namespace {

constexpr float kRow = 26;

std::string percent(float share) {
    const bool tiny = share > 0 && share < 0.0005f; // it is not nothing
    return tiny ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * share);
}

void gallery(Panel& p, float x, float& y, float w) {
    const auto& maps = p.snapshot().gallery;
    if (!maps) return;
    FigureCache::Key key = p.key(w, 0);
    key.view.selected.reset();
    key.view.viewport.reset();
    key.extra = static_cast<int>(score_now(p));
    const figure::Figure& cards = p.figures.get(FigureCache::Slot::grid, key, [&] {
        std::vector<figure::StageThumbnail> thumbnails;
        for (const app::ScoreMap& map : *maps) {
            figure::StageThumbnail card;
            card.label = std::string(score_words(map.score));
            card.values = map.weights;
            card.signed_values = false;
            card.id = static_cast<int>(map.score);
            thumbnails.push_back(std::move(card));
        }
        figure::Frame frame;
        frame.width = w;
        frame.theme = &p.ui.theme();
        frame.titled = false;
        return figure::gallery(thumbnails, key.extra, 2, frame);
    });
    const Box place{x, y, cards.width, cards.height};
    const Press press = p.ui.area(place, "gallery", "scores", Widget::Kind::area, false, true);
    p.ui.canvas.paint(cards, {place.x, place.y});
    y += cards.height + 14;
    if (!press.hovered) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(cards, {mouse.x - place.x, mouse.y - place.y});
    if (!hit || hit->tag.kind != figure::Tag::Kind::stage) return;
    const auto& map = (*maps)[static_cast<std::size_t>(hit->tag.a)];
    p.ui.tip_now(map.error ? base::describe(*map.error)
                           : std::string(score_words(map.score)) + ": click to use it");
    if (press.clicked && !map.error) choose_score(p, map.score);
}

void section(Panel& p, float x, float& y, float w, const std::string& name) {
    p.ui.canvas.rule(x, y, w);
    y += 14;
    p.ui.canvas.heading({x, y, w, 16}, p.ui.theme().muted, name);
    y += 22;
}

void context_row(Panel& p, float x, float& y, float w) {
    const bool drawn =
        p.document().model_file.empty() && models::traits(p.document().model).is_stepwise();
    const auto now = traits_now(p).steps->context;
    const std::string labels[] = {"last h", "mean h", "attention"};
    const auto i = p.ui.segments({x, y, w, 28}, "context", labels, 1u << static_cast<unsigned>(now),
                                 drawn ? ~0u : 0u);
    p.ui.tip(drawn ? "What the decoder reads of the source at every step"
                   : "The model's file decides it");
    if (i) choose_context(p, static_cast<models::Context>(*i));
    y += 38;
}

/// Which hypothesis the map follows; the tree shows all of them.
void hypothesis_row(Panel& p, float x, float& y, float w) {
    const auto& beam = p.snapshot().run->trace.beam;
    if (!beam || beam->hypotheses.empty()) return;
    const int count = static_cast<int>(beam->hypotheses.size()), now = beam->followed;
    const int by = stepper(p.ui, {x, y, w, kRow},
                           {"hypothesis", "Hypothesis", fmt::format("{}/{}", now + 1, count),
                            now > 0, now + 1 < count});
    if (by != 0) follow(p, now + by);
    y += kRow + 6;
}

void decoding_rows(Panel& p, float x, float& y, float w) {
    const Decoding& how = p.document().decoding;
    const std::string labels[] = {"target", "greedy", "beam"};
    if (const auto i =
            p.ui.segments({x, y, w, 28}, "decode", labels, 1u << static_cast<unsigned>(how.rule))) {
        choose_decoding(p, static_cast<Decoding::Rule>(*i));
    }
    p.ui.tip("Say the target as it is typed, or go on freely after it");
    y += 34;
    if (how.rule == Decoding::Rule::beam) {
        const int by = stepper(p.ui, {x, y, w, kRow},
                               {"beam", "Beam width", fmt::format("{}", how.beam_width),
                                how.beam_width > 1, how.beam_width < models::kMaxBeam});
        if (by != 0) choose_beam_width(p, how.beam_width + by);
        y += kRow + 6;
        hypothesis_row(p, x, y, w);
    }
    if (p.snapshot().run->trace.stopped_at_limit) {
        p.ui.canvas.text({x, y, w, 20}, Face::small, p.ui.theme().accent,
                         fmt::format("stopped after {} words: no \u27e8end\u27e9",
                                     p.snapshot().run->trace.target.size()));
        y += 22;
    }
}

void player_row(Panel& p, float x, float& y, float w) {
    Player& player = p.state.player;
    const int steps = n_steps(p), now = step_now(p).value_or(-1);
    constexpr float kPlay = 56; // wide enough for its word
    const float each = (w - 16 - kPlay) / 4;
    const auto button = [&](int place, const char* id, const char* label, bool enabled,
                            const char* tip) {
        const float left =
            x + static_cast<float>(place) * (each + 4) + (place > 2 ? kPlay - each : 0);
        const bool clicked = p.ui.button(
            {left, y, place == 2 ? kPlay : each, 28}, id, label,
            player.playing && place == 2 ? Ui::ButtonLook::accent : Ui::ButtonLook::plain, enabled);
        p.ui.tip(tip);
        return clicked;
    };
    if (button(0, "step/first", "|<", now > 0, "First step")) go_to_step(p, 0);
    if (button(1, "step/previous", "<", now > 0, "Previous step")) go_to_step(p, now - 1);
    if (button(2, "step/play", player.playing ? "Stop" : "Play", steps > 1,
               "Plays the steps one by one (Space)")) {
        toggle_playing(p);
    }
    if (button(3, "step/next", ">", now + 1 < steps, "Next step")) go_to_step(p, now + 1);
    if (button(4, "step/last", ">|", now + 1 < steps, "Last step")) go_to_step(p, steps - 1);
    y += 34;
    float place =
        steps > 1 ? static_cast<float>(std::max(now, 0)) / static_cast<float>(steps - 1) : 0;
    const float one = steps > 1 ? 1 / static_cast<float>(steps - 1) : 1;
    const auto slid = p.ui.slider({x, y, w, 20}, "step", "decoder step", place, one, steps > 1);
    if (slid.changed) go_to_step(p, static_cast<int>(std::lround(place / one)));
    y += 24;
    const std::string label =
        now < 0 ? fmt::format("{} step{}", steps, steps == 1 ? "" : "s")
                : fmt::format("step {} of {} \u00b7 \u201c{}\u201d", now + 1, steps,
                              token_text(p.snapshot().run->trace.target, now));
    p.ui.canvas.text({x, y, w * 0.7f, 18}, Face::mono, p.ui.theme().muted, label);
    const Press speed = p.ui.area({x + w * 0.7f, y, w * 0.3f, 18}, "step/speed", "speed",
                                  Widget::Kind::button, false, true);
    p.ui.tip("Seconds a step while playing; a click changes them");
    p.ui.canvas.text({x, y, w, 18}, Face::mono,
                     speed.hovered ? p.ui.theme().text : p.ui.theme().muted,
                     fmt::format("{:g} s", player.seconds), AlignX::right);
    if (speed.clicked) player.seconds = player.seconds >= 2 ? 0.25f : player.seconds * 2;
    y += 26;
}

/// The words that this step might say, over the whole vocabulary; a click forces one.
void words_rows(Panel& p, float x, float& y, float w) {
    const auto& spoken = p.snapshot().spoken;
    const auto step = step_now(p);
    if (!spoken || !step || static_cast<std::size_t>(*step) >= spoken->size()) return;
    const app::SpokenStep& now = (*spoken)[static_cast<std::size_t>(*step)];
    const bool decodes = traits_now(p).decodes; // else nothing can be forced
    section(p, x, y, w, fmt::format("Words of step {}", *step + 1));
    const float largest = std::max({now.likeliest.front().probability, now.rest, 1e-9f});
    const auto bar = [&](const std::string& word, float share, bool said, bool whole) {
        const figure::Theme& t = p.ui.theme();
        p.ui.canvas.text({x, y, w * 0.4f, 22}, Face::body, said ? t.accent : t.text, word);
        const float room = w * 0.6f - 60;
        p.ui.canvas.fill({x + w * 0.4f, y + 8, std::max(1.5f, room * share / largest), 7},
                         whole ? faded(t.muted, 0.5f) : t.accent, 2);
        p.ui.canvas.text({x, y, w, 22}, Face::mono, t.muted, percent(share), AlignX::right);
        y += 22;
    };
    bool listed = false;
    for (std::size_t i = 0; i < now.likeliest.size(); ++i) {
        const app::SaidWord& word = now.likeliest[i];
        const bool said = word.word == now.said.word;
        listed = listed || said;
        const Press press = p.ui.area({x, y, w, 22}, fmt::format("say/{}", i), word.word,
                                      Widget::Kind::button, said, word.can_be_said);
        p.ui.tip(said       ? "This step says it"
                 : !decodes ? "What this step might say"
                 : press.hovered && word.can_be_said && !can_say(p, *step, word.word)
                     ? "In this segmentation it would be read as several tokens"
                 : word.can_be_said ? "Click: this step says it, and the model goes on from there"
                                    : "Words without a row of their own share this one");
        if (press.hovered && word.can_be_said)
            p.ui.canvas.fill({x - 6, y, w + 12, 22}, p.ui.theme().raised, 5);
        bar(word.word, word.probability, said, false);
        if (press.clicked && !said && word.can_be_said && decodes) say(p, *step, word.word);
    }
    if (!listed) bar(now.said.word + " (said)", now.said.probability, true, false);
    bar("all others", listed ? now.rest : std::max(0.f, now.rest - now.said.probability), false,
        true);
    y += 6;
}

} // namespace

void speaker_panel(Panel& p, float x, float& y, float w) {
    if (attends(p)) {
        p.ui.canvas.heading({x, y, w, 16}, p.ui.theme().muted, "Scores \u00b7 6 functions");
        y += 24;
        gallery(p, x, y, w);
        section(p, x, y, w, "Context");
        context_row(p, x, y, w);
    }
    if (traits_now(p).decodes) {
        section(p, x, y, w, "Decoding");
        decoding_rows(p, x, y, w);
    }
    section(p, x, y, w, traits_now(p).decodes ? "Decoder step" : "Step");
    player_row(p, x, y, w);
    words_rows(p, x, y, w);
}

} // namespace heed::ui
