// What pages ask of the heads of a model that somebody runs.
#pragma once

#include "lab/page.hpp"

#include <vector>

namespace heed::lab {

/// The run's heads that keep queries and keys, in the order of its kinds and layers: at most
/// `most`, evenly taken from all.
std::vector<trace::HeadId> heads_of(const models::Run& run, std::size_t most = 48);

/// At most this many rows and columns of a map are looked at.
inline constexpr num::Index kMostCells = 64;
/// The upper left corner of a stage of a head's map, in double.
num::Matrix<double> corner(const models::Run& run, const trace::HeadId& head, trace::Stage stage);

/// "encoder, layer 5, head 3".
std::string words_of(const trace::HeadId& head);
/// The same at the beginning of a sentence.
std::string capitalised(std::string words);

/// A head's corner as a heat map with its tokens.
Picture picture_of(const models::Run& run, const trace::HeadId& head,
                   const num::Matrix<double>& values, std::string title, std::string subtitle);

/// The run's controls with something more for one head.
models::Controls with(const models::Run& run, const trace::HeadId& head,
                      const models::HeadControls& more);

} // namespace heed::lab
