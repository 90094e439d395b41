#include "models/file/vocabulary_metadata.hpp"

#include "models/file/metadata.hpp"

#include <fmt/ranges.h>

#include <sstream>
#include <utility>

namespace heed::models {

namespace {

// Words have no white space: a line holds them all.
constexpr const char* kWords = "vocabulary.words";
constexpr const char* kOthers = "vocabulary.others";

} // namespace

bool lists_words(const std::map<std::string, std::string>& metadata) {
    return metadata.contains(kWords);
}

base::Result<text::Vocabulary> read_vocabulary(const std::map<std::string, std::string>& metadata,
                                               const std::string& path) {
    MetadataReader reader{metadata, path};
    const std::string* list = reader.find(kWords);
    std::size_t others = 0;
    reader.number(kOthers, others);
    if (reader.result && (others == 0 || others > (1u << 20))) {
        reader.complain(base::ErrorKind::out_of_range,
                        fmt::format("\"{}\" in its metadata is {}; allowed are 1 to {}", kOthers,
                                    others, 1u << 20));
    }
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    std::istringstream stream(*list);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    text::Vocabulary vocabulary(std::move(words), others);
    for (std::size_t i = 0; i < vocabulary.words().size(); ++i) {
        const std::string& word = vocabulary.words()[i];
        if (vocabulary.row(word) == text::Vocabulary::kFirstWord + i) continue;
        return base::fail(base::ErrorKind::malformed, path,
                          fmt::format("\"{}\" in its metadata lists '{:.40}', which has a row "
                                      "already",
                                      kWords, word));
    }
    return vocabulary;
}

void write_vocabulary(const text::Vocabulary& vocabulary,
                      std::map<std::string, std::string>& metadata) {
    const auto& words = vocabulary.words();
    metadata[kWords] = fmt::format("{}", fmt::join(words, " "));
    metadata[kOthers] =
        fmt::format("{}", vocabulary.size() - text::Vocabulary::kFirstWord - words.size());
}

} // namespace heed::models
