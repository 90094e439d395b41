#include "app/document/names.hpp"
#include "app/document/weight_edits.hpp"
#include "app/engine/computation.hpp"
#include "app/views/export.hpp"
#include "app/views/map_data.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "figure/base/fitted.hpp"
#include "figure/base/sheet.hpp"
#include "models/recurrent_models.hpp"
#include "small_document.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

#include <algorithm>

using namespace heed;
using app::Focus;
using app::View;
using app::ViewState;
using trace::AttentionKind;
using trace::Stage;

namespace {

std::shared_ptr<const app::Snapshot>
snapshot_of(const app::Document& document, const Focus& focus = {}, const app::Needs& needs = {}) {
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, focus, needs}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

} // namespace

TEST_CASE("titles count layers and heads from one") {
    Focus focus;
    focus.head = {AttentionKind::decoder_self, 1, 2};
    const auto data = app::map_data(*snapshot_of(small_document(), focus));
    CHECK(data.title == "Decoder layer 2 · head 3");
    CHECK(data.subtitle == "query (rows) attends to key (columns)");
    CHECK(data.row_labels == std::vector<std::string>{"Le", "chat"});
    CHECK(data.col_labels == data.row_labels);
    CHECK(data.weights);
}

TEST_CASE("cross-attention has target tokens as rows and source tokens as columns") {
    Focus focus;
    focus.head.kind = AttentionKind::cross;
    const auto data = app::map_data(*snapshot_of(small_document(), focus));
    CHECK(data.row_labels.front() == "Le");
    CHECK(data.col_labels.front() == "The");
    CHECK(data.values->rows() == 2);
    CHECK(data.values->cols() == 6);
}

TEST_CASE("the subtitle names every control that is not at its default, and no other") {
    app::Document document = small_document();
    models::HeadControls controls;
    controls.scale = models::Scale{models::Scale::Kind::off, 1};
    controls.temperature = 2;
    controls.mask = app::parse_mask("causal,window:3", "m", app::Counting::from_1).value();
    controls.positions = nn::Positions::rotary;
    controls.gain = 0;
    document.controls.set({}, controls);
    document.controls.norm = models::NormOrder::pre;
    document.controls.join = nn::Join::add; // the model's own
    const auto snapshot = snapshot_of(document);
    CHECK(app::map_data(*snapshot).subtitle ==
          "query (rows) attends to key (columns) · scale off · temperature 2 · "
          "mask causal, window ± 3 · positions rotary (RoPE) · head switched off · norm pre");
    ViewState untitled;
    untitled.title = false;
    const std::string line = app::caption(*snapshot, untitled);
    for (const char* part : {"32", "seed 1", "Encoder layer 1 · head 1", "scale off"}) {
        CHECK(contains(line, part));
    }
    document.controls = {};
    controls = {};
    controls.mask = nn::Mask{};
    controls.mask->causal = true;
    document.controls.set({AttentionKind::decoder_self, std::nullopt, std::nullopt}, controls);
    Focus decoder;
    decoder.head.kind = AttentionKind::decoder_self;
    CHECK_FALSE(contains(app::map_data(*snapshot_of(document, decoder)).subtitle, "mask"));
}

TEST_CASE("a long number of a title is written with three digits") {
    app::Document document = small_document();
    models::HeadControls controls;
    controls.temperature = 4.8471923f;
    document.controls.set({}, controls);
    CHECK(app::map_data(*snapshot_of(document)).subtitle.ends_with(" · temperature 4.85"));
}

TEST_CASE("rows without a distribution are marked in weights and masked scores") {
    app::Document document = small_document();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index key = 0; key < 6; ++key) controls.mask->painted.emplace_back(4, key);
    document.controls.set({AttentionKind::encoder_self, std::nullopt, std::nullopt}, controls);
    for (const Stage stage : {Stage::weights, Stage::masked}) {
        const auto data = app::map_data(*snapshot_of(document, Focus{{}, stage}));
        CHECK(data.rows_without_distribution == std::vector<num::Index>{4});
    }
    const auto scores = app::map_data(*snapshot_of(document, Focus{{}, Stage::scores}));
    CHECK(scores.rows_without_distribution.empty());
}

