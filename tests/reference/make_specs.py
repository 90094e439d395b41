#!/usr/bin/env python3
"""Makes specs.safetensors beside it: what PyTorch says about whole models of many specifications.

A case is named after the family whose parts it has. Its weights lie under "<case>/weights/", what it
comes to under "<case>/expected/", its specification in the metadata under "<case>/". In float64,
written as float32.
"""
import json
import math
import pathlib
import struct

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20230718)

D, HEADS, LAYERS, FF, VOCABULARY, ROWS = 12, 4, 2, 20, 23, 16
SOURCE = [f"w{i}" for i in range(9)]
TARGET = [f"v{i}" for i in range(5)]
USUAL = {
    "architecture": "decoder-only", "d_ff": FF, "activation": "gelu", "norm": "pre",
    "join": "add", "positions": "none", "norm_epsilon": 1e-5,
    "embedding.factor": 0, "embedding.token_types": 0, "embedding.position_offset": 0,
    "embedding.norm": False, "attention.n_kv_heads": HEADS, "attention.head_width": D // HEADS,
    "attention.bias": True, "attention.output_bias": True, "attention.scale": 0,
    "attention.scale_by_layer": False, "attention.windows": [], "attention.cross_positions": True,
    "attention.rotary_pairs": "adjacent", "attention.rotary_base": 10000,
    "attention.rotary_width": 0, "attention.rotary_factor": 1, "attention.rotary_low": 1,
    "attention.rotary_high": 4, "attention.rotary_length": 8192,
    "attention.relative_buckets": 32, "attention.relative_distance": 128,
    "feed_forward.gated": False, "feed_forward.bias": True, "feed_forward.parallel": False,
    "norms.kind": "layer", "norms.bias": True, "norms.shared": False, "norms.last": True,
    "word_logits.tied": False, "word_logits.factor": 1, "word_logits.bias": False,
}
CASES = {
    "gpt2": {"activation": "gelu_tanh", "positions": "learned", "embedding.factor": 1,
             "word_logits.tied": True, "attention.scale_by_layer": True},
    "llama": {"activation": "silu", "norms.kind": "rms", "norm_epsilon": 1e-6,
              "positions": "rotary", "attention.rotary_pairs": "halves",
              "attention.rotary_base": 500, "attention.rotary_factor": 8,
              "attention.rotary_length": 32, "attention.n_kv_heads": 2, "attention.head_width": 6,
              "attention.bias": False, "attention.output_bias": False,
              "feed_forward.gated": True, "feed_forward.bias": False, "embedding.factor": 1},
    "gemma": {"activation": "gelu_tanh", "norms.kind": "rms", "positions": "rotary",
              "attention.rotary_pairs": "halves", "attention.n_kv_heads": 1,
              "attention.head_width": 4, "attention.scale": 0.3, "attention.windows": [3, 0],
              "attention.bias": False, "attention.output_bias": False, "feed_forward.gated": True,
              "feed_forward.bias": False, "word_logits.tied": True},
    "neox": {"positions": "rotary", "attention.rotary_pairs": "halves",
             "attention.head_width": 6, "attention.rotary_width": 4,
             "feed_forward.parallel": True, "embedding.factor": 1},
    "gptj": {"activation": "gelu_tanh", "positions": "rotary", "attention.head_width": 6,
             "attention.rotary_width": 4, "feed_forward.parallel": True, "norms.shared": True,
             "attention.bias": False, "attention.output_bias": False, "embedding.factor": 1,
             "word_logits.bias": True},
    "opt": {"activation": "relu", "positions": "learned", "embedding.position_offset": 2,
            "embedding.factor": 1},
    "bert": {"architecture": "encoder-only", "norm": "post", "positions": "learned",
             "embedding.factor": 1, "embedding.norm": True, "embedding.token_types": 2,
             "norms.last": False},
    "clip": {"activation": "quick_gelu", "positions": "learned", "embedding.factor": 1,
             "norms.bias": False},
    "t5": {"architecture": "encoder-decoder", "activation": "relu", "norms.kind": "rms",
           "positions": "relative", "attention.relative_buckets": 8,
           "attention.relative_distance": 20, "attention.cross_positions": False,
           "attention.scale": 1, "attention.bias": False, "attention.output_bias": False,
           "feed_forward.bias": False, "embedding.factor": 1, "word_logits.tied": True,
           "word_logits.factor": D**-0.5, "attention.head_width": 5},
}


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


