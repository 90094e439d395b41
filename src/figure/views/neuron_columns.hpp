// The numbers of the Neurons view: from a key's score to its weight, one column a step.
#pragma once

#include "figure/base/sheet.hpp"
#include "trace/neurons.hpp"

#include <string>
#include <vector>

namespace heed::figure {

/// A column of numbers: its name, how they follow from the column before, and one text a key.
struct NumberColumn {
    std::string name, how;
    std::vector<std::string> cells;
    float width = 0;
};

/// score, scaled, masked (or biased, where no key is masked; left out where it changes nothing),
/// exp and weight, as wide as their widest text. `keys`: those that have a row, in order.
std::vector<NumberColumn> number_columns(const Sheet& sheet, const trace::Neurons& row,
                                         const std::vector<int>& keys);

} // namespace heed::figure
