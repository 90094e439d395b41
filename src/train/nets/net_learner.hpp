// A learner made of a net: shares of a batch to threads, one after another added up.
#pragma once

#include "train/nets/learner.hpp"
#include "train/nets/net.hpp"
#include "train/nets/places.hpp"

#include <memory>
#include <vector>

namespace heed::train {

class NetLearner : public Learner {
  public:
    std::vector<Parameter> parameters() override;
    BatchResult learn(num::Team& team, std::span<const Example* const> batch,
                      const Hardships& hardships, std::uint64_t seed) override;
    BatchResult judge(num::Team& team, std::span<const Example* const> batch) override;
    void moved(num::Team& team) override;

  protected:
    /// Both are those of the model whose numbers are the first; `places` has all that the net asks
    /// for.
    void start(num::Team& team, std::unique_ptr<Places> places, std::unique_ptr<Net<float>> net);
    const Places& places() const { return *places_; }
    const float* values() const { return values_.data(); }

  private:
    struct Share {
        std::vector<float> gradients;
        std::unique_ptr<Pass<float>> pass;
    };
    BatchResult run(num::Team& team, std::span<const Example* const> batch,
                    const PassSettings& settings);
    void add_up(num::Team& team, std::size_t shares);

    std::unique_ptr<Places> places_;
    std::unique_ptr<Net<float>> net_;
    std::vector<float> values_;
    std::vector<Share> shares_; // the first's gradients are those of all, in the end
};

} // namespace heed::train
