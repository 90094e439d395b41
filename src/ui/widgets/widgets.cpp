#include "ui/widgets/widgets.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace heed::ui {

using figure::mixed;
using shim::Key;

namespace {

constexpr float kButtonRadius = 6;

} // namespace

void Ui::begin_frame(const figure::Theme& theme, float scale, float width, float height) {
    canvas.begin_frame(theme, scale);
    // Read when the frame ends, so it cannot be set around the card alone.
    ImGui::GetStyle().Colors[ImGuiCol_ModalWindowDimBg] =
        ImVec4(0, 0, 0, theme.dark ? 0.5f : 0.25f);
    width_ = width;
    height_ = height;
    widgets_.clear();
    keyboard_order_.clear();
    keyboard_layers_.clear();
    layer_ = popup_depth_ = 0;
    hovered_before_ = std::exchange(hovered_, {});
    tip_.clear();
    tip_of_.reset();
    tip_panel_.reset();
    tip_from_ = 0;
    tip_at_once_ = tip_at_rest_ = tip_late_ = false;
    tip_of_picture_ = escape_taken_ = false;
    ring_.reset();
    typing_now_ = false;
    arrows_ = false;
    wants_frame_in_ = -1;
    take_back_offer();
}

Point Ui::mouse() const {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x / canvas.scale(), at.y / canvas.scale()};
}

Point Ui::pressed_at() const {
    const ImVec2 at = ImGui::GetIO().MouseClickedPos[0];
    return {at.x / canvas.scale(), at.y / canvas.scale()};
}

float Ui::mouse_wheel_over(const Box& box) const {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel == 0 || !box.contains(mouse())) return 0;
    return ImGui::IsWindowHovered() ? io.MouseWheel : 0;
}

/// Clips to the part of the open scroll in which rows are whole, as the last frame had it: what
/// lies around is covered, and cannot be pressed. False where nothing is.
bool Ui::clip_to_whole() {
    if (scrolls_.empty() || !scrolls_.back().scroll->whole) return false;
    const Box& view = scrolls_.back().box;
    const auto [from, high] = *scrolls_.back().scroll->whole;
    canvas.push_clip({view.x, view.y + from, view.w, high});
    return true;
}

Press Ui::press(const Box& box, const std::string& id, const std::string& label, Widget::Kind kind,
                bool enabled, bool takes_keyboard) {
    Press result;
    const ImVec2 low = canvas.low(box), high = canvas.high(box);
    ImGui::SetCursorScreenPos(low);
    shim::push_no_tab_stop();
    const ImVec2 size{std::max(1.0f, high.x - low.x), std::max(1.0f, high.y - low.y)};
    const bool clipped = clip_to_whole();
    const bool clicked = ImGui::InvisibleButton(id.c_str(), size);
    if (clipped) canvas.pop_clip();
    shim::pop_no_tab_stop();
    result.hovered = ImGui::IsItemHovered();
    if (result.hovered && hovered_.empty()) hovered_ = id; // what lies above comes first
    if (enabled) {
        result.held = ImGui::IsItemActive();
        result.clicked = clicked;
        result.double_clicked = result.hovered && ImGui::IsMouseDoubleClicked(0);
        if (ImGui::IsItemActivated()) {
            keyboard_at_ = id;
            keyboard_visible_ = points_ = false;
        }
        if (takes_keyboard) {
            keyboard_order_.push_back(id);
            keyboard_layers_.push_back(layer_);
            if (has_keyboard(id) &&
                (shim::key_pressed(Key::enter) || shim::key_pressed(Key::space))) {
                result.clicked = true;
            }
        }
        // A panel follows the keyboard, and what is pointed at.
        if ((takes_keyboard || points_) && keyboard_at_ == id && keyboard_moved_) reveal(box);
    }
    note({id, label, kind, box, layer_, enabled, false, 0, {}});
    return result;
}

void Ui::note(Widget widget) {
    tip_from_ = widgets_.size();
    widgets_.push_back(std::move(widget));
}

void Ui::ring(const Box& box, const std::string& id, float radius) {
    if (!is_framed(id)) return;
    constexpr float kAround = 2, kWidth = 1.5f;
    ImDrawList& list = canvas.list();
    const float s = canvas.scale();
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    const Box clip{low.x / s, low.y / s, (high.x - low.x) / s, (high.y - low.y) / s};
    // What reaches the end of a panel, or of the window, has its ring within.
    const float left = std::max(box.x - kAround, clip.x + kWidth);
    const float top = std::max(box.y - kAround, clip.y + kWidth);
    const float right = std::min(box.x + box.w + kAround, clip.x + clip.w - kWidth);
    const float bottom = std::min(box.y + box.h + kAround, clip.y + clip.h - kWidth);
    if (right <= left || bottom <= top) return;
    ring_ = Ring{&list, clip, {left, top, right - left, bottom - top}, radius + kAround};
}

