// Pointing: what one panel points at is lit in the others, upon pictures that are already there.
#pragma once

#include "app/views/view_figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

/// The query and the key that the pointer is at, wherever that is.
struct Pointed {
    std::optional<int> query, key;
    bool operator==(const Pointed&) const = default;
};

/// Says which query and key the pointer is at; every panel lights them in its next frame.
void point_out(Panel& panel, std::optional<int> query, std::optional<int> key);
/// Points out a place of the large map or, `links`, of a picture of links.
void point_out(Panel& panel, const figure::Hit& hit, bool links);
/// Lights what is pointed at upon the large map (or, `links`, upon a picture of links).
void draw_pointed(Panel& panel, const figure::Figure& picture, const Box& place, bool links);
/// The token that the pointer was at in the last frame, in whichever panel, as pictures of links
/// count it.
app::Hovered hovered_unit(const Panel& panel);

} // namespace heed::ui
