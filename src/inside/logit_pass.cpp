#include "inside/logit_pass.hpp"

#include "models/transformer/parameters.hpp"
#include "num/transposed.hpp"

#include <utility>

namespace heed::inside {

template <class S> AskedLogit<S>::AskedLogit(const Readout& readout, const Question& question) {
    const auto& p = readout.model->parameters();
    const models::LogitSpec& spec = p.config.word_logits;
    const models::WordTable& words = spec.tied ? p.embedding : p.output;
    const auto add = [&](Index word, S sign) {
        word_ += sign * static_cast<S>(spec.factor) * words.row(word).template cast<S>();
        if (spec.bias) bias_ += sign * static_cast<S>(p.output_bias(word));
    };
    word_ = num::RowVector<S>::Zero(words.cols());
    add(question.word, 1);
    if (question.against) add(*question.against, -1);
    transforms_ = spec.transform;
    if (!transforms_) return;
    const Matrix<S> t = p.transform.dense().template cast<S>();
    transform_.set(num::view(t), {});
    transform_bias_ = p.transform_bias.template cast<S>();
    norm_ = norm_in<S>(p.transform_norm);
    activation_ = p.config.activation;
}

template <class S>
std::vector<S> AskedLogit<S>::forward(const Matrix<S>& rows, Matrix<S>& z) const {
    Matrix<S> read = rows;
    if (transforms_) {
        nn::linear_forward<S>(transform_, num::view(rows), {}, z);
        if (transform_bias_.size() > 0) z.rowwise() += transform_bias_;
        const Matrix<S> h = z.unaryExpr([&](S v) { return nn::activate(activation_, v); });
        read = nn::layer_norm_forward(nn::alone(), norm_, h).y;
    }
    std::vector<S> logits;
    for (Index i = 0; i < read.rows(); ++i) logits.push_back(read.row(i).dot(word_) + bias_);
    return logits;
}

template <class S> Matrix<S> AskedLogit<S>::backward(Index variants, const Matrix<S>& z) const {
    Matrix<S> d = word_.replicate(variants, 1);
    if (!transforms_) return d;
    const Matrix<S> h = z.unaryExpr([&](S v) { return nn::activate(activation_, v); });
    const auto norm = nn::layer_norm_forward(nn::alone(), norm_, h);
    num::RowVector<S> unread = num::RowVector<S>::Zero(h.cols()), unread_shift = unread;
    nn::layer_norm_backward(norm_, norm.cache, h, d, unread.data(), unread_shift.data(), d);
    d.array() *= z.unaryExpr([&](S v) { return nn::activation_slope(activation_, v); }).array();
    Matrix<S> dx(variants, transform_.weights.in());
    nn::linear_backward<S>(transform_, num::view(std::as_const(d)), num::Store::set, dx);
    return dx;
}

template <class S> PassModel<S>::PassModel(const models::Run& run, const Question& question) {
    const Readout readout = *readout_of(run);
    const auto& p = readout.model->parameters();
    const auto fill = [&](AttentionKind stack, std::vector<PassLayer<S>>& layers) {
        for (int i = 0; i < n_layers(p.config, stack); ++i) {
            layers.push_back(pass_layer<S>(run, stack, i));
        }
    };
    if (has_encoder(p.config)) {
        fill(AttentionKind::encoder_self, encoder);
        source_tokens = residual_after(run, AttentionKind::encoder_self, -1).rows();
    }
    if (has_decoder(p.config)) {
        fill(AttentionKind::decoder_self, decoder);
        target_tokens = residual_after(run, AttentionKind::decoder_self, -1).rows();
    }
    if (p.config.norms.last) {
        encoder_norm = norm_in<S>(p.encoder_norm);
        decoder_norm = norm_in<S>(p.decoder_norm);
    }
    asked = AskedLogit<S>(readout, question);
    token = question.token;
}

template <class S> nn::Memory<S> LogitPass<S>::memory() const {
    if (model_.encoder.empty()) return {};
    return {&encoder_.output(), &encoder_.segments};
}

template <class S>
void LogitPass<S>::run(const std::vector<PassLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
                       Matrix<S> x, const nn::Memory<S>& memory, Stack& stack) {
    stack.inputs.clear();
    stack.inputs.push_back(std::move(x));
    for (const PassLayer<S>& layer : layers) {
        PassCache<S> cache;
        const Matrix<S>& read = stack.inputs.back();
        const Matrix<S>& stream = attended(layer, read, stack.segments, memory, cache);
        stack.inputs.push_back(fed_forward(layer, read, stream, cache));
    }
    stack.norm = {};
    if (norm.gain.size() == 0) return;
    stack.norm = nn::layer_norm_forward(nn::alone(), norm, stack.inputs.back());
}

template <class S> std::vector<S> LogitPass<S>::forward(StackInputs<S> inputs) {
    const bool encodes = !model_.encoder.empty(), decodes = !model_.decoder.empty();
    const auto split = [](const Matrix<S>& x, Index tokens) {
        nn::Segments segments;
        for (Index i = 0; i < x.rows(); i += tokens) segments.add(tokens);
        return segments;
    };
    if (encodes) {
        encoder_.segments = split(inputs.encoder, model_.source_tokens);
        run(model_.encoder, model_.encoder_norm, std::move(inputs.encoder), {}, encoder_);
    }
    if (decodes) {
        decoder_.segments = split(inputs.decoder, model_.target_tokens);
        run(model_.decoder, model_.decoder_norm, std::move(inputs.decoder), memory(), decoder_);
    }
    const Stack& says = decodes ? decoder_ : encoder_;
    variants_ = says.segments.count();
    Matrix<S> rows(variants_, says.output().cols());
    for (Index i = 0; i < variants_; ++i) {
        rows.row(i) = says.output().row(says.segments.begin(i) + model_.token);
    }
    return model_.asked.forward(rows, z_);
}

template <class S>
void LogitPass<S>::back(const std::vector<PassLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
                        AttentionKind kind, const nn::Memory<S>& memory, const Stack& stack,
                        const MapsSeen& seen, const std::stop_token& stop, Matrix<S>& dx,
                        Matrix<S>* d_memory) {
    if (norm.gain.size() > 0) {
        num::RowVector<S> unread = num::RowVector<S>::Zero(dx.cols()), unread_shift = unread;
        nn::layer_norm_backward(norm, stack.norm.cache, stack.inputs.back(), dx, unread.data(),
                                unread_shift.data(), dx);
    }
    for (std::size_t i = layers.size(); i-- > 0 && !stop.stop_requested();) {
        const PassLayer<S> layer = with_transposed(layers[i]);
        const Matrix<S>& x = stack.inputs[i];
        PassCache<S> cache;
        fed_forward(layer, x, attended(layer, x, stack.segments, memory, cache), cache);
        std::vector<S> self(seen ? cache.self.weights.size() : 0);
        std::vector<S> cross(seen ? cache.cross.weights.size() : 0);
        pass_back(layer, cache, x, stack.segments, memory, seen ? self.data() : nullptr,
                  seen ? cross.data() : nullptr, dx, d_memory);
        if (!seen) continue;
        const int index = static_cast<int>(i);
        if (layer.layer.cross) seen(AttentionKind::cross, index, cache.cross.weights, cross);
        seen(kind, index, cache.self.weights, self);
    }
}

template <class S>
StackInputs<S> LogitPass<S>::backward(const MapsSeen& seen, const std::stop_token& stop) {
    const bool decodes = !model_.decoder.empty();
    const Stack& says = decodes ? decoder_ : encoder_;
    const Matrix<S> d_rows = model_.asked.backward(variants_, z_);
    Matrix<S> dx = Matrix<S>::Zero(says.segments.rows(), d_rows.cols());
    for (Index i = 0; i < variants_; ++i) {
        dx.row(says.segments.begin(i) + model_.token) = d_rows.row(i);
    }
    StackInputs<S> result;
    if (decodes) {
        Matrix<S> d_memory;
        const bool crosses = !model_.encoder.empty();
        if (crosses) d_memory = Matrix<S>::Zero(encoder_.segments.rows(), dx.cols());
        back(model_.decoder, model_.decoder_norm, AttentionKind::decoder_self, memory(), decoder_,
             seen, stop, dx, crosses ? &d_memory : nullptr);
        result.decoder = std::move(dx);
        if (!crosses) return result;
        dx = std::move(d_memory);
    }
    back(model_.encoder, model_.encoder_norm, AttentionKind::encoder_self, {}, encoder_, seen, stop,
         dx, nullptr);
    result.encoder = std::move(dx);
    return result;
}

template struct AskedLogit<float>;
template struct AskedLogit<double>;
template struct PassModel<float>;
template struct PassModel<double>;
template class LogitPass<float>;
template class LogitPass<double>;

} // namespace heed::inside
