// Checkpoints in the engine: what comes next and how it is drawn, what fills a mask, what goes to
// special tokens, texts that are found.
#include "app/document/controls_json.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/continuation.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "models/model/sampling.hpp"
#include "models/text_checkpoint.hpp"
#include "num/softmax.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

using namespace heed;
using app::Document;
using app::Focus;
using trace::AttentionKind;
using trace::Stage;

namespace {

std::shared_ptr<const app::Snapshot>
filled_snapshot(const Document& document, const Focus& focus = {}, const app::Needs& needs = {}) {
    app::Engine engine({}, 2);
    auto snapshot = engine.wait_for(engine.submit(document, focus, needs));
    if (snapshot->error) FAIL(base::describe(*snapshot->error));
    return snapshot;
}

Document document_from(const std::string& path, const std::string& source,
                       const std::string& target = "") {
    Document document;
    document.model_file = path;
    document.source = source;
    document.target = target;
    return document;
}

Focus hidden(AttentionKind kind) {
    Focus focus{{kind, 1, 2}};
    focus.hide_special = true;
    return focus;
}

} // namespace

TEST_CASE("where special tokens are hidden the reading counts the rows that are shown") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Document document = document_from(folder / "m", "the cat the w9");
    models::HeadControls sharp; // so that rows settle
    sharp.temperature = 0.01f;
    Document settled = document;
    settled.controls.set({AttentionKind::encoder_self, 1, 2}, sharp);
    const auto snapshot = filled_snapshot(settled, hidden(AttentionKind::encoder_self));
    REQUIRE(snapshot->map->rows() == 4); // without [CLS] and [SEP]
    REQUIRE(snapshot->pattern.rows == 6);
    app::ViewState view;
    view.selected = {1, 1}; // the first word, behind [CLS], as q₂ is
    const std::string words = app::reading(*snapshot, view);
    INFO(words);
    if (snapshot->map->row(0).maxCoeff() > 0) {
        CHECK(words.starts_with("“the” at position 2 attends "));
    }
    CHECK(words.find("of 6\u00a0rows") == std::string::npos);
    const auto several = (snapshot->map->rowwise().maxCoeff().array() > 0.6f).count();
    if (const auto at = words.find(" of its weight on one token in "); at != std::string::npos) {
        CHECK(words.substr(at).starts_with(
            fmt::format(" of its weight on one token in {} of ", several)));
    }
}

TEST_CASE("a masked token's probabilities are the softmax of its logits") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const auto plain = filled_snapshot(document_from(folder / "m", "the cat sat w9"));
    CHECK(app::can_fill(*plain));
    CHECK_FALSE(plain->prediction); // nothing is masked
    const auto masked = filled_snapshot(document_from(folder / "m", "the [MASK] sat [MASK]"));
    REQUIRE(masked->prediction);
    REQUIRE(masked->prediction->masked.size() == 2);
    CHECK(masked->prediction->masked[0].token == 2); // behind [CLS] and "the"
    CHECK(masked->prediction->masked[1].token == 4);
    num::ThreadPool pool(1);
    const auto logits = masked->run->model->logits(*masked->run, pool);
    for (const app::MaskedToken& one : masked->prediction->masked) {
        const auto p = num::softmax<float>(num::RowVector<float>(logits.row(one.token)));
        CHECK((p - one.probabilities).cwiseAbs().maxCoeff() < 1e-6f);
        CHECK(one.entropy_bits == Approx(num::entropy_bits(p)));
        num::Index best = 0;
        p.maxCoeff(&best);
        CHECK(one.likeliest.front() == best);
    }
    const auto second = app::prediction_after(*masked->prediction, 4);
    REQUIRE(second);
    CHECK(second->probabilities == masked->prediction->masked[1].probabilities);
    CHECK_FALSE(app::prediction_after(*masked->prediction, 3));
}

