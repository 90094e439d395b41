// A recurrent model in the window: its scores, its steps, its words.
#include "ui/driver.hpp"

#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/titles.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "models/model/sides.hpp"
#include "models/open.hpp"
#include "models/recurrent/recurrent.hpp"
#include "nn/attention/score_info.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/frame/choices.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

Driver::Options speaker() {
    auto options = Driver::tiny();
    models::RecurrentConfig config;
    config.hidden = 24;
    config.embedding = 12;
    options.document.model = config;
    options.document.source = "the cat sat on the mat";
    options.document.target = "le chat est assis";
    return options;
}

} // namespace

TEST_CASE("a sentence that is emptied leaves Decoding as it was") {
    auto options = speaker();
    options.document.target.clear();
    Driver d(options);
    d.settle();
    REQUIRE(d.find("decode/greedy").on);
    d.replace_field("source", "");
    d.settle();
    REQUIRE(d.snapshot().error);
    CHECK(d.find("decode/greedy").on);
    CHECK_FALSE(d.find("decode/target").on);
}

TEST_CASE("the model card makes a recurrent model of a transformer and back") {
    Driver d;
    d.click("model");
    d.click("Recurrent");
    d.click("model/make");
    d.settle();
    REQUIRE(models::traits(d.document().model).is_stepwise());
    CHECK(d.snapshot().run->trace.n_layers(trace::AttentionKind::cross) == 1);
    CHECK_FALSE(d.snapshot().error);
    d.click("LSTM");
    d.settle();
    CHECK(std::get_if<models::RecurrentConfig>(&d.document().model)->cell == nn::Cell::lstm);
    d.click("Transformer");
    d.click("model/make");
    d.settle();
    CHECK(models::traits(d.document().model).architecture);
    CHECK_FALSE(d.snapshot().error);
}

TEST_CASE("the model card makes a classifier, whose classes stand where words would") {
    Driver d;
    d.click("model");
    d.click("model/kind/Classifier");
    d.click("model/make");
    d.settle();
    REQUIRE(models::traits(d.document().model).classifies());
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.snapshot().run->trace.n_heads(trace::AttentionKind::encoder_self) == 1);
    REQUIRE(d.snapshot().prediction);
    CHECK(d.snapshot().prediction->probabilities.size() == 10);
    d.click("model/heads/more");
    d.settle();
    CHECK(models::spec_of(d.document().model)->n_heads == 2);
    for (int i = 0; i < 2; ++i) d.click("model/heads/more");
    d.settle();
    CHECK(models::spec_of(d.document().model)->n_heads == 8); // 5, 6 and 7 share no width of 64
    d.click("model/pooling/flatten");
    d.settle();
    CHECK(models::spec_of(d.document().model)->pooling == models::Pooling::flatten);
    CHECK_FALSE(d.snapshot().error);
    d.click("model/kind/Recurrent");
    d.click("model/make");
    d.settle();
    CHECK(models::traits(d.document().model).is_stepwise());
    CHECK_FALSE(d.snapshot().error);
}

TEST_CASE("a recurrent model shows all scores, and a click uses one") {
    Driver d(speaker());
    d.settle_all();
    REQUIRE(d.snapshot().gallery);
    CHECK(d.shows("cosine"));
    const figure::Box box = d.find("gallery").box;
    d.click(ui::Point{box.x + box.w * 0.25f, box.y + box.h * 0.5f}); // the second row's first
    d.settle();
    const auto head = d.snapshot().run->trace.map({trace::AttentionKind::cross, 0, 0});
    CHECK(head->head().settings.score != nn::Score::additive);
}

TEST_CASE("attention that has one head is called so, and by no number") {
    Driver d;
    ui::test::open(d, app::shipped_model("en-fr-bahdanau"));
    d.settle();
    d.key(ui::shim::Key::escape); // the sentence that is offered
    d.key(ui::shim::Key::m);
    d.settle();
    CHECK(d.find("change/0").label == "attention: switched off");
    CHECK(d.shell->work.history().words(d.shell->work.history().at()) == "muted, attention");
    CHECK(d.shell->title().find("head") == std::string::npos);
    CHECK_FALSE(ui::test::says(d, "This head is off"));
    CHECK_FALSE(ui::test::says(d, "cross 1.1"));
    d.key(ui::shim::Key::e, true);
    d.frames(3);
    CHECK(d.find("export/path").text.find("-1-1") == std::string::npos);
}

TEST_CASE("steps are walked through, and the chosen row is the step") {
    Driver d(speaker());
    d.settle();
    d.click("step/first");
    CHECK(d.shows("1/5"));
    d.click("step/next");
    CHECK(d.shows("2/5"));
    CHECK(d.shell->state.view.selected->first == 1);
    d.click("step/last");
    CHECK(d.shows("5/5"));
    CHECK(d.shows("⟨end⟩"));
    d.key(Key::up);
    CHECK(d.shows("4/5"));
}

TEST_CASE("playing walks by itself and stops at the end") {
    Driver d(speaker());
    d.settle();
    d.shell->state.player.seconds = 100; // longer than a click takes
    d.click("step/play");
    CHECK(d.shell->state.player.playing);
    d.shell->state.player.seconds = 0.05f;
    for (int i = 0; i < 60 && d.shell->state.player.playing; ++i) d.frame();
    CHECK_FALSE(d.shell->state.player.playing);
    CHECK(d.shell->state.view.selected->first == 4);
    d.shell->state.player.seconds = 100;
    d.key(Key::space);
    CHECK(d.shell->state.player.playing);
}

