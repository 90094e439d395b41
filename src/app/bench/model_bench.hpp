// Models of the sizes that people use, as heed bench measures them: weights drawn in a family's
// shape.
#pragma once

#include "app/bench/bench.hpp"
#include "base/result.hpp"
#include "models/model/model.hpp"
#include "num/threads.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

struct ModelCase {
    std::string name;
    int tokens = 0;
    double gflop = 0;     // of its products, of a causal map its lower half
    double gigabytes = 0; // of weights, keys and values that it reads once
    std::function<base::Result<void>()> work;
    BenchLimit limit{};
};

/// GPT-2 small.
models::ModelSpec gpt2_spec();
/// Input of so many rows of the vocabulary.
models::Input row_input(int count);

/// model/gpt2: GPT-2 small, every head's map left in memory; model/gpt2/append: one token more than
/// the run before had, and the probabilities of the next; model/gpt2/edit: another token in the
/// middle of the run before; model/gpt2/fader: a head of the last layer faded in it. model/llama
/// and model/llama/append: 1.1 billion parameters in bf16. model/t5: T5 base, so many tokens a
/// side. model/bert: BERT base; model/pythia: Pythia of 160 million parameters in bf16;
/// model/gemma: two layers of Gemma 2B in bf16; each with /append where it goes on.
class ModelBench {
  public:
    /// The cases that start so, ready to be repeated; `pool` must outlive them. Errors: those of
    /// drawing a model and of a run.
    base::Result<std::vector<ModelCase>> cases(std::string_view only, num::ThreadPool& pool);

  private:
    struct Shape;
    struct Size;
    static const std::vector<Shape>& shapes();
    base::Result<std::shared_ptr<const models::Model>> drawn(const Shape& shape,
                                                             num::ThreadPool& pool);
    base::Result<void> add(const Shape& shape, std::string_view only, num::ThreadPool& pool,
                           std::vector<ModelCase>& cases);

    std::vector<std::pair<std::string, std::shared_ptr<const models::Model>>> models_;
    std::vector<float> maps_; // one buffer for all: it is what a caller would keep
};

} // namespace heed::app
