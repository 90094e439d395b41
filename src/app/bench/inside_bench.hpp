// Benchmarks of looking inside a model, for heed bench.
#pragma once

#include "app/bench/model_bench.hpp"

namespace heed::app {

/// Benchmarks on GPT-2 small's shape and 32 tokens, or what is asked for: inside/run, a run whose
/// next token is read off; inside/lens, every layer's words at every token; inside/lens/last, at
/// the last one; inside/attribution, of every part; inside/ablation, of every head;
/// inside/patching, the residual stream by layer and token.
class InsideBench {
  public:
    /// The cases that start so; `pool` must outlive them. Errors: those of drawing a model and of a
    /// run.
    base::Result<std::vector<ModelCase>> cases(std::string_view only, int tokens,
                                               num::ThreadPool& pool);

  private:
    std::shared_ptr<const models::Model> model_;
};

} // namespace heed::app
