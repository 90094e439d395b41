#!/usr/bin/env python3
"""Expected numbers for tests/models, made with PyTorch in double precision.

Writes transformer_weights.safetensors (a small model as Heed stores it, every parameter drawn, none
left at 0 or 1) and transformer_expected.safetensors ("<variant>/<array>").

Needs torch and numpy, nothing else; the tests need neither. Run it in this folder.
"""
import json
import math
import struct

import numpy as np
import torch
from torch import nn

D, HEADS, LAYERS, FF, VOCABULARY, POSITIONS = 16, 4, 2, 32, 64, 12
D_K = D // HEADS
SOURCE = ["The", "cat", "昨天", "吃", "了", "an", "apple"]
TARGET = ["Le", "chat", "mangé", "🍎", "."]
PAD = "⟨pad⟩"


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def write_safetensors(path, arrays, metadata):
    header, offset = {"__metadata__": metadata} if metadata else {}, 0
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


def draw_weights():
    generator = np.random.default_rng(20170612)
    model = nn.Transformer(D, HEADS, LAYERS, LAYERS, FF, batch_first=True)
    shapes = {name: tuple(p.shape) for name, p in model.state_dict().items()}
    shapes["embedding.weight"] = shapes["output.weight"] = (VOCABULARY, D)
    shapes["positions.learned.weight"] = (POSITIONS, D)
    shapes["positions.join.weight"] = (D, 2 * D)
    for kind in ("encoder", "decoder", "cross"):
        shapes[f"positions.relative.{kind}.weight"] = (32, HEADS)
    for side, modules in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "multihead_attn"])):
        for layer in range(LAYERS):
            for module in modules:
                at = f"scores.{side}.layers.{layer}.{module}"
                for matrix in ("query", "key", "bilinear"):
                    shapes[f"{at}.{matrix}"] = (HEADS, D_K, D_K)
                shapes[f"{at}.hidden"] = (HEADS, D_K)
    weights = {}
    for name, shape in shapes.items():
        draw = generator.uniform(-1, 1, shape)
        if "norm" in name and name.endswith(".weight"):
            draw = 1 + 0.3 * draw
        elif name.startswith("scores.") or "relative" in name:
            draw = 1.2 * draw
        elif len(shape) == 1:
            draw = 0.3 * draw
        elif "learned" not in name:
            draw = draw * math.sqrt(3 / shape[-1])
        weights[name] = draw.astype(np.float32)
    return weights


