// Tokenisers of before tokenizer.json: the pipeline that each family's class made of its files.
#pragma once

#include "tokenizers/folder_settings.hpp"
#include "tokenizers/pipeline.hpp"

#include <string>

namespace heed::tokenizers {

/// vocab.json with merges.txt: GPT-2, RoBERTa, BART, Qwen2. Throws Refused.
Parts parts_of_merges(const std::string& folder, const FolderSettings& settings);
/// vocab.txt: BERT, DistilBERT. Throws Refused.
Parts parts_of_words(const std::string& folder, const FolderSettings& settings);
/// A SentencePiece model: T5, LLaMA, XLM-R, ALBERT; without settings the model alone. Throws
/// Refused.
Parts parts_of_sentencepiece(const std::string& path, const FolderSettings* settings);
/// One side of a Marian model: a SentencePiece model, and vocab.json for its ids. Throws Refused.
Parts parts_of_marian(const std::string& folder, const char* model);

} // namespace heed::tokenizers
