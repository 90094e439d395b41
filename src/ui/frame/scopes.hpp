// Scopes of the inspector's controls, and what holds there.
#pragma once

#include "app/document/document.hpp"

#include <string>

namespace heed::ui {

enum class ApplyTo { head, layer, kind, model };

/// "encoder 5.3" (its layer and head), "encoder layer 5", "cross attention", "model".
std::string scope_words(ApplyTo apply_to, const trace::HeadId& head);
models::Scope scope_of(ApplyTo apply_to, const trace::HeadId& head);
/// Controls that hold in a scope: its own, and those of every wider one where it has none.
models::HeadControls effective(const models::Controls& controls, const models::Scope& scope);
/// The mask that holds in a scope, or what the model itself has there for this kind of attention.
nn::Mask mask_in(const models::Config& config, const models::Controls& controls,
                 const models::Scope& scope, trace::AttentionKind kind);

} // namespace heed::ui
