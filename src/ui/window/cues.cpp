#include "ui/window/cues.hpp"

#include "app/views/filter.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/free_place.hpp"
#include "ui/stage/filter.hpp"
#include "ui/window/edge_panels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::ui {

namespace {

struct CueRow {
    bool app::Cues::*left;
    const char* widget; // that it points to
    const char* words;
    float margin = 0; // of the widget, around what is meant
    float middle = 0; // of a long widget so much, about its middle, where its word stands
};
constexpr CueRow kCues[] = {
    {&app::Cues::type, "source", "Type here"},
    {&app::Cues::head, "heads", "Click another head", 9},
    {&app::Cues::head, "edge/left", "Heads are here", 0, 56},
    {&app::Cues::control, "temperature", "Turn this"},
};

constexpr float kCueHeight = 26, kCueFarthest = 120; // from its widget

/// Gap from one box to the other, along each axis.
Point gap_between(const Box& a, const Box& b) {
    return {std::max({0.f, b.x - a.x - a.w, a.x - b.x - b.w}),
            std::max({0.f, b.y - a.y - a.h, a.y - b.y - b.h})};
}

/// Ends of the short line from a cue to its widget.
std::pair<Point, Point> line_between(const Box& cue, const Box& at) {
    const auto ends = [](float a, float a_size, float b, float b_size) {
        if (a + a_size < b) return std::pair(a + a_size, b);
        if (b + b_size < a) return std::pair(a, b + b_size);
        const float middle = (std::max(a, b) + std::min(a + a_size, b + b_size)) / 2;
        return std::pair(middle, middle);
    };
    const auto [x, to_x] = ends(cue.x, cue.w, at.x, at.w);
    const auto [y, to_y] = ends(cue.y, cue.h, at.y, at.h);
    return {{x, y}, {to_x, to_y}};
}

bool contains(const Box& a, const Box& b) {
    return b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
}

/// True where that line passes over anything besides the widget and what is in it.
bool passes_over(const Box& cue, const Box& at, const std::vector<Box>& taken) {
    constexpr int kPoints = 32;
    constexpr float kOfWidget = 14; // around it: its own words, with what is left free of them
    const auto [from, to] = line_between(cue, at);
    const Box own = inset(at, -kOfWidget, -kOfWidget);
    return std::ranges::any_of(taken, [&, from = from, to = to](const Box& box) {
        if (contains(own, box)) return false;
        for (int i = 0; i < kPoints; ++i) {
            const float share = (static_cast<float>(i) + 0.5f) / kPoints;
            const Box point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y), 0,
                            0};
            if (meet(box, point) && !meet(at, point)) return true;
        }
        return false;
    });
}

struct CuePlace {
    Box box;
    bool crosses; // its line would pass over words or a control
};

/// The nearest place of this width that covers no words and no control, and whose line covers none
/// either, if there is such; none where there is none. Beside the panel that lies over the picture.
std::optional<CuePlace> place_of(const Ui& ui, const Box& at, float w,
                                 const std::optional<Box>& over) {
    constexpr float kStepX = 6, kStepY = 4, kGap = 8, kAligned = 0.05f;
    constexpr float kBeside = 24; // without a line nobody finds from farther away what is meant
    const Box around = inset(at, -kCueFarthest - w, -kCueFarthest - kCueHeight);
    const std::vector<Box> taken = taken_in(ui, around, Taken::words);
    std::optional<CuePlace> best;
    float least = 2 * kCueFarthest;
    for (float y = at.y - kCueHeight - kCueFarthest; y < at.y + at.h + kCueFarthest; y += kStepY) {
        for (float x = at.x - w - kCueFarthest; x < at.x + at.w + kCueFarthest; x += kStepX) {
            const Box box{x, y, w, kCueHeight};
            if (over && meet(box, *over)) continue;
            if (x < 0 || y < 0 || x + w > ui.width() || y + kCueHeight > ui.height()) continue;
            const Point gap = gap_between(box, at);
            if (std::max(gap.x, gap.y) < kGap) continue;
            const float aside = gap.y > 0 ? std::abs(x + w / 2 - at.x - at.w / 2)
                                          : std::abs(y + kCueHeight / 2 - at.y - at.h / 2);
            float cost = std::hypot(gap.x, gap.y) + kAligned * aside;
            if (cost >= std::min(least, kCueFarthest)) continue;
            const auto in_the_way =
                std::ranges::find_if(taken, [&](const Box& b) { return meet(b, box); });
            if (in_the_way != taken.end()) { // so it is up to its end
                while (x + kStepX < in_the_way->x + in_the_way->w) x += kStepX;
                continue;
            }
            const bool crosses = passes_over(box, at, taken);
            if (crosses && std::hypot(gap.x, gap.y) > kBeside) continue;
            if (crosses) cost += kCueFarthest;
            if (cost >= least) continue;
            best = CuePlace{box, crosses};
            least = cost;
        }
    }
    return best;
}

