#include "ui/train/data_dialog.hpp"

#include "app/files/open_file.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace heed::ui {

namespace {

/// Nothing where it is no number that a vocabulary may have.
std::optional<int> words_of(const std::string& typed) {
    int words = 0;
    const auto [stop, error] = std::from_chars(typed.data(), typed.data() + typed.size(), words);
    const bool good = error == std::errc() && stop == typed.data() + typed.size();
    return good && words >= 10 && words <= 100'000 ? std::optional(words) : std::nullopt;
}

/// The form that what is typed stands for; none where it cannot be one.
std::optional<app::ExperimentForm> wanted_form(const DataForm& form,
                                               const app::ExperimentForm& chosen) {
    const std::optional<int> words = words_of(form.vocabulary);
    if (form.path.empty() || !words) return std::nullopt;
    app::ExperimentForm wanted = chosen;
    app::choose_file(wanted, app::whole_path(form.path));
    wanted.vectors = form.vectors.empty() ? "" : app::whole_path(form.vectors);
    wanted.vocabulary = *words;
    return wanted;
}

/// Follows what is typed: once it rests, its file is read on a thread of its own.
void follow(Panel& p, DataForm& form, std::optional<app::ExperimentForm> wanted) {
    constexpr float kRests = 0.3f, kLook = 0.02f; // seconds
    if (wanted != form.wanted) {
        form.wanted = std::move(wanted);
        form.rested = 0;
        form.asked.forget();
        form.found.reset();
        form.loads = false;
    }
    if (!form.wanted || form.found) return;
    form.rested += p.ui.seconds_passed();
    const bool due = form.loads || (form.rested >= kRests && names_a_file(form.path));
    if (!form.asked.asks() && due) {
        constexpr std::chrono::milliseconds kMoment(60); // in which most files are read
        form.asked.ask(*form.wanted, form.loads ? kMoment : std::chrono::milliseconds(4));
    }
    form.found = form.asked.take();
    if (form.found) return;
    if (form.asked.asks()) return p.ui.wake_in(kLook);
    if (names_a_file(form.path) && form.rested < kRests) p.ui.wake_in(kRests);
}

/// Loads the file, once it is read; one that was refused is read again: it may have been mended.
void load(Panel& p, DataForm& form, const std::optional<app::ExperimentForm>& wanted) {
    if (form.found && !*form.found) {
        form.found.reset();
        form.asked.forget();
    }
    form.loads = true;
    follow(p, form, wanted);
}

/// "pairs.tsv: it is not valid UTF-8", without its folders.
std::string error_words(const base::Error& error) {
    const std::string& of = error.subject;
    return fmt::format("{}: {}", of.substr(of.rfind('/') + 1), error.message);
}

/// What the file holds or, once it was to be loaded, what is wrong with it.
void data_remark(Panel& p, Form& f, const DataForm& form, const char* many) {
    constexpr float kTwoLines = 38;
    const float end = f.y + kTwoLines;
    if (form.found && *form.found) {
        const app::OwnFile& found = **form.found;
        f.paragraph(fmt::format("{} {} to learn from, {} held out for testing{}{}", found.training,
                                many, found.held_out, found.left_out.empty() ? "" : "; ",
                                found.left_out));
    } else if (form.found && form.loads) {
        f.paragraph(error_words(form.found->error()), p.ui.theme().bad);
    } else {
        f.paragraph(form.loads ? "Reading the file \u2026"
                               : "About one line in eight is held out for testing");
    }
    f.y = std::max(f.y, end);
}

void begin_form(Panel& p, DataForm& form, const app::ExperimentForm& chosen) {
    form.path = chosen.file.empty() ? in_last_folder(p, "") : chosen.file;
    form.vectors = chosen.vectors;
    form.vocabulary = fmt::format("{}", chosen.vocabulary);
    form.wanted.reset();
    form.found.reset();
    form.asked.forget();
    form.loads = false;
    form.listed.sentences = true;
    forget(form.listed);
    p.ui.focus("data/path");
}

/// Fields of the word vectors and of the vocabulary's size.
void word_rows(Form& f, DataForm& form, Ui::FieldOptions options) {
    const Color muted = f.ui.theme().muted;
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
}

} // namespace

LineWords words_of_lines(const app::ExperimentForm& chosen) {
    return train::is_classification(chosen.task) ? LineWords{"text", "label ⇥ text", "texts"}
                                                 : LineWords{"pair", "source ⇥ target", "pairs"};
}

void data_dialog(Panel& p) {
    Ui& ui = p.ui;
    DataForm& form = p.state.train->data;
    app::ExperimentForm& chosen = p.state.train->form;
    const bool open = modal_card(ui, CardId::data, {600, "data/"}, [&](Form& f) {
        if (f.opens()) begin_form(p, form, chosen);
        const LineWords line = words_of_lines(chosen);
        f.title("Your file", fmt::format("one {} per line: {}", line.one, line.columns));
        Ui::FieldOptions options;
        options.mono = true;
        options.hint = "path of a text file, such as Tatoeba and Anki export";
        const auto typed = f.field("path", "path", form.path, options);
        f.tip(fmt::format("The path of a text file with one {} per line: {} (⇥ is a tab).",
                          line.one, line.columns));
        if (auto file = file_list(f, form.listed, form.path, "path")) form.path = *std::move(file);
        f.space(8);
        word_rows(f, form, options);
        const std::optional<app::ExperimentForm> wanted = wanted_form(form, chosen);
        const bool pressed = end_buttons(f, "use", "Cancel", "Load", wanted.has_value(),
                                         "Reads the sentences and makes them the task");
        if (f.draws()) {
            follow(p, form, wanted);
            if (wanted && (pressed || typed.entered)) {
                load(p, form, wanted);
                const bool goes = form.found && *form.found;
                if (typed.entered && !goes) ui.focus_end("data/path"); // it may be to be mended
            }
        }
        f.space(8);
        data_remark(p, f, form, line.many);
        if (!f.draws() || !form.loads || !form.found || !*form.found) return;
        const app::ExperimentForm& now = *form.wanted;
        const bool again = now.file == chosen.file && now.vectors == chosen.vectors &&
                           now.vocabulary == chosen.vocabulary;
        if (!again || !chooses_left_run(p, app::task_word(chosen))) chosen = now;
        remember_folder(p, form.path);
        ui.close_popup();
    });
    if (!open) form.asked.forget();
}

} // namespace heed::ui
