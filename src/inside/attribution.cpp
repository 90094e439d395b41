#include "inside/attribution.hpp"

#include "models/model/resolve.hpp"
#include "models/transformer/parameters.hpp"
#include "nn/layers/activation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;
using Vector = num::RowVector<double>;
using Norm = nn::LayerNormParams<float>;

Vector as_double(const num::RowVector<float>& x) { return x.cast<double>(); }

/// A norm of one row, with the mean and factor that the row has.
struct FrozenNorm {
    FrozenNorm(const Norm& p, const Vector& x) : params(p), mean(0) {
        if (p.kind == nn::NormKind::layer) mean = x.mean();
        rstd = 1 / std::sqrt((x.array() - mean).square().mean() + static_cast<double>(p.epsilon));
    }
    Vector forward(const Vector& x) const {
        Vector y = ((x.array() - mean) * rstd * as_double(params.gain).array()).matrix();
        if (params.shift.size() > 0) y += as_double(params.shift);
        return y;
    }
    /// Reader of the norm's result made one of its input; its shift is a bias.
    Vector back(const Vector& reader, double& bias) const {
        if (params.shift.size() > 0) bias += reader.dot(as_double(params.shift));
        const Vector g = reader.cwiseProduct(as_double(params.gain));
        const double level = params.kind == nn::NormKind::layer ? g.mean() : 0.0;
        return ((g.array() - level) * rstd).matrix();
    }

    const Norm& params;
    double mean, rstd;
};

/// One token's way, from the logit back to the embedding. `reader_` · x is what the logit has of a
/// vector x where the walk stands.
class Walk {
  public:
    Walk(const models::Run& run, const Readout& readout, const Question& question)
        : run_(run), stack_(readout.stack), p_(readout.model->usual_parameters()),
          config_(p_.config), token_(question.token),
          pre_(models::norm_order(config_, run.controls) == nn::NormOrder::pre) {
        read_logits(question);
    }

    Attribution attribution() {
        final_norm();
        for (int layer = n_layers(config_, stack_) - 1; layer >= 0; --layer) {
            if (encodes()) {
                const auto& p = p_.encoder[static_cast<std::size_t>(layer)];
                feed_forward(layer, p.norm2, p.after2);
                attention(stack_, layer, p.self_attention, {p.norm1, p.after1}, 1);
            } else {
                const auto& p = p_.decoder[static_cast<std::size_t>(layer)];
                feed_forward(layer, p.norm3, p.after3);
                if (has_cross(config_)) {
                    attention(AttentionKind::cross, layer, p.cross_attention, {p.norm2, p.after2},
                              2);
                }
                attention(stack_, layer, p.self_attention, {p.norm1, p.after1}, 1);
            }
        }
        add({PartId::Kind::embedding, stack_, 0, 0},
            row(residual_after(run_, stack_, -1)).dot(reader_));
        std::reverse(result_.parts.begin(), result_.parts.end());
        add({PartId::Kind::bias, stack_, 0, 0}, bias_);
        return std::move(result_);
    }

  private:
    struct Norms {
        const Norm& norm;  // of the sublayer
        const Norm& after; // of what it gives; no gain: none
    };

    bool encodes() const { return stack_ == AttentionKind::encoder_self; }
    Vector row(const auto& x) const { return x.row(token_).template cast<double>(); }
    /// A tensor of this layer's, "norm1"; of a run that kept rows it is made again.
    Vector tensor(int layer, const std::string& what) const {
        return row(run_.trace.tensor(layer_name(stack_, layer) + "." + what)->values);
    }
    void add(const PartId& id, double logit) { result_.parts.push_back({id, logit}); }

    void read_logits(const Question& q) {
        const auto& spec = config_.word_logits;
        const models::WordTable& words = spec.tied ? p_.embedding : p_.output;
        reader_ = words.row(q.word).cast<double>();
        if (q.against) reader_ -= words.row(*q.against).cast<double>();
        reader_ *= static_cast<double>(spec.factor);
        if (spec.bias) {
            bias_ += static_cast<double>(p_.output_bias(q.word));
            if (q.against) bias_ -= static_cast<double>(p_.output_bias(*q.against));
        }
        if (spec.transform) through_transform();
        result_.logit = row(final_states(run_, stack_)).dot(reader_) + bias_;
        result_.softcap = spec.softcap;
    }

