#include "models/transformer/replacing.hpp"

#include "models/model/sides.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;
using trace::AttentionKind;
using Place = Replacement::Place;

bool encodes(AttentionKind kind) { return kind == AttentionKind::encoder_self; }

/// True where they name the same place: of feed-forward and residual any decoder kind is the stack.
bool same_place(const Replacement& r, Place place, AttentionKind kind, int layer) {
    const bool module = place == Place::context || place == Place::attention;
    return r.place == place && r.layer == layer &&
           (module ? r.kind == kind : encodes(r.kind) == encodes(kind));
}

std::string place_after(const Replacement& r) {
    const char* stack = encodes(r.kind) ? "encoder" : "decoder";
    return r.layer < 0 ? fmt::format("{}.embedding", stack)
                       : fmt::format("{}.layers.{}", stack, r.layer);
}

void put(const Replacement& r, num::Index column, num::Index kept, num::View<float> x) {
    x.block(r.row - kept, column, r.values.rows(), r.values.cols()) = r.values;
}

base::Result<void> check_one(const Replacement& r, const ModelSpec& spec, num::Index tokens) {
    const auto refuse = [&](ErrorKind kind, std::string text) {
        return fail(kind, "replaced", std::move(text));
    };
    const bool module = r.place == Place::context || r.place == Place::attention;
    const AttentionKind stack = module || encodes(r.kind) ? r.kind : AttentionKind::decoder_self;
    const int layers = n_layers(spec, stack), least = r.place == Place::residual ? -1 : 0;
    if (spec.layers == LayerKind::attention && r.place != Place::context) {
        return refuse(ErrorKind::mismatch, "names a part that this model has not; its layer is "
                                           "attention alone");
    }
    if (layers == 0 || r.layer < least || r.layer >= layers) {
        return refuse(ErrorKind::out_of_range, fmt::format("names layer {} of the {}, which has {}",
                                                           r.layer, trace::name(stack), layers));
    }
    if (r.place == Place::context && (r.head < 0 || r.head >= spec.n_heads)) {
        return refuse(ErrorKind::out_of_range,
                      fmt::format("names head {}; a layer has {}", r.head, spec.n_heads));
    }
    if (r.row < 0 || r.values.rows() == 0 || r.row + r.values.rows() > tokens) {
        return refuse(ErrorKind::out_of_range,
                      fmt::format("names tokens {} to {}, but the sentence has {}", r.row,
                                  r.row + r.values.rows() - 1, tokens));
    }
    const num::Index width = r.place == Place::context ? head_width(spec) : spec.d_model;
    if (r.values.cols() == width) return {};
    return refuse(ErrorKind::mismatch,
                  fmt::format("has {} numbers a token; {} are expected", r.values.cols(), width));
}

} // namespace

base::Result<void> check(const std::vector<Replacement>& replaced, const ModelSpec& spec,
                         const Input& input) {
    if (replaced.empty()) return {};
    if (speaks_freely(spec, input)) {
        return fail(ErrorKind::mismatch, "replaced",
                    "needs a target that is given whole, but the model finds its words by itself");
    }
    const auto [source, target] = sides(spec, input);
    for (const Replacement& r : replaced) {
        const auto tokens = std::ssize(encodes(r.kind) ? source.tokens : target.tokens);
        if (auto ok = check_one(r, spec, tokens); !ok) return ok;
    }
    return {};
}

std::vector<const Replacement*> Replacing::at(Place place, AttentionKind kind, int layer) const {
    std::vector<const Replacement*> found;
    for (const Replacement& r : all_) {
        if (same_place(r, place, kind, layer)) found.push_back(&r);
    }
    return found;
}

std::optional<num::Index> Replacing::layer(AttentionKind stack, int layer) const {
    std::optional<num::Index> first;
    for (const Replacement& r : all_) {
        const bool inside =
            r.place != Place::residual && r.layer == layer && encodes(r.kind) == encodes(stack);
        if (inside) first = std::min(first.value_or(r.row), r.row);
    }
    return first;
}

nn::Change<float> Replacing::context(AttentionKind kind, int layer, num::Index kept) const {
    auto those = at(Place::context, kind, layer);
    if (those.empty()) return {};
    return [those = std::move(those), kept](num::View<float> x) {
        for (const Replacement* r : those) put(*r, r->head * r->values.cols(), kept, x);
    };
}

nn::Change<float> Replacing::output(Place place, AttentionKind kind, int layer,
                                    num::Index kept) const {
    auto those = at(place, kind, layer);
    if (those.empty()) return {};
    return [those = std::move(those), kept](num::View<float> x) {
        for (const Replacement* r : those) put(*r, 0, kept, x);
    };
}

void Replacing::tell(int layer, nn::EncoderLayerOptions<float>& o) const {
    if (all_.empty()) return;
    constexpr AttentionKind kSelf = AttentionKind::encoder_self;
    o.self_attention.change_context = context(kSelf, layer);
    o.change_attention = output(Place::attention, kSelf, layer, 0);
    o.change_feed_forward = output(Place::feed_forward, kSelf, layer, 0);
}

void Replacing::tell(int layer, nn::DecoderLayerOptions<float>& o) const {
    if (all_.empty()) return;
    constexpr AttentionKind kSelf = AttentionKind::decoder_self, kCross = AttentionKind::cross;
    const num::Index kept = o.self_attention.kept.count;
    o.self_attention.change_context = context(kSelf, layer, kept);
    o.cross_attention.change_context = context(kCross, layer, kept);
    o.change_self = output(Place::attention, kSelf, layer, kept);
    o.change_cross = output(Place::attention, kCross, layer, kept);
    o.change_feed_forward = output(Place::feed_forward, kSelf, layer, kept);
}

std::vector<const Replacement*> Replacing::after(const trace::Layer& layer) const {
    std::vector<const Replacement*> found;
    for (const Replacement& r : all_) {
        if (r.place == Place::residual && place_after(r) == layer.name) found.push_back(&r);
    }
    return found;
}

num::Index Replacing::first_of_residual(const trace::Layer& layer) const {
    num::Index first = layer.tensors.back()->values.rows();
    for (const Replacement* r : after(layer)) first = std::min(first, r->row);
    return first;
}

std::shared_ptr<const trace::Layer> Replacing::residual(const trace::Layer& layer) const {
    const auto those = all_.empty() ? std::vector<const Replacement*>() : after(layer);
    if (those.empty()) return nullptr;
    trace::Layer other = layer;
    trace::Tensor passed = *other.tensors.back();
    num::Matrix<float> values = passed.values;
    for (const Replacement* r : those) put(*r, 0, 0, num::view(values));
    passed.values = std::move(values);
    other.tensors.back() = std::make_shared<const trace::Tensor>(std::move(passed));
    return std::make_shared<const trace::Layer>(std::move(other));
}

} // namespace heed::models
