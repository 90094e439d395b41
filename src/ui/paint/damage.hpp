// Damage: parts of a frame that differ from the one before. Most frames move a pointer, a number or
// one map; without a graphics card, drawing everything again would take most of their time.
#pragma once

#include "figure/base/figure.hpp"
#include "ui/paint/imgui_shim.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace heed::ui {

struct PixelBox { // y downward; right and bottom lie outside
    int left = 0, top = 0, right = 0, bottom = 0;
    bool empty() const { return right <= left || bottom <= top; }
    bool operator==(const PixelBox&) const = default;
};

/// The drawing of a draw callback: its place, in ImGui's coordinates, and a hash of all that it
/// depends on.
struct CallbackDrawing {
    figure::Box box;
    std::uint64_t hash = 0;
};

class Damage {
  public:
    /// Drawing of a draw callback; nothing of one that only sets a state.
    using Look = std::function<std::optional<CallbackDrawing>(const ImDrawCmd&)>;

    /// Compares the frame with the one given before, in tiles of a few pixels, and leaves in `data`
    /// what lies in the parts that differ, cut to them. Returns these parts: they do not overlap;
    /// the whole frame the first time, after forget(), and when its size changed. Cleared to
    /// `ground` and drawn, they make the frame before into this one, to the pixel.
    std::vector<PixelBox> keep_changes(ImDrawData& data, ImU32 ground, const Look& look);
    void forget() { tiles_.clear(); }

  private:
    std::vector<std::uint64_t> tiles_; // what was drawn on each, as a hash
    int columns_ = 0, rows_ = 0;
};

} // namespace heed::ui
