// Words of the field that pictures and panels use, each with what it means. A word that is a row of
// another table (a stage, a kind of positions, a rule of decoding …) has its sentence there.
#pragma once

#include "inside/head_score.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::ui {

enum class FieldWord {
    attention,
    self_attention,
    encoder,
    decoder,
    embedding,
    transformer,
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
    token,
    special_tokens,
    weight,
    layer,
    confident,
    mean_distance,
    induction_head,
    dropout,
    gradient,
    norm,
    warm_up,
    held_out,
    label_smoothing,
    logit_lens,
    attention_sink,
    perplexity,
};

struct FieldWordInfo {
    FieldWord word;
    std::string_view name;
    std::string_view keywords; // other words by which it may be searched for, in Chinese too
    std::string_view sentence, formula, citation; // empty: of another table
};

/// Words in the order of the enum.
inline constexpr FieldWordInfo kFieldWords[] = {
    {FieldWord::attention, "attention", "attend 注意力 注意力机制",
     "Attention mixes what words hold: each query shares itself out among the keys, and takes that "
     "much of each one's value.",
     "softmax(Q Kᵀ / √dₖ) V", "Bahdanau et al. 2015; Vaswani et al. 2017, eq. 1"},
    {FieldWord::self_attention, "self-attention", "self attention 自注意力",
     "Attention within one sentence: queries, keys and values are all made from its own words.",
     "Q = X W_Q, K = X W_K, V = X W_V, all of the same X", "Vaswani et al. 2017, section 3.2.3"},
    {FieldWord::encoder, "encoder", "reads source 编码器",
     "The encoder reads the whole source and makes a vector of each of its words, at which the "
     "decoder looks.",
     "x₁, x₂, … → z₁, z₂, …", "Vaswani et al. 2017, section 3"},
    {FieldWord::decoder, "decoder", "writes target 解码器",
     "The decoder writes one word after the other: it looks at those before and, where there is an "
     "encoder, at the source.",
     "p(yₜ | the y before it, z)", "Vaswani et al. 2017, section 3"},
    {FieldWord::embedding, "embedding", "embeddings vector 嵌入 词嵌入 词向量",
     "An embedding is the learned vector of a token, with which a model begins: what is used alike "
     "gets vectors that are alike.",
     "x = the row of E that is the token's",
     "Bengio et al. 2003; Vaswani et al. 2017, section 3.4"},
    {FieldWord::transformer, "transformer", "architecture 变换器 Transformer",
     "A transformer is built of attention and feed-forward networks, without recurrence: all words "
     "of a sentence go through it at once.",
     "x ← x + attention(x), then x ← x + FF(x), layer by layer; the norms aside",
     "Vaswani et al. 2017"},
    {FieldWord::query, "query", "queries q projection 查询", {}, {}, {}},
    {FieldWord::key, "key", "keys k projection 键", {}, {}, {}},
    {FieldWord::value, "value", "values v projection 值", {}, {}, {}},
    {FieldWord::head,
     "head",
     "heads multi-head 头 注意力头 多头",
     "A head is one of several attentions that a layer runs side by side; training teaches each "
     "to look for something else.",
     {},
     "Vaswani et al. 2017, section 3.2.2"},
    {FieldWord::mask, "mask", "masked masking causal padding 掩码 遮罩",
     "Which words may be looked at; a masked score is −∞, and its weight 0.", "softmax(s + M)",
     "Vaswani et al. 2017, section 3.2.3"},
    {FieldWord::softmax, "softmax", "exp normalise shares probability 归一化",
     "Softmax makes shares of scores: e to the power of each, divided by their sum, so that all "
     "add up to 1.",
     "yᵢ = exp(xᵢ) / Σⱼ exp(xⱼ)", "Bridle 1990"},
    {FieldWord::jacobian,
     "Jacobian",
     "derivative gradient 雅可比 导数",
     "The Jacobian says how much each weight moves when each score moves a little.",
     "∂yᵢ / ∂xⱼ = yᵢ (δᵢⱼ − yⱼ)",
     {}},
    {FieldWord::temperature, "temperature", "tau sampling 温度",
     "Below 1 the largest score takes more of the attention, above 1 it is shared more evenly.",
     "softmax(x / τ)", "Hinton et al. 2015, section 2"},
    {FieldWord::cross_attention,
     "cross-attention",
     "cross attention encoder-decoder 交叉注意力",
     {},
     {},
     {}},
    {FieldWord::entropy, "entropy", "uncertainty spread 熵",
     inside::info(inside::HeadScore::entropy).tip, "H = −Σ p log₂ p", "Shannon 1948"},
    {FieldWord::bits, "bits", "bit unit entropy 比特",
     "Bits count yes-or-no questions: n bits are as uncertain as a choice among 2ⁿ words alike.",
     "−log₂ p", "Shannon 1948"},
    {FieldWord::logit,
     "logit",
     "logits score 对数几率",
     "A logit is the score of a word or class, of which softmax makes its probability: the "
     "largest is the likeliest.",
     "p = softmax(z)",
     {}},
    {FieldWord::nats,
     "nats",
     "nat unit loss surprise 纳特",
     "Nats count surprise: 0 where the right answer was certain, 0.69 where it was one of two; "
     "one nat is 1.44 bits.",
     "−ln p",
     {}},
    {FieldWord::feed_forward, "feed-forward (FF)", "ffn mlp network 前馈",
     "The feed-forward network changes each word's vector alone, after attention has mixed words: "
     "two linear maps with a bend between them.",
     "FF(x) = W₂ f(W₁ x + b₁) + b₂", "Vaswani et al. 2017, section 3.3"},
    {FieldWord::residual_stream, "residual stream", "skip connection 残差 残差流",
     "The vector of each word on its way through the layers: every part adds to it what it found.",
     "x ← x + f(x), of each part in turn", "Elhage et al. 2021"},
    {FieldWord::d_model,
     "d_model",
     "width dimension vector embedding 维度 嵌入 词向量",
     "How many numbers a token is, d_model: all heads of a layer share them.",
     {},
     "Vaswani et al. 2017, section 3.1"},
    {FieldWord::pre_norm,
     "pre-norm",
     "pre norm layernorm layer normalisation 前置归一化",
     {},
     {},
     {}},
    {FieldWord::post_norm,
     "post-norm",
     "post norm layernorm layer normalisation 后置归一化",
     {},
     {},
     {}},
    {FieldWord::rope, "RoPE", "rotary positions 旋转位置编码", {}, {}, {}},
    {FieldWord::alibi, "ALiBi", "positions bias 位置编码", {}, {}, {}},
    {FieldWord::greedy, "greedy", "decoding 贪心 解码", {}, {}, {}},
    {FieldWord::beam, "beam", "beam search decoding hypothesis 束搜索 集束 解码", {}, {}, {}},
    {FieldWord::teacher_forcing, "teacher forcing", "forced decoding 教师强制", {}, {}, {}},
    {FieldWord::gold_alignment, "gold alignment", "gold links 对齐", {}, {}, {}},
    {FieldWord::alignment_error, "alignment error", "aer gold links 对齐错误率",
     "How often the strongest links A, one for each word of the reference, differ from the gold "
     "links G, which say what source word each of them says: at 0 % each looks most at its own. It "
     "tells where a model looks, not whether it is right: an encoder's state holds words around "
     "its "
     "own, too, and a right answer can be read from a neighbour's.",
     "AER = 1 − 2 |A ∩ G| / (|A| + |G|), all of G sure", "Och and Ney 2003"},
    {FieldWord::bleu,
     "BLEU",
     "score translation 翻译",
     "How many runs of one to four words agree with the right translation: 100 is the same.",
     {},
     "Papineni et al. 2002"},
    {FieldWord::token,
     "token",
     "tokens piece word 词元 分词",
     "A token is a piece that a sentence is cut into: a word, a part of one or a character. Each "
     "is one row and one column of a map.",
     {},
     "Sennrich et al. 2016"},
    {FieldWord::special_tokens,
     "special tokens",
     "start end separator cls sep 特殊词元",
     "Tokens that stand for no word: they begin or end a sentence, part two, or fill it up. Heads "
     "that have nothing to do often look at them.",
     {},
     "Devlin et al. 2019, section 3; Clark et al. 2019, section 3.2"},
    {FieldWord::weight, "weight", "weights attention map 权重 注意力 注意力权重",
     "The share of its attention that a query gives a key: the weights of a row add up to 1. (A "
     "network's own learned numbers are called weights, too.)",
     "aᵢⱼ = softmax(qᵢ·kⱼ / √dₖ)", "Vaswani et al. 2017, section 3.2.1"},
    {FieldWord::layer, "layer", "layers stack depth 层",
     "A layer is one round of attention and a feed-forward network; layers are stacked, and each "
     "reads what the one below has made.",
     "x ← x + attention(x), then x ← x + FF(x); the norms aside",
     "Vaswani et al. 2017, section 3.1"},
    {FieldWord::confident, "confident", "confidence largest weight 置信",
     "A head is confident where its queries give most of their attention to one key: the largest "
     "weight of a query, on average.",
     "mean max A(i, ·)", "Voita et al. 2019, section 4"},
    {FieldWord::mean_distance, "mean distance", "far near tokens 距离 平均距离",
     "How many tokens away a head looks, on average, each weighted by its attention.",
     "mean Σ A(i, j) |i − j|", "Vig and Belinkov 2019"},
    {FieldWord::induction_head, "induction head", "prefix matching copy repeated 归纳头",
     "A head that looks for what followed the same token earlier in the text, so that the model "
     "can go on in the same way.",
     "mean Σ A(i, j+1), j < i − 1, tⱼ = tᵢ", "Olsson et al. 2022"},
    {FieldWord::dropout, "dropout", "regularisation 丢弃 随机失活",
     "In training a random share p of the numbers is set to 0 and the rest is scaled up, so that "
     "the model relies on no single one.",
     "x ⊙ m / (1 − p), each of m 0 with probability p", "Srivastava et al. 2014"},
    {FieldWord::gradient, "gradient", "gradients derivative backpropagation norm 梯度",
     "The gradient says how the loss changes as each learned number changes a little; training "
     "takes steps against it.",
     "w ← w − η ∂L/∂w", "Rumelhart et al. 1986"},
    {FieldWord::norm, "norm", "layernorm rmsnorm layer normalisation normalization 归一化 层归一化",
     "LayerNorm brings the numbers of each token to mean 0 and variance 1, then scales and shifts "
     "them by learned ones. (‖v‖, the norm of a vector, is its length.)",
     "γ (x − mean x) / √(var x + ε) + β", "Ba et al. 2016"},
    {FieldWord::warm_up, "warm-up", "warmup schedule learning rate 预热 学习率",
     "The learning rate grows over the first steps before it falls: large steps at the start "
     "would lead a transformer astray.",
     "d_model^−½ · min(step^−½, step · warm-up^−1½)", "Vaswani et al. 2017, section 5.3"},
    {FieldWord::held_out,
     "held-out",
     "held out validation test data 验证集 留出",
     "Held-out sentences are not trained on: how well a model does on them shows what it has "
     "learned rather than learned by heart.",
     {},
     {}},
    {FieldWord::label_smoothing, "label smoothing", "smoothing regularisation 标签平滑",
     "A share ε of the right answer is spread over all words, so that the model does not become "
     "too sure.",
     "(1 − ε) · right answer + ε / vocabulary size",
     "Szegedy et al. 2016; Vaswani et al. 2017, section 5.4"},
    {FieldWord::logit_lens, "logit lens", "logits early exit 对数几率透镜",
     "The logit lens reads what a layer has made of a token as if it were the last one: what the "
     "model would say there.",
     "logits = W_U norm(x) of each layer's x", "nostalgebraist 2020"},
    {FieldWord::attention_sink, "attention sink", "first token rest 注意力汇聚 注意力沉降",
     "A token, most often the first, on which heads rest that have nothing to do: it gets much "
     "weight and says little.",
     "mean A(i, 0), i > 0", "Xiao et al. 2024, section 3.1"},
    {FieldWord::perplexity, "perplexity", "loss nats 困惑度",
     "Among how many words a model wavers, on average, before it says the right one: 1 is never "
     "in doubt.",
     "e^loss, the loss in nats", "Jelinek et al. 1977"},
};

constexpr const FieldWordInfo& info(FieldWord word) {
    return kFieldWords[static_cast<std::size_t>(word)];
}

/// The sentence, the formula and the paper of a word.
std::string field_word_tip(FieldWord word);

} // namespace heed::ui
