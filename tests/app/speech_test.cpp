#include "app/engine/speech.hpp"

#include "app/document/controls_json.hpp"
#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/unknown_words.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "models/recurrent/recurrent.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>

using namespace heed;
using app::Document;

namespace {

Document speaker() {
    Document d;
    models::RecurrentConfig config;
    config.hidden = 24;
    config.embedding = 12;
    d.model = config;
    d.source = "the cat sat on the mat";
    d.target = "le chat";
    return d;
}

std::shared_ptr<const app::Snapshot> answered(const Document& d, app::Computation& computation) {
    auto snapshot = computation.answer({1, d, {}}, {});
    REQUIRE(snapshot);
    if (snapshot->error) FAIL(base::describe(*snapshot->error));
    return snapshot;
}

} // namespace

TEST_CASE("every step tells its likeliest words, what it said, and the rest of the vocabulary") {
    app::Computation computation(1);
    const auto snapshot = answered(speaker(), computation);
    REQUIRE(snapshot->spoken);
    REQUIRE(snapshot->spoken->size() == 3); // le, chat, end
    const auto table = snapshot->run->trace.tensor("decoder.probabilities");
    for (num::Index i = 0; i < 3; ++i) {
        const app::SpokenStep& step = (*snapshot->spoken)[static_cast<std::size_t>(i)];
        REQUIRE(step.likeliest.size() == app::kLikeliest);
        float sum = step.rest;
        for (std::size_t k = 0; k < step.likeliest.size(); ++k) {
            sum += step.likeliest[k].probability;
            if (k > 0) CHECK(step.likeliest[k].probability <= step.likeliest[k - 1].probability);
        }
        CHECK(sum == Approx(1).margin(1e-5));
        for (const app::SaidWord& word : step.likeliest) {
            const bool shared =
                word.word.starts_with("⟨other") || word.word == "⟨pad⟩" || word.word == "⟨start⟩";
            CHECK(word.can_be_said == !shared);
        }
        CHECK(step.likeliest[0].probability == table->values.row(i).maxCoeff());
    }
    CHECK((*snapshot->spoken)[1].said.word == "chat");
    CHECK((*snapshot->spoken)[2].said.word == "⟨end⟩");
}

TEST_CASE("the gallery holds the map that each score would make") {
    app::Computation computation(1);
    const Document d = speaker();
    const auto snapshot = answered(d, computation);
    CHECK_FALSE(snapshot->gallery); // made when nobody waits
    const auto later = computation.refine({});
    REQUIRE(later);
    REQUIRE(later->gallery);
    REQUIRE(later->gallery->size() == 6);
    for (const app::ScoreMap& map : *later->gallery) {
        Document other = d;
        models::HeadControls own;
        own.score = map.score;
        other.controls.set({}, own);
        const auto chosen = answered(other, computation);
        REQUIRE(map.weights);
        CHECK(*map.weights == *chosen->map);
    }
}

TEST_CASE("a score that cannot compare these widths says so in the gallery, and in a run") {
    app::Computation computation(1);
    Document d = speaker();
    std::get_if<models::RecurrentConfig>(&d.model)->projection = models::Projection::none;
    answered(d, computation);
    const auto later = computation.refine({});
    REQUIRE(later);
    const auto map_of = [&](nn::Score score) {
        return *std::find_if(later->gallery->begin(), later->gallery->end(),
                             [&](const app::ScoreMap& map) { return map.score == score; });
    };
    const app::ScoreMap dot = map_of(nn::Score::dot);
    CHECK_FALSE(dot.weights);
    REQUIRE(dot.error);
    CHECK(dot.error->message.find("24") != std::string::npos);
    CHECK(dot.error->message.find("48") != std::string::npos);
    CHECK(map_of(nn::Score::bilinear).weights);
}

TEST_CASE("a forced word keeps what was said before it, and the model goes on") {
    app::Computation computation(1);
    Document d = speaker();
    d.target.clear(); // speaks freely
    d.decoding.limit = 6;
    const auto free = answered(d, computation);
    const auto& said = free->run->trace.target;
    REQUIRE(said.size() >= 3);
    const auto forced = app::forced(d, *free->run, 2, "apple");
    REQUIRE(forced);
    const Document next = *forced;
    const auto after = answered(next, computation);
    const auto& words = after->run->trace.target;
    REQUIRE(words.size() >= 3);
    CHECK(words[0].text == said[0].text);
    CHECK(words[1].text == said[1].text);
    CHECK(words[2].text == "apple");
    Document read = d; // what stands in the window's empty field is read as what was said
    read.target = app::said_line(*free->run, d.segmentation);
    read.decoding.rule = models::Decoding::Rule::forced;
    CHECK(app::said_line(*answered(read, computation)->run, d.segmentation) == read.target);
}

