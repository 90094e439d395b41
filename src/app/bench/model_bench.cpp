#include "app/bench/model_bench.hpp"

#include "models/transformer/transformer.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

using base::Result;

/// So many tokens, and what a run of them is held to.
struct ModelBench::Size {
    int tokens;
    BenchLimit limit{};
};

struct ModelBench::Shape {
    std::string name;
    models::ModelSpec spec;
    num::Stored stored;
    bool maps; // every head's weights are left in memory
    std::vector<Size> runs, appends;
    std::vector<int> edits, faders; // tokens
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

models::ModelSpec t5() {
    models::ModelSpec s = language_model(768, 12, 12, 3072, 32128);
    s.architecture = models::Architecture::encoder_decoder;
    s.n_encoder_layers = s.n_decoder_layers;
    s.positions = nn::Positions::relative;
    s.max_positions = 1;
    s.attention.scale = 1;
    s.attention.bias = s.attention.output_bias = s.attention.cross_positions = false;
    s.feed_forward.bias = false;
    s.norms.kind = nn::NormKind::rms;
    s.word_logits.tied = true;
    return s;
}

models::ModelSpec bert() {
    models::ModelSpec s = language_model(768, 12, 0, 3072, 30522);
    s.architecture = models::Architecture::encoder_only;
    s.norm = models::NormOrder::post;
    s.n_encoder_layers = 12;
    s.activation = models::Activation::gelu;
    s.positions = nn::Positions::learned;
    s.max_positions = 512;
    return s;
}

models::ModelSpec pythia() {
    models::ModelSpec s = language_model(768, 12, 12, 3072, 50304);
    s.activation = models::Activation::gelu;
    s.positions = nn::Positions::rotary;
    s.attention.rotary_width = 16;
    s.feed_forward.parallel = true;
    return s;
}

/// What LLaMA and those after it have alike.
models::ModelSpec like_llama(models::ModelSpec s, models::Activation activation, int n_kv_heads) {
    s.activation = activation;
    s.positions = nn::Positions::rotary;
    s.attention.n_kv_heads = n_kv_heads;
    s.attention.bias = s.attention.output_bias = s.feed_forward.bias = false;
    s.feed_forward.gated = true;
    s.norms.kind = nn::NormKind::rms;
    return s;
}

models::ModelSpec llama() {
    return like_llama(language_model(2048, 32, 22, 5632, 32000), models::Activation::silu, 4);
}

/// Two layers as wide as those of Gemma with 2 billion parameters.
models::ModelSpec gemma() {
    models::ModelSpec s =
        like_llama(language_model(2048, 8, 2, 16384, 32000), models::Activation::gelu_tanh, 1);
    s.attention.head_width = 256;
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

/// Gflop of one decoder layer for `rows` tokens behind `context` others.
double layer_gflop(const models::ModelSpec& s, double context, double rows) {
    const double seen = rows * context + rows * (rows + 1) / 2; // keys of all queries
    const double attention = 4 * seen * s.n_heads * models::head_width(s);
    return 1e-9 * (2 * rows * layer_size(s).weights + attention);
}
double gflop_of(const models::ModelSpec& s, double context, double rows) {
    const double whole = 4 * rows * rows * s.n_heads * models::head_width(s); // of every key
    const int encoder = n_layers(s, trace::AttentionKind::encoder_self);
    double gflop = s.n_decoder_layers * layer_gflop(s, context, rows) +
                   1e-9 * encoder * (2 * rows * layer_size(s).weights + whole);
    if (has_cross(s)) { // and as many tokens are read
        gflop += 1e-9 * s.n_decoder_layers * (8 * rows * s.d_model * s.d_model + whole);
    }
    return gflop;
}
/// `says`: with the table of words, which makes the next token's probabilities.
double gigabytes_of(const models::ModelSpec& s, num::Stored stored, double context, bool says) {
    const auto [weights, keys_and_values] = layer_size(s);
    const double bytes = static_cast<double>(num::bytes_of(stored));
    const double table = says ? bytes * s.vocabulary * s.d_model : 0;
    const int encoder = n_layers(s, trace::AttentionKind::encoder_self);
    const double cross = has_cross(s) ? 4. * s.d_model * s.d_model : 0; // numbers of a layer
    return 1e-9 *
           (table + encoder * bytes * weights +
            s.n_decoder_layers * (bytes * (weights + cross) + 4 * context * keys_and_values));
}

/// A run of another input or other controls after one; `says`: and the next token's probabilities.
std::function<Result<void>()> rerun(std::shared_ptr<const models::Run> before, models::Input input,
                                    models::Controls controls, bool says, num::ThreadPool& pool) {
    return [before = std::move(before), input = std::move(input), controls = std::move(controls),
            says, &pool]() -> Result<void> {
        models::RunOptions options;
        options.previous = before;
        const auto ran = models::run(before->model, input, controls, pool, options);
        if (!ran) return tl::make_unexpected(ran.error());
        if (says && before->model->next_token_probabilities(**ran, pool).size() == 0) {
            return base::fail(base::ErrorKind::mismatch, "bench", "a model says nothing");
        }
        return {};
    };
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
    using Of = BenchLimit::Of;
    // Every family is held to what GPT-2 is.
    const std::vector<Size> both = {{32, {Of::product_rate, 0.80}},
                                    {128, {Of::product_rate, 0.86}}};
    const std::vector<Size> one = {{32, {Of::reading, 1.25}}};
    static const std::vector<Shape> all = {
        {"model/gpt2",
         gpt2_spec(),
         num::Stored::f32,
         true,
         {{32, {Of::product_rate, 0.80}},
          {128, {Of::product_rate, 0.86}},
          {1024, {Of::product_rate, 0.80}}},
         {{32, {Of::reading, 1.25}}, {1024, {Of::reading, 1.25}}},
         {128, 1024},
         {128, 1024}},
        {"model/llama",
         llama(),
         num::Stored::bf16,
         false,
         {{64, {Of::arithmetic, 1.3}}},
         {{64, {Of::reading, 1.3}}},
         {},
         {}},
        {"model/t5", t5(), num::Stored::f32, false, both, {}, {}, {}},
        {"model/bert", bert(), num::Stored::f32, false, both, {}, {}, {}},
        {"model/pythia", pythia(), num::Stored::bf16, false, both, one, {}, {}},
        {"model/gemma", gemma(), num::Stored::bf16, false, both, one, {}, {}}};
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
    const auto wanted = [&](const char* part) { return (shape.name + part).starts_with(only); };
    if (!wanted("") && !wanted("/append") && !wanted("/edit") && !wanted("/fader")) return {};
    const auto drawn_model = drawn(shape, pool);
    if (!drawn_model) return tl::make_unexpected(drawn_model.error());
    const std::shared_ptr<const models::Model> model = *drawn_model;
    const models::ModelSpec& s = shape.spec;
    for (const Size& size : wanted("") ? shape.runs : std::vector<Size>()) {
        const int n = size.tokens;
        const auto cells = static_cast<std::size_t>(s.n_decoder_layers * s.n_heads) *
                           static_cast<std::size_t>(n * n);
        if (shape.maps) maps_.resize(std::max(maps_.size(), cells));
        models::Input input = row_input(n);
        if (has_encoder(s)) input.source = input.target;
        if (!has_decoder(s)) input.target.clear();
        cases.push_back({shape.name, n, gflop_of(s, 0, n), gigabytes_of(s, shape.stored, 0, false),
                         [this, model, input, maps = shape.maps, &pool]() -> Result<void> {
                             models::RunOptions options;
                             options.all_weights = maps ? maps_.data() : nullptr;
                             const auto ran = models::run(model, input, {}, pool, options);
                             if (!ran) return tl::make_unexpected(ran.error());
                             return {};
                         },
                         size.limit});
    }
    for (const Size& size : wanted("/append") ? shape.appends : std::vector<Size>()) {
        const int n = size.tokens;
        const auto before = models::run(model, row_input(n), {}, pool);
        if (!before) return tl::make_unexpected(before.error());
        const double table = 2e-9 * s.vocabulary * s.d_model;
        cases.push_back({shape.name + "/append", n, gflop_of(s, n, 1) + table,
                         gigabytes_of(s, shape.stored, n, true),
                         rerun(*before, row_input(n + 1), {}, true, pool), size.limit});
    }
    for (const int n : wanted("/edit") ? shape.edits : std::vector<int>()) {
        const auto before = models::run(model, row_input(n), {}, pool);
        if (!before) return tl::make_unexpected(before.error());
        models::Input edited = row_input(n);
        edited.target[static_cast<std::size_t>(n / 2)] = row_input(n + 1).target.back();
        cases.push_back({shape.name + "/edit", n, gflop_of(s, n / 2, n - n / 2), 0,
                         rerun(*before, std::move(edited), {}, false, pool)});
    }
    for (const int n : wanted("/fader") ? shape.faders : std::vector<int>()) {
        const auto before = models::run(model, row_input(n), {}, pool);
        if (!before) return tl::make_unexpected(before.error());
        models::HeadControls faded;
        faded.gain = 0.5f;
        models::Controls controls;
        controls.set({trace::AttentionKind::decoder_self, s.n_decoder_layers - 1, 0}, faded);
        cases.push_back({shape.name + "/fader", n, layer_gflop(s, 0, n), 0,
                         rerun(*before, row_input(n), controls, false, pool)});
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
