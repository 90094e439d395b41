// Hashes of what parts of a corpus have to have in common.
#pragma once

#include "models/model/model.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace heed::app {

/// Hash of some rows of every tensor, spread over it: another draw, training or fine-tuning is told
/// by it, a change of single cells may not be. The same for any number of threads.
std::uint64_t weights_hash(const models::Model& model, num::ThreadPool& pool);

/// Sixteen hexadecimal digits.
std::string text_check(std::string_view text);

} // namespace heed::app
