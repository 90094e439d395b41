#include "models/model/titles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::models {

namespace {

/// "6+6", or "6" of a model with one stack.
std::string layers_words(const ModelSpec& c) {
    if (has_cross(c)) return fmt::format("{}+{}", c.n_encoder_layers, c.n_decoder_layers);
    return fmt::format("{}", has_encoder(c) ? c.n_encoder_layers : c.n_decoder_layers);
}

/// "1 head", "4 heads", of several layers "12 × 12 heads".
std::string heads_words(const ModelSpec& c) {
    const bool several = has_encoder(c) && c.n_encoder_layers > 1;
    return fmt::format("{}{} head{}", several ? fmt::format("{} × ", c.n_encoder_layers) : "",
                       c.n_heads, c.n_heads == 1 ? "" : "s");
}

std::string title(const ModelSpec& c) {
    if (is_classifier(c)) return fmt::format("Classifier {} · {}", c.d_model, heads_words(c));
    for (const NamedSize& size : named_sizes()) {
        const bool same = size.d_model == c.d_model && size.n_heads == c.n_heads &&
                          size.d_ff == c.d_ff &&
                          (!has_encoder(c) || size.n_layers == c.n_encoder_layers) &&
                          (!has_decoder(c) || size.n_layers == c.n_decoder_layers);
        if (same) return fmt::format("Transformer {}", size.name);
    }
    return fmt::format("Transformer {} · {} head{} · {}", c.d_model, c.n_heads,
                       c.n_heads == 1 ? "" : "s", shape_title(c));
}

/// "GRU".
std::string cell_words(nn::Cell cell) {
    std::string words(nn::name(cell));
    for (char& letter : words) letter = static_cast<char>(letter - 'a' + 'A');
    return words;
}

/// "biGRU 256".
std::string cell_title(const RecurrentConfig& config, const std::string& cell) {
    return fmt::format("{}{} {}", config.bidirectional ? "bi" : "", cell, config.hidden);
}

/// "Bahdanau · biGRU 256": by whom the order of a step is known.
std::string title(const RecurrentConfig& config) {
    const std::string cell = cell_words(config.cell);
    switch (config.shape) {
    case Shape::n_to_n: return fmt::format("N → N · {}", cell_title(config, cell));
    case Shape::n_to_one: return fmt::format("N → 1 · {}", cell_title(config, cell));
    case Shape::one_to_n: return fmt::format("1 → N · {} {}", cell, config.hidden);
    case Shape::n_to_m: break;
    }
    const char* by = config.context != Context::attention      ? "Seq2seq"
                     : config.order == StepOrder::attend_first ? "Bahdanau"
                                                               : "Luong";
    return fmt::format("{} · {}", by, cell_title(config, cell));
}

std::string size_title(const ModelSpec& c) {
    if (is_classifier(c)) return fmt::format("{} · {}", heads_words(c), c.d_model);
    return fmt::format("{} × {} head{} · {}", layers_words(c), c.n_heads, c.n_heads == 1 ? "" : "s",
                       c.d_model);
}

std::string shape_title(const ModelSpec& c) {
    const std::string layers = layers_words(c);
    return layers + (layers == "1" ? " layer" : " layers");
}
std::string shape_title(const RecurrentConfig& c) { return cell_title(c, cell_words(c.cell)); }
std::string shape_title(const StoredConfig&) { return {}; }

std::string size_title(const RecurrentConfig& c) {
    return fmt::format("{} layer{} · {}", c.n_layers, c.n_layers == 1 ? "" : "s",
                       attends(c) ? name(c.context) : name(c.shape));
}

std::string short_title(const ModelSpec& c) {
    if (is_classifier(c)) return fmt::format("classifier, {}", heads_words(c));
    if (has_cross(c)) return fmt::format("transformer {}", layers_words(c));
    const int layers = has_encoder(c) ? c.n_encoder_layers : c.n_decoder_layers;
    return fmt::format("{}, {} layer{}", form(c), layers, layers == 1 ? "" : "s");
}

/// "many-to-one": what goes in and what comes out.
const char* shape_words(Shape shape) {
    switch (shape) {
    case Shape::n_to_m:
    case Shape::n_to_n: return "many-to-many";
    case Shape::n_to_one: return "many-to-one";
    case Shape::one_to_n: return "one-to-many";
    }
    return "";
}

std::string title(const StoredConfig&) { return "Attention weights"; }
std::string size_title(const StoredConfig& c) {
    const auto most = *std::max_element(c.layers.begin(), c.layers.end());
    return fmt::format("{} layer{} × {} head{}", most, most == 1 ? "" : "s", c.n_heads,
                       c.n_heads == 1 ? "" : "s");
}
std::string short_title(const StoredConfig& c) { return "weights, " + size_title(c); }

std::string short_title(const RecurrentConfig& c) {
    if (!attends(c)) return fmt::format("{} {}", cell_words(c.cell), shape_words(c.shape));
    const std::string cell = c.cell == nn::Cell::gru ? "" : cell_words(c.cell) + " ";
    if (c.context == Context::attention) {
        return fmt::format("{}{} attention", cell, nn::name(c.score));
    }
    return fmt::format("{}{} state", cell, name(c.context));
}

} // namespace

std::string title(const Config& config) {
    return std::visit([](const auto& c) { return title(c); }, config);
}
std::string size_title(const Config& config) {
    return std::visit([](const auto& c) { return size_title(c); }, config);
}
std::string shape_title(const Config& config) {
    return std::visit([](const auto& c) { return shape_title(c); }, config);
}
std::string short_title(const Config& config) {
    return std::visit([](const auto& c) { return short_title(c); }, config);
}

std::string form_phrase(const Config& config) {
    const Traits t = traits(config);
    if (t.classifies()) return "a classifier";
    return t.steps ? fmt::format("of the shape {}", name(t.steps->shape)) : std::string(t.form);
}

} // namespace heed::models
