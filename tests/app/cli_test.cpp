#include "app/bench/bench.hpp"
#include "app/cli/attend_size.hpp"
#include "app/cli/cli.hpp"
#include "app/cli/command.hpp"
#include "app/document/names.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/prepare.hpp"
#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "files/picture.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

using namespace heed;
using trace::Stage;

namespace {

struct CliRan {
    int code;
    bool window;
    std::string out, err;
};

app::ScreenshotRequest seen_request;
int fake_screenshot(const app::ScreenshotRequest& request) {
    seen_request = request;
    return 0;
}

CliRan cli_ran(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"heed"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const auto outcome =
        app::run_cli(static_cast<int>(argv.size()), argv.data(), fake_screenshot, out, err);
    return {outcome.exit_code, outcome.open_window, out.str(), err.str()};
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

const std::vector<std::string> kTiny{"--size",      "tiny",     "--source",
                                     "The cat sat", "--target", "Le chat"};

} // namespace

TEST_CASE("heed without a command opens the window") {
    const CliRan ran = cli_ran({});
    CHECK(ran.window);
    CHECK(ran.code == 0);
}

TEST_CASE("the name of a trained model alone opens it in the window") {
    std::ostringstream out, err;
    const char* const words[] = {"heed", "repeat"};
    const app::CliOutcome outcome = app::run_cli(2, words, nullptr, out, err);
    CHECK(outcome.open_window);
    CHECK(outcome.file == app::shipped_model("repeat"));
}

TEST_CASE("heed --version and --help are answered with code 0 and open no window") {
    const CliRan version = cli_ran({"--version"});
    CHECK(version.code == 0);
    CHECK_FALSE(version.window);
    CHECK(version.out.starts_with("heed "));
    const CliRan help = cli_ran({"--help"});
    CHECK(help.code == 0);
    for (const app::Command& command : app::commands()) CHECK(contains(help.out, command.name));
}

TEST_CASE("the help of every command mentions each of its flags and ends with examples") {
    for (const app::Command& command : app::commands()) {
        const CliRan help = cli_ran({command.name, "--help"});
        CHECK(help.code == 0);
        for (const app::Flag& flag : command.flags) {
            INFO(command.name << " " << flag.name);
            CHECK(contains(help.out, flag.name));
        }
        CHECK(contains(help.out, "Examples:"));
        CHECK(contains(help.out, "  heed " + command.name));
    }
}

TEST_CASE("wrong usage is code 2 and names the flag and the allowed values") {
    const std::vector<std::string> to_nowhere{"-o", "/nowhere/x.pdf"};
    const auto check = [&](const std::vector<std::string>& arguments,
                           const std::vector<std::string>& parts) {
        const CliRan ran = cli_ran(arguments);
        INFO(ran.err);
        CHECK(ran.code == 2);
        CHECK(ran.out.empty());
        for (const std::string& part : parts) CHECK(contains(ran.err, part));
    };
    const auto exported = [&](const std::string& flag, const std::string& value,
                              const std::vector<std::string>& parts) {
        std::vector<std::string> arguments = std::vector<std::string>{"export"} + to_nowhere;
        if (flag != "--size") arguments = arguments + std::vector<std::string>{"--size", "tiny"};
        check(arguments + std::vector<std::string>{flag, value},
              std::vector<std::string>{flag} + parts);
    };
    check({"paint"}, {"heed: 'paint'", "export, attend, model, models, train, evaluate,",
                      "heed <command> --help"});
    check({"--colour"}, {"heed: --colour", "heed <command> --help"});
    check({"export", "--colour", "red"}, {"heed: --colour", "heed export --help"});
    check({"export", "map"}, {"heed: 'map'", "heed export --help"});
    check({"export", "--layer"}, {"heed: --layer", "heed export --help"});
    check({"export"}, {"--output"});
    check({"export", "-o", "map.jpg"}, {"--output", ".png", ".svg", ".pdf", ".csv", ".npy"});
    check({"export", "-o", "-"}, {"--format", "png"});
    check({"attend", "-o", "map.txt"}, {"--output", ".npz", ".safetensors", ".json"});
    check({"attend", "--stages", "weight"}, {"--stages", "weights", "masked"});
    check({"attend", "--head", "1"}, {"--head"});
    check({"model"}, {"--output", "is needed", ".safetensors"});
    check({"model", "-o", "a.bin"}, {"--output: 'a.bin' does not end in .safetensors"});
    check({"model", "-o", "-"}, {"--output: '-' does not end in .safetensors"});
    check({"attend", "--architecture", "encoder-only", "--scale", "off", "--apply-to", "decoder"},
          {"heed: --apply-to"});
    check({"bench", "--tokens", "x"}, {"--tokens", "from 1 to 2048"});
    check({"bench", "--tokens", "0"}, {"--tokens", "1"});
    check({"bench", "--threads", "1,x"}, {"--threads"});
    check({"bench", "--only", "nothing"}, {"--only", "base/full"});
    exported("--size", "huge", {"tiny", "small", "medium", "base"});
    exported("--model", "bert", {"transformer", ".safetensors"});
    exported("--architecture", "mlp", {"encoder-decoder", "encoder-only", "decoder-only"});
    exported("--d-model", "30", {"30", "4"});
    exported("--d-model", "x", {"whole number"});
    exported("--heads", "0", {"1 to"});
    exported("--layers", "-3", {"1 to"});
    exported("--seed", "-1", {"18446744073709551615"});
    exported("--view", "pie", {"heatmap", "heads", "lines", "stages", "positions", "softmax"});
    check(std::vector<std::string>{"export"} + to_nowhere +
              std::vector<std::string>{"--merge-words"},
          {"--merge-words", "--segmentation characters"});
    exported("--attention", "self", {"encoder", "decoder", "cross"});
    exported("--layer", "0", {"0 is not from 1 to 2"});
    exported("--layer", "3", {"3 is not from 1 to 2"});
    exported("--head", "0", {"0 is not from 1 to 4"});
    exported("--head", "5", {"5 is not from 1 to 4"});
    exported("--layer", "99999999999", {"99999999999 is not from 1 to 2"});
    exported("--stage", "logits", {"scores", "masked", "weights"});
    exported("--head", "x", {"whole number from 1"});
    exported("--mask", "window:x", {"whole number from 0"});
    for (const char* cell : {"1", "a,b", "0,1", "1,", ",", ""}) {
        exported("--select", cell, {"QUERY,KEY", "from 1 to 2048"});
    }
    exported("--select", "99,1", {"99,1"});
    for (const char* list : {"", "0", "1,", ",1", "a", "1;2"}) {
        exported("--from", list, {"list such as 2,5", "from 1 to 2048"});
        exported("--to", list, {"list such as 2,5", "from 1 to 2048"});
    }
    exported("--from", "1,99", {"99 lies outside of 10 queries"});
    exported("--to", "2,99", {"99 lies outside of 10 keys"});
    exported("--overlay", "1,5", {"5 lies outside of 4 heads"});
    exported("--mass", "1.5", {"1"});
    for (const char* list : {"", "5.3", "encoder", "encoder.5", "encoder.0.1", "encoder.1.1,",
                             "lexer.1.1", "encoder.1.1.1"}) {
        exported("--slots", list, {"encoder.5.3,cross.2.1"});
    }
    exported("--slots", "encoder.1.1,cross.9.1", {"no cross.9.1"});
    exported("--theme", "blue", {"light", "dark"});
    exported("--palette", "jet", {"amber", "ember", "grey"});
    exported("--range", "log", {"row", "map", "fixed"});
    exported("--colours", "log", {"linear", "logarithmic"});
    exported("--scale", "of", {"on, off"});
    exported("--scale", "nan", {"on, off"});
    exported("--mask", "casual", {"padding, causal, window:N"});
    exported("--temperature", "0", {"1e-06"});
    exported("--temperature", "nan", {"number"});
    exported("--score", "euclid", {"additive", "cosine"});
    exported("--positions", "gps", {"sinusoidal", "rotary"});
    exported("--norm", "mid", {"post", "pre"});
    exported("--join", "sum", {"add", "concat"});
    exported("--dropout", "1", {"0"});
    exported("--segmentation", "bpe", {"words", "characters"});
    exported("--pad-to", "5000", {"2048"});
    exported("--apply-to", "all", {"model", "encoder", "layer", "head"});
    exported("--png-scale", "0", {"16"});
    exported("--format", "gif", {"png"});
    exported("--source", "", {"is empty"});
    check({"screenshot", "-o", "x.png", "--window", "big"}, {"--window", "1600x1000"});
    check({"screenshot", "-o", "x.png", "--room", "attic"}, {"--room", "explore", "softmax"});
    check({"screenshot", "-o", "x.png", "--room", "softmax", "--view", "heads"}, {"--view"});
    check({"screenshot", "-o", "x.png", "--room", "train", "--model",
           app::shipped_model("en-fr-transformer")},
          {"--model"});
    check({"export", "-o", "x.png", "--combine", "most"}, {"--combine", "maximum"});
    check({"export", "-o", "x.png", "--combine", "sum", "--stage", "scores"}, {"--combine"});
    check({"screenshot", "-o", "x.png", "--lesson", "9-none"}, {"--lesson", "heed lesson"});
    check({"screenshot", "-o", "x.png", "--room", "learn", "--lesson", "3-a-head"}, {"--lesson"});
    check({"screenshot", "-o", "x.png", "--card", "post"}, {"--card", "models", "search"});
    check({"screenshot", "-o", "x.png", "--room", "train", "--card", "models"}, {"--card"});
    check({"screenshot", "-o", "x.png", "--presenting", "--card", "keys"}, {"--card"});
    check({"screenshot", "-o", "x.jpg"}, {"--output: 'x.jpg' does not end in .png"});
    check({"screenshot"}, {"--output: is needed", ".png"});
    const std::vector<std::string> shot{"screenshot", "-o", "x.png", "--size", "tiny"};
    check(shot + std::vector<std::string>{"--d-model", "30"}, {"--d-model: ", "30", "4"});
    check(shot + std::vector<std::string>{"--layer", "3"}, {"--layer: 3 is not from 1 to 2"});
    check(shot + std::vector<std::string>{"--head", "0"}, {"--head: 0 is not from 1 to 4"});
    check(shot + std::vector<std::string>{"--architecture", "encoder-only", "--attention", "cross"},
          {"--attention: this encoder-only model has no cross attention; it has encoder"});
    check(std::vector<std::string>{"export"} + to_nowhere + kTiny +
              std::vector<std::string>{"--layer", "3", "--apply-to", "layer", "--scale", "off"},
          {"heed: --layer: 3 is not from 1 to 2"});
}

TEST_CASE("a control has one range, in a flag and in a file") {
    const TemporaryFolder folder;
    const auto flag = [&](const std::string& name, const std::string& value) {
        return cli_ran(std::vector<std::string>{"attend", "--" + name, value} + kTiny);
    };
    const auto file = [&](const std::string& name, const std::string& value) {
        const std::string member = "\"" + name + "\": " + value + "}";
        REQUIRE(base::write_file_atomic(folder / "c.json",
                                        name == "dropout" ? "{" + member
                                                          : "{\"controls\": [{" + member + "]}"));
        return cli_ran(std::vector<std::string>{"attend", "--controls", folder / "c.json"} + kTiny);
    };
    const auto range = [](const std::string& message) {
        return message.substr(std::min(message.find(" is not from "), message.size()));
    };
    for (const auto& [name, good, bad] :
         {std::array{"temperature", "1e-6", "1e-7"}, std::array{"temperature", "1e6", "1.1e6"},
          std::array{"scale", "-1e6", "-1.1e6"}, std::array{"dropout", "0.999999", "1"}}) {
        INFO(name << ' ' << good << ' ' << bad);
        CHECK(flag(name, good).code == 0);
        CHECK(file(name, good).code == 0);
        CHECK(flag(name, bad).code == 2);
        CHECK(file(name, bad).code == 2);
        CHECK(contains(flag(name, bad).err, " is not from "));
        CHECK(range(file(name, bad).err) == range(flag(name, bad).err));
    }
}

TEST_CASE("without --attention a model shows the first kind of attention that it has") {
    const TemporaryFolder folder;
    const std::vector<std::string> decoder{
        "export", "--size", "tiny", "--architecture", "decoder-only", "-o", folder / "a.svg"};
    const CliRan ran = cli_ran(decoder);
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(contains(folder.bytes("a.svg"), "Decoder layer 1"));
    const CliRan asked = cli_ran(decoder + std::vector<std::string>{"--attention", "encoder"});
    CHECK(asked.code == 2);
    CHECK(contains(asked.err, "has no encoder attention; it has decoder"));
}

TEST_CASE("commands start from the trained model that the window opens with") {
    setenv("LC_ALL", "C", 1);
    const TemporaryFolder folder;
    const CliRan map = cli_ran({"export", "-o", folder / "a.svg"});
    INFO(map.err);
    REQUIRE(map.code == 0);
    CHECK(contains(folder.bytes("a.svg"), "Cross-attention layer 2"));
    CHECK(contains(folder.bytes("a.svg"), "chat"));
    CHECK(contains(folder.bytes("a.svg"), "English \u2192 fran\u00e7ais"));
    const CliRan numbers = cli_ran({"attend", "--source", "the black cat is small"});
    REQUIRE(numbers.code == 0);
    CHECK(contains(numbers.out, "\"noir\""));
    REQUIRE(cli_ran({"screenshot", "-o", "x.png"}).code == 0);
    CHECK(contains(seen_request.document.model_file, "en-fr-transformer"));
    CHECK(seen_request.document.source == app::first_opening().document.source);
    CHECK(seen_request.focus == app::first_opening().focus);
    // A shape is that of a drawn one; so is what `heed model` writes.
    CHECK(cli_ran({"screenshot", "--layers", "1", "-o", "x.png"}).code == 0);
    CHECK(seen_request.document.model_file.empty());
    const CliRan unknown = cli_ran({"export", "--source", "the xyzzy", "-o", folder / "b.svg"});
    CHECK(contains(unknown.err, "\u201cxyzzy\u201d is not among the "));
    // Whatever is looked at, it stands where the model aligns unless it is placed.
    REQUIRE(cli_ran({"export", "--attention", "encoder", "-o", folder / "c.svg"}).code == 0);
    CHECK(contains(folder.bytes("c.svg"), "Encoder layer 1"));
    REQUIRE(cli_ran({"export", "--model", "dates", "-o", folder / "d.svg"}).code == 0);
    CHECK(contains(folder.bytes("d.svg"), "Dates \u2192 ISO"));
    CHECK(contains(folder.bytes("d.svg"), "weight of a row is "));
}

TEST_CASE("a trained model reads as it was trained, whichever of its sentences are given") {
    const TemporaryFolder folder;
    const CliRan dates = cli_ran({"attend", "--model", "dates", "--source", "3 May 2021"});
    INFO(dates.err);
    CHECK(dates.code == 0);
    CHECK(dates.err.empty()); // characters, every one of which it knows
    REQUIRE(cli_ran({"screenshot", "--target", "le chat noir", "-o", "x.png"}).code == 0);
    CHECK(seen_request.document.source == app::first_opening().document.source);
    CHECK(seen_request.document.target == "le chat noir");
}

TEST_CASE("the pictures and numbers of the help's examples can be made") {
    const TemporaryFolder folder;
    for (const app::Command& command : app::commands()) {
        if (command.name != "export" && command.name != "attend" && command.name != "screenshot") {
            continue;
        }
        std::string line, joined;
        std::istringstream examples(command.examples);
        while (std::getline(examples, line)) {
            const bool goes_on = line.ends_with("\\");
            joined += goes_on ? line.substr(0, line.size() - 1) : line;
            if (goes_on || !joined.starts_with("  heed ")) continue;
            std::vector<std::string> arguments;
            std::istringstream words(joined);
            for (std::string word; words >> std::quoted(word);) arguments.push_back(word);
            arguments.erase(arguments.begin());
            joined.clear();
            INFO(line);
            const auto file = [](const std::string& word) {
                return word.ends_with("model.safetensors") || word == "c.json";
            };
            if (std::ranges::any_of(arguments, file)) continue; // of the reader's own
            for (std::string& word : arguments) {
                const bool output =
                    word.find('.') != std::string::npos && word.find(' ') == std::string::npos;
                if (output && !std::isdigit(static_cast<unsigned char>(word[0])))
                    word = folder / word;
            }
            const CliRan ran = cli_ran(arguments);
            INFO(ran.err);
            CHECK(ran.code == 0);
        }
    }
}

TEST_CASE("a measured case says its limit, and whether it holds") {
    using Of = app::BenchLimit::Of;
    const std::vector<app::BenchCase> cases = {
        {"matmul", 1024, 2, 10, 200, 0},
        {"reading", 0, 2, 10, 0, 25},
        {"model/gpt2", 32, 2, 30, 170, 0, {Of::product_rate, 0.8}},
        {"model/gpt2/append", 32, 2, 30, 0, 16, {Of::reading, 1.25}}};
    const std::string text = app::bench_text(cases), json = app::bench_json(cases);
    CHECK(text.find("limit 80 % of matmul: 85 %\n") != std::string::npos);
    CHECK(text.find("limit 1.25 x reading: 1.56 (does not hold)") != std::string::npos);
    CHECK(json.find("\"holds\": true") != std::string::npos);
    CHECK(json.find("\"holds\": false") != std::string::npos);
}

TEST_CASE("models lists what was trained, with the share that it gets right") {
    const CliRan table = cli_ran({"models"});
    CHECK(table.code == 0);
    CHECK(table.out.starts_with("model                    fully correct   task"));
    CHECK(contains(
        table.out,
        "en-fr-transformer               99.1 %   English \u2192 fran\u00e7ais, transformer"));
    CHECK(contains(table.out, "the black cat did not eat the red apple"));
    const CliRan ran = cli_ran({"models", "--json"});
    const auto json = tensors::parse_json(ran.out, "models").value();
    CHECK(json.size() == app::shipped_models().size());
    for (const auto& model : json) {
        INFO(model["name"]);
        CHECK(model["exact_match"].get<double>() > 0.95);
        CHECK_FALSE(model["sentence"].get<std::string>().empty());
        CHECK(std::filesystem::exists(model["file"].get<std::string>()));
    }
}

TEST_CASE("a picture without a ground is transparent at its corners, one with a ground is not") {
    const TemporaryFolder folder;
    for (const bool none : {true, false}) {
        const std::string path = folder / "map.png";
        const CliRan ran = cli_ran({"export", "--size", "tiny", "--source", "the cat", "--ground",
                                    none ? "none" : "white", "--width", "300", "-o", path});
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        const auto picture =
            files::read_png(base::read_file(path, std::size_t{1} << 24).value(), path).value();
        REQUIRE(picture.rgba.size() >= 4);
        CHECK(picture.rgba[3] == (none ? 0 : 255));
        CHECK(picture.rgba.back() == (none ? 0 : 255));
    }
}

TEST_CASE("a map without numbers in its cells has none in the file") {
    const TemporaryFolder folder;
    for (const bool numbers : {true, false}) {
        const std::string path = folder / "map.svg";
        std::vector<std::string> words{"export",   "--size",      "tiny", "--source", "the cat sat",
                                       "--no-bar", "--no-strips", "-o",   path};
        if (!numbers) words.push_back("--no-numbers");
        REQUIRE(cli_ran(words).code == 0);
        const std::string svg = base::read_file(path, std::size_t{1} << 24).value();
        CHECK(contains(svg, ">0.") == numbers);
    }
}

TEST_CASE("flags that a model file decides cannot stand beside it") {
    const CliRan ran =
        cli_ran({"export", "--model", "m.safetensors", "--size", "tiny", "-o", "x.png"});
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, "--size"));
}

