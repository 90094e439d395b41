#include "inside/token_gradients.hpp"

#include "inside/logit_pass.hpp"
#include "models/model/resolve.hpp"
#include "models/model/sides.hpp"
#include "models/transformer/embedded.hpp"
#include "models/transformer/parameters.hpp"
#include "nn/attention/position.hpp"
#include "nn/layers/embedding.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

namespace heed::inside {

namespace {

/// R − I with rows that sum to 1, and I again (eq. 8 and 9).
Matrix<double> residual_normed(const Matrix<double>& r) {
    const Matrix<double> identity = Matrix<double>::Identity(r.rows(), r.cols());
    Matrix<double> rest = r - identity;
    for (Index i = 0; i < rest.rows(); ++i) {
        const double sum = rest.row(i).sum();
        if (sum > 0) rest.row(i) /= sum;
    }
    return rest + identity;
}

/// E_h[(∇A ∘ A)⁺] of heads that lie one after another, queries × keys each.
Matrix<double> positive_mean(const std::vector<float>& weights, const std::vector<float>& gradient,
                             Index queries, Index keys) {
    Matrix<double> mean = Matrix<double>::Zero(queries, keys);
    const auto size = static_cast<std::size_t>(mean.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double product = static_cast<double>(weights[i]) * static_cast<double>(gradient[i]);
        mean.data()[i % size] += std::max(0.0, product);
    }
    return mean * (static_cast<double>(size) / static_cast<double>(weights.size()));
}

constexpr Index kRowsAtOnce = 256; // of one thread: enough to read the weights once for all

/// Input of a stack as a function of how much of its words is there: widen(norm(still + α word)).
class Embedded {
  public:
    Embedded(const models::Run& run, AttentionKind stack, num::ThreadPool& pool) {
        const auto& p = models::transformer(*run.model)->usual_parameters();
        const models::ModelSpec& spec = p.config;
        const bool encodes = stack == AttentionKind::encoder_self;
        const std::string name = encodes ? "encoder" : "decoder";
        if (spec.reads == models::Reads::patches) {
            read_patches(run, pool);
        } else {
            read_words(run, encodes);
        }
        const bool joined = models::joined_positions(spec, run.controls) != nn::Positions::none;
        if (spec.embedding.token_types > 0 && joined) {
            still_ = run.trace.tensor(name + ".embedding")->values - word_;
        }
        if (joined) {
            const auto positions = run.trace.tensor(name + ".positions"); // keeps its rows alive
            const nn::Join how = models::join(spec, run.controls);
            const auto& map = how == nn::Join::concatenate
                                  ? models::transformer(*run.model)->parameters().join
                                  : p.join;
            const Matrix<float> whole =
                nn::join_positions<float>(pool, how, map, still_ + word_, positions->values);
            still_ = nn::join_positions<float>(pool, how, map, still_, positions->values);
            word_ = whole - still_;
        }
        if (spec.embedding.norm) {
            norm_ = encodes ? p.encoder_embedding_norm : p.decoder_embedding_norm;
        }
        if (p.widen.out() == 0) return;
        const Matrix<float> widen = p.widen.dense();
        widen_.set(num::view(widen), num::row_span(p.widen_bias));
    }

