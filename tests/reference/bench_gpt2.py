#!/usr/bin/env python3
"""GPT-2 small with all attention maps, in PyTorch and ONNX Runtime beside heed bench, in turns.

    python3 -P tests/reference/bench_gpt2.py build/release/bin/heed [rounds] [threads]

The shape of GPT-2 small with random weights, no logits, every map returned: transformers' own
GPT2Model (eager attention, output_attentions) where it can be had, and a plain rewrite of it, which
is also exported for ONNX Runtime. Prints the median milliseconds of each at 32, 128 and 1024 tokens,
and Heed's time as a share of the fastest. Without `heed` (a dash), what is there is measured alone.
Needs torch; transformers, and ONNX Runtime for Python or for node (`npm install onnxruntime-node`,
and NODE_PATH), where there are some. Debian's torch takes whatever BLAS is installed: without
OpenBLAS (`apt install libopenblas0-openmp`) it is the reference BLAS, a hundred times slower, and
says nothing of PyTorch. The first line printed is the rate of its products. No round begins after
five minutes.
"""
import inspect
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn

TOKENS = [32, 128, 1024]
D, HEADS, LAYERS, VOCABULARY, POSITIONS = 768, 12, 12, 50257, 1024
LONGEST = 300  # seconds, after which no round begins


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.join, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.wide, self.narrow = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x, mask):
        n = x.shape[0]
        q, k, v = (part.view(n, HEADS, D // HEADS).transpose(0, 1)
                   for part in self.join(self.norm1(x)).split(D, dim=-1))
        scores = q @ k.transpose(1, 2) * (D // HEADS) ** -0.5
        weights = torch.softmax(scores + mask, dim=-1)
        x = x + self.out((weights @ v).transpose(0, 1).reshape(n, D))
        gelu = nn.functional.gelu(self.wide(self.norm2(x)), approximate="tanh")
        return x + self.narrow(gelu), weights


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, D), nn.Embedding(POSITIONS, D)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(D)

    def forward(self, ids):
        n = ids.shape[0]
        x = self.words(ids) + self.places(torch.arange(n))
        mask = torch.full((n, n), float("-inf")).triu(1)
        maps = []
        for layer in self.layers:
            x, weights = layer(x, mask)
            maps.append(weights)
        return self.norm(x), *maps


def transformers_model():
    from transformers import GPT2Config, GPT2Model
    model = GPT2Model(GPT2Config(attn_implementation="eager", use_cache=False)).eval()
    return lambda ids: model(ids[None], output_attentions=True).attentions


def export(plain, n, file):
    takes = inspect.signature(torch.onnx.export).parameters
    traced = {"dynamo": False} if "dynamo" in takes else {}  # what older versions do alone
    torch.onnx.export(plain, (torch.arange(n),), file, input_names=["ids"], opset_version=14,
                      **traced)


def onnx_sessions(plain, threads):
    """One session a length, so that no shape is left open."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    sessions = {}
    for n in TOKENS:
        file = io.BytesIO()
        export(plain, n, file)
        sessions[n] = onnxruntime.InferenceSession(file.getvalue(), options,
                                                   providers=["CPUExecutionProvider"])
    return lambda ids: sessions[len(ids)].run(None, {"ids": ids.numpy()})


def onnx_in_node(plain, threads):
    """The same library under node; tells the milliseconds of a run itself."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for n in TOKENS:
            arguments += [str(n), f"{folder}/{n}.onnx"]
            export(plain, n, arguments[-1])
        node = subprocess.Popen(["node", os.path.join(os.path.dirname(__file__), "onnx_times.js"),
                                 str(threads), *arguments],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if node.stdout.readline() != "ready\n":
            raise RuntimeError("node has no onnxruntime-node (NODE_PATH)")

    def run(ids):
        print(len(ids), file=node.stdin, flush=True)
        return float(node.stdout.readline())
    return run


def peers(threads):
    plain = Plain().eval()
    found = {"PyTorch " + torch.__version__: plain}
    for name, make in [("transformers", transformers_model),
                       ("ONNX Runtime", lambda: onnx_sessions(plain, threads)),
                       ("ONNX Runtime in node", lambda: onnx_in_node(plain, threads))]:
        try:
            found[name] = make()
        except Exception as error:  # it cannot be had here
            print(f"without {name}: {str(error).splitlines()[0]}", file=sys.stderr)
    return found


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
    text = subprocess.run([heed, "bench", "--only", "model/gpt2", "--threads", str(threads),
                           "--repetitions", "1", "--json"],
                          check=True, capture_output=True, text=True).stdout
    return {case["tokens"]: case["median_ms"] for case in json.loads(text)["cases"]
            if case["name"] == "model/gpt2"}


def main():
    heed = sys.argv[1] if len(sys.argv) > 1 else "-"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else torch.get_num_threads()
    torch.set_num_threads(threads)
    times, start = {}, time.monotonic()
    with torch.inference_mode():
        print(f"PyTorch's products: {product_rate():.0f} GFLOP/s", file=sys.stderr)
        models = peers(threads)
        for turn in range(rounds + 1):  # the first is not counted
            if turn > 1 and time.monotonic() - start > LONGEST:
                break
            for name, run in models.items():
                for n in TOKENS:
                    ids = torch.arange(n) * 7 % VOCABULARY
                    begin = time.perf_counter()
                    told = run(ids)
                    took = told if isinstance(told, float) else 1e3 * (time.perf_counter() - begin)
                    times.setdefault(name, {}).setdefault(n, []).append(took)
                    progress(turn, f"{name}, {n} tokens", took)
            if heed != "-":
                for n, took in heed_times(heed, threads).items():
                    times.setdefault("Heed", {}).setdefault(n, []).append(took)
                    progress(turn, f"Heed, {n} tokens", took)
    median = {name: {n: statistics.median(list_[1:]) for n, list_ in of.items()}
              for name, of in times.items()}
    print(f"{'milliseconds, ' + str(threads) + ' threads':<28}" +
          "".join(f"{n:>10}" for n in TOKENS))
    for name, of in median.items():
        print(f"{name:<28}" + "".join(f"{of[n]:>10.1f}" for n in TOKENS))
    if "Heed" in median:
        fastest = {n: min(of[n] for name, of in median.items() if name != "Heed") for n in TOKENS}
        print(f"{'Heed / the fastest other':<28}" +
              "".join(f"{median['Heed'][n] / fastest[n]:>10.2f}" for n in TOKENS))


if __name__ == "__main__":
    main()