TEST_CASE("a token is masked in its place of the text, and filled there") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const auto plain = filled_snapshot(document_from(folder / "m", "the cat  sat w9"));
    CHECK(app::masked_source(*plain, 2) == "the [MASK]  sat w9");
    CHECK(app::masked_source(*plain, 4) == "the cat  sat [MASK]");
    CHECK_FALSE(app::masked_source(*plain, 0)); // [CLS]
    CHECK_FALSE(app::masked_source(*plain, 5)); // [SEP]
    CHECK_FALSE(app::masked_source(*plain, 99));
    const auto masked = filled_snapshot(document_from(folder / "m", "the [MASK] sat"));
    CHECK(app::filled_source(*masked, 2, 30) == "the w30 sat");
    CHECK_FALSE(app::filled_source(*masked, 1, 30));
    CHECK_FALSE(app::masked_source(*masked, 2)); // it is
}

TEST_CASE("a piece is masked with its word, and nothing beside it is cut anew") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    std::filesystem::remove(folder / "m/tokenizer.json");
    std::string words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\nsat\n";
    for (int i = 9; i < 61; ++i) words += "w" + std::to_string(i) + "\n";
    REQUIRE(base::write_file_atomic(folder / "m/vocab.txt", words));
    const auto rows = [&](const std::string& source) {
        return models::ids_of(
            filled_snapshot(document_from(folder / "m", source))->run->trace.source);
    };
    REQUIRE(rows("the cats sat") == std::vector{2, 5, 6, 7, 8, 3});
    const auto plain = filled_snapshot(document_from(folder / "m", "the cats sat"));
    for (const int piece : {2, 3}) {
        CHECK(app::masked_source(*plain, piece) == "the [MASK][MASK] sat");
    }
    CHECK(app::masked_source(*plain, 4) == "the cats [MASK]");
    CHECK(rows("the [MASK][MASK] sat") == std::vector{2, 5, 4, 4, 8, 3});
    const auto masked = filled_snapshot(document_from(folder / "m", "the [MASK][MASK] sat"));
    CHECK(app::filled_source(*masked, 2, 6) == "the cat[MASK] sat");
    const auto half = filled_snapshot(document_from(folder / "m", "the cat[MASK] sat"));
    CHECK(app::filled_source(*half, 3, 7) == "the cats sat");
}

TEST_CASE("special tokens are left out of maps, and what goes to them is told") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const Document document = document_from(folder / "m", "the cat [MASK] w9");
    const Focus all{{AttentionKind::encoder_self, 1, 2}};
    const auto whole = filled_snapshot(document, all);
    const auto shown = filled_snapshot(document, hidden(AttentionKind::encoder_self));
    REQUIRE(whole->map->rows() == 6);
    REQUIRE(shown->map->rows() == 4); // a mask stands for a word
    REQUIRE(shown->map->cols() == 4);
    CHECK(*shown->map == whole->map->block(1, 1, 4, 4)); // not renormalised
    float to_special = 0;
    for (num::Index i = 1; i < 5; ++i) to_special += (*whole->map)(i, 0) + (*whole->map)(i, 5);
    REQUIRE(shown->to_hidden);
    CHECK(*shown->to_hidden == Approx(to_special / 4));
    CHECK(app::share_to_hidden(*shown, 1) == Approx((*whole->map)(2, 0) + (*whole->map)(2, 5)));
    CHECK_FALSE(whole->to_hidden);
    CHECK(app::has_special(*whole->run));
    const app::Units units(*shown, true);
    CHECK(units.first_query(0) == 1);
    CHECK(units.end_key(3) == 5);
    CHECK(units.tokens(3, 0) == num::Rect{4, 1, 1, 1});
    // In the reading, in titles, and in what is exported.
    app::ViewState state;
    CHECK(app::reading(*shown, state).find("% goes to special tokens") != std::string::npos);
    for (const int row : {1, 3}) { // of the row that is read, not of all
        state.selected = {row, row};
        const auto share = app::share_to_hidden(*shown, row - 1);
        CHECK(app::reading(*shown, state).find(figure::percent_text(*share) + " goes to special") !=
              std::string::npos);
    }
    state.selected.reset();
    CHECK(app::map_data(*shown).title.find("without special tokens") != std::string::npos);
    const auto csv = app::export_bytes(*shown, {}, app::ExportFormat::csv, {});
    REQUIRE(csv);
    CHECK(csv->find("[CLS]") == std::string::npos);
    CHECK(csv->find("[MASK]") != std::string::npos);
    // What the heads give to a token that is pinned counts among those that are shown.
    app::Needs strips;
    strips.strips = app::StripFocus{{}, {3}};
    const auto pinned = filled_snapshot(document, hidden(AttentionKind::encoder_self), strips);
    REQUIRE(pinned->strips);
    CHECK(pinned->error == std::nullopt);
    // Maps of other stages have nothing that is summed: they are the same cells.
    Focus scores = hidden(AttentionKind::encoder_self), all_scores = all;
    scores.stage = all_scores.stage = Stage::scores;
    CHECK(*filled_snapshot(document, scores)->map ==
          filled_snapshot(document, all_scores)->map->block(1, 1, 4, 4));
    // The small pictures of all heads and the flow lose them as well.
    CHECK(shown->thumbnails[0]->weights.front()->rows() == 4);
    app::Needs needs;
    needs.flow = app::FlowFocus{};
    const auto flow = filled_snapshot(document, hidden(AttentionKind::encoder_self), needs);
    CHECK(flow->flow->n_tokens() == 4);
}

