#include "app/cli/cli.hpp"
#include "app/cli/training_flags.hpp"
#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace heed;

namespace {

std::vector<std::string> small_training(const std::string& output) {
    return {"train", "--task",     "reverse", "--model",      "transformer", "--d-model",
            "16",    "--heads",    "2",       "--d-ff",       "24",          "--layers",
            "1",     "--steps",    "6",       "--batch",      "8",           "--sentences",
            "60",    "--held-out", "10",      "--max-length", "5",           "-o",
            output};
}

} // namespace

TEST_CASE("heed train writes a model that every command takes, and heed evaluate judges it") {
    const TemporaryFolder folder;
    const std::string model = folder / "reverse.safetensors", log = folder / "log.csv";
    auto arguments = small_training(model);
    arguments.insert(arguments.end(), {"--log", log, "--measure-every", "3"});
    const HeedRan trained = heed_ran(arguments);
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.out == model + "\n");
    CHECK(trained.err.find("held-out loss") != std::string::npos);
    const auto lines = base::read_file(log, 1 << 20);
    REQUIRE(lines);
    CHECK(lines->starts_with("step,rate,loss"));

    const HeedRan judged =
        heed_ran({"evaluate", model, "--sentences", "10", "--max-length", "5", "--json"});
    INFO(judged.err);
    REQUIRE(judged.code == 0);
    const auto json = tensors::parse_json(judged.out, "out");
    REQUIRE(json);
    for (const char* key :
         {"loss", "token_accuracy", "exact_match", "bleu", "alignment_error_rate", "by_length"}) {
        INFO(key);
        CHECK(json->contains(key));
    }

    const HeedRan attended = heed_ran({"attend", "--model", model, "--source", "a b c", "--target",
                                       "c b a", "--stages", "weights"});
    INFO(attended.err);
    REQUIRE(attended.code == 0);
    CHECK(attended.out.find("⟨start⟩") != std::string::npos);
}

TEST_CASE("heed train --architecture decoder-only learns to go on after the source") {
    const TemporaryFolder folder;
    const std::string model = folder / "decoder.safetensors";
    auto arguments = small_training(model);
    arguments.insert(arguments.end(), {"--architecture", "decoder-only"});
    const HeedRan trained = heed_ran(arguments);
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    const HeedRan judged =
        heed_ran({"evaluate", model, "--sentences", "10", "--max-length", "5", "--json"});
    INFO(judged.err);
    REQUIRE(judged.code == 0);
    const auto json = tensors::parse_json(judged.out, "out");
    REQUIRE(json);
    CHECK((*json)["alignment_error_rate"].is_number());
    CHECK((*json)["aligned_by"]["attention"] == "decoder");
    CHECK(heed_ran({"evaluate", model, "--sentences", "10", "--max-length", "5"})
              .out.find("of the decoder's self-attention to the source") != std::string::npos);

    // What is attended with a target holds both sentences.
    const HeedRan attended = heed_ran({"attend", "--model", model, "--source", "a b c", "--target",
                                       "c b a", "--stages", "weights"});
    INFO(attended.err);
    REQUIRE(attended.code == 0);
    CHECK(attended.out.find("⟨start⟩") != std::string::npos);
    CHECK(attended.out.find("7") != std::string::npos);
    CHECK(heed_ran({"attend", "--model", model, "--source", "a b c", "--stages", "weights"}).code ==
          0);
}

TEST_CASE("heed train --shape 1-n learns to speak from one word") {
    const TemporaryFolder folder;
    const std::string model = folder / "word.safetensors";
    const HeedRan trained = heed_ran(
        {"train", "--task",       "reverse", "--shape", "1-n", "--hidden",    "16", "--embedding",
         "8",     "--steps",      "4",       "--batch", "8",   "--sentences", "60", "--held-out",
         "10",    "--max-length", "5",       "-o",      model});
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    const HeedRan judged =
        heed_ran({"evaluate", model, "--sentences", "10", "--max-length", "5", "--json"});
    INFO(judged.err);
    REQUIRE(judged.code == 0);
    const auto json = tensors::parse_json(judged.out, "out");
    REQUIRE(json);
    CHECK((*json)["bleu"].is_number());
    CHECK((*json)["alignment_error_rate"].is_null());
    CHECK(heed_ran({"attend", "--model", model, "--source", "a b c"}).code == 0);
    const HeedRan topics =
        heed_ran({"train", "--task", "headlines-en", "--shape", "1-n", "-o", model});
    CHECK(topics.code == 2);
    CHECK(topics.err.find("of the shape 1-n, which learns copy") != std::string::npos);
}

