// The other sentence that is made unasked: its words are nearest neighbours by a slow search.
#include "app/engine/computation.hpp"
#include "app/engine/inside_other.hpp"
#include "app/engine/inside_picture.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "models/model/sides.hpp"
#include "models/open.hpp"
#include "models/sentences.hpp"
#include "models/text_checkpoint.hpp"
#include "models/transformer/parameters.hpp"
#include "temporary_folder.hpp"
#include "train/tasks/task.hpp"

#include <cctype>
#include <set>
#include <sstream>
#include <string>

using namespace heed;
using num::Index;

namespace {

std::vector<text::Token> tokens_of_words(const std::vector<std::string>& words) {
    std::vector<text::Token> tokens;
    std::size_t at = 0;
    for (const std::string& word : words) {
        tokens.push_back({word, at, at + word.size()});
        at += word.size() + 1;
    }
    return tokens;
}

bool is_lower(const std::string& word) {
    return std::all_of(word.begin(), word.end(),
                       [](unsigned char c) { return c >= 'a' && c <= 'z'; });
}

/// The everyday word in small letters whose row is nearest by cosine, the first of equal ones.
std::string slow_nearest(const models::Model& model, const std::string& word) {
    const models::WordTable& table = models::transformer(model)->parameters().embedding;
    const Index own = model.vocabulary_row(word);
    const num::RowVector<double> x = table.row(own).cast<double>();
    double most = -2;
    std::string nearest;
    for (const std::string& other : text::everyday_words()) {
        const Index row = model.vocabulary_row(other);
        if (row == own || !is_lower(other)) continue;
        const num::RowVector<double> y = table.row(row).cast<double>();
        const double cosine = x.dot(y) / (x.norm() * y.norm());
        if (cosine <= most) continue;
        most = cosine;
        nearest = other;
    }
    return nearest;
}

} // namespace

TEST_CASE("a made sentence has one word in place of its nearest neighbour, the asked one first") {
    num::ThreadPool pool(2);
    for (const bool lists_words : {false, true}) {
        models::ModelSpec spec = models::tiny(models::Architecture::decoder_only);
        if (lists_words) spec = models::classifier_spec();
        const auto model = models::drawn(spec, pool);
        CHECK((model->words() != nullptr) == lists_words);
        const std::vector<std::string> words = {"the", "house", "is", "red"};
        const auto tokens = tokens_of_words(words);
        app::KnownWords known, once_more;
        const auto made =
            known.neighbour_sentences(model, "the house is red", tokens, "red", pool, {});
        REQUIRE(made.size() == 12); // three neighbours of four words
        CHECK(made[0] == "the house is " + slow_nearest(*model, "red"));
        CHECK(made[1] == "the " + slow_nearest(*model, "house") + " is red"); // the longest
        CHECK(made[2] == slow_nearest(*model, "the") + " house is red");
        CHECK(made[3] == "the house " + slow_nearest(*model, "is") + " red");
        num::ThreadPool other(1);
        CHECK(once_more.neighbour_sentences(model, "the house is red", tokens, "red", other, {}) ==
              made);
    }
}

TEST_CASE("punctuation, numbers and unknown words are not changed, and capitals stay capitals") {
    num::ThreadPool pool(1);
    const auto model = models::drawn(models::tiny(models::Architecture::decoder_only), pool);
    app::KnownWords known;
    const auto made = [&](const std::vector<std::string>& words, bool knows = true) {
        std::string sentence;
        for (const std::string& word : words) sentence += (sentence.empty() ? "" : " ") + word;
        auto tokens = tokens_of_words(words);
        for (text::Token& token : tokens) token.known = knows;
        return known.neighbour_sentences(model, sentence, tokens, "", pool, {});
    };
    CHECK(made({"!", "12", "…"}).empty());
    CHECK(made({"cat"}, false).empty());
    for (const std::string& sentence : made({"Cat", "12", "!"})) {
        CHECK(std::isupper(static_cast<unsigned char>(sentence[0])));
        CHECK(sentence.ends_with(" 12 !"));
    }
}

TEST_CASE("all neighbours of a sentence are found in one pass, and what is known is not read again") {
    num::ThreadPool pool(2);
    const auto model = models::drawn(models::tiny(models::Architecture::decoder_only), pool);
    const auto all = std::ssize(text::everyday_words());
    app::KnownWords known;
    const auto made = [&](const std::string& sentence, const std::vector<std::string>& words) {
        return known.neighbour_sentences(model, sentence, tokens_of_words(words), "", pool, {});
    };
    const auto first = made("the house is red", {"the", "house", "is", "red"});
    REQUIRE_FALSE(first.empty());
    CHECK(known.read().words == all);
    const Index rows = known.read().rows;
    CHECK(rows <= all + 4); // the words of the sentence, and each word once
    CHECK(made("the house is red", {"the", "house", "is", "red"}) == first);
    CHECK(known.read().rows == rows);
    const auto second = made("the cat is red", {"the", "cat", "is", "red"});
    CHECK(second[1] == "the " + slow_nearest(*model, "cat") + " is red");
    CHECK(known.read().words == all);
    CHECK(known.read().rows <= rows + all + 1); // for one word more
    // Another model has words of its own.
    const auto other = models::drawn(models::tiny(models::Architecture::encoder_only), pool);
    CHECK_FALSE(
        known.neighbour_sentences(other, "the cat", tokens_of_words({"the", "cat"}), "", pool, {})
            .empty());
    CHECK(known.read().rows <= all + 2);
}

