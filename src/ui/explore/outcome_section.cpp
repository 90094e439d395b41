#include "ui/explore/outcome_section.hpp"

#include "app/engine/measures.hpp"
#include "app/engine/outcome.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "lab/number_words.hpp"
#include "models/model/sampling.hpp"
#include "ui/explore/sampling_section.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

using figure::percent_text;
using figure::probability_text;

constexpr std::size_t kCandidates = 5;
constexpr float kOutcomeRow = 22;
/// Of the list with all that sampling and a former state add to it.
constexpr float kListHeight = 20 + 20 + (kCandidates + 1) * kOutcomeRow + 1 + 18 + 4 + 8 + 3 * 18;

/// Words for what the former values are of.
std::string former_words(const Panel& p) {
    const auto& reference = p.snapshot().reference;
    return reference && reference->run ? reference->asked.name : "before the last change";
}

/// Words where what there was before is of another text; else nothing.
std::string other_text_words(const Panel& p) {
    const auto& reference = p.snapshot().reference;
    if (!reference || !reference->run)
        return p.work.former_read_other_text() ? "other text before: not compared" : "";
    const bool alike = app::reads_alike(p.snapshot().document, reference->asked.document);
    return alike ? "" : reference->asked.name + " has another text: not compared";
}

/// "2nd" of a rank from 0.
std::string ordinal(num::Index rank) {
    const num::Index n = rank + 1, last = n % 10;
    const bool teen = n % 100 / 10 == 1;
    const char* end = teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    return fmt::format("{}{}", n, end);
}

/// The rank's change since; nothing where it stayed.
std::string rank_change(const app::Candidate& c) {
    if (!c.former || c.rank == c.former_rank) return {};
    const num::Index by = c.former_rank - c.rank;
    return fmt::format("{}{}", by > 0 ? "\u2191" : "\u2193", by > 0 ? by : -by);
}

std::string candidate_tip(const Panel& p, const app::Candidate& c, const std::string& name) {
    const std::string cut = c.kept ? "" : ". Sampling leaves it out";
    if (!c.former) {
        return fmt::format("{}: its probability is {} ({}){}", name,
                           probability_text(c.probability), ordinal(c.rank), cut);
    }
    return fmt::format("{}: {} now ({}), {} ({}) {}{}", name, probability_text(c.probability),
                       ordinal(c.rank), percent_text(*c.former), ordinal(c.former_rank),
                       former_words(p), cut);
}

/// Whether what is listed are words, tokens or classes, and not numbers of rows.
bool has_names(const models::Run& run) {
    return run.model->words() || run.model->text_to_ids() || run.model->traits().classifies();
}

void candidate(Panel& p, const app::Candidate& c, const std::string& name, const Box& row) {
    Canvas& canvas = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const bool bare = std::max(c.probability, c.former.value_or(0)) < figure::kLeastBar;
    const float words = row.w * (bare ? 0.6f : 0.34f), number = 62; // a name where no bar is
    const Color ink = c.kept ? t.text : t.faint, fill = c.kept ? t.accent : faded(t.muted, 0.45f);
    // How far a number moved says nothing, and would take the room of the number.
    const std::string moved = has_names(*p.snapshot().run) ? rank_change(c) : std::string();
    const float change = moved.empty() ? 0 : canvas.width_of(Face::small, moved) + 4;
    canvas.text({row.x, row.y, words - change, row.h}, Face::control, ink, name);
    if (!moved.empty()) {
        canvas.text({row.x, row.y, words, row.h}, Face::small, t.muted, moved, AlignX::right);
    }
    const float from = row.x + words + 8, room = row.w - words - number - 14;
    const auto bar = [&](float y, float h, float value, Color color) {
        if (value < figure::kLeastBar) return;
        canvas.fill({from, y, std::clamp(room * value, 1.5f, room), h}, color, 1.5f);
    };
    if (c.former) {
        bar(row.y + 5, 6, c.probability, fill);
        bar(row.y + 13, 4, *c.former, faded(t.muted, 0.55f));
    } else {
        bar(row.y + 7, 8, c.probability, fill);
    }
    canvas.text(row, Face::mono, c.kept ? t.muted : t.faint, probability_text(c.probability),
                AlignX::right);
    const bool fills = can_fill(p), writes = fills || can_go_on(p);
    const Press press = p.ui.area(row, fmt::format("next/{}", c.row), name,
                                  writes ? Widget::Kind::button : Widget::Kind::area);
    if (press.clicked && writes) fills ? fill_mask(p, c.row) : go_on_with(p, c.row);
    p.ui.tip(candidate_tip(p, c, name) + continues_tip(*p.snapshot().run->model, c.row));
}