TEST_CASE("a click on a word makes the step say it") {
    Driver d(speaker());
    d.settle();
    d.click("step/first");
    d.click("step/next");
    d.frame();
    std::size_t i = 0; // the first that has a row of its own
    const auto& likeliest = (*d.snapshot().spoken)[1].likeliest;
    while (!likeliest.at(i).can_be_said) ++i;
    const std::string word = likeliest[i].word;
    d.click("say/" + std::to_string(i));
    d.settle();
    CHECK(d.snapshot().run->trace.target[0].text == "le");
    CHECK(d.snapshot().run->trace.target[1].text == word);
    CHECK(d.document().decoding.rule == models::Decoding::Rule::greedy);
}

TEST_CASE("a beam is a tree, and a click on a word follows its hypothesis") {
    auto options = speaker();
    options.document.target.clear();
    options.document.decoding.limit = 5;
    Driver d(options);
    d.settle();
    d.click("decode/beam");
    d.settle();
    const auto beam = d.snapshot().run->trace.beam;
    REQUIRE(beam);
    REQUIRE(beam->hypotheses.size() > 1);
    const auto first = d.snapshot().run->trace.target;
    d.click("hypothesis/more");
    d.settle();
    CHECK(d.document().decoding.followed == 1);
    CHECK(d.shows("hypothesis 2")); // in the field, in every view
    CHECK_FALSE(d.snapshot().run->trace.target == first);
    d.click("Beam");
    d.settle();
    const int last = beam->hypotheses[2];
    const figure::Figure tree = d.picture();
    const auto node =
        std::find_if(tree.targets.begin(), tree.targets.end(), [&](const figure::Target& t) {
            const auto* tag = t.as<figure::tag::Node>();
            return tag && tag->place == last;
        });
    REQUIRE(node != tree.targets.end());
    const figure::Box picture = d.find("picture").box;
    d.click(ui::Point{picture.x + node->box.x + node->box.w / 2,
                      picture.y + node->box.y + node->box.h / 2});
    d.settle();
    CHECK(d.document().decoding.followed == 2);
    CHECK(d.shows("hypothesis 3"));
    CHECK(d.shell->state.view.selected->first == beam->nodes[static_cast<std::size_t>(last)].step);
    d.click("scale"); // another search, whose best is shown
    d.settle();
    CHECK(d.document().decoding.followed == 0);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().decoding.followed == 2);
}

TEST_CASE("behind typed words Decoding says that they are kept") {
    Driver d(speaker());
    d.settle();
    CHECK_FALSE(says(d, "The typed words are kept"));
    d.click("decode/beam");
    d.settle();
    REQUIRE(d.snapshot().run->trace.beam);
    CHECK(d.snapshot().run->trace.target[0].text == "le");
    CHECK(says(d, "The typed words are kept; the search continues after them."));
}

TEST_CASE("the picture of a step follows the player, and a click on a word forces it") {
    Driver d(speaker());
    d.settle();
    d.click("Step");
    d.click("step/first");
    d.settle();
    REQUIRE(d.snapshot().step);
    CHECK(d.snapshot().step->step == 0);
    CHECK(d.picture().title.find("Step 1 of 5") != std::string::npos);
    d.key(Key::down);
    d.settle();
    CHECK(d.picture().title.find("Step 2 of 5") != std::string::npos);
    d.shell->state.player.seconds = 0.05f;
    d.key(Key::space);
    for (int i = 0; i < 60 && d.shell->state.player.playing; ++i) d.frame();
    d.settle();
    CHECK(d.picture().title.find("Step 5 of 5") != std::string::npos);

    d.click("step/first");
    d.settle();
    const figure::Figure picture = d.picture();
    const auto& likeliest = d.snapshot().spoken->front().likeliest;
    std::size_t i = 0;
    while (!likeliest.at(i).can_be_said) ++i;
    const std::string word = likeliest[i].word;
    const auto bar =
        std::find_if(picture.targets.begin(), picture.targets.end(), [&](const figure::Target& t) {
            return t.tag == figure::Tag(figure::tag::Bar{static_cast<int>(i)});
        });
    REQUIRE(bar != picture.targets.end());
    const figure::Box box = d.find("picture").box;
    d.click(ui::Point{box.x + bar->box.x + bar->box.w / 2, box.y + bar->box.y + bar->box.h / 2});
    d.settle();
    CHECK(d.snapshot().run->trace.target[0].text == word);
}

TEST_CASE("the steps of a transformer's decoder are walked through, played and read alike") {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "The black cat is small";
    options.document.target.clear();
    Driver d(options);
    d.settle();
    d.click("kind/Encoder");
    d.click("Step"); // which is of the decoder
    d.settle();
    CHECK(d.shell->work.focus().head.kind == trace::AttentionKind::cross);
    const auto target = d.snapshot().run->trace.target;
    const int n = static_cast<int>(target.size());
    REQUIRE(n > 4);
    const auto shows_step = [&](int step) {
        const std::string title = d.picture().title;
        INFO(title);
        const bool last = step == n;
        const std::string said =
            last ? "" : "“" + target[static_cast<std::size_t>(step)].text + "”";
        CHECK(title.find(fmt::format("Step {} of {} · {}", step, n, said)) != std::string::npos);
    };
    d.click("step/next");
    d.settle();
    REQUIRE(d.snapshot().step);
    CHECK(d.snapshot().step->step == 0);
    shows_step(1);
    CHECK(d.shows(fmt::format("1/{} “{}”", n, target[1].text)));
    d.key(Key::down);
    d.settle();
    shows_step(2);
    d.shell->state.player.seconds = 0.05f;
    d.key(Key::space);
    for (int i = 0; i < 90 && d.shell->state.player.playing; ++i) d.frame();
    d.settle();
    shows_step(n);
    d.click("step/previous");
    d.settle();
    shows_step(n - 1);
    // The attention that is chosen is the one that the step shows.
    d.click("kind/Decoder");
    d.settle();
    REQUIRE(d.snapshot().step);
    CHECK(d.snapshot().step->head->kind == trace::AttentionKind::decoder_self);
    d.click("kind/Encoder");
    d.settle();
    CHECK_FALSE(d.snapshot().step);
    CHECK_FALSE(d.has("step/next"));
    CHECK(d.shows("Step shows the decoder. Switch to Cross or Decoder."));
    d.click("step/cross");
    d.settle();
    shows_step(n - 1);
}