TEST_CASE("masked cells are told from zeros, in one head, in several that agree, and in words") {
    app::Document document = small_document();
    Focus decoder;
    decoder.head.kind = AttentionKind::decoder_self;
    const std::vector<figure::CellRun> causal{{0, 1, 2}};
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked == causal);
    decoder.stage = Stage::masked;
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked == causal);
    decoder.stage = Stage::scaled;
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked.empty());
    decoder.stage = Stage::weights;
    decoder.combine = trace::Combine::mean;
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked == causal);
    // What was given a weight by hand is masked no longer.
    document = app::with_weight(document, decoder.head, {0, 1, 0.25f});
    decoder.combine.reset();
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked.empty());
    // A word is masked where all of its pieces are.
    document = small_document();
    document.target = "ab cd";
    document.segmentation = text::Segmentation::characters;
    decoder.merge_words = true;
    CHECK(app::map_data(*snapshot_of(document, decoder)).masked == causal);
}

TEST_CASE("features are labelled by their number and keys by their words") {
    const auto data = app::map_data(*snapshot_of(small_document(), Focus{{}, Stage::k}));
    CHECK(data.row_labels.size() == 6);
    CHECK(data.col_labels == std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8"});
    CHECK(data.signed_values);
    CHECK_FALSE(data.weights);
}

TEST_CASE("every view of every kind of attention, stage and positions makes a figure") {
    app::Document document = small_document();
    for (const auto& positions : app::names<nn::Positions>()) {
        models::spec_of(document.model)->positions = positions.value;
        for (const AttentionKind kind : trace::kAttentionKinds) {
            const Stage stage = kind == AttentionKind::cross ? Stage::v : Stage::masked;
            const auto snapshot = snapshot_of(document, Focus{{kind, 0, 1}, stage});
            for (const auto& view : app::names<View>()) {
                ViewState state;
                state.view = view.value;
                state.dark = kind == AttentionKind::cross;
                state.selected = {1, 0};
                const auto figure = app::make_figure(*snapshot, state, 0, 0);
                CHECK(figure.width > 0);
                CHECK_FALSE(figure.items.empty());
                CHECK_FALSE(figure.title.empty());
            }
        }
    }
}

TEST_CASE("a chosen cell that the sentence no longer has is as good as none, in every view") {
    app::Document recurrent = small_document();
    recurrent.model = models::small_recurrent();
    for (const app::Document& document : {small_document(), recurrent}) {
        for (const AttentionKind kind : {AttentionKind::encoder_self, AttentionKind::cross}) {
            const Focus focus{{kind, 0, 0}};
            for (const auto& view : app::names<View>()) {
                INFO(view.name);
                const auto drawn = [&](std::optional<std::pair<int, int>> selected) {
                    ViewState state;
                    state.view = view.value;
                    state.selected = selected;
                    if (!app::fits(view.value, document.model)) state.view = View::heatmap;
                    const auto snapshot = snapshot_of(document, focus, app::needs_of(state, focus));
                    return figure::dump(app::make_figure(*snapshot, state, 600, 500));
                };
                CHECK((drawn(std::pair(40, 50)) == drawn({})));
            }
        }
    }
}

TEST_CASE("the same state gives the same bytes twice, in every format") {
    const auto snapshot = snapshot_of(small_document());
    for (const auto format :
         {app::ExportFormat::png, app::ExportFormat::svg, app::ExportFormat::pdf,
          app::ExportFormat::csv, app::ExportFormat::npy}) {
        const auto once = app::export_bytes(*snapshot, {}, format);
        REQUIRE(once.has_value());
        CHECK(*once == *app::export_bytes(*snapshot, {}, format));
        CHECK(once->size() > 100);
    }
}

TEST_CASE("an exported matrix holds the focused numbers") {
    const TemporaryFolder folder;
    const auto snapshot = snapshot_of(small_document());
    REQUIRE(app::export_to(*snapshot, {}, folder / "map.NPY").has_value());
    const auto array = tensors::read_npy(folder.bytes("map.NPY"), "map");
    REQUIRE(array.has_value());
    CHECK(array->shape == std::vector<std::int64_t>{6, 6});
    CHECK(std::equal(array->values.begin(), array->values.end(), snapshot->map->data()));
    REQUIRE(app::export_to(*snapshot, {}, folder / "map.csv").has_value());
    CHECK(folder.bytes("map.csv").starts_with(",The,cat,sat,on,the,mat"));
}

TEST_CASE("a suffix that is no format, and a snapshot without a run, are refused") {
    const auto snapshot = snapshot_of(small_document());
    for (const char* path : {"map.jpg", "map", ".png/map", "map.png/"}) {
        const auto refused = app::export_to(*snapshot, {}, path);
        REQUIRE_FALSE(refused.has_value());
        CHECK(contains(refused.error().message, ".pdf"));
    }
    CHECK_FALSE(app::export_bytes({}, {}, app::ExportFormat::csv).has_value());
}

TEST_CASE("a model is called by its named size, its numbers or its file") {
    app::Document document;
    CHECK(app::model_title(document.model_file, document.model) == "Transformer base");
    models::spec_of(document.model)->d_ff = 100;
    CHECK(app::model_title(document.model_file, document.model) ==
          "Transformer 512 · 8 heads · 6+6 layers");
    document.model_file = "/a/b/mine.safetensors";
    CHECK(app::model_title(document.model_file, document.model) == "mine");
}

TEST_CASE("a caption says what its view shows and what that depends on") {
    app::Document document = small_document();
    models::HeadControls warm;
    warm.temperature = 2.f;
    document.controls.set({}, warm);
    scale_off(document, AttentionKind::encoder_self, 1);
    models::HeadControls off;
    off.gain = 0.f;
    document.controls.set({AttentionKind::encoder_self, 0, 3}, off);
    const auto snapshot = snapshot_of(document, Focus{{}, Stage::scores});
    const std::string model = "Model: Transformer 32 · 4 heads · 2+2 layers · seed 1 · untrained: "
                              "random weights.";
    ViewState state;
    const auto caption = [&](View view) {
        state.view = view;
        return app::caption(*snapshot, state);
    };
    const std::string text = " Text: “" + document.source + "”.";
    // What the title above it says, it does not say again.
    CHECK(caption(View::heads) ==
          "Temperature 2 · head switched off in layer 1, head 4 · scale off in layer 2. " + model +
              text);
    CHECK(caption(View::heatmap) == "Scores · temperature 2. " + model + text);
    CHECK(caption(View::lines) == "Temperature 2. " + model + text);
    CHECK(caption(View::positions) == model); // of no text
    // Its last card is of what all heads of the layer say.
    CHECK(caption(View::stages) == "Temperature 2 · off: encoder 1.4. " + model + text);
    state.title = false;
    CHECK(caption(View::heads) == "Encoder self-attention · all heads · temperature 2 · "
                                  "head switched off in layer 1, head 4 · scale off in layer 2. " +
                                      model + text);
    CHECK(caption(View::positions) == "Sinusoidal positions. " + model); // of no text
    CHECK(caption(View::stages) ==
          "Encoder layer 1 · head 1 · temperature 2 · off: encoder 1.4. " + model + text);
    CHECK(caption(View::lines) == "Encoder layer 1 · head 1 · temperature 2. " + model + text);
    CHECK(caption(View::heatmap) ==
          "Encoder layer 1 · head 1 · scores · temperature 2. " + model + text);
    document.source = "  " + document.source + " ";
    const auto spaced = snapshot_of(document, Focus{{}, Stage::scaled});
    state.view = View::heatmap; // a stage as its tile is called; no space within quotes
    CHECK(app::caption(*spaced, state) ==
          "Encoder layer 1 · head 1 · ÷ √dₖ · temperature 2. " + model + text);
}

TEST_CASE("the caption of a difference says in a sentence what is taken off what") {
    app::Document document = small_document();
    scale_off(document, AttentionKind::encoder_self, 0);
    app::Computation computation(1);
    const Focus focus;
    const auto snapshot =
        computation.answer({1, document, focus, {}, app::unaltered(document, focus)}, {});
    ViewState state;
    state.compare = app::Compare::difference;
    const std::string words = app::caption(*snapshot, state);
    INFO(words);
    CHECK(words.starts_with("Now (scale off) minus original. "));
}

TEST_CASE("a caption says once that a head is off") {
    app::Document document = small_document();
    models::HeadControls off;
    off.gain = 0.f;
    document.controls.set({AttentionKind::encoder_self, 0, 0}, off);
    const auto snapshot = snapshot_of(document, {});
    ViewState state;
    state.caption = true;
    app::Place place{500, 500};
    std::string words;
    for (const auto& item : app::make_figure(*snapshot, state, place).items) {
        if (const auto* text = std::get_if<figure::Text>(&item)) words += text->text + " ";
    }
    INFO(words);
    CHECK(words.find("Head switched off.") != words.npos);
    CHECK(words.find("This head is off.") == words.npos);
}

TEST_CASE("the caption of a decoder alone has the text that it read, not what another model did") {
    app::Document document = small_document();
    models::spec_of(document.model)->architecture = models::Architecture::decoder_only;
    document.source = "the black cat did not eat";
    document.target = "to be or not";
    const auto snapshot = snapshot_of(document, {{AttentionKind::decoder_self, 0, 0}});
    CHECK(app::caption(*snapshot, {}).ends_with(" Text: “to be or not”."));
    document.target.clear();
    const auto alone = snapshot_of(document, {{AttentionKind::decoder_self, 0, 0}});
    CHECK(app::caption(*alone, {}).ends_with(" Text: “the black cat did not eat”."));
}

TEST_CASE("a caption's text that is too long for it ends behind a word") {
    app::Document document = small_document();
    document.source =
        "the young teacher did not read the old book while the cold water was not good for the cat";
    const auto ends_with = [&](const std::string& words) {
        const std::string told = app::caption(*snapshot_of(document, {}), {});
        INFO(told);
        CHECK(told.ends_with(words));
    };
    ends_with("while the cold water was not good…”.");
    document.source = std::string(120, 'a'); // a script without spaces has no words to end at
    ends_with("aaaa…”.");
}

TEST_CASE("heads laid over each other are named in title, subtitle and caption, and no other") {
    app::Document document = small_document();
    models::HeadControls off;
    off.gain = 0.f;
    document.controls.set({AttentionKind::encoder_self, 0, 0}, off);
    off.gain = 0.5f;
    document.controls.set({AttentionKind::encoder_self, 0, 2}, off);
    app::Needs needs;
    needs.overlay = {2, 1, 2}; // as a session may have it
    const auto snapshot = snapshot_of(document, {}, needs);
    CHECK(snapshot->needs.overlay == std::vector{1, 2});
    ViewState untitled;
    untitled.view = View::lines;
    untitled.title = false;
    CHECK(app::caption(*snapshot, untitled)
              .starts_with("Encoder layer 1 · heads 2, 3 · gain 50 % in layer 1, head 3. Model: "
                           "Transformer 32 · 4 heads · 2+2 layers · seed 1 · untrained: random "
                           "weights. "));
    ViewState state;
    state.view = View::lines;
    const std::string shown = figure::dump(app::make_figure(*snapshot, state, 800, 600));
    CHECK(contains(shown, "gain 50 % in layer 1, head 3"));
    CHECK_FALSE(contains(shown, "switched off"));
}

TEST_CASE("a file has strips where something is chosen on them, and no others") {
    ViewState state;
    const auto strips = [&] {
        const auto snapshot = snapshot_of(small_document(), {}, app::needs_of(state, {}));
        int count = 0;
        for (const figure::Target& t : app::export_figure(*snapshot, state, {}).targets) {
            count += t.as<figure::tag::Strip>() != nullptr;
        }
        return count;
    };
    CHECK(strips() == 0);
    state.pinned_keys = {2};
    CHECK(strips() == 2);
    state.strips = false;
    CHECK(strips() == 0);
}

TEST_CASE("a cropped picture has no ground beside its map and title for the caption's sake") {
    const auto snapshot = snapshot_of(small_document());
    ViewState state;
    state.caption = true;
    app::ExportOptions options{.width = 1200, .height = 400};
    const auto cells = [](const figure::Figure& figure) {
        for (const figure::Target& t : figure.targets) {
            if (t.as<figure::tag::Cells>()) return t.box;
        }
        return figure::Box{};
    };
    const figure::Box whole = cells(app::export_figure(*snapshot, state, options));
    options.crop = true;
    const figure::Figure cropped = app::export_figure(*snapshot, state, options);
    CHECK(cells(cropped).w >= 0.85f * whole.w); // another line of caption takes of its height
    CHECK(cropped.width < 1000);
    // What reaches furthest is the map with its colour bar, or the title: nothing is broken at a
    // width beyond both.
    float right = 0;
    for (const figure::Primitive& item : cropped.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text != nullptr && text->style.weight != figure::Weight::bold && text->at.x < 10) {
            continue;
        }
        figure::Figure one;
        one.items = {item};
        const figure::Box box = figure::content_box(one);
        right = std::max(right, box.x + box.w);
    }
    CHECK(right >= 0.92f * cropped.width);
}

