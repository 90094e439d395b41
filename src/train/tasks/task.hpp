// Tasks whose sentences Heed writes itself, from a seed, as many as a training wants.
#pragma once

#include "text/token.hpp"
#include "train/tasks/pair.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::train {

enum class Task {
    copy,
    reverse,
    sort,
    repeat,       // random symbols, then the same again: a text to go on with
    dates,        // dates in many spellings to ISO 8601, character by character
    zh_en,        // 中文 → English
    en_fr,        // English → français
    en_zh,        // English → 中文
    headlines_zh, // headline → one of ten topics
    headlines_en,
};

/// Every task, in the order above.
std::span<const Task> all_tasks();
/// "copy", "dates", "zh-en", "headlines-zh".
std::string_view name(Task task);
std::optional<Task> task_named(std::string_view name);
/// Tasks that end in a label instead of a sentence.
bool is_classification(Task task);
/// The topics that labels of this task count; empty for the others. "sport".
std::vector<std::string> labels(Task task);
/// Segmentation by which a typed sentence becomes what this task's sources are made of.
text::Segmentation segmentation(Task task);

/// The symbols of copy, reverse, sort and repeat.
enum class Symbols { letters, numbers, shapes };

/// A user's own pairs, instead of those that a task writes.
struct OwnSentences {
    std::string file;         // of train/data_file; empty: the task's
    std::size_t words = 8000; // of the vocabulary: the most frequent ones, the others share a row
    bool operator==(const OwnSentences&) const = default;
};

struct TaskOptions {
    std::uint64_t seed = 1;
    std::size_t training = 20'000, held_out = 1'000; // sentences; 0 to learn from: only to judge
    int min_length = 3, max_length = 15; // words of a source, up to 30; dates are as they are
    Symbols symbols = Symbols::letters;
    OwnSentences own{};
    bool operator==(const TaskOptions&) const = default;
};

struct TaskData {
    std::vector<Pair> training, held_out;
};

/// No source occurs twice, no source of `held_out` ever occurs in `training`, whatever the options;
/// lengths are spread evenly over the allowed ones. What a source becomes is a function of it: no
/// two sentences of a task differ in the target alone. There are fewer sentences than asked for
/// where the lengths allow no more.
TaskData make_task(Task task, const TaskOptions& options);

/// True where a source that tells `en_fr` something in English can have this word, as it is written
/// there: "the", "cats", "Tom's". The first call takes some ten milliseconds.
bool in_english_source(std::string_view word);

/// One sentence of a task, drawn by a seed and a number: held-out and training alike.
Pair draw_pair(Task task, const TaskOptions& options, std::uint64_t number);

} // namespace heed::train
