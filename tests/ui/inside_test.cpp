// The room Inside in the window.
#include "ui/driver.hpp"

#include "app/engine/continuation.hpp"
#include "app/engine/head_scores.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/files/shipped_models.hpp"
#include "app/inside/head_corpus.hpp"
#include "app/small_document.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/titles.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "figure/views/inside_room.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;

namespace {

Driver::Options decoder() {
    Driver::Options options = Driver::tiny();
    models::spec_of(options.document.model)->architecture = models::Architecture::decoder_only;
    return options;
}

const app::InsidePicture& inside_of(const Driver& d) {
    REQUIRE(d.snapshot().inside != nullptr);
    return *d.snapshot().inside;
}

} // namespace

TEST_CASE("the room Inside opens from the rail and measures all of its cards") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shell->state.view.view == app::View::inside);
    CHECK(inside_of(d).complete());
    CHECK(d.shows("Logit lens"));
    CHECK(d.shows("Without each part"));
    CHECK_FALSE(d.has("inside/reset"));
    CHECK(inside_of(d).other != nullptr); // made unasked
    CHECK_FALSE(d.has("inside/make"));
    d.click("room/explore");
    d.settle_all();
    CHECK(d.snapshot().inside == nullptr); // nobody asks
}

TEST_CASE("a recurrent model's room has its lens, and nothing to put into another run") {
    Driver::Options options = Driver::tiny();
    options.document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    options.height = 1600; // nothing has to be scrolled to
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    const app::InsidePicture& now = inside_of(d);
    CHECK(now.complete());
    REQUIRE(now.lens);
    CHECK(now.lens_measured == now.lens->size());
    CHECK(d.shows("word before"));
    CHECK_FALSE(d.has("inside/other"));
    CHECK_FALSE(d.has("inside/instead/zero"));
    CHECK_FALSE(d.has("inside/cards/tokens"));
    CHECK(d.shows("for transformers only")); // one sentence in place of three empty cards
    CHECK(d.shows("What attention does, here"));
    CHECK_FALSE(d.shows("cross 1.1")); // it has no heads
    CHECK_FALSE(d.shows("Elhage"));
    CHECK_FALSE(d.shows("Without each part"));
    CHECK(d.has(fmt::format("inside/word/{}", now.question.word)));
}

TEST_CASE("a model of characters says characters where others say words") {
    Driver d;
    open(d, app::shipped_model("repeat"));
    CHECK(d.shows("Next character"));
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shows("Next character"));
    CHECK_FALSE(d.shows("Next word"));
    open(d, app::shipped_model("dates"));
    d.settle_all();
    for (const char* words : {"Next character", "after “", "character before"}) {
        INFO(words);
        CHECK(d.shows(words));
    }
    d.click("room/explore");
    open(d, app::shipped_model("en-fr-transformer"));
    CHECK(d.shows("Next word"));
}

TEST_CASE("what all that is not listed shares is called by its unit, and a head's score its text") {
    Driver::Options options = Driver::tiny();
    options.height = 1600; // nothing has to be scrolled to
    Driver d(options);
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle_all();
    CHECK(d.shows("other words"));
    CHECK(d.shows("Pattern")); // what the head is named by
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shows("other words"));
    CHECK(says(d, "It answers “"));
    d.click("room/explore");
    open(d, app::shipped_model("dates"));
    d.shell->state.view.view = app::View::step;
    d.shell->wake();
    d.settle_all();
    CHECK(d.shows("other characters"));
    CHECK_FALSE(d.shows("other words"));
}

TEST_CASE(
    "what is not listed has its row, and what is clicked its name, of classes and characters") {
    const std::pair<const char*, const char*> units[] = {{"headlines-en-four-heads", "class"},
                                                         {"repeat", "character"}};
    for (const auto& [model, unit] : units) {
        CAPTURE(model);
        Driver d(Driver::high());
        open(d, app::shipped_model(model));
        d.click("room/inside");
        d.settle_all();
        CHECK(d.shows(app::others_of(*d.snapshot().run)));
        CHECK(says(d, fmt::format("Click a {} to ask about it", unit)));
    }
}

