#include "ui/stepper.hpp"

#include <algorithm>

namespace heed::ui {

int stepper(Ui& ui, const Box& row, const Stepper& what) {
    constexpr float kButton = 26;
    const float height = std::min(row.h, 24.0f), y = row.y + (row.h - height) / 2;
    const float right = row.x + row.w - kButton, left = right - what.number - kButton;
    ui.canvas.text({row.x, row.y, left - row.x - 8, row.h}, Face::body, ui.theme().muted,
                   what.label);
    int by = 0;
    if (ui.button({left, y, kButton, height}, what.id + "/less", "\u2212", Ui::ButtonLook::plain,
                  what.can_lower)) {
        by = -1;
    }
    ui.canvas.text({left + kButton, row.y, what.number, row.h}, Face::mono, ui.theme().text,
                   what.shown, AlignX::centre);
    if (ui.button({right, y, kButton, height}, what.id + "/more", "+", Ui::ButtonLook::plain,
                  what.can_raise)) {
        by = 1;
    }
    return by;
}

} // namespace heed::ui
