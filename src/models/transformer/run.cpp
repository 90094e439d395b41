#include "base/check.hpp"
#include "models/model/record.hpp"
#include "models/model/run_heads.hpp"
#include "models/model/sides.hpp"
#include "models/transformer/classes.hpp"
#include "models/transformer/embedded.hpp"
#include "models/transformer/kept_rows.hpp"
#include "models/transformer/parameters.hpp"
#include "models/transformer/replacing.hpp"
#include "models/transformer/speaking.hpp"
#include "nn/attention/position.hpp"
#include "nn/layers/embedding.hpp"
#include "num/rows.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using trace::AttentionKind;
using Parameters = Transformer::Parameters;

/// Parameters, with those that only some controls read, where these do.
const Parameters& parameters_for(const Transformer& model, const Controls& controls) {
    const auto asks = [](const ScopedControls& scoped) {
        return scoped.controls.score && nn::has_parameters(*scoped.controls.score);
    };
    const bool all = join(model.config(), controls) == nn::Join::concatenate ||
                     std::any_of(controls.scoped.begin(), controls.scoped.end(), asks);
    return all ? model.parameters() : model.usual_parameters();
}

// Walks through one run, layer after layer. A layer whose input and settings are those of the run
// before is taken from there; of the first that differs, projections are. Where only later tokens
// differ, each layer keeps the rows before them (kept_rows.hpp).
class Runner {
  public:
    Runner(const Transformer& model, Run& run, num::ThreadPool& pool, const RunOptions& options)
        : model_(run.model), p_(parameters_for(model, run.controls)), config_(p_.config), run_(run),
          controls_(run.controls), resolver_(head_defaults(config_), controls_), pool_(pool),
          options_(options), replacing_(options.replaced), weights_(options.all_weights),
          norm_(norm_order(config_, controls_)), dropout_(dropout(controls_)) {
        std::tie(source_, target_) = sides(config_, run.input);
        if (options.previous && options.previous->model == model_ && !options.previous->replaced) {
            before_ = options.previous.get();
            same_norm_ = norm_ == norm_order(config_, before_->controls);
            same_dropout_ = dropout_ == dropout(before_->controls);
            keeps_rows_ = same_norm_ && same_dropout_ && dropout_.rate == 0 && !weights_;
        }
    }

    base::Result<void> run() {
        if (has_encoder(config_)) {
            if (auto ok = encode(); !ok) return ok;
        }
        if (has_decoder(config_)) {
            if (auto ok = decode(); !ok) return ok;
        }
        run_.trace.source = std::move(source_.tokens);
        run_.trace.target = std::move(target_.tokens);
        return {};
    }

  private:
    // The values on their way through one stack, and whether they, or so many leading rows of them
    // that a later layer can keep, are still those of the run before.
    struct Stream {
        const num::SharedRows<float>* x = nullptr;
        bool same = false;
        Index kept = 0;
    };

    base::Result<void> encode() {
        Stream stream;
        if (auto ok = embed("encoder", source_, trace::Axis::source_tokens, stream); !ok) return ok;
        if (config_.layers == LayerKind::attention) {
            if (auto ok = attention_alone(stream); !ok) return ok;
            return classify(stream);
        }
        for (int i = 0; i < config_.n_encoder_layers; ++i) {
            if (auto ok = encoder_layer(i, stream); !ok) return ok;
        }
        auto ok =
            final_norm("encoder", "memory", p_.encoder_norm, trace::Axis::source_tokens, stream);
        if (ok && is_classifier(config_)) return classify(stream);
        memory_ = stream;
        return ok;
    }

    base::Result<void> decode() {
        Stream stream;
        if (auto ok = embed("decoder", target_, trace::Axis::target_tokens, stream); !ok) return ok;
        for (int i = 0; i < config_.n_decoder_layers; ++i) {
            if (auto ok = decoder_layer(i, stream); !ok) return ok;
        }
        return final_norm("decoder", "decoder_output", p_.decoder_norm, trace::Axis::target_tokens,
                          stream);
    }

