// Layers of a recurrent model that learn, bound to their parameters.
#pragma once

#include "models/recurrent/recurrent_parameters.hpp"
#include "nn/attention/batch_attention.hpp"
#include "nn/layers/recurrent_batch.hpp"
#include "train/nets/binding.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace heed::train {

/// Everything that learns, by the names of Recurrent::Parameters. The decoder's first cell reads
/// [word; context], which are projected apart: the words all at once.
template <class S> struct RecurrentLayers {
    std::deque<nn::BatchCell<S>> encoder, decoder;
    nn::LinearLayer<S> words, fed; // the two parts of the first decoder cell's input
    std::deque<nn::LinearLayer<S>> bridge;
    nn::LinearLayer<S> key, value, readout, output;
    nn::BatchAttention<S> attention;
};
template <class S> struct RecurrentGradients {
    std::vector<nn::CellGradient<S>> encoder, decoder;
    nn::LinearGradient<S> words, fed;
    std::vector<nn::LinearGradient<S>> bridge;
    nn::LinearGradient<S> key, value, readout, output;
    nn::BatchAttentionGradient<S> attention;
    S *source_embedding = nullptr, *target_embedding = nullptr;
};

template <class S> class RecurrentNet final : public Net<S> {
  public:
    RecurrentNet(const models::Recurrent::Parameters& p, ParameterLayout& places);

    Index size() const override { return size_; }
    void set(num::ThreadPool& pool, const S* values) override;
    std::unique_ptr<Pass<S>> pass(S* gradients) override;
    /// Words with ⟨end⟩ where a decoder says them, else without.
    Index judged(const Example& e) const override {
        return std::ssize(e.target) + (models::has_decoder(config_) ? 1 : 0);
    }

  private:
    template <class> friend class RecurrentPass;
    bool attends() const { return models::attends(config_); }
    void set_attention();
    bool has_keys() const { return config_.projection != models::Projection::none; }
    bool has_values() const { return config_.projection == models::Projection::two; }
    void bind(Binding<S>& binding, RecurrentGradients<S>& g);
    void bind_decoder(Binding<S>& binding, RecurrentGradients<S>& g);

    /// Keys are not read where nothing is scored, but where values are keys.
    bool reads_keys() const;
    void cell(const nn::CellParams<float>& from, nn::BatchCell<S>& to, nn::CellGradient<S>& g,
              bool whole_input, Binding<S>& binding);
    void score(Binding<S>& binding, nn::BatchAttentionGradient<S>& g);

    const models::Recurrent::Parameters& p_;
    ParameterLayout& places_;
    const models::RecurrentConfig& config_;
    RecurrentLayers<S> layers_;
    Refresh<S> refresh_;
    std::vector<std::pair<Index, Index>> added_;
    Index rows_, size_ = 0, source_embedding_ = 0, target_embedding_ = 0;
    const S* values_ = nullptr;
};

} // namespace heed::train
