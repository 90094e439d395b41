#include "inside/replay.hpp"

#include "base/check.hpp"
#include "models/model/sides.hpp"

#include <utility>

namespace heed::inside {

namespace {

constexpr std::size_t kAnswersAtOnce = 16;

AttentionKind stack_of(const PartId& part) {
    return part.module == AttentionKind::encoder_self ? part.module : AttentionKind::decoder_self;
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
    const auto* spec = models::spec_of(run.model->config());
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
            if (spec && spec->layers == models::LayerKind::attention) continue;
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

} // namespace heed::inside
