#include "train/nets/classifier_net.hpp"

#include "train/nets/attention_binding.hpp"
#include "train/nets/classifier_layers.hpp"
#include "train/nets/classifier_pass.hpp"

namespace heed::train {

using Parameters = models::Transformer::Parameters;

template <class S>
ClassifierNet<S>::ClassifierNet(const Parameters& p, ParameterLayout& places)
    : p_(p), places_(places), config_(p.config), positions_(models::joined_positions(config_, {})),
      words_(p.embedding.rows()), classes_(std::ssize(p.head.classes)) {
    Binding<S> binding(places, &refresh_, nullptr);
    ClassifierGradients<S> nowhere;
    bind(binding, nowhere);
    added_ = binding.added();
    size_ = places.size();
}

template <class S> void ClassifierNet<S>::bind(Binding<S>& binding, ClassifierGradients<S>& g) {
    g.embedding = binding.added_gradient(&p_.embedding, p_.embedding.size());
    embedding_ = binding.place(&p_.embedding);
    if (positions_ == nn::Positions::learned) {
        g.learned_positions =
            binding.added_gradient(&p_.learned_positions, p_.learned_positions.size());
        learned_positions_ = binding.place(&p_.learned_positions);
    }
    bind_attention<S>(binding, {p_.encoder[0].self_attention, p_.scores[0].data(), p_.relative[0]},
                      models::head_defaults(config_), trace::AttentionKind::encoder_self, 0,
                      config_.n_heads, "self_attn", layers_.attention, g.attention);
    binding.linear(p_.head.dense, &p_.head.dense_bias, layers_.dense, g.dense);
    binding.linear(p_.head.output, &p_.head.output_bias, layers_.output, g.output);
}

template <class S> std::unique_ptr<Pass<S>> ClassifierNet<S>::pass(S* gradients) {
    Binding<S> binding(places_, nullptr, gradients);
    ClassifierGradients<S> bound;
    bind(binding, bound);
    return std::make_unique<ClassifierPass<S>>(*this, gradients, std::move(bound));
}

template <class S>
std::unique_ptr<Net<S>> classifier_net(const Parameters& parameters, ParameterLayout& places) {
    return std::make_unique<ClassifierNet<S>>(parameters, places);
}
template std::unique_ptr<Net<float>> classifier_net(const Parameters&, ParameterLayout&);
template std::unique_ptr<Net<double>> classifier_net(const Parameters&, ParameterLayout&);

} // namespace heed::train
