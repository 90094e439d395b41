// Special tokens that are hidden, in the views that show tokens one by one, and what goes to them.
#include "app/engine/computation.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/engine/merging.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/inside_lens.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/figure.hpp"
#include "figure/base/number_text.hpp"
#include "models/text_checkpoint.hpp"
#include "num/equal.hpp"
#include "temporary_folder.hpp"

using namespace heed;
using trace::AttentionKind;
using trace::Stage;

namespace {

struct Shown {
    std::shared_ptr<const app::Snapshot> snapshot;
    app::ViewState state;

    /// "the cat [MASK] w9" between [CLS] and [SEP], as a masked model reads it.
    Shown(const std::string& folder, app::View view, bool hides, bool merges = false,
          Stage stage = Stage::weights) {
        app::Document document;
        document.model_file = folder;
        document.source = "the cat [MASK] w9";
        app::Focus focus{{AttentionKind::encoder_self, 1, 2}, stage};
        focus.hide_special = hides;
        focus.merge_words = merges;
        state.view = view;
        state.selected = {2, 3};
        app::Engine engine({}, 2);
        engine.submit(document, focus, app::needs_of(state, focus));
        snapshot = engine.wait_for_all();
        if (snapshot->error) FAIL(base::describe(*snapshot->error));
    }
    /// A table of the numbers that the picture is drawn of.
    files::Table table(const std::string& name) const {
        for (const auto& table :
             app::view_tables(*snapshot, state, app::ExportedHeads::shown).all) {
            if (table.name == name) return table;
        }
        FAIL("no table " << name);
        return {};
    }
    bool says(const std::string& words) const {
        const auto figure = app::make_figure(*snapshot, state, 1400, 900);
        return figure::dump(figure).find(words) != std::string::npos;
    }
};

} // namespace

TEST_CASE("one query's neurons leave special tokens out, and say what goes to them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::neurons, false);
    CHECK(all.says("[CLS]"));
    for (const bool merges : {false, true}) {
        const Shown shown(folder / "m", app::View::neurons, true, merges);
        CHECK_FALSE(shown.says("[CLS]"));
        CHECK_FALSE(shown.says("[SEP]"));
        CHECK(shown.says("w9"));
        const auto weights =
            all.snapshot->run->trace.map(all.snapshot->focus.head)->whole(Stage::weights);
        CHECK(shown.says("to which " + figure::percent_text(weights(2, 0) + weights(2, 5)) +
                         " goes"));
        CHECK_FALSE(app::reading(*shown.snapshot, shown.state).find("[CLS]") != std::string::npos);
    }
}

TEST_CASE("stages leave special tokens out, the vectors and what is between them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::stages, false),
        shown(folder / "m", app::View::stages, true);
    REQUIRE(all.snapshot->strip.size() == shown.snapshot->strip.size());
    for (std::size_t i = 0; i < shown.snapshot->strip.size(); ++i) {
        const app::StripItem &whole = all.snapshot->strip[i], &item = shown.snapshot->strip[i];
        INFO(item.label);
        CHECK(whole.rows == 6);
        CHECK(item.rows == 4);
        CHECK(item.values->rows() == 4);
        const bool pairs = item.stage && trace::is_map(*item.stage);
        CHECK(item.cols == (pairs ? 4 : whole.cols));
        const auto from = whole.values->block(1, pairs ? 1 : 0, 4, item.values->cols());
        CHECK(*item.values == from);
    }
    REQUIRE(shown.snapshot->to_hidden);
    CHECK(shown.says("without special tokens"));
    CHECK(app::reading(*shown.snapshot, shown.state)
              .starts_with("On average " + figure::percent_text(*shown.snapshot->to_hidden) +
                           " goes to special tokens"));
}

