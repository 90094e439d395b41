#!/usr/bin/env python3
"""Expected gradients for tests/train, made with PyTorch's autograd in double precision.

Writes gradients.safetensors: of each variant the loss of a batch ("<variant>/loss", a mean over its
words) and what it passes back to every parameter ("<variant>/<parameter>"). The models are those of
make_transformer.py and make_seq2seq.py, whose weights stand in their files.

Needs torch and numpy (Debian: python3-torch); the tests need neither. Run it in this folder.
"""
import math

import numpy as np
import torch

import make_seq2seq
import make_transformer

torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(True)

START, END = make_seq2seq.START, make_seq2seq.END
# Rows of the vocabulary: source and target of each sentence.
TRANSFORMER_BATCH = [([3, 4, 5, 17, 60], [6, 7, 40]), ([8], [3, 3, 4, 5, 21]), ([33, 12, 3], [])]
RECURRENT_BATCH = [(["the", "cat", "昨天", "ate"], ["le", "chat", "mangé"]),
                   (["苹果"], ["le"]), (["ate", "the"], ["chat", "le", "昨天", "cat"])]


def loss_of(logits, targets, smoothing):
    return torch.nn.functional.cross_entropy(logits, torch.tensor(targets), reduction="sum",
                                             label_smoothing=smoothing)


def leaves(weights):
    return {name: torch.tensor(value, dtype=torch.double, requires_grad=True)
            for name, value in weights.items()}


class Transformer(make_transformer.Reference):
    def embed(self, rows):
        x = self.w["embedding.weight"][rows] * math.sqrt(make_transformer.D)
        if self.positions not in ("sinusoidal", "learned"):
            return x
        n = len(rows)
        p = (make_transformer.sinusoidal(n) if self.positions == "sinusoidal"
             else self.w["positions.learned.weight"][:n])
        if self.join == "add":
            return x + p
        return torch.cat([x, p], 1) @ self.w["positions.join.weight"].T

    def loss(self, source, target, smoothing):
        make_transformer.SOURCE, make_transformer.TARGET = source, [START] + target
        logits = self.run()["decoder_output"] @ self.w["output.weight"].T
        return loss_of(logits, target + [END], smoothing)


class Recurrent(make_seq2seq.Reference):
    """By the equations alone, whose gradients reach the weights."""

    def encode(self):
        x = self.w["encoder.embedding.weight"][[make_seq2seq.row_of(w) for w in make_seq2seq.SOURCE]]
        hidden, last = make_seq2seq.HIDDEN, []
        for layer in range(self.config["n_layers"]):
            sides = []
            for suffix in (f"l{layer}", f"l{layer}_reverse")[:1 + self.config["bidirectional"]]:
                h = c = torch.zeros(hidden)
                rows = [None] * len(x)
                order = range(len(x))
                for t in reversed(order) if suffix.endswith("reverse") else order:
                    h, c, _ = self.cell("encoder", suffix, x[t], h, c)
                    rows[t] = h
                last.append(h)
                sides.append(torch.stack(rows))
            x = torch.cat(sides, 1)
        self.states, self.last = x, torch.stack(last)

    def update(self, x, state):
        hs, cs = [], []
        for layer in range(self.config["n_layers"]):
            x, c, _ = self.cell("decoder", f"l{layer}", x, state[0][layer], state[1][layer])
            hs.append(x)
            cs.append(c)
        return torch.stack(hs), torch.stack(cs)

    def loss(self, source, target, smoothing):
        make_seq2seq.SOURCE, self.rows, self.out = source, {}, {}
        p = self.run(target)["decoder.probabilities"]
        rows = [make_seq2seq.row_of(word) for word in target] + [END]
        return loss_of(torch.log(p), rows, smoothing)


# A variant of a transformer: what make_transformer.Reference takes, and label smoothing.
TRANSFORMERS = {
    "transformer_post": (dict(), 0.0),
    "transformer_pre": (dict(norm="pre", activation="gelu", positions="learned", join="concat"), 0.1),
    "transformer_relative": (dict(positions="relative"), 0.0),
}
RECURRENTS = ["gru_additive", "gru_luong", "gru_none_bilinear", "gru_last", "gru_mean", "gru_cosine",
              "gru_squared-distance", "lstm_scaled_luong", "lstm_one_way_dot", "rnn_deep_concat"]


def backward(model, batch, smoothing, arrays, variant):
    words = sum(len(target) + 1 for _, target in batch)
    loss = sum(model.loss(source, target, smoothing) for source, target in batch) / words
    loss.backward()
    arrays[f"{variant}/loss"] = loss.detach().numpy().reshape(1)
    for name, weight in model.w.items():
        if weight.grad is not None:
            arrays[f"{variant}/{name}"] = weight.grad.numpy()
    print(variant, loss.item())


if __name__ == "__main__":
    arrays = {}
    weights = make_transformer.draw_weights()
    for variant, (options, smoothing) in TRANSFORMERS.items():
        model = Transformer(weights, **options)
        model.w = leaves(weights)
        backward(model, TRANSFORMER_BATCH, smoothing, arrays, variant)
    generator = np.random.default_rng(4)  # as make_seq2seq draws them
    weights = {name: make_seq2seq.draw_weights({**make_seq2seq.DEFAULTS, **options}, generator)
               for name, options in make_seq2seq.MODELS.items()}
    for variant in RECURRENTS:
        name, options = make_seq2seq.VARIANTS[variant]
        config = {**make_seq2seq.DEFAULTS, **make_seq2seq.MODELS[name], **options}
        torch.set_grad_enabled(False)
        model = Recurrent(weights[name], config)
        torch.set_grad_enabled(True)
        model.w = leaves(weights[name])
        backward(model, RECURRENT_BATCH, 0.0, arrays, variant)
    make_seq2seq.write_safetensors("gradients.safetensors", arrays, {})