TEST_CASE("what a model says is headed by what it says") {
    const auto said = [](models::Shape shape) {
        Driver::Options options = Driver::tiny();
        options.document.model =
            models::RecurrentConfig{.shape = shape, .hidden = 16, .embedding = 8};
        options.document.source = "the cat sat on the mat";
        Driver d(options);
        d.click("room/inside");
        d.settle_all();
        CHECK(d.shows("Next word") == (shape == models::Shape::one_to_n));
        CHECK(d.shows("Word here") == (shape == models::Shape::n_to_n));
        CHECK(d.shows("of the whole sentence") == (shape == models::Shape::n_to_one));
    };
    SECTION("one to n") { said(models::Shape::one_to_n); }
    SECTION("n to n") { said(models::Shape::n_to_n); }
    SECTION("n to one") { said(models::Shape::n_to_one); }
}

TEST_CASE("a recurrent model's room opens a transformer") {
    Driver::Options options = Driver::tiny();
    options.document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    d.click("inside/transformer");
    d.settle_all();
    CHECK(d.document().model_file.ends_with("-transformer.safetensors"));
    CHECK(d.shows("Without each part"));
}

TEST_CASE("in small windows the room has all of its four cards") {
    for (const auto& [width, height] : {std::pair(900, 600), {1024, 700}, {1280, 800}}) {
        INFO(width << " × " << height);
        Driver::Options options = decoder();
        options.width = width;
        options.height = height;
        Driver d(options);
        d.click("room/inside");
        d.settle_all();
        std::set<int> parts;
        for (const figure::Target& target : d.picture().targets) {
            if (const auto* cells = target.as<figure::tag::Cells>()) parts.insert(cells->part);
            if (const auto* bar = target.as<figure::tag::Bar>()) parts.insert(bar->part);
        }
        for (const auto part : {figure::InsidePart::lens, figure::InsidePart::parts,
                                figure::InsidePart::patching, figure::InsidePart::heads}) {
            CHECK(parts.contains(static_cast<int>(part)));
        }
        CHECK(d.shows("Without each part"));
    }
}

TEST_CASE("probabilities of the list are percentages that say something") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    const auto& words = inside_of(d).likeliest;
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(d.shows(figure::percent_text(static_cast<double>(words[i].probability))));
    }
}

TEST_CASE("a click on a word asks about it, Shift+click holds it against another") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    const auto words = inside_of(d).likeliest;
    REQUIRE(words.size() >= 3);
    d.click(fmt::format("inside/word/{}", words[1].word));
    d.settle_all();
    CHECK(inside_of(d).question.word == words[1].word);
    ui::shim::set_modifiers(false, true, false);
    d.click(fmt::format("inside/word/{}", words[2].word));
    ui::shim::set_modifiers(false, false, false);
    d.settle_all();
    CHECK(inside_of(d).question.against == words[2].word);
    d.key(ui::shim::Key::z, true); // undone one after another
    d.settle_all();
    CHECK(inside_of(d).question.word == words[1].word);
    CHECK_FALSE(inside_of(d).question.against);
    d.click("inside/reset");
    d.settle_all();
    CHECK(inside_of(d).question.word == words[0].word);
    CHECK_FALSE(inside_of(d).question.against);
    d.key(ui::shim::Key::z, true);
    d.key(ui::shim::Key::z, true);
    d.settle_all();
    CHECK(d.document().inside == app::InsideFocus{});
}

TEST_CASE("the room asks about the row that is chosen in Explore by a click") {
    Driver d(decoder());
    d.settle();
    d.shell->state.view.selected = {1, 0};
    d.click("room/inside");
    d.settle_all();
    REQUIRE(inside_of(d).question.token > 1);
    d.click("inside/chosen");
    d.settle_all();
    CHECK(inside_of(d).question.token == 1);
    CHECK_FALSE(d.has("inside/chosen"));
    d.key(ui::shim::Key::z, true);
    d.settle_all();
    CHECK(inside_of(d).question.token > 1);
    d.click("room/softmax");
    d.settle();
    CHECK(d.shell->state.view.selected == std::pair(1, 0));
}