    Index tokens() const { return word_.rows(); }
    /// Variants · tokens × d_model.
    Matrix<float> at(std::span<const double> shares) const {
        Matrix<float> x = before_norm(shares);
        if (norm_.gain.size() > 0) x = nn::layer_norm_forward(nn::alone(), norm_, x).y;
        if (widen_.weights.out() == 0) return x;
        Matrix<float> wide;
        nn::linear_forward<float>(widen_, num::view(std::as_const(x)), {}, wide);
        return wide;
    }
    /// The gradient of each variant along its words, variants × tokens, of one by what at() gave.
    Matrix<double> along(std::span<const double> shares, Matrix<float> d) const {
        if (widen_.weights.out() > 0) {
            Matrix<float> narrow(d.rows(), widen_.weights.in());
            nn::linear_backward<float>(widen_, num::view(std::as_const(d)), num::Store::set,
                                       narrow);
            d = std::move(narrow);
        }
        if (norm_.gain.size() > 0) {
            const Matrix<float> x = before_norm(shares);
            const auto norm = nn::layer_norm_forward(nn::alone(), norm_, x);
            num::RowVector<float> unread = num::RowVector<float>::Zero(x.cols()), shift = unread;
            nn::layer_norm_backward(norm_, norm.cache, x, d, unread.data(), shift.data(), d);
        }
        Matrix<double> result(std::ssize(shares), tokens());
        for (Index row = 0; row < d.rows(); ++row) {
            const Index token = row % tokens();
            result(row / tokens(), token) =
                d.row(row).cast<double>().dot(word_.row(token).cast<double>());
        }
        return result;
    }

  private:
    void read_words(const models::Run& run, bool encodes) {
        const auto& p = models::transformer(*run.model)->usual_parameters();
        const models::EmbeddingSpec& spec = p.config.embedding;
        const auto rows =
            models::embedding_rows(*run.model, encodes ? run.trace.source : run.trace.target);
        const float factor =
            spec.factor > 0 ? spec.factor : nn::embedding_factor<float>(p.config.d_model);
        word_ = models::embed(p.embedding, std::span<const Index>(rows), factor);
        still_ = Matrix<float>::Zero(word_.rows(), word_.cols());
    }
    /// Learned tokens before the patches, and the patches' bias, are no part of the image and stay.
    void read_patches(const models::Run& run, num::ThreadPool& pool) {
        const auto& p = models::transformer(*run.model)->usual_parameters();
        word_ = models::embedded_patches(pool, p, *run.input.image);
        still_ = Matrix<float>::Zero(word_.rows(), word_.cols());
        const Index leading = p.leading.rows();
        still_.topRows(leading) = p.leading;
        word_.topRows(leading).setZero();
        if (p.patch_bias.size() == 0) return;
        const Index patches = word_.rows() - leading;
        still_.bottomRows(patches).rowwise() = p.patch_bias;
        word_.bottomRows(patches).rowwise() -= p.patch_bias;
    }
    Matrix<float> before_norm(std::span<const double> shares) const {
        Matrix<float> x(std::ssize(shares) * tokens(), word_.cols());
        for (Index i = 0; i < std::ssize(shares); ++i) {
            const auto share = static_cast<float>(shares[static_cast<std::size_t>(i)]);
            x.middleRows(i * tokens(), tokens()) = still_ + share * word_;
        }
        return x;
    }

    Matrix<float> still_, word_;      // tokens × the embedding's width
    nn::LayerNormParams<float> norm_; // no gain: none
    nn::LinearLayer<float> widen_;    // empty where there is none
};

/// One question's integral with any number of nodes.
class Integral {
  public:
    Integral(const models::Run& run, const Question& question, num::ThreadPool& pool)
        : model_(run, question), pool_(pool) {
        if (!model_.encoder.empty()) {
            stacks_.emplace_back(run, AttentionKind::encoder_self, pool);
        }
        if (!model_.decoder.empty()) {
            stacks_.emplace_back(run, AttentionKind::decoder_self, pool);
        }
    }

    /// The logit with these shares of the words.
    std::vector<float> logits(std::span<const double> shares) const {
        LogitPass<float> pass(model_);
        return pass.forward(inputs(shares));
    }

