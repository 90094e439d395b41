// Tokens back to text.
#pragma once

#include "tokenizers/text/fields.hpp"

#include <functional>
#include <string>
#include <vector>

namespace heed::tokenizers {

/// Tokens become parts of a text, which are joined in the end. May throw Refused.
using Decoder = std::function<std::vector<std::string>(std::vector<std::string>)>;

/// Throws Refused; unsupported names a decoder that is not known.
Decoder read_decoder(Fields fields);

Decoder byte_level_decoder();
Decoder wordpiece_decoder(const std::string& prefix, bool cleanup);

/// The bytes of a byte-level token; its own where a character stands for no byte.
std::string bytes_of_token(const std::string& token);

} // namespace heed::tokenizers