bool classifies(const models::Run& run) { return run.model->traits().classifies(); }

/// Words for the rows of a prediction.
std::string prediction_words(const models::Run& run) {
    if (run.model->traits().fills_masks) {
        return "How probable each token of the vocabulary is in place of the mask. Click one to "
               "write it.";
    }
    if (run.model->text_to_ids()) {
        return "How probable each token of the vocabulary is as the next one. Click one to go on "
               "with it.";
    }
    if (classifies(run)) return "How probable each class is, by the model.";
    if (run.model->words()) {
        return fmt::format("How probable each {} of the vocabulary is as the next one.",
                           app::unit_of(run, run.input.target));
    }
    return "This model is untrained and has no vocabulary: a place in it is called by a word of "
           "your sentences that falls on it, else by its number.";
}

/// A label and a number, of which something can be said.
void fact(Panel& p, Form& f, const char* id, const std::string& label, const std::string& value,
          const std::string& tip) {
    const figure::Theme& t = p.ui.theme();
    const Box row = f.row(18);
    p.ui.area(row, id, label);
    f.tip(tip);
    f.text(row, Face::small, t.muted, label);
    f.text(row, Face::mono, t.muted, value, AlignX::right);
}

/// The line where sampling cuts, and how much lies below it.
void cut_line(Panel& p, Form& f, const models::Cut& cut) {
    const num::Index lost = cut.tempered.size() - cut.kept;
    if (lost == 0) return;
    const Box line = f.row(1, 0);
    p.ui.canvas.fill(line, faded(p.ui.theme().accent, 0.7f));
    fact(p, f, "outcome/cut", lost == 1 ? "cut: 1 token" : fmt::format("cut: {} tokens", lost),
         percent_text(1 - cut.kept_mass),
         "What top-k and top-p leave out, and how probable that was. The tokens above the line "
         "share all of the probability; those below it show what they had.");
}

/// The legend of the grey bars, before them: below they may lie out of sight.
void former_line(Panel& p, Form& f) {
    const figure::Theme& t = p.ui.theme();
    Line line = f.line(18, 2);
    const Box bar = line.left(14);
    p.ui.canvas.fill({bar.x, bar.y + 7, bar.w, 4}, faded(t.muted, 0.55f), 1.5f);
    f.text(line.rest, Face::small, t.muted, former_words(p));
}

/// Words for the number that the list shows: one line, whatever sampling does.
void number_words(Panel& p, Form& f, const app::Prediction& now) {
    if (!now.cut && !can_go_on(p)) return;
    const float temperature = p.snapshot().run->input.decoding.sampling.temperature;
    std::string words = now.cut && now.cut->kept < now.cut->tempered.size()
                            ? fmt::format("of the {} kept, renormalised", now.cut->kept)
                            : std::string("of all tokens");
    if (temperature > 0 && temperature != 1)
        words += fmt::format(" \u00b7 temperature {:.2f}", temperature);
    const Box row = f.row(18, 2);
    p.ui.area(row, "outcome/numbers", words);
    f.tip("What the numbers are shares of: " + words);
    f.text(row, Face::small, p.ui.theme().muted, words);
}

void candidates(Panel& p, Form& f, const app::NextWord& words, const models::Cut* cut) {
    const models::Run& run = *p.snapshot().run;
    for (const bool kept : {true, false}) {
        if (!kept && cut) cut_line(p, f, *cut);
        for (const app::Candidate& c : words.candidates) {
            if (c.kept != kept) continue;
            candidate(p, c, p.work.seen_words().name(c.row, run), f.row(kOutcomeRow));
        }
    }
}

