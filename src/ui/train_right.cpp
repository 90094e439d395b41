// The Train room's right: how it is learned, and how well.
#include "ui/train_room.hpp"

#include "app/training_room.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

constexpr float kPad = 14, kRow = 30;

struct Rows {
    Panel& p;
    float x, y, w;

    /// −1, 0 or 1.
    int stepper(const std::string& id, const char* label, const std::string& shown, bool less,
                bool more) {
        Canvas& c = p.ui.canvas;
        c.text({x, y, w - 130, kRow}, Face::body, p.ui.theme().muted, label);
        int by = 0;
        if (p.ui.button({x + w - 118, y + 3, 26, 24}, "train/" + id + "/less", "\u2212",
                        Ui::ButtonLook::plain, less)) {
            by = -1;
        }
        c.text({x + w - 92, y, 66, kRow}, Face::mono, p.ui.theme().text, shown, AlignX::centre);
        if (p.ui.button({x + w - 26, y + 3, 26, 24}, "train/" + id + "/more", "+",
                        Ui::ButtonLook::plain, more)) {
            by = 1;
        }
        y += kRow;
        return by;
    }
    void value(const char* label, const std::string& shown) {
        Canvas& c = p.ui.canvas;
        c.text({x, y, w * 0.6f, 26}, Face::body, p.ui.theme().muted, label);
        c.text({x, y, w, 26}, Face::mono, p.ui.theme().text, shown, AlignX::right);
        y += 26;
    }
    void heading(const char* words, bool ruled = true) {
        if (ruled) {
            y += 10;
            p.ui.canvas.rule(x, y, w);
            y += 14;
        }
        p.ui.canvas.heading({x, y, w, 16}, p.ui.theme().muted, words);
        y += 24;
    }
};

/// The next of a few values.
template <class T, std::size_t N> T moved(const T (&values)[N], T now, int by) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < N; ++i) {
        if (values[i] <= now) at = i;
    }
    const auto next = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0,
                                                 static_cast<std::ptrdiff_t>(N) - 1);
    return values[static_cast<std::size_t>(next)];
}
template <class T, std::size_t N>
void row(Rows& rows, const char* id, const char* label, const T (&values)[N], T& now,
         const std::string& shown) {
    const int by = rows.stepper(id, label, shown, now > values[0], now < values[N - 1]);
    if (by != 0) now = moved(values, now, by);
}

constexpr int kSteps[] = {300, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000};
constexpr int kBatches[] = {8, 16, 32, 64, 128};
constexpr int kLengths[] = {5, 8, 10, 12, 15, 20, 25, 30};
constexpr float kRates[] = {0.1f, 0.25f, 0.5f, 1, 2, 4, 8};
constexpr float kShares[] = {0, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f};

void settings(Rows& rows, app::ClassForm& form) {
    rows.heading("Optimiser", false);
    row(rows, "steps", "Steps", kSteps, form.steps, fmt::format("{}", form.steps));
    row(rows, "batch", "Batch", kBatches, form.batch, fmt::format("{}", form.batch));
    row(rows, "rate", "Rate, of the usual", kRates, form.rate_factor,
        fmt::format("\u00d7 {:g}", form.rate_factor));
    row(rows, "dropout", "Dropout", kShares, form.dropout, fmt::format("{:.2f}", form.dropout));
    row(rows, "smoothing", "Label smoothing", kShares, form.label_smoothing,
        fmt::format("{:.2f}", form.label_smoothing));
    row(rows, "length", "Longest source", kLengths, form.max_length,
        fmt::format("{}", form.max_length));
    const int by = rows.stepper("seed", "Seed", fmt::format("{}", form.seed), form.seed > 0,
                                form.seed < 1'000'000);
    form.seed += by;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void measures(Rows& rows, const app::Pupil& pupil) {
    rows.heading("Held out");
    if (!pupil.held_out) {
        rows.value("not measured yet", "");
        return;
    }
    const train::Measures& m = pupil.held_out->measures;
    rows.value("loss, nats a token", fmt::format("{:.3f}", m.loss));
    rows.value("words right", percent(m.token_accuracy));
    rows.value("sentences right", percent(m.exact_match));
    rows.value("BLEU", fmt::format("{:.1f}", 100 * m.bleu));
    rows.value("alignment error",
               m.alignment_error_rate ? percent(*m.alignment_error_rate) : "\u2013");
    if (pupil.last) {
        rows.value("gradient norm", fmt::format("{:.2f}", pupil.last->norms.total));
        rows.value("rate now", fmt::format("{:.2g}", pupil.last->rate));
    }
}

/// A click watches that sentence.
void samples(Rows& rows, const app::ClassSnapshot& now, const app::Pupil& pupil, float bottom) {
    rows.heading("Held-out samples");
    if (!pupil.held_out) return;
    Panel& p = rows.p;
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    std::size_t shown = 0;
    for (const train::Sample& sample : pupil.held_out->samples) {
        if (++shown > 24 || rows.y > bottom + 1200) break;
        const train::Pair& pair = now.lesson->pairs[sample.pair];
        const Box box{rows.x - 6, rows.y, rows.w + 12, 46};
        const bool on = now.shown == sample.pair;
        const Press press = p.ui.area(box, fmt::format("train/sample/{}", sample.pair),
                                      train::joined(pair.source), Widget::Kind::choice, on, true);
        if (on || press.hovered) c.fill(box, t.raised, 5);
        c.text({rows.x, rows.y + 3, rows.w, 20}, Face::control, t.text, train::joined(pair.source));
        const std::string said = train::joined(sample.said);
        c.text({rows.x, rows.y + 23, rows.w, 20}, Face::control, sample.right ? t.good : t.bad,
               said.empty() ? "\u2013" : said);
        if (!sample.right) p.ui.tip("wanted: " + train::joined(pair.target));
        if (press.clicked) p.classroom.show(sample.pair);
        rows.y += 50;
    }
}

} // namespace

void train_right(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule_down(box.x, box.y, box.h);
    p.ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "train/right", p.state.train_right);
    Rows rows{p, box.x + kPad, box.y + kPad - p.state.train_right.offset, box.w - 2 * kPad - 1};
    settings(rows, p.state.class_form);
    const app::ClassSnapshot& now = p.classroom.seen();
    if (p.state.training.pupil < now.pupils.size()) {
        const app::Pupil& pupil = now.pupils[p.state.training.pupil];
        measures(rows, pupil);
        samples(rows, now, pupil, box.y + box.h);
    }
    p.ui.end_scroll(rows.y + kPad + p.state.train_right.offset);
}

} // namespace heed::ui
