#include "lab/page.hpp"

#include "base/check.hpp"
#include "lab/all_pages.hpp"
#include "lab/number_words.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::lab {

namespace {

/// Mean, and the standard deviation of what was drawn; 0 of one number and of equal ones, which
/// may be infinite; least and largest.
void set_spread(Number& number, const std::vector<double>& values) {
    number.value = values.front();
    number.spread = 0;
    number.least = *std::min_element(values.begin(), values.end());
    number.most = *std::max_element(values.begin(), values.end());
    if (std::equal(values.begin() + 1, values.end(), values.begin())) return;
    double sum = 0, squares = 0;
    for (const double v : values) sum += v;
    const auto n = static_cast<double>(values.size());
    number.value = sum / n;
    for (const double v : values) squares += (v - number.value) * (v - number.value);
    number.spread = std::sqrt(squares / (n - 1));
}

std::vector<Number> numbers_of(const std::vector<Sample>& samples) {
    std::vector<Number> together;
    for (std::size_t i = 0; i < samples.front().measured.size(); ++i) {
        std::vector<double> values;
        for (const Sample& sample : samples) {
            const double value = sample.measured.at(i).value;
            if (!std::isnan(value)) values.push_back(value);
        }
        if (values.empty()) continue;
        together.push_back(samples.front().measured[i]);
        set_spread(together.back(), values);
    }
    return together;
}

/// The mean of each value over the seeds, with the least and the largest.
void merge_series(std::vector<Series>& into, const std::vector<const std::vector<Series>*>& all) {
    for (std::size_t s = 0; s < into.size(); ++s) {
        Series& mean = into[s];
        mean.least = mean.most = mean.values;
        for (std::size_t i = 0; i < mean.values.size(); ++i) {
            double sum = 0;
            for (const auto* one : all) {
                const double v = one->at(s).values.at(i);
                sum += v;
                mean.least[i] = std::min(mean.least[i], v);
                mean.most[i] = std::max(mean.most[i], v);
            }
            mean.values[i] = sum / static_cast<double>(all.size());
        }
    }
}

bool is_spread(const std::vector<Series>& series) {
    return std::ranges::any_of(series, [](const Series& s) { return s.least != s.most; });
}

/// Says in a picture of several seeds what is drawn about their means.
void name_bands(Picture& picture, std::size_t seeds) {
    std::string words;
    if (const auto* curves = std::get_if<Curves>(&picture.data);
        curves && is_spread(curves->series))
        words = fmt::format("bold: mean\u00a0·\u00a0thin: lowest and highest of {} seeds", seeds);
    if (const auto* bars = std::get_if<Bars>(&picture.data); bars && is_spread(bars->series))
        words = fmt::format("bar: mean\u00a0·\u00a0line: lowest to highest of {} seeds", seeds);
    if (!words.empty())
        picture.subtitle += (picture.subtitle.empty() ? "" : "\u00a0·\u00a0") + words;
}

/// Curves and bars of the seeds together; of what has no mean, the first seed's.
std::vector<Picture> pictures_of(const std::vector<Sample>& samples) {
    std::vector<Picture> together = samples.front().pictures;
    if (samples.size() < 2) return together;
    for (std::size_t i = 0; i < together.size(); ++i) {
        std::vector<const std::vector<Series>*> all;
        for (const Sample& sample : samples) {
            const auto& data = sample.pictures.at(i).data;
            if (const auto* curves = std::get_if<Curves>(&data)) all.push_back(&curves->series);
            if (const auto* bars = std::get_if<Bars>(&data)) all.push_back(&bars->series);
        }
        if (auto* curves = std::get_if<Curves>(&together[i].data))
            merge_series(curves->series, all);
        if (auto* bars = std::get_if<Bars>(&together[i].data)) merge_series(bars->series, all);
        name_bands(together[i], samples.size());
    }
    return together;
}

Finding finding_of(const Page& page, const std::vector<Sample>& samples, std::uint64_t seed) {
    Finding found;
    found.measured = numbers_of(samples);
    found.pictures = pictures_of(samples);
    found.judgement = page.judge(found.measured);
    found.judgement.because = tidy(found.judgement.because);
    for (std::size_t i = 0; i < samples.size(); ++i) found.seeds.push_back(seed + i);
    return found;
}

} // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::does_not_hold: return "does not hold";
    case Verdict::depends: return "depends";
    }
    return "";
}

