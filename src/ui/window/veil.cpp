#include "ui/window/veil.hpp"

#include "figure/base/viewport.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace heed::ui {

namespace {

const Widget* widget_of(const Panel& p, std::string_view id) {
    const auto& all = p.ui.widgets();
    const auto at = std::ranges::find(all, id, &Widget::id);
    return at == all.end() ? nullptr : &*at;
}

/// Boxes above and below the row that is chosen, of the cells of a map in a picture.
std::vector<Box> around_chosen(const figure::Target& cells, std::optional<int> chosen) {
    const Box& all = cells.box;
    if (!chosen) return {all};
    const Box row = figure::cell_box(cells, *chosen, 0);
    const float high = std::clamp(row.y - all.y, 0.0f, all.h);
    const float low = std::clamp(row.y + row.h - all.y, 0.0f, all.h);
    return {{all.x, all.y, all.w, high}, {all.x, all.y + low, all.w, all.h - low}};
}

void cover(Panel& p, const Box& box) {
    if (box.h < 1) return;
    p.ui.canvas.fill(box, figure::mixed(p.ui.theme().ground, p.ui.theme().raised, 0.85f));
    if (box.contains(p.ui.mouse())) p.ui.tip_now({});
}

} // namespace

void veil_answer(Panel& p) {
    if (!follows_lesson(p.state)) return;
    const app::LessonRun& run = *p.state.learn->run;
    const bool map = p.state.view.view == app::View::heatmap;
    if (!run.lesson().hides_map || !run.asks() || !run.cannot().empty() || !map) return;
    const Widget* picture = widget_of(p, "picture");
    const figure::Figure* figure = p.figures.shown(FigureCache::Slot::main);
    if (picture == nullptr || figure == nullptr) return;
    const Point corner{picture->box.x, picture->box.y - p.state.stage->scroll.offset};
    const auto selected = p.selected();
    p.ui.canvas.push_clip(picture->box);
    for (const figure::Target& target : figure->targets) {
        if (!target.as<figure::tag::Cells>()) continue;
        const auto boxes = around_chosen(
            target, selected ? std::optional(selected->first) : std::nullopt);
        for (const Box& box : boxes) cover(p, placed(box, {corner.x, corner.y, 0, 0}));
        const Box& largest = *std::ranges::max_element(boxes, {}, &Box::h);
        p.ui.canvas.text(placed(largest, {corner.x, corner.y, 0, 0}), Face::control,
                         p.ui.theme().muted, "Hidden until you guess", AlignX::centre);
    }
    p.ui.canvas.pop_clip();
    if (const Widget* links = widget_of(p, "links")) {
        p.ui.canvas.fill(links->box, p.ui.theme().ground);
        if (links->box.contains(p.ui.mouse())) p.ui.tip_now({});
    }
}

} // namespace heed::ui
