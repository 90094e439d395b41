// A number with a button below and one above it.
#pragma once

#include "ui/widgets.hpp"

#include <string>

namespace heed::ui {

struct Stepper {
    std::string id; // of its buttons: "id/less", "id/more"
    std::string label, shown;
    bool can_lower = true, can_raise = true;
    float number = 44; // points between the buttons
};

/// −1, 0 or 1: which way it is asked to go.
int stepper(Ui& ui, const Box& row, const Stepper& what);

} // namespace heed::ui
