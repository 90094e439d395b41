#include "ui/frame/trained_words.hpp"

#include "models/model/usual_mask.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/frame/choices.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

using app::Control;
using models::ModelSpec;
using nn::Positions;

/// Null where the weights are draws or Heed's own.
const ModelSpec* spec_from_elsewhere(const Panel& p) {
    return p.snapshot().run ? models::trained_elsewhere(chosen_config(p)) : nullptr;
}

std::string scale_words(const ModelSpec& spec) {
    std::string words;
    if (spec.attention.scale == 1) {
        words = "This model never divides its scores: its factor is 1.";
    } else if (spec.attention.scale > 0) {
        words = fmt::format("This model was trained with the factor {:.4g} in place of 1/√dₖ.",
                            spec.attention.scale);
    } else {
        words = fmt::format("This model was trained with 1/√{}.", models::head_width(spec));
    }
    if (spec.attention.scale_by_layer) words += " It also divides by the number of the layer.";
    if (spec.attention.softcap > 0) {
        words += fmt::format(" Scores are then bounded at ±{:g}.", spec.attention.softcap);
    }
    return words;
}

std::string mask_words(const ModelSpec& spec, const trace::HeadId& head) {
    if (head.kind == trace::AttentionKind::cross) {
        return "The decoder of this model sees the whole source: no causal mask.";
    }
    const nn::Mask mask = models::usual_mask(spec.attention.windows, head.kind, head.layer);
    if (mask.window) { // to either side, and the token itself
        return fmt::format("This layer was trained with a window of {} tokens{}.", *mask.window + 1,
                           mask.causal ? ", and a causal mask" : "");
    }
    return mask.causal ? "This model was trained with a causal mask."
                       : "This model's encoder reads both ways: it has no causal mask.";
}

std::string position_words(const ModelSpec& spec) {
    const models::AttentionSpec& a = spec.attention;
    switch (spec.positions) {
    case Positions::rotary: {
        const int width = a.rotary_width > 0 ? a.rotary_width : models::head_width(spec);
        return fmt::format("This model rotates {} of the {} features of each query and key by their "
                           "position (base {:g}).",
                           width, models::head_width(spec), a.rotary_base);
    }
    case Positions::learned:
        return fmt::format("This model learned a vector for each of {} positions.",
                           models::learned_length(spec));
    case Positions::relative:
        return fmt::format("This model learned a bias for each of {} ranges of distance, in every "
                           "head.",
                           a.relative_buckets);
    case Positions::sinusoidal: return "This model adds fixed sine waves to its embeddings.";
    case Positions::alibi: return "This model lowers scores by distance.";
    case Positions::none: return "This model was trained without positions.";
    }
    return {};
}

std::string norm_words(const ModelSpec& spec) {
    const char* kind = spec.norms.kind == nn::NormKind::rms ? "RMSNorm" : "LayerNorm";
    const char* order = spec.norm == models::NormOrder::pre ? "before" : "after";
    return fmt::format("This model was trained with {} {} each sublayer{}.", kind, order,
                       spec.norms.after ? ", and once more after it" : "");
}

std::string words_of(const ModelSpec& spec, const trace::HeadId& head, Control control) {
    switch (control) {
    case Control::scale: return scale_words(spec);
    case Control::temperature: return "This model was trained at 1.";
    case Control::mask: return mask_words(spec, head);
    case Control::positions: return position_words(spec);
    case Control::norm: return norm_words(spec);
    case Control::join:
        return spec.positions == Positions::sinusoidal || spec.positions == Positions::learned
                   ? "This model adds them."
                   : "This model has none to combine: its positions act inside attention.";
    case Control::score:
    case Control::gain:
    case Control::edits:
    case Control::dropout: break;
    }
    return {};
}

} // namespace

std::string trained_words(const Panel& p, Control control) {
    const ModelSpec* spec = spec_from_elsewhere(p);
    const std::string words = spec ? words_of(*spec, p.focus().head, control) : std::string();
    return words.empty() ? words : "\n" + words;
}

std::string target_hint(const Panel& p, const models::Traits& traits) {
    if (!traits.reads_source) return "Type a sentence";
    const auto& run = p.snapshot().run;
    const auto task = run && run->model->provenance() && p.work.ran_present_model()
                          ? train::task_named(run->model->provenance()->task)
                          : std::nullopt;
    if (task) return std::string(train::info(*task).hint);
    if (!traits.says_words()) return "Type a target, else the source is read";
    return traits.one_text ? "Type how it goes on" : "Type its translation";
}

} // namespace heed::ui