TEST_CASE("a cropped grid of heads has no ground above its caption") {
    ViewState state;
    state.view = View::heads;
    state.caption = true;
    const auto snapshot = snapshot_of(small_document(), {}, app::needs_of(state, {}));
    const auto bottom_of = [](const figure::Figure& figure) {
        const figure::Box drawn = figure::drawn_box(figure);
        return drawn.y + drawn.h;
    };
    app::ExportOptions options{.width = 500, .height = 900};
    const figure::Figure whole = app::export_figure(*snapshot, state, options);
    REQUIRE(whole.height - bottom_of(whole) > 150);
    options.crop = true;
    const figure::Figure cropped = app::export_figure(*snapshot, state, options);
    CHECK(cropped.height - bottom_of(cropped) < 110);
    CHECK(figure::drawn_box(cropped).w > 0.9f * figure::drawn_box(whole).w);
}

TEST_CASE("titles side by side name their heads alike, in numbers where words have no room") {
    const trace::HeadId first{AttentionKind::cross, 1, 0}, second{AttentionKind::cross, 0, 2};
    const auto fitted = [&](float width) {
        figure::Frame frame;
        frame.width = width;
        frame.height = 400;
        frame.theme = &figure::light_theme();
        std::string a = app::head_title(first) + " · original", b = app::head_title(second);
        app::fit_titles({{first, &a, frame}, {second, &b, frame}});
        return std::pair(a, b);
    };
    const std::string a = "Cross-attention layer 2 · head 1 · original";
    const std::string b = "Cross-attention layer 1 · head 3";
    CHECK(fitted(800) == std::pair(a, b));
    CHECK(fitted(360) == std::pair<std::string, std::string>("Cross-attention 2.1 · original",
                                                             "Cross-attention 1.3"));
    CHECK(fitted(170) == std::pair<std::string, std::string>("Cross 2.1 · original", "Cross 1.3"));
    // Two maps beside each other in the window: neither title is cut.
    ViewState state;
    state.compare = app::Compare::beside;
    app::Computation computation(1);
    const app::Document document = small_document();
    const auto snapshot =
        computation.answer({1, document, Focus{first}, app::needs_of(state, Focus{first}),
                            app::unaltered(document, Focus{first})},
                           {});
    REQUIRE(snapshot != nullptr);
    REQUIRE(snapshot->reference);
    const figure::Figure figure = app::make_figure(*snapshot, state, app::Place{640, 500, 404});
    int titles = 0;
    for (const figure::Primitive& item : figure.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text == nullptr || text->style.weight != figure::Weight::bold) continue;
        titles += text->text.starts_with("Cross");
        CHECK(!contains(text->text, "…"));
    }
    CHECK(titles == 2);
}

