#include "ui/stage/step_pointing.hpp"

#include "app/engine/speech.hpp"
#include "app/views/recurrent_views.hpp"
#include "figure/base/number_text.hpp"
#include "figure/parts/stripe.hpp"
#include "figure/views/beam_tree.hpp"
#include "figure/views/decoder_step.hpp"
#include "figure/views/unrolled.hpp"
#include "models/model/model.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

std::string exact_value(float value) { return figure::weight_digits(value); }

/// The head that the picture of a step is of; nothing of a recurrent model.
std::optional<trace::HeadId> head_shown(const Panel& p) {
    return p.snapshot().step ? p.snapshot().step->head : std::nullopt;
}

/// The words that a step attends to.
const std::vector<text::Token>& attended(const Panel& p) {
    const trace::Trace& trace = p.snapshot().run->trace;
    const auto head = head_shown(p);
    return head ? trace.keys(head->kind) : trace.source;
}

/// Words for a stripe of a transformer's step.
std::string stripe_of_head(const Panel& p, const figure::tag::Stripe& stripe) {
    using figure::StepStripe;
    switch (static_cast<StepStripe>(stripe.which)) {
    case StepStripe::compared: return "query q";
    case StepStripe::state: return "key k of " + token_text(attended(p), stripe.of);
    case StepStripe::weighted:
        return "weight times value v of " + token_text(attended(p), stripe.of);
    case StepStripe::context: return "context z, the sum of the weighted values";
    case StepStripe::said_before: return "what the decoder reads: the token and its position";
    case StepStripe::after: return fmt::format("output of layer {}", stripe.of + 1);
    default: return "t, from which the next token is chosen";
    }
}

/// Words for a stripe of a recurrent model's step.
std::string stripe_of_cell(const Panel& p, const figure::tag::Stripe& stripe) {
    using figure::StepStripe;
    switch (static_cast<StepStripe>(stripe.which)) {
    case StepStripe::compared: return "the state that is compared with each word (the query)";
    case StepStripe::state: return "h of " + token_text(attended(p), stripe.of);
    case StepStripe::weighted: return "times its weight: " + token_text(attended(p), stripe.of);
    case StepStripe::context: return "context c";
    case StepStripe::said_before: return "embedding of the token before";
    case StepStripe::before: return "state of the step before";
    case StepStripe::gate: return fmt::format("gate of layer {}", stripe.of + 1);
    case StepStripe::after: return fmt::format("new state of layer {}", stripe.of + 1);
    case StepStripe::output: break;
    }
    return "t, from which the next token is chosen";
}

/// "s₂, feature 17   0.123": of a stripe of one step.
std::string stripe_words(const Panel& p, const figure::HeatCell& under,
                         const figure::tag::Stripe& stripe) {
    const std::string what = head_shown(p) ? stripe_of_head(p, stripe) : stripe_of_cell(p, stripe);
    const auto feature =
        figure::drawn_feature(under.col, under.heat->values->cols(), stripe.features);
    return fmt::format("{} \u00b7 feature {}   {}", what, feature + 1, exact_value(under.value));
}

void point_at_word(Panel& p, int place, bool clicked) {
    const int step = app::step_shown(p.snapshot(), p.state.view);
    const app::SpokenStep* spoken = app::spoken_at(p.snapshot(), step);
    if (!spoken) return;
    const app::SpokenStep& now = *spoken;
    if (place < 0 || static_cast<std::size_t>(place) >= now.likeliest.size()) return;
    const app::SaidWord& word = now.likeliest[static_cast<std::size_t>(place)];
    const bool said = word.row == now.said.row;
    const models::Model& model = *p.snapshot().run->model;
    const bool forces = !head_shown(p) || (model.traits().reads_source && model.words());
    const bool can = forces && !said && word.can_be_said && can_say(p, step, word.word);
    p.ui.tip_now(fmt::format("{}   {}{}{}", word.word, exact_value(word.probability),
                             said  ? " \u00b7 chosen at this step"
                             : can ? " \u00b7 click to force this word and continue"
                             : forces && word.can_be_said
                                 ? " \u00b7 would be split into several tokens"
                                 : "",
                             continues_tip(model, word.row)));
    if (clicked && can) say(p, step, word.word);
}

void point_at_node(Panel& p, int place, bool clicked) {
    const auto& beam = p.snapshot().run->trace.beam;
    if (!beam || place < 0 || static_cast<std::size_t>(place) >= beam->nodes.size()) return;
    const trace::BeamNode& node = beam->nodes[static_cast<std::size_t>(place)];
    const auto hypothesis = figure::hypothesis_through(*beam, place);
    const auto number = [](float value) { return figure::number_text(value, 4); };
    std::string words = fmt::format("{}   log-probability {}, so far {}", node.word,
                                    number(node.log_probability), number(node.total));
    words += !hypothesis ? " \u00b7 dropped by the search"
             : *hypothesis == beam->followed
                 ? " \u00b7 followed"
                 : " \u00b7 click to follow " + app::hypothesis_name(*hypothesis);
    p.ui.tip_now(words);
    if (!clicked) return;
    go_to_step(p, app::first_searched_row(p.snapshot().run->trace) + node.step);
    if (hypothesis && *hypothesis != beam->followed) follow(p, *hypothesis);
}

/// Chooses a word: where attention is shown it is a key of the present step, else a step.
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
    if (const auto* row = to.hit.as<figure::tag::RowLabel>()) {
        const int step = row->query;
        p.ui.tip_now(fmt::format("step {} \u00b7 {}", step + 1, token_text(trace.target, step)));
        if (to.clicked) go_to_step(p, step);
    } else if (const auto* col = to.hit.as<figure::tag::ColLabel>()) {
        p.ui.tip_now(token_text(attended(p), col->key));
        if (to.clicked) choose_word(p, col->key);
    } else if (const auto* bar = to.hit.as<figure::tag::Bar>()) {
        point_at_word(p, bar->place, to.clicked);
    } else {
        return false;
    }
    return true;
}

} // namespace

bool point_at_step(Panel& p, const Pointing& to) {
    const auto* stripe = to.hit.as<figure::tag::Stripe>();
    if (point_at_label(p, to) || !stripe) return true;
    if (const auto under = figure::heat_at(to.figure, to.at)) {
        p.ui.tip_now(stripe_words(p, *under, *stripe));
    }
    return true;
}

bool point_at_unrolled(Panel& p, const Pointing& to) {
    const auto* stripe = to.hit.as<figure::tag::Stripe>();
    if (point_at_label(p, to) || !stripe) return true;
    const auto& trace = p.snapshot().run->trace;
    const int word = stripe->of;
    const bool decoder = stripe->which >= figure::kDecoderRows;
    if (const auto under = figure::heat_at(to.figure, to.at)) {
        p.ui.tip_now(fmt::format(
            "{} of {} \u00b7 feature {}   {}", decoder ? "s" : "h",
            token_text(decoder ? trace.target : trace.source, word),
            figure::drawn_feature(under->row, under->heat->values->rows(), stripe->features) + 1,
            exact_value(under->value)));
    }
    if (to.clicked) decoder ? go_to_step(p, word) : choose_word(p, word);
    return true;
}

bool point_at_beam(Panel& p, const Pointing& to) {
    if (const auto* node = to.hit.as<figure::tag::Node>()) {
        point_at_node(p, node->place, to.clicked);
    } else if (const auto* side = to.hit.as<figure::tag::RowLabel>()) {
        p.ui.tip_now(fmt::format("Show steps around step {}", side->query + 1));
        if (to.clicked) p.state.view.beam_sight = side->query;
    }
    return true;
}

} // namespace heed::ui
