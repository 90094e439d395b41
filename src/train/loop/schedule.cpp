#include "train/loop/schedule.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>

namespace heed::train {

float rate_at(const Schedule& schedule, std::uint64_t step) {
    HEED_CHECK(step > 0 && schedule.every > 0 && schedule.warm_up > 0,
               "step {}, a drop every {} steps, warm-up of {}", step, schedule.every,
               schedule.warm_up);
    const auto rate = static_cast<double>(schedule.rate);
    switch (schedule.kind) {
    case Schedule::Kind::constant: break;
    case Schedule::Kind::step:
        return static_cast<float>(rate *
                                  std::pow(static_cast<double>(schedule.drop),
                                           static_cast<double>((step - 1) / schedule.every)));
    case Schedule::Kind::warm_up:
    case Schedule::Kind::fall: {
        const double share = static_cast<double>(step) / static_cast<double>(schedule.warm_up);
        const double rise = schedule.kind == Schedule::Kind::warm_up ? share : 1;
        return static_cast<float>(rate * std::min(rise, 1 / std::sqrt(share)));
    }
    }
    return schedule.rate;
}

float warm_up_rate(int d_model, std::uint64_t warm_up) {
    return static_cast<float>(
        1 / std::sqrt(static_cast<double>(d_model) * static_cast<double>(warm_up)));
}

std::string_view name(Schedule::Kind kind) { return info(kind).name; }

} // namespace heed::train
