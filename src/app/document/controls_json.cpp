#include "app/document/controls_json.hpp"

#include "app/document/inside_focus_json.hpp"
#include "app/document/json_reader.hpp"
#include "app/document/names.hpp"
#include "models/model/alignment_file.hpp"

#include <fmt/format.h>

#include <limits>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using tensors::Json;

namespace {

constexpr std::size_t kMaxEntries = 4096; // more than the heads of any model that runs here

Result<models::Scale> read_scale(const Json& value, const std::string& path) {
    if (value.is_string()) return parse_scale(value.get<std::string>(), path);
    if (!value.is_number()) {
        return fail(ErrorKind::malformed, path, "expected \"on\", \"off\" or a factor");
    }
    return float_from(kFactors)(value, path).map([](float factor) {
        return models::Scale{models::Scale::Kind::factor, factor};
    });
}

Result<nn::Mask> read_mask(const Json& value, const std::string& path) {
    if (value.is_string()) return parse_mask(value.get<std::string>(), path, Counting::from_0);
    if (!value.is_array()) {
        return fail(ErrorKind::malformed, path,
                    "a list such as [\"causal\", \"window:3\"] or \"none\" was expected");
    }
    std::string words;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto word = tensors::string(value[i], fmt::format("{}[{}]", path, i));
        if (!word) return tl::make_unexpected(word.error());
        if (i > 0) words += ',';
        words += *word;
    }
    return parse_mask(value.empty() ? "none" : words, path, Counting::from_0);
}

Result<nn::WeightEdit> read_edit(const Json& value, const std::string& path) {
    JsonReader reader(value, path, {"query", "key", "weight"});
    const auto token = int_from(0, static_cast<long long>(models::kMaxTokens) - 1);
    int query = 0, key = 0;
    nn::WeightEdit edit;
    reader.take("query", query, token);
    reader.take("key", key, token);
    reader.take("weight", edit.weight, float_from({0, 1}));
    edit.query = query;
    edit.key = key;
    return reader.done().map([&] { return edit; });
}

Result<std::vector<nn::WeightEdit>> read_edits(const Json& value, const std::string& path) {
    if (!value.is_array()) {
        return fail(ErrorKind::malformed, path,
                    "a list such as [{\"query\": 0, \"key\": 2, \"weight\": 0.5}] was expected");
    }
    std::vector<nn::WeightEdit> edits;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto edit = read_edit(value[i], fmt::format("{}[{}]", path, i));
        if (!edit) return tl::make_unexpected(edit.error());
        edits.push_back(*edit);
    }
    return edits;
}

constexpr double kSmallest = std::numeric_limits<float>::min();
/// A layer or a head. How many there are, only a model can say: models::check does.
Result<int> read_index(const Json& value, const std::string& path) {
    auto index =
        int_from(std::numeric_limits<int>::min(), std::numeric_limits<int>::max())(value, path);
    if (index && *index < 0) {
        return fail(ErrorKind::out_of_range, path,
                    fmt::format("{}, but layers and heads count from 0", *index));
    }
    return index;
}

Result<models::ScopedControls> read_entry(const Json& json, const std::string& path) {
    JsonReader reader(json, path,
                      {"attention", "layer", "head", "score", "scale", "temperature", "mask",
                       "positions", "gain", "edits"});
    models::ScopedControls entry;
    reader.take_name("attention", entry.scope.kind);
    reader.take("layer", entry.scope.layer, read_index);
    reader.take("head", entry.scope.head, read_index);
    reader.take_name("score", entry.controls.score);
    reader.take("scale", entry.controls.scale, read_scale);
    reader.take("temperature", entry.controls.temperature, float_from(kTemperatures));
    reader.take("mask", entry.controls.mask, read_mask);
    reader.take_name("positions", entry.controls.positions);
    reader.take("gain", entry.controls.gain, float_from(kFactors));
    reader.take("edits", entry.controls.edits, read_edits);
    if (entry.controls.empty()) {
        reader.refuse(
            ErrorKind::malformed,
            "nothing is set; expected score, scale, temperature, mask, positions, gain or edits");
    }
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    return entry;
}

