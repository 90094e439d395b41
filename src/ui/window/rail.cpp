#include "ui/window/rail.hpp"

#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/tips.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace heed::ui {

namespace {

constexpr float kNamedRoom = 46; // points; in less height a room is its sign alone

enum class Sign { eye, rings, question, wave, slope, fall };
struct Room {
    const char* id;
    const char* label;
    Sign sign;
    app::View view; // where the room is one view; heatmap stands for all of Explore's
};
constexpr Room kRooms[] = {{"room/explore", "Explore", Sign::eye, app::View::heatmap},
                           {"room/inside", "Inside", Sign::rings, app::View::inside},
                           {"room/learn", "Learn", Sign::question, app::View::learn},
                           {"room/positions", "Positions", Sign::wave, app::View::positions},
                           {"room/softmax", "Softmax", Sign::slope, app::View::softmax},
                           {"room/train", "Train", Sign::fall, app::View::train}};

void draw_sign(Canvas& c, Sign sign, Point at, Color color) {
    const float s = c.scale();
    if (sign == Sign::eye || sign == Sign::rings) {
        c.list().AddCircle({at.x * s, at.y * s}, 6.5f * s, packed(color), 0, 1.5f * s);
        if (sign == Sign::eye) {
            c.disc(at, 3.2f, color);
        } else {
            c.list().AddCircle({at.x * s, at.y * s}, 2.6f * s, packed(color), 0, 1.5f * s);
        }
        return;
    }
    if (sign == Sign::question) {
        c.text({at.x - 10, at.y - 10, 20, 20}, Face::title, color, "?", AlignX::centre);
        return;
    }
    // One turn of a sine, the slope of a softmax between two scores, or a loss that falls.
    constexpr int kSteps = 24;
    ImVec2 points[kSteps + 1];
    for (int i = 0; i <= kSteps; ++i) {
        const float t = 2 * static_cast<float>(i) / kSteps - 1;
        const float y = sign == Sign::wave    ? std::sin(3.1416f * t)
                        : sign == Sign::slope ? std::tanh(3 * t)
                                              : 2 * std::exp(-2 * (t + 1)) - 1;
        points[i] = {(at.x + 9 * t) * s, (at.y - 5.5f * y) * s};
    }
    c.list().AddPolyline(points, kSteps + 1, packed(color), 0, 1.5f * s);
}

void room_button(Panel& p, const Box& box, const Room& room) {
    const bool named = box.h >= kNamedRoom;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::View now = p.state.view.view;
    const bool on = room.view == app::View::heatmap ? app::in_explore(now) : now == room.view;
    const bool explores = room.view == app::View::heatmap;
    const bool fits = explores || view_fits(p, room.view);
    const Press press = p.ui.area(box, room.id, room.label, Widget::Kind::choice, on, fits);
    if (on || (fits && press.hovered)) c.fill(box, t.raised, 8);
    const Color ink = on ? t.accent : fits ? t.muted : t.faint;
    draw_sign(c, room.sign, {box.x + box.w / 2, named ? box.y + 18 : box.y + box.h / 2}, ink);
    if (named) c.text({box.x, box.y + 29, box.w, 16}, Face::small, ink, room.label, AlignX::centre);
    const bool learning = room.view == app::View::train && p.experiment.learning();
    if (learning) c.disc({box.x + box.w / 2 + 13, box.y + 10}, 2.5f, t.accent);
    p.ui.tip_late(!fits      ? "This model has no attention, which this room is about"
                  : learning ? "A training is running"
                  : explores ? kExploreTip
                             : std::string(app::info(room.view).tip));
    if (press.clicked && fits) choose_room(p, room.view);
}

void search_button(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Press search =
        p.ui.area(box, "search", "Command palette", Widget::Kind::button, false, true);
    p.ui.tip("Finds a command by its name (" + keys_of(ActionId::palette) + ")");
    if (search.hovered) c.fill(box, t.raised, 8);
    const Point lens{box.x + box.w / 2 - 1.5f, box.y + box.h / 2 - 1.5f};
    const float s = c.scale();
    c.list().AddCircle({lens.x * s, lens.y * s}, 5 * s, packed(t.muted), 0, 1.5f * s);
    const std::array handle = {ImVec2{(lens.x + 3.6f) * s, (lens.y + 3.6f) * s},
                               ImVec2{(lens.x + 7.5f) * s, (lens.y + 7.5f) * s}};
    shim::polyline(c.list(), handle, packed(t.muted), false, 1.5f * s);
    if (search.clicked) p.state.open_dialog = CardId::search;
}

void theme_button(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Press flip =
        p.ui.area(box, "theme", "Theme", Widget::Kind::toggle, p.state.view.dark, true);
    p.ui.tip(std::string(p.state.view.dark ? "Light" : "Dark") +
             " colours, on the screen and in exports (" + keys_of(ActionId::dark_theme) + ")");
    if (flip.hovered) c.fill(box, t.raised, 8);
    const Point sun{box.x + box.w / 2, box.y + box.h / 2};
    c.disc(sun, 6.5f, t.muted);
    c.fill({sun.x, sun.y - 8, 8, 16}, flip.hovered ? t.raised : t.panel);
    c.list().AddCircle({sun.x * c.scale(), sun.y * c.scale()}, 6.5f * c.scale(), packed(t.muted), 0,
                       1.5f * c.scale());
    if (flip.clicked) p.state.view.dark = !p.state.view.dark;
}

} // namespace

void rail(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    c.fill(box, t.panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    constexpr float kAround = 10, kBelow = 126; // search, colours and keys
    constexpr float kWide = 6, kNarrow = 2, kLeast = 26, kSearch = 40;
    const auto pitch_above = [&](float below) {
        return std::min(56.0f, (box.h - kAround - below) / static_cast<float>(std::size(kRooms)));
    };
    const float with_search = pitch_above(kBelow);
    const float pitch = with_search >= kLeast ? with_search : pitch_above(kBelow - kSearch);
    const float gap = pitch < kNamedRoom + kWide ? kNarrow : kWide;
    float y = box.y + kAround;
    for (const Room& room : kRooms) {
        room_button(p, {box.x + 3, y, box.w - 7, pitch - gap}, room);
        y += pitch;
    }

    const Box help{box.x + 3, box.y + box.h - 46, box.w - 7, 36};
    const Box theme{help.x, help.y - 40, help.w, 36}, find{theme.x, theme.y - 40, theme.w, 36};
    // From top to bottom, as the keyboard goes; a very low window has no place for the search.
    if (find.y >= y) search_button(p, find);
    theme_button(p, theme);
    const Press keys = p.ui.area(help, "keys", "Keys", Widget::Kind::button, false, true);
    p.ui.tip("All keyboard shortcuts (?)");
    if (keys.hovered) c.fill(help, t.raised, 8);
    c.text(help, Face::small, t.muted, "? Keys", AlignX::centre);
    if (keys.clicked) p.state.open_dialog = CardId::keys;
}

} // namespace heed::ui
