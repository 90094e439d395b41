// Special tokens that are hidden, under the pointer and the keys: what a picture leaves out is not
// chosen, told or lit in place of what it shows.
#include "app/engine/merging.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "ui/stage/stage_state.hpp"

using namespace heed;
using trace::Stage;
using ui::Pointed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

/// "the cat sat w9" between [CLS] and [SEP], which are hidden; a stage of the second head.
struct Hidden {
    TemporaryFolder folder;
    std::unique_ptr<Driver> driver;

    explicit Hidden(Stage stage) {
        make_masked_checkpoint(folder / "bert");
        Driver::Options options = Driver::tiny();
        options.height = 1700;
        options.document = app::Document{};
        options.document.model_file = folder / "bert";
        options.document.source = "the cat sat w9";
        options.focus = {{trace::AttentionKind::encoder_self, 0, 1}, stage};
        options.focus.hide_special = true;
        driver = std::make_unique<Driver>(options);
        driver->settle();
        REQUIRE_FALSE(driver->snapshot().error);
        REQUIRE(driver->snapshot().map->rows() == 4);
    }
    Driver& operator*() const { return *driver; }
    Driver* operator->() const { return driver.get(); }
    const std::optional<std::pair<int, int>>& selected() const {
        return driver->shell->state.view.selected;
    }
    /// The middle of a row's label.
    figure::Point label(int row) const {
        const figure::Box place = driver->find("picture").box;
        for (const figure::Target& t : driver->picture().targets) {
            const auto* label = t.as<figure::tag::RowLabel>();
            if (!label || label->query != row) continue;
            return {place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
        }
        FAIL("no such row");
        return {};
    }
};

} // namespace

TEST_CASE("a row of queries' features is told, lit and chosen as its token") {
    const Hidden d(Stage::q);
    d->click(d->cell(1, 3));
    CHECK(d.selected()->first == 2);
    d->hover(d->cell(2, 3));
    d->frames(3);
    CHECK(d->shows("sat \u2192 feature 4"));
    CHECK(d->shell->state.stage->pointed == Pointed{3, std::nullopt});
    d->click(d.label(0));
    CHECK(d.selected()->first == 1);
    d->key(Key::down);
    CHECK(d.selected()->first == 2);
    d->key(Key::up);
    d->key(Key::up);
    CHECK(d.selected()->first == 1); // there is no row above
    for (int i = 0; i < 9; ++i) d->key(Key::down);
    CHECK(d.selected()->first == 4);
    d->key(Key::end);
    CHECK(d.selected()->second == 4);
}

TEST_CASE("a row of keys' features is told, lit and chosen as its token") {
    const Hidden d(Stage::k);
    d->click(d->cell(1, 3));
    CHECK(d.selected()->second == 2);
    d->hover(d->cell(2, 3));
    d->frames(3);
    CHECK(d->shows("sat \u2192 feature 4"));
    CHECK(d->shell->state.stage->pointed == Pointed{std::nullopt, 3});
    d->click(d.label(3));
    CHECK(d.selected()->second == 4);
    const int query = d.selected()->first;
    CHECK(query == 1); // the first that is shown
    d->key(Key::up);   // its rows are keys
    CHECK(d.selected()->first == query);
    CHECK(d.selected()->second == 3);
}

TEST_CASE("zooming on features keeps the chosen token's row in sight") {
    const Hidden d(Stage::q);
    d->click(d->cell(3, 0));
    REQUIRE(d.selected()->first == 4);
    d->type("+++++");
    const auto& v = d->shell->state.view.viewport;
    REQUIRE(v);
    CHECK(v->row + v->rows > 3);
    for (int i = 0; i < 3; ++i) d->key(Key::up);
    CHECK(v->row <= 0.01f);
    CHECK(v->row + v->rows >= 1);
}

TEST_CASE("the strip's hover names the tokens whose rows its tiles have") {
    const Hidden d(Stage::weights);
    const auto& strip = d->snapshot().strip;
    const auto at = [&](Stage stage, float across, float down) {
        std::size_t tile = 0;
        while (strip[tile].stage != stage) ++tile;
        const figure::Box box = d->find("stages").box;
        const float share = (static_cast<float>(tile) + across) / static_cast<float>(strip.size());
        d->hover(figure::Point{box.x + box.w * share, box.y + box.h * down});
        d->frames(3);
    };
    bool first = false, last = false;
    for (const Stage stage : {Stage::q, Stage::k, Stage::scores}) {
        for (float down = 0.1f; down < 1; down += 0.03f) {
            at(stage, 0.5f, down);
            CHECK_FALSE(d->shows("[CLS] \u2192"));
            CHECK_FALSE(d->shows("\u2192 [CLS]"));
            first = first || d->shows("the \u2192");
            last = last || d->shows("w9 \u2192");
        }
    }
    CHECK(first);
    CHECK(last);
}