/// Above everything of its window: what is drawn after a widget would cover it.
void Ui::draw_ring() {
    if (!ring_) return;
    const Ring& r = *ring_;
    r.list->PushClipRect(canvas.low(r.clip), canvas.high(r.clip));
    shim::outline(*r.list, canvas.low(r.box), canvas.high(r.box),
                  packed(faded(theme().accent, 0.7f)), r.radius * canvas.scale(),
                  std::max(1.0f, std::round(1.5f * canvas.scale())));
    r.list->PopClipRect();
}

Press Ui::area(const Box& box, const std::string& id, const std::string& label, Widget::Kind kind,
               bool on, bool takes_keyboard) {
    const Press result = press(box, id, label, kind, true, takes_keyboard);
    widgets_.back().on = on;
    if (takes_keyboard || points_) ring(box, id, kButtonRadius);
    return result;
}

/// A button's ground, and the colour of what stands on it.
std::pair<Press, Color> Ui::pressed_face(const Box& box, const std::string& id,
                                         const std::string& label, ButtonLook look, bool enabled) {
    const Press p = press(box, id, label, Widget::Kind::button, enabled, true);
    const figure::Theme& t = theme();
    Color ground = look == ButtonLook::accent ? t.accent : t.raised;
    Color ink = look == ButtonLook::accent ? t.on_accent : t.text;
    if (p.hovered && enabled) ground = mixed(ground, t.text, p.held ? 0.14f : 0.07f);
    if (!enabled) { // whatever its look: upon the accent it could not be read
        ground = t.raised;
        ink = t.faint;
    }
    if (look != ButtonLook::quiet || (p.hovered && enabled))
        canvas.fill(box, ground, kButtonRadius);
    if (look == ButtonLook::plain) canvas.outline(box, t.border, kButtonRadius);
    return {p, ink};
}

bool Ui::button(const Box& box, const std::string& id, const std::string& label, ButtonLook look,
                bool enabled, Icon icon) {
    const auto [p, ink] = pressed_face(box, id, label, look, enabled);
    widgets_.back().accent = enabled && look == ButtonLook::accent;
    const Face face = look == ButtonLook::quiet ? Face::control : Face::strong;
    const float sign = icon == Icon::none ? 0.f : 17.f; // with the space behind it
    Box words = inset(box, 6, 0);
    if (sign > 0) {
        const float all = sign + std::min(canvas.width_of(face, label), words.w - sign);
        draw_icon(canvas, icon, {box.x + (box.w - all) / 2 + 5, box.y + box.h / 2}, ink);
        words.x += sign;
        words.w -= sign;
    }
    canvas.text(words, face, ink, label, AlignX::centre);
    ring(box, id, kButtonRadius);
    return p.clicked;
}

bool Ui::icon_button(const Box& box, const std::string& id, const std::string& label, Icon icon,
                     bool enabled) {
    const auto [p, ink] = pressed_face(box, id, label, ButtonLook::plain, enabled);
    draw_icon(canvas, icon, {box.x + box.w / 2, box.y + box.h / 2}, ink);
    ring(box, id, kButtonRadius);
    return p.clicked;
}

bool Ui::toggle(const Box& box, const std::string& id, const std::string& label, bool on,
                bool enabled) {
    const Press p = press(box, id, label, Widget::Kind::toggle, enabled, true);
    widgets_.back().on = on;
    constexpr float w = 34, h = 19;
    const Box track{box.x + box.w - w, box.y + (box.h - h) / 2, w, h};
    const figure::Theme& t = theme();
    Color ground = on ? t.accent : mixed(t.raised, t.text, t.dark ? 0.12f : 0.16f);
    if (p.hovered && enabled) ground = mixed(ground, t.text, 0.08f);
    if (!enabled) ground = mixed(ground, t.panel, 0.5f);
    canvas.fill(track, ground, h / 2);
    const Color knob = on ? (t.dark ? t.on_accent : Color{255, 255, 255}) : t.panel;
    canvas.disc({on ? track.x + w - h / 2 : track.x + h / 2, track.y + h / 2}, h / 2 - 2.5f, knob);
    ring(track, id, h / 2);
    return p.clicked;
}

