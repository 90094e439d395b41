// Heads by what they do: the scores with the heads that have most of each, and below a chosen one
// every head with its label.
#include "app/engine/head_scores.hpp"
#include "app/views/head_scores_view.hpp"
#include "figure/base/number_text.hpp"
#include "inside/attribution.hpp"
#include "lab/number_words.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/inside/inside_room.hpp"
#include "ui/inside/inside_state.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace heed::ui {

namespace {

using inside::HeadScore;
using inside::HeadScoreInfo;

constexpr float kScoreRow = 21, kHeadRow = 21;
constexpr std::size_t kListed = 8; // heads, before all are asked for

/// "+3", "−3", "0".
std::string offset_words(num::Index offset) {
    return (offset > 0 ? "+" : "") + figure::number_text(static_cast<float>(offset), 0);
}

/// A head of the list: on the sentence at hand, or over a corpus.
struct Listed {
    trace::HeadId head;
    inside::ScoreValues values{};
    const inside::HeadRow* here = nullptr;  // null over a corpus
    const app::CorpusHead* there = nullptr; // null of the sentence

    std::string label() const { return there ? there->label() : app::head_label(*here); }
};

std::vector<Listed> listed_heads(Panel& p, const app::CorpusFound* found) {
    std::vector<Listed> heads;
    if (found) {
        for (const app::CorpusHead& head : found->measured.corpus.heads) {
            heads.push_back({head.head, head.means(), nullptr, &head});
        }
    } else if (p.snapshot().head_scores) {
        for (const inside::HeadRow& row : p.snapshot().head_scores->heads) {
            heads.push_back({row.head, row.scores.values, &row, nullptr});
        }
    }
    return heads;
}

/// The standard deviation over the lines; nothing on one sentence.
std::string spread_words(const Listed& head, HeadScore score) {
    if (!head.there) return {};
    const auto& scores = app::corpus_scores();
    const auto at = std::ranges::find(scores, score);
    if (at == scores.end()) return {};
    const auto& tally = head.there->tallies[static_cast<std::size_t>(at - scores.begin())];
    return tally.count() > 1 ? fmt::format(" ±{:.2f}", tally.spread()) : "";
}

/// True of a score that tells something of the head: places of two sentences have little to do with
/// each other, so that no cross-attention is named by them either.
bool tells(const Listed& row, HeadScore score) {
    const bool by_place = score == HeadScore::previous || score == HeadScore::next;
    return row.values.has(score) && !(by_place && row.values.across);
}

/// Rows that have the score, the largest first, of equal ones in the model's order.
std::vector<const Listed*> sorted_heads(const std::vector<Listed>& heads, HeadScore score) {
    std::vector<const Listed*> sorted;
    for (const Listed& row : heads) {
        if (tells(row, score)) sorted.push_back(&row);
    }
    std::ranges::stable_sort(
        sorted, [&](const auto* a, const auto* b) { return a->values[score] > b->values[score]; });
    return sorted;
}

void score_row(Panel& p, Form& f, const HeadScoreInfo& score,
               const std::vector<const Listed*>& sorted) {
    constexpr std::size_t kNamed = 3;
    InsideState& state = inside_state(p);
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(kScoreRow);
    const bool on = state.score == score.score;
    const Press press = p.ui.area(row, fmt::format("inside/score/{}", score.name),
                                  std::string(score.label), Widget::Kind::choice, on, true);
    f.tip(tip_words(std::string(score.tip) + " Click: lists heads by it.", score.formula,
                    score.citation));
    if (press.hovered || on) p.ui.canvas.fill({row.x - 6, row.y, row.w + 12, row.h}, t.raised, 4);
    const std::string most = app::score_text(score.score, sorted.front()->values[score.score]);
    const float label = row.w * 0.375f;
    // A unit is small, and stands off the number as that does off the names.
    const auto space = most.rfind(' ');
    const bool has_unit = space != std::string::npos && std::isalpha(most.back());
    const std::string unit = has_unit ? most.substr(space + 1) : "";
    const float of_unit = unit.empty() ? 0 : p.ui.canvas.width_of(Face::small, unit) + 5;
    const std::string number = has_unit ? most.substr(0, space) : most;
    const float of_number = of_unit + p.ui.canvas.width_of(Face::mono, number);
    const float room = row.w - label - 22 - of_number;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, sorted.size()); ++i) {
        const std::string more = (i > 0 ? names + " " : "") + short_name(p, sorted[i]->head);
        if (i > 0 && p.ui.canvas.width_of(Face::mono, more) > room) break;
        names = more;
    }
    if (most == "0.00") names = "none";
    const float drawn = p.ui.canvas.text({row.x, row.y, label, row.h}, Face::control,
                                         on ? t.accent : t.text, score.label);
    // A name that is longer than its column begins nearer to the label.
    const float end = row.w - of_number - 8;
    const float wanted = p.ui.canvas.width_of(Face::mono, names);
    const float from = std::clamp(end - wanted, drawn + 6, label + 6);
    p.ui.canvas.text({row.x + from, row.y, end - from, row.h}, Face::mono, t.muted, names);
    p.ui.canvas.text(row, Face::small, t.muted, unit, AlignX::right);
    p.ui.canvas.text({row.x, row.y, row.w - of_unit, row.h}, Face::mono, t.text, number,
                     AlignX::right);
    if (press.clicked) state.score = on ? std::optional<HeadScore>() : score.score;
}

