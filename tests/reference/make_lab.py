#!/usr/bin/env python3
"""Makes lab.txt beside it: what PyTorch says about the measurements of src/lab, in float64.

Run it with a Python that has torch; the tests read lab.txt and need no Python. Random numbers are
those of src/num/random.hpp and src/lab/draws.cpp, written here once more.
"""
import math
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
MASK = (1 << 64) - 1
arrays = {}


def keep(name, value):
    value = torch.as_tensor(value, dtype=torch.float64).detach()
    arrays[name] = value.reshape(1, -1) if value.dim() < 2 else value


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def fnv(name):
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def features(seed, name, rows, cols):
    key = mix(seed ^ fnv(name))
    uniform = lambda i: (mix(key ^ mix(i)) >> 40) * 2.0**-24
    values = [
        math.sqrt(-2 * math.log(1 - uniform(2 * i))) * math.cos(2 * math.pi * uniform(2 * i + 1))
        for i in range(rows * cols)
    ]
    return torch.tensor(values).reshape(rows, cols)


def draw_map(seed, name, rows, cols):
    return features(seed, name, rows, cols) / math.sqrt(rows)


# Draws themselves, and attention of a module ------------------------------------------------------
keep("draws", features(3, "queries", 2, 5))
x, y = features(9, "x", 3, 4), features(9, "y", 5, 4)
w = {letter: draw_map(9, f"W_{letter}", 4, 4) for letter in "QKVO"}
keep("attention/output",
     F.scaled_dot_product_attention(x @ w["Q"], y @ w["K"], y @ w["V"]) @ w["O"])

# The softmax's gradient ---------------------------------------------------------------------------
logits = features(5, "logits", 1, 7)[0]
for factor in (0.5, 1.0, 8.0):
    jacobian = torch.autograd.functional.jacobian(lambda z: F.softmax(factor * z, 0), logits)
    keep(f"softmax/jacobian {factor:g}", jacobian / factor)
    keep(f"softmax/norm {factor:g}", (jacobian / factor).norm())

# Norms --------------------------------------------------------------------------------------------
rows = features(4, "rows", 6, 5)
keep("norms/batch", torch.nn.BatchNorm1d(5).train()(rows))

# Gradients through deep stacks of feed-forward networks ---------------------------------------------
SEED, LAYERS, WIDTH = 7, 4, 6
for path in ("plain", "residual", "post_norm", "pre_norm"):
    states = [features(SEED, "input", 8, WIDTH).requires_grad_()]
    for layer in range(LAYERS):
        w1 = draw_map(SEED, f"W1 {layer}", WIDTH, 2 * WIDTH)
        w2 = draw_map(SEED, f"W2 {layer}", 2 * WIDTH, WIDTH)
        now = states[-1]
        read = F.layer_norm(now, (WIDTH,)) if path == "pre_norm" else now
        made = torch.relu(read @ w1) @ w2
        if path != "plain":
            made = now + made
        if path == "post_norm":
            made = F.layer_norm(made, (WIDTH,))
        made.retain_grad()
        states.append(made)
    (states[-1] * features(SEED, "gradient", 8, WIDTH)).sum().backward()
    keep(f"gradients/{path}", torch.stack([state.grad.norm() for state in states]))

with open(pathlib.Path(__file__).with_name("lab.txt"), "w") as out:
    for name, value in arrays.items():
        out.write(f"{name.replace(' ', '_')} {value.shape[0]} {value.shape[1]}\n")
        for row in value:
            out.write(" ".join(repr(float(v)) for v in row) + "\n")
