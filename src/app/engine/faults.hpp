// The faults of attention weights: what must hold of them, looked up in the numbers that are shown
// rather than taken for granted.
#pragma once

#include "trace/trace.hpp"

#include <string>
#include <vector>

namespace heed::app {

using num::Index;
using num::Matrix;

struct MapFaults {
    std::vector<Index> rows;       // queries whose weights do not sum to 1 within kSumTolerance
    float farthest = 0;            // the largest distance of such a sum from 1
    std::vector<Index> other_rows; // queries with a fault that is not of their sum
    Index masked = 0;              // masked cells whose weight is not exactly 0
    Index not_finite = 0;          // weights that are no number, or infinite
    bool any() const { return !rows.empty() || masked > 0 || not_finite > 0; }
    bool operator==(const MapFaults&) const = default;
};
inline constexpr float kSumTolerance = 1e-4f;

/// weights: n × m, of this head. Rows without any key have no sum, and with dropout no row has one
/// that must be 1. A masked key that was given weight by hand is no fault.
MapFaults faults_of(const trace::AttentionMap& map, const Matrix<float>& weights);
/// Faults of some of the map's rows, from `first` on, added to what was found before.
void look_for_faults(MapFaults& faults, const trace::AttentionMap& map, const Matrix<float>& rows,
                     Index first);
/// "The weights of queries 3 and 5 do not sum to 1 (by up to 0.02)."; empty without a fault.
std::string fault_words(const MapFaults& faults);

} // namespace heed::app
