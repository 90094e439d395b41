#include "app/engine/computation.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/pictures.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "models/recurrent_models.hpp"
#include "nn/attention/score_info.hpp"
#include "small_document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <variant>

using namespace heed;
using app::Matrix;

TEST_CASE("a matrix that fits is not changed by reducing") {
    const Matrix<float> m = Matrix<float>::Random(5, 7);
    CHECK(app::reduced(m, 64, 64) == m);
}

TEST_CASE("no peak vanishes in a reduced matrix, whatever its sign") {
    Matrix<float> m = Matrix<float>::Constant(300, 200, 0.01f);
    m(123, 45) = -9;
    m(7, 199) = 5;
    const Matrix<float> small = app::reduced(m, 64, 64);
    CHECK(small.rows() == 64);
    CHECK(small.cols() == 64);
    CHECK(small.minCoeff() == -9);
    CHECK(small.maxCoeff() == 5);
}

TEST_CASE("sampled features are the matrix's own, evenly spaced") {
    Matrix<float> m(3, 512);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(i);
    const Matrix<float> small = app::sampled(m, 64, 16);
    REQUIRE(small.rows() == 3);
    REQUIRE(small.cols() == 16);
    CHECK(small(2, 5) == m(2, 160));
    CHECK(app::sampled(m, 2, 512).row(1) == m.row(1));
}

TEST_CASE("a reduced cell is not finite only where its whole block is not") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Matrix<float> m = Matrix<float>::Constant(128, 128, -kInfinity);
    m(0, 0) = 1;
    const Matrix<float> small = app::reduced(m, 64, 64);
    CHECK(small(0, 0) == 1);
    CHECK(small(63, 63) == -kInfinity);
}

TEST_CASE("the stage of the mask names the position bias that is added with it") {
    const auto label = [](nn::Positions positions, trace::AttentionKind kind) {
        app::Document document = small_document();
        models::spec_of(document.model)->positions = positions;
        app::Focus focus;
        focus.head.kind = kind;
        const auto snapshot = app::Computation(1).answer({1, document, focus}, {});
        for (const app::StripItem& item : snapshot->strip) {
            if (item.stage == trace::Stage::masked) return item.label;
        }
        return std::string();
    };
    using enum trace::AttentionKind;
    CHECK(label(nn::Positions::sinusoidal, encoder_self) == "no mask");
    CHECK(label(nn::Positions::sinusoidal, decoder_self) == "+ mask");
    CHECK(label(nn::Positions::relative, encoder_self) == "+ position bias");
    CHECK(label(nn::Positions::alibi, decoder_self) == "+ bias + mask");
}

namespace {

/// Of tokens that nobody named.
app::HeadSummary summarized(const Matrix<float>& weights) {
    const std::vector<text::Token> none;
    return app::summarize(weights, {none, none});
}

} // namespace

TEST_CASE("a head that spreads evenly over eight keys has three bits of entropy") {
    const Matrix<float> even = Matrix<float>::Constant(4, 8, 0.125f);
    CHECK(summarized(even).mean_entropy_bits == Approx(3));
}

TEST_CASE("a head that looks at its own token has no entropy and no distance") {
    const Matrix<float> own = Matrix<float>::Identity(6, 6);
    CHECK(summarized(own).mean_entropy_bits == Approx(0).margin(1e-6));
    CHECK(summarized(own).mean_distance == Approx(0).margin(1e-6));
}

TEST_CASE("a head that looks at the token before has distance one; empty rows do not count") {
    Matrix<float> before = Matrix<float>::Zero(5, 5); // row 0 has no distribution
    for (int i = 1; i < 5; ++i) before(i, i - 1) = 1;
    CHECK(summarized(before).mean_distance == Approx(1));
    CHECK(summarized(Matrix<float>::Zero(3, 3)).mean_distance == 0);
}

