#include "ui/explore/speaker_panel.hpp"

#include "app/document/names.hpp"
#include "app/engine/speech.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "figure/views/plots.hpp"
#include "models/model/sides.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/explore/sampling_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heed::ui {

using models::Decoding;

namespace {

void gallery(Panel& p, Form& f) {
    const auto& maps = p.snapshot().gallery;
    if (!maps) return;
    FigureCache::Key key = figure_key(p, f.w, 0);
    key.view.selected.reset();
    key.view.viewport.reset();
    key.extra = static_cast<int>(score_now(p));
    const figure::Figure& cards = p.figures.get(FigureCache::Slot::grid, key, [&] {
        std::vector<figure::StageThumbnail> thumbnails;
        for (const app::ScoreMap& map : *maps) {
            figure::StageThumbnail card;
            card.label = std::string(nn::info(map.score).label);
            card.values = map.weights;
            card.signed_values = false;
            card.full = 1; // as the large map
            card.id = static_cast<int>(map.score);
            thumbnails.push_back(std::move(card));
        }
        figure::Frame frame;
        frame.width = f.w;
        frame.theme = &p.ui.theme();
        frame.titled = false;
        return figure::gallery(thumbnails, key.extra, 3, frame);
    });
    const auto trained = trained_score(p);
    const Box row = f.row(cards.height, trained ? 4 : 14);
    if (trained) {
        f.note(shows_former(p) ? std::string("Of the previous run")
                               : fmt::format("Trained with {} only", nn::info(*trained).label));
        f.space(8);
    }
    const Box place{row.x, row.y, cards.width, cards.height};
    const Press press = p.ui.area(place, "gallery", "scores", Widget::Kind::area, false, true);
    p.ui.tip("What attention would look like with each score, the words that are said being "
             "the same. All have one range of colours. Dot with its scale on is scaled dot.");
    p.ui.canvas.paint(cards, {place.x, place.y});
    step_back(p, place, p.ui.theme().panel);
    if (!press.hovered) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(cards, {mouse.x - place.x, mouse.y - place.y});
    const auto* card = hit ? hit->as<figure::tag::Stage>() : nullptr;
    if (!card) return;
    const auto found = std::find_if(maps->begin(), maps->end(), [&](const app::ScoreMap& map) {
        return static_cast<int>(map.score) == card->id;
    });
    if (found == maps->end()) return;
    const app::ScoreMap& map = *found;
    p.ui.tip_now(map.error ? base::describe(*map.error)
                           : std::string(nn::info(map.score).label) + ": " +
                                 tip_of_score(p, map.score) + "\nClick to use it",
                 placed(hit->box, place));
    if (press.clicked && !map.error) choose_score(p, map.score);
}

void context_row(Panel& p, Form& f) {
    const bool drawn =
        p.document().model_file.empty() && models::traits(p.document().model).is_stepwise();
    const auto now = traits_now(p).steps->context;
    const std::string labels[] = {"last", "mean", "attention"};
    const auto i = f.choice("context", labels, 1u << static_cast<unsigned>(now), drawn ? ~0u : 0u);
    std::string tips[] = {
        "The decoder reads only the encoder's last state: one vector for the whole sentence "
        "(Sutskever et al. 2014).",
        "The decoder reads the mean of all states, the same at every step.",
        "The decoder looks at all states at every step and weighs them anew (Bahdanau et al. "
        "2015)."};
    for (std::size_t at = 0; at < std::size(tips); ++at) { // what it has has no need of a reason
        if (!drawn && at != static_cast<std::size_t>(now)) tips[at] += "\nFixed by this model";
    }
    f.tips(tips);
    if (i) choose_context(p, static_cast<models::Context>(*i));
    f.space(4);
}

/// The hypothesis that the map follows; the tree shows all of them.
void hypothesis_row(Panel& p, Form& f) {
    if (!p.snapshot().run) return;
    const auto& beam = p.snapshot().run->trace.beam;
    if (!beam || beam->hypotheses.empty()) return;
    const int count = static_cast<int>(beam->hypotheses.size()), now = beam->followed;
    const int by = f.stepper("Hypothesis", "hypothesis", fmt::format("{}/{}", now + 1, count),
                             now > 0, now + 1 < count);
    f.tip("Which of the sentences that the search found is shown; 1 is the best.");
    if (by != 0) follow(p, now + by);
}

/// True where the run read no target that could be followed: none is typed, or blanks. What a
/// tokeniser adds of its own is none.
bool lacks_target(const Panel& p) {
    const auto& run = p.snapshot().run;
    const bool waits = traits_now(p).reads_source &&
                       p.document().source.find_first_not_of(' ') == std::string::npos;
    if (!run || (p.snapshot().error && !waits)) return false; // whose words may ask for it
    const bool asked = run->input.decoding.rule != Decoding::Rule::forced;
    return run->input.target.empty() || (asked && p.document().target.empty());
}

/// The rule that is followed: without a target the model says words of its own, or none.
std::optional<Decoding::Rule> rule_followed(const Panel& p) {
    const Decoding::Rule asked = p.document().decoding.rule;
    if (asked != Decoding::Rule::forced || !lacks_target(p)) return asked;
    if (models::forced_input(*p.snapshot().run).target.empty()) return std::nullopt;
    return Decoding::Rule::greedy;
}

void decoding_rows(Panel& p, Form& f) {
    const Decoding& how = p.document().decoding;
    const std::string labels[] = {"target", "greedy", "beam"};
    constexpr unsigned kFree = 0b110;
    const bool free = lacks_target(p);
    const auto rule = rule_followed(p);
    const std::uint32_t lit = rule ? 1u << static_cast<unsigned>(*rule) : 0;
    if (const auto i = f.choice("decode", labels, lit, free ? kFree : ~0u)) {
        choose_decoding(p, static_cast<Decoding::Rule>(*i));
    }
    constexpr Decoding::Rule kRules[] = {Decoding::Rule::forced, Decoding::Rule::greedy,
                                         Decoding::Rule::beam};
    std::vector<std::string> tips = tips_of(kRules);
    if (free) tips[0] = "Type a target, and the decoder follows it";
    f.tips(tips);
    if (how.rule == Decoding::Rule::beam) {
        const int by = f.stepper("Beam width", "beam", fmt::format("{}", how.beam_width),
                                 how.beam_width > 1, how.beam_width < models::kMaxBeam);
        f.tip(kBeamTip);
        if (by != 0) choose_beam_width(p, how.beam_width + by);
        hypothesis_row(p, f);
    }
    const auto& run = p.snapshot().run;
    if (how.rule != Decoding::Rule::forced && run && !free) {
        f.note(how.rule == Decoding::Rule::beam
                   ? "The typed words are kept; the search continues after them."
                   : "The typed words are kept; the model continues after them.");
        f.space(4);
    }
    if (run && run->trace.stopped_at_limit) {
        const bool ids = run->model->text_to_ids() != nullptr;
        f.note(ids ? fmt::format("Stopped at the limit of {} tokens", run->trace.target.size())
                   : fmt::format("Stopped at {} {}s without \u27e8end\u27e9",
                                 app::said_words(*run).size(),
                                 app::unit_of(*run, run->input.target)),
               p.ui.theme().accent);
        f.space(4);
    }
}

void player_buttons(Panel& p, Form& f) {
    const Player& player = p.state.player;
    const int steps = n_steps(p), now = step_now(p).value_or(-1);
    constexpr float kPlay = 56; // wide enough for its word
    const float each = (f.w - 16 - kPlay) / 4;
    Line line{f.row(28, 6), 4};
    const auto button = [&](const char* id, const char* label, Icon icon, bool enabled,
                            const char* tip) {
        const Box place = line.left(each);
        const bool clicked =
            f.draws() && p.ui.icon_button(place, f.ids() + id, label, icon, enabled);
        f.tip(tip);
        return clicked;
    };
    if (button("step/first", "First step", Icon::first, now > 0, "To the first step")) {
        go_to_step(p, 0);
    }
    if (button("step/previous", "Previous step", Icon::previous, now > 0,
               "One step back (\u2190)")) {
        go_to_step(p, now - 1);
    }
    if (f.button(line.left(kPlay), "step/play", player.playing ? "Stop" : "Play",
                 player.playing ? Ui::ButtonLook::accent : Ui::ButtonLook::plain, steps > 1)) {
        toggle_playing(p);
    }
    f.tip("Plays the steps one by one (Space)");
    if (button("step/next", "Next step", Icon::next, now + 1 < steps, "One step on (\u2192)")) {
        go_to_step(p, now + 1);
    }
    if (button("step/last", "Last step", Icon::last, now + 1 < steps, "To the last step")) {
        go_to_step(p, steps - 1);
    }
}

void player_rows(Panel& p, Form& f) {
    Player& player = p.state.player;
    player_buttons(p, f);
    const int steps = n_steps(p), now = step_now(p).value_or(-1);
    float place =
        steps > 1 ? static_cast<float>(std::max(now, 0)) / static_cast<float>(steps - 1) : 0;
    const float one = steps > 1 ? 1 / static_cast<float>(steps - 1) : 1;
    const auto slid = f.slider("step", "decoder step", place, one, steps > 1);
    const models::Run& run = *p.snapshot().run;
    f.tip(
        fmt::format("The step of the decoder that all pictures show; at each step it says one {}.",
                    app::unit_of(run, run.input.target)));
    if (slid.changed) go_to_step(p, static_cast<int>(std::lround(place / one)));
    const app::SpokenStep* spoken = app::spoken_at(p.snapshot(), now);
    const std::string word =
        spoken ? spoken->said.word : token_text(p.snapshot().run->trace.target, now);
    const std::string label = now < 0 ? fmt::format("{} step{}", steps, steps == 1 ? "" : "s")
                                      : fmt::format("{}/{} \u201c{}\u201d", now + 1, steps, word);
    Line line{f.row(18, 8), 0};
    const std::string seconds = fmt::format("{:g} s/step", player.seconds);
    const Box end = line.right(std::ceil(p.ui.canvas.width_of(Face::mono, seconds)));
    const figure::Theme& t = p.ui.theme();
    f.text(line.rest, Face::mono, t.muted, label);
    step_back(p, line.rest, t.panel);
    const Press speed = p.ui.area(end, "step/speed", "speed", Widget::Kind::button, false, true);
    f.tip("Playback speed, in seconds per step (click to change)");
    f.text(end, Face::mono, speed.hovered ? t.text : t.muted, seconds, AlignX::right);
    if (speed.clicked) player.seconds = player.seconds >= 2 ? 0.25f : player.seconds * 2;
}

constexpr float kBeforeBar = 8; // and before the number

/// What a bar and the number behind it have of a row.
float bar_room(const Panel& p, float row, float names) {
    return row - names - p.ui.canvas.width_of(Face::mono, "> 99.9 %") - kBeforeBar;
}

float with_gap(const Panel& p, const std::string& name) {
    return std::ceil(p.ui.canvas.width_of(Face::body, name)) + kBeforeBar;
}

/// What is not listed, in words that leave room to bars.
std::string others_fitting(const Panel& p, float row) {
    constexpr float kLeastBars = 40;
    const std::string others = app::others_of(*p.snapshot().run);
    return bar_room(p, row, with_gap(p, others)) < kLeastBars ? "others" : others;
}

/// Width of the column of names, less of characters: what is not listed is never cut.
float names_width(const Panel& p, float row, const std::string& unit, const std::string& others) {
    return std::max(row * (unit == "character" ? 0.25f : 0.4f), with_gap(p, others));
}

struct NamedRow {
    Box box;
    float names; // width of their column
};
struct Share {
    float value; // 0 to 1, which fills the bar's room
    Color ink;
};

bool is_cut_before_bar(const Panel& p, const std::string& name, float names, float share) {
    return share >= figure::kLeastBar &&
           p.ui.canvas.width_of(Face::body, name) > names - kBeforeBar;
}

/// A name, a bar and a number. A long name runs into the bar's room where none is drawn.
void named_bar(Panel& p, const NamedRow& row, const std::string& name, Color ink,
               const Share& share) {
    constexpr float kMark = 1.5f;
    Canvas& c = p.ui.canvas;
    const auto& [box, names] = row;
    const std::string number = figure::probability_text(std::max(share.value, 1e-9f));
    const float length = std::max(bar_room(p, box.w, names), 0.f) * share.value;
    const bool bare = share.value < figure::kLeastBar;
    const float to_number = box.w - c.width_of(Face::mono, number);
    c.text({box.x, box.y, (bare ? to_number : names) - kBeforeBar, box.h}, Face::body, ink, name);
    if (!bare) c.fill({box.x + names, box.y + 8, std::max(kMark, length), 7}, share.ink, 2);
    c.text(box, Face::mono, p.ui.theme().muted, number, AlignX::right);
}

/// The words that this step might say, over the whole vocabulary; a click forces one.
void words_rows(Panel& p, Form& f) {
    constexpr float kLine = 22;
    const auto& spoken = p.snapshot().spoken;
    const auto step = step_now(p);
    if (!spoken || !step || static_cast<std::size_t>(*step) >= spoken->size()) return;
    const app::SpokenStep& now = (*spoken)[static_cast<std::size_t>(*step)];
    const bool decodes = traits_now(p).decodes; // else nothing can be forced
    const figure::Theme& t = p.ui.theme();
    const std::string unit = app::unit_of(*p.snapshot().run, p.snapshot().run->input.target);
    const float top = f.y;
    std::string heading = fmt::format("{}s of step {}", unit, *step + 1);
    heading[0] += 'A' - 'a';
    f.section(heading, 0, fmt::format("The most probable {}s at this step, by the model.", unit));
    const std::string others = others_fitting(p, f.w);
    const float names = names_width(p, f.w, unit, others);
    const auto bar = [&](const Box& row, const std::string& word, float share, bool said,
                         bool whole) {
        const Color ink = whole ? faded(t.muted, 0.5f) : t.accent;
        named_bar(p, {row, names}, word, said ? t.accent : t.text, {share, ink});
    };
    bool listed = false;
    for (std::size_t i = 0; i < now.likeliest.size(); ++i) {
        const app::SaidWord& word = now.likeliest[i];
        const bool said = word.row == now.said.row;
        listed = listed || said;
        const Box row = f.row(kLine);
        const Press press = p.ui.area(row, fmt::format("say/{}", i), word.word,
                                      Widget::Kind::button, said, word.can_be_said);
        const std::string whole =
            is_cut_before_bar(p, word.word, names, word.probability) ? word.word + "\n" : "";
        f.tip(whole + (said       ? "Chosen at this step"
                       : !decodes ? "A word that the model might say here, and how probable it is"
                       : press.hovered && word.can_be_said && !can_say(p, *step, word.word)
                           ? "It would be split into several tokens, so it cannot be forced"
                       : word.can_be_said
                           ? "Force this word and continue"
                           : "All words that the model does not know share this one"));
        if (press.hovered && word.can_be_said) {
            p.ui.canvas.fill({row.x - 6, row.y, row.w + 12, row.h}, t.raised, 5);
        }
        bar(row, word.word, word.probability, said, false);
        if (press.clicked && !said && word.can_be_said && decodes) say(p, *step, word.word);
    }
    if (!listed) bar(f.row(kLine), now.said.word + " (forced)", now.said.probability, true, false);
    bar(f.row(kLine), others, listed ? now.rest : std::max(0.f, now.rest - now.said.probability),
        false, true);
    step_back(p, f.since(top), t.panel);
    f.space(6);
}

} // namespace

