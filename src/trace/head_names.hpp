// The names of a head wherever somebody reads of it: layers and heads count from 1 there.
#pragma once

#include <string>

namespace heed::trace {

/// "layer 5 · head 3", of places counted from 0: where there is room.
std::string head_name(int layer, int head);

/// "5.3": in tables, beside points, and where two heads are named in one line.
std::string head_number(int layer, int head);

} // namespace heed::trace
