// What the room Inside shows of a run, measured bit by bit: what each layer would say, what made it
// say a word, the answer without each head, and what comes back of it in another sentence's run.
#pragma once

#include "app/engine/engine.hpp"
#include "inside/lens.hpp"
#include "inside/patching.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace heed::app {

struct InsidePicture {
    InsideFocus asked;
    std::optional<base::Error> error; // why this model cannot be asked; then nothing follows
    inside::Readout readout;
    inside::Question question;
    inside::Answer answer;
    std::vector<inside::LensWord> likeliest; // what may be said there
    float entropy_bits = 0;

    num::Index first_token = 0, tokens = 0; // that the lens shows: the last up to the asked one
    std::size_t lens_cells = 0;             // in all; 0 where there is no lens
    std::shared_ptr<const std::vector<inside::LensCell>> lens; // measured: the last token first

    std::optional<inside::Attribution> attribution;
    std::optional<base::Error> attribution_error;

    std::size_t parts = 0;                // in all
    std::vector<inside::Ablated> without; // measured: the last layer first

    std::shared_ptr<const models::Run> other;
    std::optional<base::Error> other_error; // why there is nothing to patch
    trace::AttentionKind patched_stack = trace::AttentionKind::decoder_self;
    std::vector<inside::Patch> patches;   // all
    std::vector<inside::Patched> patched; // measured: the last layer first
    inside::Answer corrupted;             // of the other run, once a patch is measured

    /// What stands in the place of a head: what was asked for, where it can be had.
    inside::Instead instead() const;
    bool complete() const;
    bool reads_other() const { return !asked.other.empty(); }
};

/// The quick part, for snapshot.needs.inside; what `before` measured of the same is taken over.
std::shared_ptr<const InsidePicture> inside_begun(const Snapshot& snapshot, const Snapshot* before,
                                                  num::ThreadPool& pool);
/// Some more, for about a twentieth of a second. Null when stopped. Requires one not complete.
std::shared_ptr<const InsidePicture>
inside_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop);

} // namespace heed::app
