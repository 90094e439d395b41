#include "train/loop/optimizer.hpp"

#include "base/check.hpp"
#include "train/nets/pieces.hpp"

#include <cmath>
#include <utility>

namespace heed::train {

namespace {

// Eigen's expressions, because a compiler that minds errno does not vectorise square roots.
using Numbers = Eigen::Map<Eigen::ArrayXf>;
using ConstNumbers = Eigen::Map<const Eigen::ArrayXf>;

struct Moments {
    float *first, *second; // null where the rule has none
};

/// Update of one piece: (values, gradients, moments).
struct Update {
    float rate, factor;
    std::uint64_t step; // counted from 1

    void operator()(const Adam& rule, Numbers w, ConstNumbers g, Moments moments) const {
        Numbers m(moments.first, w.size()), v(moments.second, w.size());
        const double t = static_cast<double>(step);
        const auto size = static_cast<float>(static_cast<double>(rate) /
                                             (1 - std::pow(static_cast<double>(rule.beta1), t)));
        const auto root =
            static_cast<float>(1 / std::sqrt(1 - std::pow(static_cast<double>(rule.beta2), t)));
        // Short enough to stay in the first-level cache from the first line to the last.
        constexpr Index kRun = 1024;
        for (Index begin = 0; begin < w.size(); begin += kRun) {
            const Index n = std::min(kRun, w.size() - begin);
            auto mr = m.segment(begin, n);
            auto vr = v.segment(begin, n);
            const auto gr = g.segment(begin, n);
            mr = rule.beta1 * mr + ((1 - rule.beta1) * factor) * gr;
            vr = rule.beta2 * vr + (1 - rule.beta2) * (factor * gr).square();
            w.segment(begin, n) -= size * mr / (vr.sqrt() * root + rule.epsilon);
        }
    }

    void operator()(const RmsProp& rule, Numbers w, ConstNumbers g, Moments moments) const {
        Numbers v(moments.second, w.size());
        v = rule.decay * v + (1 - rule.decay) * (factor * g).square();
        w -= (rate * factor) * g / (v.sqrt() + rule.epsilon);
    }

    void operator()(const Sgd& rule, Numbers w, ConstNumbers g, Moments moments) const {
        Numbers b(moments.first, w.size());
        b = rule.momentum * b + factor * g; // b is 0 before the first step
        w -= rate * b;
    }

    using Index = Eigen::Index;
};

Optimizer::State fresh(const UpdateRule& rule, std::size_t numbers) {
    Optimizer::State state;
    if (!std::holds_alternative<RmsProp>(rule)) state.first.resize(numbers);
    if (!std::holds_alternative<Sgd>(rule)) state.second.resize(numbers);
    return state;
}

} // namespace

std::string_view name(const UpdateRule& rule) {
    return std::holds_alternative<Adam>(rule)      ? "adam"
           : std::holds_alternative<RmsProp>(rule) ? "rmsprop"
                                                   : "sgd";
}

Optimizer::Optimizer(UpdateRule rule, std::size_t numbers)
    : rule_(rule), numbers_(numbers), state_(fresh(rule, numbers)) {}

Optimizer::Optimizer(UpdateRule rule, std::size_t numbers, State state)
    : rule_(rule), numbers_(numbers), state_(std::move(state)) {
    const State expected = fresh(rule, numbers);
    HEED_CHECK(state_.first.size() == expected.first.size() &&
                   state_.second.size() == expected.second.size(),
               "a state of {} and {} numbers for {} with {}", state_.first.size(),
               state_.second.size(), name(rule), numbers);
}

void Optimizer::step(num::ThreadPool& pool, std::span<const Parameter> parameters, float rate,
                     float factor) {
    HEED_CHECK(count(parameters) == numbers_, "{} numbers for an optimiser of {}",
               count(parameters), numbers_);
    for (const Parameter& p : parameters) {
        HEED_CHECK(p.values.size() == p.gradients.size(), "{} has {} numbers and {} gradients",
                   p.name, p.values.size(), p.gradients.size());
    }
    const Update update{rate, factor, ++state_.steps};
    const std::vector<Piece> pieces = pieces_of(parameters);
    for_each_piece(pool, pieces, [&](std::size_t i) {
        const Piece& piece = pieces[i];
        const Parameter& p = parameters[piece.parameter];
        const auto size = static_cast<Eigen::Index>(piece.size);
        const Moments moments{state_.first.empty() ? nullptr : state_.first.data() + piece.place,
                              state_.second.empty() ? nullptr : state_.second.data() + piece.place};
        std::visit(
            [&](const auto& rule) {
                update(rule, Numbers(p.values.data() + piece.begin, size),
                       ConstNumbers(p.gradients.data() + piece.begin, size), moments);
            },
            rule_);
    });
}

} // namespace heed::train