TEST_CASE("a comparison of anything but maps is refused, and flow is of self-attention by itself") {
    const TemporaryFolder folder;
    const CliRan lines =
        cli_ran({"export", "-o", folder / "a.svg", "--view", "lines", "--compare", "side-by-side"});
    CHECK(lines.code == 2);
    CHECK(contains(lines.err, "--compare: holds maps against each other: leave --view out"));
    const CliRan flow = cli_ran(
        {"export", "-o", folder / "f.svg", "--view", "flow", "--model", "en-fr-transformer"});
    INFO(flow.err);
    CHECK(flow.code == 0);
}

TEST_CASE("export writes each format, without a display") {
    const TemporaryFolder folder;
    const auto magic = [&](const std::string& name) {
        const CliRan ran = cli_ran(std::vector<std::string>{"export", "-o", folder / name} + kTiny);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        return folder.bytes(name).substr(0, 6);
    };
    CHECK(magic("a.png") == "\x89PNG\r\n");
    CHECK(magic("a.pdf").starts_with("%PDF-"));
    CHECK(magic("a.npy") == "\x93NUMPY");
    CHECK(magic("a.npz").starts_with("PK"));
    CHECK(magic("a.csv").starts_with(",The"));
    magic("a.svg");
    CHECK(contains(folder.bytes("a.svg").substr(0, 200), "<svg"));
    CHECK(contains(folder.bytes("a.svg"), "cat"));
}