TEST_CASE("the strip ends in what the layer passes on behind its attention") {
    app::Computation computation(1);
    app::Document document = small_document();
    const auto [order, label, name] =
        GENERATE(std::tuple(models::NormOrder::pre, "add", "decoder.layers.0.residual2"),
                 std::tuple(models::NormOrder::post, "add & norm", "decoder.layers.0.norm2"));
    models::spec_of(document.model)->norm = order;
    const app::Focus focus{{trace::AttentionKind::cross, 0, 0}};
    const auto snapshot = computation.answer({1, document, focus}, {});
    REQUIRE(snapshot->run);
    const app::StripItem& last = snapshot->strip.back();
    CHECK(last.label == label);
    REQUIRE(last.whole);
    CHECK(*last.whole == *snapshot->run->trace.tensor(name)->values.matrix());
}

TEST_CASE("queries and keys lead to scores, and values to what is weighed") {
    const app::Focus focus{{trace::AttentionKind::encoder_self, 0, 0}};
    const auto snapshot = app::Computation(1).answer({1, small_document(), focus}, {});
    std::string flow;
    for (const app::StripItem& item : snapshot->strip) {
        if (!item.stage) continue;
        flow += std::string(trace::name(*item.stage)) +
                (item.to_next == figure::StageLink::makes ? " > " : " ");
    }
    CHECK(flow.starts_with("q k > scores > scaled > masked > weights v > context"));
}

TEST_CASE("of a recurrent model nothing in the strip is made of what only stands beside it") {
    const auto flow_of = [](nn::Score score) {
        app::Document document = small_document();
        models::RecurrentConfig config = models::small_recurrent();
        config.score = score;
        document.model = config;
        app::Request request{1, document, {{trace::AttentionKind::cross, 0, 0}}};
        request.needs.step = 0;
        const auto snapshot = app::Computation(1).answer(request, {});
        std::string flow;
        for (const app::StripItem& item : snapshot->strip) {
            flow += item.label + (item.to_next == figure::StageLink::makes ? " > " : " | ");
        }
        return flow;
    };
    CHECK(flow_of(nn::Score::additive) ==
          "embedding > h encoder | s decoder | K | W s | U k > W s + U k > tanh > e additive > "
          "α softmax > c context > t readout > ");
    CHECK(flow_of(nn::Score::dot) ==
          "embedding > h encoder | s decoder | K > e dot > ÷ √dₖ > α softmax > c context > "
          "t readout > ");
}

TEST_CASE("joined heads lie between what one head gives and the sum of a layer") {
    const app::Focus focus{{trace::AttentionKind::encoder_self, 0, 0}};
    const auto snapshot = app::Computation(1).answer({1, small_document(), focus}, {});
    const auto context =
        std::ranges::find(snapshot->strip, trace::Stage::context, &app::StripItem::stage);
    REQUIRE(context != snapshot->strip.end());
    CHECK(context->to_next == figure::StageLink::heads);
}

TEST_CASE("embeddings of a decoder are named by the word that each is of") {
    app::Computation computation(1);
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat";
    document.target.clear();
    const app::Focus focus{{trace::AttentionKind::cross, 0, 0}};
    const auto snapshot = computation.answer({1, document, focus}, {});
    REQUIRE(snapshot->run);
    app::ViewState state;
    state.view = app::View::stages;
    const auto figure = app::make_figure(*snapshot, state, 1600, 1000);
    const auto count = [&](std::string_view word) {
        return std::ranges::count_if(figure.items, [&](const figure::Primitive& item) {
            const auto* text = std::get_if<figure::Text>(&item);
            return text && text->text == word;
        });
    };
    CHECK(count("⟨start⟩") == 2); // embedding, + positions
    CHECK(count("⟨end⟩") > 2);    // of the step that says it
    const auto tables = app::view_tables(*snapshot, state);
    CHECK(tables.all.front().rows.front() == "⟨start⟩");
}
