// The Train room's right: how it is learned, and how well.
#include "app/training/trainee_run.hpp"
#include "app/training/training_room.hpp"
#include "figure/base/number_text.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

namespace heed::ui {

namespace {

std::string loss_tip() {
    return "How surprised the model is by the right answer, on average: 0 is not at all.\n" +
           field_word_tip(FieldWord::nats);
}
constexpr const char* kDefaultSchedule =
    "Warm-up for transformers, step decay for classifiers, constant for others.";
constexpr float kTrainRightPad = 14, kNumber = 74;

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
void row(Form& f, const char* id, const char* label, const T (&values)[N], T& now,
         const std::string& shown, const char* tip) {
    const int by = f.stepper(label, id, shown, now > values[0], now < values[N - 1], kNumber);
    f.tip(tip);
    if (by != 0) now = moved(values, now, by);
}

constexpr int kSteps[] = {50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000};
constexpr int kBatches[] = {8, 16, 32, 64, 128};
constexpr int kLengths[] = {5, 8, 10, 12, 15, 20, 25, 30};
constexpr float kRates[] = {0.1f, 0.25f, 0.5f, 1, 2, 4, 8};
constexpr int kPatience[] = {0, 3, 5, 10, 20, 40};
constexpr float kShares[] = {0, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f};

void optimizer(Form& f, app::ExperimentForm& form) {
    static const std::vector<std::string> rules = {"Adam", "RMSprop", "SGD"};
    if (const auto i = f.choice("rule", rules, 1u << form.rule.index())) {
        form.rule = train::kUpdateRules[static_cast<std::size_t>(*i)];
    }
    const std::string tips[] = {
        "Each parameter has a learning rate of its own, by the recent size of its gradient, and "
        "momentum (Kingma and Ba 2015).",
        "Each parameter has a learning rate of its own, by the recent size of its gradient (Hinton "
        "2012).",
        "Momentum 0.9, 100× learning rate: each step goes down the gradient of a few sentences."};
    f.tips(tips);
    row(f, "rate", "Rate, \u00d7 default", kRates, form.rate_factor,
        fmt::format("{:g}", form.rate_factor),
        "How far each step goes, as a multiple of what is usual for the model.");
    f.label("Schedule", "", "How the learning rate changes over the steps.");
    std::vector<std::string> schedules = {"default"}, told = {kDefaultSchedule};
    std::uint32_t on = 1;
    for (const train::Schedule::Kind kind : train::kSchedules) {
        // A control for Learn and heed train; five do not stand beside each other.
        if (kind == train::Schedule::Kind::fall && form.schedule != kind) continue;
        if (form.schedule == kind) on = 1u << schedules.size();
        schedules.emplace_back(train::info(kind).label);
        told.emplace_back(train::info(kind).tip);
    }
    if (const auto i = f.choice("schedule", schedules, on)) {
        form.schedule.reset();
        if (*i > 0) form.schedule = train::kSchedules[static_cast<std::size_t>(*i) - 1];
    }
    f.tips(told);
    if (!form.schedule) f.note(kDefaultSchedule);
}

void settings(Form& f, app::ExperimentForm& form) {
    f.heading("Optimiser", "The rule by which the parameters follow their gradients.");
    optimizer(f, form);
    row(f, "steps", "Steps", kSteps, form.steps, fmt::format("{}", form.steps),
        "How many batches each model learns from.");
    row(f, "batch", "Batch", kBatches, form.batch, fmt::format("{}", form.batch),
        "How many sentences a model sees at each step.");
    row(f, "dropout", "Dropout", kShares, form.dropout, fmt::format("{:.2f}", form.dropout),
        "The share of the numbers that is set to zero at random while it learns, so that it does "
        "not learn by heart.\nSrivastava et al. 2014");
    row(f, "smoothing", "Label smoothing", kShares, form.label_smoothing,
        fmt::format("{:.2f}", form.label_smoothing),
        "How much of the right answer is spread over all other words, so that a model is not too "
        "sure.\nSzegedy et al. 2016; Vaswani et al. 2017, section 5.4");
    row(f, "length", "Max source length", kLengths, form.max_length,
        fmt::format("{}", form.max_length), "The most words that a source sentence has.");
    row(f, "patience", "Early stop", kPatience, form.patience,
        form.patience == 0 ? "never" : fmt::format("{}", form.patience),
        "Stops when the held-out loss has not improved for so many measurements.\nPrechelt 1998");
    const int by = f.stepper("Seed", "seed", fmt::format("{}", form.seed), form.seed > 0,
                             form.seed < 1'000'000, kNumber);
    f.tip("The same seed gives the same training run; another one starts from other weights.");
    form.seed += by;
}

/// The means of the steps up to this one; null before the first.
const train::LossPoint* learned_at(const train::History& history, std::uint64_t step) {
    const auto& losses = history.losses();
    const auto at = std::ranges::find_if(
        losses, [&](const train::LossPoint& point) { return point.step >= step; });
    if (at == losses.end()) return losses.empty() ? nullptr : &losses.back();
    return &*at;
}

/// The step of a frame itself; null where another program took it.
const train::LossPoint* own_step(const app::Trainee& trainee, std::uint64_t step) {
    if (!trainee.film_steps) return nullptr;
    const auto at = trainee.film_steps->find(step);
    return at == trainee.film_steps->end() ? nullptr : &at->second;
}

/// "step 200 of 3000": of what is replayed, or when what is shown now was measured.
std::string moment_words(const train::HeldOutPoint& point, const app::Trainee& trainee) {
    return fmt::format("step {} of {}", point.step, trainee.plan.steps);
}

/// "256", or "all 1000" at the end.
std::string sentences_words(const train::HeldOutPoint& point) {
    const char* all = point.of_all ? "all " : "";
    return fmt::format("{}{}", all, train::sentences_of(point.measures));
}

/// "step 400 · 87.5 %", or by the loss, of what an early stop looks at. By tokens where nothing
/// whole is right, as the label says: without their share, which is another one of all sentences.
std::string best_words(const app::Trainee& trainee, const train::Measures& best) {
    if (trainee.plan.patience > 0)
        return fmt::format("step {} · {:.3f} nats", trainee.best_step, best.loss);
    const double right = best.accuracy();
    if (right > 0)
        return fmt::format("step {} · {}", trainee.best_step, figure::percent_text(right));
    if (!trainee.finished()) return "none right yet"; // what counts is of none
    return fmt::format("step {}", trainee.best_step);
}

/// The best so far, which is what is kept in the end.
/// `shown`: what stands below it; of more sentences, the best says of how many it is.
void best_row(Form& f, const app::Trainee& trainee, const train::HeldOutPoint& shown) {
    const auto& points = trainee.history->held_out;
    const auto best = std::ranges::find_if(points, [&](const train::HeldOutPoint& point) {
        return point.step == trainee.best_step && !point.of_all;
    });
    if (trainee.best_step == 0 || best == points.end()) return;
    const bool right = best->measures.accuracy() > 0 || trainee.plan.patience > 0;
    const std::string label =
        shown.of_all && right
            ? fmt::format("Best so far, on {}", train::sentences_of(best->measures))
        : right || !trainee.finished() ? "Best so far"
                                       : "Best so far, by tokens";
    f.label(label, best_words(trainee, best->measures),
            trainee.plan.patience > 0
                ? "The step with the least held-out loss, of those at which the end of training is "
                  "decided. When it ends, that step's model is the one that is kept and opened. "
                  "Chosen by these very sentences, it does a little better "
                  "on them than on others."
                : "The step with the highest held-out accuracy, of equal ones that of tokens. When "
                  "training ends, its model is the one that is kept and opened. Chosen by these "
                  "very sentences, it does a "
                  "little better on them than on others.");
}

/// BLEU is of fewer sentences than what stands beside it, before the end of training.
std::string bleu_label(const app::Trainee& trainee, const train::HeldOutPoint& point) {
    if (!trainee.held_out) return "BLEU";
    const std::size_t said = trainee.held_out->samples.size();
    const bool last = point.step == trainee.history->held_out.back().step;
    const std::size_t sentences = last ? said : std::min(said, app::TraineeRun::kSpoken);
    return fmt::format("BLEU on {} sentences", sentences);
}

/// Section of one model, whose name stands in the heading where that has room. False: it has none.
bool section_of_model(Form& f, const std::string& words, const app::Trainee& trainee,
                      const std::string& tip) {
    constexpr float kFree = 0.9f; // points, between the letters of a heading
    const std::string name = models::short_title(trainee.plan.model);
    const std::string whole = words + " \u00b7 " + name;
    std::string capitals = whole;
    for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const float width = f.ui.canvas.width_of(Face::heading, capitals);
    const bool fits = width + kFree * static_cast<float>(whole.size()) <= f.w;
    f.section(fits ? whole : words, 12, tip);
    return fits;
}

/// A right answer beside an alignment that is far from gold asks for a reason.
void alignment_note(Form& f, const train::Measures& m) {
    constexpr double kFar = 0.2, kRight = 0.5;
    if (!m.alignment_error_rate) return;
    if (*m.alignment_error_rate < kFar || m.exact_match < kRight) return;
    f.paragraph(
        "An answer can be right though the model looks beside the token that it should look at: "
        "the states there hold that one, too.");
    f.space(4);
}

void measures(Form& f, const app::Trainee& trainee, const train::HeldOutPoint* point,
              bool replayed) {
    const bool named = section_of_model(f, "Held out", trainee,
                                        "Measured on sentences that the models never learn from.");
    if (!named) f.note("of " + models::short_title(trainee.plan.model));
    if (!point) {
        f.label("Not measured yet");
        return;
    }
    f.label(replayed ? "At this frame" : "Measured at", moment_words(*point, trainee),
            "When these numbers were measured.");
    f.label(
        "Held-out sentences", sentences_words(*point),
        "How many sentences these numbers are of. While a model trains they are a part of those "
        "that are held out; at the end all are measured (a ring beside the curves). The best step "
        "is chosen by the part alone.");
    best_row(f, trainee, *point);
    const train::Measures& m = point->measures;
    if (m.label_accuracy) {
        f.label("Loss, nats per label", fmt::format("{:.3f}", m.loss), loss_tip());
        f.label("Label accuracy", figure::percent_text(*m.label_accuracy),
                "The share of the texts whose label is right.");
    } else {
        f.label("Loss, nats per token", fmt::format("{:.3f}", m.loss), loss_tip());
        f.label("Token accuracy", figure::percent_text(m.token_accuracy),
                "How often the next token is guessed right when all tokens before it are given.");
        f.label(
            "Sentence accuracy", figure::percent_text(m.exact_match),
            "The share of the sentences that are fully correct, from the first word to the last.");
        f.label(bleu_label(trainee, *point), fmt::format("{:.1f}", 100 * m.bleu),
                field_word_tip(FieldWord::bleu));
        f.label("Alignment error",
                m.alignment_error_rate ? figure::percent_text(*m.alignment_error_rate) : "\u2013",
                field_word_tip(FieldWord::alignment_error));
        alignment_note(f, m);
    }
    const train::LossPoint* own = replayed ? own_step(trainee, point->step) : nullptr;
    const train::LossPoint* learned =
        own || !replayed ? own : learned_at(*trainee.history, point->step);
    if (!learned && !trainee.last) return;
    const double norm = learned ? learned->gradient_norm : trainee.last->norms.total;
    const float rate = learned ? learned->rate : trainee.last->rate;
    const std::uint64_t steps = learned && !own ? trainee.history->stride() : 1;
    f.label(steps > 1 ? fmt::format("Gradient norm, mean of {}", steps) : "Gradient norm",
            fmt::format("{:.2f}", norm),
            "How steep the loss is: large numbers mean large changes.\n‖g‖");
    f.label(replayed ? "Rate" : "Current rate",
            figure::significant_text(static_cast<double>(rate), 2),
            "The learning rate of that step.");
}

/// "encoder 2" of "encoder.layers.1", as layers are counted everywhere else.
std::string layer_words(std::string name) {
    const std::string inner = ".layers.";
    const auto at = name.find(inner);
    if (at == std::string::npos) return name;
    const int layer = std::atoi(name.c_str() + at + inner.size());
    return fmt::format("{} {}", name.substr(0, at), layer + 1);
}

void gradients(Form& f, const app::Trainee& trainee) {
    if (!trainee.last || trainee.last->norms.layers.empty()) return;
    f.section("Gradient norm by layer", 12, "How much each layer is asked to change.");
    const figure::Theme& t = f.ui.theme();
    double most = 1e-12;
    for (const auto& layer : trainee.last->norms.layers) most = std::max(most, layer.norm);
    for (const auto& layer : trainee.last->norms.layers) {
        Line line{f.row(20), 6};
        f.text(line.left(std::round(f.w * 0.45f) - 6), Face::small, t.muted,
               layer_words(layer.layer));
        f.text(line.right(46), Face::mono, t.text, fmt::format("{:.3f}", layer.norm),
               AlignX::right);
        const float length = line.rest.w * static_cast<float>(layer.norm / most);
        f.ui.canvas.fill({line.rest.x, line.rest.y + 7, std::max(length, 1.0f), 6}, t.accent, 2);
    }
}

/// Choice of the head, of several, that the alignment, the film and what they export are of.
void alignment_choice(Panel& p, Form& f, const app::ExperimentSnapshot& now,
                      const app::Trainee& trainee) {
    using Kind = app::AlignedBy::Kind;
    const models::Traits model = models::traits(trainee.plan.model);
    const int heads = model.n_heads;
    const auto kind = app::watched_attention(trainee.plan.model);
    const int all = kind ? model.layers(*kind) * heads : 0;
    if (!model.decodes || all < 2) return; // a stepwise one has one head
    const app::AlignedBy& by = now.aligned_by;
    const int at = by.kind == Kind::best   ? -2
                   : by.kind == Kind::mean ? -1
                                           : std::min(by.layer * heads + by.head, all - 1);
    std::string shown = at == -1 ? "mean" : fmt::format("{}.{}", at / heads + 1, at % heads + 1);
    if (at == -2) {
        const bool known = trainee.held_out && trainee.held_out->aligned_by;
        shown = known ? fmt::format("best {}.{}", trainee.held_out->aligned_by->layer + 1,
                                    trainee.held_out->aligned_by->head + 1)
                      : "best";
    }
    const int moved =
        at + f.stepper("Head shown", "aligned-by", shown, at > -2, at + 1 < all, kNumber);
    f.tip(
        "Whose attention is drawn as the alignment: layer.head, their mean, or the one that agrees "
        "best with the gold links.");
    if (moved == at) return;
    if (moved < 0) {
        p.experiment.align_by({moved == -2 ? Kind::best : Kind::mean});
    } else {
        p.experiment.align_by({Kind::head, moved / heads, moved % heads});
    }
}

/// A click watches that sentence.
void samples(Panel& p, Form& f, const app::ExperimentSnapshot& now, const app::Trainee& trainee,
             const train::HeldOutPoint* point, float bottom) {
    if (!point || !point->samples) return;
    section_of_model(f, "Held-out samples", trainee,
                     "What the model said then: green is right, red is not.");
    const figure::Theme& t = p.ui.theme();
    for (const train::Sample& sample : *point->samples) {
        if (sample.pair >= now.dataset->pairs.size() || f.y > bottom + 1200) break;
        const train::Pair& pair = now.dataset->pairs[sample.pair];
        const Box row = f.row(sample.right ? 46 : 66, 4);
        const Box box{row.x - 6, row.y, row.w + 12, row.h};
        const bool on = now.shown == sample.pair;
        const Press press = p.ui.area(box, fmt::format("train/sample/{}", sample.pair),
                                      train::as_text(pair.source), Widget::Kind::choice, on, true);
        if (on || press.hovered) p.ui.canvas.fill(box, t.raised, 5);
        f.text({row.x, row.y + 3, row.w, 20}, Face::control, t.text, train::as_text(pair.source));
        const std::string said = train::as_text(sample.said);
        f.text({row.x, row.y + 23, row.w, 20}, Face::control, sample.right ? t.good : t.bad,
               said.empty() ? "\u2013" : said);
        const std::string reference = "reference: " + train::as_text(pair.target);
        if (!sample.right) f.text({row.x, row.y + 43, row.w, 20}, Face::small, t.muted, reference);
        f.tip(sample.right ? "Right. Click to see its alignment"
                           : "Wrong, " + reference + "\nClick to see its alignment");
        if (press.clicked) p.experiment.show(sample.pair);
    }
}

} // namespace

void train_right(Panel& p, const Box& box) {
    Canvas& c = p.ui.canvas;
    c.fill(box, p.ui.theme().panel);
    c.rule_down(box.x, box.y, box.h);
    p.ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "train/right",
                      p.state.train->right_scroll);
    Form f(p.ui, box.x + kTrainRightPad,
           box.y + kTrainRightPad - p.state.train->right_scroll.offset,
           box.w - 2 * kTrainRightPad - 1, "train/");
    settings(f, p.state.train->form);
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (p.state.train->view.trainee < now.trainees.size()) {
        const app::Trainee& trainee = now.trainees[p.state.train->view.trainee];
        const bool replayed = p.state.train->view.step.has_value();
        const train::HeldOutPoint* point = app::measured(now, p.state.train->view);
        measures(f, trainee, point, replayed);
        alignment_choice(p, f, now, *app::watched_trainee(now, p.state.train->view));
        samples(p, f, now, trainee, point, box.y + box.h);
        if (!replayed) gradients(f, trainee);
    }
    p.ui.end_scroll(f.y + kTrainRightPad + p.state.train->right_scroll.offset);
}

} // namespace heed::ui