void head_row(Panel& p, Form& f, const Listed& head, HeadScore score) {
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(kHeadRow);
    const std::string name = short_name(p, head.head), label = head.label();
    const bool on = p.snapshot().focus.head == head.head;
    const Press press = p.ui.area(row, "inside/head/" + name, name, Widget::Kind::choice, on, true);
    f.tip(fmt::format("{}: {}. Click: look at this head", name, label));
    if (press.hovered || on) p.ui.canvas.fill({row.x - 6, row.y, row.w + 12, row.h}, t.raised, 4);
    const std::string value =
        app::score_text(score, head.values[score]) + spread_words(head, score);
    const bool kinds = p.snapshot().run->model->traits().layers(trace::AttentionKind::cross) > 0;
    const float names = kinds ? 92 : 56, number = p.ui.canvas.width_of(Face::mono, value) + 8;
    p.ui.canvas.text({row.x, row.y, names, row.h}, Face::mono, on ? t.accent : t.text, name);
    p.ui.canvas.text({row.x + names, row.y, row.w - names - number, row.h}, Face::control,
                     on ? t.accent : t.muted, label);
    p.ui.canvas.text(row, Face::mono, t.text, value, AlignX::right);
    if (press.clicked) choose_head(p, head.head);
}

/// Mean weight by offset, with the offset that gets most marked.
void offset_curve(Panel& p, Form& f, const inside::HeadRow& head) {
    const auto& curve = head.scores.by_offset;
    if (curve.empty()) return;
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(56, 2);
    p.ui.area(row, "inside/offsets", "Mean weight by offset");
    const bool recurrent = p.snapshot().run->model->traits().is_stepwise();
    const std::string name = (recurrent ? "" : "head ") + short_name(p, head.head);
    f.tip(tip_words(fmt::format("How much {} gives to each offset, from {} to {}: key minus "
                                "query. Most goes to {}.",
                                name, offset_words(head.scores.first_offset),
                                offset_words(head.scores.first_offset + std::ssize(curve) - 1),
                                offset_words(head.scores.offset)),
                    inside::info(HeadScore::positional).formula,
                    inside::info(HeadScore::positional).citation));
    const float most = std::max(1e-6f, *std::ranges::max_element(curve));
    const float step = row.w / static_cast<float>(curve.size());
    for (std::size_t d = 0; d < curve.size(); ++d) {
        const float high = (row.h - 4) * std::clamp(curve[d] / most, 0.0f, 1.0f);
        const bool chosen =
            head.scores.first_offset + static_cast<num::Index>(d) == head.scores.offset;
        p.ui.canvas.fill({row.x + static_cast<float>(d) * step, row.y + row.h - high,
                          std::max(1.0f, step - 1), std::max(high, 0.5f)},
                         chosen ? t.accent : t.faint);
    }
    f.note(fmt::format("{}: offset {} gets {:.2f}", short_name(p, head.head),
                       offset_words(head.scores.offset),
                       head.scores.values[HeadScore::positional]));
}

