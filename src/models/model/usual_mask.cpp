#include "models/model/usual_mask.hpp"

#include <algorithm>

namespace heed::models {

using trace::AttentionKind;

namespace {

std::vector<int> windows_of(const Config& config) {
    const auto* spec = std::get_if<ModelSpec>(&config);
    return spec ? spec->attention.windows : std::vector<int>();
}

} // namespace

nn::Mask usual_mask(const std::vector<int>& windows, AttentionKind kind, int layer) {
    nn::Mask mask;
    mask.causal = kind == AttentionKind::decoder_self;
    if (windows.empty() || kind == AttentionKind::cross) return mask;
    const int window = windows[static_cast<std::size_t>(layer) % windows.size()];
    if (window > 0) mask.window = window - 1; // the token itself is one
    return mask;
}

nn::Mask usual_mask(const Config& config, AttentionKind kind) {
    std::vector<int> windows = windows_of(config);
    if (std::adjacent_find(windows.begin(), windows.end(), std::not_equal_to<>()) !=
        windows.end()) {
        windows.clear();
    }
    return usual_mask(windows, kind, 0);
}

nn::Mask usual_mask(const Config& config, AttentionKind kind, int layer) {
    return usual_mask(windows_of(config), kind, layer);
}

} // namespace heed::models