TEST_CASE("heads and flow say what their weights give to special tokens on average") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown heads(folder / "m", app::View::heads, true);
    const trace::Trace& trace = heads.snapshot->run->trace;
    float sum = 0;
    int count = 0;
    for (const trace::HeadId& head : trace::heads_in(trace, AttentionKind::encoder_self, {}, {})) {
        const auto weights = trace.map(head)->whole(Stage::weights);
        for (num::Index i = 1; i < 5; ++i) sum += weights(i, 0) + weights(i, 5);
        count += 4;
    }
    const std::string words =
        figure::percent_text(sum / static_cast<float>(count)) + " goes to special tokens";
    CHECK(heads.says(words));
    CHECK(Shown(folder / "m", app::View::flow, true).says(words));
    CHECK_FALSE(Shown(folder / "m", app::View::heads, false).says("special tokens"));
}

TEST_CASE("the room Inside leaves special tokens out of its cards") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::inside, false),
        shown(folder / "m", app::View::inside, true);
    REQUIRE(shown.snapshot->inside);
    REQUIRE_FALSE(shown.snapshot->inside->error);
    CHECK(app::lens_tokens(*all.snapshot) ==
          std::vector<int>{0, 1, 2, 3, 4, 5}); // on both sides of the mask
    CHECK(app::lens_tokens(*shown.snapshot) == std::vector<int>{1, 2, 3, 4});
    CHECK(all.says("[CLS]"));
    CHECK_FALSE(shown.says("[CLS]"));
    CHECK(app::account_places(*shown.snapshot) == std::vector<int>{1, 2, 3, 4});
}

namespace {

using Labels = std::vector<std::string>;
const Labels kShownWords{"the", "cat", "[MASK]", "w9"};

} // namespace

TEST_CASE("features leave the rows of special tokens out, and scores their rows and columns") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    for (const Stage stage : trace::kStages) {
        for (const bool merges : {false, true}) {
            INFO(trace::name(stage) << (merges ? ", merged" : ""));
            const Shown all(folder / "m", app::View::heatmap, false, false, stage),
                shown(folder / "m", app::View::heatmap, true, merges, stage);
            const bool pairs = trace::is_map(stage);
            const num::Matrix<float>& whole = *all.snapshot->map;
            REQUIRE(shown.snapshot->map->rows() == 4);
            CHECK(*shown.snapshot->map ==
                  whole.block(1, pairs ? 1 : 0, 4, pairs ? 4 : whole.cols()));
            const files::Table table = shown.table(std::string(trace::name(stage)));
            CHECK(table.rows == kShownWords);
            CHECK(*table.values == *shown.snapshot->map);
            CHECK(shown.says("without special tokens"));
            CHECK_FALSE(shown.says("[CLS]"));
            CHECK_FALSE(shown.says("[SEP]"));
        }
    }
}

TEST_CASE("the Softmax room leaves special tokens out, and says what goes to them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::softmax, false),
        shown(folder / "m", app::View::softmax, true);
    CHECK(all.says("[CLS]"));
    CHECK_FALSE(shown.says("[CLS]"));
    CHECK_FALSE(shown.says("[SEP]"));
    const auto weights =
        all.snapshot->run->trace.map(all.snapshot->focus.head)->whole(Stage::weights);
    CHECK(shown.says("to which " + figure::percent_text(weights(2, 0) + weights(2, 5)) + " goes"));
    CHECK(app::reading(*shown.snapshot, shown.state).find("[CLS]") == std::string::npos);
    CHECK(app::reading(*shown.snapshot, shown.state).find("[SEP]") == std::string::npos);
    // A weight is what it is among all keys: what is left does not sum to 1.
    const files::Table table = shown.table("weights"), whole = all.table("weights");
    CHECK(table.rows == kShownWords);
    CHECK(*table.values == whole.values->middleRows(1, 4));
    CHECK(table.values->col(2).isApprox(weights.row(2).segment(1, 4).transpose(), 1e-5f));
    CHECK(*shown.table("jacobian").values == all.table("jacobian").values->block(1, 1, 4, 4));
    CHECK(shown.table("weights over the factor").cols == kShownWords);
}

