#include "ui/learn/learn_state.hpp"

#include "figure/parts/formula.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/learn/learn_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::ui {

void FigureStore::begin_frame() {
    constexpr std::uint64_t kOld = 30; // frames
    ++frame_;
    if (frame_ % kOld != 0) return;
    std::erase_if(all_, [&](const auto& entry) { return entry.second.used + kOld < frame_; });
}

lab::Settings& LearnState::settings_now() {
    const lab::Page& page_now = now();
    const auto known = settings.find(&page_now);
    if (known != settings.end()) return known->second;
    return settings.emplace(&page_now, lab::usual_settings(page_now.parameters)).first->second;
}

namespace {

/// Names of what settings of a page differ in.
std::string differing(const lab::Settings& before, const lab::Settings& after) {
    std::string names = before.seed == after.seed ? "" : "the seed\n";
    const auto collect = [&](const auto& were, const auto& are) {
        for (const auto& [name, value] : are) {
            const auto was = were.find(name);
            if (was == were.end() || was->second != value) names += name + "\n";
        }
    };
    collect(before.numbers, after.numbers);
    collect(before.texts, after.texts);
    return names;
}

} // namespace

void LearnState::note_turn(const lab::Settings& former, bool held) {
    constexpr std::size_t kMostTurns = 200;
    const std::string names = differing(former, settings_now());
    if (names.empty()) {
        if (!held) turning.clear();
        return;
    }
    if (names != turning) turned.push_back({page, former});
    if (turned.size() > kMostTurns) turned.erase(turned.begin());
    taken_back.clear();
    turning = held ? names : "";
}

// A file that cannot be written is no reason to stop: it is a mark in a list.
void LearnState::note_card(const std::string& name) {
    if (!visits.cards.insert(name).second) return;
    static_cast<void>(app::keep_visits(app::visits_path(verdicts_file), visits));
}

void LearnState::note_page(const std::string& name) {
    if (!visits.pages.insert(name).second) return;
    static_cast<void>(app::keep_visits(app::visits_path(verdicts_file), visits));
}

LearnState& learn_state(WindowState& window) {
    if (window.learn) return *window.learn;
    window.learn = std::make_shared<LearnState>();
    LearnState& state = *window.learn;
    state.verdicts_file = window.files.verdicts_file;
    state.verdicts = app::load_verdicts(state.verdicts_file);
    state.visits = app::load_visits(app::visits_path(state.verdicts_file));
    state.lessons = app::shipped_lessons();
    app::OwnLessons own = app::own_lessons(window.files.lessons_folder);
    std::ranges::move(own.lessons, std::back_inserter(state.lessons));
    state.bad_lessons = std::move(own.wrong);
    state.starts = state.visits == app::Visits{};
    return state;
}

std::string mark_of(const LearnState& state, const lab::Page& page) {
    const auto known = state.verdicts.find(page.name);
    if (known == state.verdicts.end()) return state.visits.pages.contains(page.name) ? "•" : "";
    switch (known->second.verdict) {
    case lab::Verdict::holds: return "✓";
    case lab::Verdict::does_not_hold: return "×";
    case lab::Verdict::depends: return "≈";
    }
    return {};
}

Color ink_of(const figure::Theme& theme, lab::Verdict verdict) {
    const Color ink = verdict == lab::Verdict::holds           ? theme.good
                      : verdict == lab::Verdict::does_not_hold ? theme.bad
                                                               : theme.accent;
    return figure::mixed(ink, theme.text, 0.15f); // it is read upon its own tint
}

float paint_words(Panel& p, const SetWords& words, Point at, float width) {
    const std::string key =
        fmt::format("{}|{}|{}|{}|{:.0f}|{}", words.formula, words.style.size,
                    static_cast<int>(words.style.weight), p.ui.theme().dark, width, words.markup) +
        fmt::format("|{}.{}.{}", words.ink.r, words.ink.g, words.ink.b);
    const figure::Figure& figure = p.state.learn->figures.get(key, [&] {
        figure::Frame frame;
        frame.width = width;
        frame.theme = &p.ui.theme();
        return words.formula ? figure::formula_figure(words.markup, words.style, words.ink, frame)
                             : figure::words_figure(words.markup, words.style, words.ink, frame);
    });
    p.ui.canvas.paint(figure, at);
    return figure.height;
}

bool learn_is_busy(const WindowState& state) {
    return state.learn &&
           (state.learn->desk.busy() || state.learn->desk.latest() != state.learn->seen);
}

bool follows_lesson(const WindowState& state) { return state.learn && state.learn->lesson; }

void show_page(WindowState& window, std::string_view name) {
    LearnState& state = learn_state(window);
    state.starts = false;
    const auto at = std::ranges::find(lab::pages(), name, &lab::Page::name);
    if (at != lab::pages().end()) {
        state.page = static_cast<std::size_t>(at - lab::pages().begin());
    }
}

std::string learn_status(const WindowState& window) {
    if (!window.learn) return {};
    const LearnState& state = *window.learn;
    std::string text = fmt::format("page\t{}\npictures\t{}\nlearning\t{}\n",
                                   state.starts ? "start" : state.now().name, state.serial,
                                   learn_is_busy(window) ? "busy" : "resting");
    if (state.lesson) {
        text += fmt::format("lesson\t{} {}\n", *state.lesson, state.run->seen() ? "seen" : "open");
    }
    return text;
}

void wait_for_learning(WindowState& state) {
    if (state.learn) state.learn->desk.wait();
}

} // namespace heed::ui
