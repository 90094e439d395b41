// Text that a checkpoint reads by the tokeniser beside it.
#include "app/document/prepare_input.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "models/text_checkpoint.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

#include <filesystem>

using namespace heed;

namespace {

HeedRan attend(const std::string& model, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"attend", "--model", model};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return heed_ran(arguments);
}

std::vector<std::string> texts(const std::vector<text::Token>& tokens) {
    std::vector<std::string> list;
    for (const text::Token& token : tokens) list.push_back(token.text);
    return list;
}

} // namespace

TEST_CASE("a sentence and the ids of its tokens come to the same run") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    const HeedRan words = attend(folder / "m", {"--source", "the cat w7 sat", "--logits"});
    INFO(words.err);
    REQUIRE(words.code == 0);
    const HeedRan ids = attend(folder / "m", {"--source-ids", "0,1,7,2", "--logits"});
    REQUIRE(ids.code == 0);
    CHECK(words.out.find("\"w7\"") != std::string::npos); // tokens by their names, of ids as well
    CHECK(ids.out.find("\"w7\"") != std::string::npos);
    const auto arrays = [](const std::string& out) { return out.substr(0, out.find("_tokens")); };
    CHECK(arrays(words.out) == arrays(ids.out));
}

TEST_CASE("a text longer than a model has positions for is cut there, and told so") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    std::string many = "cat";
    for (int i = 1; i < 40; ++i) many += " cat";
    const HeedRan forty = attend(folder / "m", {"--source", many});
    INFO(forty.err);
    CHECK(forty.code == 0);
    CHECK(forty.complains("the text: 8 tokens past the first 32 are left out"));
    const HeedRan paste = attend(folder / "m", {"--source", [] {
                                                    std::string words;
                                                    for (int i = 0; i < 110000; ++i)
                                                        words += "cat ";
                                                    return words;
                                                }()});
    CHECK(paste.complains("the text: more than 100000 tokens past the first 32 are left out"));
}

TEST_CASE("a tokeniser of another model is told so") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    const std::string file = folder / "m/tokenizer.json";
    std::string json = base::read_file(file, 1 << 20).value();
    const auto at = json.find("\"cat\": 1");
    REQUIRE(at != std::string::npos);
    json.replace(at, 8, "\"cat\": 900");
    REQUIRE(base::write_file_atomic(file, json));
    const HeedRan ran = attend(folder / "m", {"--source", "the cat"});
    CHECK(ran.code == 1);
    INFO(ran.err);
    CHECK(ran.complains("tokeniser: gives cat the id 900; this model has the rows 0 to 60: the "
                        "tokeniser beside it is another model's"));
}

TEST_CASE("the two lines that convert a pickle are lines on the terminal") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    std::filesystem::remove(folder / "m/model.safetensors");
    REQUIRE(base::write_file_atomic(folder / "m/pytorch_model.bin", "PK"));
    const HeedRan ran = attend(folder / "m", {"--source", "the cat"});
    CHECK(ran.err.find("Convert it:\n  from transformers import GPT2LMHeadModel\n  GPT2") !=
          std::string::npos);
}

TEST_CASE("tokens keep the bytes that they are of, and unknown ones say so") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    num::ThreadPool pool(1);
    const auto model = models::load_model(folder / "m", pool).value();
    app::Document document;
    document.target = "the dog sat";
    const app::PreparedInput prepared = app::prepare_input(document, model.get());
    CHECK_FALSE(prepared.failed);
    const auto& tokens = prepared.input.target;
    REQUIRE(tokens.size() == 3);
    CHECK(texts(tokens) == std::vector<std::string>{"the", "w59", "sat"});
    CHECK(tokens[2].begin == 8);
    CHECK(tokens[2].end == 11);
    CHECK(tokens[0].known);
    CHECK_FALSE(tokens[1].known);
    // The token that stands for others is a word too, where it is written or said itself.
    document.target = "the w59 w60";
    const auto written = app::prepare_input(document, model.get()).input.target;
    CHECK(texts(written) == std::vector<std::string>{"the", "w59", "w59"});
    CHECK(written[1].known);
    CHECK_FALSE(written[2].known);
    document.written = {document.target, {0, 59, 59}};
    document.target = document.written.text = "the w59 w59";
    CHECK(app::prepare_input(document, model.get()).input.target[2].known);
    document.written = {};
    // The source stands in where a decoder alone has no target.
    document.source = "cat";
    document.target.clear();
    CHECK(texts(app::prepare_input(document, model.get()).input.target) ==
          std::vector<std::string>{"cat"});
    // What the table of positions has no rows for is cut, and counted.
    for (int i = 0; i < 99; ++i) document.source += " the";
    const app::PreparedInput long_one = app::prepare_input(document, model.get());
    CHECK(long_one.input.target.size() == 32);
    CHECK(long_one.target_dropped == 68);
}

TEST_CASE("a decoder beside an encoder reads its start, then the bare sentence") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m", "t5");
    num::ThreadPool pool(1);
    const auto model = models::load_model(folder / "m", pool).value();
    app::Document document;
    document.source = "the cat";
    document.target = "sat w9";
    const models::Input input = app::prepare_input(document, model.get()).input;
    CHECK(texts(input.source) == std::vector<std::string>{"the", "cat"});
    REQUIRE(input.target.size() == 3);
    CHECK(input.target[0].row == 0); // decoder_start_token_id
    CHECK(input.target[2].text == "w9");
    CHECK(models::run(model, input, {}, pool));
}

TEST_CASE("without a tokeniser text is refused with what is missing, and ids still run") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "m");
    std::filesystem::remove(folder / "m/tokenizer.json");
    const HeedRan ran = attend(folder / "m", {"--source", "the cat"});
    CHECK(ran.code != 0);
    CHECK(ran.err.find("tokenizer.json") != std::string::npos);
    CHECK(attend(folder / "m", {"--source-ids", "0,1"}).code == 0);
    REQUIRE(
        base::write_file_atomic(folder / "m/tokenizer.json", R"({"model": {"type": "Magic"}})"));
    const HeedRan broken = attend(folder / "m", {"--source", "the"});
    CHECK(broken.code != 0);
    CHECK(broken.err.find("tokenizer.json") != std::string::npos);
}

TEST_CASE("a checkpoint's folder opens the window, another folder says what it lacks") {
    const std::string folder = HEED_SOURCE_DIR "/tests/models/checkpoints/";
    const HeedRan other = heed_ran({folder});
    CHECK(other.code != 0);
    CHECK(other.complains("config.json"));
    const std::string checkpoint = folder + "gpt2";
    const char* const argv[] = {"heed", checkpoint.c_str()};
    std::ostringstream out, err;
    const auto outcome = app::run_cli(2, argv, nullptr, out, err);
    CHECK(outcome.open_window);
    CHECK(outcome.file == checkpoint);
}
