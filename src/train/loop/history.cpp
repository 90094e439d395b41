#include "train/loop/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::train {

LossPoint point_of(const Progress& progress) {
    const BatchResult& batch = progress.batch;
    const auto tokens = static_cast<double>(std::max<std::size_t>(batch.tokens, 1));
    return {progress.step, batch.loss / tokens, progress.norms.total, progress.rate};
}

void History::add(const Progress& progress) {
    const LossPoint now = point_of(progress);
    LossPoint& open = curve_.open;
    open = {now.step, open.loss + now.loss, open.gradient_norm + now.gradient_norm, now.rate};
    if (++curve_.in_open < curve_.stride) return;
    const auto n = static_cast<double>(curve_.in_open);
    std::vector<LossPoint>& losses = curve_.losses;
    losses.push_back({open.step, open.loss / n, open.gradient_norm / n, open.rate});
    open = {};
    curve_.in_open = 0;
    if (losses.size() < kMostPoints) return;
    for (std::size_t i = 0; i < losses.size() / 2; ++i) {
        const LossPoint &a = losses[2 * i], &b = losses[2 * i + 1];
        losses[i] = {b.step, (a.loss + b.loss) / 2, (a.gradient_norm + b.gradient_norm) / 2,
                     b.rate};
    }
    losses.resize(losses.size() / 2);
    curve_.stride *= 2;
}

void History::add(HeldOutPoint measured) {
    const bool again = !held_out.empty() && held_out.back().step == measured.step &&
                       measured.of_all <= held_out.back().of_all;
    if (again) held_out.pop_back();
    held_out.push_back(std::move(measured));
    if (held_out.size() <= kMostMeasures) return;
    const std::uint64_t first = held_out.front().step, last = held_out.back().step;
    const std::uint64_t apart = 2 * (last - first) / kMostMeasures;
    std::size_t kept = 1;
    for (std::size_t i = 1; i < held_out.size(); ++i) {
        const bool newest = i + 2 >= held_out.size();
        if (!newest && held_out[i].step - held_out[kept - 1].step <= apart) continue;
        std::swap(held_out[kept++], held_out[i]);
    }
    held_out.resize(kept);
}

HeldOutPoint held_out_point(std::uint64_t step, const Evaluation& evaluation, bool of_all) {
    const auto& all = evaluation.samples;
    const auto count = static_cast<std::ptrdiff_t>(std::min(all.size(), HeldOutPoint::kSamples));
    auto first = std::make_shared<const std::vector<Sample>>(all.begin(), all.begin() + count);
    return {step, evaluation.measures, std::move(first), of_all};
}

const HeldOutPoint* measured_at(const History& history, std::uint64_t step) {
    const HeldOutPoint* newest = nullptr;
    for (const HeldOutPoint& point : history.held_out) {
        if (point.step <= step) newest = &point;
    }
    return newest;
}

std::size_t sentences_of(const Measures& measures) {
    std::size_t sentences = 0;
    for (const LengthAccuracy& length : measures.by_length) sentences += length.sentences;
    return sentences;
}

const HeldOutPoint* measured_on_all(const History& history) {
    if (history.held_out.empty()) return nullptr;
    const HeldOutPoint& last = history.held_out.back();
    return last.of_all ? &last : nullptr;
}

bool is_measured_step(std::uint64_t step, std::uint64_t steps) {
    const std::uint64_t often = std::max<std::uint64_t>(10, steps / 120);
    const std::uint64_t seldom = std::max<std::uint64_t>(10, steps / 20);
    return step > 0 && step % (step <= steps / 4 ? often : seldom) == 0;
}

std::string csv_header() {
    return "step,rate,loss,gradient_norm,held_out_loss,token_accuracy,exact_match,bleu,"
           "alignment_error_rate\n";
}

std::string csv_line(std::uint64_t step, const LossPoint* learned, const Measures* held_out) {
    std::string text = fmt::format("{}", step);
    const auto to = std::back_inserter(text);
    if (learned) {
        fmt::format_to(to, ",{},{},{}", learned->rate, learned->loss, learned->gradient_norm);
    } else {
        text += ",,,";
    }
    if (held_out) {
        const Measures& m = *held_out;
        fmt::format_to(to, ",{},{},{},{},", m.loss, m.token_accuracy, m.exact_match, m.bleu);
        if (m.alignment_error_rate) fmt::format_to(to, "{}", *m.alignment_error_rate);
    } else {
        text += ",,,,,";
    }
    return text + "\n";
}

std::string csv(const History& history) {
    std::string text = csv_header();
    text.insert(text.size() - 1, ",sentences");
    auto point = history.losses().begin();
    const auto write = [&](std::uint64_t step, const LossPoint* learned, const Measures* measures) {
        text += csv_line(step, learned, measures);
        text.insert(text.size() - 1,
                    measures ? fmt::format(",{}", sentences_of(*measures)) : std::string(","));
    };
    const auto write_losses = [&](std::uint64_t up_to) {
        for (; point != history.losses().end() && point->step < up_to; ++point) {
            write(point->step, &*point, nullptr);
        }
    };
    for (const HeldOutPoint& held : history.held_out) {
        write_losses(held.step);
        const bool both = point != history.losses().end() && point->step == held.step;
        write(held.step, both ? &*point : nullptr, &held.measures);
        if (both) ++point;
    }
    write_losses(~std::uint64_t{0});
    return text;
}

} // namespace heed::train
