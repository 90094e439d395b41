#include "models/classifier_parameters.hpp"

#include "models/slot_list.hpp"

#include <type_traits>

namespace heed::models {

namespace {

template <class P> auto slots_of(P& p) {
    const ClassifierConfig& c = p.config;
    const Index d = c.d_model, h = c.n_heads, words = std::ssize(p.vocabulary),
                read = read_width(c), dense = c.dense, classes = std::ssize(p.classes);
    const auto share = [](Index in) { return 1.0 / static_cast<double>(in); };
    SlotList<std::is_const_v<P>> list;
    list.table("embedding.weight", p.embedding, words, d, bound_of_variance(share(d)));
    list.attention("self_attn", p.attention, d, 1);
    list.linear("dense.weight", p.dense, read, dense, bound_of_variance(2 * share(read)));
    list.vector("dense.bias", p.dense_bias, dense);
    list.linear("output.weight", p.output, dense, classes, bound_of_variance(share(dense)));
    list.vector("output.bias", p.output_bias, classes);
    list.table("positions.learned.weight", p.learned_positions, c.length, d,
               bound_of_variance(kPositionVariance));
    list.table("positions.relative.weight", p.relative, nn::kRelativeBuckets, h, kRelativeBound);
    list.scores("self_attn", p.scores.data(), h, d / h);
    return list.take();
}

} // namespace

Slots slots(Classifier::Parameters& parameters) { return slots_of(parameters); }
ConstSlots slots(const Classifier::Parameters& parameters) { return slots_of(parameters); }

void make_room(Classifier::Parameters& parameters) {
    parameters.scores.resize(static_cast<std::size_t>(parameters.config.n_heads));
}

} // namespace heed::models
