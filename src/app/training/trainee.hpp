// A trainee: one model of an experiment as a value, and the attention that is watched of it.
#pragma once

#include "train/loop/history.hpp"
#include "train/loop/training.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace heed::app {

/// One model of the experiment as it stood when it was looked at.
struct Trainee {
    train::Plan plan;
    std::uint64_t step = 0;
    std::optional<train::Progress> last{};
    std::shared_ptr<const train::History> history;         // never null
    std::shared_ptr<const models::Model> model{};          // at this step
    std::shared_ptr<const train::Evaluation> held_out{};   // the newest; null at first
    std::shared_ptr<const num::Matrix<float>> alignment{}; // of the shown pair, now
    std::optional<base::Error> error{};                    // it stopped learning at it
    /// The step with the highest held-out accuracy or, with EarlyStop, the least held-out loss.
    std::uint64_t best_step = 0;
    bool gave_up = false;                                  // EarlyStop: it gets no better
    /// The very steps of frames of the film, by their numbers, since this program learns; null:
    /// none. The history's points are means of more and more steps.
    std::shared_ptr<const std::map<std::uint64_t, train::LossPoint>> film_steps{};
    train::BadLines bad_vectors{};                         // passed over in a file of word vectors
    bool finished() const { return step >= plan.steps || gave_up || error; }
};

/// True where one measure is better than another: more sentences or labels are right; of equal ones
/// more tokens, and then the loss is less.
bool is_better(const train::Measures& one, const train::Measures& other);
/// The model that is taken away: as it is now or, where it has finished, as it was at its best.
std::shared_ptr<const models::Model> result_of(const Trainee& trainee);
std::uint64_t result_step(const Trainee& trainee); // its step

/// The head whose weights are shown of a model with several. `best` agrees best with gold links;
/// where there are none, and for a head that a model lacks, it is the mean of the last layer's.
struct AlignedBy {
    enum class Kind { best, mean, head } kind = Kind::best;
    int layer = 0, head = 0;
    bool operator==(const AlignedBy&) const = default;
};

/// The head that this means for a model; none: the mean.
std::optional<trace::HeadId> head_of(const Trainee& trainee, const AlignedBy& by);

/// The attention that is watched while a model learns: that to the source, where it says nothing
/// word by word the encoder's own. Nothing where a model does not choose what it reads.
std::optional<trace::AttentionKind> watched_attention(const models::Config& config);

/// The model's weights for a pair, train::aligning_part() of them, queries × keys; of a transformer
/// those of the head that held-out gold links chose, or the mean of the last layer's. Null where
/// nothing attends.
std::shared_ptr<const num::Matrix<float>>
alignment_of(num::ThreadPool& pool, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head);

} // namespace heed::app
