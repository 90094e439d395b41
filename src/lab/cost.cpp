// Page 14: what attention, recurrence, convolution and windowed attention cost.
#include "lab/all_pages.hpp"
#include "lab/costs.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

namespace {

using base::Result;

struct MixerName {
    Mixer mixer;
    const char *name, *label;
};
constexpr MixerName kMixerNames[] = {{Mixer::attention, "attention", "attention"},
                                     {Mixer::recurrence, "recurrence", "recurrence"},
                                     {Mixer::convolution, "convolution", "convolution"},
                                     {Mixer::window, "window", "window"}};

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
    mark_nearest(curves, s.number("words"), "at n = ");
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
    paths.series = {{"steps or layers"}};
    for (const MixerName& m : kMixerNames) {
        bars.labels.emplace_back(m.name);
        paths.labels.emplace_back(m.name);
        bars.series[0].values.push_back(operations(m.mixer, here));
        paths.series[0].values.push_back(steps(m.mixer, here));
    }
    bars.y_word = "multiplications";
    paths.y_word = "steps or layers from the first word to the last";
    const std::string wide =
        fmt::format("in one layer, d = {}; attention without linear maps", here.d);
    return {{"Multiplications", wide, over_lengths(s, "multiplications", operations)},
            {"Longest path", "recurrence: steps; others: layers; first word to last",
             over_lengths(s, "steps or layers", steps)},
            {fmt::format("Multiplications for {} words", here.n), wide, bars},
            {fmt::format("Longest path through {} words", here.n),
             "recurrence: steps; others: layers", paths}};
}

/// The power that a time grows with when what it depends on becomes `factor` times as large.
double exponent(double first, double second, double factor) {
    return std::log(second / first) / std::log(factor);
}

/// Length at which the first becomes slower than the second, between those that were measured; NaN
/// where it never does, or is from the shortest on.
double crossing(const Series& first, const Series& second) {
    for (std::size_t i = 0; i < first.values.size(); ++i) {
        if (first.values[i] <= second.values[i]) continue;
        if (i == 0) break;
        const double before = std::log(second.values[i - 1] / first.values[i - 1]);
        const double after = std::log(first.values[i] / second.values[i]);
        return static_cast<double>(kSentences[i - 1]) *
               std::pow(2.0, before / std::max(before + after, 1e-12));
    }
    return std::numeric_limits<double>::quiet_NaN();
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
        work.say(done / 32, "timing");
        done += 1;
        return stopped ? 1.0 : 1e6 * mixer_seconds(m, shape, s.seed);
    });
    if (stopped) return cancelled();
    Sample sample;
    // The same length four times as wide.
    const MixerShape narrow = shape_of(s, 256);
    MixerShape wide = narrow;
    wide.d = 4 * narrow.d;
    sample.measured = {{"miscounted", "largest difference of counts from formulas", miscounted},
                       {"width", "width d", s.number("width")}};
    const std::size_t last = std::size(kSentences) - 1;
    const MixerShape longest = shape_of(s, kSentences[last]);
    for (std::size_t i = 0; i < std::size(kMixerNames); ++i) {
        const auto& values = times.series[i].values;
        sample.measured.push_back({fmt::format("exponent_{}", kMixerNames[i].name),
                                   fmt::format("power of n in the time, {}", kMixerNames[i].name),
                                   exponent(values[last - 2], values[last], 4)});
        if (work.stopped()) return cancelled();
        work.say((done + 2 * static_cast<double>(i)) / 32, "timing");
        sample.measured.push_back(
            {fmt::format("exponent_d_{}", kMixerNames[i].name),
             fmt::format("power of d in the time (d to 4d), {}", kMixerNames[i].name),
             exponent(mixer_seconds(kMixerNames[i].mixer, narrow, s.seed),
                      mixer_seconds(kMixerNames[i].mixer, wide, s.seed), 4)});
        sample.measured.push_back({fmt::format("time_{}", kMixerNames[i].name),
                                   fmt::format("time for 1024 words, {}", kMixerNames[i].name),
                                   1e-3 * values[last], 0, "ms"});
        sample.measured.push_back(
            {fmt::format("path_{}", kMixerNames[i].name),
             fmt::format("longest path through 1024 words, {}", kMixerNames[i].name),
             static_cast<double>(path_length(kMixerNames[i].mixer, longest))});
    }
    const double crossed = crossing(times.series[0], times.series[1]);
    const bool slower_at_once = times.series[0].values[0] > times.series[1].values[0];
    sample.measured.push_back(
        {"crossing", "n from which attention is slower than recurrence", crossed});
    sample.measured.push_back(
        {"crosses", "share of seeds with such an n", std::isnan(crossed) ? 0.0 : 1.0, 0, kShare});
    sample.measured.push_back({"slower_at_once", "share of seeds with attention slower at 32 words",
                               slower_at_once ? 1.0 : 0.0, 0, kShare});
    sample.pictures = {{"Measured time",
                        fmt::format("one layer on this machine, one thread, 32-bit floats, d = {}; "
                                    "attention without its linear maps",
                                    s.integer("width")),
                        times}};
    return sample;
}

