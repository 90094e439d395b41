// The shares of attention that strips along maps and grids of heads show.
#pragma once

#include "app/engine/engine.hpp"
#include "app/engine/merging.hpp"
#include "num/threads.hpp"

#include <memory>
#include <stop_token>
#include <vector>

namespace heed::app {

/// The shares that the strips along maps and grid show, in the units of the map (tokens, or words).
struct StripShares {
    StripFocus of;                                 // what they are of
    std::shared_ptr<const Matrix<float>> given;    // n × 1, by each query to the chosen keys
    std::shared_ptr<const Matrix<float>> received; // 1 × m, by each key from the chosen queries
    /// layers × heads: what the chosen queries give to the chosen keys there; null while no keys
    /// are chosen, since all of a query's attention goes to all of them in any head.
    std::shared_ptr<const Matrix<float>> heads;
};

/// A choice of tokens as a picture counts them, ascending, once each; what is not there is left
/// out.
std::vector<int> chosen_queries(const Units& units, const std::vector<int>& tokens);
std::vector<int> chosen_keys(const Units& units, const std::vector<int>& tokens);

/// The shares of a map of weights, or of none (null). `before` may have the heads' shares of the
/// same run. Null where the focus asks for none, or when stopped. Requires snapshot.run and its
/// map.
std::shared_ptr<const StripShares> strip_shares(const Snapshot& snapshot, const Snapshot* before,
                                                num::ThreadPool& pool, const std::stop_token& stop);
/// The shares of a reference's map; its heads are not looked at.
std::shared_ptr<const StripShares> strip_shares(const Snapshot& reference);
/// The part of a reference that a picture of it is made of, as if it were the present state.
Snapshot as_snapshot(const ReferencePicture& reference);

} // namespace heed::app
