// The card that takes a user's own sentences for the Train room.
#pragma once

#include "app/training/own_file.hpp"
#include "ui/dialogs/file_list.hpp"

#include <optional>
#include <string>

namespace heed::ui {

/// The form as it is typed.
struct DataForm {
    std::string path, vectors, vocabulary;
    FileList listed{};
    std::optional<app::ExperimentForm>
        wanted{};     // that it stands for; none while it stands for none
    float rested = 0; // seconds without a change
    app::OwnFileReader asked{};
    std::optional<base::Result<app::OwnFile>> found{}; // of `wanted`
    bool loads = false;                                // Load was pressed for it
};

/// A line of a file as the chosen task has it: "pair", "source ⇥ target", "pairs".
struct LineWords {
    const char *one, *columns, *many;
};
LineWords words_of_lines(const app::ExperimentForm& chosen);

void data_dialog(Panel& panel);

} // namespace heed::ui