/// Frames what a cue means, fainter than the ring of the keyboard or of what is chosen.
void draw_frame(Canvas& c, const Box& at) { c.outline(at, faded(c.theme().accent, 0.5f), 6, 1); }

void draw_line(Canvas& c, const Box& cue, const Box& at) {
    const auto [from, to] = line_between(cue, at);
    c.list().AddLine(c.pixels(from), c.pixels(to), packed(c.theme().accent), 1.5f * c.scale());
}

const Widget* shown(const Ui& ui, const std::string& id) {
    const auto& all = ui.widgets();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Widget& w) { return w.id == id; });
    return at == all.end() ? nullptr : &*at;
}

/// True where there is what the cue asks for, and a map that answers.
bool makes_sense(const Panel& p, const CueRow& cue) {
    if (p.state.view.view != app::View::heatmap) return false;
    if (cue.left != &app::Cues::head) return true;
    if (std::string_view(cue.widget) == "edge/left") { // the way to heads that are put away
        const Widget* edge = shown(p.ui, cue.widget);
        if (edge == nullptr || edge->on || shown(p.ui, "heads") != nullptr) return false;
    }
    const models::Traits traits = traits_now(p);
    return traits.n_heads * traits.layers(p.focus().head.kind) > 1;
}

} // namespace

void show_cues(Panel& p, const std::optional<Box>& over) {
    if (p.ui.any_popup()) return; // something else is asked
    constexpr float kPad = 10;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::Cues& cues = p.state.layout.cues;
    if (!c.keeps_drawn) { // where words are is not known
        if (cues.type || cues.head || cues.control) p.ui.wake_in(0);
        return;
    }
    bool framed = p.ui.keyboard_visible(); // one frame at a time says where one is, or could go
    for (const CueRow& cue : kCues) {
        bool& left = p.state.layout.cues.*cue.left;
        const Widget* of = left ? shown(p.ui, cue.widget) : nullptr;
        const bool typed = p.ui.edits(cue.widget) && !p.ui.offers(cue.widget);
        if (of == nullptr || typed || !makes_sense(p, cue)) continue;
        Box at = inset(of->box, cue.margin, cue.margin);
        const float middle = at.y + at.h / 2;
        if (cue.middle > 0) at = {at.x, middle - cue.middle / 2, at.w, cue.middle};
        const bool in_panel = cue.left != &app::Cues::type;
        if (in_panel && (middle < kTopBar || middle > p.ui.height())) continue; // scrolled away
        const auto place = place_of(p.ui, at, c.width_of(Face::small, cue.words) + 2 * kPad, over);
        const bool frames = !place || place->crosses;
        if (frames && std::exchange(framed, true)) continue;
        if (!place) { // nothing is free around it
            draw_frame(c, at);
            continue;
        }
        const Box& box = place->box;
        const std::string id = std::string("cue/") + cue.widget;
        p.ui.begin_over(id, box);
        // A line through words would strike them out: a frame says what is meant.
        if (place->crosses) {
            draw_frame(c, at);
        } else {
            draw_line(c, box, at);
        }
        c.fill(box, t.panel, 6);
        c.outline(inset(box, 0.5f, 0.5f), t.accent, 6);
        c.text(box, Face::small, t.accent, cue.words, AlignX::centre);
        if (p.ui.area(box, id, cue.words, Widget::Kind::button).clicked) left = false;
        p.ui.tip("Click to hide this hint");
        p.ui.end_over();
    }
}

void follow_cues(app::Cues& cues, const Panel& p, const Command& command) {
    if (const auto* change = std::get_if<ChangeDocument>(&command)) {
        const app::Document& before = p.document();
        if (change->document.source != before.source) cues.type = false;
        const bool same_model = change->document.model_file == before.model_file;
        if (same_model && !(change->document.controls == before.controls)) cues.control = false;
    }
    if (const auto* change = std::get_if<ChangeFocus>(&command)) {
        const app::Focus& before = p.focus();
        const bool filters = app::chosen_heads(change->focus) != app::chosen_heads(before) ||
                             app::chosen_layers(change->focus) != app::chosen_layers(before);
        if (filters || !(change->focus.head == before.head)) cues.head = false;
    }
}

} // namespace heed::ui
