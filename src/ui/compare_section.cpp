// What the chosen map is held against: the same state with nothing altered, or a pinned one.
#include "app/names.hpp"
#include "ui/choices.hpp"

namespace heed::ui {

using app::Against;
using app::Compare;

void pin(Panel& p) {
    p.commands.push_back(Pin{});
    p.state.view.against = Against::pinned;
}

void compare_section(Panel& p, float x, float w, float& y) {
    constexpr Compare kWays[] = {Compare::off, Compare::beside, Compare::difference};
    const app::ViewState& view = p.state.view;
    std::vector<std::string> ways;
    for (const Compare way : kWays) ways.emplace_back(app::name_of(way));
    const auto on = 1u << static_cast<unsigned>(view.compare);
    if (const auto i = p.ui.segments({x, y, w, 28}, "compare", ways, on)) {
        choose_compare(p, kWays[*i]);
    }
    y += 34;
    constexpr float kPinWidth = 52;
    const std::string others[] = {"unaltered", "pinned"};
    const auto against = 1u << static_cast<unsigned>(view.against);
    if (const auto i = p.ui.segments({x, y, w - kPinWidth - 8, 28}, "against", others, against)) {
        choose_against(p, static_cast<Against>(*i));
    }
    if (p.ui.button({x + w - kPinWidth, y, kPinWidth, 28}, "pin", "Pin")) pin(p);
    p.ui.tip("Keeps what is shown now, to hold later states against it (P)");
    y += 42;
}

} // namespace heed::ui
