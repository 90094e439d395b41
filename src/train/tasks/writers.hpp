// Writers of each task's sentences. Lengths are wishes: task.cpp throws away what misses them.
#pragma once

#include "train/tasks/task.hpp"
#include "train/tasks/task_rng.hpp"

namespace heed::train {

/// copy, reverse or sort of `length` symbols.
Pair write_symbols(TaskRng& rng, Task task, Symbols symbols, int length);
/// `length` − 1 symbols that differ (past the end of the list: a new round of it), and the first of
/// them again; the target is the rest of them again (Olsson et al. 2022, "repeated random
/// sequences"). A link leads from each word to its first occurrence.
Pair write_repeat(TaskRng& rng, Symbols symbols, int length);
Pair write_date(TaskRng& rng);
/// True of a date of 1900 to 2099 in one of the spellings that write_date() has, whatever spaces
/// stand in it.
bool is_date(std::string_view typed);
/// zh_en, en_fr or en_zh: a source of about `length` words.
Pair write_languages(TaskRng& rng, Task task, int length);

/// headlines_zh or headlines_en.
Pair write_headline(TaskRng& rng, Task task);

} // namespace heed::train