class Network:
    def __init__(self, spec):
        self.s, self.weights = spec, {}

    def draw(self, name, *shape, spread=0.6):
        if name not in self.weights:
            # Numbers that float32 holds.
            self.weights[name] = torch.randint(-256, 257, shape).double() / 256 * spread
        return self.weights[name]

    def norm(self, name, x):
        s = self.s
        gain = 1 + self.draw(name + ".weight", D, spread=0.5)
        self.weights[name + ".weight"] = gain
        if s["norms.kind"] == "rms":
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + s["norm_epsilon"]) * gain
        shift = self.draw(name + ".bias", D) if s["norms.bias"] else None
        return F.layer_norm(x, (D,), gain, shift, s["norm_epsilon"])

    def linear(self, name, x, size, bias):
        w = self.draw(name + ".weight", size, x.shape[-1])
        return F.linear(x, w, self.draw(name + ".bias", size) if bias else None)

    def activation(self, x):
        return {"relu": F.relu, "gelu": F.gelu, "silu": F.silu,
                "gelu_tanh": lambda z: F.gelu(z, approximate="tanh"),
                "quick_gelu": lambda z: z * torch.sigmoid(1.702 * z)}[self.s["activation"]](x)

    def feed_forward(self, at, x):
        s = self.s
        hidden = self.activation(self.linear(at + ".linear1", x, s["d_ff"], s["feed_forward.bias"]))
        if s["feed_forward.gated"]:
            hidden = hidden * self.linear(at + ".gate", x, s["d_ff"], s["feed_forward.bias"])
        return self.linear(at + ".linear2", hidden, D, s["feed_forward.bias"])

    def rotated(self, x):
        s = self.s
        width = s["attention.rotary_width"] or x.shape[-1]
        frequencies = [s["attention.rotary_base"] ** (-2 * c / width) for c in range(width // 2)]
        if s["attention.rotary_factor"] != 1:
            frequencies = [self.llama3(f) for f in frequencies]
        angles = torch.arange(x.shape[-2]).double()[:, None] * torch.tensor(frequencies)
        cos, sin = angles.cos(), angles.sin()
        part, rest = x[..., :width], x[..., width:]
        if s["attention.rotary_pairs"] == "halves":
            a, b = part[..., : width // 2], part[..., width // 2 :]
            return torch.cat((a * cos - b * sin, b * cos + a * sin, rest), -1)
        a, b = part[..., 0::2], part[..., 1::2]
        turned = torch.stack((a * cos - b * sin, a * sin + b * cos), -1).reshape(part.shape)
        return torch.cat((turned, rest), -1)

    def llama3(self, frequency):
        factor, low, high, length = (self.s[f"attention.rotary_{key}"]
                                     for key in ("factor", "low", "high", "length"))
        wavelength = 2 * math.pi / frequency
        if wavelength < length / high:
            return frequency
        if wavelength > length / low:
            return frequency / factor
        smooth = (length / wavelength - low) / (high - low)
        return (1 - smooth) * frequency / factor + smooth * frequency

    def bucket(self, offset, directed):
        buckets, farthest = self.s["attention.relative_buckets"], self.s["attention.relative_distance"]
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
        far = exact + int(math.log(n / exact) / math.log(farthest / exact) * (buckets - exact))
        return result + min(far, buckets - 1)

    def attention(self, at, kind, layer, x, memory=None):
        s = self.s
        kv, width = s["attention.n_kv_heads"], s["attention.head_width"]
        read = x if memory is None else memory
        sizes = [HEADS * width, kv * width, kv * width]
        w = self.draw(at + ".in_proj_weight", sum(sizes), D)
        b = self.draw(at + ".in_proj_bias", sum(sizes)) if s["attention.bias"] else torch.zeros(sum(sizes))
        wq, wk, wv = w.split(sizes)
        bq, bk, bv = b.split(sizes)
        split = lambda y, heads: y.reshape(len(y), heads, width).transpose(0, 1)
        q, k = split(F.linear(x, wq, bq), HEADS), split(F.linear(read, wk, bk), kv)
        v = split(F.linear(read, wv, bv), kv)
        placed = kind != "cross" or s["attention.cross_positions"]
        if s["positions"] == "rotary" and placed:
            q, k = self.rotated(q), self.rotated(k)
        k, v = (t.repeat_interleave(HEADS // kv, 0) for t in (k, v))
        scale = s["attention.scale"] or width**-0.5
        if s["attention.scale_by_layer"]:
            scale /= layer + 1
        scores = q @ k.transpose(1, 2) * scale
        n, m = scores.shape[1:]
        offsets = torch.arange(m)[None, :] - torch.arange(n)[:, None]
        directed = kind == "decoder"
        if s["positions"] == "relative" and placed:
            table = self.draw(f"positions.relative.{kind}.weight",
                              s["attention.relative_buckets"], HEADS, spread=2)
            rows = [[self.bucket(o, directed) for o in row] for row in offsets.tolist()]
            scores = scores + table[torch.tensor(rows)].permute(2, 0, 1)
        if directed:
            scores = scores.masked_fill(offsets > 0, -math.inf)
        if s["attention.windows"] and kind != "cross":
            window = s["attention.windows"][layer % len(s["attention.windows"])]
            if window:
                scores = scores.masked_fill(offsets.abs() >= window, -math.inf)
        y = (F.softmax(scores, -1) @ v).transpose(0, 1).reshape(n, HEADS * width)
        return self.linear(at + ".out_proj", y, D, s["attention.output_bias"])

    def layer(self, stack, index, x, memory):
        s, at = self.s, f"{stack}.layers.{index}"
        sublayers = [("norm1", lambda y: self.attention(at + ".self_attn", stack, index, y))]
        if memory is not None:
            sublayers.append(("norm2", lambda y: self.attention(at + ".multihead_attn", "cross", index,
                                                                y, memory)))
        last = "norm3" if stack == "decoder" else "norm2"
        sublayers.append((last, lambda y: self.feed_forward(at, y)))
        if s["feed_forward.parallel"]:
            read = self.norm(at + ".norm1", x)
            beside = read if s["norms.shared"] else self.norm(f"{at}.{last}", x)
            return x + sublayers[0][1](read) + sublayers[1][1](beside)
        for norm, f in sublayers:
            x = x + f(self.norm(f"{at}.{norm}", x)) if s["norm"] == "pre" else self.norm(f"{at}.{norm}", x + f(x))
        return x

    def stack(self, name, words, types, memory=None):
        s = self.s
        rows = torch.tensor([fnv1a(w) % VOCABULARY for w in words])
        x = self.draw("embedding.weight", VOCABULARY, D)[rows] * (s["embedding.factor"] or D**0.5)
        if s["embedding.token_types"]:
            x = x + self.draw("token_types.weight", s["embedding.token_types"], D)[torch.tensor(types)]
        if s["positions"] == "learned":
            first = s["embedding.position_offset"]
            x = x + self.draw("positions.learned.weight", ROWS, D)[first : first + len(x)]
        if s["embedding.norm"]:
            x = self.norm(name + ".embedding.norm", x)
        for index in range(LAYERS):
            x = self.layer(name, index, x, memory)
        return self.norm(name + ".norm", x) if s["norms.last"] else x

    def run(self):
        s, result, memory = self.s, {}, None
        types = [0] * 4 + [1] * (len(SOURCE) - 4)
        if s["architecture"] != "decoder-only":
            memory = result["memory"] = self.stack("encoder", SOURCE, types)
        if s["architecture"] != "encoder-only":
            words = TARGET if memory is not None else SOURCE
            y = result["decoder_output"] = self.stack("decoder", words, types, memory)
            output = self.draw("embedding.weight" if s["word_logits.tied"] else "output.weight", VOCABULARY, D)
            logits = y[-1] @ output.T * s["word_logits.factor"]
            if s["word_logits.bias"]:
                logits = logits + self.draw("output.bias", VOCABULARY)
            result["next"] = F.softmax(logits, -1)[None]
        elif not s["word_logits.tied"]:
            self.draw("output.weight", VOCABULARY, D)
        return result


def text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


header, data, metadata = {}, b"", {"format": "pt"}
for case, changes in CASES.items():
    spec = USUAL | changes
    network = Network(spec)
    expected = network.run()
    told = {"heed.model": "transformer", "d_model": D, "n_heads": HEADS, "n_encoder_layers": LAYERS,
            "n_decoder_layers": LAYERS, "vocabulary": VOCABULARY, "max_positions": ROWS, "seed": 1}
    for key, value in (told | spec).items():
        metadata[f"{case}/{key}"] = text(value)
    for folder, tensors in (("weights", network.weights), ("expected", expected)):
        for name, tensor in tensors.items():
            raw = struct.pack(f"<{tensor.numel()}f", *tensor.flatten().tolist())
            header[f"{case}/{folder}/{name}"] = {
                "dtype": "F32", "shape": list(tensor.shape),
                "data_offsets": [len(data), len(data) + len(raw)]}
            data += raw
encoded = json.dumps({"__metadata__": metadata} | header, separators=(",", ":")).encode()
encoded += b" " * (-len(encoded) % 8)
path = pathlib.Path(__file__).with_name("specs.safetensors")
path.write_bytes(struct.pack("<Q", len(encoded)) + encoded + data)
