#include "train/loop/history_text.hpp"

#include "tensors/json.hpp"

#include <memory>
#include <utility>

namespace heed::train {

namespace {

using tensors::Json;

Json json_of(const LossPoint& point) {
    return {point.step, point.loss, point.gradient_norm, point.rate};
}

Json json_of(const HeldOutPoint& point) {
    const Measures& m = point.measures;
    Json lengths = Json::array();
    for (const LengthAccuracy& length : m.by_length) {
        lengths.push_back({length.length, length.sentences, length.right});
    }
    Json json = {
        {"step", point.step},           {"loss", m.loss}, {"token_accuracy", m.token_accuracy},
        {"exact_match", m.exact_match}, {"bleu", m.bleu}, {"by_length", std::move(lengths)},
        {"of_all", point.of_all}};
    if (m.alignment_error_rate) json["alignment_error_rate"] = *m.alignment_error_rate;
    if (m.label_accuracy) json["label_accuracy"] = *m.label_accuracy;
    if (!point.samples) return json;
    Json& samples = json["samples"] = Json::array();
    for (const Sample& sample : *point.samples) {
        samples.push_back({sample.pair, sample.right, sample.said});
    }
    return json;
}

/// The library throws where a member is missing or of another type; the text is ours, and a broken
/// one is one error, whatever broke it.
LossPoint loss_point(const Json& json) {
    return {json.at(0).get<std::uint64_t>(), json.at(1).get<double>(), json.at(2).get<double>(),
            json.at(3).get<float>()};
}

std::shared_ptr<const std::vector<Sample>> samples_of(const Json& json) {
    auto samples = std::make_shared<std::vector<Sample>>();
    for (const Json& sample : json) {
        samples->push_back({sample.at(0).get<std::size_t>(),
                            sample.at(2).get<std::vector<std::string>>(),
                            sample.at(1).get<bool>()});
    }
    return samples;
}

HeldOutPoint point_of(const Json& json) {
    HeldOutPoint point{json.at("step").get<std::uint64_t>(), {}, {}};
    Measures& m = point.measures;
    m.loss = json.at("loss").get<double>();
    m.token_accuracy = json.at("token_accuracy").get<double>();
    m.exact_match = json.at("exact_match").get<double>();
    m.bleu = json.at("bleu").get<double>();
    if (json.contains("alignment_error_rate")) {
        m.alignment_error_rate = json.at("alignment_error_rate").get<double>();
    }
    if (json.contains("label_accuracy")) m.label_accuracy = json.at("label_accuracy").get<double>();
    for (const Json& length : json.at("by_length")) {
        m.by_length.push_back({length.at(0).get<int>(), length.at(1).get<std::size_t>(),
                               length.at(2).get<std::size_t>()});
    }
    if (json.contains("samples")) point.samples = samples_of(json.at("samples"));
    point.of_all = json.value("of_all", false);
    return point;
}

} // namespace

std::string write_history(const History& history) {
    const History::Curve& curve = history.curve();
    Json losses = Json::array(), held_out = Json::array();
    for (const LossPoint& point : curve.losses) losses.push_back(json_of(point));
    for (const HeldOutPoint& point : history.held_out) held_out.push_back(json_of(point));
    return tensors::dump_json({{"stride", curve.stride},
                               {"losses", std::move(losses)},
                               {"open", json_of(curve.open)},
                               {"in_open", curve.in_open},
                               {"held_out", std::move(held_out)}});
}

base::Result<History> read_history(std::string_view text) {
    const auto json = tensors::parse_json(text, "history");
    if (!json) return tl::make_unexpected(json.error());
    try {
        History::Curve curve;
        curve.stride = std::max<std::uint64_t>(json->at("stride").get<std::uint64_t>(), 1);
        for (const Json& point : json->at("losses")) curve.losses.push_back(loss_point(point));
        curve.open = loss_point(json->at("open"));
        curve.in_open = json->at("in_open").get<std::uint64_t>();
        History history(std::move(curve));
        for (const Json& point : json->at("held_out")) history.held_out.push_back(point_of(point));
        return history;
    } catch (const Json::exception& thrown) {
        return base::fail(base::ErrorKind::malformed, "history", thrown.what());
    }
}

} // namespace heed::train