TEST_CASE("export writes the numbers of one head or of all, and of no picture") {
    const TemporaryFolder folder;
    const auto shape = [&](const std::vector<std::string>& flags) {
        const CliRan ran =
            cli_ran(std::vector<std::string>{"export", "-o", folder / "a.npy"} + flags + kTiny);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        return tensors::read_npy(folder.bytes("a.npy"), "a").value().shape;
    };
    using Shape = std::vector<std::int64_t>;
    CHECK(shape({"--of-heads", "all", "--attention", "cross"}) == Shape{8, 2, 3});
    CHECK(shape({"--of-heads", "one", "--combine", "mean"}) == Shape{3, 3});
    CHECK(shape({"--view", "flow"}) == Shape{3, 3}); // input and two layers
    CHECK(shape({"--view", "lines", "--overlay", "1,3"}) == Shape{2, 3, 3});
    const CliRan picture = cli_ran({"export", "-o", folder / "a.svg", "--of-heads", "all"});
    CHECK(picture.code == 2);
    CHECK(contains(picture.err, "--of-heads: is about numbers: write .csv, .npy or .npz"));
    const CliRan none = cli_ran(std::vector<std::string>{"export", "-o", folder / "a.csv", "--view",
                                                         "flow", "--attention", "cross"} +
                                kTiny);
    CHECK(none.code == 1);
    CHECK(contains(none.err, "Flow: has no numbers to export here"));
}

