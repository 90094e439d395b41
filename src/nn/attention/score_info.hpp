// The score functions as a table: one row each, from which names, menus, formulas and checks come.
#pragma once

#include "nn/attention/score_kind.hpp"

#include <array>
#include <string>
#include <string_view>

namespace heed::nn {

enum class Score : int {
    dot,
    additive,
    concat,
    scaled_dot,
    bilinear,
    cosine,
    squared_distance,
};
static_assert(kDotScore == Score::dot && kAdditiveScore == Score::additive);

/// One score s(q, k). In formulas "{q}" and "{k}" stand for the query and the key.
struct ScoreInfo {
    Score score;
    std::string_view name;                        // of flags and files
    std::string_view label;                       // in the window
    // Of vectors that are rows, or columns; networks stand as in their paper, of columns, in both.
    std::string_view row_formula, column_formula;
    std::string_view citation;
    std::string_view tip; // what it measures, in one sentence
    bool has_parameters;
    bool has_dot_form;       // a product of vectors that are made of q and k alone; see DotForm
    bool is_product;         // of q, or q W, and k themselves
    bool needs_equal_widths; // q and k must be equally wide
    bool scales;             // its spread grows with √d_k, and it is divided by that unless told
};

inline constexpr ScoreInfo kScoreInfos[] = {
    {Score::additive, "additive", "additive", "vᵀ tanh(W {q} + U {k})", "vᵀ tanh(W {q} + U {k})",
     "Bahdanau et al. 2015, A.1.2",
     "A small network with one hidden layer judges each query and key.", true, false, false, false,
     false},
    {Score::concat, "concat", "concat MLP", "w₂ᵀ tanh(W₁ [{q}; {k}])", "w₂ᵀ tanh(W₁ [{q}; {k}])",
     "Bahdanau et al. 2015, A.1.2, as one matrix",
     "Query and key are joined end to end and judged by one small network.", true, false, false,
     false, false},
    {Score::dot, "dot", "dot", "{q}·{k}", "{q} · {k}", "Luong et al. 2015, eq. 8",
     "The more a query and a key point the same way, the higher the score.", false, true, true,
     true, true},
    {Score::scaled_dot, "scaled", "scaled dot", "{q}·{k} / √d", "{q} · {k} / √d",
     "Vaswani et al. 2017, eq. 1",
     "The dot product, divided so that wide heads do not get extreme scores.", false, true, true,
     true, false},
    {Score::bilinear, "bilinear", "bilinear", "{q} W {k}ᵀ", "{q} W {k}",
     "Luong et al. 2015, eq. 8, \"general\"",
     "A dot product after a learned matrix W has turned the query towards the keys.", true, true,
     true, false, true},
    {Score::cosine, "cosine", "cosine", "{q}·{k} / ‖{q}‖‖{k}‖", "cos({q}, {k})",
     "a zero vector scores 0",
     "Only the angle between query and key counts, not how long they are.", false, true, false,
     true, false},
    {Score::squared_distance, "squared-distance", "squared distance", "−½‖{q} − {k}‖²",
     "−½ ‖{q} − {k}‖²", "Tsai et al. 2019, a Gaussian kernel behind the softmax",
     "The nearer a key lies to the query, the higher its score; a long key does not gain by its "
     "length.",
     false, true, false, true, true},
};

/// All scores, in the order of their rows.
inline constexpr auto kScores = [] {
    std::array<Score, std::size(kScoreInfos)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kScoreInfos[i].score;
    return all;
}();

constexpr const ScoreInfo& info(Score score) {
    for (const ScoreInfo& row : kScoreInfos) {
        if (row.score == score) return row;
    }
    return kScoreInfos[0];
}

constexpr bool has_parameters(Score s) { return info(s).has_parameters; }
constexpr bool has_dot_form(Score s) { return info(s).has_dot_form; }
constexpr bool needs_equal_widths(Score s) { return info(s).needs_equal_widths; }

/// A row's formula with its letters: "{q}" becomes `q`, "{k}" becomes `k`.
std::string formula(std::string_view pattern, std::string_view q, std::string_view k);

} // namespace heed::nn