Result<std::vector<models::ScopedControls>> read_entries(const Json& json,
                                                         const std::string& path) {
    if (!json.is_array()) {
        return fail(ErrorKind::malformed, path, "a list in brackets was expected");
    }
    if (json.size() > kMaxEntries) {
        return fail(ErrorKind::out_of_range, path,
                    fmt::format("{} entries, at most {} are allowed", json.size(), kMaxEntries));
    }
    std::vector<models::ScopedControls> entries;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string at = fmt::format("{}[{}]", path, i);
        auto entry = read_entry(json[i], at);
        if (!entry) return tl::make_unexpected(entry.error());
        for (const models::ScopedControls& other : entries) {
            if (other.scope == entry->scope) {
                return fail(ErrorKind::malformed, at,
                            "the same attention, layer and head as an earlier entry");
            }
        }
        entries.push_back(*std::move(entry));
    }
    return entries;
}

Json scale_to_json(const models::Scale& scale) {
    if (scale.kind == models::Scale::Kind::factor) return scale.factor;
    return write_scale(scale);
}

Json mask_to_json(const nn::Mask& mask) {
    if (mask.empty()) return "none";
    return mask_words(mask, Counting::from_0);
}

Json edits_to_json(const std::vector<nn::WeightEdit>& edits) {
    Json list = Json::array();
    for (const nn::WeightEdit& edit : edits) {
        list.push_back({{"query", edit.query}, {"key", edit.key}, {"weight", edit.weight}});
    }
    return list;
}

Json entry_to_json(const models::ScopedControls& entry) {
    Json json = Json::object();
    const auto& [scope, controls] = entry;
    if (scope.kind) json["attention"] = name_of(*scope.kind);
    if (scope.layer) json["layer"] = *scope.layer;
    if (scope.head) json["head"] = *scope.head;
    if (controls.score) json["score"] = name_of(*controls.score);
    if (controls.scale) json["scale"] = scale_to_json(*controls.scale);
    if (controls.temperature) json["temperature"] = *controls.temperature;
    if (controls.mask) json["mask"] = mask_to_json(*controls.mask);
    if (controls.positions) json["positions"] = name_of(*controls.positions);
    if (controls.gain) json["gain"] = *controls.gain;
    if (controls.edits) json["edits"] = edits_to_json(*controls.edits);
    return json;
}

Result<models::Config> read_transformer(const Json& json, const std::string& path) {
    JsonReader reader(json, path,
                      {"kind", "architecture", "d_model", "n_heads", "n_encoder_layers",
                       "n_decoder_layers", "d_ff", "activation", "norm", "positions", "join",
                       "vocabulary", "max_positions", "seed", "norm_epsilon"});
    models::ModelSpec config;
    const auto size = int_from(0, std::numeric_limits<int>::max());
    reader.take_name("architecture", config.architecture);
    reader.take("d_model", config.d_model, size);
    reader.take("n_heads", config.n_heads, size);
    reader.take("n_encoder_layers", config.n_encoder_layers, size);
    reader.take("n_decoder_layers", config.n_decoder_layers, size);
    reader.take("d_ff", config.d_ff, size);
    reader.take_name("activation", config.activation);
    reader.take_name("norm", config.norm);
    reader.take_name("positions", config.positions);
    reader.take_name("join", config.join);
    reader.take("vocabulary", config.vocabulary, size);
    reader.take("max_positions", config.max_positions, size);
    reader.take("seed", config.seed, tensors::count);
    reader.take("norm_epsilon", config.norm_epsilon, float_from({kSmallest, 1}));
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    if (const auto ok = models::check(config); !ok) {
        return fail(ok.error().kind, path, base::describe(ok.error()));
    }
    return models::Config(config);
}

/// true or false.
Result<bool> read_flag(const Json& json, const std::string& path) {
    if (json.is_boolean()) return json.get<bool>();
    return fail(ErrorKind::malformed, path, "expected true or false");
}

Result<models::Config> read_recurrent(const Json& json, const std::string& path) {
    JsonReader reader(json, path,
                      {"kind", "shape", "cell", "n_layers", "bidirectional", "hidden", "embedding",
                       "context", "beginning", "score", "order", "projection", "seed"});
    models::RecurrentConfig config;
    const auto size = int_from(0, std::numeric_limits<int>::max());
    reader.take_name("shape", config.shape);
    reader.take_name("cell", config.cell);
    reader.take("n_layers", config.n_layers, size);
    reader.take("bidirectional", config.bidirectional, read_flag);
    reader.take("hidden", config.hidden, size);
    reader.take("embedding", config.embedding, size);
    reader.take_name("context", config.context);
    reader.take_name("beginning", config.beginning);
    reader.take_name("score", config.score);
    reader.take_name("order", config.order);
    reader.take_name("projection", config.projection);
    reader.take("seed", config.seed, tensors::count);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    if (const auto ok = models::check(config); !ok) {
        return fail(ok.error().kind, path, base::describe(ok.error()));
    }
    return models::Config(config);
}

