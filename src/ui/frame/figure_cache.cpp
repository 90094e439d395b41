#include "ui/frame/figure_cache.hpp"

#include "base/check.hpp"
#include "figure/base/sheet.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

const figure::Figure& FigureCache::get(Slot slot, const Key& key,
                                       const std::function<figure::Figure()>& build) {
    Entry& entry = entries_[static_cast<std::size_t>(slot)];
    if (!entry.filled || !(entry.key == key)) {
        try {
            entry.figure = build();
        } catch (const base::ContractError& broken) {
            mistake_ = broken.what();
            figure::Frame frame{key.width, key.height};
            frame.theme = key.view.dark ? &figure::dark_theme() : &figure::light_theme();
            entry.figure = figure::sentence_instead(
                "No picture", "This cannot be drawn, by a mistake in Heed: " + mistake_, frame);
        }
        entry.key = key;
        entry.filled = true;
        ++built_;
    }
    return entry.figure;
}

FigureCache::Key figure_key(const Panel& panel, float width, float height) {
    return {panel.work.shared_snapshot(), panel.state.view, width, height, 0, {}};
}

} // namespace heed::ui