TEST_CASE("a click in the lens asks at that token, one in the heads looks at that head") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    for (const figure::Target& target : d.picture().targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells) continue;
        const Box place = d.find("picture").box;
        const Point at{place.x + target.box.x + 3, place.y + target.box.y + 3};
        if (cells->part == static_cast<int>(figure::InsidePart::lens)) {
            d.click(at);
            d.settle_all();
            CHECK(inside_of(d).question.token == inside_of(d).first_token);
            CHECK(inside_of(d).question.token == 0);
            d.click("inside/reset");
            d.settle_all();
        } else if (cells->part == static_cast<int>(figure::InsidePart::heads)) {
            d.click(at);
            d.settle_all();
            CHECK(d.snapshot().focus.head.layer == cells->rows - 1);
            CHECK(d.snapshot().focus.head.head == 0);
        }
    }
}

TEST_CASE("a row of a lens that shows some of the layers is told as the layer that it is") {
    Driver::Options options = decoder();
    models::spec_of(options.document.model)->n_decoder_layers = 24;
    options.width = 900;
    options.height = 600;
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    for (const figure::Target& target : d.picture().targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(figure::InsidePart::lens)) continue;
        REQUIRE(cells->rows < 24);
        const auto layers = figure::lens_layers(24, cells->rows);
        const Box place = d.find("picture").box;
        for (int row = 0; row < cells->rows; ++row) {
            const float below = (static_cast<float>(row) + 0.5f) / static_cast<float>(cells->rows);
            d.hover(Point{place.x + target.box.x + 3,
                          place.y + target.box.y + target.box.h * (1 - below)});
            d.frames(2);
            CHECK(d.shows(fmt::format("after layer {} the model",
                                      layers[static_cast<std::size_t>(row)] + 1)));
        }
        return;
    }
    FAIL("no lens");
}

TEST_CASE("every token of a long sentence can be asked about by clicks in the lens") {
    Driver::Options options = decoder();
    options.document.source = "a b c d e f g h i j k l m n o p q r s t";
    options.document.target.clear();
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    REQUIRE(inside_of(d).question.token == 19);
    const auto click_at = [&](bool last) {
        for (const figure::Target& target : d.picture().targets) {
            const auto* cells = target.as<figure::tag::Cells>();
            if (!cells || cells->part != static_cast<int>(figure::InsidePart::lens)) continue;
            const Box place = d.find("picture").box;
            const float x = last ? target.box.w - 3 : 3.0f;
            d.click(Point{place.x + target.box.x + x, place.y + target.box.y + 3});
            d.settle_all();
            return;
        }
        FAIL("no lens");
    };
    for (int clicks = 0; inside_of(d).question.token > 0; ++clicks) {
        REQUIRE(clicks < 12);
        const auto before = inside_of(d).question.token;
        click_at(false);
        CHECK(inside_of(d).question.token < before);
        CHECK(d.shows(" of 20"));
    }
    for (int clicks = 0; inside_of(d).question.token < 19; ++clicks) {
        REQUIRE(clicks < 12);
        const auto before = inside_of(d).question.token;
        click_at(true);
        CHECK(inside_of(d).question.token > before);
    }
}

namespace {

Driver::Options translating() {
    Driver::Options options = Driver::tiny();
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat did not eat the red apple";
    options.document.target.clear();
    options.document.decoding.rule = models::Decoding::Rule::greedy;
    options.height = 1600; // nothing has to be scrolled to
    return options;
}

} // namespace

TEST_CASE("what follows without a head says that the head is at zero there") {
    Driver d(translating());
    d.click("room/inside");
    d.settle_all();
    REQUIRE(app::following_of(d.snapshot()) != nullptr);
    CHECK(inside_of(d).instead() == inside::Instead::mean); // of the cards
    CHECK(d.shows(" set to zero: "));
    CHECK(says(d, "Always zero here; set to its mean in the card"));
    CHECK_FALSE(d.shows("without cross 2"));
}

