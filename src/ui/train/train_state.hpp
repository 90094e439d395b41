// State of the Train room while the window is open.
#pragma once

#include "app/training/experiment_form.hpp"
#include "app/training/training_export.hpp"
#include "ui/dialogs/export_card.hpp"
#include "ui/train/data_dialog.hpp"

#include <map>
#include <optional>
#include <string>

namespace heed::ui {

/// The player of the room's film.
struct FilmPlayer {
    bool playing = false;
    float shown_for = 0; // seconds, the present frame
};

struct TrainState {
    app::ExperimentForm form;
    std::map<std::string, app::ExperimentForm> task_settings; // as each task was left, by its word
    std::map<std::string, train::Task> loaded; // a user's files, whole paths: what their lines are
    std::optional<app::ExperimentForm> asked; // what waits until the run that learns may be left
    bool forgets = false;                     // Delete was pressed once, and asks
    int offered_at = 0;                       // the frame that last offered a run to go on with
    app::TrainingView view;
    FilmPlayer film;
    bool brings_map = false; // the stage is to be scrolled to it, once it is there
    Scroll left_scroll, right_scroll, stage_scroll;
    ExportForm export_form;
    DataForm data;
};

} // namespace heed::ui
