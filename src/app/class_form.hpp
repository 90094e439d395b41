// What a person sets before a class begins: a task, who learns it, and how.
#pragma once

#include "train/plan.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::app {

/// Models that the Train room puts side by side.
enum class Learner { last, mean, attention, transformer };
inline constexpr std::array kLearners = {Learner::last, Learner::mean, Learner::attention,
                                         Learner::transformer};
/// "transformer 2+2", "additive attention", "mean h", "last h"; with the cell where it is no GRU.
std::string learner_name(const models::Config& config);
std::string name(Learner learner);

struct ClassForm {
    train::Task task = train::Task::zh_en;
    std::array<bool, 4> learns = {false, false, true, false}; // by Learner
    int max_length = 15;                                      // words of a source, 4 to 30
    int steps = 3000;
    int batch = 32;
    float rate_factor = 1; // on the rate that is usual for a model
    float dropout = 0, label_smoothing = 0;
    int seed = 1;
    std::string file{}, vectors{}; // a user's own sentences instead of the task's; word vectors
    int vocabulary = 8000;         // words of the file that are known
    int patience = 0;              // measures without a better one after which it stops; 0: never
    bool operator==(const ClassForm&) const = default;
};

/// One of each model that learns, in the order above; all on the same sentences.
std::vector<train::Plan> plans_of(const ClassForm& form);
models::Config config_of(Learner learner, std::uint64_t seed);
/// The form that plans were made of. Requires one plan at least.
ClassForm form_of(const std::vector<train::Plan>& plans);

} // namespace heed::app
