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

/// A head of the first layer speaks as in the clean run, every other head up to the second layer as
/// in the corrupted one, and the feed-forward networks between answer what they then read; a head
/// of the second layer attends to that (queries, keys and values, at every token), and all behind
/// it is computed. Errors: those of patch(); mismatch for models whose sublayers do not add up to
/// what a later layer reads (post-norm, or a norm of what a sublayer gives); out_of_range for the
/// layers.
base::Result<Paths> patch_paths(const std::shared_ptr<const models::Run>& clean,
                                const std::shared_ptr<const models::Run>& corrupted,
                                const Question& question, const PathsAsked& asked,
                                num::ThreadPool& pool, const std::stop_token& stop = {});

} // namespace heed::inside
