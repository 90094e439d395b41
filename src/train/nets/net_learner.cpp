#include "train/nets/net_learner.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"

#include <algorithm>

namespace heed::train {

std::vector<std::vector<const Example*>> shares_of(std::span<const Example* const> batch,
                                                   Index threads) {
    std::vector<const Example*> longest_first(batch.begin(), batch.end());
    const auto length = [](const Example* e) { return e->source.size() + e->target.size() + 1; };
    std::stable_sort(longest_first.begin(), longest_first.end(),
                     [&](const auto* a, const auto* b) { return length(a) > length(b); });
    const std::size_t count = std::min(batch.size(), static_cast<std::size_t>(threads));
    std::vector<std::vector<const Example*>> shares(count);
    std::vector<std::size_t> taken(count);
    for (const Example* example : longest_first) {
        const auto least =
            static_cast<std::size_t>(std::min_element(taken.begin(), taken.end()) - taken.begin());
        shares[least].push_back(example);
        taken[least] += length(example);
    }
    return shares;
}

void NetLearner::start(num::ThreadPool& pool, std::unique_ptr<ParameterLayout> places,
                       std::unique_ptr<Net<float>> net) {
    places_ = std::move(places);
    net_ = std::move(net);
    values_.resize(static_cast<std::size_t>(net_->size()));
    places_->read(values_.data());
    Share& first = shares_.emplace_back();
    first.gradients.resize(values_.size());
    first.pass = net_->pass(first.gradients.data());
    parameters_changed(pool);
}

std::vector<Parameter> NetLearner::parameters() {
    std::vector<Parameter> list;
    for (const ParameterLayout::Tensor& t : places_->tensors()) {
        const auto at = static_cast<std::size_t>(t.offset), size = static_cast<std::size_t>(t.size);
        list.push_back({t.name, std::span(values_).subspan(at, size),
                        std::span<const float>(shares_[0].gradients).subspan(at, size)});
    }
    return list;
}

void NetLearner::parameters_changed(num::ThreadPool& pool) { net_->set(pool, values_.data()); }

BatchResult NetLearner::learn(num::ThreadPool& pool, std::span<const Example* const> batch,
                              const Regularization& regularization, std::uint64_t seed) {
    return run(pool, batch, {regularization, seed, 1});
}

BatchResult NetLearner::evaluate_batch(num::ThreadPool& pool,
                                       std::span<const Example* const> batch) {
    return run(pool, batch, {{}, 1, 0});
}

BatchResult NetLearner::run(num::ThreadPool& pool, std::span<const Example* const> batch,
                            const PassSettings& settings) {
    HEED_CHECK(!batch.empty(), "a batch without examples, of {}", batch.size());
    Index words = 0;
    for (const Example* example : batch) words += net_->judged(*example);
    const auto lists = shares_of(batch, pool.size());
    while (shares_.size() < lists.size()) {
        Share& more = shares_.emplace_back();
        more.gradients.resize(values_.size());
        more.pass = net_->pass(more.gradients.data());
    }
    std::vector<CrossEntropy> parts(lists.size());
    pool.for_each(static_cast<Index>(lists.size()), [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        PassSettings own = settings;
        own.factor /= static_cast<double>(std::max<Index>(words, 1));
        own.seed = base::mix(settings.seed + static_cast<std::uint64_t>(i));
        parts[at] = shares_[at].pass->run(lists[at], own);
    });
    if (settings.factor != 0) add_up(pool, lists.size());
    BatchResult result;
    for (const CrossEntropy& part : parts) {
        result.loss += part.loss;
        result.tokens += static_cast<std::size_t>(part.counted);
        result.right += static_cast<std::size_t>(part.right);
        result.objective += part.smoothed / static_cast<double>(std::max<Index>(words, 1));
    }
    return result;
}

void NetLearner::add_up(num::ThreadPool& pool, std::size_t shares) {
    if (shares < 2) return;
    constexpr Index kRun = 16 * 1024;
    const auto size = static_cast<Index>(values_.size());
    pool.for_each((size + kRun - 1) / kRun, [&](Index run) {
        const Index begin = run * kRun, count = std::min(kRun, size - begin);
        Eigen::Map<Eigen::ArrayXf> sum(shares_[0].gradients.data() + begin, count);
        for (std::size_t s = 1; s < shares; ++s) {
            sum += Eigen::Map<const Eigen::ArrayXf>(shares_[s].gradients.data() + begin, count);
        }
    });
}

} // namespace heed::train
