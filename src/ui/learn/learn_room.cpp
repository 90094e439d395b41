#include "ui/learn/learn_room.hpp"

#include "app/views/export.hpp"
#include "figure/lab_picture.hpp"
#include "lab/number_words.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/learn/start_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

namespace heed::ui {

namespace {

constexpr float kPad = 24, kGap = 16, kPictureHeight = 276, kOnlyRowHeight = 400, kExport = 46;
constexpr float kTwoColumns = 620, kThreeColumns = 1080;
constexpr float kLine = 58;    // of running text at most, in sizes of its letters
constexpr double kAtOnce = 1;  // seconds: what is measured sooner is measured unasked
constexpr float kLook = 0.03f; // seconds, between looks at what is computed

void take_news(LearnState& state) {
    auto latest = state.desk.latest();
    if (latest == state.seen) return;
    state.seen = std::move(latest);
    state.serial = state.seen->version;
    const auto& measured = state.seen->found; // of a page that was left meanwhile, too
    if (!measured || measured == state.kept_verdict) return;
    state.kept_verdict = measured;
    // As the command line: a verdict of other settings is no answer to the page's question.
    const lab::Page& page = *state.seen->found_of;
    if (!(measured->settings == lab::usual_settings(page.parameters))) return;
    const lab::Judgement& judgement = measured->finding.judgement;
    const auto known = state.verdicts.find(page.name);
    const bool same = known != state.verdicts.end() && known->second.verdict == judgement.verdict;
    state.verdicts[page.name] = judgement;
    // A file that cannot be written is no reason to stop: the verdict is measured again.
    if (!same) static_cast<void>(app::keep_verdict(state.verdicts_file, page.name, judgement));
}

/// Running text of a page this wide: larger where it is read from farther away.
float size_of_letters(float width) { return width < kThreeColumns ? 14 : 16; }

/// Pictures follow what is turned and what is open; what takes a moment is measured, too.
void ask_desk(Panel& p, LearnState& state) {
    const lab::Page& page = state.now();
    const lab::Settings& settings = state.settings_now();
    const auto run = p.snapshot().error ? nullptr : p.snapshot().run;
    state.note_page(page.name);
    const auto said = run && !p.focus().rows_read ? p.snapshot().said : nullptr;
    const bool turned = state.asked != &page || !(state.asked_with == settings);
    const trace::HeadId head = p.focus().head;
    const bool same_run = state.asked_of == run && state.asked_said == said;
    if (!turned && same_run && state.asked_head == head) return;
    state.asked = &page;
    state.asked_with = settings;
    state.asked_of = run;
    state.asked_said = said;
    state.asked_head = head;
    state.desk.look(page, settings, run, said, head);
    if (turned && lab::seconds_of(page, settings) < kAtOnce) state.desk.measure(page, settings);
}

using Pictures = std::vector<lab::Picture>;

std::string name_at(const std::vector<std::string>& names, int i) {
    const auto at = static_cast<std::size_t>(i);
    return at < names.size() ? lab::plain(names[at]) : fmt::format("{}", i + 1);
}

/// The values of all series at one place, a line each.
std::string values_at(const std::vector<lab::Series>& series, int i) {
    std::string words;
    for (const lab::Series& one : series) {
        if (i < 0 || i >= std::ssize(one.values)) continue;
        words += fmt::format("\n{}: {}", lab::plain(one.name),
                             lab::digits_text(one.values[static_cast<std::size_t>(i)], 5));
    }
    return words;
}

/// The value that a picture shows at a place of it; empty where there is nothing to say.
std::string words_at(const lab::Picture& picture, const figure::Hit& hit) {
    const bool cells = hit.as<figure::tag::Cells>() != nullptr;
    if (const auto* grid = std::get_if<lab::Grid>(&picture.data)) {
        const auto& values = grid->values;
        const bool inside = cells && values && hit.row >= 0 && hit.row < values->rows() &&
                            hit.col >= 0 && hit.col < values->cols();
        if (!inside) return {};
        return fmt::format("{} → {}: {}", name_at(grid->rows, hit.row),
                           name_at(grid->cols, hit.col),
                           lab::digits_text(static_cast<double>((*values)(hit.row, hit.col)), 5));
    }
    if (const auto* curves = std::get_if<lab::Curves>(&picture.data)) {
        if (!cells || hit.col < 0 || hit.col >= std::ssize(curves->xs)) return {};
        return fmt::format("{} {}", lab::plain(curves->x_word),
                           lab::digits_text(curves->xs[static_cast<std::size_t>(hit.col)], 5)) +
               values_at(curves->series, hit.col);
    }
    if (const auto* bars = std::get_if<lab::Bars>(&picture.data)) {
        const auto* bar = hit.as<figure::tag::Bar>();
        if (!bar) return {};
        return name_at(bars->labels, bar->place) + values_at(bars->series, bar->place);
    }
    return {};
}

/// The button of a card, in its corner, that exports its picture.
void export_button(Panel& p, LearnState& state, const lab::Picture& picture, const std::string& id,
                   const Box& box) {
    const Box out{box.x + box.w - kExport - 10, box.y + 10, kExport, 20};
    const Press press =
        p.ui.area(out, "learn/export/" + id, "Export", Widget::Kind::button, false, true);
    if (press.clicked) {
        state.exported = {fmt::format("{}-{}", state.now().name, id), picture, box.w, box.h};
        p.state.picture.width = box.w;
        p.state.picture.height = box.h;
        p.state.open_dialog = CardId::export_picture;
    }
    p.ui.tip("Writes this picture to a file");
    const figure::Theme& t = p.ui.theme();
    p.ui.canvas.text(out, Face::small, press.hovered ? t.accent : t.muted, "Export", AlignX::right);
}

/// A card with its picture and, but where it is presented, a button that exports it.
void picture_card(Panel& p, LearnState& state, const lab::Picture& picture, const std::string& id,
                  const Box& box) {
    if (!p.ui.canvas.sees(box)) return;
    const std::string key = fmt::format("picture|{}|{}|{:.0f}|{:.0f}|{}", state.serial, id, box.w,
                                        box.h, p.ui.theme().dark);
    const figure::Figure& figure = state.figures.get(key, [&] {
        figure::Frame frame;
        frame.width = box.w;
        frame.height = box.h;
        frame.theme = &p.ui.theme();
        figure::Sheet sheet(frame, box.w, box.h);
        figure::draw_lab_card(sheet, picture, {0, 0, box.w, box.h}, kExport);
        return std::move(sheet.figure);
    });
    p.ui.canvas.paint(figure, {box.x, box.y});
    // Before the picture that it lies upon: who asks for the pointer first gets it.
    if (!p.state.layout.presenting) export_button(p, state, picture, id, box);
    const Press over = p.ui.area(box, "learn/picture/" + id, lab::plain(picture.title));
    p.ui.tip(picture.subtitle.empty() ? "Computed for what is set on the right"
                                      : lab::plain(picture.subtitle));
    const Point mouse = p.ui.mouse();
    const auto hit =
        over.hovered ? figure::pick(figure, {mouse.x - box.x, mouse.y - box.y}) : std::nullopt;
    const std::string words = hit ? words_at(picture, *hit) : std::string();
    if (!words.empty()) p.ui.tip_now(words);
}

/// A heat map and rows of tokens are as wide as they are; others fill their place.
bool can_grow(const lab::Picture& picture) {
    return !std::holds_alternative<lab::Grid>(picture.data) &&
           !std::holds_alternative<lab::Words>(picture.data);
}

constexpr float kAroundMap = 146; // points: the card's words, and what is around its map

/// Height in which the rows of a map stand with a gap between their names, of as many as are named
/// each; 0 of a map of more.
float height_of_map(const lab::Grid& grid) {
    constexpr float kRow = 12.5f;
    constexpr num::Index kMostRows = 24;
    const bool named = grid.values && grid.values->rows() <= kMostRows;
    return named ? kAroundMap + kRow * static_cast<float>(grid.values->rows()) : 0;
}

/// True of a map of one row, whose cells leave the half of a usual card free.
bool is_low(const lab::Picture& picture) {
    const auto* grid = std::get_if<lab::Grid>(&picture.data);
    return grid && grid->values && grid->values->rows() == 1;
}

/// Height that a list of tokens or a map needs to show all its rows; 0 where it has one of its own.
/// What begins with its last rows has no end that is looked for.
float height_of_rows(const lab::Picture& picture) {
    constexpr float kRow = 24, kAround = 92; // the card's words, and what is around its list
    constexpr std::size_t kMostRows = 24;
    if (const auto* grid = std::get_if<lab::Grid>(&picture.data)) return height_of_map(*grid);
    const auto* words = std::get_if<lab::Words>(&picture.data);
    if (!words || words->last_rows) return 0;
    return kAround + kRow * static_cast<float>(std::min(words->rows.size(), kMostRows));
}

/// Two or three in a row where there is room; `alone`: higher where they are one row. Returns the y
/// below them.
float picture_grid(Panel& p, LearnState& state, const Pictures& pictures, const char* id,
                   const Box& box, bool alone = false) {
    const std::size_t most = box.w >= kThreeColumns ? 3 : box.w >= kTwoColumns ? 2 : 1;
    const bool fills = pictures.size() != 1 || can_grow(pictures[0]);
    const std::size_t columns =
        fills ? std::min(most, std::max<std::size_t>(pictures.size(), 1)) : most;
    const auto in_row = static_cast<float>(columns);
    const float width = std::floor((box.w - (in_row - 1) * kGap) / in_row);
    const float usual = alone && pictures.size() <= columns ? kOnlyRowHeight : kPictureHeight;
    float y = box.y, high = usual;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (i % columns == 0) {
            const auto row = std::span(pictures).subspan(i, std::min(columns, pictures.size() - i));
            constexpr float kLowCells = 80; // points, as high as they are at the most
            high = std::ranges::all_of(row, is_low) ? kAroundMap + kLowCells : usual;
            for (const lab::Picture& picture : row) high = std::max(high, height_of_rows(picture));
        }
        const std::size_t column = i % columns;
        const bool last = i + 1 == pictures.size();
        const bool fills_row = last && column == 0 && can_grow(pictures[i]);
        const float x = box.x + static_cast<float>(column) * (width + kGap);
        picture_card(p, state, pictures[i], fmt::format("{}{}", id, i + 1),
                     {x, y, fills_row ? box.w : width, high});
        if (column + 1 == columns || last) y += high + kGap;
    }
    return y;
}

void open_on_model(Panel& p, const lab::OnModel& on_model) {
    if (on_model.open) {
        app::Focus focus = p.focus();
        focus.head = *on_model.open;
        focus.combine.reset();
        p.commands.push_back(ChangeFocus{std::move(focus)});
    }
    if (on_model.controls) {
        p.change("controls of a page of Learn",
                 [&](app::Document& d) { d.controls = *on_model.controls; });
    }
    choose_room(p, app::View::heatmap);
}

/// The button that goes there, at the right; returns the width that it took.
float open_button(Panel& p, const lab::OnModel& on_model, const Box& row) {
    if (!on_model.open && !on_model.controls) return 0;
    constexpr float kInside = 28, kBeside = 10;
    const std::string words =
        on_model.controls ? "Open in Explore " + on_model.controls_words : "Open in Explore";
    const float wide = kInside + p.ui.canvas.width_of(Face::strong, words);
    if (p.ui.button({row.x + row.w - wide, row.y, wide, row.h}, "learn/open", words,
                    Ui::ButtonLook::accent)) {
        open_on_model(p, on_model);
    }
    p.ui.tip(on_model.controls ? "Goes to the place in Explore and sets the controls so"
                               : "Goes to the place in Explore");
    return wide + kBeside;
}

float on_model_section(Panel& p, LearnState& state, const Box& box) {
    const app::PageSnapshot& seen = *state.seen;
    if (!state.now().on_model || seen.page != &state.now()) return box.y;
    const figure::Theme& t = p.ui.theme();
    float y = box.y + 8;
    const float beside =
        seen.on_model ? open_button(p, *seen.on_model, {box.x, y - 2, box.w, 30}) : 0;
    p.ui.canvas.text({box.x, y, box.w - beside, 24}, Face::title, t.text,
                     "On the model you have open");
    if (!seen.on_model) {
        const auto& error = p.snapshot().error;
        const std::string words =
            seen.run ? "This question is not about a model like this one: choose another one above."
            : error  ? "The model did not run: " + base::describe(*error)
                     : "No model has run yet.";
        p.ui.canvas.text({box.x, y + 28, box.w, 20}, Face::body, t.muted, words);
        return y + 60;
    }
    y += 32;
    const float letters = size_of_letters(box.w);
    y += paint_words(p, {seen.on_model->words, {letters}, t.muted}, {box.x, y},
                     std::min(box.w, kLine * letters)) +
         14;
    return picture_grid(p, state, seen.on_model->pictures, "model-", {box.x, y, box.w, 0});
}

/// The pages before and behind, at the foot: beside each other where both titles fit, each as wide
/// as it needs; else below each other, both as wide as the page.
float page_turners(Panel& p, const LearnState& state, const Box& box) {
    constexpr float kHigh = 32, kInside = 28, kWidest = 440, kBetween = 8;
    const auto words_of = [&](int by) -> std::string {
        const auto at = static_cast<std::ptrdiff_t>(state.page) + by;
        if (at < 0 || at >= std::ssize(lab::pages())) return {};
        const std::string title = lab::plain(lab::pages()[static_cast<std::size_t>(at)].title);
        return by > 0 ? title + "  →" : "←  " + title;
    };
    const std::string before = words_of(-1), behind = words_of(1);
    const float width = std::min((box.w - kGap) / 2, kWidest);
    const auto needed = [&](const std::string& words) {
        return kInside + p.ui.canvas.width_of(Face::strong, words);
    };
    const bool alike = std::max(needed(before), needed(behind)) <= width;
    const bool stacked = !alike && needed(before) + kGap + needed(behind) > box.w;
    float y = box.y + kBetween;
    const auto turner = [&](int by, const std::string& words) {
        if (words.empty()) return;
        const float wide = alike ? width : stacked ? box.w : needed(words);
        const float x = by > 0 ? box.x + box.w - wide : box.x;
        const char* id = by > 0 ? "learn/next" : "learn/previous";
        if (p.ui.button({x, y, wide, kHigh}, id, words)) turn_page(p, by);
        p.ui.tip(by > 0 ? "The next page (→)" : "The page before (←)");
        if (stacked && by < 0) y += kHigh + kBetween;
    };
    turner(-1, before);
    turner(1, behind);
    return y + kHigh + kBetween;
}

float page_of(Panel& p, LearnState& state, const Box& box) {
    const figure::Theme& t = p.ui.theme();
    const lab::Page& page = state.now();
    const app::PageSnapshot& seen = *state.seen;
    float y = box.y;
    const figure::TextStyle title{22, figure::Font::sans, figure::Weight::bold};
    y += paint_words(p, {page.title, title, t.text}, {box.x, y}, box.w) + 10;
    const float letters = size_of_letters(box.w);
    y += paint_words(p, {page.words, {letters}, t.muted}, {box.x, y},
                     std::min(box.w, kLine * letters)) +
         14;
    if (!page.formula.empty()) {
        y += paint_words(p, {page.formula, {19}, t.text, true}, {box.x + 8, y}, box.w - 16) + 18;
    }
    if (seen.page != &page) return y; // they come in a moment
    y = picture_grid(p, state, seen.pictures, "", {box.x, y, box.w, 0}, true);
    if (seen.measured && seen.measured->settings == seen.settings) {
        y = picture_grid(p, state, seen.measured->finding.pictures, "measured-",
                         {box.x, y, box.w, 0});
    }
    y = on_model_section(p, state, {box.x, y, box.w, 0});
    return page_turners(p, state, {box.x, y, box.w, 0});
}

/// Below the page. Returns what of the box it leaves to that.
Box room_notice(Panel& p, const Box& box) {
    const Notice& notice = p.work.notice;
    if (notice.text.empty()) return box;
    constexpr float kBeside = 14, kAbove = 6, kBelow = 10;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Color ink = notice.bad ? t.bad : t.muted;
    const float width =
        std::min(box.w - 60 - 2 * kBeside, std::ceil(c.width_of(Face::control, notice.text)) + 1);
    const float high = c.paragraph({}, width, Face::control, ink, notice.text, false);
    const float taken = high + 2 * kAbove + 2 * kBelow;
    const Box rest{box.x, box.y, box.w, std::max(box.h - taken, 1.0f)};
    c.fill({box.x, rest.y + rest.h, box.w, taken}, t.ground);
    if (p.ui.any_popup()) return rest;
    const Box place{box.x + (box.w - width) / 2 - kBeside, rest.y + rest.h + kBelow,
                    width + 2 * kBeside, high + 2 * kAbove};
    c.fill(place, t.panel, 6);
    c.outline(place, notice.bad ? t.bad : t.border, 6);
    c.paragraph({place.x + kBeside, place.y + kAbove}, width, Face::control, ink, notice.text);
    if (notice.bad) {
        const Press press = p.ui.area(place, "notice", notice.text, Widget::Kind::button);
        p.ui.tip("Click or press Esc to hide this");
        if (press.clicked) p.commands.push_back(Say{});
    }
    return rest;
}

} // namespace

