// The settings that the program remembers between starts. $XDG_CONFIG_HOME/heed/settings.json, one
// JSON object; a key that is missing keeps its default.
#pragma once

#include "app/document/names.hpp"
#include "app/document/session.hpp"
#include "base/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

enum class ThemeChoice { system, light, dark };

/// Sizes of the window's side panels and of the strip, in points at a window of the usual width,
/// and whether they are docked beside the stage.
struct PanelSizes {
    float left = 268, right = 336, bottom = 132; // 50 to 1000
    bool shows_left = true, shows_right = true, shows_bottom = true;
    bool operator==(const PanelSizes&) const = default;
};

/// The first start's cues that are still to be followed.
struct Cues {
    bool type = false, head = false, control = false;
    bool operator==(const Cues&) const = default;
};

struct Settings {
    ThemeChoice theme = ThemeChoice::system;
    int window_width = 1600, window_height = 1000; // window units, 320 to 16384
    float ui_zoom = 1;                             // 0.5 to 4
    PanelSizes panels;
    Cues cues{true, true, true};
    Session session;                          // the last one
    std::string session_file;                 // where it was saved or opened last; or none
    std::string folder;                       // where a file was last opened or written; or none
    std::string written_folder;               // where one was last written; or none
    std::vector<std::string> recent_files;    // newest first, at most kMostRecent
    /// Words for those of them that were opened as models, by path: "12 × 12 heads · 768".
    std::map<std::string, std::string> model_words;
    std::vector<std::string> recent_commands; // the same
    std::string train_task;                   // that was last chosen in Train; or none
    bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kMostRecent = 8;
/// Puts a path or a name at the front, once; what is too many falls off the end.
void note_recent(std::vector<std::string>& list, const std::string& entry);

template <> std::span<const Named<ThemeChoice>> names();

/// $XDG_CONFIG_HOME/heed/settings.json, or ~/.config/… when that is unset or no absolute path.
/// Empty when there is no home either: nothing is then remembered.
std::string settings_path();
/// The folder of trained models: $XDG_DATA_HOME/heed/models, or ~/.local/share/heed/models; the
/// temporary folder where neither is known.
std::string models_folder();

/// Errors: malformed and out_of_range, each with the path of the member at fault.
base::Result<Settings> parse_settings(std::string_view bytes, const std::string& subject);
std::string write_settings(const Settings& settings);

struct LoadedSettings {
    Settings settings;
    std::optional<std::string> note; // what to tell the person: a file that was set aside
};

/// Defaults where there is no file. A file that cannot be understood is renamed to
/// settings.json.broken (a number follows when that is taken) and the note says so; when it can be
/// neither read nor set aside, the note says that and it is left as it is.
LoadedSettings load_settings(const std::string& path);

/// Makes the folder when it is missing and writes atomically. Errors: unwritable, with the reason;
/// the old file then stands.
base::Result<void> save_settings(const Settings& settings, const std::string& path);

} // namespace heed::app