TEST_CASE("in a column of a page titles name their head in numbers before they are cut") {
    app::Computation computation(1);
    const Focus focus{{AttentionKind::cross, 1, 0}};
    for (const app::View view : {app::View::stages, app::View::lines}) {
        ViewState state;
        state.view = view;
        state.pinned_queries = {1, 3};
        const auto snapshot =
            computation.answer({1, small_document(), focus, app::needs_of(state, focus)}, {});
        REQUIRE(snapshot != nullptr);
        const auto title = [&](float width) {
            for (const auto& item : app::make_figure(*snapshot, state, width, 500).items) {
                const auto* text = std::get_if<figure::Text>(&item);
                if (text && text->text.starts_with("Cross")) return text->text;
            }
            return std::string();
        };
        CHECK(title(900).starts_with("Cross-attention layer 2 · head 1 · "));
        for (const float width : {200.f, 240.f, 290.f}) {
            INFO(width);
            CHECK(title(width).starts_with("Cross"));
            CHECK_FALSE(contains(title(width), "…"));
        }
    }
}

namespace {

ViewState beside_original() {
    ViewState state;
    state.compare = app::Compare::beside;
    return state;
}

/// The first head of the small document, which stands for itself on both sides.
std::shared_ptr<const app::Snapshot> held_against_original(const ViewState& state) {
    app::Computation computation(1);
    const app::Document document = small_document();
    auto snapshot = computation.answer(
        {1, document, Focus{}, app::needs_of(state, Focus{}), app::unaltered(document, Focus{})},
        {});
    REQUIRE(snapshot != nullptr);
    return snapshot;
}

} // namespace

