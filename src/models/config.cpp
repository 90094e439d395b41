#include "models/config.hpp"

#include "base/check.hpp"
#include "models/head_width.hpp"
#include "text/vocabulary.hpp"

#include <cmath>

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;

base::Result<void> within(const char* field, long long value, long long low, long long high) {
    if (value >= low && value <= high) return {};
    return fail(ErrorKind::out_of_range, field,
                fmt::format("is {}; allowed are {} to {}", value, low, high));
}

// Numbers in the weights of a layer's attention modules, its scores' parameters (three d_k × d_k a
// head) and its feed-forward network, about.
double layer_size(const TransformerConfig& c, int attentions) {
    const double square = 1.0 * c.d_model * c.d_model;
    return attentions * (4 * square + 3 * square / c.n_heads) + 2.0 * c.d_model * c.d_ff;
}

double size_of(const TransformerConfig& c) {
    double size = (2.0 * c.vocabulary + c.max_positions + 2.0 * c.d_model) * c.d_model;
    if (has_encoder(c)) size += c.n_encoder_layers * layer_size(c, 1);
    if (has_decoder(c)) size += c.n_decoder_layers * layer_size(c, has_cross(c) ? 2 : 1);
    return size;
}

} // namespace

const std::vector<NamedSize>& named_sizes() {
    static const std::vector<NamedSize> sizes = {{"tiny", 64, 4, 2, 128},
                                                 {"small", 128, 4, 3, 512},
                                                 {"medium", 256, 8, 4, 1024},
                                                 {"base", 512, 8, 6, 2048}};
    return sizes;
}

TransformerConfig narrowest() {
    TransformerConfig c;
    c.d_model = c.d_ff = 64;
    c.n_heads = 4;
    c.n_encoder_layers = c.n_decoder_layers = 1;
    return c;
}

base::Result<void> check(const TransformerConfig& c) {
    // Wide enough for every published transformer that fits into this program's memory; narrow
    // enough that a forged file cannot ask for terabytes.
    struct Limit {
        const char* field;
        long long value, low, high;
    };
    const Limit limits[] = {
        {"d_model", c.d_model, 1, 16384},
        {"n_heads", c.n_heads, 1, 256},
        {"n_encoder_layers", c.n_encoder_layers, has_encoder(c) ? 1 : 0, 128},
        {"n_decoder_layers", c.n_decoder_layers, has_decoder(c) ? 1 : 0, 128},
        {"d_ff", c.d_ff, 1, 65536},
        {"vocabulary", c.vocabulary,
         c.speaks ? static_cast<int>(text::Vocabulary::kFirstWord) + 1 : 1, 1 << 20},
        {"max_positions", c.max_positions, 1, 1 << 20},
    };
    for (const Limit& limit : limits) {
        if (auto ok = within(limit.field, limit.value, limit.low, limit.high); !ok) return ok;
    }
    if (auto ok = check_head_width(c.d_model, c.n_heads, c.positions); !ok) return ok;
    if (!std::isfinite(c.norm_epsilon) || c.norm_epsilon <= 0 || c.norm_epsilon > 1) {
        return fail(ErrorKind::out_of_range, "norm_epsilon",
                    fmt::format("is {}; allowed are numbers above 0, up to 1", c.norm_epsilon));
    }
    if (const double size = size_of(c); size > kMaxParameters) {
        return fail(
            ErrorKind::out_of_range, "d_model",
            fmt::format("is {}, which with these layers makes a model of {:.3g} parameters; "
                        "at most {:.3g} are allowed",
                        c.d_model, size, kMaxParameters));
    }
    return {};
}

std::string_view name(Architecture a) {
    switch (a) {
    case Architecture::encoder_decoder: return "encoder-decoder";
    case Architecture::encoder_only: return "encoder-only";
    case Architecture::decoder_only: return "decoder-only";
    }
    return "?";
}

} // namespace heed::models
