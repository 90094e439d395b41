// Characters merged to words: what every picture of weights then shows.
#include "app/engine/merging.hpp"

#include "app/engine/computation.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "figure/base/number_text.hpp"
#include "models/text_checkpoint.hpp"
#include "small_document.hpp"
#include "temporary_folder.hpp"
#include "trace/merged.hpp"
#include <fmt/format.h>

using namespace heed;
using app::Focus;
using app::View;
using app::ViewState;
using trace::AttentionKind;
using trace::Stage;

namespace {

using Labels = std::vector<std::string>;

app::Document characters() {
    app::Document document = small_document();
    document.source = "The cat sat";
    document.target = "Le chat";
    document.segmentation = text::Segmentation::characters;
    return document;
}

Focus merged() {
    Focus focus;
    focus.merge_words = true;
    return focus;
}

std::shared_ptr<const app::Snapshot> merged_snapshot(const app::Document& document,
                                                     const Focus& focus,
                                                     const std::optional<app::Reference>& held = {},
                                                     const app::Needs& needs = {}) {
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, focus, needs, held}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

/// Lines open to the left: a stroke with a tick of equal length at each end.
std::ptrdiff_t brackets(const figure::Figure& figure) {
    return std::ranges::count_if(figure.items, [](const figure::Primitive& item) {
        const auto* line = std::get_if<figure::Line>(&item);
        return line && line->points.size() == 4 && line->points[1].x == line->points[2].x &&
               line->points[0].x == line->points[3].x && line->points[0].x < line->points[1].x;
    });
}

} // namespace

TEST_CASE("both sentences of a decoder alone that speaks merge to their words") {
    app::Document document = characters();
    auto& config = *models::spec_of(document.model);
    config.architecture = models::Architecture::decoder_only;
    config.has_vocabulary = true;
    Focus focus = merged();
    focus.head.kind = AttentionKind::decoder_self;
    const auto snapshot = merged_snapshot(document, focus);
    const Labels words{"The", "cat", "sat", "⟨start⟩", "Le", "chat"};
    CHECK(app::map_data(*snapshot).row_labels == words);
    CHECK(app::map_data(*snapshot).col_labels == words);
}

TEST_CASE("a merged map has words on both axes, rows that sum to one, and says so") {
    for (const AttentionKind kind : trace::kAttentionKinds) {
        Focus focus = merged();
        focus.head.kind = kind;
        const auto snapshot = merged_snapshot(characters(), focus);
        const auto data = app::map_data(*snapshot);
        const Labels source{"The", "cat", "sat"}, target{"Le", "chat"};
        CHECK(data.row_labels == (kind == AttentionKind::encoder_self ? source : target));
        CHECK(data.col_labels == (kind == AttentionKind::decoder_self ? target : source));
        for (num::Index i = 0; i < data.values->rows(); ++i) {
            CHECK(data.values->row(i).sum() == Approx(1).margin(1e-5));
        }
        CHECK(contains(data.title, "merged to words"));
        CHECK(contains(app::caption(*snapshot, {}), "Merged to words."));
    }
}

TEST_CASE("tokens that are words already are not merged, nor said to be") {
    app::Document document = characters();
    document.segmentation = text::Segmentation::words;
    const auto snapshot = merged_snapshot(document, merged());
    CHECK_FALSE(app::merges(*snapshot));
    CHECK(app::map_data(*snapshot).title == "Encoder layer 1 · head 1");
    CHECK_FALSE(contains(app::caption(*snapshot, {}), "erged"));
}

TEST_CASE("scores stay between tokens, and the picture says why") {
    Focus focus = merged();
    focus.stage = Stage::scores;
    const auto data = app::map_data(*merged_snapshot(characters(), focus));
    CHECK(data.values->rows() == 9);
    CHECK_FALSE(contains(data.title, "merged to words"));
    CHECK(contains(data.subtitle, "between tokens: only weights merge"));
}

