// A page of the lab: a question that textbooks answer by assertion, what is turned to look at it,
// and a measurement whose numbers say whether the claim holds. No window, no pictures drawn.
#pragma once

#include "base/result.hpp"
#include "lab/picture.hpp"
#include "lab/settings.hpp"
#include "models/model/model.hpp"
#include "num/threads.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace heed::lab {

/// The units of a share, 0 to 1, and of a difference of two shares: both are shown times 100.
inline constexpr const char* kShare = "%";
inline constexpr const char* kPoints = "points";

/// A measured number.
struct Number {
    std::string name;  // in JSON: "variance_unscaled"
    std::string label; // markup: "variance, unscaled"
    double value = 0;  // the mean over the seeds, where each has one
    double spread = 0; // the standard deviation over the seeds
    std::string unit{};
    std::optional<double> least{}, most{}; // over the seeds; nothing: the value, of one seed
};

enum class Verdict { holds, does_not_hold, depends };
/// "holds", "does not hold", "depends".
std::string_view name(Verdict verdict);

/// The verdict on a claim, and the numbers that decide it.
struct Judgement {
    Verdict verdict = Verdict::depends;
    std::string because; // one or two sentences with the numbers that decide
};

/// The numbers and pictures of one seed.
struct Sample {
    std::vector<Number> measured{};  // NaN: this seed has no such number
    std::vector<Picture> pictures{}; // that take longer than look()'s; may be none
};

/// The result of a measurement: means and spreads over its seeds.
struct Finding {
    std::vector<Number> measured{};  // over the seeds that have each; without those that none has
    std::vector<Picture> pictures{}; // bands of curves and bars go from the least to the largest
    Judgement judgement{};
    std::vector<std::uint64_t> seeds{};
};

/// The means of a measurement: threads, a way to stop it, and where it tells how far it is.
struct Work {
    num::ThreadPool& pool;
    std::stop_token stop{};
    /// Called with the share that is done, 0 to 1, what is done now in a few words, and what the
    /// seeds so far gave (null before the first). May be empty. On the measurement's thread.
    std::function<void(double done, const std::string& words, const Finding* so_far)> tell{};

    bool stopped() const { return stop.stop_requested(); }
    void say(double done, const std::string& words) const {
        if (tell) tell(done, words, nullptr);
    }
};

/// Answer to the same question of a model that somebody runs.
struct OnModel {
    std::string words; // what is seen, with its numbers
    std::vector<Picture> pictures{};
    std::optional<trace::HeadId> open{}; // the place to look at, where there is one
    /// The controls that the open model is to have there; nothing: they stay.
    std::optional<models::Controls> controls{};
    std::string controls_words{}; // of those, behind "Open in Explore": "with positions off"
};

struct Page {
    std::string name;    // of commands: "sqrt-dk"
    std::string group;   // heading of a list: "Attention"
    std::string title;   // the question, markup
    std::string words;   // two or three plain sentences, markup
    std::string formula; // markup with \\frac and \\sqrt; may be empty
    std::string claim;   // the sentence that is tested, as textbooks have it, markup
    std::string source;  // paper and section
    std::vector<Parameter> parameters{};
    int n_seeds = 5; // a measurement takes so many, from the settings' on; 1: nothing is drawn
    /// A measurement takes about so long on two cores with the usual settings; 0: at most a moment.
    double seconds = 0;
    /// Amount of work, in any unit that grows as the time does; empty: always the same.
    std::function<double(const Settings&)> work_of{};
    /// Pictures that move while something is turned: a few milliseconds on the calling thread.
    std::function<std::vector<Picture>(const Settings&)> look{};
    /// One measurement with the settings' seed. Errors: cancelled; usage or out_of_range, with a
    /// parameter as the subject, where what is set cannot be measured.
    std::function<base::Result<Sample>(const Settings&, const Work&)> measure_seed{};
    /// The judgement that a finding's numbers lead to.
    std::function<Judgement(const std::vector<Number>&)> judge{};
    /// Null where no model has anything to say to it; nothing where this one has not.
    std::function<std::optional<OnModel>(const models::Run&, const Settings&)> on_model{};
    /// The answer where this head is looked at; null where that makes no difference.
    std::function<std::optional<OnModel>(const models::Run&, const Settings&, const trace::HeadId&)>
        on_head{};
};

/// About how long a measurement with these settings takes on two cores.
double seconds_of(const Page& page, const Settings& settings);

/// All pages, in their order.
const std::vector<Page>& pages();
/// A page's answer of a model, of the head that is looked at where that matters to it.
std::optional<OnModel> asked_of(const Page& page, const models::Run& run, const Settings& settings,
                                const std::optional<trace::HeadId>& looked_at = {});

/// Null where there is none of this name.
const Page* page_named(std::string_view name);

/// Measures a page with each of its seeds, and judges what they gave together. Errors: those of
/// measure_seed.
base::Result<Finding> measure(const Page& page, const Settings& settings, const Work& work);

/// A measured number by its name; null where there is none.
const Number* number_if(const std::vector<Number>& measured, std::string_view name);
/// A measured number by its name; ContractError where there is none.
const Number& number(const std::vector<Number>& measured, std::string_view name);

/// The least and the largest over the seeds, where a sentence says what no seed passes.
inline double least_of(const Number& number) { return number.least.value_or(number.value); }
inline double most_of(const Number& number) { return number.most.value_or(number.value); }

/// The error of a measurement that was stopped.
tl::unexpected<base::Error> cancelled();

} // namespace heed::lab
