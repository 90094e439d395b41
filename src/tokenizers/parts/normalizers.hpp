// Normalizers, which change a text before it is cut.
#pragma once

#include "tokenizers/text/aligned_text.hpp"
#include "tokenizers/text/fields.hpp"

#include <functional>

namespace heed::tokenizers {

using Normalizer = std::function<void(AlignedText&)>; // may throw Refused

/// Throws Refused; unsupported names a normalizer that is not known.
Normalizer read_normalizer(Fields fields);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
void normalize(AlignedText& text, NormalForm form);

/// Every byte as GPT-2's character for it.
void bytes_to_characters(AlignedText& text);

struct BertRules {
    bool clean_text = true, handle_chinese_chars = true, strip_accents = true, lowercase = true;
};
Normalizer bert_normalizer(const BertRules& rules);

} // namespace heed::tokenizers