TEST_CASE("two maps beside each other grow with their place, below small titles too") {
    const ViewState state = beside_original();
    const auto snapshot = held_against_original(state);
    const auto width_of_map = [&](float width) {
        float narrowest = width;
        for (const auto& target : app::make_figure(*snapshot, state, width, 600).targets) {
            if (target.as<figure::tag::Cells>()) narrowest = std::min(narrowest, target.box.w);
        }
        return narrowest;
    };
    CHECK(width_of_map(690) < width_of_map(730));
}

TEST_CASE("no line above two maps ends in a dot between words, and the sentence follows them") {
    const ViewState state = beside_original();
    const auto snapshot = held_against_original(state);
    app::Snapshot changed = *snapshot;
    for (float width = 500; width <= 1400; width += 20) {
        app::Place place{width, 700};
        place.beside_title = 410;
        place.reads = true;
        const auto drawn = app::make_figure(changed, state, place);
        float title = 0, above = 0, sentence = 0;
        for (const figure::Primitive& item : drawn.items) {
            const auto* text = std::get_if<figure::Text>(&item);
            if (text == nullptr) continue;
            CHECK_FALSE(text->text.ends_with("·"));
            if (text->text.ends_with("now")) title = text->at.y;
            if (text->text.find("attends") != std::string::npos) above = text->at.y;
            if (text->text.find("original:") != std::string::npos) sentence = text->at.y;
        }
        CAPTURE(width, title, above, sentence);
        if (sentence > 0 && above > 0) CHECK(sentence - above < 46);
    }
}

