#!/usr/bin/env python3
"""Looking inside GPT-2 small in plain PyTorch, beside heed bench --only inside/.

    python3 -P tests/reference/bench_inside.py [heed] [rounds] [threads]

`heed` is the program, or, where PyTorch lives on another system, what it said before: a file
`heed bench --only inside/ --threads N --json > heed.json`. A dash leaves it out.

The shape of GPT-2 small with random weights and 32 tokens: one run with the next token's logits, the
logit lens of all layers and tokens and of the last token, attribution of every part, ablation of
every head to its mean (each from its own layer on), and patching of every layer and token (likewise).
Prints median milliseconds, and each as a multiple of the run. The last column is what the case takes
of the run's multiplications, counted: below it, less work is done or the products are faster.
Debian's torch takes whatever BLAS is installed: without OpenBLAS (`apt install libopenblas0-openmp`)
it is the reference BLAS, a hundred times slower, and says nothing of PyTorch. The first line printed
is the rate of its products. No round begins after five minutes.
"""
import json
import statistics
import subprocess
import sys
import time

import torch
from torch import nn

N, D, HEADS, LAYERS, VOCABULARY, POSITIONS = 32, 768, 12, 12, 50257, 1024
WIDTH = D // HEADS
LONGEST = 300  # seconds, after which no round begins


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.join, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.wide, self.narrow = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def context(self, x, mask):
        q, k, v = (part.view(N, HEADS, WIDTH).transpose(0, 1)
                   for part in self.join(self.norm1(x)).split(D, dim=-1))
        weights = torch.softmax(q @ k.transpose(1, 2) * WIDTH ** -0.5 + mask, dim=-1)
        return (weights @ v).transpose(0, 1).reshape(N, D)

    def feed_forward(self, x):
        return self.narrow(nn.functional.gelu(self.wide(self.norm2(x)), approximate="tanh"))

    def behind(self, x, context):
        x = x + self.out(context)
        return x + self.feed_forward(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, D), nn.Embedding(POSITIONS, D)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(D)
        self.mask = torch.full((N, N), float("-inf")).triu(1)

    def run(self, ids):
        """What each layer reads, the last state behind them, and the contexts of all heads."""
        states, contexts = [self.words(ids) + self.places(torch.arange(N))], []
        for layer in self.layers:
            contexts.append(layer.context(states[-1], self.mask))
            states.append(layer.behind(states[-1], contexts[-1]))
        return states, contexts

    def from_layer(self, x, first):
        for layer in self.layers[first:]:
            x = layer.behind(x, layer.context(x, self.mask))
        return x

    def logits(self, x):
        return self.norm(x) @ self.words.weight.T


def lens(m, states, rows):
    for x in states[1:]:
        m.logits(x[rows]).softmax(-1).topk(5)


def attribution(m, states, contexts, word):
    x = states[-1][-1]
    u = m.words.weight[word] * m.norm.weight
    u = (u - u.mean()) * torch.rsqrt(x.var(unbiased=False) + m.norm.eps)
    parts = [states[0][-1] @ u]
    for i, layer in enumerate(m.layers):
        parts.append((contexts[i][-1] * (layer.out.weight.T @ u)).view(HEADS, WIDTH).sum(-1))
        parts.append(layer.feed_forward(states[i] + layer.out(contexts[i]))[-1] @ u)
    return parts


def ablation(m, states, contexts):
    for i, layer in enumerate(m.layers):
        rows = []
        for head in range(HEADS):
            context = contexts[i].clone()
            part = context[:, head * WIDTH:(head + 1) * WIDTH]
            part.copy_(part.mean(0, keepdim=True).expand_as(part))
            rows.append(m.from_layer(layer.behind(states[i], context), i + 1)[-1])
        m.logits(torch.stack(rows)).softmax(-1)


def patching(m, states, others):
    for i in range(LAYERS):
        rows = []
        for token in range(N):
            x = others[i + 1].clone()
            x[token] = states[i + 1][token]
            rows.append(m.from_layer(x, i + 1)[-1])
        m.logits(torch.stack(rows)).softmax(-1)


def work_of(case):
    """Multiplications of linear maps, of the run's."""
    layer, logits = 12 * D * D * N, VOCABULARY * D
    run = LAYERS * layer + logits
    behind = sum(LAYERS - 1 - i for i in range(LAYERS))
    own = 9 / 12  # of a layer, what stands behind its heads
    return {"run": run, "lens": LAYERS * N * logits, "lens/last": LAYERS * logits,
            "ablation": HEADS * ((behind + LAYERS * own) * layer + LAYERS * logits),
            "patching": N * (behind * layer + LAYERS * logits)}.get(case, 0) / run


def product_rate(n=512):
    """Billions of operations a second of PyTorch's own matrix product: a slow BLAS shows here."""
    a, b = torch.rand(n, n), torch.rand(n, n)
    a @ b
    begin = time.perf_counter()
    a @ b
    return 2e-9 * n ** 3 / (time.perf_counter() - begin)


def progress(turn, name, milliseconds):
    print(f"round {turn}: {name} {milliseconds:.1f} ms", file=sys.stderr, flush=True)


def heed_times(heed, threads):
    if heed.endswith(".json"):
        with open(heed) as file:
            return {case["name"]: case["median_ms"] for case in json.load(file)["cases"]}
    text = subprocess.run([heed, "bench", "--only", "inside/", "--threads", str(threads),
                           "--repetitions", "1", "--json"],
                          check=True, capture_output=True, text=True).stdout
    return {case["name"]: case["median_ms"] for case in json.loads(text)["cases"]}


def main():
    heed = sys.argv[1] if len(sys.argv) > 1 else "-"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else torch.get_num_threads()
    torch.set_num_threads(threads)
    times, start = {}, time.monotonic()
    with torch.inference_mode():
        print(f"PyTorch's products: {product_rate():.0f} GFLOP/s", file=sys.stderr)
        m, ids = Model().eval(), torch.arange(N) * 7 % 1000 + 1
        other = ids.clone()
        other[N // 2] += 1
        (states, contexts), (others, _) = m.run(ids), m.run(other)
        cases = {"run": lambda: m.logits(m.run(ids)[0][-1][-1:]).softmax(-1),
                 "lens": lambda: lens(m, states, slice(None)),
                 "lens/last": lambda: lens(m, states, slice(-1, None)),
                 "attribution": lambda: attribution(m, states, contexts, 17),
                 "ablation": lambda: ablation(m, states, contexts),
                 "patching": lambda: patching(m, states, others)}
        for turn in range(rounds + 1):  # the first is not counted
            if turn > 1 and time.monotonic() - start > LONGEST:
                break
            for name, work in cases.items():
                begin = time.perf_counter()
                work()
                took = 1e3 * (time.perf_counter() - begin)
                times.setdefault(("PyTorch", name), []).append(took)
                progress(turn, f"PyTorch {name}", took)
            if heed != "-" and (turn > 0 or not heed.endswith(".json")):
                for name, took in heed_times(heed, threads).items():
                    times.setdefault(("Heed", name.removeprefix("inside/")), []).append(took)
                    progress(turn, f"Heed {name}", took)
    for who in ("PyTorch", "Heed"):
        median = {name: statistics.median(list_[1:] or list_) for (of, name), list_ in times.items()
                  if of == who}
        for name, took in median.items():
            work = f"{work_of(name):.2f} x its work" if work_of(name) else ""
            print(f"{who:<8} {name:<12} {took:>10.1f} ms {took / median['run']:>8.2f} x a run  {work}")


if __name__ == "__main__":
    main()
