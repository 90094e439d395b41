// Page 14: what attention, recurrence, convolution and windowed attention cost.
#include "lab/all_pages.hpp"
#include "lab/costs.hpp"
#include "lab/model_heads.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;

struct MixerName {
    Mixer mixer;
    const char *name, *label;
};
constexpr MixerName kMixerNames[] = {{Mixer::attention, "attention", "attention, n²d"},
                                     {Mixer::recurrence, "recurrence", "recurrence, nd²"},
                                     {Mixer::convolution, "convolution", "convolution, knd²"},
                                     {Mixer::window, "window", "windowed attention, wnd"}};

MixerShape shape_of(const Settings& s, Index n) {
    return {n, s.integer("width"), 2 * s.integer("kernel") + 1, s.integer("window")};
}

constexpr Index kSentences[] = {32, 64, 128, 256, 512, 1024};

/// A curve a mixer over lengths, on logarithms both ways.
template <class Value> Curves over_lengths(const Settings& s, const char* y_word, Value&& value) {
    Curves curves;
    for (const MixerName& m : kMixerNames) curves.series.push_back({m.label});
    for (const Index n : kSentences) {
        curves.xs.push_back(static_cast<double>(n));
        for (std::size_t i = 0; i < std::size(kMixerNames); ++i) {
            curves.series[i].values.push_back(value(kMixerNames[i].mixer, shape_of(s, n)));
        }
    }
    curves.log_x = curves.log_y = true;
    curves.x_word = "words n";
    curves.y_word = y_word;
    curves.now = s.number("words");
    return curves;
}

std::vector<Picture> look_at_costs(const Settings& s) {
    const auto operations = [](Mixer m, const MixerShape& shape) {
        return static_cast<double>(formula_multiplications(m, shape));
    };
    const auto steps = [](Mixer m, const MixerShape& shape) {
        return static_cast<double>(path_length(m, shape));
    };
    const MixerShape here = shape_of(s, s.integer("words"));
    Bars bars;
    bars.series = {{"multiplications"}};
    Bars paths;
    paths.series = {{"steps"}};
    for (const MixerName& m : kMixerNames) {
        bars.labels.emplace_back(m.name);
        paths.labels.emplace_back(m.name);
        bars.series[0].values.push_back(operations(m.mixer, here));
        paths.series[0].values.push_back(steps(m.mixer, here));
    }
    return {{"Multiplications", "of one layer", over_lengths(s, "multiplications", operations)},
            {"Longest path", "layers, or steps of a recurrence, from the first word to the last",
             over_lengths(s, "steps", steps)},
            {fmt::format("Multiplications for {} words", here.n), "", bars},
            {fmt::format("Steps between the first word and the last of {}", here.n), "", paths}};
}

/// The power of n that a time grows with between two lengths.
double exponent(double first, double second, double factor) {
    return std::log(second / first) / std::log(factor);
}

/// Where the first becomes slower than the second, between the lengths that were measured;
/// infinite where it never does.
double crossing(const Series& first, const Series& second) {
    for (std::size_t i = 0; i < first.values.size(); ++i) {
        if (first.values[i] <= second.values[i]) continue;
        if (i == 0) return static_cast<double>(kSentences[0]);
        const double before = std::log(second.values[i - 1] / first.values[i - 1]);
        const double after = std::log(first.values[i] / second.values[i]);
        return static_cast<double>(kSentences[i - 1]) *
               std::pow(2.0, before / std::max(before + after, 1e-12));
    }
    return std::numeric_limits<double>::infinity();
}

Result<Sample> measure_costs(const Settings& s, const Work& work) {
    // Small, so that every multiplication can be counted.
    MixerShape small = shape_of(s, 24);
    small.d = 12;
    double miscounted = 0;
    for (const MixerName& m : kMixerNames) {
        const auto counted = static_cast<double>(counted_multiplications(m.mixer, small));
        const auto predicted = static_cast<double>(formula_multiplications(m.mixer, small));
        miscounted = std::max(miscounted, std::abs(counted - predicted));
    }
    double done = 0;
    bool stopped = false;
    const Curves times = over_lengths(s, "µs", [&](Mixer m, const MixerShape& shape) {
        stopped = stopped || work.stopped();
        work.say(done / 24, "timing");
        done += 1;
        return stopped ? 1.0 : 1e6 * mixer_seconds(m, shape, s.seed);
    });
    if (stopped) return cancelled();
    Sample sample;
    sample.measured = {{"miscounted", "multiplications off the formula", miscounted},
                       {"width", "width d", s.number("width")}};
    const std::size_t last = std::size(kSentences) - 1;
    const MixerShape longest = shape_of(s, kSentences[last]);
    for (std::size_t i = 0; i < std::size(kMixerNames); ++i) {
        const auto& values = times.series[i].values;
        sample.measured.push_back(
            {fmt::format("exponent_{}", kMixerNames[i].name),
             fmt::format("time grows as n to the power, {}", kMixerNames[i].name),
             exponent(values[last - 2], values[last], 4)});
        sample.measured.push_back({fmt::format("time_{}", kMixerNames[i].name),
                                   fmt::format("time for 1024 words, {}", kMixerNames[i].name),
                                   1e-3 * values[last], 0, "ms"});
        sample.measured.push_back(
            {fmt::format("path_{}", kMixerNames[i].name),
             fmt::format("longest path of 1024 words, {}", kMixerNames[i].name),
             static_cast<double>(path_length(kMixerNames[i].mixer, longest))});
    }
    const double never = 2 * static_cast<double>(kSentences[last]);
    sample.measured.push_back({"crossing", "attention becomes slower than recurrence at n =",
                               std::min(crossing(times.series[0], times.series[1]), never)});
    sample.pictures = {{"Time measured", "one thread, 32 bits", times}};
    return sample;
}

