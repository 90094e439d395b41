// The strip along the bottom: one live thumbnail a stage, from tokens to the layer's output.
#include "ui/panel.hpp"

#include <fmt/format.h>

namespace heed::ui {

std::string stage_words(const app::StripItem& item) {
    std::string words = item.stage ? "Show this stage large" : "What the layer reads or passes on";
    const bool features = !item.stage || !trace::is_map(*item.stage);
    if (features && item.values && item.values->cols() < item.cols) {
        words += fmt::format(" \u00b7 here {} of its {} features", item.values->cols(), item.cols);
    }
    return words;
}

void strip_panel(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule(box.x, box.y, box.w);
    const auto& snapshot = p.snapshot();
    if (!snapshot.run || snapshot.strip.empty()) return;
    const Box inside{box.x, box.y + 1, box.w, box.h - 1};
    FigureCache::Key key = p.key(inside.w, inside.h);
    key.view.selected.reset();
    key.view.viewport.reset();
    key.view.caption = false;
    key.view.view = app::View::stages;
    const figure::Figure& strip = p.figures.get(FigureCache::Slot::strip, key, [&] {
        return app::make_figure(snapshot, key.view, app::Place{inside.w, inside.h, 0, false});
    });
    const Press press = p.ui.area(inside, "stages", "stages", Widget::Kind::area, false, true);
    c.push_clip(inside);
    c.paint(strip, {inside.x, inside.y});
    c.pop_clip();
    if (!press.hovered) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(strip, {mouse.x - inside.x, mouse.y - inside.y});
    if (!hit || hit->tag.kind != figure::Tag::Kind::stage) return;
    const auto index = static_cast<std::size_t>(hit->tag.a);
    if (hit->tag.a < 0 || index >= snapshot.strip.size()) return;
    const app::StripItem& item = snapshot.strip[index];
    p.ui.tip(stage_words(item));
    if (press.clicked && item.stage) {
        app::Focus focus = p.focus();
        focus.stage = *item.stage;
        p.commands.push_back(ChangeFocus{focus});
        p.state.view.view = app::View::heatmap;
    }
}

} // namespace heed::ui
