// The Learn room's left: the cards for a beginning, and the pages by their groups.
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/learn/start_page.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::ui {

namespace {

constexpr float kLearnPad = 16;

/// A row of the list, in as many lines as its words need, with a mark at its right end.
struct ListRow {
    std::string id, label;
    bool on = false;
    std::string mark{};
    Color ink{}; // of the mark
};
bool list_row(Form& f, const ListRow& what) {
    constexpr float kOut = 8, kAbove = 4, kMark = 16;
    Canvas& c = f.ui.canvas;
    const figure::Theme& t = f.ui.theme();
    const float width = f.w - kMark;
    const float high = c.paragraph({}, width, Face::control, t.text, what.label, false);
    const Box line = f.row(high + 2 * kAbove);
    const Box box{line.x - kOut, line.y, line.w + 2 * kOut, line.h};
    const Press press =
        f.ui.area(box, f.ids() + what.id, what.label, Widget::Kind::choice, what.on, true);
    if (press.hovered || what.on) c.fill(box, t.raised, 5);
    if (what.on) c.fill({box.x, box.y + 4, 2, box.h - 8}, t.accent);
    c.paragraph({line.x, line.y + kAbove}, width, Face::control, what.on ? t.accent : t.text,
                what.label);
    c.text(line, Face::strong, what.ink, what.mark, AlignX::right);
    return press.clicked;
}

void lesson_rows(Panel& p, Form& f, LearnState& state) {
    const figure::Theme& t = p.ui.theme();
    f.heading("Start here", kStartWords);
    if (list_row(f, {"start", "All cards", state.starts})) {
        state.starts = true;
        state.stage.offset = 0;
    }
    f.tip("What each card asks, and the one to go on with");
    bool own = false;
    for (std::size_t i = 0; i < state.lessons.size(); ++i) {
        const app::ListedLesson& entry = state.lessons[i];
        if (entry.own && !own) {
            own = true;
            f.section("Your lessons", 10,
                      "Files *.md in the folder " + p.state.files.lessons_folder);
        }
        // The one that is followed is no choice of what is shown here: that is a page.
        const bool done = state.visits.cards.contains(entry.name), followed = state.lesson == i;
        if (list_row(f, {fmt::format("lesson/{}", i), entry.lesson.title, false,
                         followed ? "→"
                         : done   ? "✓"
                                  : "",
                         followed ? t.accent : t.good})) {
            begin_lesson(p.state, i);
            p.ui.wake_in(0);
        }
        f.tip(followed ? "→ This card is open. " + entry.lesson.task
              : done   ? entry.lesson.task + "\n✓ You have done this card"
                       : entry.lesson.task);
    }
    for (const base::Error& error : state.bad_lessons) {
        f.paragraph(base::describe(error), t.bad);
    }
}

/// Moves the list so that a row of it, which was drawn above `bottom`, is seen.
void reveal(LearnState& state, const Box& list, float height, float bottom) {
    if (bottom > list.y + list.h) state.list.offset += bottom - (list.y + list.h) + height;
    if (bottom - height < list.y) state.list.offset -= list.y - (bottom - height) + height;
    state.list.offset = std::max(state.list.offset, 0.0f);
}

void page_rows(Panel& p, Form& f, LearnState& state, const Box& list) {
    const figure::Theme& t = p.ui.theme();
    std::string group;
    for (std::size_t i = 0; i < lab::pages().size(); ++i) {
        const lab::Page& page = lab::pages()[i];
        if (page.group != group) {
            group = page.group;
            f.section(group, 10);
        }
        const auto known = state.verdicts.find(page.name);
        const Color ink =
            known == state.verdicts.end() ? t.muted : ink_of(t, known->second.verdict);
        const float above = f.y;
        const bool on = !state.starts && state.page == i;
        if (list_row(
                f, {"page/" + page.name, lab::plain(page.title), on, mark_of(state, page), ink})) {
            state.page = i;
            state.starts = false;
            state.stage.offset = 0;
        }
        if (!state.starts && state.page == i && std::exchange(state.listed, i) != i) {
            reveal(state, list, f.y - above, f.y);
            p.ui.wake_in(0);
        }
        const std::string mark = mark_of(state, page);
        f.tip(mark.empty() ? lab::plain(page.claim)
              : known == state.verdicts.end()
                  ? fmt::format("{}\n{} You looked at this page; with its usual settings nothing "
                                "was measured yet",
                                lab::plain(page.claim), mark)
                  : fmt::format("{}\n{} Last time: {}. {}", lab::plain(page.claim), mark,
                                lab::name(known->second.verdict),
                                lab::plain(known->second.because)));
    }
}

} // namespace

void learn_left(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    LearnState& state = learn_state(p);
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x + box.w - 1, box.y, box.h);
    ui.begin_scroll({box.x, box.y, box.w - 1, box.h}, "learn/left", state.list);
    Form f(ui, box.x + kLearnPad, box.y + kLearnPad - state.list.offset, box.w - 2 * kLearnPad - 1,
           "learn/");
    lesson_rows(p, f, state);
    page_rows(p, f, state, box);
    f.rule();
    // Hard spaces keep each mark with its words.
    f.paragraph("✓\u00a0done, or the\u00a0claim\u00a0held · ×\u00a0it\u00a0did\u00a0not · "
                "≈\u00a0it\u00a0depends · •\u00a0looked\u00a0at");
    ui.end_scroll(f.y + kLearnPad + state.list.offset);
}

} // namespace heed::ui
