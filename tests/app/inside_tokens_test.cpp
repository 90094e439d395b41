// The cards of the room Inside on tokens, without their face: what the engine measures of a run
// account by account, and its figure, numbers and words.
#include "app/engine/computation.hpp"
#include "app/engine/inside_tokens.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_tokens.hpp"
#include "app/views/inside_view.hpp"
#include "catch.hpp"
#include "inside_room.hpp"

#include <cmath>
#include <string>

using namespace heed;
using app::InsideCards;
using app::View;

namespace {

/// A computation that is asked for the room's tokens, and every snapshot that it published.
struct Asked {
    explicit Asked(app::Document asked, const app::Focus& focus = {},
                   InsideCards cards = InsideCards::tokens)
        : document(std::move(asked)) {
        state.view = View::inside;
        state.inside_cards = cards;
        look_at(focus);
    }
    void look_at(const app::Focus& focus) {
        published = {
            computation.answer({++revision, document, focus, app::needs_of(state, focus)}, {})};
        REQUIRE(published.front() != nullptr);
        REQUIRE_FALSE(published.front()->error.has_value());
        while (const auto more = computation.refine({})) published.push_back(more);
    }
    const app::Snapshot& last() const { return *published.back(); }
    const app::InsidePicture& inside() const { return *last().inside; }
    bool shows(const std::string& words) const { return room_shows(last(), state, words); }

    app::Document document;
    app::Computation computation{1};
    app::ViewState state;
    std::uint64_t revision = 0;
    std::vector<std::shared_ptr<const app::Snapshot>> published;
};

} // namespace

TEST_CASE("accounts of tokens are published one after another, the row of weights before the "
          "integral") {
    const Asked room(decoder_document());
    std::size_t accounts = 0;
    bool row_first = false;
    for (const auto& snapshot : room.published) {
        const app::InsidePicture& now = *snapshot->inside;
        CHECK(now.accounts.tried <= accounts + 1); // one at a time
        accounts = now.accounts.tried;
        row_first |= accounts == 3 && now.other_rows.size() == 1;
        CHECK_FALSE(now.accounts_error);
    }
    CHECK(row_first);
    const app::InsidePicture& now = room.inside();
    REQUIRE(now.accounts.complete());
    CHECK(now.accounts.accounts.size() == 4);
    CHECK(now.accounts.pairs.size() == 6);
    CHECK(now.without.empty()); // what is not shown is not measured
    const auto& whole = now.accounts.integrated;
    CHECK(std::abs(whole.residue()) < 0.01 * std::abs(whole.logit - whole.baseline));
    CHECK(whole.logit == Approx(static_cast<double>(now.answer.logit)).epsilon(1e-3));
    REQUIRE(now.other_rows.size() == 1);
    REQUIRE(now.other_rows[0].found);
    CHECK(now.other_rows[0].found->change <= 0.01);
    CHECK_FALSE(app::tokens_due(room.last()));
}

TEST_CASE("beside the parts of a word the first account alone is measured, for the row under the "
          "other run") {
    const Asked room(decoder_document(), {}, InsideCards::parts);
    CHECK(room.inside().complete());
    CHECK(room.inside().accounts.tried == 1);
    CHECK(room.inside().other_rows.empty());
    const auto shares = app::gradient_shares(room.last(), room.inside().patched_stack);
    REQUIRE(shares.size() == 6);
    double sum = 0;
    for (const float share : shares) sum += static_cast<double>(share);
    CHECK(sum == Approx(1).epsilon(1e-5));
    CHECK(app::below_words(room.last(), 0).find("Chefer") != std::string::npos);
    const auto tables = app::inside_tables(room.last(), room.state);
    CHECK(std::ranges::count(tables.all, "attention_gradient", &files::Table::name) == 1);
}

TEST_CASE("a recurrent model, which has no cards on tokens, has its lens whatever was chosen") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    const Asked room(document);
    CHECK(room.inside().complete());
    REQUIRE(room.inside().lens);
    CHECK(room.inside().lens_measured == room.inside().lens->size());
    CHECK(room.shows("word before"));
    CHECK_FALSE(app::inside_reading(room.last(), room.state).empty());
}

