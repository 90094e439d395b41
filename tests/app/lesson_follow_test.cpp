// Lessons as they are followed: each condition on states that meet it and do not, and each shipped
// lesson on the model that the program starts with.
#include "app/document/session.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/learn/lesson_run.hpp"
#include "app/learn/lessons.hpp"
#include "app/learn/scaled_head.hpp"
#include "app/learn/telling_cell.hpp"
#include "app/small_document.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "lab/number_words.hpp"
#include "models/text_checkpoint.hpp"

#include <cstdlib>
#include <fmt/format.h>

using namespace heed;
using app::LessonRun;
using app::LessonState;
using trace::AttentionKind;

namespace {

/// A window without a face: what is open, what is looked at, and what the engine made of it.
class Desk {
  public:
    Desk(app::Document d, app::Focus f) : document(std::move(d)), focus(std::move(f)) {
        view.selected = {1, 0};
        run();
    }

    app::Document document;
    app::Focus focus;
    app::ViewState view;
    std::optional<app::TrainingFact> training;
    std::shared_ptr<const app::Snapshot> snapshot;

    LessonState state() { return {*snapshot, view, training, patterns_}; }
    void run() {
        snapshot =
            computation_.answer({++revision_, document, focus, app::needs_of(view, focus)}, {});
        REQUIRE(snapshot->run);
    }
    void look(const trace::HeadId& head) {
        focus.head = head;
        run();
    }
    void set(const models::Scope& scope, const models::HeadControls& controls) {
        document.controls.set(scope, controls);
        run();
    }
    models::Scope head() const { return {focus.head.kind, focus.head.layer, focus.head.head}; }

  private:
    app::Computation computation_{2};
    app::HeadPatterns patterns_;
    std::uint64_t revision_ = 0;
};

Desk small() {
    return Desk(small_document(), app::Focus{.head = {AttentionKind::encoder_self, 0, 0}});
}

bool fact_holds(Desk& desk, const std::string& words, const app::FactValues& start = {}) {
    const auto condition = app::parse_condition(words, "here");
    INFO((condition ? "" : base::describe(condition.error())));
    REQUIRE(condition);
    return app::holds(*condition, desk.state(), start);
}

models::HeadControls with_scale(models::Scale::Kind kind) {
    models::HeadControls controls;
    controls.scale = models::Scale{kind, 1};
    return controls;
}
models::HeadControls with_mask(nn::Mask mask) {
    models::HeadControls controls;
    controls.mask = std::move(mask);
    return controls;
}

Desk recurrent_desk() {
    app::Document document;
    document.model = models::RecurrentConfig{};
    document.source = "the cat sat";
    document.target = "le chat";
    return {document, app::Focus{.head = {AttentionKind::cross, 0, 0}}};
}

Desk first(const char* language = "C") {
    setenv("LC_ALL", language, 1);
    app::Opening opening = app::first_opening();
    REQUIRE_FALSE(opening.document.model_file.empty());
    return Desk(opening.document, opening.focus);
}

LessonRun lesson(const std::string& name) {
    for (const app::ListedLesson& entry : app::shipped_lessons()) {
        if (entry.name == name) return LessonRun(entry.lesson);
    }
    FAIL("no lesson " << name);
    return LessonRun({});
}

/// What is said, once all has been done.
std::string said(LessonRun& run, Desk& desk) {
    run.watch(desk.state());
    for (std::size_t i = 0; i < run.lesson().checks.size(); ++i) {
        INFO(run.lesson().checks[i].written);
        CHECK(run.held(i));
    }
    CHECK(run.seen());
    CHECK(run.said().find("–") == std::string::npos);
    return run.said();
}

} // namespace

TEST_CASE("conditions about controls see them where they are set, and nowhere else") {
    Desk desk = small();
    CHECK(fact_holds(desk, "scale is on"));
    CHECK_FALSE(fact_holds(desk, "scale is off"));
    desk.set({AttentionKind::encoder_self, 1, {}}, with_scale(models::Scale::Kind::off));
    CHECK_FALSE(fact_holds(desk, "scale is off")); // of another layer
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    CHECK(fact_holds(desk, "scale is off"));
    CHECK(fact_holds(desk, "scale is not on"));
    CHECK(fact_holds(desk, "scale factor > 0.99"));

    CHECK(fact_holds(desk, "temperature > 0.99"));
    models::HeadControls cool;
    cool.temperature = 0.25f;
    cool.gain = 0.0f;
    desk.set(desk.head(), cool);
    CHECK(fact_holds(desk, "temperature < 0.3"));
    CHECK(fact_holds(desk, "head gain < 0.01"));
}

TEST_CASE("conditions about masks see each part, and how far a head looks ahead") {
    Desk desk = small();
    CHECK(fact_holds(desk, "mask is none"));
    CHECK(fact_holds(desk, "head looks ahead > 0.1"));
    nn::Mask mask;
    mask.causal = true;
    mask.window = 2;
    desk.set(desk.head(), with_mask(mask));
    CHECK(fact_holds(desk, "mask is causal"));
    CHECK(fact_holds(desk, "mask is window"));
    CHECK_FALSE(fact_holds(desk, "mask is padding"));
    CHECK_FALSE(fact_holds(desk, "head looks ahead > 0"));
    desk.look({AttentionKind::cross, 0, 0});
    CHECK_FALSE(fact_holds(desk, "head looks ahead > 0")); // nothing lies ahead of another sentence
    CHECK_FALSE(fact_holds(desk, "head looks ahead < 1"));
}

