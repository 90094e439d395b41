// The Train room's left: the task, and who learns it.
#include "ui/train_room.hpp"

#include "figure/series_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heed::ui {

namespace {

constexpr float kPad = 14, kRow = 32;

struct TaskName {
    train::Task task;
    const char* words;
};
constexpr TaskName kTasks[] = {{train::Task::copy, "Copy"},
                               {train::Task::reverse, "Reverse"},
                               {train::Task::sort, "Sort"},
                               {train::Task::dates, "Dates \u2192 ISO"},
                               {train::Task::zh_en, "\u4e2d\u6587 \u2192 English"},
                               {train::Task::en_fr, "English \u2192 fran\u00e7ais"},
                               {train::Task::en_zh, "English \u2192 \u4e2d\u6587"},
                               {train::Task::headlines_en, "Headlines \u2192 topic"},
                               {train::Task::headlines_zh, "\u6807\u9898 \u2192 topic"}};

/// The place of a learner among those of the class that is open; none where it is not in it.
std::optional<std::size_t> place_of(const Panel& p, std::size_t learner) {
    const auto& opened = p.classroom.opened();
    if (!opened || !opened->learns[learner]) return std::nullopt;
    return static_cast<std::size_t>(
        std::count(opened->learns.begin(),
                   opened->learns.begin() + static_cast<std::ptrdiff_t>(learner), true));
}

void own_row(Panel& p, const Box& row) {
    const figure::Theme& t = p.ui.theme();
    const std::string& file = p.state.class_form.file;
    const bool on = !file.empty();
    const std::string words = on ? std::filesystem::path(file).filename().string()
                                 : std::string("Your file (.tsv) \u2026");
    const Press press = p.ui.area(row, "train/own", words, Widget::Kind::choice, on, true);
    p.ui.tip(train::is_classification(p.state.class_form.task)
                 ? "A label, a tab and a text on each line; or drop a file here"
                 : "Pairs of sentences, a tab between them; or drop a file here");
    if (on || press.hovered) p.ui.canvas.fill(row, t.raised, 5);
    if (on) p.ui.canvas.fill({row.x, row.y + 4, 2, row.h - 8}, t.accent);
    p.ui.canvas.text({row.x + 12, row.y, row.w - 20, row.h}, Face::body, on ? t.accent : t.text,
                     words);
    if (press.clicked) p.state.open_dialog = "data-dialog";
}

void learner_row(Panel& p, const Box& row, std::size_t i) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    app::ClassForm& form = p.state.class_form;
    const std::string words(app::name(app::kLearners[i]));
    const auto place = place_of(p, i);
    const int count = static_cast<int>(p.classroom.seen().pupils.size());
    const bool learns = place && static_cast<int>(*place) < count;
    const bool shown = learns && *place == p.state.training.pupil;
    const Box left{row.x, row.y, row.w - 44, row.h};
    const Press press =
        p.ui.area(left, "train/show/" + words, words, Widget::Kind::choice, shown, true);
    p.ui.tip(place ? "Show its alignment, film and samples" : "Switch it on to let it learn, too");
    if (shown) c.fill(row, t.raised, 5);
    if (shown) c.fill({row.x, row.y + 4, 2, row.h - 8}, t.accent);
    Color ink = t.muted;
    if (learns) {
        ink = figure::series_color(t, static_cast<int>(*place), count);
        c.fill({row.x + 10, row.y + row.h / 2 - 1.5f, 12, 3}, ink, 1.5f);
    }
    // Word vectors may have left it fewer heads.
    const auto& pupils = p.classroom.seen().pupils;
    c.text({row.x + 28, row.y, row.w - 76, row.h}, Face::body, form.learns[i] ? ink : t.muted,
           learns ? models::short_title(pupils[*place].plan.model) : words);
    if (press.clicked && learns) p.state.training = {*place, {}};
    const bool last_one =
        form.learns[i] && std::count(form.learns.begin(), form.learns.end(), true) == 1;
    if (p.ui.toggle({row.x + row.w - 44, row.y, 38, row.h}, "train/learns/" + words, words,
                    form.learns[i], !last_one)) {
        form.learns[i] = !form.learns[i];
    }
}

} // namespace

void train_left(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    c.fill(box, t.panel);
    c.rule_down(box.x + box.w - 1, box.y, box.h);
    const float x = box.x + kPad, w = box.w - 2 * kPad - 1;
    ui.begin_scroll({box.x, box.y, box.w - 1, box.h}, "train/left", p.state.train_left);
    float y = box.y + kPad - p.state.train_left.offset;
    const auto heading = [&](const std::string& words) {
        c.heading({x, y, w, 16}, t.muted, words);
        y += 24;
    };
    app::ClassForm& form = p.state.class_form;
    heading("Task");
    for (const TaskName& task : kTasks) {
        const Box row{x - 4, y, w + 8, kRow - 2};
        const bool on = form.file.empty() && form.task == task.task;
        const std::string id = fmt::format("train/task/{}", train::name(task.task));
        const Press press = ui.area(row, id, task.words, Widget::Kind::choice, on, true);
        if (on || press.hovered) c.fill(row, t.raised, 5);
        if (on) c.fill({row.x, row.y + 4, 2, row.h - 8}, t.accent);
        c.text({x + 8, y, w - 8, row.h}, Face::body, on ? t.accent : t.text, task.words);
        if (press.clicked) {
            app::choose_task(form, task.task);
            form.file.clear();
            form.vectors.clear();
        }
        y += kRow;
    }
    own_row(p, {x - 4, y, w + 8, kRow - 2});
    y += kRow;
    const std::string said = app::own_data_words(p.classroom.seen());
    if (!said.empty()) y += 2 + c.paragraph({x + 8, y}, w - 8, Face::small, t.muted, said);
    y += 10;
    c.rule(x, y, w);
    y += 14;
    heading("Models side by side");
    for (std::size_t i = 0; i < app::kLearners.size(); ++i) {
        if (!app::is_offered(app::kLearners[i], form.task)) continue;
        learner_row(p, {x - 4, y, w + 8, kRow - 2}, i);
        y += kRow;
    }
    ui.end_scroll(y + kPad + p.state.train_left.offset);
}

} // namespace heed::ui