TEST_CASE("a recurrent document comes back from its file as it was") {
    app::Computation computation(1);
    Document d = speaker();
    auto& model = *std::get_if<models::RecurrentConfig>(&d.model);
    model.cell = nn::Cell::lstm;
    model.bidirectional = false;
    model.context = models::Context::mean;
    model.order = models::StepOrder::update_first;
    model.projection = models::Projection::two;
    d.decoding = {models::Decoding::Rule::beam, 3, 12, 1};
    const auto json = app::document_to_json(d);
    const auto back = app::document_from_json(json, "");
    REQUIRE(back);
    CHECK(*back == d);
    const auto run = answered(*back, computation);
    CHECK(run->run->trace.beam->followed == 1);
}

TEST_CASE("a word that would be read as several tokens cannot be forced") {
    app::Computation computation(1);
    Document d = speaker();
    d.target.clear();
    d.decoding.limit = 4;
    const auto free = answered(d, computation);
    CHECK(app::forced(d, *free->run, 0, "apple"));
    CHECK_FALSE(app::forced(d, *free->run, 0, "two words"));
    d.segmentation = text::Segmentation::characters;
    const auto letters = answered(d, computation);
    CHECK_FALSE(app::forced(d, *letters->run, 0, "apple"));
    const auto one = app::forced(d, *letters->run, 0, "我");
    REQUIRE(one);
    CHECK(answered(*one, computation)->run->trace.target[0].text == "我");
    const auto end = app::forced(d, *letters->run, 0, "⟨end⟩");
    REQUIRE(end); // nothing is said, and then the end
}

TEST_CASE("shapes without attention are computed, drawn and stepped through") {
    app::Computation computation(1);
    for (const models::Shape shape :
         {models::Shape::n_to_n, models::Shape::n_to_one, models::Shape::one_to_n}) {
        Document d = speaker();
        std::get_if<models::RecurrentConfig>(&d.model)->shape = shape;
        d.target.clear();
        d.decoding.limit = 4;
        app::Focus focus;
        focus.combine = trace::Combine::mean; // of heads that this model has not
        const auto snapshot = computation.answer({1, d, focus}, {});
        REQUIRE(snapshot);
        if (snapshot->error) FAIL(base::describe(*snapshot->error));
        CHECK_FALSE(snapshot->map);
        CHECK_FALSE(snapshot->strip.empty());
        REQUIRE(snapshot->spoken);
        CHECK(snapshot->spoken->size() == snapshot->run->trace.target.size());
        CHECK_FALSE(computation.refine({})); // no gallery of scores
        for (const auto& [name, view, none] : app::names<app::View>()) {
            INFO(name);
            app::ViewState state;
            state.view = view;
            state.selected = {1, 1};
            const auto figure = app::make_figure(*snapshot, state, 900, 600);
            CHECK(figure.items.size() > 0);
            CHECK(app::fits(app::fitting(view, d.model), d.model));
        }
        // The numbers of what has no attention are its states.
        const auto data = app::map_data(*snapshot);
        CHECK(data.values->cols() == (shape == models::Shape::one_to_n ? 24 : 48));
        CHECK(data.row_labels.size() == static_cast<std::size_t>(data.values->rows()));
        const auto json = app::document_to_json(d);
        const auto back = app::document_from_json(json, "");
        REQUIRE(back);
        CHECK(*back == d);
    }
}

TEST_CASE("an error is not hidden by what the answer before it still has to add") {
    app::Computation computation(1);
    const auto good = answered(speaker(), computation); // its gallery is due
    Document broken = speaker();
    broken.source.clear();
    const auto failed = computation.answer({2, broken, {}}, {});
    REQUIRE(failed);
    REQUIRE(failed->error);
    CHECK_FALSE(computation.refine({}));
    // Once the text is whole again, so is what belongs to it.
    REQUIRE(computation.answer({3, speaker(), {}}, {}));
    const auto refined = computation.refine({});
    REQUIRE(refined);
    CHECK(refined->revision == 3);
    CHECK(refined->gallery);
}

TEST_CASE("another step is made ready without the map, and its strip is as if made anew") {
    app::Computation walking(1);
    const Document d = speaker();
    app::Focus focus;
    focus.head.kind = trace::AttentionKind::cross;
    app::Needs needs;
    needs.step = 0;
    const auto first = walking.answer({1, d, focus, needs}, {});
    REQUIRE(first->step);
    needs.step = 2;
    const auto second = walking.answer({2, d, focus, needs}, {});
    REQUIRE(second->step);
    CHECK(second->step->step == 2);
    CHECK(second->map == first->map); // the very same
    app::Computation fresh(1);
    const auto anew = fresh.answer({1, d, focus, needs}, {});
    REQUIRE(anew->strip.size() == second->strip.size());
    bool differs = false;
    for (std::size_t i = 0; i < anew->strip.size(); ++i) {
        CHECK(anew->strip[i].label == second->strip[i].label);
        CHECK(*anew->strip[i].values == *second->strip[i].values);
        differs = differs || !(*first->strip[i].values == *second->strip[i].values);
    }
    CHECK(differs);
    needs.step = 99; // past the last
    CHECK(walking.answer({3, d, focus, needs}, {})->step->step == 2);
}

