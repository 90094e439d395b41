// Weights set by hand in one head, as a document has them. Documents in, documents out.
#pragma once

#include "app/document/document.hpp"

namespace heed::app {

/// Edits that hold for the head, whatever scope they come from.
std::vector<nn::WeightEdit> edits_of(const models::Controls& controls, const trace::HeadId& head);
/// The document with this weight, from 0 to 1, in one cell; the row's other edits stand.
Document with_weight(Document document, const trace::HeadId& head, const nn::WeightEdit& edit);
/// The document without the edits of one query, or of the whole head.
Document without_edits(Document document, const trace::HeadId& head,
                       std::optional<num::Index> query = {});

} // namespace heed::app
