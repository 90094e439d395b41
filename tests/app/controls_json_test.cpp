#include "app/document/controls_json.hpp"
#include "app/document/names.hpp"
#include "base/result.hpp"
#include "catch.hpp"
#include "nn/attention/score_info.hpp"
#include "num/random.hpp"
#include "tensors/json.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace heed;
using app::Counting;
using app::parse_controls;
using models::Controls;
using models::Scale;

namespace {

Controls everything() {
    Controls controls;
    models::HeadControls head;
    head.score = nn::Score::additive;
    head.scale = Scale{Scale::Kind::factor, 0.5f};
    head.temperature = 2.5f;
    head.mask = nn::Mask{true, true, 3, {{0, 1}, {2, 5}}};
    head.positions = nn::Positions::rotary;
    head.gain = 0.f;
    head.edits = {{0, 1, 0.5f}, {2, 0, 1.0f}};
    controls.set({trace::AttentionKind::cross, 4, 7}, head);
    models::HeadControls model;
    model.scale = Scale{Scale::Kind::off, 1};
    model.mask = nn::Mask{};
    controls.set({}, model);
    models::HeadControls layer;
    layer.scale = Scale{Scale::Kind::on, 1};
    controls.set({std::nullopt, 0, std::nullopt}, layer);
    controls.norm = models::NormOrder::pre;
    controls.join = nn::Join::concatenate;
    controls.dropout = {0.1f, 18446744073709551615ull};
    return controls;
}

std::string controls_message(const std::string& json) {
    const auto result = parse_controls(json, "c.json");
    REQUIRE_FALSE(result.has_value());
    return base::describe(result.error());
}

bool names(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("controls come back from JSON as they went") {
    const Controls controls = everything();
    const std::string json = tensors::dump_json(app::controls_to_json(controls), 2);
    const auto back = parse_controls(json, "c.json");
    REQUIRE(back.has_value());
    CHECK(*back == controls);
}

TEST_CASE("empty controls are an empty object") {
    CHECK(tensors::dump_json(app::controls_to_json({})) == "{}");
    CHECK(parse_controls("{}", "c").value() == Controls{});
}

TEST_CASE("a single head is reached by its attention, layer and head") {
    const auto controls = parse_controls(
        R"({"controls": [{"attention": "decoder", "layer": 2, "head": 1, "scale": "off"}]})", "c");
    REQUIRE(controls.has_value());
    const auto kind = trace::AttentionKind::decoder_self;
    CHECK(controls->resolved({kind, 2, 1}).scale == Scale{Scale::Kind::off, 1});
    CHECK_FALSE(controls->resolved({kind, 2, 0}).scale.has_value());
    CHECK_FALSE(controls->resolved({trace::AttentionKind::cross, 2, 1}).scale.has_value());
}

TEST_CASE("a mask is a list, one word or none") {
    const auto mask_of = [](const std::string& json) {
        return parse_controls(R"({"controls": [{"mask": )" + json + "}]}", "c")
            .value()
            .at({})
            .mask.value();
    };
    CHECK(mask_of(R"(["causal", "window:3"])") == nn::Mask{false, true, 3, {}});
    CHECK(mask_of(R"("causal,window:3")") == nn::Mask{false, true, 3, {}});
    CHECK(mask_of(R"("none")") == nn::Mask{});
    CHECK(mask_of("[]") == nn::Mask{});
    CHECK(mask_of(R"(["paint:2:1", "paint:0:3", "paint:2:1"])") ==
          nn::Mask{false, false, {}, {{0, 3}, {2, 1}}});
}

TEST_CASE("broken controls name the path and the allowed values") {
    const auto entry = [](const std::string& members) {
        return controls_message(R"({"controls": [{"scale": "off"}, {"layer": 1, )" + members +
                                "}]}");
    };
    CHECK(names(entry(R"("scale": "of")"), "controls[1].scale"));
    CHECK(names(entry(R"("scale": "of")"), "on, off"));
    CHECK(names(entry(R"("scale": true)"), "controls[1].scale"));
    CHECK(names(entry(R"("scale": 1e30)"), "controls[1].scale"));
    CHECK(names(entry(R"("temperature": 0)"), "controls[1].temperature"));
    CHECK(names(entry(R"("temperature": -1)"), "controls[1].temperature"));
    CHECK(names(entry(R"("temperature": "hot")"), "controls[1].temperature"));
    CHECK(names(entry(R"("temperature": null)"), "controls[1].temperature"));
    CHECK(names(entry(R"("mask": ["casual"])"), "casual"));
    CHECK(names(entry(R"("mask": ["casual"])"), "padding, causal, window:N"));
    CHECK(names(entry(R"("mask": ["window:-1"])"), "controls[1].mask"));
    CHECK(names(entry(R"("mask": ["window:"])"), "controls[1].mask"));
    CHECK(names(entry(R"("mask": ["paint:1"])"), "controls[1].mask"));
    CHECK(names(entry(R"("mask": [3])"), "controls[1].mask[0]"));
    CHECK(names(entry(R"("mask": 3)"), "controls[1].mask"));
    CHECK(names(entry(R"("score": "euclid")"), "additive, concat, dot"));
    CHECK(names(entry(R"("positions": "gps")"), "rotary"));
    CHECK(names(entry(R"("gain": 1e300)"), "controls[1].gain"));
    CHECK(names(entry(R"("head": 1.5, "gain": 1)"), "controls[1].head"));
    CHECK(names(entry(R"("head": -1, "gain": 1)"), "controls[1].head"));
    CHECK(names(entry(R"("attention": "self", "gain": 1)"), "encoder, decoder, cross"));
    CHECK(names(entry(R"("colour": 1)"), "controls[1].colour"));
    CHECK(names(entry(R"("head": 0)"), "nothing is set"));
    CHECK(names(controls_message(R"({"controls": {}})"), "controls"));
    CHECK(names(controls_message(R"({"norm": "mid"})"), "post, pre"));
    CHECK(names(controls_message(R"({"join": "sum"})"), "add, concat"));
    CHECK(names(controls_message(R"({"dropout": 1})"), "dropout"));
    CHECK(names(controls_message(R"({"dropout_seed": -1})"), "dropout_seed"));
    CHECK(names(controls_message("[]"), "object"));
    CHECK(names(controls_message(R"({"controls": [{"gain": 1}, {"gain": 2}]})"), "controls[1]"));
}

TEST_CASE("every cut of a controls file is refused or read, and never more") {
    const std::string json = tensors::dump_json(app::controls_to_json(everything()));
    for (std::size_t length = 0; length < json.size(); ++length) {
        CHECK_FALSE(parse_controls(json.substr(0, length), "c").has_value());
    }
}

TEST_CASE("a controls file with any byte changed never crashes, and what is read can be written") {
    const std::string json = tensors::dump_json(app::controls_to_json(everything()));
    const num::Rng draws(1, "bytes");
    for (std::uint64_t i = 0; i < 5000; ++i) {
        std::string broken = json;
        broken[draws.bits(2 * i) % json.size()] = static_cast<char>(draws.bits(2 * i + 1));
        if (const auto controls = parse_controls(broken, "c")) {
            const auto again = tensors::dump_json(app::controls_to_json(*controls));
            CHECK(parse_controls(again, "c").value() == *controls);
        }
    }
}

TEST_CASE("a document comes back from JSON as it went") {
    app::Document document;
    models::spec_of(document.model)->architecture = models::Architecture::decoder_only;
    models::spec_of(document.model)->d_model = 96;
    models::spec_of(document.model)->n_heads = 6;
    models::spec_of(document.model)->activation = models::Activation::gelu;
    models::spec_of(document.model)->seed = 18446744073709551615ull;
    document.source = "我 昨天 吃 了 \"一个\" 苹果\n🍎";
    document.target = "";
    document.segmentation = text::Segmentation::characters;
    document.pad_to = 12;
    document.controls = everything();
    const auto json = app::document_to_json(document);
    const auto parsed = tensors::parse_json(tensors::dump_json(json), "d");
    REQUIRE(parsed.has_value());
    CHECK(app::document_from_json(*parsed, "").value() == document);
}

TEST_CASE("a document whose width does not divide into its heads is refused with both numbers") {
    const auto json = tensors::parse_json(R"({"model": {"d_model": 100, "n_heads": 8}})", "d");
    const auto document = app::document_from_json(*json, "");
    REQUIRE_FALSE(document.has_value());
    CHECK(names(base::describe(document.error()), "100"));
    CHECK(names(base::describe(document.error()), "8"));
}

TEST_CASE("scales and masks come back from words as they went") {
    for (const Scale scale : {Scale{Scale::Kind::on, 1}, Scale{Scale::Kind::off, 1},
                              Scale{Scale::Kind::factor, 0.1f}, Scale{Scale::Kind::factor, -3}}) {
        CHECK(app::parse_scale(app::write_scale(scale), "s").value() == scale);
    }
    for (const char* words : {"none", "padding", "causal,window:0", "padding,causal,window:12",
                              "window:3,paint:1:2,paint:4:4"}) {
        for (const Counting counting : {Counting::from_0, Counting::from_1}) {
            const auto mask = app::parse_mask(words, "m", counting);
            REQUIRE(mask.has_value());
            CHECK(app::write_mask(*mask, counting) == words);
        }
    }
    for (const char* words : {"", ",", "causal,", "causal,,padding", "none,causal", "window:x",
                              "paint:1:x", "paint:1:2:3", "window:99999999999999999999", "nan"}) {
        CHECK_FALSE(app::parse_mask(words, "m", Counting::from_0).has_value());
    }
    const auto from_1 = app::parse_mask("paint:1:3", "m", Counting::from_1).value();
    CHECK(from_1.painted == std::vector<std::pair<num::Index, num::Index>>{{0, 2}});
    CHECK(app::write_mask(from_1, Counting::from_0) == "paint:0:2");
    for (const char* words : {"paint:0:1", "paint:1:0"}) {
        const auto mask = app::parse_mask(words, "m", Counting::from_1);
        REQUIRE_FALSE(mask.has_value());
        CHECK(names(mask.error().message, "from 1 to"));
        CHECK(app::parse_mask(words, "m", Counting::from_0).has_value());
    }
    for (const char* word : {"", "On", "nan", "inf", "-inf", "1e39", "0x10", " 1", "1 ", "1,5"}) {
        CHECK_FALSE(app::parse_scale(word, "s").has_value());
    }
}