    TokenScores of(int nodes, const std::stop_token& stop) const {
        std::vector<double> shares, weights;
        for (const auto& [t, weight] : gauss_legendre(nodes)) {
            shares.push_back(t * t * t * t);
            weights.push_back(weight * 4 * t * t * t);
        }
        Index tokens = 0;
        for (const Embedded& stack : stacks_) tokens += stack.tokens();
        const Index threads = pool_.size();
        const Index each = std::clamp<Index>(kRowsAtOnce / std::max<Index>(1, tokens), 1,
                                             (nodes + threads - 1) / threads);
        const Index pieces = (nodes + each - 1) / each;
        std::vector<std::vector<num::RowVector<double>>> sums(static_cast<std::size_t>(pieces));
        pool_.for_each(pieces, [&](Index piece) {
            if (stop.stop_requested()) return;
            const auto first = static_cast<std::size_t>(piece * each);
            const auto count = static_cast<std::size_t>(std::min(each, nodes - piece * each));
            sums[static_cast<std::size_t>(piece)] =
                part(std::span(shares).subspan(first, count),
                     std::span(weights).subspan(first, count), stop);
        });
        return added(sums);
    }

  private:
    StackInputs<float> inputs(std::span<const double> shares) const {
        StackInputs<float> x;
        const bool encodes = !model_.encoder.empty();
        if (encodes) x.encoder = stacks_.front().at(shares);
        if (!model_.decoder.empty()) x.decoder = stacks_.back().at(shares);
        return x;
    }

    /// Weighted sum over these nodes, of each stack.
    std::vector<num::RowVector<double>> part(std::span<const double> shares,
                                             std::span<const double> weights,
                                             const std::stop_token& stop) const {
        LogitPass<float> pass(model_);
        pass.forward(inputs(shares));
        StackInputs<float> d = pass.backward({}, stop);
        const Eigen::Map<const num::RowVector<double>> w(weights.data(), std::ssize(weights));
        std::vector<num::RowVector<double>> sums;
        for (const Embedded& stack : stacks_) {
            const bool encoder = !model_.encoder.empty() && &stack == &stacks_.front();
            auto& of_stack = encoder ? d.encoder : d.decoder;
            if (stop.stop_requested()) return {};
            sums.push_back(w * stack.along(shares, std::move(of_stack)));
        }
        return sums;
    }

    TokenScores added(const std::vector<std::vector<num::RowVector<double>>>& sums) const {
        std::vector<num::RowVector<double>> total;
        for (const Embedded& stack : stacks_) {
            total.push_back(num::RowVector<double>::Zero(stack.tokens()));
        }
        for (const auto& piece : sums) {
            for (std::size_t i = 0; i < piece.size(); ++i) total[i] += piece[i];
        }
        TokenScores scores;
        if (!model_.encoder.empty()) scores.source = total.front();
        if (!model_.decoder.empty()) scores.target = total.back();
        return scores;
    }

    PassModel<float> model_;
    std::vector<Embedded> stacks_; // the encoder's, the decoder's
    num::ThreadPool& pool_;
};

} // namespace

TokenScores mean_scores(const std::vector<Index>& tokens,
                        const std::function<TokenScores(Index token)>& of) {
    TokenScores mean = of(tokens.front());
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const TokenScores next = of(tokens[i]);
        mean.source += next.source;
        mean.target += next.target;
    }
    const auto count = static_cast<double>(tokens.size());
    mean.source /= count;
    mean.target /= count;
    return mean;
}

Relevance::Relevance(Index source_tokens, Index target_tokens)
    : source_(Matrix<double>::Identity(source_tokens, source_tokens)),
      target_(Matrix<double>::Identity(target_tokens, target_tokens)),
      crossed_(Matrix<double>::Zero(target_tokens, source_tokens)) {}

