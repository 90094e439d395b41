// The model of a document.
#pragma once

#include "app/document/document.hpp"
#include "base/result.hpp"
#include "models/file/reading.hpp"
#include "models/model/model.hpp"
#include "num/threads.hpp"

#include <memory>

namespace heed::app {

/// Draws the model, or loads the file that the document names. Errors: those of draw_model
/// and load_model.
base::Result<std::shared_ptr<const models::Model>>
prepare_model(const Document& document, num::ThreadPool& pool, const models::Reading& reading = {});

/// The configuration of a model, and what it was trained on.
struct ModelFacts {
    models::Config config;
    std::optional<models::Provenance> provenance{};
};
ModelFacts facts_of(const models::Model& model);
/// The facts of the document's model: no weights are drawn for it, a file is read whole. Errors:
/// those of prepare_model.
base::Result<ModelFacts> facts_of(const Document& document, num::ThreadPool& pool);

} // namespace heed::app