TEST_CASE("every view and both themes are exported") {
    const TemporaryFolder folder;
    for (const auto& view : app::names<app::View>()) {
        for (const char* theme : {"light", "dark"}) {
            const CliRan ran = cli_ran(
                std::vector<std::string>{"export", "-o", folder / "x.svg", "--view",
                                         std::string(view.name), "--theme", theme, "--scale", "off",
                                         "--mask", "causal", "--layer", "2", "--head", "2"} +
                kTiny);
            INFO(view.name << ran.err);
            CHECK(ran.code == 0);
        }
    }
}

TEST_CASE("every shape of a recurrent model is exported, unrolled and as numbers") {
    const TemporaryFolder folder;
    for (const auto& shape : app::names<models::Shape>()) {
        const std::vector<std::string> model = {
            "--model",  "seq2seq", "--shape",  std::string(shape.name),
            "--hidden", "16",      "--source", "the cat sat",
            "--target", ""};
        INFO(shape.name);
        for (const char* file : {"x.svg", "x.csv", "x.npy"}) {
            const CliRan ran = cli_ran(
                std::vector<std::string>{"export", "-o", folder / file, "--view", "unrolled"} +
                model);
            INFO(ran.err);
            CHECK(ran.code == 0);
        }
        const std::string picture = folder.bytes("x.svg");
        CHECK(contains(picture, "Unrolled"));
        CHECK(contains(picture, "only the first source word is read") ==
              (shape.value == models::Shape::one_to_n));
        if (shape.value == models::Shape::one_to_n) {
            cli_ran(
                std::vector<std::string>{"export", "-o", folder / "step.svg", "--view", "step"} +
                model);
            CHECK(contains(folder.bytes("step.svg"), "only the first source word is read"));
        }
        const CliRan attend = cli_ran(std::vector<std::string>{"attend", "-o", "-"} + model);
        CHECK(attend.code == 0);
        CHECK(contains(attend.out, ".weights") == (shape.value == models::Shape::n_to_m));
    }
    const CliRan other = cli_ran({"export", "-o", folder / "y.svg", "--model", "seq2seq", "--shape",
                                  "n-n", "--source", "the cat", "--head", "1"});
    CHECK(other.code == 2);
    CHECK(contains(other.err, "--head"));
}