double seconds_of(const Page& page, const Settings& settings) {
    if (!page.work_of) return page.seconds;
    return page.seconds * page.work_of(settings) / page.work_of(usual_settings(page.parameters));
}

namespace {

std::vector<Picture> tidied(std::vector<Picture> pictures) {
    for (Picture& picture : pictures) {
        picture.title = tidy(picture.title);
        picture.subtitle = tidy(picture.subtitle);
    }
    return pictures;
}

/// A page whose words are all as they are shown.
Page with_tidy_words(Page page) {
    page.look = [look = std::move(page.look)](const Settings& s) { return tidied(look(s)); };
    const auto tidy_answer = [](std::optional<OnModel> seen) {
        if (!seen) return seen;
        seen->words = tidy(seen->words);
        seen->pictures = tidied(std::move(seen->pictures));
        return seen;
    };
    if (page.on_model) {
        page.on_model = [=, ask = std::move(page.on_model)](const models::Run& run,
                                                            const Settings& s) {
            return tidy_answer(ask(run, s));
        };
    }
    if (page.on_head) {
        page.on_head = [=, ask = std::move(page.on_head)](const models::Run& run, const Settings& s,
                                                          const trace::HeadId& head) {
            return tidy_answer(ask(run, s, head));
        };
    }
    return page;
}

} // namespace

const std::vector<Page>& pages() {
    static const std::vector<Page> all = [] {
        std::vector<Page> list = all_pages();
        for (Page& page : list) page = with_tidy_words(std::move(page));
        return list;
    }();
    return all;
}

std::optional<OnModel> asked_of(const Page& page, const models::Run& run, const Settings& settings,
                                const std::optional<trace::HeadId>& looked_at) {
    if (page.on_head && looked_at) return page.on_head(run, settings, *looked_at);
    return page.on_model ? page.on_model(run, settings) : std::nullopt;
}

const Page* page_named(std::string_view name) {
    for (const Page& page : pages()) {
        if (page.name == name) return &page;
    }
    return nullptr;
}

base::Result<Finding> measure(const Page& page, const Settings& settings, const Work& work) {
    std::vector<Sample> samples;
    std::optional<Finding> found;
    for (int i = 0; i < page.n_seeds; ++i) {
        if (work.stopped()) return cancelled();
        Settings one = settings;
        one.seed = settings.seed + static_cast<std::uint64_t>(i);
        Work part{work.pool, work.stop};
        part.tell = [&](double done, const std::string& words, const Finding*) {
            if (!work.tell) return;
            work.tell((i + done) / page.n_seeds,
                      page.n_seeds == 1 ? words
                                        : fmt::format("seed {} of {}{}{}", i + 1, page.n_seeds,
                                                      words.empty() ? "" : ": ", words),
                      found ? &*found : nullptr);
        };
        part.say(0, "");
        auto sample = page.measure_seed(one, part);
        if (!sample) return tl::make_unexpected(sample.error());
        samples.push_back(*std::move(sample));
        found = finding_of(page, samples, settings.seed);
    }
    if (work.tell) work.tell(1, "", &*found);
    return *std::move(found);
}

const Number* number_if(const std::vector<Number>& measured, std::string_view name) {
    const auto found = std::find_if(measured.begin(), measured.end(),
                                    [&](const Number& n) { return n.name == name; });
    return found == measured.end() ? nullptr : &*found;
}

const Number& number(const std::vector<Number>& measured, std::string_view name) {
    const Number* found = number_if(measured, name);
    HEED_CHECK(found, "nothing measured is called {}", name);
    return *found;
}

tl::unexpected<base::Error> cancelled() {
    return base::fail(base::ErrorKind::cancelled, "", "the measurement was stopped");
}

} // namespace heed::lab