/// The parts of a row of choices, without its frame.
std::optional<int> Ui::segment_parts(const Box& box, const std::string& id,
                                     std::span<const std::string> labels, std::uint32_t on,
                                     std::uint32_t enabled, int first,
                                     std::span<const Color> inks) {
    const figure::Theme& t = theme();
    // Equal shares, unless a word would not fit in its own.
    const float n = static_cast<float>(labels.size());
    std::vector<float> words;
    float widest = 0, sum = 0;
    for (const std::string& label : labels) {
        words.push_back(canvas.width_of(Face::control, label));
        widest = std::max(widest, words.back());
        sum += words.back();
    }
    const bool equal = widest + 10 <= box.w / n;
    const float spare = (box.w - sum) / n;
    std::optional<int> clicked;
    float x = box.x;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const float w = equal ? box.w / n : std::max(4.0f, words[i] + spare);
        const Box part{x, box.y, w, box.h};
        x += w;
        const bool usable = (enabled >> i & 1u) != 0, chosen = (on >> i & 1u) != 0;
        const std::string part_id = id + "/" + std::to_string(first + static_cast<int>(i));
        const Press p = press(part, part_id, labels[i], Widget::Kind::choice, usable, true);
        widgets_.back().on = chosen;
        if (p.clicked) clicked = static_cast<int>(i);
        if (chosen) { // a pill of its own: colour alone would not tell it
            canvas.fill(inset(part, 2, 2), t.dark ? t.raised : t.panel, kButtonRadius - 2);
            canvas.outline(inset(part, 2, 2), mixed(t.border, t.text, 0.25f), kButtonRadius - 2);
        } else if (p.hovered && usable) {
            canvas.fill(inset(part, 1, 1), mixed(t.ground, t.raised, 0.6f), kButtonRadius - 1);
        }
        canvas.text(part, Face::control,
                    chosen   ? (inks.empty() ? t.accent : inks[i])
                    : usable ? t.muted
                             : t.faint,
                    labels[i], AlignX::centre);
        ring(inset(part, 3, 3), part_id, kButtonRadius - 3);
    }
    return clicked;
}

std::optional<int> Ui::segments(const Box& box, const std::string& id,
                                std::span<const std::string> labels, std::uint32_t on,
                                std::uint32_t enabled, int first, std::span<const Color> inks) {
    canvas.fill(box, theme().ground, kButtonRadius);
    const std::size_t parts = next_widget();
    const auto clicked = segment_parts(box, id, labels, on, enabled, first, inks);
    tip_from(parts); // what is said of it is said of every part
    canvas.outline(box, theme().border, kButtonRadius);
    return clicked;
}

std::optional<int> Ui::segment_rows(const Box& box, const std::string& id,
                                    std::span<const std::vector<std::string>> rows,
                                    std::uint32_t on) {
    canvas.fill(box, theme().ground, kButtonRadius);
    const std::size_t parts = next_widget();
    std::optional<int> clicked;
    const float high = box.h / static_cast<float>(rows.size());
    int first = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Box row{box.x, box.y + static_cast<float>(i) * high, box.w, high};
        if (const auto at = segment_parts(row, id, rows[i], on >> first, ~0u, first))
            clicked = first + *at;
        first += static_cast<int>(rows[i].size());
    }
    tip_from(parts);
    canvas.outline(box, theme().border, kButtonRadius);
    return clicked;
}

Ui::SliderResult Ui::slider(const Box& box, const std::string& id, const std::string& label,
                            float& place, float step, bool enabled) {
    SliderResult result;
    const Press p = press(box, id, label, Widget::Kind::slider, enabled, true);
    widgets_.back().value = place;
    constexpr float knob = 7; // radius
    const float from = box.x + knob, length = box.w - 2 * knob;
    const auto set = [&](float to) {
        to = std::clamp(to, 0.0f, 1.0f);
        result.changed = to != place;
        place = to;
    };
    // The second press of a double click resets; until it is let go it drags nothing.
    if (p.double_clicked) {
        result.reset = true;
        not_dragging_ = id;
    } else if (p.held && not_dragging_ != id) {
        result.held = true;
        set((mouse().x - from) / length);
    }
    if (!p.held && not_dragging_ == id) not_dragging_.clear();
    result.released = ImGui::IsItemDeactivated();
    if (has_keyboard(id)) {
        const float move = (shim::key_pressed(Key::right, true) ? step : 0) -
                           (shim::key_pressed(Key::left, true) ? step : 0);
        if (move != 0) set(place + move);
        if (shim::key_pressed(Key::zero)) result.reset = true;
        result.released = result.released || move != 0;
    }
    const figure::Theme& t = theme();
    const float y = box.y + box.h / 2, at = from + place * length;
    canvas.fill({box.x, y - 2, box.w, 4}, mixed(t.raised, t.text, 0.08f), 2);
    canvas.fill({box.x, y - 2, at - box.x, 4}, enabled ? t.accent : t.faint, 2);
    canvas.disc({at, y}, p.hovered || p.held ? knob + 1 : knob, enabled ? t.text : t.faint);
    ring({at - knob, y - knob, 2 * knob, 2 * knob}, id, knob);
    return result;
}

