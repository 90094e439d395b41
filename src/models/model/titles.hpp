// Titles of models, whatever their kind: in the window, in captions, in messages.
#pragma once

#include "models/model/model.hpp"

#include <string>

namespace heed::models {

/// "Transformer base", "Bahdanau · biGRU 256", "Classifier 64 · 4 heads".
std::string title(const Config& config);
/// "6+6 × 8 heads · 512", "1 layer · attention", "4 heads · 64".
std::string size_title(const Config& config);
/// "2+2 layers", "biGRU 256"; empty of attention without a model.
std::string shape_title(const Config& config);
/// "transformer 2+2", "additive attention", "RNN last state": what differs among models that learn
/// the same task.
std::string short_title(const Config& config);
/// "encoder-only", "of the shape n-1", "a classifier": what stands behind "this model is".
std::string form_phrase(const Config& config);

} // namespace heed::models
