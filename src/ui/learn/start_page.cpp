#include "ui/learn/start_page.hpp"

#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace heed::ui {

namespace {

constexpr float kWidest = 820; // of lines that are read

bool is_done(const LearnState& state, const app::ListedLesson& card) {
    return state.visits.cards.contains(card.name);
}

/// The one that is open, or the first that was not done; none where all were.
std::optional<std::size_t> card_to_go_on_with(const LearnState& state) {
    if (state.lesson && !is_done(state, state.lessons[*state.lesson])) return state.lesson;
    for (std::size_t card = 0; card < state.lessons.size(); ++card) {
        if (!is_done(state, state.lessons[card])) return card;
    }
    return std::nullopt;
}

void begin_from_here(Panel& p, std::size_t card) {
    begin_lesson(p.state, card);
    p.ui.wake_in(0);
}

/// A card's title, and below it what it asks.
void card_row(Panel& p, Form& f, LearnState& state, std::size_t card) {
    constexpr float kInside = 14, kAbove = 10, kTitle = 22, kMark = 20;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::ListedLesson& entry = state.lessons[card];
    const float width = f.w - 2 * kInside - kMark;
    const float high = c.paragraph({}, width, Face::control, t.muted, entry.lesson.task, false);
    const Box box = f.row(high + kTitle + 2 * kAbove, 8);
    const bool marked = state.marked == card;
    const Press press = p.ui.area(box, fmt::format("learn/begin/{}", card), entry.lesson.title,
                                  Widget::Kind::button, marked, true);
    p.ui.tip("Opens this card above the live window");
    if (marked && std::exchange(state.moved, false)) p.ui.reveal(box);
    const bool lit = press.hovered || marked;
    c.fill(box, lit ? t.raised : t.panel, 8);
    c.outline(box, lit ? t.accent : t.border, 8);
    const Box title{box.x + kInside, box.y + kAbove, width + kMark, kTitle - 4};
    c.text(title, Face::strong, t.text, fmt::format("{} · {}", card + 1, entry.lesson.title));
    if (state.visits.cards.contains(entry.name)) {
        c.text(title, Face::strong, t.good, "✓", AlignX::right);
    }
    c.paragraph({title.x, box.y + kAbove + kTitle}, width, Face::control, t.muted,
                entry.lesson.task);
    if (press.clicked) begin_from_here(p, card);
}

} // namespace

float start_page(Panel& p, const Box& whole) {
    LearnState& state = learn_state(p);
    const figure::Theme& t = p.ui.theme();
    const float width = std::min(whole.w, kWidest);
    const Box box{whole.x + (whole.w - width) / 2, whole.y, width, 0}; // in the middle
    float y = box.y;
    const figure::TextStyle title{22, figure::Font::sans, figure::Weight::bold};
    y += paint_words(p, {"Start here", title, t.text}, {box.x, y}, box.w) + 10;
    y += paint_words(p, {kStartWords, {14}, t.muted}, {box.x, y}, width) + 14;
    Form f(p.ui, box.x, y, width);
    if (!state.lessons.empty()) {
        const std::optional<std::size_t> undone = card_to_go_on_with(state);
        const std::size_t next = undone.value_or(0);
        const bool open = state.lesson && state.lesson == undone;
        const char* does = !undone ? "Begin again" : next == 0 && !open ? "Begin" : "Go on";
        const std::string words =
            fmt::format("{} with “{}”", does, state.lessons[next].lesson.title);
        Line line = f.line(32, 14);
        if (f.button(line.left(std::min(line.rest.w, 380.0f)), "learn/begin", words,
                     Ui::ButtonLook::accent)) {
            begin_from_here(p, next);
        }
        f.tip(open     ? "Goes back to the card that is open"
              : undone ? "Opens the first card that you have not done above the live window"
                       : "You have done every card: opens the first above the live window");
    }
    for (std::size_t card = 0; card < state.lessons.size(); ++card) card_row(p, f, state, card);
    f.space(8);
    f.paragraph("Below the cards, on the left, are pages: claims about attention, each measured in "
                "front of you.");
    return f.y;
}

void start_signs(Panel& p, const Box& box) {
    constexpr float kSignsPad = 18;
    Form f(p.ui, box.x + kSignsPad, box.y + kSignsPad, box.w - 2 * kSignsPad - 1, "learn/signs/");
    f.heading("Marks in the list", "What stands on the right of a card or a page");
    f.paragraph("✓  a card that is done, or a claim that held when it was measured");
    f.paragraph("×  a claim that did not hold");
    f.paragraph("≈  a claim that depends on what is set");
    f.paragraph("·  a page that was looked at and not measured");
    f.paragraph("→  the card that is open");
}

} // namespace heed::ui
