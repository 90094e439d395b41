// A SentencePiece model (.model, .spm): a protocol buffer, of which a dozen fields are read.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct SentencePieceFile {
    enum class Type {
        normal = 1,
        unknown = 2,
        control = 3,
        user_defined = 4,
        unused = 5,
        byte = 6
    };
    struct Entry {
        std::string words;
        float score = 0;
        Type type = Type::normal;
    };
    std::vector<Entry> entries; // by id
    bool bpe = false;           // else unigram
    bool byte_fallback = false, space_is_suffix = false;
    std::string character_map; // may be empty
    bool add_dummy_prefix = true, remove_extra_spaces = true, escape_spaces = true;
};

/// Errors: malformed; unsupported for other kinds of models; out_of_range.
base::Result<SentencePieceFile> read_sentencepiece(std::string_view bytes,
                                                   const std::string& subject);

} // namespace heed::tokenizers
