#include "trace/trace.hpp"

#include "trace/attention_kinds.hpp"
#include "trace/stages.hpp"

#include <algorithm>

namespace heed::trace {

std::string_view name(AttentionKind kind) { return info(kind).name; }

std::string_view name(Stage stage) { return info(stage).name; }

std::optional<Stage> stage_named(std::string_view wanted) {
    for (const Stage stage : kStages) {
        if (name(stage) == wanted) return stage;
    }
    return std::nullopt;
}

int Trace::n_layers(AttentionKind kind) const {
    int n = 0;
    for (const auto& layer : layers) {
        for (const auto& attention : layer->attentions) n += attention->kind == kind;
    }
    return n;
}

int Trace::n_heads(AttentionKind kind) const {
    const auto first = attention(kind, 0);
    return first ? static_cast<int>(first->heads.size()) : 0;
}

std::shared_ptr<const Attention> Trace::attention(AttentionKind kind, int index) const {
    for (const auto& layer : layers) {
        for (const auto& attention : layer->attentions) {
            if (attention->kind == kind && attention->layer == index) return attention;
        }
    }
    return nullptr;
}

std::optional<AttentionMap> Trace::map(const HeadId& id) const {
    auto found = attention(id.kind, id.layer);
    if (!found || id.head < 0 || static_cast<std::size_t>(id.head) >= found->heads.size()) {
        return std::nullopt;
    }
    return AttentionMap(std::move(found), id.head);
}

std::shared_ptr<const Tensor> Trace::tensor(std::string_view wanted) const {
    for (const auto& layer : layers) {
        for (const auto& tensor : layer->tensors) {
            if (tensor->name == wanted) return tensor;
        }
        for (const RemadeTensor& r : layer->remade) {
            if (r.name != wanted) continue;
            return std::make_shared<const Tensor>(Tensor{r.name, r.make(), r.rows, r.cols});
        }
    }
    return nullptr;
}

const std::vector<text::Token>& Trace::queries(AttentionKind kind) const {
    return kind == AttentionKind::encoder_self ? source : target;
}

const std::vector<text::Token>& Trace::keys(AttentionKind kind) const {
    return kind == AttentionKind::decoder_self ? target : source;
}

} // namespace heed::trace
