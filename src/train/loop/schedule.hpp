// Schedules of the learning rate: how large a step is, step by step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heed::train {

struct Schedule {
    enum class Kind {
        constant, // `rate`
        step,     // `rate`, multiplied with `drop` after every `every` steps
        warm_up,  // rises linearly to `rate` at step `warm_up`, then falls as 1/√step
        fall,     // `rate` up to step `warm_up`, then as warm_up: the same without its rise
    } kind = Kind::constant;
    float rate = 1e-3f; // the largest
    std::uint64_t every = 1000;
    float drop = 0.5f;
    std::uint64_t warm_up = 400;
    bool operator==(const Schedule&) const = default;
};

/// The rate of a step, counted from 1. Requires step, every and warm_up of at least 1.
float rate_at(const Schedule& schedule, std::uint64_t step);

/// The largest rate of Vaswani et al. 2017, equation 3: 1/√(d_model · warm_up).
float warm_up_rate(int d_model, std::uint64_t warm_up);

struct ScheduleInfo {
    Schedule::Kind kind;
    std::string_view name;  // of flags and files
    std::string_view label; // in the window
    std::string_view tip;   // in one sentence
};
/// Schedules in the order of the enum.
inline constexpr ScheduleInfo kScheduleInfos[] = {
    {Schedule::Kind::constant, "constant", "constant", "The same learning rate at every step."},
    {Schedule::Kind::step, "step", "step decay",
     "The learning rate is halved after each third of the steps."},
    {Schedule::Kind::warm_up, "warm-up", "warm-up",
     "The learning rate rises for 400 steps, then falls (Vaswani et al. 2017, eq. 3)."},
    {Schedule::Kind::fall, "fall", "fall only",
     "Warm-up's schedule without its rise: the learning rate stays for 400 steps, then falls."},
};

inline constexpr std::array kSchedules = {Schedule::Kind::constant, Schedule::Kind::step,
                                          Schedule::Kind::warm_up, Schedule::Kind::fall};
constexpr const ScheduleInfo& info(Schedule::Kind kind) {
    return kScheduleInfos[static_cast<std::size_t>(kind)];
}
/// "constant", "step", "warm-up", "fall".
std::string_view name(Schedule::Kind kind);

} // namespace heed::train
