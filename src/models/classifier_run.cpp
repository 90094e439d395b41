// One run of a classifier: the sentence attends to itself, and what comes of it is one vector.
#include "models/classifier_parameters.hpp"
#include "models/record.hpp"
#include "models/run_heads.hpp"
#include "models/sides.hpp"
#include "nn/embedding.hpp"
#include "nn/position.hpp"
#include "num/rows.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using trace::AttentionKind;
using trace::Axis;
using Parameters = Classifier::Parameters;

constexpr const char* kModule = "self_attn";

class ClassifierRun {
  public:
    ClassifierRun(const Classifier& model, Run& run, num::Team& team, const RunOptions& options)
        : p_(model.parameters()), c_(p_.config), run_(run), team_(team), options_(options),
          dropout_(dropout(run.controls)), source_(sides(c_, run.input).first) {}

    base::Result<void> run() {
        if (auto ok = embed(); !ok) return ok;
        if (auto ok = attend(); !ok) return ok;
        if (auto ok = classify(); !ok) return ok;
        run_.trace.source = std::move(source_.tokens);
        return {};
    }

  private:
    base::Result<void> embed() {
        const auto rows = embedding_rows(*run_.model, source_.tokens);
        trace::Layer layer{"encoder.embedding", {}, {}};
        Matrix<float> x = nn::embed(p_.embedding, std::span<const Index>(rows));
        const nn::Positions positions = joined_positions(c_, run_.controls);
        if (positions != nn::Positions::none) {
            Matrix<float> at = positions == nn::Positions::learned
                                   ? nn::learned_positions(p_.learned_positions, x.rows())
                                   : nn::sinusoidal_table<float>(x.rows(), c_.d_model);
            Matrix<float> joined = x + at;
            record(layer, "encoder.embedding", std::move(x), Axis::source_tokens);
            record(layer, "encoder.positions", std::move(at), Axis::source_tokens);
            x = std::move(joined);
        }
        nn::apply(nn::Dropout(dropout_, "encoder.embedding.dropout"), x);
        record(layer, "encoder_input", std::move(x), Axis::source_tokens);
        return finish(std::move(layer));
    }

    base::Result<void> attend() {
        const Matrix<float>& x = run_.trace.layers.back()->tensors.back()->values;
        const Index n = x.rows();
        HeadResolver resolver(head_defaults(c_), run_.controls);
        nn::AttentionOptions<float> options;
        options.name = kModule;
        options.valid_keys = source_.valid;
        options.relative_table = &p_.relative;
        options.next = &p_.dense;
        auto made = std::make_shared<trace::Attention>();
        static_cast<nn::AttentionCache<float>&>(*made) =
            nn::attention_forward(team_, p_.attention, x, x,
                                  make_heads(resolver, run_.model, p_.scores.data(),
                                             AttentionKind::encoder_self, 0, c_.n_heads, n, n),
                                  options);
        made->kind = AttentionKind::encoder_self;
        if (options_.all_weights) write_all_weights(team_, *made, options_.all_weights);
        trace::Layer layer{kModule, {}, {}};
        record(layer, "attended", Matrix<float>(made->output), Axis::source_tokens);
        layer.attentions.push_back(std::move(made));
        return finish(std::move(layer));
    }

    base::Result<void> classify() {
        const Matrix<float>& attended = run_.trace.layers.back()->tensors.back()->values;
        Matrix<float> pooled = pool(attended.topRows(source_.valid));
        Matrix<float> dense(1, c_.dense), logits(1, std::ssize(p_.classes));
        num::linear<float>(team_, num::view(std::as_const(pooled)), p_.dense,
                           {bias(p_.dense_bias), num::Epilogue::relu}, num::view(dense));
        nn::apply(nn::Dropout(dropout_, "dense.dropout"), dense);
        num::linear<float>(team_, num::view(std::as_const(dense)), p_.output,
                           {bias(p_.output_bias)}, num::view(logits));
        Matrix<float> probabilities = num::softmax<float>(logits.row(0));
        Index best = 0;
        probabilities.row(0).maxCoeff(&best);
        trace::Layer layer{"classifier", {}, {}};
        record(layer, "pooled", std::move(pooled), Axis::target_tokens);
        record(layer, "dense", std::move(dense), Axis::target_tokens);
        record(layer, "class_probabilities", std::move(probabilities), Axis::target_tokens);
        record(layer, "class_logits", std::move(logits), Axis::target_tokens);
        if (auto ok = finish(std::move(layer)); !ok) return ok;
        run_.trace.target = {{p_.classes[static_cast<std::size_t>(best)], 0, 0}};
        return {};
    }

    Matrix<float> pool(const Matrix<float>& attended) const {
        if (c_.pooling == Pooling::mean) return attended.colwise().mean();
        Matrix<float> all = Matrix<float>::Zero(1, read_width(c_));
        all.leftCols(attended.size()) =
            Eigen::Map<const RowVector<float>>(attended.data(), attended.size());
        return all;
    }

    static std::span<const float> bias(const RowVector<float>& b) {
        return {b.data(), static_cast<std::size_t>(b.size())};
    }

    base::Result<void> finish(trace::Layer layer) {
        if (!num::all_finite(team_, layer.tensors.back()->values)) {
            return fail(ErrorKind::out_of_range, layer.name,
                        "its numbers exceed what float32 holds; the model's weights are too large");
        }
        if (options_.stop.stop_requested()) {
            return fail(ErrorKind::cancelled, layer.name, "stopped here for a newer request");
        }
        run_.trace.layers.push_back(std::make_shared<const trace::Layer>(std::move(layer)));
        return {};
    }

    const Parameters& p_;
    const ClassifierConfig& c_;
    Run& run_;
    num::Team& team_;
    const RunOptions& options_;
    nn::DropoutSettings dropout_;
    Side source_;
};

} // namespace

base::Result<void> Classifier::compute(Run& run, num::Team& team, const RunOptions& options) const {
    if (auto ok = check(config(), run.input); !ok) return ok;
    return ClassifierRun(*this, run, team, options).run();
}

} // namespace heed::models