/// Words for where attention stops being faster, of the seeds that saw it.
std::string crossing_words(const std::vector<Number>& measured) {
    const double crosses = number(measured, "crosses").value;
    const double at_once = number(measured, "slower_at_once").value;
    const Number* at = number_if(measured, "crossing");
    if (at && crosses == 1) {
        return fmt::format("Attention is faster than recurrence up to n = {}", in_words(*at, 0));
    }
    if (at) {
        return fmt::format("In {:.0f} % of the seeds attention is faster than recurrence up to n = "
                           "{}, in {:.0f} % it is slower at 32 words already",
                           100 * crosses, in_words(*at, 0), 100 * at_once);
    }
    if (at_once == 1) return "Attention is slower than recurrence at 32 words already";
    if (at_once == 0) return "Attention is faster at every length that was measured";
    return fmt::format("In {:.0f} % of the seeds attention is slower than recurrence at 32 words "
                       "already",
                       100 * at_once);
}

/// True where times grow with the powers of n and d that multiplications grow with.
bool powers_agree(const std::vector<Number>& measured) {
    constexpr double kNear = 0.5;
    const auto near = [&](std::string_view what, const char* mixer, double power) {
        return std::abs(number(measured, fmt::format("{}_{}", what, mixer)).value - power) < kNear;
    };
    return std::all_of(std::begin(kMixerNames), std::end(kMixerNames), [&](const MixerName& m) {
        const bool pairs = m.mixer == Mixer::attention || m.mixer == Mixer::window;
        return near("exponent", m.name, m.mixer == Mixer::attention ? 2 : 1) &&
               near("exponent_d", m.name, pairs ? 1 : 2);
    });
}

/// "2.06 (± 0.01) for attention, 1.00 for recurrence, … and 1.09 for window".
std::string of_each(const std::vector<Number>& measured, const std::string& what, int decimals) {
    std::string words;
    for (std::size_t i = 0; i < std::size(kMixerNames); ++i) {
        words += i == 0 ? "" : i + 1 == std::size(kMixerNames) ? " and " : ", ";
        const Number& n = number(measured, fmt::format("{}_{}", what, kMixerNames[i].name));
        words += fmt::format("{} for {}", in_words(n, decimals), kMixerNames[i].name);
    }
    return words;
}

