// The panels around the stage. Each is docked beside it, or put away; what is put away slides in
// over the stage while the pointer is at its edge, or until the key that called it is pressed
// again, or Escape.
#pragma once

#include "ui/frame/panel.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

inline constexpr float kTopBar = 48, kRail = 60; // points

/// Places around the stage in a room, and what is left for it.
struct Places {
    float spare = 1;                 // sizes at a window of the usual width, times this
    std::array<Box, kEdges> panels;  // docked or not, where each panel lies when it is seen
    std::array<bool, kEdges> docked; // beside the stage
    std::array<bool, kEdges> exists; // in this room, in a window of this height
    Box rail, stage;                 // an empty rail is part of the left panel

    const Box& of(Edge edge) const { return panels[index_of(edge)]; }
    bool docks(Edge edge) const { return docked[index_of(edge)]; }
    bool can_slide(Edge edge) const { return exists[index_of(edge)] && !docks(edge); }
};
Places places_of(const Ui& ui, const WindowState& state);

class EdgePanels {
  public:
    /// Draws the handles by which panels are put away and brought back, and decides which one lies
    /// over the stage. Before the stage is drawn.
    void begin(Panel& panel, const Places& places);
    /// The panel that lies over the stage, and where it is by now.
    std::optional<std::pair<Edge, Box>> over(const Places& places) const;
    /// The handles themselves, upon everything else of the window.
    void draw_handles(Panel& panel) const;

  private:
    struct Handle {
        Edge edge;
        Box box;
        bool docked = false, hovered = false;
        std::string word{}; // along it: what is behind it
    };
    void handle(Panel& panel, const Places& places, Edge edge);
    void follow(Panel& panel, const Places& places);

    std::vector<Handle> handles_;
    std::optional<Edge> open_, seen_; // seen_: as the last frame had it
    bool entered_ = false;            // the pointer has been in it
    bool sent_away_ = false;          // by Escape, and the pointer has not left the edge since
    bool asked_ = false;              // in the last frame there was a question above the pictures
    float share_ = 0;                 // of its way in
};

} // namespace heed::ui