TEST_CASE("one query's keys stay tokens, joined by brackets, and the sentence sums them by word") {
    for (const View view : {View::neurons, View::softmax, View::step}) {
        INFO(static_cast<int>(view));
        ViewState state;
        state.view = view;
        state.selected = {1, 0};
        Focus focus = merged();
        focus.head.kind = AttentionKind::cross;
        const auto snapshot = merged_snapshot(characters(), focus, {}, app::needs_of(state, focus));
        const num::Matrix<float> weights =
            snapshot->run->trace.map(focus.head)->whole(Stage::weights);
        num::Index word = 0;
        const float most =
            num::RowVector<float>{{weights.row(1).head(3).sum(), weights.row(1).segment(3, 3).sum(),
                                   weights.row(1).tail(3).sum()}}
                .maxCoeff(&word);
        const Labels words{"The", "cat", "sat"};
        CHECK(contains(app::reading(*snapshot, state),
                       " Summed by word, most goes to “" + words[static_cast<std::size_t>(word)] +
                           "” (" + figure::number_text(most, 3) + ")."));
        CHECK(brackets(app::make_figure(*snapshot, state, 1400, 900)) == 3);

        focus.merge_words = false;
        const auto apart = merged_snapshot(characters(), focus, {}, app::needs_of(state, focus));
        CHECK_FALSE(contains(app::reading(*apart, state), "by word"));
        CHECK(brackets(app::make_figure(*apart, state, 1400, 900)) == 0);
    }
}

TEST_CASE("links and maps of a decoder step by step speak of words where these are merged") {
    app::Document document;
    document.model_file = app::shipped_model("dates");
    document.source = "8 May 2035";
    document.target.clear();
    document.segmentation = text::Segmentation::characters;
    Focus focus = merged();
    focus.head.kind = AttentionKind::cross;
    for (const View view : {View::lines, View::heatmap}) {
        ViewState state;
        state.view = view;
        const auto snapshot = merged_snapshot(document, focus, {}, app::needs_of(state, focus));
        const std::string drawn = figure::dump(app::make_figure(*snapshot, state, 1400, 900));
        CHECK(contains(drawn, "source word"));
        CHECK_FALSE(contains(drawn, "source character"));
    }
}

TEST_CASE("what a model of characters says is of the same words as what is typed") {
    app::Document document;
    document.model_file = app::shipped_model("dates");
    document.source = "8 May 2035";
    document.segmentation = text::Segmentation::characters;
    Focus focus = merged();
    focus.head.kind = AttentionKind::cross;
    std::vector<Labels> rows;
    for (const char* target : {"", "20", "2035-05-08"}) {
        document.target = target;
        const auto snapshot = merged_snapshot(document, focus);
        rows.push_back(app::map_data(*snapshot).row_labels);
        CHECK(app::map_data(*snapshot).col_labels == Labels{"8", "May", "2035"});
    }
    CHECK(rows[0] == Labels{"2035", "-", "05", "-", "08", std::string(models::kEndToken)});
    CHECK(rows[1].front() == "20");
    CHECK(Labels(rows[2].begin(), rows[2].begin() + 5) ==
          Labels(rows[0].begin(), rows[0].begin() + 5));
    // Letters that are apart stay so.
    document.model_file = app::shipped_model("reverse");
    document.source = "n m y q";
    document.target.clear();
    const auto letters = app::map_data(*merged_snapshot(document, focus)).row_labels;
    CHECK(letters.front() == "q");
}

TEST_CASE("of the stages that of weights is between words") {
    const auto snapshot = merged_snapshot(characters(), merged());
    for (const app::StripItem& item : snapshot->strip) {
        CHECK(item.rows == (item.stage == Stage::weights ? 3 : 9));
        if (item.stage == Stage::weights) CHECK(*item.values == *app::map_data(*snapshot).values);
    }
    ViewState state;
    state.view = View::stages;
    const std::string drawn = figure::dump(app::make_figure(*snapshot, state, 1400, 900));
    CHECK(contains(drawn, "rows: tokens, in softmax words"));
}

