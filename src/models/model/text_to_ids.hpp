// Between a person's text and the ids that a checkpoint reads.
#pragma once

#include "base/result.hpp"
#include "models/model/traits.hpp"
#include "text/token.hpp"
#include "tokenizers/tokenizer.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

/// Settings by which text is generated, as generation_config.json and config.json say it.
struct Generation {
    std::vector<int> ends;             // a text ends in one of these tokens
    std::optional<int> first, last;    // said first; said where the limit is reached
    std::vector<int> never, not_first; // never said; not said first
    std::vector<std::vector<int>> bad_words; // never said to their end
    int shortest = 0;   // a text with fewer tokens, all that were read among them, does not end
    int fewest_new = 0; // nor one of which fewer were said
    int no_repeat = 0;  // so many tokens are not said in a row a second time; 0: any
    int no_repeat_of_source = 0; // nor so many that stand in the source
    float length_penalty = 1; // of a beam: a hypothesis counts its log-probability / length^penalty
    std::vector<std::string> ignored; // settings of the file that Heed does not follow
    bool early_stopping = false;      // a beam ends once as many hypotheses ended as it is wide
};

struct TextToIds {
    tokenizers::Tokenizers tokenizers{}; // null where none could be read
    base::Error why_none{};              // then: what is missing, or not known
    std::optional<int> decoder_start{};  // what a decoder beside an encoder reads first
    Generation generation{};
    int rows = 0; // of the model's embedding: the ids below are its own
};

/// A token of a row of the vocabulary, as pictures name it: without the space before it, other
/// white space made visible. Its number where the vocabulary has no such row.
std::string token_label(const tokenizers::Tokenizer& tokenizer, int id);

/// Mark of a token that goes on with the word before it, in a list of those that might follow,
/// where none stands beside it: "##ing", whatever the tokeniser's own mark is (Devlin et al. 2019).
inline constexpr std::string_view kContinues = "##";

/// The ids of tokens; those that have none, such as padding, are left out.
std::vector<int> ids_of(std::span<const text::Token> tokens);
/// The text of these ids without special tokens, as far as its characters are whole.
std::string whole_characters(const tokenizers::Tokenizer& tokenizer, std::span<const int> ids);

/// Tokens that such a model reads on one side, at most.
std::size_t most_tokens(const Traits& traits);

enum class SideRead { encoder, decoder };
/// The tokens of a sentence as a model with these traits reads them on one side, at most as
/// many as it has places for; `dropped` are the rest. Special tokens stand as the model's files say
/// but on the side of a decoder beside an encoder, which reads its start and then the bare
/// sentence. Errors: unsupported where there is no tokeniser; those of Tokenizer::try_encode.
base::Result<std::vector<text::Token>> tokens_of(const TextToIds& ids, const Traits& traits,
                                                 SideRead side, std::string_view sentence,
                                                 std::size_t& dropped);
/// The tokens that a decoder with these traits reads as `given`, where its tokeniser cuts the
/// `text` that they say into `cut`. Where both agree, in front and behind, a token has its place in
/// the text; those between share one. Errors: mismatch where ids are no rows, or say another text.
base::Result<std::vector<text::Token>> tokens_of_ids(const TextToIds& ids, const Traits& traits,
                                                     std::span<const int> given,
                                                     std::span<const text::Token> cut,
                                                     std::string_view text, std::size_t& dropped);

} // namespace heed::models