std::vector<Index> read_tokens(const models::Run& run, const Question& question) {
    const auto& pooling = run.model->traits().pooling;
    if (!pooling) return {question.token};
    Index tokens = std::ssize(run.trace.source);
    if (*pooling == models::Pooling::first) tokens = 1;
    if (*pooling == models::Pooling::leading) tokens = run.model->traits().patches.leading;
    std::vector<Index> all(static_cast<std::size_t>(tokens));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

bool has_residual(const models::Run& run) {
    const models::Transformer* stack = models::transformer(*run.model);
    return !stack || stack->config().layers == models::LayerKind::full;
}

void Relevance::add(AttentionKind kind, const Matrix<double>& mean, bool residual) {
    switch (kind) {
    case AttentionKind::encoder_self:
        source_ =
            (residual ? Matrix<double>(source_ + mean * source_) : Matrix<double>(mean * source_));
        break;
    case AttentionKind::decoder_self:
        target_ += (mean * target_).eval();
        crossed_ += (mean * crossed_).eval();
        break;
    case AttentionKind::cross:
        crossed_ += residual_normed(target_).transpose() * mean * residual_normed(source_);
        break;
    }
}

TokenScores Relevance::row(Index token) const {
    if (target_.rows() == 0) return {source_.row(token), {}};
    return {source_.rows() > 0 ? num::RowVector<double>(crossed_.row(token))
                               : num::RowVector<double>(),
            target_.row(token)};
}

base::Result<TokenScores> attention_times_gradient(const models::Run& run, const Question& question,
                                                   const std::stop_token& stop) {
    if (auto ok = check_passes(run); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check(question, run); !ok) return tl::make_unexpected(ok.error());
    const PassModel<float> model(run, question);
    LogitPass<float> pass(model);
    StackInputs<float> inputs;
    if (!model.encoder.empty()) {
        inputs.encoder = residual_after(run, AttentionKind::encoder_self, -1);
    }
    if (!model.decoder.empty()) {
        inputs.decoder = residual_after(run, AttentionKind::decoder_self, -1);
    }
    pass.forward(std::move(inputs));
    std::vector<std::pair<AttentionKind, Matrix<double>>> modules; // the last first
    pass.backward(
        [&](AttentionKind kind, int, const std::vector<float>& w, const std::vector<float>& g) {
            const bool encodes = kind == AttentionKind::encoder_self;
            const Index queries = encodes ? model.source_tokens : model.target_tokens;
            const Index keys =
                kind == AttentionKind::decoder_self ? model.target_tokens : model.source_tokens;
            modules.emplace_back(kind, positive_mean(w, g, queries, keys));
        },
        stop);
    if (stop.stop_requested()) {
        return base::fail(base::ErrorKind::cancelled, "gradients", "stopped for a newer request");
    }
    Relevance relevance(model.source_tokens, model.target_tokens);
    for (auto module = modules.rbegin(); module != modules.rend(); ++module) {
        relevance.add(module->first, module->second, has_residual(run));
    }
    return mean_scores(read_tokens(run, question),
                       [&](Index token) { return relevance.row(token); });
}

std::vector<std::pair<double, double>> gauss_legendre(int n) {
    std::vector<std::pair<double, double>> nodes;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int step = 0; step < 100; ++step) {
            double before = 1, value = x; // Legendre polynomials by their recurrence
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = n * (x * value - before) / (x * x - 1);
            const double correction = value / slope;
            x -= correction;
            if (std::abs(correction) < 1e-15) break;
        }
        nodes.emplace_back((1 - x) / 2, 1 / ((1 - x * x) * slope * slope));
    }
    return nodes;
}

base::Result<Integrated> integrated_gradients(const models::Run& run, const Question& question,
                                              num::ThreadPool& pool,
                                              const IntegratedOptions& options) {
    if (auto ok = check_passes(run); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = check(question, run); !ok) return tl::make_unexpected(ok.error());
    const Integral integral(run, question, pool);
    const std::vector<double> ends{0, 1};
    const auto logits = integral.logits(ends);
    Integrated result;
    result.baseline = static_cast<double>(logits[0]);
    result.logit = static_cast<double>(logits[1]);
    for (int nodes = std::max(1, options.nodes);; nodes *= 2) {
        result.tokens = integral.of(nodes, options.stop);
        result.nodes = nodes;
        if (options.stop.stop_requested()) {
            return base::fail(base::ErrorKind::cancelled, "gradients",
                              "stopped for a newer request");
        }
        const double allowed = options.tolerance * std::abs(result.logit - result.baseline);
        if (std::abs(result.residue()) <= allowed || 2 * nodes > options.most_nodes) return result;
    }
}

} // namespace heed::inside
