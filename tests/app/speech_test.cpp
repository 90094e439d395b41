#include "app/engine/speech.hpp"

#include "app/document/controls_json.hpp"
#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/engine/unknown_words.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "models/model/sides.hpp"
#include "models/recurrent/recurrent_parameters.hpp"
#include "nn/attention/score_info.hpp"
#include "tensors/json.hpp"
#include "train/tasks/task.hpp"

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

std::shared_ptr<const app::Snapshot> answer_to(const Document& d, app::Computation& computation) {
    auto snapshot = computation.answer({1, d, {}}, {});
    REQUIRE(snapshot);
    if (snapshot->error) FAIL(base::describe(*snapshot->error));
    return snapshot;
}

} // namespace

TEST_CASE("every step tells its likeliest words, what it said, and the rest of the vocabulary") {
    app::Computation computation(1);
    const auto snapshot = answer_to(speaker(), computation);
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

TEST_CASE("where all words are listed no rounding is left for others") {
    num::ThreadPool pool(1);
    auto p = std::make_unique<models::Recurrent::Parameters>();
    p->config.hidden = 8;
    p->config.embedding = 4;
    p->vocabulary = text::Vocabulary({"cat", "chat"}, 1); // six rows with those of all
    models::make_room(*p);
    models::draw(models::named_tensors(*p), 5, pool);
    const auto words = [](const char* sentence) {
        return text::tokenize(sentence, text::Segmentation::words, 9);
    };
    models::Input input;
    input.source = words("cat");
    input.target = words("chat cat chat chat cat cat chat cat");
    const auto run = models::run(models::Recurrent::of(std::move(p)), input, {}, pool);
    REQUIRE(run);
    const auto steps = app::spoken_steps(**run);
    REQUIRE(steps);
    for (const app::SpokenStep& step : *steps) {
        CHECK(step.likeliest.size() == app::kLikeliest);
        CHECK(step.rest == 0);
    }
}

TEST_CASE("the gallery holds the map that each score would make") {
    app::Computation computation(1);
    const Document d = speaker();
    const auto snapshot = answer_to(d, computation);
    CHECK_FALSE(snapshot->gallery); // made when nobody waits
    const auto later = computation.refine({});
    REQUIRE(later);
    REQUIRE(later->gallery);
    REQUIRE(later->gallery->size() == nn::kScores.size());
    // Of the words that were said: under another score the model would say others.
    const models::Input said = models::forced_input(*snapshot->run);
    num::ThreadPool pool(1);
    for (const app::ScoreMap& map : *later->gallery) {
        models::Controls controls;
        models::HeadControls own;
        own.score = map.score;
        controls.set({}, own);
        const auto chosen = models::run(snapshot->run->model, said, controls, pool);
        REQUIRE(chosen);
        REQUIRE(map.weights);
        CHECK(*map.weights ==
              (*chosen)->trace.map(snapshot->focus.head)->whole(trace::Stage::weights));
        CHECK(map.weights->rows() == snapshot->map->rows());
    }
}

TEST_CASE("a score that cannot compare these widths says so in the gallery, and in a run") {
    app::Computation computation(1);
    Document d = speaker();
    std::get_if<models::RecurrentConfig>(&d.model)->projection = models::Projection::none;
    answer_to(d, computation);
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
    const auto free = answer_to(d, computation);
    const auto& said = free->run->trace.target;
    REQUIRE(said.size() >= 3);
    const auto forced = app::forced(d, *free->run, 2, "apple");
    REQUIRE(forced);
    const Document next = *forced;
    const auto after = answer_to(next, computation);
    const auto& words = after->run->trace.target;
    REQUIRE(words.size() >= 3);
    CHECK(words[0].text == said[0].text);
    CHECK(words[1].text == said[1].text);
    CHECK(words[2].text == "apple");
    Document read = d; // what stands in the window's empty field is read as what was said
    read.target = app::said_line(*free->run, d.segmentation);
    read.decoding.rule = models::Decoding::Rule::forced;
    CHECK(app::said_line(*answer_to(read, computation)->run, d.segmentation) == read.target);
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
    const auto run = answer_to(*back, computation);
    CHECK(run->run->trace.beam->followed == 1);
}

TEST_CASE("a word that would be read as several tokens cannot be forced") {
    app::Computation computation(1);
    Document d = speaker();
    d.target.clear();
    d.decoding.limit = 4;
    const auto free = answer_to(d, computation);
    CHECK(app::forced(d, *free->run, 0, "apple"));
    CHECK_FALSE(app::forced(d, *free->run, 0, "two words"));
    d.segmentation = text::Segmentation::characters;
    const auto letters = answer_to(d, computation);
    CHECK_FALSE(app::forced(d, *letters->run, 0, "apple"));
    const auto one = app::forced(d, *letters->run, 0, "我");
    REQUIRE(one);
    CHECK(answer_to(*one, computation)->run->trace.target[0].text == "我");
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
    const auto good = answer_to(speaker(), computation); // its gallery is due
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
    needs.step = 99; // the target was longer: as if no step were chosen
    CHECK(walking.answer({3, d, focus, needs}, {})->step->step == 0);
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
    // No row has another name where special tokens are hidden: that which says one goes.
    focus.rows_read = false;
    focus.hide_special = true;
    const auto hidden = computation.answer({2, d, focus}, {});
    const std::vector<std::string> left(next.begin(), next.end() - 1);
    CHECK(words(*hidden) == left);
    CHECK(*app::map_data(*hidden).values ==
          said->map->topRows(static_cast<num::Index>(left.size())));
    CHECK(app::row_tokens(*hidden)[1].text == next[1]);
    CHECK(app::map_data(*hidden).subtitle == app::map_data(*said).subtitle);
    focus.rows_read = true;
    const auto hidden_read = computation.answer({2, d, focus}, {});
    CHECK(words(*hidden_read) == std::vector<std::string>(read.begin() + 1, read.end()));
    CHECK(*app::map_data(*hidden_read).values ==
          said->map->bottomRows(static_cast<num::Index>(left.size())));
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

TEST_CASE("a model of words that reads letters says words, with spaces between them") {
    app::Computation computation(2);
    Document d;
    d.model_file = app::shipped_model("en-fr-transformer");
    d.source = "the black cat did not eat the red apple";
    d.target.clear();
    d.segmentation = text::Segmentation::characters;
    const app::Focus focus{{trace::AttentionKind::cross, 1, 0}};
    const auto s = computation.answer({1, d, focus}, {});
    REQUIRE(s->run);
    REQUIRE(s->run->input.source.front().text == "t");
    CHECK(app::map_data(*s).subtitle.starts_with(
        "the word being said (rows) attends to source characters (columns)"));
    const std::vector<std::string> words = app::said_words(*s->run);
    REQUIRE(words.size() > 1);
    CHECK(app::said_line(*s->run, d.segmentation).find(words[0] + " " + words[1]) == 0);
}

TEST_CASE("a model of letters reads words letter by letter, and counts characters") {
    app::Computation computation(2);
    Document d;
    d.model_file = app::shipped_model("reverse");
    d.source = "hello World!";
    d.target.clear();
    app::Focus focus{{trace::AttentionKind::cross, 1, 1}};
    const auto s = computation.answer({1, d, focus}, {});
    REQUIRE(s->run);
    CHECK(s->run->input.source.size() == 10);
    CHECK(app::said_line(*s->run, d.segmentation) == "d l r o w o l l e h");
    CHECK(s->unknown_words.empty());
    CHECK(s->typed_text == "This model reads the sentence without “!” at its end");
    CHECK(app::map_data(*s).subtitle.starts_with("the character being said"));
    d.source = "héllo";
    CHECK(computation.answer({2, d, focus}, {})
              ->unknown_words.starts_with("“é” is not among the 26 characters of this model"));
    d.source = "abcdefghijklm";
    CHECK(computation.answer({3, d, focus}, {})->typed_text ==
          "This model was trained on sentences of up to 12 characters; beyond that its answer is a "
          "guess");
    d.source = "a";
    CHECK(app::map_data(*computation.answer({4, d, focus}, {}))
              .subtitle.starts_with("the character being said"));
}

TEST_CASE("what is typed is told where it is not read, or longer than what a model learned") {
    app::Computation computation(2);
    Document d;
    d.model_file = app::shipped_model("en-fr-transformer");
    d.target.clear();
    const app::Focus focus{{trace::AttentionKind::cross, 1, 0}};
    const auto asked = [&](const std::string& source) {
        d.source = source;
        const auto s = computation.answer({1, d, focus}, {});
        REQUIRE(s->run);
        return s;
    };
    const auto said = [&](const std::string& source) {
        return app::said_line(*asked(source)->run, d.segmentation);
    };
    const std::string plain = said("the black cat sees the house");
    for (const char* marks : {".", "!", "!!!", "...", "…", " . ! "}) {
        INFO(marks);
        CHECK(said("THE BLACK CAT SEES THE HOUSE" + std::string(marks)) == plain);
    }
    CHECK(asked("the cat sees the house")->typed_text.empty());
    CHECK(asked("the cat sees the house!!!")->typed_text ==
          "This model reads the sentence without “!!!” at its end");
    CHECK(asked("did the cat see the house ?")->typed_text.empty());
    const std::string guess = "This model was trained on sentences of up to 15 words; beyond that "
                              "its answer is a guess";
    std::string words = "the";
    for (int i = 1; i < 15; ++i) words += " the";
    CHECK(asked(words)->typed_text.empty());
    CHECK(asked(words + " cat")->typed_text == guess);
    CHECK(asked(words + " cat.")->typed_text ==
          "This model reads the sentence without “.” at its end. " + guess);
    // However short its words are, they are words.
    CHECK(app::map_data(*asked("a")).subtitle.starts_with("the word being said"));
}

TEST_CASE("a word of the other language is none that this model has read, though it has a row") {
    app::Computation computation(2);
    for (const char* name : {"zh-en-bahdanau", "zh-en-transformer"}) {
        INFO(name);
        Document d;
        d.model_file = app::shipped_model(name);
        d.source = "我 吃 apple";
        d.target.clear();
        const auto s = computation.answer({1, d, {}}, {});
        REQUIRE(s->run);
        REQUIRE(s->run->model->words()->knows("apple"));
        const auto& source = s->run->input.source;
        CHECK(source[0].known);
        CHECK_FALSE(source[2].known);
        CHECK(s->unknown_words ==
              "This model reads Chinese: “apple” is a word that it says but has never read");
        d.source = "我 xyzzy apple cat";
        const auto both = computation.answer({2, d, {}}, {});
        CHECK(both->unknown_words.starts_with("“xyzzy” is not among the "));
        CHECK(both->unknown_words.ends_with(". This model reads Chinese: “apple” and “cat” are "
                                            "words that it says but has never read"));
        // What it says and what is typed for it to say it knows.
        d.source = "我 吃 苹果";
        d.target = "I eat an apple";
        CHECK(computation.answer({3, d, {}}, {})->unknown_words.empty());
    }
}

TEST_CASE("French that is typed for a model that reads English is marked, and English is not") {
    app::Computation computation(2);
    for (const char* name : {"en-fr-bahdanau", "en-fr-transformer"}) {
        INFO(name);
        Document d;
        d.model_file = app::shipped_model(name);
        d.source = "Le chat noir";
        d.target.clear();
        const auto s = computation.answer({1, d, {}}, {});
        REQUIRE(s->run);
        REQUIRE(s->run->model->words()->knows("chat"));
        for (const text::Token& token : s->run->input.source) CHECK_FALSE(token.known);
        CHECK(s->unknown_words == "This model reads English: “Le”, “chat” and “noir” are words "
                                  "that it says but has never read");
        // What it says it knows, and what both languages have.
        d.source = "Did Mary’s cat see THE orange on the table, Tom's sandwich and a photo?";
        d.target = "le chat noir";
        CHECK(computation.answer({2, d, {}}, {})->unknown_words.empty());
    }
}

TEST_CASE("every word of the English sources is known to be one, and French ones are not") {
    train::TaskOptions options;
    options.min_length = 2;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        for (const std::string& word : train::draw_pair(train::Task::en_fr, options, i).source) {
            INFO(word);
            CHECK(train::in_english_source(word));
        }
    }
    for (const char* word : {"le", "la", "les", "est", "chat", "noir", "ne", "pas", "l'", "hier"}) {
        INFO(word);
        CHECK_FALSE(train::in_english_source(word));
    }
}

TEST_CASE("the grammars write no Latin letter in Chinese and no Chinese one in English") {
    for (const train::Task task : {train::Task::zh_en, train::Task::en_zh}) {
        const bool chinese = task == train::Task::zh_en;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            for (const std::string& word : train::draw_pair(task, {}, i).source) {
                INFO(word);
                const bool han = std::ranges::any_of(word, [](char c) { // U+4E00 to U+9FFF
                    const auto byte = static_cast<unsigned char>(c);
                    return byte >= 0xE4 && byte <= 0xE9;
                });
                const bool letters = std::ranges::any_of(
                    word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
                CHECK_FALSE((chinese ? letters : han));
            }
        }
    }
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

TEST_CASE("where no attention chooses the context every view says what it is, and none attends") {
    Document document = speaker();
    auto& config = std::get<models::RecurrentConfig>(document.model);
    const auto answer = [&](app::View view) {
        app::Computation computation(1);
        app::ViewState state;
        state.view = view;
        const auto shown = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
        const auto figure = app::make_figure(*shown, state, 1400, 900);
        return std::pair(app::reading(*shown, state), figure::dump(figure));
    };
    const auto says = [&](const std::string& meaning) {
        for (const app::View view : {app::View::heatmap, app::View::lines, app::View::neurons,
                                     app::View::step, app::View::unrolled}) {
            const auto [words, drawn] = answer(view);
            INFO(app::info(view).name << ": " << words);
            CHECK(words.ends_with("The context is " + meaning + "."));
            CHECK(words.find("attends") == std::string::npos);
        }
        const auto [words, drawn] = answer(app::View::softmax);
        CHECK(words.empty());
        CHECK(drawn.find("There is no softmax in this context: it is " + meaning) !=
              std::string::npos);
    };
    config.context = models::Context::mean;
    says("the mean of all states");
    config.context = models::Context::last;
    says("the last state of each direction");
    config.bidirectional = false;
    says("the last state");
}
