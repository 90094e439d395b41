// Numbers in blocks, as GGUF has them: small whole numbers, and the scales that a block shares.
#pragma once

#include "tensors/element.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::tensors {

/// IEEE 754 binary16.
float half_to_float(std::uint16_t half);

/// The numbers of a type from q8_0 on; `bytes` are whole blocks.
std::vector<float> unpacked_blocks(std::string_view bytes, Element element);

} // namespace heed::tensors
