#include "train/training_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace heed::train {

namespace {

void append_step(std::string& out, const StepRecord* step) {
    if (step) {
        fmt::format_to(std::back_inserter(out), ",{:.6g},{:.6g},{:.6g},{:.3f}", step->loss,
                       step->rate, step->gradient_norm, step->seconds);
    } else {
        out += ",,,,";
    }
}

void append_measures(std::string& out, const Measures* measures) {
    if (!measures) {
        out += ",,,,,,";
        return;
    }
    fmt::format_to(std::back_inserter(out), ",{:.6g},{:.6g},{:.6g},{:.6g}", measures->loss,
                   measures->token_accuracy, measures->exact_match, measures->bleu);
    for (const auto& maybe : {measures->alignment_error_rate, measures->label_accuracy}) {
        out += ',';
        if (maybe) fmt::format_to(std::back_inserter(out), "{:.6g}", *maybe);
    }
}

} // namespace

std::string write_csv(const TrainingHistory& history) {
    std::string out = "step,loss,rate,gradient_norm,seconds,held_out_loss,token_accuracy,"
                      "exact_match,bleu,alignment_error_rate,label_accuracy\r\n";
    constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
    std::size_t s = 0, h = 0;
    while (s < history.steps.size() || h < history.held_out.size()) {
        const std::uint64_t trained = s < history.steps.size() ? history.steps[s].step : kNever;
        const std::uint64_t held = h < history.held_out.size() ? history.held_out[h].step : kNever;
        fmt::format_to(std::back_inserter(out), "{}", std::min(trained, held));
        append_step(out, trained <= held ? &history.steps[s++] : nullptr);
        append_measures(out, held <= trained ? &history.held_out[h++].measures : nullptr);
        out += "\r\n";
    }
    return out;
}

double recent_loss(const TrainingHistory& history, std::size_t steps) {
    const std::size_t count = std::min(steps, history.steps.size());
    double sum = 0;
    for (std::size_t i = history.steps.size() - count; i < history.steps.size(); ++i) {
        sum += history.steps[i].loss;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

} // namespace heed::train
