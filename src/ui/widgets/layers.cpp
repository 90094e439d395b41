// Layers above the window or moving within it: scrolled panels, cards, tooltips.
#include "ui/widgets/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::ui {

using shim::Key;

void Ui::begin_scroll(const Box& box, const std::string& id, Scroll& scroll) {
    const float wheel = mouse_wheel_over(box);
    scroll.offset -= wheel * 44;
    scroll.offset = std::clamp(scroll.offset, 0.0f, std::max(0.0f, scroll.content - box.h));
    scrolls_.push_back({box, id, &scroll, canvas.worded().size(), widgets_.size()});
    canvas.push_clip(box);
}

void Ui::reveal(const Box& box) {
    constexpr float kBeside = 8;
    if (scrolls_.empty()) return;
    const Box& view = scrolls_.back().box;
    float& offset = scrolls_.back().scroll->offset;
    if (box.y < view.y + kBeside) offset -= view.y + kBeside - box.y;
    const float below = box.y + box.h - (view.y + view.h - kBeside);
    if (below > 0) offset += below;
}

void Ui::scroll_by(float points) {
    if (!scrolls_.empty()) scrolls_.back().scroll->offset += points;
}

Box whole_rows(const Box& view, std::span<const Box> rows) {
    float top = view.y, bottom = view.y + view.h;
    for (const Box& row : rows) {
        if (row.y < view.y && row.y + row.h > view.y) top = std::max(top, row.y + row.h);
        const bool cut = row.y < view.y + view.h && row.y + row.h > view.y + view.h;
        if (cut) bottom = std::min(bottom, row.y);
    }
    return bottom > top ? Box{view.x, top, view.w, bottom - top} : view;
}

void Ui::end_scroll_at_rows(float content_bottom, Color ground) {
    const OpenScroll& open = scrolls_.back();
    const auto& worded = canvas.worded();
    const auto first = static_cast<std::ptrdiff_t>(std::min(open.words, worded.size()));
    std::vector<Box> rows(worded.begin() + first, worded.end());
    for (std::size_t i = open.widgets; i < widgets_.size(); ++i) rows.push_back(widgets_[i].box);
    const Box &view = open.box, whole = whole_rows(view, rows);
    open.scroll->whole = {whole.y - view.y, whole.h};
    const float end = whole.y + whole.h, w = view.w - Scroll::kThumb; // of what is written
    canvas.fill({view.x, view.y, w, whole.y - view.y}, ground);
    canvas.fill({view.x, end, w, view.y + view.h - end}, ground);
    end_scroll(content_bottom);
}

/// `content_bottom`: where it lies while nothing is scrolled.
void Ui::end_scroll(float content_bottom) {
    canvas.pop_clip();
    const OpenScroll open = scrolls_.back();
    scrolls_.pop_back();
    Scroll& s = *open.scroll;
    s.content = content_bottom - open.box.y;
    if (s.content <= open.box.h + 0.5f) return;
    // A thumb that can be dragged; the wheel is the usual way.
    const float length = std::max(24.0f, open.box.h * open.box.h / s.content);
    const float range = s.content - open.box.h;
    const float top = open.box.y + (open.box.h - length) * std::min(1.0f, s.offset / range);
    const Box thumb{open.box.x + open.box.w - 7, top, 5, length};
    const Press p = press({thumb.x - 3, thumb.y, 11, thumb.h}, open.id + "/scroll", "scroll",
                          Widget::Kind::area, true, false);
    tip("Drag, or turn the mouse wheel, to see more");
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

void Ui::open_popup(CardId id) {
    card_scroll_ = {};
    ImGui::OpenPopup(popup_name(id).c_str());
}

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
    canvas.forget_worded();
    ImGui::PushClipRect({0, 0}, canvas.high({0, 0, width_, height_}), false);
    canvas.shadow(box, 8);
    canvas.fill(box, theme().panel, 8);
    canvas.outline(box, theme().border, 8);
    if (shim::key_pressed(Key::escape)) close_popup();
    return true;
}

