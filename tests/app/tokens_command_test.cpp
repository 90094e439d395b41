// heed tokens, in the program itself.
#include "app/cli/cli.hpp"
#include "catch.hpp"
#include "paths.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace heed;

namespace {

struct Said {
    int code;
    std::string out, err;
};

Said tokens(std::vector<const char*> words) {
    words.insert(words.begin(), {"heed", "tokens"});
    std::ostringstream out, err;
    const auto outcome =
        app::run_cli(static_cast<int>(words.size()), words.data(), nullptr, out, err);
    return {outcome.exit_code, out.str(), err.str()};
}

const std::string kBert = std::string(HEED_SOURCE_DIR) + "/tests/tokenizers/data/bert.json";

} // namespace

TEST_CASE("heed tokens prints ids, tokens and bytes of one text on one line") {
    const Said said = tokens({"--model", kBert.c_str(), "--text", "\xC3\xA9 a"});
    CHECK(said.code == 0);
    CHECK(said.out.starts_with("{\"ids\":[2,"));
    CHECK(said.out.ends_with("\"offsets\":[[0,0],[0,2],[3,4],[0,0]]}\n"));
    const Said bare = tokens({"--model", kBert.c_str(), "--text", "\xC3\xA9 a", "--no-special"});
    CHECK(bare.out.ends_with("\"offsets\":[[0,2],[3,4]]}\n"));
}

TEST_CASE("heed tokens says what to give") {
    CHECK(tokens({"--text", "a"}).err.find("--model: is needed") != std::string::npos);
    CHECK(tokens({"--model", kBert.c_str()}).err.find("--text: is needed") != std::string::npos);
    CHECK(tokens({"--model", kBert.c_str(), "--text", "a", "--lines", "b"}).code == 2);
    const Said shipped = tokens({"--model", "repeat", "--text", "a"});
    CHECK(shipped.code == 2);
    CHECK(shipped.err.find("words of its own and no tokeniser") != std::string::npos);
    CHECK(tokens({"--model", "/no/such/folder", "--text", "a"}).code == 1);
}
