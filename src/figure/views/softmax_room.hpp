// The Softmax room: what one factor on the scores does to weights and gradients, and why 1/√d_k.
#pragma once

#include "figure/base/frame.hpp"
#include "num/dot_histogram.hpp"
#include "num/softmax_sweep.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct SoftmaxRoomData {
    std::string title{}, subtitle{};
    std::vector<std::string> keys{}; // where there are fewer than logits, the rest have no label
    std::vector<int> word_of{};      // the word that each is a piece of; empty: none are joined
    std::vector<float> logits{};     // one row of scores; −inf is masked
    std::vector<int> hidden{};       // keys that the pictures leave out, ascending; y sums over all
    float factor = 1;                // on the scores, now
    /// The weights that the run went on with, where they are not the softmax: set by hand, or after
    /// dropout.
    std::vector<float> run_weights{};
    std::string run_differs{};                        // "set by hand"
    std::shared_ptr<const num::SoftmaxSweep> sweep{}; // over the same logits; null: no curves
    /// Histograms of a few d_k, unscaled and scaled. Those of one kind share one chart.
    std::vector<num::DotHistogram> histograms{};
};

struct SoftmaxRoomOptions {
    std::optional<int> key{}; // selected: its bar and its row and column of the Jacobian
    bool page = false;        // all curves have names there; so where the height is open
};

/// softmax(logits · factor); what is masked stays so at every factor.
num::RowVector<float> softmax_weights(const SoftmaxRoomData& data);
/// The norm of the Jacobian at these weights, computed in double: a sweep has the same number.
float softmax_gradient(const SoftmaxRoomData& data);
/// The names of these keys, ascending: a word that comes again has its position behind it. Empty
/// where a key has no label.
std::vector<std::string> names_of_keys(const SoftmaxRoomData& data, const std::vector<int>& keys);
/// The most keys that a Jacobian is drawn for.
inline constexpr Index kMostJacobianKeys = 512;

/// The part that a target belongs to: `part` of its tag.
enum class SoftmaxPart {
    weights,  // score × factor and weight of every key. Targets: the bars of keys
    jacobian, // diag(y) − y yᵀ. Targets: cells, keys × keys
    curves,   // every weight over the factor. Targets of curves and gradient: cells, 1 × factors
    gradient, // ‖diag(y) − y yᵀ‖ over the factor
    entropy,
    unscaled, // histograms of q · k. Targets: cells, 1 × bins
    scaled,   // and of q · k / √d_k
};

/// All of them as cards, with a marker at the present factor.
Figure softmax_room(const SoftmaxRoomData& data, const SoftmaxRoomOptions& options,
                    const Frame& frame);
/// One of them alone.
Figure softmax_part(const SoftmaxRoomData& data, SoftmaxPart part,
                    const SoftmaxRoomOptions& options, const Frame& frame);

} // namespace heed::figure
