#!/usr/bin/env python3
"""Expected numbers for tests/models/shapes_test.cpp, made with PyTorch in double precision.

Writes shapes.safetensors: small recurrent models that say a word at each of the source's words
(n-n), one word of the whole source (n-1), or speak from the vector of one word (1-n), and what each
of them computes, laid out as in seq2seq.safetensors. The equations are those at the top of
src/models/recurrent/recurrent.hpp.

Needs torch and numpy (Debian: python3-torch); the tests need neither. Run it in this folder.
"""
import math

import numpy as np
import torch

import make_seq2seq as seq2seq
from make_seq2seq import EMBEDDING, END, HIDDEN, LIMIT, MODULES, ROWS, SOURCE, SPECIAL, START, WORDS

DEFAULTS = {**seq2seq.DEFAULTS, "bidirectional": False}
MODELS = {
    "nn_gru": {"shape": "n-n"},
    "nn_lstm_deep": {"shape": "n-n", "cell": "lstm", "n_layers": 2, "bidirectional": True},
    "nn_rnn": {"shape": "n-n", "cell": "rnn", "bidirectional": True},
    "n1_gru": {"shape": "n-1", "bidirectional": True},
    "n1_lstm": {"shape": "n-1", "cell": "lstm"},
    "n1_rnn_deep": {"shape": "n-1", "cell": "rnn", "n_layers": 2, "bidirectional": True},
    "1n_gru": {"shape": "1-n"},
    "1n_lstm_deep": {"shape": "1-n", "cell": "lstm", "n_layers": 2},
    "1n_rnn": {"shape": "1-n", "cell": "rnn"},
}


def draw_weights(config, generator):
    module, layers, speaks = MODULES[config["cell"]], config["n_layers"], config["shape"] == "1-n"
    shapes = {"encoder.embedding.weight": (ROWS, EMBEDDING)}
    if speaks:
        side, stack = "decoder", module(EMBEDDING, HIDDEN, layers)
        shapes["decoder.embedding.weight"] = (ROWS, EMBEDDING)
        for layer in range(layers):
            shapes[f"bridge.l{layer}.weight"] = (HIDDEN, EMBEDDING)
            shapes[f"bridge.l{layer}.bias"] = (HIDDEN,)
        read = HIDDEN + EMBEDDING
    else:
        side = "encoder"
        stack = module(EMBEDDING, HIDDEN, layers, bidirectional=config["bidirectional"])
        read = HIDDEN * (2 if config["bidirectional"] else 1)
    shapes.update({f"{side}.{name}": tuple(p.shape) for name, p in stack.state_dict().items()})
    shapes["readout.weight"], shapes["readout.bias"] = (HIDDEN, read), (HIDDEN,)
    shapes["output.weight"], shapes["output.bias"] = (ROWS, HIDDEN), (ROWS,)
    weights = {}
    for name, shape in shapes.items():
        bound = 0.4 if "bias" in name else 1.5 if "embedding" in name else 2 / math.sqrt(shape[-1])
        if name.startswith(("output.weight", "readout.weight", "decoder.weight_ih")):
            bound *= 2
        weights[name] = generator.uniform(-bound, bound, shape).astype(np.float32)
    return weights


class Shape(seq2seq.Reference):
    def __init__(self, weights, config):
        self.config, self.out, self.rows = config, {}, {}
        self.w = {name: torch.tensor(value, dtype=torch.double) for name, value in weights.items()}
        module, layers = MODULES[config["cell"]], config["n_layers"]
        side = "decoder" if config["shape"] == "1-n" else "encoder"
        stack = module(EMBEDDING, HIDDEN, layers, bidirectional=config["bidirectional"])
        stack.load_state_dict({name: self.w[f"{side}.{name}"] for name in stack.state_dict()})
        setattr(self, side, stack.double().eval())

    def word(self, t):
        """The probabilities after t, and the row of the word that is said."""
        p = torch.softmax(self.w["output.weight"] @ t + self.w["output.bias"], 0)
        best = torch.sort(p[END:SPECIAL + len(WORDS)], descending=True)
        assert best.values[0] - best.values[1] > 1e-3  # no word hangs on the rounding of float32
        return p, END + int(best.indices[0])

    def read_out(self, *parts):
        return torch.tanh(self.w["readout.weight"] @ torch.cat(parts) + self.w["readout.bias"])

    def label(self):
        self.encode()
        if self.config["shape"] == "n-n":
            reads = list(self.states)
        else:  # of each direction the state that it ended with
            ends = self.last[-2 if self.config["bidirectional"] else -1:]
            reads = [ends.reshape(-1)]
        for read in reads:
            t = self.read_out(read)
            p, said = self.word(t)
            self.seen("readout", t)
            self.seen("readout.probabilities", p)
            self.seen("said", torch.tensor([float(said)]))

    def speak(self):
        seed = self.w["encoder.embedding.weight"][seq2seq.row_of(SOURCE[0])]
        self.out["seed"] = seed[None]
        layers = range(self.config["n_layers"])
        h = torch.stack([torch.tanh(self.w[f"bridge.l{l}.weight"] @ seed
                                    + self.w[f"bridge.l{l}.bias"]) for l in layers])
        state, said = (h, torch.zeros_like(h)), START
        while True:
            y = self.w["decoder.embedding.weight"][said]
            self.seen("decoder_input", y)
            state = self.update(y, state)
            t = self.read_out(state[0][-1], y)
            p, said = self.word(t)
            self.seen("decoder_output", t)
            self.seen("decoder.probabilities", p)
            self.seen("said", torch.tensor([float(said)]))
            if said == END or len(self.rows["said"]) == LIMIT:
                break

    def run(self):
        self.speak() if self.config["shape"] == "1-n" else self.label()
        self.out.update({name: torch.stack(rows) for name, rows in self.rows.items()})
        return self.out


if __name__ == "__main__":
    generator = np.random.default_rng(506)
    arrays, metadata = {}, {}
    for model, options in MODELS.items():
        config = {**DEFAULTS, **options}
        weights = draw_weights(config, generator)
        arrays.update({f"{model}:{name}": value for name, value in weights.items()})
        metadata[f"{model}/model"] = model
        metadata.update({f"{model}/{k}": v for k, v in seq2seq.fields(config).items()})
        found = Shape(weights, config).run()
        print(model, [int(row) for row in found["said"]])
        arrays.update({f"{model}/{name}": value.numpy() for name, value in found.items()})
    seq2seq.write_safetensors("shapes.safetensors", arrays, metadata)
