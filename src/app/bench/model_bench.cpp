#include "app/bench/model_bench.hpp"

#include "models/transformer/transformer.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

using base::Result;

struct ModelBench::Shape {
    std::string name;
    models::ModelSpec spec;
    num::Stored stored;
    bool maps; // every head's weights are left in memory
    std::vector<int> tokens, contexts;
};

namespace {

models::ModelSpec language_model(int d_model, int heads, int layers, int d_ff, int vocabulary) {
    models::ModelSpec s;
    s.architecture = models::Architecture::decoder_only;
    s.reads = models::Reads::ids;
    s.norm = models::NormOrder::pre;
    s.d_model = d_model;
    s.n_heads = heads;
    s.n_decoder_layers = layers;
    s.d_ff = d_ff;
    s.vocabulary = vocabulary;
    s.embedding.factor = 1;
    return s;
}

models::ModelSpec llama() {
    models::ModelSpec s = language_model(2048, 32, 22, 5632, 32000);
    s.activation = models::Activation::silu;
    s.positions = nn::Positions::rotary;
    s.attention.n_kv_heads = 4;
    s.attention.bias = s.attention.output_bias = s.feed_forward.bias = false;
    s.feed_forward.gated = true;
    s.norms.kind = nn::NormKind::rms;
    return s;
}

/// Numbers of one layer's linear maps, and of its keys and values of one token.
struct LayerSize {
    double weights, keys_and_values;
};
LayerSize layer_size(const models::ModelSpec& s) {
    const double d = s.d_model, q = s.n_heads * models::head_width(s);
    const double kv = models::n_kv_heads(s) * models::head_width(s);
    const double maps = s.feed_forward.gated ? 3 : 2;
    return {2 * d * q + 2 * d * kv + maps * d * s.d_ff, 2 * kv};
}

/// Gflop of `rows` tokens behind `context` others.
double gflop_of(const models::ModelSpec& s, double context, double rows) {
    const double seen = rows * context + rows * (rows + 1) / 2; // keys of all queries
    const double attention = 4 * seen * s.n_heads * models::head_width(s);
    return 1e-9 * s.n_decoder_layers * (2 * rows * layer_size(s).weights + attention);
}
double gigabytes_of(const models::ModelSpec& s, num::Stored stored, double context) {
    const auto [weights, keys_and_values] = layer_size(s);
    const double bytes = static_cast<double>(num::bytes_of(stored));
    return 1e-9 * s.n_decoder_layers * (bytes * weights + 4 * context * keys_and_values);
}

} // namespace

models::ModelSpec gpt2_spec() {
    models::ModelSpec s = language_model(768, 12, 12, 3072, 50257);
    s.activation = models::Activation::gelu_tanh;
    s.positions = nn::Positions::learned;
    s.max_positions = 1024 + 1;
    s.word_logits.tied = true;
    return s;
}

models::Input row_input(int count) {
    models::Input input;
    for (int i = 0; i < count; ++i) {
        text::Token token;
        token.row = 7 * i % 1000 + 1;
        token.text = std::to_string(token.row);
        input.target.push_back(std::move(token));
    }
    return input;
}

const std::vector<ModelBench::Shape>& ModelBench::shapes() {
    static const std::vector<Shape> all = {
        {"model/gpt2", gpt2_spec(), num::Stored::f32, true, {32, 128, 1024}, {32, 1024}},
        {"model/llama", llama(), num::Stored::bf16, false, {64}, {64}}};
    return all;
}

Result<std::shared_ptr<const models::Model>> ModelBench::drawn(const Shape& shape,
                                                               num::ThreadPool& pool) {
    for (const auto& [name, model] : models_) {
        if (name == shape.name) return model;
    }
    auto model = models::Transformer::draw(shape.spec, pool, shape.stored);
    if (!model) return tl::make_unexpected(model.error());
    models_.emplace_back(shape.name, *model);
    return models_.back().second;
}

Result<void> ModelBench::add(const Shape& shape, std::string_view only, num::ThreadPool& pool,
                             std::vector<ModelCase>& cases) {
    const std::string append = shape.name + "/append";
    const bool whole = shape.name.starts_with(only), appends = append.starts_with(only);
    if (!whole && !appends) return {};
    const auto model = drawn(shape, pool);
    if (!model) return tl::make_unexpected(model.error());
    const models::ModelSpec& s = shape.spec;
    const auto run = [this, model = *model, &pool](const models::Input& input, bool maps,
                                                   std::shared_ptr<const models::Run> previous) {
        models::RunOptions options;
        options.previous = std::move(previous);
        options.all_weights = maps ? maps_.data() : nullptr;
        return models::run(model, input, {}, pool, options);
    };
    for (const int tokens : whole ? shape.tokens : std::vector<int>()) {
        const auto cells = static_cast<std::size_t>(s.n_decoder_layers * s.n_heads) *
                           static_cast<std::size_t>(tokens * tokens);
        if (shape.maps) maps_.resize(std::max(maps_.size(), cells));
        cases.push_back({shape.name, tokens, gflop_of(s, 0, tokens),
                         gigabytes_of(s, shape.stored, 0),
                         [run, input = row_input(tokens), maps = shape.maps]() -> Result<void> {
                             const auto ran = run(input, maps, nullptr);
                             if (!ran) return tl::make_unexpected(ran.error());
                             return {};
                         }});
    }
    for (const int context : appends ? shape.contexts : std::vector<int>()) {
        const auto before = run(row_input(context), false, nullptr);
        if (!before) return tl::make_unexpected(before.error());
        cases.push_back({append, context, gflop_of(s, context, 1),
                         gigabytes_of(s, shape.stored, context),
                         [run, input = row_input(context + 1), before = *before]() -> Result<void> {
                             const auto ran = run(input, false, before);
                             if (!ran) return tl::make_unexpected(ran.error());
                             return {};
                         }});
    }
    return {};
}

Result<std::vector<ModelCase>> ModelBench::cases(std::string_view only, num::ThreadPool& pool) {
    std::vector<ModelCase> cases;
    for (const Shape& shape : shapes()) {
        if (auto ok = add(shape, only, pool, cases); !ok) return tl::make_unexpected(ok.error());
    }
    return cases;
}

} // namespace heed::app
