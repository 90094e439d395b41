#include "app/class_form.hpp"

namespace heed::app {

std::string_view name(Learner learner) {
    switch (learner) {
    case Learner::last: return "last h";
    case Learner::mean: return "mean h";
    case Learner::attention: return "additive attention";
    case Learner::transformer: return "transformer 2+2";
    }
    return "?";
}

models::Config config_of(Learner learner, std::uint64_t seed) {
    if (learner == Learner::transformer) {
        models::TransformerConfig config = train::small_transformer();
        config.seed = seed;
        return config;
    }
    models::RecurrentConfig config = train::small_recurrent();
    config.context = learner == Learner::last   ? models::Context::last
                     : learner == Learner::mean ? models::Context::mean
                                                : models::Context::attention;
    config.seed = seed;
    return config;
}

std::vector<train::Plan> plans_of(const ClassForm& form) {
    std::vector<train::Plan> plans;
    for (std::size_t i = 0; i < kLearners.size(); ++i) {
        if (!form.learns[i]) continue;
        const auto seed = static_cast<std::uint64_t>(form.seed);
        train::Plan plan = train::usual_plan(form.task, config_of(kLearners[i], seed));
        plan.seed = plan.sentences.seed = seed;
        plan.sentences.max_length = form.max_length;
        plan.steps = static_cast<std::uint64_t>(form.steps);
        plan.batch_size = static_cast<std::size_t>(form.batch);
        plan.schedule.rate *= form.rate_factor;
        plan.hardships.dropout = form.dropout;
        plan.hardships.label_smoothing = form.label_smoothing;
        plans.push_back(plan);
    }
    return plans;
}

} // namespace heed::app
