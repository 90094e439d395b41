// Tables of what pictures are drawn of: one function a kind of picture, over the very data and
// options that it is drawn with. Places that pictures count from 1 are counted from 1 here.
#pragma once

#include "figure/views/beam_tree.hpp"
#include "figure/views/decoder_step.hpp"
#include "figure/views/flow.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/neurons.hpp"
#include "figure/views/plots.hpp"
#include "figure/views/position_room.hpp"
#include "figure/views/softmax_room.hpp"
#include "figure/views/unrolled.hpp"
#include "files/tables.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// The map, and the strips beside it where they are drawn.
files::Tables tables_of(const figure::MapData& map, const figure::HeatmapOptions& options,
                        const std::string& name);
/// A map of weights a head, and every link that is drawn. `squares`: between two columns, the sums
/// at their sides.
files::Tables tables_of(const figure::LinesData& data, const figure::LinksOptions& options,
                        bool squares);
/// Score to weight of every key; the features of query and keys and their products, in the order
/// of the stripes.
files::Tables tables_of(const figure::NeuronsData& data, const figure::NeuronsOptions& options);
/// The share that passes through every node, and the links that are drawn.
files::Tables tables_of(const figure::FlowData& data, const figure::FlowOptions& options);
/// The table of positions, the curves that are drawn of it, and what depends on the offset.
files::Tables tables_of(const figure::PositionRoomData& data);
/// Weights, Jacobian, the curves over the factor, and the distributions of random products.
files::Tables tables_of(const figure::SoftmaxRoomData& data);
/// Words, weights and every vector of one step.
files::Tables tables_of(const figure::DecoderStepData& data);
/// The states of each row of cells, the contexts, and what the chosen step reads of each word.
files::Tables tables_of(const figure::UnrolledData& data);
/// Every word that was kept, and the hypotheses.
files::Tables tables_of(const figure::BeamTreeData& data);

/// Rows of a matrix, by their places, and their labels, where they have any.
std::shared_ptr<const num::Matrix<float>> rows_of(const num::Matrix<float>& values,
                                                  const std::vector<int>& rows);
std::vector<std::string> labels_of(const std::vector<std::string>& labels,
                                   const std::vector<int>& rows);
/// "1", "2", …; from `first`.
std::vector<std::string> counted_labels(num::Index count, num::Index first = 1);

} // namespace heed::app