TEST_CASE("combined heads, thumbnails, overlaid heads and flow are between words alike") {
    Focus focus = merged();
    focus.combine = trace::Combine::mean;
    app::Needs needs;
    needs.overlay = {0, 2};
    needs.flow = app::FlowFocus{trace::FlowRule::rollout, 4}; // the "a" of "cat"
    const auto snapshot = merged_snapshot(characters(), focus, {}, needs);
    const auto data = app::map_data(*snapshot);
    CHECK(data.row_labels == Labels{"The", "cat", "sat"});
    CHECK(contains(data.title, "mean of 8 heads · merged to words"));
    CHECK(data.values->row(1).sum() == Approx(1).margin(1e-5));
    REQUIRE(snapshot->overlay.size() == 2);
    CHECK(snapshot->overlay[1].second->rows() == 3);
    REQUIRE(snapshot->flow != nullptr);
    CHECK(snapshot->flow->n_tokens() == 3);
    CHECK(snapshot->flow->token == 1);
    const auto& cross = snapshot->thumbnails[static_cast<std::size_t>(AttentionKind::cross)];
    CHECK(cross->weights[5]->rows() == 2);
    CHECK(cross->weights[5]->cols() == 3);
    const trace::AttentionMap map = *snapshot->run->trace.map({AttentionKind::cross, 1, 1});
    CHECK(*cross->weights[5] ==
          trace::merged_weights(map, snapshot->words->target, snapshot->words->source));
}

TEST_CASE("merging is switched without a run, and thumbnails follow both ways") {
    app::Computation computation(1);
    const app::Document document = characters();
    const auto tokens = computation.answer({1, document, {}}, {});
    const auto words = computation.answer({2, document, merged()}, {});
    const auto again = computation.answer({3, document, {}}, {});
    CHECK(words->run == tokens->run);
    CHECK(tokens->thumbnails[0]->weights[0]->rows() == 9);
    CHECK(words->thumbnails[0]->weights[0]->rows() == 3);
    CHECK(*again->thumbnails[0]->weights[0] == *tokens->thumbnails[0]->weights[0]);
    CHECK(*again->map == *tokens->map);
}

TEST_CASE("a row whose pieces were set by hand or sum wrongly is marked on its word") {
    app::Document document = characters();
    models::HeadControls controls;
    controls.edits = {{4, 0, 0.5f}}; // the "a" of "cat"
    document.controls.set({AttentionKind::encoder_self, 0, 0}, controls);
    auto snapshot = *merged_snapshot(document, merged());
    auto data = app::map_data(snapshot);
    REQUIRE(data.row_notes.size() == 1);
    CHECK(data.row_notes[0].row == 1);
    CHECK(data.row_notes[0].words == "edited");
    snapshot.faults.rows = {8}; // the last "t"
    data = app::map_data(snapshot);
    REQUIRE(data.row_notes.size() == 2);
    CHECK(data.row_notes[1].row == 2);
    CHECK(data.row_notes[1].bad);
}

TEST_CASE("a word has no distribution only where none of its pieces has one") {
    app::Document document = characters();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index query = 2; query < 6; ++query) { // the "e" of "The", all of "cat"
        for (num::Index key = 0; key < 9; ++key) controls.mask->painted.emplace_back(query, key);
    }
    document.controls.set({AttentionKind::encoder_self, 0, 0}, controls);
    const auto data = app::map_data(*merged_snapshot(document, merged()));
    CHECK(data.rows_without_distribution == std::vector<num::Index>{1});
    CHECK(data.values->row(0).sum() == Approx(1).margin(1e-5));
}

TEST_CASE("a chosen pair of tokens is the cell of its words, and a cell its strongest tokens") {
    const auto snapshot = merged_snapshot(characters(), merged());
    ViewState state;
    state.selected = {4, 8};
    CHECK(app::shown_cell(*snapshot, state, app::Units(*snapshot, true)) == std::pair(1, 2));
    CHECK(app::shown_cell(*snapshot, state, app::Units(*snapshot, false)) == std::pair(4, 8));
    const app::Units units(*snapshot, true);
    CHECK(units.tokens(1, 2) == num::Rect{3, 6, 3, 3});
    const auto [query, key] = app::strongest_token_cell(*snapshot, units, {1, 2});
    const auto map = *snapshot->run->trace.map({});
    CHECK(map.rectangle(Stage::weights, {3, 6, 3, 3}).maxCoeff() == map.cell(query, key).weight);
    CHECK(app::merged_weight(*snapshot, units, 1, 2) == (*snapshot->map)(1, 2));
    Focus scores = merged(); // its map shows something else
    scores.stage = Stage::scores;
    const auto other = merged_snapshot(characters(), scores);
    CHECK(app::merged_weight(*other, app::Units(*other, true), 1, 2) ==
          Approx((*snapshot->map)(1, 2)));
}

