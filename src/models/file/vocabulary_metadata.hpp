// The words that a model knows, in the metadata of its file.
#pragma once

#include "base/result.hpp"
#include "text/vocabulary.hpp"

#include <map>
#include <string>

namespace heed::models {

bool lists_words(const std::map<std::string, std::string>& metadata);
/// Errors: malformed (no list, or one that names a word twice), out_of_range, with the path as the
/// subject.
base::Result<text::Vocabulary> read_vocabulary(const std::map<std::string, std::string>& metadata,
                                               const std::string& path);
void write_vocabulary(const text::Vocabulary& vocabulary,
                      std::map<std::string, std::string>& metadata);

} // namespace heed::models
