#include "inside/head_values.hpp"

#include "base/check.hpp"
#include "models/model/resolve.hpp"
#include "models/model/sides.hpp"
#include "models/transformer/parameters.hpp"

#include <algorithm>
#include <unordered_set>

namespace heed::inside {

using models::ModelSpec;
using num::Index;
using num::Matrix;
using num::RowVector;
using trace::AttentionKind;

namespace {

using TransformerParameters = models::Transformer::Parameters;

/// Null where the model has no such module, or is of another kind.
const nn::AttentionParams<float>* module_of(const models::Model& model, AttentionKind kind,
                                            int layer) {
    const auto* transformer = models::transformer(model);
    if (!transformer || layer < 0 || layer >= model.traits().layers(kind)) return nullptr;
    const TransformerParameters& p = transformer->usual_parameters();
    const auto at = static_cast<std::size_t>(layer);
    switch (kind) {
    case AttentionKind::encoder_self: return &p.encoder[at].self_attention;
    case AttentionKind::decoder_self: return &p.decoder[at].self_attention;
    case AttentionKind::cross: return &p.decoder[at].cross_attention;
    }
    return nullptr;
}

std::shared_ptr<const trace::Attention> attention_there(const models::Run& run,
                                                        const trace::HeadId& head) {
    auto attention = run.trace.attention(head.kind, head.layer);
    HEED_CHECK(attention && head.head >= 0 && head.head < std::ssize(attention->heads),
               "layer {} has no head {}", head.layer, head.head);
    return attention;
}

/// The values that a head reads, m × d_v.
Matrix<float> values_of(const trace::Attention& attention, int head) {
    const Index d = attention.d_v();
    return attention.v.middleCols(attention.layout().kv_head(head) * d, d);
}

/// True where what a head of this stack writes is added up to what the words are read off.
bool adds_to_logits(const ModelSpec& s, const models::Controls& controls, AttentionKind kind) {
    const bool last =
        kind == (has_decoder(s) ? AttentionKind::decoder_self : AttentionKind::encoder_self);
    return last && s.logits == models::Logits::words &&
           models::norm_order(s, controls) == models::NormOrder::pre &&
           s.layers == models::LayerKind::full && !s.word_logits.transform && !s.norms.after &&
           models::embedding_width(s) == s.d_model;
}

/// The places of different tokens, each where it comes first, and their rows of the vocabulary.
struct FirstPlaces {
    std::vector<Index> places, rows;
};
FirstPlaces first_places(const models::Model& model, const std::vector<text::Token>& tokens) {
    FirstPlaces first;
    std::unordered_set<Index> seen;
    const auto rows = models::embedding_rows(model, tokens);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (tokens[i].text == models::kPadToken || !seen.insert(rows[i]).second) continue;
        first.places.push_back(static_cast<Index>(i));
        first.rows.push_back(rows[i]);
    }
    return first;
}

/// The readout's rows of these words, each times the final norm's gain, and centred where it
/// centres: words × d_model.
Matrix<float> folded_readout(const TransformerParameters& p, const std::vector<Index>& rows) {
    const ModelSpec& s = p.config;
    const models::WordTable& table = s.word_logits.tied ? p.embedding : p.output;
    Matrix<float> folded(std::ssize(rows), table.cols());
    for (Index i = 0; i < folded.rows(); ++i) {
        folded.row(i) = table.row(rows[static_cast<std::size_t>(i)]);
    }
    if (!s.norms.last) return folded;
    const auto& norm = has_decoder(s) ? p.decoder_norm : p.encoder_norm;
    folded.array().rowwise() *= norm.gain.array();
    if (norm.kind == nn::NormKind::layer) folded.colwise() -= folded.rowwise().mean().eval();
    return folded;
}

/// The mean share of a word's own logit in what rises, of logits words × words.
float own_share(Matrix<float> z) {
    double sum = 0;
    for (Index t = 0; t < z.rows(); ++t) {
        const RowVector<float> raised = (z.row(t).array() - z.row(t).mean()).max(0.0F).matrix();
        const float all = raised.sum();
        if (all > 0) sum += static_cast<double>(raised(t) / all);
    }
    return z.rows() > 0 ? static_cast<float>(sum / static_cast<double>(z.rows())) : 0;
}

} // namespace

std::optional<Matrix<float>> head_output_map(const models::Model& model,
                                             const trace::HeadId& head) {
    const auto* module = module_of(model, head.kind, head.layer);
    if (!module || module->output.in() == 0) return std::nullopt;
    const Index d = module->output.in() / model.traits().n_heads;
    return module->output.dense().middleRows(head.head * d, d);
}

RowVector<float> value_norms(const models::Run& run, const trace::HeadId& head) {
    return values_of(*attention_there(run, head), head.head).rowwise().norm().transpose();
}

std::optional<RowVector<float>> transformed_norms(const models::Run& run,
                                                  const trace::HeadId& head) {
    const auto attention = attention_there(run, head);
    const auto map = head_output_map(*run.model, head);
    if (!map) return std::nullopt;
    const Matrix<float> written = values_of(*attention, head.head) * *map;
    return RowVector<float>(written.rowwise().norm().transpose());
}

std::vector<LayerNorms> layer_norms(const models::Run& run) {
    std::vector<LayerNorms> norms;
    if (!models::transformer(*run.model)) return norms;
    const num::SharedRows<float>* before = nullptr;
    for (const auto& layer : run.trace.layers) {
        if (layer->tensors.empty()) continue;
        const auto& x = layer->tensors.back()->values;
        const bool counts = layer->name.find(".layers.") != std::string::npos && before &&
                            before->rows() == x.rows() && before->cols() == x.cols();
        if (counts) {
            const auto mean = [](const auto& rows) {
                return rows.template cast<double>().rowwise().norm().mean();
            };
            const auto stack = layer->name.starts_with("encoder") ? AttentionKind::encoder_self
                                                                  : AttentionKind::decoder_self;
            const auto number = std::ranges::count(norms, stack, &LayerNorms::stack);
            norms.push_back(
                {layer->name, stack, static_cast<int>(number), mean(x), mean(x - *before)});
        }
        before = &x;
    }
    return norms;
}

std::vector<float> copying_scores(const models::Run& run, AttentionKind kind, int layer) {
    const auto* transformer = models::transformer(*run.model);
    const auto* module = module_of(*run.model, kind, layer);
    const auto attention = run.trace.attention(kind, layer);
    if (!module || !attention || !adds_to_logits(transformer->config(), run.controls, kind))
        return {};
    const TransformerParameters& p = transformer->usual_parameters();
    const FirstPlaces first = first_places(*run.model, run.trace.keys(kind));
    const Matrix<float> readout = folded_readout(p, first.rows);
    const Matrix<float> map = module->output.dense();
    std::vector<float> scores;
    const auto heads = static_cast<int>(std::ssize(attention->heads));
    const Index d = attention->d_v();
    for (int head = 0; head < heads; ++head) {
        const Matrix<float> all = values_of(*attention, head);
        Matrix<float> values(std::ssize(first.places), d);
        for (Index i = 0; i < values.rows(); ++i) {
            values.row(i) = all.row(first.places[static_cast<std::size_t>(i)]);
        }
        const Matrix<float> written = values * map.middleRows(head * d, d);
        scores.push_back(own_share(written * readout.transpose()));
    }
    return scores;
}

} // namespace heed::inside
