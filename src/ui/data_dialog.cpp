// The card that takes a user's own sentences for the Train room.
#include "app/open_file.hpp"
#include "ui/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace heed::ui {

namespace {

constexpr float kPad = 22, kLabel = 20, kField = 34;

/// Nothing where it is no number that a vocabulary may have.
std::optional<int> words_of(const std::string& typed) {
    int words = 0;
    const auto [stop, error] = std::from_chars(typed.data(), typed.data() + typed.size(), words);
    const bool good = error == std::errc() && stop == typed.data() + typed.size();
    return good && words >= 10 && words <= 100'000 ? std::optional(words) : std::nullopt;
}

} // namespace

void data_dialog(Panel& p) {
    Ui& ui = p.ui;
    DataForm& form = p.state.data;
    const float w = std::min(600.0f, ui.width() - 40), width = w - 2 * kPad;
    const float h = 248 + kPathRow * static_cast<float>(form.listed.entries.size());
    const Box box{(ui.width() - w) / 2, std::max(30.0f, (ui.height() - h) * 0.35f), w, h};
    if (!ui.begin_popup("data-dialog", box, true)) return;
    app::ClassForm& chosen = p.state.class_form;
    if (ui.popup_appears()) {
        if (!chosen.file.empty()) form.path = chosen.file;
        form.vectors = chosen.vectors;
        form.vocabulary = fmt::format("{}", chosen.vocabulary);
        form.listed.listed_for.reset();
        ui.focus("data/path");
    }
    const figure::Theme& t = ui.theme();
    const float x = box.x + kPad;
    float y = box.y + 18;
    ui.canvas.text({x, y, width, 26}, Face::title, t.text, "Your file");
    ui.canvas.text({x, y, width, 26}, Face::control, t.muted, "source, a tab, target on each line",
                   AlignX::right);
    y += 42;
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "path of a text file, as Tatoeba and Anki export it";
    const auto typed = ui.field({x, y, width, kField}, "data/path", "path", form.path, options);
    y += 40;
    if (auto file = path_rows(p, "data/entry", form.listed, form.path, "data/path", x, y, width)) {
        form.path = *std::move(file);
    }
    y += 8;
    const float words = 130;
    ui.canvas.text({x, y, width, kLabel}, Face::small, t.muted, "Word vectors");
    ui.canvas.text({x + width - words, y, words, kLabel}, Face::small, t.muted, "Words known");
    y += kLabel;
    options.hint = "none; or a file of lines: word n1 n2 …";
    ui.field({x, y, width - words - 12, kField}, "data/vectors", "vectors", form.vectors, options);
    options.hint = "10 to 100000";
    ui.field({x + width - words, y, words, kField}, "data/vocabulary", "vocabulary",
             form.vocabulary, options);
    y = box.y + h - 20 - kField;
    ui.canvas.text({x, y, width - 230, kField}, Face::small, t.faint,
                   "One line in eight is held out");
    if (ui.button({x + width - 210, y, 100, kField}, "data/close", "Cancel")) ui.close_popup();
    const bool possible = !form.path.empty() && words_of(form.vocabulary);
    const bool pressed = ui.button({x + width - 100, y, 100, kField}, "data/use", "Use it",
                                   Ui::ButtonLook::accent, possible);
    if ((pressed || typed.entered) && possible) {
        app::choose_file(chosen, app::whole_path(form.path));
        chosen.vectors = form.vectors.empty() ? "" : app::whole_path(form.vectors);
        chosen.vocabulary = *words_of(form.vocabulary);
        ui.close_popup();
    }
    ui.end_popup();
}

} // namespace heed::ui
