#include "train/data/dataset.hpp"

#include "train/data/own_sentences.hpp"
#include "train/data/text_lines.hpp"
#include "train/tasks/task_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace heed::train {

namespace {

base::Result<OwnData> data_of(Task task, const TaskOptions& options, LeftOut& left_out,
                              const std::stop_token& stop) {
    if (!options.own.file.empty()) return own_sentences(task, options, left_out, stop);
    OwnData data{make_task(task, options), labels(task)};
    const bool learns = options.training == 0 || !data.training.empty();
    if (learns && !data.held_out.empty()) return data;
    return base::fail(base::ErrorKind::out_of_range, "task",
                      fmt::format("{} has no sentences of {} to {} words", name(task),
                                  options.min_length, options.max_length));
}

/// A label is one word, which a vocabulary can list, and the target of its sentence.
std::vector<std::string> say_labels(OwnData& data) {
    std::vector<std::string> classes = data.labels;
    for (std::string& name : classes) std::replace(name.begin(), name.end(), ' ', '_');
    for (auto* pairs : {&data.training, &data.held_out}) {
        for (Pair& pair : *pairs) {
            if (pair.label >= 0) pair.target = {classes[static_cast<std::size_t>(pair.label)]};
        }
    }
    return classes;
}

} // namespace

base::Result<std::shared_ptr<const Dataset>> prepare_dataset(Task task, const TaskOptions& options,
                                                             const std::stop_token& stop) {
    const bool own = !options.own.file.empty();
    LeftOut left_out;
    auto data = data_of(task, options, left_out, stop);
    if (!data) return tl::make_unexpected(data.error());
    if (stop.stop_requested()) return not_read_on();
    std::vector<std::string> classes = say_labels(*data);
    const std::size_t words = own ? options.own.words : std::numeric_limits<std::size_t>::max();
    auto vocabulary = vocabulary_of(data->training, Side::both, words);
    Dataset dataset{std::move(vocabulary), {}, std::move(data->held_out), {}, {}};
    dataset.training = encode(data->training, dataset.vocabulary, dataset.vocabulary);
    dataset.held_out = encode(dataset.pairs, dataset.vocabulary, dataset.vocabulary);
    if (stop.stop_requested()) return not_read_on();
    dataset.provenance = {
        own ? std::filesystem::path(options.own.file).filename().string() : std::string(name(task)),
        joined(dataset.pairs.front().source), own ? text::Segmentation::words : segmentation(task)};
    if (own || info(task).has_lengths) {
        dataset.provenance.lengths = {options.min_length, options.max_length};
    }
    dataset.left_out = std::move(left_out);
    dataset.classes = std::move(classes);
    return std::make_shared<const Dataset>(std::move(dataset));
}

} // namespace heed::train
