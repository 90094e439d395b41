// What letters are drawn with, made on one thread for another: finding and reading fonts takes as
// long as making a window.
#pragma once

#include "ui/paint/fonts.hpp"

#include <memory>

namespace heed::ui {

/// Any thread; the letters of every face are found then.
std::unique_ptr<Fonts> load_lettering();

} // namespace heed::ui