TEST_CASE("an other sentence is made unasked, replaced by typing, and patched by token and head") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    CHECK(d.document().inside.other.empty());
    CHECK(inside_of(d).made_other());
    CHECK(d.shows("Made from yours"));
    const auto other = app::other_words(d.snapshot()); // what differs is never cut away
    CHECK(other.find(" → ") != std::string::npos);
    CHECK(d.shows(other));
    CHECK_FALSE(inside_of(d).other_error);
    CHECK(inside_of(d).patched.size() == inside_of(d).patches.size());
    d.click("inside/patch/heads");
    d.settle_all();
    CHECK(inside_of(d).patches.front().kind == inside::Patch::Kind::head);
    CHECK(inside_of(d).patched.size() == inside_of(d).patches.size());
    d.replace_field("inside/other", "too short");
    d.settle_all();
    CHECK(inside_of(d).other_error);
    CHECK(d.shows("both need the same number"));
    d.click("inside/make");
    d.settle_all();
    CHECK(inside_of(d).made_other());
    CHECK_FALSE(inside_of(d).other_error);
}

TEST_CASE("the row below the grid of patches says why it is missing") {
    Driver d(decoder());
    d.click(d.cell(2, 1));
    d.key(shim::Key::up, false, false, true); // the weight is set by hand
    REQUIRE_FALSE(d.document().controls.scoped.empty());
    d.click("room/inside");
    d.settle_all();
    REQUIRE(inside_of(d).accounts_error);
    const char* why =
        "No row of attention \u00d7 gradient: edited weights pass no gradient; restore them";
    CHECK(says(d, why));
    d.key(shim::Key::z, true);
    d.settle_all();
    CHECK_FALSE(inside_of(d).accounts_error);
    CHECK_FALSE(says(d, why));
}

TEST_CASE("paths say which models have them") {
    Driver post(decoder());
    post.click("room/inside");
    post.settle_all();
    post.click("inside/patch/paths");
    post.settle_all();
    CHECK_FALSE(inside_of(post).paths);
    CHECK(post.shows("need a pre-norm model"));
}

TEST_CASE("paths of a pre-norm model are chosen by two layers") {
    Driver::Options pre = decoder();
    pre.document.controls.norm = models::NormOrder::pre;
    Driver d(pre);
    d.click("room/inside");
    d.settle_all();
    d.click("inside/patch/paths");
    d.settle_all();
    REQUIRE(inside_of(d).paths.has_value());
    const bool two_layers =
        d.snapshot().run->model->traits().layers(trace::AttentionKind::decoder_self) == 2;
    CHECK(d.find("inside/to/more").enabled == !two_layers);
    CHECK_FALSE(d.find("inside/from/less").enabled);
}

TEST_CASE("a click on a patched token opens that layer and token in Explore") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    for (const figure::Target& target : d.picture().targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(figure::InsidePart::patching)) continue;
        const Box place = d.find("picture").box;
        const float cell = target.box.w / static_cast<float>(cells->cols);
        d.click(
            Point{place.x + target.box.x + 1.5f * cell, place.y + target.box.y + target.box.h - 2});
        d.settle_all();
        CHECK(d.shell->state.view.view == app::View::heatmap);
        CHECK(d.snapshot().focus.head.layer == 0);
        CHECK(d.shell->state.view.selected == std::pair(1, 1));
        return;
    }
    FAIL("no cells");
}

TEST_CASE("heads are listed by a score, filtered by it, and chosen by a click") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    const app::HeadScores& scores = *d.snapshot().head_scores;
    CHECK(scores.complete());
    CHECK(scores.sequences > 0);
    const auto heads = scores.heads.size();
    d.click("inside/score/induction");
    d.settle_all();
    d.click("inside/score/previous");
    d.settle_all();
    std::vector<float> listed;
    std::string first;
    for (const Widget& w : d.shell->ui.widgets()) {
        if (!w.id.starts_with("inside/head/")) continue;
        if (first.empty()) first = w.id;
        for (const inside::HeadRow& row : scores.heads) {
            const std::string name = fmt::format("{}.{}", row.head.layer + 1, row.head.head + 1);
            if (name == w.label) {
                listed.push_back(row.scores.values[inside::HeadScore::previous]);
                CHECK(w.tip.find(app::head_label(row)) != std::string::npos);
            }
        }
    }
    CHECK(listed.size() == std::min<std::size_t>(heads, 8));
    CHECK(std::is_sorted(listed.rbegin(), listed.rend()));
    d.click(first);
    d.settle_all();
    CHECK(d.find(first).on);
    const auto& focus = d.snapshot().focus.head;
    CHECK(fmt::format("inside/head/{}.{}", focus.layer + 1, focus.head + 1) == first);
    d.shell->state.inside->least = 1; // the largest alone
    d.shell->wake();
    d.settle();
    CHECK(d.shows(fmt::format("1 of {} heads", heads)));
}

