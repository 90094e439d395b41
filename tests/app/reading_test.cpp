#include "app/views/reading.hpp"

#include "app/engine/computation.hpp"
#include "app/engine/head_scores.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/map_data.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

using namespace heed;

namespace {

/// Of an English system: which model comes first hangs on its language.
app::Opening english() {
    setenv("LC_ALL", "C", 1);
    return app::first_opening();
}

std::shared_ptr<const app::Snapshot> read(const app::Document& document, const app::Focus& focus,
                                          bool worth = false) {
    app::Computation computation(2);
    app::Request request{1, document, focus, {}};
    request.needs.effects = worth;
    auto snapshot = computation.answer(request, {});
    while (auto more = computation.refine({})) snapshot = std::move(more);
    REQUIRE(snapshot->run);
    return snapshot;
}

/// Of "the black cat did …" and "le chat …", in the head that is looked at.
float chat_to_cat(const app::Snapshot& snapshot) {
    const auto map = snapshot.run->trace.map(snapshot.focus.head);
    return map->cell(1, 2).weight;
}

} // namespace

TEST_CASE("a row that is about even is said to be, over the words that it may look at") {
    const auto row = [](std::initializer_list<float> weights) {
        num::RowVector<float> made(static_cast<num::Index>(weights.size()));
        std::copy(weights.begin(), weights.end(), made.data());
        return made;
    };
    CHECK(app::evenly_over(row({0.11f, 0.1f, 0.12f, 0.11f, 0.11f, 0.11f, 0.12f, 0.11f, 0.11f})) ==
          9);
    CHECK(app::evenly_over(row({0.34f, 0.33f, 0.33f, 0, 0})) == 3); // the others are masked
    CHECK(app::evenly_over(row({0.5f, 0.3f, 0.2f})) == 0);
    CHECK(app::evenly_over(row({0.24f, 0.24f, 0.24f, 0.24f, 0.04f})) == 0);
    CHECK(app::evenly_over(row({1})) == 0);
    CHECK(app::evenly_over(row({0, 0})) == 0);
}

TEST_CASE("a pattern of random weights is said to be by chance, and of a trained model not") {
    app::Snapshot random = *read(app::Document{}, {});
    random.pattern = {};
    random.pattern.rows = 5;
    random.pattern.previous = 0.9f;
    const std::string words = app::reading(random, {});
    INFO(words);
    CHECK(words.find("By chance, as its weights are random, this head looks at the previous ") !=
          words.npos);
    CHECK(app::caption(random, {}).find(" · seed 1 · untrained: random weights.") != words.npos);
    const app::Opening trained = english();
    const auto snapshot = read(trained.document, trained.focus);
    CHECK(app::reading(*snapshot, {}).find("chance") == words.npos);
    CHECK(app::caption(*snapshot, {}).find("untrained") == words.npos);
}

TEST_CASE("a caption says what the decoder writes where rows are of it") {
    const app::Opening opening = english();
    app::Focus focus = opening.focus;
    const auto text_of = [&](trace::AttentionKind kind) {
        focus.head = {kind, 0, 0};
        const std::string words = app::caption(*read(opening.document, focus), {});
        return words.substr(words.find(" Text: "));
    };
    const std::string source = " Text: “" + opening.document.source + "”";
    CHECK(text_of(trace::AttentionKind::encoder_self) == source + ".");
    CHECK(text_of(trace::AttentionKind::cross).starts_with(source + " → “le "));
}

TEST_CASE("a picture says where the chosen word looks, what the head does and what it is worth") {
    const app::Opening opening = english();
    app::ViewState view;
    view.selected = {1, 0}; // chat, whatever the key
    const auto snapshot = read(opening.document, opening.focus, true);
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    CHECK(words.starts_with(fmt::format(
        "“chat” attends most to “cat” ({}) and gives {} to “the” at position 1. ",
        figure::weight_text(chat_to_cat(*snapshot)),
        figure::weight_text(snapshot->run->trace.map(snapshot->focus.head)->cell(1, 0).weight))));
    view.selected = {1, 2}; // the strongest itself: no other is told
    CHECK(app::reading(*snapshot, view)
              .starts_with(fmt::format("“chat” attends most to “cat” ({}). ",
                                       figure::weight_text(chat_to_cat(*snapshot)))));
    const float settled = 100 * trace::HeadPattern::kSettled;
    CHECK(words.find(fmt::format(
              "This head puts\u00a0> {:.0f} % on one source word in {} of {}\u00a0rows.", settled,
              snapshot->pattern.settled, snapshot->pattern.rows)) != std::string::npos);
    const auto worth = words.find(". Without this head: “");
    CHECK(worth != std::string::npos);
    CHECK(worth < words.find("This head puts\u00a0>"));
    CHECK(app::tells_worth(*snapshot->run->model, opening.focus.head.kind));
    // It is of one head's weights alone.
    view.compare = app::Compare::beside;
    CHECK(app::reading(*snapshot, view).empty());
    view.view = app::View::heads; // nothing is compared in it
    CHECK_FALSE(app::reading(*snapshot, view).empty());
    app::Focus scores = opening.focus;
    scores.stage = trace::Stage::scores;
    CHECK(app::reading(*read(opening.document, scores), {}).empty());
    // Unmeasured, nothing is said about its worth; where the target was typed, of the next word.
    CHECK(app::reading(*read(opening.document, opening.focus), {}).find("Without") ==
          std::string::npos);
    app::Document typed = opening.document;
    typed.target = "le chat";
    const std::string next = app::reading(*read(typed, opening.focus, true), {});
    INFO(next);
    CHECK(next.find("Without this head:") == next.npos);
    CHECK(next.find("Without this head the next word ") != next.npos);
}

