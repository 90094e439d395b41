// The flags that decide what is looked at, and how it is drawn.
#pragma once

#include "app/cli/command.hpp"
#include "app/document/document.hpp"
#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/prepare.hpp"
#include "base/result.hpp"

#include <vector>

namespace heed::app {

/// --attention, --layer, --head, --stage, --view, --select, --theme, --palette, --range, --colours,
/// what lines show, and whether numbers and the caption are drawn.
std::vector<Flag> view_flags();

/// Layers and heads count from 1 here, as in the window's titles. Without any of
/// --attention, --layer and --head it is the head that a trained model aligns by, else the first of
/// the first kind that the model has. Errors: usage, and out_of_range with what the model has; the
/// flag is the subject.
base::Result<Focus> read_focus(const Given& given, const ModelFacts& model);
base::Result<ViewState> read_view(const Given& given);
/// Takes what stands for a view that this model has nothing for, and tells it.
void fit_view(const Io& io, const Given& given, const models::Config& config, ViewState& view);
/// An error that names --select, --from, --to, --overlay or --slots, where the focused map lacks
/// the cell or the token, or the model the head.
base::Result<void> check_selection(const Snapshot& snapshot, const ViewState& view);

} // namespace heed::app