/// Every head that the filter leaves.
void heads_list(Panel& p, Form& f, HeadScore score, const std::vector<const Listed*>& sorted) {
    InsideState& state = inside_state(p);
    const float high = sorted.front()->values[score];
    const float low = sorted.back()->values[score];
    const float least = low + state.least * (high - low);
    const auto slid =
        f.slider("At least", "least", app::score_text(score, least), state.least, 0.05f);
    if (slid.reset) state.least = 0;
    f.tip("Leaves heads out whose score is below this. Double click: lists all again");
    std::size_t shown = 0, left = 0;
    for (const Listed* head : sorted) {
        if (head->values[score] < least) break;
        ++left;
        if (!state.all && shown >= kListed) continue;
        head_row(p, f, *head, score);
        ++shown;
    }
    Line line = f.line(24);
    if (left > kListed) {
        const bool pressed = f.aside(line, "all", state.all ? "Show fewer" : "Show all");
        f.tip(state.all ? "Lists the first heads alone" : "Lists every head that has the score");
        if (pressed) state.all = !state.all;
    }
    f.text(line.rest, Face::small, p.ui.theme().muted,
           fmt::format("{} of {} heads", left, sorted.size()));
    if (score != HeadScore::positional) return;
    const auto& here = p.snapshot().head_scores;
    const auto* head = here ? here->find(p.snapshot().focus.head) : nullptr;
    if (head) offset_curve(p, f, *head);
}

} // namespace

std::string short_name(const Panel& p, const trace::HeadId& head) {
    if (p.snapshot().run->model->traits().is_stepwise()) return "attention"; // it has no heads
    std::string name = inside::name({inside::PartId::Kind::head, head.kind, head.layer, head.head},
                                    p.snapshot().run->model->traits());
    const auto word = name.find("head ");
    return word == std::string::npos ? name : name.erase(word, 5);
}

InsideState& inside_state(Panel& p) {
    if (!p.state.inside) p.state.inside = std::make_shared<InsideState>();
    return *p.state.inside;
}

void heads_section(Panel& p, Form& f) {
    const auto found = corpus_shown(p);
    const std::vector<Listed> heads = listed_heads(p, found.get());
    if (heads.empty()) return;
    const bool recurrent = p.snapshot().run->model->traits().is_stepwise();
    f.section(fmt::format("{}, {}", recurrent ? "What attention does" : "Heads by what they do",
                          found ? "over the file" : "here"),
              12,
              "Which heads have most of each score; induction and copying are measured on random "
              "sequences that come twice, alignment on sentences of the task that the model was "
              "trained on, or on a file of pairs with its alignments.");
    const InsideState& state = inside_state(p);
    const float top = f.y;
    for (const HeadScoreInfo& score : inside::kHeadScores) {
        const auto sorted = sorted_heads(heads, score.score);
        if (sorted.empty()) continue;
        score_row(p, f, score, sorted);
        if (state.score == score.score) heads_list(p, f, score.score, sorted);
    }
    const auto& scores = p.snapshot().head_scores;
    if (!found && scores && scores->sequences < scores->all_sequences) {
        f.note(fmt::format("induction: {} of {} random sequences", scores->sequences,
                           scores->all_sequences));
    } else if (!found && scores && !scores->complete()) {
        f.note(fmt::format("alignment: {} of {} sentences", scores->gold.measured(),
                           scores->gold.pairs->size()));
    }
    if (!found) step_back(p, f.since(top), p.ui.theme().panel);
    if (recurrent) return;
    f.space(4);
    f.paragraph("A head compares queries with keys and passes on values. Each is a word's vector "
                "times a learned matrix: q = x W_Q, k = x W_K, v = x W_V");
}

} // namespace heed::ui
