#include "train/nets/transformer_pass.hpp"

#include "base/check.hpp"
#include "models/model/sides.hpp"
#include "nn/attention/position.hpp"
#include "nn/layers/embedding.hpp"
#include "text/vocabulary.hpp"
#include "train/nets/embedded_rows.hpp"

#include <algorithm>
#include <cmath>

namespace heed::train {

using nn::Memory;
using nn::Segments;
using num::Matrix;
using num::view;

template <class S>
CrossEntropy TransformerPass<S>::run(std::span<const Example* const> examples,
                                     const PassSettings& settings) {
    dropout_ = {settings.regularization.dropout, settings.seed};
    read(examples);
    const TransformerLayers<S>& l = net_.layers_;
    const Matrix<S>* stream = nullptr;
    if (models::has_encoder(net_.config_)) {
        stream = &forward("encoder", source_, source_segments_, l.encoder, l.encoder_norm, {},
                          encoder_, encoder_side_);
    }
    if (models::has_decoder(net_.config_)) {
        Memory<S> memory;
        if (stream) memory = {stream, &source_segments_};
        stream = &forward("decoder", target_, target_segments_, l.decoder, l.decoder_norm, memory,
                          decoder_, decoder_side_);
    }
    logits_.resize(stream->rows(), l.logits.out());
    num::linear<S>(nn::alone(), view(*stream), l.logits, {}, view(logits_));
    const auto result = nn::cross_entropy<S>(
        logits_, labels_, static_cast<S>(settings.regularization.label_smoothing),
        static_cast<S>(settings.factor));
    if (settings.factor != 0) backward(*stream);
    return result;
}

template <class S> void TransformerPass<S>::read(std::span<const Example* const> examples) {
    source_.clear();
    target_.clear();
    labels_.clear();
    source_segments_ = target_segments_ = {};
    const bool decodes = models::has_decoder(net_.config_);
    for (const Example* e : examples) {
        if (models::has_encoder(net_.config_)) {
            source_.insert(source_.end(), e->source.begin(), e->source.end());
            source_segments_.add(std::ssize(e->source));
        }
        const std::vector<Index>& said = e->target;
        if (decodes) {
            const std::size_t first = target_.size();
            if (models::reads_source_first(net_.config_)) {
                target_.insert(target_.end(), e->source.begin(), e->source.end());
                labels_.insert(labels_.end(), e->source.size(), nn::kNotCounted);
            }
            if (models::reads_start(net_.config_)) {
                target_.push_back(static_cast<Index>(text::Vocabulary::kStart));
            } else {
                labels_.pop_back(); // the source's last token says the target's first
            }
            target_.insert(target_.end(), said.begin(), said.end());
            target_segments_.add(static_cast<Index>(target_.size() - first));
        } else {
            HEED_CHECK(said.size() == e->source.size(),
                       "{} words to say at {} words of an encoder alone", said.size(),
                       e->source.size());
        }
        labels_.insert(labels_.end(), said.begin(), said.end());
        if (decodes) labels_.push_back(static_cast<Index>(text::Vocabulary::kEnd));
    }
}

template <class S>
const Matrix<S>& TransformerPass<S>::forward(const std::string& stack,
                                             const std::vector<Index>& rows,
                                             const Segments& segments,
                                             const std::deque<nn::TransformerLayer<S>>& layers,
                                             const nn::LayerNormParams<S>& norm,
                                             const Memory<S>& memory, Caches& caches, Side& side) {
    embed(stack, rows, segments, side);
    const Matrix<S>* stream = &side.x;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        stream = &nn::transformer_layer_forward(layers[i], *stream, segments, memory, dropout_,
                                                caches[i]);
    }
    side.norm = nn::layer_norm_forward(nn::alone(), norm, *stream);
    return side.norm.y;
}

template <class S>
void TransformerPass<S>::embed(const std::string& stack, const std::vector<Index>& rows,
                               const Segments& segments, Side& side) {
    const Index d = net_.config_.d_model, n = std::ssize(rows);
    const S root = std::sqrt(static_cast<S>(d));
    const S* table = net_.values_ + net_.embedding_;
    Matrix<S>& x = side.x;
    x.resize(n, d);
    rows_of<S>(table, net_.config_.vocabulary, rows, root, 0, x);
    if (net_.positions_ != nn::Positions::none) add_positions(segments, side);
    drop(dropout_, stack + ".embedding.dropout", x, side.factors);
}

