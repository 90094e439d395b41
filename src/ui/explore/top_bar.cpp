#include "ui/explore/top_bar.hpp"

#include "ui/explore/explore_state.hpp"
#include "ui/explore/model_card.hpp"
#include "ui/explore/sentence_field.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/tips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace heed::ui {

namespace {

std::string time_words(double milliseconds) {
    return milliseconds < 0.1 ? "< 0.1 ms" : fmt::format("{:.1f} ms", milliseconds);
}

std::string tokens_counted(std::size_t count) {
    return fmt::format("{} token{}", count, count == 1 ? "" : "s");
}

/// What is told of a run, or the time alone where its place is held and has no room for all.
std::string note_within(Canvas& c, const std::string& note, float width) {
    if (c.width_of(Face::mono, note) <= width) return note;
    const std::string time = note.substr(0, std::min(note.find(" \u00b7 "), note.size()));
    return c.width_of(Face::mono, time) <= width ? time : std::string();
}

/// The picture that the model reads.
void picture_input(Panel& p, const Box& box) {
    const std::string& file = p.document().image_file;
    const std::string label =
        file.empty() ? "Open picture \u2026" : std::filesystem::path(file).filename().string();
    const float wanted = p.ui.canvas.width_of(Face::strong, label) + 36;
    const Box button{box.x, box.y, std::clamp(wanted, 60.0f, std::max(box.w, 60.0f)), box.h};
    if (p.ui.button(button, "picture/open", label)) p.state.open_dialog = CardId::open_file;
    p.ui.tip("The picture that the model reads. Click (" + keys_of(ActionId::open) +
             ") or drop a PNG or JPEG on the window to show it another.");
}

/// Which sentence of a file of alignments is looked at.
void sentence_input(Panel& p, const Box& box) {
    const auto& run = p.snapshot().run;
    const int count = run ? run->model->traits().sentences : 1, now = p.document().sentence;
    if (count < 2) return;
    const std::string words = fmt::format("sentence {} of {}", now + 1, count);
    const std::string widest = fmt::format("sentence {} of {}", count, count);
    const float width = p.ui.canvas.width_of(Face::control, widest) + 16;
    const auto go = [&](int to) {
        p.change({app::UndoTag::Of::source}, "sentence", true,
                 [&](app::Document& d) { d.sentence = to; });
    };
    const Box before{box.x, box.y, box.h, box.h};
    const Box middle{before.x + before.w, box.y, width, box.h};
    const Box after{middle.x + width, box.y, box.h, box.h};
    if (p.ui.button(before, "sentence/previous", "\u2039", Ui::ButtonLook::plain, now > 0)) {
        go(now - 1);
    }
    p.ui.tip("The sentence of the file before this one");
    p.ui.area(middle, "sentence", words);
    p.ui.tip("Which sentence of the file the pictures are of");
    p.ui.canvas.text(middle, Face::control, p.ui.theme().text, words, AlignX::centre);
    if (p.ui.button(after, "sentence/next", "\u203a", Ui::ButtonLook::plain, now + 1 < count)) {
        go(now + 1);
    }
    p.ui.tip("The sentence of the file after this one");
}

/// "9 → 10 tokens": those that are read and those that are said, where there are both.
std::string sizes_of(const models::Run& run, const models::Traits& traits) {
    const bool told = traits.reads_pictures || traits.weights_alone; // by no sentence
    const std::size_t read = told ? run.trace.source.size() : run.input.source.size();
    const std::size_t said = run.trace.target.size();
    const bool both =
        traits.weights_alone ? said > 0 && read > 0 : traits.encodes && traits.decodes;
    if (both) return fmt::format("{} \u2192 {} tokens", read, said);
    if (traits.weights_alone) return tokens_counted(std::max(read, said));
    return tokens_counted(traits.decodes ? said : read);
}

} // namespace

void top_bar(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    c.fill(box, t.panel);
    c.rule(box.x, box.y + box.h - 1, box.w);
    c.text({box.x + 16, box.y, 48, box.h - 1}, Face::brand, t.accent, "heed");

    const models::Traits traits = models::traits(chosen_config(p));
    constexpr float h = 32;
    const float y = box.y + (box.h - 1 - h) / 2;
    const Box picker = model_picker(p, {box.x + 72, y, box.w, h});

    // Right to left: export, run time.
    const Box export_box{box.x + box.w - 16 - 73, y, 73, h};
    const bool exports = can_export(p), learns = p.state.view.view == app::View::learn;
    if (ui.button(export_box, "export", "Export", Ui::ButtonLook::accent, exports)) {
        p.state.open_dialog = CardId::export_picture;
    }
    ui.tip(learns && !exports
               ? "Open a page first: this list has no picture to export"
               : "Export image or data (" + keys_of(ActionId::export_picture) + ")");
    const bool ran = p.snapshot().run && !p.snapshot().error;
    std::string note = p.state.timings && ran ? time_words(p.snapshot().run_milliseconds) : "";
    const bool decodes = traits.decodes;
    if (ran) {
        const std::string sizes = sizes_of(*p.snapshot().run, traits);
        const bool roomy = box.w >= 1400 || !(traits.reads_source && decodes); // else words need it
        if (roomy) note += (note.empty() ? "" : " \u00b7 ") + sizes;
    }
    // Room for a few digits more, so that fields do not move with every run. In a narrow window the
    // sentences need it all, in any the model's answer.
    const float left = picker.x + picker.w + 12;
    const bool reads = traits.reads_source, both = reads && decodes;
    constexpr float kArrow = 38;
    std::optional<SentencePlaces>& held = p.state.explore->sentences;
    const bool holds = held && ui.edited_sentence();
    float note_width = box.w < 1100 ? 0 : std::ceil((c.width_of(Face::mono, note) + 12) / 24) * 24;
    const float beside = export_box.x - 12 - left - kArrow;
    Answer answer = decodes ? answer_of(p) : Answer{};
    if (both && !answer_fits(p, beside - note_width - 12, answer) && answer_fits(p, beside, answer))
        note_width = 0;
    if (holds) note_width = held->note;
    if (note_width > 0) {
        const Box place{export_box.x - 12 - note_width, box.y, note_width, box.h - 1};
        ui.area(place, "sizes", "run time and tokens");
        ui.tip(
            "How long the model took to run, and how many tokens it read and wrote. A mark of the "
            "beginning or the end, which the fields leave out, counts as one.");
        c.text(place, Face::mono, t.muted, note_within(c, note, note_width), AlignX::right);
    }

    // The sentences share what is left.
    const float right = export_box.x - 12 - note_width - (note_width > 0 ? 12 : 0);
    const float room = both ? right - left - kArrow : right - left;
    if (!holds || held->both != both) {
        held = SentencePlaces{note_width, both ? source_share(p, room, answer) : 1, both};
    }
    const float width = both ? held->source * room : room;
    const float target_width = both ? room - width : room;
    if (traits.reads_pictures) picture_input(p, {left, y, right - left, h});
    if (traits.weights_alone) sentence_input(p, {left, y, right - left, h});
    if (reads) sentence_field(p, {left, y, width, h}, true);
    if (both) {
        c.text({left + width, box.y, kArrow, box.h - 1}, Face::field, t.muted, "\u2192",
               AlignX::centre);
    }
    if (decodes) {
        sentence_field(p, {both ? left + width + kArrow : left, y, target_width, h}, false,
                       std::move(answer));
    }
}

} // namespace heed::ui