TEST_CASE("a step leaves special tokens out, and says what goes to them") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m", "gpt2"); // [CLS] the cat sat [SEP]
    app::Document document;
    document.model_file = folder / "m";
    document.source.clear();
    document.target = "the cat sat";
    app::ViewState state;
    state.view = app::View::step;
    state.selected = {3, 0};
    const auto of = [&](bool hides) {
        app::Focus focus{{AttentionKind::decoder_self, 1, 2}};
        focus.hide_special = hides;
        app::Engine engine({}, 2);
        engine.submit(document, focus, app::needs_of(state, focus));
        return engine.wait_for_all();
    };
    const auto all = of(false), shown = of(true);
    REQUIRE(shown->step);
    REQUIRE(shown->step->row->n_keys() == 5);
    REQUIRE(app::hidden_keys(shown->units.get(), AttentionKind::decoder_self) ==
            std::vector<int>{0, 4});
    const auto words = [&](const app::Snapshot& s) {
        std::string list;
        const auto figure = app::make_figure(s, state, 1400, 900);
        for (const figure::Target& t : figure.targets) {
            if (const auto* key = t.as<figure::tag::ColLabel>()) list += std::to_string(key->key);
        }
        return list;
    };
    CHECK(words(*all) == "01234");
    CHECK(words(*shown) == "123");
    const float hidden = shown->step->row->weights[0]; // [SEP] comes later
    const auto dump = figure::dump(app::make_figure(*shown, state, 1400, 900));
    CHECK(dump.find("to which " + figure::percent_text(hidden) + " goes") != std::string::npos);
    CHECK(dump.find(figure::number_text(hidden, 3) + " to hidden tokens") != std::string::npos);
    const files::Tables tables = app::view_tables(*shown, state, app::ExportedHeads::shown);
    for (const files::Table& table : tables.all) {
        if (table.name != "attention" && table.name != "keys" && table.name != "weighted") continue;
        INFO(table.name);
        CHECK(table.rows == Labels{"the", "cat", "sat"});
        CHECK(table.values->rows() == 3);
    }
}

TEST_CASE("tables of neurons and stages have the tokens that their pictures have") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::neurons, false),
        shown(folder / "m", app::View::neurons, true);
    for (const char* name : {"numbers", "keys", "products"}) {
        INFO(name);
        CHECK(shown.table(name).rows == kShownWords);
        CHECK(*shown.table(name).values == all.table(name).values->middleRows(1, 4));
    }
    const Shown stages(folder / "m", app::View::stages, true);
    for (const app::ExportedHeads heads : {app::ExportedHeads::shown, app::ExportedHeads::one}) {
        const files::Tables tables = app::view_tables(*stages.snapshot, stages.state, heads);
        REQUIRE(tables.all.size() == stages.snapshot->strip.size());
        for (std::size_t i = 0; i < tables.all.size(); ++i) {
            const app::StripItem& item = stages.snapshot->strip[i];
            INFO(item.label);
            CHECK(tables.all[i].values->rows() == item.rows);
            CHECK(tables.all[i].values->cols() == item.cols);
            if (item.stage) CHECK(tables.all[i].rows == kShownWords);
        }
    }
    // What is written of all attention is whole, as heed attend has it.
    for (const files::Table& table : app::every_attention(*stages.snapshot, stages.state).all) {
        if (table.name.ends_with("weights")) CHECK(table.values->cols() == 6);
    }
}

TEST_CASE("positions are of no sentence: hiding tokens takes none of them away") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Shown all(folder / "m", app::View::positions, false),
        shown(folder / "m", app::View::positions, true);
    CHECK(figure::dump(app::make_figure(*all.snapshot, all.state, 1400, 900)) ==
          figure::dump(app::make_figure(*shown.snapshot, shown.state, 1400, 900)));
}