TEST_CASE("conditions about what is looked at follow the focus and the view") {
    Desk desk = small();
    CHECK(fact_holds(desk, "attention is encoder"));
    CHECK(fact_holds(desk, "view is heatmap"));
    CHECK(fact_holds(desk, "head is encoder 1.1"));
    const app::FactValues start = app::facts_now(desk.state());
    CHECK_FALSE(fact_holds(desk, "row changed", start));
    CHECK_FALSE(fact_holds(desk, "head changed", start));
    CHECK_FALSE(fact_holds(desk, "row changed")); // without a start nothing has changed
    desk.view.selected = {2, 1};
    CHECK(fact_holds(desk, "row changed", start));
    CHECK(fact_holds(desk, "row is sat"));
    CHECK(fact_holds(desk, "key is cat"));
    desk.document.source = "the cat and the dog"; // two rows of one word
    desk.view.selected = {0, 0};
    desk.run();
    const app::FactValues first = app::facts_now(desk.state());
    desk.view.selected = {3, 0};
    CHECK(fact_holds(desk, "row changed", first));
    desk.view.view = app::View::train;
    CHECK(fact_holds(desk, "view is train"));
    desk.look({AttentionKind::cross, 1, 2});
    CHECK(fact_holds(desk, "attention is cross"));
    CHECK(fact_holds(desk, "head is cross 2.3"));
    CHECK(fact_holds(desk, "head changed", start));
    desk.document.source = "A dog";
    desk.run();
    CHECK(fact_holds(desk, "sentence changed", start));
}

TEST_CASE("numbers of a row and a head are those of its weights") {
    Desk desk = small();
    const auto map = desk.snapshot->run->trace.map(desk.focus.head);
    const auto weights = map->whole(trace::Stage::weights);
    CHECK(fact_holds(desk, fmt::format("weight > {}", weights(1, 0) - 1e-4f)));
    CHECK_FALSE(fact_holds(desk, fmt::format("weight > {}", weights(1, 0) + 1e-4f)));
    CHECK(fact_holds(desk, fmt::format("row largest < {}", weights.row(1).maxCoeff() + 1e-4f)));
    float previous = 0, largest = 0;
    for (int i = 0; i < weights.rows(); ++i) {
        if (i > 0) previous += weights(i, i - 1);
        largest += weights.row(i).maxCoeff();
    }
    const auto rows = static_cast<float>(weights.rows());
    CHECK(fact_holds(desk, fmt::format("head looks previous < {}", previous / (rows - 1) + 1e-4f)));
    CHECK(fact_holds(desk, fmt::format("head looks previous > {}", previous / (rows - 1) - 1e-4f)));
    CHECK(fact_holds(desk, fmt::format("head confidence > {}", largest / rows - 1e-4f)));
    CHECK(fact_holds(desk, "head width > 7.9"));
    desk.view.selected.reset();
    CHECK_FALSE(fact_holds(desk, "weight < 2")); // nothing is chosen
}

TEST_CASE("the head that looks back most is the one whose share is the largest of all") {
    Desk desk = small();
    float best = -1;
    trace::HeadId head;
    for (int layer = 0; layer < 2; ++layer) {
        for (int h = 0; h < 4; ++h) {
            desk.look({AttentionKind::encoder_self, layer, h});
            if (desk.snapshot->pattern.previous <= best) continue;
            best = desk.snapshot->pattern.previous;
            head = desk.focus.head;
        }
    }
    desk.look(head);
    CHECK(fact_holds(desk, "head is the most previous"));
    desk.look({AttentionKind::encoder_self, head.layer, (head.head + 1) % 4});
    CHECK_FALSE(fact_holds(desk, "head is the most previous"));
}

TEST_CASE("a row that is edited is seen by its words, and only with all its weight there") {
    Desk desk = small(); // The cat sat on the mat
    CHECK_FALSE(fact_holds(desk, "edited row any keys any"));
    models::HeadControls half;
    half.edits = {{2, 1, 0.5f}};
    desk.set(desk.head(), half);
    CHECK_FALSE(fact_holds(desk, "edited row any keys any"));
    models::HeadControls whole;
    whole.edits = {{2, 1, 1.0f}};
    desk.set(desk.head(), whole);
    CHECK(fact_holds(desk, "edited row any keys any"));
    CHECK(fact_holds(desk, "edited row \"sat\" keys \"cat\""));
    CHECK_FALSE(fact_holds(desk, "edited row \"sat\" keys \"mat\""));
    CHECK_FALSE(fact_holds(desk, "edited row \"cat\" keys \"cat\""));
    models::HeadControls two;
    two.edits = {{2, 1, 0.5f}, {2, 5, 0.5f}};
    desk.set(desk.head(), two);
    CHECK(fact_holds(desk, "edited row \"sat\" keys \"cat\" \"mat\""));
    CHECK_FALSE(fact_holds(desk, "edited row \"sat\" keys \"cat\""));
}