void decoding_section(Panel& p, Form& f) {
    f.section("Decoding", 0, "How the words of the target are chosen.");
    decoding_rows(p, f);
    not_followed_row(p, f);
}

namespace {

void scores_section(Panel& p, Form& f) {
    f.section(
        fmt::format("Scores \u00b7 {} functions", nn::kScores.size()), 0,
        "How well the decoder's state and each word fit each other, measured in several ways.");
    f.space(2);
    gallery(p, f);
}

} // namespace

void step_section(Panel& p, Form& f) {
    f.section(traits_now(p).decodes ? "Decoder step" : "Step", 0);
    player_rows(p, f);
}

void speaker_panel(Panel& p, Form& f) {
    const app::View view = p.state.view.view;
    if (view == app::View::positions) return; // of no sentence
    const bool decodes = traits_now(p).decodes, in_room = !app::in_explore(view);
    if (in_room) { // of one step's scores
        step_section(p, f);
        if (attends(p)) scores_section(p, f);
        return;
    }
    if (attends(p)) {
        scores_section(p, f);
        f.section("Context", 0, "What the decoder reads of the source at every step.");
        context_row(p, f);
    }
    if (decodes) decoding_section(p, f);
    step_section(p, f);
    words_rows(p, f);
}

} // namespace heed::ui
