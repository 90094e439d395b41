// The Step view of decoders of every kind: what it shows is what the trace holds.
#include "app/engine/computation.hpp"
#include "app/engine/speech.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/golden.hpp"
#include "figure/samples.hpp"
#include "inside/checkpoint_runs.hpp"
#include "num/softmax.hpp"
#include "run_heed.hpp"
#include "small_document.hpp"
#include "temporary_folder.hpp"

#include <algorithm>

using namespace heed;
using app::View;
using num::Index;
using num::Matrix;
using trace::AttentionKind;
using trace::Stage;

namespace {

const Matrix<float>& table(const files::Tables& tables, const std::string& name) {
    const auto found = std::ranges::find(tables.all, name, &files::Table::name);
    if (found == tables.all.end()) FAIL("no table " << name);
    return *found->values;
}

void check_near(const Matrix<float>& a, const Matrix<float>& b) {
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.cols() == b.cols());
    for (Index i = 0; i < a.size(); ++i) {
        if (a.data()[i] != b.data()[i]) CHECK(a.data()[i] == Approx(b.data()[i]).margin(1e-5));
    }
}

bool writes(const figure::Figure& figure, const std::string& words) {
    return std::ranges::any_of(figure.items, [&](const figure::Primitive& item) {
        const auto* text = std::get_if<figure::Text>(&item);
        return text && text->text.find(words) != std::string::npos;
    });
}

/// Every number of the step against the stages of its head and the model's own logits.
void check_step(const app::Snapshot& snapshot, const app::ViewState& state, num::ThreadPool& pool) {
    const models::Run& run = *snapshot.run;
    const trace::HeadId& head = snapshot.focus.head;
    const Index row = state.selected->first;
    REQUIRE(snapshot.step);
    CHECK(snapshot.step->head == head);
    CHECK(snapshot.step->step == row);
    const auto map = run.trace.map(head);
    REQUIRE(map);
    const auto stage = [&](Stage of) {
        return Matrix<float>(map->rectangle(of, {row, 0, 1, map->cols(of)}));
    };
    const files::Tables tables = app::step_tables(snapshot, state);
    check_near(table(tables, "attention").col(0).transpose(), stage(Stage::masked));
    check_near(table(tables, "attention").col(1).transpose(), stage(Stage::weights));
    check_near(table(tables, "context"), stage(Stage::context));
    Matrix<float> weighted = map->whole(Stage::v);
    for (Index j = 0; j < weighted.rows(); ++j) {
        weighted.row(j) *= map->cell(row, j).weight;
    }
    check_near(table(tables, "weighted"), weighted);
    check_near(table(tables, "decoder input"),
               run.trace.tensor("decoder_input")->values.middleRows(row, 1));
    check_near(table(tables, "decoder output"),
               run.trace.tensor("decoder_output")->values.middleRows(row, 1));

    const app::SpokenStep* spoken = app::spoken_at(snapshot, row);
    REQUIRE(spoken);
    const Matrix<float> logits = run.model->logits(run, pool);
    const num::RowVector<float> p = num::softmax<float>(logits.row(row));
    num::RowVector<float> sorted = p;
    std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<>());
    const Matrix<float>& words = table(tables, "words");
    REQUIRE(words.rows() > static_cast<Index>(app::kLikeliest));
    for (Index i = 0; i < static_cast<Index>(app::kLikeliest); ++i) {
        CHECK(words(i, 0) == Approx(sorted[i]).margin(1e-5));
    }
    CHECK(words.sum() == Approx(1).margin(1e-5)); // with all others
}

app::Snapshot stepped(const inside::Checkpoint& checkpoint, const trace::HeadId& head, Index row,
                      num::ThreadPool& pool) {
    app::Snapshot snapshot;
    snapshot.run = checkpoint.run(pool);
    snapshot.focus.head = head;
    snapshot.step = trace::decoder_step(snapshot.run->trace, row, head);
    snapshot.step_says = app::spoken_step(*snapshot.run, row, pool);
    return snapshot;
}

std::shared_ptr<const app::Snapshot> answered(const app::Document& document,
                                              const app::ViewState& state, AttentionKind kind,
                                              int layer = 0, int head = 0) {
    app::Computation computation(1);
    app::Focus focus;
    focus.head = {kind, layer, head};
    auto snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot);
    REQUIRE(snapshot->run);
    return snapshot;
}

app::ViewState step_of(int row) {
    app::ViewState state;
    state.view = View::step;
    state.selected = {row, 0};
    return state;
}

app::Document small_translator() {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat did not eat the red apple";
    document.target.clear();
    return document;
}

} // namespace

TEST_CASE("a step of the transformer that translates has the numbers of its trace") {
    num::ThreadPool pool(1);
    const app::ViewState state = step_of(2);
    const auto snapshot = answered(small_translator(), state, AttentionKind::cross, 1, 0);
    check_step(*snapshot, state, pool);
    // It reads the third token, and says the one behind it.
    const auto& target = snapshot->run->trace.target;
    REQUIRE(target.size() > 3);
    CHECK(snapshot->step_says->said.word == target[3].text);
    const auto drawn = app::step_figure(*snapshot, state, samples::plain_frame(900, 640));
    CHECK(drawn.title == "One step of a decoder: Step 3 of " + std::to_string(target.size()) +
                             " · “" + target[3].text + "”");
    CHECK(writes(drawn, "“" + target[2].text + "”"));
    CHECK(writes(drawn, "Cross-attention layer 2 · head 1"));
    const std::string read = app::reading(*snapshot, state);
    INFO(read);
    CHECK(read.starts_with("Step 3 attends most to “"));
    CHECK(read.find(" and says “" + target[3].text + "”, with probability ") != std::string::npos);
    CHECK(difference_from_golden("step_en_fr", figure::dump(drawn)) == "");
    // The last one says what the model would say next.
    const app::ViewState end = step_of(static_cast<int>(target.size()) - 1);
    check_step(*answered(small_translator(), end, AttentionKind::cross, 1, 0), end, pool);
}