TEST_CASE("a head is told by what most of its attention goes to") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, {{trace::AttentionKind::encoder_self, 0, 0}});
    using trace::HeadPattern;
    const auto words = [&](const HeadPattern& pattern) {
        app::Snapshot measured = *snapshot;
        measured.pattern = pattern;
        return app::reading(measured, {});
    };
    const auto has = [](const std::string& all, const std::string& part) {
        INFO(all);
        CHECK(all.find(part) != std::string::npos);
    };
    HeadPattern none;
    none.rows = 8;
    none.largest = 0.3f;
    const std::pair<float HeadPattern::*, std::string> kinds[] = {
        {&HeadPattern::previous, "looks at the previous word: 55.0 % of the attention."},
        {&HeadPattern::next, "looks at the next word: 55.0 % of the attention."},
        {&HeadPattern::same,
         "looks at the word itself: 55.0 % of the attention in rows past the first."},
        {&HeadPattern::first,
         "looks at the first token, “the”: 55.0 % of the attention in rows past the first."},
        {&HeadPattern::separator, "looks at punctuation and marks: 55.0 % of the attention."}};
    for (const auto& [member, told] : kinds) {
        HeadPattern pattern = none;
        pattern.*member = 0.55f;
        has(words(pattern), "This head " + told);
        pattern.*member = 0.35f;
        has(words(pattern),
            "This head looks most " + told.substr(6, told.find(':') - 6) + ": 35.0 %");
        pattern.*member = 0.2f; // not clear enough
        has(words(pattern), "The largest weight of a row is 0.30 on average.");
    }
    HeadPattern settled = none;
    settled.settled = 5;
    has(words(settled), "puts\u00a0> 60 % on one word in 5 of 8\u00a0rows.");
    HeadPattern broad = none;
    broad.breadth = 0.9f;
    has(words(broad), "This head spreads broadly: 90.0 % of the highest possible entropy.");
}

TEST_CASE("a head is said to do what an induction head does where it does that on this text") {
    app::Document document;
    document.model_file = app::shipped_model("repeat");
    document.source.clear();
    document.target = "m q a x t f m q a x";
    const auto snapshot = read(document, {{trace::AttentionKind::decoder_self, 1, 3}}, true);
    const float share = snapshot->summary.scores[inside::HeadScore::followed];
    REQUIRE(share > 0.9f);
    CHECK(snapshot->summary.label().starts_with("induction ("));
    const std::string words = app::reading(*snapshot, {});
    INFO(words);
    CHECK(words.find(fmt::format(
              "This head looks at what followed the same character before, as an "
              "induction head does: {} of the attention in rows whose character came before.",
              figure::percent_text(share))) != words.npos);
}

TEST_CASE(
    "where a model says nothing freely, a head's worth is told by the next word or the class") {
    const auto words_of = [](bool classifies, const trace::HeadId& head, float gain) {
        app::Document document;
        document.model_file = app::shipped_model(classifies ? "headlines-en-four-heads" : "repeat");
        document.source = classifies ? "young woman returns money of club" : "";
        document.target = classifies ? "" : "m q a x t f m q a x";
        const models::Scope scope{head.kind, head.layer, head.head};
        models::HeadControls own;
        own.gain = gain;
        if (gain == 0) document.controls.set(scope, own);
        const auto snapshot = read(document, {head}, true);
        REQUIRE(snapshot->effects);
        const auto at = static_cast<std::size_t>(head.layer * snapshot->effects->heads + head.head);
        const auto p = snapshot->effects->probability[at];
        REQUIRE(p);
        // The other run, asked by hand.
        own.gain = gain == 0 ? 1.0f : 0.0f;
        models::Controls controls = snapshot->run->controls;
        controls.set(scope, own);
        num::ThreadPool pool(1);
        const auto other =
            models::run(snapshot->run->model, snapshot->run->input, controls, pool).value();
        const auto next = other->model->next_token_probabilities(*other, pool);
        CHECK(*p == Approx(next.maxCoeff()));
        return app::reading(*snapshot, {});
    };
    const trace::HeadId previous{trace::AttentionKind::decoder_self, 0, 3};
    const std::string lm = words_of(false, previous, 1), off = words_of(false, previous, 0);
    INFO(lm << "\n" << off);
    CHECK(lm.find("Without this head the next character ") != lm.npos);
    CHECK(off.find("This head is off. With this head the next character ") != off.npos);
    const std::string topic = words_of(true, {trace::AttentionKind::encoder_self, 0, 1}, 1);
    INFO(topic);
    CHECK(topic.find("Without this head the class ") != topic.npos);
}

