#include "app/engine/prepare.hpp"
#include "models/open.hpp"

namespace heed::app {

base::Result<std::shared_ptr<const models::Model>>
prepare_model(const Document& document, num::ThreadPool& pool, const models::Reading& reading) {
    if (!document.model_file.empty()) return models::load_model(document.model_file, pool, reading);
    return models::draw_model(document.model, pool);
}

ModelFacts facts_of(const models::Model& model) { return {model.config(), model.provenance()}; }

base::Result<ModelFacts> facts_of(const Document& document, num::ThreadPool& pool) {
    if (!document.model_file.empty()) {
        return prepare_model(document, pool).map([](const auto& model) {
            return facts_of(*model);
        });
    }
    return models::check(document.model).map([&] { return ModelFacts{document.model}; });
}

} // namespace heed::app
