#include "app/files/shipped_models.hpp"

#include "app/engine/computation.hpp"
#include "app/files/path_entries.hpp"
#include "app/files/settings.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"
#include "text/known_words.hpp"
#include "train/loop/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

using namespace heed;

TEST_CASE("every shipped model is small, loads, and tells what it was trained on") {
    num::ThreadPool pool(2);
    const auto names = app::shipped_models();
    REQUIRE_FALSE(names.empty());
    for (const std::string& name : names) {
        INFO(name);
        const std::string path = app::shipped_model(name);
        CHECK(std::filesystem::file_size(path) < 3'500'000);
        const auto model = models::load_model(path, pool);
        REQUIRE(model);
        REQUIRE((*model)->provenance());
        REQUIRE((*model)->words());
        const auto task = train::task_named((*model)->provenance()->task);
        REQUIRE(task);
        // Sentences that it never saw.
        train::TaskOptions options;
        options.training = 1;
        options.held_out = 60;
        options.max_length = 12;
        const auto dataset = train::prepare_dataset(*task, options);
        REQUIRE(dataset);
        const auto result = train::evaluate(pool, *model, **dataset, 60);
        REQUIRE(result);
        CHECK(result->measures.exact_match > 0.9);
        CHECK((*model)->provenance()->aligned_by.has_value() == result->aligned_by.has_value());
    }
}

TEST_CASE("a Chinese sentence is read the same with and without white space") {
    num::ThreadPool pool(2);
    const auto model = models::load_model(app::shipped_model("zh-en-bahdanau"), pool);
    REQUIRE(model);
    const text::Vocabulary& words = *(*model)->words();
    train::TaskOptions options;
    options.training = 1;
    options.held_out = 500;
    options.max_length = 15;
    const auto dataset = train::prepare_dataset(train::task_named("zh-en").value(), options);
    REQUIRE(dataset);
    int same = 0, all = 0;
    for (const train::Pair& pair : (*dataset)->pairs) {
        std::string written, spaced;
        for (const std::string& word : pair.source) {
            written += word;
            spaced += word + " ";
        }
        std::vector<std::string> read, said;
        for (const auto& t : text::tokenize(written, text::Segmentation::words, words)) {
            read.push_back(t.text);
        }
        for (const auto& t : text::tokenize(spaced, text::Segmentation::words, words)) {
            said.push_back(t.text);
            CHECK(t.known);
        }
        CHECK(said == pair.source);
        same += read == pair.source;
        ++all;
    }
    INFO(same << " of " << all);
    CHECK(same >= all * 97 / 100);
}

TEST_CASE("no other name is a shipped model") {
    CHECK(app::shipped_model("").empty());
    CHECK(app::shipped_model("../models/zh-en-bahdanau").empty());
    CHECK(app::shipped_model("nobody").empty());
}

TEST_CASE("the first opening is a trained model of the system's language, on its aligning head") {
    const char* const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    std::map<std::string, std::string> before;
    for (const char* name : variables) {
        if (const char* value = std::getenv(name)) before[name] = value;
    }
    const auto first = [&](const char* all, const char* language) {
        for (const char* name : variables) unsetenv(name);
        if (*all) setenv("LC_ALL", all, 1);
        setenv("LANG", language, 1);
        return app::first_opening();
    };
    CHECK(first("", "zh_CN.UTF-8").document.source == "我昨天吃了一个苹果");
    CHECK(first("C", "zh_CN.UTF-8").document.source == "the black cat did not eat the red apple");
    const app::Opening opening = first("", "de_DE.UTF-8");
    for (const char* name : variables) unsetenv(name);
    for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
    app::Computation computation(2);
    const auto snapshot = computation.answer({1, opening.document, opening.focus}, {});
    REQUIRE(snapshot->run);
    CHECK(opening.focus.head == snapshot->run->model->provenance()->aligned_by);
    std::string said;
    for (const auto& token : snapshot->run->trace.target) said += token.text + " ";
    CHECK(said == "\u27e8start\u27e9 le chat noir n'a pas mang\u00e9 la pomme rouge ");
}

TEST_CASE("every model that comes with Heed knows the words of the sentence it opens with") {
    num::ThreadPool pool(2);
    for (const std::string& name : app::shipped_models()) {
        INFO(name);
        const std::string path = app::shipped_model(name);
        const auto model = models::load_model(path, pool);
        REQUIRE((*model)->provenance());
        const app::Document d = app::opening_of(path, *(*model)->provenance()).document;
        for (const auto& t : text::tokenize(d.source, d.segmentation, *(*model)->words())) {
            CHECK(t.known);
        }
        CHECK_FALSE(app::shipped_title(name).kind.empty());
        CHECK((*model)->provenance()->exact_match.value_or(0) > 0.95);
    }
    CHECK(app::file_title(app::shipped_model("dates")).task == "Dates \u2192 ISO");
    CHECK(app::file_title("/elsewhere/dates.safetensors").task == "dates");
    const std::string own = app::models_folder() + "/zh-en-additive-attention-step-217.safetensors";
    CHECK(app::file_title(own).task ==
          "\u4e2d\u6587 \u2192 English \u00b7 additive attention \u00b7 step 217");
    CHECK(app::file_detail("/elsewhere/dates.safetensors") == "/elsewhere");
}

