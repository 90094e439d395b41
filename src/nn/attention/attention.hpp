// Multi-head attention (Vaswani et al. 2017, section 3.2): every head turns rows of q and k into
// weights by its own settings, the weights sum rows of v, and one matrix joins the heads.
#pragma once

#include "nn/attention/attention_cache.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/attention/score.hpp"
#include "num/product.hpp"

#include <functional>
#include <string>
#include <vector>

namespace heed::nn {

/// Linear maps of one attention module. A head is query.out() / h wide, whatever d_model is; where
/// key.out() is less than query.out(), there are fewer heads of keys and values: h_kv.
/// W of query, key and value are packed each for itself, so
/// that each product lands in a matrix of its own, which the trace then keeps without a copy; in a
/// file they are one in_proj_weight, stacked in this order.
template <class S> struct AttentionParams {
    num::Weights<S> query, key, value; // d_model × h·d_k, d_model × h_kv·d_k, d_model × h_kv·d_v
    num::Weights<S> output;            // h·d_v × d_model
    RowVector<S> query_bias, key_bias, value_bias, output_bias; // each may be empty
    /// Gains of an RMS norm of each head's query and key, d_k each, before rotary positions
    /// (Henry et al. 2020; Qwen3). Empty: none.
    RowVector<S> query_norm = {}, key_norm = {};
    S norm_epsilon = S(1e-6);

    bool empty() const { return query.out() == 0; }
};

/// Leading rows of queries that an earlier call, with the same parameters, made already.
template <class S> struct KeptRows {
    const AttentionCache<S>* of = nullptr;
    Index count = 0;
};

/// Called with what was computed, behind kept rows, before anything reads it, to put other numbers
/// there; may be empty.
template <class S> using Change = std::function<void(View<S>)>;

template <class S> struct AttentionOptions {
    std::string name = {}; // kept in the cache, and the place of the weights' dropout
    Index valid_keys = -1; // keys that are no padding; −1: all of them
    bool directed = false; // decoder self-attention: positions tell before from after
    const Matrix<S>* relative_table = nullptr; // buckets × heads, for Positions::relative
    PositionSettings positions = {};           // of rotary and relative positions
    /// The weights of every head, when given, after dropout: h blocks of n × m.
    S* all_weights = nullptr;
    /// Caches of a call with the same parameters, from which q (same queries' input), or k and v
    /// (same keys' input) are taken instead of being projected again. The result is the same.
    const AttentionCache<S>* same_queries = nullptr;
    const AttentionCache<S>* same_keys = nullptr;
    /// Kept rows. When there are some, x_queries begins behind them, and so does the cache's
    /// `output`; its other matrices and rows are whole. In self-attention they are leading rows of
    /// keys and values as well, and no kept row may see a later key; elsewhere same_keys is given.
    /// Without all_weights.
    KeptRows<S> kept = {};
    Change<S> change_context = {}; // of all heads, before the map that joins them
    /// The weights that are read next, as in num::LinearOptions.
    const num::Weights<S>* next = nullptr;
};

/// Runs one attention module. `heads` bring their settings and score parameters; bias, row_max and
/// row_sum are filled here. x_queries: n × d_model, x_keys: m × d_model (the same matrix in
/// self-attention). A row whose keys are all masked has weights 0 and context 0; one with an
/// allowed score that is no finite number, an overflow to −inf among them, has a row_sum and a
/// context of NaN. Throws ContractError when widths do not fit, naming both.
template <class S>
AttentionCache<S> attention_forward(num::ThreadPool& pool, const AttentionParams<S>& params,
                                    const Matrix<S>& x_queries, const Matrix<S>& x_keys,
                                    std::vector<Head<S>> heads, const AttentionOptions<S>& options);

} // namespace heed::nn
