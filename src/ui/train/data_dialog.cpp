#include "ui/train/data_dialog.hpp"

#include "app/files/open_file.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <charconv>

namespace heed::ui {

namespace {

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
    DataForm& form = p.state.train->data;
    app::ExperimentForm& chosen = p.state.train->form;
    modal_card(ui, CardId::data, {600, "data/"}, [&](Form& f) {
        if (f.opens()) {
            form.path = chosen.file.empty() ? in_last_folder(p, "") : chosen.file;
            form.vectors = chosen.vectors;
            form.vocabulary = fmt::format("{}", chosen.vocabulary);
            forget(form.listed);
            ui.focus("data/path");
        }
        f.title("Your file", "one pair per line: source ⇥ target");
        Ui::FieldOptions options;
        options.mono = true;
        options.hint = "path of a text file, such as Tatoeba and Anki export";
        const auto typed = f.field("path", "path", form.path, options);
        f.tip("The path of a text file with one pair per line: source ⇥ target (⇥ is a tab).");
        if (auto file = file_list(f, form.listed, form.path, "path")) form.path = *std::move(file);
        f.space(8);
        const Color muted = ui.theme().muted;
        constexpr float kWords = 130;
        Line labels{f.row(20), 12}, fields{f.row(34, 22), 12};
        f.text(labels.right(kWords), Face::small, muted, "Vocabulary size");
        f.text(labels.rest, Face::small, muted, "Word vectors");
        const Box words = fields.right(kWords);
        options.hint = "none; or a file of lines: word n1 n2 …";
        f.field(fields.rest, "vectors", "vectors", form.vectors, options);
        f.tip("A file with a vector for each word, such as GloVe; the models start from these.\n"
              "Pennington et al. 2014");
        options.hint = "10 to 100000";
        f.field(words, "vocabulary", "vocabulary", form.vocabulary, options);
        f.tip("How many different words the models know, the most frequent first; all others are "
              "one unknown word.");
        f.text({f.x, f.y, f.w - 230, 34}, Face::small, ui.theme().muted,
               "1 in 8 lines is held out");
        const bool possible = !form.path.empty() && words_of(form.vocabulary);
        const bool pressed = end_buttons(f, "use", "Cancel", "Load", possible,
                                         "Reads the sentences and makes them the task");
        if ((!pressed && !typed.entered) || !possible) return;
        app::choose_file(chosen, app::whole_path(form.path));
        remember_folder(p, form.path);
        chosen.vectors = form.vectors.empty() ? "" : app::whole_path(form.vectors);
        chosen.vocabulary = *words_of(form.vocabulary);
        ui.close_popup();
    });
}

} // namespace heed::ui
