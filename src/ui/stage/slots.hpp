// Heads that are kept side by side: their buttons, and pointing at their maps.
#pragma once

#include "ui/frame/panel.hpp"

#include <vector>

namespace heed::ui {

/// Keeps a head beside others in Heads, or lets it go; says so where that cannot be seen.
void keep_head(Panel& panel, const trace::HeadId& head);
void let_go_of_heads(Panel& panel);
/// A pin on the thumbnail under the pointer, and a cross on every map that is kept. They lie upon
/// the picture, and are asked before it who the pointer is for.
class SlotButtons {
  public:
    SlotButtons(Panel& panel, const figure::Figure& picture, const Box& place);
    void draw() const;

  private:
    struct Button {
        Box box;
        bool cross = false, on = false, hovered = false;
    };
    Panel& panel_;
    std::vector<Button> buttons_;
};
/// Clicks on the maps that are kept, and what pointing at them says.
void point_at_slot(Panel& panel, const figure::Hit& hit, bool clicked);

} // namespace heed::ui
