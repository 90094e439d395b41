// The Train room's right: how it is learned, and how well.
#include "ui/stepper.hpp"
#include "ui/train_room.hpp"

#include "app/training_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

namespace heed::ui {

namespace {

constexpr float kPad = 14, kRow = 30;
constexpr std::size_t kSamples = 10;

struct Rows {
    Panel& p;
    float x, y, w;

    /// −1, 0 or 1.
    int stepper(const std::string& id, const char* label, const std::string& shown, bool less,
                bool more) {
        const Box row{x, y, w, kRow};
        y += kRow;
        return ui::stepper(p.ui, row, {"train/" + id, label, shown, less, more, 74});
    }
    std::optional<int> segments(const std::string& id, std::span<const std::string> labels,
                                std::uint32_t on) {
        const Box row{x, y, w, 28};
        y += 34;
        return p.ui.segments(row, "train/" + id, labels, on);
    }
    void label(const char* words) {
        p.ui.canvas.text({x, y, w, 24}, Face::body, p.ui.theme().muted, words);
        y += 26;
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
constexpr int kPatience[] = {0, 3, 5, 10, 20, 40};
constexpr float kShares[] = {0, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f};

void optimizer(Rows& rows, app::ClassForm& form) {
    static const std::vector<std::string> rules = {"Adam", "RMSprop", "SGD"};
    if (const auto i = rows.segments("rule", rules, 1u << form.rule.index())) {
        form.rule = train::kRules[static_cast<std::size_t>(*i)];
    }
    rows.p.ui.tip("SGD has momentum 0.9, and a hundred times the usual rate of the others");
    row(rows, "rate", "Rate, of the usual", kRates, form.rate_factor,
        fmt::format("\u00d7 {:g}", form.rate_factor));
    rows.label("Rate over the steps");
    std::vector<std::string> schedules = {"usual"};
    std::uint32_t on = 1;
    for (const train::Schedule::Kind kind : train::kSchedules) {
        if (form.schedule == kind) on = 1u << schedules.size();
        schedules.emplace_back(train::name(kind));
    }
    if (const auto i = rows.segments("schedule", schedules, on)) {
        form.schedule.reset();
        if (*i > 0) form.schedule = train::kSchedules[static_cast<std::size_t>(*i) - 1];
    }
    rows.p.ui.tip("Constant, halved after each third of the steps, or rising for 400 "
                  "steps and falling after; usual is warm-up for transformers, step for "
                  "classifiers, else constant");
}

void settings(Rows& rows, app::ClassForm& form) {
    rows.heading("Optimiser", false);
    optimizer(rows, form);
    row(rows, "steps", "Steps", kSteps, form.steps, fmt::format("{}", form.steps));
    row(rows, "batch", "Batch", kBatches, form.batch, fmt::format("{}", form.batch));
    row(rows, "dropout", "Dropout", kShares, form.dropout, fmt::format("{:.2f}", form.dropout));
    row(rows, "smoothing", "Label smoothing", kShares, form.label_smoothing,
        fmt::format("{:.2f}", form.label_smoothing));
    row(rows, "length", "Longest source", kLengths, form.max_length,
        fmt::format("{}", form.max_length));
    row(rows, "patience", "Early stop", kPatience, form.patience,
        form.patience == 0 ? "never" : fmt::format("{}", form.patience));
    rows.p.ui.tip("Measures in a row whose held-out loss is no better, after which it stops");
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
    if (m.label_accuracy) {
        rows.value("loss, nats a label", fmt::format("{:.3f}", m.loss));
        rows.value("labels right", percent(*m.label_accuracy));
    } else {
        rows.value("loss, nats a token", fmt::format("{:.3f}", m.loss));
        rows.value("words right", percent(m.token_accuracy));
        rows.value("sentences right", percent(m.exact_match));
        rows.value("BLEU", fmt::format("{:.1f}", 100 * m.bleu));
        rows.value("alignment error",
                   m.alignment_error_rate ? percent(*m.alignment_error_rate) : "\u2013");
    }
    if (pupil.last) {
        rows.value("gradient norm", fmt::format("{:.2f}", pupil.last->norms.total));
        rows.value("rate now", fmt::format("{:.2g}", pupil.last->rate));
    }
}

/// "encoder 2" of "encoder.layers.1", as layers are counted everywhere else.
std::string layer_words(std::string name) {
    const std::string inner = ".layers.";
    const auto at = name.find(inner);
    if (at == std::string::npos) return name;
    const int layer = std::atoi(name.c_str() + at + inner.size());
    return fmt::format("{} {}", name.substr(0, at), layer + 1);
}

void gradients(Rows& rows, const app::Pupil& pupil) {
    if (!pupil.last || pupil.last->norms.layers.empty()) return;
    rows.heading("Gradient norm by layer");
    Canvas& c = rows.p.ui.canvas;
    const figure::Theme& t = rows.p.ui.theme();
    double most = 1e-12;
    for (const auto& layer : pupil.last->norms.layers) most = std::max(most, layer.norm);
    for (const auto& layer : pupil.last->norms.layers) {
        constexpr float kLine = 20, kNumber = 52;
        const float names = std::round(rows.w * 0.45f), room = rows.w - names - kNumber;
        c.text({rows.x, rows.y, names - 6, kLine}, Face::small, t.muted, layer_words(layer.layer));
        const float length = room * static_cast<float>(layer.norm / most);
        c.fill({rows.x + names, rows.y + 7, std::max(length, 1.0f), 6}, t.accent, 2);
        c.text({rows.x + rows.w - kNumber, rows.y, kNumber, kLine}, Face::mono, t.text,
               fmt::format("{:.3f}", layer.norm), AlignX::right);
        rows.y += kLine;
    }
}

/// Which of several heads the alignment, the film and what they export are of.
void alignment_choice(Rows& rows, const app::ClassSnapshot& now, const app::Pupil& pupil) {
    using Kind = app::AlignedBy::Kind;
    const models::Traits model = models::traits(pupil.plan.model);
    const int heads = model.n_heads;
    const auto kind = app::watched_attention(pupil.plan.model);
    const int all = kind ? model.layers(*kind) * heads : 0;
    if (!model.decodes || all < 2) return; // a stepwise one has one head
    const app::AlignedBy& by = now.aligned_by;
    const int at = by.kind == Kind::best   ? -2
                   : by.kind == Kind::mean ? -1
                                           : std::min(by.layer * heads + by.head, all - 1);
    std::string shown = at == -1 ? "mean" : fmt::format("{}.{}", at / heads + 1, at % heads + 1);
    if (at == -2) {
        const bool known = pupil.held_out && pupil.held_out->aligned_by;
        shown = known ? fmt::format("best {}.{}", pupil.held_out->aligned_by->layer + 1,
                                    pupil.held_out->aligned_by->head + 1)
                      : "best";
    }
    const int moved =
        at + rows.stepper("aligned-by", "Head that is shown", shown, at > -2, at + 1 < all);
    if (moved == at) return;
    if (moved < 0) {
        rows.p.classroom.align_by({moved == -2 ? Kind::best : Kind::mean});
    } else {
        rows.p.classroom.align_by({Kind::head, moved / heads, moved % heads});
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
        if (++shown > kSamples || rows.y > bottom + 1200) break;
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
        alignment_choice(rows, now, pupil);
        samples(rows, now, pupil, box.y + box.h);
        gradients(rows, pupil);
    }
    p.ui.end_scroll(rows.y + kPad + p.state.train_right.offset);
}

} // namespace heed::ui
