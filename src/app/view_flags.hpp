// The flags that decide what is looked at, and how it is drawn.
#pragma once

#include "app/command.hpp"
#include "app/document.hpp"
#include "app/view.hpp"
#include "base/result.hpp"

#include <vector>

namespace heed::app {

/// --attention, --layer, --head, --stage, --view, --select, --theme, --palette, --range, and
/// whether numbers and the caption are drawn.
std::vector<Flag> view_flags();

/// Layers and heads count from 1 here, as in the window's titles. Errors: usage, out_of_range, with
/// the flag as the subject.
base::Result<Focus> read_focus(const Given& given);
base::Result<ViewState> read_view(const Given& given);
/// Without --attention, the first kind of attention that the drawn model has; a model file's kinds
/// are known only when it is read.
void settle_attention(const Given& given, const Document& document, Focus& focus);

/// An error that names the flag and what the run has, where the run lacks the wanted focus or the
/// selected cell.
base::Result<void> check_focus(const Snapshot& snapshot, const Focus& wanted,
                               const ViewState& view);

} // namespace heed::app
