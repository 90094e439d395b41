// Questions of pages to the heads of a model that somebody runs.
#pragma once

#include "lab/page.hpp"

#include <vector>

namespace heed::lab {

/// The run's heads that keep queries and keys, in the order of its kinds and layers: at most
/// `most`, evenly taken from all.
std::vector<trace::HeadId> heads_of(const models::Run& run, std::size_t most = 48);

/// The most queries of a head that are looked at, and keys of its pictures that are drawn.
inline constexpr num::Index kMostCells = 64;
/// The first kMostCells queries of a stage of a head's map with all of their keys, in double.
num::Matrix<double> first_rows(const models::Run& run, const trace::HeadId& head,
                               trace::Stage stage);
/// " The numbers are of the first 64 words." where a head has more queries; else nothing.
std::string of_first_words(const models::Run& run, const trace::HeadId& head);

/// The mean of ‖∂y/∂x‖ over rows of weights y = softmax(x).
double mean_jacobian_norm(const num::Matrix<double>& weights);

/// "encoder layer 5 · head 3".
std::string words_of(const trace::HeadId& head);
/// Words as they begin a sentence.
std::string capitalised(std::string words);

/// The first kMostCells rows and columns of some weights as a heat map with a head's tokens.
Picture picture_of(const models::Run& run, const trace::HeadId& head,
                   const num::Matrix<double>& values, std::string title, std::string subtitle);

/// The run's controls with something more for one head.
models::Controls with(const models::Run& run, const trace::HeadId& head,
                      const models::HeadControls& more);

} // namespace heed::lab
