#!/usr/bin/env python3
"""Makes layers.txt beside it: what PyTorch says about the layers that language models are made of.

RMSNorm, activations, gated feed-forward networks, attention with fewer heads of keys and values,
rotary positions by halves and by pairs over a part of a head with LLaMA 3's scaling, and buckets of
relative positions as T5 has them. In float64; the format is that of nn.txt. Rotary positions and
buckets follow the published code of GPT-NeoX, LLaMA 3 and T5, written out here again.
"""
import math
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20230718)
arrays = {}


def keep(name, value):
    value = torch.as_tensor(value, dtype=torch.float64).detach()
    arrays[name] = value.reshape(1, -1) if value.dim() < 2 else value
    return value


def draw(name, *shape, spread=1.0):
    return keep(name, torch.randint(-256, 257, shape).double() / 256 * spread)


# RMSNorm: torch.nn.RMSNorm came later than the torch of some systems, so it is written out ---------
x = draw("x", 5, 8, spread=2)
gain, shift = draw("gain", 8), draw("shift", 8)
keep("rms", x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * gain)
keep("layer_without_shift", F.layer_norm(x, (8,), gain, None, 1e-5))

# Activations ---------------------------------------------------------------------------------------
points = keep("points", torch.linspace(-6, 6, 49))
ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda z: F.gelu(z, approximate="tanh"),
    "silu": F.silu,
    "quick_gelu": lambda z: z * torch.sigmoid(1.702 * z),
}
for name, f in ACTIVATIONS.items():
    keep(f"activation/{name}", f(points))

# Feed-forward networks, plain and gated, with and without biases -----------------------------------
w1, gate, w2 = draw("ff/w1", 8, 12), draw("ff/gate", 8, 12), draw("ff/w2", 12, 8)
b1, c, b2 = draw("ff/b1", 12), draw("ff/c", 12), draw("ff/b2", 8)
for name, f in ACTIVATIONS.items():
    keep(f"ff/{name}/plain", f(x @ w1) @ w2)
    keep(f"ff/{name}/gated", (f(x @ w1) * (x @ gate)) @ w2)
    keep(f"ff/{name}/gated_biased", (f(x @ w1 + b1) * (x @ gate + c)) @ w2 + b2)


# Rotary positions ----------------------------------------------------------------------------------
def llama3(frequency, factor, low, high, length):
    wavelength = 2 * math.pi / frequency
    if wavelength < length / high:
        return frequency
    if wavelength > length / low:
        return frequency / factor
    smooth = (length / wavelength - low) / (high - low)
    return (1 - smooth) * frequency / factor + smooth * frequency


def rotated(x, width, base, halves, scaling=None):
    frequencies = [base ** (-2 * c / width) for c in range(width // 2)]
    if scaling:
        frequencies = [llama3(f, *scaling) for f in frequencies]
    angles = torch.arange(len(x)).double()[:, None] * torch.tensor(frequencies)
    cos, sin = angles.cos(), angles.sin()
    part, rest = x[:, :width], x[:, width:]
    if halves:
        a, b = part[:, : width // 2], part[:, width // 2 :]
        return torch.cat((a * cos - b * sin, b * cos + a * sin, rest), -1)
    a, b = part[:, 0::2], part[:, 1::2]
    turned = torch.stack((a * cos - b * sin, a * sin + b * cos), -1).reshape(part.shape)
    return torch.cat((turned, rest), -1)


r = draw("rotary/x", 40, 8)
SCALING = (8.0, 1.0, 4.0, 32)
keep("rotary/halves", rotated(r, 8, 500000.0, True))
keep("rotary/pairs_part", rotated(r, 4, 10000.0, False))
keep("rotary/halves_part", rotated(r, 6, 10000.0, True))
keep("rotary/llama3", rotated(r, 8, 500.0, True, SCALING))


# Attention with fewer heads of keys and values, whose heads are wider than d_model / heads ---------
def attention(x, heads, kv_heads, width, w, halves_base=None):
    n = len(x)
    q = (x @ w["q"]).reshape(n, heads, width).transpose(0, 1)
    k = (x @ w["k"]).reshape(n, kv_heads, width).transpose(0, 1)
    v = (x @ w["v"]).reshape(n, kv_heads, width).transpose(0, 1)
    if halves_base:
        q = torch.stack([rotated(h, width, halves_base, True) for h in q])
        k = torch.stack([rotated(h, width, halves_base, True) for h in k])
    k = k.repeat_interleave(heads // kv_heads, 0)
    v = v.repeat_interleave(heads // kv_heads, 0)
    scores = q @ k.transpose(1, 2) / width**0.5
    later = torch.ones(n, n, dtype=torch.bool).triu(1)
    y = F.softmax(scores.masked_fill(later, -math.inf), -1) @ v
    return y.transpose(0, 1).reshape(n, heads * width) @ w["o"]


w = {"q": draw("gqa/q", 8, 24), "k": draw("gqa/k", 8, 12), "v": draw("gqa/v", 8, 12),
     "o": draw("gqa/o", 24, 8)}
keep("gqa/output", attention(x, 4, 2, 6, w))
keep("gqa/rotary", attention(x, 4, 2, 6, w, 500000.0))


# Buckets of relative positions, T5's rule ----------------------------------------------------------
def bucket(offset, directed, buckets, max_distance):
    result, n = 0, -offset
    if not directed:
        buckets //= 2
        result += buckets if n < 0 else 0
        n = abs(n)
    else:
        n = max(n, 0)
    exact = buckets // 2
    if n < exact:
        return result + n
    far = exact + int(math.log(n / exact) / math.log(max_distance / exact) * (buckets - exact))
    return result + min(far, buckets - 1)


for directed in (False, True):
    keep(f"buckets/{'directed' if directed else 'both'}",
         [bucket(o, directed, 20, 50) for o in range(-70, 71)])


def number(value):
    return repr(int(value)) if value == int(value) and abs(value) < 1e9 else repr(value)


with open(pathlib.Path(__file__).with_name("layers.txt"), "w", encoding="ascii") as file:
    for name, value in arrays.items():
        file.write(f"{name} {value.shape[0]} {value.shape[1]}\n")
        for line in value.tolist():
            file.write(" ".join(number(x) for x in line) + "\n")
