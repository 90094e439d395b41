// Who writes the sentences of each task. Lengths are wishes: task.cpp throws away what misses them.
#pragma once

#include "train/tasks/dice.hpp"
#include "train/tasks/task.hpp"

namespace heed::train {

/// copy, reverse or sort of `length` symbols.
Pair write_symbols(Dice& dice, Task task, Symbols symbols, int length);
Pair write_date(Dice& dice);
/// zh_en, en_fr or en_zh: a source of about `length` words.
Pair write_languages(Dice& dice, Task task, int length);

/// headlines_zh or headlines_en.
Pair write_headline(Dice& dice, Task task);

} // namespace heed::train
