// The logit lens (nostalgebraist 2020): what every layer's state would say, if the final norm and
// the vocabulary read it. A recurrent model has no stream of layers: in their place its readout
// reads one of its parts alone, 0 of the others, and last all of them. That is Heed's extension,
// and no paper's; of an encoder that says words itself it is the lens over its layers.
#pragma once

#include "inside/readout.hpp"

#include <functional>
#include <stop_token>

namespace heed::inside {

struct LensPlace {
    int layer = 0;   // from 0: what that layer passes on; −1: the embedding. Or a part, from 0
    Index token = 0; // from 0
};

struct LensWord {
    Index word = 0;
    float probability = 0;
};

struct LensCell {
    LensPlace place;
    std::vector<LensWord> likeliest; // the most probable first
    float entropy_bits = 0;
    // The word that is asked for:
    float logit = 0, probability = 0;
    Index rank = 0; // words that are more probable
};

struct LensOptions {
    std::size_t likeliest = 5;      // words a cell
    std::optional<Index> word = {}; // whose rank is told; nothing: each cell's own first
    std::stop_token stop = {};
    /// Called with some cells, in the order that was asked for, as soon as they are there.
    std::function<void(const std::vector<LensCell>&)> told = {};
};

/// Cells of one place each, in their order. The whole vocabulary is read for every cell, of many
/// at once: what is asked for first is there first. Errors: those of any_readout_of, mismatch for a
/// model of classes, out_of_range for a place that is not there, cancelled.
base::Result<std::vector<LensCell>> logit_lens(const models::Run& run,
                                               const std::vector<LensPlace>& places,
                                               num::ThreadPool& pool,
                                               const LensOptions& options = {});

/// Every layer of these tokens, the last token first, and of a token the last layer first.
std::vector<LensPlace> lens_places(const Readout& readout, Index first, Index tokens);

} // namespace heed::inside