TEST_CASE("a search for neighbours that is stopped again and again comes to its end") {
    num::ThreadPool pool(2);
    const auto model = models::drawn(models::tiny(models::Architecture::decoder_only), pool);
    const auto tokens = tokens_of_words({"the", "house", "is", "red"});
    app::KnownWords whole, known;
    const auto made = whole.neighbour_sentences(model, "the house is red", tokens, "", pool, {});
    std::stop_source stopped;
    stopped.request_stop();
    std::vector<std::string> last;
    int calls = 0;
    for (; last.empty() && calls < 1000; ++calls) {
        last = known.neighbour_sentences(model, "the house is red", tokens, "", pool,
                                         stopped.get_token());
    }
    CHECK(calls > 1);
    CHECK(last == made);
    CHECK(known.read().words == whole.read().words); // nothing twice
    CHECK(known.read().rows == whole.read().rows);
}

TEST_CASE("in a joint vocabulary the other word is of the source's language") {
    num::ThreadPool pool(2);
    for (const char* name : {"zh-en-transformer", "en-fr-transformer"}) {
        app::Document document;
        document.model_file = app::shipped_model(name);
        app::Computation computation(1);
        const auto snapshot = computation.answer({1, document, {}, {}}, {});
        REQUIRE(snapshot->run != nullptr);
        const models::Model& model = *snapshot->run->model;
        const auto task = train::task_named(model.provenance()->task);
        REQUIRE(task);
        train::TaskOptions options;
        options.training = 16'384;
        options.held_out = 8;
        options.min_length = 2;
        std::set<std::string> sources;
        const auto [training, held_out] = train::make_task(*task, options);
        for (const auto& pair : training) sources.insert(pair.source.begin(), pair.source.end());
        app::KnownWords known;
        for (int i = 0; i < 5; ++i) {
            const auto& words = held_out[static_cast<std::size_t>(i)].source;
            const auto sentence = train::joined(words);
            const auto made = known.neighbour_sentences(
                snapshot->run->model, sentence, tokens_of_words(words), "", pool, {});
            CHECK_FALSE(made.empty());
            for (const std::string& other : made) {
                std::istringstream read(other);
                for (std::string word; read >> word;) {
                    INFO(name << ": " << other);
                    CHECK(sources.contains(word));
                }
            }
        }
    }
}

TEST_CASE("another word is one that the task writes between the two beside it") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, {}}, {});
    REQUIRE(snapshot->run != nullptr);
    num::ThreadPool pool(1);
    app::KnownWords known;
    const std::set<std::string> modals = {"can", "will", "should", "must", "may"};
    std::size_t all = 0;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"the", "child", "sings"},
          {"she", "reads", "a", "letter", "in", "the", "garden"},
          {"the", "young", "teacher", "does", "not", "read", "the", "book"}}) {
        const auto made = known.neighbour_sentences(snapshot->run->model, train::joined(words),
                                                    tokens_of_words(words), "", pool, {});
        all += made.size();
        for (const std::string& other : made) {
            std::istringstream read(other);
            for (std::string word; read >> word;) {
                UNSCOPED_INFO(other);
                CHECK_FALSE(modals.contains(word));
            }
        }
    }
    CHECK(all >= 20);
    // No sentence of the task has these beside each other: any neighbour is better than none.
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"garden", "garden"}, {"Garden", "garden", "."}}) {
        INFO(train::joined(words));
        CHECK_FALSE(known
                        .neighbour_sentences(snapshot->run->model, train::joined(words),
                                             tokens_of_words(words), "", pool, {})
                        .empty());
    }
}

TEST_CASE("neighbours of words ask a checkpoint for nothing that its controls alone read") {
    num::ThreadPool pool(1);
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    const auto model = models::load_model(folder / "m", pool);
    REQUIRE(model);
    app::KnownWords known;
    const std::vector<text::Token> tokens = {{"the", 0, 3, true, 0}, {"cat", 4, 7, true, 1}};
    CHECK_FALSE(known.neighbour_sentences(*model, "the cat", tokens, "cat", pool, {}).empty());
    CHECK(models::transformer(**model)->usual_parameters().join.out() == 0);
}

namespace {

/// Inside of the French answer to a sentence, with all that is measured.
std::shared_ptr<const app::Snapshot> inside_of(const std::string& source) {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = source;
    document.target.clear();
    app::ViewState state;
    state.view = app::View::inside;
    app::Computation computation(2);
    auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    while (const auto more = computation.refine({})) snapshot = more;
    REQUIRE(snapshot->inside != nullptr);
    REQUIRE(snapshot->inside->other != nullptr);
    return snapshot;
}

} // namespace

TEST_CASE("in a long sentence the word that changes the answer is found, however short it is") {
    const auto snapshot =
        inside_of("the small black cat drinks the cold water and the big dog eats the red apple");
    const app::InsidePicture& now = *snapshot->inside;
    INFO(now.other_text);
    REQUIRE_FALSE(now.patched.empty());
    CHECK(now.corrupted.says != now.answer.says); // of "red", which is the last to be tried
}

TEST_CASE("a question is asked about its last word, not about its mark") {
    const auto snapshot = inside_of("do you like cold water");
    const app::InsidePicture& now = *snapshot->inside;
    const models::Model& model = *snapshot->run->model;
    CHECK(model.answer(now.question.word) != "?");
    CHECK(now.corrupted.says != now.answer.says);
}
