#!/usr/bin/env python3
"""Expected numbers for tests/models/recurrent_test.cpp, made with PyTorch in double precision.

Writes seq2seq.safetensors, which holds small recurrent models as Heed stores them, every parameter
drawn ("<model>:<array>", and "<model>:<field>" in the metadata), and what each variant of them
computes on one sentence ("<variant>/<array>", its configuration under "<variant>/<field>").
The equations are those at the top of src/models/recurrent/recurrent.hpp; states are those of torch.nn.RNN,
LSTM and GRU, and gates are written out and held against them.

Needs torch and numpy (Debian: python3-torch); the tests need neither. Run it in this folder.
"""
import json
import math
import struct

import numpy as np
import torch

torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
HIDDEN, EMBEDDING, OTHERS, LIMIT = 5, 4, 2, 7
WORDS = ["the", "cat", "ate", "le", "chat", "mangé", "昨天", "苹果"]
SPECIAL = 3  # ⟨pad⟩, ⟨start⟩, ⟨end⟩
START, END = 1, 2
ROWS = SPECIAL + len(WORDS) + OTHERS
SOURCE = ["the", "cat", "昨天", "ate", "🍎", "cat"]
FORCED = ["le", "chat", "unheard"]
MODULES = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}

DEFAULTS = {"n_layers": 1, "cell": "gru", "bidirectional": True, "context": "attention",
            "order": "bahdanau", "projection": "one", "score": "additive"}

# What has the same shapes shares its weights.
MODELS = {
    "gru": {},
    "gru_none": {"projection": "none"},
    "gru_deep": {"n_layers": 2, "bidirectional": False, "projection": "two"},
    "lstm": {"cell": "lstm", "n_layers": 2, "projection": "two"},
    "lstm_one_way": {"cell": "lstm", "bidirectional": False, "projection": "none"},
    "rnn": {"cell": "rnn", "bidirectional": False, "projection": "none"},
    "rnn_deep": {"cell": "rnn", "n_layers": 2, "projection": "none"},
}
VARIANTS = {
    **{f"gru_{s}": ("gru", {"score": s})
       for s in ("additive", "concat", "dot", "scaled", "bilinear", "cosine",
                 "squared-distance")},
    "gru_luong": ("gru", {"order": "luong"}),
    "gru_last": ("gru", {"context": "last"}),
    "gru_mean": ("gru", {"context": "mean"}),
    "gru_last_luong": ("gru", {"context": "last", "order": "luong"}),
    "gru_forced": ("gru", {}),
    "gru_none_additive": ("gru_none", {}),
    "gru_none_bilinear": ("gru_none", {"score": "bilinear"}),
    "gru_none_last": ("gru_none", {"context": "last"}),
    "gru_deep_concat": ("gru_deep", {"score": "concat"}),
    "gru_deep_mean_luong": ("gru_deep", {"context": "mean", "order": "luong"}),
    "lstm_additive": ("lstm", {}),
    "lstm_scaled_luong": ("lstm", {"score": "scaled", "order": "luong"}),
    "lstm_last": ("lstm", {"context": "last"}),
    "lstm_one_way_dot": ("lstm_one_way", {"score": "dot"}),
    "lstm_one_way_bilinear_luong": ("lstm_one_way", {"score": "bilinear", "order": "luong"}),
    "rnn_cosine": ("rnn", {"score": "cosine"}),
    "rnn_mean": ("rnn", {"context": "mean"}),
    "rnn_last": ("rnn", {"context": "last"}),
    "rnn_deep_additive_luong": ("rnn_deep", {"order": "luong"}),
    "rnn_deep_concat": ("rnn_deep", {"score": "concat"}),
}


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def row_of(word):
    if word in WORDS:
        return SPECIAL + WORDS.index(word)
    return SPECIAL + len(WORDS) + fnv1a(word) % OTHERS