TEST_CASE("a sentence of nothing but special tokens stays as it is") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "m");
    const auto snapshot =
        filled_snapshot(document_from(folder / "m", "[PAD]"), hidden(AttentionKind::encoder_self));
    CHECK(snapshot->map->rows() == 3);
}

TEST_CASE("what temperature, top-k and top-p leave stands beside what the model says") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    Document document = document_from(folder / "m", "", "the cat sat w5");
    const auto plain = filled_snapshot(document);
    REQUIRE(plain->prediction);
    CHECK_FALSE(plain->prediction->cut);
    num::Index best = 0;
    plain->prediction->probabilities.maxCoeff(&best);
    CHECK(app::found_next(*plain) == best); // greedy unless asked otherwise
    document.decoding.sampling = {0.8f, 3, 1, 5};
    const auto cut = filled_snapshot(document);
    REQUIRE(cut->prediction->cut);
    CHECK(cut->prediction->cut->kept == 3);
    CHECK(cut->prediction->probabilities == plain->prediction->probabilities);
    const num::Index next = app::found_next(*cut);
    CHECK(cut->prediction->cut->keeps[static_cast<std::size_t>(next)]);
    CHECK(next == models::drawn(plain->prediction->probabilities, document.decoding.sampling, 4));
}

TEST_CASE("a text goes on with no token that the model's files forbid") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    Document document = document_from(folder / "m", "", "the cat sat w5");
    const auto free = filled_snapshot(document);
    const auto ranked = app::likeliest_rows(free->prediction->probabilities, 61);
    REQUIRE(ranked.size() == 61);
    make_text_checkpoint(folder / "forbids");
    const std::string settings = fmt::format(R"({{"bad_words_ids": [[{}]], "suppress_tokens": [{}],
                                                  "begin_suppress_tokens": [{}]}})",
                                             ranked[0], ranked[2], ranked[1]);
    REQUIRE(base::write_file_atomic(folder / "forbids/generation_config.json", settings));
    document.model_file = folder / "forbids";
    const auto bound = filled_snapshot(document);
    CHECK(bound->prediction->probabilities == free->prediction->probabilities);
    CHECK(app::found_next(*bound) == ranked[1]); // what may not be said first comes behind words
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        document.decoding.sampling = {1.5f, 3, 1, seed};
        const auto cut = filled_snapshot(document);
        const num::Index next = app::found_next(*cut);
        CHECK((next == ranked[1] || next == ranked[3] || next == ranked[4]));
        CHECK(cut->prediction->cut->keeps[static_cast<std::size_t>(next)]);
        CHECK(cut->prediction->cut->kept == 3);
    }
}

