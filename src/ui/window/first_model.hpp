// The model that a window is started with runs while the window is made.
#pragma once

#include "app/document/session.hpp"
#include "app/engine/engine.hpp"
#include "app/files/file_desk.hpp"
#include "ui/window/leave_signals.hpp"

#include <string>

namespace heed::ui {

/// Asks for what the shell of this session will ask for when it opens the checkpoint, whose folder
/// is looked at here. A checkpoint that cannot be opened is asked for by nobody: the shell says
/// why.
app::FileOpened ask_ahead(app::Engine& engine, const app::Session& session,
                          const std::string& checkpoint);

/// A model that opens within a moment is there when the window appears.
void wait_for_first_map(const app::Engine& engine, const LeaveSignals& signals);

} // namespace heed::ui