TEST_CASE("of combined heads the chosen row is told, and nothing of one head") {
    app::Opening opening = english();
    opening.focus.combine = trace::Combine::mean;
    app::ViewState view;
    view.selected = {1, 2};
    const auto snapshot = read(opening.document, opening.focus, true);
    num::Index key = 0;
    const float most = snapshot->map->row(1).maxCoeff(&key);
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    CHECK(words.starts_with("“chat” attends most to “cat” ("));
    CHECK(words.find(figure::row_weight_text(most, figure::span_of(snapshot->map->row(1)))) !=
          words.npos);
    CHECK(words.find("head") == words.npos);
    view.view = app::View::lines; // draws the same map
    CHECK(app::reading(*snapshot, view) == words);
}

TEST_CASE("the sentence under Lines is of the weights that are drawn, whatever the map shows") {
    app::Opening opening = english();
    app::ViewState lines;
    lines.view = app::View::lines;
    lines.selected = {1, 2};
    const auto words_of = [&](auto change) {
        app::Focus focus = opening.focus;
        change(focus);
        return app::reading(*read(opening.document, focus), lines);
    };
    const std::string weights = words_of([](app::Focus&) {});
    INFO(weights);
    CHECK(weights.find("attends most to “cat” (") != weights.npos);
    CHECK(words_of([](app::Focus& f) { f.times = app::Times::value; }) == weights);
    CHECK(words_of([](app::Focus& f) { f.stage = trace::Stage::scores; }) == weights);
}

TEST_CASE("through a layer without a residual connection only attention flows") {
    app::Document document;
    document.model_file = app::shipped_model("headlines-en-one-head");
    document.source = "young woman returns money of club";
    app::Focus focus;
    focus.head = {trace::AttentionKind::encoder_self, 0, 0};
    app::ViewState view;
    view.view = app::View::flow;
    view.selected = {3, 0};
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, focus, app::needs_of(view, focus)}, {});
    REQUIRE(snapshot->flow);
    CHECK(snapshot->flow->reach.row(0) == snapshot->map->row(3));
    CHECK(figure::dump(app::export_figure(*snapshot, view, {})).find("no residual connections") !=
          std::string::npos);
}

TEST_CASE("of a head that is off the reading says that, and what the model says with it") {
    app::Opening opening = english();
    const trace::HeadId& head = opening.focus.head;
    models::HeadControls off;
    off.gain = 0.0f;
    opening.document.controls.set({head.kind, head.layer, head.head}, off);
    const std::string words = app::reading(*read(opening.document, opening.focus, true), {});
    INFO(words);
    CHECK(words.find("This head is off. With this head: “le chat noir n'a pas mangé la "
                     "pomme rouge”. ") != std::string::npos);
    CHECK(words.find("Without this head") == std::string::npos);
}

TEST_CASE("where every word is typed nothing is said that could be the same without a head") {
    app::Opening opening = english();
    opening.document.target = "le chat noir n'a pas mangé la pomme rouge";
    opening.document.decoding.rule = models::Decoding::Rule::greedy;
    const std::string words = app::reading(*read(opening.document, opening.focus, true), {});
    INFO(words);
    CHECK(words.find("words are the same") == std::string::npos);
    const auto snapshot =
        read(opening.document, {{trace::AttentionKind::encoder_self, 0, 0}}, true);
    const std::string other = app::reading(*snapshot, {});
    INFO(other);
    CHECK(other.find("words are the same") == std::string::npos);
    for (const std::string& said : {words, other}) {
        CHECK(said.find("head the model's output changes by ") != std::string::npos);
    }
}

TEST_CASE("rows of padding are not counted, and the reading says so") {
    app::Opening opening = english();
    const std::string plain = app::reading(*read(opening.document, opening.focus), {});
    CHECK(plain.find("padding") == std::string::npos);
    opening.document.pad_to = 14;
    const auto snapshot = read(opening.document, opening.focus);
    const std::string words = app::reading(*snapshot, {});
    INFO(words);
    REQUIRE(snapshot->pattern.rows < snapshot->map->rows());
    if (words.find("rows") != std::string::npos) {
        CHECK(words.find(fmt::format("of {}\u00a0rows, without padding.",
                                     snapshot->pattern.rows)) != std::string::npos);
    }
}

TEST_CASE("the reading stands below the title in the window, and in the caption of a file") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, opening.focus);
    const auto shows = [&](const figure::Figure& figure, const std::string& words) {
        std::string all;
        for (const auto& item : figure.items) {
            if (const auto* text = std::get_if<figure::Text>(&item)) all += text->text + " ";
        }
        return all.find(words) != std::string::npos;
    };
    app::ViewState view;
    view.caption = false;
    const app::Place window{800, 600, 300, true, true}, file{800, 600};
    CHECK(shows(app::make_figure(*snapshot, view, window), "This head puts\u00a0>"));
    CHECK_FALSE(shows(app::make_figure(*snapshot, view, file), "This head puts\u00a0>"));
    view.caption = true;
    CHECK(shows(app::make_figure(*snapshot, view, file), "This head puts\u00a0>"));
}

