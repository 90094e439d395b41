// The card that takes a user's own sentences for the Train room.
#pragma once

#include "ui/dialogs/file_list.hpp"

#include <string>

namespace heed::ui {

/// The form as it is typed.
struct DataForm {
    std::string path, vectors, vocabulary;
    FileList listed{};
};

void data_dialog(Panel& panel);

} // namespace heed::ui