TEST_CASE("a model from a file speaks freely where there is no target, as a drawn one does") {
    const TemporaryFolder folder;
    const std::string path = folder / "model.safetensors";
    REQUIRE(cli_ran({"model", "--model", "seq2seq", "--hidden", "16", "-o", path}).code == 0);
    const std::vector<std::string> words = {"--source", "the cat sat", "--limit", "4", "-o", "-"};
    const CliRan drawn =
        cli_ran(std::vector<std::string>{"attend", "--model", "seq2seq", "--hidden", "16"} + words);
    const CliRan read = cli_ran(
        std::vector<std::string>{"attend", "--model", path, "--stages", "scores,weights,context"} +
        words);
    INFO(read.err);
    CHECK(drawn.code == 0);
    CHECK(read.code == 0);
    CHECK(read.out == drawn.out);
}

TEST_CASE("heed model says of a model that has weights that it draws new ones") {
    const CliRan ran = cli_ran({"model", "--model", "reverse", "-o", "x.safetensors"});
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, "--model: 'reverse' has its weights already; what is drawn here is "
                            "transformer, seq2seq or classifier"));
}

TEST_CASE("export to standard output is the file's bytes and nothing else") {
    const TemporaryFolder folder;
    const CliRan to_file =
        cli_ran(std::vector<std::string>{"export", "-o", folder / "a.csv"} + kTiny);
    const CliRan to_out =
        cli_ran(std::vector<std::string>{"export", "-o", "-", "--format", "csv"} + kTiny);
    CHECK(to_out.code == 0);
    CHECK(to_out.out == folder.bytes("a.csv"));
    CHECK(to_file.out == folder / "a.csv\n");
}

TEST_CASE("an output that cannot be written is code 1, with a message and nothing left over") {
    const TemporaryFolder folder;
    for (const std::string& path : {std::string("/nowhere/x.pdf"), folder / "no/x.csv"}) {
        const CliRan ran = cli_ran(std::vector<std::string>{"export", "-o", path} + kTiny);
        CHECK(ran.code == 1);
        CHECK(contains(ran.err, path));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("controls from a file reach single heads, and flags add to them") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(
        folder / "c.json",
        R"({"controls": [{"attention": "encoder", "layer": 1, "head": 0, "mask": ["causal"]}]})"));
    const CliRan ran =
        cli_ran(std::vector<std::string>{"attend", "--controls", folder / "c.json", "--temperature",
                                         "2", "-o", folder / "t.json"} +
                kTiny);
    REQUIRE(ran.code == 0);
    const auto json = tensors::parse_json(folder.bytes("t.json"), "t").value();
    const auto value = [&](const char* name, int i) {
        return json["arrays"][name]["values"][static_cast<std::size_t>(i)].get<double>();
    };
    CHECK(value("encoder.layers.1.self_attn.weights", 1) == 0);     // head 0, query 0, key 1
    CHECK(value("encoder.layers.1.self_attn.weights", 9 + 1) != 0); // head 1
    CHECK(value("encoder.layers.0.self_attn.weights", 1) != 0);

    REQUIRE(base::write_file_atomic(folder / "bad.json", R"({"controls": [{"scale": 1e99}]})"));
    const CliRan bad =
        cli_ran(std::vector<std::string>{"attend", "--controls", folder / "bad.json"} + kTiny);
    CHECK(bad.code == 2);
    CHECK(contains(bad.err, "controls[0].scale"));
    const CliRan none =
        cli_ran(std::vector<std::string>{"attend", "--controls", folder / "no"} + kTiny);
    CHECK(none.code == 1);
}

