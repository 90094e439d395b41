// Scores of every head of the model: scores of the text at hand, of random sequences that come
// twice, and of sentences whose alignment is known, measured one after another.
#pragma once

#include "app/engine/engine.hpp"
#include "app/engine/gold_alignment.hpp"
#include "inside/attribution.hpp"
#include "inside/head_table.hpp"

#include <array>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::app {

struct HeadScores {
    /// Every head, as inside::all_heads() has them; induction and copying, once they are measured,
    /// are means over the sequences, alignment is of all sentences together.
    std::vector<inside::HeadRow> heads;
    std::uint64_t sequences = 0, all_sequences = 0; // 0 of a model that reads none
    GoldAlignment gold; // behind the sequences: sentences of the task that the model learned

    bool complete() const { return sequences >= all_sequences && gold.complete(); }
    /// Null for a head that the model has not.
    const inside::HeadRow* find(const trace::HeadId& head) const;

    struct Sums { // of induction, of copying
        std::array<double, 2> sum{};
        std::array<std::uint64_t, 2> count{};
    };
    std::vector<Sums> repeated; // of each head
};

/// "induction (0.93)": inside::head_label() of a row; empty where it is of too short a text.
std::string head_label(const inside::HeadRow& row);
/// "induction (0.93) on repeated sequences": label of a part of the run, and what it was measured
/// on; empty where nothing is known of it, and where no score names it: a head that is broad, or
/// mixed.
std::string score_of_head(const Snapshot& snapshot, const inside::PartId& part);
/// "follows the gold alignment (0.93 on held-out sentences)": the same as what it does.
std::string role_of_head(const Snapshot& snapshot, const inside::PartId& part);

/// The scores of the text, at once; what `before` measured of sequences is taken over where model
/// and controls are the same. Null when stopped.
std::shared_ptr<const HeadScores> head_scores_begun(const Snapshot& snapshot,
                                                    const Snapshot* before, num::ThreadPool& pool,
                                                    const std::stop_token& stop);
/// Scores with one sequence or sentence more. Null when stopped. Requires incomplete scores.
std::shared_ptr<const HeadScores>
head_scores_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop);

} // namespace heed::app