TEST_CASE(
    "no view names a hidden token, in its picture or its sentence, whichever cell is chosen") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "masked");
    make_masked_checkpoint(folder / "causal", "gpt2");
    struct Case {
        std::string model, text;
        AttentionKind kind;
        std::vector<std::string> special;
    };
    const std::vector<std::string> marks{"[CLS]", "[SEP]"}, start{"⟨start⟩"};
    const Case cases[] = {
        {folder / "masked", "the cat sat", AttentionKind::encoder_self, marks},
        {folder / "causal", "the cat sat", AttentionKind::decoder_self, marks},
        {"en-fr-transformer", "the black cat sees us", AttentionKind::cross, start},
        {"en-fr-transformer", "the black cat sees us", AttentionKind::decoder_self, start},
    };
    for (const Case& c : cases) {
        const bool causal = c.model.ends_with("causal");
        app::Document document;
        document.model_file =
            c.model.starts_with("en-") ? app::shipped_model(c.model) : std::string(c.model);
        document.source = causal ? "" : c.text;
        if (causal) document.target = c.text;
        app::Focus focus{{c.kind, 0, 1}};
        focus.hide_special = true;
        app::Engine engine({}, 2);
        for (const app::ViewInfo& view : app::kViews) {
            // There they are steps that ran, or the picture is of no sentence.
            const bool whole = view.view == app::View::unrolled || view.view == app::View::beam;
            if (whole) continue;
            app::ViewState state;
            state.view = view.view;
            using Cell = std::optional<std::pair<int, int>>;
            for (const Cell& cell : {Cell(), Cell({0, 0}), Cell({1, 0}), Cell({4, 4})}) {
                // A step that is chosen ran; what is said after a token is asked at it.
                const bool at_token = view.view == app::View::inside && causal;
                const bool ran = view.view == app::View::step && cell && cell->first != 1;
                if (at_token || ran) continue;
                state.selected = cell;
                engine.submit(document, focus, app::needs_of(state, focus));
                const auto snapshot = engine.wait_for_all();
                if (snapshot->error) FAIL(base::describe(*snapshot->error));
                if (!app::fits(state.view, snapshot->run->model->config())) continue;
                if (app::view_kind(state.view).figure == nullptr) continue;
                INFO(c.model << " " << trace::name(c.kind) << " " << view.name << " "
                             << (cell ? cell->first : -1) << " " << (cell ? cell->second : -1));
                const std::string seen =
                    figure::dump(app::make_figure(*snapshot, state, 1400, 900)) +
                    app::reading(*snapshot, state);
                for (const std::string& name : c.special) {
                    const auto at = seen.find(name);
                    if (at == std::string::npos) continue;
                    CHECK(seen.substr(at < 120 ? 0 : at - 120, 240) == "");
                }
            }
        }
    }
}

TEST_CASE("a lens of a long sentence counts the tokens that are not hidden") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    app::Document document;
    document.model_file = folder / "m";
    document.source = "the cat w9 sat the cat w9 sat the cat w9 [MASK]"; // 14 with [CLS] and [SEP]
    app::ViewState state;
    state.view = app::View::inside;
    app::Focus focus;
    focus.hide_special = true;
    app::Engine engine({}, 2);
    engine.submit(document, focus, app::needs_of(state, focus));
    const auto snapshot = engine.wait_for_all();
    REQUIRE_FALSE(snapshot->error);
    const auto dump = figure::dump(app::make_figure(*snapshot, state, 700, 500));
    CHECK(dump.find("of 12 tokens") != std::string::npos);
    CHECK(dump.find("of 9 tokens") == std::string::npos);
}

TEST_CASE("the caption of a picture that did not follow a text names the text that it is of") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sees us";
    app::ViewState state;
    app::Engine engine({}, 2);
    engine.submit(document, {}, app::needs_of(state, {}));
    engine.wait_for_all();
    document.source.clear();
    engine.submit(document, {}, app::needs_of(state, {}));
    const auto snapshot = engine.wait_for_all();
    REQUIRE(snapshot->error);
    REQUIRE(snapshot->run);
    CHECK(app::caption(*snapshot, state).find("Text: “the black cat sees us”") !=
          std::string::npos);
}

