// States of the window at random: text, model, controls, what is looked at, and how.
#pragma once

#include "ui/driver.hpp"
#include "ui/task_rng.hpp"

namespace heed::ui::test {

Driver::Options some_state(TaskRng& rng);
/// A size of the window that a person may give it, and a scale.
void some_size(TaskRng& rng, Driver::Options& options);

} // namespace heed::ui::test
