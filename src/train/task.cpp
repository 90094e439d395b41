#include "train/task.hpp"

#include "base/check.hpp"
#include "train/writers.hpp"

#include <array>
#include <unordered_set>
#include <utility>

namespace heed::train {

namespace {

constexpr std::array kTasks = {Task::copy,  Task::reverse,      Task::sort,
                               Task::dates, Task::zh_en,        Task::en_fr,
                               Task::en_zh, Task::headlines_zh, Task::headlines_en};
constexpr std::array<std::string_view, kTasks.size()> kNames = {
    "copy", "reverse", "sort", "dates", "zh-en", "en-fr", "en-zh", "headlines-zh", "headlines-en"};

/// Spelled by characters, a date has as many as it has.
bool has_wished_length(const Pair& pair, Task task, const TaskOptions& options) {
    const int length = static_cast<int>(pair.source.size());
    return task == Task::dates || is_classification(task) ||
           (length >= options.min_length && length <= options.max_length);
}

} // namespace

std::span<const Task> all_tasks() { return kTasks; }

std::string_view name(Task task) { return kNames[static_cast<std::size_t>(task)]; }

std::optional<Task> task_named(std::string_view wanted) {
    for (const Task task : kTasks) {
        if (name(task) == wanted) return task;
    }
    return std::nullopt;
}

bool is_classification(Task task) {
    return task == Task::headlines_zh || task == Task::headlines_en;
}

std::vector<std::string> labels(Task task) {
    if (!is_classification(task)) return {};
    return {"politics", "economy",   "sport",  "technology", "health",
            "culture",  "education", "travel", "weather",    "crime"};
}

text::Segmentation segmentation(Task task) {
    return task == Task::dates ? text::Segmentation::characters : text::Segmentation::words;
}

Pair draw_pair(Task task, const TaskOptions& options, std::uint64_t number) {
    Dice dice(options.seed, name(task), number);
    const int length = dice.between(options.min_length, options.max_length);
    switch (task) {
    case Task::copy:
    case Task::reverse:
    case Task::sort: return write_symbols(dice, task, options.symbols, length);
    case Task::dates: return write_date(dice);
    case Task::zh_en:
    case Task::en_fr:
    case Task::en_zh: return write_languages(dice, task, length);
    case Task::headlines_zh:
    case Task::headlines_en: break;
    }
    return write_headline(dice, task);
}

TaskData make_task(Task task, const TaskOptions& options) {
    HEED_CHECK(options.min_length >= 1 && options.min_length <= options.max_length,
               "lengths from {} to {}", options.min_length, options.max_length);
    TaskData data;
    std::unordered_set<std::string> seen;
    const std::uint64_t most_tries = 20 * (options.training + 10 * options.held_out) + 1000;
    for (std::uint64_t number = 0; number < most_tries; ++number) {
        const bool enough =
            data.training.size() == options.training && data.held_out.size() == options.held_out;
        if (enough) break;
        Pair pair = draw_pair(task, options, number);
        if (!has_wished_length(pair, task, options)) continue;
        const bool held_out = is_held_out(pair.source);
        std::vector<Pair>& set = held_out ? data.held_out : data.training;
        if (set.size() == (held_out ? options.held_out : options.training)) continue;
        if (seen.insert(joined(pair.source)).second) set.push_back(std::move(pair));
    }
    return data;
}

} // namespace heed::train