void Ui::begin_over(const std::string& id, const Box& box) {
    const ImVec2 low = canvas.low(box), high = canvas.high(box);
    ImGui::SetNextWindowPos(low);
    ImGui::SetNextWindowSize({high.x - low.x, high.y - low.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(id.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(2);
    ImGui::PushClipRect({0, 0}, canvas.high({0, 0, width_, height_}), false);
}

void Ui::end_over() {
    ImGui::PopClipRect();
    ImGui::End();
}

void Ui::close_popup() { ImGui::CloseCurrentPopup(); }

void Ui::end_popup() {
    ImGui::PopClipRect();
    ImGui::EndPopup();
    --layer_;
}

std::string tip_words(std::string_view sentence, std::string_view formula,
                      std::string_view citation) {
    std::string words(sentence);
    if (!formula.empty()) words.append("\n").append(formula);
    if (!citation.empty()) words.append(formula.empty() ? "\n" : " \u00b7 ").append(citation);
    return words;
}

namespace {

constexpr float kTallRow = 64, kTallPicture = 180; // points

Box around(std::span<const Widget> widgets) {
    Box all = widgets.front().box;
    for (const Widget& w : widgets) {
        const float right = std::max(all.x + all.w, w.box.x + w.box.w);
        const float bottom = std::max(all.y + all.h, w.box.y + w.box.h);
        all.x = std::min(all.x, w.box.x);
        all.y = std::min(all.y, w.box.y);
        all.w = right - all.x;
        all.h = bottom - all.y;
    }
    return all;
}

} // namespace

void Ui::take_tip(const Widget& of) {
    const bool edited = of.kind == Widget::Kind::field && of.on;
    if (of.id != hovered_ || edited || of.tip.empty()) return;
    tip_ = of.tip;
    // Of something large, only once the mouse rests: it is looked at, not asked about.
    tip_at_rest_ = of.box.h > kTallRow;
    // Kept clear of: the control with its label and its other parts.
    const Box all = around(std::span(widgets_).subspan(std::min(tip_from_, widgets_.size() - 1)));
    tip_of_ = all.h <= kTallPicture ? std::optional(all) : std::nullopt;
    tip_of_picture_ = tip_at_rest_;
    tip_at_once_ = tip_late_ = false;
    tip_panel_.reset();
}

void Ui::tip_late(const std::string& text) {
    tip(text);
    if (!widgets_.empty() && widgets_.back().id == hovered_) tip_late_ = true;
}

void Ui::tip(const std::string& text) {
    for (std::size_t i = tip_from_; i < widgets_.size(); ++i) {
        widgets_[i].tip = text;
        take_tip(widgets_[i]);
    }
}

void Ui::tips(std::span<const std::string> each) {
    std::size_t part = 0;
    for (std::size_t i = tip_from_; i < widgets_.size() && part < each.size(); ++i) {
        if (widgets_[i].kind == Widget::Kind::area) continue; // their label
        if (!each[part].empty()) widgets_[i].tip = each[part];
        take_tip(widgets_[i]);
        ++part;
    }
}

void Ui::tip_now(const std::string& text, std::optional<Box> of) {
    tip_ = text;
    tip_of_ = of;
    tip_panel_.reset();
    tip_at_once_ = tip_of_picture_ = true;
    tip_late_ = false;
}

void Ui::tip_within(const std::string& text, const Box& of, const Box& panel) {
    tip_now(text, of);
    tip_panel_ = panel;
}

namespace {

float overlap(const Box& a, const Box& b) {
    const float w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x);
    const float h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
    return w > 0 && h > 0 ? w * h : 0;
}

} // namespace

/// Area of what is read or pressed below a box: square points of words and of controls. Pictures do
/// not count.
float Ui::covered_by(const Box& box) const {
    float sum = 0;
    for (const Box& words : canvas.worded()) sum += overlap(box, words);
    for (const Widget& w : widgets_) {
        const bool above = w.layer > 0 || popup_depth_ == 0;
        if (above && w.kind != Widget::Kind::area && w.box.h <= kTallPicture) {
            sum += overlap(box, w.box);
        }
    }
    return sum;
}

/// Below, above or beside what the tip is about: where it covers least, and below before above.
Box Ui::tip_box(float width, float height) const {
    constexpr float kEdge = 4, kBeside = 6, kFromPanel = 18; // off a panel's margin too
    const Point at = mouse();
    const auto inside = [&](Box box) {
        const float left = tip_panel_ ? tip_panel_->x : kEdge;
        const float right = tip_panel_ ? tip_panel_->x + tip_panel_->w : width_ - kEdge;
        box.x = std::clamp(box.x, left, std::max(left, right - width));
        box.y = std::clamp(box.y, kEdge, std::max(kEdge, height_ - height - kEdge));
        return box;
    };
    if (!tip_of_) {
        const float below = at.y + 18;
        const bool fits = below + height <= height_ - kEdge;
        return inside({at.x + 14, fits ? below : at.y - 8 - height, width, height});
    }
    const Box& of = *tip_of_;
    const float x = std::max(at.x - 24, of.x), y = of.y + (of.h - height) / 2;
    if (tip_panel_) { // what is pointed at next lies beside it in the picture
        const float below = tip_panel_->y + tip_panel_->h + kBeside;
        const float above = tip_panel_->y - kBeside - height;
        if (below + height <= height_ - kEdge) return inside({x, below, width, height});
        if (above >= kEdge) return inside({x, above, width, height});
    }
    const Box places[] = {{x, of.y + of.h + kBeside, width, height},
                          {x, of.y - kBeside - height, width, height},
                          {of.x + of.w + kFromPanel, y, width, height},
                          {of.x - kFromPanel - width, y, width, height},
                          {of.x + of.w + kFromPanel, of.y, width, height},
                          {of.x - kFromPanel - width, of.y, width, height}};
    if (tip_late_) return inside(places[2]);
    Box best = inside(places[0]);
    float least = -1;
    for (const Box& place : places) {
        const Box box = inside(place);
        if (overlap(box, of) > 0) continue;
        const float covered = covered_by(box);
        if (least >= 0 && covered >= least) continue;
        best = box;
        least = covered;
    }
    return best;
}

/// A tip over a picture goes once it is read or a key is pressed, until the pointer moves again;
/// one of the picture as a whole when the wheel is turned, too.
bool Ui::tip_is_over() {
    constexpr float kOfLetter = 0.06f; // seconds, read at ease
    const double now = ImGui::GetTime();
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (moved.x != 0 || moved.y != 0) {
        still_since_ = now;
        tip_gone_ = false;
    }
    if (!tip_of_picture_ || tip_.empty()) return false;
    const double read = std::min(3 + kOfLetter * static_cast<float>(tip_.size()), 10.0f);
    const bool turned = tip_at_rest_ && !tip_at_once_ && ImGui::GetIO().MouseWheel != 0;
    tip_gone_ = tip_gone_ || turned || shim::any_key_pressed() || now >= still_since_ + read;
    if (!tip_gone_) wake_in(static_cast<float>(still_since_ + read - now) + 0.01f);
    return tip_gone_;
}

void Ui::draw_tip() {
    constexpr double kTipDelay = 0.5, kLate = 1.2; // seconds
    const double now = ImGui::GetTime();
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool moves = tip_at_rest_ && (moved.x != 0 || moved.y != 0);
    if (hovered_ != hovered_before_ || moves) hovered_since_ = now;
    const bool appears = std::exchange(tip_shown_, {}).w == 0;
    // What was pressed is not told about until the pointer moves again.
    if (ImGui::IsMouseDown(0)) {
        pressed_ = true;
    } else if (pressed_ && (moved.x != 0 || moved.y != 0)) {
        pressed_ = false;
        hovered_since_ = now;
    }
    if (tip_is_over() || tip_.empty() || (!tip_at_once_ && pressed_)) return;
    const double due = hovered_since_ + (tip_late_ ? kLate : kTipDelay) - now;
    if (!tip_at_once_ && due > 0) {
        wake_in(static_cast<float>(due) + 0.01f);
        return;
    }
    constexpr float kPad = 9, kAbove = 6, kWide = 320, kNarrow = 210;
    const float most = tip_late_    ? kNarrow
                       : tip_panel_ ? std::min(kWide, tip_panel_->w - 2 * kPad)
                                    : kWide;
    std::vector<std::string_view> lines;
    float w = 0, h = 0;
    for (std::string_view rest = tip_; !rest.empty();) {
        lines.push_back(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(lines.back().size() + 1, rest.size()));
        w = std::max(w, std::min(most, canvas.width_of(Face::control, lines.back()) + 1));
        h += canvas.paragraph({}, most, Face::control, {}, lines.back(), false);
    }
    const Box box = tip_shown_ = tip_box(w + 2 * kPad, h + 2 * kAbove);
    if (appears) wake_in(0); // ImGui keeps a tooltip hidden in its first frame
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
    Point at{box.x + kPad, box.y + kAbove};
    for (const std::string_view line : lines) {
        at.y += canvas.paragraph(at, most, Face::control, ink, line);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

} // namespace heed::ui
