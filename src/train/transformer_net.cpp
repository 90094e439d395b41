#include "train/transformer_net.hpp"

#include "base/check.hpp"
#include "models/resolve.hpp"
#include "nn/embedding_gradient.hpp"
#include "nn/transformer_layer.hpp"
#include "text/vocabulary.hpp"
#include "train/binding.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace heed::train {

namespace {

using models::Transformer;
using nn::Memory;
using nn::Segments;
using num::Matrix;
using num::view;
using trace::AttentionKind;
using Parameters = Transformer::Parameters;

/// Everything that learns, by the names of Transformer::Parameters.
template <class S> struct Layers {
    std::deque<nn::TransformerLayer<S>> encoder, decoder; // refreshed where they stand
    nn::LayerNormParams<S> encoder_norm, decoder_norm;
    nn::LinearLayer<S> join;
    num::Weights<S> logits, logits_back; // outputᵀ and output
};
template <class S> struct Gradients {
    std::vector<nn::TransformerLayerGradient<S>> encoder, decoder;
    nn::NormGradient<S> encoder_norm, decoder_norm;
    nn::LinearGradient<S> join;
    S *embedding = nullptr, *output = nullptr, *learned_positions = nullptr;
};

template <class S> nn::HeadSettings<S> settings_of(const trace::HeadSettings& from) {
    nn::HeadSettings<S> to;
    to.score = from.score;
    to.gamma = static_cast<S>(from.gamma);
    to.temperature = static_cast<S>(from.temperature);
    to.mask = from.mask;
    to.positions = from.positions;
    to.gain = static_cast<S>(from.gain);
    return to;
}

template <class S> class TransformerNet final : public Net<S> {
  public:
    TransformerNet(const Parameters& p, Places& places)
        : p_(p), places_(places), config_(p.config),
          positions_(models::joined_positions(config_, {})) {
        layers_.encoder.resize(p.encoder.size());
        layers_.decoder.resize(p.decoder.size());
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
    Index judged(const Example& e) const override {
        if (!models::has_decoder(config_)) return static_cast<Index>(e.target.size());
        return static_cast<Index>(said(e).size()) + 1;
    }

    /// What the decoder reads and says: a decoder alone takes the only sentence that there is.
    const std::vector<Index>& said(const Example& e) const {
        return models::has_encoder(config_) || !e.target.empty() ? e.target : e.source;
    }

  private:
    template <class> friend class TransformerPass;

    void bind(Binding<S>& binding, Gradients<S>& g) {
        const Parameters& p = p_;
        const auto table = [&](const Matrix<float>& m, Index& at, S*& gradient, bool added) {
            gradient = added ? binding.added_gradient(&m, m.size()) : binding.set_gradient(&m);
            at = binding.place(&m);
        };
        table(p.embedding, embedding_, g.embedding, true);
        table(p.output, output_, g.output, false);
        binding.on_move([this](const S* values) {
            const num::ConstView<S> rows(values + output_, config_.vocabulary, config_.d_model,
                                         Eigen::OuterStride<>(config_.d_model));
            num::repack_transposed<S>(layers_.logits, rows);
            num::repack<S>(layers_.logits_back, rows);
        });
        if (positions_ == nn::Positions::learned) {
            table(p.learned_positions, learned_positions_, g.learned_positions, true);
        }
        if (concatenates()) {
            binding.linear(p.join, nullptr, layers_.join, g.join);
            binding.added_gradient(&p.join, p.join.in() * p.join.out()); // by both stacks
        }
        g.encoder.resize(p.encoder.size());
        g.decoder.resize(p.decoder.size());
        for (std::size_t i = 0; i < p.encoder.size(); ++i) {
            auto& layer = layers_.encoder[i];
            const auto& from = p.encoder[i];
            frame(layer, "encoder.layers." + std::to_string(i));
            attention(p, AttentionKind::encoder_self, i, from.self_attention, layer.self,
                      layer.name + ".self_attn", binding, g.encoder[i].self);
            feed_forward(from.feed_forward, layer, binding, g.encoder[i]);
            binding.norm(from.norm1, layer.self_norm, g.encoder[i].self_norm);
            binding.norm(from.norm2, layer.feed_forward_norm, g.encoder[i].feed_forward_norm);
        }
        for (std::size_t i = 0; i < p.decoder.size(); ++i) {
            auto& layer = layers_.decoder[i];
            const auto& from = p.decoder[i];
            frame(layer, "decoder.layers." + std::to_string(i));
            attention(p, AttentionKind::decoder_self, i, from.self_attention, layer.self,
                      layer.name + ".self_attn", binding, g.decoder[i].self);
            if (models::has_cross(config_)) {
                if (!layer.cross) layer.cross.emplace();
                attention(p, AttentionKind::cross, i, from.cross_attention, *layer.cross,
                          layer.name + ".multihead_attn", binding, g.decoder[i].cross);
                binding.norm(from.norm2, layer.cross_norm, g.decoder[i].cross_norm);
            }
            feed_forward(from.feed_forward, layer, binding, g.decoder[i]);
            binding.norm(from.norm1, layer.self_norm, g.decoder[i].self_norm);
            binding.norm(from.norm3, layer.feed_forward_norm, g.decoder[i].feed_forward_norm);
        }
        if (models::has_encoder(config_)) {
            binding.norm(p.encoder_norm, layers_.encoder_norm, g.encoder_norm);
        }
        if (models::has_decoder(config_)) {
            binding.norm(p.decoder_norm, layers_.decoder_norm, g.decoder_norm);
        }
    }

    bool concatenates() const {
        return positions_ != nn::Positions::none && config_.join == nn::Join::concatenate;
    }

    void frame(nn::TransformerLayer<S>& layer, std::string name) const {
        layer.name = std::move(name);
        layer.order = config_.norm;
        layer.feed_forward.activation = config_.activation;
    }

    void attention(const Parameters& p, AttentionKind kind, std::size_t index,
                   const nn::AttentionParams<float>& from, nn::SegmentAttention<S>& to,
                   std::string name, Binding<S>& binding, nn::SegmentAttentionGradient<S>& g) {
        const models::Controls none;
        models::HeadResolver resolver(models::head_defaults(config_), none);
        const auto h = static_cast<std::size_t>(config_.n_heads);
        to.name = std::move(name);
        to.directed = kind == AttentionKind::decoder_self;
        to.heads.resize(h);
        binding.linear(from.query, &from.query_bias, to.query, g.query);
        binding.linear(from.key, &from.key_bias, to.key, g.key);
        binding.linear(from.value, &from.value_bias, to.value, g.value);
        binding.linear(from.output, &from.output_bias, to.output, g.output);
        bool relative = false, scored = false;
        for (std::size_t i = 0; i < h; ++i) {
            const trace::HeadId id{kind, static_cast<int>(index), static_cast<int>(i)};
            to.heads[i] =
                settings_of<S>(resolver.settings(id, models::kMaxTokens, models::kMaxTokens));
            relative = relative || to.heads[i].positions == nn::Positions::relative;
            scored = scored || nn::has_parameters(to.heads[i].score);
        }
        if (relative) binding.copy(p.relative[static_cast<int>(kind)], to.relative, g.relative);
        if (!scored) return;
        to.scores.resize(h);
        g.scores.resize(h);
        for (std::size_t i = 0; i < h; ++i) {
            binding.score(to.heads[i].score, p.scores[static_cast<int>(kind)][index * h + i],
                          to.scores[i], g.scores[i]);
        }
    }

    void feed_forward(const nn::FeedForwardParams<float>& from, nn::TransformerLayer<S>& layer,
                      Binding<S>& binding, nn::TransformerLayerGradient<S>& g) {
        binding.linear(from.linear1, &from.bias1, layer.feed_forward.linear1,
                       g.feed_forward.linear1);
        binding.linear(from.linear2, &from.bias2, layer.feed_forward.linear2,
                       g.feed_forward.linear2);
    }

    const Parameters& p_;
    Places& places_;
    const models::TransformerConfig& config_;
    nn::Positions positions_;
    Layers<S> layers_;
    Refresh<S> refresh_;
    std::vector<std::pair<Index, Index>> added_;
    Index size_ = 0, embedding_ = 0, output_ = 0, learned_positions_ = 0;
    const S* values_ = nullptr;
};

/// One thread's walk through the model, there and back.
template <class S> class TransformerPass final : public Pass<S> {
  public:
    TransformerPass(const TransformerNet<S>& net, S* base, Gradients<S> gradients)
        : net_(net), base_(base), gradients_(std::move(gradients)),
          encoder_(net.layers_.encoder.size()), decoder_(net.layers_.decoder.size()) {}

    CrossEntropy run(std::span<const Example* const> examples,
                     const PassSettings& settings) override {
        dropout_ = {settings.hardships.dropout, settings.seed};
        read(examples);
        const Layers<S>& l = net_.layers_;
        const Matrix<S>* stream = nullptr;
        if (models::has_encoder(net_.config_)) {
            stream = &forward("encoder", source_, source_segments_, l.encoder, l.encoder_norm, {},
                              encoder_, encoder_side_);
        }
        if (models::has_decoder(net_.config_)) {
            Memory<S> memory;
            if (stream) memory = {stream, &source_segments_};
            stream = &forward("decoder", target_, target_segments_, l.decoder, l.decoder_norm,
                              memory, decoder_, decoder_side_);
        }
        logits_.resize(stream->rows(), l.logits.out());
        num::linear<S>(nn::alone(), view(*stream), l.logits, {}, view(logits_));
        const auto result = nn::cross_entropy<S>(logits_, wanted_,
                                                 static_cast<S>(settings.hardships.label_smoothing),
                                                 static_cast<S>(settings.factor));
        if (settings.factor != 0) backward(*stream);
        return result;
    }

  private:
    /// What a stack keeps besides its layers.
    struct Side {
        Matrix<S> embedded, joined, factors; // before its dropout; [embedding; positions]; dropout
        Matrix<S> x;                         // what the first layer reads
        nn::LayerNorm<S> norm;
    };
    using Caches = std::vector<nn::TransformerLayerCache<S>>;

    void read(std::span<const Example* const> examples) {
        source_.clear();
        target_.clear();
        wanted_.clear();
        source_segments_ = target_segments_ = {};
        const bool decodes = models::has_decoder(net_.config_);
        for (const Example* e : examples) {
            if (models::has_encoder(net_.config_)) {
                source_.insert(source_.end(), e->source.begin(), e->source.end());
                source_segments_.add(std::ssize(e->source));
            }
            const std::vector<Index>& said = net_.said(*e);
            if (decodes) {
                target_.push_back(static_cast<Index>(text::Vocabulary::kStart));
                target_.insert(target_.end(), said.begin(), said.end());
                target_segments_.add(std::ssize(said) + 1);
            } else {
                HEED_CHECK(said.size() == e->source.size(),
                           "{} words to say at {} words of an encoder alone", said.size(),
                           e->source.size());
            }
            wanted_.insert(wanted_.end(), said.begin(), said.end());
            if (decodes) wanted_.push_back(static_cast<Index>(text::Vocabulary::kEnd));
        }
    }

    const Matrix<S>& forward(const std::string& stack, const std::vector<Index>& rows,
                             const Segments& segments,
                             const std::deque<nn::TransformerLayer<S>>& layers,
                             const nn::LayerNormParams<S>& norm, const Memory<S>& memory,
                             Caches& caches, Side& side) {
        embed(stack, rows, segments, side);
        const Matrix<S>* stream = &side.x;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            stream = &nn::transformer_layer_forward(layers[i], *stream, segments, memory, dropout_,
                                                    caches[i]);
        }
        side.norm = nn::layer_norm_forward(nn::alone(), norm, *stream);
        return side.norm.y;
    }

    void embed(const std::string& stack, const std::vector<Index>& rows, const Segments& segments,
               Side& side) {
        const Index d = net_.config_.d_model, n = std::ssize(rows);
        const S root = std::sqrt(static_cast<S>(d));
        const S* table = net_.values_ + net_.embedding_;
        Matrix<S>& x = side.x;
        x.resize(n, d);
        for (Index i = 0; i < n; ++i) {
            const Index row = rows[static_cast<std::size_t>(i)];
            HEED_CHECK(row >= 0 && row < net_.config_.vocabulary, "row {} of a vocabulary of {}",
                       row, net_.config_.vocabulary);
            x.row(i) = Eigen::Map<const num::RowVector<S>>(table + row * d, d) * root;
        }
        if (net_.positions_ != nn::Positions::none) add_positions(segments, side);
        const nn::Dropout dropout(dropout_, stack + ".embedding.dropout");
        side.factors.resize(dropout.active() ? n : 0, d);
        for (Index i = 0; i < side.factors.size(); ++i) {
            side.factors.data()[i] = dropout.template factor<S>(i);
        }
        if (dropout.active()) x = x.cwiseProduct(side.factors).eval();
    }

    void add_positions(const Segments& segments, Side& side) {
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

    void backward(const Matrix<S>& output) {
        for (const auto& [offset, size] : net_.added_) {
            std::fill_n(base_ + offset, size, S(0));
        }
        const Layers<S>& l = net_.layers_;
        const Gradients<S>& g = gradients_;
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
            back(target_, target_segments_, l.decoder, l.decoder_norm, memory, decoder_,
                 decoder_side_, g.decoder, g.decoder_norm, dx, memory.rows ? &d_memory : nullptr);
            if (!memory.rows) return;
            dx = std::move(d_memory);
        }
        back(source_, source_segments_, l.encoder, l.encoder_norm, {}, encoder_, encoder_side_,
             g.encoder, g.encoder_norm, dx, nullptr);
    }

    void back(const std::vector<Index>& rows, const Segments& segments,
              const std::deque<nn::TransformerLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
              const Memory<S>& memory, const Caches& caches, const Side& side,
              const std::vector<nn::TransformerLayerGradient<S>>& gradients,
              const nn::NormGradient<S>& norm_gradient, Matrix<S>& dx, Matrix<S>* d_memory) {
        const auto input_of = [&](std::size_t layer) -> const Matrix<S>& {
            return layer == 0 ? side.x : nn::output_of(layers[layer - 1], caches[layer - 1]);
        };
        nn::layer_norm_backward(norm, side.norm.cache, input_of(layers.size()), dx,
                                norm_gradient.gain, norm_gradient.shift, dx);
        for (std::size_t i = layers.size(); i-- > 0;) {
            nn::transformer_layer_backward(layers[i], caches[i], input_of(i), segments, memory,
                                           gradients[i], dx, d_memory);
        }
        embed_back(rows, segments, side, dx);
    }

    void embed_back(const std::vector<Index>& rows, const Segments& segments, const Side& side,
                    Matrix<S>& dx) {
        const Index d = net_.config_.d_model;
        if (side.factors.size() > 0) dx = dx.cwiseProduct(side.factors).eval();
        Matrix<S> d_positions;
        if (net_.concatenates()) {
            // Two stacks read one join.
            nn::linear_gradient<S>(view(side.joined), view(std::as_const(dx)), num::Store::add,
                                   false, gradients_.join);
            Matrix<S> d_joined(dx.rows(), 2 * d);
            nn::linear_backward<S>(net_.layers_.join, view(std::as_const(dx)), num::Store::set,
                                   d_joined);
            dx = d_joined.leftCols(d);
            d_positions = d_joined.rightCols(d);
        }
        if (gradients_.learned_positions) {
            const Matrix<S>& from = net_.concatenates() ? d_positions : dx;
            for (Index s = 0; s < segments.count(); ++s) {
                Eigen::Map<Matrix<S>>(gradients_.learned_positions, segments.size(s), d) +=
                    from.middleRows(segments.begin(s), segments.size(s));
            }
        }
        nn::embedding_backward<S>(rows, dx, std::sqrt(static_cast<S>(d)), gradients_.embedding);
    }

    const TransformerNet<S>& net_;
    S* base_;
    Gradients<S> gradients_;
    nn::DropoutSettings dropout_;
    std::vector<Index> source_, target_, wanted_;
    Segments source_segments_, target_segments_;
    Side encoder_side_, decoder_side_;
    Caches encoder_, decoder_;
    Matrix<S> logits_, sinusoidal_;
};

template <class S> std::unique_ptr<Pass<S>> TransformerNet<S>::pass(S* gradients) {
    Binding<S> binding(places_, nullptr, gradients);
    Gradients<S> bound;
    bind(binding, bound);
    return std::make_unique<TransformerPass<S>>(*this, gradients, std::move(bound));
}

} // namespace

template <class S>
std::unique_ptr<Net<S>> transformer_net(const Parameters& parameters, Places& places) {
    return std::make_unique<TransformerNet<S>>(parameters, places);
}
template std::unique_ptr<Net<float>> transformer_net(const Parameters&, Places&);
template std::unique_ptr<Net<double>> transformer_net(const Parameters&, Places&);

} // namespace heed::train
