#include "train/history.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heed::train {

void History::add(const Progress& progress) {
    const BatchResult& batch = progress.batch;
    const auto tokens = static_cast<double>(std::max<std::size_t>(batch.tokens, 1));
    open_.step = progress.step;
    open_.loss += batch.loss / tokens;
    open_.gradient_norm += progress.norms.total;
    open_.rate = progress.rate;
    if (++in_open_ < stride_) return;
    const auto n = static_cast<double>(in_open_);
    losses_.push_back({open_.step, open_.loss / n, open_.gradient_norm / n, open_.rate});
    open_ = {};
    in_open_ = 0;
    if (losses_.size() < kMostPoints) return;
    for (std::size_t i = 0; i < losses_.size() / 2; ++i) {
        const LossPoint &a = losses_[2 * i], &b = losses_[2 * i + 1];
        losses_[i] = {b.step, (a.loss + b.loss) / 2, (a.gradient_norm + b.gradient_norm) / 2,
                      b.rate};
    }
    losses_.resize(losses_.size() / 2);
    stride_ *= 2;
}

bool is_film_step(std::uint64_t step) {
    for (std::uint64_t decade = 10; decade <= step; decade *= 10) {
        for (const std::uint64_t mark : {decade, 2 * decade, 5 * decade}) {
            if (step == mark) return true;
        }
        // Beyond the first marks of a decade the map changes slowly, but a viewer waits long.
        if (decade >= 1000 && step < 10 * decade && step % decade == 0) return true;
    }
    return step == 0;
}

std::string csv(const History& history) {
    std::string text = "step,rate,loss,gradient_norm,held_out_loss,token_accuracy,exact_match,"
                       "bleu,alignment_error_rate\n";
    const auto to = std::back_inserter(text);
    auto point = history.losses().begin();
    const auto write_losses = [&](std::uint64_t up_to) {
        for (; point != history.losses().end() && point->step < up_to; ++point) {
            fmt::format_to(to, "{},{},{},{},,,,,\n", point->step, point->rate, point->loss,
                           point->gradient_norm);
        }
    };
    for (const HeldOutPoint& held : history.held_out) {
        write_losses(held.step);
        const bool both = point != history.losses().end() && point->step == held.step;
        const Measures& m = held.measures;
        fmt::format_to(to, "{},{},{},{},{},{},{},{},{}\n", held.step,
                       both ? fmt::format("{}", point->rate) : "",
                       both ? fmt::format("{}", point->loss) : "",
                       both ? fmt::format("{}", point->gradient_norm) : "", m.loss,
                       m.token_accuracy, m.exact_match, m.bleu,
                       m.alignment_error_rate ? fmt::format("{}", *m.alignment_error_rate) : "");
        if (both) ++point;
    }
    write_losses(~std::uint64_t{0});
    return text;
}

} // namespace heed::train