TEST_CASE("a model without feed-forward networks has no column for them in Inside") {
    app::Document document;
    document.model_file = app::shipped_model("headlines-en-four-heads");
    document.source = "young woman returns money of club";
    app::ViewState state;
    state.view = app::View::inside;
    app::Engine engine({}, 2);
    engine.submit(document, {}, app::needs_of(state, {}));
    const auto snapshot = engine.wait_for_all();
    REQUIRE_FALSE(snapshot->error);
    const auto dump = figure::dump(app::make_figure(*snapshot, state, 1400, 900));
    CHECK(dump.find("Without each part") != std::string::npos);
    CHECK(dump.find("FF") == std::string::npos);
}

TEST_CASE("rows of cross-attention say what names them, with special tokens and without") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sees us";
    document.target.clear();
    app::Engine engine({}, 2);
    for (const bool hides : {false, true}) {
        for (const bool read : {false, true}) {
            app::Focus focus{{AttentionKind::cross, 1, 0}};
            focus.hide_special = hides;
            focus.rows_read = read;
            for (const auto view : {app::View::heatmap, app::View::lines}) {
                app::ViewState state;
                state.view = view;
                state.selected = {1, 2}; // reads the first word and says the second one
                engine.submit(document, focus, app::needs_of(state, focus));
                const auto snapshot = engine.wait_for_all();
                REQUIRE_FALSE(snapshot->error);
                const auto dump = figure::dump(app::make_figure(*snapshot, state, 1400, 900));
                CHECK(dump.find(read ? "being read" : "being said") != std::string::npos);
                const auto& target = snapshot->run->trace.target;
                CHECK(app::reading(*snapshot, state)
                          .starts_with("“" + target[read ? 1 : 2].text + "”"));
            }
        }
    }
}

namespace {

/// Stages of a head of cross-attention, without special tokens.
std::shared_ptr<const app::Snapshot> stages_without_special(const app::Document& document,
                                                            int layer) {
    app::Focus focus{{AttentionKind::cross, layer, 0}};
    focus.hide_special = true;
    app::ViewState state;
    state.view = app::View::stages;
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot->run != nullptr);
    return snapshot;
}

} // namespace

TEST_CASE("what is read in cross-attention is named by it where special tokens are hidden") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sleeps";
    document.target = "le chat noir dort";
    const auto snapshot = stages_without_special(document, 1);
    std::size_t read = 0;
    for (const app::StripItem& item : snapshot->strip) {
        if (item.rows_are != app::StripRows::read) continue;
        INFO(item.label);
        CHECK(app::token_words(app::stage_rows(*snapshot, item)) ==
              Labels{"le", "chat", "noir", "dort"});
        REQUIRE(item.whole->rows() == 4);
        const bool positions = item.label == "+ positions";
        const auto all =
            snapshot->run->trace.tensor(positions ? "decoder_input" : "decoder.embedding");
        CHECK(num::equal(*item.whole, all->values.middleRows(1, 4))); // behind its start
        ++read;
    }
    CHECK(read == 2);
}

TEST_CASE("where what a row reads is hidden no other row of what is read is chosen") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sleeps";
    document.target = "le chat noir dort";
    const auto snapshot = stages_without_special(document, 1);
    for (const app::StripItem& item : snapshot->strip) {
        if (item.rows_are != app::StripRows::read) continue;
        INFO(item.label);
        const auto chosen = [&](num::Index query) {
            heed::figure::StageThumbnail card;
            app::choose_cell(card, *snapshot, item, std::pair{query, num::Index{0}});
            return card.row;
        };
        CHECK_FALSE(chosen(0)); // it reads the start
        CHECK(chosen(1) == 0);
        CHECK(chosen(4) == 3);
    }
}

