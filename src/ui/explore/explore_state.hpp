// State of the panels around the stage while the window is open.
#pragma once

#include "app/views/gallery.hpp"
#include "ui/explore/kept_section.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace heed::ui {

/// Widths of the two sentences in the top bar.
struct SentencePlaces {
    float note = 0;   // points, for what is told of a run
    float source = 0; // the source's share of the rest
    bool both = false; // there are two of them
};

/// The menu of the right button: what it is of, and where it opened.
struct ContextMenu {
    enum class Of { head, map, word } of = Of::map;
    Point at;
    int unit = 0;        // of a word: of the queries or the keys, as the map counts them
    bool of_key = false; // likewise
    std::shared_ptr<const models::Run> run{}; // whose heads and words they are
};

struct FoundModels; // ui/explore/gallery.hpp

/// The search in the model card and the settings that are looked at, until that is closed.
struct ModelSearch {
    std::string query;                        // as typed
    std::optional<std::size_t> at;            // what the arrows have chosen of what was found
    bool moved = false;                       // by them, in this frame
    std::shared_ptr<const FoundModels> found; // null: not looked for yet
    std::optional<models::Config> form;       // of a new model; none: of the open one, or like it
};

struct ExploreState {
    Scroll left_scroll, inspector_scroll;
    std::map<app::View, Scroll> left_scroll_of; // of rooms beside Explore, which have other rows
    std::optional<Renaming> renaming;
    std::optional<float> fader_at;           // of a weight, while it is held
    std::optional<SentencePlaces> sentences; // as they are held while one of them is typed
    std::string said;        // that the target's field began with, until it is changed
    std::string said_behind; // the target then
    std::optional<ContextMenu> menu;
    ModelSearch models;
    std::shared_ptr<app::Gallery> gallery; // made when it is first looked at
};

} // namespace heed::ui
