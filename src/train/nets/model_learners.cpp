#include "train/nets/model_learners.hpp"

#include "base/check.hpp"
#include "models/recurrent/recurrent_parameters.hpp"
#include "models/transformer/parameters.hpp"
#include "train/nets/classifier_net.hpp"
#include "train/nets/net_learner.hpp"
#include "train/nets/recurrent_net.hpp"
#include "train/nets/transformer_net.hpp"

#include <utility>

namespace heed::train {

namespace {

/// `Kind` is a model with its Parameters.
template <class Kind> class ModelLearner final : public NetLearner {
  public:
    template <class MakeNet>
    ModelLearner(num::ThreadPool& pool, std::shared_ptr<const Kind> model, MakeNet&& make_net)
        : model_(std::move(model)) {
        auto places = std::make_unique<ParameterLayout>(named_tensors(model_->parameters()));
        auto net = make_net(model_->parameters(), *places);
        start(pool, std::move(places), std::move(net));
    }

    std::shared_ptr<const models::Model> model(num::ThreadPool&) const override {
        auto parameters = std::make_unique<typename Kind::Parameters>(model_->parameters());
        places().write(values(), named_tensors(*parameters));
        return Kind::of(std::move(parameters), model_->provenance());
    }

  private:
    std::shared_ptr<const Kind> model_; // as it was at first
};

} // namespace

std::unique_ptr<Learner> make_learner(num::ThreadPool& pool,
                                      std::shared_ptr<const models::Model> model) {
    if (auto kind = std::dynamic_pointer_cast<const models::Transformer>(model)) {
        const auto net =
            is_classifier(kind->config()) ? classifier_net<float> : transformer_net<float>;
        return std::make_unique<ModelLearner<models::Transformer>>(pool, std::move(kind), net);
    }
    auto kind = std::dynamic_pointer_cast<const models::Recurrent>(model);
    HEED_CHECK(kind, "a model of a kind that nobody trains, at {}", fmt::ptr(model.get()));
    return std::make_unique<ModelLearner<models::Recurrent>>(pool, std::move(kind),
                                                             recurrent_net<float>);
}

} // namespace heed::train
