// A tokeniser as its parts in a row: normalizer, pre-tokenizer, model, processor, and a decoder for
// the way back.
#pragma once

#include "tokenizers/document.hpp"
#include "tokenizers/models/model.hpp"
#include "tokenizers/parts/added_tokens.hpp"
#include "tokenizers/parts/decoders.hpp"
#include "tokenizers/parts/normalizers.hpp"
#include "tokenizers/parts/pre_tokenizers.hpp"
#include "tokenizers/parts/processors.hpp"
#include "tokenizers/tokenizer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::tokenizers {

/// Spelling in the vocabulary of what a reader reads.
struct Spelling {
    bool byte_level = false;       // "Ġthe"
    bool metaspace = false;        // "▁the", "<0xE4>"
    std::string continuing_prefix; // "##ing"
    std::string end_suffix;        // "the</w>"
};

struct Parts {
    std::shared_ptr<const Model> model;
    AddedTokens added;
    Normalizer normalizer;      // may be empty
    PreTokenizer pre_tokenizer; // may be empty
    Processor processor;        // may be empty
    Decoder decoder;            // may be empty
    Spelling spelling;
    NamedIds named;
};

/// Throws Refused where a token is so long that a text of them would fill the memory.
std::shared_ptr<const Tokenizer> make_tokenizer(Parts parts);

/// The parts of a tokenizer.json. Throws Refused with places within the file.
Parts read_parts(Document document);

} // namespace heed::tokenizers