TEST_CASE("what the rooms Positions and Softmax come to is said in measured numbers") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, opening.focus);
    app::ViewState view;
    view.view = app::View::positions;
    view.position_room.kind = nn::Positions::sinusoidal;
    view.position_room.d_model = 4;
    view.position_room.base = 10000;
    // cos 0 + cos 0, cos 1 + cos 0.01, cos 10 + cos 0.1
    CHECK(app::reading(*snapshot, view) ==
          "A position's dot product with itself is 2.0, with the next 1.5, and 10 positions away "
          "0.2."); // but 2.0 six on
    view.position_room.d_model = 512;
    CHECK(app::reading(*snapshot, view).ends_with(": up to there it mostly falls with distance."));
    view.position_room.kind = nn::Positions::none;
    CHECK(app::reading(*snapshot, view).empty());

    view.view = app::View::softmax;
    view.selected = {1, 0}; // chat
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    CHECK(words.starts_with(
        fmt::format("\u201ccat\u201d gets {} of the weight, \u201cthe\u201d at position 1 ",
                    figure::weight_text(chat_to_cat(*snapshot)))));
    CHECK(
        words.find(" % of its maximum, which is reached when these scores are multiplied by 0.") !=
        std::string::npos);
    view.softmax_factor = 0.0456f;
    CHECK(app::reading(*snapshot, view).starts_with("With scores × 0.0456, “cat” gets "));
    view.softmax_factor = 1;
    // Of two keys it rises until both weigh the same.
    app::Document two = opening.document;
    two.source = "the cat";
    view.selected.reset();
    CHECK(app::reading(*read(two, opening.focus), view)
              .ends_with(" of its maximum, which it nears as all weights become equal."));
}

TEST_CASE("Softmax names what a head does to its scores besides the division by √dₖ") {
    app::Opening opening = english();
    app::ViewState view;
    view.view = app::View::softmax;
    view.selected = {1, 0};
    CHECK(app::reading(*read(opening.document, opening.focus), view).find("on top of") ==
          std::string::npos);
    models::HeadControls own;
    own.temperature = 2.0f;
    opening.document.controls.set({}, own);
    CHECK(app::reading(*read(opening.document, opening.focus), view)
              .ends_with(", on top of a temperature of 2."));
    own.temperature.reset();
    own.scale = models::Scale{models::Scale::Kind::factor, 0.3f};
    opening.document.controls.set({}, own);
    CHECK(
        app::reading(*read(opening.document, opening.focus), view).find("on top of a factor of") !=
        std::string::npos);
}

TEST_CASE("Stages say what each of them makes of the chosen cell") {
    const app::Opening opening = english();
    app::ViewState view;
    view.view = app::View::stages;
    view.selected = {1, 2}; // chat, cat
    const auto snapshot = read(opening.document, opening.focus);
    const auto cell = snapshot->run->trace.map(snapshot->focus.head)->cell(1, 2);
    CHECK(app::reading(*snapshot, view) ==
          fmt::format("\u201cchat\u201d and \u201ccat\u201d: their score is {:.2f}, scaled {:.2f}; "
                      "softmax makes it a weight of {}.",
                      cell.score, cell.scaled, figure::weight_text(cell.weight)));
    view.selected.reset();
    CHECK(app::reading(*snapshot, view).find("softmax makes it") != std::string::npos);
    models::HeadControls causal;
    causal.mask = nn::Mask{false, true, {}, {}};
    app::Document masked = opening.document;
    masked.controls.set({}, causal);
    view.selected = {1, 5};
    CHECK(app::reading(*read(masked, opening.focus), view)
              .ends_with("the mask leaves it no weight."));
}

TEST_CASE("the reading is of the query that is picked out, not of the selected cell's") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, opening.focus);
    for (const app::View shown : {app::View::lines, app::View::heatmap}) {
        app::ViewState view;
        view.view = shown;
        view.selected = {1, 2};
        view.pinned_queries = {2};
        CHECK(app::reading(*snapshot, view).starts_with("“noir” attends most to “black” ("));
        CHECK(app::reading(*snapshot, view).find(" gives ") == std::string::npos);
        view.pinned_queries = {1, 2}; // the selected one among them
        CHECK(app::reading(*snapshot, view).starts_with("“chat” attends most to “cat” ("));
    }
}

TEST_CASE("the reading of links that are picked out is of these") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, opening.focus);
    app::ViewState view;
    view.view = app::View::lines;
    view.selected = {1, 2};
    view.pinned_keys = {1}; // black
    num::Index query = 0;
    snapshot->map->col(1).maxCoeff(&query);
    CHECK(query == 2); // noir
    CHECK(app::reading(*snapshot, view).starts_with("“black” receives most from “noir” ("));
    view.pinned_keys = {1, 2};
    CHECK(app::reading(*snapshot, view).find("). “cat” receives most from “chat” (") !=
          std::string::npos);
    view.pinned_keys = {};
    view.pinned_queries = {1, 2};
    CHECK(app::reading(*snapshot, view).starts_with("“chat” attends most to “cat” ("));
    CHECK(app::reading(*snapshot, view).find("). “noir” attends most to “black” (") !=
          std::string::npos);
}