Judgement judge_costs(const std::vector<Number>& measured) {
    const auto value = [&](const std::string& name) { return number(measured, name).value; };
    const double d = value("width");
    const std::string counted =
        value("miscounted") == 0
            ? "Counted one by one, the multiplications are as many as the formulas say. "
            : fmt::format("Counted one by one, the multiplications differ from the formulas by "
                          "{:g}. ",
                          value("miscounted"));
    const std::string timed = fmt::format(
        "The measured time grows with n to the power of {}; with d to the power of {}. The longest "
        "path through 1024 words has a length of {}. ",
        of_each(measured, "exponent", 2), of_each(measured, "exponent_d", 2),
        of_each(measured, "path", 0));
    if (value("miscounted") != 0) return {Verdict::does_not_hold, counted + timed};
    const std::string crosses = crossing_words(measured);
    if (!powers_agree(measured)) {
        return {Verdict::depends, counted + timed +
                                      "Not all of these powers are those of the formulas. " +
                                      crosses + "."};
    }
    const Number* at = number_if(measured, "crossing");
    if (at && value("crosses") == 1 && at->value > d / 2 && at->value < d * 2) {
        return {Verdict::holds, counted + timed + fmt::format("{}, and d is {:g}.", crosses, d)};
    }
    return {Verdict::depends,
            counted + timed +
                fmt::format("{}. By the multiplications alone the two are equal at n = d = {:g}: a "
                            "multiplication does not take the same time in each.",
                            crosses, d)};
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
    bars.y_word = "multiplications in one layer";
    for (const MixerName& mixer : kMixerNames) {
        bars.labels.emplace_back(mixer.name);
        bars.series[0].values.push_back(
            static_cast<double>(formula_multiplications(mixer.mixer, shape)));
    }
    OnModel seen;
    const double pairs = 2 * n * m * d, maps = 2 * (n + m) * d * d;
    // Both as whole numbers in groups, or both as powers of ten.
    const auto count = [whole = std::max(pairs, maps) < 1e6](double value) {
        return whole ? grouped(fmt::format("{:.0f}", value), 4) : fmt::format("{:.2e}", value);
    };
    seen.words = fmt::format("Here {:g} queries attend to {:g} keys, and d is {:g}. In one layer, "
                             "scores and contexts take {} multiplications, the linear maps for "
                             "queries, keys, values and output {}, which the charts leave out.",
                             n, m, d, count(pairs), count(maps));
    std::string sizes = fmt::format("n = {:g}, d = {:g}, r = {}, w = {}", n, d, s.integer("kernel"),
                                    s.integer("window"));
    if (s.number("window") >= n - 1) sizes += "; the window covers the whole sentence";
    seen.pictures = {{"Multiplications at this length and width", sizes, bars}};
    seen.open = heads[0];
    return seen;
}

} // namespace

Page cost_page() {
    Page page;
    page.name = "cost";
    page.group = "Cost";
    page.title = "What do attention, recurrence and convolution cost?";
    page.words =
        "The formulas count the multiplications in one layer that reads n words, each a "
        "vector of width d: scores and contexts of attention without linear maps, as in the "
        "source; a simple (Elman) recurrence x\u00a0W\u00a0+\u00a0h\u00a0U; a convolution over "
        "2r + 1 words; attention to w words on either side. The last two take fewer at the ends "
        "of a sentence. “Measure” times the layers.";
    page.formula = "attention 2n^{2}d,  recurrence 2nd^{2},  convolution (2r + 1)nd^{2},  window "
                   "2(2w + 1)nd";
    page.claim =
        "The cost of attention grows as n^{2}d and that of recurrence as nd^{2}: attention "
        "is faster as long as n is below d.";
    page.source = "Vaswani et al. 2017, section 4 and table 1";
    page.parameters = {whole("words", "Words n",
                             "Length of the sentence in the bars; times are measured from 32 to "
                             "1024 words.",
                             8, 1024, 128, true),
                       whole("width", "Width d", "Width of each word's vector.", 8, 256, 64, true),
                       whole("kernel", "Kernel radius r",
                             "Words on either side that a convolution reads.", 1, 8, 2),
                       whole("window", "Window w",
                             "Words on either side that windowed attention reads.", 1, 128, 16,
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