TEST_CASE("playing steps ends with their view, and no text goes on in its place") {
    Driver::Options options = Driver::tiny();
    options.focus = {{trace::AttentionKind::cross, 0, 0}};
    options.view.view = app::View::step;
    Driver d(options);
    d.settle();
    d.shell->state.player.seconds = 100;
    d.click("step/play");
    CHECK(d.shell->state.player.playing);
    d.click("view/Heatmap");
    d.settle();
    CHECK_FALSE(d.shell->state.player.playing);
    CHECK_FALSE(d.has("step/play"));
}

TEST_CASE("the strip and the inspector show what an additive score is made of") {
    Driver d(speaker());
    d.settle();
    const auto labels = [&] {
        std::string all;
        for (const app::StripItem& item : d.snapshot().strip) all += item.label + "|";
        return all;
    };
    CHECK(labels().find("W s|U k|W s + U k|tanh|e additive|") != std::string::npos);
    d.click("step/first");
    d.settle();
    CHECK(d.shows("v \u2218 tanh"));
    CHECK(d.has("additive"));
    const figure::Box gallery = d.find("gallery").box; // its third row's first: bilinear
    d.settle_all();
    d.click(ui::Point{gallery.x + gallery.w * 0.25f, gallery.y + gallery.h * 0.85f});
    d.settle();
    CHECK(labels().find("tanh") == std::string::npos);
    CHECK_FALSE(d.has("additive"));
}

TEST_CASE("a model that has no steps leaves the views of steps") {
    auto options = speaker();
    options.view.view = app::View::unrolled;
    Driver d(options);
    d.settle();
    CHECK(d.shell->state.view.view == app::View::unrolled);
    CHECK_FALSE(d.has("view/Heads"));
    d.click("model");
    d.click("Transformer");
    d.click("model/make");
    d.settle();
    CHECK(d.shell->state.view.view == app::View::heatmap);
}

TEST_CASE("every view and room of a recurrent model is drawn") {
    for (const auto view :
         {app::View::heatmap, app::View::lines, app::View::heads, app::View::neurons,
          app::View::flow, app::View::stages, app::View::positions, app::View::softmax,
          app::View::step, app::View::unrolled, app::View::beam}) {
        auto options = speaker();
        options.view.view = view;
        Driver d(options);
        d.settle_all();
        CHECK(d.snapshot().run);
        CHECK_FALSE(d.snapshot().error);
    }
}

TEST_CASE("the model card chooses a shape, and every shape can be played") {
    Driver d(speaker());
    d.settle();
    for (const char* shape : {"N\u2192N", "N\u21921", "1\u2192N", "N\u2192M"}) {
        INFO(shape);
        d.click("model");
        d.click(shape);
        d.key(Key::escape);
        d.settle_all();
        REQUIRE_FALSE(d.snapshot().error);
        const models::Traits& traits = d.snapshot().run->model->traits();
        CHECK(app::fits(d.shell->state.view.view, d.snapshot().run->model->config()));
        CHECK(d.has("gallery") == traits.attends());
        CHECK(d.has("decode/beam") == traits.decodes);
        CHECK(d.has("step/first"));
        d.click("Unrolled");
        d.settle();
        CHECK(d.picture().title.starts_with("An unrolled recurrent network"));
        if (d.find("step/last").enabled) {
            d.click("step/last");
            d.settle();
            const auto steps = static_cast<int>(d.snapshot().run->trace.target.size());
            CHECK(d.shell->state.view.selected->first == steps - 1);
        }
        d.key(Key::space);
        d.key(Key::up);
        d.key(Key::down);
        d.key(Key::escape);
        d.settle();
    }
}

TEST_CASE("one word speaks in a beam, drawn as a tree and followed") {
    auto options = speaker();
    std::get_if<models::RecurrentConfig>(&options.document.model)->shape = models::Shape::one_to_n;
    options.document.target.clear();
    options.document.decoding = {models::Decoding::Rule::beam, 3, 5, 0};
    options.view.view = app::View::beam;
    Driver d(options);
    d.settle();
    CHECK(d.shell->state.view.view == app::View::beam);
    const auto first = d.snapshot().run->trace.target;
    d.click("hypothesis/more");
    d.settle();
    CHECK_FALSE(d.snapshot().run->trace.target == first);
    d.click("Step");
    d.settle();
    CHECK(d.picture().title.find("Step 1 of") != std::string::npos);
}

TEST_CASE("a click at the side of a beam shows the steps that had no room") {
    auto options = speaker();
    options.document.target.clear();
    options.document.decoding = {models::Decoding::Rule::beam, 3, 16, 0};
    options.view.view = app::View::beam;
    options.width = 640;
    Driver d(options);
    d.settle();
    const auto ways = [&] {
        std::vector<figure::Target> found;
        for (const figure::Target& target : d.picture().targets) {
            if (target.as<figure::tag::RowLabel>()) found.push_back(target);
        }
        return found;
    };
    const auto step_of = [](const figure::Target& way) {
        return way.as<figure::tag::RowLabel>()->query;
    };
    REQUIRE(ways().size() == 1); // to later steps alone
    const figure::Target later = ways().front();
    const auto chosen = d.shell->state.view.selected;
    const figure::Box place = d.find("picture").box, box = later.box;
    d.click(figure::Point{place.x + box.x + box.w / 2, place.y + box.y + box.h / 2});
    d.settle();
    REQUIRE_FALSE(ways().empty());
    CHECK(step_of(ways().front()) < step_of(later)); // to earlier ones
    CHECK(d.shell->state.view.selected == chosen);
    d.shell->state.view.selected = {0, 0}; // as in another room
    d.settle();
    REQUIRE(ways().size() == 1);
    CHECK(step_of(ways().front()) > 0); // the chosen step is in sight again
}

