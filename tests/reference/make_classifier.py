#!/usr/bin/env python3
"""Expected numbers for the classifier, forward and backward, made with PyTorch in double precision.

Writes classifier.safetensors: of each variant its weights ("<variant>/weights/<parameter>"), the
attention weights and class probabilities of the first sentence ("<variant>/attention", heads first,
and "<variant>/probabilities"), the mean loss of all sentences ("<variant>/loss") and what it passes
back to every parameter that learns ("<variant>/gradient/<parameter>"). Attention is that of
torch.nn.MultiheadAttention.

Needs torch and numpy (Debian: python3-torch); the tests need neither. Run it in this folder.
"""
import math

import numpy as np
import torch
from torch import nn

from make_seq2seq import write_safetensors

torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(True)

D, LENGTH, DENSE, CLASSES, VOCABULARY, BUCKETS = 8, 6, 10, 3, 20, 32
# Rows of the vocabulary, and the class of each sentence. The last is longer than LENGTH.
BATCH = [([3, 4, 5, 17], 2), ([8], 0), ([7, 6, 3, 5, 19], 1), ([3, 9, 4, 4, 6, 12, 5, 8], 0)]
VARIANTS = {
    "one_head": dict(heads=1, pooling="mean", positions="sinusoidal", smoothing=0.0),
    "two_heads": dict(heads=2, pooling="mean", positions="none", smoothing=0.1),
    "flattened": dict(heads=4, pooling="flatten", positions="learned", smoothing=0.0),
}


def draw_weights(config, generator):
    heads, d_k = config["heads"], D // config["heads"]
    read = D * (LENGTH if config["pooling"] == "flatten" else 1)
    shapes = {
        "embedding.weight": (VOCABULARY, D),
        "self_attn.in_proj_weight": (3 * D, D), "self_attn.in_proj_bias": (3 * D,),
        "self_attn.out_proj.weight": (D, D), "self_attn.out_proj.bias": (D,),
        "dense.weight": (DENSE, read), "dense.bias": (DENSE,),
        "output.weight": (CLASSES, DENSE), "output.bias": (CLASSES,),
        "positions.learned.weight": (LENGTH, D), "positions.relative.weight": (BUCKETS, heads),
    }
    for matrix in ("query", "key", "bilinear"):
        shapes[f"scores.self_attn.{matrix}"] = (heads, d_k, d_k)
    shapes["scores.self_attn.hidden"] = (heads, d_k)
    return {name: generator.uniform(-0.8, 0.8, shape) for name, shape in shapes.items()}


def sinusoidal(n):
    at = torch.arange(n)[:, None] / 10000.0 ** (torch.arange(0, D, 2) / D)
    return torch.stack([torch.sin(at), torch.cos(at)], 2).reshape(n, D)


class Classifier(nn.Module):
    def __init__(self, config, weights):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(VOCABULARY, D)
        self.learned = nn.Parameter(torch.tensor(weights["positions.learned.weight"]))
        self.self_attn = nn.MultiheadAttention(D, config["heads"], batch_first=True)
        self.dense = nn.Linear(weights["dense.weight"].shape[1], DENSE)
        self.output = nn.Linear(DENSE, CLASSES)
        state = {name: torch.tensor(value) for name, value in weights.items()
                 if not name.startswith(("positions.", "scores."))}
        self.load_state_dict(state, strict=False)

    def forward(self, rows):
        """Logits, and attention weights: heads × tokens × tokens."""
        rows = rows[:LENGTH]
        x = self.embedding(torch.tensor(rows)) * math.sqrt(D)
        if self.config["positions"] == "sinusoidal":
            x = x + sinusoidal(len(rows))
        elif self.config["positions"] == "learned":
            x = x + self.learned[:len(rows)]
        y, weights = self.self_attn(x[None], x[None], x[None], average_attn_weights=False)
        if self.config["pooling"] == "mean":
            read = y[0].mean(0)
        else:
            read = torch.cat([y[0].reshape(-1), torch.zeros((LENGTH - len(rows)) * D)])
        return self.output(torch.relu(self.dense(read))), weights[0]


if __name__ == "__main__":
    generator, arrays = np.random.default_rng(5), {}
    for variant, config in VARIANTS.items():
        weights = draw_weights(config, generator)
        model = Classifier(config, weights)
        for name, value in weights.items():
            arrays[f"{variant}/weights/{name}"] = value
        logits, attention = model(BATCH[0][0])
        arrays[f"{variant}/attention"] = attention.detach().numpy()
        arrays[f"{variant}/probabilities"] = torch.softmax(logits, 0).detach().numpy()
        loss = nn.functional.cross_entropy(torch.stack([model(rows)[0] for rows, _ in BATCH]),
                                           torch.tensor([label for _, label in BATCH]),
                                           label_smoothing=config["smoothing"])
        loss.backward()
        arrays[f"{variant}/loss"] = loss.detach().numpy().reshape(1)
        for name, parameter in model.named_parameters():
            if parameter.grad is None:
                continue
            name = "positions.learned.weight" if name == "learned" else name
            arrays[f"{variant}/gradient/{name}"] = parameter.grad.numpy()
        print(variant, loss.item())
    write_safetensors("classifier.safetensors", arrays, {})