TEST_CASE("of a decoder's states that is chosen which a step compares: the one before") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-bahdanau");
    document.source = "the black cat sleeps";
    document.target = "le chat noir dort";
    const app::Focus focus{{AttentionKind::cross, 0, 0}};
    app::ViewState state;
    state.view = app::View::stages;
    app::Needs needs = app::needs_of(state, focus);
    needs.step = 2;
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, focus, needs}, {});
    REQUIRE(snapshot);
    int states = 0, parts = 0;
    for (const app::StripItem& item : snapshot->strip) {
        const auto chosen = [&](num::Index query) {
            heed::figure::StageThumbnail card;
            app::choose_cell(card, *snapshot, item, std::pair{query, num::Index{0}});
            return card.row;
        };
        if (item.label == "s decoder") {
            CHECK_FALSE(chosen(0)); // it compares the state before the first
            CHECK(chosen(2) == 1);
            ++states;
        }
        if (item.label == "W s") {
            CHECK(chosen(2) == 0);
            CHECK_FALSE(chosen(1)); // of another step
            ++parts;
        }
    }
    CHECK(states == 1);
    CHECK(parts == 1);
}

TEST_CASE("a word that is said has the rows that say its pieces") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sees us";
    document.target = "le chat";
    document.segmentation = text::Segmentation::characters;
    app::Focus focus{{AttentionKind::cross, 1, 0}};
    app::Engine engine({}, 2);
    engine.submit(document, focus, {});
    const auto apart = engine.wait_for_all();
    focus.merge_words = true;
    engine.submit(document, focus, {});
    const auto words = engine.wait_for_all();
    focus.hide_special = true;
    engine.submit(document, focus, {});
    const auto shown = engine.wait_for_all();
    for (const auto& s : {apart, words, shown}) REQUIRE_FALSE(s->error);
    const auto& said = *apart->said;
    REQUIRE(said.size() == 7); // ⟨start⟩ and six letters are read
    REQUIRE(words->map->rows() == 3);
    CHECK(app::map_data(*words).row_labels == Labels{"le", "chat", said.back().text});
    CHECK(words->map->rowwise().sum().isOnes(1e-5f));
    const num::RowVector<float> by_token = apart->map->topRows(2).colwise().mean();
    CHECK((*words->map)(0, 0) == Approx(by_token.head(3).sum()));
    const bool ends = said.back().text == models::kEndToken;
    CHECK(shown->map->rows() == (ends ? 2 : 3));
    CHECK(app::map_data(*shown).row_labels[1] == "chat");
}

TEST_CASE("what is said to end a sentence is no row of the source, however many words that has") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-bahdanau");
    document.source = "the black cat sleeps now";
    document.target = "le chat noir dort"; // and its end: as many rows
    const auto snapshot = stages_without_special(document, 0);
    std::size_t of_keys = 0;
    for (const app::StripItem& item : snapshot->strip) {
        INFO(item.label);
        if (item.rows_are == app::StripRows::keys) CHECK(item.rows == 5);
        if (item.label == "s decoder") CHECK(item.rows == 4);
        of_keys += item.rows_are == app::StripRows::keys;
    }
    CHECK(of_keys >= 4);
}

TEST_CASE("hidden tokens stay hidden in what the score of another step is made of") {
    app::Document document;
    document.model_file = app::shipped_model("zh-en-bahdanau");
    document.source = "\u732b \u7761 \u89c9";
    document.target = "cats sleep";
    document.pad_to = 6;
    app::Focus focus{{AttentionKind::cross, 0, 0}};
    focus.hide_special = true;
    app::ViewState state;
    state.view = app::View::stages;
    app::Needs needs = app::needs_of(state, focus);
    app::Computation computation(1);
    const auto rows_at = [&](int step, std::uint64_t id) {
        needs.step = step;
        const auto s = computation.answer({id, document, focus, needs}, {});
        std::map<std::string, num::Index> rows;
        for (const app::StripItem& item : s->strip) {
            if (!item.stage) rows[item.label] = item.rows;
        }
        return rows;
    };
    const auto first = rows_at(0, 1);
    CHECK(first.at("W s") == 1);
    CHECK(first.at("U k") == first.at("h encoder"));
    CHECK(first.at("U k") == 3); // of six, of which three are padding
    CHECK(rows_at(1, 2) == first);
}
