// The room Inside without its face: what the engine measures of a run, and its figure, numbers and
// words.
#include "app/document/other_sentence.hpp"
#include "app/document/session.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/head_scores.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/views/export.hpp"
#include "app/views/inside_patching.hpp"
#include "app/views/inside_view.hpp"
#include "catch.hpp"
#include "inside_room.hpp"
#include "models/text_checkpoint.hpp"
#include "num/softmax.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

using namespace heed;
using app::View;

namespace {

struct Measured {
    explicit Measured(app::Document document, const app::InsideFocus& asked = {},
                      const app::Focus& focus = {}) {
        state.view = View::inside;
        document.inside = asked;
        snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
        REQUIRE(snapshot != nullptr);
        REQUIRE_FALSE(snapshot->error.has_value());
        begun = snapshot;
        while (const auto more = computation.refine({})) snapshot = more;
        REQUIRE(snapshot->inside != nullptr);
    }
    bool shows(const std::string& words) const { return room_shows(*snapshot, state, words); }

    app::Computation computation{1};
    app::ViewState state;
    std::shared_ptr<const app::Snapshot> begun, snapshot;
};

} // namespace

TEST_CASE("the engine answers at once and measures what is inside while it is idle") {
    app::InsideFocus asked;
    asked.other = "The cat sat on the hat";
    const Measured room(decoder_document(), asked);
    CHECK_FALSE(room.begun->inside->complete());
    const app::InsidePicture& now = *room.snapshot->inside;
    CHECK(now.complete());
    CHECK(now.lens->size() == 2 * 6);
    CHECK(now.lens_measured == 2 * 6);
    CHECK(now.without.size() == 2 * (4 + 1));
    CHECK(now.patched.size() == 2 * 6);
    CHECK(std::abs(now.attribution->residue()) < 1e-4);
    CHECK(now.likeliest.front().word == now.question.word);
    CHECK(now.question.token == 5);
    // The last layer of the lens is the model.
    CHECK(now.lens_cell(1, 5)->likeliest.front().probability ==
          Approx(now.likeliest.front().probability).epsilon(1e-4));
}

TEST_CASE("the room Inside shows four cards, and says what one of them needs") {
    const Measured room(decoder_document());
    CHECK(room.shows("Logit lens"));
    CHECK(room.shows("What made it say"));
    CHECK(room.shows("remainder"));
    CHECK(room.shows("Without each part"));
    CHECK(room.shows(" → ")); // of the other sentence what differs
    CHECK(room.shows("Share of the answer"));
    CHECK_FALSE(room.shows("click")); // as it is printed
    CHECK_FALSE(app::inside_reading(*room.snapshot, room.state).empty());
    CHECK(app::inside_tables(*room.snapshot, room.state).all.size() == 6);
    CHECK_FALSE(app::lens_words(*room.snapshot, 1, 5).empty());
    CHECK(app::head_words(*room.snapshot, 1, 3).starts_with("head 2.4 set to its mean: "));
    CHECK(app::head_words(*room.snapshot, 1, 4).starts_with("feed-forward 2"));
}

TEST_CASE("heads are put into the other run one by one") {
    app::InsideFocus asked;
    asked.other = "The cat sat on the hat";
    asked.patch = app::PatchBy::heads;
    const Measured room(decoder_document(), asked);
    CHECK(room.snapshot->inside->patched.size() == 2 * 4);
    CHECK(room.shows("one head at every token"));
    CHECK(app::patch_words(*room.snapshot, 1, 3).starts_with("head 2.4: "));
    asked.patch = app::PatchBy::stream;
    const Measured tokens(decoder_document(), asked);
    CHECK(app::patch_words(*tokens.snapshot, 1, 5).starts_with("layer 2, token 6: 1.00 of"));
}

TEST_CASE("another sentence is made where none is given, one word apart and of as many tokens") {
    const Measured room(decoder_document());
    const app::InsidePicture& now = *room.snapshot->inside;
    CHECK(now.made_other());
    REQUIRE(now.other != nullptr);
    CHECK(now.patched.size() == 2 * 6);
    const auto& own = room.snapshot->run->trace.queries(now.patched_stack);
    const auto& made = now.other->trace.queries(now.patched_stack);
    REQUIRE(own.size() == made.size());
    int other = 0;
    for (std::size_t i = 0; i < own.size(); ++i) other += own[i].text != made[i].text ? 1 : 0;
    CHECK(other == 1);
    app::Document alone = decoder_document();
    alone.source = "!"; // no word
    CHECK(Measured(alone).shows("Needs another sentence of as many tokens"));
}

