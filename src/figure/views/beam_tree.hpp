// The Beam view: what a beam search kept after every step, as the tree that it is.
#pragma once

#include "figure/base/frame.hpp"
#include "trace/beam.hpp"

#include <memory>
#include <optional>
#include <string>

namespace heed::figure {

struct BeamTreeData {
    std::string title{}, subtitle{};
    std::shared_ptr<const trace::Beam> beam{};
};

struct BeamTreeOptions {
    std::optional<int> step{};  // that is looked at: framed, and kept in sight
    std::optional<int> sight{}; // that is kept in sight in its place
};

/// Steps from left to right, in each the words that were kept, the most probable hypothesis first,
/// with its ln p. The best hypothesis is drawn thick, the followed one in the accent; what the
/// search dropped later is faint. Nodes are as wide as their words where there is room. Of more
/// steps than have room those around options.sight are shown, with a way to the others at the
/// sides, or, where the height is open, all of them in bands below each other; of more words those
/// of the best hypotheses; below, as many of the sentences that were found as fit. Targets: nodes
/// (step and number in the beam), row labels (the next step out of sight).
Figure beam_tree(const BeamTreeData& data, const BeamTreeOptions& options, const Frame& frame);

/// The most probable hypothesis that goes through a node; empty where none does.
std::optional<int> hypothesis_through(const trace::Beam& beam, int node);

} // namespace heed::figure