TEST_CASE("a text file is measured, and a click opens the sentence that shows a head most") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", "the cat sat on the mat\nthe dog\n"
                                                      "a bird saw the cat\n"));
    Driver::Options options = decoder();
    options.height = 2400; // nothing has to be scrolled to
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    d.click("inside/choose");
    d.settle();
    d.replace_field("corpus/path", folder / "a.txt");
    d.click("corpus/measure");
    d.settle();
    d.shell->state.inside->corpus.wait();
    d.shell->wake();
    d.settle_all();
    CHECK(d.shows("3 lines of a.txt, 16 random sequences"));
    REQUIRE(d.shell->state.view.means != nullptr);
    CHECK(d.shows("set to its mean over a.txt"));
    d.click("inside/score/first");
    d.settle_all();
    CHECK(d.shows("±"));
    const Widget* line = nullptr;
    for (const Widget& w : d.shell->ui.widgets()) {
        if (w.id.starts_with("inside/line/")) line = line ? line : &w;
    }
    REQUIRE(line != nullptr);
    const std::string sentence = line->label;
    d.click(line->id);
    d.settle_all();
    CHECK(d.document().source == sentence);
    CHECK(inside_of(d).complete());
    d.replace_field("inside/save/path", folder / "heads.csv");
    d.click("inside/save");
    d.settle();
    d.shell->work.wait_until_saved();
    const auto table = app::read_heads_csv(folder.bytes("heads.csv"), "heads.csv");
    REQUIRE(table);
    CHECK(table->lines == 3);
    CHECK_FALSE(says(d, "Measured of the model without"));
    app::Document changed = d.document();
    set_temperature(changed, 2.0f);
    d.shell->work.apply(ui::ChangeDocument{changed, {}, "temperature"});
    d.settle_all();
    CHECK(says(d, "Measured of the model without your changes"));
    d.click("inside/over/this sentence");
    d.settle_all();
    CHECK_FALSE(d.shows("±"));
}

TEST_CASE("a scatter of two scores is chosen in Heads, and a click on a point looks at the head") {
    Driver d(decoder());
    d.shell->state.view.view = app::View::heads;
    d.shell->wake();
    d.settle_all();
    d.click("heads/as/scatter");
    d.click("heads/across/first");
    d.click("heads/up/entropy");
    d.click("heads/colour/confidence");
    d.settle_all();
    CHECK(d.shell->state.view.scatter_x == inside::HeadScore::first);
    CHECK(d.shell->state.view.scatter_y == inside::HeadScore::entropy);
    CHECK(d.shell->state.view.head_colour == inside::HeadScore::confidence);
    const Box place = d.find("picture").box;
    std::vector<figure::Target> heads;
    for (const figure::Target& target : d.picture().targets) {
        if (target.as<figure::tag::Head>()) heads.push_back(target);
    }
    REQUIRE(heads.size() > 1);
    const figure::Target& head =
        heads.back().tag == figure::Tag(figure::tag::Head{}) ? heads.front() : heads.back();
    const Point at{place.x + head.box.x + head.box.w / 2, place.y + head.box.y + head.box.h / 2};
    const auto hit = figure::pick(d.picture(), {at.x - place.x, at.y - place.y});
    REQUIRE(hit);
    const auto [layer, number] = std::get<figure::tag::Head>(hit->tag);
    d.click(at);
    d.settle_all();
    CHECK(d.snapshot().focus.head.layer == layer);
    CHECK(d.snapshot().focus.head.head == number);
    CHECK(d.shell->state.view.view == app::View::heads); // it stays to be compared
    d.click("heads/colour/confidence");
    d.settle();
    CHECK_FALSE(d.shell->state.view.head_colour);
}

