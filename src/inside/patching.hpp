// Activation patching (Vig et al. 2020; Meng et al. 2022, "causal tracing"; Wang et al. 2022): an
// activation of one run is put into another, and what comes back of the first one's answer is read.
#pragma once

#include "inside/ablation.hpp"

namespace heed::inside {

struct Patch {
    enum class Kind { residual, head } kind = Kind::residual;
    AttentionKind module = AttentionKind::decoder_self; // of a head; else the stack, as self
    int layer = 0;                                      // from 0
    int head = 0;                                       // from 0
    std::optional<Index> token = {};                    // nothing: every token
    bool operator==(const Patch&) const = default;
};

/// (patched − corrupted) / (clean − corrupted) of the question's logit: 1 where all of the clean
/// answer comes back, 0 where nothing does; it can be below 0 and above 1.
struct Patched {
    Patch patch;
    float recovered = 0;
    Answer answer;
};

struct Patching {
    Answer clean, corrupted;
    std::vector<Patched> patches;
};

struct PatchOptions {
    std::stop_token stop = {};
    std::optional<Answer> clean = {}, corrupted = {}; // of the two runs, where they are known
    /// Called once, before the first patch, and then with patches as soon as they are measured.
    std::function<void(const Answer& clean, const Answer& corrupted)> begun = {};
    std::function<void(const std::vector<Patched>&)> told = {};
};

/// Every layer and token of a stack's residual stream, the last layer first; none of a model whose
/// layer is its attention alone.
std::vector<Patch> layer_by_token(const models::Run& run, AttentionKind stack);
/// Every head at every token at once, the last layer first.
std::vector<Patch> head_by_head(const models::Run& run);
/// The stack in whose tokens two runs differ: where the words that are said are read, else the
/// encoder.
AttentionKind patched_stack(const models::Run& clean, const models::Run& corrupted);

/// Each patch alone, put from `clean` into `corrupted`. Errors: those of readout_of, check and
/// check_pair; out_of_range where both runs give the same logit; cancelled.
base::Result<Patching> patch(const std::shared_ptr<const models::Run>& clean,
                             const std::shared_ptr<const models::Run>& corrupted,
                             const Question& question, const std::vector<Patch>& patches,
                             num::ThreadPool& pool, const PatchOptions& options = {});

} // namespace heed::inside