void next_words(Panel& p, Form& f, const app::Outcome& now, const app::Outcome& former) {
    const figure::Theme& t = p.ui.theme();
    const float top = f.y;
    const bool goes_on = can_go_on(p);
    const std::size_t most = kCandidates + goes_on; // rows, the former first one among them
    app::NextWord words = app::next_word(*now.prediction, former.prediction.get(), most);
    if (goes_on && words.candidates.size() > most) {
        words = app::next_word(*now.prediction, former.prediction.get(), kCandidates);
    }
    const bool compared = std::any_of(words.candidates.begin(), words.candidates.end(),
                                      [](const app::Candidate& c) { return c.former.has_value(); });
    number_words(p, f, *now.prediction);
    if (!has_names(*p.snapshot().run))
        f.paragraph("Random weights and no vocabulary: these are rows, not words.");
    if (compared) {
        former_line(p, f);
    } else if (const std::string told = other_text_words(p); !told.empty()) {
        f.text(f.row(18, 2), Face::small, t.muted, told);
    }
    candidates(p, f, words, now.prediction->cut.get());
    f.space(4);
    const Box all = f.row(5, 3); // all of the vocabulary, to scale
    p.ui.canvas.fill(all, faded(t.muted, 0.3f), 2);
    p.ui.canvas.fill({all.x, all.y, std::max(1.5f, all.w * (1 - words.rest)), all.h}, t.accent, 2);
    constexpr const char* kListedTip = "The probability of what is listed above, added up: the "
                                       "bright part of the bar. The whole bar is 100 %.";
    const std::string listed = fmt::format("sum of these {}", words.candidates.size());
    p.ui.area(all, "outcome/all", listed);
    f.tip(kListedTip);
    // What rounds to all or nothing is neither, but where everything is listed or cut.
    const auto listed_now = static_cast<num::Index>(words.candidates.size());
    const bool everything =
        now.prediction->cut || listed_now == now.prediction->probabilities.size();
    fact(p, f, "outcome/listed", listed,
         everything ? percent_text(1 - words.rest) : probability_text(1 - words.rest), kListedTip);
    const std::string others = app::others_of(*p.snapshot().run);
    fact(p, f, "outcome/rest", now.prediction->cut ? others + " kept" : others,
         everything ? percent_text(words.rest) : probability_text(std::max(words.rest, 1e-9f)),
         "The probability of all that is not listed above, added up.");
    const auto entropy_of = [](const app::Outcome& outcome) {
        return lab::fixed_text(static_cast<double>(app::told_entropy(*outcome.prediction)), 2);
    };
    std::string entropy = entropy_of(now) + " bits";
    const std::string before = compared ? entropy_of(former) : "";
    const bool both_small = before.starts_with('<') && entropy.starts_with('<');
    if (compared && !both_small) entropy = before + " \u2192 " + entropy;
    fact(p, f, "outcome/entropy", "entropy", entropy,
         field_word_tip(FieldWord::entropy) + "\nHere of what the model may say.");
    if (goes_on) f.y = std::max(f.y, top + kListHeight); // sliders below stand still
}

bool knows(const app::Outcome& outcome, int row) {
    return !outcome.prediction || row < outcome.prediction->after_each.rows();
}

/// The decoder's row after which the words are told, where one is chosen and known; none: its last
/// word, as where a click writes behind the text.
std::optional<int> chosen_row(const Panel& p, const app::Outcome& now) {
    const app::Snapshot& s = p.snapshot();
    if (can_fill(p)) return mask_chosen(p);
    if (can_go_on(p)) return std::nullopt;
    const auto cell = p.selected();
    const bool row = cell && s.focus.head.kind != trace::AttentionKind::encoder_self &&
                     trace::is_map(s.focus.stage);
    return row && knows(now, cell->first) ? std::optional(cell->first) : std::nullopt;
}

void look_after(app::Outcome& outcome, int row) {
    if (outcome.prediction) outcome.prediction = app::prediction_after(*outcome.prediction, row);
}

} // namespace

