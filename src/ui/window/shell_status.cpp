// What the shell says of itself to whoever watches from outside.
#include "ui/learn/learn_room.hpp"
#include "ui/window/shell.hpp"

#include <fmt/format.h>

namespace heed::ui {

std::string Shell::status() const {
    const trace::HeadId& head = work.focus().head;
    std::string text = fmt::format(
        "frame\t{}\nrequested\t{}\nrevision\t{}\nfocus\t{} {} {}\nsource\t{}\nnotice\t{}\n"
        "figures\t{}\n",
        frames_, work.requested_revision(), work.snapshot().revision, static_cast<int>(head.kind),
        head.layer, head.head, work.document().source, work.notice.text, figures.built());
    const ImGuiIO& io = ImGui::GetIO(); // what this frame has seen of the mouse
    text += fmt::format("pointer\t{:.0f} {:.0f} {}\n", io.MousePos.x, io.MousePos.y,
                        io.MouseDown[0] ? "down" : "up");
    if (const app::ExperimentSnapshot& now = experiment.seen(); !now.trainees.empty()) {
        constexpr const char* kStates[] = {"empty", "preparing", "paused", "learning", "finished"};
        text += fmt::format("experiment\t{} {}\n", kStates[static_cast<std::size_t>(now.state)],
                            now.trainees[0].step);
    }
    if (const auto& cell = state.view.selected) {
        text += fmt::format("cell\t{} {}\n", cell->first, cell->second);
    }
    if (work.snapshot().run) {
        text += "said\t";
        for (const auto& token : work.snapshot().run->trace.target) text += token.text + ' ';
        text += '\n';
    }
    text += learn_status(state);
    for (const Widget& w : ui.widgets()) {
        const ImVec2 low = ui.canvas.low(w.box), high = ui.canvas.high(w.box);
        text += fmt::format("widget\t{}\t{}\t{:.0f}\t{:.0f}\t{:.0f}\t{:.0f}\t{}\n", w.id, w.label,
                            low.x, low.y, high.x - low.x, high.y - low.y, w.on ? 1 : 0);
    }
    return text;
}

} // namespace heed::ui
