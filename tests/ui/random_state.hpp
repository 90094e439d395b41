// States of the window at random: text, model, controls, what is looked at, and how.
#pragma once

#include "ui/dice.hpp"
#include "ui/driver.hpp"

namespace heed::ui::test {

Driver::Options some_state(Dice& dice);
/// A size of the window that a person may give it, and a scale.
void some_size(Dice& dice, Driver::Options& options);

} // namespace heed::ui::test