float Ui::splitter(const Box& box, const std::string& id, bool upright, bool& reset) {
    const Press p = press(box, id, id, Widget::Kind::area, true, false);
    if (p.hovered || p.held) {
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const Box line = upright ? Box{box.x + box.w / 2 - 1, box.y, 2, box.h}
                                 : Box{box.x, box.y + box.h / 2 - 1, box.w, 2};
        canvas.fill(line, faded(theme().accent, 0.6f));
    }
    reset = p.double_clicked;
    if (!p.held || p.double_clicked) return 0;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    return (upright ? moved.x : moved.y) / canvas.scale();
}

bool Ui::take_escape() {
    if (escape_taken_ || !shim::key_pressed(Key::escape)) return false;
    escape_taken_ = true;
    return true;
}

void Ui::leave_field() {
    if (typing_) shim::release_active_widget();
}

void Ui::move_keyboard(int step) {
    const int top = keyboard_layers_.empty()
                        ? 0
                        : *std::max_element(keyboard_layers_.begin(), keyboard_layers_.end());
    std::vector<std::string> order;
    for (std::size_t i = 0; i < keyboard_order_.size(); ++i) {
        if (keyboard_layers_[i] == top) order.push_back(keyboard_order_[i]);
    }
    if (order.empty()) return;
    const auto now = std::find(order.begin(), order.end(), keyboard_at_);
    const auto size = static_cast<std::ptrdiff_t>(order.size());
    if (std::exchange(points_, false) && now != order.end()) step = 0; // what it points to
    const std::ptrdiff_t next =
        now == order.end() ? (step > 0 ? 0 : size - 1) : (now - order.begin() + step + size) % size;
    keyboard_at_ = order[static_cast<std::size_t>(next)];
    keyboard_visible_ = true;
    const bool is_field = fields_.count(keyboard_at_) != 0;
    shim::release_active_widget();
    if (is_field) want_field(keyboard_at_);
}

void Ui::move_by_arrows() {
    if (!arrows_ && before_menu_) {
        keyboard_at_ = *before_menu_;
        before_menu_.reset();
    }
    const int step =
        (shim::key_pressed(Key::down, true) ? 1 : 0) - (shim::key_pressed(Key::up, true) ? 1 : 0);
    if (!arrows_ || typing_ || step == 0) return;
    if (!before_menu_) {
        before_menu_ = keyboard_at_;
        const auto holds = std::find_if(widgets_.begin(), widgets_.end(), [](const Widget& w) {
            return w.layer > 0 && w.on && w.enabled;
        });
        if (holds != widgets_.end()) keyboard_at_ = holds->id;
    }
    move_keyboard(step);
    keyboard_moved_ = true;
    wants_frame_in_ = 0;
}

void Ui::end_frame() {
    keyboard_moved_ = std::exchange(keyboard_moves_, false);
    if (keyboard_moved_) wants_frame_in_ = 0;
    popup_depth_seen_ = popup_depth_;
    typing_ = typing_now_;
    if (!typing_) typed_astral_.clear();
    if (shim::key_pressed(Key::tab, true) && !shim::command_down()) {
        move_keyboard(shim::shift_down() ? -1 : 1);
        keyboard_moved_ = true;
        wants_frame_in_ = 0;
    }
    move_by_arrows();
    // Where the field that was asked for is not on the screen, nothing waits for it.
    if (wants_field_for_ > 0)
        wants_field_for_ = typing_ && wants_field_.empty() ? 0 : wants_field_for_ - 1;
    if (wants_field_for_ == 0) wants_field_.clear();
    if (wants_field_for_ > 0) wants_frame_in_ = 0;
    forget_undrawn_fields();

    draw_ring();
    draw_tip();
}

} // namespace heed::ui