TEST_CASE("a checkpoint of two stacks says a text where no target is typed, or a beam finds it") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m", "bart");
    Document document = document_from(folder / "m", "the cat w7 sat");
    document.decoding.limit = 5;
    const auto free = filled_snapshot(document);
    CHECK(free->run->trace.target.size() > 1);
    document.decoding.rule = models::Decoding::Rule::beam;
    const auto beam = filled_snapshot(document);
    REQUIRE(beam->run->trace.beam);
    CHECK(beam->run->trace.beam->hypotheses.size() == 4);
    CHECK(app::fits(app::View::beam, beam->run->model->config()));
    app::ViewState state;
    state.view = app::View::beam;
    CHECK_FALSE(app::make_figure(*beam, state, 700, 400).items.empty());
    // Typed words are read as they are.
    document.decoding.rule = models::Decoding::Rule::forced;
    document.target = "w3 w4";
    CHECK(filled_snapshot(document)->run->trace.target.size() == 3);
}

TEST_CASE("flags draw a text, hide special tokens, and are saved with the document") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    make_masked_checkpoint(folder / "bert");
    const auto attend = [&](const std::vector<std::string>& more) {
        std::vector<std::string> flags{"attend",   "--model", folder / "m", "--target", "the cat",
                                       "--decode", "greedy",  "--limit",    "6"};
        flags.insert(flags.end(), more.begin(), more.end());
        const HeedRan ran = heed_ran(flags);
        INFO(ran.err);
        CHECK(ran.code == 0);
        return ran.out;
    };
    const std::string one = attend({"--sampling-temperature", "2", "--sampling-seed", "1"});
    CHECK(one == attend({"--sampling-temperature", "2", "--sampling-seed", "1"}));
    CHECK(one != attend({"--sampling-temperature", "2", "--sampling-seed", "2"}));
    CHECK(attend({}) == attend({"--sampling-temperature", "2", "--top-k", "1"}));
    const HeedRan bad = heed_ran(
        {"attend", "--model", folder / "m", "--target", "the", "--sampling-temperature", "3"});
    CHECK(bad.code != 0);
    CHECK(bad.complains("--sampling-temperature"));
    const std::string csv = folder / "map.csv";
    const HeedRan exported = heed_ran({"export", "--model", folder / "bert", "--source",
                                       "the cat sat", "--hide-special", "--output", csv});
    INFO(exported.err);
    REQUIRE(exported.code == 0);
    const auto written = base::read_file(csv, 1 << 20);
    REQUIRE(written);
    CHECK(written->find("[CLS]") == std::string::npos);
    CHECK(written->find("cat") != std::string::npos);
}

TEST_CASE("a model of words has its strips without special tokens, too") {
    Document document = document_from(app::shipped_model("en-fr-transformer"), "the black cat");
    Focus focus = hidden(AttentionKind::cross);
    focus.head = {AttentionKind::cross, 1, 0};
    app::Needs needs;
    needs.strips = app::StripFocus{{}, {1}};
    const auto snapshot = filled_snapshot(document, focus, needs);
    REQUIRE(snapshot->strips);
    CHECK_FALSE(snapshot->words);
}

TEST_CASE("what is written and what is said behind it is read as just those tokens") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m", "t5");
    Document document = document_from(folder / "m", "the cat", "sat w9");
    document.decoding.rule = models::Decoding::Rule::greedy;
    document.decoding.limit = 5;
    const auto said = filled_snapshot(document);
    REQUIRE(said->run->trace.target.size() > said->run->input.target.size());
    Document read = document;
    read.target = app::written_and_said(*said->run, document.target);
    CHECK(read.target.starts_with(document.target));
    read.decoding.rule = models::Decoding::Rule::forced;
    const auto again = filled_snapshot(read);
    const auto ids_of = [](const app::Snapshot& snapshot) {
        std::vector<int> ids;
        for (const text::Token& token : snapshot.run->trace.target) ids.push_back(token.row);
        return ids;
    };
    auto expected = ids_of(*said);
    const auto& special = *said->run->model->text_to_ids()->tokenizers.target;
    while (special.is_special(expected.back())) expected.pop_back();
    CHECK(ids_of(*again) == expected);
}