void learn_stage(Panel& p, const Box& whole) {
    LearnState& state = learn_state(p);
    page_keys(p);
    state.figures.begin_frame();
    if (!state.starts) ask_desk(p, state);
    take_news(state);
    p.state.picture.of_page = !state.starts && state.seen && state.seen->page;
    if (state.desk.busy()) p.ui.wake_in(kLook);
    const bool exports =
        p.ui.popup_open(CardId::export_picture) || p.state.open_dialog == CardId::export_picture;
    if (!exports) state.exported.reset();
    p.ui.canvas.fill(whole, p.ui.theme().ground);
    const Box box = room_notice(p, whole);
    // A page can be scrolled as far with a notice below it as without: none moves it.
    constexpr float kNotice = 50; // of one line
    const float spare = std::max(kNotice - (whole.h - box.h), 0.0f);
    state.stage.content += spare - std::exchange(state.spare_below, spare);
    p.ui.begin_scroll(box, "learn/stage", state.stage);
    constexpr float kWidest = 1440; // of a page, which stands in the middle of a wider stage
    const float inside = box.w - 2 * kPad - 6, width = std::min(inside, kWidest);
    const Box page{box.x + kPad + (inside - width) / 2, box.y + 20 - state.stage.offset, width, 0};
    const float bottom = state.starts ? start_page(p, page) : page_of(p, state, page);
    p.ui.end_scroll(bottom + 20 + spare + state.stage.offset);
}

