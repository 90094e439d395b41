// One thread's walk through a recurrent model, there and back, over sentences of its own.
#pragma once

#include "nn/attention/dropout.hpp"
#include "train/nets/recurrent_batch.hpp"
#include "train/nets/recurrent_layers.hpp"

#include <span>
#include <utility>
#include <vector>

namespace heed::train {

template <class S> class RecurrentPass final : public Pass<S> {
  public:
    RecurrentPass(const RecurrentNet<S>& net, S* base, RecurrentGradients<S> gradients)
        : net_(net), c_(net.config_), l_(net.layers_), base_(base), g_(std::move(gradients)),
          directions_(models::directions(c_)), encoder_(l_.encoder.size()),
          decoder_(l_.decoder.size()) {}

    CrossEntropy run(std::span<const Example* const> examples,
                     const PassSettings& settings) override;

  private:
    // Encoder ---------------------------------------------------------------------------------

    const num::Matrix<S>& encoder_input(Index layer) const {
        return layer == 0 ? source_x_ : outputs_[static_cast<std::size_t>(layer) - 1];
    }
    std::size_t cell_at(Index layer, Index direction) const {
        return static_cast<std::size_t>(layer * directions_ + direction);
    }
    void encode();

    /// Last states of a layer, a row a sentence: sentences × directions·hidden.
    num::Matrix<S> ends(Index layer) const;

    // Decoder ---------------------------------------------------------------------------------

    bool attends_first() const { return c_.order == models::StepOrder::attend_first; }
    const nn::LinearLayer<S>* value_map() const {
        return net_.has_values() ? &l_.value : net_.has_keys() ? &l_.key : nullptr;
    }
    /// True where the bridge reads anything: with Beginning::nothing only its bias is left.
    bool reads_ends() const { return !net_.attends() || c_.beginning == models::Beginning::states; }
    num::Matrix<S> begins_from(std::size_t layer) const;
    void begin_decoder();
    void begin_attention();
    void read_vectors();
    void decode(const PassSettings& settings);
    void step(Index t);

    /// Some words of step t become what was the most probable after step t − 1.
    void say_itself(Index t, const num::Rng& draws, float share);

    Index readout_width() const { return c_.hidden + models::key_width(c_) + c_.embedding; }
    /// [state; context; word] of as many rows as `read` has, from `row` on.
    void fill_readout(Index row, num::Matrix<S>& read) const;
    /// The words' logits, from readout_in_.
    void read_out();

    // Back ------------------------------------------------------------------------------------

    void backward();

    /// Steps from the last to the first.
    void decoder_back(const num::Matrix<S>& d_readout_in);
    static num::ConstView<S> rows_in(const num::Matrix<S>& m, Index row, Index n) {
        return num::view(m, row, 0, n, m.cols());
    }
    void cells_back(std::size_t layer);
    void bridge_back(std::vector<num::Matrix<S>>& d_starts);
    void ends_back(Index layer, const num::Matrix<S>& d_ends);
    void words_back(const num::Matrix<S>& d_readout_in);

    /// Passes the gradients of keys and values back to the encoder's states.
    void states_back();
    void encoder_back();

    const RecurrentNet<S>& net_;
    const models::RecurrentConfig& c_;
    const RecurrentLayers<S>& l_;
    S* base_;
    RecurrentGradients<S> g_;
    Index directions_;
    nn::DropoutSettings dropout_;

    RecurrentBatch batch_;
    std::vector<Index> labels_;  // a word at each row of logits_
    std::vector<Index> vectors_; // the words that decoders start from, where no encoder reads
    num::Matrix<S> source_x_, source_factors_, target_x_, target_factors_;
    std::vector<nn::BatchCellCache<S>> encoder_, decoder_;
    std::vector<num::Matrix<S>> outputs_, d_outputs_; // of each layer of the encoder
    std::vector<num::Matrix<S>> ends_, starts_; // last states, and what the decoder begins with
    num::Matrix<S> h_, h_ends_, own_keys_, own_values_;
    const num::Matrix<S>*value_states_ = nullptr, *keys_ = nullptr, *values_ = nullptr;
    nn::BatchAttentionPass<S> attention_;
    /// Inputs of the first decoder cell: words projected, and the contexts that it read.
    num::Matrix<S> projected_target_, input_feed_;
    num::Matrix<S> readout_in_, readout_, dropped_readout_, readout_factors_, logits_;
    std::vector<nn::GateGradients<S>> d_gates_; // of the decoder
};

} // namespace heed::train
