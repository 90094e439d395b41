// Path patching (Wang et al. 2022, section 3.1 and appendix B): how much of an answer comes back
// when one head hears of another head of the clean run, and nobody else does.
#pragma once

#include "inside/patching.hpp"

namespace heed::inside {

struct PathsAsked {
    AttentionKind stack = AttentionKind::decoder_self; // encoder_self or decoder_self
    int from = 0, to = 1;                              // layers, from 0; from < to
};

struct PatchedPath {
    int from = 0, to = 0; // heads, from 0
    float recovered = 0;  // as Patched::recovered
    Answer answer;
};

struct Paths {
    Answer clean, corrupted;
    std::vector<PatchedPath> paths; // each head of the first layer, with every one of the second
};

/// What a head of the first layer made in the clean run, less what it made in the corrupted one, is
/// added to what a head of the second layer reads: queries, keys and values, at every token. All
/// between them is as in the corrupted run; all behind the second head is computed. Errors: those
/// of patch(); mismatch for models whose sublayers do not add up to what a later layer reads
/// (post-norm, or a norm of what a sublayer gives); out_of_range for the layers.
base::Result<Paths> patch_paths(const std::shared_ptr<const models::Run>& clean,
                                const std::shared_ptr<const models::Run>& corrupted,
                                const Question& question, const PathsAsked& asked,
                                num::ThreadPool& pool, const std::stop_token& stop = {});

} // namespace heed::inside