TEST_CASE("a step follows self-attention where that is chosen, over the words before") {
    num::ThreadPool pool(1);
    const app::ViewState state = step_of(1);
    const auto snapshot = answered(small_translator(), state, AttentionKind::decoder_self, 0, 1);
    check_step(*snapshot, state, pool);
    const auto drawn = app::step_figure(*snapshot, state, samples::plain_frame(900, 640));
    CHECK(writes(drawn, "−∞")); // the words behind it are masked
    CHECK(writes(drawn, "j = target position"));
}

TEST_CASE("a step of a checkpoint has the numbers of its trace, biases of positions with them") {
    num::ThreadPool pool(1);
    for (const char* family : {"marian", "bart", "t5", "gpt2"}) {
        INFO(family);
        const inside::Checkpoint checkpoint(family, pool);
        for (const AttentionKind kind : {AttentionKind::cross, AttentionKind::decoder_self}) {
            if (checkpoint.model->traits().layers(kind) == 0) continue;
            const auto snapshot = stepped(checkpoint, {kind, 0, 1}, 1, pool);
            check_step(snapshot, step_of(1), pool);
            const auto drawn =
                app::step_figure(snapshot, step_of(1), samples::plain_frame(900, 640));
            const bool biased = snapshot.run->trace.map({kind, 0, 1})->head().bias.size() > 0;
            CHECK(writes(drawn, "bias of positions") == biased);
            if (std::string(family) == "marian" && kind == AttentionKind::cross) {
                CHECK(difference_from_golden("step_marian", figure::dump(drawn)) == "");
            }
        }
    }
}

TEST_CASE("models with a decoder have a view of its steps, and no others") {
    models::ModelSpec spec = *models::spec_of(small_document().model);
    CHECK(app::fits(View::step, spec));
    spec.architecture = models::Architecture::decoder_only;
    CHECK(app::fits(View::step, spec));
    spec.architecture = models::Architecture::encoder_only;
    CHECK_FALSE(app::fits(View::step, spec));
    CHECK_FALSE(app::fits(View::step, models::classifier_spec()));
    models::RecurrentConfig recurrent;
    CHECK(app::fits(View::step, recurrent));
    recurrent.shape = models::Shape::n_to_n;
    CHECK_FALSE(app::fits(View::step, recurrent));
    CHECK_FALSE(app::fits(View::unrolled, spec)); // which is of recurrent models alone
}

TEST_CASE("in the encoder the view of steps says where they are") {
    const app::ViewState state = step_of(1);
    const auto snapshot = answered(small_document(), state, AttentionKind::encoder_self);
    CHECK_FALSE(snapshot->step);
    const auto drawn = app::make_figure(*snapshot, state, 900, 640);
    CHECK(writes(drawn, "Step shows the decoder. Switch to Cross or Decoder."));
    CHECK(app::step_tables(*snapshot, state).all.empty());
}

TEST_CASE("other views of a transformer ask for no step") {
    app::ViewState state = step_of(1);
    state.view = View::heatmap;
    const auto snapshot = answered(small_document(), state, AttentionKind::cross);
    CHECK_FALSE(snapshot->step);
    CHECK_FALSE(snapshot->step_says);
}

TEST_CASE("the view of steps is exported of cross-attention where no other is asked for") {
    const TemporaryFolder folder;
    for (const char* file : {"step.svg", "step.csv"}) {
        const HeedRan ran =
            heed_ran({"export", "--view", "step", "--size", "tiny", "--source", "the black cat",
                      "--target", "le chat noir", "-o", folder / file});
        INFO(ran.err);
        REQUIRE(ran.code == 0);
    }
    CHECK(folder.bytes("step.svg").find("Step 1 of 3") != std::string::npos);
    CHECK(folder.bytes("step.csv").find("black") != std::string::npos); // a word that is attended
}

TEST_CASE("stages of a recurrent model say which step their parts of a score are of") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    app::Focus focus;
    focus.head.kind = AttentionKind::cross;
    app::ViewState state;
    state.view = View::stages;
    state.selected = {1, 0};
    app::Computation computation{1};
    const auto snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot);
    REQUIRE(snapshot->step);
    REQUIRE(snapshot->step->additive);
    const std::string word = snapshot->run->trace.target[1].text;
    const figure::Figure figure = app::make_figure(*snapshot, state, 1200, 700);
    CHECK(writes(figure, "of step 2"));
    CHECK(writes(figure, "“" + word + "”"));
    const auto item = std::ranges::find(snapshot->strip, "W s", &app::StripItem::label);
    REQUIRE(item != snapshot->strip.end());
    CHECK(app::token_words(app::stage_rows(*snapshot, *item)) == std::vector<std::string>{word});
}
