// State of the cards while the window is open.
#pragma once

#include "ui/dialogs/export_card.hpp"
#include "ui/dialogs/file_dialogs.hpp"
#include "ui/dialogs/search_dialog.hpp"

#include <string>
#include <vector>

namespace heed::ui {

struct DialogState {
    ExportForm export_form;
    bool looks_at_path = false; // the export card that is open, until the disk answers
    float preview_factor = 1; // of the picture in the export card to the one in the file
    FilesForm files;
    CommandSearch search;
    std::vector<std::string> recent_commands; // taken from the search, newest first
    Scroll keys_scroll;
};

} // namespace heed::ui
