// Words of the field that pictures and panels use, each with what it means. A word that is a row of
// another table (a stage, a kind of positions, a rule of decoding …) has its sentence there.
#pragma once

#include "inside/head_score.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::ui {

enum class FieldWord {
    query,
    key,
    value,
    head,
    mask,
    softmax,
    jacobian,
    temperature,
    cross_attention,
    entropy,
    bits,
    logit,
    nats,
    feed_forward,
    residual_stream,
    d_model,
    pre_norm,
    post_norm,
    rope,
    alibi,
    greedy,
    beam,
    teacher_forcing,
    gold_alignment,
    alignment_error,
    bleu,
};

struct FieldWordInfo {
    FieldWord word;
    std::string_view name;
    std::string_view keywords;                    // other words by which it may be searched for
    std::string_view sentence, formula, citation; // empty: of another table
};

/// Words in the order of the enum.
inline constexpr FieldWordInfo kFieldWords[] = {
    {FieldWord::query, "query", "queries q projection", {}, {}, {}},
    {FieldWord::key, "key", "keys k projection", {}, {}, {}},
    {FieldWord::value, "value", "values v projection", {}, {}, {}},
    {FieldWord::head,
     "head",
     "heads multi-head",
     "A head is one of several attentions that a layer runs side by side; training teaches each "
     "to look for something else.",
     {},
     "Vaswani et al. 2017, section 3.2.2"},
    {FieldWord::mask, "mask", "masked masking causal padding",
     "Which words may be looked at; a masked score is −∞, and its weight 0.", "softmax(s + M)",
     "Vaswani et al. 2017, section 3.2.3"},
    {FieldWord::softmax, "softmax", "exp normalise shares probability",
     "Softmax makes shares of scores: e to the power of each, divided by their sum, so that all "
     "add up to 1.",
     "yᵢ = exp(xᵢ) / Σⱼ exp(xⱼ)", "Bridle 1990"},
    {FieldWord::jacobian,
     "Jacobian",
     "derivative gradient",
     "The Jacobian says how much each weight moves when each score moves a little.",
     "∂yᵢ / ∂xⱼ = yᵢ (δᵢⱼ − yⱼ)",
     {}},
    {FieldWord::temperature, "temperature", "tau sampling",
     "Below 1 the largest score takes more of the attention, above 1 it is shared more evenly.",
     "softmax(x / τ)", "Hinton et al. 2015, section 2"},
    {FieldWord::cross_attention, "cross-attention", "cross attention encoder-decoder", {}, {}, {}},
    {FieldWord::entropy, "entropy", "uncertainty spread",
     inside::info(inside::HeadScore::entropy).tip, "H = −Σ p log₂ p", "Shannon 1948"},
    {FieldWord::bits, "bits", "bit unit entropy",
     "Bits count yes-or-no questions: n bits are as uncertain as a choice among 2ⁿ words alike.",
     "−log₂ p", "Shannon 1948"},
    {FieldWord::logit,
     "logit",
     "logits score",
     "A logit is the score of a word or class, of which softmax makes its probability: the "
     "largest is the likeliest.",
     "p = softmax(z)",
     {}},
    {FieldWord::nats,
     "nats",
     "nat unit loss surprise",
     "Nats count surprise: 0 where the right answer was certain, 0.69 where it was one of two; "
     "one nat is 1.44 bits.",
     "−ln p",
     {}},
    {FieldWord::feed_forward, "feed-forward (FF)", "ffn mlp network",
     "The feed-forward network changes each word's vector alone, after attention has mixed words: "
     "two linear maps with a bend between them.",
     "FF(x) = W₂ f(W₁ x + b₁) + b₂", "Vaswani et al. 2017, section 3.3"},
    {FieldWord::residual_stream, "residual stream", "skip connection",
     "The vector of each word on its way through the layers: every part adds to it what it found.",
     "x ← x + f(x), of each part in turn", "Elhage et al. 2021"},
    {FieldWord::d_model,
     "d_model",
     "width dimension vector embedding",
     "How many numbers a token is, d_model: all heads of a layer share them.",
     {},
     "Vaswani et al. 2017, section 3.1"},
    {FieldWord::pre_norm, "pre-norm", "pre norm layernorm layer normalisation", {}, {}, {}},
    {FieldWord::post_norm, "post-norm", "post norm layernorm layer normalisation", {}, {}, {}},
    {FieldWord::rope, "RoPE", "rotary positions", {}, {}, {}},
    {FieldWord::alibi, "ALiBi", "positions bias", {}, {}, {}},
    {FieldWord::greedy, "greedy", "decoding", {}, {}, {}},
    {FieldWord::beam, "beam", "beam search decoding hypothesis", {}, {}, {}},
    {FieldWord::teacher_forcing, "teacher forcing", "forced decoding", {}, {}, {}},
    {FieldWord::gold_alignment, "gold alignment", "gold links", {}, {}, {}},
    {FieldWord::alignment_error, "alignment error", "aer gold links",
     "How often the strongest links A, one for each word said, differ from the gold links G, which "
     "say what word translates what: 0 % is perfect.",
     "AER = 1 − 2 |A ∩ G| / (|A| + |G|), all of G sure", "Och and Ney 2003"},
    {FieldWord::bleu,
     "BLEU",
     "score translation",
     "How many runs of one to four words agree with the right translation: 100 is the same.",
     {},
     "Papineni et al. 2002"},
};

constexpr const FieldWordInfo& info(FieldWord word) {
    return kFieldWords[static_cast<std::size_t>(word)];
}

/// The sentence, the formula and the paper of a word.
std::string field_word_tip(FieldWord word);

} // namespace heed::ui
