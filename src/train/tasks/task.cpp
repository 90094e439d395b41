#include "train/tasks/task.hpp"

#include "base/check.hpp"
#include "train/tasks/task_info.hpp"
#include "train/tasks/writers.hpp"

#include <array>
#include <unordered_set>
#include <utility>

namespace heed::train {

namespace {

using text::Segmentation;

/// Writers of several tasks are told which of them they write.
template <Task task> Pair symbols(TaskRng& rng, const TaskOptions& options, int length) {
    return write_symbols(rng, task, options.symbols, length);
}
template <Task task> Pair languages(TaskRng& rng, const TaskOptions&, int length) {
    return write_languages(rng, task, length);
}
template <Task task> Pair headline(TaskRng& rng, const TaskOptions&, int) {
    return write_headline(rng, task);
}
Pair repeat(TaskRng& rng, const TaskOptions& options, int length) {
    return write_repeat(rng, options.symbols, length);
}
Pair date(TaskRng& rng, const TaskOptions&, int) { return write_date(rng); }

constexpr std::string_view kTranslate = "Type its translation", kTopic = "Type its topic";

constexpr TaskInfo kTasks[] = {
    {Task::copy, "copy", "Copy", "Say the same symbols again: attention should be a diagonal.",
     "Type the same again", TargetKind::word_at_each, Segmentation::words, true,
     symbols<Task::copy>},
    {Task::reverse, "reverse", "Reverse",
     "Say the symbols from the last to the first: attention should be the other diagonal.",
     "Type it from the end", TargetKind::word_at_each, Segmentation::words, true,
     symbols<Task::reverse>},
    {Task::sort, "sort", "Sort",
     "Say the symbols in order: attention should find the next one wherever it stands.",
     "Type it in order", TargetKind::word_at_each, Segmentation::words, true, symbols<Task::sort>},
    {Task::repeat, "repeat", "Repeat",
     "Go on with random symbols that come a second time: attention should find what followed the "
     "last one before (induction).",
     "Type how it goes on", TargetKind::continuation, Segmentation::words, true, repeat},
    {Task::dates, "dates", "Dates → ISO",
     "Rewrite a date such as “3 May 2021” as “2021-05-03”, letter by letter.",
     "Type it as 2021-05-03", TargetKind::sentence, Segmentation::characters, false, date},
    {Task::zh_en, "zh-en", "中文 → English", "Translate simple Chinese sentences into English.",
     kTranslate, TargetKind::sentence, Segmentation::words, true, languages<Task::zh_en>},
    {Task::en_fr, "en-fr", "English → français",
     "Translate simple English sentences into French, where adjectives change places.", kTranslate,
     TargetKind::sentence, Segmentation::words, true, languages<Task::en_fr>},
    {Task::en_zh, "en-zh", "English → 中文", "Translate simple English sentences into Chinese.",
     kTranslate, TargetKind::sentence, Segmentation::words, true, languages<Task::en_zh>},
    {Task::headlines_zh, "headlines-zh", "标题 → topic", "Tell what a Chinese headline is about.",
     kTopic, TargetKind::label, Segmentation::words, false, headline<Task::headlines_zh>},
    {Task::headlines_en, "headlines-en", "Headlines → topic",
     "Tell what an English headline is about.", kTopic, TargetKind::label, Segmentation::words,
     false, headline<Task::headlines_en>},
};

bool has_wished_length(const Pair& pair, const TaskInfo& row, const TaskOptions& options) {
    const int length = static_cast<int>(pair.source.size());
    return !row.has_lengths || (length >= options.min_length && length <= options.max_length);
}

} // namespace

std::span<const TaskInfo> task_infos() { return kTasks; }

const TaskInfo& info(Task task) {
    for (const TaskInfo& row : kTasks) {
        if (row.task == task) return row;
    }
    HEED_CHECK(false, "a task without a row");
}

std::span<const Task> all_tasks() {
    static constexpr auto all = [] {
        std::array<Task, std::size(kTasks)> tasks{};
        for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = kTasks[i].task;
        return tasks;
    }();
    return all;
}

std::string_view name(Task task) { return info(task).name; }

std::optional<Task> task_named(std::string_view wanted) {
    for (const TaskInfo& row : kTasks) {
        if (row.name == wanted) return row.task;
    }
    return std::nullopt;
}

bool is_classification(Task task) { return info(task).target == TargetKind::label; }

std::vector<std::string> labels(Task task) {
    if (!is_classification(task)) return {};
    return {"politics", "economy",   "sport",  "technology", "health",
            "culture",  "education", "travel", "weather",    "crime"};
}

text::Segmentation segmentation(Task task) { return info(task).segmentation; }

Pair draw_pair(Task task, const TaskOptions& options, std::uint64_t number) {
    TaskRng rng(options.seed, name(task), number);
    const int length = rng.between(options.min_length, options.max_length);
    return info(task).write(rng, options, length);
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
        if (!has_wished_length(pair, info(task), options)) continue;
        const bool held_out = is_held_out(pair.source);
        std::vector<Pair>& set = held_out ? data.held_out : data.training;
        if (set.size() == (held_out ? options.held_out : options.training)) continue;
        if (seen.insert(joined(pair.source)).second) set.push_back(std::move(pair));
    }
    return data;
}

} // namespace heed::train
