// A user's file of pairs as the data of a training.
#pragma once

#include "train/data/dataset.hpp"

namespace heed::train {

/// A user's pairs; of a task that ends in a label, texts with theirs, and the labels' names.
struct OwnData : TaskData {
    std::vector<std::string> labels;
};

/// Pairs whose source has a wished length and whose target is at most kLongestTarget words, in the
/// order of the file, up to as many as are wished. A held-out source comes once. Errors: those of
/// read_pairs and read_labelled; out_of_range where nothing is left to be judged by, or to learn
/// from where that is wished; cancelled when stopped.
inline constexpr std::size_t kLongestTarget = 60; // what a small transformer has positions for
base::Result<OwnData> own_sentences(Task task, const TaskOptions& options, LeftOut& left_out,
                                    const std::stop_token& stop = {});

/// All sentences of a file, of any length that a small model can read. What is noted is the whole
/// path: a checkpoint may go on from another folder.
void use_own(TaskOptions& options, const std::string& file);

/// "12 lines passed over", or nothing.
std::string words_of(const BadLines& bad);
/// "12 lines passed over, 3 pairs too long", or nothing; texts where they are `labelled`.
std::string words_of(const LeftOut& left_out, bool labelled);

} // namespace heed::train
