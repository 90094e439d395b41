// What every change does to the output: the next word's probabilities beside their former values.
#include "app/engine/measures.hpp"
#include "app/engine/outcome.hpp"
#include "ui/frame/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

constexpr std::size_t kCandidates = 5;
constexpr float kOutcomeRow = 22;

std::string fine_percent(float share) {
    const float p = share * 100;
    if (p > 0 && p < 0.001f) return "< 0.001 %";
    return fmt::format("{:.{}f} %", p, p >= 10 ? 1 : p >= 1 ? 2 : 3);
}

/// What the former values are of.
std::string former_words(const Panel& p) {
    const auto& reference = p.snapshot().reference;
    return reference && reference->run ? reference->asked.name : "before the last change";
}

void candidate(Panel& p, const app::Candidate& c, const std::string& name, float largest,
               const Box& row) {
    Canvas& canvas = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const float words = row.w * 0.34f, number = 62;
    canvas.text({row.x, row.y, words, row.h}, Face::control, t.text, name);
    const float from = row.x + words + 8, room = row.w - words - number - 14;
    const auto bar = [&](float y, float h, float value, Color color) {
        canvas.fill({from, y, std::max(1.5f, room * value / largest), h}, color, 1.5f);
    };
    if (c.former) {
        bar(row.y + 5, 6, c.probability, t.accent);
        bar(row.y + 13, 4, *c.former, faded(t.muted, 0.55f));
    } else {
        bar(row.y + 7, 8, c.probability, t.accent);
    }
    canvas.text(row, Face::mono, t.muted, fine_percent(c.probability), AlignX::right);
    const bool goes_on = can_go_on(p);
    const Press press = p.ui.area(row, fmt::format("next/{}", c.row), name,
                                  goes_on ? Widget::Kind::button : Widget::Kind::area);
    if (press.clicked && goes_on) go_on_with(p, c.row);
    p.ui.tip(c.former
                 ? fmt::format("{}: {} now, {} {}", name, fine_percent(c.probability),
                               fine_percent(*c.former), former_words(p))
                 : fmt::format("{}: its probability is {}", name, fine_percent(c.probability)));
}

bool classifies(const models::Run& run) { return run.model->traits().classifies(); }

/// What the rows of a prediction are.
const char* prediction_words(const models::Run& run) {
    if (run.model->text_to_ids()) {
        return "How probable each token of the vocabulary is as the next one. Click one to go on "
               "with it.";
    }
    if (classifies(run)) return "How probable each class is, by the model.";
    if (run.model->words()) return "How probable each word of the vocabulary is as the next one.";
    return "This model is untrained and has no vocabulary: a row is called by a word of your "
           "sentences that falls on it, else by its number.";
}

void next_words(Panel& p, Form& f, const app::Outcome& now, const app::Outcome& former) {
    Canvas& canvas = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const app::NextWord words =
        app::next_word(*now.prediction, former.prediction.get(), kCandidates);
    float largest = 1e-9f;
    bool compared = false;
    for (const app::Candidate& c : words.candidates) {
        largest = std::max({largest, c.probability, c.former.value_or(0)});
        compared = compared || c.former;
    }
    if (compared) { // what the grey bars are, before them: below they may lie out of sight
        Line line = f.line(18, 2);
        const Box bar = line.left(14);
        canvas.fill({bar.x, bar.y + 7, bar.w, 4}, faded(t.muted, 0.55f), 1.5f);
        f.text(line.rest, Face::small, t.muted, former_words(p));
    }
    const models::Run& run = *p.snapshot().run;
    for (const app::Candidate& c : words.candidates) {
        candidate(p, c, p.work.seen_words().name(c.row, run), largest, f.row(kOutcomeRow));
    }
    f.space(4);
    const Box all = f.row(5, 3); // all of the vocabulary, to scale
    canvas.fill(all, faded(t.muted, 0.3f), 2);
    canvas.fill({all.x, all.y, std::max(1.5f, all.w * (1 - words.rest)), all.h}, t.accent, 2);
    const auto fact = [&](const char* label, const std::string& value, const char* tip) {
        const Box row = f.row(18);
        p.ui.area(row, fmt::format("outcome/{}", label), label);
        f.tip(tip);
        f.text(row, Face::small, t.muted, label);
        f.text(row, Face::mono, t.muted, value, AlignX::right);
    };
    fact(classifies(run) ? "other classes" : "rest of vocabulary", fine_percent(words.rest),
         "The probability of all that is not listed above, together.");
    std::string entropy = fmt::format("{:.3f} bits", now.prediction->entropy_bits);
    if (compared)
        entropy = fmt::format("{:.3f} \u2192 ", former.prediction->entropy_bits) + entropy;
    fact("entropy", entropy,
         "How unsure the model is: 0 bits where it is certain, more where many are likely.\n"
         "H = −Σ p log₂ p");
}

