// Texts that checkpoints find by themselves, against `generate` of the transformers library:
// tests/reference/generation.py.
#include "app/temporary_folder.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/model/sampling.hpp"
#include "models/model/text_to_ids.hpp"
#include "models/open.hpp"
#include "paths.hpp"
#include "tensors/json.hpp"

#include <filesystem>

using namespace heed;
using namespace heed::models;

namespace {

namespace fs = std::filesystem;

tensors::Json read_cases() {
    const std::string path = HEED_SOURCE_DIR "/tests/models/generation.json";
    const auto bytes = base::read_file(path, 10 << 20);
    REQUIRE(bytes);
    auto json = tensors::parse_json(*bytes, path);
    REQUIRE(json);
    return *std::move(json);
}

void make_folder(const std::string& folder, const std::string& name, const std::string& settings) {
    fs::create_directories(folder);
    for (const char* file : {"config.json", "model.safetensors"}) {
        fs::copy_file(fs::path(HEED_SOURCE_DIR "/tests/models/checkpoints") / name / file,
                      fs::path(folder) / file);
    }
    REQUIRE(base::write_file_atomic(folder + "/generation_config.json", settings));
}

std::vector<text::Token> tokens_for(const std::vector<int>& ids) {
    std::vector<text::Token> tokens;
    for (const int id : ids) tokens.push_back({std::to_string(id), 0, 0, true, id});
    return tokens;
}

Input limited_input(const Model& model, const std::vector<int>& source, int limit) {
    Input input;
    const bool encodes = model.traits().encodes;
    (encodes ? input.source : input.target) = tokens_for(source);
    if (encodes) input.target = tokens_for({*model.text_to_ids()->decoder_start});
    input.decoding.limit = limit;
    return input;
}

std::vector<int> said_after(const Run& run, std::size_t given) {
    std::vector<int> ids;
    for (std::size_t i = given; i < run.trace.target.size(); ++i) {
        ids.push_back(run.trace.target[i].row);
    }
    return ids;
}

/// What the run read, which lacks the end that the library's text has.
void check_text(const Run& run, std::size_t given, std::vector<int> wanted) {
    const auto& ends = run.model->text_to_ids()->generation.ends;
    if (!wanted.empty() && std::ranges::find(ends, wanted.back()) != ends.end()) wanted.pop_back();
    CHECK(said_after(run, given) == wanted);
}

void check_beam(const Run& run, const tensors::Json& wanted) {
    REQUIRE(run.trace.beam);
    const trace::Beam& beam = *run.trace.beam;
    const auto& said = wanted["said"];
    REQUIRE(beam.hypotheses.size() == said.size());
    for (std::size_t h = 0; h < said.size(); ++h) {
        CAPTURE(h);
        std::vector<int> rows;
        const auto path = beam.path(static_cast<int>(h));
        for (const int node : path) {
            rows.push_back(static_cast<int>(beam.nodes[static_cast<std::size_t>(node)].row));
        }
        CHECK(rows == said[h].get<std::vector<int>>());
        const float total = beam.nodes[static_cast<std::size_t>(path.back())].total;
        const float score = total / std::pow(static_cast<float>(rows.size()), beam.length_penalty);
        CHECK(score == Approx(wanted["scores"][h].get<float>()).epsilon(1e-4));
    }
}

} // namespace

TEST_CASE("greedy texts and beams are those of the library's generate") {
    num::ThreadPool pool(2);
    int texts = 0;
    const tensors::Json cases = read_cases();
    for (const auto& one : cases["generated"]) {
        const auto name = one["model"].get<std::string>();
        CAPTURE(name, one["settings"].dump(), texts);
        const TemporaryFolder folder;
        make_folder(folder / "m", name, one["settings"].dump());
        const auto model = load_model(folder / "m", pool);
        if (!model) FAIL(base::describe(model.error()));
        const auto source = one["source"].get<std::vector<int>>();
        Input input = limited_input(**model, source, one["limit"].get<int>());
        const std::size_t given = input.target.size();
        for (const auto& wanted : one["runs"]) {
            const int width = wanted["width"].get<int>();
            CAPTURE(width);
            input.decoding.rule = width == 1 ? Decoding::Rule::greedy : Decoding::Rule::beam;
            input.decoding.beam_width = width;
            const auto made = run(*model, input, {}, pool);
            if (!made) FAIL(base::describe(made.error()));
            check_text(**made, given, wanted["said"][0].get<std::vector<int>>());
            if (width > 1) check_beam(**made, wanted);
            ++texts;
        }
    }
    CHECK(texts == 102);
}