def sinusoidal(n):
    table = torch.zeros(n, D, dtype=torch.double)
    for p in range(n):
        for i in range(D // 2):
            angle = p / 10000 ** (2 * i / D)
            table[p, 2 * i], table[p, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return table


def relative_bucket(offset, directed):
    """Raffel et al. 2020; distances here are short, where every offset has a bucket of its own."""
    assert abs(offset) < 8
    if directed:
        return max(-offset, 0)
    return (16 if offset > 0 else 0) + abs(offset)


class Reference:
    """The forward pass written out, head by head, so that every weight can be seen."""

    def __init__(self, weights, norm="post", activation="relu", score="dot", positions="sinusoidal",
                 join="add", pad_to=0, pad_mask=False, decoder_only=False):
        self.w = {k: torch.tensor(v, dtype=torch.double) for k, v in weights.items()}
        self.norm_order, self.score, self.positions, self.join = norm, score, positions, join
        self.activation = {"relu": torch.relu, "gelu": nn.functional.gelu}[activation]
        self.pad_to, self.pad_mask, self.decoder_only = pad_to, pad_mask, decoder_only
        self.out = {}

    def embed(self, tokens):
        tokens = tokens + [PAD] * (self.pad_to - len(tokens))
        rows = [fnv1a(t) % VOCABULARY for t in tokens]
        x = self.w["embedding.weight"][rows] * math.sqrt(D)
        if self.positions not in ("sinusoidal", "learned"):
            return x
        n = len(tokens)
        p = sinusoidal(n) if self.positions == "sinusoidal" else self.w["positions.learned.weight"][:n]
        if self.join == "add":
            return x + p
        return torch.cat([x, p], 1) @ self.w["positions.join.weight"].T

    def norm(self, name, x):
        return nn.functional.layer_norm(x, (D,), self.w[name + ".weight"], self.w[name + ".bias"], 1e-5)

    def scores(self, name, head, q, k):
        s = {m: self.w[f"scores.{name}.{m}"][head] for m in ("query", "key", "hidden", "bilinear")}
        if self.score == "additive":
            hidden = torch.tanh((q @ s["query"])[:, None, :] + (k @ s["key"])[None, :, :])
            return hidden @ s["hidden"]
        if self.score == "bilinear":
            q = q @ s["bilinear"]
        return q @ k.T / math.sqrt(D_K)

    def attention(self, name, x, keys, kind, valid):
        w, b = self.w[name + ".in_proj_weight"], self.w[name + ".in_proj_bias"]
        q, k, v = (t @ w[i * D:(i + 1) * D].T + b[i * D:(i + 1) * D]
                   for i, t in enumerate((x, keys, keys)))
        n, m = len(x), len(keys)
        contexts, maps = [], []
        for h in range(HEADS):
            part = slice(h * D_K, (h + 1) * D_K)
            logits = self.scores(name, h, q[:, part], k[:, part])
            if self.positions == "relative":
                table = self.w[f"positions.relative.{kind}.weight"]
                for i in range(n):
                    for j in range(m):
                        logits[i, j] += table[relative_bucket(j - i, kind == "decoder"), h]
            if kind == "decoder":
                logits = logits.masked_fill(torch.ones(n, m).triu(1).bool(), -math.inf)
            elif self.pad_mask:
                logits[:, valid:] = -math.inf
            maps.append(torch.softmax(logits, -1))
            contexts.append(maps[-1] @ v[:, part])
        self.out[name + ".weights"] = torch.stack(maps)
        out = torch.cat(contexts, 1) @ self.w[name + ".out_proj.weight"].T
        return out + self.w[name + ".out_proj.bias"]

    def feed_forward(self, name, x):
        hidden = self.activation(x @ self.w[name + ".linear1.weight"].T + self.w[name + ".linear1.bias"])
        return hidden @ self.w[name + ".linear2.weight"].T + self.w[name + ".linear2.bias"]

    def sublayer(self, norm, x, function):
        if self.norm_order == "pre":
            return x + function(self.norm(norm, x))
        return self.norm(norm, x + function(x))

    def run(self):
        memory = None
        if not self.decoder_only:
            x = self.out["encoder_input"] = self.embed(SOURCE)
            for layer in range(LAYERS):
                at = f"encoder.layers.{layer}"
                x = self.sublayer(at + ".norm1", x, lambda y: self.attention(
                    at + ".self_attn", y, y, "encoder", len(SOURCE)))
                x = self.sublayer(at + ".norm2", x, lambda y: self.feed_forward(at, y))
            memory = self.out["memory"] = self.norm("encoder.norm", x)
        x = self.out["decoder_input"] = self.embed(TARGET)
        for layer in range(LAYERS):
            at = f"decoder.layers.{layer}"
            x = self.sublayer(at + ".norm1", x, lambda y: self.attention(
                at + ".self_attn", y, y, "decoder", len(TARGET)))
            if memory is not None:
                x = self.sublayer(at + ".norm2", x, lambda y: self.attention(
                    at + ".multihead_attn", y, memory, "cross", len(SOURCE)))
            x = self.sublayer(at + ".norm3", x, lambda y: self.feed_forward(at, y))
        self.out["decoder_output"] = self.norm("decoder.norm", x)
        return self.out


def check_against_torch(weights, out, norm, activation, padded):
    """The same through torch.nn.Transformer itself: outputs, and maps where its modules give them."""
    model = nn.Transformer(D, HEADS, LAYERS, LAYERS, FF, dropout=0.1, activation=activation,
                           batch_first=True, norm_first=norm == "pre").double()
    model.load_state_dict({k: torch.tensor(v) for k, v in weights.items()
                           if k.startswith(("encoder.", "decoder."))})
    model.eval()
    source, target = out["encoder_input"], out["decoder_input"]
    causal = torch.ones(len(target), len(target)).triu(1).bool()
    padding = torch.arange(len(source))[None] >= len(SOURCE) if padded else None
    maps = {}
    for name, module in model.named_modules():
        if isinstance(module, nn.MultiheadAttention):
            def seeing(query, key, value, name=name, forward=module.forward, **options):
                options.update(need_weights=True, average_attn_weights=False)
                result, maps[name] = forward(query, key, value, **options)
                return result, None
            module.forward = seeing
    # Gradients on, so that torch takes its ordinary path and not the fused one for inference.
    memory = model.encoder(source[None], src_key_padding_mask=padding)
    output = model.decoder(target[None], memory, tgt_mask=causal, memory_key_padding_mask=padding)
    assert torch.allclose(memory[0], out["memory"], rtol=1e-10, atol=1e-12)
    assert torch.allclose(output[0], out["decoder_output"], rtol=1e-10, atol=1e-12)
    assert len(maps) == 3 * LAYERS
    for name, values in maps.items():
        assert torch.allclose(values[0], out[name + ".weights"], rtol=1e-10, atol=1e-12)


VARIANTS = {
    "post_relu": {},
    "post_gelu": {"activation": "gelu"},
    "pre_relu": {"norm": "pre"},
    "pre_gelu": {"norm": "pre", "activation": "gelu"},
    "padded": {"pad_to": 9, "pad_mask": True},
    "additive_relative": {"score": "additive", "positions": "relative"},
    "bilinear_learned_concat": {"score": "bilinear", "positions": "learned", "join": "concat",
                                "norm": "pre"},
    "decoder_only_post": {"decoder_only": True},
    "decoder_only_pre": {"decoder_only": True, "norm": "pre", "activation": "gelu"},
}

if __name__ == "__main__":
    drawn = draw_weights()
    write_safetensors("transformer_weights.safetensors", drawn, {
        "format": "pt", "heed.model": "transformer", "architecture": "encoder-decoder",
        "d_model": str(D), "n_heads": str(HEADS), "n_encoder_layers": str(LAYERS),
        "n_decoder_layers": str(LAYERS), "d_ff": str(FF), "activation": "relu", "norm": "post",
        "positions": "sinusoidal", "join": "add", "vocabulary": str(VOCABULARY),
        "max_positions": str(POSITIONS), "seed": "1", "norm_epsilon": "1e-05"})
    expected = {}
    for variant, options in VARIANTS.items():
        results = Reference(drawn, **options).run()
        plain = {"score", "positions", "join", "decoder_only"}.isdisjoint(options)
        if plain:
            check_against_torch(drawn, results, options.get("norm", "post"),
                                options.get("activation", "relu"), "pad_to" in options)
        for name, values in results.items():
            expected[f"{variant}/{name}"] = values.detach().numpy()
    write_safetensors("transformer_expected.safetensors", expected, {})