TEST_CASE("two maps beside each other have one bar, one caption, and titles of one size") {
    ViewState state;
    state.compare = app::Compare::beside;
    app::Computation computation(1);
    app::Document document = small_document();
    scale_off(document, AttentionKind::encoder_self, 0);
    const auto snapshot = computation.answer(
        {1, document, Focus{}, app::needs_of(state, Focus{}), app::unaltered(document, Focus{})},
        {});
    REQUIRE(snapshot != nullptr);
    REQUIRE(snapshot->reference);
    const auto check = [](const figure::Figure& picture) {
        int bars = 0, models = 0;
        std::vector<float> titles, cells;
        for (const figure::Primitive& item : picture.items) {
            const auto* text = std::get_if<figure::Text>(&item);
            if (!text) continue;
            bars += text->text == "weights" || text->text == "attention weight";
            models += contains(text->text, "Model: ");
            if (text->text.starts_with("Encoder")) titles.push_back(text->style.size);
        }
        for (const figure::Target& target : picture.targets) {
            if (target.as<figure::tag::Cells>()) cells.push_back(target.box.x);
        }
        CHECK(bars == 1);
        CHECK(models == 1);
        REQUIRE(titles.size() == 2);
        CHECK(titles[0] == titles[1]);
        REQUIRE(cells.size() == 2);
        // What is right of the middle is of the right one.
        CHECK(cells[0] < picture.width / 2);
        CHECK(cells[1] > picture.width / 2);
    };
    state.caption = true;
    for (const float width : {480.f, 544.f, 636.f, 720.f, 760.f, 1100.f}) {
        CAPTURE(width);
        check(app::make_figure(*snapshot, state, app::Place{width, 500, width / 2}));
    }
    app::ExportOptions options;
    options.page = app::PageSize{8.5f, 8};
    check(app::export_figure(*snapshot, state, options));
    options.page.reset();
    check(app::export_figure(*snapshot, state, options));
}

