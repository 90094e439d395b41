// Sentences, small models and runs of them, for tests.
#pragma once

#include "models/transformer/transformer.hpp"

#include "catch.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace heed::models {

inline std::vector<text::Token> tokens(const std::vector<std::string>& words) {
    std::vector<text::Token> result;
    std::size_t at = 0;
    for (const std::string& word : words) {
        result.push_back({word, at, at + word.size()});
        at += word.size() + 1;
    }
    return result;
}

inline std::vector<text::Token> tokens(int n) {
    std::vector<std::string> words;
    for (int i = 0; i < n; ++i) words.push_back("w" + std::to_string(i));
    return tokens(words);
}

inline ModelSpec tiny(Architecture architecture = Architecture::encoder_decoder) {
    const NamedSize size = named_sizes().front();
    ModelSpec c;
    c.architecture = architecture;
    c.d_model = size.d_model;
    c.n_heads = size.n_heads;
    c.n_encoder_layers = c.n_decoder_layers = size.n_layers;
    c.d_ff = size.d_ff;
    c.vocabulary = 512;
    c.max_positions = 64;
    return c;
}

inline std::shared_ptr<const Transformer> drawn(const ModelSpec& config, num::ThreadPool& pool) {
    auto model = Transformer::draw(config, pool);
    REQUIRE(model);
    return *model;
}

inline Input sentence() {
    return {tokens({"The", "cat", "sat", "on", "the", "mat"}),
            tokens({"Le", "chat", "est", "assis", "."}), 0};
}

inline std::shared_ptr<const Run> ran(const std::shared_ptr<const Model>& model, const Input& input,
                                      const Controls& controls, num::ThreadPool& pool,
                                      const RunOptions& options = {}) {
    auto result = run(model, input, controls, pool, options);
    if (!result) FAIL(base::describe(result.error()));
    return *result;
}

/// The names of a layer's tensors, kept or to be made again, in the order of the alphabet.
inline std::vector<std::string> tensor_names(const trace::Layer& layer) {
    std::vector<std::string> names;
    for (const auto& tensor : layer.tensors) names.push_back(tensor->name);
    for (const auto& tensor : layer.remade) names.push_back(tensor.name);
    std::sort(names.begin(), names.end());
    return names;
}

/// Whether two traces hold the same numbers, bit for bit.
inline bool same_numbers(const trace::Trace& a, const trace::Trace& b) {
    if (a.layers.size() != b.layers.size()) return false;
    const auto same = [](const auto& x, const auto& y) {
        return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
    };
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        const trace::Layer &x = *a.layers[i], &y = *b.layers[i];
        const std::vector<std::string> names = tensor_names(x);
        if (x.name != y.name || names != tensor_names(y) ||
            x.attentions.size() != y.attentions.size()) {
            return false;
        }
        for (const std::string& name : names) {
            if (!same(a.tensor(name)->values, b.tensor(name)->values)) return false;
        }
        for (std::size_t t = 0; t < x.attentions.size(); ++t) {
            const trace::Attention &p = *x.attentions[t], &q = *y.attentions[t];
            if (p.name != q.name || p.valid_keys != q.valid_keys || !same(p.q, q.q) ||
                !same(p.k, q.k) || !same(p.v, q.v) || !same(p.context, q.context) ||
                !same(p.output, q.output) || p.heads.size() != q.heads.size()) {
                return false;
            }
            for (std::size_t h = 0; h < p.heads.size(); ++h) {
                const trace::Head &u = p.heads[h], &v = q.heads[h];
                if (!(u.settings == v.settings) || u.bias != v.bias || u.row_max != v.row_max ||
                    u.row_sum != v.row_sum) {
                    return false;
                }
            }
        }
    }
    return true;
}

} // namespace heed::models
