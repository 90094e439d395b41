#include "train/data/own_sentences.hpp"

#include "base/file.hpp"
#include "train/classes.hpp"
#include "train/loop/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace heed;
using namespace heed::train;

namespace {

/// Words that count in threes, so that a model has something to find; every tenth line is bad.
std::string small_file(int lines) {
    const char* const words[] = {"un", "deux", "trois", "quatre", "cinq", "six", "sept"};
    std::string text = "\xEF\xBB\xBF";
    for (int i = 0; i < lines; ++i) {
        std::string source, target;
        for (int j = 0; j < 2 + i % 4; ++j) {
            const int word = (i * (j + 3) + i / 7 + j) % 7;
            source += fmt::format("{}{}", j == 0 ? "" : " ", words[word]);
            target = fmt::format("w{} {}", word, target);
        }
        text += i % 10 == 9 ? "no tab here\n" : source + "\t" + target + "\tCC-BY\n";
    }
    return text;
}

Plan own_plan(const std::string& path) {
    Plan plan = small_plan();
    use_own(plan.sentences, path);
    return plan;
}

} // namespace

TEST_CASE("a user's file is split without overlap, and what is bad in it is told") {
    const TemporaryFile file("pairs.tsv");
    REQUIRE(base::write_file_atomic(file.path, small_file(200)));
    Plan plan = own_plan(file.path);
    plan.sentences.max_length = 4;
    const auto dataset = dataset_of(plan);
    CHECK(dataset->left_out.bad.count == 20);
    CHECK(dataset->left_out.bad.first[0].line == 10);
    CHECK(dataset->left_out.by_length > 0);
    CHECK(words_of(dataset->left_out, false).starts_with("20 lines passed over, "));
    std::set<std::vector<Index>> held_out;
    for (const Example& example : dataset->held_out) {
        CHECK(held_out.insert(example.source).second); // once
        CHECK(example.source.size() <= 4);
    }
    REQUIRE(dataset->training.size() > 3 * dataset->held_out.size());
    for (const Example& example : dataset->training) CHECK_FALSE(held_out.contains(example.source));
    CHECK(dataset->provenance.task.ends_with("pairs.tsv"));
}

TEST_CASE("the vocabulary of a user's file is cut at the most frequent words") {
    const TemporaryFile file("pairs.tsv");
    REQUIRE(base::write_file_atomic(file.path, small_file(200)));
    Plan plan = own_plan(file.path);
    const auto all = dataset_of(plan)->vocabulary.size();
    plan.sentences.own.words = 10;
    const auto cut = dataset_of(plan);
    CHECK(cut->vocabulary.size() < all);
    num::ThreadPool pool(2);
    auto training = Training::begin(plan, cut, pool);
    REQUIRE(training);
    take(**training, 3, pool);
}