TEST_CASE("the cards on tokens are chosen at the right, measured, and say what is pointed at") {
    Driver::Options options = decoder();
    options.height = 1600; // nothing has to be scrolled to
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    CHECK(d.find("inside/cards/label").label == "Cards");
    d.click("inside/cards/tokens");
    d.settle_all();
    CHECK(d.shell->state.view.inside_cards == app::InsideCards::tokens);
    CHECK(inside_of(d).accounts.complete());
    CHECK(d.shows("Attributions"));
    CHECK_FALSE(d.shows("Grey: later tokens")); // the last one is asked about
    CHECK(d.shows("attention × gradient"));
    CHECK(d.shows("Jensen–Shannon divergence, bits")); // in the picture, and there alone
    CHECK(d.snapshot().inside->accounts.complete());
    for (const auto& account : inside_of(d).accounts.accounts) {
        CHECK(d.shows(app::top_token_words(d.snapshot(), account.method)));
    }
    CHECK_FALSE(d.has("inside/patch/heads"));
    bool tokens = false, weights = false;
    for (const figure::Target& target : d.picture().targets) {
        const auto* bar = target.as<figure::tag::Bar>();
        const auto* cells = target.as<figure::tag::Cells>();
        const bool token = bar && bar->part == static_cast<int>(figure::InsidePart::tokens);
        const bool weight = cells && cells->part == static_cast<int>(figure::InsidePart::weights);
        if (!(token && !tokens) && !(weight && !weights)) continue;
        const Box place = d.find("picture").box;
        d.hover(Point{place.x + target.box.x + 3, place.y + target.box.y + 3});
        d.settle();
        CHECK(d.shows(token ? "% of all" : "in the other row"));
        tokens |= token;
        weights |= weight;
    }
    CHECK(tokens);
    CHECK(weights);
    d.click("inside/cards/parts");
    d.settle_all();
    CHECK(d.shows("Without each part"));
    CHECK(inside_of(d).complete());
}

TEST_CASE("a decoder alone with an empty source asks for a sentence, as other models do") {
    Driver d;
    open(d, app::shipped_model("repeat"));
    d.settle();
    d.click("source");
    d.key(shim::Key::a, true);
    d.key(shim::Key::backspace);
    d.settle();
    CHECK(d.shows("The source is empty; type a sentence"));
    d.click("room/inside");
    d.settle_all();
    CHECK_FALSE(d.shows("Not measured: the model has not run"));
    CHECK(says(d, "Type a sentence"));
}

TEST_CASE("one token is one token") {
    Driver::Options options = decoder();
    options.document.source = "cat";
    options.document.target.clear();
    Driver d(options);
    d.settle();
    CHECK(d.shows("1 token"));
    CHECK_FALSE(d.shows("1 tokens"));
}

TEST_CASE("in a low window the cards of Inside are scrolled, and nothing in them is cut") {
    for (const auto& [width, height] : {std::pair(720, 480), std::pair(900, 600)}) {
        INFO(width << " x " << height);
        Driver::Options options;
        options.width = width;
        options.height = height;
        options.document.model_file = app::shipped_model("en-fr-transformer");
        options.document.source = "the black cat did not eat the red apple";
        options.document.target.clear();
        options.focus.head = {trace::AttentionKind::cross, 1, 0};
        options.view.view = app::View::inside;
        Driver d(options);
        d.settle_all();
        const figure::Figure room = d.picture();
        const Box stage = d.find("picture").box;
        REQUIRE(room.height > stage.h);
        std::set<std::string> words;
        for (const figure::Primitive& item : room.items) {
            const auto* text = std::get_if<figure::Text>(&item);
            if (text == nullptr) continue;
            words.insert(text->text);
            CHECK_FALSE((text->text.ends_with("\u2026") && text->text.size() < 12));
        }
        for (const char* token : {"black", "did", "not", "eat", "apple"}) CHECK(words.count(token));
        CHECK(words.count("set to its mean"));
        CHECK(words.count("still says"));
        CHECK(d.shows("> 99.9 %"));
        d.hover(Point{stage.x + stage.w / 2, stage.y + stage.h / 2});
        for (int i = 0; i < 80; ++i) {
            ui::shim::turn_wheel(-1);
            d.frames(2);
        }
        const float offset = d.shell->state.stage->scroll.offset;
        CHECK(std::abs(offset - (room.height - stage.h)) < 1);
        const Point cell = d.cell(1, 2, 3); // of the last grid, which is in sight now
        REQUIRE(stage.contains(cell));
        d.hover(cell);
        CHECK(says(d, "set to its mean: "));
    }
}

