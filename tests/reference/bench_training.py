#!/usr/bin/env python3
"""Steps of training in PyTorch beside those of heed bench, on one machine, in turns.

    python3 tests/reference/bench_training.py build/release/bin/heed [rounds]

The sizes are those of src/app/cli/training_bench.hpp: batches of 32 sentences of one length, so that
nobody gains by leaving padding out. PyTorch's Adam is fused where it has a fused one on this device,
else it goes over all parameters at once. Needs torch (Debian: python3-torch).
"""
import json
import statistics
import subprocess
import sys
import time

import torch
from torch import nn

BATCH = 32
SIZES = {  # words, length
    "": (4000, 16),
    "small-": (800, 10),
}


class Transformer(nn.Module):
    def __init__(self, words, small):
        super().__init__()
        d = 64 if small else 128
        self.root = d ** 0.5
        self.embedding = nn.Embedding(words, d)
        self.model = nn.Transformer(d, 4, 2, 2, 4 * d, dropout=0.0, batch_first=True)
        self.output = nn.Linear(d, words, bias=False)
        self.register_buffer("positions", torch.rand(64, d))

    def forward(self, source, target):
        n = target.shape[1]
        embed = lambda rows: self.embedding(rows) * self.root + self.positions[:rows.shape[1]]
        causal = torch.ones(n, n).triu(1).bool()
        return self.output(self.model(embed(source), embed(target), tgt_mask=causal))


class Seq2Seq(nn.Module):
    """Bidirectional GRU, additive attention before each step of the decoder, one projection of the
    states as keys and values."""

    def __init__(self, words, small):
        super().__init__()
        h, e = (96, 64) if small else (256, 256)
        self.source, self.target = nn.Embedding(words, e), nn.Embedding(words, e)
        self.encoder = nn.GRU(e, h, bidirectional=True, batch_first=True)
        self.bridge = nn.Linear(2 * h, h)
        self.key = nn.Linear(2 * h, h, bias=False)
        self.query_part, self.key_part = nn.Linear(h, h, bias=False), nn.Linear(h, h, bias=False)
        self.hidden = nn.Linear(h, 1, bias=False)
        self.cell = nn.GRUCell(e + h, h)
        self.readout = nn.Linear(2 * h + e, h)
        self.output = nn.Linear(h, words)

    def forward(self, source, target):
        states, last = self.encoder(self.source(source))
        keys = self.key(states)
        parts = self.key_part(keys)
        state = torch.tanh(self.bridge(torch.cat([last[0], last[1]], 1)))
        words, read = self.target(target), []
        for t in range(target.shape[1]):
            scores = self.hidden(torch.tanh(self.query_part(state)[:, None] + parts))
            weights = torch.softmax(scores.squeeze(2), 1)
            context = torch.bmm(weights[:, None], keys).squeeze(1)
            state = self.cell(torch.cat([words[:, t], context], 1), state)
            read.append(torch.cat([state, context, words[:, t]], 1))
        return self.output(torch.tanh(self.readout(torch.stack(read, 1))))


def adam(parameters):
    for options in ({"fused": True}, {"foreach": True}, {}):
        try:
            optimizer = torch.optim.Adam(parameters, lr=1e-4, **options)
            for p in parameters:
                p.grad = torch.zeros_like(p)
            optimizer.step()
            return optimizer
        except (RuntimeError, TypeError):
            continue
    raise RuntimeError("no Adam")


def peer(kind, small):
    words, length = SIZES["small-" if small else ""]
    torch.manual_seed(1)
    model = (Transformer if kind == "transformer" else Seq2Seq)(words, small)
    optimizer = adam(list(model.parameters()))
    source, target, wanted = (torch.randint(3, words, (BATCH, length)) for _ in range(3))

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(source, target)
        nn.functional.cross_entropy(logits.reshape(-1, words), wanted.reshape(-1)).backward()
        optimizer.step()

    return step


def heed_cases(program, threads):
    cases = {}
    for only in ("train/", "matmul"):
        out = subprocess.run([program, "bench", "--json", "--only", only, "--threads", str(threads),
                              "--repetitions", "7"], check=True, capture_output=True, text=True)
        cases.update({c["name"]: c for c in json.loads(out.stdout)["cases"]})
    return cases


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"PyTorch {torch.__version__}; medians of {rounds} rounds")
    for threads in (1, 2):
        torch.set_num_threads(threads)
        steps = {f"train/{size}{kind}": peer(kind, bool(size))
                 for size in SIZES for kind in ("transformer", "seq2seq")}
        times, ours = {name: [] for name in steps}, []
        for _ in range(rounds):
            for name, step in steps.items():
                step()
                for _ in range(3):
                    begin = time.perf_counter()
                    step()
                    times[name].append(1e3 * (time.perf_counter() - begin))
            ours.append(heed_cases(program, threads))
        middle = lambda name, field: statistics.median(c[name][field] for c in ours)
        product = middle("matmul", "gflops")
        print(f"{threads} thread(s), products at {product:.0f} GFLOP/s")
        for name in steps:
            torch_ms, heed_ms = statistics.median(times[name]), middle(name, "median_ms")
            share = 100 * statistics.median(c[name]["gflops"] / c["matmul"]["gflops"] for c in ours)
            print(f"  {name:24} heed {1e3 / heed_ms:7.1f} steps/s, {share:3.0f} % of products; "
                  f"PyTorch {1e3 / torch_ms:7.1f}; {torch_ms / heed_ms:.1f} times")


if __name__ == "__main__":
    main()