namespace {

figure::Figure whole_page(const LearnState& state, const figure::Frame& frame) {
    const app::PageSnapshot& seen = *state.seen;
    figure::LabPage page{lab::plain(state.now().title), {}, seen.pictures, {}, {}, {}};
    page.source = state.now().source;
    if (seen.measured && seen.measured->settings == seen.settings) {
        page.measured = seen.measured->finding.measured;
        page.judgement = seen.measured->finding.judgement;
        const Pictures& found = seen.measured->finding.pictures;
        page.pictures.insert(page.pictures.end(), found.begin(), found.end());
    }
    return figure::lab_page(page, frame);
}

} // namespace

void learn_export_dialog(Panel& p) {
    LearnState& state = learn_state(p);
    ExportForm& form = p.state.dialogs->export_form;
    if (!can_export(p)) return p.ui.close_popup();
    if (!is_picture(form.format)) choose_format(form, app::ExportFormat::png);
    const auto drawn = [&, exported = state.exported](const app::ExportOptions& options) {
        return app::for_page(options, [&](float width, float height) {
            figure::Frame frame;
            frame.width = width;
            frame.height = height;
            const bool dark = app::prints_dark(options, p.ui.theme().dark);
            frame.theme = dark ? &figure::dark_theme() : &figure::light_theme();
            return exported ? figure::lab_picture(exported->picture, frame)
                            : whole_page(state, frame);
        });
    };
    const auto options = [&] {
        app::ExportOptions wish = export_options(p, form);
        if (!state.exported) wish.height = 0; // as high as its pictures
        return wish;
    };
    export_card(p, form,
                {.holds = state.exported ? "This picture" : "All pictures of this page",
                 .name = "heed-" + (state.exported ? state.exported->name : state.now().name),
                 .formats = 0b111u,
                 .version = state.serial * 31 +
                            (state.exported ? std::hash<std::string>()(state.exported->name) : 0),
                 .picture = [&] { return drawn(options()); },
                 .command =
                     [&] {
                         return ExportFigure{form.path, drawn(options()), options()};
                     }});
}

} // namespace heed::ui