TEST_CASE("a row that is given to the word that it looked at most all the same is no edit") {
    Desk desk = small();
    models::HeadControls own;
    own.temperature = 0.1f;
    desk.set(desk.head(), own);
    const auto map = desk.snapshot->run->trace.map(desk.focus.head);
    const num::Matrix<float> weights = map->whole(trace::Stage::weights);
    int tried = 0;
    for (num::Index row = 0; row < weights.rows(); ++row) {
        for (num::Index key = 0; key < weights.cols(); ++key) {
            CAPTURE(row, key, weights(row, key));
            own.edits = {{row, key, 1.0f}};
            desk.set(desk.head(), own);
            CHECK(fact_holds(desk, "edited row any keys any") == (weights(row, key) <= 0.5f));
            tried += weights(row, key) > 0.5f;
        }
    }
    CHECK(tried > 0);
}

TEST_CASE("conditions about training know of none until there is some") {
    Desk desk = small();
    CHECK_FALSE(fact_holds(desk, "training steps > 0"));
    CHECK_FALSE(fact_holds(desk, "training accuracy < 2"));
    desk.training = app::TrainingFact{250, 225, 0.75};
    CHECK(fact_holds(desk, "training steps > 199"));
    CHECK(fact_holds(desk, "training step > 224"));
    CHECK_FALSE(fact_holds(desk, "training step > 225"));
    CHECK(fact_holds(desk, "training accuracy > 0.7"));
    desk.training = app::TrainingFact{250, 0, std::nullopt};
    CHECK_FALSE(fact_holds(desk, "training accuracy > 0"));
    CHECK_FALSE(fact_holds(desk, "best training accuracy > 0"));
}

TEST_CASE("a model that has cross-attention alone says so where a card needs another") {
    Desk desk = recurrent_desk();
    LessonRun cross = lesson("7-encoder-decoder-cross");
    cross.watch(desk.state());
    CHECK(cross.cannot() == "This model has no encoder self-attention, only cross-attention.");
}

TEST_CASE("a lesson that a model has nothing for says why, and comes to life with another") {
    app::Document encoder = small_document();
    models::spec_of(encoder.model)->architecture = models::Architecture::encoder_only;
    Desk desk(encoder, app::Focus{.head = {AttentionKind::encoder_self, 0, 0}});
    LessonRun cross = lesson("7-encoder-decoder-cross");
    cross.watch(desk.state());
    CHECK(cross.cannot() == "This model has no decoder self-attention.");
    LessonRun masks = lesson("5-masks");
    masks.watch(desk.state());
    CHECK(masks.cannot() == "This model has no decoder self-attention.");
    Desk other = small();
    cross.watch(other.state());
    CHECK(cross.cannot().empty());
    CHECK(cross.held(0)); // the encoder is looked at
    CHECK_FALSE(cross.seen());
}

TEST_CASE("numbers from before are of the head that is looked at, as long as nothing is changed") {
    Desk desk = small();
    LessonRun run = lesson("4-why-root-of-d-k");
    run.watch(desk.state());
    desk.look({AttentionKind::encoder_self, 1, 3});
    run.watch(desk.state());
    const std::string before = fmt::format("{:.2f}", desk.snapshot->pattern.largest);
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    const std::string words = said(run, desk);
    INFO(words);
    CHECK(words.find("is " + before + " on average, without it " +
                     fmt::format("{:.2f}", desk.snapshot->pattern.largest)) != std::string::npos);
    // It stays said, and done, when the thing is undone.
    desk.set(desk.head(), {});
    run.watch(desk.state());
    CHECK(run.held(1));
    CHECK(run.seen());
    CHECK(run.said() == words);
}

TEST_CASE("what was there before is not what was there when the lesson was begun") {
    Desk desk = small();
    desk.set(desk.head(), with_scale(models::Scale::Kind::off)); // off already
    LessonRun run = lesson("4-why-root-of-d-k");
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.document.source = "a dog sees the cat"; // and another sentence is typed
    desk.set(desk.head(), {});
    run.watch(desk.state());
    const std::string before = fmt::format("{:.2f}", desk.snapshot->pattern.largest);
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    CHECK(said(run, desk).find("is " + before + " on average") != std::string::npos);
    const std::string words = run.said();
    desk.look({AttentionKind::encoder_self, 1, 1}); // another head says nothing else
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    run.watch(desk.state());
    CHECK(run.said() == words);
}

TEST_CASE("what a lesson asks is met in its order, and what is to hold together does") {
    Desk desk = small();
    desk.set(desk.head(), with_scale(models::Scale::Kind::off)); // the last thing, too early
    const auto read = app::parse_lesson("# A\n\nWords.\n\ndo: It.\n"
                                        "check: attention is decoder\n"
                                        "once: scale is on\n"
                                        "check: scale is off\n"
                                        "seen: Done.\n",
                                        "a.md");
    REQUIRE(read.wrong.empty());
    LessonRun run(read.lesson);
    const auto held = [&] {
        run.watch(desk.state());
        return std::vector<bool>{run.held(0), run.held(1), run.held(2)};
    };
    CHECK(held() == std::vector<bool>{false, false, false});
    CHECK(run.next() == 0);
    desk.look({AttentionKind::decoder_self, 0, 0});
    CHECK(held() == std::vector<bool>{true, true, false});
    desk.look({AttentionKind::encoder_self, 0, 0}); // whose scale is off
    CHECK(held() == std::vector<bool>{false, true, false});
    CHECK(run.next() == 0); // what no longer holds is next again
    CHECK_FALSE(run.seen());
    desk.look({AttentionKind::decoder_self, 0, 0});
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    CHECK(held() == std::vector<bool>{true, true, true});
    CHECK(run.next() == 3);
    CHECK(run.seen());
    desk.set(desk.head(), {});
    CHECK(held() == std::vector<bool>{true, true, true});
}