TEST_CASE("cells that neither state can look at are masked in their difference") {
    ViewState state;
    state.compare = app::Compare::difference;
    app::Computation computation(1);
    app::Document document = small_document();
    scale_off(document, AttentionKind::decoder_self, 0);
    const Focus focus{{AttentionKind::decoder_self, 0, 0}};
    const auto snapshot = computation.answer(
        {1, document, focus, app::needs_of(state, focus), app::unaltered(document, focus)}, {});
    REQUIRE(snapshot != nullptr);
    const auto difference = app::difference_data(*snapshot);
    REQUIRE(difference);
    const auto map = app::map_data(*snapshot);
    CHECK_FALSE(map.masked.empty());
    CHECK(difference->masked == map.masked);
    // Where one of them can, they are compared.
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    document.controls.set({AttentionKind::decoder_self, 0, std::nullopt}, controls);
    const auto open = computation.answer(
        {2, document, focus, app::needs_of(state, focus), app::unaltered(document, focus)}, {});
    REQUIRE(open != nullptr);
    const auto other = app::difference_data(*open);
    REQUIRE(other);
    CHECK(other->masked.empty());
}

TEST_CASE("links of a decoder of single steps speak of no rows and columns") {
    app::Document document;
    models::RecurrentConfig config;
    config.hidden = 12;
    config.embedding = 8;
    document.model = config;
    document.source = "the cat sat";
    document.target = "le chat";
    const auto snapshot = snapshot_of(document, Focus{{AttentionKind::cross, 0, 0}});
    CHECK(contains(app::map_data(*snapshot).subtitle, "(rows)"));
    CHECK_FALSE(contains(app::weights_data(*snapshot).subtitle, "(rows)"));
    CHECK(contains(app::weights_data(*snapshot).subtitle, "attends to source word"));
}

TEST_CASE("a picture for a page is as wide as asked, and its labels as large") {
    const auto snapshot = snapshot_of(small_document());
    for (const View view : {View::heatmap, View::lines, View::heads, View::stages, View::flow}) {
        ViewState state;
        state.view = view;
        app::ExportOptions options;
        options.page = app::PageSize{8.5f, 9};
        const figure::Figure page = app::export_figure(*snapshot, state, options);
        INFO(app::info(view).name);
        CHECK(page.width == Approx(8.5 * 72 / 2.54).epsilon(1e-4));
        const figure::Box content = figure::content_box(page);
        CHECK(content.x >= 0);
        CHECK(content.y >= 0);
        CHECK(content.x + content.w <= page.width + 0.5f);
        CHECK(content.y + content.h <= page.height + 0.5f);
        CHECK(page.background.r == 255);
    }
    app::ExportOptions options;
    options.page = app::PageSize{17, 9};
    const figure::Figure page = app::export_figure(*snapshot, {}, options);
    bool found = false;
    for (const figure::Primitive& item : page.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text == nullptr || text->text != "The") continue;
        CHECK(text->style.size == Approx(9));
        found = true;
    }
    CHECK(found);
}