TEST_CASE("a room has its own controls, and of a recurrent model's what its picture is of") {
    for (const auto view : {app::View::positions, app::View::softmax}) {
        auto options = speaker();
        options.view.view = view;
        Driver d(options);
        d.settle_all();
        const char* own = view == app::View::positions ? "room/length" : "room/factor";
        REQUIRE(d.has(own));
        CHECK_FALSE(d.has("decode/0"));
        CHECK_FALSE(d.has("context/0"));
        const bool of_scores = view == app::View::softmax;
        CHECK(d.has("gallery") == of_scores);
        CHECK(d.has("step/play") == of_scores);
        CHECK(d.has("temperature") == of_scores);
        if (of_scores) CHECK(d.find(own).box.y < d.find("gallery").box.y);
    }
}

TEST_CASE("the model card shows what a recurrent model from a file is, and goes on from it") {
    const TemporaryFolder folder;
    num::ThreadPool pool(1);
    models::RecurrentConfig config;
    config.cell = nn::Cell::lstm;
    config.n_layers = 2;
    config.hidden = 24;
    config.embedding = 12;
    const auto model = models::draw_model(config, pool);
    REQUIRE(model);
    REQUIRE((*model)->save(folder / "mine.safetensors"));
    auto options = Driver::tiny();
    options.document.model_file = folder / "mine.safetensors";
    options.document.source = "the cat sat on the mat";
    options.document.target = "le chat";
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    d.click("model");
    CHECK(d.find("model/cell/LSTM").on);
    CHECK_FALSE(d.has("model/form/encoder"));
    d.click("model/shape/N\u2192N");
    d.settle();
    CHECK_FALSE(d.document().model_file.empty()); // not before it is asked for
    d.click("model/make");
    d.settle();
    CHECK(d.document().model_file.empty());
    config.shape = models::Shape::n_to_n;
    CHECK(d.document().model == models::Config(config));
    d.click("model/kind/Transformer");
    d.click("model/make");
    d.settle();
    CHECK(models::traits(d.document().model).architecture);
}

TEST_CASE(
    "the model's answer stands in full ink, with every letter, and unknown words are marked") {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "The black cat is small";
    options.document.target.clear();
    options.focus = {{trace::AttentionKind::cross, 1, 0}};
    Driver d(options);
    d.settle();
    for (const char* word : {"le", "chat", "noir", "est", "petit"}) CHECK(d.shows(word));
    CHECK(d.shows("by model"));
    // A word points at the row where it is said.
    CHECK(d.find("answer/2").label == "noir");
    d.hover("answer/2");
    d.settle();
    CHECK(d.shell->state.stage->pointed.query == 2);
    d.click("answer/2");
    d.settle();
    REQUIRE(d.shell->state.view.selected);
    CHECK(d.shell->state.view.selected->first == 2);
    CHECK(d.find("target").on); // and one can type
    d.key(Key::escape);
    CHECK_FALSE(d.shows("Type its translation"));
    CHECK_FALSE(d.shows("is not among"));
    CHECK(d.picture().title.size() > 0);
    d.click("rows/1");
    d.settle();
    CHECK(d.shell->work.focus().rows_read);
    d.replace_field("source", "The black xyzzy is small");
    d.settle();
    CHECK(d.shows("\u201cxyzzy\u201d is not among the "));
}

namespace {

/// The first start in English, in a window of this size.
Driver::Options first_start(int width, int height) {
    Driver::Options options;
    options.width = width;
    options.height = height;
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat did not eat the red apple";
    options.document.target.clear();
    options.focus = {{trace::AttentionKind::cross, 1, 0}};
    options.view.selected = {1, 2};
    return options;
}

} // namespace

TEST_CASE("at 1280 × 800 the first answer is read whole, and links stand below the map's columns") {
    Driver d(first_start(1280, 800));
    d.settle();
    CHECK(d.has("answer/8"));
    CHECK(d.find("answer/8").label == "rouge");
    // The fields stay where they are while a word more is typed.
    const float from = d.find("target").box.x;
    d.click("source");
    d.key(Key::end);
    d.type(" now");
    d.settle();
    CHECK(d.find("target").box.x == from);
    d.key(Key::z, true);
    d.settle();
    const auto place_of = [](const figure::Figure& figure, const std::string& word) {
        for (const auto& item : figure.items) {
            const auto* text = std::get_if<figure::Text>(&item);
            if (text && text->text == word && text->align_x == figure::AlignX::centre)
                return text->at.x;
        }
        return -1.0f;
    };
    const float column = place_of(d.picture(), "apple");
    CHECK(column > 0);
    CHECK(std::abs(place_of(d.links(), "apple") - column) < 1);
}

TEST_CASE("the time that a run took gives way to the answer") {
    Driver d(first_start(1280, 800));
    d.shell->state.timings = true;
    d.settle();
    REQUIRE(d.has("answer/8"));
    CHECK(d.find("answer/8").label == "rouge");
    CHECK_FALSE(d.has("sizes"));
    d.replace_field("source", "the cat eats");
    d.key(Key::escape); // out of the field: until then all keeps its place
    d.settle();
    CHECK(d.has("sizes"));
}

