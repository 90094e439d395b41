#include "app/prepare.hpp"

#include <limits>
#include <utility>

namespace heed::app {

namespace {

std::vector<text::Token> cut(std::vector<text::Token> tokens, std::size_t& dropped) {
    if (tokens.size() > models::kMaxTokens) {
        dropped = tokens.size() - models::kMaxTokens;
        tokens.resize(models::kMaxTokens);
    }
    return tokens;
}

} // namespace

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

PreparedInput prepare_input(const Document& document) {
    // Every token is counted, so that the window can say how many it leaves out.
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    PreparedInput prepared;
    prepared.input.pad_to = document.pad_to;
    prepared.input.decoding = document.decoding;
    prepared.input.source =
        cut(text::tokenize(document.source, document.segmentation, kAll), prepared.source_dropped);
    prepared.input.target =
        cut(text::tokenize(document.target, document.segmentation, kAll), prepared.target_dropped);
    return prepared;
}

} // namespace heed::app
