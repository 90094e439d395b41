#include "inside/logit_pass.hpp"

#include "models/transformer/parameters.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <utility>

namespace heed::inside {

template <class S>
AskedLogit<S>::AskedLogit(const Readout& readout, const Question& question)
    : width_(readout.model->config().d_model), d_model_(width_) {
    readout.classes ? read_class(readout, question) : read_word(readout, question);
}

template <class S> void AskedLogit<S>::read_word(const Readout& readout, const Question& question) {
    const auto& p = readout.model->usual_parameters();
    const models::LogitSpec& spec = p.config.word_logits;
    const models::WordTable& words = spec.tied ? p.embedding : p.output;
    const auto add = [&](Index word, S sign) {
        word_ += sign * static_cast<S>(spec.factor) * words.row(word).template cast<S>();
        if (spec.bias) bias_ += sign * static_cast<S>(p.output_bias(word));
    };
    token_ = question.token;
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
void AskedLogit<S>::read_class(const Readout& readout, const Question& question) {
    const auto& p = readout.model->usual_parameters();
    const models::ClassifierHead& head = p.head;
    const bool two = p.config.pooling == models::Pooling::leading; // the mean of two outputs
    width_ = models::pooled_width(p.config);
    mean_ = p.config.pooling == models::Pooling::mean;
    const Matrix<float> output = head.output.dense();
    const Matrix<float> distilled = two ? head.distilled.dense() : Matrix<float>();
    word_ = num::RowVector<S>::Zero(output.rows() + distilled.rows());
    const auto add = [&](Index of, S sign) {
        const S share = two ? sign / 2 : sign;
        word_.head(output.rows()) += share * output.col(of).transpose().template cast<S>();
        bias_ += share * static_cast<S>(head.output_bias(of));
        if (!two) return;
        word_.tail(distilled.rows()) += share * distilled.col(of).transpose().template cast<S>();
        bias_ += share * static_cast<S>(head.distilled_bias(of));
    };
    add(question.word, 1);
    if (question.against) add(*question.against, -1);
    transforms_ = p.config.dense > 0;
    if (!transforms_) return;
    const Matrix<S> dense = head.dense.dense().template cast<S>();
    transform_.set(num::view(dense), {});
    transform_bias_ = head.dense_bias.template cast<S>();
}

template <class S>
Index AskedLogit<S>::numbers_of(const nn::Segments& segments, Index segment) const {
    return std::min(width_, (segments.size(segment) - token_) * d_model_);
}

template <class S>
Matrix<S> AskedLogit<S>::gathered(const Matrix<S>& states, const nn::Segments& segments) const {
    Matrix<S> read = Matrix<S>::Zero(segments.count(), width_);
    for (Index i = 0; i < read.rows(); ++i) {
        const Index begin = segments.begin(i);
        if (mean_) {
            read.row(i) = states.middleRows(begin, segments.size(i)).colwise().mean();
            continue;
        }
        const Index numbers = numbers_of(segments, i);
        read.row(i).head(numbers) = Eigen::Map<const num::RowVector<S>>(
            states.data() + (begin + token_) * d_model_, numbers);
    }
    return read;
}

template <class S>
std::vector<S> AskedLogit<S>::forward(const Matrix<S>& states, const nn::Segments& segments,
                                      Matrix<S>& z) const {
    Matrix<S> read = gathered(states, segments);
    if (transforms_) {
        nn::linear_forward<S>(transform_, num::view(std::as_const(read)), {}, z);
        if (transform_bias_.size() > 0) z.rowwise() += transform_bias_;
        read = z.unaryExpr([&](S v) { return nn::activate(activation_, v); });
        if (norm_.gain.size() > 0) read = nn::layer_norm_forward(nn::alone(), norm_, read).y;
    }
    std::vector<S> logits;
    for (Index i = 0; i < read.rows(); ++i) logits.push_back(read.row(i).dot(word_) + bias_);
    return logits;
}

template <class S>
Matrix<S> AskedLogit<S>::backward(const nn::Segments& segments, const Matrix<S>& z) const {
    Matrix<S> d = word_.replicate(segments.count(), 1);
    if (transforms_) {
        if (norm_.gain.size() > 0) {
            const Matrix<S> h = z.unaryExpr([&](S v) { return nn::activate(activation_, v); });
            const auto norm = nn::layer_norm_forward(nn::alone(), norm_, h);
            num::RowVector<S> unread = num::RowVector<S>::Zero(h.cols()), unread_shift = unread;
            nn::layer_norm_backward(norm_, norm.cache, h, d, unread.data(), unread_shift.data(), d);
        }
        d.array() *= z.unaryExpr([&](S v) { return nn::activation_slope(activation_, v); }).array();
        Matrix<S> d_read(d.rows(), transform_.weights.in());
        nn::linear_backward<S>(transform_, num::view(std::as_const(d)), num::Store::set, d_read);
        d = std::move(d_read);
    }
    Matrix<S> dx = Matrix<S>::Zero(segments.rows(), d_model_);
    for (Index i = 0; i < d.rows(); ++i) {
        const Index begin = segments.begin(i), length = segments.size(i);
        if (mean_) {
            dx.middleRows(begin, length).rowwise() += d.row(i) / static_cast<S>(length);
            continue;
        }
        const Index numbers = numbers_of(segments, i);
        Eigen::Map<num::RowVector<S>>(dx.data() + (begin + token_) * d_model_, numbers) =
            d.row(i).head(numbers);
    }
    return dx;
}

template <class S> PassModel<S>::PassModel(const models::Run& run, const Question& question) {
    const Readout readout = *readout_of(run);
    const auto& p = readout.model->usual_parameters();
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
    return model_.asked.forward(says.output(), says.segments, z_);
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
    Matrix<S> dx = model_.asked.backward(says.segments, z_);
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
