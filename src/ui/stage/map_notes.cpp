#include "ui/stage/map_notes.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/export.hpp"
#include "app/views/map_views.hpp"
#include "app/views/reading.hpp"
#include "base/utf8.hpp"
#include "figure/base/fitted.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/free_place.hpp"
#include "ui/frame/player.hpp"
#include "ui/stage/notice_link.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace heed::ui {

namespace {

/// A button below the words of an empty picture, in the middle as they are.
bool way_out(Panel& p, const Box& main, const figure::Figure& words, const std::string& id,
             const std::string& label, const std::string& tip) {
    const float w = p.ui.canvas.width_of(Face::strong, label) + 32;
    const Box said = figure::content_box(words);
    const Box box{main.x + (words.width - w) / 2, main.y + said.y + said.h + 16, w, 32};
    const bool pressed = p.ui.button(box, id, label, Ui::ButtonLook::accent);
    p.ui.tip(tip);
    return pressed;
}

/// A remark on the newest request.
struct Remark {
    std::string words;
    bool bad = false;
};
constexpr float kRemarkGap = 8, kStagePad = 24;

float height_of(const Panel& p, const Remark& remark, float width) {
    return 10 + p.ui.canvas.paragraph({0, 0}, width - 28, Face::control, {}, remark.words, false);
}

void draw_remark(Panel& p, const Box& box, const Remark& remark) {
    Canvas& c = p.ui.canvas;
    const Color color = remark.bad ? p.ui.theme().bad : p.ui.theme().link;
    c.fill(box, p.ui.theme().panel, 6);
    c.outline(box, color, 6);
    c.fill({box.x, box.y, 4, box.h}, color, 2);
    c.paragraph({box.x + 16, box.y + 5}, box.w - 28, Face::control, p.ui.theme().text,
                remark.words);
}

/// "2,048".
std::string grouped(std::size_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

/// Words for what was dropped of one side; `side`: "" where there is only one.
std::string dropped_words(std::string_view side, std::size_t shown, std::size_t dropped) {
    if (dropped == 0) return {};
    constexpr std::size_t kCounted = 100'000;    // a longer text is not counted to its end
    shown = std::min(shown, models::kMaxTokens); // a run may add what it begins with
    const std::string_view why = shown == models::kMaxTokens
                                     ? "the most that Heed reads"
                                     : "as many as this model has positions for";
    return fmt::format("Showing the first {} tokens{}, {}; {}{} {} left out. ", grouped(shown),
                       side, why, dropped > kCounted ? "more than " : "",
                       grouped(std::min(dropped, kCounted)), dropped == 1 ? "was" : "were");
}

std::string dropped_words(const app::Snapshot& s) {
    if (!s.run || s.error) return {};
    const trace::Trace& trace = s.run->trace;
    const bool both = !trace.source.empty() && !trace.target.empty();
    // A source that leads the target has no side of its own.
    const std::size_t read = trace.source.empty() ? trace.target.size() : trace.source.size();
    std::string words =
        dropped_words(both ? " of the source" : "", read, s.source_tokens_dropped) +
        dropped_words(both ? " of the target" : "", trace.target.size(), s.target_tokens_dropped);
    if (!words.empty()) words.pop_back();
    return words;
}

bool has_chinese(const std::string& words) {
    for (std::size_t at = 0; at < words.size();) {
        const base::Decoded letter = base::decode_utf8(words, at);
        if (letter.code_point >= 0x4E00 && letter.code_point <= 0x9FFF) return true;
        at += letter.length;
    }
    return false;
}

std::string who_reads(std::string_view model, std::string_view language) {
    if (app::shipped_model(model).empty()) return {};
    return fmt::format(". “{}”, in the model menu, reads {}", app::shipped_title(model).task,
                       language);
}

/// Chinese that is read by a model without any, or English by one that only says it, while another
/// knows it.
std::string other_reader(const models::Run& run) {
    const auto* known = run.model->words();
    if (!known) return {};
    const bool chinese = std::ranges::any_of(known->words(), has_chinese);
    const bool typed = std::ranges::any_of(run.trace.source, [&](const text::Token& token) {
        if (token.known || has_chinese(token.text) == chinese) return false;
        return !chinese || known->knows(token.text);
    });
    if (!typed) return {};
    return chinese ? who_reads("en-fr-transformer", "English")
                   : who_reads("zh-en-transformer", "Chinese");
}

std::string unknown_words(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    // The view of the picture says in its own place that there is none.
    const bool said = p.state.view.view == app::View::picture && !s.picture;
    if (s.error || said || s.unknown_words.empty()) return {};
    return s.unknown_words + other_reader(*s.run);
}

std::string typed_words(const app::Snapshot& s) { return s.error ? "" : s.typed_text; }

std::string reference_words(const app::Snapshot& s) {
    if (!s.reference || !s.reference->error) return {};
    return fmt::format("The baseline ({}) cannot be computed: {}", s.reference->asked.name,
                       base::describe(*s.reference->error));
}

bool is_of_text(const base::Error& error) {
    return error.subject == "source" || error.subject == "target";
}

/// "The source is empty; type a sentence".
std::string error_words(const base::Error& error) {
    return is_of_text(error) ? "The " + error.subject + " " + error.message : base::describe(error);
}

/// True where nothing is typed: nothing went wrong.
bool lacks_text(const Panel& p, const base::Error& error) {
    const app::Document& d = p.document();
    const std::string& text = error.subject == "source" ? d.source : d.target;
    return is_of_text(error) && text.find_first_not_of(" \t\n") == std::string::npos;
}

std::string painted_words(const app::Snapshot& s) {
    return s.painted_outside.empty() ? "" : "Mask: " + s.painted_outside + ".";
}

std::vector<Remark> remarks(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    Canvas& c = p.ui.canvas;
    std::vector<Remark> all;
    if (s.error) {
        const bool wrong = s.error->kind != base::ErrorKind::cancelled && !lacks_text(p, *s.error);
        all.push_back({error_words(*s.error), wrong});
    }
    for (std::string words :
         {dropped_words(s), unknown_words(p), typed_words(s), painted_words(s), reference_words(s),
          app::fault_words(s.faults), c.fonts().trouble(), c.renderer().trouble()}) {
        if (!words.empty()) all.push_back({std::move(words)});
    }
    return all;
}

/// Below the tabs; at the foot in narrow windows, and where the picture is read in words.
Box notice_place(const Panel& p, const Box& box, bool tabs_above, float width) {
    constexpr float kNoticeHeight = 28;
    const float right = box.x + box.w - kStagePad;
    const bool pair = p.state.view.compare != app::Compare::off; // has a title there too
    if (p.state.layout.presenting && !pair)
        return {right - width, box.y + 8, width, kNoticeHeight}; // beside the title
    const bool tabs = app::in_explore(p.state.view.view);
    if (tabs && !tabs_above && !app::can_be_read(p.state.view)) {
        return {right - width, box.y + 46, width, kNoticeHeight};
    }
    const float said = height_of_remarks(p, inset(box, kStagePad, 0).w);
    return {box.x + (box.w - width) / 2, box.y + box.h - 42 - said, width, kNoticeHeight};
}

struct NoticePlace {
    Box box;
    bool one_line = true;
    std::string words{}; // its text, or less of it
};

/// Below the tabs, over what a title goes on with.
Box below_tabs(const Panel& p, const Box& stage, float width, float height) {
    constexpr float kBelowTabs = 4;
    const auto tab = std::ranges::find(p.ui.widgets(), "view/0", &Widget::id);
    const bool tabs = tab != p.ui.widgets().end();
    return {stage.x + stage.w - kStagePad - width,
            tabs ? tab->box.y + tab->box.h + kBelowTabs : stage.y, width, height};
}

/// Left of the tabs, at the right of the title, below the tabs, or wherever it covers nothing, as
/// near to `usual` as can be; nothing where no place is free.
std::optional<Box> free_place(const Panel& p, const Box& stage, const Box& usual,
                              const std::vector<Box>& taken) {
    constexpr float kAway = 8, kBy = 10, kFarthest = 600;
    const auto& widgets = p.ui.widgets();
    const auto tab = std::ranges::find(widgets, "view/0", &Widget::id);
    const float edge = stage.x + stage.w - kStagePad;
    const float right = tab == widgets.end() ? edge : tab->box.x - 2 * kAway;
    for (const Box& box : {Box{right - usual.w, stage.y + kAway, usual.w, usual.h},
                           Box{edge - usual.w, stage.y + kAway, usual.w, usual.h},
                           below_tabs(p, stage, usual.w, usual.h), usual}) {
        if (is_free(box, stage, taken)) return box;
    }
    for (float far = kBy; far < kFarthest; far += kBy) { // outward, ring by ring
        for (float along = -far; along <= far; along += kBy) {
            for (const auto& [dx, dy] :
                 {Point{along, -far}, Point{along, far}, Point{-far, along}, Point{far, along}}) {
                const Box box{usual.x + dx, usual.y + dy, usual.w, usual.h};
                if (is_free(box, stage, taken)) return box;
            }
        }
    }
    return std::nullopt;
}

/// Nothing where there is no notice.
std::optional<NoticePlace> notice_in(const Panel& p, const Box& stage, bool tabs_above) {
    const std::string& words = p.work.notice.text;
    if (words.empty() || p.ui.any_popup()) return std::nullopt;
    Canvas& c = p.ui.canvas;
    const float most = stage.w - 32;
    const float wanted = c.width_of(Face::control, words) + 28 + link_width(p);
    const bool one_line = wanted <= most && words.find('\n') == std::string::npos;
    Box note = notice_place(p, stage, tabs_above, one_line ? wanted : most);
    if (!one_line) {
        const float lines =
            notice_lines(c, inset(note, 14, 8), {}, words, false) + 16 + link_height(p);
        if (note.y > stage.y + stage.h / 2) note.y -= lines - note.h; // it stands on what is below
        note.h = lines;
    }
    return NoticePlace{note, one_line, words};
}

} // namespace

void offer_another(Panel& p, const Box& main, const figure::Figure& words) {
    const app::Snapshot& s = p.snapshot();
    const app::View view = p.state.view.view;
    const bool cross = s.focus.head.kind == trace::AttentionKind::cross;
    if (view == app::View::heatmap && !app::lacks_difference(s, p.state.view).empty()) {
        if (way_out(p, main, words, "compare/beside", "Side by side",
                    "Shows both maps, whose sizes differ, side by side.")) {
            choose_compare(p, app::Compare::beside);
        }
    } else if (view == app::View::flow && cross && traits_now(p).encodes) {
        if (way_out(p, main, words, "flow/encoder", "Show the encoder",
                    "Switches to the encoder's self-attention, whose layers attention flows "
                    "through.")) {
            choose_kind(p, trace::AttentionKind::encoder_self);
        }
    } else if (view == app::View::step && !is_stepwise(p) &&
               s.focus.head.kind == trace::AttentionKind::encoder_self) {
        if (way_out(p, main, words, "step/cross", "Show cross-attention",
                    "Switches to what the decoder reads of the source at each step.")) {
            choose_kind(p, trace::AttentionKind::cross);
        }
    } else if (view == app::View::beam && !s.run->trace.beam) {
        const int width = p.document().decoding.beam_width;
        if (way_out(
                p, main, words, "beam/search", "Run beam search",
                fmt::format("Keeps the {} most probable hypotheses at each step, instead of one "
                            "(Sutskever et al. 2014, 3.2).",
                            width))) {
            choose_decoding(p, models::Decoding::Rule::beam);
        }
    }
}

bool shows_former(const Panel& p) {
    return p.snapshot().run && (p.snapshot().error || p.state.stage->waits);
}

void step_back(Panel& p, const Box& box, Color ground) {
    if (shows_former(p)) p.ui.canvas.fill(box, faded(ground, 0.62f));
}

namespace {

/// True where the words in the place of Inside's picture are of the sentence that did not run.
bool answers_error(const Panel& p, const figure::Figure& picture) {
    const app::Snapshot& s = p.snapshot();
    const bool measures = p.state.view.view == app::View::inside && s.inside && !s.inside->error;
    const bool of_text = s.error && (s.error->subject == "source" || s.error->subject == "target");
    return measures && of_text && app::is_sentence(picture);
}

} // namespace

void dim_former(Panel& p, const Box& box, const figure::Figure& picture) {
    const app::Snapshot& s = p.snapshot();
    if (!shows_former(p) || answers_error(p, picture)) return;
    const bool late = !s.error;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    constexpr std::size_t kMostWords = 12;
    const models::Input& read = s.run->input;
    const models::Traits& traits = s.run->model->traits();
    const bool of_target = read.source.empty() || (!traits.reads_source && !read.target.empty());
    const auto& tokens = of_target ? read.target : read.source;
    const bool words_read = !traits.reads_pictures;
    std::string source;
    for (std::size_t i = 0; words_read && i < std::min(tokens.size(), kMostWords); ++i) {
        source += (i == 0 ? "" : " ") + tokens[i].text;
    }
    if (words_read && tokens.size() > kMostWords) source += " \u2026";
    const std::string words = (late ? "Computing \u2026 The pictures are still of "
                                    : "All pictures are of the last state that ran: ") +
                              p.work.ran_title() +
                              (source.empty() ? "" : " \u00b7 \u201c" + source + "\u201d");
    step_back(p, box, t.ground);
    const float w = std::min(c.width_of(Face::control, words) + 24, box.w - 48);
    constexpr float kReadingBar = 68; // stands below while a model is read
    const float above = p.work.reading() ? kReadingBar : 0;
    const Box chip{box.x + (box.w - w) / 2, box.y + box.h - 44 - above, w, 28};
    c.fill(chip, t.raised, 6);
    c.outline(chip, t.border, 6);
    c.text(inset(chip, 12, 0), Face::control, t.text, words);
}

float height_of_remarks(const Panel& p, float width) {
    float sum = 0;
    for (const Remark& remark : remarks(p)) sum += height_of(p, remark, width) + kRemarkGap;
    return sum;
}

float height_of_foot(const Panel& p, const Box& stage, bool tabs_above) {
    const auto notice = notice_in(p, stage, tabs_above);
    const bool stands = notice && p.work.notice.bad && notice->box.y > stage.y + stage.h / 2;
    return stands ? stage.y + stage.h - notice->box.y
                  : height_of_remarks(p, inset(stage, kStagePad, 0).w);
}

void draw_remarks(Panel& p, const Box& box) {
    float bottom = box.y + box.h;
    std::vector<Remark> all = remarks(p);
    std::reverse(all.begin(), all.end());
    for (const Remark& remark : all) {
        const float h = height_of(p, remark, box.w);
        bottom -= h + kRemarkGap;
        draw_remark(p, {box.x, bottom, box.w, h}, remark);
    }
}

namespace {

/// What went well is said where it covers nothing: in one line, if need be without folders, or, in
/// less width, in more.
void find_free_place(const Panel& p, const Box& stage, bool tabs_above, NoticePlace& note) {
    const std::vector<Box> taken = taken_in(p.ui, stage, Taken::curves);
    const auto try_place = [&](const Box& usual, bool one_line) {
        const auto box = free_place(p, stage, usual, taken);
        if (box) {
            note.box = *box;
            note.one_line = one_line;
        }
        return box.has_value();
    };
    if (note.one_line && try_place(note.box, true)) return;
    const std::string less = without_folders(note.words);
    const float wide = p.ui.canvas.width_of(Face::control, less) + 28 + link_width(p);
    const Box shorter = notice_place(p, stage, tabs_above, wide);
    if (less != note.words && try_place(shorter, true)) {
        note.words = less;
        return;
    }
    // Broken, a path would be cut; what a title goes on with is less than what is below it.
    if (less != note.words && wide < stage.w && app::in_explore(p.state.view.view)) {
        note = {below_tabs(p, stage, wide, shorter.h), true, less};
        return;
    }
    for (const float share : {0.6f, 0.4f}) {
        Box usual = note.box;
        usual.w = std::ceil(usual.w * share);
        usual.h = 16 + link_height(p) +
                  notice_lines(p.ui.canvas, inset(usual, 14, 8), {}, p.work.notice.text, false);
        usual.x = note.box.x + (note.box.w - usual.w) / 2;
        usual.y = note.box.y + note.box.h - usual.h;
        if (try_place(usual, false)) return;
    }
}

} // namespace

void tell_notice(Panel& p, const Box& box, bool tabs_above) {
    auto place = notice_in(p, box, tabs_above);
    if (!place) return;
    const Notice& notice = p.work.notice;
    if (!notice.bad && !p.ui.canvas.keeps_drawn) return p.ui.wake_in(0); // said in this very frame
    if (!notice.bad) find_free_place(p, box, tabs_above, *place);
    const Box note = place->box;
    Canvas& c = p.ui.canvas;
    const figure::Theme& theme = p.ui.theme();
    const Color ink = notice.bad ? theme.bad : theme.muted;
    if (notice.bad) p.state.stage->failure = note;
    // It lies above the picture: what is pressed on it is not pressed there.
    const bool over = notice.bad || notice.way != WayOut::none;
    if (over) p.ui.begin_over("notice", inset(note, -1, -1));
    c.fill(note, theme.panel, 6);
    c.outline(note, notice.bad ? theme.bad : theme.border, 6);
    const Box words = draw_link(p, note, place->one_line);
    if (place->one_line) {
        c.text(inset(words, 14, 0), Face::control, ink, place->words, AlignX::centre);
    } else {
        notice_lines(c, inset(words, 14, 8), ink, notice.text, true);
    }
    if (!notice.bad) {
        p.ui.area(words, "notice", notice.text, Widget::Kind::area);
        p.ui.tip("What was done last; it goes by itself");
        if (over) p.ui.end_over();
        return;
    }
    if (p.ui.area(words, "notice", notice.text, Widget::Kind::button).clicked) {
        p.commands.push_back(Say{});
    }
    p.ui.tip("Click or press Esc to hide this");
    p.ui.end_over();
}

int heads_in_row(const figure::Figure& figure) {
    const figure::Target* first = nullptr;
    int count = 0;
    for (const figure::Target& t : figure.targets) {
        if (!t.as<figure::tag::Head>()) continue;
        if (first == nullptr) first = &t;
        count += t.box.y == first->box.y;
    }
    return count;
}

} // namespace heed::ui
