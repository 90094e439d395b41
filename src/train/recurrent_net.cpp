#include "train/recurrent_net.hpp"

#include "base/check.hpp"
#include "models/resolve.hpp"
#include "nn/batch_attention.hpp"
#include "nn/dropout.hpp"
#include "nn/embedding_gradient.hpp"
#include "nn/recurrent_batch.hpp"
#include "num/rows.hpp"
#include "text/vocabulary.hpp"
#include "train/binding.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

namespace heed::train {

namespace {

using models::Context;
using models::Projection;
using models::StepOrder;
using nn::TimeMajor;
using num::ConstView;
using num::Matrix;
using num::Store;
using num::view;
using Parameters = models::Recurrent::Parameters;

/// Everything that learns, by the names of Recurrent::Parameters. The decoder's first cell reads
/// [word; context], which are projected apart: the words all at once.
template <class S> struct Layers {
    std::deque<nn::BatchCell<S>> encoder, decoder;
    nn::LinearLayer<S> words, fed; // the two parts of the first decoder cell's input
    std::deque<nn::LinearLayer<S>> bridge;
    nn::LinearLayer<S> key, value, readout, output;
    nn::BatchAttention<S> attention;
};
template <class S> struct Gradients {
    std::vector<nn::CellGradient<S>> encoder, decoder;
    nn::LinearGradient<S> words, fed;
    std::vector<nn::LinearGradient<S>> bridge;
    nn::LinearGradient<S> key, value, readout, output;
    nn::BatchAttentionGradient<S> attention;
    S *source_embedding = nullptr, *target_embedding = nullptr;
};

template <class S> class RecurrentNet final : public Net<S> {
  public:
    RecurrentNet(const Parameters& p, Places& places)
        : p_(p), places_(places), config_(p.config), rows_(p.source_embedding.rows()) {
        layers_.encoder.resize(p.encoder.cells.size());
        layers_.decoder.resize(p.decoder.cells.size());
        layers_.bridge.resize(p.bridge.size());
        for (auto* cells : {&layers_.encoder, &layers_.decoder}) {
            for (auto& cell : *cells) cell.cell = config_.cell;
        }
        set_attention();
        Binding<S> binding(places, &refresh_, nullptr);
        Gradients<S> nowhere;
        bind(binding, nowhere);
        added_ = binding.added();
        size_ = places.size();
    }

    Index size() const override { return size_; }
    void set(num::Team& team, const S* values) override {
        values_ = values;
        refresh_all(team, refresh_, values);
    }
    std::unique_ptr<Pass<S>> pass(S* gradients) override;
    Index judged(const Example& e) const override { return std::ssize(e.target) + 1; }

  private:
    template <class> friend class RecurrentPass;

    void set_attention() {
        auto& a = layers_.attention;
        a.score = config_.score;
        a.choice = config_.context == Context::mean   ? nn::Choice::even
                   : config_.context == Context::last ? nn::Choice::last
                                                      : nn::Choice::scored;
        const models::Controls none;
        models::HeadResolver resolver(
            {models::key_width(config_), config_.score, nn::Positions::none}, none);
        const trace::HeadId head{trace::AttentionKind::cross, 0, 0};
        a.gamma =
            static_cast<S>(resolver.settings(head, models::kMaxTokens, models::kMaxTokens).gamma);
    }
    bool has_keys() const { return config_.projection != Projection::none; }
    bool has_values() const { return config_.projection == Projection::two; }

    void bind(Binding<S>& binding, Gradients<S>& g) {
        g.source_embedding =
            binding.added_gradient(&p_.source_embedding, p_.source_embedding.size());
        g.target_embedding =
            binding.added_gradient(&p_.target_embedding, p_.target_embedding.size());
        source_embedding_ = binding.place(&p_.source_embedding);
        target_embedding_ = binding.place(&p_.target_embedding);
        g.encoder.resize(layers_.encoder.size());
        g.decoder.resize(layers_.decoder.size());
        g.bridge.resize(layers_.bridge.size());
        for (std::size_t i = 0; i < layers_.encoder.size(); ++i) {
            cell(p_.encoder.cells[i], layers_.encoder[i], g.encoder[i], true, binding);
        }
        const auto& first = p_.decoder.cells[0];
        binding.linear_rows(first.input, 0, config_.embedding, &first.input_bias, layers_.words,
                            g.words);
        binding.linear_rows(first.input, config_.embedding, models::key_width(config_), nullptr,
                            layers_.fed, g.fed);
        for (std::size_t i = 0; i < layers_.decoder.size(); ++i) {
            cell(p_.decoder.cells[i], layers_.decoder[i], g.decoder[i], i > 0, binding);
        }
        for (std::size_t i = 0; i < layers_.bridge.size(); ++i) {
            binding.linear(p_.bridge[i], &p_.bridge_bias[i], layers_.bridge[i], g.bridge[i]);
        }
        if (reads_keys()) binding.linear(p_.key, nullptr, layers_.key, g.key);
        if (has_values()) binding.linear(p_.value, nullptr, layers_.value, g.value);
        if (layers_.attention.choice == nn::Choice::scored) score(binding, g.attention);
        binding.linear(p_.readout, &p_.readout_bias, layers_.readout, g.readout);
        binding.linear(p_.output, &p_.output_bias, layers_.output, g.output);
    }

    /// Keys are not read where nothing is scored, but where values are keys.
    bool reads_keys() const {
        return has_keys() && (layers_.attention.choice == nn::Choice::scored || !has_values());
    }

    void cell(const nn::CellParams<float>& from, nn::BatchCell<S>& to, nn::CellGradient<S>& g,
              bool whole_input, Binding<S>& binding) {
        if (whole_input) binding.linear(from.input, &from.input_bias, to.input, g.input);
        binding.linear(from.state, &from.state_bias, to.state, g.state);
    }

    void score(Binding<S>& binding, nn::BatchAttentionGradient<S>& g) {
        auto& a = layers_.attention;
        if (a.score == nn::Score::bilinear) binding.linear(p_.score.bilinear, a.query, g.query);
        if (nn::has_dot_form(a.score)) return;
        binding.linear(p_.score.query, a.query, g.query);
        binding.linear(p_.score.key, a.key, g.key);
        g.hidden = binding.added_gradient(&p_.score.hidden, p_.score.hidden.size());
        const Index at = binding.place(&p_.score.hidden);
        const auto size = static_cast<std::size_t>(p_.score.hidden.size());
        binding.on_move([&a, at, size](const S* values) { a.hidden = {values + at, size}; });
    }

    const Parameters& p_;
    Places& places_;
    const models::RecurrentConfig& config_;
    Layers<S> layers_;
    Refresh<S> refresh_;
    std::vector<std::pair<Index, Index>> added_;
    Index rows_, size_ = 0, source_embedding_ = 0, target_embedding_ = 0;
    const S* values_ = nullptr;
};

/// Places of sentences, the longest first; of equals the first.
template <class Length> std::vector<Index> longest_first(std::size_t count, Length&& length) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return length(a) > length(b); });
    return order;
}

