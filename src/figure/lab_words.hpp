// Rows of tokens of a page of the lab in a place that is there.
#pragma once

#include "figure/base/sheet.hpp"
#include "lab/picture.hpp"

namespace heed::figure {

void draw_lab_words(Sheet& sheet, const lab::Words& words, const Box& box);

} // namespace heed::figure
