// Choices of the present view: a section of the left panel.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

/// Null where the present view has nothing to choose.
using ViewOptions = void (*)(Panel&, Form&);
ViewOptions options_of(const Panel& panel);

} // namespace heed::ui
