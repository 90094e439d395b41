// The way back, from the words to the embeddings.
#include "nn/layers/embedding.hpp"
#include "train/nets/embedded_rows.hpp"
#include "train/nets/recurrent_pass.hpp"

#include <algorithm>

namespace heed::train {

using num::ConstView;
using num::Matrix;
using num::Store;
using num::view;

template <class S> void RecurrentPass<S>::backward() {
    for (const auto& [offset, size] : net_.added_) std::fill_n(base_ + offset, size, S(0));
    const Index rows = readout_in_.rows();
    const ConstView<S> d_logits = view(std::as_const(logits_));
    nn::linear_gradient<S>(view(std::as_const(dropped_readout_)), d_logits, Store::set, true,
                           g_.output);
    Matrix<S> d_readout(rows, c_.hidden), d_readout_in(rows, readout_in_.cols());
    nn::linear_backward<S>(l_.output, d_logits, Store::set, d_readout);
    drop_back(readout_factors_, d_readout);
    d_readout.array() *= 1 - readout_.array().square();
    nn::linear_gradient<S>(view(std::as_const(readout_in_)), view(std::as_const(d_readout)),
                           Store::set, true, g_.readout);
    nn::linear_backward<S>(l_.readout, view(std::as_const(d_readout)), Store::set, d_readout_in);
    d_outputs_.clear();
    for (const Matrix<S>& output : outputs_) {
        d_outputs_.push_back(Matrix<S>::Zero(output.rows(), output.cols()));
    }
    if (models::has_decoder(c_)) {
        decoder_back(d_readout_in);
        words_back(d_readout_in);
        if (net_.attends()) states_back();
    } else if (c_.shape == models::Shape::n_to_n) {
        d_outputs_.back() += d_readout_in;
    } else {
        ends_back(c_.n_layers - 1, d_readout_in);
    }
    if (models::has_encoder(c_)) encoder_back();
}

template <class S> void RecurrentPass<S>::decoder_back(const Matrix<S>& d_readout_in) {
    const auto d_states = d_readout_in.leftCols(c_.hidden);
    const auto d_contexts = d_readout_in.middleCols(c_.hidden, models::key_width(c_));
    const auto layers = decoder_.size();
    const bool lstm = c_.cell == nn::Cell::lstm;
    d_gates_.resize(layers);
    for (auto& gates : d_gates_) gates.resize(c_.cell, batch_.target_time.rows(), c_.hidden);
    // Of the states that the step before left, and of the context that it left in Luong's
    // order.
    std::vector<Matrix<S>> dh(layers, Matrix<S>(0, c_.hidden));
    std::vector<Matrix<S>> dc(layers, Matrix<S>(0, lstm ? c_.hidden : 0));
    Matrix<S> d_input_feed(0, input_feed_.cols()), d_context, dq;
    const auto grow = [](Matrix<S>& m, Index rows) {
        const Index had = m.rows();
        m.conservativeResize(rows, m.cols());
        m.bottomRows(rows - had).setZero(); // sentences that end here
    };
    for (Index t = batch_.target_time.steps(); t-- > 0;) {
        const Index row = batch_.target_time.begin(t), n = batch_.target_time.size(t);
        for (std::size_t layer = 0; layer < layers; ++layer) {
            grow(dh[layer], n);
            if (lstm) grow(dc[layer], n);
        }
        dh.back() += d_states.middleRows(row, n);
        if (net_.attends() && !attends_first()) {
            grow(d_input_feed, n);
            d_context = d_contexts.middleRows(row, n) + d_input_feed;
            attention_.step_back(row, rows_in(decoder_.back().states.h, row, n), d_context, dq);
            dh.back() += dq;
        }
        for (std::size_t layer = layers; layer-- > 0;) {
            nn::batch_cell_backward(l_.decoder[layer], row, decoder_[layer], dh[layer], dc[layer],
                                    d_gates_[layer]);
            const ConstView<S> d_input = rows_in(d_gates_[layer].input, row, n);
            if (layer > 0) {
                nn::linear_backward<S>(l_.decoder[layer].input, d_input, Store::add, dh[layer - 1]);
            } else if (net_.attends()) {
                d_input_feed.resize(n, input_feed_.cols());
                nn::linear_backward<S>(l_.fed, d_input, Store::set, d_input_feed);
            }
        }
        if (net_.attends() && attends_first()) {
            d_context = d_contexts.middleRows(row, n) + d_input_feed;
            attention_.step_back(row, rows_in(decoder_.back().before.h, row, n), d_context, dq);
            dh.back() += dq;
        }
    }
    for (std::size_t layer = 0; layer < layers; ++layer) cells_back(layer);
    bridge_back(dh);
}

template <class S> void RecurrentPass<S>::cells_back(std::size_t layer) {
    const ConstView<S> d_input = view(std::as_const(d_gates_[layer].input));
    if (layer == 0) {
        nn::linear_gradient<S>(view(std::as_const(target_x_)), d_input, Store::set, true, g_.words);
        if (net_.attends()) {
            nn::linear_gradient<S>(view(std::as_const(input_feed_)), d_input, Store::set, false,
                                   g_.fed);
        }
    } else {
        nn::linear_gradient<S>(view(std::as_const(decoder_[layer - 1].states.h)), d_input,
                               Store::set, true, g_.decoder[layer].input);
    }
    nn::linear_gradient<S>(view(std::as_const(decoder_[layer].before.h)),
                           view(d_gates_[layer].of_state(c_.cell)), Store::set, true,
                           g_.decoder[layer].state);
}

template <class S> void RecurrentPass<S>::bridge_back(std::vector<Matrix<S>>& d_starts) {
    for (std::size_t layer = 0; layer < d_starts.size(); ++layer) {
        Matrix<S>& d = d_starts[layer];
        d.array() *= 1 - starts_[layer].array().square();
        const Matrix<S> read = begins_from(layer);
        nn::linear_gradient<S>(view(read), view(std::as_const(d)), Store::set, true,
                               g_.bridge[layer]);
        if (!reads_ends()) continue;
        Matrix<S> d_ends(d.rows(), ends_[layer].cols());
        nn::linear_backward<S>(l_.bridge[layer], view(std::as_const(d)), Store::set, d_ends);
        if (net_.attends()) {
            ends_back(static_cast<Index>(layer), d_ends);
        } else {
            nn::embedding_backward<S>(vectors_, d_ends, S(1), g_.source_embedding);
        }
    }
}

template <class S> void RecurrentPass<S>::ends_back(Index layer, const Matrix<S>& d_ends) {
    Matrix<S>& d_output = d_outputs_[static_cast<std::size_t>(layer)];
    for (Index s = 0; s < d_ends.rows(); ++s) {
        for (Index d = 0; d < directions_; ++d) {
            d_output.block(batch_.end_of(s, d), d * c_.hidden, 1, c_.hidden) +=
                d_ends.block(s, d * c_.hidden, 1, c_.hidden);
        }
    }
}

template <class S> void RecurrentPass<S>::words_back(const Matrix<S>& d_readout_in) {
    Matrix<S> dx = d_readout_in.rightCols(c_.embedding);
    nn::linear_backward<S>(l_.words, view(std::as_const(d_gates_[0].input)), Store::add, dx);
    drop_back(target_factors_, dx);
    nn::embedding_backward<S>(batch_.target, dx, S(1), g_.target_embedding);
}

template <class S> void RecurrentPass<S>::states_back() {
    const bool scored = l_.attention.mode == nn::AttentionMode::softmax;
    Matrix<S> d_keys, d_values;
    attention_.finish_back(attends_first() ? decoder_.back().before.h : decoder_.back().states.h,
                           g_.attention, d_keys, d_values);
    Matrix<S> d_value_states = std::move(d_values), dh = Matrix<S>::Zero(h_.rows(), h_.cols());
    if (const auto* map = value_map()) {
        if (scored && !net_.has_values()) { // values are keys
            d_keys += d_value_states;
            d_value_states = Matrix<S>::Zero(h_.rows(), h_.cols());
        } else {
            const Matrix<S> d_mapped = std::move(d_value_states);
            nn::linear_gradient<S>(view(*value_states_), view(d_mapped), Store::set, false,
                                   net_.has_values() ? g_.value : g_.key);
            d_value_states.resize(h_.rows(), h_.cols());
            nn::linear_backward<S>(*map, view(d_mapped), Store::set, d_value_states);
        }
    }
    if (scored) {
        if (net_.has_keys()) {
            nn::linear_gradient<S>(view(std::as_const(h_)), view(std::as_const(d_keys)), Store::set,
                                   false, g_.key);
            nn::linear_backward<S>(l_.key, view(std::as_const(d_keys)), Store::add, dh);
        } else {
            dh += d_keys;
        }
    }
    if (l_.attention.mode == nn::AttentionMode::last) {
        Matrix<S> d_ends(batch_.segments.count(), h_.cols());
        for (Index s = 0; s < batch_.segments.count(); ++s) {
            auto last = d_value_states.row(batch_.segments.begin(s + 1) - 1);
            d_ends.row(s) = last;
            last.setZero();
        }
        ends_back(c_.n_layers - 1, d_ends);
    }
    dh += d_value_states;
    batch_.for_source_words(
        [&](Index row, Index word) { d_outputs_.back().row(row) += dh.row(word); });
}

template <class S> void RecurrentPass<S>::encoder_back() {
    for (Index layer = c_.n_layers; layer-- > 0;) {
        const Matrix<S>& d_output = d_outputs_[static_cast<std::size_t>(layer)];
        Matrix<S> first;
        if (layer == 0) first = Matrix<S>::Zero(source_x_.rows(), source_x_.cols());
        Matrix<S>& dx = layer == 0 ? first : d_outputs_[static_cast<std::size_t>(layer) - 1];
        for (Index d = 0; d < directions_; ++d) {
            const std::size_t at = cell_at(layer, d);
            nn::recurrent_batch_backward(
                l_.encoder[at], batch_.source_time, encoder_input(layer), d == 1, encoder_[at],
                view(d_output, 0, d * c_.hidden, d_output.rows(), c_.hidden), g_.encoder[at], dx);
        }
        if (layer > 0) continue;
        drop_back(source_factors_, dx);
        nn::embedding_backward<S>(batch_.source, dx, S(1), g_.source_embedding);
    }
}

template void RecurrentPass<float>::backward();
template void RecurrentPass<double>::backward();

} // namespace heed::train