TEST_CASE("in a narrow window the model's name leaves the sentences their room") {
    Driver d(first_start(720, 480));
    d.settle();
    CHECK(d.find("model").box.w < 240);
    CHECK(d.has("answer/1"));
}

TEST_CASE("an empty sentence is told in a sentence") {
    Driver d(first_start(1280, 800));
    d.click("source");
    d.key(Key::a, true);
    d.key(Key::backspace);
    d.settle();
    CHECK(d.shows("The source is empty; type a sentence"));
}

TEST_CASE("an empty target asks for what the model's task is to answer with") {
    for (const train::TaskInfo& task : train::task_infos()) {
        CAPTURE(std::string(task.name));
        const bool translates = task.label.find(" → ") != std::string_view::npos &&
                                task.task != train::Task::dates &&
                                task.target == train::TargetKind::sentence;
        CHECK((task.hint == "Type its translation") == translates);
        CHECK(task.hint.starts_with("Type "));
    }
}

TEST_CASE("what is told of a run is never cut while a long text is typed") {
    Driver::Options options;
    options.width = 1600;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the cat";
    options.document.target.clear();
    Driver d(options);
    d.shell->state.timings = true;
    d.settle();
    std::string text;
    for (int i = 0; i < 400; ++i) text += "the black cat ";
    d.replace_field("source", text);
    d.settle();
    REQUIRE(d.has("sizes"));
    std::istringstream screen(d.screen());
    for (std::string line; std::getline(screen, line);) {
        const bool of_run = line.find(" ms") != std::string::npos;
        if (of_run) CHECK_FALSE(line.ends_with("\u2026"));
    }
}

TEST_CASE("in Positions stands only what is of positions") {
    Driver d(first_start(1280, 800));
    d.settle();
    CHECK(d.has("rows/0"));
    CHECK(d.has("norm/0"));
    d.click("room/positions");
    d.settle();
    CHECK_FALSE(d.has("rows/0"));
    CHECK_FALSE(d.has("norm/0"));
    CHECK_FALSE(d.has("dropout"));
    CHECK(d.has("join/0"));
}

TEST_CASE("what rows are named by is a choice between other units too, in the same place") {
    Driver d(first_start(1280, 1600));
    d.settle();
    const figure::Box place = d.find("rows/1").box;
    REQUIRE(d.find("rows/0").on);
    const bool hides = GENERATE(true, false);
    app::Focus focus = d.shell->work.focus();
    (hides ? focus.hide_special : focus.merge_words) = true;
    if (!hides) {
        app::Document characters = d.document();
        characters.segmentation = text::Segmentation::characters;
        d.shell->work.apply(ui::ChangeDocument{characters, {}, "characters", true, true});
    }
    d.shell->work.apply(ui::ChangeFocus{focus});
    d.settle();
    REQUIRE(d.find("rows/1").box == place);
    CHECK(d.find("rows/0").on);
    d.click("rows/1");
    d.settle();
    CHECK(d.shell->work.focus().rows_read);
    CHECK(d.find("rows/1").on);
    d.click("rows/0");
    CHECK_FALSE(d.shell->work.focus().rows_read);
}

TEST_CASE("words of the model's own are told as such at any width, and leave room for that") {
    for (const auto& [width, tag] :
         {std::pair(1600, "by model"), {1280, "by model"}, {760, "model"}}) {
        INFO(width);
        Driver::Options options;
        options.width = width;
        options.height = 800;
        options.document.model_file = app::shipped_model("en-fr-transformer");
        options.document.source = width == 1600 ? "The cat" : "the black cat did not eat the apple";
        options.document.target.clear();
        options.focus = {{trace::AttentionKind::cross, 1, 0}};
        Driver d(options);
        d.settle();
        bool written = false; // on a line of its own
        std::istringstream screen(d.screen());
        for (std::string line; std::getline(screen, line);) written |= line == tag;
        CHECK(written);
        CHECK(d.has("answer/0"));
        const figure::Box field = d.find("target").box;
        for (int i = 0; d.has("answer/" + std::to_string(i)); ++i) {
            const figure::Box word = d.find("answer/" + std::to_string(i)).box;
            CHECK(word.x + word.w <= field.x + field.w - 30);
        }
    }
}

TEST_CASE("what is said at the foot of the stage lies below the picture, and hides none of it") {
    Driver::Options options;
    options.width = 1280;
    options.height = 800;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the cat";
    options.document.target.clear();
    options.focus = {{trace::AttentionKind::cross, 1, 0}};
    options.view.view = app::View::lines; // nothing else stands below it
    Driver d(options);
    d.settle();
    const figure::Box plain = d.find("picture").box;
    d.replace_field("source", "the xyzzy");
    d.settle();
    REQUIRE(d.shows("\u201cxyzzy\u201d is not among the "));
    CHECK(d.find("picture").box.y == plain.y);
    CHECK(d.find("picture").box.h < plain.h - 20);
    d.replace_field("source", "the cat");
    d.key(Key::escape); // while it is typed, the fields keep their places
    d.settle();
    CHECK(d.find("picture").box.h == plain.h);
}