TEST_CASE("heed train --model classifier learns topics, and every command takes what it wrote") {
    const TemporaryFolder folder;
    const std::string model = folder / "topics.safetensors";
    const HeedRan trained = heed_ran({"train", "--task", "headlines-en", "--model", "classifier",
                                      "--heads", "2", "--d-model", "16", "--dense", "24", "--steps",
                                      "30", "--sentences", "300", "--held-out", "40", "-o", model});
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.err.find("label accuracy") != std::string::npos);

    const HeedRan judged = heed_ran({"evaluate", model, "--sentences", "40", "--json"});
    INFO(judged.err);
    REQUIRE(judged.code == 0);
    const auto json = tensors::parse_json(judged.out, "out");
    REQUIRE(json);
    CHECK(json->at("accuracy") == json->at("exact_match"));
    CHECK(json->at("accuracy") == json->at("token_accuracy"));
    CHECK(json->at("bleu").is_null());
    CHECK(heed_ran({"evaluate", model, "--sentences", "40"}).out.find("nats per label") !=
          std::string::npos);

    const HeedRan attended = heed_ran({"attend", "--model", model, "--source", "minister resigns"});
    INFO(attended.err);
    REQUIRE(attended.code == 0);
    const auto arrays = tensors::parse_json(attended.out, "out");
    REQUIRE(arrays);
    CHECK(attended.out.find("self_attn.weights") != std::string::npos);
    CHECK(attended.out.find("class_probabilities") != std::string::npos);

    const std::string picture = folder / "map.svg";
    const HeedRan exported =
        heed_ran({"export", "--model", model, "--source", "minister resigns", "-o", picture});
    INFO(exported.err);
    CHECK(exported.code == 0);
    CHECK(base::read_file(picture, 1 << 24));

    const HeedRan other = heed_ran({"evaluate", model, "--task", "reverse"});
    CHECK(other.code == 1);
    CHECK(other.err.find("no labels") != std::string::npos);
}

TEST_CASE("a classifier can be drawn without training, and written") {
    const TemporaryFolder folder;
    const std::string model = folder / "drawn.safetensors";
    const HeedRan made =
        heed_ran({"model", "--model", "classifier", "--heads", "4", "--length", "50", "-o", model});
    INFO(made.err);
    REQUIRE(made.code == 0);
    const HeedRan from_file = heed_ran({"attend", "--model", model, "--source", "the cat sat"});
    const HeedRan drawn = heed_ran({"attend", "--model", "classifier", "--heads", "4", "--length",
                                    "50", "--source", "the cat sat"});
    INFO(from_file.err << drawn.err);
    CHECK(from_file.code == 0);
    CHECK(from_file.out == drawn.out);
}

TEST_CASE("heed train says which flag is wrong, and what is allowed") {
    const auto complaint = [](std::vector<std::string> arguments) {
        const HeedRan ran = heed_ran(arguments);
        CHECK(ran.code == 2);
        return ran.err;
    };
    CHECK(complaint({"train", "-o", "m.safetensors"}).find("--task: is needed") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "dance", "-o", "m.safetensors"}).find("not one of copy") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "-o", "m.txt"}).find(".safetensors") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--dropout", "2", "-o", "m.safetensors"})
              .find("--dropout") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--min-length", "9", "--max-length", "4", "-o",
                     "m.safetensors"})
              .find("--min-length") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--vocabulary", "50", "-o", "m.safetensors"})
              .find("--vocabulary: is of --data") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--shape", "n-n", "--context", "last", "-o",
                     "m.safetensors"})
              .find("--context: is of --shape n-m") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--model", "transformer", "--scheduled-sampling",
                     "0.5", "-o", "m.safetensors"})
              .find("--scheduled-sampling: is of seq2seq") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--model", "transformer", "--score", "additive",
                     "-o", "m.safetensors"})
              .find("--score: is of seq2seq, not of transformer") != std::string::npos);
    CHECK(complaint({"train", "--task", "headlines-en", "--model", "classifier", "--norm", "pre",
                     "-o", "m.safetensors"})
              .find("--norm: is of transformer") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--model", "classifier", "-o", "m.safetensors"})
              .find("learns headlines-zh, headlines-en and not copy") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--dense", "9", "-o", "m.safetensors"})
              .find("--dense") != std::string::npos);
    CHECK(complaint({"evaluate"}).find("model: is needed") != std::string::npos);
}

