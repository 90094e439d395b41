// The end of every sublayer of a transformer: dropout, the residual sum, and the norm.
#pragma once

#include "nn/attention/attention.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/layers/norm.hpp"

#include <string>

namespace heed::nn {

/// Post-norm fills `norm` with norm(x + dropout(made)); pre-norm, whose norm was read by the
/// sublayer already, fills `residual` with x + dropout(made). All n × d_model. `after`, where it
/// has a gain, is a norm of what the sublayer made (Gemma 2).
template <class S>
void finish_sublayer(num::ThreadPool& pool, NormOrder order, const LayerNormParams<S>& params,
                     const LayerNormParams<S>& after, const Dropout& dropout, const Matrix<S>& x,
                     const Matrix<S>& made, LayerNorm<S>& norm, Matrix<S>& residual) {
    const bool normed = after.gain.size() > 0;
    Matrix<S> changed;
    if (normed) {
        changed = layer_norm_forward(pool, after, made).y;
    } else if (dropout.active()) {
        changed = made;
    }
    if (dropout.active()) apply(dropout, changed);
    const Matrix<S>& added = normed || dropout.active() ? changed : made;
    if (order == NormOrder::pre) {
        residual = residual_sum(pool, x, added);
    } else {
        norm = layer_norm_forward(pool, params, x, &added);
    }
}

/// Options with the name of the module inside its layer, unless they have one of their own.
template <class S>
AttentionOptions<S> named(AttentionOptions<S> options, const std::string& layer,
                          const char* module) {
    if (options.name.empty()) options.name = layer + "." + module;
    return options;
}

} // namespace heed::nn