TEST_CASE("another kind of attention than the only one cannot be asked for") {
    Desk desk = recurrent_desk();
    const auto read = app::parse_lesson(
        "# A\n\nWords.\n\ndo: It.\ncheck: attention is not cross\nseen: Done.\n", "a.md");
    REQUIRE(read.wrong.empty());
    LessonRun run(read.lesson);
    run.watch(desk.state());
    CHECK(run.cannot() == "This model has cross-attention alone.");
}

TEST_CASE("a weight that is dragged is compared with what was before the drag") {
    Desk desk = first();
    LessonRun run = lesson("2-query-key-value");
    run.watch(desk.state());
    const auto before = desk.state();
    const std::string said_before = app::fact_named("said")->read(before)->words;
    const auto cell = app::telling_cell(*desk.snapshot, {});
    REQUIRE(cell);
    for (const float weight : {0.6f, 0.9f, 1.0f}) {
        models::HeadControls edit;
        edit.edits = {{cell->query, cell->key, weight}};
        desk.set(desk.head(), edit);
        run.watch(desk.state());
    }
    const std::string words = said(run, desk);
    CHECK(words.find("The model said “" + said_before + "”") != std::string::npos);
    CHECK(words.find("it says “" + cell->says + "”") != std::string::npos);
    CHECK(cell->says != said_before);
}

TEST_CASE("lesson 2 says it when the model says the same, and looks on until it does not") {
    Desk desk = first();
    LessonRun run = lesson("2-query-key-value");
    run.watch(desk.state());
    const std::string before = app::fact_named("said")->read(desk.state())->words;
    const auto cell = app::telling_cell(*desk.snapshot, {});
    REQUIRE(cell);
    const auto set = [&](num::Index query, num::Index key) {
        models::HeadControls edit;
        edit.edits = {{query, key, 1.0f}};
        desk.set(desk.head(), edit);
        run.watch(desk.state());
        return app::fact_named("said")->read(desk.state())->words;
    };
    REQUIRE(set(1, 6) == before); // “chat” reads “the”: other heads carry the word
    REQUIRE(run.seen());
    CHECK(run.looks_on());
    CHECK(run.said().find("still says “" + before + "”") != std::string::npos);
    CHECK(run.said().find("now it says") == std::string::npos);
    desk.set(desk.head(), {}); // undone: what was said stays
    run.watch(desk.state());
    CHECK(run.said().find("still says") != std::string::npos);
    const std::string after = set(cell->query, cell->key);
    REQUIRE(after != before);
    CHECK(run.said().find("The model said “" + before + "”") != std::string::npos);
    CHECK(run.said().find("it says “" + after + "”") != std::string::npos);
    CHECK_FALSE(run.looks_on());
}

TEST_CASE("the cell that tells is the first whose row changes what is said, as a run of it finds") {
    Desk desk = first();
    REQUIRE(app::can_tell(*desk.snapshot));
    const auto cell = app::telling_cell(*desk.snapshot, {});
    REQUIRE(cell);
    const auto& rows = app::row_tokens(*desk.snapshot);
    CHECK(cell->row == rows[static_cast<std::size_t>(cell->query)].text);
    CHECK(cell->column ==
          desk.snapshot->run->trace.source[static_cast<std::size_t>(cell->key)].text);
    const std::string before = app::fact_named("said")->read(desk.state())->words;
    models::HeadControls edit;
    edit.edits = {{cell->query, cell->key, 1.0f}};
    desk.set(desk.head(), edit);
    CHECK(app::fact_named("said")->read(desk.state())->words == cell->says);
    CHECK(cell->says != before);
    CHECK_FALSE(app::can_tell(*desk.snapshot)); // the head is edited
    std::stop_source stop;
    stop.request_stop();
    desk.set(desk.head(), {});
    CHECK_FALSE(app::telling_cell(*desk.snapshot, stop.get_token()));
    Desk drawn = small();
    CHECK_FALSE(app::can_tell(*drawn.snapshot)); // nobody trained it
}

TEST_CASE("a sentence that moves the chosen row is no other row that was chosen") {
    Desk desk = small();
    desk.view.selected = {4, 0};
    LessonRun run = lesson("1-what-attention-is");
    run.watch(desk.state());
    desk.document.source = "The cat sat";
    desk.view.selected = {1, 0}; // where the window moved it
    desk.run();
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.view.selected = {2, 0};
    run.watch(desk.state());
    CHECK(run.seen());
}

