#include "inside/replay.hpp"

#include "base/check.hpp"
#include "inside/pass_layers.hpp"
#include "models/model/sides.hpp"

#include <algorithm>
#include <utility>

namespace heed::inside {

namespace {

constexpr std::size_t kAnswersAtOnce = 16;

AttentionKind stack_of(const PartId& part) {
    return part.module == AttentionKind::encoder_self ? part.module : AttentionKind::decoder_self;
}

/// One row of each variant.
Matrix<float> rows_at(const Matrix<float>& x, Index token, Index tokens) {
    Matrix<float> rows(x.rows() / tokens, x.cols());
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = x.row(i * tokens + token);
    return rows;
}

} // namespace

base::Result<std::shared_ptr<const models::Run>>
replayed(const std::shared_ptr<const models::Run>& run, std::vector<models::Replacement> replaced,
         num::ThreadPool& pool, const std::stop_token& stop) {
    models::RunOptions options;
    options.stop = stop;
    options.previous = run;
    options.replaced = std::move(replaced);
    return models::run(run->model, models::forced_input(*run), run->controls, pool, options);
}

Matrix<float> activation_of(const models::Run& run, const PartId& part) {
    if (part.kind == PartId::Kind::head) {
        const auto attention = run.trace.attention(part.module, part.layer);
        const Index width = attention->d_v();
        return attention->context.middleCols(part.head * width, width);
    }
    HEED_CHECK(part.kind == PartId::Kind::feed_forward, "{} is no part of a layer", name(part));
    return run.trace.tensor(layer_name(stack_of(part), part.layer) + ".linear2")->values;
}

models::Replacement in_place_of(const PartId& part, Matrix<float> values) {
    models::Replacement r;
    r.place = part.kind == PartId::Kind::head ? models::Replacement::Place::context
                                              : models::Replacement::Place::feed_forward;
    r.kind = part.module;
    r.layer = part.layer;
    r.head = part.head;
    r.values = std::move(values);
    return r;
}

std::vector<PartId> parts_of(const models::Run& run) {
    const models::Traits& traits = run.model->traits();
    std::vector<PartId> parts;
    const auto add_heads = [&](AttentionKind kind, int layer) {
        for (int h = 0; layer < traits.layers(kind) && h < traits.n_heads; ++h) {
            parts.push_back({PartId::Kind::head, kind, layer, h});
        }
    };
    for (const AttentionKind stack : {AttentionKind::encoder_self, AttentionKind::decoder_self}) {
        for (int layer = 0; layer < traits.layers(stack); ++layer) {
            add_heads(stack, layer);
            if (stack == AttentionKind::decoder_self) add_heads(AttentionKind::cross, layer);
            if (!traits.has_feed_forward) continue;
            parts.push_back({PartId::Kind::feed_forward, stack, layer, 0});
        }
    }
    return parts;
}

AnswerBatch::AnswerBatch(const Readout& readout, const Question& question, num::ThreadPool& pool,
                         Told told)
    : readout_(readout), question_(question), pool_(pool), told_(std::move(told)) {}

void AnswerBatch::add(const models::Run& run) {
    rows_.push_back(asked_row(run, readout_, question_));
    if (rows_.size() == kAnswersAtOnce) flush();
}

void AnswerBatch::flush() {
    if (rows_.empty()) return;
    Matrix<float> states(std::ssize(rows_), rows_[0].cols());
    for (Index i = 0; i < states.rows(); ++i) states.row(i) = rows_[static_cast<std::size_t>(i)];
    const std::size_t count = rows_.size();
    rows_.clear();
    told_(first_, answers_of(readout_, states, question_, pool_));
    first_ += count;
}

ReplayBatch::ReplayBatch(const models::Run& run, const Readout& readout, const Question& question)
    : run_(run), readout_(readout), token_(question.token),
      tokens_(residual_after(run, readout.stack, -1).rows()) {
    std::vector<PassLayer<float>> layers;
    for (int i = 0; i < readout.layers; ++i) {
        layers.push_back(pass_layer<float>(run, readout.stack, i));
    }
    layers_ = std::make_shared<const std::vector<PassLayer<float>>>(std::move(layers));
}

bool ReplayBatch::takes(const models::Run& run) {
    return word_readout_of(run) && check_passes(run) &&
           run.trace.n_layers(AttentionKind::cross) == 0;
}

Matrix<float> ReplayBatch::asked_states(const std::vector<ReplacedPart>& variants,
                                        num::ThreadPool& pool, const std::stop_token& stop) const {
    const Index count = std::ssize(variants), threads = std::min<Index>(pool.size(), count);
    HEED_CHECK(count > 0, "no part is replaced");
    Matrix<float> states(count, residual_after(run_, readout_.stack, -1).cols());
    const auto next = static_cast<std::size_t>(variants.front().part.layer) + 1;
    pool.for_each(threads, [&](Index thread) {
        const Index begin = count * thread / threads, end = count * (thread + 1) / threads;
        const std::span mine(variants.data() + begin, static_cast<std::size_t>(end - begin));
        states.middleRows(begin, end - begin) = from_layer(next, behind(mine), end - begin, stop);
    });
    return normed_states(readout_, states, pool);
}

Matrix<float> ReplayBatch::behind(std::span<const ReplacedPart> variants) const {
    const int layer = variants.front().part.layer;
    const bool last = layer + 1 == readout_.layers;
    const PassLayer<float>& of = (*layers_)[static_cast<std::size_t>(layer)];
    const nn::TransformerLayer<float>& parts = of.layer;
    const Index n = last ? 1 : tokens_, first = last ? token_ : 0, count = std::ssize(variants);
    const auto repeated = [&](const auto& x) {
        return Matrix<float>(x.middleRows(first, n).replicate(count, 1));
    };
    const Matrix<float> x = repeated(residual_after(run_, readout_.stack, layer - 1));
    const auto attention = run_.trace.attention(readout_.stack, layer);
    Matrix<float> context = repeated(attention->context);
    const Index width = attention->d_v();
    for (Index i = 0; i < count; ++i) {
        const ReplacedPart& one = variants[static_cast<std::size_t>(i)];
        if (one.part.kind != PartId::Kind::head) continue;
        context.block(i * n, one.part.head * width, n, width) = one.values.middleRows(first, n);
    }
    PassCache<float> cache;
    if (of.parallel)
        cache.self_frame.norm = nn::layer_norm_forward(nn::alone(), parts.self_norm, x);
    nn::linear_forward<float>(parts.self.output, num::view(std::as_const(context)),
                              {.residual = &x}, cache.self_frame.sum);
    const Matrix<float>& stream =
        nn::sublayer_finish(parts.order, parts.self_norm, {}, parts.name, x, cache.self_frame);
    const bool feeds = std::any_of(variants.begin(), variants.end(), [](const ReplacedPart& one) {
        return one.part.kind == PartId::Kind::head;
    });
    if (feeds) fed_forward(of, x, stream, cache);
    Matrix<float>& sum = cache.feed_forward_frame.sum;
    if (!feeds) sum = stream;
    for (Index i = 0; i < count; ++i) {
        const ReplacedPart& one = variants[static_cast<std::size_t>(i)];
        if (one.part.kind == PartId::Kind::head) continue;
        sum.middleRows(i * n, n) = stream.middleRows(i * n, n) + one.values.middleRows(first, n);
    }
    return nn::sublayer_finish(parts.order, parts.feed_forward_norm, {}, parts.name, stream,
                               cache.feed_forward_frame);
}

Matrix<float> ReplayBatch::from_layer(std::size_t first, Matrix<float> x, Index variants,
                                      const std::stop_token& stop) const {
    nn::Segments segments;
    for (Index i = 0; i < variants; ++i) segments.add(tokens_);
    PassCache<float> cache;
    const std::vector<PassLayer<float>>& layers = *layers_;
    for (std::size_t i = first; i < layers.size() && !stop.stop_requested(); ++i) {
        const Matrix<float>* stream = &attended(layers[i], x, segments, {}, cache);
        Matrix<float> rows;
        if (i + 1 == layers.size()) {
            rows = rows_at(*stream, token_, tokens_);
            if (layers[i].parallel) {
                cache.self_frame.norm.y = rows_at(cache.self_frame.norm.y, token_, tokens_);
            }
            x = rows_at(x, token_, tokens_);
            stream = &rows;
        }
        x = fed_forward(layers[i], x, *stream, cache);
    }
    // Stopped on the way there are too many rows.
    return x.rows() == variants ? std::move(x) : rows_at(x, token_, tokens_);
}

} // namespace heed::inside