TEST_CASE("another head's row is measured when it is looked at, and the first one is kept") {
    Asked room(decoder_document());
    app::Focus focus = room.last().focus;
    const app::Focus first = focus;
    focus.head.head = 2;
    room.look_at(focus);
    CHECK(room.inside().other_rows.size() == 2);
    CHECK(app::other_row_of(room.last())->head.head == 2);
    CHECK(room.published.front()->inside->accounts.complete()); // of the word, not of the head
    room.look_at(first);
    CHECK(room.published.size() <= 2); // nothing new but what else is idle
    CHECK(app::other_row_of(room.last())->head == first.head);
    room.document.inside.word = 7; // another word has other accounts
    room.look_at(first);
    CHECK(room.published.front()->inside->accounts.tried == 0);
    CHECK(room.published.front()->inside->other_rows.empty());
    CHECK(room.inside().accounts.complete());
}

TEST_CASE("the next request stops an account, and nothing of it is published") {
    app::Computation computation(1);
    app::ViewState state;
    state.view = View::inside;
    state.inside_cards = InsideCards::tokens;
    computation.answer({1, decoder_document(), {}, app::needs_of(state, {})}, {});
    std::stop_source stopped;
    stopped.request_stop();
    CHECK(computation.refine(stopped.get_token()) == nullptr);
    const auto more = computation.refine({});
    REQUIRE(more != nullptr);
    CHECK(more->inside->accounts.tried == 1);
}

TEST_CASE("the cards on tokens say which word, where the accounts disagree, and the verdict") {
    const Asked room(decoder_document());
    CHECK(room.shows("Tokens behind “"));
    CHECK(room.shows("attention × gradient"));
    CHECK(room.shows("Chefer et al. 2021"));
    CHECK(room.shows("remainder"));
    CHECK(room.shows("Other weights of head"));
    CHECK(room.shows("Jensen–Shannon divergence, bits"));
    const std::string verdict = app::accounts_verdict(*room.last().run, room.inside().accounts);
    CHECK((verdict.starts_with("All put") || verdict.starts_with("They disagree")));
    CHECK(verdict.find("rank correlation") != std::string::npos);
    CHECK(app::token_share_words(room.last(), 0, 0).find("% of all") != std::string::npos);
    CHECK(app::token_share_words(room.last(), 0, 9).empty());
    CHECK(app::weight_words(room.last(), 0).find("in the other row") != std::string::npos);
    CHECK(app::weight_words(room.last(), 99).empty());
}

TEST_CASE("tables of tokens hold the accounts as they were measured, and both rows of weights") {
    const Asked room(decoder_document());
    const auto tables = app::inside_tables(room.last(), room.state);
    REQUIRE(tables.all.size() == 3);
    CHECK(tables.all[0].name == "tokens");
    CHECK(tables.all[1].name == "agreement");
    CHECK(tables.all[2].name == "weights");
    const auto& accounts = room.inside().accounts.accounts;
    REQUIRE(tables.all[0].values->cols() == 4);
    for (num::Index i = 0; i < tables.all[0].values->rows(); ++i) {
        CHECK((*tables.all[0].values)(i, 2) == static_cast<float>(accounts[2].scores.target(i)));
    }
    CHECK(tables.all[0].cols ==
          std::vector<std::string>{"attention × gradient (relevance, no unit)",
                                   "integrated gradients (logits)", "rollout (share, sums to 1)",
                                   "attention flow (weight, at most 1)"});
    CHECK(tables.all[2].cols ==
          std::vector<std::string>{"weight as it is", "weight that gives the same answer"});
    for (const files::Table& table : tables.all) CHECK_FALSE(table.unit.empty());
    CHECK(tables.all[2].values->col(0).sum() == Approx(1).epsilon(1e-5));
    CHECK(tables.all[2].values->col(1).sum() == Approx(1).epsilon(1e-5));
}