    base::Result<void> embed(const std::string& stack, const Side& side, trace::Axis axis,
                             Stream& stream) {
        const bool words = config_.reads != Reads::patches;
        const auto rows = words ? embedding_rows(*model_, side.tokens) : std::vector<Index>();
        const nn::Positions positions = joined_positions(config_, controls_);
        const nn::Join how = join(config_, controls_);
        const std::string name = stack + ".embedding";
        if (before_) {
            const auto& then =
                axis == trace::Axis::source_tokens ? before_->trace.source : before_->trace.target;
            stream.same =
                same_dropout_ && (!words || rows == embedding_rows(*model_, then)) &&
                run_.input.image == before_->input.image &&
                (config_.embedding.token_types == 0 ||
                 run_.input.source_types == before_->input.source_types) &&
                positions == joined_positions(config_, before_->controls) &&
                (positions == nn::Positions::none || how == join(config_, before_->controls));
        }
        if (stream.same) return share(stream);
        const bool decodes = axis == trace::Axis::target_tokens;
        if (before_ && decodes) stream.kept = leading_rows_kept(rows);
        const Index kept = decodes ? kept_of(std::ssize(rows), stream.kept) : 0;

        trace::Layer layer{name, {}, {}};
        const float factor = config_.embedding.factor > 0
                                 ? config_.embedding.factor
                                 : nn::embedding_factor<float>(config_.d_model);
        const auto made = std::span(rows).subspan(static_cast<std::size_t>(kept));
        Matrix<float> x = words ? models::embed(p_.embedding, made, factor)
                                : embedded_patches(pool_, p_, *run_.input.image);
        if (config_.embedding.token_types > 0) add_types(axis, x);
        if (positions != nn::Positions::none) {
            const bool own = decodes && p_.decoder_positions.size() > 0;
            const auto& table = own ? p_.decoder_positions : p_.learned_positions;
            Matrix<float> at = positions == nn::Positions::learned
                                   ? position_rows(config_.embedding, table, rows, kept, x.rows())
                                   : p_.sines->rows(pool_, kept, x.rows());
            Matrix<float> joined = nn::join_positions(pool_, how, p_.join, x, at);
            record(layer, name, std::move(x), axis);
            record(layer, stack + ".positions", std::move(at), axis);
            x = std::move(joined);
        }
        if (config_.embedding.norm) {
            const auto& norm = decodes ? p_.decoder_embedding_norm : p_.encoder_embedding_norm;
            x = nn::layer_norm_forward(pool_, norm, x).y;
        }
        if (p_.widen.out() > 0) x = mapped(pool_, x, p_.widen, p_.widen_bias);
        nn::apply(nn::Dropout(dropout_, name + ".dropout"), x);
        record(layer, stack + "_input", std::move(x), axis);
        return finish(decodes ? with_rows_before(std::move(layer), kept) : std::move(layer),
                      stream);
    }

    // Of n rows whose input has so many in common with the run before: of a longer text all were
    // there, and one is made again.
    Index kept_of(Index n, Index same) const {
        return keeps_rows_ && n > 0 ? std::min(same, n - 1) : 0;
    }

    trace::Layer with_rows_before(trace::Layer made, Index kept) {
        return kept > 0 ? with_kept_rows(pool_, std::move(made), *layer_before(), kept)
                        : that_grows(std::move(made));
    }

    // How many rows of a decoder's input are those of the run before.
    Index leading_rows_kept(const std::vector<Index>& rows) const {
        const bool possible =
            config_.embedding.token_types == 0 &&
            joined_positions(config_, controls_) == joined_positions(config_, before_->controls) &&
            join(config_, controls_) == join(config_, before_->controls);
        if (!possible) return 0;
        const auto then = embedding_rows(*model_, before_->trace.target);
        const auto end = std::mismatch(rows.begin(), rows.end(), then.begin(), then.end()).first;
        return end - rows.begin();
    }

    // Of the source's tokens as they were told; all others are of the type 0.
    void add_types(trace::Axis axis, Matrix<float>& x) const {
        const std::vector<int>& types = run_.input.source_types;
        const bool reads = axis == trace::Axis::source_tokens || reads_source_first(config_);
        for (Index i = 0; i < x.rows(); ++i) {
            const bool told = reads && i < std::ssize(types);
            x.row(i) += p_.token_types.row(told ? types[static_cast<std::size_t>(i)] : 0);
        }
    }

