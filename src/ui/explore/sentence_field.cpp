#include "ui/explore/sentence_field.hpp"

#include "app/engine/inside_picture.hpp"
#include "app/engine/speech.hpp"
#include "base/utf8.hpp"
#include "models/model/sides.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/trained_words.hpp"
#include "ui/stage/pointing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace heed::ui {

namespace {

using app::UndoTag;

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

/// The words of an answer that still follow a target which was typed on since; none where that says
/// something else than they.
Answer still_ahead(const app::Snapshot& snapshot, Answer answer, const std::string& target) {
    const std::string &ran = snapshot.document.target,
                      whole = app::with_added(*snapshot.run, snapshot.document);
    if (!target.starts_with(ran) || !whole.starts_with(target)) return {};
    std::size_t end = ran.size();
    const auto ahead = std::ranges::find_if(answer, [&](const AnswerWord& word) {
        const std::size_t begin = std::min(whole.find(word.text, end), whole.size());
        if (begin < target.size()) end = begin + word.text.size();
        return begin >= target.size();
    });
    answer.erase(answer.begin(), ahead);
    return end <= target.size() ? answer : Answer{}; // a part of a word
}

/// Gives words that the model added the rows of the picture where they are said.
void find_rows(const app::Snapshot& snapshot, Answer& answer) {
    const models::Run& run = *snapshot.run;
    const std::vector<text::Token>& rows = app::row_tokens(snapshot);
    const bool by_said = &rows == snapshot.said.get(); // each row by what the next one reads
    // Of a checkpoint its start is among what was given.
    const std::size_t given = run.input.target.size() + (run.model->traits().reads_start ? 1 : 0);
    std::size_t row = static_cast<std::size_t>(models::leading_source(run)) + given;
    if (by_said && row > 0) --row;
    for (AnswerWord& word : answer) { // marks stand between them
        while (row < rows.size() && rows[row].text != word.text) ++row;
        if (row < rows.size()) word.row = static_cast<int>(row++);
    }
}

} // namespace

Answer answer_of(const Panel& p) {
    const app::Snapshot& snapshot = p.snapshot();
    if (!snapshot.run || snapshot.error) return {};
    if (!snapshot.run->model->words() && !snapshot.run->model->text_to_ids()) return {};
    const std::string &target = p.document().target, &ran = snapshot.document.target;
    const bool typed_on = p.ui.edits("target") && !target.empty() && !ran.empty();
    if (ran != target && !typed_on) return {};
    Answer answer;
    if (const auto& beam = snapshot.run->trace.beam) answer.hypothesis = beam->followed;
    for (std::string& word : app::added_words(*snapshot.run))
        answer.push_back({std::move(word), {}});
    if (ran != target) return still_ahead(snapshot, std::move(answer), target);
    if (snapshot.focus.head.kind != trace::AttentionKind::encoder_self) find_rows(snapshot, answer);
    return answer;
}