    /// norm(f(x T + t)), f as the factor that it was.
    void through_transform() {
        const Vector x = row(final_states(run_, stack_));
        const Matrix<double> t = p_.transform.dense().cast<double>();
        const Vector z = x * t + as_double(p_.transform_bias);
        const Vector h = z.unaryExpr([&](double v) { return nn::activate(config_.activation, v); });
        reader_ = FrozenNorm(p_.transform_norm, h).back(reader_, bias_);
        for (Index i = 0; i < z.size(); ++i) reader_(i) *= z(i) == 0 ? 0 : h(i) / z(i);
        bias_ += reader_.dot(as_double(p_.transform_bias));
        reader_ = (reader_ * t.transpose()).eval();
    }

    void final_norm() {
        if (!config_.norms.last) return;
        const Norm& norm = encodes() ? p_.encoder_norm : p_.decoder_norm;
        const int last = n_layers(config_, stack_) - 1;
        reader_ = FrozenNorm(norm, row(residual_after(run_, stack_, last))).back(reader_, bias_);
    }

    /// Reader of a sublayer's result, of which the reader before and behind the sum differ in
    /// post-norm models. `read`: the row that the sublayer was added to.
    Vector through_sum(const Norms& norms, const Vector& made, const Vector& read) {
        if (!pre_) reader_ = FrozenNorm(norms.norm, read + made).back(reader_, bias_);
        if (norms.after.gain.size() == 0) return reader_;
        return FrozenNorm(norms.after, made).back(reader_, bias_);
    }

    void feed_forward(int layer, const Norm& norm, const Norm& after) {
        const Vector made = tensor(layer, "linear2");
        const Vector read = pre_ ? Vector() : tensor(layer, has_cross(config_) ? "norm2" : "norm1");
        const Vector reader = through_sum({norm, after}, made, read);
        add({PartId::Kind::feed_forward, stack_, layer, 0}, made.dot(reader));
    }

    void attention(AttentionKind kind, int layer, const nn::AttentionParams<float>& p,
                   const Norms& norms, int number) {
        const auto attention = run_.trace.attention(kind, layer);
        const Vector context = row(attention->context);
        const Matrix<double> out = p.output.dense().cast<double>(); // heads' widths × d_model
        Vector made, read;
        if (!pre_ || norms.after.gain.size() > 0) {
            made = context * out;
            if (p.output_bias.size() > 0) made += as_double(p.output_bias);
        }
        if (!pre_) {
            read =
                number > 1 ? tensor(layer, "norm1") : row(residual_after(run_, stack_, layer - 1));
        }
        const Vector reader = through_sum(norms, made, read);
        if (p.output_bias.size() > 0) bias_ += reader.dot(as_double(p.output_bias));
        const Vector of_heads = reader * out.transpose();
        const Index width = attention->d_v();
        for (int h = static_cast<int>(attention->heads.size()) - 1; h >= 0; --h) {
            add({PartId::Kind::head, kind, layer, h},
                context.segment(h * width, width).dot(of_heads.segment(h * width, width)));
        }
    }

    const models::Run& run_;
    const AttentionKind stack_;
    const models::Transformer::Parameters& p_;
    const models::ModelSpec& config_;
    const Index token_;
    const bool pre_;
    Vector reader_;
    double bias_ = 0;
    Attribution result_;
};

} // namespace

std::string name(const PartId& part) {
    const bool cross = part.module == AttentionKind::cross;
    switch (part.kind) {
    case PartId::Kind::embedding: return "embedding";
    case PartId::Kind::bias: return "biases";
    case PartId::Kind::feed_forward: return fmt::format("feed-forward {}", part.layer + 1);
    case PartId::Kind::head: break;
    }
    return fmt::format("{}head {}.{}", cross ? "cross " : "", part.layer + 1, part.head + 1);
}

std::string name(const PartId& part, const models::Traits& traits) {
    const bool head = part.kind == PartId::Kind::head;
    if (!(head || part.kind == PartId::Kind::feed_forward)) return name(part);
    if (!(traits.encodes && traits.decodes)) return name(part);
    if (part.module == AttentionKind::encoder_self) return "encoder " + name(part);
    return (head && part.module == AttentionKind::cross ? "" : "decoder ") + name(part);
}

double Attribution::sum() const {
    double sum = 0;
    for (const Part& part : parts) sum += part.logit;
    return sum;
}

base::Result<Attribution> attribute(const models::Run& run, const Question& question) {
    const auto readout = word_readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (auto ok = check(question, run); !ok) return tl::make_unexpected(ok.error());
    if (run.controls.dropout.rate > 0) {
        return fail(ErrorKind::mismatch, "dropout",
                    "changes what the parts add up to; turn it off");
    }
    return Walk(run, *readout, question).attribution();
}

} // namespace heed::inside
