#include "ui/explore/strip_panel.hpp"

#include "ui/frame/choices.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/stage/thumbnail_words.hpp"

namespace heed::ui {

void strip_panel(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule(box.x, box.y, box.w);
    const auto& snapshot = p.snapshot();
    if (!snapshot.run || snapshot.strip.empty()) return;
    const Box inside{box.x, box.y + 1, box.w, box.h - 1};
    FigureCache::Key key = figure_key(p, inside.w, inside.h);
    key.view.selected.reset();
    key.view.viewport.reset();
    key.view.caption = false;
    key.view.view = app::View::stages;
    const figure::Figure& strip = p.figures.get(FigureCache::Slot::strip, key, [&] {
        return app::make_figure(snapshot, key.view, app::Place{inside.w, inside.h, 0, false});
    });
    const Press press = p.ui.area(inside, "stages", "stages", Widget::Kind::area, false, true);
    p.ui.tip(std::string(app::info(app::View::stages).tip) + " Click one to enlarge it.");
    c.push_clip(inside);
    c.paint(strip, {inside.x, inside.y});
    c.pop_clip();
    step_back(p, inside, p.ui.theme().panel);
    if (shows_former(p)) {
        const std::string words = "stages of the previous run";
        const float w = c.width_of(Face::small, words) + 20;
        const Box chip{inside.x + (inside.w - w) / 2, inside.y + (inside.h - 22) / 2, w, 22};
        c.fill(chip, p.ui.theme().raised, 6);
        c.text(chip, Face::small, p.ui.theme().text, words, AlignX::centre);
    }
    if (!press.hovered) return;
    const Point mouse = p.ui.mouse();
    const auto hit = figure::pick(strip, {mouse.x - inside.x, mouse.y - inside.y});
    const auto* stage = hit ? hit->as<figure::tag::Stage>() : nullptr;
    if (!stage) return;
    const auto index = static_cast<std::size_t>(stage->id);
    if (stage->id < 0 || index >= snapshot.strip.size()) return;
    const app::StripItem& item = snapshot.strip[index];
    p.ui.tip_within(stage_words(p, strip, {mouse.x - inside.x, mouse.y - inside.y}, item),
                    placed(hit->box, inside), inside);
    if (press.clicked && item.stage) {
        choose_stage(p, *item.stage);
    }
}

} // namespace heed::ui
