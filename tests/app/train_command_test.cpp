#include "app/cli.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace heed;

namespace {

struct Ran {
    int code;
    std::string out, err;
};

Ran run_heed(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"heed"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const auto outcome =
        app::run_cli(static_cast<int>(argv.size()), argv.data(), nullptr, out, err);
    return {outcome.exit_code, out.str(), err.str()};
}

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
    const Ran trained = run_heed(arguments);
    INFO(trained.err);
    REQUIRE(trained.code == 0);
    CHECK(trained.out == model + "\n");
    CHECK(trained.err.find("held-out loss") != std::string::npos);
    const auto lines = base::read_file(log, 1 << 20);
    REQUIRE(lines);
    CHECK(lines->starts_with("step,rate,loss"));

    const Ran judged =
        run_heed({"evaluate", model, "--sentences", "10", "--max-length", "5", "--json"});
    INFO(judged.err);
    REQUIRE(judged.code == 0);
    const auto json = tensors::parse_json(judged.out, "out");
    REQUIRE(json);
    for (const char* key :
         {"loss", "token_accuracy", "exact_match", "bleu", "alignment_error_rate", "by_length"}) {
        INFO(key);
        CHECK(json->contains(key));
    }

    const Ran attended = run_heed({"attend", "--model", model, "--source", "a b c", "--target",
                                   "c b a", "--stages", "weights"});
    INFO(attended.err);
    REQUIRE(attended.code == 0);
    CHECK(attended.out.find("⟨start⟩") != std::string::npos);
}

TEST_CASE("heed train says which flag is wrong, and what is allowed") {
    const auto complaint = [](std::vector<std::string> arguments) {
        const Ran ran = run_heed(arguments);
        CHECK(ran.code == 2);
        return ran.err;
    };
    CHECK(complaint({"train", "-o", "m.safetensors"}).find("--task: is needed") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "dance", "-o", "m.safetensors"}).find("none of copy") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "-o", "m.txt"}).find(".safetensors") !=
          std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--dropout", "2", "-o", "m.safetensors"})
              .find("--dropout") != std::string::npos);
    CHECK(complaint({"train", "--task", "copy", "--min-length", "9", "--max-length", "4", "-o",
                     "m.safetensors"})
              .find("--min-length") != std::string::npos);
    CHECK(complaint({"evaluate"}).find("model: is needed") != std::string::npos);
}

TEST_CASE("a drawn model is judged by no task but one that is named, and says no words") {
    const TemporaryFolder folder;
    const std::string model = folder / "drawn.safetensors";
    REQUIRE(run_heed({"model", "--size", "tiny", "-o", model}).code == 0);
    const Ran unnamed = run_heed({"evaluate", model});
    CHECK(unnamed.code == 1);
    CHECK(unnamed.err.find("--task") != std::string::npos);
    const Ran named = run_heed({"evaluate", model, "--task", "copy"});
    CHECK(named.code == 1);
    CHECK(named.err.find("says no words") != std::string::npos);
}
