// SentencePiece (Kudo and Richardson 2018) as its own library does it, of a file of its own.
#pragma once

#include "tokenizers/pipeline.hpp"
#include "tokenizers/sentencepiece_file.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace heed::tokenizers {

/// A piece of the file → the id that a model knows it by.
using IdOfPiece = std::function<int(int piece, std::string_view words)>;

/// Normalizer, model, decoder and spelling. `vocabulary` has the ids that `id_of` gives. Throws
/// Refused.
Parts sentencepiece_parts(const SentencePieceFile& file, Vocabulary vocabulary, IdOfPiece id_of);

/// Pieces by their places in the file. Throws Refused.
Vocabulary vocabulary_of(const SentencePieceFile& file);

} // namespace heed::tokenizers
