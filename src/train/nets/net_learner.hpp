// A learner made of a net: shares of a batch to threads, one after another added up.
#pragma once

#include "train/nets/learner.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <memory>
#include <vector>

namespace heed::train {

class NetLearner : public Learner {
  public:
    std::vector<Parameter> parameters() override;
    BatchResult learn(num::ThreadPool& pool, std::span<const Example* const> batch,
                      const Regularization& regularization, std::uint64_t seed) override;
    BatchResult evaluate_batch(num::ThreadPool& pool,
                               std::span<const Example* const> batch) override;
    void parameters_changed(num::ThreadPool& pool) override;

  protected:
    /// Both arguments are those of the model whose numbers are the first; `places` has all that the
    /// net asks for.
    void start(num::ThreadPool& pool, std::unique_ptr<ParameterLayout> places,
               std::unique_ptr<Net<float>> net);
    const ParameterLayout& places() const { return *places_; }
    const float* values() const { return values_.data(); }

  private:
    struct Share {
        std::vector<float> gradients;
        std::unique_ptr<Pass<float>> pass;
    };
    BatchResult run(num::ThreadPool& pool, std::span<const Example* const> batch,
                    const PassSettings& settings);
    void add_up(num::ThreadPool& pool, std::size_t shares);

    std::unique_ptr<ParameterLayout> places_;
    std::unique_ptr<Net<float>> net_;
    std::vector<float> values_;
    std::vector<Share> shares_; // the first's gradients are those of all, in the end
};

} // namespace heed::train
