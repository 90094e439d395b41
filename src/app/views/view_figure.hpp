// Figures of a snapshot and a view state: one row a view.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/merging.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/figure.hpp"
#include "figure/base/frame.hpp"
#include "files/tables.hpp"
#include "models/model/model.hpp"

#include <optional>
#include <string>

namespace heed::app {

/// A view, but for its name (ViewInfo) and its pointing and clicking (ui/view_rows.hpp).
struct ViewKind {
    View view;
    bool (*fits)(const models::Traits&);
    /// Null where the view is not made of a snapshot.
    figure::Figure (*figure)(const Snapshot&, const ViewState&, const figure::Frame&,
                             const Hovered&);
    /// The picture's content as numbers; null with the figure.
    files::Tables (*tables)(const Snapshot&, const ViewState&);
    std::string (*provenance)(const Snapshot&); // behind model and seed: what the picture is of
    /// The picture's content in words (reading.hpp); null where nothing is said.
    std::string (*reading)(const Snapshot&, const ViewState&);
    void (*need)(const ViewState&, Needs&) = nullptr; // null: nothing but the map
    /// The units that the picture's rows, columns and links are counted in; null where these are
    /// tokens, all of them or those that it draws.
    const TokenWords* (*units)(const Snapshot&) = [](const Snapshot&) -> const TokenWords* {
        return nullptr;
    };
    bool of_one_head = false; // and has as much to show of any other
    bool needs_model = false; // weights alone do not make it: kNeedsModel is said in its place
};
inline constexpr const char* kNeedsModel =
    "This file holds attention weights alone. Open the model that made them to see this.";
const ViewKind& view_kind(View view);

/// True where a model of this kind has something to show in a view.
bool fits(View view, const models::Config& config);
/// The view itself, or what stands for it where it does not fit.
View fitting(View view, const models::Config& config);

/// A view's needs of the engine beside the focused map.
Needs needs_of(const ViewState& state, const Focus& focus);
/// A line for a table, of what a view shows: model, size and seed, then the layer, head, stage and
/// controls that it depends on. Requires snapshot.run.
std::string provenance(const Snapshot& snapshot, View view);
/// A caption of a picture, in sentences: layer, head, stage and controls, but for what its title
/// says already; the model with its seed; the text. Requires snapshot.run.
std::string caption(const Snapshot& snapshot, const ViewState& state);

/// Words for a difference that is 0: nothing was changed, or nothing that reaches these weights.
/// Requires both runs.
std::string no_difference_words(const Snapshot& snapshot);
/// "pinned (temperature 3)": what the map is held against, with what is changed there, its model
/// where that is another, and `title`, the map's own where that is. Requires snapshot.reference
/// with a run.
std::string reference_named(const Snapshot& snapshot, const std::string& title = {});

/// True where a view's place is taken by kNeedsModel. Requires snapshot.run.
bool lacks_model(const Snapshot& snapshot, View view);

/// Place of a picture, beyond its size: the window draws controls of its own beside the title,
/// or leaves the title out where another picture above has it.
struct Place {
    float width = 0, height = 0; // points; 0 is the figure's own
    float beside_title = 0;      // points at the right of the title's line to be left free
    bool titled = true;
    bool reads = false; // says below the title what the picture shows; else its caption does
    std::optional<figure::Columns> above{}; // of the map that a picture of links stands below
    bool links_of_map = false;              // draws the links of a map, in place of the map
    bool in_file = false;                   // has no words to the user of a window
    figure::Marks marks{};                  // which of what is focused stands out among others
    bool grows = false;                     // may be higher: it is scrolled then
    float pixels = 0;                       // of the screen that it is for, a point
};

/// The one road from state to picture, for the window and for `heed export` alike.
/// Requires snapshot.run. A size of 0 is the figure's own.
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width,
                           float height);
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, const Place& place,
                           const Hovered& hovered = {});

/// The y at which the content of a picture here ends, above its caption. Requires snapshot.run.
float content_end(const Snapshot& snapshot, const ViewState& state, const Place& place);

} // namespace heed::app