TEST_CASE("what a card says of the chosen row follows the row that is chosen next") {
    Desk desk = small();
    LessonRun run = lesson("1-what-attention-is");
    run.watch(desk.state());
    for (const int row : {3, 2, 1}) { // the last one is where it began
        desk.view.selected = {row, 0};
        const std::string word =
            desk.snapshot->run->input.source[static_cast<std::size_t>(row)].text;
        CHECK(said(run, desk).starts_with("\u201c" + word + "\u201d attends most to \u201c"));
    }
    const std::string last = run.said();
    desk.view.selected.reset();
    CHECK(said(run, desk) == last); // of no row there is nothing to say
}

TEST_CASE("a head that is not the one asked for is answered with its share") {
    Desk desk = first();
    LessonRun run = lesson("3-a-head");
    run.watch(desk.state());
    CHECK(run.hint().empty());
    desk.look({AttentionKind::decoder_self, 0, 0});
    run.watch(desk.state());
    const auto most = app::strongest_head(desk.state(), app::pattern_measures()[0]);
    REQUIRE(most);
    const trace::HeadId other{AttentionKind::decoder_self, 1 - most->layer, most->head};
    desk.look(other);
    run.watch(desk.state());
    REQUIRE_FALSE(run.seen());
    CHECK(run.hint() ==
          fmt::format("Head {} looks at the word before with {:.0f} % of its weight; another head "
                      "has more.",
                      app::short_head(other), 100 * desk.snapshot->pattern.previous));
    desk.look(*most);
    said(run, desk);
    CHECK(run.hint().empty());
}

TEST_CASE("a row is its place, and the first one that is chosen counts") {
    Desk desk = small();
    desk.view.selected.reset();
    const app::FactValues none = app::facts_now(desk.state());
    CHECK_FALSE(fact_holds(desk, "row changed", none));
    desk.view.selected = {1, 1};
    CHECK(fact_holds(desk, "row changed", none));
    const app::FactValues start = app::facts_now(desk.state());
    desk.look({AttentionKind::decoder_self, 0, 0}); // the same place says another word there
    CHECK_FALSE(fact_holds(desk, "row changed", start));
}

TEST_CASE("a lesson sees what its guess and its last words need, too") {
    app::Document encoder = small_document();
    models::spec_of(encoder.model)->architecture = models::Architecture::encoder_only;
    Desk desk(encoder, app::Focus{.head = {AttentionKind::encoder_self, 0, 0}});
    LessonRun values = lesson("2-query-key-value");
    values.watch(desk.state());
    CHECK(values.cannot() == "This model says no words.");
    for (const auto form :
         {models::Architecture::encoder_decoder, models::Architecture::decoder_only}) {
        models::spec_of(encoder.model)->architecture = form; // its decoder reads a copy
        Desk drawn(encoder, app::Focus{});
        for (const char* name : {"2-query-key-value", "6-positions"}) {
            LessonRun run = lesson(name);
            run.watch(drawn.state());
            CHECK(run.cannot() == "This model is untrained and says no words.");
        }
    }
    Desk additive = recurrent_desk();
    LessonRun scale = lesson("4-why-root-of-d-k");
    scale.watch(additive.state());
    CHECK(scale.cannot() == "The scores of this model are not divided by √dₖ.");
}

TEST_CASE("a sentence whose heads cannot be compared is too long, and says so") {
    app::Document large = small_document();
    large.source.clear();
    for (int i = 0; i < 500; ++i) large.source += "word ";
    Desk desk(large, app::Focus{.head = {AttentionKind::encoder_self, 0, 0}});
    LessonRun run = lesson("3-a-head");
    run.watch(desk.state());
    CHECK(run.cannot() == "This sentence is too long for its heads to be compared here.");
}

TEST_CASE("a sentence with a comma is one sentence") {
    Desk desk = small();
    desk.document.source = "the cat, sat";
    desk.run();
    CHECK(fact_holds(desk, "sentence is the cat, sat"));
    CHECK_FALSE(fact_holds(desk, "sentence is sat"));
}

TEST_CASE("a guess is asked before and answered with what was measured") {
    Desk desk = small();
    app::Lesson asking = lesson("1-what-attention-is").lesson();
    asking.guess =
        app::Guess{app::fact_named("row looks at"), "Which word does row 4 look at most?"};
    LessonRun run(asking);
    run.watch(desk.state());
    CHECK(run.asks());
    run.guess("mat");
    CHECK_FALSE(run.asks());
    desk.view.selected = {3, 0};
    const std::string words = said(run, desk);
    const auto weights =
        desk.snapshot->run->trace.map(desk.focus.head)->whole(trace::Stage::weights);
    num::Index key = 0;
    weights.row(3).maxCoeff(&key);
    const std::string word = desk.snapshot->run->trace.source[static_cast<std::size_t>(key)].text;
    CHECK(words.ends_with("You guessed mat; it is " + word + "."));
    LessonRun quiet(asking);
    quiet.guess("");
    CHECK_FALSE(quiet.asks());
}

// The eight lessons, done.

