// Picture of the room Inside of a run, measured bit by bit: what each layer would say, what made it
// say a word, the answer without each head, and what comes back of it in another sentence's run.
#pragma once

#include "app/engine/engine.hpp"
#include "inside/head_values.hpp"
#include "inside/lens.hpp"
#include "inside/other_weights.hpp"
#include "inside/paths.hpp"
#include "inside/token_accounts.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::app {

class KnownWords; // app/engine/inside_other.hpp

/// The mean of every part's activation over a corpus that this model read.
struct CorpusMeans {
    std::shared_ptr<const models::Model> model;
    std::string name; // of the file
    inside::MeanActivations means;
};

/// Text that the model says freely, or goes on with, with every head and with one at 0.
struct Following {
    trace::HeadId head;
    std::string whole, without;
};

/// Other weights of one row of a head that give the same answer, or why there are none.
struct OtherRow {
    trace::HeadId head;
    num::Index query = 0;
    std::optional<inside::OtherWeights> found{};
    std::optional<base::Error> error{};
};

struct InsidePicture {
    InsideFocus asked;
    std::optional<base::Error> error; // why this model cannot be asked; then nothing follows
    inside::Readout readout;          // of a recurrent model: a lens, and no parts
    inside::Question question;
    inside::Answer answer;
    std::vector<inside::LensWord> likeliest; // what may be said there
    float entropy_bits = 0;
    std::vector<inside::LayerNorms> norms; // of the stream and its updates

    num::Index first_token = 0, tokens = 0; // that the lens shows: the nearest to the asked one
    num::Index lens_tokens = 0;             // in all; 0 where there is no lens
    /// Cells of all tokens, row by row, a row of each layer; those that are not measured yet have
    /// no words. Null before the first.
    std::shared_ptr<const std::vector<inside::LensCell>> lens;
    std::size_t lens_measured = 0;

    std::optional<inside::Attribution> attribution;
    std::optional<base::Error> attribution_error;

    std::size_t parts = 0;                // in all
    std::vector<inside::Ablated> without; // measured: the last layer first
    /// Found where a class is read from the mean over tokens: then zero takes its place.
    bool mean_changes_nothing = false;

    bool other_read = false; // the sentence was asked for, or one was made
    std::string other_text;  // it; empty where none could be made
    std::shared_ptr<const models::Run> other;
    std::optional<base::Error> other_error; // why there is nothing to patch
    PatchBy patch = PatchBy::stream; // as asked, where the model has no stream by heads instead
    trace::AttentionKind patched_stack = trace::AttentionKind::decoder_self;
    std::vector<inside::Patch> patches;       // all
    std::vector<inside::Patched> patched;     // measured: the last layer first
    inside::Answer corrupted;                 // of the other run, once a patch is measured
    std::optional<inside::Paths> paths;       // when asked, in place of patches
    inside::PathsAsked asked_paths;           // whose layers are moved to what the model has
    std::shared_ptr<const CorpusMeans> means; // as they were asked for

    // app/engine/inside_tokens.hpp
    inside::TokenAccounts accounts; // which tokens the word stands on: as far as they are asked for
    std::optional<base::Error> accounts_error;
    std::vector<OtherRow> other_rows; // of heads that were looked at

    std::vector<Following> following; // of heads that were looked at: app/engine/continuation.hpp

    /// Stand-in for a head: what was asked for, where it can be had.
    inside::Instead instead() const;
    /// True where the mean in its place is that of a corpus.
    bool means_of_corpus(const models::Run& run) const;
    /// Measured cell of the lens; null before it is.
    const inside::LensCell* lens_cell(int layer, num::Index token) const;
    /// True once all that is shown is measured; numbers of the lens behind it come last.
    bool complete() const;
    bool lens_complete() const;
    /// True once the lens and what made it say the word are there.
    bool answers_words() const;
    /// True where the other sentence is one that was made.
    bool made_other() const { return asked.other.empty(); }
};

/// The quick part, for what the snapshot's document asks; what `before` measured of the same is
/// taken over.
std::shared_ptr<const InsidePicture> inside_begun(const Snapshot& snapshot, const Snapshot* before,
                                                  num::ThreadPool& pool);
/// The picture with some more, after about a twentieth of a second. Null when stopped; what was
/// found out about the model's words stays in `known`. Requires one that, or whose lens, is not
/// complete.
std::shared_ptr<const InsidePicture> inside_measured(const Snapshot& snapshot, KnownWords& known,
                                                     num::ThreadPool& pool,
                                                     const std::stop_token& stop);

} // namespace heed::app
