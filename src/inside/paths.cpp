#include "inside/paths.hpp"

#include "models/model/resolve.hpp"
#include "models/transformer/parameters.hpp"

#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;

/// One pre-norm layer, of either stack.
struct LayerParts {
    const nn::AttentionParams<float>& attention;
    const nn::FeedForwardParams<float>& feed_forward;
    const nn::LayerNormParams<float>&attention_norm, &feed_forward_norm;
    std::string attended; // the tensor behind its attention, before its feed-forward network
};

LayerParts parts_at(const models::Transformer::Parameters& p, AttentionKind stack, int layer) {
    const auto i = static_cast<std::size_t>(layer);
    const std::string name = layer_name(stack, layer);
    if (stack == AttentionKind::encoder_self) {
        const auto& e = p.encoder[i];
        return {e.self_attention, e.feed_forward, e.norm1, e.norm2, name + ".residual1"};
    }
    const auto& d = p.decoder[i];
    return {d.self_attention, d.feed_forward, d.norm1, d.norm3,
            name + (has_cross(p.config) ? ".residual2" : ".residual1")};
}

base::Result<void> check_paths(const models::Run& run, const PathsAsked& asked) {
    const auto* model = models::transformer(*run.model);
    const models::ModelSpec& spec = model->config();
    const int layers = n_layers(spec, asked.stack);
    if (asked.from < 0 || asked.from >= asked.to || asked.to >= layers) {
        return fail(ErrorKind::out_of_range, "paths",
                    fmt::format("lead from layer {} to layer {}; the second must be a later one of "
                                "{} layers",
                                asked.from + 1, asked.to + 1, layers));
    }
    const bool adds_up = models::norm_order(spec, run.controls) == nn::NormOrder::pre &&
                         !spec.norms.after && spec.layers == models::LayerKind::full;
    if (adds_up) return {};
    return fail(ErrorKind::mismatch, "paths",
                "need a pre-norm model; in this one a norm stands after each sum");
}

/// Contexts of a later layer's heads once one head before them speaks differently.
class Receiver {
  public:
    Receiver(const models::Run& run, const PathsAsked& asked, num::ThreadPool& pool)
        : run_(run), asked_(asked), pool_(pool),
          p_(models::transformer(*run.model)->usual_parameters()),
          then_(run.trace.attention(asked.stack, asked.to)) {}

    /// tokens × heads · width; `added`: to the stream, by the attention of the first layer.
    Matrix<float> contexts(const Matrix<float>& added) const {
        Matrix<float> x = residual_after(run_, asked_.stack, asked_.from - 1);
        for (int layer = asked_.from; layer < asked_.to; ++layer) {
            x = behind_layer(layer, x, layer == asked_.from ? &added : nullptr);
        }
        const LayerParts parts = parts_at(p_, asked_.stack, asked_.to);
        const Matrix<float> read = nn::layer_norm_forward(pool_, parts.attention_norm, x).y;
        nn::AttentionOptions<float> options;
        options.name = then_->name;
        options.valid_keys = then_->valid_keys;
        options.directed = asked_.stack == AttentionKind::decoder_self;
        options.relative_table = &p_.relative[static_cast<std::size_t>(asked_.stack)];
        options.positions = models::position_settings(p_.config.attention);
        auto cache =
            nn::attention_forward(pool_, parts.attention, read, read, then_->heads, options);
        return cache.context;
    }
    const trace::Attention& then() const { return *then_; }

  private:
    /// Output of a layer that reads x, its attention as in the run; `added` may be null.
    Matrix<float> behind_layer(int layer, const Matrix<float>& x,
                               const Matrix<float>* added) const {
        const LayerParts parts = parts_at(p_, asked_.stack, layer);
        Matrix<float> attended = x + run_.trace.tensor(parts.attended)->values -
                                 residual_after(run_, asked_.stack, layer - 1);
        if (added) attended += *added;
        const bool own = parts.feed_forward_norm.gain.size() > 0;
        const Matrix<float> read =
            nn::layer_norm_forward(pool_, own ? parts.feed_forward_norm : parts.attention_norm,
                                   p_.config.feed_forward.parallel ? x : attended)
                .y;
        return attended +
               nn::feed_forward(pool_, parts.feed_forward, p_.config.activation, read).output;
    }

    const models::Run& run_;
    const PathsAsked& asked_;
    num::ThreadPool& pool_;
    const models::Transformer::Parameters& p_;
    std::shared_ptr<const trace::Attention> then_;
};

/// Change that a head's other context adds to the stream: tokens × d_model.
Matrix<float> heard(const models::Run& clean, const models::Run& corrupted, const PartId& head,
                    const Matrix<float>& output) {
    const Matrix<float> made = activation_of(clean, head) - activation_of(corrupted, head);
    return made * output.middleRows(head.head * made.cols(), made.cols());
}

} // namespace

base::Result<Paths> patch_paths(const std::shared_ptr<const models::Run>& clean,
                                const std::shared_ptr<const models::Run>& corrupted,
                                const Question& question, const PathsAsked& asked,
                                num::ThreadPool& pool, const std::stop_token& stop) {
    const auto ends = patch(clean, corrupted, question, {}, pool);
    if (!ends) return tl::make_unexpected(ends.error());
    if (auto ok = check_paths(*corrupted, asked); !ok) return tl::make_unexpected(ok.error());
    const auto readout = readout_of(*clean);
    Paths result{ends->clean, ends->corrupted, {}};
    const float apart = result.clean.logit - result.corrupted.logit;
    const Receiver receiver(*corrupted, asked, pool);
    const int heads = static_cast<int>(receiver.then().heads.size());
    const auto& p = models::transformer(*clean->model)->usual_parameters();
    const Matrix<float> output = parts_at(p, asked.stack, asked.from).attention.output.dense();
    AnswerBatch batch(
        *readout, question, pool, [&](std::size_t first, const std::vector<Answer>& answers) {
            for (std::size_t i = 0; i < answers.size(); ++i) {
                const int at = static_cast<int>(first + i);
                const float back = answers[i].logit - result.corrupted.logit;
                result.paths.push_back({at / heads, at % heads, back / apart, answers[i]});
            }
        });
    for (int from = 0; from < heads; ++from) {
        const PartId sender{PartId::Kind::head, asked.stack, asked.from, from};
        const Matrix<float> contexts = receiver.contexts(heard(*clean, *corrupted, sender, output));
        const Index width = receiver.then().d_v();
        for (int to = 0; to < heads; ++to) {
            const PartId hears{PartId::Kind::head, asked.stack, asked.to, to};
            const auto patched =
                replayed(corrupted, {in_place_of(hears, contexts.middleCols(to * width, width))},
                         pool, stop);
            if (!patched) return tl::make_unexpected(patched.error());
            batch.add(**patched);
        }
    }
    batch.flush();
    return result;
}

} // namespace heed::inside
