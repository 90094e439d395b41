// One row a view: what pointing and clicking do beyond what every picture does. Its name and label:
// app/document/view_state.hpp; its figure and needs: app/views/view_figure.hpp; what it lets one
// choose: ui/explore/view_section.cpp.
#pragma once

#include "figure/base/viewport.hpp"
#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// The pointer upon a target of a picture.
struct Pointing {
    const figure::Figure& figure;
    Point at; // in the picture
    const figure::Hit& hit;
    bool clicked;
};

/// A view's row; a member that is null is as in any view.
struct ViewRow {
    app::View view;
    /// Says what a hit is, and does what a click on it is to do. False: as in any view.
    bool (*point)(Panel&, const Pointing&) = nullptr;
    /// The value of a cell or of a stripe's feature under the pointer.
    std::string (*value)(const Panel&, const figure::HeatCell&, const figure::Hit&) = nullptr;
    /// The value of a link that is none of the focused head's.
    std::string (*link)(const Panel&, const figure::tag::Link&) = nullptr;
};
const ViewRow& row_of(app::View view);

} // namespace heed::ui
