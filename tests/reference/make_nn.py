#!/usr/bin/env python3
"""Makes nn.txt beside it: what PyTorch says about the layers of src/nn, in float64.

Run it with a Python that has torch (Debian: python3-torch); the tests read nn.txt and need no
Python. Inputs and weights are multiples of 1/256, so that float and double read the same numbers.
The file holds arrays one after another: a line "name rows columns", then one line a row.
"""
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20170612)
INF = float("inf")
arrays = {}


def keep(name, value):
    value = torch.as_tensor(value, dtype=torch.float64).detach()
    if value.dim() < 2:
        value = value.reshape(1, -1)
    if value.dim() == 3:  # heads stacked
        value = value.reshape(-1, value.shape[-1])
    assert name not in arrays
    arrays[name] = value
    return value


def draw(name, *shape, spread=1.0):
    value = torch.randint(-256, 257, shape).double() / 256 * spread
    keep(name, value)
    return value


# Scores, pair by pair, as they are written in the papers ------------------------------------------
def score(kind, q, k, p):
    if kind == "additive":
        return torch.tanh(q @ p["W"] + k @ p["U"]) @ p["v"]
    if kind == "concat":
        return torch.tanh(torch.cat((q, k)) @ torch.cat((p["W"], p["U"]))) @ p["v"]
    if kind == "dot":
        return q @ k
    if kind == "scaled":
        return q @ k / len(k) ** 0.5
    if kind == "bilinear":
        return q @ p["B"] @ k
    if kind == "cosine":
        norms = q.norm() * k.norm()
        return q @ k / norms if norms > 0 else torch.tensor(0.0)
    if kind == "squared-distance":
        return -((q - k) ** 2).sum() / 2
    raise ValueError(kind)


def score_map(kind, q, k, p=None):
    return torch.stack([torch.stack([score(kind, a, b, p) for b in k]) for a in q])


q = draw("scores/q", 5, 4, spread=2)
q[2] = 0  # a vector without length
arrays["scores/q"] = q
k = draw("scores/k", 6, 4, spread=2)
wide = draw("scores/k_wide", 6, 3, spread=2)
p = {"W": draw("scores/W", 4, 7), "U": draw("scores/U", 4, 7), "v": draw("scores/v", 7),
     "B": draw("scores/B", 4, 4)}
for kind in ("additive", "concat", "dot", "scaled", "bilinear", "cosine", "squared-distance"):
    keep(f"scores/{kind}", score_map(kind, q, k, p))
p_wide = dict(p, U=draw("scores/U_wide", 3, 7), B=draw("scores/B_wide", 4, 3))
for kind in ("additive", "concat", "bilinear"):
    keep(f"scores/{kind}_wide", score_map(kind, q, wide, p_wide))


# Positions ----------------------------------------------------------------------------------------
def sinusoidal(n, d, first=0):
    table = torch.zeros(n, d)
    for r in range(n):
        for c in range(d):
            angle = torch.tensor((first + r) / 10000.0 ** ((c - c % 2) / d))
            table[r, c] = torch.sin(angle) if c % 2 == 0 else torch.cos(angle)
    return table