template <class S> void tanh_in_place(Matrix<S>& x) {
    num::tanh_row(std::span<S>(x.data(), static_cast<std::size_t>(x.size())));
}

/// x ∘ factors, kept in `factors`; nothing where there is no dropout.
template <class S>
void drop(const nn::DropoutSettings& settings, std::string_view place, Matrix<S>& x,
          Matrix<S>& factors) {
    const nn::Dropout dropout(settings, place);
    factors.resize(dropout.active() ? x.rows() : 0, x.cols());
    for (Index i = 0; i < factors.size(); ++i) {
        factors.data()[i] = dropout.template factor<S>(i);
    }
    if (dropout.active()) x = x.cwiseProduct(factors).eval();
}

template <class S> class RecurrentPass final : public Pass<S> {
  public:
    RecurrentPass(const RecurrentNet<S>& net, S* base, Gradients<S> gradients)
        : net_(net), c_(net.config_), l_(net.layers_), base_(base), g_(std::move(gradients)),
          directions_(models::directions(c_)), encoder_(l_.encoder.size()),
          decoder_(l_.decoder.size()) {}

    CrossEntropy run(std::span<const Example* const> examples,
                     const PassSettings& settings) override {
        dropout_ = {settings.hardships.dropout, settings.seed};
        read(examples);
        encode();
        begin_decoder();
        decode(settings);
        read_out();
        const auto result = nn::cross_entropy<S>(logits_, wanted_,
                                                 static_cast<S>(settings.hardships.label_smoothing),
                                                 static_cast<S>(settings.factor));
        if (settings.factor != 0) backward();
        return result;
    }

  private:
    void read(std::span<const Example* const> examples) {
        const auto source_of = [&](Index i) -> const std::vector<Index>& {
            return examples[static_cast<std::size_t>(i)]->source;
        };
        const auto target_of = [&](Index i) -> const std::vector<Index>& {
            return examples[static_cast<std::size_t>(i)]->target;
        };
        const auto by_source =
            longest_first(examples.size(), [&](Index i) { return source_of(i).size(); });
        const auto by_target =
            longest_first(examples.size(), [&](Index i) { return target_of(i).size(); });
        std::vector<Index> source_lengths, target_lengths, place(examples.size());
        for (std::size_t i = 0; i < by_source.size(); ++i) {
            HEED_CHECK(!source_of(by_source[i]).empty(), "a sentence of {} words", 0);
            source_lengths.push_back(std::ssize(source_of(by_source[i])));
            place[static_cast<std::size_t>(by_source[i])] = static_cast<Index>(i);
        }
        source_place_.clear();
        segments_ = {};
        for (const Index i : by_target) {
            target_lengths.push_back(std::ssize(target_of(i)) + 1);
            source_place_.push_back(place[static_cast<std::size_t>(i)]);
            segments_.add(std::ssize(source_of(i)));
        }
        source_time_ = TimeMajor(std::move(source_lengths));
        target_time_ = TimeMajor(std::move(target_lengths));
        source_.resize(static_cast<std::size_t>(source_time_.rows()));
        target_.resize(static_cast<std::size_t>(target_time_.rows()));
        wanted_.resize(target_.size());
        for (Index t = 0; t < source_time_.steps(); ++t) {
            for (Index s = 0; s < source_time_.size(t); ++s) {
                source_[static_cast<std::size_t>(source_time_.row(s, t))] =
                    source_of(by_source[static_cast<std::size_t>(s)])[static_cast<std::size_t>(t)];
            }
        }
        for (Index t = 0; t < target_time_.steps(); ++t) {
            for (Index s = 0; s < target_time_.size(t); ++s) {
                const auto& words = target_of(by_target[static_cast<std::size_t>(s)]);
                const auto at = static_cast<std::size_t>(target_time_.row(s, t));
                const auto step = static_cast<std::size_t>(t);
                target_[at] =
                    step == 0 ? static_cast<Index>(text::Vocabulary::kStart) : words[step - 1];
                wanted_[at] =
                    step < words.size() ? words[step] : static_cast<Index>(text::Vocabulary::kEnd);
            }
        }
    }

    void rows_of(const S* table, std::span<const Index> words, Index first, Matrix<S>& x) const {
        const Index d = x.cols();
        for (std::size_t i = 0; i < words.size(); ++i) {
            HEED_CHECK(words[i] >= 0 && words[i] < net_.rows_, "row {} of a vocabulary of {}",
                       words[i], net_.rows_);
            x.row(first + static_cast<Index>(i)) =
                Eigen::Map<const num::RowVector<S>>(table + words[i] * d, d);
        }
    }

    // Encoder ---------------------------------------------------------------------------------

    const Matrix<S>& encoder_input(Index layer) const {
        return layer == 0 ? source_x_ : outputs_[static_cast<std::size_t>(layer) - 1];
    }
    std::size_t cell_at(Index layer, Index direction) const {
        return static_cast<std::size_t>(layer * directions_ + direction);
    }

    void encode() {
        source_x_.resize(source_time_.rows(), c_.embedding);
        rows_of(net_.values_ + net_.source_embedding_, source_, 0, source_x_);
        drop(dropout_, "encoder.embedding.dropout", source_x_, source_factors_);
        outputs_.resize(static_cast<std::size_t>(c_.n_layers));
        for (Index layer = 0; layer < c_.n_layers; ++layer) {
            Matrix<S>& output = outputs_[static_cast<std::size_t>(layer)];
            output.resize(source_time_.rows(), directions_ * c_.hidden);
            for (Index d = 0; d < directions_; ++d) {
                auto& cache = encoder_[cell_at(layer, d)];
                nn::recurrent_batch_forward(l_.encoder[cell_at(layer, d)], source_time_,
                                            encoder_input(layer), d == 1, cache);
                output.middleCols(d * c_.hidden, c_.hidden) = cache.states.h;
            }
        }
    }

    /// Calls work(row of the batch's states, row of the segments) for every word of the sources.
    template <class Work> void for_source_words(Work&& work) const {
        for (Index s = 0; s < segments_.count(); ++s) {
            const Index place = source_place_[static_cast<std::size_t>(s)];
            for (Index t = 0; t < segments_.size(s); ++t) {
                work(source_time_.row(place, t), segments_.begin(s) + t);
            }
        }
    }
    /// The row of the states where a direction has read all of a sentence.
    Index end_of(Index sentence, Index direction) const {
        const Index place = source_place_[static_cast<std::size_t>(sentence)];
        return source_time_.row(place, direction == 0 ? segments_.size(sentence) - 1 : 0);
    }
    /// Last states of a layer, a row a sentence: sentences × directions·hidden.
    Matrix<S> ends(Index layer) const {
        Matrix<S> ends(segments_.count(), directions_ * c_.hidden);
        const Matrix<S>& output = outputs_[static_cast<std::size_t>(layer)];
        for (Index s = 0; s < ends.rows(); ++s) {
            for (Index d = 0; d < directions_; ++d) {
                ends.block(s, d * c_.hidden, 1, c_.hidden) =
                    output.block(end_of(s, d), d * c_.hidden, 1, c_.hidden);
            }
        }
        return ends;
    }

    // Decoder ---------------------------------------------------------------------------------

    bool attends_first() const { return c_.order == StepOrder::attend_first; }
    const nn::LinearLayer<S>* value_map() const {
        return net_.has_values() ? &l_.value : net_.has_keys() ? &l_.key : nullptr;
    }

    void begin_decoder() {
        starts_.resize(static_cast<std::size_t>(c_.n_layers));
        ends_.resize(starts_.size());
        for (std::size_t layer = 0; layer < starts_.size(); ++layer) {
            ends_[layer] = ends(static_cast<Index>(layer));
            nn::linear_forward<S>(l_.bridge[layer], view(std::as_const(ends_[layer])), {},
                                  starts_[layer]);
            tanh_in_place(starts_[layer]);
        }
        h_.resize(segments_.rows(), directions_ * c_.hidden);
        for_source_words([&](Index row, Index word) { h_.row(word) = outputs_.back().row(row); });
        value_states_ = &h_;
        if (l_.attention.choice == nn::Choice::last) {
            // What is read of a sentence is made of the states where all of it was read.
            h_ends_ = h_;
            for (Index s = 0; s < segments_.count(); ++s) {
                h_ends_.row(segments_.begin(s + 1) - 1) = ends_.back().row(s);
            }
            value_states_ = &h_ends_;
        }
        const bool scored = l_.attention.choice == nn::Choice::scored;
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
        attention_.start(l_.attention, segments_, *keys_, *values_, target_time_.rows());
    }

    void decode(const PassSettings& settings) {
        const Index rows = target_time_.rows();
        for (auto& cache : decoder_) cache.resize(c_.cell, rows, c_.hidden);
        target_x_.resize(rows, c_.embedding);
        rows_of(net_.values_ + net_.target_embedding_, target_, 0, target_x_);
        drop(dropout_, "decoder.embedding.dropout", target_x_, target_factors_);
        nn::linear_forward<S>(l_.words, view(std::as_const(target_x_)), {}, said_);
        fed_.resize(rows, models::key_width(c_));
        const num::Draws own(settings.seed, "free running");
        for (Index t = 0; t < target_time_.steps(); ++t) {
            if (t > 0 && settings.hardships.free_running > 0) {
                say_itself(t, own, settings.hardships.free_running);
            }
            step(t);
        }
    }

    void step(Index t) {
        const Index row = target_time_.begin(t), n = target_time_.size(t);
        for (std::size_t layer = 0; layer < decoder_.size(); ++layer) {
            auto& cache = decoder_[layer];
            if (t == 0) {
                cache.before.h.topRows(n) = starts_[layer];
                if (c_.cell == nn::Cell::lstm) cache.before.c.topRows(n).setZero();
            } else {
                const Index from = target_time_.begin(t - 1);
                cache.before.h.middleRows(row, n) = cache.states.h.middleRows(from, n);
                if (c_.cell == nn::Cell::lstm) {
                    cache.before.c.middleRows(row, n) = cache.states.c.middleRows(from, n);
                }
            }
        }
        const auto rows_in = [&](const Matrix<S>& m) { return view(m, row, 0, n, m.cols()); };
        if (attends_first()) {
            attention_.step(row, rows_in(decoder_.back().before.h));
            fed_.middleRows(row, n) = attention_.context().middleRows(row, n);
        } else if (t == 0) {
            fed_.topRows(n).setZero();
        } else {
            fed_.middleRows(row, n) = attention_.context().middleRows(target_time_.begin(t - 1), n);
        }
        for (std::size_t layer = 0; layer < decoder_.size(); ++layer) {
            auto& cache = decoder_[layer];
            num::View<S> input = view(cache.from_input, row, 0, n, cache.from_input.cols());
            if (layer == 0) {
                nn::linear_forward<S>(l_.fed, rows_in(fed_), {}, input);
                input += said_.middleRows(row, n);
            } else {
                nn::linear_forward<S>(l_.decoder[layer].input,
                                      rows_in(decoder_[layer - 1].states.h), {}, input);
            }
            nn::batch_cell_forward(l_.decoder[layer], row, n, cache);
        }
        if (!attends_first()) attention_.step(row, rows_in(decoder_.back().states.h));
    }

    /// Some words of step t become what was the most probable after step t − 1.
    void say_itself(Index t, const num::Draws& draws, float share) {
        const Index row = target_time_.begin(t), before = target_time_.begin(t - 1),
                    n = target_time_.size(t);
        std::vector<Index> chosen;
        for (Index s = 0; s < n; ++s) {
            if (draws.uniform(static_cast<std::uint64_t>(row + s)) < share) chosen.push_back(s);
        }
        if (chosen.empty()) return;
        Matrix<S> read(n, readout_width()), told, logits;
        fill_readout(before, read);
        nn::linear_forward<S>(l_.readout, view(std::as_const(read)), {}, told);
        tanh_in_place(told);
        nn::linear_forward<S>(l_.output, view(std::as_const(told)), {}, logits);
        const nn::Dropout dropout(dropout_, "decoder.embedding.dropout");
        for (const Index s : chosen) {
            Index word = 0;
            logits.row(s).maxCoeff(&word);
            target_[static_cast<std::size_t>(row + s)] = word;
            rows_of(net_.values_ + net_.target_embedding_, {&word, 1}, row + s, target_x_);
            if (dropout.active()) {
                target_x_.row(row + s) =
                    target_x_.row(row + s).cwiseProduct(target_factors_.row(row + s)).eval();
            }
            nn::linear_forward<S>(l_.words,
                                  view(std::as_const(target_x_), row + s, 0, 1, c_.embedding), {},
                                  view(said_, row + s, 0, 1, said_.cols()));
        }
    }

    Index readout_width() const { return c_.hidden + models::key_width(c_) + c_.embedding; }
    /// [state; context; word] of as many rows as `read` has, from `row` on.
    void fill_readout(Index row, Matrix<S>& read) const {
        const Index n = read.rows(), keys = models::key_width(c_);
        read.leftCols(c_.hidden) = decoder_.back().states.h.middleRows(row, n);
        read.middleCols(c_.hidden, keys) = attention_.context().middleRows(row, n);
        read.rightCols(c_.embedding) = target_x_.middleRows(row, n);
    }

    void read_out() {
        read_.resize(target_time_.rows(), readout_width());
        fill_readout(0, read_);
        nn::linear_forward<S>(l_.readout, view(std::as_const(read_)), {}, told_);
        tanh_in_place(told_);
        dropped_ = told_;
        drop(dropout_, "readout.dropout", dropped_, told_factors_);
        nn::linear_forward<S>(l_.output, view(std::as_const(dropped_)), {}, logits_);
    }

    // Back ------------------------------------------------------------------------------------

    void backward() {
        for (const auto& [offset, size] : net_.added_) std::fill_n(base_ + offset, size, S(0));
        const Index rows = target_time_.rows(), keys = models::key_width(c_);
        const ConstView<S> d_logits = view(std::as_const(logits_));
        nn::linear_gradient<S>(view(std::as_const(dropped_)), d_logits, Store::set, true,
                               g_.output);
        Matrix<S> d_told(rows, c_.hidden), d_read(rows, readout_width());
        nn::linear_backward<S>(l_.output, d_logits, Store::set, d_told);
        if (told_factors_.size() > 0) d_told = d_told.cwiseProduct(told_factors_).eval();
        d_told.array() *= 1 - told_.array().square();
        nn::linear_gradient<S>(view(std::as_const(read_)), view(std::as_const(d_told)), Store::set,
                               true, g_.readout);
        nn::linear_backward<S>(l_.readout, view(std::as_const(d_told)), Store::set, d_read);
        d_outputs_.clear();
        for (const Matrix<S>& output : outputs_) {
            d_outputs_.push_back(Matrix<S>::Zero(output.rows(), output.cols()));
        }
        decoder_back(d_read.leftCols(c_.hidden), d_read.middleCols(c_.hidden, keys));
        words_back(d_read.rightCols(c_.embedding));
        states_back();
        encoder_back();
    }

    /// Steps from the last to the first. What the readout passes back: to states, and to contexts.
    template <class States, class Contexts>
    void decoder_back(const States& d_states, const Contexts& d_contexts) {
        const auto layers = decoder_.size();
        const bool lstm = c_.cell == nn::Cell::lstm;
        d_gates_.resize(layers);
        for (auto& gates : d_gates_) gates.resize(c_.cell, target_time_.rows(), c_.hidden);
        // Of the states that the step before left, and of the context that it left in Luong's
        // order.
        std::vector<Matrix<S>> dh(layers, Matrix<S>(0, c_.hidden));
        std::vector<Matrix<S>> dc(layers, Matrix<S>(0, lstm ? c_.hidden : 0));
        Matrix<S> d_fed(0, fed_.cols()), d_context, dq;
        const auto grow = [](Matrix<S>& m, Index rows) {
            const Index had = m.rows();
            m.conservativeResize(rows, m.cols());
            m.bottomRows(rows - had).setZero(); // sentences that end here
        };
        for (Index t = target_time_.steps(); t-- > 0;) {
            const Index row = target_time_.begin(t), n = target_time_.size(t);
            for (std::size_t layer = 0; layer < layers; ++layer) {
                grow(dh[layer], n);
                if (lstm) grow(dc[layer], n);
            }
            dh.back() += d_states.middleRows(row, n);
            if (!attends_first()) {
                grow(d_fed, n);
                d_context = d_contexts.middleRows(row, n) + d_fed;
                attention_.step_back(row, rows_in(decoder_.back().states.h, row, n), d_context, dq);
                dh.back() += dq;
            }
            for (std::size_t layer = layers; layer-- > 0;) {
                nn::batch_cell_backward(l_.decoder[layer], row, decoder_[layer], dh[layer],
                                        dc[layer], d_gates_[layer]);
                const ConstView<S> d_input = rows_in(d_gates_[layer].input, row, n);
                if (layer > 0) {
                    nn::linear_backward<S>(l_.decoder[layer].input, d_input, Store::add,
                                           dh[layer - 1]);
                } else {
                    d_fed.resize(n, fed_.cols());
                    nn::linear_backward<S>(l_.fed, d_input, Store::set, d_fed);
                }
            }
            if (attends_first()) {
                d_context = d_contexts.middleRows(row, n) + d_fed;
                attention_.step_back(row, rows_in(decoder_.back().before.h, row, n), d_context, dq);
                dh.back() += dq;
            }
        }
        for (std::size_t layer = 0; layer < layers; ++layer) cells_back(layer);
        bridge_back(dh);
    }
    static ConstView<S> rows_in(const Matrix<S>& m, Index row, Index n) {
        return view(m, row, 0, n, m.cols());
    }

    void cells_back(std::size_t layer) {
        const ConstView<S> d_input = view(std::as_const(d_gates_[layer].input));
        if (layer == 0) {
            nn::linear_gradient<S>(view(std::as_const(target_x_)), d_input, Store::set, true,
                                   g_.words);
            nn::linear_gradient<S>(view(std::as_const(fed_)), d_input, Store::set, false, g_.fed);
        } else {
            nn::linear_gradient<S>(view(std::as_const(decoder_[layer - 1].states.h)), d_input,
                                   Store::set, true, g_.decoder[layer].input);
        }
        nn::linear_gradient<S>(view(std::as_const(decoder_[layer].before.h)),
                               view(d_gates_[layer].of_state(c_.cell)), Store::set, true,
                               g_.decoder[layer].state);
    }

    void bridge_back(std::vector<Matrix<S>>& d_starts) {
        for (std::size_t layer = 0; layer < d_starts.size(); ++layer) {
            Matrix<S>& d = d_starts[layer];
            d.array() *= 1 - starts_[layer].array().square();
            nn::linear_gradient<S>(view(std::as_const(ends_[layer])), view(std::as_const(d)),
                                   Store::set, true, g_.bridge[layer]);
            Matrix<S> d_ends(d.rows(), ends_[layer].cols());
            nn::linear_backward<S>(l_.bridge[layer], view(std::as_const(d)), Store::set, d_ends);
            ends_back(static_cast<Index>(layer), d_ends);
        }
    }
    void ends_back(Index layer, const Matrix<S>& d_ends) {
        Matrix<S>& d_output = d_outputs_[static_cast<std::size_t>(layer)];
        for (Index s = 0; s < d_ends.rows(); ++s) {
            for (Index d = 0; d < directions_; ++d) {
                d_output.block(end_of(s, d), d * c_.hidden, 1, c_.hidden) +=
                    d_ends.block(s, d * c_.hidden, 1, c_.hidden);
            }
        }
    }

    template <class Words> void words_back(const Words& d_words) {
        Matrix<S> dx = d_words;
        nn::linear_backward<S>(l_.words, view(std::as_const(d_gates_[0].input)), Store::add, dx);
        if (target_factors_.size() > 0) dx = dx.cwiseProduct(target_factors_).eval();
        nn::embedding_backward<S>(target_, dx, S(1), g_.target_embedding);
    }

    /// What keys and values pass to the encoder's states.
    void states_back() {
        const bool scored = l_.attention.choice == nn::Choice::scored;
        Matrix<S> d_keys, d_values;
        attention_.finish_back(attends_first() ? decoder_.back().before.h
                                               : decoder_.back().states.h,
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
                nn::linear_gradient<S>(view(std::as_const(h_)), view(std::as_const(d_keys)),
                                       Store::set, false, g_.key);
                nn::linear_backward<S>(l_.key, view(std::as_const(d_keys)), Store::add, dh);
            } else {
                dh += d_keys;
            }
        }
        if (l_.attention.choice == nn::Choice::last) {
            Matrix<S> d_ends(segments_.count(), h_.cols());
            for (Index s = 0; s < segments_.count(); ++s) {
                auto last = d_value_states.row(segments_.begin(s + 1) - 1);
                d_ends.row(s) = last;
                last.setZero();
            }
            ends_back(c_.n_layers - 1, d_ends);
        }
        dh += d_value_states;
        for_source_words(
            [&](Index row, Index word) { d_outputs_.back().row(row) += dh.row(word); });
    }

    void encoder_back() {
        for (Index layer = c_.n_layers; layer-- > 0;) {
            const Matrix<S>& d_output = d_outputs_[static_cast<std::size_t>(layer)];
            Matrix<S> first;
            if (layer == 0) first = Matrix<S>::Zero(source_x_.rows(), source_x_.cols());
            Matrix<S>& dx = layer == 0 ? first : d_outputs_[static_cast<std::size_t>(layer) - 1];
            for (Index d = 0; d < directions_; ++d) {
                const std::size_t at = cell_at(layer, d);
                nn::recurrent_batch_backward(
                    l_.encoder[at], source_time_, encoder_input(layer), d == 1, encoder_[at],
                    view(d_output, 0, d * c_.hidden, d_output.rows(), c_.hidden), g_.encoder[at],
                    dx);
            }
            if (layer > 0) continue;
            if (source_factors_.size() > 0) dx = dx.cwiseProduct(source_factors_).eval();
            nn::embedding_backward<S>(source_, dx, S(1), g_.source_embedding);
        }
    }

    const RecurrentNet<S>& net_;
    const models::RecurrentConfig& c_;
    const Layers<S>& l_;
    S* base_;
    Gradients<S> g_;
    Index directions_;
    nn::DropoutSettings dropout_;

    TimeMajor source_time_, target_time_; // sentences in two orders
    std::vector<Index> source_place_;     // of the target's sentences among the source's
    nn::Segments segments_;               // of the sources, in the order of the targets
    std::vector<Index> source_, target_, wanted_;

    Matrix<S> source_x_, source_factors_, target_x_, target_factors_;
    std::vector<nn::BatchCellCache<S>> encoder_, decoder_;
    std::vector<Matrix<S>> outputs_, d_outputs_; // of each layer of the encoder
    std::vector<Matrix<S>> ends_, starts_;       // last states, and what the decoder begins with
    Matrix<S> h_, h_ends_, own_keys_, own_values_;
    const Matrix<S>*value_states_ = nullptr, *keys_ = nullptr, *values_ = nullptr;
    nn::BatchAttentionPass<S> attention_;
    Matrix<S> said_, fed_; // of the first decoder cell: words projected, and the contexts it read
    Matrix<S> read_, told_, dropped_, told_factors_, logits_;
    std::vector<nn::GateGradients<S>> d_gates_; // of the decoder
};

template <class S> std::unique_ptr<Pass<S>> RecurrentNet<S>::pass(S* gradients) {
    Binding<S> binding(places_, nullptr, gradients);
    Gradients<S> bound;
    bind(binding, bound);
    return std::make_unique<RecurrentPass<S>>(*this, gradients, std::move(bound));
}

} // namespace

template <class S>
std::unique_ptr<Net<S>> recurrent_net(const Parameters& parameters, Places& places) {
    return std::make_unique<RecurrentNet<S>>(parameters, places);
}
template std::unique_ptr<Net<float>> recurrent_net(const Parameters&, Places&);
template std::unique_ptr<Net<double>> recurrent_net(const Parameters&, Places&);

} // namespace heed::train
