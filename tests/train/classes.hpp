// Small plans and datasets that tests train in a moment.
#pragma once

#include "catch.hpp"
#include "train/loop/training.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace heed::train {

inline Plan small_plan(std::uint64_t steps = 8) {
    models::ModelSpec config = small_transformer();
    config.d_model = 16;
    config.d_ff = 24;
    config.n_heads = 2;
    config.n_encoder_layers = config.n_decoder_layers = 1;
    Plan plan = usual_plan(Task::reverse, config);
    plan.sentences.training = 60;
    plan.sentences.held_out = 12;
    plan.sentences.max_length = 5;
    plan.batch_size = 8;
    plan.regularization.dropout = 0.1f;
    plan.steps = steps;
    return plan;
}

inline std::shared_ptr<const Dataset> dataset_of(const Plan& plan) {
    const auto dataset = prepare_dataset(plan.task, plan.sentences);
    REQUIRE(dataset);
    return *dataset;
}

inline std::unique_ptr<Training> begun(const Plan& plan, num::ThreadPool& pool) {
    auto training = Training::begin(plan, dataset_of(plan), pool);
    if (!training) FAIL(base::describe(training.error()));
    return *std::move(training);
}

inline void take(Training& training, std::uint64_t steps, num::ThreadPool& pool) {
    for (std::uint64_t i = 0; i < steps; ++i) REQUIRE(training.step(pool));
}

struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const std::string& name)
        : path((std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "." + name))
                   .string()) {}
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

} // namespace heed::train
