// Patterns of every head of the focused kind on the sentence, for questions such as "which one
// looks one word back?".
#pragma once

#include "app/engine/engine.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace heed::app {

/// Cells that the maps of a kind may have together; more are not looked through on the window's
/// thread.
inline constexpr num::Index kMostPatternCells = num::Index{1} << 20;

struct NamedPattern {
    trace::HeadId head;
    trace::HeadPattern pattern;
};

/// Remembers the heads of the run that it was asked for last.
class HeadPatterns {
  public:
    /// Patterns of all heads of the focused kind, layer by layer. Empty without a run, without such
    /// attention, and where the maps have more cells than kMostPatternCells.
    const std::vector<NamedPattern>& of(const Snapshot& snapshot);

  private:
    std::shared_ptr<const models::Run> run_;
    std::optional<trace::AttentionKind> kind_;
    std::vector<NamedPattern> heads_;
};

} // namespace heed::app
