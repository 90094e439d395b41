// Processors, which put around a text what belongs there: special tokens, and offsets without white
// space.
#pragma once

#include "tokenizers/text/fields.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heed::tokenizers {

/// A piece with places in characters of the text, as the library has them.
struct Placed {
    int id;
    std::string words;
    std::size_t begin, end;
};

struct Processor {
    /// The pieces of one text with what stands around them; `add_special` off: without special
    /// tokens.
    std::function<std::vector<Placed>(std::vector<Placed>, bool add_special)> apply;
    std::size_t added = 0; // special tokens that it adds
};

/// Throws Refused; unsupported names a post-processor that is not known.
Processor read_processor(Fields fields);
/// Puts pieces before and after the text.
Processor around(std::vector<Placed> before, std::vector<Placed> after);
Processor byte_level_processor(bool add_prefix_space, bool trim_offsets);
Processor processors_in_turn(std::vector<Processor> parts);

} // namespace heed::tokenizers
