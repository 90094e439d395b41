// Choices of the present view: a section of the left panel.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

/// Null where a view has nothing to choose.
using ViewOptions = void (*)(Panel&, Form&);
ViewOptions options_of(app::View view);

} // namespace heed::ui