/// The decoder's row after which the words are told, where one is chosen and both outcomes know it;
/// none: its last word.
std::optional<int> chosen_row(const Panel& p, const app::Outcome& now, const app::Outcome& former) {
    const app::Snapshot& s = p.snapshot();
    const auto cell = p.selected();
    const bool row = cell && s.focus.head.kind != trace::AttentionKind::encoder_self &&
                     trace::is_map(s.focus.stage);
    const auto knows = [&](const app::Outcome& outcome) {
        return !outcome.prediction || cell->first < outcome.prediction->after_each.rows();
    };
    return row && knows(now) && knows(former) ? std::optional(cell->first) : std::nullopt;
}

void look_after(app::Outcome& outcome, int row) {
    if (outcome.prediction) outcome.prediction = app::prediction_after(*outcome.prediction, row);
}

} // namespace

void outcome_section(Panel& p, Form& f) {
    const app::Snapshot& snapshot = p.snapshot();
    const figure::Theme& t = p.ui.theme();
    const bool predicts = snapshot.prediction != nullptr;
    const auto& reference = snapshot.reference;
    app::Outcome now = app::outcome_of(snapshot);
    app::Outcome former =
        reference && reference->run ? app::outcome_of(*reference) : p.work.former();
    const std::optional<int> row = predicts ? chosen_row(p, now, former) : std::nullopt;
    Canvas& canvas = p.ui.canvas;
    f.rule(0);
    const Box head = f.row(16, 6);
    float at =
        head.x + canvas.heading(head, t.muted,
                                !predicts                            ? "Output"
                                : classifies(*snapshot.run)          ? "Class"
                                : snapshot.run->model->text_to_ids() ? "Next token"
                                : snapshot.run->model->words()       ? "Next word"
                                                               : "Next row of the vocabulary");
    const auto &read = snapshot.run->trace.target, &typed = snapshot.run->input.target;
    const bool says = snapshot.run->model->words() || snapshot.run->model->text_to_ids();
    if (predicts && !classifies(*snapshot.run) && says && !read.empty()) {
        at += canvas.heading({at, head.y, 60, 16}, t.muted, " after ");
        canvas.text({at, head.y, head.x + head.w - at, 16}, Face::heading, t.muted,
                    row             ? token_text(read, *row)
                    : typed.empty() ? read.back().text
                                    : typed.back().text);
    }
    p.ui.area(head, "outcome", "outcome");
    p.ui.tip(predicts ? prediction_words(*snapshot.run)
                      : "How far the encoder's output has moved.\n‖now − before‖ / ‖before‖");
    if (predicts) {
        for (app::Outcome* outcome : {&now, &former}) {
            if (row) look_after(*outcome, *row);
        }
        next_words(p, f, now, former);
        if (can_go_on(p)) f.note("Click: goes on with it. Space: goes on by itself");
    } else {
        const std::optional<float> change = app::memory_change(now, former);
        f.label("Change of output", change ? fine_percent(*change) : "\u2013",
                "How far the encoder's output has moved.\n‖now − before‖ / ‖before‖");
        f.note(change ? "compared with " + former_words(p) : "");
    }
    f.space(12);
}

} // namespace heed::ui
