// The cards that open files and save the session.
#pragma once

#include "ui/dialogs/file_list.hpp"

#include <functional>
#include <optional>
#include <string>

namespace heed::ui {

/// True of a file that is there.
bool is_file(const std::string& path);

/// A file that is to be written, while the disk is asked whether it is there already.
struct WriteQuestion {
    std::function<bool(const std::string& path)> look = is_file;
    std::string path{};
    DiskQuestion<bool> there{};
};

struct FilesForm {
    std::string save_path, open_path;    // as typed
    std::string replaces;                // the path that is there already and may be replaced
    WriteQuestion write{};
    bool closes = false, failed = false; // how the last one went: its card is done, or asks again
    FileList listed{};
};

void save_dialog(Panel& panel);
void open_dialog(Panel& panel);
/// Says in a card that a file would be replaced, or else what the last command has to say.
void card_remark(const Panel& panel, Form& form, const std::string& replaces);
void ask_to_write(WriteQuestion& question, const std::string& path);
/// Answer to it, once: whether the file may be written. One that is there already is replaced when
/// asked a second time: `replaces` holds its path in between.
std::optional<bool> may_write(WriteQuestion& question, std::string& replaces);

} // namespace heed::ui