TEST_CASE("the hypothesis that is followed is the one that the maps are of") {
    num::ThreadPool pool(2);
    const TemporaryFolder folder;
    make_folder(folder / "m", "bart", "{}");
    const auto model = load_model(folder / "m", pool).value();
    Input input = limited_input(*model, {5, 9, 30, 12}, 6);
    input.decoding.rule = Decoding::Rule::beam;
    input.decoding.followed = 2;
    const auto made = run(model, input, {}, pool).value();
    REQUIRE(made->trace.beam);
    CHECK(made->trace.beam->followed == 2);
    // Given as a target, its tokens make the same maps.
    Input forced = limited_input(*model, {5, 9, 30, 12}, 0);
    forced.target = made->trace.target;
    const auto again = run(model, forced, {}, pool).value();
    const trace::HeadId head{trace::AttentionKind::cross, 1, 2};
    CHECK(made->trace.map(head)->whole(trace::Stage::weights) ==
          again->trace.map(head)->whole(trace::Stage::weights));
}

TEST_CASE("a limit is told, and settings that are not followed are named") {
    num::ThreadPool pool(2);
    const TemporaryFolder folder;
    make_folder(folder / "m", "t5",
                R"({"eos_token_id": 999, "no_repeat_ngram_size": 3, "min_length": 0,
                    "bad_words_ids": [[5, 6], [7]], "repetition_penalty": 1.2,
                    "num_beam_groups": 1, "diversity_penalty": 0.5})");
    const auto model = load_model(folder / "m", pool).value();
    CHECK(model->text_to_ids()->generation.ignored ==
          std::vector<std::string>{"repetition_penalty", "diversity_penalty"});
    CHECK(model->text_to_ids()->generation.no_repeat == 3);
    CHECK(model->text_to_ids()->generation.bad_words == std::vector<std::vector<int>>{{5, 6}, {7}});
    CHECK(model->text_to_ids()->generation.never.empty());
    Input input = limited_input(*model, {5, 9, 30}, 4);
    input.decoding.rule = Decoding::Rule::greedy;
    const auto made = run(model, input, {}, pool).value();
    if (made->trace.target.size() == 5) CHECK(made->trace.stopped_at_limit);
    CHECK(made->trace.target.size() <= 5);
    input.decoding.sampling = {1.5f, 0, 1, 3};
    const auto drawn = run(model, input, {}, pool).value();
    CHECK(drawn->trace.target == run(model, input, {}, pool).value()->trace.target);
    input.decoding.sampling.seed = 4;
    CHECK(drawn->trace.target != run(model, input, {}, pool).value()->trace.target);
}

TEST_CASE("an end is no unwanted word, and a text of which nothing may be said ends") {
    num::ThreadPool pool(1);
    const TemporaryFolder folder;
    make_folder(folder / "m", "gpt2",
                R"({"eos_token_id": 20, "bad_words_ids": [[20], [5]], "no_repeat_ngram_size": 1})");
    const auto model = load_model(folder / "m", pool).value();
    CHECK(model->text_to_ids()->generation.bad_words == std::vector<std::vector<int>>{{5}});
    std::vector<int> all;
    for (int id = 0; id < static_cast<int>(model->vocabulary_size()); ++id) all.push_back(id);
    const auto read = tokens_for(all); // so none may come again
    num::RowVector<float> p = num::RowVector<float>::Constant(model->vocabulary_size(), 0.01f);
    forbid(*model, {read, read, 0}, p);
    CHECK(p(20) == 1);
    CHECK(p.sum() == 1);
}

TEST_CASE("a broken generation_config.json is refused by name") {
    num::ThreadPool pool(1);
    for (const char* text :
         {"{", "[]", R"({"eos_token_id": "two"})", R"({"eos_token_id": [1.5]})",
          R"({"bad_words_ids": 7})", R"({"bad_words_ids": [7]})", R"({"min_length": -3})",
          R"({"no_repeat_ngram_size": "3"})", R"({"no_repeat_ngram_size": 2.5})"}) {
        const TemporaryFolder folder;
        make_folder(folder / "m", "t5", text);
        const auto model = load_model(folder / "m", pool);
        REQUIRE_FALSE(model);
        CHECK(base::describe(model.error()).find("generation_config.json") != std::string::npos);
    }
}
