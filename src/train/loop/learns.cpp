#include "train/loop/learns.hpp"

#include "models/model/titles.hpp"
#include "train/tasks/task_info.hpp"

#include <fmt/format.h>

#include <string>

namespace heed::train {

namespace {

using base::ErrorKind;

bool learns(const models::Config& config, Task task) {
    const models::Traits model = models::traits(config);
    const TargetKind answer = info(task).target;
    switch (model.output) {
    case models::Output::sentence: return !model.reads_one_word || answer != TargetKind::label;
    case models::Output::word_at_each: return answer == TargetKind::word_at_each;
    case models::Output::one_word:
    case models::Output::one_class: return answer == TargetKind::label;
    }
    return false;
}

} // namespace

Task own_task(const models::Config& config) {
    return learns(config, Task::zh_en) ? Task::zh_en : Task::headlines_en;
}

base::Result<void> check_learns(const models::Config& config, Task task,
                                const TaskOptions& sentences) {
    // In a user's file sides may differ in length.
    const bool own = !sentences.own.file.empty();
    if (own && info(task).target == TargetKind::word_at_each)
        return check_learns(config, own_task(config));
    if (learns(config, task)) return {};
    std::string others;
    for (const Task other : all_tasks()) {
        if (!learns(config, other)) continue;
        others += fmt::format("{}{}", others.empty() ? "" : ", ", name(other));
    }
    return base::fail(ErrorKind::unsupported, "model",
                      fmt::format("is {}, which learns {} and not {}", models::form_phrase(config),
                                  others, name(task)));
}

} // namespace heed::train