TEST_CASE("the stages of a recurrent model are told with Bahdanau's letters") {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("zh-en-bahdanau");
    options.document.source = "我 昨天 吃 了 一 个 苹果";
    options.document.target.clear();
    options.focus = {{trace::AttentionKind::cross, 0, 0}};
    Driver d(options);
    d.settle();
    std::string labels; // with the letters of the tips: this model reads its states through a map
    for (const app::StripItem& item : d.snapshot().strip) labels += item.label + "|";
    CHECK(labels.find("W s|U k|W s + U k|tanh|") != std::string::npos);
    const figure::Box strip = d.find("stages").box;
    bool scores = false, weights = false;
    for (float x = strip.x + 10; x < strip.x + strip.w; x += 30) {
        d.hover(figure::Point{x, strip.y + strip.h / 2});
        scores = scores || d.shows("eᵢⱼ = vᵀ tanh(W sᵢ₋₁ + U kⱼ)");
        weights = weights || d.shows("Bahdanau et al. 2015, eq. 6");
        CHECK_FALSE(d.shows("Vaswani"));
    }
    CHECK(scores);
    CHECK(weights);
    d.click("Stages"); // whose sentence breaks no formula
    d.settle();
    CHECK(d.screen().find("W\u00a0s\u00a0+\u00a0U\u00a0k") != std::string::npos);
}

TEST_CASE("the stages of a model in Luong's order are told, with its own letters") {
    models::RecurrentConfig model;
    model.order = models::StepOrder::update_first;
    model.projection = models::Projection::none;
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model = model;
    options.document.source = "the cat sat";
    options.document.target = "le chat";
    options.focus = {{trace::AttentionKind::cross, 0, 0}};
    options.width = 1600;
    Driver d(options);
    const auto told = [&](const char* words) {
        const figure::Box strip = d.find("stages").box;
        for (float x = strip.x + 10; x < strip.x + strip.w; x += 15) {
            d.hover(figure::Point{x, strip.y + strip.h / 2});
            if (d.shows(words)) return true;
        }
        return false;
    };
    CHECK(told("eᵢⱼ = vᵀ tanh(W sᵢ + U hⱼ)"));
    CHECK(told("αᵢⱼ = exp(eᵢⱼ) / Σₖ exp(eᵢₖ)"));
    CHECK(told("cᵢ = Σⱼ αᵢⱼ hⱼ"));
    d.click("score");
    d.click(fmt::format("score/{}", static_cast<int>(nn::Score::bilinear)));
    CHECK(told("eᵢⱼ = sᵢ W hⱼ"));
    CHECK(told("αᵢⱼ = exp(γ eᵢⱼ) / Σₖ exp(γ eᵢₖ)"));
    CHECK(d.snapshot().run->model->traits().head_width == 512);
}

TEST_CASE("the sentences keep their places while one of them is typed") {
    for (const char* model : {"en-fr-transformer", "reverse"}) {
        Driver::Options options = first_start(1280, 800);
        options.document.model_file = app::shipped_model(model);
        Driver d(options);
        d.click("source");
        d.key(Key::a, true);
        d.key(Key::backspace);
        const figure::Box source = d.find("source").box, target = d.find("target").box;
        for (const char c : std::string("the black cat did not eat the red apple")) {
            d.type({c});
            CHECK(d.find("source").box == source);
            CHECK(d.find("target").box == target);
        }
        d.key(Key::escape);
        d.settle();
        const figure::Box wide = d.find("target").box;
        d.click("target");
        d.type("x");
        CHECK(d.find("target").box == wide);
    }
}

TEST_CASE("a click into what the model said goes on from its text") {
    Driver d(first_start(1600, 1000));
    const std::string said = "le chat noir n'a pas mang\u00e9 la pomme rouge";
    const auto click_before = [&](const char* word) {
        const figure::Box chip = d.find(word).box;
        d.click(ui::Point{chip.x + 4, chip.y + chip.h / 2});
    };
    REQUIRE(d.find("answer/2").label == "noir");
    click_before("answer/2");
    CHECK(d.find("target").on);
    CHECK(d.find("target").text == said);
    CHECK(d.document().target.empty()); // nothing is changed yet
    d.key(Key::escape);
    d.settle();
    CHECK(d.document().target.empty());
    CHECK(d.shows("by model"));

    click_before("answer/2");
    d.type("gros ");
    CHECK(d.document().target == "le chat gros noir n'a pas mang\u00e9 la pomme rouge");
    d.key(Key::escape);
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document().target.empty());
    CHECK(d.shows("by model"));

    const figure::Box field = d.find("target").box; // behind the words
    d.click(ui::Point{field.x + 0.8f * field.w, field.y + field.h / 2});
    CHECK(d.find("target").text == said + " "); // for another word
    d.type("et");
    CHECK(d.document().target == said + " et");
    d.key(Key::a, true);
    d.key(Key::backspace);
    d.key(Key::escape);
    d.settle();
    CHECK(d.document().target.empty());
    CHECK(d.shows("by model"));
}

TEST_CASE("a click on a chip puts the caret at its character") {
    Driver::Options options = first_start(1600, 1000);
    options.document.model_file = app::shipped_model("zh-en-bahdanau");
    options.document.source = "我昨天吃了一个苹果";
    options.document.segmentation = text::Segmentation::words;
    Driver d(options);
    const std::vector<text::Token>& tokens = d.snapshot().run->input.source;
    REQUIRE(tokens.size() > 3);
    const figure::Box field = d.find("source").box;
    ui::Canvas& canvas = d.shell->ui.canvas;
    float x = field.x + 6; // of the chip
    for (std::size_t i = 0; i < 2; ++i) x += canvas.width_of(ui::Face::body, tokens[i].text) + 18;
    REQUIRE(tokens[2].text == "吃");
    d.click(ui::Point{x + 8, field.y + field.h / 2});
    d.type("不");
    CHECK(d.document().source == "我昨天不吃了一个苹果");
}

