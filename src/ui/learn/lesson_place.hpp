// The place where a lesson is followed: the view that its task needs, and what it points to there.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// Goes to the view that the followed lesson's task needs: Explore's map of weights, where the
/// model has one and the task is not to go somewhere.
void go_to_lesson(Panel& panel);
/// Words for where that is, in a sentence, for who has gone elsewhere or has no room for its panel;
/// empty for who is there.
std::string lesson_elsewhere(const Panel& panel);

} // namespace heed::ui
