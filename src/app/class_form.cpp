#include "app/class_form.hpp"

#include "nn/score.hpp"
#include "train/own_sentences.hpp"

#include <fmt/format.h>

namespace heed::app {

std::string learner_name(const models::Config& config) {
    if (const auto* transformer = models::transformer_of(config)) {
        return fmt::format("transformer {}+{}", transformer->n_encoder_layers,
                           transformer->n_decoder_layers);
    }
    const auto& recurrent = *models::recurrent_of(config);
    const std::string cell =
        recurrent.cell == nn::Cell::gru ? "" : fmt::format("{} ", nn::name(recurrent.cell));
    if (recurrent.context == models::Context::attention) {
        return fmt::format("{}{} attention", cell, nn::name(recurrent.score));
    }
    return fmt::format("{}{} h", cell, models::name(recurrent.context));
}

std::string name(Learner learner) { return learner_name(config_of(learner, 1)); }

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
        if (!form.file.empty()) train::use_own(plan.sentences, form.file);
        plan.sentences.own.words = static_cast<std::size_t>(form.vocabulary);
        plan.sentences.max_length = form.max_length;
        plan.vectors = form.vectors;
        plan.patience = form.patience;
        plan.steps = static_cast<std::uint64_t>(form.steps);
        plan.batch_size = static_cast<std::size_t>(form.batch);
        plan.schedule.rate *= form.rate_factor;
        plan.hardships.dropout = form.dropout;
        plan.hardships.label_smoothing = form.label_smoothing;
        plans.push_back(plan);
    }
    return plans;
}

ClassForm form_of(const std::vector<train::Plan>& plans) {
    const train::Plan& plan = plans.front();
    ClassForm form;
    form.task = plan.task;
    form.learns.fill(false);
    for (const train::Plan& each : plans) {
        for (std::size_t i = 0; i < kLearners.size(); ++i) {
            const bool this_one = learner_name(each.model) == name(kLearners[i]);
            form.learns[i] = form.learns[i] || this_one;
        }
    }
    form.max_length = plan.sentences.max_length;
    form.steps = static_cast<int>(plan.steps);
    form.batch = static_cast<int>(plan.batch_size);
    form.rate_factor = plan.schedule.rate / train::usual_plan(plan.task, plan.model).schedule.rate;
    form.dropout = plan.hardships.dropout;
    form.label_smoothing = plan.hardships.label_smoothing;
    form.seed = static_cast<int>(plan.seed);
    form.file = plan.sentences.own.file;
    form.vectors = plan.vectors;
    form.vocabulary = static_cast<int>(plan.sentences.own.words);
    form.patience = plan.patience;
    return form;
}

} // namespace heed::app
