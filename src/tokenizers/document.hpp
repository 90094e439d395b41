// A tokenizer.json in memory: its two large tables packed, the rest as JSON.
#pragma once

#include "base/result.hpp"
#include "tensors/json.hpp"
#include "tokenizers/models/bpe.hpp"
#include "tokenizers/models/vocabulary.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct Document {
    static constexpr std::size_t kMaxMerges = 1 << 20; // Gemma has 0.6 million
    /// Beside vocabulary and merges; 29 000 added tokens are a quarter of a million values.
    static constexpr std::size_t kMostValues = 1 << 19, kMostText = 8 << 20;

    tensors::Json rest; // without model.vocab and model.merges
    Vocabulary vocabulary;
    bool has_vocabulary = false, has_merges = false;
    std::vector<double> scores; // of a Unigram model, one an id
    std::string merge_bytes;
    std::vector<std::uint32_t> merge_ends; // of left and right, in turn

    std::vector<MergeLine> merges() const;
};

/// Errors: malformed, with line and column; out_of_range.
base::Result<std::unique_ptr<Document>> read_document(std::string_view bytes,
                                                      const std::string& subject);
/// Errors: as above, of a vocab.json alone.
base::Result<Vocabulary> read_vocabulary(std::string_view bytes, const std::string& subject);

} // namespace heed::tokenizers