TEST_CASE("a grid of which nothing is measured yet says that it is measured") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    app::Snapshot early = d.snapshot();
    auto picture = std::make_shared<app::InsidePicture>(*early.inside);
    picture->without.clear();
    early.inside = picture;
    const auto data = app::inside_room_data(early);
    CHECK(data.heads_card.instead == "Measuring \u2026");
    CHECK(app::inside_room_data(d.snapshot()).heads_card.instead.empty());
}

TEST_CASE("Inside says of each number what a head was set to") {
    Driver d(decoder());
    d.resize(1600, 1600, 1);
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shows("one part set to its mean"));
    CHECK(says(d, "to its mean lowers the logit most"));
    CHECK_FALSE(d.shows("without it"));
    d.click("inside/instead/zero");
    d.settle_all();
    CHECK(d.shows("one part set to zero"));
    CHECK(says(d, "to zero lowers the logit most"));
    CHECK(d.shows("set to zero"));
}

TEST_CASE("the right button opens the menu of a head in the rooms beside Explore, too") {
    Driver d(decoder());
    d.click("room/positions");
    d.settle_all();
    const trace::HeadId before = d.shell->work.focus().head;
    const Box heads = d.find("heads").box;
    d.right_click({heads.x + heads.w * 0.75f, heads.y + heads.h * 0.75f});
    const trace::HeadId head = d.shell->work.focus().head;
    CHECK_FALSE(head == before);
    REQUIRE(d.has("context/mute"));
    d.click("context/mute");
    CHECK_FALSE(d.document().controls == models::Controls{});
    d.key(shim::Key::z, true);
    d.click("room/inside");
    d.settle_all();

    const Box place = d.find("picture").box;
    const auto middle = [&](figure::InsidePart part) {
        for (const figure::Target& target : d.picture().targets) {
            const auto* cells = target.as<figure::tag::Cells>();
            if (!cells || cells->part != static_cast<int>(part)) continue;
            const Box cell = figure::cell_box(target, 0, 0);
            const float down = place.y - d.shell->state.stage->scroll.offset;
            return Point{place.x + cell.x + cell.w / 2, down + cell.y + cell.h / 2};
        }
        return Point{-1, -1};
    };
    const Point cell = middle(figure::InsidePart::heads);
    REQUIRE(cell.x > 0);
    d.right_click(cell);
    CHECK(d.has("context/mute")); // the last layer is on top
    CHECK(d.shell->work.focus().head == trace::HeadId{trace::AttentionKind::decoder_self, 1, 0});
    d.key(shim::Key::escape);
    d.right_click({place.x + 8, place.y + 8}); // the picture
    CHECK(d.has("context/export"));
    CHECK(d.has("context/copy"));
    CHECK_FALSE(d.has("context/pin")); // which is of a map
}

TEST_CASE("without a sentence the room says what to do, and has nothing to export") {
    Driver d;
    d.replace_field("source", "");
    d.key(ui::shim::Key::escape);
    d.click("room/inside");
    d.settle_all();
    REQUIRE(d.snapshot().error);
    CHECK(says(d, "Type a sentence at the top"));
    CHECK_FALSE(says(d, "All pictures are of the last state that ran")); // which are not in sight
    d.key(ui::shim::Key::e, true);
    d.settle();
    REQUIRE(d.has("export/save"));
    CHECK_FALSE(d.find("export/save").enabled);
    CHECK(says(d, "There is nothing to export yet"));
}

TEST_CASE("an other sentence that changes nothing is told by its name") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    const auto& document = d.document();
    const bool target = !document.target.empty() && !d.snapshot().run->model->traits().encodes;
    d.replace_field("inside/other", target ? document.target : document.source);
    d.settle_all();
    REQUIRE(inside_of(d).other_error);
    CHECK(says(d, "The other sentence gives the same answer"));
    CHECK_FALSE(says(d, "other: gives"));
}

