// One row a view: what its section of the left panel, pointing and clicking do beyond what every
// picture does. Its name and label: app/view_state.hpp; its figure and needs: app/view_figure.hpp.
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

/// What is null is as in any view.
struct ViewRow {
    app::View view;
    /// A section of the left panel.
    void (*options)(Panel&, Form&) = nullptr;
    /// What a hit says, and what a click on it does. False: as in any view.
    bool (*point)(Panel&, const Pointing&) = nullptr;
    /// The value of a cell or of a stripe's feature under the pointer.
    std::string (*value)(const Panel&, const figure::HeatCell&, const figure::Hit&) = nullptr;
    /// The value of a link that is none of the focused head's.
    std::string (*link)(const Panel&, const figure::Tag&) = nullptr;
};
const ViewRow& row_of(app::View view);

inline app::Shows shown_in(const Panel& p) { return app::info(p.state.view.view).shows; }

// Sections of single views.
void heatmap_options(Panel& panel, Form& form);
void lines_options(Panel& panel, Form& form);
void heads_options(Panel& panel, Form& form);
void scores_rows(Panel& panel, Form& form); // of heads: colours, filter, scatter
void neurons_options(Panel& panel, Form& form);
void flow_options(Panel& panel, Form& form);
void positions_options(Panel& panel, Form& form);
void softmax_options(Panel& panel, Form& form);

// Pointing at single views.
bool point_at_map(Panel& panel, const Pointing& pointing);
bool point_at_heads(Panel& panel, const Pointing& pointing); // those that are kept
bool point_at_scatter(Panel& panel, const Pointing& pointing); // of heads; false: none is shown
bool point_at_step(Panel& panel, const Pointing& pointing);
bool point_at_unrolled(Panel& panel, const Pointing& pointing);
bool point_at_beam(Panel& panel, const Pointing& pointing);
bool point_at_picture(Panel& panel, const Pointing& pointing);
bool point_at_inside(Panel& panel, const Pointing& pointing);

} // namespace heed::ui