TEST_CASE("a percentage can be guessed as a share, a number or per cent") {
    LessonRun run = lesson("5-masks");
    const auto guessed = [&](const char* words) {
        run.guess(words);
        return run.guessed().value_or("");
    };
    CHECK(guessed("0.9") == "90 %");
    CHECK(guessed("0,9") == "90 %");
    CHECK(guessed("37,5 %") == "37.5 %");
    CHECK(guessed("90") == "90 %");
    CHECK(guessed(" 90 % ") == "90 %");
    CHECK(guessed("90%") == "90 %");
    CHECK(guessed("0.5 %") == "0.5 %");
    CHECK(guessed("1") == "1 %");
    CHECK(guessed("about half") == "about half");
    CHECK(guessed("").empty());                     // skipped
    LessonRun weight = lesson("4-why-root-of-d-k"); // of a weight, as the map shows it
    weight.guess("0.9");
    CHECK(weight.guessed() == "0.9");
}

TEST_CASE("each lesson takes a guess of the kind that it asks for, and no other") {
    const Desk desk = first();
    int numbers = 0, heads = 0;
    for (const app::ListedLesson& entry : app::shipped_lessons()) {
        if (!entry.lesson.guess) continue;
        CAPTURE(entry.name);
        const LessonRun run(entry.lesson);
        const app::Fact& fact = *entry.lesson.guess->fact;
        const auto refused = [&](const char* words) {
            return !run.why_no_guess(words, *desk.snapshot).empty();
        };
        const bool of_head = entry.name == "3-a-head";
        CHECK_FALSE(refused(fact.is_number ? "0.5" : of_head ? "decoder 1.2" : "chat"));
        CHECK(refused("often") == (fact.is_number || of_head));
        numbers += fact.is_number;
        heads += of_head;
    }
    CHECK(numbers >= 3); // 4, 5 and 8
    CHECK(heads == 1);
}

TEST_CASE("a guess that cannot be the answer is told so, whatever it is") {
    const Desk desk = first();
    const auto why = [&](const char* name, const char* words) {
        return lesson(name).why_no_guess(words, *desk.snapshot);
    };
    const char *scale = "4-why-root-of-d-k", *masks = "5-masks", *head = "3-a-head";
    CHECK(why(scale, "0.9").empty());
    CHECK(why(scale, "1").empty());
    CHECK(why(scale, "1.5") == "It lies between 0 and 1.");
    CHECK(why(scale, "-0.1") == "It lies between 0 and 1.");
    CHECK(why(scale, "2 or 3") == "“2 or 3” is no number; write one as 0.4.");
    CHECK(why(masks, "90").empty());
    CHECK(why(masks, " 90 % ").empty());
    CHECK(why(masks, "0.9").empty());
    CHECK(why(masks, "130") == "It is a share: from 0 % to 100 %.");
    CHECK(why(masks, "-5 %") == "It is a share: from 0 % to 100 %.");
    CHECK(why(head, "Decoder 2.4").empty());
    CHECK(why(head, "1.1").empty()); // of the kind that is asked about
    CHECK(why(head, "9.1") == "“9.1” is no head; write one as decoder 1.2.");
    CHECK(why(head, "decoder 9.1") == "“decoder 9.1” is no head; write one as decoder 1.2.");
    CHECK(why(head, "encoder 1.1") == "A head of encoder is none of those that are asked about.");
    CHECK(why(head, "cross 1.1") == "A head of cross is none of those that are asked about.");
    CHECK(why("6-positions", "le chat noir").empty());
    CHECK(why("6-positions", "le xyzzy noir") ==
          "This model has no word “xyzzy”: it cannot say that.");
}

TEST_CASE("lesson 1 on the first model: another row is chosen") {
    Desk desk = first();
    LessonRun run = lesson("1-what-attention-is");
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.view.selected = {3, 0};
    CHECK(said(run, desk).starts_with("“"));
}

TEST_CASE("lesson 2 on the first model: a word reads another one alone, in both languages") {
    for (const char* language : {"C", "zh_CN.UTF-8"}) {
        Desk desk = first(language);
        LessonRun run = lesson("2-query-key-value");
        run.watch(desk.state());
        const std::string before = app::fact_named("said")->read(desk.state())->words;
        models::HeadControls edit;
        edit.edits = {{1, 0, 1.0f}};
        desk.set(desk.head(), edit);
        const bool same = app::fact_named("said")->read(desk.state())->words == before;
        CHECK(said(run, desk).find(same ? "still says “" : "now it says “") != std::string::npos);
    }
    setenv("LC_ALL", "C", 1);
}

TEST_CASE("what is typed is not what the model says: a card tells the words behind it") {
    Desk desk = first();
    desk.document.target = "le chat rouge";
    desk.run();
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    const auto& model = *desk.snapshot->run->model;
    const auto next = [&] { return model.answer(desk.snapshot->prediction->likeliest.front()); };
    const auto words = [&] { return app::fact_named("said")->read(desk.state())->words; };
    const std::string with = words();
    CHECK(with == next());
    models::HeadControls none;
    none.positions = nn::Positions::none;
    desk.set({}, none);
    CHECK(words() == next());
    CHECK(words() != with);
    CHECK_FALSE(app::can_tell(*desk.snapshot)); // nothing is said that a cell could change
}

TEST_CASE("of a target that is typed to its end a card tells nothing, and asks to empty it") {
    Desk desk = first();
    desk.run();
    desk.document.target = "le chat noir n'a pas mangé la pomme rouge";
    desk.run();
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    REQUIRE(desk.snapshot->run->model->answer(desk.snapshot->prediction->likeliest.front()) ==
            "\u27e8end\u27e9");
    CHECK_FALSE(app::fact_named("said")->read(desk.state()));
    CHECK(run.cannot() ==
          "Behind this target the model says nothing: empty it, and it says words of its own.");
    desk.document.target.clear();
    desk.run();
    run.watch(desk.state());
    CHECK(run.cannot().empty());
    CHECK(app::fact_named("said")->read(desk.state()));
}

