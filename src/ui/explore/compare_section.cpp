#include "ui/explore/compare_section.hpp"

#include "app/document/names.hpp"
#include "app/views/map_views.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

namespace heed::ui {

using app::Against;
using app::Compare;

namespace {

/// What stands on either side, or what is taken from what; empty where nothing is compared.
std::string words_of_sides(const Panel& p) {
    const app::ViewState& view = p.state.view;
    if (view.compare == Compare::off) return {};
    const auto& reference = p.snapshot().reference;
    const bool subtracts = view.compare == Compare::difference;
    if (subtracts && reference && !reference->difference) return "maps of unlike shape";
    const std::string name = reference ? reference->asked.name : label_of(view.against);
    const app::MapSides sides = app::map_sides(p.state.stage->stacked);
    return view.compare == Compare::beside
               ? fmt::format("{}: {} · {}: now", sides.reference, name, sides.now)
               : fmt::format("now − {}", name);
}

/// Where there is a map its line is kept: what stands below does not move.
void say_sides(Panel& p, Form& f) {
    if (app::info(p.state.view.view).shows != app::Shows::map) return;
    f.y -= 8; // near what it is about
    f.note(words_of_sides(p));
    f.space(8);
}

} // namespace

void compare_section(Panel& p, Form& f) {
    constexpr Compare kWays[] = {Compare::off, Compare::beside, Compare::difference};
    const app::ViewState& view = p.state.view;
    std::vector<std::string> ways;
    for (const Compare way : kWays) ways.push_back(label_of(way));
    const bool maps = app::info(view.view).shows == app::Shows::map;
    const std::string way_there =
        fmt::format("\nShows the Heatmap view ({})", keys_of(ActionId::heatmap));
    const auto on = maps ? 1u << static_cast<unsigned>(view.compare) : 1u;
    if (const auto i = f.choice("compare", ways, on)) choose_compare(p, kWays[*i]);
    std::vector<std::string> tips = tips_of(kWays);
    for (std::string& tip : tips) tip += maps ? "" : way_there;
    f.tips(tips);
    constexpr Against kBaselines[] = {Against::unaltered, Against::pinned};
    const std::string others[] = {label_of(kBaselines[0]), label_of(kBaselines[1])};
    const auto against = 1u << static_cast<unsigned>(view.against);
    Line line = f.line(28, 14);
    const Box end = line.right(52);
    if (const auto i = p.ui.segments(line.rest, "against", others, against)) {
        choose_against(p, static_cast<Against>(*i));
    }
    std::vector<std::string> baseline_tips = tips_of(kBaselines);
    if (!p.work.pinned()) baseline_tips.back() += "\nNothing is pinned yet: pins what is shown";
    f.tips(baseline_tips);
    if (f.button(end, "pin", "Pin")) pin(p);
    f.tip(fmt::format("Pins this as the baseline for comparison ({})", keys_of(ActionId::pin)));
    say_sides(p, f);
}

} // namespace heed::ui
