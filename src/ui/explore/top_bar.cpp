#include "ui/explore/top_bar.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/engine/speech.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/model_card.hpp"
#include "ui/explore/other_inputs.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/frame/trained_words.hpp"
#include "ui/stage/pointing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::ui {

namespace {

using app::UndoTag;

std::string time_words(double milliseconds) {
    return milliseconds < 0.1 ? "< 0.1 ms" : fmt::format("{:.1f} ms", milliseconds);
}

std::string tokens_counted(std::size_t count) {
    return fmt::format("{} token{}", count, count == 1 ? "" : "s");
}

/// Dots below a word that the model does not know.
void dots_below(Canvas& c, float x, float width, float y) {
    for (float dot = x; dot < x + width; dot += 4) c.fill({dot, y, 2, 2}, c.theme().bad, 1);
}

void draw_chip(Canvas& c, const Box& box, bool lit) {
    c.fill(box, c.theme().raised, 4);
    c.outline(box, lit ? c.theme().accent : c.theme().border, 4);
}

constexpr float kFirstToken = -4, kTokenPad = 6, kBetweenTokens = 6;

/// Tokens as chips, as many as there is room for.
void chips(Canvas& c, const std::vector<text::Token>& tokens, const Box& inside) {
    constexpr float kMore = 16; // for the ellipsis behind the last one that fits
    float x = inside.x + kFirstToken;
    for (const text::Token& token : tokens) {
        const float w = c.width_of(Face::body, token.text);
        const float room = inside.x + inside.w - (&token == &tokens.back() ? 0 : kMore);
        if (x + w + 2 * kTokenPad > room && &token != &tokens.front()) {
            c.text({x, inside.y, kMore, inside.h}, Face::body, c.theme().muted, "\u2026");
            break;
        }
        draw_chip(c, {x, inside.y + 6, w + 2 * kTokenPad, inside.h - 12}, false);
        c.text({x + kTokenPad, inside.y, w + 1, inside.h}, Face::body, c.theme().text, token.text);
        if (!token.known) dots_below(c, x + kTokenPad, w, inside.y + inside.h - 10);
        x += w + 2 * kTokenPad + kBetweenTokens;
    }
}

/// The byte of the text at x points from the left of its chips.
std::size_t caret_in_chips(Canvas& c, const std::vector<text::Token>& tokens, float x) {
    float chip = kFirstToken;
    for (const text::Token& token : tokens) {
        const float w = c.width_of(Face::body, token.text);
        if (x < chip + w + 2 * kTokenPad + kBetweenTokens / 2)
            return token.begin + c.byte_at(Face::body, token.text, x - chip - kTokenPad);
        chip += w + 2 * kTokenPad + kBetweenTokens;
    }
    return tokens.back().end;
}

/// True where these are tokens of this text: a run may be of the one before.
bool is_of(const std::vector<text::Token>& tokens, const std::string& text) {
    return !tokens.empty() && tokens.back().end <= text.size() &&
           text.compare(tokens[0].begin, tokens[0].text.size(), tokens[0].text) == 0;
}

/// True where a sentence stands as chips: white space does not show its tokens.
bool stands_in_chips(const std::string& text, const std::vector<text::Token>& tokens) {
    bool spaced = true;
    for (std::size_t i = 1; i < tokens.size() && spaced; ++i) {
        const bool letters = static_cast<unsigned char>(tokens[i].text[0]) >= 0x80 &&
                             static_cast<unsigned char>(tokens[i - 1].text[0]) >= 0x80;
        spaced = !letters || tokens[i].begin > tokens[i - 1].end;
    }
    return !spaced && is_of(tokens, text);
}

/// A sentence at rest: its tokens as chips, or one line.
void resting_sentence(Canvas& c, const std::string& text, const std::vector<text::Token>& tokens,
                      const Box& inside) {
    if (stands_in_chips(text, tokens)) return chips(c, tokens, inside);
    c.text(inside, Face::field, c.theme().text, text);
    if (!is_of(tokens, text)) return;
    for (const text::Token& token : tokens) {
        if (token.known) continue;
        const float x = inside.x + c.width_of(Face::field, text.substr(0, token.begin));
        if (x > inside.x + inside.w) break;
        const float w = c.width_of(Face::field, text.substr(token.begin, token.end - token.begin));
        dots_below(c, x, w, inside.y + inside.h - 8);
    }
}

/// A word that the model says, and the row of the picture where it does.
struct AnswerWord {
    std::string text;
    std::optional<int> row;
    Box chip{}; // of no width: there is no room for it
    bool lit = false, chosen = false;
};

/// The model's own words where no target is typed; nothing where it says nothing.
std::vector<AnswerWord> answer_of(const Panel& p) {
    const auto& snapshot = p.snapshot();
    const bool fresh = snapshot.run && !snapshot.error && snapshot.document.target.empty();
    const bool says =
        snapshot.run && (snapshot.run->model->words() || snapshot.run->model->text_to_ids());
    if (!fresh || !says) return {};
    std::vector<AnswerWord> answer;
    for (std::string& word : app::said_words(*snapshot.run))
        answer.push_back({std::move(word), {}});
    if (snapshot.focus.head.kind == trace::AttentionKind::encoder_self) return answer;
    std::size_t next = 0;
    const std::vector<text::Token>& rows = app::row_tokens(snapshot);
    for (std::size_t row = 0; row < rows.size() && next < answer.size(); ++row) {
        if (rows[row].text == answer[next].text) answer[next++].row = static_cast<int>(row);
    }
    return answer;
}

constexpr float kChipPad = 3, kBetweenChips = 2;

float answer_width(Canvas& c, const AnswerWord& word) {
    return std::ceil(c.width_of(Face::field, word.text)) + 2 * kChipPad;
}

float tag_width(Canvas& c, std::string_view tag) { return c.width_of(Face::small, tag) + 12; }

/// The tag that says whose words these are, shorter in a narrow field.
std::string_view tag_of(Canvas& c, const Box& inside) {
    constexpr std::string_view kSaid = "by model", kShort = "model";
    constexpr float kMost = 0.3f; // of the field
    return tag_width(c, kSaid) <= kMost * inside.w ? kSaid : kShort;
}

/// Side by side before the tag, as many as there is room for.
void place_answer(Canvas& c, std::vector<AnswerWord>& answer, const Box& inside) {
    float x = inside.x - kChipPad;
    const float end = inside.x + inside.w - tag_width(c, tag_of(c, inside));
    for (AnswerWord& word : answer) {
        const float w = answer_width(c, word);
        const bool first = &word == &answer.front(), last = &word == &answer.back();
        if (!first && x + w > end - (last ? 0 : 16)) return; // the ellipsis has the rest
        word.chip = {x, inside.y + 5, std::min(w, end - x), inside.h - 10};
        x += w + kBetweenChips;
    }
}

/// What the answer takes in its field with the words behind it.
float width_of_answer(Canvas& c, const std::vector<AnswerWord>& answer, const Box& inside) {
    float width = tag_width(c, tag_of(c, inside));
    for (const AnswerWord& word : answer) width += answer_width(c, word) + kBetweenChips;
    return width;
}

/// The row that is looked at, from 0; in Inside the one that it asks about.
std::optional<int> row_in_question(const Panel& p) {
    if (p.state.view.view == app::View::inside) {
        const auto& inside = p.snapshot().inside;
        return inside ? std::optional(static_cast<int>(inside->question.token)) : std::nullopt;
    }
    const auto& chosen = p.state.view.selected;
    return chosen ? std::optional(chosen->first) : std::nullopt;
}

/// The model's own words as a text that can be typed.
std::string said_text(const app::Snapshot& now) {
    return app::said_line(*now.run, now.document.segmentation);
}

/// The byte of that text at x points from the window's left.
std::size_t caret_in_answer(Canvas& c, const std::vector<AnswerWord>& answer,
                            const std::string& said, float x) {
    std::size_t begin = 0;
    for (const AnswerWord& word : answer) {
        begin = std::min(said.find(word.text, begin), said.size());
        if (word.chip.w > 0 && x < word.chip.x + word.chip.w)
            return begin + c.byte_at(Face::field, word.text, x - word.chip.x - kChipPad);
        begin = std::min(begin + word.text.size(), said.size());
    }
    return said.size();
}

/// Each points at its row; a click chooses it. They lie over the field, which takes other clicks.
void answer_chips(Panel& p, std::vector<AnswerWord>& answer) {
    for (std::size_t i = 0; i < answer.size(); ++i) {
        AnswerWord& word = answer[i];
        if (word.chip.w <= 0 || !word.row) continue;
        const Press press =
            p.ui.area(word.chip, fmt::format("answer/{}", i), word.text, Widget::Kind::button);
        p.ui.tip(
            fmt::format("“{}” is said at row {}. Click: looks there", word.text, *word.row + 1));
        word.chosen = row_in_question(p) == *word.row;
        word.lit = word.chosen || press.hovered;
        if (press.hovered) point_out(p, *word.row, std::nullopt);
        if (!press.clicked) continue;
        go_to_step(p, *word.row);
        std::string& said = p.state.explore->said = said_text(p.snapshot());
        p.ui.focus_at("target", caret_in_answer(p.ui.canvas, answer, said, p.ui.mouse().x));
    }
}

/// The words that have room, in one line.
std::string line_of(const std::vector<AnswerWord>& answer) {
    std::string line;
    for (const AnswerWord& word : answer) {
        if (word.chip.w <= 0) return line + "\u2026";
        line += word.text + " ";
    }
    return line;
}

void draw_tag(Canvas& c, const Box& inside) {
    const std::string_view said = tag_of(c, inside);
    const float tag = tag_width(c, said);
    c.text({inside.x + inside.w - tag, inside.y, tag, inside.h}, Face::small, c.theme().muted, said,
           AlignX::right);
}

/// The model's answer in the field where another could be typed.
void resting_answer(Canvas& c, const std::vector<AnswerWord>& answer, const Box& inside) {
    if (answer.empty()) return;
    draw_tag(c, inside);
    float end = inside.x;
    for (const AnswerWord& word : answer) {
        const Box& chip = word.chip;
        if (chip.w <= 0) {
            c.text({end + 4, inside.y, 16, inside.h}, Face::field, c.theme().muted, "\u2026");
            return;
        }
        if (word.row) draw_chip(c, chip, word.lit);
        c.text({chip.x + kChipPad, inside.y, chip.w - kChipPad, inside.h}, Face::field,
               word.chosen ? c.theme().accent : c.theme().text, word.text);
        end = chip.x + chip.w;
    }
}

constexpr float kInsets = 20; // of a field

/// Where a click into the resting field puts the caret; none: where ImGui does.
std::function<std::size_t(float)> caret_of(Panel& p, const Box& box, const std::string& text,
                                           const std::vector<text::Token>& tokens,
                                           const std::vector<AnswerWord>& answer) {
    if (stands_in_chips(text, tokens))
        return [&](float x) { return caret_in_chips(p.ui.canvas, tokens, x); };
    if (answer.empty()) return {};
    return [&](float x) {
        const std::string& said = p.state.explore->said = said_text(p.snapshot());
        return caret_in_answer(p.ui.canvas, answer, said, box.x + kInsets / 2 + x);
    };
}

void sentence(Panel& p, const Box& box, bool is_source) {
    std::string text = is_source ? p.document().source : p.document().target;
    const auto& snapshot = p.snapshot();
    const bool fresh =
        snapshot.run && !snapshot.error &&
        (is_source ? snapshot.document.source == text : snapshot.document.target == text);
    static const std::vector<text::Token> none;
    const std::vector<text::Token>& tokens = !fresh      ? none
                                             : is_source ? snapshot.run->input.source
                                                         : snapshot.run->input.target;
    Ui::FieldOptions options;
    options.sentence = true;
    const char* id = is_source ? "source" : "target";
    const bool edited = p.ui.edits(id);
    std::string& said = p.state.explore->said;
    const bool begun = edited || p.ui.awaits_field();
    if (!is_source && (!text.empty() || !begun)) said.clear();
    if (!is_source && text.empty()) text = said; // no change of the document yet
    std::vector<AnswerWord> answer;
    const models::Traits traits = models::traits(chosen_config(p));
    options.hint = is_source ? "Type a sentence" : target_hint(p, traits);
    if (!is_source && text.empty()) answer = answer_of(p);
    const Box inside = inset(box, kInsets / 2, 0);
    place_answer(p.ui.canvas, answer, inside);
    const bool tagged = edited && !answer.empty();
    if (tagged) { // it stays to be read until something is typed
        options.hint = line_of(answer);
        answer.clear();
    }
    options.rests_empty = !answer.empty();
    answer_chips(p, answer);
    if (is_of(tokens, text)) {
        for (const text::Token& token : tokens) {
            if (!token.known) options.dotted.emplace_back(token.begin, token.end);
        }
    }
    options.resting = [&](const Box& place) {
        if (text.empty()) {
            resting_answer(p.ui.canvas, answer, place);
        } else {
            resting_sentence(p.ui.canvas, text, tokens, place);
        }
    };
    options.caret = caret_of(p, box, text, tokens, answer);
    const auto field = p.ui.field(box, id, id, text, options);
    if (tagged && text.empty()) draw_tag(p.ui.canvas, inside);
    p.ui.tip(is_source && traits.fills_masks
                 ? "The sentence that the model reads. To mask a token, click it under Masked "
                   "token at the left: the model fills it."
             : is_source ? "The sentence that the model reads; every picture follows as you type."
                         : "The sentence that the decoder follows. Leave it empty, and a trained "
                           "model writes its own.");
    const UndoTag tag{is_source ? UndoTag::Of::source : UndoTag::Of::target};
    if (field.changed) {
        if (!is_source) said.clear();
        p.change_text(tag, is_source ? "source sentence" : "target sentence", false,
                      [&](app::Document& d) {
                          (is_source ? d.source : d.target) = text;
                          // A decoder alone would read it in place of a text that was deleted.
                          if (text.empty() && !traits.reads_source) d.source.clear();
                      });
    }
    if (field.left) p.seal();
}

/// The source's share of the two fields' width. An answer that is longer cannot be scrolled: it
/// gets more, by steps, so that the fields do not move with every word.
float source_share(Panel& p, float width) {
    if (!p.document().target.empty()) return 0.5f;
    constexpr float kShares[] = {0.45f, 0.42f, 0.39f, 0.35f, 0.31f};
    constexpr float kSpare = 48; // for a word that is being typed
    Canvas& c = p.ui.canvas;
    const std::vector<AnswerWord> answer = answer_of(p);
    const float typed = c.width_of(Face::field, p.document().source) + kInsets + kSpare;
    float share = kShares[0];
    for (const float less : kShares) {
        if (less < share && typed > less * width) break;
        share = less;
        const Box inside{0, 0, (1 - less) * width - kInsets, 32};
        if (width_of_answer(c, answer, inside) <= inside.w) break;
    }
    return share;
}

/// True where what the model says is read whole, with the sentences this wide.
bool answer_fits(Panel& p, float width) {
    if (!p.document().target.empty()) return true;
    const Box inside{0, 0, (1 - source_share(p, width)) * width - kInsets, 32};
    return width_of_answer(p.ui.canvas, answer_of(p), inside) <= inside.w;
}

/// What is told of a run, or the time alone where its place is held and has no room for all.
std::string note_within(Canvas& c, const std::string& note, float width) {
    if (c.width_of(Face::mono, note) <= width) return note;
    const std::string time = note.substr(0, std::min(note.find(" \u00b7 "), note.size()));
    return c.width_of(Face::mono, time) <= width ? time : std::string();
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
    const bool encodes = traits.encodes, decodes = traits.decodes;
    if (ran) {
        const models::Run& run = *p.snapshot().run;
        const bool told = traits.reads_pictures || traits.weights_alone; // by no sentence
        const std::size_t read = told ? run.trace.source.size() : run.input.source.size();
        const std::size_t said = run.trace.target.size();
        const std::string sizes = traits.weights_alone && said > 0 && read > 0
                                      ? fmt::format("{} \u2192 {} tokens", read, said)
                                  : traits.weights_alone ? tokens_counted(std::max(read, said))
                                  : !decodes             ? tokens_counted(read)
                                  : !encodes             ? tokens_counted(said)
                                             : fmt::format("{} \u2192 {} tokens", read, said);
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
    if (both && !answer_fits(p, beside - note_width - 12) && answer_fits(p, beside)) note_width = 0;
    if (holds) note_width = held->note;
    if (note_width > 0) {
        const Box place{export_box.x - 12 - note_width, box.y, note_width, box.h - 1};
        ui.area(place, "sizes", "run time and tokens");
        ui.tip("How long the model took to run, and how many tokens it read and wrote.");
        c.text(place, Face::mono, t.muted, note_within(c, note, note_width), AlignX::right);
    }

    // The sentences share what is left.
    const float right = export_box.x - 12 - note_width - (note_width > 0 ? 12 : 0);
    const float room = both ? right - left - kArrow : right - left;
    if (!holds || held->both != both) {
        held = SentencePlaces{note_width, both ? source_share(p, room) : 1, both};
    }
    const float width = both ? held->source * room : room;
    const float target_width = both ? room - width : room;
    if (traits.reads_pictures) picture_input(p, {left, y, right - left, h});
    if (traits.weights_alone) sentence_input(p, {left, y, right - left, h});
    if (reads) sentence(p, {left, y, width, h}, true);
    if (both) {
        c.text({left + width, box.y, kArrow, box.h - 1}, Face::field, t.muted, "\u2192",
               AlignX::centre);
    }
    if (decodes) {
        sentence(p, {both ? left + width + kArrow : left, y, target_width, h}, false);
    }
}

} // namespace heed::ui