TEST_CASE("paths go from each head of one layer to each of a later one") {
    app::InsideFocus asked;
    asked.patch = app::PatchBy::paths;
    asked.from = 7; // the model has two layers
    asked.to = 9;
    app::Document document = decoder_document();
    document.controls.norm = models::NormOrder::pre;
    const Measured room(document, asked);
    const app::InsidePicture& now = *room.snapshot->inside;
    REQUIRE_FALSE(now.other_error);
    CHECK(now.asked_paths.from == 0);
    CHECK(now.asked_paths.to == 1);
    REQUIRE(now.paths.has_value());
    CHECK(now.paths->paths.size() == 4 * 4);
    CHECK(room.shows("heads of layer 1 bring back through heads of layer 2"));
    CHECK(room.shows("head 1.3")); // rows and columns by their names
    CHECK(room.shows("through head"));
    CHECK(app::patch_words(*room.snapshot, 2, 3).starts_with("head 1.3 through 2.4: "));
    CHECK(app::inside_tables(*room.snapshot, room.state).all[2].name == "paths");
}

TEST_CASE("paths of a model with two stacks say whose heads they go through") {
    app::InsideFocus asked;
    asked.patch = app::PatchBy::paths;
    asked.other = "The cat sat on the hat"; // which the encoder reads
    app::Document document = small_document();
    document.controls.norm = models::NormOrder::pre;
    const Measured room(document, asked);
    const app::InsidePicture& now = *room.snapshot->inside;
    REQUIRE(now.paths.has_value());
    CHECK(now.asked_paths.stack == trace::AttentionKind::encoder_self);
    CHECK(room.shows("encoder head 1.2"));
    CHECK(room.shows("through encoder head"));
    const auto& paths = now.paths->paths;
    const float most =
        std::ranges::max_element(paths, {}, &inside::PatchedPath::recovered)->recovered;
    CHECK(room.shows(app::answers_alike(now) ? "Both sentences give"
                     : most >= 0.005f        ? "encoder heads of layer 1 bring back"
                                             : "No encoder head of layer 1 brings"));
    CHECK_FALSE(room.shows("through decoder head"));
    CHECK(app::patch_words(*room.snapshot, 1, 0).starts_with("encoder head 1.2 through 2.1: "));
}

TEST_CASE("what is asked comes back with its session, and another model is not asked it") {
    app::Session session;
    session.document = decoder_document();
    app::InsideFocus& asked = session.document.inside;
    asked.token = 3;
    asked.word = 7;
    asked.against = 8;
    asked.other = "The cat sat on the hat";
    asked.instead = inside::Instead::zero;
    asked.patch = app::PatchBy::paths;
    asked.from = 1;
    asked.to = 2;
    const auto read = app::session_from_json(app::session_to_json(session), "");
    REQUIRE(read);
    CHECK(read->document.inside == asked);
    CHECK(*read == session);
    CHECK_FALSE(read->document == decoder_document());
    CHECK(app::run_alike(read->document, decoder_document()));
}

TEST_CASE("an other sentence of another length says so on its card, the rest stands") {
    app::InsideFocus asked;
    asked.other = "The cat";
    const Measured room(decoder_document(), asked);
    REQUIRE(room.snapshot->inside->other_error);
    CHECK(room.shows("both need the same number"));
    CHECK(room.shows("remainder"));
    CHECK(room.snapshot->inside->complete());
}

TEST_CASE("without an other sentence that fits, heads are at their mean, and the card says so") {
    app::InsideFocus asked;
    asked.instead = inside::Instead::other;
    asked.other = "The cat";
    const Measured room(decoder_document(), asked), mean(decoder_document());
    CHECK(room.snapshot->inside->instead() == inside::Instead::mean);
    CHECK(room.shows("set to its mean"));
    CHECK_FALSE(room.shows("from the other sentence"));
    for (std::size_t i = 0; i < room.snapshot->inside->without.size(); ++i) {
        CHECK(room.snapshot->inside->without[i].answer.logit ==
              mean.snapshot->inside->without[i].answer.logit);
    }
    asked.other = "The cat sat on the hat";
    const Measured fits(decoder_document(), asked);
    CHECK(fits.shows("from the other sentence"));
}

TEST_CASE("another word keeps the lens, and so does another token") {
    Measured room(decoder_document());
    const auto lens = room.snapshot->inside->lens;
    app::Document asks = decoder_document();
    asks.inside.word = 7;
    const auto word = room.computation.answer({2, asks, {}, app::needs_of(room.state, {})}, {});
    CHECK(word->run == room.snapshot->run); // asking computes nothing anew
    CHECK(word->inside->lens == lens);
    CHECK(word->inside->question.word == 7);
    CHECK_FALSE(word->inside->attribution);
    asks.inside.token = 3;
    const auto token = room.computation.answer({3, asks, {}, app::needs_of(room.state, {})}, {});
    CHECK(token->inside->lens == lens);
    CHECK(token->inside->question.token == 3);
}

