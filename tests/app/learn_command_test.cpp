#include "app/learn/verdicts.hpp"
#include "app/learn/visits.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <cstdlib>
#include <fstream>
#include <optional>

using namespace heed;

namespace {

/// The settings' folder of one test.
class OwnSettings {
  public:
    OwnSettings() {
        if (const char* before = std::getenv("XDG_CONFIG_HOME")) before_ = before;
        ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    }
    ~OwnSettings() {
        if (before_) {
            ::setenv("XDG_CONFIG_HOME", before_->c_str(), 1);
        } else {
            ::unsetenv("XDG_CONFIG_HOME");
        }
    }
    OwnSettings(const OwnSettings&) = delete;
    OwnSettings& operator=(const OwnSettings&) = delete;
    const TemporaryFolder& folder() const { return folder_; }

  private:
    TemporaryFolder folder_;
    std::optional<std::string> before_;
};

tensors::Json lesson_json(const std::vector<std::string>& arguments) {
    const HeedRan ran = heed_ran(arguments);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return tensors::parse_json(ran.out, "learn").value();
}

} // namespace

TEST_CASE("heed learn lists fifteen pages, with the verdict of each one's last run") {
    const OwnSettings settings;
    auto list = lesson_json({"learn", "--json"});
    REQUIRE(list.size() == 15);
    for (const auto& page : list) {
        CHECK(page["name"].is_string());
        CHECK(page["title"].is_string());
        CHECK(page["verdict"].is_null());
    }
    CHECK(heed_ran({"learn"}).says("sqrt-dk           Why divide by √dₖ?\n"));
    REQUIRE(heed_ran({"learn", "masks"}).code == 0);
    list = lesson_json({"learn", "--json"});
    for (const auto& page : list) {
        if (page["name"] == "masks") CHECK(page["verdict"] == "does not hold");
        if (page["name"] == "steps") CHECK(page["verdict"].is_null());
    }
    CHECK(heed_ran({"learn"}).says("[does not hold]"));
}

TEST_CASE("heed learn measures a page and says what its numbers come to") {
    const OwnSettings settings;
    const auto json = lesson_json(
        {"learn", "sqrt-dk", "--json", "--set", "d_k=16", "--set", "keys=8", "--seed", "4"});
    CHECK(json["name"] == "sqrt-dk");
    CHECK(json["title"] == "Why divide by √dₖ?");
    CHECK(json["verdict"] == "holds");
    CHECK(json["measured"]["d_k"] == 16);
    CHECK(json["measured"]["variance_unscaled"].get<double>() == Approx(16).epsilon(0.05));
    CHECK(json["spread"]["variance_unscaled"].get<double>() > 0);
    CHECK(json["seeds"] == tensors::Json({4, 5, 6, 7, 8}));
    CHECK(json["because"].get<std::string>().find("dₖ is 16") != std::string::npos);
    CHECK(heed_ran({"learn", "masks", "--set", "added=-inf"}).says("holds: −∞ masks"));
    // A parameter that was changed asks another question than the list tells of.
    CHECK(lesson_json({"learn", "--json"})[1]["verdict"].is_null());
}

TEST_CASE("a text of several lines is one parameter") {
    const OwnSettings settings;
    const auto json = lesson_json(
        {"learn", "subwords", "--json", "--set", "text=aa ab\nab ab = b", "--set", "merges=1"});
    CHECK(json["measured"]["merges"] == 1);
}

TEST_CASE("what heed learn does not know is answered with what there is") {
    const OwnSettings settings;
    const HeedRan near = heed_ran({"learn", "mask"});
    CHECK(near.code == 2);
    CHECK(near.complains("name: there is no page 'mask'; do you mean masks?"));
    CHECK(heed_ran({"learn", "xyzzy"}).complains("'xyzzy' is not one of steps, sqrt-dk"));
    CHECK(heed_ran({"learn", "masks", "--set", "word=3"})
              .complains("--set word: no parameter has this name; there are added, words, width"));
    CHECK(heed_ran({"learn", "masks", "--set", "words=99"}).code == 2);
    CHECK(heed_ran({"learn", "masks", "--set", "words"})
              .complains("--set: 'words' is not NAME=VALUE"));
    CHECK(heed_ran({"learn", "masks", "-o", "masks.txt"})
              .complains("'masks.txt' ends in none of .png, .svg, .pdf"));
    CHECK(heed_ran({"learn", "--seed", "3"}).complains("--seed: is of one page: name it"));
    CHECK(heed_ran({"learn", "shuffle", "--set", "sentence=one"})
              .complains("sentence: has fewer than two words"));
}

TEST_CASE("a page becomes a picture") {
    const OwnSettings settings;
    for (const char* name : {"page.svg", "page.pdf", "page.png"}) {
        const std::string path = settings.folder() / name;
        REQUIRE(heed_ran({"learn", "masks", "-o", path}).code == 0);
        CHECK(settings.folder().bytes(name).size() > 10'000);
    }
    CHECK(settings.folder().bytes("page.svg").find("Does not hold") != std::string::npos);
    CHECK(heed_ran({"learn", "masks", "-o", settings.folder() / "no/such.png"}).code == 1);
}

TEST_CASE("what was visited is kept, and what cannot be read is nothing") {
    const TemporaryFolder folder;
    const std::string path = app::visits_path(folder / "new" + "/learn.json");
    CHECK(path.ends_with("visits.json"));
    CHECK(app::visits_path("").empty());
    const app::Visits visits{{"1-what", "a “card”"}, {"cost"}};
    REQUIRE(app::keep_visits(path, visits));
    CHECK(app::load_visits(path) == visits);
    CHECK(app::load_visits("") == app::Visits{});
    CHECK(app::load_visits(folder / "none") == app::Visits{});
    for (const char* wrong : {"", "[]", "{\"cards\": 3}", "{\"pages\": [1, null]}", "\xff"}) {
        REQUIRE(base::write_file_atomic(path, wrong));
        CHECK(app::load_visits(path) == app::Visits{});
    }
}

TEST_CASE("verdicts that cannot be read are none, and are written anew") {
    const OwnSettings settings;
    const std::string path = settings.folder() / "learn.json";
    for (const char* broken :
         {"", "[]", "{\"masks\": 3}", "{\"masks\": {\"verdict\": \"maybe\"}}"}) {
        std::ofstream(path) << broken;
        CHECK(app::load_verdicts(path).empty());
    }
    REQUIRE(app::keep_verdict(path, "masks", {lab::Verdict::depends, "because"}));
    REQUIRE(app::keep_verdict(path, "steps", {lab::Verdict::holds, "so"}));
    const app::Verdicts kept = app::load_verdicts(path);
    REQUIRE(kept.size() == 2);
    CHECK(kept.at("masks").verdict == lab::Verdict::depends);
    CHECK(kept.at("steps").because == "so");
    CHECK(app::load_verdicts("").empty());
    CHECK(app::keep_verdict("", "masks", {}));
}
