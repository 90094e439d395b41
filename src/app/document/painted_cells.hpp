// Cells that a person painted and that no map has, because the sentence is shorter.
#pragma once

#include "models/spec/controls.hpp"
#include "trace/trace.hpp"

#include <string>

namespace heed::app {

/// "the painted cell 12:3 lies outside of queries × keys: encoder 9 × 9": the first cell that is
/// outside of every map that the entry holds for, counted from 1. Empty where there is none.
std::string painted_outside(const models::ScopedControls& entry, const trace::Trace& trace);
/// Words for the first painted cell outside, of the first entry with one.
std::string painted_outside(const models::Controls& controls, const trace::Trace& trace);

} // namespace heed::app