TEST_CASE("of two keys that are picked out beside a query the reading says what either gets") {
    const app::Opening opening = english();
    const auto snapshot = read(opening.document, opening.focus);
    app::ViewState view;
    view.view = app::View::heatmap;
    view.pinned_queries = {1}; // chat
    view.pinned_keys = {0, 1}; // the, black
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    CHECK(words.starts_with("“chat” attends most to “cat” ("));
    CHECK(words.find(" to “the” at position 1 and ") != std::string::npos);
    CHECK(words.find(" to “black”. ") != std::string::npos);
}

TEST_CASE("heads that lie over each other have a sentence, and name their rows as one does") {
    const app::Opening opening = english();
    app::ViewState view;
    view.view = app::View::lines;
    view.overlay = {0, 1};
    view.selected = {1, 2};
    app::Computation computation(2);
    const auto snapshot = computation.answer(
        {1, opening.document, opening.focus, app::needs_of(view, opening.focus)}, {});
    REQUIRE(snapshot->overlay.size() == 2);
    const auto told = [&] { return app::reading(*snapshot, view); };
    INFO(told());
    CHECK(told().starts_with("“chat” attends most to “"));
    CHECK(told().find(" in head 1 (") != std::string::npos);
    CHECK(told().find(", to “") != std::string::npos);
    CHECK(told().find(" in head 2 (") != std::string::npos);
    view.pinned_keys = {1};
    CHECK(told().starts_with("“black” receives most from “"));
    view.pinned_keys = {1, 2};
    CHECK(told().starts_with("“black” receives most from “"));
    CHECK(told().find("). “cat” receives most from “") != std::string::npos);
    view.pinned_keys = {1};
    view.pinned_queries = {2};
    CHECK(told().starts_with("“noir” attends most to “"));
    CHECK(told().find("; “black” gets ") != std::string::npos);
    view.pinned_queries = view.pinned_keys = {};
    const auto figure = app::make_figure(*snapshot, view, 900, 600);
    CHECK(figure::dump(figure).find("the word being said attends to source words") !=
          std::string::npos);
}

TEST_CASE("links name their rows by what is said, as the map does") {
    const app::Opening opening = english();
    app::Focus focus = opening.focus;
    CHECK(app::weights_data(*read(opening.document, focus)).subtitle ==
          "the word being said attends to source words");
    focus.rows_read = true;
    CHECK(app::weights_data(*read(opening.document, focus)).subtitle ==
          "the word being read attends to source words");
}

TEST_CASE("Heads, Neurons and Flow say what their pictures come to") {
    const app::Opening opening = english();
    const auto answer = [&](app::View shown, trace::AttentionKind kind) {
        app::ViewState view;
        view.view = shown;
        view.selected = {1, 0}; // chat; in the encoder: black
        app::Focus focus = opening.focus;
        focus.head.kind = kind;
        app::Computation computation(2);
        app::Request request{1, opening.document, focus, app::needs_of(view, focus)};
        const auto snapshot = computation.answer(request, {});
        REQUIRE(snapshot->run);
        return std::pair(snapshot, app::reading(*snapshot, view));
    };
    const auto [heads, of_heads] = answer(app::View::heads, opening.focus.head.kind);
    INFO(of_heads);
    REQUIRE(heads->summaries);
    const auto bits = [](const app::HeadSummary& s) { return s.mean_entropy_bits; };
    const auto sharpest = std::ranges::min_element(*heads->summaries, {}, bits);
    const auto place = sharpest - heads->summaries->begin(); // of two layers of two heads or more
    const int n = heads->run->trace.n_heads(opening.focus.head.kind);
    CHECK(of_heads.starts_with(fmt::format("The sharpest is layer {} · head {}, with {:.2f} bits",
                                           place / n + 1, place % n + 1,
                                           sharpest->mean_entropy_bits)));

    const auto [neurons, of_neurons] = answer(app::View::neurons, opening.focus.head.kind);
    INFO(of_neurons);
    CHECK(of_neurons.starts_with(fmt::format("“chat” attends most to “cat” ({}) and gives ",
                                             figure::weight_text(chat_to_cat(*neurons)))));
    CHECK(of_neurons.find(". Its score with “cat” is ") != std::string::npos);

    const auto [flow, of_flow] = answer(app::View::flow, trace::AttentionKind::encoder_self);
    INFO(of_flow);
    REQUIRE(flow->flow);
    CHECK(of_flow.starts_with(fmt::format("Of what reaches “black” through all layers, {} began "
                                          "at “black” itself",
                                          figure::percent_text(flow->flow->reach(0, 1)))));

    // Behind a causal mask nothing but itself reaches the first token; the last one is the default.
    const auto flow_of = [&](std::optional<std::pair<int, int>> chosen) {
        app::ViewState view;
        view.view = app::View::flow;
        view.selected = chosen;
        app::Focus focus = opening.focus;
        focus.head.kind = trace::AttentionKind::decoder_self;
        app::Computation computation(2);
        const auto snapshot =
            computation.answer({1, opening.document, focus, app::needs_of(view, focus)}, {});
        REQUIRE(snapshot->flow);
        return std::pair(snapshot->flow, app::reading(*snapshot, view));
    };
    const auto [first, of_first] = flow_of(std::pair(0, 0));
    INFO(of_first);
    CHECK(of_first.starts_with("All that reaches “⟨start⟩"));
    CHECK(of_first.ends_with(" through all layers began at “⟨start⟩” itself."));
    const auto [last, of_last] = flow_of(std::nullopt);
    INFO(of_last);
    CHECK(last->token == last->n_tokens() - 1);
    CHECK(of_last.find("the largest other share") != std::string::npos);
}

