// The scores of a head as a table: one row each, from which columns, menus and what is said of a
// head come.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace heed::inside {

enum class HeadScore {
    previous,
    next,
    same,
    first,
    separator,
    positional,
    duplicate,
    followed,
    induction,
    copying,
    entropy,
    distance,
    confidence,
    alignment,
};

struct HeadScoreInfo {
    HeadScore score;
    std::string_view name;   // of flags and files
    std::string_view label;  // in the window
    std::string_view phrase; // "previous token (0.93)"; empty: no head is named by it
    std::string_view formula;
    std::string_view tip; // in one sentence
    std::string_view citation;
};

/// Scores in the order of the enum. Means are over the queries that have a distribution and where
/// the key exists; all but entropy (bits) and distance (tokens) lie between 0 and 1. `duplicate`
/// and `followed` need a token that comes twice in the text; `induction` and `copying` random
/// sequences that do (inside/repeated.hpp), and `copying` a model whose heads reach the logits by
/// sums; `alignment` sentences whose alignment is known (app/engine/gold_alignment.hpp, and of a
/// corpus app/inside/corpus_alignment.hpp).
inline constexpr HeadScoreInfo kHeadScores[] = {
    {HeadScore::previous, "previous", "Previous token", "previous token", "mean A(i, i−1)",
     "Attention to the token before.", "Clark et al. 2019, section 3.1"},
    {HeadScore::next, "next", "Next token", "next token", "mean A(i, i+1)",
     "Attention to the token after.", "Clark et al. 2019, section 3.1"},
    {HeadScore::same, "same", "Same token", "same token", "mean A(i, i), i > 0",
     "Attention to the token itself, of queries past the first, which in a causal map has no other "
     "choice. Cross-attention reads another sentence and has no such score: "
     "the same place there is the offset 0 of Positional.",
     "Clark et al. 2019, section 3.1"},
    {HeadScore::first, "first", "First token", "first token", "mean A(i, 0), i > 0",
     "Attention to the first token, where heads rest that have nothing to do (attention sink).",
     "Xiao et al. 2024, section 3.1"},
    {HeadScore::separator, "separator", "Separators", "separators", "mean Σ A(i, j), j a separator",
     "Attention to punctuation and marks such as ⟨end⟩, the first token left out.",
     "Clark et al. 2019, section 3.2"},
    {HeadScore::positional, "positional", "Positional", "fixed offset",
     "max over d of mean A(i, i+d)",
     "Attention to the offset that gets most, whatever stands there.",
     "Voita et al. 2019, section 5.1"},
    {HeadScore::duplicate, "duplicate", "Duplicate token", "duplicate token",
     "mean Σ A(i, j), j ≠ i, tⱼ = tᵢ", "Attention to other occurrences of the same token.",
     "Wang et al. 2022, duplicate token heads"},
    {HeadScore::followed, "followed", "What followed", "induction",
     "mean Σ A(i, j+1), j < i − 1, tⱼ = tᵢ",
     "Attention to what followed earlier occurrences of the token, in the text at hand: what an "
     "induction head does.",
     "Olsson et al. 2022, “prefix matching”"},
    {HeadScore::induction, "induction", "Induction", "induction",
     "mean Σ A(i, j+1), j < i − 1, tⱼ = tᵢ",
     "Attention to what followed the token before, on random sequences that come twice: prefix "
     "matching.",
     "Elhage et al. 2021; Olsson et al. 2022"},
    {HeadScore::copying, "copying", "Copying", "",
     "mean rₜ / Σ r, r = max(0, z − mean z), z = W_U W_O vₜ",
     "Of what the head adds to logits when it reads a token, the share of that token's own.",
     "after Elhage et al. 2021 and Olsson et al. 2022"},
    {HeadScore::entropy, "entropy", "Entropy", "", "mean −Σ A log₂ A",
     "How spread out shares are: 0 bits where one word has all, 1 bit where two have half each, "
     "2 bits where four have a quarter.",
     "Ghader and Monz 2017; Clark et al. 2019, section 3.3"},
    {HeadScore::distance, "distance", "Distance", "", "mean Σ A(i, j) |i − j|",
     "How many tokens away a head looks.", "Vig and Belinkov 2019"},
    {HeadScore::confidence, "confidence", "Confidence", "", "mean max A(i, ·)",
     "The largest weight of a query.", "Voita et al. 2019, section 4"},
    {HeadScore::alignment, "alignment", "Alignment", "gold alignment",
     "1 − AER of argmax A(i, ·) = (|A∩S| + |A∩P|) / (|A| + |S|)",
     "How well the largest weights agree with the gold alignment, which says what source word each "
     "target word translates: of held-out sentences of the task that the model was trained on, or "
     "of a file of sentence pairs.",
     "Och and Ney 2003, equation 4"},
};
inline constexpr std::size_t kScores = std::size(kHeadScores);

constexpr const HeadScoreInfo& info(HeadScore score) {
    return kHeadScores[static_cast<std::size_t>(score)];
}
/// True of a score that is measured on the text at hand, not on sentences made for it.
constexpr bool is_of_text(HeadScore score) {
    return score != HeadScore::induction && score != HeadScore::copying &&
           score != HeadScore::alignment;
}
std::optional<HeadScore> head_score_named(std::string_view name);

/// One number a score; NaN where it was not measured.
class ScoreValues {
  public:
    ScoreValues();
    float& operator[](HeadScore score) { return values_[static_cast<std::size_t>(score)]; }
    float operator[](HeadScore score) const { return values_[static_cast<std::size_t>(score)]; }
    bool has(HeadScore score) const;

    bool across = false; // of cross-attention
    /// The largest mean weight of one key over the queries of a text: a head that looks at one
    /// token from everywhere looks at no offset. 0 where it is not known.
    float one_key = 0;
    /// The mean entropy of a row over the highest that it could have (trace::HeadPattern). 0 where
    /// it is not known.
    float breadth = 0;

  private:
    std::array<float, kScores> values_;
};

} // namespace heed::inside
