#include "models/spec/spec.hpp"

#include "catch.hpp"

#include <cmath>
#include <limits>
#include <string>

using namespace heed::models;
using heed::base::ErrorKind;

TEST_CASE("every named size is a possible model, and base is that of the 2017 paper") {
    for (const NamedSize& size : named_sizes()) {
        ModelSpec c;
        c.d_model = size.d_model;
        c.n_heads = size.n_heads;
        c.n_encoder_layers = c.n_decoder_layers = size.n_layers;
        c.d_ff = size.d_ff;
        CHECK(check(c));
    }
    const NamedSize base = named_sizes().back();
    CHECK(std::string(base.name) == "base");
    CHECK(base.d_model == 512);
    CHECK(base.n_heads == 8);
    CHECK(base.n_layers == 6);
    CHECK(base.d_ff == 2048);
    CHECK(std::string(named_sizes().front().name) == "tiny");
}

TEST_CASE("a d_model that does not divide into the heads is refused, and both numbers are named") {
    ModelSpec c;
    c.d_model = 100;
    c.n_heads = 3;
    const auto result = check(c);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::mismatch);
    CHECK(result.error().subject == "d_model");
    CHECK(result.error().message.find("100") != std::string::npos);
    CHECK(result.error().message.find("3 heads") != std::string::npos);
}

TEST_CASE("numbers beyond what is allowed are refused by name") {
    const auto refused = [](auto change) {
        ModelSpec c;
        change(c);
        const auto result = check(c);
        return result ? std::string("accepted") : result.error().subject;
    };
    CHECK(refused([](auto& c) { c.d_model = 0; }) == "d_model");
    CHECK(refused([](auto& c) { c.d_model = -8; }) == "d_model");
    CHECK(refused([](auto& c) { c.n_heads = 0; }) == "n_heads");
    CHECK(refused([](auto& c) { c.n_encoder_layers = 0; }) == "n_encoder_layers");
    CHECK(refused([](auto& c) { c.n_decoder_layers = 1000; }) == "n_decoder_layers");
    CHECK(refused([](auto& c) { c.d_ff = 0; }) == "d_ff");
    CHECK(refused([](auto& c) { c.vocabulary = 0; }) == "vocabulary");
    CHECK(refused([](auto& c) { c.max_positions = 0; }) == "max_positions");
    CHECK(refused([](auto& c) { c.norm_epsilon = 0; }) == "norm_epsilon");
    CHECK(refused([](auto& c) { c.norm_epsilon = std::nanf(""); }) == "norm_epsilon");
    CHECK(refused([](auto& c) {
              c.d_model = 16384;
              c.n_encoder_layers = c.n_decoder_layers = 128;
          }) == "d_model");
    CHECK(refused([](auto& c) {
              c.d_model = 24;
              c.positions = heed::nn::Positions::rotary;
          }) == "positions");
}

TEST_CASE("the parameters of the scores count among those that a model may have") {
    // With one head they are three of the seven d_model × d_model of an attention module.
    ModelSpec c;
    c.architecture = Architecture::encoder_only;
    c.d_model = 8192;
    c.d_ff = 1024;
    c.vocabulary = c.max_positions = 1;
    c.n_encoder_layers = 2;
    c.n_heads = 64;
    CHECK(check(c));
    c.n_heads = 1;
    const auto refused = check(c);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::out_of_range);
}

TEST_CASE("layers of a stack that the model has not are not counted") {
    using heed::trace::AttentionKind;
    ModelSpec c;
    c.architecture = Architecture::encoder_only;
    c.n_decoder_layers = 0;
    CHECK(check(c));
    CHECK(n_layers(c, AttentionKind::encoder_self) == 6);
    CHECK(n_layers(c, AttentionKind::decoder_self) == 0);
    CHECK(n_layers(c, AttentionKind::cross) == 0);
    c.architecture = Architecture::decoder_only;
    c.n_encoder_layers = 0;
    c.n_decoder_layers = 3;
    CHECK(check(c));
    CHECK(n_layers(c, AttentionKind::decoder_self) == 3);
    CHECK(n_layers(c, AttentionKind::cross) == 0);
}