TEST_CASE("typing while features are shown takes the chosen cell to where its row looks") {
    for (const Stage stage : {Stage::q, Stage::v, Stage::weights}) {
        const Hidden d(stage);
        d->shell->state.view.selected = {4, 1};
        d->settle();
        d->replace_field("source", "the cat sat w7");
        d->settle();
        REQUIRE(d.selected());
        const auto row = d->snapshot()
                             .run->trace.map(d->snapshot().focus.head)
                             ->rectangle(Stage::weights, {4, 1, 1, 4});
        num::Index at = 0, key = 0;
        row.maxCoeff(&at, &key);
        CHECK(*d.selected() == std::pair(4, static_cast<int>(key) + 1));
    }
}

TEST_CASE("the inspector's row leaves hidden tokens out while a stage is shown") {
    const Hidden d(Stage::scores);
    d->click(d->cell(1, 2));
    CHECK(d.selected() == std::pair(2, 3));
    CHECK(d->has("row/3"));
    CHECK_FALSE(d->has("row/4"));
    d->click("row/0");
    CHECK(d.selected() == std::pair(2, 1));
}

TEST_CASE("the keys of the softmax's Jacobian are told as those that are shown") {
    const Hidden d(Stage::weights);
    d->click(d->cell(1, 2));
    d->shell->state.view.view = app::View::softmax;
    d->settle();
    const figure::Box place = d->find("picture").box;
    bool told = false;
    for (const figure::Target& t : d->picture().targets) {
        const auto* cells = t.as<figure::tag::Cells>();
        if (!cells || cells->rows != 4 || cells->cols != 4) continue;
        d->hover(
            figure::Point{place.x + t.box.x + t.box.w / 8, place.y + t.box.y + t.box.h * 0.9f});
        d->frames(3);
        told = ui::test::says(*d, "weight of w9 by score of the");
    }
    CHECK(told);
}

TEST_CASE("the switch that hides special tokens stays under the pointer") {
    Hidden d(Stage::weights);
    const figure::Box hides = d->find("special").box;
    CHECK(d->shows("On special tokens"));
    d->click("special");
    d->settle();
    REQUIRE_FALSE(d->shell->work.focus().hide_special);
    CHECK(d->find("special").box == hides);
}

TEST_CASE("hiding special tokens is offered where there are some, and told nowhere else") {
    const Hidden d(Stage::weights);
    CHECK(d->has("special"));
    d->click("model");
    d->click("model/kind/0"); // a transformer with random weights, whose text has none
    d->click("model/make");
    d->key(Key::escape);
    d->settle();
    REQUIRE_FALSE(app::has_special(*d->snapshot().run));
    CHECK_FALSE(d->has("special"));
    CHECK_FALSE(d->shows("On special tokens"));
}

namespace {

/// What stands behind the weight on special tokens.
std::string weight_on_special(const Driver& d) {
    const std::string screen = d.screen(), label = "On special tokens\n";
    const std::size_t at = screen.find(label);
    if (at == std::string::npos) return "nothing";
    const std::size_t from = at + label.size();
    return screen.substr(from, screen.find('\n', from) - from);
}

} // namespace

TEST_CASE("the weight on special tokens is told where they are shown, too") {
    const Hidden d(Stage::weights);
    const std::string hidden = weight_on_special(*d);
    CHECK(hidden == figure::percent_text(d->snapshot().to_hidden.value()));
    d->click("special");
    d->settle();
    CHECK(weight_on_special(*d) == hidden);
}

TEST_CASE("the weight on special tokens is told of attention whose keys have some") {
    Driver::Options options = Driver::high();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "The black cat is small";
    options.focus = {{trace::AttentionKind::decoder_self, 0, 0}};
    Driver d(options);
    d.settle();
    CHECK(weight_on_special(d).ends_with("%")); // of \u27e8start\u27e9
    d.click("kind/Cross");
    d.settle();
    CHECK(weight_on_special(d) == "nothing"); // no word of the source is special
    CHECK(d.has("special"));
}