TEST_CASE("a model that was trained here is told by when it was written") {
    const TemporaryFolder data;
    ::setenv("XDG_DATA_HOME", data.path().c_str(), 1);
    const std::string own = app::models_folder() + "/copy-additive-attention-step-5.safetensors";
    std::filesystem::create_directories(app::models_folder());
    REQUIRE(base::write_file_atomic(own, "x"));
    CHECK(app::file_detail(own) == app::time_words(app::written_at(own)));
    CHECK(app::file_detail(own).size() == std::string("2026-11-22 18:04").size());
    ::unsetenv("XDG_DATA_HOME");
}

TEST_CASE("of the Chinese sentence ate looks at 吃") {
    app::Computation computation(2);
    app::Document document;
    document.model_file = app::shipped_model("zh-en-bahdanau");
    document.source = "我昨天吃了一个苹果";
    document.target.clear();
    const auto snapshot = computation.answer({1, document, {}}, {});
    REQUIRE(snapshot);
    if (snapshot->error) FAIL(base::describe(*snapshot->error));
    std::string said;
    for (const auto& token : snapshot->run->trace.target) said += token.text + " ";
    CHECK(said == "I ate an apple yesterday ⟨end⟩ ");
    const auto map = snapshot->run->trace.map({trace::AttentionKind::cross, 0, 0});
    REQUIRE(map);
    const num::Matrix<float> weights = map->whole(trace::Stage::weights);
    const int strongest[] = {0, 2, 4, 5, 1}; // 我, 吃, 一个, 苹果, 昨天
    for (int word = 0; word < 5; ++word) {
        num::Index key = 0;
        weights.row(word).maxCoeff(&key);
        CHECK(key == strongest[word]);
    }
}

TEST_CASE("README's table of accuracies says what the models' files say") {
    const std::string readme =
        base::read_file(HEED_SOURCE_DIR "/README.md", std::size_t{1} << 20).value();
    num::ThreadPool pool(2);
    std::size_t rows = 0;
    for (const std::string& name : app::shipped_models()) {
        INFO(name);
        const std::size_t at = readme.find("| `" + name + "`");
        REQUIRE(at != std::string::npos);
        const std::string row = readme.substr(at, readme.find('\n', at) - at);
        const auto model = models::load_model(app::shipped_model(name), pool).value();
        const double share = 100 * model->provenance()->exact_match.value();
        std::string told = fmt::format("{:.1f} %", share);
        if (told == "100.0 %") told = "100 %";
        CHECK(row.find("| " + told) != std::string::npos);
        ++rows;
    }
    CHECK(rows == 9);
}

TEST_CASE("README's shares of an alignment error are those of its sentences") {
    const std::string readme =
        base::read_file(HEED_SOURCE_DIR "/README.md", std::size_t{1} << 20).value();
    num::ThreadPool pool(2);
    const auto model = models::load_model(app::shipped_model("en-fr-bahdanau"), pool).value();
    train::TaskOptions options; // as `heed evaluate` has them
    options.training = 1;
    options.min_length = 2;
    const auto dataset = train::prepare_dataset(train::Task::en_fr, options).value();
    const auto has = [](const std::vector<std::string>& words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    const auto error_of = [&](const auto& is_one) {
        train::Dataset part = *dataset;
        std::erase_if(part.pairs, [&](const train::Pair& pair) { return !is_one(pair); });
        const auto judged = train::evaluate(pool, model, part, part.pairs.size(), {}, 0).value();
        return fmt::format("{:.1f} %", 100 * judged.measures.alignment_error_rate.value());
    };
    const auto asks = [&](const train::Pair& pair) { return has(pair.source, "?"); };
    const auto denies = [&](const train::Pair& pair) { return has(pair.target, "pas"); };
    const auto told = [&](const std::string& words) { return readme.find(words) != readme.npos; };
    CHECK(told(error_of(asks) + " in questions"));
    CHECK(told(error_of([&](const auto& pair) { return !asks(pair) && denies(pair); }) +
               " in statements with *ne … pas*"));
    CHECK(told(error_of([&](const auto& pair) { return !asks(pair) && !denies(pair); }) +
               " in all other statements"));
}

TEST_CASE("a translator is found by its languages without accents, and by what it does") {
    for (const char* words : {"francais", "french", "english", "translate", "translation"}) {
        CHECK(app::task_keywords("English → français").find(words) != std::string::npos);
    }
    CHECK(app::task_keywords("中文 → English").find("zhongwen") != std::string::npos);
    CHECK(app::task_keywords("Reverse").empty());
}

TEST_CASE("the model of dates opens with a date as it is written, which is read as its letters") {
    num::ThreadPool pool(1);
    const std::string path = app::shipped_model("dates");
    const auto model = models::load_model(path, pool);
    const models::Provenance& learned = *(*model)->provenance();
    const app::Document d = app::opening_of(path, learned).document;
    CHECK(d.source == "8 May 2035");
    const auto words = [&](const std::string& source) {
        std::string read;
        for (const auto& t : text::tokenize(source, d.segmentation, *(*model)->words()))
            read += t.text + "|";
        return read;
    };
    CHECK(words(d.source) == words(learned.example));
}