TEST_CASE("a step says where it looks and what it says, a beam how sure it is") {
    app::Document document;
    document.model_file = app::shipped_model("zh-en-bahdanau");
    document.target.clear();
    document.source = "我 昨天 吃 了 一 个 苹果";
    app::ViewState view;
    view.view = app::View::step;
    view.selected = {0, 0};
    app::Focus focus;
    focus.head = {trace::AttentionKind::cross, 0, 0};
    const auto one = read(document, focus);
    const std::string words = app::reading(*one, view);
    INFO(words);
    const float first = one->run->trace.map(focus.head)->cell(0, 0).weight;
    CHECK(
        words.starts_with(fmt::format("Step 1 attends most to “我” ({:.3f}) and says “I”", first)));
    // A probability is a percentage, and all of it only where it is all.
    REQUIRE(one->spoken);
    const float said = one->spoken->front().said.probability;
    CHECK(words.ends_with(fmt::format(", with probability {}.", figure::percent_text(said))));

    document.decoding.rule = models::Decoding::Rule::beam; // of four, if nothing is said
    view.view = app::View::beam;
    const auto four = read(document, focus);
    const std::string of_beam = app::reading(*four, view);
    INFO(of_beam);
    REQUIRE(four->run->trace.beam);
    CHECK(of_beam.starts_with("The best of 4 hypotheses has probability "));
    const std::string drawn = figure::dump(app::export_figure(*four, view, {}));
    CHECK(drawn.find("best log-probability −") != std::string::npos); // no hyphen
    CHECK(drawn.find("temperature") == std::string::npos);

    models::HeadControls warm;
    warm.temperature = 2.0f;
    document.controls.set({trace::AttentionKind::cross, 0, 0}, warm);
    const std::string changed = figure::dump(app::export_figure(*read(document, focus), view, {}));
    CHECK(changed.find("temperature 2") != std::string::npos);
}

TEST_CASE("a beam calls a typed word that the model does not know as it was typed") {
    app::Document document;
    document.model_file = app::shipped_model("zh-en-bahdanau");
    document.source = "我 昨天 吃 了 一 个 苹果";
    document.target = "I xyzzy";
    document.decoding.rule = models::Decoding::Rule::beam;
    app::Focus focus;
    focus.head = {trace::AttentionKind::cross, 0, 0};
    const auto snapshot = read(document, focus);
    REQUIRE(snapshot->run->trace.beam);
    int second = 0;
    for (const trace::BeamNode& node : snapshot->run->trace.beam->nodes) {
        if (node.step != 1) continue;
        ++second;
        CHECK(node.word == "xyzzy");
        CHECK(node.word == snapshot->run->trace.target[1].text);
    }
    CHECK(second > 0);
}

TEST_CASE("a chosen cell that the mask forbids is said to be masked, and not to be given 0.000") {
    app::Document document;
    document.model_file = app::shipped_model("repeat");
    document.source = "m q a x t f m";
    document.target.clear();
    app::Focus focus;
    focus.head = {trace::AttentionKind::decoder_self, 0, 0};
    for (const app::View shown : {app::View::heatmap, app::View::neurons}) {
        app::ViewState view;
        view.view = shown;
        view.selected = {1, 3};
        const std::string words = app::reading(*read(document, focus), view);
        INFO(words);
        CHECK(words.find("; the mask keeps it from “x”") != std::string::npos);
        CHECK(words.find("0.000") == std::string::npos);
    }
}

TEST_CASE(
    "a step whose keys are all masked attends to nothing, and not to tokens that are hidden") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sees us";
    document.target.clear();
    app::Focus focus;
    focus.head = {trace::AttentionKind::cross, 0, 0};
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index key = 0; key < 8; ++key) controls.mask->painted.emplace_back(0, key);
    document.controls.set({focus.head.kind, 0, 0}, controls);
    app::ViewState view;
    view.view = app::View::step;
    view.selected = {0, 0};
    const std::string words = app::reading(*read(document, focus), view);
    INFO(words);
    CHECK(words.starts_with("Step 1 attends to nothing"));
}