TEST_CASE("attend writes the numbers of the run under torch's names, in all three formats") {
    app::Document document;
    for (const auto& size : models::named_sizes()) {
        if (std::string(size.name) != "tiny") continue;
        models::spec_of(document.model)->d_model = size.d_model;
        models::spec_of(document.model)->n_heads = size.n_heads;
        models::spec_of(document.model)->n_encoder_layers =
            models::spec_of(document.model)->n_decoder_layers = size.n_layers;
        models::spec_of(document.model)->d_ff = size.d_ff;
    }
    models::spec_of(document.model)->seed = 7;
    document.source = "The cat sat";
    document.target = "Le chat";
    num::ThreadPool pool(1);
    const auto model = app::prepare_model(document, pool).value();
    const auto run =
        models::run(model, app::prepare_input(document, nullptr).input, {}, pool).value();

    const TemporaryFolder folder;
    const std::vector<std::string> attend =
        std::vector<std::string>{"attend", "--seed", "7", "--stages", "weights,q,masked"} + kTiny;
    for (const char* name : {"t.npz", "t.safetensors", "t.json"}) {
        const CliRan ran = cli_ran(attend + std::vector<std::string>{"-o", folder / name});
        INFO(ran.err);
        REQUIRE(ran.code == 0);
    }
    const auto npz = tensors::read_npz(folder.bytes("t.npz"), "npz").value();
    const auto safetensors =
        tensors::read_safetensors(folder.bytes("t.safetensors"), "safetensors").value();
    CHECK(npz.strings.at("source_tokens") == std::vector<std::string>{"The", "cat", "sat"});
    CHECK(safetensors.strings.at("target_tokens") == std::vector<std::string>{"Le", "chat"});
    for (const auto* archive : {&npz, &safetensors}) {
        const auto& cross = archive->arrays.at("decoder.layers.1.multihead_attn.weights");
        CHECK(cross.shape == std::vector<std::int64_t>{4, 2, 3});
        const auto expected =
            run->trace.map({trace::AttentionKind::cross, 1, 2})->whole(Stage::weights);
        for (int i = 0; i < 6; ++i) {
            CHECK(cross.values[static_cast<std::size_t>(12 + i)] == expected.data()[i]);
        }
        CHECK(archive->arrays.at("encoder.layers.0.self_attn.q").shape ==
              std::vector<std::int64_t>{4, 3, 16});
        CHECK(archive->arrays.at("decoder.layers.0.self_attn.masked").shape ==
              std::vector<std::int64_t>{4, 2, 2});
        for (const char* name : {"encoder_input", "memory"}) {
            CHECK(archive->arrays.at(name).shape == std::vector<std::int64_t>{3, 64});
        }
        for (const char* name : {"decoder_input", "decoder_output"}) {
            CHECK(archive->arrays.at(name).shape == std::vector<std::int64_t>{2, 64});
        }
        CHECK_FALSE(archive->arrays.contains("encoder.layers.0.self_attn.scores"));
    }
    const auto json = tensors::parse_json(folder.bytes("t.json"), "json").value();
    CHECK(json["target_tokens"] == tensors::Json({"Le", "chat"}));
    const auto& masked = json["arrays"]["decoder.layers.0.self_attn.masked"];
    CHECK(masked["shape"] == tensors::Json({4, 2, 2}));
    CHECK(masked["values"][1].is_null()); // −inf: causal
    CHECK(cli_ran(attend).out == folder.bytes("t.json"));
}

TEST_CASE("the numbers of attend's arrays are known before the run") {
    app::Document document;
    models::spec_of(document.model)->d_model = 32;
    models::spec_of(document.model)->n_heads = 4;
    models::spec_of(document.model)->n_encoder_layers = 1;
    models::spec_of(document.model)->n_decoder_layers = 2;
    models::spec_of(document.model)->d_ff = 16;
    models::spec_of(document.model)->vocabulary = 64;
    document.source = "The cat sat";
    document.target = "Le chat";
    num::ThreadPool pool(1);
    for (const auto& architecture : app::names<models::Architecture>()) {
        for (const int pad_to : {0, 5}) {
            models::spec_of(document.model)->architecture = architecture.value;
            document.pad_to = pad_to;
            const auto model = app::prepare_model(document, pool).value();
            const auto input = app::prepare_input(document, nullptr).input;
            const auto run = models::run(model, input, {}, pool).value();
            for (const Stage stage : trace::kStages) {
                INFO(architecture.name << ' ' << pad_to << ' ' << trace::name(stage));
                double numbers = 0;
                for (const auto& layer : run->trace.layers) {
                    for (const auto& attention : layer->attentions) {
                        const trace::AttentionMap map(attention, 0);
                        numbers += 4.0 * static_cast<double>(map.rows(stage) * map.cols(stage));
                    }
                }
                CHECK(app::numbers_in(stage, document.model, input) == numbers);
            }
        }
    }
}

TEST_CASE("arrays beyond the memory's limit are refused before the model runs") {
    const TemporaryFolder folder;
    std::string words;
    for (int i = 0; i < 1000; ++i) words += "w ";
    const std::vector<std::string> attend{"attend",
                                          "--architecture",
                                          "encoder-only",
                                          "--d-model",
                                          "64",
                                          "--heads",
                                          "32",
                                          "--layers",
                                          "2",
                                          "--d-ff",
                                          "8",
                                          "--source",
                                          words,
                                          "--stages",
                                          "weights,q",
                                          "-o"};
    const CliRan json = cli_ran(attend + std::vector<std::string>{folder / "a.json"});
    CHECK(json.code == 2);
    CHECK(json.err == "heed: --stages: the arrays and their file would take 3.3 GB of memory "
                      "(weights 3.3, q 0.0); the limit is 3.0. Leave out stages, or words of the "
                      "sentences, or write .safetensors, which takes 0.5\n");
    const CliRan all =
        cli_ran(std::vector<std::string>{"attend", "--size", "base", "--source", words, "--stages",
                                         "all", "-o", folder / "a.safetensors"});
    CHECK(all.code == 2);
    CHECK(contains(all.err, "GB of memory"));
    CHECK_FALSE(contains(all.err, "or write"));
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a model that was written gives the same attention when it is read back") {
    const TemporaryFolder folder;
    const std::string file = folder / "m.safetensors";
    REQUIRE(cli_ran({"model", "--d-model", "32", "--heads", "2", "--layers", "1", "--d-ff", "48",
                     "--vocabulary", "100", "--seed", "3", "--norm", "pre", "-o", file})
                .code == 0);
    const CliRan back =
        cli_ran({"attend", "--model", file, "--source", "a b c", "--target", "x y"});
    INFO(back.err);
    CHECK(back.code == 0);
    const auto json = tensors::parse_json(back.out, "json").value();
    CHECK(json["arrays"]["encoder.layers.0.self_attn.weights"]["shape"] ==
          tensors::Json({2, 3, 3}));
    const CliRan other =
        cli_ran({"export", "--model", file, "-o", folder / "m.csv", "--layer", "2"});
    CHECK(other.code == 2);
    CHECK(cli_ran({"export", "--model", folder / "no.safetensors", "-o", folder / "m.csv"}).code ==
          1);
}

