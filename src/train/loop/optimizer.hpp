// Rules by which parameters follow their gradients.
#pragma once

#include "num/threads.hpp"
#include "train/nets/parameters.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::train {

/// m and v are running means of g and g²; w −= rate · m̂ / (√v̂ + epsilon), both divided by 1 − βᵗ
/// (Kingma and Ba 2015, algorithm 1). The 2017 transformer was trained with beta2 = 0.98 and
/// epsilon = 1e-9.
struct Adam {
    float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
    bool operator==(const Adam&) const = default;
};
/// w −= rate · g / (√v + epsilon) (Hinton's lecture 6e, 2012).
struct RmsProp {
    float decay = 0.99f, epsilon = 1e-8f;
    bool operator==(const RmsProp&) const = default;
};
/// b = momentum · b + g; w −= rate · b (Polyak 1964). The first b is g.
struct Sgd {
    float momentum = 0.9f;
    bool operator==(const Sgd&) const = default;
};
using UpdateRule = std::variant<Adam, RmsProp, Sgd>;
/// One of each kind, as it is usual; in the variant's order.
inline constexpr std::array<UpdateRule, 3> kUpdateRules = {Adam{}, RmsProp{}, Sgd{}};

/// "adam", "rmsprop", "sgd".
std::string_view name(const UpdateRule& rule);

/// The numbers are those of torch.optim's Adam, RMSprop and SGD.
class Optimizer {
  public:
    /// State that a checkpoint keeps beside the parameters: one tensor after another.
    struct State {
        std::uint64_t steps = 0;
        std::vector<float> first;  // m, or b; empty for RMSprop
        std::vector<float> second; // v; empty for SGD
        bool operator==(const State&) const = default;
    };

    Optimizer(UpdateRule rule, std::size_t numbers);
    /// Goes on from a state. Requires that its vectors have the rule's sizes.
    Optimizer(UpdateRule rule, std::size_t numbers, State state);

    /// One step with these parameters, always the same ones in the same order; their gradients are
    /// multiplied with `factor` first. No number depends on the pool. Parameters that must not
    /// become NaN get no gradient that is: see gradient_norms().
    void step(num::ThreadPool& pool, std::span<const Parameter> parameters, float rate,
              float factor = 1);

    const UpdateRule& rule() const { return rule_; }
    const State& state() const { return state_; }

  private:
    UpdateRule rule_;
    std::size_t numbers_;
    State state_;
};

} // namespace heed::train
