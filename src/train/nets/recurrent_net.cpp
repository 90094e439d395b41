#include "train/nets/recurrent_net.hpp"

#include "models/model/resolve.hpp"
#include "nn/attention/score_info.hpp"
#include "train/nets/recurrent_layers.hpp"
#include "train/nets/recurrent_pass.hpp"

namespace heed::train {

using models::Context;
using models::Projection;
using RecurrentParameters = models::Recurrent::Parameters;

template <class S>
RecurrentNet<S>::RecurrentNet(const RecurrentParameters& p, ParameterLayout& places)
    : p_(p), places_(places), config_(p.config), rows_(p.source_embedding.rows()) {
    layers_.encoder.resize(p.encoder.cells.size());
    layers_.decoder.resize(p.decoder.cells.size());
    layers_.bridge.resize(p.bridge.size());
    for (auto* cells : {&layers_.encoder, &layers_.decoder}) {
        for (auto& cell : *cells) cell.cell = config_.cell;
    }
    if (attends()) set_attention();
    Binding<S> binding(places, &refresh_, nullptr);
    RecurrentGradients<S> nowhere;
    bind(binding, nowhere);
    added_ = binding.added();
    size_ = places.size();
}

template <class S> void RecurrentNet<S>::set(num::ThreadPool& pool, const S* values) {
    values_ = values;
    refresh_all(pool, refresh_, values);
}

template <class S> void RecurrentNet<S>::set_attention() {
    auto& a = layers_.attention;
    a.score = config_.score;
    a.mode = config_.context == Context::mean   ? nn::AttentionMode::mean
             : config_.context == Context::last ? nn::AttentionMode::last
                                                : nn::AttentionMode::softmax;
    const models::Controls none;
    models::HeadResolver resolver({models::key_width(config_), config_.score, nn::Positions::none},
                                  none);
    const trace::HeadId head{trace::AttentionKind::cross, 0, 0};
    a.gamma = static_cast<S>(resolver.settings(head, models::kMaxTokens, models::kMaxTokens).gamma);
}

template <class S> void RecurrentNet<S>::bind(Binding<S>& binding, RecurrentGradients<S>& g) {
    g.source_embedding = binding.added_gradient(&p_.source_embedding, p_.source_embedding.size());
    source_embedding_ = binding.place(&p_.source_embedding);
    g.encoder.resize(layers_.encoder.size());
    g.decoder.resize(layers_.decoder.size());
    g.bridge.resize(layers_.bridge.size());
    for (std::size_t i = 0; i < layers_.encoder.size(); ++i) {
        cell(p_.encoder.cells[i], layers_.encoder[i], g.encoder[i], true, binding);
    }
    if (models::has_decoder(config_)) bind_decoder(binding, g);
    if (attends()) {
        if (reads_keys()) binding.linear(p_.key, nullptr, layers_.key, g.key);
        if (has_values()) binding.linear(p_.value, nullptr, layers_.value, g.value);
        if (layers_.attention.mode == nn::AttentionMode::softmax) score(binding, g.attention);
    }
    binding.linear(p_.readout, &p_.readout_bias, layers_.readout, g.readout);
    binding.linear(p_.output, &p_.output_bias, layers_.output, g.output);
}

template <class S>
void RecurrentNet<S>::bind_decoder(Binding<S>& binding, RecurrentGradients<S>& g) {
    g.target_embedding = binding.added_gradient(&p_.target_embedding, p_.target_embedding.size());
    target_embedding_ = binding.place(&p_.target_embedding);
    const auto& first = p_.decoder.cells[0];
    binding.linear_rows(first.input, 0, config_.embedding, &first.input_bias, layers_.words,
                        g.words);
    if (attends()) {
        binding.linear_rows(first.input, config_.embedding, models::key_width(config_), nullptr,
                            layers_.fed, g.fed);
    }
    for (std::size_t i = 0; i < layers_.decoder.size(); ++i) {
        cell(p_.decoder.cells[i], layers_.decoder[i], g.decoder[i], i > 0, binding);
    }
    for (std::size_t i = 0; i < layers_.bridge.size(); ++i) {
        binding.linear(p_.bridge[i], &p_.bridge_bias[i], layers_.bridge[i], g.bridge[i]);
    }
}

template <class S> bool RecurrentNet<S>::reads_keys() const {
    return has_keys() && (layers_.attention.mode == nn::AttentionMode::softmax || !has_values());
}

template <class S>
void RecurrentNet<S>::cell(const nn::CellParams<float>& from, nn::BatchCell<S>& to,
                           nn::CellGradient<S>& g, bool whole_input, Binding<S>& binding) {
    if (whole_input) binding.linear(from.input, &from.input_bias, to.input, g.input);
    binding.linear(from.state, &from.state_bias, to.state, g.state);
}

template <class S>
void RecurrentNet<S>::score(Binding<S>& binding, nn::BatchAttentionGradient<S>& g) {
    auto& a = layers_.attention;
    if (a.score == nn::Score::bilinear) binding.linear(p_.score.bilinear, a.query, g.query);
    if (nn::has_dot_form(a.score)) return;
    binding.linear(p_.score.query, a.query, g.query);
    binding.linear(p_.score.key, a.key, g.key);
    g.hidden = binding.added_gradient(&p_.score.hidden, p_.score.hidden.size());
    const Index at = binding.place(&p_.score.hidden);
    const auto size = static_cast<std::size_t>(p_.score.hidden.size());
    binding.on_move([&a, at, size](const S* values) { a.hidden = {values + at, size}; });
}

template <class S> std::unique_ptr<Pass<S>> RecurrentNet<S>::pass(S* gradients) {
    Binding<S> binding(places_, nullptr, gradients);
    RecurrentGradients<S> bound;
    bind(binding, bound);
    return std::make_unique<RecurrentPass<S>>(*this, gradients, std::move(bound));
}

template <class S>
std::unique_ptr<Net<S>> recurrent_net(const RecurrentParameters& parameters,
                                      ParameterLayout& places) {
    return std::make_unique<RecurrentNet<S>>(parameters, places);
}
template std::unique_ptr<Net<float>> recurrent_net(const RecurrentParameters&, ParameterLayout&);
template std::unique_ptr<Net<double>> recurrent_net(const RecurrentParameters&, ParameterLayout&);

} // namespace heed::train