TEST_CASE("a model that has no heads is said to be without attention") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-bahdanau");
    document.source = "the black cat did not eat the red apple";
    document.target.clear();
    app::Focus focus;
    focus.head = {trace::AttentionKind::cross, 0, 0};
    app::ViewState view;
    view.selected = {1, 0};
    const std::string words = app::reading(*read(document, focus, true), view);
    INFO(words);
    CHECK(words.find("Without attention: “") != std::string::npos);
    CHECK(words.find("head") == std::string::npos);
}

TEST_CASE("a beam's words are said from the rows that they are found at") {
    struct Case {
        const char *model, *source;
    };
    for (const auto& [model, source] :
         {Case{"en-fr-transformer", "the black cat sees us"},
          Case{"en-fr-bahdanau", "the black cat sees us"}, Case{"repeat", "m q a x t f m q a x"}}) {
        INFO(model);
        app::Document document;
        document.model_file = app::shipped_model(model);
        document.source = source;
        document.target.clear();
        document.decoding.rule = models::Decoding::Rule::beam;
        app::ViewState state;
        state.view = app::View::beam;
        app::Engine engine({}, 2);
        engine.submit(document, {}, app::needs_of(state, {}));
        const auto snapshot = engine.wait_for_all();
        REQUIRE_FALSE(snapshot->error);
        const trace::Trace& trace = snapshot->run->trace;
        REQUIRE(trace.beam);
        const auto path = trace.beam->path(trace.beam->followed);
        const int first = app::first_searched_row(trace);
        REQUIRE(first + std::ssize(path) <= std::ssize(trace.target) + 1);
        const bool stepwise = snapshot->run->model->traits().is_stepwise();
        const std::vector<text::Token>& rows = stepwise ? trace.target : *snapshot->said;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const std::size_t row = static_cast<std::size_t>(first) + i;
            if (row >= rows.size()) continue;
            CHECK(rows[row].text == trace.beam->nodes[static_cast<std::size_t>(path[i])].word);
        }
    }
}

TEST_CASE("a weight that rounding made 1 beside others is not said to be 1 in any picture") {
    app::Opening opening = english();
    models::HeadControls cold;
    cold.temperature = 0.08f;
    opening.document.controls.set({}, cold);
    const auto snapshot = read(opening.document, opening.focus);
    const num::Matrix<float>& map = *snapshot->map;
    int query = 0; // whose largest weight is rounded to 1
    while (query < map.rows() &&
           !(map.row(query).maxCoeff() >= 1 && (map.row(query).array() > 0).count() > 1)) {
        ++query;
    }
    REQUIRE(query < map.rows());
    app::ViewState state;
    state.selected = {query, 2};
    for (const app::View view : {app::View::heatmap, app::View::lines, app::View::neurons,
                                 app::View::stages, app::View::step}) {
        state.view = view;
        INFO(app::reading(*snapshot, state));
        CHECK(app::reading(*snapshot, state).find("1.000") == std::string::npos);
    }
    state.view = app::View::heatmap;
    const std::string picture = figure::dump(app::make_figure(*snapshot, state, 900, 700));
    CHECK(picture.find("\"1.00\"") == std::string::npos);
    CHECK(picture.find("> 0.99") != std::string::npos);
}

TEST_CASE("what a head does is said of no fewer than three rows") {
    app::Snapshot few = *read(app::Document{}, {});
    few.pattern = {};
    few.pattern.previous = 1;
    few.pattern.rows = 2; // the previous word of one row
    few.summary.rows = 2;
    CHECK(app::reading(few, {}).find("looks at the previous") == std::string::npos);
    CHECK(few.summary.label().empty());
    inside::HeadRow row;
    row.scores.values[inside::HeadScore::same] = 0.9f;
    row.scores.rows = 2;
    CHECK(app::head_label(row).empty());
    row.scores.rows = 3;
    CHECK_FALSE(app::head_label(row).empty());
    few.pattern.rows = few.summary.rows = 3;
    CHECK(app::reading(few, {}).find("looks at the previous") != std::string::npos);
    CHECK_FALSE(few.summary.label().empty());
}

