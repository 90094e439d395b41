// State of the panels around the stage while the window is open.
#pragma once

#include "app/views/gallery.hpp"
#include "ui/explore/kept_section.hpp"

#include <memory>
#include <optional>
#include <string>

namespace heed::ui {

struct ExploreState {
    Scroll left_scroll, inspector_scroll;
    std::optional<Renaming> renaming;
    std::string model_file;                // as typed in the model card
    std::shared_ptr<app::Gallery> gallery; // made when it is first looked at
};

} // namespace heed::ui
