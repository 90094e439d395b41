#include "app/files/settings.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sys/stat.h>

using namespace heed;
using app::load_settings;
using app::Settings;

namespace {

/// Sets a variable of the environment, and puts it back.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* was = std::getenv(name)) before_ = was;
        value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

Settings unusual_settings() {
    Settings settings;
    settings.theme = app::ThemeChoice::dark;
    settings.window_width = 1280;
    settings.window_height = 800;
    settings.ui_zoom = 1.25f;
    settings.written_folder = "/home/somebody/pictures";
    settings.model_words = {{"/gpt2", "12 × 12 heads · 768"}};
    settings.train_task = "reverse";
    settings.session.view.view = app::View::lines;
    settings.session.view.palette = figure::PaletteId::grey;
    settings.session.view.range = figure::RangeMode::row;
    settings.session.view.numbers = false;
    settings.session.view.caption = false;
    settings.session.document.source = "你好 \"world\"";
    models::spec_of(settings.session.document.model)->d_model = 64;
    settings.session.document.controls.norm = models::NormOrder::pre;
    settings.session.focus.head = {trace::AttentionKind::cross, 3, 2};
    settings.session.focus.stage = trace::Stage::masked;
    return settings;
}

} // namespace

TEST_CASE("settings are found where the base directory specification says") {
    {
        const Environment config("XDG_CONFIG_HOME", "/somewhere/else");
        CHECK(app::settings_path() == "/somewhere/else/heed/settings.json");
    }
    const Environment home("HOME", "/home/somebody");
    {
        const Environment config("XDG_CONFIG_HOME", nullptr);
        CHECK(app::settings_path() == "/home/somebody/.config/heed/settings.json");
    }
    const Environment config("XDG_CONFIG_HOME", "relative");
    CHECK(app::settings_path() == "/home/somebody/.config/heed/settings.json");
    const Environment no_home("HOME", nullptr);
    CHECK(app::settings_path().empty());
}

TEST_CASE("settings come back as they were saved, and the folder is made") {
    const TemporaryFolder folder;
    const std::string path = folder / "config/heed/settings.json";
    REQUIRE(app::save_settings(unusual_settings(), path).has_value());
    const auto loaded = load_settings(path);
    CHECK_FALSE(loaded.note.has_value());
    CHECK(loaded.settings == unusual_settings());
}

TEST_CASE("without a file the defaults hold and nothing is said") {
    const TemporaryFolder folder;
    const auto loaded = load_settings(folder / "settings.json");
    CHECK_FALSE(loaded.note.has_value());
    CHECK(loaded.settings == Settings{});
    CHECK(load_settings("").settings == Settings{});
}

TEST_CASE("a broken settings file is set aside with a note, and never overwritten") {
    const TemporaryFolder folder;
    const std::string path = folder / "settings.json";
    const std::string broken = "{\"theme\": \"dark\", ";
    REQUIRE(base::write_file_atomic(path, broken).has_value());
    const auto loaded = load_settings(path);
    REQUIRE(loaded.note.has_value());
    CHECK(loaded.note->find("settings.json.broken") != std::string::npos);
    CHECK(loaded.settings == Settings{});
    CHECK(folder.bytes("settings.json.broken") == broken);
    CHECK_FALSE(folder.holds("settings.json"));

    REQUIRE(base::write_file_atomic(path, "[]").has_value());
    REQUIRE(load_settings(path).note.has_value());
    CHECK(folder.bytes("settings.json.broken") == broken);
    CHECK(folder.bytes("settings.json.broken.1") == "[]");
}

TEST_CASE("a settings value out of its range names its place") {
    for (const auto& [json, place] :
         {std::pair(R"({"window_width": 3})", "window_width"),
          std::pair(R"({"ui_zoom": 100})", "ui_zoom"), std::pair(R"({"theme": "pink"})", "theme"),
          std::pair(R"({"session": {"view": {"range": 1}}})", "session.view.range"),
          std::pair(R"({"session": {"focus": {"layer": -1}}})", "session.focus.layer"),
          std::pair(R"({"session": {"document": {"model": {"d_model": 7}}}})",
                    "session.document.model"),
          std::pair(R"({"session": {"document": {"controls": {"norm": "x"}}}})",
                    "session.document.controls.norm")}) {
        const auto settings = app::parse_settings(json, "settings.json");
        REQUIRE_FALSE(settings.has_value());
        CHECK(base::describe(settings.error()).find(place) != std::string::npos);
    }
}

TEST_CASE("what a newer version wrote beside the known settings is left alone") {
    const auto settings = app::parse_settings(R"({"theme": "dark", "aura": 3})", "s");
    REQUIRE(settings.has_value());
    CHECK(settings->theme == app::ThemeChoice::dark);
}

TEST_CASE("an unwritable folder gives a message and the old file stands") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "file", "x").has_value());
    // A file where a folder should be: refused for every user, root too.
    const auto saved = app::save_settings(unusual_settings(), folder / "file/heed/settings.json");
    REQUIRE_FALSE(saved.has_value());
    CHECK(saved.error().kind == base::ErrorKind::unwritable);
    CHECK(folder.bytes("file") == "x");
    CHECK_FALSE(app::save_settings(unusual_settings(), "").has_value());
}

TEST_CASE("every cut of a settings file is refused") {
    const std::string json = app::write_settings(unusual_settings());
    for (std::size_t length = 0; length + 2 < json.size(); ++length) {
        CHECK_FALSE(app::parse_settings(json.substr(0, length), "s").has_value());
    }
}

TEST_CASE("recent files are kept, newest first, each once") {
    app::Settings settings;
    for (int i = 0; i < 12; ++i) app::note_recent(settings.recent_files, std::to_string(i));
    app::note_recent(settings.recent_files, settings.recent_files[2]);
    REQUIRE(settings.recent_files.size() == app::kMostRecent);
    CHECK(settings.recent_files[0] == "9");
    CHECK(settings.recent_files[1] == "11");
    CHECK(settings.recent_files[3] == "8");
    settings.session_file = "/a/b.json";
    settings.recent_commands = {"View: Flow"};
    const auto read = app::parse_settings(app::write_settings(settings), "settings");
    REQUIRE(read);
    CHECK(*read == settings);
    CHECK_FALSE(app::parse_settings(R"({"recent_files": [1]})", "settings"));
    CHECK_FALSE(app::parse_settings(R"({"session_file": []})", "settings"));
}