TEST_CASE("rows of a transformer's cross-attention are named by what the decoder says there") {
    const std::string file = app::shipped_model("en-fr-transformer");
    REQUIRE_FALSE(file.empty());
    Document d;
    d.model_file = file;
    d.source = "The black cat is small";
    d.target.clear();
    app::Computation computation(2);
    const auto words = [](const app::Snapshot& s) { return app::map_data(s).row_labels; };
    app::Focus focus{{trace::AttentionKind::cross, 1, 0}};
    const auto said = computation.answer({1, d, focus}, {});
    REQUIRE(said->run);
    std::vector<std::string> read;
    for (const auto& token : said->run->trace.target) read.push_back(token.text);
    REQUIRE(read.size() > 2);
    CHECK(read.front() == models::kStartToken);
    std::vector<std::string> next(read.begin() + 1, read.end());
    next.emplace_back(models::kEndToken);
    CHECK(words(*said) == next);
    CHECK(app::map_data(*said).subtitle.find("the word being said") != std::string::npos);
    focus.rows_read = true;
    CHECK(words(*computation.answer({2, d, focus}, {})) == read);
    // Its own words are what self-attention is between.
    focus = {{trace::AttentionKind::decoder_self, 0, 0}};
    CHECK(words(*computation.answer({3, d, focus}, {})) == read);
    // A target that was typed is said word by word, and then comes what the model thinks.
    focus = {{trace::AttentionKind::cross, 1, 0}};
    d.target = "le chat";
    d.pad_to = 6;
    const auto forced = words(*computation.answer({4, d, focus}, {}));
    REQUIRE(forced.size() == 6);
    CHECK(forced[0] == "le");
    CHECK(forced[1] == "chat");
    CHECK(forced[2] == "noir");
    CHECK(forced[3] == models::kPadToken);
}

TEST_CASE("words that a model does not know are named, a few of them") {
    Document d;
    d.model_file = app::shipped_model("en-fr-transformer");
    d.source = "The xyzzy cat";
    d.target.clear();
    app::Computation computation(2);
    const auto note = [&] {
        const auto s = computation.answer({1, d, {}}, {});
        REQUIRE(s->run);
        return app::unknown_words_note(*s->run);
    };
    CHECK(note().starts_with("\u201cxyzzy\u201d is not among the "));
    d.source = "foo bar foo cat baz qux";
    CHECK(note().starts_with(
        "\u201cfoo\u201d, \u201cbar\u201d, \u201cbaz\u201d and 1 more are not among"));
    d.source = "foo the bar";
    CHECK(note().starts_with("\u201cfoo\u201d and \u201cbar\u201d are not among"));
    d.source = "The cat is black";
    CHECK(note().empty());
    const auto map = app::map_data(*computation.answer({9, d, {}}, {}));
    CHECK(map.unknown_rows.empty());
    d.source = "the xyzzy cat";
    const auto marked = app::map_data(*computation.answer({10, d, {}}, {}));
    CHECK(marked.unknown_rows == std::vector<int>{1});
    CHECK(marked.unknown_cols == std::vector<int>{1});
}

TEST_CASE("a decoder that reads last states says at which words each direction ends") {
    Document document = speaker();
    auto& config = std::get<models::RecurrentConfig>(document.model);
    const auto drawn = [&](app::View view) {
        app::Computation computation(1);
        app::ViewState state;
        state.view = view;
        app::Request request{1, document, {}, app::needs_of(state, {})};
        return figure::dump(app::make_figure(*computation.answer(request, {}), state, 1400, 900));
    };
    const auto says = [&](const std::string& words) {
        for (const app::View view : {app::View::heatmap, app::View::step, app::View::unrolled}) {
            INFO(app::info(view).name << ": " << words);
            CHECK(drawn(view).find(words) != std::string::npos);
        }
    };
    config.context = models::Context::last;
    says("context: last states, \u2192 at “mat”, \u2190 at “the”");
    document.pad_to = 9; // what is read ends before
    says("\u2192 at “mat”");
    document.pad_to = 0;
    config.bidirectional = false;
    says("context: last state");
    config.context = models::Context::mean;
    says("context: mean of the states");
    config.context = models::Context::attention;
    CHECK(drawn(app::View::heatmap).find("context:") == std::string::npos);
}