    base::Result<void> encoder_layer(int index, Stream& stream) {
        const Index n = stream.x->rows();
        auto heads = make_heads(AttentionKind::encoder_self, index, n, n);
        const trace::Attention* then = attention_before(0);
        const bool same_x = stream.same;
        stream.same = same_x && same_norm_ && same_dropout_ &&
                      same_heads(*then, heads, source_.valid) &&
                      !replacing_.layer(AttentionKind::encoder_self, index);
        if (stream.same) return share(stream);

        nn::EncoderLayerOptions<float> o;
        o.name = fmt::format("encoder.layers.{}", index);
        o.norm = norm_;
        o.activation = config_.activation;
        o.parallel = config_.feed_forward.parallel;
        o.dropout = dropout_;
        o.self_attention = attention_options(AttentionKind::encoder_self, n, n);
        replacing_.tell(index, o);
        if (same_x && same_norm_) o.self_attention.same_queries = o.self_attention.same_keys = then;
        const auto following = static_cast<std::size_t>(index) + 1;
        if (following < p_.encoder.size()) o.next = &p_.encoder[following].self_attention.query;
        const auto& layer_params = p_.encoder[static_cast<std::size_t>(index)];
        const auto x = stream.x->matrix();
        auto cache = nn::encoder_layer_forward(pool_, layer_params, *x, std::move(heads), o);
        trace::Layer layer{o.name, {}, {}};
        record(layer, index, std::move(cache), {model_, &layer_params.feed_forward});
        return finish(std::move(layer), stream);
    }

    // The layer of LayerKind::attention.
    base::Result<void> attention_alone(Stream& stream) {
        const Index n = stream.x->rows();
        auto heads = make_heads(AttentionKind::encoder_self, 0, n, n);
        const trace::Attention* then = attention_before(0);
        const bool same_x = stream.same;
        stream.same = same_x && same_heads(*then, heads, source_.valid) &&
                      !replacing_.layer(AttentionKind::encoder_self, 0);
        if (stream.same) return share(stream);

        auto o = attention_options(AttentionKind::encoder_self, n, n);
        o.name = "self_attn";
        o.change_context = replacing_.context(AttentionKind::encoder_self, 0);
        if (same_x) o.same_queries = o.same_keys = then;
        o.next = &p_.head.dense;
        trace::Layer layer{o.name, {}, {}};
        const auto x = stream.x->matrix();
        auto cache =
            nn::attention_forward(pool_, p_.encoder[0].self_attention, *x, *x, std::move(heads), o);
        Matrix<float> attended = cache.output;
        record(layer, 0, AttentionKind::encoder_self, std::move(cache));
        record(layer, "attended", std::move(attended), trace::Axis::source_tokens);
        return finish(std::move(layer), stream);
    }

    base::Result<void> classify(Stream& stream) {
        if (stream.same) {
            if (auto ok = share(stream); !ok) return ok;
        } else {
            trace::Layer layer{"classifier", {}, {}};
            record_classes(pool_, p_, stream.x->topRows(source_.valid), dropout_, layer);
            if (auto ok = finish(std::move(layer), stream); !ok) return ok;
        }
        Index best = 0;
        stream.x->row(0).maxCoeff(&best); // the last tensor is the logits
        target_.tokens = {{p_.head.classes[static_cast<std::size_t>(best)], 0, 0}};
        return {};
    }