namespace {

constexpr float kChipPad = 3, kBetweenChips = 2;

float answer_width(Canvas& c, const AnswerWord& word) {
    return std::ceil(c.width_of(Face::field, word.text)) + 2 * kChipPad;
}

float tag_width(Canvas& c, std::string_view tag) { return c.width_of(Face::small, tag) + 12; }

/// The tag that says whose words these are, shorter in a narrow field.
std::string tag_of(Canvas& c, const Box& inside, const Answer& answer) {
    constexpr float kMost = 0.3f; // of the field
    const int at = answer.hypothesis;
    std::string said = at == 0 ? "by model" : app::hypothesis_name(at);
    if (tag_width(c, said) <= kMost * inside.w) return said;
    return at == 0 ? "model" : fmt::format("no. {}", at + 1);
}

constexpr float kEllipsis = 16;

/// Side by side between what is typed, `typed` points wide, and the tag, as many as there is room
/// for.
void place_answer(Canvas& c, Answer& answer, const Box& inside, float typed) {
    float x = inside.x + typed - kChipPad;
    const float end = inside.x + inside.w - tag_width(c, tag_of(c, inside, answer));
    for (AnswerWord& word : answer) {
        const float w = answer_width(c, word);
        const bool first = &word == &answer.front() && typed == 0, last = &word == &answer.back();
        if (!first && x + w > end - (last ? 0 : kEllipsis)) return; // the ellipsis has the rest
        word.chip = {x, inside.y + 5, std::min(w, end - x), inside.h - 10};
        x += w + kBetweenChips;
    }
}

/// What the answer takes in its field with the words behind it.
float width_of_answer(Canvas& c, const Answer& answer, const Box& inside) {
    float width = tag_width(c, tag_of(c, inside, answer));
    for (const AnswerWord& word : answer) width += answer_width(c, word) + kBetweenChips;
    return width;
}

/// The row that is looked at, from 0; in Inside the one that it asks about, in Learn none.
std::optional<int> row_in_question(const Panel& p) {
    if (p.state.view.view == app::View::learn) return std::nullopt;
    if (p.state.view.view == app::View::inside) {
        const auto& inside = p.snapshot().inside;
        return inside ? std::optional(static_cast<int>(inside->question.token)) : std::nullopt;
    }
    const auto& chosen = p.state.view.selected;
    return chosen ? std::optional(chosen->first) : std::nullopt;
}

/// Begins to edit the target with the model's own words in it, which are the document's once
/// something is typed.
std::string& take_said(Panel& p) {
    const app::Snapshot& now = p.snapshot();
    p.state.explore->said_behind = now.document.target;
    return p.state.explore->said = app::with_added(*now.run, now.document);
}

/// Another word is typed behind a text: a space stands before it, where the script has any.
void leave_space(std::string& text) {
    std::size_t last = text.size();
    while (last > 0 && base::continues_character(text[--last])) {
    }
    const bool spaced = !text.empty() && base::sets_spaces(base::decode_utf8(text, last).code_point);
    if (spaced && text.back() != ' ') text += ' ';
}

/// The byte of that text at x points from the window's left; `typed`: bytes before the answer.
std::size_t caret_in_answer(Canvas& c, const Answer& answer, std::string& said, std::size_t typed,
                            float x) {
    std::size_t begin = typed;
    for (const AnswerWord& word : answer) {
        begin = std::min(said.find(word.text, begin), said.size());
        if (word.chip.w > 0 && x < word.chip.x + word.chip.w)
            return begin + c.byte_at(Face::field, word.text, x - word.chip.x - kChipPad);
        begin = std::min(begin + word.text.size(), said.size());
    }
    leave_space(said);
    return said.size();
}

constexpr const char* kClickEdits = "Click: edit from here; what you type keeps these words.";

/// Each points at its row; a click chooses it. They lie over the field, which takes other clicks.
void answer_chips(Panel& p, Answer& answer) {
    for (std::size_t i = 0; i < answer.size(); ++i) {
        AnswerWord& word = answer[i];
        if (word.chip.w <= 0 || !word.row) continue;
        const Press press =
            p.ui.area(word.chip, fmt::format("answer/{}", i), word.text, Widget::Kind::button);
        p.ui.tip(fmt::format("“{}” is said at row {}. {}", word.text, *word.row + 1, kClickEdits));
        word.chosen = row_in_question(p) == *word.row;
        word.lit = word.chosen || press.hovered;
        if (press.hovered) point_out(p, *word.row, std::nullopt);
        if (!press.clicked) continue;
        go_to_step(p, *word.row);
        const std::size_t typed = p.document().target.size();
        std::string& said = take_said(p);
        p.ui.focus_at("target", caret_in_answer(p.ui.canvas, answer, said, typed, p.ui.mouse().x));
    }
}

/// The words that have room, in one line.
std::string line_of(const Answer& answer) {
    std::string line;
    for (const AnswerWord& word : answer) {
        if (word.chip.w <= 0) return line + "\u2026";
        line += word.text + " ";
    }
    return line;
}

void draw_tag(Canvas& c, const Box& inside, const Answer& answer) {
    const std::string said = tag_of(c, inside, answer);
    const float tag = tag_width(c, said);
    c.text({inside.x + inside.w - tag, inside.y, tag, inside.h}, Face::small, c.theme().muted, said,
           AlignX::right);
}

/// The model's answer in the field where another could be typed; behind `typed` points of a target
/// in grey.
void draw_answer(Canvas& c, const Answer& answer, const Box& inside, float typed) {
    if (answer.empty()) return;
    const float tag = inside.x + inside.w - tag_width(c, tag_of(c, inside, answer));
    float end = inside.x + typed;
    if (end + kEllipsis > tag) return; // what is typed takes the field
    draw_tag(c, inside, answer);
    const Color ink = typed > 0 ? c.theme().muted : c.theme().text;
    for (const AnswerWord& word : answer) {
        const Box& chip = word.chip;
        if (chip.w <= 0) {
            c.text({end + 4, inside.y, kEllipsis, inside.h}, Face::field, c.theme().muted,
                   "\u2026");
            return;
        }
        if (word.row) draw_chip(c, chip, word.lit);
        c.text({chip.x + kChipPad, inside.y, chip.w - kChipPad, inside.h}, Face::field,
               word.chosen ? c.theme().accent : ink, word.text);
        end = chip.x + chip.w;
    }
}

constexpr float kInsets = 20; // of a field

/// Points that what is typed takes of its field, with the space behind it; 0 of nothing.
float typed_width(Canvas& c, const std::string& text, const std::vector<text::Token>& tokens,
                  bool edited) {
    if (text.empty()) return 0;
    const float space = c.width_of(Face::field, "n");
    if (edited || !stands_in_chips(text, tokens)) return c.width_of(Face::field, text) + space;
    float width = kFirstToken;
    for (const text::Token& token : tokens) {
        width += c.width_of(Face::body, token.text) + 2 * kTokenPad + kBetweenTokens;
    }
    return width + kChipPad;
}

/// Where a click into the resting field puts the caret; none: where ImGui does. Behind what is
/// typed, `typed` points wide, the model's words can be clicked, and nothing behind them.
std::function<std::size_t(float)> caret_of(Panel& p, const Box& box, const std::string& text,
                                           const std::vector<text::Token>& tokens,
                                           const Answer& answer, float typed) {
    Canvas& c = p.ui.canvas;
    if (stands_in_chips(text, tokens)) return [&](float x) { return caret_in_chips(c, tokens, x); };
    if (answer.empty()) return {};
    const float left = box.x + kInsets / 2;
    float end = left;
    for (const AnswerWord& word : answer) end = std::max(end, word.chip.x + word.chip.w);
    return [&, left, end, typed](float x) {
        if (typed > 0 && (x < typed || left + x > end)) return c.byte_at(Face::field, text, x);
        return caret_in_answer(c, answer, take_said(p), text.size(), left + x);
    };
}

/// `answers`: the model's own words stand in the field, `adds`: behind a target.
std::string sentence_tip(bool is_source, const models::Traits& traits, bool answers, bool adds) {
    if (is_source && traits.fills_masks)
        return "The sentence that the model reads. To mask a token, click it under Masked token at "
               "the left: the model fills it.";
    if (is_source) return "The sentence that the model reads; every picture follows as you type.";
    const std::string follows = "The sentence that the decoder follows. ";
    if (adds)
        return follows + "What stands behind it in grey the model adds, as Decoding says. " +
               kClickEdits;
    if (answers) return follows + "What stands here the model wrote. " + kClickEdits;
    return follows +
           (traits.says_words()
                ? "Leave it empty, and the model writes its own."
                : "Leave it empty, and it reads the source; a trained model writes its own.");
}

/// Sets the sentence of a document as it was typed.
void change_sentence(Panel& p, const std::string& text, bool is_source) {
    const UndoTag tag{is_source ? UndoTag::Of::source : UndoTag::Of::target};
    const bool reads_source = models::traits(chosen_config(p)).reads_source;
    p.change_text(tag, is_source ? "source sentence" : "target sentence", false,
                  [&](app::Document& d) {
                      (is_source ? d.source : d.target) = text;
                      // A decoder alone would read it in place of a text that was deleted.
                      if (text.empty() && !reads_source) d.source.clear();
                  });
}

/// What the model said, as long as the target's field holds that and nothing was typed.
const std::string& said_now(Panel& p, bool begun) {
    ExploreState& state = *p.state.explore;
    if (!begun || state.said_behind != p.document().target) state.said.clear();
    return state.said;
}

} // namespace

