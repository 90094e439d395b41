#include "train/nets/recurrent_pass.hpp"

#include "base/check.hpp"
#include "num/rows.hpp"
#include "train/nets/embedded_rows.hpp"

namespace heed::train {

using num::Matrix;
using num::view;

namespace {

template <class S> void tanh_in_place(Matrix<S>& x) {
    num::tanh_row(std::span<S>(x.data(), static_cast<std::size_t>(x.size())));
}

} // namespace

template <class S>
CrossEntropy RecurrentPass<S>::run(std::span<const Example* const> examples,
                                   const PassSettings& settings) {
    dropout_ = {settings.regularization.dropout, settings.seed};
    batch_.read(examples);
    if (models::has_encoder(c_)) encode();
    if (models::has_decoder(c_)) {
        labels_ = batch_.labels;
        begin_decoder();
        decode(settings);
        readout_in_.resize(batch_.target_time.rows(), readout_width());
        fill_readout(0, readout_in_);
    } else if (c_.shape == models::Shape::n_to_n) {
        labels_ = batch_.labels_at_each(examples);
        readout_in_ = outputs_.back();
    } else {
        const auto first = batch_.first_labels();
        labels_.assign(first.begin(), first.end());
        readout_in_ = ends(c_.n_layers - 1);
    }
    read_out();
    const auto result = nn::cross_entropy<S>(
        logits_, labels_, static_cast<S>(settings.regularization.label_smoothing),
        static_cast<S>(settings.factor));
    if (settings.factor != 0) backward();
    return result;
}

template <class S> void RecurrentPass<S>::encode() {
    source_x_.resize(batch_.source_time.rows(), c_.embedding);
    rows_of<S>(net_.values_ + net_.source_embedding_, net_.rows_, batch_.source, S(1), 0,
               source_x_);
    drop(dropout_, "encoder.embedding.dropout", source_x_, source_factors_);
    outputs_.resize(static_cast<std::size_t>(c_.n_layers));
    for (Index layer = 0; layer < c_.n_layers; ++layer) {
        Matrix<S>& output = outputs_[static_cast<std::size_t>(layer)];
        output.resize(batch_.source_time.rows(), directions_ * c_.hidden);
        for (Index d = 0; d < directions_; ++d) {
            auto& cache = encoder_[cell_at(layer, d)];
            nn::recurrent_batch_forward(l_.encoder[cell_at(layer, d)], batch_.source_time,
                                        encoder_input(layer), d == 1, cache);
            output.middleCols(d * c_.hidden, c_.hidden) = cache.states.h;
        }
    }
}

template <class S> Matrix<S> RecurrentPass<S>::ends(Index layer) const {
    Matrix<S> ends(batch_.segments.count(), directions_ * c_.hidden);
    const Matrix<S>& output = outputs_[static_cast<std::size_t>(layer)];
    for (Index s = 0; s < ends.rows(); ++s) {
        for (Index d = 0; d < directions_; ++d) {
            ends.block(s, d * c_.hidden, 1, c_.hidden) =
                output.block(batch_.end_of(s, d), d * c_.hidden, 1, c_.hidden);
        }
    }
    return ends;
}

template <class S> Matrix<S> RecurrentPass<S>::begins_from(std::size_t layer) const {
    if (reads_ends()) return ends_[layer];
    return Matrix<S>::Zero(ends_[layer].rows(), ends_[layer].cols());
}

template <class S> void RecurrentPass<S>::begin_decoder() {
    starts_.resize(static_cast<std::size_t>(c_.n_layers));
    ends_.resize(starts_.size());
    if (!net_.attends()) read_vectors();
    for (std::size_t layer = 0; layer < starts_.size(); ++layer) {
        ends_[layer] = net_.attends() ? ends(static_cast<Index>(layer)) : source_x_;
        const Matrix<S> read = begins_from(layer);
        nn::linear_forward<S>(l_.bridge[layer], view(read), {}, starts_[layer]);
        tanh_in_place(starts_[layer]);
    }
    if (net_.attends()) begin_attention();
}

/// Reads what a decoder without an encoder starts from: the first word of each source, in the order
/// of the targets.
template <class S> void RecurrentPass<S>::read_vectors() {
    vectors_.clear();
    for (Index s = 0; s < batch_.segments.count(); ++s) {
        const Index place = batch_.source_place[static_cast<std::size_t>(s)];
        vectors_.push_back(
            batch_.source[static_cast<std::size_t>(batch_.source_time.row(place, 0))]);
    }
    source_x_.resize(std::ssize(vectors_), c_.embedding);
    rows_of<S>(net_.values_ + net_.source_embedding_, net_.rows_, vectors_, S(1), 0, source_x_);
}

template <class S> void RecurrentPass<S>::begin_attention() {
    h_.resize(batch_.segments.rows(), directions_ * c_.hidden);
    batch_.for_source_words(
        [&](Index row, Index word) { h_.row(word) = outputs_.back().row(row); });
    value_states_ = &h_;
    if (l_.attention.mode == nn::AttentionMode::last) {
        // What is read of a sentence is made of the states where all of it was read.
        h_ends_ = h_;
        for (Index s = 0; s < batch_.segments.count(); ++s) {
            h_ends_.row(batch_.segments.begin(s + 1) - 1) = ends_.back().row(s);
        }
        value_states_ = &h_ends_;
    }
    const bool scored = l_.attention.mode == nn::AttentionMode::softmax;
    keys_ = &h_;
    if (scored && net_.has_keys()) {
        nn::linear_forward<S>(l_.key, view(std::as_const(h_)), {}, own_keys_);
        keys_ = &own_keys_;
    }
    values_ = value_states_;
    if (const auto* map = value_map()) {
        const bool same = scored && !net_.has_values();
        if (!same) nn::linear_forward<S>(*map, view(*value_states_), {}, own_values_);
        values_ = same ? &own_keys_ : &own_values_;
    }
    attention_.start(l_.attention, batch_.segments, *keys_, *values_, batch_.target_time.rows());
}

template <class S> void RecurrentPass<S>::decode(const PassSettings& settings) {
    const Index rows = batch_.target_time.rows();
    for (auto& cache : decoder_) cache.resize(c_.cell, rows, c_.hidden);
    target_x_.resize(rows, c_.embedding);
    rows_of<S>(net_.values_ + net_.target_embedding_, net_.rows_, batch_.target, S(1), 0,
               target_x_);
    drop(dropout_, "decoder.embedding.dropout", target_x_, target_factors_);
    nn::linear_forward<S>(l_.words, view(std::as_const(target_x_)), {}, projected_target_);
    input_feed_.resize(rows, models::key_width(c_));
    const num::Rng own(settings.seed, "free running");
    for (Index t = 0; t < batch_.target_time.steps(); ++t) {
        if (t > 0 && settings.regularization.scheduled_sampling > 0) {
            say_itself(t, own, settings.regularization.scheduled_sampling);
        }
        step(t);
    }
}

template <class S> void RecurrentPass<S>::step(Index t) {
    const Index row = batch_.target_time.begin(t), n = batch_.target_time.size(t);
    for (std::size_t layer = 0; layer < decoder_.size(); ++layer) {
        auto& cache = decoder_[layer];
        if (t == 0) {
            cache.before.h.topRows(n) = starts_[layer];
            if (c_.cell == nn::Cell::lstm) cache.before.c.topRows(n).setZero();
        } else {
            const Index from = batch_.target_time.begin(t - 1);
            cache.before.h.middleRows(row, n) = cache.states.h.middleRows(from, n);
            if (c_.cell == nn::Cell::lstm) {
                cache.before.c.middleRows(row, n) = cache.states.c.middleRows(from, n);
            }
        }
    }
    const auto rows_in = [&](const Matrix<S>& m) { return view(m, row, 0, n, m.cols()); };
    if (!net_.attends()) {
        // Nothing but its own words is read.
    } else if (attends_first()) {
        attention_.step(row, rows_in(decoder_.back().before.h));
        input_feed_.middleRows(row, n) = attention_.context().middleRows(row, n);
    } else if (t == 0) {
        input_feed_.topRows(n).setZero();
    } else {
        input_feed_.middleRows(row, n) =
            attention_.context().middleRows(batch_.target_time.begin(t - 1), n);
    }
    for (std::size_t layer = 0; layer < decoder_.size(); ++layer) {
        auto& cache = decoder_[layer];
        num::View<S> input = view(cache.from_input, row, 0, n, cache.from_input.cols());
        if (layer == 0 && !net_.attends()) {
            input = projected_target_.middleRows(row, n);
        } else if (layer == 0) {
            nn::linear_forward<S>(l_.fed, rows_in(input_feed_), {}, input);
            input += projected_target_.middleRows(row, n);
        } else {
            nn::linear_forward<S>(l_.decoder[layer].input, rows_in(decoder_[layer - 1].states.h),
                                  {}, input);
        }
        nn::batch_cell_forward(l_.decoder[layer], row, n, cache);
    }
    if (net_.attends() && !attends_first()) {
        attention_.step(row, rows_in(decoder_.back().states.h));
    }
}

template <class S> void RecurrentPass<S>::say_itself(Index t, const num::Rng& draws, float share) {
    const Index row = batch_.target_time.begin(t), before = batch_.target_time.begin(t - 1),
                n = batch_.target_time.size(t);
    std::vector<Index> chosen;
    for (Index s = 0; s < n; ++s) {
        if (draws.uniform(static_cast<std::uint64_t>(row + s)) < share) chosen.push_back(s);
    }
    if (chosen.empty()) return;
    Matrix<S> readout_in(n, readout_width()), readout, logits;
    fill_readout(before, readout_in);
    nn::linear_forward<S>(l_.readout, view(std::as_const(readout_in)), {}, readout);
    tanh_in_place(readout);
    nn::linear_forward<S>(l_.output, view(std::as_const(readout)), {}, logits);
    const nn::Dropout dropout(dropout_, "decoder.embedding.dropout");
    for (const Index s : chosen) {
        Index word = 0;
        logits.row(s).maxCoeff(&word);
        batch_.target[static_cast<std::size_t>(row + s)] = word;
        rows_of<S>(net_.values_ + net_.target_embedding_, net_.rows_, {&word, 1}, S(1), row + s,
                   target_x_);
        if (dropout.active()) {
            target_x_.row(row + s) =
                target_x_.row(row + s).cwiseProduct(target_factors_.row(row + s)).eval();
        }
        nn::linear_forward<S>(l_.words, view(std::as_const(target_x_), row + s, 0, 1, c_.embedding),
                              {}, view(projected_target_, row + s, 0, 1, projected_target_.cols()));
    }
}

template <class S> void RecurrentPass<S>::fill_readout(Index row, Matrix<S>& read) const {
    const Index n = read.rows(), keys = models::key_width(c_);
    read.leftCols(c_.hidden) = decoder_.back().states.h.middleRows(row, n);
    if (keys > 0) read.middleCols(c_.hidden, keys) = attention_.context().middleRows(row, n);
    read.rightCols(c_.embedding) = target_x_.middleRows(row, n);
}

template <class S> void RecurrentPass<S>::read_out() {
    nn::linear_forward<S>(l_.readout, view(std::as_const(readout_in_)), {}, readout_);
    tanh_in_place(readout_);
    dropped_readout_ = readout_;
    drop(dropout_, "readout.dropout", dropped_readout_, readout_factors_);
    nn::linear_forward<S>(l_.output, view(std::as_const(dropped_readout_)), {}, logits_);
}

template class RecurrentPass<float>;
template class RecurrentPass<double>;

} // namespace heed::train