    base::Result<void> decoder_layer(int index, Stream& stream) {
        const Index n = stream.x->rows(), m = memory_.x ? memory_.x->rows() : 0;
        const bool cross = has_cross(config_);
        auto self = make_heads(AttentionKind::decoder_self, index, n, n);
        std::vector<trace::Head> other;
        if (cross) other = make_heads(AttentionKind::cross, index, n, m);
        const trace::Attention* self_then = attention_before(0);
        const trace::Attention* cross_then = cross ? attention_before(1) : nullptr;
        const bool same_x = stream.same;
        const auto replaced = replacing_.layer(AttentionKind::decoder_self, index);
        const bool same_middle = same_x && same_norm_ && same_dropout_ && !replaced &&
                                 same_heads(*self_then, self, target_.valid);
        stream.same = same_middle &&
                      (!cross || (memory_.same && same_heads(*cross_then, other, source_.valid)));
        if (stream.same) return share(stream);
        Index kept = kept_of(n, same_x ? n : stream.kept);
        if (kept > 0) kept = rows_kept(*self_then, self, std::min(kept, target_.valid), true);
        if (cross && kept > 0) kept = memory_.same ? rows_kept(*cross_then, other, kept, false) : 0;
        if (replaced) kept = std::min(kept, *replaced);
        stream.kept = kept;

        nn::DecoderLayerOptions<float> o;
        o.name = fmt::format("decoder.layers.{}", index);
        o.norm = norm_;
        o.activation = config_.activation;
        o.parallel = config_.feed_forward.parallel;
        o.dropout = dropout_;
        o.self_attention = attention_options(AttentionKind::decoder_self, n, n);
        if (same_x && same_norm_ && kept == 0) {
            o.self_attention.same_queries = o.self_attention.same_keys = self_then;
        }
        o.self_attention.kept = {self_then, kept};
        if (cross) {
            o.cross_attention = attention_options(AttentionKind::cross, n, m);
            o.cross_attention.kept = {cross_then, kept};
            if (same_middle && kept == 0) o.cross_attention.same_queries = cross_then;
            if (memory_.same) o.cross_attention.same_keys = cross_then;
        }
        replacing_.tell(index, o);
        const auto following = static_cast<std::size_t>(index) + 1;
        if (following < p_.decoder.size()) o.next = &p_.decoder[following].self_attention.query;
        const auto& layer_params = p_.decoder[static_cast<std::size_t>(index)];
        const Matrix<float> x = stream.x->bottomRows(n - kept);
        const auto memory = cross ? memory_.x->matrix() : nullptr;
        auto cache = nn::decoder_layer_forward(pool_, layer_params, x, memory.get(),
                                               std::move(self), std::move(other), o);
        trace::Layer layer{o.name, {}, {}};
        record(layer, index, std::move(cache), {model_, &layer_params.feed_forward});
        return finish(with_rows_before(std::move(layer), kept), stream);
    }

    base::Result<void> final_norm(const std::string& stack, const std::string& result,
                                  const nn::LayerNormParams<float>& norm, trace::Axis axis,
                                  Stream& stream) {
        if (stream.same) return share(stream);
        trace::Layer layer{stack + ".norm", {}, {}};
        const bool decodes = axis == trace::Axis::target_tokens;
        const Index n = stream.x->rows(), kept = decodes ? kept_of(n, stream.kept) : 0;
        Matrix<float> x = stream.x->bottomRows(n - kept);
        if (config_.norms.last) x = nn::layer_norm_forward(pool_, norm, x).y;
        record(layer, result, std::move(x), axis);
        if (decodes) layer = with_rows_before(std::move(layer), kept);
        const bool says = decodes || !has_decoder(config_);
        if (config_.has_vocabulary && says && !is_classifier(config_)) {
            const auto make = [model = model_, p = &p_, x = layer.tensors.back()] {
                num::ThreadPool alone(1);
                return word_probabilities(alone, *p, x->values);
            };
            layer.remade.push_back({stack + ".probabilities", make, axis});
        }
        return finish(std::move(layer), stream);
    }

    std::vector<trace::Head> make_heads(AttentionKind kind, int layer, Index n, Index m) {
        const auto* scores = p_.scores[static_cast<int>(kind)].data() + layer * config_.n_heads;
        return models::make_heads(resolver_, model_, scores, kind, layer, config_.n_heads, n, m);
    }

    nn::AttentionOptions<float> attention_options(AttentionKind kind, Index n, Index m) {
        nn::AttentionOptions<float> o;
        o.valid_keys = kind == AttentionKind::decoder_self ? target_.valid : source_.valid;
        o.directed = kind == AttentionKind::decoder_self;
        o.relative_table = &p_.relative[static_cast<int>(kind)];
        o.positions = position_settings(config_.attention);
        o.all_weights = weights_;
        if (weights_) weights_ += config_.n_heads * n * m;
        return o;
    }