TEST_CASE(
    "a picture that jumps from too narrow to too wide for a page leaves it no broad margins") {
    constexpr float kWanted = 8.5f * 72 / 2.54f * figure::type_size::kLabel / 8;
    const auto draw = [&](float width, float) {
        figure::Figure figure;
        figure.width = width;
        figure.height = 100;
        const bool is_narrow = width < 1.07f * kWanted; // words break elsewhere
        const float drawn = is_narrow ? width - 0.15f * kWanted : width;
        figure.items.emplace_back(figure::Fill{{0, 0, drawn, 100}, {0, 0, 0}, 0});
        return figure;
    };
    app::ExportOptions options;
    options.page = app::PageSize{8.5f, 8};
    const figure::Figure page = app::for_page(options, draw);
    CHECK(page.width == Approx(8.5 * 72 / 2.54).epsilon(1e-4));
    const figure::Box content = figure::content_box(page);
    CHECK(content.w > 0.9f * page.width); // of 0.92
    CHECK(content.x == Approx(page.width - content.x - content.w).margin(0.1));
}

TEST_CASE("titles of pictures for pages of one width begin at one margin") {
    const auto document = small_document();
    constexpr float kMargin = 4; // points
    for (const auto kind :
         {AttentionKind::encoder_self, AttentionKind::decoder_self, AttentionKind::cross}) {
        Focus focus;
        focus.head.kind = kind;
        const auto snapshot = snapshot_of(document, focus);
        for (const View view : {View::lines, View::heatmap, View::stages}) {
            ViewState state;
            state.view = view;
            app::ExportOptions options;
            options.page = app::PageSize{8.5f, 8};
            INFO(app::info(view).name << " of " << trace::name(kind));
            for (const figure::Primitive& item :
                 app::export_figure(*snapshot, state, options).items) {
                const auto* text = std::get_if<figure::Text>(&item);
                if (text == nullptr) continue;
                CHECK(text->at.x == Approx(kMargin).margin(1));
                break; // the title is the first
            }
        }
    }
}

TEST_CASE("a file leaves out what it is told to, and is white paper with dark ink") {
    const auto snapshot = snapshot_of(small_document());
    ViewState state;
    const auto words = [&] { return figure::dump(app::export_figure(*snapshot, state, {})); };
    CHECK(contains(words(), "0.0")); // of the bar
    CHECK(contains(words(), "Encoder layer 1 · head 1"));
    state.title = false;
    state.caption = false;
    CHECK_FALSE(contains(words(), " 18.0 sans bold")); // the size of titles
    state.bar = false;
    state.numbers = false;
    CHECK_FALSE(contains(words(), "weight"));
    app::ExportOptions options;
    options.ground = app::Ground::theme;
    CHECK(app::export_figure(*snapshot, state, options).background.r < 255);
    state.dark = true;
    CHECK(app::export_figure(*snapshot, state, options).background.r < 128);
    options.ground = app::Ground::white;
    const figure::Figure paper = app::export_figure(*snapshot, state, options);
    state.dark = false;
    CHECK(figure::dump(paper) == figure::dump(app::export_figure(*snapshot, state, options)));
    CHECK(paper.background.r == 255);
}

TEST_CASE(
    "the Positions room shows positions for a model that has none, and says that it has none") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{};
    const auto snapshot = snapshot_of(document);
    ViewState state;
    state.view = View::positions;
    const std::string shown = figure::dump(app::make_figure(*snapshot, state, 900, 700));
    CHECK(contains(shown, "Sinusoidal positions"));
    CHECK(contains(shown, "this model uses none"));
    state.position_room.kind = nn::Positions::none;
    const std::string off = figure::dump(app::make_figure(*snapshot, state, 900, 700));
    CHECK(contains(off, "this model uses none"));
    CHECK_FALSE(contains(off, "cannot tell the order"));
}