TEST_CASE("models of every kind have the room, or are told what it lacks") {
    const Measured both(small_document());
    CHECK_FALSE(both.snapshot->inside->error);
    CHECK(both.shows("Without each part"));
    CHECK(both.shows("remainder"));
    app::Document encoder = small_document();
    models::spec_of(encoder.model)->architecture = models::Architecture::encoder_only;
    CHECK(Measured(encoder).shows("open one with a language-model head"));
    app::Document classifier = small_document();
    classifier.model = models::classifier_spec();
    const Measured at_means(classifier);
    CHECK(at_means.shows("predicts one class"));
    CHECK_FALSE(at_means.shows("Logit lens")); // no empty cards
    CHECK_FALSE(at_means.shows("What made it say"));
    const app::InsidePicture& now = *at_means.snapshot->inside;
    // A head's mean is all that its class reads of it, so it starts at zero.
    CHECK(now.mean_changes_nothing);
    CHECK(now.instead() == inside::Instead::zero);
    CHECK(at_means.shows("set to zero"));
    CHECK(std::ranges::any_of(now.without, [&](const inside::Ablated& part) {
        return std::abs(part.answer.logit - now.answer.logit) > 1e-4f;
    }));
    if (now.other) { // and, without a stream, with heads
        CHECK(now.patch == app::PatchBy::heads);
        CHECK(now.patched.size() == now.patches.size());
        CHECK_FALSE(now.patched.empty());
    }
    app::Document recurrent = small_document();
    recurrent.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    CHECK(Measured(recurrent).shows("for transformers only"));
}

TEST_CASE(
    "a recurrent model has a lens over what its readout reads, and says that it has no parts") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    const Measured room(document);
    const app::InsidePicture& now = *room.snapshot->inside;
    CHECK_FALSE(now.error);
    CHECK(now.complete());
    REQUIRE(now.lens);
    REQUIRE(now.lens->size() == static_cast<std::size_t>(4 * now.lens_tokens));
    CHECK(now.lens_measured == now.lens->size());
    // The last row is all that is read.
    CHECK(now.lens_cell(3, now.question.token)->likeliest.front().probability ==
          Approx(now.likeliest.front().probability).margin(1e-6));
    for (const char* words : {"Heed's extension", "word before", "context", "state", "after “",
                              "for transformers only"}) {
        INFO(words);
        CHECK(room.shows(words));
    }
    CHECK_FALSE(room.shows("Without each part"));
    CHECK(app::lens_words(*room.snapshot, 2, 0).starts_with("the readout would say of state"));
    CHECK(app::inside_tables(*room.snapshot, room.state).all.front().rows.front() == "word before");
}

TEST_CASE("a file has no words to the user of a window, and no place for them") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    const Measured room(document);
    const auto lens_high = [](const figure::Figure& picture) {
        float high = 0;
        for (const figure::Target& target : picture.targets) {
            if (target.as<figure::tag::Cells>()) high = target.box.h;
        }
        return high;
    };
    app::ExportOptions options;
    options.width = 1200;
    options.height = 900;
    const figure::Figure file = app::export_figure(*room.snapshot, room.state, options);
    const figure::Figure window = app::make_figure(*room.snapshot, room.state, 1200, 900);
    CHECK(figure::dump(window).find("for transformers only") != std::string::npos);
    CHECK(figure::dump(file).find("for transformers only") == std::string::npos);
    CHECK(lens_high(file) > lens_high(window));
    options.page.emplace();
    CHECK(figure::dump(app::export_figure(*room.snapshot, room.state, options))
              .find("transformer") == std::string::npos);
}

TEST_CASE("where a sentence has both words, the last of them becomes the other") {
    using app::words_swapped;
    CHECK(words_swapped("When Mary and John went, John gave it to", "Mary", "John") ==
          "When Mary and John went, Mary gave it to");
    CHECK(words_swapped("John saw Mary", "Mary", "John") == "John saw John");
    CHECK_FALSE(words_swapped("The cat sat on the window", "a", "b"));
    CHECK_FALSE(words_swapped("a [b] c", "a", "b"));
    CHECK_FALSE(words_swapped("", "", ""));
}

TEST_CASE("of the other sentence the title has what differs, the rest is left out around it") {
    app::Document document = decoder_document();
    document.source = "the young teacher did not read the old book of his friend";
    app::InsideFocus asked;
    asked.other = "the young teacher did not read the new book of his friend";
    CHECK(app::other_words(*Measured(document, asked).snapshot) ==
          "… did not read the [old → new] book of …");
    document.source = "the cat sat";
    asked.other = "the dog sat";
    CHECK(app::other_words(*Measured(document, asked).snapshot) == "the [cat → dog] sat");
    asked.other = "the cat sat";
    CHECK(app::other_words(*Measured(document, asked).snapshot) == "the cat sat");
}

TEST_CASE("letters that are tokens stand apart in the title of the other sentence") {
    app::Document document = decoder_document();
    document.segmentation = text::Segmentation::characters;
    document.source = "abcdeabcde";
    app::InsideFocus asked;
    asked.other = "abcdeubcde";
    CHECK(app::other_words(*Measured(document, asked).snapshot) == "a b c d e [a → u] b c d e");
}

