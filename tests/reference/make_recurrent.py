#!/usr/bin/env python3
"""Makes recurrent.txt beside it: what PyTorch says about recurrent layers, in float64.

Run it with a Python that has torch (Debian: python3-torch). Written as nn.txt is, see make_nn.py:
inputs and weights are multiples of 1/256.
"""
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(19970815)
IN, HIDDEN, N = 3, 4, 5
arrays = {}


def keep(name, value):
    value = value.detach()
    if value.dim() < 2:
        value = value.reshape(1, -1)
    assert name not in arrays
    arrays[name] = value
    return value


def draw(name, *shape, spread=1.0):
    return keep(name, torch.randint(-256, 257, shape).double() / 256 * spread).reshape(shape)


# Cells, by their equations: a step gives the state after it and the gates by name -----------------
def rnn_step(x, h, c, wi, wh, bi, bh):
    return torch.tanh(wi @ x + bi + wh @ h + bh), c, {}


def lstm_step(x, h, c, wi, wh, bi, bh):
    i, f, g, o = (wi @ x + bi + wh @ h + bh).chunk(4)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    c = f * c + i * g
    return o * torch.tanh(c), c, {"i": i, "f": f, "g": g, "o": o}


def gru_step(x, h, c, wi, wh, bi, bh):
    (xr, xz, xn), (hr, hz, hn) = (wi @ x + bi).chunk(3), (wh @ h + bh).chunk(3)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * h, c, {"r": r, "z": z, "n": n, "n_state": hn}


STEPS = {"rnn": rnn_step, "lstm": lstm_step, "gru": gru_step}
MODULES = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}


def run(cell, prefix, suffix, parameters, x, h, c):
    """One layer and direction; keeps cell states and gates, gives the states in token order."""
    weights = [parameters[f"{kind}_{suffix}"]
               for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    order = range(len(x))
    rows = {}
    for t in reversed(order) if suffix.endswith("_reverse") else order:
        h, c, gates = STEPS[cell](x[t], h, c, *weights)
        rows[t] = {"h": h, **({"c": c} if cell == "lstm" else {}), **gates}
    for name in rows[0]:
        keep(f"{prefix}/{suffix}.{name}", torch.stack([rows[t][name] for t in order]))
    return torch.stack([rows[t]["h"] for t in order])


x = draw("x", N, IN, spread=2)
for cell, module in MODULES.items():
    for layers in (1, 2):
        for directions in (1, 2):
            prefix = f"{cell}_{layers}x{directions}"
            net = module(IN, HIDDEN, layers, bidirectional=directions == 2)
            net.load_state_dict({name: draw(f"{prefix}/{name}", *value.shape)
                                 for name, value in net.state_dict().items()})
            rows = layers * directions
            start = [draw(f"{prefix}/{name}_0", rows, HIDDEN) for name in ("h", "c")]
            begin = (start[0], start[1]) if cell == "lstm" else start[0]
            for tag, given in (("", None), ("_from_state", begin)):
                output, last = net(x, given)
                keep(f"{prefix}/output{tag}", output)
                last = last if cell == "lstm" else (last,)
                for name, value in zip(("h_n", "c_n"), last):
                    keep(f"{prefix}/{name}{tag}", value)
            # The equations above are those of PyTorch.
            parameters, row, below = dict(net.named_parameters()), 0, x
            for layer in range(layers):
                sides = []
                for suffix in (f"l{layer}", f"l{layer}_reverse")[:directions]:
                    sides.append(run(cell, prefix, suffix, parameters, below, start[0][row],
                                     start[1][row]))
                    row += 1
                below = torch.cat(sides, dim=1)
            assert torch.allclose(below, arrays[f"{prefix}/output_from_state"], atol=1e-13)


# A decoder's loop with attention (Bahdanau et al. 2015): the state before a step is the query -----
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
        return q @ k / (q.norm() * k.norm())
    if kind == "squared-distance":
        return -((q - k) ** 2).sum() / 2
    raise ValueError(kind)


KEYS, ATTENTION = 6, 7


def decode(name, kind, states, p, cell, y, s):
    scores, weights, contexts, after = [], [], [], []
    for row in y:
        e = torch.stack([score(kind, s, h, p) for h in states])
        alpha = torch.softmax(e, dim=0)
        context = alpha @ states
        s = cell(torch.cat((row, context)), s)
        for kept, value in ((scores, e), (weights, alpha), (contexts, context), (after, s)):
            kept.append(value)
    keep(f"{name}/scores", torch.stack(scores))
    keep(f"{name}/weights", torch.stack(weights))
    keep(f"{name}/context", torch.stack(contexts))
    keep(f"{name}/states", torch.stack(after))


y, s0 = draw("decoder/y", N, IN, spread=2), draw("decoder/s_0", HIDDEN)
for tag, width in (("", HIDDEN), ("_wide", HIDDEN + 2)):
    cell = torch.nn.GRUCell(IN + width, HIDDEN)
    cell.load_state_dict({name: draw(f"decoder{tag}/{name}", *value.shape)
                          for name, value in cell.state_dict().items()})
    states = draw(f"decoder{tag}/keys", KEYS, width, spread=2)
    p = {name: draw(f"decoder{tag}/{name}", *shape)
         for name, shape in (("W", (HIDDEN, ATTENTION)), ("U", (width, ATTENTION)),
                             ("v", (ATTENTION,)), ("B", (HIDDEN, width)))}
    for kind in ("additive", "concat", "dot", "scaled", "bilinear", "cosine", "squared-distance"):
        if width == HIDDEN or kind in ("additive", "concat", "bilinear"):
            decode(f"decoder{tag}/{kind}", kind, states, p, cell, y, s0)


def number(value):
    return repr(int(value)) if value == int(value) else repr(value)


with open(pathlib.Path(__file__).with_name("recurrent.txt"), "w", encoding="ascii") as file:
    for name, value in arrays.items():
        file.write(f"{name} {value.shape[0]} {value.shape[1]}\n")
        for line in value.tolist():
            file.write(" ".join(number(v) for v in line) + "\n")
