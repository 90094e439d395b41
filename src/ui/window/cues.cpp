#include "ui/window/cues.hpp"

#include "app/views/filter.hpp"
#include "ui/frame/choices.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace heed::ui {

namespace {

/// The side of its widget on which a cue hides nothing that is read: the empty line below it, or
/// the picture beside the panel that it is in.
enum class Where { below, left, right };

struct CueRow {
    bool app::Cues::*left;
    const char* widget; // whose place it points to
    const char* words;
    Where where;
};
constexpr CueRow kCues[] = {
    {&app::Cues::type, "source", "Type here", Where::below},
    {&app::Cues::head, "heads", "Click another head", Where::right},
    {&app::Cues::head, "edge/left", "Heads are here", Where::right},
    {&app::Cues::control, "temperature", "Turn this", Where::left},
};

constexpr float kCueTip = 5;

Box place_of(const CueRow& cue, const Box& at, float w) {
    constexpr float kHeight = 26, kGap = 18;
    const float middle = at.y + at.h / 2 - kHeight / 2;
    switch (cue.where) {
    case Where::below: return {at.x + 8, at.y + at.h - 2, w, kHeight};
    case Where::left: return {at.x - w - kGap, middle, w, kHeight};
    case Where::right: return {at.x + at.w + kGap, middle, w, kHeight};
    }
    return {};
}

/// The small triangle that points at the widget.
void draw_tip(Canvas& c, const CueRow& cue, const Box& box) {
    const bool below = cue.where == Where::below, right = cue.where == Where::right;
    const float s = c.scale();
    const float side = right ? box.x - kCueTip : box.x + box.w + kCueTip;
    const Point tip = below ? Point{box.x + 20, box.y - kCueTip} : Point{side, box.y + box.h / 2};
    const float dx = below || right ? kCueTip : -kCueTip, dy = below ? kCueTip : -kCueTip;
    const ImVec2 one{(below ? tip.x - dx : tip.x + dx) * s, (tip.y + dy) * s};
    const ImVec2 other{(tip.x + dx) * s, (below ? tip.y + dy : tip.y - dy) * s};
    c.list().AddTriangleFilled(one, {tip.x * s, tip.y * s}, other, packed(c.theme().accent));
}

const Widget* shown(const Ui& ui, const std::string& id) {
    const auto& all = ui.widgets();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Widget& w) { return w.id == id; });
    return at == all.end() ? nullptr : &*at;
}

/// Whether there is what the cue asks for, and a map that answers.
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

void show_cues(Panel& p) {
    if (p.ui.any_popup()) return; // something else is asked
    constexpr float kPad = 10;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    for (const CueRow& cue : kCues) {
        bool& left = p.state.cues.*cue.left;
        const Widget* of = left ? shown(p.ui, cue.widget) : nullptr;
        if (of == nullptr || p.ui.edits(cue.widget) || !makes_sense(p, cue)) continue;
        const Box box = place_of(cue, of->box, c.width_of(Face::small, cue.words) + 2 * kPad);
        const std::string id = std::string("cue/") + cue.widget;
        p.ui.begin_over(id, inset(box, -kCueTip, -kCueTip));
        c.fill(box, t.panel, 6);
        c.outline(box, t.accent, 6);
        draw_tip(c, cue, box);
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
