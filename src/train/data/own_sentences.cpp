#include "train/data/own_sentences.hpp"

#include "train/data/text_lines.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace heed::train {

namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
    return count == 0 ? "" : fmt::format("{} {}", count, count == 1 ? one : many);
}

} // namespace

namespace {

/// "3 lines are passed over, line 1: no tab", or nothing.
std::string first_bad(const BadLines& bad) {
    if (bad.first.empty()) return {};
    const auto& [line, reason] = bad.first.front();
    return bad.count == 1
               ? fmt::format("line {} is passed over: {}", line, reason)
               : fmt::format("{} lines are passed over, line {}: {}", bad.count, line, reason);
}

} // namespace

base::Result<OwnData> own_sentences(Task task, const TaskOptions& options, LeftOut& left_out,
                                    const std::stop_token& stop) {
    const std::string& path = options.own.file;
    DataLimits limits;
    limits.stop = stop;
    auto file = is_classification(task) ? read_labelled(path, limits) : read_pairs(path, limits);
    if (!file) return tl::make_unexpected(file.error());
    if (stop.stop_requested()) return not_read_on();
    left_out.bad = std::move(file->bad);
    left_out.cut = file->cut;
    const std::size_t read = file->pairs.size();
    constexpr std::size_t kMostLabels = 500;
    if (file->labels.size() > kMostLabels) {
        return base::fail(base::ErrorKind::out_of_range, path,
                          fmt::format("has {} labels; at most {} are taken, each line being "
                                      "label<TAB>text",
                                      file->labels.size(), kMostLabels));
    }
    // A classifier reads as much of a text as it is long.
    std::erase_if(file->pairs, [&](const Pair& pair) {
        if (is_classification(task)) return false;
        const int length = static_cast<int>(pair.source.size());
        return length < options.min_length || length > options.max_length ||
               pair.target.size() > kLongestTarget;
    });
    left_out.by_length = read - file->pairs.size();
    OwnData data{split(std::move(file->pairs)), std::move(file->labels)};
    std::unordered_set<std::string> seen;
    left_out.repeated = std::erase_if(
        data.held_out, [&](const Pair& pair) { return !seen.insert(joined(pair.source)).second; });
    if (data.training.size() > options.training) data.training.resize(options.training);
    if (data.held_out.size() > options.held_out) data.held_out.resize(options.held_out);
    const bool learns = options.training == 0 || !data.training.empty();
    if (!learns || data.held_out.empty()) {
        const std::string bad = first_bad(left_out.bad);
        return base::fail(
            base::ErrorKind::out_of_range, path,
            fmt::format("{}has {} pair{} of {} to {} words to learn from and {} to be judged by, "
                        "which one in eight is; more lines are needed",
                        bad.empty() ? "" : bad + "; it ", data.training.size(),
                        data.training.size() == 1 ? "" : "s", options.min_length,
                        options.max_length, data.held_out.size()));
    }
    return data;
}

void use_own(TaskOptions& options, const std::string& file) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(file, failed);
    options.own.file = failed ? file : whole.lexically_normal().string();
    options.training = DataLimits{}.lines;
    options.min_length = 1;
    options.max_length = 30;
}

std::string words_of(const BadLines& bad) {
    return counted(bad.count, "line passed over", "lines passed over");
}

std::string words_of(const LeftOut& left_out, bool labelled) {
    std::string words = words_of(left_out.bad);
    const auto add = [&](const std::string& more) {
        words += (words.empty() || more.empty() ? "" : ", ") + more;
    };
    if (labelled) {
        add(counted(left_out.by_length, "text too short or too long",
                    "texts too short or too long"));
        add(counted(left_out.repeated, "text left out: it came before",
                    "texts left out: they came before"));
    } else {
        add(counted(left_out.by_length, "pair too short or too long",
                    "pairs too short or too long"));
        add(counted(left_out.repeated, "pair left out: its source came before",
                    "pairs left out: their source came before"));
    }
    if (left_out.cut) words += words.empty() ? "the file is longer" : ", the file is longer";
    return words;
}

} // namespace heed::train
