#include "ui/dialogs/export_preview.hpp"

#include "app/views/export.hpp"
#include "figure/base/fitted.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/figure_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

/// What the picture of a task depends on.
FigureCache::Key key_of_written(const Panel& p, const ExportForm& form, const ExportTask& task) {
    const app::ExportOptions options = export_options(p, form);
    FigureCache::Key key = options.page
                               ? figure_key(p, options.page->width_cm, options.page->font_points)
                               : figure_key(p, options.width, options.height);
    key.extra = static_cast<int>(options.ground) * 8 + options.crop * 4 +
                p.state.layout.presenting * 2 + options.page.has_value() +
                static_cast<int>(task.version & 0xFFFFFF) * 16;
    if (!is_picture(form.format)) key.extra = -1;
    key.training = task.training;
    if (p.state.view.view == app::View::train) key.dataset = p.experiment.shared();
    return key;
}

const figure::Figure& written_picture(Panel& p, const FigureCache::Key& key,
                                      const ExportTask& task) {
    return p.figures.get(FigureCache::Slot::written, key, [&] { return task.picture(); });
}

} // namespace

bool has_nothing(Panel& p, const ExportForm& form, const ExportTask& task) {
    if (!task.may_be_words) return false;
    if (!p.snapshot().run) return true;
    return app::is_sentence(written_picture(p, key_of_written(p, form, task), task));
}

void preview(Panel& p, const Box& box, const ExportForm& form, const ExportTask& task) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::ExportOptions options = export_options(p, form);
    const FigureCache::Key key = key_of_written(p, form, task);
    constexpr float kFoot = 22;
    const Box room{box.x, box.y, box.w, box.h - kFoot};
    const figure::Figure& shown = p.figures.get(FigureCache::Slot::preview, key, [&] {
        figure::Figure file = written_picture(p, key, task);
        const float factor = std::min({room.w / file.width, room.h / file.height, 2.0f});
        p.state.dialogs->preview_factor = factor;
        return figure::scaled(std::move(file), factor);
    });
    const Box place{room.x + (room.w - shown.width) / 2, room.y + (room.h - shown.height) / 2,
                    shown.width, shown.height};
    p.ui.area(place, "export/preview", "Preview");
    p.ui.tip("What the file will hold");
    c.fill(place, options.ground == app::Ground::none ? t.panel : shown.background);
    c.push_clip(place);
    c.paint(shown, {place.x, place.y});
    c.pop_clip();
    c.outline(place, t.border, 0);
    const float w = shown.width / p.state.dialogs->preview_factor,
                h = shown.height / p.state.dialogs->preview_factor;
    constexpr float kCm = 2.54f / 72;
    const std::string size = form.format == app::ExportFormat::png
                                 ? fmt::format("{:.0f} \u00d7 {:.0f} pixels", w * options.png_scale,
                                               h * options.png_scale)
                                 : fmt::format("{:.1f} \u00d7 {:.1f} cm", w * kCm, h * kCm);
    c.text({box.x, place.y + place.h, box.w, kFoot}, Face::small, t.muted, size, AlignX::centre);
}

} // namespace heed::ui
