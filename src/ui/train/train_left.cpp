// The Train room's left: the task, and who learns it.
#include "figure/views/training_room.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace heed::ui {

namespace {

constexpr float kTrainLeftPad = 14;

/// The place of a learner among those of the experiment that is open; none where it is not in it.
std::optional<std::size_t> place_of(const Panel& p, std::size_t learner) {
    const auto& opened = p.experiment.opened();
    if (!opened || !opened->learns[learner]) return std::nullopt;
    return static_cast<std::size_t>(
        std::count(opened->learns.begin(),
                   opened->learns.begin() + static_cast<std::ptrdiff_t>(learner), true));
}

/// The sentences of a row that was clicked, of this word (app::task_word()): the form is of them,
/// with the settings and the file's vectors that they were left with.
void choose_sentences(Panel& p, app::ExperimentForm wanted, const std::string& word) {
    const auto& opened = p.experiment.opened();
    const bool here = opened && word == app::task_word(*opened);
    const bool learning = p.experiment.learning();
    if (chooses_left_run(p, word)) return;
    p.state.train->asked.reset(); // answered: the present run is kept
    if (here && !learning) return;
    if (!here) { // a task has settings of its own
        auto& left = p.state.train->task_settings;
        if (opened) left[app::task_word(*opened)] = p.state.train->form;
        const auto own = left.find(word);
        const bool known = own != left.end();
        if (known) app::choose_task(wanted, own->second.task); // what a file's lines are
        const app::ExperimentForm settings = known ? own->second : app::ExperimentForm{};
        app::take_settings(wanted, settings);
        wanted.vectors = settings.vectors;
        wanted.vocabulary = settings.vocabulary;
    }
    p.state.train->form = wanted; // as any other wish
}

/// "step 12": of the run that is open or, of other sentences, of the one that was left.
std::string step_of(const Panel& p, const std::string& word) {
    const auto& opened = p.experiment.opened();
    const bool here = opened && word == app::task_word(*opened) && p.experiment.has_progress();
    const app::SavedExperiment* left = p.experiment.runs().of_task(word);
    return here   ? fmt::format("step {}", steps_done(p))
           : left ? fmt::format("step {}", left->step)
                  : "";
}

constexpr float kRowOutdent = 4, kRowWords = 6; // of a row of the list; from the form's left

/// Small words below a row of the list.
void words_below(Panel& p, Form& f, const std::string& words) {
    f.space(p.ui.canvas.paragraph({f.x + kRowWords, f.y}, f.w - kRowWords, Face::small,
                                  p.ui.theme().muted, words) +
            4);
}

/// A row of the list; `word`: of its sentences, `title`: what tells them apart. A file's folder
/// that has no room stands below it.
bool sentences_row(Panel& p, Form& f, const std::string& id, const std::string& word,
                   const std::string& title, bool on, std::string tip) {
    const app::SavedExperiment* left = p.experiment.runs().of_task(word);
    const std::string name = app::task_title(word), step = step_of(p, word);
    constexpr float kBesideStep = 8;
    Canvas& c = p.ui.canvas;
    const float taken = step.empty() ? 0 : c.width_of(Face::small, step) + kBesideStep;
    const bool whole = c.width_of(Face::body, title) + taken <= f.w - 2 * kRowWords;
    const bool pressed = f.entry(id, {.label = whole ? title : name,
                                      .detail = step,
                                      .name = title,
                                      .on = on,
                                      .marked = true,
                                      .outdent = kRowOutdent,
                                      .detail_face = Face::small});
    if (left) tip += fmt::format("\nClick to go back to the run at step {}", left->step);
    f.tip(tip);
    f.space(2);
    constexpr std::size_t kBetween = std::string_view(" · ").size();
    if (!whole && title != name) words_below(p, f, title.substr(name.size() + kBetween));
    return pressed;
}

/// A user's files, and below the one that is open what it holds.
void file_rows(Panel& p, Form& f) {
    const app::ExperimentForm& form = p.state.train->form;
    const app::ExperimentSnapshot& seen = p.experiment.seen();
    const std::string now = form.file.empty() ? "" : app::task_word(form);
    const std::string holds = app::own_data_words(seen);
    const std::set<std::string> files = own_files(p), titled = titled_files(p);
    for (const std::string& file : files) {
        const std::string title = app::title_among(file, titled);
        const bool pressed = sentences_row(p, f, "file/" + file, file, title, file == now, file);
        const bool told = !holds.empty() && seen.trainees[0].plan.sentences.own.file == file;
        if (told) words_below(p, f, holds);
        if (!pressed) continue;
        app::ExperimentForm wanted = form;
        const auto& loaded = p.state.train->loaded;
        const auto known = loaded.find(file);
        const bool another = known != loaded.end() && known->second != wanted.task;
        if (another) app::choose_task(wanted, known->second);
        app::choose_file(wanted, file);
        choose_sentences(p, wanted, file);
    }
}

void task_rows(Panel& p, Form& f) {
    const app::ExperimentForm& form = p.state.train->form;
    for (const train::TaskInfo& task : train::task_infos()) {
        const std::string word(task.name);
        const bool on = form.file.empty() && form.task == task.task;
        const std::string title = app::task_title(word), tip(task.tip);
        if (!sentences_row(p, f, "task/" + word, word, title, on, tip)) continue;
        app::ExperimentForm wanted = form;
        app::choose_task(wanted, task.task);
        wanted.file.clear();
        choose_sentences(p, wanted, word);
    }
    file_rows(p, f);
    if (f.entry("own", {.label = "Your file (.tsv) \u2026", .outdent = kRowOutdent})) {
        p.state.open_dialog = CardId::data;
    }
    const LineWords line = words_of_lines(form);
    f.tip(fmt::format("One {} per line: {}. A file can also be dropped here", line.one,
                      line.columns));
}

constexpr float kBesideName = 74; // in its row

/// Name of a learner, in two lines where one is too narrow; returns the height, drawn or not.
float learner_name(Canvas& c, const Box& box, Color ink, const std::string& name, bool draw) {
    const float high = c.paragraph({}, box.w, Face::body, ink, name, false);
    if (draw) c.paragraph({box.x, box.y + (box.h - high) / 2}, box.w, Face::body, ink, name);
    return high;
}

std::string learner_words(const Panel& p, std::size_t i) {
    const auto place = place_of(p, i);
    const auto& trainees = p.experiment.seen().trainees;
    const bool learns = place && *place < trainees.size();
    // Word vectors may have left it fewer heads.
    return learns ? models::short_title(trainees[*place].plan.model)
                  : std::string(app::name(app::kTraineeKinds[i]));
}

void learner_row(Panel& p, const Box& row, std::size_t i) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    app::ExperimentForm& form = p.state.train->form;
    const std::string words(app::name(app::kTraineeKinds[i]));
    const auto place = place_of(p, i);
    const bool learns = place && *place < p.experiment.seen().trainees.size();
    const bool shown = learns && *place == p.state.train->view.trainee;
    const Box left{row.x, row.y, row.w - 44, row.h};
    const Press press =
        p.ui.area(left, fmt::format("train/show/{}", i), words, Widget::Kind::choice, shown, true);
    const std::string what(app::tip(app::kTraineeKinds[i]));
    p.ui.tip(what + (place ? "\nClick to view this model" : "\nSwitch it on to train it, too"));
    if (shown) c.fill(row, t.raised, 5);
    if (shown) c.fill({row.x, row.y + 4, 2, row.h - 8}, t.accent);
    Color ink = t.muted;
    if (learns) {
        ink = figure::learner_color(t, static_cast<int>(i));
        c.fill({row.x + 10, row.y + row.h / 2 - 1.5f, 12, 3}, ink, 1.5f);
    }
    learner_name(c, {row.x + 28, row.y, row.w - kBesideName, row.h}, form.learns[i] ? ink : t.muted,
                 learner_words(p, i), true);
    if (press.clicked && learns) {
        p.state.train->view.trainee = *place;
        p.state.train->brings_map = false; // it was of the former one
    }
    const bool last_one =
        form.learns[i] && std::count(form.learns.begin(), form.learns.end(), true) == 1;
    if (p.ui.toggle({row.x + row.w - 44, row.y, 38, row.h}, fmt::format("train/learns/{}", i),
                    words, form.learns[i], !last_one)) {
        form.learns[i] = !form.learns[i];
    }
    p.ui.tip(last_one ? "At least one model is trained" : "Also train this model");
}

} // namespace

void train_left(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    c.fill(box, t.panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    ui.begin_scroll({box.x, box.y, box.w - 1, box.h}, "train/left", p.state.train->left_scroll);
    Form f(ui, box.x + kTrainLeftPad, box.y + kTrainLeftPad - p.state.train->left_scroll.offset,
           box.w - 2 * kTrainLeftPad - 1, "train/");
    f.heading("Task", "What the models learn; sentences are generated for it.");
    task_rows(p, f);
    f.section("Models side by side", 12,
              "All models that are switched on learn from the same sentences.");
    for (std::size_t i = 0; i < app::kTraineeKinds.size(); ++i) {
        if (!app::is_offered(app::kTraineeKinds[i], p.state.train->form.task)) continue;
        constexpr float kAbove = 4, kOut = 8; // beyond both sides
        const float words = learner_name(c, {0, 0, f.w + kOut - kBesideName, 0}, t.muted,
                                         learner_words(p, i), false);
        const Box row = f.row(std::max(30.0f, words + kAbove), 2);
        learner_row(p, {row.x - 4, row.y, row.w + 8, row.h}, i);
    }
    ui.end_scroll(f.y + kTrainLeftPad + p.state.train->left_scroll.offset);
}

} // namespace heed::ui
