#include "ui/frame/free_place.hpp"

#include "figure/base/fitted.hpp"

#include <algorithm>
#include <variant>

namespace heed::ui {

bool meet(const Box& a, const Box& b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

std::vector<Box> taken_in(const Ui& ui, const Box& around, Taken what) {
    constexpr float kTall = 64, kLeastGap = 3; // what is taller is a picture or an edge of a panel
    constexpr float kLongest = 1200;           // a line of text
    std::vector<Box> taken;
    const auto take = [&](const Box& box) {
        if (meet(box, around)) taken.push_back(inset(box, -kLeastGap, -kLeastGap));
    };
    for (const Box& words : ui.canvas.worded()) take(words);
    for (const Widget& w : ui.widgets()) {
        if (w.box.h <= kTall) take(w.box);
    }
    for (const Canvas::Drawn& drawn : ui.canvas.drawn()) {
        const Box origin{drawn.origin.x, drawn.origin.y, 0, 0};
        figure::Figure alone;
        if (const auto* heat = std::get_if<figure::Box>(&drawn.item)) {
            take(placed(*heat, origin));
            continue;
        }
        if (const auto* curve = std::get_if<figure::Curve>(&drawn.item)) {
            if (what == Taken::words) continue;
            alone.items.push_back(*curve);
        } else {
            const auto& text = std::get<figure::Text>(drawn.item);
            const Box line{origin.x + text.at.x - kLongest, origin.y + text.at.y - kTall,
                           2 * kLongest, 2 * kTall};
            if (!meet(line, around)) continue;
            alone.items.push_back(text);
        }
        take(placed(figure::content_box(alone), origin));
    }
    return taken;
}

bool is_free(const Box& box, const Box& within, const std::vector<Box>& taken) {
    const bool inside = box.x >= within.x && box.y >= within.y &&
                        box.x + box.w <= within.x + within.w &&
                        box.y + box.h <= within.y + within.h;
    return inside && std::ranges::none_of(taken, [&](const Box& b) { return meet(b, box); });
}

} // namespace heed::ui