TEST_CASE(
    "the flag --apply-to with a layer or head of a model file means its first kind of attention") {
    const TemporaryFolder folder;
    const std::string file = folder / "m.safetensors";
    REQUIRE(
        cli_ran({"model", "--size", "tiny", "--architecture", "decoder-only", "-o", file}).code ==
        0);
    for (const char* scope : {"head", "layer"}) {
        const CliRan ran = cli_ran({"export", "--model", file, "--source", "a b c", "--apply-to",
                                    scope, "--scale", "off", "-o", folder / "a.svg"});
        INFO(ran.err);
        CHECK(ran.code == 0);
        CHECK(contains(folder.bytes("a.svg"), "scale off"));
    }
    const CliRan layer =
        cli_ran({"export", "--model", file, "--layer", "3", "-o", folder / "b.svg"});
    CHECK(layer.code == 2);
    CHECK(contains(layer.err, "heed: --layer: 3 is not from 1 to 2"));
    const CliRan shot = cli_ran({"screenshot", "--model", file, "-o", folder / "c.png"});
    CHECK(shot.code == 0);
    CHECK(seen_request.focus.head.kind == trace::AttentionKind::decoder_self);
    REQUIRE(base::write_file_atomic(file, "no model"));
    CHECK(cli_ran({"screenshot", "--model", file, "-o", folder / "c.png"}).code == 1);
}

TEST_CASE("controls for a layer or head that the model lacks are told its range") {
    const TemporaryFolder folder;
    for (const char* layer : {"2", "99999"}) {
        REQUIRE(base::write_file_atomic(
            folder / "c.json",
            "{\"controls\": [{\"scale\": \"off\", \"layer\": " + std::string(layer) + "}]}"));
        const CliRan ran =
            cli_ran(std::vector<std::string>{"attend", "--controls", folder / "c.json"} + kTiny);
        CHECK(ran.code == 2);
        CHECK(contains(ran.err, "there is no layer " + std::string(layer) +
                                    "; counted from 0, this model has 0 to 1"));
    }
}

TEST_CASE("the flag --apply-to narrows controls to a kind of attention, a layer or a head") {
    const auto weights = [&](const std::vector<std::string>& flags) {
        const CliRan ran = cli_ran(std::vector<std::string>{"attend"} + kTiny + flags);
        REQUIRE(ran.code == 0);
        return tensors::parse_json(ran.out, "json").value()["arrays"];
    };
    const char* encoder = "encoder.layers.0.self_attn.weights";
    const char* cross = "decoder.layers.0.multihead_attn.weights";
    const auto plain = weights({});
    const auto narrowed = weights({"--mask", "window:0", "--apply-to", "cross"});
    CHECK(narrowed[encoder] == plain[encoder]);
    CHECK(narrowed[cross]["values"][1] == 0);
    const auto wide = weights({"--mask", "window:0"});
    CHECK(wide[encoder]["values"][1] == 0);
}

TEST_CASE("on the command line painted cells count from 1, in a file from 0") {
    const TemporaryFolder folder;
    const auto weights = [&](const std::vector<std::string>& flags) {
        const CliRan ran = cli_ran(std::vector<std::string>{"attend"} + kTiny + flags);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        return tensors::parse_json(ran.out, "json")
            .value()["arrays"]["encoder.layers.0.self_attn.weights"]["values"];
    };
    const auto painted = weights({"--mask", "paint:2:3", "--apply-to", "encoder"});
    CHECK(painted[5] == 0); // query 1, key 2 of 3, from 0
    CHECK(painted[4] != 0);
    REQUIRE(base::write_file_atomic(
        folder / "c.json", R"({"controls": [{"attention": "encoder", "mask": "paint:1:2"}]})"));
    CHECK(weights({"--controls", folder / "c.json"}) == painted);
    const CliRan zero = cli_ran(std::vector<std::string>{"attend", "--mask", "paint:0:1"} + kTiny);
    CHECK(zero.code == 2);
    CHECK(contains(zero.err, "--mask: 0 is not from 1 to"));
    const CliRan picture = cli_ran(
        std::vector<std::string>{"export", "--mask", "paint:2:3", "-o", folder / "a.svg"} + kTiny);
    REQUIRE(picture.code == 0);
    CHECK(contains(folder.bytes("a.svg"), "Mask painted cell 2 → 3"));
}

