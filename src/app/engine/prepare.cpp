#include "app/engine/prepare.hpp"
#include "models/open.hpp"

namespace heed::app {

base::Result<std::shared_ptr<const models::Model>> prepare_model(const Document& document,
                                                                 num::Team& team) {
    if (!document.model_file.empty()) return models::load_model(document.model_file, team);
    return models::draw_model(document.model, team);
}

base::Result<models::Config> config_of(const Document& document, num::Team& team) {
    if (!document.model_file.empty()) {
        return prepare_model(document, team).map([](const auto& model) { return model->config(); });
    }
    return models::check(document.model).map([&] { return document.model; });
}

} // namespace heed::app
