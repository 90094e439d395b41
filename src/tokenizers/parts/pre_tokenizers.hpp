// Pre-tokenizers, which cut a text before a model sees it.
#pragma once

#include "tokenizers/models/model.hpp"
#include "tokenizers/text/aligned_text.hpp"
#include "tokenizers/text/fields.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::tokenizers {

/// A part of the text; one with tokens is not cut any more.
struct Split {
    AlignedText text;
    std::optional<std::vector<Token>> tokens;
};

using PreTokenizer = std::function<void(std::vector<Split>&)>; // may throw Refused

/// Throws Refused; unsupported names a pre-tokenizer that is not known.
PreTokenizer read_pre_tokenizer(Fields fields);

PreTokenizer byte_level(bool add_prefix_space, bool use_regex);
PreTokenizer bert_pre_tokenizer();
Behavior read_behavior(Fields& fields, const char* key);

enum class Prepend { always, first, never };
/// The prepending of a Metaspace: `prepend_scheme`, or the older `add_prefix_space`.
Prepend read_prepend(Fields& fields);

} // namespace heed::tokenizers