TEST_CASE("a painted cell outside of the sentence is an error of --mask, and a note on a file") {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"attend"}, {"export", "-o", folder / "a.svg"}}) {
        const auto with = [&](const std::vector<std::string>& flags) {
            return cli_ran(command + kTiny + flags);
        };
        CHECK(with({"--mask", "paint:3:3"}).code == 0);
        const CliRan all = with({"--mask", "causal,paint:4:1"});
        CHECK(all.code == 2);
        CHECK(all.err == "heed: --mask: the painted cell 4:1 lies outside of queries × keys: "
                         "encoder 3 × 3, decoder 2 × 2, cross 2 × 3\n");
        const CliRan cross = with({"--mask", "paint:3:1", "--apply-to", "cross"});
        CHECK(cross.code == 2);
        CHECK(contains(cross.err, "3:1 lies outside of queries × keys: cross 2 × 3"));
        REQUIRE(
            base::write_file_atomic(folder / "c.json", R"({"controls": [{"mask": "paint:3:0"}]})"));
        const CliRan file = with({"--controls", folder / "c.json"});
        CHECK(file.code == 0);
        CHECK(contains(file.err, "the painted cell 4:1 lies outside"));
        CHECK(with({"--controls", folder / "c.json", "--mask", "causal"}).err.empty());
    }
}

TEST_CASE("tokens past the most that a run takes are left out, and that is said") {
    std::string words;
    for (int i = 0; i < 2060; ++i) words += "w ";
    const TemporaryFolder folder;
    const CliRan ran =
        cli_ran({"export", "--architecture", "encoder-only", "--d-model", "8", "--heads", "1",
                 "--layers", "1", "--d-ff", "8", "--source", words, "-o", folder / "x.npy"});
    CHECK(ran.code == 0);
    CHECK(contains(ran.err, "--source: 12 tokens"));
}

TEST_CASE("broken UTF-8 and every script are taken as sentences") {
    const TemporaryFolder folder;
    for (const char* source :
         {"a \xff\xfe b", "我昨天吃了一个苹果", "👩‍👩‍👧 é 한국어 العربية"}) {
        const CliRan ran =
            cli_ran({"export", "--size", "tiny", "--source", source, "-o", folder / "x.pdf"});
        INFO(ran.err);
        CHECK(ran.code == 0);
    }
}

TEST_CASE("screenshot hands its request to the window's own drawing") {
    const CliRan ran = cli_ran({"screenshot", "--room", "explore", "--window", "1280x720",
                                "--scale", "2", "--theme", "dark", "--size", "tiny", "--layer", "2",
                                "--view", "lines", "-o", "shot.png"});
    CHECK(ran.code == 0);
    CHECK(seen_request.width == 1280);
    CHECK(seen_request.height == 720);
    CHECK(seen_request.scale == 2);
    CHECK(seen_request.view.dark);
    CHECK(seen_request.view.view == app::View::lines);
    CHECK(seen_request.focus.head.layer == 1);
    CHECK(models::spec_of(seen_request.document.model)->d_model == 64);
    CHECK(seen_request.output == "shot.png");
    const CliRan other =
        cli_ran({"screenshot", "--size", "tiny", "--view", "unrolled", "-o", "shot.png"});
    CHECK(other.code == 0);
    CHECK(contains(other.err,
                   "--view unrolled: this model has nothing to show there; heatmap is drawn"));
    CHECK(seen_request.view.view == app::View::heatmap);
}

TEST_CASE("bench measures every case that it names, and its JSON says so") {
    const CliRan ran = cli_ran(
        {"bench", "--json", "--quick", "--tokens", "4", "--repetitions", "1", "--threads", "1"});
    REQUIRE(ran.code == 0);
    const auto json = tensors::parse_json(ran.out, "bench").value();
    std::map<std::string, tensors::Json> cases;
    for (const auto& entry : json["cases"]) cases[entry["name"].get<std::string>()] = entry;
    for (const char* name : {"base/full", "base/trace", "matmul", "train/small-seq2seq",
                             "base/toggle/encoder.0", "base/toggle/decoder.5", "snapshot/edit",
                             "figure/heatmap", "figure/heads", "figure/frame"}) {
        INFO(name);
        REQUIRE(cases.contains(name));
        CHECK(cases[name]["median_ms"].get<double>() > 0);
        CHECK(cases[name]["threads"] == 1);
    }
    CHECK(cases["base/full"]["tokens"] == 4);
    CHECK(cases["matmul"]["gflops"].get<double>() > 0);
    CHECK_FALSE(cases["figure/heatmap"].contains("gflops"));
}

TEST_CASE("the base model's work is counted as its published measurements count it") {
    CHECK(app::base_gflop(16) == Approx(1.42).margin(0.005));
    CHECK(app::base_gflop(32) == Approx(2.86).margin(0.005));
    CHECK(app::base_gflop(512) == Approx(54.76).margin(0.005));
}

TEST_CASE("where no window can be opened, the demonstration picture is written") {
    const TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    std::ostringstream out, err;
    const int code = app::export_demonstration("no display", out, err);
    std::filesystem::current_path(before);
    CHECK(code == 0);
    CHECK(contains(err.str(), "no display"));
    CHECK(folder.bytes("heed-demonstration.png").starts_with("\x89PNG"));
    CHECK(contains(out.str(), "heed-demonstration.png"));
}

TEST_CASE("heed with a file alone opens it in the window") {
    const TemporaryFolder folder;
    for (const char* name : {"a.json", "b.safetensors", "c.txt", "d"}) {
        REQUIRE(base::write_file_atomic(folder / name, "{}"));
        const std::string path = folder / name;
        const char* argv[] = {"heed", path.c_str()};
        std::ostringstream out, err;
        const auto outcome = app::run_cli(2, argv, fake_screenshot, out, err);
        CHECK(outcome.open_window);
        CHECK(outcome.file == path);
    }
    const CliRan none = cli_ran({folder / "none.json"});
    CHECK_FALSE(none.window);
    CHECK(none.code == 1);
    CHECK(contains(none.err, "none.json: there is no such file"));
    CHECK(cli_ran({"exprot"}).code == 2); // a command with a slip
    CHECK(cli_ran({folder / "a.json", folder / "a.json"}).code == 2);
    CHECK(contains(cli_ran({"--help"}).out, "heed session.json"));
}
