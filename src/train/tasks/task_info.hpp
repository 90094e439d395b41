// The tasks as a table: one row each, from which names, menus, checks and sentences come.
#pragma once

#include "train/tasks/task.hpp"
#include "train/tasks/task_rng.hpp"

namespace heed::train {

/// The kind of a task's target.
enum class TargetKind {
    sentence,
    word_at_each, // of the source's words
    continuation, // of the source: a decoder alone reads both as one text
    label,
};

struct TaskInfo {
    Task task;
    std::string_view name;  // of flags and files
    std::string_view label; // in the window
    std::string_view tip;   // what is learned, in one sentence
    std::string_view hint;  // in an empty field for a target: "Type its translation"
    TargetKind target;
    /// Segmentation by which a typed sentence becomes what the task's sources are made of.
    text::Segmentation segmentation;
    bool has_lengths; // the length of a source can be asked for
    /// One pair whose source has about `length` words; what misses the length is thrown away.
    Pair (*write)(TaskRng& rng, const TaskOptions& options, int length);
};

/// Every task, in the order in which lists show them.
std::span<const TaskInfo> task_infos();
const TaskInfo& info(Task task);

} // namespace heed::train
