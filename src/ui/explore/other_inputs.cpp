#include "ui/explore/other_inputs.hpp"

#include "ui/frame/chords.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heed::ui {

void picture_input(Panel& p, const Box& box) {
    const std::string& file = p.document().image_file;
    const std::string label =
        file.empty() ? "Open picture \u2026" : std::filesystem::path(file).filename().string();
    const float wanted = p.ui.canvas.width_of(Face::strong, label) + 36;
    const Box button{box.x, box.y, std::clamp(wanted, 60.0f, std::max(box.w, 60.0f)), box.h};
    if (p.ui.button(button, "picture/open", label)) p.state.open_dialog = CardId::open_file;
    p.ui.tip("The picture that the model reads. Click (" + keys_of(ActionId::open) +
             ") or drop a PNG or JPEG on the window to show it another.");
}

void sentence_input(Panel& p, const Box& box) {
    const auto& run = p.snapshot().run;
    const int count = run ? run->model->traits().sentences : 1, now = p.document().sentence;
    if (count < 2) return;
    const std::string words = fmt::format("sentence {} of {}", now + 1, count);
    const std::string widest = fmt::format("sentence {} of {}", count, count);
    const float width = p.ui.canvas.width_of(Face::control, widest) + 16;
    const auto go = [&](int to) {
        p.change({app::UndoTag::Of::source}, "sentence", true,
                 [&](app::Document& d) { d.sentence = to; });
    };
    const Box before{box.x, box.y, box.h, box.h};
    const Box middle{before.x + before.w, box.y, width, box.h};
    const Box after{middle.x + width, box.y, box.h, box.h};
    if (p.ui.button(before, "sentence/previous", "\u2039", Ui::ButtonLook::plain, now > 0)) {
        go(now - 1);
    }
    p.ui.tip("The sentence of the file before this one");
    p.ui.area(middle, "sentence", words);
    p.ui.tip("Which sentence of the file the pictures are of");
    p.ui.canvas.text(middle, Face::control, p.ui.theme().text, words, AlignX::centre);
    if (p.ui.button(after, "sentence/next", "\u203a", Ui::ButtonLook::plain, now + 1 < count)) {
        go(now + 1);
    }
    p.ui.tip("The sentence of the file after this one");
}

} // namespace heed::ui