def rotary(x, first=0):
    """Pairs of features are complex numbers, multiplied by exp(i angle)."""
    d = x.shape[1]
    angles = torch.outer(first + torch.arange(len(x)).double(),
                         10000.0 ** (-torch.arange(0, d, 2).double() / d))
    pairs = torch.view_as_complex(x.reshape(len(x), d // 2, 2).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).reshape(x.shape)


def alibi_slopes(h):
    def of_power(n):
        return [2 ** (-8 * (i + 1) / n) for i in range(n)]
    power = 2 ** (h.bit_length() - 1)
    return of_power(power) + of_power(2 * power)[0::2][:h - power]


def alibi(h, n, m, directed):
    offset = torch.arange(m)[None, :] - torch.arange(n)[:, None]
    distance = -offset if directed else offset.abs()
    return -torch.tensor(alibi_slopes(h))[:, None, None] * distance


def relative_bucket(offset, directed, buckets=32, far=128):
    result = torch.zeros_like(offset)
    if directed:
        distance = torch.clamp(-offset, min=0)
    else:
        buckets //= 2
        result = result + (offset > 0).long() * buckets
        distance = offset.abs()
    exact = buckets // 2
    log = torch.log(distance.float() / exact) / torch.log(torch.tensor(far / exact).float())
    further = exact + (log * (buckets - exact)).clamp(min=-1e6).long()
    further = torch.minimum(further, torch.full_like(further, buckets - 1))
    return result + torch.where(distance < exact, distance, further)


def relative(table, n, m, directed):
    offset = torch.arange(m)[None, :] - torch.arange(n)[:, None]
    return table[relative_bucket(offset, directed)].permute(2, 0, 1)


keep("positions/sinusoidal", sinusoidal(6, 8))
keep("positions/sinusoidal_late", sinusoidal(3, 8, 1500))
keep("positions/sinusoidal_odd", sinusoidal(4, 5))
keep("positions/rotary", rotary(q))
keep("positions/rotary_late", rotary(k, 700))
for h in (1, 2, 8, 12):
    keep(f"positions/alibi_slopes_{h}", alibi_slopes(h))
far = torch.arange(-200, 201)
keep("positions/buckets_directed", relative_bucket(far, True))
keep("positions/buckets", relative_bucket(far, False))
emb, pos = draw("join/embedding", 5, 8), draw("join/positions", 5, 8)
w_join = draw("join/W", 16, 8)
keep("join/add", emb + pos)
keep("join/concatenate", torch.cat((emb, pos), dim=1) @ w_join)
vocabulary = draw("embed/table", 9, 8)
rows = torch.tensor([3, 0, 8, 3])
keep("embed/expected", F.embedding(rows, vocabulary) * 8 ** 0.5)

# Norm, activation ---------------------------------------------------------------------------------
gain, shift = draw("norm/gain", 8), draw("norm/shift", 8)
keep("norm/expected", F.layer_norm(emb, (8,), gain, shift, 1e-5))
keep("norm/sum", F.layer_norm(emb + pos, (8,), gain, shift, 1e-3))
xs = keep("gelu/x", torch.linspace(-6, 6, 49))
keep("gelu/expected", F.gelu(xs))

# Multi-head attention -----------------------------------------------------------------------------
D, H, N, M = 8, 2, 5, 6
mha = torch.nn.MultiheadAttention(D, H, batch_first=True)


def refill(prefix, module, spread=1.0):
    state = {name: draw(f"{prefix}/{name}", *value.shape, spread=spread)
             for name, value in module.state_dict().items()}
    module.load_state_dict(state)


refill("mha", mha)
x_q, x_k = draw("mha/x_queries", N, D, spread=2), draw("mha/x_keys", M, D, spread=2)


def heads(x, weight, bias):
    return F.linear(x, weight, bias).reshape(len(x), H, -1).transpose(0, 1)


def attend(name, x_queries, x_keys, allowed=None, score_of=None, gamma=None, temperature=1.0,
           turn=None, bias=None, gain=(1.0, 1.0)):
    """Attention by its formulas, stage by stage; keeps weights, context and output."""
    wq, wk, wv = mha.in_proj_weight.chunk(3)
    bq, bk, bv = mha.in_proj_bias.chunk(3)
    qs, ks = heads(x_queries, wq, bq), heads(x_keys, wk, bk)
    vs = heads(x_keys, wv, bv)
    if turn:
        qs, ks = torch.stack([turn(x) for x in qs]), torch.stack([turn(x) for x in ks])
    if score_of is None:
        scores = qs @ ks.transpose(1, 2)
    else:
        scores = torch.stack([score_map(score_of[h], qs[h], ks[h], p) for h in range(H)])
    gamma = (D // H) ** -0.5 if gamma is None else gamma
    scaled = scores * gamma
    masked = scaled if bias is None else scaled + bias
    if allowed is not None:
        masked = torch.where(allowed, masked, torch.tensor(-INF))
    # A row without any key is NaN in torch; here it has no weights.
    weights = torch.nan_to_num(torch.softmax(masked / temperature, dim=-1), nan=0.0)
    context = weights @ vs * torch.tensor(gain)[:, None, None]
    joined = context.transpose(0, 1).reshape(len(x_queries), D)
    output = F.linear(joined, mha.out_proj.weight, mha.out_proj.bias)
    keep(f"{name}/scores", scores)
    keep(f"{name}/masked", masked)
    keep(f"{name}/weights", weights)
    keep(f"{name}/context", joined)
    keep(f"{name}/output", output)
    return weights, output


def check_with_torch(name, x_queries, x_keys, allowed):
    """The formulas above are those of torch.nn.MultiheadAttention."""
    weights, output = attend(name, x_queries, x_keys, allowed)
    mask = None if allowed is None else ~allowed
    output_torch, weights_torch = mha(x_queries[None], x_keys[None], x_keys[None], attn_mask=mask,
                                      average_attn_weights=False)
    assert torch.allclose(output, output_torch[0], atol=1e-13)
    assert torch.allclose(weights, weights_torch[0], atol=1e-13)


i, j = torch.arange(N)[:, None], torch.arange(M)[None, :]
padding, causal, window = (j < 4).expand(N, M), j <= i, (i - j).abs() <= 1
painted = torch.ones(N, M, dtype=torch.bool)
for cell in ((0, 1), (1, 0), (3, 2), (3, 3), (4, 5)):
    painted[cell] = False
row = painted.clone()
row[2] = False
check_with_torch("mha/plain", x_q, x_k, None)
check_with_torch("mha/padding", x_q, x_k, padding)
check_with_torch("mha/causal", x_q, x_k, causal)
check_with_torch("mha/window", x_q, x_k, window)
check_with_torch("mha/painted", x_q, x_k, painted)
attend("mha/intersection", x_q, x_k, padding & causal & window & painted)
attend("mha/empty_row", x_q, x_k, row)
attend("mha/turned_knobs", x_q, x_k, gamma=1.5, temperature=2.5, gain=(0.5, 0.0))
attend("mha/no_scale", x_q, x_k, gamma=1.0)
for kind in ("additive", "concat", "dot", "scaled", "bilinear", "cosine", "squared-distance"):
    attend(f"mha/{kind}", x_q, x_k, score_of=(kind, kind), gamma=1.0)
attend("mha/mixed", x_q, x_k, score_of=("additive", "cosine"), gamma=2.0)
attend("mha/rotary", x_q, x_k, turn=rotary)
attend("mha/alibi", x_q, x_k, bias=alibi(H, N, M, False))
attend("mha/alibi_directed", x_q, x_k, bias=alibi(H, N, M, True))
table = draw("mha/relative_table", 32, H)
attend("mha/relative", x_q, x_k, bias=relative(table, N, M, False))
attend("mha/relative_directed", x_q, x_k, bias=relative(table, N, M, True))

# Layers -------------------------------------------------------------------------------------------
source, target = draw("layers/source", M, D), draw("layers/target", N, D)
first_encoder, first_decoder = None, None
for activation in ("relu", "gelu"):
    for pre in (False, True):
        tag = f"{activation}_{'pre' if pre else 'post'}"
        encoder = torch.nn.TransformerEncoderLayer(D, H, 12, 0.0, activation, batch_first=True,
                                                   norm_first=pre)
        decoder = torch.nn.TransformerDecoderLayer(D, H, 12, 0.0, activation, batch_first=True,
                                                   norm_first=pre)
        if first_encoder is None:
            refill("encoder", encoder)
            refill("decoder", decoder)
            first_encoder, first_decoder = encoder, decoder
        encoder.load_state_dict(first_encoder.state_dict())
        decoder.load_state_dict(first_decoder.state_dict())
        norms = {}
        for side, layer in (("encoder", encoder), ("decoder", decoder)):
            for norm in ("norm1", "norm2", "norm3"):
                if hasattr(layer, norm):
                    getattr(layer, norm).register_forward_hook(
                        lambda _m, _i, out, key=f"{side}_{tag}/{norm}": norms.update({key: out[0]}))
        keys_past_end = torch.tensor([[False] * 4 + [True] * 2])
        memory = encoder(source[None], src_key_padding_mask=keys_past_end)
        output = decoder(target[None], memory, tgt_mask=~(torch.arange(N)[None] <= i),
                         memory_key_padding_mask=keys_past_end)
        for key, value in norms.items():
            keep(key, value)
        keep(f"encoder_{tag}/output", memory[0])
        keep(f"decoder_{tag}/output", output[0])


def number(x):
    return repr(int(x)) if x == x and abs(x) < 1e9 and x == int(x) else repr(x)


with open(pathlib.Path(__file__).with_name("nn.txt"), "w", encoding="ascii") as file:
    for name, value in arrays.items():
        file.write(f"{name} {value.shape[0]} {value.shape[1]}\n")
        for line in value.tolist():
            file.write(" ".join(number(x) for x in line) + "\n")