TEST_CASE("models that read two sentences have both tinted, and classes stand on their tokens") {
    app::Focus encoder;
    encoder.head = {trace::AttentionKind::encoder_self, 0, 0};
    const Asked both(small_document(), encoder);
    CHECK(both.inside().accounts.complete());
    const std::string verdict = app::accounts_verdict(*both.last().run, both.inside().accounts);
    CHECK((verdict.find("(source token ") != std::string::npos ||
           verdict.find("(target token ") != std::string::npos));
    CHECK(verdict.find("(token ") == std::string::npos);
    CHECK(both.inside().accounts.integrated.logit ==
          Approx(static_cast<double>(both.inside().answer.logit)).epsilon(1e-3));
    const auto& scores = both.inside().accounts.accounts.front().scores;
    CHECK(scores.source.size() > 0);
    CHECK(scores.target.size() > 0);
    CHECK(app::source_token(both.last(), 0) == 0);
    CHECK_FALSE(app::source_token(both.last(), static_cast<int>(scores.source.size())));
    REQUIRE(app::other_row_of(both.last()) != nullptr);
    CHECK(app::other_row_of(both.last())->query == 0);
    app::Document classifier = small_document();
    classifier.model = models::classifier_spec();
    const Asked classes(classifier);
    CHECK(classes.inside().accounts.complete());
    CHECK(classes.inside().accounts.accounts.front().scores.source.size() ==
          std::ssize(classes.last().run->trace.source));
    CHECK(classes.shows("Tokens behind “"));
    CHECK(classes.shows("no residual"));
    app::Document recurrent = small_document();
    recurrent.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    CHECK(Asked(recurrent).shows("for transformers only"));
}

TEST_CASE("of a long sentence the stream is put in at the tokens that differ and the nearest ones, "
          "and the card says how many are left out") {
    app::Document document = decoder_document();
    document.source = "cat";
    for (int i = 1; i < 200; ++i) document.source += " w" + std::to_string(i);
    const app::Document other = [&] {
        app::Document changed = document;
        changed.inside.other = "dog" + document.source.substr(3);
        return changed;
    }();
    const Asked room(other, {}, InsideCards::parts);
    const app::InsidePicture& now = room.inside();
    REQUIRE_FALSE(now.other_error);
    constexpr int kColumns = 4096 / 200;
    CHECK(now.patches.size() == 2 * kColumns);
    CHECK(now.patched.size() == now.patches.size());
    CHECK(std::ranges::any_of(now.patches, [](const auto& patch) { return patch.token == 0; }));
    CHECK(std::ranges::any_of(now.patches, [](const auto& patch) { return patch.token == 199; }));
    CHECK(room.shows("180 tokens of this long"));
    CHECK(app::patched_token(room.last(), 0) == 0);
    CHECK(app::patched_token(room.last(), 1) == 200 - kColumns + 1);
    CHECK(app::patched_token(room.last(), kColumns) == -1);
    CHECK(app::patch_words(room.last(), 1, kColumns - 1).starts_with("layer 2, token 200: "));
}

TEST_CASE("a row that changes nothing is not said to matter to no word, and says what is sure") {
    inside::OtherWeights found;
    found.verdict = inside::OtherWeightsVerdict::idle;
    found.most = 0.0051;
    found.own_answer.says_probability = 0.9998f;
    CHECK(
        app::weights_verdict(found, 0.01, "word") ==
        "No weights of this row change the answer by more than 1.0 % (at most 0.51 %, with all "
        "weight on one key): this row does not change what the model says (the likeliest word has "
        "> 99.9 %).");
    found.own_answer.says_probability = 0.6f;
    CHECK(app::weights_verdict(found, 0.01, "class").ends_with("what the model says."));
    found.verdict = inside::OtherWeightsVerdict::held;
    CHECK(app::weights_verdict(found, 0.01, "class").find("for this class ") != std::string::npos);
}