Result<models::Config> read_classifier(const Json& json, const std::string& path) {
    JsonReader reader(
        json, path,
        {"kind", "d_model", "n_heads", "length", "pooling", "dense", "positions", "seed"});
    models::ModelSpec config = models::classifier_spec();
    const auto size = int_from(0, std::numeric_limits<int>::max());
    reader.take("d_model", config.d_model, size);
    reader.take("n_heads", config.n_heads, size);
    reader.take("length", config.max_positions, size);
    reader.take_name("pooling", config.pooling);
    reader.take("dense", config.dense, size);
    reader.take_name("positions", config.positions);
    reader.take("seed", config.seed, tensors::count);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    if (const auto ok = models::check(config); !ok) {
        return fail(ok.error().kind, path, base::describe(ok.error()));
    }
    return models::Config(config);
}

Result<models::Config> config_from_json(const Json& json, const std::string& path) {
    std::string kind = "transformer";
    JsonReader reader(json, path);
    reader.take("kind", kind, tensors::string);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    if (kind == "transformer") return read_transformer(json, path);
    if (kind == "recurrent") return read_recurrent(json, path);
    if (kind == "classifier") return read_classifier(json, path);
    return fail(ErrorKind::malformed, path + ".kind",
                fmt::format("'{}' is not one of transformer, recurrent, classifier", kind));
}

Json config_to_json(const models::RecurrentConfig& config) {
    return {{"kind", "recurrent"},
            {"shape", name_of(config.shape)},
            {"cell", name_of(config.cell)},
            {"n_layers", config.n_layers},
            {"bidirectional", config.bidirectional},
            {"hidden", config.hidden},
            {"embedding", config.embedding},
            {"context", name_of(config.context)},
            {"beginning", name_of(config.beginning)},
            {"score", name_of(config.score)},
            {"order", name_of(config.order)},
            {"projection", name_of(config.projection)},
            {"seed", config.seed}};
}

Json classifier_to_json(const models::ModelSpec& config) {
    return {{"kind", "classifier"},
            {"d_model", config.d_model},
            {"n_heads", config.n_heads},
            {"length", config.max_positions},
            {"pooling", name_of(config.pooling)},
            {"dense", config.dense},
            {"positions", name_of(config.positions)},
            {"seed", config.seed}};
}

Json config_to_json(const models::ModelSpec& config) {
    if (models::is_classifier(config)) return classifier_to_json(config);
    return {{"kind", "transformer"},
            {"architecture", name_of(config.architecture)},
            {"d_model", config.d_model},
            {"n_heads", config.n_heads},
            {"n_encoder_layers", config.n_encoder_layers},
            {"n_decoder_layers", config.n_decoder_layers},
            {"d_ff", config.d_ff},
            {"activation", name_of(config.activation)},
            {"norm", name_of(config.norm)},
            {"positions", name_of(config.positions)},
            {"join", name_of(config.join)},
            {"vocabulary", config.vocabulary},
            {"max_positions", config.max_positions},
            {"seed", config.seed},
            {"norm_epsilon", config.norm_epsilon}};
}

/// Only a file has such a model, and a session names that.
Json config_to_json(const models::StoredConfig&) { return config_to_json(models::ModelSpec{}); }

} // namespace

Result<models::Controls> controls_from_json(const Json& json, const std::string& path) {
    JsonReader reader(json, path, {"controls", "norm", "join", "dropout", "dropout_seed"});
    models::Controls controls;
    reader.take("controls", controls.scoped, read_entries);
    reader.take_name("norm", controls.norm);
    reader.take_name("join", controls.join);
    reader.take("dropout", controls.dropout.rate, float_from(kDropoutRates));
    reader.take("dropout_seed", controls.dropout.seed, tensors::count);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    return controls;
}

Result<models::Controls> parse_controls(std::string_view bytes, const std::string& subject) {
    const auto json = tensors::parse_json(bytes, subject);
    if (!json) return tl::make_unexpected(json.error());
    auto controls = controls_from_json(*json, "");
    if (!controls) {
        return fail(controls.error().kind, subject, base::describe(controls.error()));
    }
    return controls;
}

Json controls_to_json(const models::Controls& controls) {
    Json json = Json::object();
    if (!controls.scoped.empty()) {
        Json entries = Json::array();
        for (const models::ScopedControls& entry : controls.scoped) {
            entries.push_back(entry_to_json(entry));
        }
        json["controls"] = std::move(entries);
    }
    if (controls.norm) json["norm"] = name_of(*controls.norm);
    if (controls.join) json["join"] = name_of(*controls.join);
    if (!(controls.dropout == models::Dropout{})) {
        json["dropout"] = controls.dropout.rate;
        json["dropout_seed"] = controls.dropout.seed;
    }
    return json;
}