TEST_CASE("what ends by the card's own change is told so: the target is not typed to its end") {
    Desk desk = first();
    desk.document.source = "the small girl reads a book";
    desk.document.target = "la petite fille lit";
    desk.run();
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    CHECK(run.cannot().empty());
    models::HeadControls none;
    none.positions = nn::Positions::none;
    desk.set({}, none);
    REQUIRE(app::has_said_all(*desk.snapshot));
    const std::string words = said(run, desk);
    CHECK(run.cannot().empty());
    CHECK(words.starts_with("Without positions it says nothing more; with them it said “"));
}

TEST_CASE("a change that was dragged halfway does not make of a typed part the whole target") {
    Desk desk = first();
    desk.document.source = "the small girl reads a book";
    desk.document.target = "la petite fille lit";
    desk.run();
    LessonRun run = lesson("2-query-key-value"); // whose change is not met by positions
    run.watch(desk.state());
    models::HeadControls none;
    none.positions = nn::Positions::none;
    desk.set({}, none);
    REQUIRE(app::has_said_all(*desk.snapshot));
    run.watch(desk.state());
    CHECK(run.cannot().empty());
}

TEST_CASE("who reads a target alone is not asked to empty it") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    app::Document document;
    document.model_file = folder / "gpt2";
    document.target = "the cat sat";
    Desk desk(document, app::Focus{.head = {AttentionKind::decoder_self, 0, 0}});
    REQUIRE_FALSE(desk.snapshot->run->model->traits().reads_source);
    auto ends = std::make_shared<app::Snapshot>(*desk.snapshot);
    auto prediction = std::make_shared<app::Prediction>(*ends->prediction);
    prediction->likeliest.front() = 60; // its end
    ends->prediction = prediction;
    desk.snapshot = ends;
    REQUIRE(app::has_said_all(*desk.snapshot));
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    CHECK_FALSE(run.lacks_words());
    CHECK(run.cannot().empty());
}

TEST_CASE("lessons 2 and 6 tell the next letter of a decoder alone") {
    app::Document document;
    document.model_file = app::shipped_model("repeat");
    document.source = "m q a x t f m q a x";
    Desk desk(document, app::Focus{.head = {AttentionKind::decoder_self, 1, 0}});
    for (const char* name : {"2-query-key-value", "6-positions"}) {
        INFO(name);
        LessonRun run = lesson(name);
        run.watch(desk.state());
        const auto said_now = app::fact_named("said")->read(desk.state());
        REQUIRE(said_now);
        CHECK(said_now->words == "t");
        models::HeadControls changed;
        changed.edits = {{9, 1, 1.0f}};
        changed.positions = nn::Positions::none;
        desk.set(desk.head(), changed);
        models::HeadControls none;
        none.positions = nn::Positions::none;
        desk.set({}, none);
        CHECK(said(run, desk).find("“") != std::string::npos);
        desk.document.controls = {};
        desk.run();
    }
}

TEST_CASE("“ate” can be made to look at 昨天 alone") {
    Desk desk = first("zh_CN.UTF-8");
    setenv("LC_ALL", "C", 1);
    desk.document.target = "I ate an apple yesterday"; // else it may say another word there
    desk.run();
    models::HeadControls edit;
    edit.edits = {{1, 1, 1.0f}}; // the row that says “ate”, and 昨天
    desk.set(desk.head(), edit);
    CHECK(fact_holds(desk, "edited row \"ate\" keys \"昨天\""));
}

TEST_CASE("lesson 3 on the first model: the head that looks one word back is found") {
    Desk desk = first();
    LessonRun run = lesson("3-a-head");
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.look({AttentionKind::decoder_self, 0, 0});
    run.watch(desk.state());
    CHECK_FALSE(run.held(1)); // another kind shows a head of its own
    const auto head = app::strongest_head(desk.state(), app::pattern_measures()[0]);
    REQUIRE(head);
    desk.look(*head);
    const std::string words = said(run, desk);
    CHECK(words.starts_with("Head " + app::short_head(*head) + " gives "));
}

TEST_CASE("lesson 3 is not done by a head that was chosen before it was read") {
    Desk desk = first();
    desk.look({AttentionKind::decoder_self, 0, 0});
    const auto head = app::strongest_head(desk.state(), app::pattern_measures()[0]);
    REQUIRE(head);
    desk.look(*head);
    LessonRun run = lesson("3-a-head");
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    trace::HeadId other = *head;
    other.head = other.head == 0 ? 1 : 0;
    desk.look(other);
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.look(*head);
    said(run, desk);
}