TEST_CASE("a remainder has the decimals of its sum, or is a power of ten") {
    CHECK(app::inside_remainder(0.6, 2) == "+0.60");
    CHECK(app::inside_remainder(-0.3, 2) == "−0.30");
    CHECK(app::inside_remainder(9e-9, 2) == "9·10⁻⁹");
    CHECK(app::inside_remainder(-1.4e-6, 2) == "−1.4·10⁻⁶");
}

TEST_CASE("where a model has two stacks every head says whose it is") {
    const Measured both(small_document());
    for (int bar = 0; !app::bar_part(*both.snapshot, bar).words.empty(); ++bar) {
        const std::string words = app::bar_part(*both.snapshot, bar).words;
        INFO(words);
        CHECK_FALSE(words.starts_with("head "));
        CHECK_FALSE(words.starts_with("feed-forward 1:"));
    }
    CHECK_FALSE(Measured(decoder_document()).shows("decoder head"));
}

TEST_CASE("the caption quotes the word, so that it keeps its letters") {
    const Measured room(decoder_document());
    const app::Snapshot& s = *room.snapshot;
    const std::string word = app::inside_word(*s.run->model, s.inside->question.word);
    CHECK(app::inside_provenance(s).starts_with(" · “" + word + "” after “"));
}

TEST_CASE("the axis says which heads stand on it") {
    const Measured both(small_document());
    const auto& traits = both.snapshot->run->model->traits();
    CHECK(app::kind_of_heads(traits, trace::AttentionKind::cross) == "cross head");
    using enum trace::AttentionKind; // where a model has other heads, a card says whose it is
    CHECK(app::kind_of_parts(traits, cross, true) == "cross head or feed-forward layer");
    CHECK(app::kind_of_parts(traits, encoder_self, false) == "encoder head");
    const Measured one(decoder_document());
    CHECK(app::kind_of_heads(one.snapshot->run->model->traits(),
                             trace::AttentionKind::decoder_self) == "head");
    CHECK(app::kind_of_parts(one.snapshot->run->model->traits(), decoder_self, true) == "part");
    CHECK(one.shows("with one part set to"));
}

TEST_CASE("rows are layers, and columns say what they are") {
    const Measured room(decoder_document());
    CHECK(room.shows("layer 2"));
    CHECK(room.shows("head · FF: feed-forward"));
    CHECK(room.shows("bottom row: attention × gradient, own colours, 0 to "));
}

TEST_CASE("the words of a model are read once, however many sentences are made") {
    Measured room(decoder_document());
    const auto words = room.computation.known_words().read().words;
    REQUIRE(words > 0);
    app::Document document = decoder_document();
    document.source = "The dog sat on the mat";
    auto next = room.computation.answer({2, document, {}, app::needs_of(room.state, {})}, {});
    while (const auto more = room.computation.refine({})) next = more;
    CHECK(next->inside->other != nullptr);
    CHECK(room.computation.known_words().read().words == words);
}

