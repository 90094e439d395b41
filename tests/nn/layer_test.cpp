#include "base/check.hpp"
#include "reference_params.hpp"

#include <string>

using namespace heed;
using namespace heed::tests;

namespace {

template <class S> nn::EncoderLayerParams<S> encoder_params() {
    return {attention_params<S>("encoder/self_attn."), feed_forward_params<S>("encoder/"),
            norm_params<S>("encoder/norm1"), norm_params<S>("encoder/norm2")};
}

template <class S> nn::DecoderLayerParams<S> decoder_params() {
    return {
        attention_params<S>("decoder/self_attn."), attention_params<S>("decoder/multihead_attn."),
        feed_forward_params<S>("decoder/"),        norm_params<S>("decoder/norm1"),
        norm_params<S>("decoder/norm2"),           norm_params<S>("decoder/norm3")};
}

nn::Mask padding() {
    nn::Mask mask;
    mask.padding = true;
    return mask;
}

nn::Mask causal() {
    nn::Mask mask;
    mask.causal = true;
    return mask;
}

template <class S>
nn::EncoderLayerOptions<S> encoder_options(nn::NormOrder norm, nn::Activation activation) {
    nn::EncoderLayerOptions<S> options;
    options.name = "encoder.layers.0";
    options.norm = norm;
    options.activation = activation;
    options.self_attention.valid_keys = 4;
    return options;
}

template <class S>
nn::DecoderLayerOptions<S> decoder_options(nn::NormOrder norm, nn::Activation activation) {
    nn::DecoderLayerOptions<S> options;
    options.name = "decoder.layers.0";
    options.norm = norm;
    options.activation = activation;
    options.self_attention.directed = true;
    options.cross_attention.valid_keys = 4;
    return options;
}

std::string tag(nn::NormOrder norm, nn::Activation activation) {
    return std::string(nn::name(activation)) + (norm == nn::NormOrder::pre ? "_pre" : "_post");
}

constexpr nn::NormOrder kOrders[] = {nn::NormOrder::post, nn::NormOrder::pre};
constexpr nn::Activation kActivations[] = {nn::Activation::relu, nn::Activation::gelu};

} // namespace

TEST_CASE("encoder and decoder layers agree with PyTorch in both norm orders and activations") {
    num::ThreadPool pool(2);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const auto& a = nn_arrays();
        for (const auto norm : kOrders) {
            for (const auto activation : kActivations) {
                const std::string t = tag(norm, activation);
                INFO(t);
                const auto encoder = nn::encoder_layer_forward(
                    pool, encoder_params<S>(), a.at<S>("layers/source"),
                    scaled_heads<S>(2, 4, padding()), encoder_options<S>(norm, activation));
                check_close(encoder.norm1.y, a.at("encoder_" + t + "/norm1"), kTolerance<S>);
                check_close(encoder.norm2.y, a.at("encoder_" + t + "/norm2"), kTolerance<S>);
                check_close(encoder.output(), a.at("encoder_" + t + "/output"), kTolerance<S>);
                const auto memory = a.at<S>("encoder_" + t + "/output");
                const auto decoder = nn::decoder_layer_forward(
                    pool, decoder_params<S>(), a.at<S>("layers/target"), &memory,
                    scaled_heads<S>(2, 4, causal()), scaled_heads<S>(2, 4, padding()),
                    decoder_options<S>(norm, activation));
                check_close(decoder.norm1.y, a.at("decoder_" + t + "/norm1"), kTolerance<S>);
                check_close(decoder.norm2.y, a.at("decoder_" + t + "/norm2"), kTolerance<S>);
                check_close(decoder.norm3.y, a.at("decoder_" + t + "/norm3"), kTolerance<S>);
                check_close(decoder.output(), a.at("decoder_" + t + "/output"), kTolerance<S>);
                CHECK(decoder.cross_attention.name == "decoder.layers.0.multihead_attn");
            }
        }
    });
}

TEST_CASE("a decoder layer without memory leaves out cross-attention") {
    num::ThreadPool pool(1);
    const auto& a = nn_arrays();
    auto params = decoder_params<double>();
    params.cross_attention = {};
    const auto x = a.at("layers/target");
    const auto c = nn::decoder_layer_forward<double>(
        pool, params, x, nullptr, scaled_heads<double>(2, 4, causal()), {},
        decoder_options<double>(nn::NormOrder::post, nn::Activation::relu));
    CHECK(c.cross_attention.heads.empty());
    // norm3(x1 + feed_forward(x1)) with x1 of the whole layer, which PyTorch made.
    const auto x1 = a.at("decoder_relu_post/norm1");
    const auto ff = nn::feed_forward(pool, params.feed_forward, nn::Activation::relu, x1);
    check_close(c.output(), nn::layer_norm_forward(pool, params.norm3, x1, &ff.output).y, 1e-12);
    CHECK_THROWS_AS(nn::decoder_layer_forward<double>(
                        pool, params, x, &x, scaled_heads<double>(2, 4), scaled_heads<double>(2, 4),
                        decoder_options<double>(nn::NormOrder::post, nn::Activation::relu)),
                    base::ContractError);
}

TEST_CASE("dropout after a sublayer falls on what the sublayer made") {
    num::ThreadPool pool(1);
    for (const auto norm : kOrders) {
        auto options = encoder_options<double>(norm, nn::Activation::relu);
        options.dropout = {0.5f, 9};
        const auto params = encoder_params<double>();
        const auto x = nn_arrays().at("layers/source");
        const auto c = nn::encoder_layer_forward(pool, params, x,
                                                 scaled_heads<double>(2, 4, padding()), options);
        num::Matrix<double> dropped = c.self_attention.output;
        nn::apply(nn::Dropout({0.5f, 9}, "encoder.layers.0.dropout1"), dropped);
        CHECK(dropped != c.self_attention.output);
        if (norm == nn::NormOrder::pre) {
            CHECK(c.residual1 == x + dropped);
        } else {
            CHECK(c.norm1.y == nn::layer_norm_forward(pool, params.norm1, x, &dropped).y);
        }
        options.dropout.seed = 10;
        CHECK(nn::encoder_layer_forward(pool, params, x, scaled_heads<double>(2, 4, padding()),
                                        options)
                  .output() != c.output());
    }
}
