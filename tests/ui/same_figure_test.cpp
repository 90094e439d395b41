// What is on the screen is what is exported: one figure, two painters.
#include "ui/random_state.hpp"

#include "app/document/gains.hpp"
#include "app/document/names.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/export.hpp"
#include "catch.hpp"
#include "files/painter.hpp"
#include "ui/stage/map_panel.hpp"

#include <functional>

using namespace heed;
using namespace heed::ui::test;

namespace {

/// The large picture as the window draws it.
figure::Figure drawn(Driver& d) {
    const auto painted = d.painted();
    REQUIRE(!painted.empty());
    return painted.front();
}

/// As the export dialog would write it, without the line that only files have.
figure::Figure exported(const Driver& d) {
    const ui::WindowState& state = d.shell->state;
    app::ViewState view = state.view;
    view.caption = false;
    app::ExportOptions options;
    options.width = state.picture.width;
    options.height = state.picture.height;
    const app::Place place = ui::main_place(options.width, options.height, state);
    options.beside_title = place.beside_title;
    options.reads = true;
    options.grows = place.grows;
    options.ground = app::Ground::theme;
    return app::export_figure(d.snapshot(), view, options);
}

void check_same(Driver& d) {
    // A coarse screen lacks the smallest digits, which a file has.
    if (d.options().scale < 2) d.resize(d.options().width, d.options().height, 2);
    d.settle_all();
    REQUIRE(d.snapshot().run);
    // Strips that nothing is chosen on are the window's alone.
    d.shell->state.view = app::to_print(d.snapshot(), d.shell->state.view);
    d.settle_all();
    const std::string on_screen = figure::dump(drawn(d)), in_file = figure::dump(exported(d));
    CHECK(on_screen == in_file);
}

struct ShownState {
    const char* name;
    std::function<void(Driver&)> reach;
};

void change(Driver& d, const std::function<void(app::Document&)>& edit) {
    app::Document next = d.document();
    edit(next);
    d.shell->work.apply(ui::ChangeDocument{next, {}, "test", true});
    d.settle();
}

void focus(Driver& d, const std::function<void(app::Focus&)>& edit) {
    app::Focus next = d.shell->work.focus();
    edit(next);
    d.shell->work.apply(ui::ChangeFocus{next});
    d.settle();
}

const ShownState kStates[] = {
    {"as it starts", [](Driver&) {}},
    {"dark, Chinese, across",
     [](Driver& d) {
         change(d, [](app::Document& doc) {
             doc.source = "我昨天吃了一个苹果";
             doc.target = "I ate an apple 🍎 yesterday";
         });
         focus(d, [](app::Focus& f) { f.head.kind = trace::AttentionKind::cross; });
         d.shell->state.view.dark = true;
     }},
    {"Arabic by characters",
     [](Driver& d) {
         change(d, [](app::Document& doc) {
             doc.source = "ذهب الولد إلى المدرسة";
             doc.segmentation = text::Segmentation::characters;
         });
     }},
    {"characters merged to words, logarithmic",
     [](Driver& d) {
         change(d, [](app::Document& doc) { doc.segmentation = text::Segmentation::characters; });
         focus(d, [](app::Focus& f) { f.merge_words = true; });
         d.shell->state.view.scale = figure::ColourScale::logarithmic;
     }},
    {"combined heads",
     [](Driver& d) {
         focus(d, [](app::Focus& f) {
             f.combine = trace::Combine::maximum;
             f.heads = {0, 2};
         });
     }},
    {"masks, a silent head, scale off, beside the unaltered one",
     [](Driver& d) {
         change(d, [](app::Document& doc) {
             models::HeadControls c;
             c.mask = nn::Mask{};
             c.mask->window = 2;
             c.mask->painted = {{1, 0}, {3, 3}};
             c.scale = models::Scale{models::Scale::Kind::off, 1};
             c.gain = 0.0f;
             doc.controls.set({trace::AttentionKind::encoder_self, 0, 0}, c);
         });
         d.shell->state.view.compare = app::Compare::beside;
     }},
    {"as a difference",
     [](Driver& d) {
         change(d, [](app::Document& doc) { doc.controls.norm = models::NormOrder::pre; });
         focus(d, [](app::Focus& f) { f.head.layer = 1; });
         d.shell->state.view.compare = app::Compare::difference;
     }},
    {"a part of a stage, its own range, another palette",
     [](Driver& d) {
         focus(d, [](app::Focus& f) { f.stage = trace::Stage::scaled; });
         d.shell->state.view.viewport = figure::Viewport{1.5f, 2, 4.25f, 5};
         d.shell->state.view.range = figure::RangeMode::row;
         d.shell->state.view.palette = figure::PaletteId::grey;
         d.shell->state.view.selected = {2, 3};
     }},
    {"orders and overlays",
     [](Driver& d) {
         app::ViewState& view = d.shell->state.view;
         view.overlay = {0, 1, 3};
         view.columns = true;
         view.head_order = app::HeadOrder::effect;
         view.feature_order = figure::FeatureOrder::contribution;
         view.flow_rule = trace::FlowRule::raw;
         view.threshold = 0.5f;
     }},
};

} // namespace

TEST_CASE("the figure in the window is the figure in the file in every view and room") {
    for (const ShownState& state : kStates) {
        for (const auto& size :
             {std::pair(1280, 800), std::pair(2000, 1200), std::pair(760, 500)}) {
            Driver::Options options = Driver::tiny();
            std::tie(options.width, options.height) = size;
            Driver d(options);
            state.reach(d);
            for (const auto& view : app::names<app::View>()) {
                INFO(state.name << ", " << view.name << ", " << size.first << " points wide");
                d.shell->state.view.view = view.value;
                check_same(d);
            }
        }
    }
}

TEST_CASE("the figure in the window is the figure in the file in random states") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        TaskRng rng(1000 + seed);
        Driver d(some_state(rng));
        INFO("state " << seed);
        d.settle_all();
        if (d.snapshot().run) check_same(d);
    }
}

TEST_CASE("figures that were painted can be read after others took their place") {
    Driver d;
    CHECK(d.shell->ui.canvas.painted().empty()); // nobody asks: nothing is kept
    const auto painted = d.painted();
    REQUIRE_FALSE(painted.empty());
    const std::string words = figure::dump(painted.front());
    d.click("view/Lines");
    CHECK(figure::dump(painted.front()) == words);
    CHECK(figure::dump(drawn(d)) != words);
}

TEST_CASE("saving from the window writes the bytes of the figure on the screen") {
    const TemporaryFolder folder;
    Driver d;
    d.shell->state.view.caption = false;
    d.click("view/Lines");
    const auto svg = files::paint(drawn(d), files::Format::svg, {});
    REQUIRE(svg);
    d.click("export");
    d.click("export/crop");
    d.click("export/ground/As on screen");
    d.replace_field("export/path", folder / "lines.svg");
    d.click("export/save");
    CHECK(folder.bytes("lines.svg") == *svg);
}
