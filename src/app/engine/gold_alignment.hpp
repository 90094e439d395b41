// Alignment of the heads of a model that was trained on a task, word by word, held against the
// task's own alignment.
#pragma once

#include "models/model/model.hpp"
#include "train/loop/measures.hpp"
#include "train/tasks/pair.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace heed::app {

struct GoldAlignment {
    /// Held-out sentences of the task; null where the model has no task, or nobody aligned it.
    std::shared_ptr<const std::vector<train::Pair>> pairs;
    std::vector<trace::HeadId> heads;                 // of the attention that aligns
    std::vector<std::vector<train::Aligned>> aligned; // a head, a sentence: as far as measured

    std::size_t measured() const { return aligned.empty() ? 0 : aligned.front().size(); }
    bool complete() const { return !pairs || measured() == pairs->size(); }
    /// 1 − alignment error rate (Och and Ney 2003) of the sentences measured so far; nothing of a
    /// head that does not align, or before the first one.
    std::optional<double> of(const trace::HeadId& head) const;
};

/// True where the model learned a task whose pairs are aligned, and has an attention that aligns.
bool has_gold(const models::Model& model);
GoldAlignment gold_begun(const models::Model& model);
/// Alignment of the same model under other controls: the sentences stay, and none is measured.
GoldAlignment gold_again(GoldAlignment gold);
/// One sentence more, with the run's controls. False when stopped. Requires one not complete. A
/// model that cannot read them has none.
bool measure_gold(GoldAlignment& gold, const models::Run& run, num::ThreadPool& pool,
                  const std::stop_token& stop);

} // namespace heed::app