TEST_CASE("where there is no sentence, Inside asks for one in sight, in a small window too") {
    Driver::Options options;
    options.width = 900;
    options.height = 600;
    options.document.model_file = app::shipped_model("reverse");
    options.document.source = "n m y q a t";
    Driver d(options);
    d.settle();
    d.replace_field("source", "");
    d.settle();
    d.click("room/inside");
    d.settle();
    REQUIRE(d.snapshot().error);
    REQUIRE(d.shows("Type a sentence at the top: what is inside is measured on it."));
    CHECK(d.picture().height <= d.find("picture").box.h + 0.5f);
    CHECK_FALSE(d.has("stage/scroll"));
}

TEST_CASE(
    "no cross-attention is listed by the tokens beside its own place, as none is named by them") {
    Driver d;
    d.resize(1600, 2000, 1);
    ui::test::open(d, app::shipped_model("zh-en-transformer"));
    d.settle();
    d.click("room/inside");
    d.settle_all();
    for (const char* score : {"previous", "next"}) {
        CAPTURE(score);
        d.click(std::string("inside/score/") + score);
        d.frames(3);
        int heads = 0;
        for (const ui::Widget& w : d.shell->ui.widgets()) {
            if (!w.id.starts_with("inside/head/")) continue;
            ++heads;
            CHECK(w.id.find("cross") == std::string::npos);
        }
        CHECK(heads > 0);
    }
}

TEST_CASE("what is changed of the model stands in the room Inside, and is taken back there") {
    Driver::Options options = decoder();
    options.height = 1600; // nothing has to be scrolled to
    const trace::HeadId muted{trace::AttentionKind::decoder_self, 0, 1};
    set_temperature(options.document, 2.0f);
    switch_off(options.document, {muted.kind, muted.layer, muted.head});
    options.focus.head = {muted.kind, 0, 0};
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    CHECK(d.find("change/0").label == "whole model: temperature 2");
    CHECK(d.shows("temperature 2 · off: decoder 1.2"));
    CHECK(says(d, "All numbers here are of the model as changed"));
    d.click("change/1/show");
    d.settle_all();
    CHECK(d.snapshot().focus.head == muted);
    CHECK(d.shows("is off already"));
    d.click("change/0");
    d.settle_all();
    CHECK_FALSE(d.shows(" · temperature 2"));
    CHECK(d.has("change/0")); // off, and can be switched on again
    d.click("change/1");
    d.settle_all();
    CHECK_FALSE(says(d, "of the model as changed"));
    CHECK_FALSE(d.shows("is off already"));
    d.click("inside/changes/clear");
    d.settle_all();
    CHECK_FALSE(d.has("change/0"));
    d.key(ui::shim::Key::z, true);
    d.settle_all();
    CHECK(d.has("change/0"));
}

TEST_CASE("the text with a head switched off is not that of all heads") {
    Driver d(translating());
    d.click("room/inside");
    d.settle_all();
    CHECK(says(d, "all heads: "));
    const trace::HeadId head = d.snapshot().focus.head;
    app::Document muted = d.document();
    switch_off(muted, {head.kind, head.layer, head.head});
    d.shell->work.apply(ui::ChangeDocument{muted, {}, "muted"});
    d.settle_all();
    CHECK_FALSE(says(d, "all heads: "));
    CHECK(says(d, "with your changes: "));
    CHECK(says(d, "is off already"));
}

TEST_CASE("in the list of scores no name of a head is cut") {
    for (const char* model : {"en-fr-transformer", "zh-en-transformer"}) {
        CAPTURE(model);
        Driver::Options options = Driver::tiny();
        options.height = 2000; // nothing has to be scrolled to
        Driver d(options);
        open(d, app::shipped_model(model));
        d.click("room/inside");
        d.settle_all();
        REQUIRE(d.has("inside/score/distance"));
        for (const std::string& cut : d.shell->ui.canvas.cut()) {
            for (const char* name : {"encoder ", "decoder ", "cross "}) {
                CAPTURE(cut);
                CHECK_FALSE(cut.starts_with(name));
            }
        }
    }
}