TEST_CASE("a merged map is held against a merged reference") {
    const app::Document document = characters();
    app::Document altered = document;
    scale_off(altered, AttentionKind::encoder_self, 0);
    const auto snapshot = merged_snapshot(altered, merged(), app::unaltered(altered, merged()));
    REQUIRE(snapshot->reference != nullptr);
    CHECK(app::reference_data(*snapshot).row_labels == Labels{"The", "cat", "sat"});
    const auto difference = app::difference_data(*snapshot);
    REQUIRE(difference.has_value());
    CHECK(difference->values->rows() == 3);
    CHECK(contains(difference->title, "merged to words"));
}

TEST_CASE("numbers are exported as they are shown, between words") {
    const auto snapshot = merged_snapshot(characters(), merged());
    const auto csv = app::export_bytes(*snapshot, {}, app::ExportFormat::csv, {});
    REQUIRE(csv.has_value());
    CHECK(contains(*csv, "cat"));
    CHECK_FALSE(contains(*csv, "\nc,"));
}

TEST_CASE("a picture is said to be merged only where a word has several tokens") {
    const std::vector<text::Token> tokens = {{"the"}, {"cat"}, {"sat"}};
    app::TokenWords units{text::single_tokens(tokens), text::single_tokens(tokens)};
    units.merged = true;
    CHECK(app::unit_words(&units) == "");
    units.hides = true;
    CHECK(app::unit_words(&units) == " · without special tokens");
    const auto snapshot = merged_snapshot(characters(), merged());
    CHECK(app::unit_words(snapshot->units.get()) == " · merged to words");
}

TEST_CASE("a word that stands twice is told by the model's position of its first token") {
    app::Document document = characters();
    document.source = "a cat saw a dog";
    const auto snapshot = merged_snapshot(document, merged());
    ViewState state;
    bool told = false;
    for (const int query : {0, 7}) { // the letters of both, among 11
        state.selected = {query, 1};
        const std::string words = app::reading(*snapshot, state);
        INFO(words);
        CHECK(words.find(fmt::format("“a” at position {}", query == 0 ? 1 : 8)) !=
              std::string::npos);
        told = true;
    }
    CHECK(told);
}

TEST_CASE("pieces that a tokeniser cuts merge to words in every view of weights") {
    const TemporaryFolder folder;
    make_piece_checkpoint(folder / "m");
    app::Document document;
    document.model_file = folder / "m";
    document.target = "the sats cat"; // the, sat, ##s, cat
    Focus focus = merged();
    focus.head.kind = AttentionKind::decoder_self;
    for (const View view : {View::heatmap, View::heads, View::lines, View::flow, View::stages}) {
        CAPTURE(static_cast<int>(view));
        ViewState state;
        state.view = view;
        const auto snapshot = merged_snapshot(document, focus, {}, app::needs_of(state, focus));
        REQUIRE(app::merges(*snapshot));
        CHECK(app::map_data(*snapshot).row_labels == Labels{"the", "sats", "cat"});
        const std::string drawn = figure::dump(app::make_figure(*snapshot, state, 1400, 900));
        if (view != View::heads) CHECK(contains(drawn, "sats"));
        if (view == View::lines || view == View::flow) CHECK_FALSE(contains(drawn, "##s"));
        const auto& grid = snapshot->thumbnails[static_cast<std::size_t>(focus.head.kind)];
        if (view == View::heads) CHECK(grid->weights[0]->rows() == 3);
    }
    for (const View view : {View::neurons, View::softmax, View::step}) {
        CAPTURE(static_cast<int>(view));
        ViewState state;
        state.view = view;
        state.selected = {3, 0};
        const auto snapshot = merged_snapshot(document, focus, {}, app::needs_of(state, focus));
        CHECK(brackets(app::make_figure(*snapshot, state, 1400, 900)) == 1); // sat and ##s
        CHECK(contains(app::reading(*snapshot, state), " Summed by word, most goes to "));
    }
}