template <class S> void TransformerPass<S>::add_positions(const Segments& segments, Side& side) {
    const Index d = net_.config_.d_model, longest = segments.longest();
    const bool learned = net_.positions_ == nn::Positions::learned;
    HEED_CHECK(!learned || longest <= net_.config_.max_positions,
               "{} tokens, and the table of learned positions has {} rows", longest,
               net_.config_.max_positions);
    if (!learned && sinusoidal_.rows() < longest) {
        sinusoidal_ = nn::sinusoidal_table<S>(longest, d);
    }
    const S* table =
        learned ? net_.values_ + net_.learned_positions_ : std::as_const(sinusoidal_).data();
    const bool concatenated = net_.concatenates();
    if (concatenated) {
        side.joined.resize(side.x.rows(), 2 * d);
        side.joined.leftCols(d) = side.x;
    }
    for (Index s = 0; s < segments.count(); ++s) {
        const Eigen::Map<const Matrix<S>> positions(table, segments.size(s), d);
        auto& to = concatenated ? side.joined : side.x;
        auto block = to.block(segments.begin(s), to.cols() - d, segments.size(s), d);
        if (concatenated) {
            block = positions;
        } else {
            block += positions;
        }
    }
    if (concatenated) {
        nn::linear_forward<S>(net_.layers_.join, view(std::as_const(side.joined)), {}, side.x);
    }
}

template <class S> void TransformerPass<S>::backward(const Matrix<S>& output) {
    for (const auto& [offset, size] : net_.added_) {
        std::fill_n(base_ + offset, size, S(0));
    }
    const TransformerLayers<S>& l = net_.layers_;
    const TransformerGradients<S>& g = gradients_;
    const num::ConstView<S> d_logits = view(std::as_const(logits_));
    const Index d = net_.config_.d_model;
    num::product_of_transpose<S>(
        d_logits, view(output), num::Store::set,
        num::View<S>(g.output, logits_.cols(), d, Eigen::OuterStride<>(d)));
    Matrix<S> dx(output.rows(), d);
    num::linear<S>(nn::alone(), d_logits, l.logits_back, {}, view(dx));
    if (models::has_decoder(net_.config_)) {
        Memory<S> memory;
        Matrix<S> d_memory;
        if (models::has_cross(net_.config_)) {
            memory = {&encoder_side_.norm.y, &source_segments_};
            d_memory = Matrix<S>::Zero(source_segments_.rows(), d);
        }
        back(target_, target_segments_, l.decoder, l.decoder_norm, memory, decoder_, decoder_side_,
             g.decoder, g.decoder_norm, dx, memory.rows ? &d_memory : nullptr);
        if (!memory.rows) return;
        dx = std::move(d_memory);
    }
    back(source_, source_segments_, l.encoder, l.encoder_norm, {}, encoder_, encoder_side_,
         g.encoder, g.encoder_norm, dx, nullptr);
}

template <class S>
void TransformerPass<S>::back(const std::vector<Index>& rows, const Segments& segments,
                              const std::deque<nn::TransformerLayer<S>>& layers,
                              const nn::LayerNormParams<S>& norm, const Memory<S>& memory,
                              const Caches& caches, const Side& side,
                              const std::vector<nn::TransformerLayerGradient<S>>& gradients,
                              const nn::NormGradient<S>& norm_gradient, Matrix<S>& dx,
                              Matrix<S>* d_memory) {
    const auto input_of = [&](std::size_t layer) -> const Matrix<S>& {
        return layer == 0 ? side.x : nn::output_of(layers[layer - 1], caches[layer - 1]);
    };
    nn::layer_norm_backward(norm, side.norm.cache, input_of(layers.size()), dx, norm_gradient.gain,
                            norm_gradient.shift, dx);
    for (std::size_t i = layers.size(); i-- > 0;) {
        nn::transformer_layer_backward(layers[i], caches[i], input_of(i), segments, memory,
                                       gradients[i], dx, d_memory);
    }
    embed_back(rows, segments, side, dx);
}

template <class S>
void TransformerPass<S>::embed_back(const std::vector<Index>& rows, const Segments& segments,
                                    const Side& side, Matrix<S>& dx) {
    const Index d = net_.config_.d_model;
    drop_back(side.factors, dx);
    Matrix<S> d_positions;
    if (net_.concatenates()) {
        // Two stacks read one join.
        nn::linear_gradient<S>(view(side.joined), view(std::as_const(dx)), num::Store::add, false,
                               gradients_.join);
        Matrix<S> d_joined(dx.rows(), 2 * d);
        nn::linear_backward<S>(net_.layers_.join, view(std::as_const(dx)), num::Store::set,
                               d_joined);
        dx = d_joined.leftCols(d);
        d_positions = d_joined.rightCols(d);
    }
    if (gradients_.learned_positions) {
        positions_back<S>(net_.concatenates() ? d_positions : dx, segments,
                          gradients_.learned_positions);
    }
    nn::embedding_backward<S>(rows, dx, std::sqrt(static_cast<S>(d)), gradients_.embedding);
}

template class TransformerPass<float>;
template class TransformerPass<double>;

} // namespace heed::train