TEST_CASE("a file of which nothing is left is an error that says so") {
    const TemporaryFile file("pairs.tsv");
    REQUIRE(base::write_file_atomic(file.path, "a b c\tc b a\n"));
    const Plan plan = own_plan(file.path);
    const auto dataset = prepare_dataset(plan.task, plan.sentences);
    REQUIRE_FALSE(dataset);
    CHECK(dataset.error().kind == base::ErrorKind::out_of_range);
    CHECK(dataset.error().subject == file.path);
    const auto missing = prepare_dataset(plan.task, own_plan("/nowhere.tsv").sentences);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("of a task that ends in a label a line is the label and the text") {
    const TemporaryFile file("labelled.tsv");
    std::string text;
    for (int i = 0; i < 100; ++i) {
        text += fmt::format("{}\ttext number {}\n", i % 3 == 0 ? "rain" : "sun", i);
    }
    REQUIRE(base::write_file_atomic(file.path, text));
    TaskOptions options;
    use_own(options, file.path);
    LeftOut left_out;
    const auto data = own_sentences(Task::headlines_en, options, left_out);
    REQUIRE(data);
    CHECK(data->labels == std::vector<std::string>{"rain", "sun"});
    CHECK(data->training.size() + data->held_out.size() == 100);
    CHECK(data->training[0].label >= 0);
}

TEST_CASE("a file is noted by its whole path, so that another folder finds it again") {
    TaskOptions options;
    use_own(options, "data/../mine.tsv");
    CHECK(options.own.file == (std::filesystem::current_path() / "mine.tsv").string());
    use_own(options, "/data/mine.tsv");
    CHECK(options.own.file == "/data/mine.tsv");
}

TEST_CASE("a training on a user's file is resumed as an unbroken one") {
    const TemporaryFile file("pairs.tsv"), checkpoint("own.checkpoint.safetensors");
    REQUIRE(base::write_file_atomic(file.path, small_file(200)));
    num::ThreadPool pool(2);
    const auto unbroken = begun(own_plan(file.path), pool);
    take(*unbroken, 3, pool);
    REQUIRE(unbroken->save(checkpoint.path, pool));
    auto resumed = Training::resume(checkpoint.path, pool);
    if (!resumed) FAIL(base::describe(resumed.error()));
    CHECK((*resumed)->plan() == unbroken->plan());
    take(*unbroken, 3, pool);
    take(**resumed, 3, pool);
    CHECK((*resumed)->model(pool)->archive().arrays.at("embedding.weight").values ==
          unbroken->model(pool)->archive().arrays.at("embedding.weight").values);
}

TEST_CASE("a training whose file holds other words now names that file") {
    const TemporaryFile file("pairs.tsv"), checkpoint("own.checkpoint.safetensors");
    REQUIRE(base::write_file_atomic(file.path, small_file(200)));
    num::ThreadPool pool(2);
    REQUIRE(begun(own_plan(file.path), pool)->save(checkpoint.path, pool));
    std::string others;
    for (int i = 0; i < 200; ++i) others += fmt::format("x{} y\ty x{}\n", i, i);
    REQUIRE(base::write_file_atomic(file.path, others));
    const auto resumed = Training::resume(checkpoint.path, pool);
    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().subject == file.path);
    CHECK(resumed.error().message.find("bring back the file") != std::string::npos);
}

TEST_CASE("embeddings begin with the word vectors of a file, as the network reads them") {
    const TemporaryFile pairs("pairs.tsv"), vectors("vectors.txt");
    REQUIRE(base::write_file_atomic(pairs.path, small_file(200)));
    std::string text = "2 16\n";
    for (const char* word : {"deux", "w3"}) {
        text += word;
        for (int i = 0; i < 16; ++i) text += fmt::format(" {}", 0.25 * i);
        text += "\n";
    }
    REQUIRE(base::write_file_atomic(vectors.path, text));
    num::ThreadPool pool(1);
    Plan plan = own_plan(pairs.path);
    plan.vectors = vectors.path;
    const auto training = begun(plan, pool);
    CHECK(training->words_filled() == 2);
    const auto model = training->model(pool);
    const auto table = model->archive().arrays.at("embedding.weight");
    const auto at = [&](const std::string& word, int feature) {
        return table.values[model->words()->row(word) * 16 + static_cast<std::size_t>(feature)];
    };
    for (const char* word : {"deux", "w3"}) {
        // A transformer multiplies with √d_model = 4.
        for (int i = 0; i < 16; ++i) CHECK(4 * at(word, i) == Approx(0.25 * i));
    }
    CHECK(4 * at("trois", 3) != Approx(0.75));

    Plan recurrent = own_plan(pairs.path);
    recurrent.model = small_recurrent();
    recurrent.vectors = vectors.path;
    const auto narrow = begun(recurrent, pool);
    CHECK(std::get<models::RecurrentConfig>(narrow->plan().model).embedding == 16);
    const auto source = narrow->model(pool)->archive().arrays.at("encoder.embedding.weight");
    CHECK(source.values[narrow->model(pool)->words()->row("deux") * 16 + 3] == Approx(0.75));

    Plan wide = own_plan(pairs.path);
    wide.model = small_transformer();
    wide.vectors = vectors.path;
    CHECK(models::traits(begun(wide, pool)->plan().model).width == 16);
    models::spec_of(wide.model)->n_heads = 32; // which do not divide 16
    CHECK(models::traits(begun(wide, pool)->plan().model).n_heads == 16);
}
