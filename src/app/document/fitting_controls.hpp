// What outlived a change of the model.
#pragma once

#include "app/document/document.hpp"

namespace heed::app {

/// Controls without the entries for a layer, head or kind of attention that the model lacks: each
/// of them would fail every run, and no panel could take it back.
models::Controls fitting_controls(models::Controls controls, const models::Config& config);

/// A rule of decoding that the model can follow: one without words of its own searches none.
models::Decoding fitting_decoding(models::Decoding decoding, const models::Config& config);

/// Brings the one text of a drawn decoder that stands alone into its field, the target, and lets it
/// leave that field with the model. What is deleted there is gone: no other text is read instead.
void bring_text(const Document& now, Document& next);

} // namespace heed::app
