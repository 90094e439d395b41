// Users' sentences and word vectors: any bytes are read or refused, and every line is accounted
// for.
#include "train/data/data_file.hpp"
#include "base/utf8.hpp"
#include "fuzz/target.hpp"

#include <algorithm>

using namespace heed;

namespace {

/// Lines that are neither empty nor an end of line alone.
std::size_t lines_of(std::string_view bytes) {
    std::size_t lines = 0;
    while (!bytes.empty()) {
        const auto end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view line = bytes.substr(0, end);
        lines += line.empty() || line == "\r" ? 0 : 1;
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return lines;
}

void check_file(const base::Result<train::DataFile>& file, std::string_view bytes) {
    if (!file) return;
    HEED_CHECK(!file->pairs.empty(), "no line is good, and that is no error");
    // A byte order mark may stand before an end of line.
    const std::size_t told = file->pairs.size() + file->bad.count, lines = lines_of(bytes);
    HEED_CHECK(told == lines || told + 1 == lines, "{} of {} lines are told of", told, lines);
    for (const train::Pair& pair : file->pairs) {
        HEED_CHECK(!pair.source.empty(), "a sentence without words");
        HEED_CHECK(pair.label < static_cast<int>(file->labels.size()), "label {} of {}", pair.label,
                   file->labels.size());
        for (const std::string& word : pair.source) {
            HEED_CHECK(!word.empty() && base::is_valid_utf8(word), "a word that is none");
        }
    }
}

void check_vectors(std::string_view bytes) {
    const text::Vocabulary some({"the", "a", "0.5"}, 1);
    for (const text::Vocabulary* vocabulary :
         {static_cast<const text::Vocabulary*>(nullptr), &some}) {
        const auto vectors = train::parse_word_vectors(bytes, vocabulary);
        if (!vectors) continue;
        HEED_CHECK(vectors->vectors.rows() == static_cast<num::Index>(vectors->words.size()),
                   "{} words have {} vectors", vectors->words.size(), vectors->vectors.rows());
        HEED_CHECK(vectors->vectors.allFinite(), "a number that is none");
        num::Matrix<float> table =
            num::Matrix<float>::Zero(static_cast<num::Index>(some.size()), vectors->vectors.cols());
        HEED_CHECK(train::fill_embedding(*vectors, some, table).has_value(), "widths differ");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    check_file(train::parse_pairs(bytes), bytes);
    check_file(train::parse_labelled(bytes), bytes);
    check_vectors(bytes);
    return 0;
}
