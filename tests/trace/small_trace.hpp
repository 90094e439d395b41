// A small encoder and decoder layer that ran, as a trace.
#pragma once

#include "nn/attention/attention.hpp"
#include "trace/trace.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::tests {

inline num::Matrix<float> wave(num::Index rows, num::Index cols, double step) {
    num::Matrix<float> x(rows, cols);
    for (num::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<float>(std::sin(step * static_cast<double>(i * i % 1009)));
    }
    return x;
}

struct SmallAttention {
    num::Index queries = 9, keys = 11, d_model = 12, valid_keys = 11;
    trace::AttentionKind kind = trace::AttentionKind::cross;
    int layer = 0;
    std::vector<trace::Head> heads = std::vector<trace::Head>(3);
    num::Matrix<float> weights = {}; // filled by run(): what the run used

    std::shared_ptr<trace::Attention> run() {
        num::ThreadPool pool(1);
        nn::AttentionParams<float> params;
        params.query = num::Weights<float>(wave(d_model, d_model, 0.31));
        params.key = num::Weights<float>(wave(d_model, d_model, 0.17));
        params.value = num::Weights<float>(wave(d_model, d_model, 0.23));
        params.output = num::Weights<float>(wave(d_model, d_model, 0.41));
        weights.resize(static_cast<num::Index>(heads.size()) * queries, keys);
        auto cache = nn::attention_forward<float>(pool, params, wave(queries, d_model, 0.7),
                                                  wave(keys, d_model, 0.9), heads,
                                                  {.name = "module." + std::to_string(layer),
                                                   .valid_keys = valid_keys,
                                                   .all_weights = weights.data()});
        auto attention = std::make_shared<trace::Attention>();
        static_cast<nn::AttentionCache<float>&>(*attention) = std::move(cache);
        attention->kind = kind;
        attention->layer = layer;
        return attention;
    }
};

} // namespace heed::tests
