#include "ui/window/cues.hpp"

#include <algorithm>
#include <string>

namespace heed::ui {

namespace {

struct CueRow {
    bool app::Cues::*left;
    const char* widget; // whose place it points to
    const char* words;
};
constexpr CueRow kCues[] = {
    {&app::Cues::type, "source", "Type here: every picture follows"},
    {&app::Cues::head, "heads", "Click a head: each looks elsewhere"},
    {&app::Cues::control, "temperature", "Turn this, and watch the map"},
};

const Widget* shown(const Ui& ui, const std::string& id) {
    const auto& all = ui.widgets();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Widget& w) { return w.id == id; });
    return at == all.end() ? nullptr : &*at;
}

} // namespace

void show_cues(Panel& p) {
    if (p.ui.any_popup()) return; // something else is asked
    constexpr float kHeight = 30, kGap = 8, kPad = 12, kTip = 5;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    for (const CueRow& cue : kCues) {
        bool& left = p.state.cues.*cue.left;
        const Widget* of = left ? shown(p.ui, cue.widget) : nullptr;
        if (of == nullptr) continue;
        const float w = c.width_of(Face::control, cue.words) + 2 * kPad;
        const Box at = of->box;
        const bool ends = of->kind == Widget::Kind::toggle; // a switch lies at its row's end
        const Box box{ends ? at.x + at.w - w : at.x + 8, at.y + at.h + kGap, w, kHeight};
        const std::string id = std::string("cue/") + cue.widget;
        p.ui.begin_over(id, {box.x, box.y - kTip, box.w, box.h + kTip});
        c.fill(box, t.panel, 6);
        c.outline(box, t.accent, 6);
        const float s = c.scale(), tip = ends ? box.x + box.w - 20 : box.x + 20;
        const std::array corners = {ImVec2{(tip - kTip) * s, (box.y + 0.5f) * s},
                                    ImVec2{tip * s, (box.y - kTip) * s},
                                    ImVec2{(tip + kTip) * s, (box.y + 0.5f) * s}};
        c.list().AddTriangleFilled(corners[0], corners[1], corners[2], packed(t.accent));
        c.text(inset(box, kPad, 0), Face::control, t.text, cue.words);
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
        if (!(change->focus.head == p.focus().head)) cues.head = false;
    }
}

} // namespace heed::ui
