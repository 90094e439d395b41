// A user's own sentences, and vectors for their words.
#pragma once

#include "base/result.hpp"
#include "num/matrix.hpp"
#include "text/vocabulary.hpp"
#include "train/tasks/pair.hpp"
#include "train/tasks/task.hpp"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace heed::train {

/// A line that was passed over, counted from 1.
struct BadLine {
    std::size_t line = 0;
    std::string reason;
    bool operator==(const BadLine&) const = default;
};

/// Lines that were passed over: the first hundred, and how many in all.
struct BadLines {
    std::vector<BadLine> first;
    std::size_t count = 0;
    void add(std::size_t line, std::string reason);
};

struct DataLimits {
    std::size_t bytes = 512u << 20; // of a file; a larger one is an error
    std::size_t lines = 500'000;    // good ones; what lies behind them is not read
    std::size_t words = 200;        // of a side; a longer sentence is a bad line
    std::stop_token stop{};         // asked at every line: reading then ends as cancelled
};

struct DataFile {
    std::vector<Pair> pairs;
    std::vector<std::string> labels; // what Pair::label counts, in the order they came
    BadLines bad;
    bool cut = false; // there were more lines than the limit
};

/// `source<TAB>target` with further columns ignored, as Tatoeba and Anki export it. Sentences are
/// segmented as text::tokenize does, Chinese by its dictionary. Empty lines, a byte order mark and
/// carriage returns are passed over in silence. Bad lines: no tab, nothing on one side, broken
/// UTF-8, too many words. Errors: malformed where no line is good.
base::Result<DataFile> parse_pairs(std::string_view bytes, const DataLimits& limits = {});
/// `label<TAB>text`; of a long text the first words.
base::Result<DataFile> parse_labelled(std::string_view bytes, const DataLimits& limits = {});

/// Errors: as above; also not_found, unreadable and out_of_range, with the path as the subject.
base::Result<DataFile> read_pairs(const std::string& path, const DataLimits& limits = {});
base::Result<DataFile> read_labelled(const std::string& path, const DataLimits& limits = {});

/// Splits by is_held_out(): a source that occurs several times stays on one side.
TaskData split(std::vector<Pair> pairs);

struct WordVectors {
    std::vector<std::string> words;
    num::Matrix<float> vectors; // words × features
    BadLines bad;
    bool cut = false;
};

/// `word n1 n2 …`, one word a line, after a header line "words features" or without one. With a
/// vocabulary only its words are kept. Bad lines: another count of numbers than the first good line
/// has, what is no number, NaN, infinity, broken UTF-8, a word that came before. Errors: malformed
/// where no line is good.
base::Result<WordVectors> parse_word_vectors(std::string_view bytes,
                                             const text::Vocabulary* vocabulary = nullptr,
                                             const DataLimits& limits = {});
base::Result<WordVectors> read_word_vectors(const std::string& path,
                                            const text::Vocabulary* vocabulary = nullptr,
                                            const DataLimits& limits = {});

/// Rows of listed words become their vectors; how many did. table: vocabulary × features. Errors:
/// mismatch, with both widths.
base::Result<std::size_t> fill_embedding(const WordVectors& vectors,
                                         const text::Vocabulary& vocabulary,
                                         num::Matrix<float>& table);

} // namespace heed::train