TEST_CASE("what other heads made of a picture is told shortly in it, and by name in its caption") {
    app::Opening opening = english();
    opening.focus.head = {trace::AttentionKind::cross, 1, 0};
    models::HeadControls off, hot;
    off.gain = 0.f;
    hot.temperature = 2.f;
    for (const int head : {1, 2, 3}) {
        opening.document.controls.set({trace::AttentionKind::cross, 1, head}, off);
    }
    app::ViewState view;
    const auto shown = [&](app::View which) {
        view.view = which;
        return figure::dump(
            app::make_figure(*read(opening.document, opening.focus), view, 1200, 700));
    };
    const auto has = [](const std::string& words, const char* part) {
        return words.find(part) != words.npos;
    };
    for (const app::View which : {app::View::heatmap, app::View::lines, app::View::neurons,
                                  app::View::stages, app::View::softmax, app::View::step}) {
        INFO(static_cast<int>(which));
        CHECK(has(shown(which), "3 other heads off"));
    }
    view.view = app::View::heatmap;
    CHECK(has(app::caption(*read(opening.document, opening.focus), view),
              "Off: cross 2.2, 2.3, 2.4. "));
    // Its own changes are told as they were.
    opening.document.controls.set({trace::AttentionKind::cross, 1, 0}, hot);
    CHECK(has(shown(app::View::heatmap), "temperature 2 · 3 other heads off"));
    opening.document.controls = {};
    opening.document.controls.set({trace::AttentionKind::encoder_self, 0, 0}, hot);
    CHECK(has(shown(app::View::heatmap), "temperature 2 in another head"));
    opening.document.controls.set({trace::AttentionKind::cross, 0, 1}, off);
    CHECK(has(shown(app::View::heatmap), "changes in 2 other heads"));
    // Nothing reaches an encoder's head from a decoder, and from its own layer.
    opening.focus.head = {trace::AttentionKind::encoder_self, 0, 1};
    CHECK_FALSE(has(shown(app::View::heatmap), "other head"));
    opening.focus.head = {trace::AttentionKind::encoder_self, 1, 1};
    CHECK(has(shown(app::View::heatmap), "temperature 2 in another head"));
    // What holds for all heads is told once.
    opening.document.controls = {};
    opening.document.controls.set({}, hot);
    CHECK_FALSE(has(shown(app::View::heatmap), "other head"));
    CHECK(has(shown(app::View::heatmap), "temperature 2"));
    // An equal change of another kind of head is another one.
    opening.focus.head = {trace::AttentionKind::cross, 0, 0};
    opening.document.target = "le chat noir n'a pas mangé la pomme rouge";
    opening.document.controls = {};
    opening.document.controls.set({trace::AttentionKind::cross, 0, 0}, hot);
    opening.document.controls.set({trace::AttentionKind::decoder_self, 0, 0}, hot);
    CHECK(has(shown(app::View::heatmap), "temperature 2 · also in another head"));
    opening.document.controls.set({trace::AttentionKind::cross, {}, {}}, hot);
    CHECK(has(shown(app::View::heatmap), "temperature 2 · also in another head"));
    // What holds for a kind is told of the one that is drawn.
    opening.focus.head = {trace::AttentionKind::cross, 1, 0};
    opening.document.target.clear();
    opening.document.controls = {};
    opening.document.controls.set({trace::AttentionKind::cross, {}, {}}, hot);
    CHECK_FALSE(has(shown(app::View::heatmap), "other head"));
    CHECK(has(shown(app::View::heatmap), "temperature 2"));
}

TEST_CASE("stages tell the step that a temperature adds, in their sentence and on softmax' card") {
    app::Opening opening = english();
    opening.focus.head = {trace::AttentionKind::cross, 1, 0};
    app::ViewState view;
    view.view = app::View::stages;
    view.selected = {0, 0};
    CHECK(app::reading(*read(opening.document, opening.focus), view).find("temperature") ==
          std::string::npos);
    models::HeadControls hot;
    hot.temperature = 2.f;
    opening.document.controls.set({trace::AttentionKind::cross, 1, 0}, hot);
    const auto snapshot = read(opening.document, opening.focus);
    const auto cell = snapshot->run->trace.map(opening.focus.head)->cell(0, 0);
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    CHECK(words.find(fmt::format(", ÷ temperature 2: {}; softmax",
                                 figure::number_text(cell.masked / 2, 2))) != std::string::npos);
    const std::string drawn = figure::dump(app::make_figure(*snapshot, view, 1200, 700));
    CHECK(drawn.find("÷ τ, softmax") != std::string::npos);
}

TEST_CASE("a head that looks at one word from every row is told by that word") {
    app::Opening opening = english();
    opening.focus.head = {trace::AttentionKind::cross, 1, 0};
    app::Snapshot snapshot = *read(opening.document, opening.focus);
    CHECK(app::reading(snapshot, {}).find("from everywhere") == std::string::npos);
    snapshot.pattern.one_key = 2;
    snapshot.pattern.to_one_key = 0.83f;
    snapshot.pattern.at_one_key = snapshot.pattern.rows - 1;
    CHECK(app::reading(snapshot, {}).find("from everywhere") == std::string::npos);
    snapshot.pattern.at_one_key = snapshot.pattern.rows;
    const std::string words = app::reading(snapshot, {});
    INFO(words);
    CHECK(words.find("This head looks at one source word from everywhere: “cat”, 83.0 % of the "
                     "attention.") != std::string::npos);
    CHECK(words.find("in 9 of") == std::string::npos);
}

TEST_CASE("of a head that looks elsewhere from one row nothing is said from everywhere") {
    app::Opening opening = english();
    opening.document.source = "we eat";
    opening.focus.head = {trace::AttentionKind::cross, 1, 0};
    const auto snapshot = read(opening.document, opening.focus);
    REQUIRE(snapshot->pattern.to_one_key >= trace::HeadPattern::kSettled);
    CHECK(app::reading(*snapshot, {}).find("from everywhere") == std::string::npos);
}
