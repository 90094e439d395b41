// What the chosen map is held against: the same state with nothing altered, or a pinned one.
#include "app/names.hpp"
#include "ui/actions.hpp"
#include "ui/choices.hpp"

#include <fmt/format.h>

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
    const bool maps = app::info(view.view).shows == app::Shows::map;
    const std::uint32_t usable = maps ? ~0u : 0u;
    const std::string reason = fmt::format("Maps are held against each other: see the Heatmap ({})",
                                           keys_of(ActionGroup::view, "Heatmap"));
    const auto on = maps ? 1u << static_cast<unsigned>(view.compare) : 0u;
    if (const auto i = p.ui.segments({x, y, w, 28}, "compare", ways, on, usable)) {
        choose_compare(p, kWays[*i]);
    }
    if (!maps) p.ui.tip(reason);
    y += 34;
    constexpr float kPinWidth = 52;
    const std::string others[] = {"unaltered", "pinned"};
    const auto against = maps ? 1u << static_cast<unsigned>(view.against) : 0u;
    if (const auto i =
            p.ui.segments({x, y, w - kPinWidth - 8, 28}, "against", others, against, usable)) {
        choose_against(p, static_cast<Against>(*i));
    }
    if (!maps) p.ui.tip(reason);
    if (p.ui.button({x + w - kPinWidth, y, kPinWidth, 28}, "pin", "Pin")) pin(p);
    p.ui.tip(fmt::format("Keeps what is shown now, to hold later states against it ({})",
                         keys_of(ActionGroup::compare, "Pin what is shown")));
    y += 42;
}

} // namespace heed::ui
