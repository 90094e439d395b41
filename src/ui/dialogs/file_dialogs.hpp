// The cards that open files and save the session.
#pragma once

#include "ui/dialogs/file_list.hpp"

#include <string>

namespace heed::ui {

struct FilesForm {
    std::string save_path, open_path;    // as typed
    std::string replaces;                // the path that is there already and may be replaced
    bool closes = false, failed = false; // how the last one went: its card is done, or asks again
    FileList listed{};
};

void save_dialog(Panel& panel);
void open_dialog(Panel& panel);
/// Says in a card that a file would be replaced, or else what the last command has to say.
void card_remark(const Panel& panel, Form& form, const std::string& replaces);
/// True where a file may be written. One that is there already is replaced when asked a second
/// time: `replaces` holds its path in between.
bool may_write(const std::string& path, std::string& replaces);

} // namespace heed::ui