namespace {

/// The same snapshot with other numbers in its picture.
template <class Edit>
app::Snapshot changed(const Measured& room, Edit edit) {
    app::Snapshot snapshot = *room.snapshot;
    auto now = std::make_shared<app::InsidePicture>(*snapshot.inside);
    edit(*now);
    snapshot.inside = std::move(now);
    return snapshot;
}

bool has(const std::string& text, const std::string& words) {
    INFO(text);
    return text.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("the reading names the part that is needed most, be it a head or a feed-forward") {
    using Kind = inside::PartId::Kind;
    const Measured room(decoder_document());
    const auto falls = [&](app::InsidePicture& now, Kind kind, int layer, int head, float by) {
        for (inside::Ablated& part : now.without) {
            const inside::PartId& id = part.part;
            const bool here = id.kind == kind && id.layer == layer &&
                              (kind != Kind::head || id.head == head);
            if (here) part.answer.logit = now.answer.logit - by;
        }
    };
    const auto reading = [&](float feed_forward, float head, std::optional<int> against = {}) {
        const auto snapshot = changed(room, [&](app::InsidePicture& now) {
            now.answer.logit = 0;
            for (inside::Ablated& part : now.without) part.answer.logit = 0;
            falls(now, Kind::feed_forward, 0, 0, feed_forward);
            falls(now, Kind::head, 1, 3, head);
            if (against) now.question.against = *against;
        });
        return app::inside_reading(snapshot, room.state);
    };
    CHECK(
        has(reading(3.88f, 2.52f),
            "Setting feed-forward 1 to its mean lowers the logit most, by 3.88; of the heads, head "
            "2.4 does, by 2.52."));
    const std::string head = reading(3.88f, 5.81f);
    CHECK(has(head, "Setting head 2.4 to its mean lowers the logit most, by 5.81."));
    CHECK_FALSE(has(head, "of the heads"));
    CHECK_FALSE(has(reading(0, 0), "lowers"));
    CHECK_FALSE(has(reading(0.004f, 0.003f), "lowers"));
    CHECK_FALSE(has(reading(3.88f, 0.004f), "of the heads"));
    const int other = room.snapshot->inside->question.word == 7 ? 8 : 7;
    const std::string difference = reading(3.88f, 5.81f, other);
    CHECK(has(difference, "lowers the logit difference most"));
    CHECK(has(difference, " over “"));
    app::InsideFocus asked;
    asked.against = other;
    const Measured two(decoder_document(), asked);
    CHECK(two.shows("Logit difference "));
    CHECK(two.shows("Change of the logit difference "));
    CHECK_FALSE(two.shows("ogit of "));
}

TEST_CASE("the reading says at which token of the other run the answer comes back") {
    app::InsideFocus asked;
    asked.other = "The cat sat on the hat";
    const Measured room(decoder_document(), asked);
    const auto reading = [&](const std::vector<std::pair<int, int>>& places) { // layer, token
        const auto snapshot = changed(room, [&](app::InsidePicture& now) {
            now.corrupted.says = now.answer.says + 1;
            for (inside::Patched& at : now.patched) {
                const std::pair place(at.patch.layer, static_cast<int>(*at.patch.token));
                at.recovered = std::ranges::count(places, place) > 0 ? 0.9f : 0.1f;
            }
        });
        return app::inside_reading(snapshot, room.state);
    };
    CHECK(has(reading({{0, 5}, {1, 5}}), "brings the answer back at “mat” in every layer."));
    CHECK(has(reading({{0, 1}, {1, 5}}),
              "brings the answer back at “cat” up to layer 1, at “mat” from layer 2 on."));
    CHECK(has(reading({{1, 5}}), "In some layers no token by itself brings back half"));
    const auto same = changed(room, [](app::InsidePicture& now) {
        now.corrupted.says = now.answer.says;
    });
    CHECK_FALSE(has(app::inside_reading(same, room.state), "brings"));
}

TEST_CASE("the chosen head's score and its part in the word stand beside the grid, and in words") {
    const Measured room(decoder_document());
    app::Snapshot snapshot = *room.snapshot;
    const auto& parts = snapshot.inside->attribution->parts;
    const inside::Part* most = nullptr;
    for (const inside::Part& part : parts) {
        if (part.id.kind != inside::PartId::Kind::head) continue;
        if (!most || std::abs(part.logit) > std::abs(most->logit)) most = &part;
    }
    snapshot.focus.head = {most->id.module, most->id.layer, most->id.head};
    auto scores = std::make_shared<app::HeadScores>(*snapshot.head_scores);
    for (inside::HeadRow& row : scores->heads) {
        if (row.head == snapshot.focus.head)
            row.scores.values[inside::HeadScore::induction] = 0.99f;
    }
    snapshot.head_scores = scores;
    const auto data = app::inside_room_data(snapshot);
    REQUIRE(data.does.size() == 2);
    CHECK(data.does[0] == "induction (0.99) on repeated sequences");
    CHECK(has(data.does[1], " for “"));
    CHECK(has(app::inside_reading(snapshot, room.state),
              ", which does induction (0.99 on repeated sequences), speaks most"));
    CHECK(room_shows(snapshot, room.state, "induction (0.99)"));
}

TEST_CASE("a head's score says what it was measured on") {
    const Measured room(small_document());
    const auto told = [&](const trace::HeadId& head, inside::HeadScore score) {
        app::Snapshot snapshot = *room.snapshot;
        auto scores = std::make_shared<app::HeadScores>(*snapshot.head_scores);
        for (inside::HeadRow& row : scores->heads) {
            if (row.head != head) continue;
            row.scores.values[score] = 0.99f;
            row.scores.rows = 3; // of fewer nothing is said
        }
        snapshot.head_scores = scores;
        return app::role_of_head(snapshot,
                                 {inside::PartId::Kind::head, head.kind, head.layer, head.head});
    };
    using trace::AttentionKind;
    CHECK(told({AttentionKind::decoder_self, 0, 1}, inside::HeadScore::previous) ==
          "attends to the previous token (0.99 on this text)");
    CHECK(told({AttentionKind::encoder_self, 0, 1}, inside::HeadScore::induction) ==
          "does induction (0.99 on repeated sequences)");
    CHECK(told({AttentionKind::cross, 0, 1}, inside::HeadScore::alignment) ==
          "follows the gold alignment (0.99 on held-out sentences)");
}

TEST_CASE("of two stacks the reading cites the strongest part of the grid, and says so") {
    const Measured room(small_document());
    const auto snapshot = changed(room, [](app::InsidePicture& now) {
        using Kind = inside::PartId::Kind;
        now.answer.logit = 0;
        for (inside::Ablated& part : now.without) {
            const bool encoder = part.part.module == trace::AttentionKind::encoder_self;
            const bool network = part.part.kind == Kind::feed_forward;
            part.answer.logit = -(network ? 1.0f : 0.5f) * (encoder ? 7.29f : 3.88f);
        }
    });
    app::Snapshot cross = snapshot, encoder = snapshot;
    cross.focus.head = {trace::AttentionKind::cross, 0, 0};
    encoder.focus.head = {trace::AttentionKind::encoder_self, 0, 0};
    INFO(app::inside_reading(cross, room.state) << "\n" << app::inside_reading(encoder, room.state));
    CHECK(has(
        app::inside_reading(cross, room.state),
        "In the grid, setting decoder feed-forward 2 to its mean lowers the logit most, by 3.88; "
        "of the heads, cross head 2.4 does, by 1.94."));
    CHECK(has(
        app::inside_reading(encoder, room.state),
        "In the grid, setting encoder feed-forward 2 to its mean lowers the logit most, by 7.29; "
        "of the heads, encoder head 2.4 does, by 3.64."));
}

TEST_CASE("a word that a sentence of the room cites is quoted") {
    app::InsideFocus asked;
    asked.other = "The cat sat on the hat";
    const Measured room(decoder_document(), asked);
    const app::Snapshot& s = *room.snapshot;
    const std::string word = "“" + app::inside_word(*s.run->model, s.inside->question.word) + "”";
    const auto data = app::inside_room_data(s);
    CHECK(has(data.parts_card.subtitle, "Logit of " + word + ","));
    CHECK(has(data.heads_card.subtitle, "Change of the logit of " + word + " with"));
    CHECK(data.beside.back().starts_with("“"));
    CHECK(has(app::head_words(s, 0, 0), " says “"));
    CHECK(has(app::patch_words(s, 1, 5), "then says “"));
}

TEST_CASE("a made sentence leaves the asked token, whose stream would bring all of it back") {
    app::Document document = decoder_document();
    document.source = "The cat saw the old children"; // the longest word would be changed first
    const Measured room(document);
    const app::InsidePicture& now = *room.snapshot->inside;
    REQUIRE(now.other != nullptr);
    CHECK(now.question.token == 5);
    CHECK(now.other->trace.queries(now.patched_stack).back().text == "children");
    CHECK_FALSE(app::answers_alike(now));
}

TEST_CASE("one token is its own mean, so heads are set to zero, and the card says so") {
    app::Document document = decoder_document();
    document.source = "children";
    const Measured room(document);
    CHECK(room.snapshot->inside->instead() == inside::Instead::zero);
    CHECK(room.shows("its mean would leave the answer as it is"));
}

TEST_CASE("the largest heads have a bar by name, however large the feed-forward networks are") {
    using Kind = inside::PartId::Kind;
    const Measured room(decoder_document());
    const auto many = changed(room, [](app::InsidePicture& now) {
        auto& parts = now.attribution->parts;
        parts.clear();
        for (int i = 0; i < 10; ++i) {
            const double logit = i < 4 ? 0.01 : 0.1 * (i + 1);
            parts.push_back({{Kind::head, trace::AttentionKind::decoder_self, i, 3}, logit});
            parts.push_back({{Kind::feed_forward, trace::AttentionKind::decoder_self, i, 0}, 5});
        }
    });
    const auto data = app::inside_room_data(many);
    double sum = 0;
    std::string names;
    for (const figure::InsideBar& bar : data.bars) {
        sum += bar.value;
        names += bar.name + "; ";
    }
    CHECK(sum == Approx(54.54));
    CHECK(has(names, "head 10.4; head 9.4; head 8.4; head 7.4; head 6.4; head 5.4; "));
    CHECK(has(names, "4 other heads; "));
    CHECK(has(names, "feed-forward, 7 others; "));
}

TEST_CASE("a sentence that gives the same answer has nothing to bring back, and the card says so") {
    const Measured room(decoder_document());
    const auto same = changed(room, [](app::InsidePicture& now) {
        now.corrupted.says = now.answer.says;
        now.corrupted.logit = now.answer.logit - 3.2f;
    });
    CHECK(app::answers_alike(*same.inside));
    CHECK(room_shows(same, room.state, "Both sentences give “"));
    CHECK(room_shows(same, room.state, "its logit's change (−3.20)"));
    CHECK(has(app::inside_room_data(same).patching_card.subtitle, "Share of its logit's change"));
    const auto hardly = changed(room, [](app::InsidePicture& now) {
        now.corrupted.says = now.answer.says;
        now.answer.logit = 1;
        now.corrupted.logit = 1.0009765625f;
    });
    CHECK(room_shows(hardly, room.state, "its logit's change (0.001)"));
    const auto differs = changed(room, [](app::InsidePicture& now) {
        now.corrupted.says = now.answer.says + 1;
    });
    CHECK_FALSE(app::answers_alike(*differs.inside));
    CHECK_FALSE(room_shows(differs, room.state, "its logit's change"));
    CHECK(room_shows(differs, room.state, "Share of the answer"));
}

TEST_CASE("of a word in a script without spaces the title has what differs in brackets") {
    app::Document document = decoder_document();
    document.source = "我昨天吃了一个苹果";
    app::InsideFocus asked;
    asked.other = "我上周吃了一个苹果";
    const Measured room(document, asked);
    REQUIRE(room.snapshot->inside->other != nullptr);
    CHECK(app::other_words(*room.snapshot) == "我 [昨天 → 上周] 吃了一个苹果");
}

TEST_CASE("a model of pictures has the cards that a picture can have, and no word of sentences") {
    app::Document document;
    document.model_file = HEED_SOURCE_DIR "/tests/models/checkpoints/vit";
    document.image_file = HEED_SOURCE_DIR "/tests/files/pictures/rgb.png";
    document.source.clear();
    document.target.clear();
    const Measured room(document);
    CHECK(room.shows("Without each part"));
    CHECK(room.shows("one class of an image"));
    CHECK_FALSE(room.shows("Put one activation"));
    CHECK_FALSE(room.shows("another sentence"));
    CHECK_FALSE(room.shows("class of a sentence"));
    CHECK(app::inside_citations(*room.snapshot) == "Wang et al. 2022");
}

TEST_CASE("the papers are those of the pictures that are shown") {
    const Measured room(decoder_document());
    CHECK(app::inside_citations(*room.snapshot) ==
          "nostalgebraist 2020 · Elhage et al. 2021 · Vig et al. 2020 · Wang et al. 2022");
    app::Document recurrent = small_document();
    recurrent.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    CHECK(app::inside_citations(*Measured(recurrent).snapshot).empty()); // its lens has none
}

TEST_CASE("a lens of a long sentence says how many of its tokens it has") {
    app::Document document = decoder_document();
    document.source = "a b c d e f g h i j k l m n";
    const Measured room(document);
    REQUIRE(room.snapshot->inside->question.token == 13);
    CHECK(room.shows(" of 14 tokens")); // "The last 12", or as many as have room
}

TEST_CASE("the lens of a masked model has the mask in sight, with its context on both sides") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    app::Document document;
    document.model_file = folder / "bert";
    document.source = "the cat sat";
    for (int i = 3; i < 11; ++i) document.source += fmt::format(" w{}", i);
    document.source += " [MASK]";
    for (int i = 11; i < 21; ++i) document.source += fmt::format(" w{}", i);
    const Measured room(document);
    const app::InsidePicture& now = *room.snapshot->inside;
    REQUIRE(now.question.token == 12);
    CHECK(now.first_token == 0);
    CHECK(now.tokens == 24);
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900}, {760, 640}}) {
        const std::string drawn =
            figure::dump(app::make_figure(*room.snapshot, room.state, width, height));
        INFO(width << " × " << height);
        for (const char* token : {"w10", "[MASK]", "w11"}) {
            CHECK(drawn.find(token) != std::string::npos);
        }
        CHECK(drawn.find(" of 24") != std::string::npos);
    }
}

