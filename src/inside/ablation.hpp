// Ablation (Michel et al. 2019; Wang et al. 2022, section 2.1): what a model answers without one of
// its heads or feed-forward networks.
#pragma once

#include "inside/instead.hpp"
#include "inside/replay.hpp"

#include <map>

namespace heed::inside {

std::string_view name(Instead instead); // "zero", "mean", "other"
std::optional<Instead> instead_named(std::string_view name);

/// The mean of every part's activation over the tokens of several runs of one model, padding left
/// out: a corpus.
class MeanActivations {
  public:
    void add(const models::Run& run);
    Index tokens() const { return tokens_; }
    /// 1 × the part's width. Requires a run that had the part.
    num::RowVector<float> of(const PartId& part) const;

  private:
    std::map<std::string, num::RowVector<double>> sums_; // by the part's name and stack
    std::map<std::string, Index> counts_;
    Index tokens_ = 0;
};

struct AblationOptions {
    Instead instead = Instead::mean;
    std::shared_ptr<const models::Run> other = {}; // of Instead::other: as many tokens
    const MeanActivations* means = nullptr;        // of Instead::mean
    std::vector<PartId> parts = {};                // nothing: all, the last layer first
    std::optional<Answer> whole = {};              // of the run itself, where it is known
    std::stop_token stop = {};
    /// Called with some parts as soon as they are measured.
    std::function<void(const std::vector<struct Ablated>&)> told = {};
};

struct Ablated {
    PartId part;
    Answer answer; // without it
};

struct Ablation {
    Answer whole; // of the run itself
    std::vector<Ablated> parts;
};

/// Each part alone, the others whole; a run is made from the part's own layer on. Errors: those of
/// readout_of and check, mismatch for another sentence of another length, cancelled.
base::Result<Ablation> ablate(const std::shared_ptr<const models::Run>& run,
                              const Question& question, num::ThreadPool& pool,
                              const AblationOptions& options = {});

/// Errors: mismatch, which names both lengths, or the model. What `other` is held to be for
/// patching and Instead::other: another sentence of as many tokens, for the same model.
base::Result<void> check_pair(const models::Run& run, const models::Run& other);

} // namespace heed::inside
