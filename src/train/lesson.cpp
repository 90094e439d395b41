#include "train/lesson.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace heed::train {

base::Result<std::shared_ptr<const Lesson>> prepare_lesson(Task task, const TaskOptions& options) {
    if (is_classification(task)) {
        return base::fail(
            base::ErrorKind::unsupported, "task",
            fmt::format("{} ends in a topic, which no model here can say yet", name(task)));
    }
    TaskData data = make_task(task, options);
    if (data.training.empty() || data.held_out.empty()) {
        return base::fail(base::ErrorKind::out_of_range, "task",
                          fmt::format("{} has no sentences of {} to {} words", name(task),
                                      options.min_length, options.max_length));
    }
    auto vocabulary =
        vocabulary_of(data.training, Side::both, std::numeric_limits<std::size_t>::max());
    Lesson lesson{std::move(vocabulary), {}, std::move(data.held_out), {}, {}};
    lesson.training = encode(data.training, lesson.vocabulary, lesson.vocabulary);
    lesson.held_out = encode(lesson.pairs, lesson.vocabulary, lesson.vocabulary);
    lesson.schooling = {std::string(name(task)), joined(lesson.pairs.front().source),
                        segmentation(task)};
    return std::make_shared<const Lesson>(std::move(lesson));
}

} // namespace heed::train
