// What pointing at the views of a model that goes step by step says, and what a click there does.
#include "app/recurrent_views.hpp"
#include "app/speech.hpp"
#include "figure/beam_tree.hpp"
#include "figure/decoder_step.hpp"
#include "figure/unrolled.hpp"
#include "figure/viewport.hpp"
#include "ui/panel.hpp"
#include "ui/player.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using Kind = figure::Tag::Kind;

/// "s₂, feature 17   0.123": of a stripe of one step.
std::string stripe_words(const Panel& p, const figure::HeatCell& under, const figure::Tag& tag) {
    using figure::StepStripe;
    const auto& source = p.snapshot().run->trace.source;
    std::string what;
    switch (static_cast<StepStripe>(tag.c)) {
    case StepStripe::compared: what = "the state that is compared"; break;
    case StepStripe::state: what = "h of " + token_text(source, tag.a); break;
    case StepStripe::weighted: what = "weighted: " + token_text(source, tag.a); break;
    case StepStripe::context: what = "context c"; break;
    case StepStripe::said_before: what = "the word before, embedded"; break;
    case StepStripe::before: what = "the state before"; break;
    case StepStripe::gate: what = fmt::format("gate of layer {}", tag.a + 1); break;
    case StepStripe::after: what = fmt::format("the new state of layer {}", tag.a + 1); break;
    case StepStripe::output: what = "t, which the words are read from"; break;
    }
    return fmt::format("{} \u00b7 feature {}   {:.6g}", what, under.col + 1, under.value);
}

void point_at_word(Panel& p, const figure::Tag& tag, bool clicked) {
    const auto& spoken = p.snapshot().spoken;
    const int step = app::step_shown(p.snapshot(), p.state.view);
    if (!spoken || static_cast<std::size_t>(step) >= spoken->size()) return;
    const app::SpokenStep& now = (*spoken)[static_cast<std::size_t>(step)];
    if (tag.a < 0 || static_cast<std::size_t>(tag.a) >= now.likeliest.size()) return;
    const app::SaidWord& word = now.likeliest[static_cast<std::size_t>(tag.a)];
    const bool said = word.word == now.said.word;
    const bool can = !said && word.can_be_said && can_say(p, step, word.word);
    p.ui.tip_now(fmt::format("{}   {:.6g}{}", word.word, word.probability,
                             said               ? " \u00b7 this step says it"
                             : can              ? " \u00b7 click: this step says it"
                             : word.can_be_said ? " \u00b7 would be read as several tokens"
                                                : ""));
    if (clicked && can) say(p, step, word.word);
}

void point_at_node(Panel& p, const figure::Tag& tag, bool clicked) {
    const auto& beam = p.snapshot().run->trace.beam;
    if (!beam || tag.b < 0 || static_cast<std::size_t>(tag.b) >= beam->nodes.size()) return;
    const trace::BeamNode& node = beam->nodes[static_cast<std::size_t>(tag.b)];
    const auto hypothesis = figure::hypothesis_through(*beam, tag.b);
    std::string words =
        fmt::format("{}   ln p {:.4f}, in all {:.4f}", node.word, node.log_probability, node.total);
    words += !hypothesis ? " \u00b7 dropped by the search"
             : *hypothesis == beam->followed
                 ? " \u00b7 followed"
                 : fmt::format(" \u00b7 click: follow hypothesis {}", *hypothesis + 1);
    p.ui.tip_now(words);
    if (!clicked) return;
    go_to_step(p, node.step);
    if (hypothesis && *hypothesis != beam->followed) follow(p, *hypothesis);
}

} // namespace

bool point_at_step(Panel& p, const figure::Figure& figure, Point at, const figure::Hit& hit,
                   bool clicked) {
    const app::View view = p.state.view.view;
    const bool step = view == app::View::step, unrolled = view == app::View::unrolled;
    if (!step && !unrolled && view != app::View::beam) return false;
    const auto& trace = p.snapshot().run->trace;
    auto& selected = p.state.view.selected;
    const int now = app::step_shown(p.snapshot(), p.state.view);
    const bool decodes = trace.tensor("decoder.states") != nullptr;
    const auto choose_word = [&](int word) {
        if (decodes) {
            selected = {now, word};
        } else {
            go_to_step(p, word);
        }
    };
    switch (hit.tag.kind) {
    case Kind::bar: point_at_word(p, hit.tag, clicked); break;
    case Kind::node: point_at_node(p, hit.tag, clicked); break;
    case Kind::row_label:
        p.ui.tip_now(
            fmt::format("step {} \u00b7 {}", hit.tag.a + 1, token_text(trace.target, hit.tag.a)));
        if (clicked) go_to_step(p, hit.tag.a);
        break;
    case Kind::col_label:
        p.ui.tip_now(token_text(trace.source, hit.tag.a));
        if (clicked) choose_word(hit.tag.a);
        break;
    case Kind::stripe: {
        const auto under = figure::heat_at(figure, at);
        if (under && step) p.ui.tip_now(stripe_words(p, *under, hit.tag));
        if (!unrolled) break;
        const bool decoder = hit.tag.c >= figure::kDecoderRows;
        if (under) {
            p.ui.tip_now(fmt::format("{} of {} \u00b7 feature {}   {:.6g}", decoder ? "s" : "h",
                                     token_text(decoder ? trace.target : trace.source, hit.tag.a),
                                     under->row + 1, under->value));
        }
        if (!clicked) break;
        if (decoder) {
            go_to_step(p, hit.tag.a);
        } else {
            choose_word(hit.tag.a);
        }
        break;
    }
    default: break;
    }
    return true;
}

} // namespace heed::ui