namespace {

/// A trained translator that goes on by itself behind this target.
Driver::Options adding(const std::string& target) {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat is small";
    options.document.target = target;
    options.document.decoding.rule = models::Decoding::Rule::greedy;
    options.focus.head = {trace::AttentionKind::cross, 0, 0};
    return options;
}

/// The words of the picture that nobody typed, as the field has them.
std::vector<std::string> added_in_field(Driver& d) {
    std::vector<std::string> words;
    for (int i = 0; d.has(fmt::format("answer/{}", i)); ++i)
        words.push_back(d.find(fmt::format("answer/{}", i)).label);
    return words;
}

std::vector<std::string> added_in_run(const Driver& d) {
    std::vector<std::string> words;
    const auto& run = *d.snapshot().run;
    for (std::size_t i = 1 + run.input.target.size(); i < run.trace.target.size(); ++i)
        words.push_back(run.trace.target[i].text);
    return words;
}

} // namespace

TEST_CASE("words that the model adds behind a typed target stand behind it in its field") {
    Driver d(adding("le petit"));
    d.settle();
    REQUIRE(added_in_run(d).size() > 2);
    CHECK(added_in_field(d) == added_in_run(d));
    CHECK(d.shows("by model"));
    CHECK(d.find("target").text == "le petit");
    // What a control changes of them is seen there: no row comes or goes unsaid.
    d.shell->work.apply(ui::ChangeDocument{[&] {
                                               app::Document next = d.document();
                                               models::HeadControls own;
                                               own.temperature = 8.0f;
                                               next.controls.set(models::Scope{}, own);
                                               return next;
                                           }(),
                                           {},
                                           "temperature"});
    d.settle();
    CHECK(added_in_field(d) == added_in_run(d));
    d.key(Key::z, true);
    d.settle();
    CHECK(added_in_field(d) == added_in_run(d));
    // They stay while the target is typed in, which they are no part of.
    const figure::Box field = d.find("target").box;
    d.click(ui::Point{field.x + 14, field.y + field.h / 2});
    REQUIRE(d.shell->ui.edits("target"));
    d.key(Key::end);
    CHECK(added_in_field(d) == added_in_run(d));
    d.type(" chien");
    CHECK(d.document().target == "le petit chien");
    CHECK(added_in_field(d) == added_in_run(d));
}

TEST_CASE("a click on what the model adds takes it into the target, once something is typed") {
    Driver d(adding("le petit"));
    d.settle();
    const auto added = added_in_run(d);
    REQUIRE(added.size() > 2);
    std::string whole = "le petit";
    for (const std::string& word : added) whole += " " + word;
    d.click("answer/1");
    CHECK(d.shell->state.view.selected->first == 3);
    CHECK(d.shell->ui.edits("target"));
    CHECK(d.find("target").text == whole);
    CHECK(d.document().target == "le petit");
    d.key(Key::end);
    d.type(" x");
    CHECK(d.document().target == whole + " x");
    d.key(Key::escape);
    for (int i = 0; i < 3 && d.document().target != whole; ++i) d.key(Key::z, true);
    CHECK(d.document().target == whole);
    d.key(Key::z, true); // all that the model added is one step
    d.settle();
    CHECK(d.document().target == "le petit");
    CHECK(added_in_field(d) == added);
}

TEST_CASE("what is typed behind the model's answer is another word") {
    Driver d(adding(""));
    d.settle();
    const std::string said = app::said_line(*d.snapshot().run, d.document().segmentation);
    REQUIRE_FALSE(said.empty());
    const figure::Box field = d.find("target").box;
    d.click(ui::Point{field.x + field.w - 70, field.y + field.h / 2});
    d.type("x");
    CHECK(d.document().target == said + " x");
}

namespace {

/// Types and looks, before the model has answered, whether words stand in grey.
void type_unanswered(Driver& d, const std::string& text, bool grey) {
    const std::string before = d.document().target;
    ui::shim::type_text(text);
    for (int i = 0; i < 6 && d.document().target == before; ++i) d.frame();
    REQUIRE(d.document().target == before + text);
    for (d.frame(); d.snapshot().document.target != d.document().target; d.frame()) {
        CHECK(d.shows("by model") == grey);
        CHECK_FALSE(d.has("answer/0")); // it would count in a text that is gone
    }
    d.settle();
}

} // namespace

TEST_CASE("words that were taken over stand in their field once, before the model has run too") {
    Driver d(adding("le petit"));
    d.settle();
    REQUIRE(added_in_run(d).size() > 2);
    const figure::Box field = d.find("target").box;
    d.click(ui::Point{field.x + 14, field.y + field.h / 2});
    d.key(Key::end);
    type_unanswered(d, " ", true); // they still go on from there
    type_unanswered(d, "x", false);
    d.key(Key::escape);
    while (d.document().target != "le petit") d.key(Key::z, true);
    d.settle();
    d.click("answer/0");
    d.key(Key::end);
    const std::string whole = d.find("target").text;
    ui::shim::type_text("x");
    for (int i = 0; i < 6 && d.document().target == "le petit"; ++i) d.frame();
    REQUIRE(d.document().target == whole + "x");
    for (d.frame(); d.snapshot().document.target != d.document().target; d.frame()) {
        CHECK_FALSE(d.shows("by model"));
        CHECK_FALSE(d.has("answer/0"));
    }
}

namespace {

/// Rows of the picture that the added words point at, a click each.
std::vector<int> rows_of_added(Driver& d) {
    std::vector<int> rows;
    for (std::size_t i = 0; i < added_in_run(d).size(); ++i) {
        d.click(fmt::format("answer/{}", i));
        REQUIRE(d.shell->state.view.selected);
        rows.push_back(d.shell->state.view.selected->first);
        d.key(Key::escape);
        d.settle();
    }
    return rows;
}

} // namespace

