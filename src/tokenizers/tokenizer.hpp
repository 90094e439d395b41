// The tokeniser of a model that others trained: text to ids with places, ids to text. Ids equal
// those of the Hugging Face tokenizers library (0.23), for a SentencePiece file those of
// SentencePiece. Where its Unicode tables are newer than this system's, characters of the last
// years can differ (characters.hpp).
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct Piece {
    int id = 0;
    std::string token;              // as the vocabulary spells it: "Ġthe"
    std::size_t begin = 0, end = 0; // bytes of the text that was given, whole characters
    bool special = false;

    friend bool operator==(const Piece&, const Piece&) = default;
};

/// Tokens that a model's files name for a purpose.
struct NamedIds {
    std::optional<int> bos, eos, pad, mask, unk, cls, sep;
};

/// Immutable: any thread may call.
class Tokenizer {
  public:
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    virtual ~Tokenizer() = default;
    Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    /// Broken UTF-8 is read as U+FFFD. Special tokens as the model's processor adds them; beyond
    /// `max_tokens` (specials included) the text is cut. Errors: out_of_range where a pattern of
    /// the file passes the limits of matching; mismatch where the file has no token for a word.
    virtual base::Result<std::vector<Piece>> try_encode(std::string_view text, bool add_special,
                                                        std::size_t max_tokens) const = 0;
    /// Pieces as by try_encode(); what is an error there is thrown.
    std::vector<Piece> encode(std::string_view text, bool add_special,
                              std::size_t max_tokens = kUnlimited) const;

    virtual std::string token(int id) const = 0; // "" where there is none
    virtual std::optional<int> id(std::string_view token) const = 0;
    virtual int size() const = 0; // rows, with those of added tokens
    /// Token as a reader sees it: "Ġthe" and "▁the" are " the", "##ing" is "ing", a byte that is
    /// part of a character "⟨E4⟩".
    virtual std::string shown(int id) const = 0;
    virtual bool is_special(int id) const = 0;
    /// True where a piece of this token begins a word, for merging pieces to words.
    virtual bool starts_word(int id) const = 0;
    /// True where a piece of this token goes on with the word before it, by its spelling. Never of
    /// punctuation and of scripts without spaces, but where the token itself is marked so.
    virtual bool continues_word(int id) const = 0;
    virtual std::string decode(std::span<const int> ids, bool skip_special) const = 0;
    virtual const NamedIds& named() const = 0;
};

/// A tokenizer.json. Errors: malformed, mismatch, out_of_range; unsupported names the component
/// that is not known.
base::Result<std::shared_ptr<const Tokenizer>> read_tokenizer(std::string_view tokenizer_json_bytes,
                                                              const std::string& subject);

/// A folder, a tokenizer.json, a SentencePiece model or a GGUF file. Of a folder: tokenizer.json,
/// else vocab.json with merges.txt, vocab.txt, or a SentencePiece model; of a translator the source
/// side.
base::Result<std::shared_ptr<const Tokenizer>> open_tokenizer(const std::string& path);

struct Tokenizers {
    std::shared_ptr<const Tokenizer> source, target; // the same where a model has one
};
/// Tokenizers of such a path, two of a model that reads one language and writes another (Marian).
base::Result<Tokenizers> open_tokenizers(const std::string& path);

} // namespace heed::tokenizers