Judgement judge_costs(const std::vector<Number>& measured) {
    const auto value = [&](const char* name) { return number(measured, name).value; };
    const double d = value("width"), n = value("crossing");
    const std::string counted = fmt::format(
        "Counted one by one, multiplications are off the formulas by {:g}. Measured times grow as "
        "n^{{{:.1f}}} for attention, n^{{{:.1f}}} for recurrence, n^{{{:.1f}}} for convolution and "
        "n^{{{:.1f}}} in a window; the longest paths of 1024 words are {:g}, {:g}, {:g} and {:g}. ",
        value("miscounted"), value("exponent_attention"), value("exponent_recurrence"),
        value("exponent_convolution"), value("exponent_window"), value("path_attention"),
        value("path_recurrence"), value("path_convolution"), value("path_window"));
    // A crossing beyond twice the longest sentence was not seen.
    const std::string crosses =
        n >= 2 * static_cast<double>(kSentences[std::size(kSentences) - 1])
            ? std::string("Attention is faster at every length that was measured")
            : fmt::format("Attention is faster up to n = {:.0f}", n);
    if (value("miscounted") != 0) return {Verdict::does_not_hold, counted};
    const bool quadratic = value("exponent_attention") > 1.5 && value("exponent_recurrence") < 1.3;
    if (!quadratic) {
        return {Verdict::depends, counted + "On the clock the powers are not those of the counts."};
    }
    if (n > d / 2 && n < d * 2) {
        return {Verdict::holds, counted + fmt::format("{}, where d is {:g}.", crosses, d)};
    }
    return {Verdict::depends, counted + fmt::format("{}, not n = d = {:g}.", crosses, d)};
}

std::optional<OnModel> cost_on_model(const models::Run& run, const Settings& s) {
    const auto heads = heads_of(run, 1);
    if (heads.empty()) return std::nullopt;
    const auto n = static_cast<double>(run.trace.queries(heads[0].kind).size());
    const auto m = static_cast<double>(run.trace.keys(heads[0].kind).size());
    const double d = run.model->traits().width;
    MixerShape shape = shape_of(s, static_cast<Index>(n));
    shape.d = static_cast<Index>(d);
    Bars bars;
    bars.series = {{"multiplications"}};
    for (const MixerName& mixer : kMixerNames) {
        bars.labels.emplace_back(mixer.name);
        bars.series[0].values.push_back(
            static_cast<double>(formula_multiplications(mixer.mixer, shape)));
    }
    OnModel seen;
    seen.words = fmt::format("Here {:g} words look at {:g}, and d is {:g}: scores and contexts of "
                             "one layer take {:.3g} multiplications, its linear maps {:.3g}.",
                             n, m, d, 2 * n * m * d, 2 * (n + m) * d * d);
    seen.pictures = {{"Multiplications at this length and width", "of one layer", bars}};
    seen.open = heads[0];
    return seen;
}

} // namespace

Page cost_page() {
    Page page;
    page.name = "cost";
    page.group = "Cost";
    page.title = "What do attention, recurrence and convolution cost?";
    page.words = "Attention compares every word with every other, a recurrence takes one step a "
                 "word. Multiplications are counted and times measured for growing sentences, and "
                 "how many steps lie between the first word and the last.";
    page.formula = "attention n^{2}d,  recurrence nd^{2},  convolution knd^{2},  window wnd";
    page.claim =
        "Attention costs n^{2}d and recurrence nd^{2}: attention is faster as long as n is "
        "below d.";
    page.source = "Vaswani et al. 2017, section 4 and table 1";
    page.parameters = {
        whole("words", "Words n", "Of the bars; times are taken from 32 to 1024.", 8, 1024, 128,
              true),
        whole("width", "Width d", "Features of a word.", 8, 256, 64, true),
        whole("kernel", "Kernel reach", "Of a convolution, words on either side.", 1, 8, 1),
        whole("window", "Window w", "Of windowed attention, words on either side.", 1, 128, 16,
              true)};
    page.n_seeds = 3;
    page.seconds = 5;
    page.look = look_at_costs;
    page.measure_seed = measure_costs;
    page.judge = judge_costs;
    page.on_model = cost_on_model;
    return page;
}

} // namespace heed::lab