void sentence_field(Panel& p, const Box& box, bool is_source, Answer answer) {
    std::string text = is_source ? p.document().source : p.document().target;
    const auto& snapshot = p.snapshot();
    const bool fresh =
        snapshot.run && !snapshot.error &&
        (is_source ? snapshot.document.source == text : snapshot.document.target == text);
    static const std::vector<text::Token> none;
    const std::vector<text::Token>& tokens = !fresh      ? none
                                             : is_source ? snapshot.run->input.source
                                                         : snapshot.run->input.target;
    Canvas& c = p.ui.canvas;
    Ui::FieldOptions options;
    options.sentence = true;
    const char* id = is_source ? "source" : "target";
    const bool edited = p.ui.edits(id);
    const bool holds_said = !is_source && !said_now(p, edited || p.ui.awaits_field()).empty();
    if (holds_said) text = p.state.explore->said; // no change of the document yet
    const models::Traits traits = models::traits(chosen_config(p));
    options.hint = is_source ? "Type a sentence" : target_hint(p, traits);
    if (holds_said) answer.clear();
    const bool adds = !answer.empty() && !text.empty();
    const Box inside = inset(box, kInsets / 2, 0);
    const float typed = typed_width(c, text, tokens, edited);
    place_answer(c, answer, inside, typed);
    const bool tagged = edited && !answer.empty() && !adds;
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
        if (!text.empty()) resting_sentence(c, text, tokens, place);
        draw_answer(c, answer, place, typed);
    };
    options.caret = caret_of(p, box, text, tokens, answer, typed);
    const auto field = p.ui.field(box, id, id, text, options);
    if (tagged && text.empty()) draw_tag(c, inside, answer);
    if (edited && adds && !field.changed) draw_answer(c, answer, inside, typed);
    p.ui.tip(sentence_tip(is_source, traits, !answer.empty(), adds));
    if (field.changed) {
        // Behind a typed target the model's words come as one step of their own.
        const std::string said = holds_said ? std::exchange(p.state.explore->said, {}) : "";
        if (!said.empty() && !p.document().target.empty()) {
            p.change_text({UndoTag::Of::target}, "the model's words", true,
                          [&](app::Document& d) { d.target = said; });
        }
        change_sentence(p, text, is_source);
    }
    if (field.left) p.seal();
}

float source_share(Panel& p, float width, const Answer& answer) {
    Canvas& c = p.ui.canvas;
    const std::string& target = p.document().target;
    if (!target.empty() && answer.empty()) return 0.5f;
    constexpr float kShares[] = {0.45f, 0.42f, 0.39f, 0.35f, 0.31f};
    constexpr float kSpare = 48; // for a word that is being typed
    const float written = typed_width(c, target, {}, true);
    const float typed = c.width_of(Face::field, p.document().source) + kInsets + kSpare;
    float share = kShares[0];
    for (const float less : kShares) {
        if (less < share && typed > less * width) break;
        share = less;
        const Box inside{0, 0, (1 - less) * width - kInsets, 32};
        if (written + width_of_answer(c, answer, inside) <= inside.w) break;
    }
    return share;
}

bool answer_fits(Panel& p, float width, const Answer& answer) {
    if (answer.empty()) return true;
    const Box inside{0, 0, (1 - source_share(p, width, answer)) * width - kInsets, 32};
    const float written = typed_width(p.ui.canvas, p.document().target, {}, true);
    return written + width_of_answer(p.ui.canvas, answer, inside) <= inside.w;
}

} // namespace heed::ui