TEST_CASE("numbers of the lens are written of every token, and words stand beside them") {
    app::Document document = decoder_document();
    document.source = "a b c d e f g h i j k l m n";
    const Measured room(document);
    const app::Snapshot& s = *room.snapshot;
    const auto npz =
        tensors::read_npz(app::export_bytes(s, room.state, app::ExportFormat::npz).value(), "npz");
    REQUIRE(npz);
    const tensors::Array& lens = npz->arrays.at("lens");
    REQUIRE(lens.shape == std::vector<std::int64_t>{2, 14});
    CHECK(npz->strings.at("lens.columns") == std::vector<std::string>{"a", "b", "c", "d", "e", "f",
                                                                      "g", "h", "i", "j", "k", "l",
                                                                      "m", "n"});
    CHECK(npz->strings.at("lens.rows") == std::vector<std::string>{"layer 1", "layer 2"});
    num::ThreadPool pool(1); // what the last layer says is what the model says
    const auto logits = s.run->model->logits(*s.run, pool);
    const auto& words = npz->strings.at("lens.words");
    REQUIRE(words.size() == 28);
    for (num::Index token = 0; token < 14; ++token) {
        num::Index said = 0;
        const num::RowVector<float> p =
            num::softmax<float>(num::RowVector<float>(logits.row(token)));
        const float most = p.maxCoeff(&said);
        const auto at = static_cast<std::size_t>(14 + token);
        CHECK(lens.values[at] == Approx(most).epsilon(1e-4));
        CHECK(words[at] == app::inside_word(*s.run->model, said));
    }
    const std::string csv = app::export_bytes(s, room.state, app::ExportFormat::csv).value();
    const std::size_t block = csv.find("lens words");
    REQUIRE(block != std::string::npos);
    CHECK(csv.find("layer 2," + words[14] + ",", block) != std::string::npos);
    CHECK(csv.find(",a,b,c,d,e,f,g,h,i,j,k,l,m,n\r\n", block) != std::string::npos);
}