TEST_CASE("an added word that was typed before, too, points at its own row") {
    Driver::Options options = adding("c b");
    options.document.model_file = app::shipped_model("reverse");
    options.document.source = "a b b c";
    const auto [kind, reads, first] =
        GENERATE(std::tuple(trace::AttentionKind::decoder_self, false, 3), // behind ⟨start⟩
                 std::tuple(trace::AttentionKind::cross, false, 2),        // rows are what is said
                 std::tuple(trace::AttentionKind::cross, true, 3));
    options.focus.head = {kind, 0, 0};
    options.focus.rows_read = reads;
    Driver d(options);
    d.settle();
    REQUIRE(added_in_run(d) == std::vector<std::string>{"b", "a"});
    CHECK(rows_of_added(d) == std::vector{first, first + 1});
}

TEST_CASE("words that the model says are told with what a click on them does") {
    const std::string told = "Click: edit from here; what you type keeps these words";
    for (const char* target : {"", "le petit"}) {
        INFO(target);
        Driver d(adding(target));
        d.settle();
        CHECK(d.find("answer/1").tip.find(told) != std::string::npos);
        CHECK(d.find("target").tip.find(told) != std::string::npos);
    }
}

TEST_CASE("Decoding shows how the words of the target were found, be there a target or none") {
    const char* model = GENERATE("en-fr-transformer", "en-fr-bahdanau");
    CAPTURE(model);
    Driver::Options options = adding("");
    options.height = 2400;
    options.document.model_file = app::shipped_model(model);
    options.document.decoding.rule = models::Decoding::Rule::forced;
    Driver d(std::move(options));
    d.settle();
    REQUIRE(d.shows("by model"));
    CHECK(d.find("decode/greedy").on);
    CHECK_FALSE(d.find("decode/target").on);
    CHECK_FALSE(d.find("decode/target").enabled); // there is none to follow
    d.replace_field("target", "le chat");
    d.settle();
    CHECK(d.find("decode/target").on);
    CHECK(d.find("decode/target").enabled);
    CHECK_FALSE(d.find("decode/greedy").on);
}

TEST_CASE("where nothing is said beyond the prompt, no rule of decoding is lit") {
    Driver::Options options = Driver::high();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("repeat");
    options.document.source = "abcab";
    options.document.target.clear();
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    REQUIRE(models::forced_input(*d.snapshot().run).target.empty());
    CHECK_FALSE(d.find("decode/target").enabled);
    for (const char* rule : {"decode/target", "decode/greedy", "decode/beam"}) {
        INFO(rule);
        CHECK_FALSE(d.find(rule).on);
    }
    d.click("decode/greedy");
    d.settle();
    CHECK(d.find("decode/greedy").on);
    d.key(Key::z, true);
    d.replace_field("target", "c");
    d.settle();
    CHECK(d.find("decode/target").on);
}

TEST_CASE("a target of blanks is none: Decoding lights what the model does without one") {
    Driver::Options options = Driver::high();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "The black cat is small";
    options.document.target = "  ";
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.find("decode/greedy").on);
    CHECK_FALSE(d.find("decode/target").on);
    CHECK_FALSE(d.find("decode/target").enabled);
}

TEST_CASE("the list of a step cuts neither what is not listed nor a name beside no bar") {
    for (const char* model : {"en-fr-bahdanau", "dates"}) {
        CAPTURE(model);
        Driver::Options options = Driver::tiny();
        options.width = 1280;
        options.height = 1600;
        Driver d(options);
        open(d, app::shipped_model(model));
        const int steps = static_cast<int>(d.snapshot().spoken->size());
        d.click("step/first");
        for (int step = 0; step < steps; ++step) {
            d.settle();
            const app::SpokenStep& now = (*d.snapshot().spoken)[static_cast<std::size_t>(step)];
            std::set<std::string> whole{app::others_of(*d.snapshot().run)};
            for (const app::SaidWord& word : now.likeliest) {
                if (word.probability < 0.0005f) whole.insert(word.word);
            }
            for (const std::string& cut : d.shell->ui.canvas.cut()) {
                INFO(cut);
                CHECK_FALSE(whole.contains(cut));
            }
            if (step + 1 < steps) d.click("step/next");
        }
    }
}

TEST_CASE("a model of characters stops at so many characters") {
    Driver d(Driver::high());
    open(d, app::shipped_model("reverse"));
    app::Document warm = d.document();
    models::HeadControls controls;
    controls.temperature = 20.0f;
    warm.controls.set({trace::AttentionKind::decoder_self, {}, {}}, controls);
    d.shell->work.apply(ui::ChangeDocument{warm, {}, "temperature"});
    d.settle();
    const models::Run& run = *d.snapshot().run;
    REQUIRE(run.trace.stopped_at_limit);
    CHECK(says(d, fmt::format("Stopped at {} characters without \u27e8end\u27e9",
                              run.trace.target.size() - 1))); // it begins with ⟨start⟩
    CHECK_FALSE(says(d, "words without \u27e8end\u27e9"));
}

TEST_CASE("a name whose bar is drawn ends before it") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 1600;
    Driver d(options);
    open(d, app::shipped_model("en-fr-bahdanau"));
    d.replace_field("source", "the black cat did not eat the red apple");
    d.settle();
    d.click("step/first");
    for (int step = 0; step < 8; ++step) d.click("step/next");
    d.settle();
    const auto& likeliest = d.snapshot().spoken->at(8).likeliest;
    const auto longest = std::ranges::find(likeliest, "intéressante", &app::SaidWord::word);
    REQUIRE(longest != likeliest.end());
    REQUIRE(longest->probability > figure::kLeastBar);
    const auto& cut = d.shell->ui.canvas.cut();
    CHECK(std::ranges::find(cut, "intéressante") != cut.end());
}
