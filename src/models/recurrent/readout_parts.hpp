// Parts of what the readout of a recurrent model reads: what it would say of each of them alone.
#pragma once

#include "models/recurrent/recurrent_parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::models {

/// t, which the words are read from, a row a step; null where the run said nothing.
std::shared_ptr<const trace::Tensor> words_read_from(const Run& run);

/// Parts by name, the last of which is all that the readout reads. Of a decoder the word before
/// (E y_{i−1}), the context c_i where it attends, the state s_i of every layer, each read in the
/// place of the last one's, and all. Of an encoder that says words itself its layers.
std::vector<std::string> readout_parts(const RecurrentConfig& config);

/// t of every step where the readout reads this part alone and 0 of the others, steps × hidden; of
/// the last part the run's own. Requires a run of a recurrent model, and a part of it.
Matrix<float> part_output(num::ThreadPool& pool, const Run& run, std::size_t part);

} // namespace heed::models