    // The layer of the run before that stands where the next layer of this one will: runs of one
    // model have the same layers. Null when there is none.
    const trace::Layer* layer_before() const {
        return before_ ? before_->trace.layers[run_.trace.layers.size()].get() : nullptr;
    }
    const trace::Attention* attention_before(std::size_t i) const {
        const trace::Layer* layer = layer_before();
        return layer ? layer->attentions[i].get() : nullptr;
    }

    base::Result<void> share(Stream& stream) {
        const auto layer = before_->trace.layers[run_.trace.layers.size()];
        for (const auto& attention : layer->attentions) write_weights(*attention);
        ++run_.layers_reused;
        return append(layer, stream);
    }
    base::Result<void> finish(trace::Layer layer, Stream& stream) {
        const auto& x = layer.tensors.back()->values;
        const std::span<const float> numbers(x.data(), static_cast<std::size_t>(x.size()));
        const auto known = static_cast<std::size_t>(x.first_own() * x.cols());
        if (!num::all_finite(pool_, numbers.subspan(known))) {
            return fail(ErrorKind::out_of_range, layer.name,
                        "its numbers exceed what float32 holds; the model's weights are too large");
        }
        return append(std::make_shared<const trace::Layer>(std::move(layer)), stream);
    }
    base::Result<void> append(std::shared_ptr<const trace::Layer> layer, Stream& stream) {
        if (options_.stop.stop_requested()) {
            return fail(ErrorKind::cancelled, layer->name, "stopped here for a newer request");
        }
        if (auto other = replacing_.residual(*layer)) {
            const Index first = replacing_.first_of_residual(*layer);
            stream.kept = stream.same ? first : std::min(stream.kept, first);
            stream.same = false;
            layer = std::move(other);
        }
        stream.x = &layer->tensors.back()->values;
        run_.trace.layers.push_back(std::move(layer));
        return {};
    }

    void write_weights(const trace::Attention& attention) {
        if (weights_) weights_ = write_all_weights(pool_, attention, weights_);
    }

    std::shared_ptr<const Model> model_; // kept alive by what the trace makes again
    const Parameters& p_;
    const ModelSpec& config_;
    Run& run_;
    const Controls& controls_;
    HeadResolver resolver_;
    num::ThreadPool& pool_;
    const RunOptions& options_;
    Replacing replacing_;
    float* weights_; // where the next module's go; null when nobody wants them

    NormOrder norm_;
    nn::DropoutSettings dropout_;
    Side source_, target_;
    Stream memory_;
    const Run* before_ = nullptr;
    bool same_norm_ = false, same_dropout_ = false, keeps_rows_ = false;
};

base::Result<void> check_types(const ModelSpec& spec, const Input& input) {
    const int types = spec.embedding.token_types;
    if (std::ssize(input.source_types) > (types > 0 ? std::ssize(input.source) : 0)) {
        return fail(ErrorKind::mismatch, "source_types",
                    types > 0 ? "there are more of them than tokens" : "this model has none");
    }
    for (const int type : input.source_types) {
        if (type >= 0 && type < types) continue;
        return fail(ErrorKind::out_of_range, "source_types",
                    fmt::format("has {}; this model knows 0 to {}", type, types - 1));
    }
    return {};
}

} // namespace

base::Result<void> Transformer::compute(Run& run, num::ThreadPool& pool,
                                        const RunOptions& options) const {
    auto ok = check(config(), run.input, joined_positions(config(), run.controls));
    if (ok) ok = check_types(config(), run.input);
    if (ok) ok = check(options.replaced, config(), run.input);
    if (!ok) return ok;
    if (!speaks_freely(config(), run.input)) return Runner(*this, run, pool, options).run();

    const auto given = [&](Run& said, const RunOptions& how) {
        return Runner(*this, said, pool, how).run();
    };
    if (ok = speak(run, pool, options, given); !ok) return ok;
    float* to = options.all_weights;
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            if (to) to = write_all_weights(pool, *attention, to);
        }
    }
    return {};
}

} // namespace heed::models