def write_safetensors(path, arrays, metadata):
    header, offset = {"__metadata__": metadata}, 0
    names = sorted(arrays)
    for name in names:
        size = 4 * arrays[name].size
        header[name] = {"dtype": "F32", "shape": list(arrays[name].shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in names:
            file.write(np.ascontiguousarray(arrays[name], dtype="<f4").tobytes())


def widths(config):
    states = HIDDEN * (2 if config["bidirectional"] else 1)
    return states, states if config["projection"] == "none" else HIDDEN


def stacks(config):
    """The encoder and the decoder, as torch has them."""
    module, layers = MODULES[config["cell"]], config["n_layers"]
    _, keys = widths(config)
    return (module(EMBEDDING, HIDDEN, layers, bidirectional=config["bidirectional"]),
            module(EMBEDDING + keys, HIDDEN, layers))


def draw_weights(config, generator):
    states, keys = widths(config)
    shapes = {}
    for side, stack in zip(("encoder", "decoder"), stacks(config)):
        shapes.update({f"{side}.{name}": tuple(p.shape) for name, p in stack.state_dict().items()})
        shapes[f"{side}.embedding.weight"] = (ROWS, EMBEDDING)
    for layer in range(config["n_layers"]):
        shapes[f"bridge.l{layer}.weight"] = (HIDDEN, states)
        shapes[f"bridge.l{layer}.bias"] = (HIDDEN,)
    if config["projection"] != "none":
        shapes["attention.key.weight"] = (HIDDEN, states)
    if config["projection"] == "two":
        shapes["attention.value.weight"] = (HIDDEN, states)
    shapes["attention.score.query"] = (HIDDEN, HIDDEN)
    shapes["attention.score.key"] = (keys, HIDDEN)
    shapes["attention.score.hidden"] = (HIDDEN,)
    shapes["attention.score.bilinear"] = (HIDDEN, keys)
    shapes["readout.weight"] = (HIDDEN, HIDDEN + keys + EMBEDDING)
    shapes["readout.bias"] = (HIDDEN,)
    shapes["output.weight"], shapes["output.bias"] = (ROWS, HIDDEN), (ROWS,)
    weights = {}
    for name, shape in shapes.items():
        bound = 0.4 if "bias" in name else 1.5 if "embedding" in name else 2 / math.sqrt(shape[-1])
        # A decoder whose words depend on what it attends to and said.
        if name.startswith(("attention", "output.weight", "readout.weight", "decoder.weight_ih")):
            bound *= 2
        weights[name] = generator.uniform(-bound, bound, shape).astype(np.float32)
    return weights


# The gates of a step, by the equations of torch's documentation -----------------------------------
def gates_of(cell, wi, wh, bi, bh, x, h, c):
    """The state after the step, and what is seen of it by name."""
    if cell == "rnn":
        return torch.tanh(wi @ x + bi + wh @ h + bh), c, {}
    if cell == "lstm":
        i, f, g, o = (wi @ x + bi + wh @ h + bh).chunk(4)
        i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
        c = f * c + i * g
        return o * torch.tanh(c), c, {"i": i, "f": f, "g": g, "o": o, "c": c}
    (xr, xz, xn), (hr, hz, hn) = (wi @ x + bi).chunk(3), (wh @ h + bh).chunk(3)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * h, c, {"r": r, "z": z, "n": n}


class Reference:
    """One sentence, said word by word."""

    def __init__(self, weights, config):
        self.config = config
        self.w = {name: torch.tensor(value, dtype=torch.double) for name, value in weights.items()}
        self.encoder, self.decoder = stacks(config)
        for side, stack in (("encoder", self.encoder), ("decoder", self.decoder)):
            stack.load_state_dict({name: self.w[f"{side}.{name}"] for name in stack.state_dict()})
            stack.double().eval()
        self.out, self.rows = {}, {}

    def seen(self, name, value):
        self.rows.setdefault(name, []).append(value)

    def cell(self, side, suffix, x, h, c):
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        w = (self.w[f"{side}.{kind}_{suffix}"] for kind in kinds)
        return gates_of(self.config["cell"], *w, x, h, c)

    def encode(self):
        x = self.w["encoder.embedding.weight"][[row_of(word) for word in SOURCE]]
        self.out["encoder_input"] = x
        states, last = self.encoder(x)
        self.states = states
        self.last = last[0] if self.config["cell"] == "lstm" else last
        for layer in range(self.config["n_layers"]):
            sides = []
            for suffix in (f"l{layer}", f"l{layer}_reverse")[:2 if self.config["bidirectional"] else 1]:
                h = c = torch.zeros(HIDDEN)
                order = list(range(len(SOURCE)))
                found = {}
                for t in reversed(order) if suffix.endswith("reverse") else order:
                    h, c, gates = self.cell("encoder", suffix, x[t], h, c)
                    found[t] = {"h": h, **gates}
                for name in found[0]:
                    rows = torch.stack([found[t][name] for t in order])
                    if name == "h":
                        sides.append(rows)
                    else:
                        self.out[f"encoder.{suffix}.{name}"] = rows
            x = torch.cat(sides, 1)
            top = layer + 1 == self.config["n_layers"]
            self.out["encoder.states" if top else f"encoder.l{layer}.states"] = x
        assert torch.allclose(x, states, atol=1e-13)

    def keys_and_values(self):
        def project(states):
            kind = self.config["projection"]
            if kind == "none":
                return states, states
            keys = states @ self.w["attention.key.weight"].T
            return keys, states @ self.w["attention.value.weight"].T if kind == "two" else keys

        self.keys, self.values = project(self.states)
        # Of each direction the state that it ended with.
        self.end = project(self.last[-2 if self.config["bidirectional"] else -1:].reshape(1, -1))[1]

    def score(self, q, k):
        """Before the scale, which dot, bilinear and the squared distance have where no control says otherwise."""
        w = {n: self.w[f"attention.score.{n}"] for n in ("query", "key", "hidden", "bilinear")}
        kind, n = self.config["score"], math.sqrt(len(k))
        if kind == "additive":
            return torch.tanh(q @ w["query"] + k @ w["key"]) @ w["hidden"], 1
        if kind == "concat":
            both = torch.cat((w["query"], w["key"]))
            return torch.tanh(torch.cat((q, k)) @ both) @ w["hidden"], 1
        if kind == "dot":
            return q @ k, 1 / n
        if kind == "scaled":
            return q @ k / n, 1
        if kind == "bilinear":
            return q @ w["bilinear"] @ k, 1 / n
        if kind == "cosine":
            return q @ k / (q.norm() * k.norm()), 1
        if kind == "squared-distance":
            return -((q - k) ** 2).sum() / 2, 1 / n
        raise ValueError(kind)

    def attend(self, query):
        context = self.config["context"]
        if context == "attention":
            scores, scales = zip(*(self.score(query, k) for k in self.keys))
            scores = torch.stack(scores)
            weights = torch.softmax(scores * scales[0], 0)
            self.seen("attention.scores", scores)
            result = weights @ self.values
        elif context == "mean":
            weights = torch.full((len(SOURCE),), 1 / len(SOURCE))
            result = self.values.mean(0)
        else:
            weights = torch.zeros(len(SOURCE))
            weights[-1] = 1
            result = self.end[0]
        self.seen("attention.weights", weights)
        self.seen("attention.context", result)
        return result

    def update(self, x, state):
        """All layers of the decoder, by torch, and their gates by the equations."""
        h, c = state
        given = (h[:, None], c[:, None]) if self.config["cell"] == "lstm" else h[:, None]
        _, after = self.decoder(x[None, None], given)
        after = after if self.config["cell"] == "lstm" else (after, after)
        read = x
        for layer in range(self.config["n_layers"]):
            read, _, gates = self.cell("decoder", f"l{layer}", read, h[layer], c[layer])
            for name, value in gates.items():
                self.seen(f"decoder.l{layer}.{name}", value)
            top = layer + 1 == self.config["n_layers"]
            states = "decoder.states" if top else f"decoder.l{layer}.states"
            self.seen(states + "_before", h[layer])
            self.seen(states, read)
        assert torch.allclose(read, after[0][-1, 0], atol=1e-13)
        return after[0][:, 0], after[1][:, 0]

    def start(self):
        first = []
        for layer in range(self.config["n_layers"]):
            each = 2 if self.config["bidirectional"] else 1
            ends = self.last[layer * each:(layer + 1) * each].reshape(-1)
            at = f"bridge.l{layer}"
            first.append(torch.tanh(self.w[at + ".weight"] @ ends + self.w[at + ".bias"]))
        return torch.stack(first), torch.zeros(self.config["n_layers"], HIDDEN)

    def run(self, forced=None):
        self.encode()
        self.keys_and_values()
        state, context = self.start(), torch.zeros(self.keys.shape[1])
        given = None if forced is None else [row_of(word) for word in forced] + [END]
        said, closest = START, math.inf
        while True:
            y = self.w["decoder.embedding.weight"][said]
            self.seen("decoder_input", y)
            if self.config["order"] == "bahdanau":
                context = self.attend(state[0][-1])
                state = self.update(torch.cat((y, context)), state)
            else:
                state = self.update(torch.cat((y, context)), state)
                context = self.attend(state[0][-1])
            read = torch.cat((state[0][-1], context, y))
            t = torch.tanh(self.w["readout.weight"] @ read + self.w["readout.bias"])
            p = torch.softmax(self.w["output.weight"] @ t + self.w["output.bias"], 0)
            self.seen("decoder_output", t)
            self.seen("decoder.probabilities", p)
            if given is None:
                # A decoder says listed words and ⟨end⟩ alone.
                best = torch.sort(p[END:SPECIAL + len(WORDS)], descending=True)
                closest = min(closest, float(best.values[0] - best.values[1]))
                said = END + int(best.indices[0])
            else:
                said = given[len(self.rows["said"]) if "said" in self.rows else 0]
            self.seen("said", torch.tensor([float(said)]))
            if said == END or (given is None and len(self.rows["said"]) == LIMIT):
                break
        assert closest > 1e-3, closest  # no word hangs on the rounding of float32
        self.out.update({name: torch.stack(rows) for name, rows in self.rows.items()})
        return self.out


def fields(config):
    def text(value):
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

    return {"format": "pt", "heed.model": "recurrent", "hidden": str(HIDDEN),
            "embedding": str(EMBEDDING), "seed": "1", "vocabulary.words": " ".join(WORDS),
            "vocabulary.others": str(OTHERS), **{k: text(v) for k, v in config.items()}}


if __name__ == "__main__":
    generator = np.random.default_rng(4)
    arrays, metadata, weights = {}, {}, {}
    for model, options in MODELS.items():
        weights[model] = draw_weights({**DEFAULTS, **options}, generator)
        arrays.update({f"{model}:{name}": value for name, value in weights[model].items()})
    for variant, (model, options) in VARIANTS.items():
        config = {**DEFAULTS, **MODELS[model], **options}
        metadata[f"{variant}/model"] = model
        metadata.update({f"{variant}/{k}": v for k, v in fields(config).items()})
        found = Reference(weights[model], config).run(FORCED if variant == "gru_forced" else None)
        print(variant, [int(row) for row in found["said"]])
        arrays.update({f"{variant}/{name}": value.numpy() for name, value in found.items()})
    write_safetensors("seq2seq.safetensors", arrays, metadata)
