#include "app/files/settings.hpp"

#include "app/document/json_reader.hpp"
#include "app/document/names.hpp"
#include "app/document/session.hpp"
#include "base/file.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using tensors::Json;

namespace {

constexpr std::size_t kMaxBytes = 2 * kMaxSessionBytes; // they hold the session, and its dump

constexpr Named<ThemeChoice> kThemes[] = {
    {"system", ThemeChoice::system}, {"light", ThemeChoice::light}, {"dark", ThemeChoice::dark}};

std::string home_config() {
    // The base directory specification: a relative value is to be ignored.
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config != nullptr && config[0] == '/') return config;
    const char* home = std::getenv("HOME");
    return home != nullptr && home[0] == '/' ? std::string(home) + "/.config" : "";
}

Result<std::vector<std::string>> read_recent(const Json& json, const std::string& path) {
    if (!json.is_array()) return fail(ErrorKind::malformed, path, "a list was expected");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < json.size() && i < kMostRecent; ++i) {
        const auto entry = tensors::string(json[i], fmt::format("{}[{}]", path, i));
        if (!entry) return tl::make_unexpected(entry.error());
        list.push_back(*entry);
    }
    return list;
}

/// Words by files, of a few.
Result<std::map<std::string, std::string>> read_words(const Json& json, const std::string& path) {
    if (!json.is_object()) return fail(ErrorKind::malformed, path, "an object was expected");
    std::map<std::string, std::string> words;
    for (const auto& [file, value] : json.items()) {
        const auto entry = tensors::string(value, path);
        if (!entry) return tl::make_unexpected(entry.error());
        if (words.size() < kMostRecent) words[file] = *entry;
    }
    return words;
}

/// A name beside `path` that nothing has yet; empty when all are taken.
std::string free_name(const std::string& path) {
    std::error_code error;
    for (int i = 0; i < 100; ++i) {
        std::string name = path + ".broken" + (i == 0 ? "" : fmt::format(".{}", i));
        if (!std::filesystem::exists(name, error) && !error) return name;
    }
    return "";
}

std::string set_aside(const std::string& path, const base::Error& why) {
    const std::string aside = free_name(path);
    std::error_code error;
    if (!aside.empty()) std::filesystem::rename(path, aside, error);
    if (aside.empty() || error) {
        return fmt::format("The settings could not be read ({}), nor set aside ({}); the defaults "
                           "are used and the file is left as it is.",
                           base::describe(why), aside.empty() ? "too many" : error.message());
    }
    return fmt::format("The settings could not be read ({}). They were set aside as {}, and the "
                       "defaults are used.",
                       base::describe(why), aside);
}

} // namespace

template <> std::span<const Named<ThemeChoice>> names() { return kThemes; }

void note_recent(std::vector<std::string>& list, const std::string& entry) {
    const std::string kept = entry; // it may stand in the list
    std::erase(list, kept);
    list.insert(list.begin(), kept);
    if (list.size() > kMostRecent) list.resize(kMostRecent);
}

std::string models_folder() {
    const char* data = std::getenv("XDG_DATA_HOME");
    if (data != nullptr && *data == '/') return std::string(data) + "/heed/models";
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home == '/') return std::string(home) + "/.local/share/heed/models";
    return "/tmp/heed/models";
}

std::string settings_path() {
    const std::string config = home_config();
    return config.empty() ? "" : config + "/heed/settings.json";
}

Result<Settings> parse_settings(std::string_view bytes, const std::string& subject) {
    const auto json = tensors::parse_json(bytes, subject);
    if (!json) return tl::make_unexpected(json.error());
    Settings settings;
    JsonReader reader(*json, "");
    reader.take_name("theme", settings.theme);
    reader.take("window_width", settings.window_width, int_from(320, 16384));
    reader.take("window_height", settings.window_height, int_from(320, 16384));
    reader.take("ui_zoom", settings.ui_zoom, float_from({0.5, 4}));
    reader.take("panel_left", settings.panels.left, float_from({50, 1000}));
    reader.take("panel_right", settings.panels.right, float_from({50, 1000}));
    reader.take("panel_bottom", settings.panels.bottom, float_from({50, 1000}));
    reader.take("shows_left", settings.panels.shows_left, tensors::boolean);
    reader.take("shows_right", settings.panels.shows_right, tensors::boolean);
    reader.take("shows_bottom", settings.panels.shows_bottom, tensors::boolean);
    reader.take("cue_type", settings.cues.type, tensors::boolean);
    reader.take("cue_head", settings.cues.head, tensors::boolean);
    reader.take("cue_control", settings.cues.control, tensors::boolean);
    reader.take("session", settings.session, session_from_json);
    reader.take("session_file", settings.session_file, tensors::string);
    reader.take("folder", settings.folder, tensors::string);
    reader.take("written_folder", settings.written_folder, tensors::string);
    reader.take("recent_files", settings.recent_files, read_recent);
    reader.take("model_words", settings.model_words, read_words);
    reader.take("train_task", settings.train_task, tensors::string);
    reader.take("recent_commands", settings.recent_commands, read_recent);
    if (const auto ok = reader.done(); !ok) {
        return fail(ok.error().kind, subject, base::describe(ok.error()));
    }
    return settings;
}

std::string write_settings(const Settings& settings) {
    const Json json = {{"theme", name_of(settings.theme)},
                       {"window_width", settings.window_width},
                       {"window_height", settings.window_height},
                       {"ui_zoom", settings.ui_zoom},
                       {"panel_left", settings.panels.left},
                       {"panel_right", settings.panels.right},
                       {"panel_bottom", settings.panels.bottom},
                       {"shows_left", settings.panels.shows_left},
                       {"shows_right", settings.panels.shows_right},
                       {"shows_bottom", settings.panels.shows_bottom},
                       {"cue_type", settings.cues.type},
                       {"cue_head", settings.cues.head},
                       {"cue_control", settings.cues.control},
                       {"session", session_to_json(settings.session)},
                       {"session_file", settings.session_file},
                       {"folder", settings.folder},
                       {"written_folder", settings.written_folder},
                       {"recent_files", settings.recent_files},
                       {"model_words", settings.model_words},
                       {"train_task", settings.train_task},
                       {"recent_commands", settings.recent_commands}};
    return tensors::dump_json(json, 2) + "\n";
}

LoadedSettings load_settings(const std::string& path) {
    if (path.empty()) return {};
    const auto bytes = base::read_file(path, kMaxBytes);
    if (!bytes) {
        if (bytes.error().kind == ErrorKind::not_found) return {};
        if (bytes.error().kind == ErrorKind::out_of_range) {
            return {{}, set_aside(path, bytes.error())};
        }
        return {{},
                fmt::format("The settings could not be read ({}); the defaults are used.",
                            base::describe(bytes.error()))};
    }
    auto settings = parse_settings(*bytes, path);
    if (!settings) return {{}, set_aside(path, settings.error())};
    return {*std::move(settings), std::nullopt};
}

Result<void> save_settings(const Settings& settings, const std::string& path) {
    if (path.empty()) {
        return fail(ErrorKind::unwritable, "settings", "there is no home folder to keep them in");
    }
    std::error_code error;
    const auto folder = std::filesystem::path(path).parent_path();
    std::filesystem::create_directories(folder, error);
    if (error) {
        return fail(ErrorKind::unwritable, folder.string(),
                    "the folder cannot be made: " + error.message());
    }
    return base::write_file_atomic(path, write_settings(settings));
}

} // namespace heed::app
