// What lies above or moves within the window: scrolled panels, cards, tooltips.
#include "ui/widgets/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

using shim::Key;

void Ui::begin_scroll(const Box& box, const std::string& id, Scroll& scroll) {
    const float wheel = mouse_wheel_over(box);
    scroll.offset -= wheel * 44;
    scroll.offset = std::clamp(scroll.offset, 0.0f, std::max(0.0f, scroll.content - box.h));
    scroll_ = OpenScroll{box, id, &scroll};
    canvas.push_clip(box);
}

void Ui::end_scroll(float content_bottom) {
    canvas.pop_clip();
    const OpenScroll open = *scroll_;
    scroll_.reset();
    Scroll& s = *open.scroll;
    s.content = content_bottom - (open.box.y - s.offset);
    if (s.content <= open.box.h + 0.5f) return;
    // A thumb that can be dragged; the wheel is the usual way.
    const float length = std::max(24.0f, open.box.h * open.box.h / s.content);
    const float range = s.content - open.box.h;
    const float top = open.box.y + (open.box.h - length) * std::min(1.0f, s.offset / range);
    const Box thumb{open.box.x + open.box.w - 7, top, 5, length};
    const Press p = press({thumb.x - 3, thumb.y, 11, thumb.h}, open.id + "/scroll", "scroll",
                          Widget::Kind::area, true, false);
    if (p.held) {
        s.offset += ImGui::GetIO().MouseDelta.y / canvas.scale() * range / (open.box.h - length);
        s.offset = std::clamp(s.offset, 0.0f, range);
    }
    canvas.fill(thumb, faded(theme().muted, p.hovered || p.held ? 0.7f : 0.3f), 2.5f);
}

void Ui::wake_in(float seconds) {
    seconds = std::max(seconds, 0.0f);
    if (wants_frame_in_ < 0 || seconds < wants_frame_in_) wants_frame_in_ = seconds;
}

float Ui::seconds_passed() const { return ImGui::GetIO().DeltaTime; }

namespace {

std::string popup_name(CardId id) { return fmt::format("card/{}", static_cast<int>(id)); }

} // namespace

void Ui::open_popup(CardId id) { ImGui::OpenPopup(popup_name(id).c_str()); }

bool Ui::popup_open(CardId id) const { return ImGui::IsPopupOpen(popup_name(id).c_str()); }

bool Ui::begin_popup(CardId id, const Box& box, bool modal) {
    ImGui::SetNextWindowPos(canvas.low(box));
    const ImVec2 low = canvas.low(box), high = canvas.high(box);
    ImGui::SetNextWindowSize({high.x - low.x, high.y - low.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    const ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;
    const std::string name = popup_name(id);
    const bool open = modal ? ImGui::BeginPopupModal(name.c_str(), nullptr, flags)
                            : ImGui::BeginPopup(name.c_str(), flags);
    ImGui::PopStyleVar(3);
    if (!open) return false;
    ++popup_depth_;
    ++layer_;
    ImGui::PushClipRect({0, 0}, canvas.high({0, 0, width_, height_}), false);
    canvas.shadow(box, 8);
    canvas.fill(box, theme().panel, 8);
    canvas.outline(box, theme().border, 8);
    if (shim::key_pressed(Key::escape)) close_popup();
    return true;
}

void Ui::close_popup() { ImGui::CloseCurrentPopup(); }

void Ui::end_popup() {
    ImGui::PopClipRect();
    ImGui::EndPopup();
    --layer_;
}

void Ui::tip(const std::string& text) {
    if (hovered_ == last_id_ && !last_id_.empty()) tip_ = text;
}

void Ui::tip_now(const std::string& text) {
    tip_ = text;
    tip_at_once_ = true;
}

void Ui::draw_tip() {
    constexpr double kTipDelay = 0.5; // seconds
    const double now = ImGui::GetTime();
    if (hovered_ != hovered_before_) hovered_since_ = now;
    if (tip_.empty()) return;
    const double due = hovered_since_ + kTipDelay - now;
    if (!tip_at_once_ && due > 0) {
        wake_in(static_cast<float>(due) + 0.01f);
        return;
    }
    constexpr float kPad = 9, kLine = 17, kMax = 300;
    const float words = canvas.width_of(Face::control, tip_);
    const float w = std::min(words, kMax);
    const Point at = mouse();
    const float h =
        words <= kMax ? kLine : canvas.paragraph({0, 0}, kMax, Face::control, {}, tip_, false);
    Box box{at.x + 14, at.y + 18, w + 2 * kPad, h + 12};
    box.x = std::max(4.0f, std::min(box.x, width_ - box.w - 4));
    if (box.y + box.h > height_ - 4) box.y = at.y - box.h - 8;
    ImGui::SetNextWindowPos(canvas.low(box));
    ImGui::SetNextWindowSize(
        {canvas.high(box).x - canvas.low(box).x, canvas.high(box).y - canvas.low(box).y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin("##tip", nullptr,
                 ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoDecoration |
                     ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const figure::Theme& t = theme();
    canvas.fill(box, t.dark ? t.raised : t.text, 5);
    if (t.dark) canvas.outline(box, t.border, 5);
    const Color ink = t.dark ? t.text : t.panel;
    if (words <= kMax) {
        canvas.text({box.x + kPad, box.y, w, box.h}, Face::control, ink, tip_);
    } else {
        canvas.paragraph({box.x + kPad, box.y + 6}, kMax, Face::control, ink, tip_);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

} // namespace heed::ui