TEST_CASE("a drawn model is judged by no task but one that is named, and says no words") {
    const TemporaryFolder folder;
    const std::string model = folder / "drawn.safetensors";
    REQUIRE(heed_ran({"model", "--size", "tiny", "-o", model}).code == 0);
    const HeedRan unnamed = heed_ran({"evaluate", model});
    CHECK(unnamed.code == 1);
    CHECK(unnamed.err.find("--task") != std::string::npos);
    const HeedRan named = heed_ran({"evaluate", model, "--task", "copy"});
    CHECK(named.code == 1);
    CHECK(named.err.find("says no words") != std::string::npos);
}

namespace {

/// A flag that is there already gets the other value.
std::vector<std::string> with(std::vector<std::string> arguments,
                              std::initializer_list<std::string> more) {
    for (auto flag = more.begin(); flag != more.end(); flag += 2) {
        const auto at = std::find(arguments.begin(), arguments.end(), *flag);
        if (at != arguments.end()) arguments.erase(at, at + 2);
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// Of small_training, the same of a user's own file.
std::vector<std::string> own_training(const std::string& data, const std::string& output) {
    auto arguments = small_training(output);
    for (const char* flag : {"--task", "--sentences", "--held-out", "--max-length"}) {
        const auto at = std::find(arguments.begin(), arguments.end(), flag);
        arguments.erase(at, at + 2);
    }
    return with(arguments, {"--data", data});
}

std::string small_file() {
    std::string text;
    for (int i = 0; i < 120; ++i) {
        const std::string a(1, static_cast<char>('a' + i % 26));
        const std::string b(1, static_cast<char>('a' + i / 5 % 26));
        text += i % 40 == 39 ? "nothing\n" : a + " " + b + " 我\t" + b + " " + a + "\n";
    }
    return text;
}

} // namespace

TEST_CASE(
    "heed train learns from a user's file, names its bad lines, and heed evaluate judges by it") {
    const TemporaryFolder folder;
    const std::string data = folder / "mine.tsv", model = folder / "mine.safetensors",
                      vectors = folder / "vectors.txt";
    REQUIRE(base::write_file_atomic(data, small_file()));
    std::string line = "a";
    for (int i = 0; i < 16; ++i) line += " 0.5";
    REQUIRE(base::write_file_atomic(vectors, line + "\nb 0.5\n"));
    const HeedRan trained =
        heed_ran(with(own_training(data, model), {"--vectors", vectors, "--vocabulary", "20"}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.err.find("mine.tsv: line 40: it has no tab") != std::string::npos);
    CHECK(trained.err.find("3 lines passed over") != std::string::npos);
    CHECK(trained.err.find("vectors of 1 words, 1 line passed over") != std::string::npos);
    CHECK(trained.err.find("vectors.txt: line 2: it has 1 numbers instead of 16") !=
          std::string::npos);

    const HeedRan judged = heed_ran({"evaluate", model, "--data", data, "--json"});
    INFO(judged.err);
    CHECK(judged.code == 0);
    const HeedRan unnamed = heed_ran({"evaluate", model});
    CHECK(unnamed.code == 1);
    CHECK(unnamed.err.find("--data: is needed: the model was trained on a file, 'mine.tsv'") !=
          std::string::npos);
    CHECK(heed_ran({"train", "--data", folder / "gone.tsv", "-o", model}).code == 1);
    CHECK(heed_ran({"train", "--data", data, "--task", "copy", "-o", model}).code == 2);
}

TEST_CASE("a model is as wide as its word vectors, unless another width was asked for") {
    const TemporaryFolder folder;
    const std::string data = folder / "mine.tsv", vectors = folder / "vectors.txt";
    REQUIRE(base::write_file_atomic(data, small_file()));
    REQUIRE(base::write_file_atomic(vectors, "a 1 2 3 4 5 6 7 8 9 10 11 12\n"));
    const HeedRan taken =
        heed_ran({"train", "--data", data, "--vectors", vectors, "--model", "transformer",
                  "--steps", "2", "--layers", "1", "-o", folder / "m.safetensors"});
    INFO(taken.err);
    CHECK(taken.code == 0);
    CHECK(taken.err.find("the model is 12 wide, as they are, and has 4 heads\n") !=
          std::string::npos);
    const HeedRan asked = heed_ran(with(own_training(data, folder / "m.safetensors"),
                                        {"--vectors", vectors, "--d-model", "16"}));
    CHECK(asked.code == 2);
    CHECK(asked.err.find("--d-model: makes the model 16 wide, but its embedding begins with word "
                         "vectors of 12 numbers; leave it out, or give --d-model 12") !=
          std::string::npos);
    const HeedRan divided =
        heed_ran({"train", "--data", data, "--vectors", vectors, "--model", "transformer",
                  "--heads", "8", "-o", folder / "m.safetensors"});
    CHECK(divided.code == 2);
    CHECK(
        divided.err.find("--heads: is 8, which does not divide the 12 numbers of the word vectors; "
                         "leave it out, or give --heads 6") != std::string::npos);
    const HeedRan advised =
        heed_ran({"train", "--data", data, "--vectors", vectors, "--model", "transformer",
                  "--heads", "6", "--steps", "2", "--layers", "1", "-o", folder / "m.safetensors"});
    INFO(advised.err);
    CHECK(advised.code == 0);
}

TEST_CASE("a file whose aligning head cannot be one is refused with the head") {
    const TemporaryFolder folder;
    const std::string path = folder / "m.safetensors";
    num::ThreadPool pool(1);
    const auto model = models::load_model(app::shipped_model("reverse"), pool);
    REQUIRE(model);
    REQUIRE((*model)->provenance()->aligned_by);
    for (const int odd : {-1, 2147483647}) {
        trace::HeadId head = *(*model)->provenance()->aligned_by;
        head.layer = odd;
        REQUIRE((*model)->save(path, {head}));
        const auto read = models::load_model(path, pool);
        REQUIRE_FALSE(read);
        CHECK(read.error().message.find(std::to_string(odd)) != std::string::npos);
    }
}

TEST_CASE("a file of word vectors is noted by its whole path") {
    app::Given given;
    given.set("--task", "copy");
    given.set("--vectors", "data/../mine.txt");
    const auto plan = app::read_plan(given);
    REQUIRE(plan);
    CHECK(plan->vectors == (std::filesystem::current_path() / "mine.txt").string());
}

TEST_CASE("what was trained tells of the head that aligns best") {
    const TemporaryFolder folder;
    const std::string path = folder / "m.safetensors";
    const HeedRan trained =
        heed_ran(with(small_training(path), {"--architecture", "decoder-only"}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    num::ThreadPool pool(1);
    const auto model = models::load_model(path, pool);
    REQUIRE(model);
    REQUIRE((*model)->provenance()->aligned_by);
    CHECK((*model)->provenance()->aligned_by->kind == trace::AttentionKind::decoder_self);
}

TEST_CASE("the log has every step, and the curves are a figure") {
    const TemporaryFolder folder;
    const std::string log = folder / "log.csv", curves = folder / "curves.svg";
    const HeedRan trained = heed_ran(
        with(small_training(folder / "m.safetensors"),
             {"--log", log, "--curves", curves, "--steps", "700", "--measure-every", "650"}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    const std::string lines = folder.bytes("log.csv");
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 701);
    CHECK(lines.find("\n650,") != std::string::npos);
    const std::string svg = folder.bytes("curves.svg");
    CHECK(svg.find("Held-out sentence accuracy") != std::string::npos);
    CHECK(svg.find("transformer 1+1") != std::string::npos);
    CHECK(heed_ran(with(small_training(folder / "m.safetensors"), {"--curves", "c.txt"})).code ==
          2);
}

TEST_CASE("an optimiser that is named has the rate that is usual for it, unless one is given") {
    const TemporaryFolder folder;
    const auto rate_of_last = [&](std::initializer_list<std::string> more) {
        auto arguments = with(small_training(folder / "m.safetensors"),
                              {"--schedule", "constant", "--log", folder / "log.csv"});
        const HeedRan trained = heed_ran(with(arguments, more));
        INFO(trained.err);
        REQUIRE(trained.code == 0);
        const std::string lines = folder.bytes("log.csv");
        return std::strtod(lines.c_str() + lines.find(',', lines.find("\n6,")) + 1, nullptr);
    };
    const double usual = rate_of_last({});
    CHECK(usual > 0);
    CHECK(rate_of_last({"--optimizer", "adam"}) == usual);
    CHECK(rate_of_last({"--optimizer", "sgd"}) > 10 * usual);
    CHECK(rate_of_last({"--optimizer", "rmsprop"}) == usual);
    CHECK(rate_of_last({"--optimizer", "sgd", "--rate", "0.25"}) == 0.25);
}

TEST_CASE("where the best model is kept, the last one is judged beside the others") {
    const TemporaryFolder folder;
    const HeedRan trained = heed_ran(with(small_training(folder / "m.safetensors"),
                                          {"--steps", "25", "--measure-every", "10", "--patience",
                                           "50", "--log", folder / "log.csv"}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.err.find("step 25: held-out") != std::string::npos);
    const std::string lines = folder.bytes("log.csv");
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 26);
}

TEST_CASE("a training that gets no better ends early, with its best model") {
    const TemporaryFolder folder;
    const std::string log = folder / "log.csv";
    const HeedRan trained = heed_ran(with(small_training(folder / "m.safetensors"),
                                          {"--steps", "5000", "--measure-every", "10", "--patience",
                                           "2", "--rate", "0.5", "--log", log}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.err.find("best at step ") != std::string::npos);
    const std::string lines = folder.bytes("log.csv");
    CHECK(std::count(lines.begin(), lines.end(), '\n') < 1000);
    // The model that is written is that of the step which is named, not the last one.
    const auto best = std::strtoull(trained.err.c_str() + trained.err.find("best at step ") +
                                        std::strlen("best at step "),
                                    nullptr, 10);
    const std::string to_there = fmt::format("{}", best);
    const HeedRan short_one = heed_ran(
        with(small_training(folder / "best.safetensors"), {"--steps", to_there, "--rate", "0.5"}));
    REQUIRE(short_one.code == 0);
    CHECK(folder.bytes("best.safetensors") == folder.bytes("m.safetensors"));
}

TEST_CASE("heed train --film shows how attention formed, moving or as a sheet") {
    const TemporaryFolder folder;
    for (const char* name : {"film.gif", "film.svg"}) {
        auto arguments = small_training(folder / "model.safetensors");
        arguments.insert(arguments.end(), {"--film", folder / name});
        const HeedRan trained = heed_ran(arguments);
        INFO(trained.err);
        REQUIRE(trained.code == 0);
        const std::string bytes = folder.bytes(name);
        const bool moves = bytes.starts_with("GIF89a");
        CHECK(moves == (std::string(name) == "film.gif"));
        if (!moves) CHECK(bytes.find("step 0") != std::string::npos);
    }
    auto arguments = small_training(folder / "model.safetensors");
    arguments.insert(arguments.end(), {"--film", folder / "film.mp4"});
    const HeedRan refused = heed_ran(arguments);
    CHECK(refused.code == 2);
    CHECK(refused.err.find("--film") != std::string::npos);
}

TEST_CASE("heed train keeps the state that does best, as the window does, and says which") {
    const TemporaryFolder folder;
    const HeedRan trained =
        heed_ran(with(small_training(folder / "m.safetensors"),
                      {"--steps", "40", "--measure-every", "10", "--rate", "0.5"}));
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    const std::string kept = "kept: best at step ";
    REQUIRE(trained.err.find(kept) != std::string::npos);
    const auto best =
        std::strtoull(trained.err.c_str() + trained.err.find(kept) + kept.size(), nullptr, 10);
    const HeedRan there =
        heed_ran(with(small_training(folder / "best.safetensors"),
                      {"--steps", fmt::format("{}", best), "--rate", "0.5", "--keep", "last"}));
    INFO(there.err);
    REQUIRE(there.code == 0);
    CHECK(there.err.find("kept") == std::string::npos);
    CHECK(folder.bytes("best.safetensors") == folder.bytes("m.safetensors"));
    const auto small = small_training(folder / "no.safetensors");
    CHECK(heed_ran(with(small, {"--keep", "first"})).err.find("is not one of best, last") !=
          std::string::npos);
    CHECK(heed_ran(with(small, {"--keep", "last", "--patience", "3"})).err.find("beside --pat") !=
          std::string::npos);
}

TEST_CASE("of a file of labels heed train counts texts, of one of sentences pairs") {
    const TemporaryFolder folder;
    const std::string labels = folder / "labels.tsv", pairs = folder / "pairs.tsv";
    std::string texts, sentences;
    for (int i = 0; i < 60; ++i) {
        texts += fmt::format("{}\tword{} word{}\n", i % 2, i, i + 1);
        sentences += fmt::format("word{} a\ta word{}\n", i, i);
    }
    REQUIRE(base::write_file_atomic(labels, texts));
    REQUIRE(base::write_file_atomic(pairs, sentences));
    const HeedRan classes =
        heed_ran({"train", "--model", "classifier", "--heads", "2", "--d-model", "16", "--dense",
                  "24", "--steps", "1", "--data", labels, "-o", folder / "topics.safetensors"});
    INFO(classes.err);
    CHECK(classes.err.find(" texts to learn from, ") != std::string::npos);
    const HeedRan words = heed_ran({"train", "--data", pairs, "--steps", "1", "--hidden", "16",
                                    "--embedding", "8", "-o", folder / "words.safetensors"});
    INFO(words.err);
    CHECK(words.err.find(" pairs to learn from, ") != std::string::npos);
}