namespace {

/// The document with a token written behind what was read.
Document with_token(const app::Snapshot& snapshot, num::Index row) {
    Document next = snapshot.document;
    next.target += *app::written_behind(*snapshot.run, row);
    next.written = {next.target, app::ids_with(*snapshot.run, row)};
    return next;
}

} // namespace

TEST_CASE("tokens that are parts of a character are read one by one, and said once it is whole") {
    const TemporaryFolder folder;
    make_byte_checkpoint(folder / "m");
    auto snapshot = filled_snapshot(document_from(folder / "m", "", "ab"));
    CHECK(app::written_behind(*snapshot->run, 8) == "\uFFFD"); // the vocabulary's own
    for (const auto& [row, text] : {std::pair(4, "ab"), {9, "ab"}, {10, "ab\uFF01"}}) {
        snapshot = filled_snapshot(with_token(*snapshot, row));
        REQUIRE_FALSE(snapshot->error);
        CHECK(snapshot->document.target == text);
        CHECK(snapshot->run->trace.target.back().row == row);
    }
    CHECK(snapshot->run->trace.target.size() == 5);
    CHECK(snapshot->run->trace.target.back().text == "\u27e881\u27e9");
    // What goes on with no character is written as what it is: broken.
    snapshot = filled_snapshot(with_token(*snapshot, 4));
    CHECK(app::written_behind(*snapshot->run, 0) == "\uFFFDa");
}

TEST_CASE("a text that was written by tokens is read as those, however its tokeniser cuts it") {
    const TemporaryFolder folder;
    make_piece_checkpoint(folder / "m");
    const auto before = filled_snapshot(document_from(folder / "m", "", "the cat sat"));
    Document document = with_token(*before, 3);
    const auto rows = [](const Document& read) {
        return models::ids_of(filled_snapshot(read)->run->trace.target);
    };
    CHECK(document.target == "the cat sats");
    CHECK(rows(document) == std::vector{0, 1, 2, 3});
    SECTION("undone by any other text") {
        document.target = "the cats";
        CHECK(rows(document) == std::vector{0, 4});
    }
    SECTION("kept in a session") {
        const auto read = app::document_from_json(app::document_to_json(document), "s");
        REQUIRE(read);
        CHECK(*read == document);
    }
    SECTION("places are those of the text, shared where it is cut otherwise") {
        const std::vector<int> written{0, 1, 3, 2};
        document.target = "the cats sat";
        document.written = {document.target, written};
        const auto snapshot = filled_snapshot(document);
        const auto& tokens = snapshot->run->trace.target;
        REQUIRE(models::ids_of(tokens) == written);
        for (const std::size_t i : {1u, 2u}) {
            CHECK(tokens[i].begin == 4);
            CHECK(tokens[i].end == 8);
        }
        CHECK(tokens[3].begin == 9);
    }
    SECTION("refused where the model's file was replaced by one of another vocabulary") {
        std::filesystem::remove_all(folder / "m");
        make_piece_checkpoint(folder / "m", 7); // "##s" was row 3, which is "w3" now
        const auto session = app::document_from_json(app::document_to_json(document), "s");
        REQUIRE(session);
        const auto now = filled_snapshot(document_from(folder / "m", "", "the cat"));
        const auto failed = app::prepare_input(*session, now->run->model.get()).failed;
        REQUIRE(failed);
        CHECK(failed->subject == "written tokens");
        CHECK(failed->message == "in this model they say \u201cthe cat sat w3\u201d, which is "
                                 "not the text: they were written with another model");
    }
    SECTION("refused where the model has no such row") {
        document.written.ids.push_back(99);
        const auto failed = app::prepare_input(document, before->run->model.get()).failed;
        REQUIRE(failed);
        CHECK(failed->message == "one is 99; this model has the rows 0 to 60");
    }
}