TEST_CASE("every table names layers alike and says what its numbers are") {
    const auto tables_of = [](const app::Document& document) {
        const Measured room(document);
        return app::inside_tables(*room.snapshot, room.state);
    };
    for (const auto& [document, layers] :
         {std::pair{decoder_document(), std::vector<std::string>{"layer 1", "layer 2"}},
          {small_document(),
           {"encoder layer 1", "encoder layer 2", "decoder layer 1", "decoder layer 2"}}}) {
        const auto tables = tables_of(document);
        for (const files::Table& table : tables.all) {
            INFO(table.name);
            CHECK_FALSE(table.unit.empty());
        }
        const auto norms = std::ranges::find(tables.all, "norms", &files::Table::name);
        REQUIRE(norms != tables.all.end());
        CHECK(norms->rows == layers);
    }
}

TEST_CASE("layers are told by their stack where a model has two") {
    const Measured both(small_document()), alone(decoder_document());
    using trace::AttentionKind;
    CHECK(app::stack_prefix(*both.snapshot, AttentionKind::encoder_self) == "encoder ");
    CHECK(app::stack_prefix(*both.snapshot, AttentionKind::decoder_self) == "decoder ");
    CHECK(app::stack_prefix(*both.snapshot, AttentionKind::cross) == "decoder ");
    CHECK(app::stack_prefix(*alone.snapshot, AttentionKind::decoder_self).empty());
    CHECK(both.shows("after each decoder layer"));
    CHECK(alone.shows("after each layer"));
}

