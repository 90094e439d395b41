// What the cards that export have in common: a format, a path, pixels, and the button that writes.
#pragma once

#include "ui/panel.hpp"

#include <optional>
#include <string>

namespace heed::ui {

/// A card that is open, in one frame. Its rows come from the top; each takes its place in `rest`.
struct ExportCard {
    Panel& p;
    ExportForm& form;
    Box rest;
    bool entered = false; // Enter in the field of the path

    /// The next row, and the distance from its top to that of the one below.
    Box row(float height, float step);
    /// The color of words beside something that only pictures have.
    Color ink() const;
};

/// `name` says what of the program is written, without a suffix: "heed-cross-2-1". It is followed
/// by the path until a person types another one. `own_rows`: points that the room's own rows take.
std::optional<ExportCard> begin_export_card(Panel& panel, ExportForm& form, float own_rows);
void export_title(ExportCard& card, const char* holds);
/// `allowed`: a bit a format.
void export_formats(ExportCard& card, unsigned allowed = ~0u);
void export_path(ExportCard& card, const std::string& name);
void export_scale(ExportCard& card);
/// The buttons, what there is to say, and the end of the card. True when the file is to be written.
bool end_export_card(ExportCard& card);

/// A path that a person typed follows.
void choose_format(ExportForm& form, app::ExportFormat format);

} // namespace heed::ui