namespace {

Result<models::Decoding> decoding_from_json(const Json& json, const std::string& path) {
    JsonReader reader(
        json, path,
        {"rule", "beam_width", "limit", "followed", "temperature", "top_k", "top_p", "seed"});
    models::Decoding decoding;
    reader.take_name("rule", decoding.rule);
    reader.take("beam_width", decoding.beam_width, int_from(1, models::kMaxBeam));
    reader.take("limit", decoding.limit, int_from(0, models::kMaxTokens));
    reader.take("followed", decoding.followed, int_from(0, models::kMaxBeam - 1));
    models::Sampling& sampling = decoding.sampling;
    reader.take("temperature", sampling.temperature, float_from(kSamplingTemperatures));
    reader.take("top_k", sampling.top_k, int_from(0, models::kMostTopK));
    reader.take("top_p", sampling.top_p, float_from(kTopP));
    reader.take("seed", sampling.seed, tensors::count);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    return decoding;
}

Json decoding_to_json(const models::Decoding& decoding) {
    Json json = {{"rule", name_of(decoding.rule)},
                 {"beam_width", decoding.beam_width},
                 {"limit", decoding.limit},
                 {"followed", decoding.followed}};
    const models::Sampling& sampling = decoding.sampling;
    if (sampling != models::Sampling{}) {
        json["temperature"] = sampling.temperature;
        json["top_k"] = sampling.top_k;
        json["top_p"] = sampling.top_p;
        json["seed"] = sampling.seed;
    }
    return json;
}

Result<std::vector<int>> ids_from_json(const Json& json, const std::string& path) {
    constexpr std::size_t kMost = 2 * models::kMaxTokens;
    if (!json.is_array() || json.size() > kMost) {
        return fail(ErrorKind::malformed, path,
                    fmt::format("a list of at most {} ids of tokens was expected", kMost));
    }
    const auto id_from_json = int_from(0, std::numeric_limits<int>::max());
    std::vector<int> ids;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto id = id_from_json(json[i], fmt::format("{}[{}]", path, i));
        if (!id) return tl::make_unexpected(id.error());
        ids.push_back(*id);
    }
    return ids;
}

} // namespace

Result<Document> document_from_json(const Json& json, const std::string& path) {
    JsonReader reader(json, path,
                      {"model", "model_file", "source", "target", "segmentation", "pad_to",
                       "decoding", "controls", "resting", "image_file", "sentence", "inside",
                       "written_ids"});
    Document document;
    reader.take("model", document.model, config_from_json);
    reader.take("model_file", document.model_file, tensors::string);
    reader.take("image_file", document.image_file, tensors::string);
    reader.take("sentence", document.sentence, int_from(0, models::kMostSentences - 1));
    reader.take("source", document.source, tensors::string);
    reader.take("target", document.target, tensors::string);
    reader.take("written_ids", document.written.ids, ids_from_json);
    if (!document.written.ids.empty()) document.written.text = document.target;
    reader.take_name("segmentation", document.segmentation);
    reader.take("pad_to", document.pad_to, int_from(0, models::kMaxTokens));
    reader.take("decoding", document.decoding, decoding_from_json);
    reader.take("controls", document.controls, controls_from_json);
    reader.take("resting", document.resting, controls_from_json);
    reader.take("inside", document.inside, inside_focus_from_json);
    if (const auto ok = reader.done(); !ok) return tl::make_unexpected(ok.error());
    return document;
}

Json document_to_json(const Document& document) {
    Json json = {
        {"model", std::visit([](const auto& c) { return config_to_json(c); }, document.model)},
        {"model_file", document.model_file},
        {"source", document.source},
        {"target", document.target},
        {"segmentation", name_of(document.segmentation)},
        {"pad_to", document.pad_to},
        {"decoding", decoding_to_json(document.decoding)},
        {"controls", controls_to_json(document.controls)},
        {"resting", controls_to_json(document.resting)}};
    if (!document.image_file.empty()) json["image_file"] = document.image_file;
    if (const auto* ids = written_ids(document)) json["written_ids"] = *ids;
    if (document.sentence > 0) json["sentence"] = document.sentence;
    if (document.inside != InsideFocus{}) json["inside"] = inside_focus_to_json(document.inside);
    return json;
}

} // namespace heed::app