TEST_CASE("paths that bring nothing back are said to, and else the one that brings most") {
    app::InsideFocus asked;
    asked.patch = app::PatchBy::paths;
    asked.other = "The cat sat on the hat";
    app::Document document = decoder_document();
    document.controls.norm = models::NormOrder::pre;
    const Measured room(document, asked);
    REQUIRE(room.snapshot->inside->paths.has_value());
    REQUIRE(room.snapshot->inside->paths->paths.size() == 16);
    const auto with = [&](float most) {
        return changed(room, [&](app::InsidePicture& now) {
            now.corrupted.says = now.answer.says + 1;
            for (inside::PatchedPath& path : now.paths->paths) path.recovered = 0;
            now.paths->paths[6].recovered = most;
        });
    };
    const auto nothing = with(0.001f);
    const char* none = "No head of layer 1 brings any of the answer back through one of layer 2";
    CHECK(room_shows(nothing, room.state, none));
    CHECK(has(app::inside_reading(nothing, room.state),
              "No path between heads of these layers brings any of the answer back."));
    const auto some = with(0.4f);
    CHECK_FALSE(room_shows(some, room.state, none));
    CHECK(has(app::inside_reading(some, room.state),
              "Of the paths, that of head 1.2 through 2.3 brings back the largest share of the "
              "answer, 0.40."));
}

TEST_CASE("the room says what is changed of the model, and which head is off already") {
    app::Focus focus;
    focus.head = {trace::AttentionKind::decoder_self, 0, 1};
    const Measured own(decoder_document(), {}, focus);
    CHECK_FALSE(own.shows("temperature"));
    CHECK_FALSE(own.shows("is off already"));
    app::Document document = decoder_document();
    set_temperature(document, 2.0f);
    switch_off(document, {focus.head.kind, 0, 1});
    const Measured room(document, {}, focus);
    const char* changes = " · temperature 2 · off: decoder 1.2";
    CHECK(room.shows(changes));
    CHECK(has(app::inside_provenance(*room.snapshot), changes));
    CHECK(room.shows("is off already"));
    CHECK_FALSE(room.shows("still says"));
    CHECK(app::head_words(*room.snapshot, 0, 1) == "head 1.2 is off already");
    CHECK(app::head_words(*room.snapshot, 0, 2).starts_with("head 1.3 set to its mean: "));
    switch_off(document, {focus.head.kind, 0, {}}); // the layer's heads alone
    const Measured silent(document, {}, focus);
    CHECK(app::head_words(*silent.snapshot, 0, 4).starts_with("feed-forward 1 set to its mean"));
}

TEST_CASE("what is switched off of a model without heads is its attention") {
    app::Document document = small_document();
    document.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    switch_off(document, {});
    const Measured room(document);
    CHECK(room.shows("attention switched off"));
    CHECK_FALSE(room.shows("head switched off"));
    app::ViewState map;
    map.view = View::heatmap;
    CHECK(room_shows(*room.snapshot, map, "attention switched off"));
    CHECK_FALSE(room_shows(*room.snapshot, map, "head switched off"));
}

TEST_CASE("the feed-forward layers beside heads of cross-attention are the decoder's") {
    app::Focus focus;
    focus.head = {trace::AttentionKind::cross, 0, 1};
    CHECK(Measured(small_document(), {}, focus).shows("FF: decoder feed-forward"));
    CHECK(Measured(decoder_document()).shows("FF: feed-forward"));
}