namespace {

std::string heading_words(const Panel& p, const models::Run& run) {
    if (!p.snapshot().prediction) return can_fill(p) ? "Masked token" : "Output";
    if (classifies(run)) return "Class";
    if (run.model->traits().fills_masks) return "Masked token";
    const bool named = run.model->text_to_ids() || run.model->words();
    return app::said_heading(run, app::unit_of(run, run.input.target)) +
           (named ? "" : " \u00b7 untrained");
}

/// True where a step is chosen, of which the picture tells, and the list is still of the whole
/// text: a click in it writes behind that.
bool is_behind_steps(const Panel& p) { return plays_steps(p) && can_go_on(p); }

void how_to_go_on(const Panel& p, Form& f) {
    if (takes_all_places(p)) {
        f.paragraph(all_places_words(p));
        return;
    }
    f.note(p.state.player.playing ? "Space, Esc: stop"
           : plays_steps(p)       ? "Click to append"
                                  : "Click to append, Space to continue");
}

/// "after X": what the list is about.
void heading_row(Panel& p, Form& f, std::optional<int> row) {
    const app::Snapshot& snapshot = p.snapshot();
    const models::Run& run = *snapshot.run;
    Canvas& canvas = p.ui.canvas;
    const Color muted = p.ui.theme().muted;
    f.rule(0);
    const Box head = f.row(16, 6);
    float at = head.x + canvas.heading(head, muted, heading_words(p, run));
    const auto &read = run.trace.target, &typed = run.input.target;
    const bool says = run.model->words() || run.model->text_to_ids();
    if (is_behind_steps(p)) {
        canvas.heading({at, head.y, head.x + head.w - at, 16}, muted, " after the text");
    } else if (snapshot.prediction && !classifies(run) && says && !read.empty()) {
        at += canvas.heading({at, head.y, 60, 16}, muted, " after ");
        const bool freely = typed.empty() || run.model->text_to_ids();
        const std::string token = row      ? token_text(read, *row)
                                  : freely ? read.back().text
                                           : typed.back().text;
        canvas.text({at, head.y, head.x + head.w - at, 16}, Face::heading, muted,
                    "\u201c" + token + "\u201d");
    } else if (snapshot.prediction && row && *row >= 0 && can_fill(p)) {
        canvas.text({at + 6, head.y, head.x + head.w - at - 6, 16}, Face::heading, muted,
                    fmt::format("{}", *row + 1));
    }
    p.ui.area(head, "outcome", "outcome");
    p.ui.tip(is_behind_steps(p)
                 ? "How probable each token of the vocabulary is behind the whole text, whichever "
                   "step is chosen. Click one to go on with it. The picture's p(yᵢ) is of its step."
             : snapshot.prediction ? prediction_words(run)
             : can_fill(p)         ? "Click a token below to mask it, and see what would fill it."
                                   : "How far the encoder's output has moved.\n"
                                     "\u2016now \u2212 before\u2016 / \u2016before\u2016");
}

} // namespace

void outcome_section(Panel& p, Form& f) {
    const app::Snapshot& snapshot = p.snapshot();
    const bool predicts = snapshot.prediction != nullptr;
    const auto& reference = snapshot.reference;
    app::Outcome now = app::outcome_of(snapshot);
    app::Outcome former =
        reference && reference->run ? app::outcome_of(*reference) : p.work.former();
    const std::optional<int> row = predicts ? chosen_row(p, now) : std::nullopt;
    if (!other_text_words(p).empty()) former = {};
    if (row && !knows(former, *row)) former.prediction = nullptr; // of a shorter text
    const float top = f.y;
    heading_row(p, f, row);
    if (predicts) {
        for (app::Outcome* outcome : {&now, &former}) {
            if (row) look_after(*outcome, *row);
        }
        next_words(p, f, now, former);
        step_back(p, f.since(top), p.ui.theme().panel);
        if (can_go_on(p)) {
            how_to_go_on(p, f);
            sampling_rows(p, f);
        }
    } else if (!can_fill(p)) {
        const std::optional<float> change = app::memory_change(now, former);
        f.label("Change of output", change ? percent_text(*change) : "\u2013",
                "How far the encoder's output has moved.\n‖now − before‖ / ‖before‖");
        f.note(change ? "compared with " + former_words(p) : other_text_words(p));
        step_back(p, f.since(top), p.ui.theme().panel);
    }
    if (can_fill(p)) mask_chips(p, f);
    f.space(12);
}

} // namespace heed::ui
