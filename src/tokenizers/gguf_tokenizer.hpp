// The tokeniser inside a GGUF file.
#pragma once

#include "base/result.hpp"
#include "tensors/gguf.hpp"
#include "tokenizers/tokenizer.hpp"

#include <memory>

namespace heed::tokenizers {

/// The tokeniser of the keys that begin with "tokenizer.ggml.": SentencePiece's merges ("llama"),
/// or byte-level ones ("gpt2") with words cut as "tokenizer.ggml.pre" names it. Errors: not_found
/// (the file has none); unsupported (another kind, another way to cut words, each by its name);
/// malformed, mismatch (lists of other lengths, a token that is there twice, ids beyond the last).
base::Result<std::shared_ptr<const Tokenizer>> read_gguf_tokenizer(const tensors::GgufFile& file);

} // namespace heed::tokenizers
