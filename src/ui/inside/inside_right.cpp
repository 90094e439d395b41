#include "ui/inside/inside_room.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/inside/other_sentence.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/reading.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

constexpr float kInsidePad = 14, kWordRow = 24;

std::string word_of(const Panel& p, num::Index row) {
    return app::inside_word(*p.snapshot().run->model, row);
}

/// The first word by a click, the second with Shift; the second again: none.
void choose_asked_word(Panel& p, const app::InsidePicture& now, int word) {
    app::InsideFocus& asked = p.state.view.inside;
    if (shim::shift_down()) {
        const bool again = asked.against == word || word == now.question.word;
        asked.against = again ? std::optional<int>() : word;
    } else {
        asked.word = word;
        if (asked.against == word) asked.against.reset();
    }
}

void word_row(Panel& p, Form& f, const app::InsidePicture& now, const inside::LensWord& word,
              float largest) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(kWordRow);
    const std::string name = word_of(p, word.word);
    const bool first = word.word == now.question.word, second = word.word == now.question.against;
    const Color ink = first ? t.accent : second ? t.series[1] : t.text;
    const Press press =
        p.ui.area(row, fmt::format("inside/word/{}", word.word), name, Widget::Kind::choice, first);
    if (press.hovered) c.fill(row, t.raised, 4);
    const float words = row.w * 0.36f, number = 52;
    c.text({row.x, row.y, words, row.h}, Face::control, ink, name);
    const float room = row.w - words - number - 16;
    c.fill({row.x + words + 8, row.y + 8, std::max(1.5f, room * word.probability / largest), 8},
           ink, 2);
    c.text(row, Face::mono, t.muted, fmt::format("{:.3f}", word.probability), AlignX::right);
    f.tip(fmt::format("{}: its probability is {:.4f}. Click: ask about it. Shift+click: hold the "
                      "first word against it",
                      name, word.probability));
    if (press.clicked) choose_asked_word(p, now, static_cast<int>(word.word));
}

void said_words(Panel& p, Form& f, const app::InsidePicture& now) {
    const bool masked = p.snapshot().run->model->traits().fills_masks;
    const models::Model& model = *p.snapshot().run->model;
    f.heading(now.readout.classes   ? "Class"
              : masked              ? "Token here"
              : model.text_to_ids() ? "Next token"
              : model.words()       ? "Next word"
                                    : "Next row of the vocabulary",
              "What the model may say at the chosen token, the most probable first.");
    float largest = 1e-9f, listed = 0;
    for (const inside::LensWord& word : now.likeliest) {
        largest = std::max(largest, word.probability);
        listed += word.probability;
    }
    for (const inside::LensWord& word : now.likeliest) word_row(p, f, now, word, largest);
    f.note(fmt::format("all others {:.3f} · entropy {:.2f} bits", std::max(0.0f, 1 - listed),
                       now.entropy_bits));
}

void answer_section(Panel& p, Form& f, const app::InsidePicture& now) {
    const Box head = f.section("Answer", 12,
                               "The word whose logit is taken apart, and the one that is "
                               "subtracted from it.");
    app::InsideFocus& asked = p.state.view.inside;
    if (asked.word || asked.against || asked.token) {
        if (f.aside(head, "reset", "Reset")) {
            asked.word.reset();
            asked.against.reset();
            asked.token.reset();
        }
        f.tip("Asks about the most probable word at the last token again");
    }
    std::string words = word_of(p, now.question.word);
    if (now.question.against) words += " against " + word_of(p, *now.question.against);
    const figure::Theme& t = p.ui.theme();
    f.text(f.row(20, 2), Face::control, t.text, words);
    f.paragraph("Click a word for the first, Shift+click for the second");
}

void other_section(Panel& p, Form& f, const app::InsidePicture& now) {
    const Box head = f.section("Other sentence", 12,
                               "A sentence of as many tokens, one word apart. Activations of your "
                               "sentence are put into its run.");
    const models::Traits& traits = p.snapshot().run->model->traits();
    app::InsideFocus& asked = p.state.view.inside;
    if (f.aside(head, "make", "Make one")) {
        const models::Model& model = *p.snapshot().run->model;
        const std::string against = now.question.against ? model.answer(*now.question.against) : "";
        asked.other = app::one_word_changed(app::first_sentence(p.document(), traits),
                                            model.answer(now.question.word), against);
    }
    f.tip("Writes your sentence with one word changed");
    Ui::FieldOptions options;
    options.hint = "another sentence";
    f.field("other", "Other sentence", asked.other, options);
    f.tip("Another sentence of as many tokens as yours");
    static const std::string kLabels[] = {"layer × token", "heads"};
    constexpr bool kAll[] = {false, true};
    f.values("patch", kLabels, kAll, asked.patch_heads);
    const std::string tips[] = {
        "What a layer passes on at one token is put into the other run.\nMeng et al. 2022",
        "What one head makes, at every token, is put into the other run.\nWang et al. 2022"};
    f.tips(tips);
    f.space(6);
    if (now.other_error) {
        f.paragraph(base::describe(*now.other_error), p.ui.theme().bad);
    } else if (!now.patched.empty()) {
        f.note(fmt::format("says {} {:.2f}", word_of(p, now.corrupted.says),
                           now.corrupted.says_probability));
    }
}

void instead_section(Panel& p, Form& f, const app::InsidePicture& now) {
    using inside::Instead;
    f.section("Without a head", 12, "What takes the place of a head's output at every token.");
    static const std::string kLabels[] = {"mean", "zero", "other"};
    constexpr Instead kAll[] = {Instead::mean, Instead::zero, Instead::other};
    f.values("instead", kLabels, kAll, p.state.view.inside.instead, now.other ? 7u : 3u);
    const std::string tips[] = {"Its mean over the tokens of this sentence.",
                                "Nothing: all its numbers are 0.",
                                "What it makes of the other sentence, token by token."};
    f.tips(tips);
    const std::size_t done =
        now.without.size() + now.patched.size() + (now.lens ? now.lens->size() : 0);
    const std::size_t all = now.parts + now.patches.size() + now.lens_cells;
    if (!now.complete()) f.note(fmt::format("{} of {} measured", done, all));
}

void seen_section(Panel& p, Form& f) {
    const std::string words = app::inside_reading(p.snapshot(), p.state.view);
    if (words.empty()) return;
    f.section("What is seen", 12, "Numbers of the four pictures, in words.");
    f.paragraph(words, p.ui.theme().text);
    f.paragraph("nostalgebraist 2020 · Elhage et al. 2021 · Vig et al. 2020 · Wang et al. 2022");
}

} // namespace

void inside_right(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x, box.y, box.h);
    ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "inside", p.state.inside_scroll);
    Form f(ui, box.x + kInsidePad + 1, box.y + kInsidePad - p.state.inside_scroll.offset,
           box.w - 2 * kInsidePad - 1, "inside/");
    const auto& now = p.snapshot().inside;
    if (!p.snapshot().run || !now) {
        f.paragraph("Measuring …");
    } else if (now->error) {
        f.paragraph(base::describe(*now->error));
    } else {
        said_words(p, f, *now);
        answer_section(p, f, *now);
        if (!p.snapshot().run->model->traits().reads_pictures) other_section(p, f, *now);
        instead_section(p, f, *now);
        seen_section(p, f);
    }
    f.space(16);
    ui.end_scroll(f.y + p.state.inside_scroll.offset);
}

} // namespace heed::ui
