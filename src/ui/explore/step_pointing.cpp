// What pointing at the views of a model that goes step by step says, and what a click there does.
#include "app/engine/speech.hpp"
#include "app/views/recurrent_views.hpp"
#include "figure/views/beam_tree.hpp"
#include "figure/views/decoder_step.hpp"
#include "figure/views/unrolled.hpp"
#include "lab/number_words.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/view_rows.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using Kind = figure::Tag::Kind;

std::string exact_value(float value) { return lab::digits_text(static_cast<double>(value), 6); }

/// "s₂, feature 17   0.123": of a stripe of one step.
std::string stripe_words(const Panel& p, const figure::HeatCell& under, const figure::Tag& tag) {
    using figure::StepStripe;
    const auto& source = p.snapshot().run->trace.source;
    std::string what;
    switch (static_cast<StepStripe>(tag.c)) {
    case StepStripe::compared:
        what = "the state that is compared with each word (the query)";
        break;
    case StepStripe::state: what = "h of " + token_text(source, tag.a); break;
    case StepStripe::weighted: what = "times its weight: " + token_text(source, tag.a); break;
    case StepStripe::context: what = "context c"; break;
    case StepStripe::said_before: what = "embedding of the word before"; break;
    case StepStripe::before: what = "state of the step before"; break;
    case StepStripe::gate: what = fmt::format("gate of layer {}", tag.a + 1); break;
    case StepStripe::after: what = fmt::format("new state of layer {}", tag.a + 1); break;
    case StepStripe::output: what = "t, from which the next word is chosen"; break;
    }
    return fmt::format("{} \u00b7 feature {}   {}", what, under.col + 1, exact_value(under.value));
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
    p.ui.tip_now(fmt::format("{}   {}{}", word.word, exact_value(word.probability),
                             said               ? " \u00b7 chosen at this step"
                             : can              ? " \u00b7 click to force this word and continue"
                             : word.can_be_said ? " \u00b7 would be split into several tokens"
                                                : ""));
    if (clicked && can) say(p, step, word.word);
}

void point_at_node(Panel& p, const figure::Tag& tag, bool clicked) {
    const auto& beam = p.snapshot().run->trace.beam;
    if (!beam || tag.b < 0 || static_cast<std::size_t>(tag.b) >= beam->nodes.size()) return;
    const trace::BeamNode& node = beam->nodes[static_cast<std::size_t>(tag.b)];
    const auto hypothesis = figure::hypothesis_through(*beam, tag.b);
    std::string words = fmt::format("{}   log-probability {:.4f}, so far {:.4f}", node.word,
                                    node.log_probability, node.total);
    words += !hypothesis ? " \u00b7 dropped by the search"
             : *hypothesis == beam->followed
                 ? " \u00b7 followed"
                 : fmt::format(" \u00b7 click to follow hypothesis {}", *hypothesis + 1);
    p.ui.tip_now(words);
    if (!clicked) return;
    go_to_step(p, node.step);
    if (hypothesis && *hypothesis != beam->followed) follow(p, *hypothesis);
}

/// Where attention is shown, a word is a key of the present step; else it is a step.
void choose_word(Panel& p, int word) {
    if (p.snapshot().run->model->traits().decodes) {
        p.state.view.selected = {app::step_shown(p.snapshot(), p.state.view), word};
    } else {
        go_to_step(p, word);
    }
}

/// Words along either side. False where the hit is something else.
bool point_at_label(Panel& p, const Pointing& to) {
    const auto& trace = p.snapshot().run->trace;
    const figure::Tag& tag = to.hit.tag;
    if (tag.kind == Kind::row_label) {
        p.ui.tip_now(fmt::format("step {} \u00b7 {}", tag.a + 1, token_text(trace.target, tag.a)));
        if (to.clicked) go_to_step(p, tag.a);
    } else if (tag.kind == Kind::col_label) {
        p.ui.tip_now(token_text(trace.source, tag.a));
        if (to.clicked) choose_word(p, tag.a);
    } else if (tag.kind == Kind::bar) {
        point_at_word(p, tag, to.clicked);
    } else if (tag.kind == Kind::node) {
        point_at_node(p, tag, to.clicked);
    } else {
        return false;
    }
    return true;
}

} // namespace

bool point_at_step(Panel& p, const Pointing& to) {
    if (point_at_label(p, to) || to.hit.tag.kind != Kind::stripe) return true;
    if (const auto under = figure::heat_at(to.figure, to.at)) {
        p.ui.tip_now(stripe_words(p, *under, to.hit.tag));
    }
    return true;
}

bool point_at_unrolled(Panel& p, const Pointing& to) {
    if (point_at_label(p, to) || to.hit.tag.kind != Kind::stripe) return true;
    const auto& trace = p.snapshot().run->trace;
    const int word = to.hit.tag.a;
    const bool decoder = to.hit.tag.c >= figure::kDecoderRows;
    if (const auto under = figure::heat_at(to.figure, to.at)) {
        p.ui.tip_now(fmt::format("{} of {} \u00b7 feature {}   {}", decoder ? "s" : "h",
                                 token_text(decoder ? trace.target : trace.source, word),
                                 under->row + 1, exact_value(under->value)));
    }
    if (to.clicked) decoder ? go_to_step(p, word) : choose_word(p, word);
    return true;
}

bool point_at_beam(Panel& p, const Pointing& to) {
    point_at_label(p, to);
    return true;
}

} // namespace heed::ui