TEST_CASE("lesson 4 begins at the head that loses most entropy without its scale") {
    Desk desk = first();
    const auto found = app::head_of_scale(*desk.snapshot->run);
    REQUIRE(found);
    const auto entropy = [&](const trace::HeadId& head) {
        desk.look(head);
        return desk.snapshot->summary.mean_entropy_bits;
    };
    double most = 0;
    std::optional<trace::HeadId> expected;
    const trace::Trace trace = desk.snapshot->run->trace;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        for (int at = 0; at < trace.n_layers(kind) * trace.n_heads(kind); ++at) {
            const trace::HeadId head{kind, at / trace.n_heads(kind), at % trace.n_heads(kind)};
            const double before = entropy(head); // each alone, run once more without its scale
            desk.set(desk.head(), with_scale(models::Scale::Kind::off));
            const double lost = before - entropy(head);
            desk.set(desk.head(), {});
            if (lost <= most) continue;
            most = lost;
            expected = head;
        }
    }
    CHECK(found == expected);
    CHECK(most > 1);
    CHECK(lesson("4-why-root-of-d-k").lesson().at_head_of_scale);
}

TEST_CASE("lesson 4 on the first model: the scale is off") {
    Desk desk = first();
    LessonRun run = lesson("4-why-root-of-d-k");
    run.watch(desk.state());
    desk.set(desk.head(), with_scale(models::Scale::Kind::off));
    said(run, desk);
    const auto entropy = static_cast<double>(desk.snapshot->summary.mean_entropy_bits);
    const std::string bits = lab::fixed_text(entropy, 2); // as the panel has it
    CHECK(run.said().find("to " + bits + " bits") != std::string::npos);
}

TEST_CASE("lesson 5 on the first model: without its mask the decoder looks ahead") {
    Desk desk = first();
    LessonRun run = lesson("5-masks");
    desk.look({AttentionKind::decoder_self, 1, 0});
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.set(desk.head(), with_mask({}));
    CHECK(said(run, desk).find("With the mask 0 % of") != std::string::npos);
}

TEST_CASE("lesson 6 on the first model: without positions it says something else") {
    Desk desk = first();
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    models::HeadControls off;
    off.positions = nn::Positions::none;
    desk.set(desk.head(), off); // of one head alone: the embedding keeps its positions
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.set({}, off);
    said(run, desk);
}

TEST_CASE("lesson 6 on a language model says the token that comes next, its places used up or not") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    app::Document document;
    document.model_file = folder / "gpt2";
    document.target = "the cat sat";
    if (GENERATE(false, true)) {
        for (int i = 0; i < 29; ++i) document.target += " cat";
    }
    Desk desk(document, app::Focus{.head = {AttentionKind::decoder_self, 0, 0}});
    const models::Run& model = *desk.snapshot->run;
    const std::string before = model.model->answer(desk.snapshot->prediction->likeliest.front());
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    models::HeadControls off;
    off.positions = nn::Positions::none;
    desk.set({}, off);
    const std::string words = said(run, desk);
    INFO(words);
    CHECK(words.find("–") == std::string::npos);
    CHECK(words.find("with them it said “" + before + "”") != std::string::npos);
}

TEST_CASE("lesson 6 says of a recurrent model how it knows the order") {
    Desk desk = recurrent_desk();
    LessonRun run = lesson("6-positions");
    run.watch(desk.state());
    CHECK(run.cannot() == "This model reads words one after the other: it knows their order, and "
                          "has no positions to choose.");
}

TEST_CASE("lesson 7 on the first model: all three kinds of attention are looked at") {
    Desk desk = first();
    LessonRun run = lesson("7-encoder-decoder-cross");
    for (const AttentionKind kind : trace::kAttentionKinds) {
        CHECK_FALSE(run.seen());
        desk.look({kind, 0, 0});
        run.watch(desk.state());
    }
    CHECK(said(run, desk).find("cross 1.1") != std::string::npos);
}

TEST_CASE("lesson 8: five hundred steps of Reverse are done in the Train room") {
    Desk desk = first();
    LessonRun run = lesson("8-watch-it-learn");
    run.watch(desk.state());
    desk.view.view = app::View::train;
    desk.training = app::TrainingFact{600, 600, 0.01, 0.02, "en-fr"};
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.training = app::TrainingFact{120, 100, 0.1, 0.1, "reverse"};
    run.watch(desk.state());
    CHECK_FALSE(run.seen());
    desk.training = app::TrainingFact{500, 500, 0.4, 0.7, "reverse"};
    const std::string words = said(run, desk);
    CHECK(words.starts_with("At step 500, that model got 40 % of"));
    CHECK(words.ends_with("its best so far was 70 %."));
}

TEST_CASE("lesson 8 asks nothing that the curves of a run before it have answered") {
    Desk desk = first();
    desk.view.view = app::View::train;
    LessonRun run = lesson("8-watch-it-learn");
    CHECK(run.asks());
    // Of another task: its curves tell nothing.
    desk.training = app::TrainingFact{0, 2850, 0.9, 0.9, "copy", true};
    run.watch(desk.state());
    CHECK(run.asks());
    CHECK_FALSE(run.needs_fresh_run());
    desk.training->task = "reverse";
    run.watch(desk.state());
    CHECK_FALSE(run.asks());
    CHECK(run.needs_fresh_run());
    CHECK_FALSE(run.seen());
    desk.training = app::TrainingFact{0, 0, 0.0, 0.0, "reverse"}; // a fresh one
    run.watch(desk.state());
    CHECK(run.asks());
    CHECK_FALSE(run.needs_fresh_run());
}
