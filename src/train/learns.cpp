#include "train/learns.hpp"

#include <fmt/format.h>

#include <string>

namespace heed::train {

namespace {

using base::ErrorKind;

/// Whether a target has as many words as its source.
bool says_a_word_at_each(Task task) {
    return task == Task::copy || task == Task::reverse || task == Task::sort;
}

bool learns(const models::Config& config, Task task) {
    if (models::classifier_of(config)) return is_classification(task);
    if (const auto* transformer = models::transformer_of(config)) {
        switch (transformer->architecture) {
        case models::Architecture::encoder_decoder:
        case models::Architecture::decoder_only: return true;
        case models::Architecture::encoder_only: return says_a_word_at_each(task);
        }
    }
    switch (models::recurrent_of(config)->shape) {
    case models::Shape::n_to_m: return true;
    case models::Shape::n_to_n: return says_a_word_at_each(task);
    case models::Shape::n_to_one: return is_classification(task);
    case models::Shape::one_to_n: return !is_classification(task);
    }
    return false;
}

std::string kind_of(const models::Config& config) {
    const auto* recurrent = models::recurrent_of(config);
    if (models::classifier_of(config)) return "a classifier";
    return recurrent ? fmt::format("of the shape {}", models::name(recurrent->shape))
                     : std::string(models::form(config));
}

} // namespace

Task own_task(const models::Config& config) {
    return learns(config, Task::zh_en) ? Task::zh_en : Task::headlines_en;
}

base::Result<void> check_learns(const models::Config& config, Task task,
                                const TaskOptions& sentences) {
    // In a user's file sides may differ in length.
    const bool own = !sentences.own.file.empty();
    if (own && says_a_word_at_each(task)) return check_learns(config, own_task(config));
    if (learns(config, task)) return {};
    std::string others;
    for (const Task other : all_tasks()) {
        if (!learns(config, other)) continue;
        others += fmt::format("{}{}", others.empty() ? "" : ", ", name(other));
    }
    return base::fail(
        ErrorKind::unsupported, "model",
        fmt::format("is {}, which learns {} and not {}", kind_of(config), others, name(task)));
}

} // namespace heed::train
