// Words for what a control means on the model that is shown, where that was trained elsewhere: how
// its family has it.
#pragma once

#include "app/document/changes.hpp"
#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// One sentence on a line of its own, for the end of a tip; nothing where there is none to say.
std::string trained_words(const Panel& panel, app::Control control);
/// Hint in an empty field of the target, which is the only one of a decoder alone: of a model that
/// was trained on a task, in that one's words.
std::string target_hint(const Panel& panel, const models::Traits& traits);

} // namespace heed::ui
