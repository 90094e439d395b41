#!/usr/bin/env python3
"""A folder in the shape of GPT-2 small, with random weights, to measure how it opens.

    python3 tests/reference/make_gpt2_shape.py FOLDER [F32|BF16|F16] [tokenizer.json]

Writes config.json and model.safetensors (124 million numbers), and copies the tokeniser. Numbers are
drawn once for a block of 2^18 and repeated: what is measured is time and memory, and no one reads
what such a model says. Needs nothing but Python.
"""
import array
import json
import pathlib
import random
import shutil
import struct
import sys

D, LAYERS, VOCABULARY, POSITIONS, BLOCK = 768, 12, 50257, 1024, 1 << 18


def shapes():
    yield "wte.weight", [VOCABULARY, D]
    yield "wpe.weight", [POSITIONS, D]
    for layer in range(LAYERS):
        for name, inputs, outputs in [("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D),
                                      ("mlp.c_fc", D, 4 * D), ("mlp.c_proj", 4 * D, D)]:
            yield f"h.{layer}.{name}.weight", [inputs, outputs]
            yield f"h.{layer}.{name}.bias", [outputs]
        for norm in ["ln_1", "ln_2"]:
            yield f"h.{layer}.{norm}.weight", [D]
            yield f"h.{layer}.{norm}.bias", [D]
    yield "ln_f.weight", [D]
    yield "ln_f.bias", [D]


def block_of(element):
    draw = random.Random(1)
    numbers = [draw.gauss(0, 0.05) for _ in range(BLOCK)]
    if element == "F32":
        return array.array("f", numbers).tobytes()
    if element == "F16":
        return struct.pack(f"<{BLOCK}e", *numbers)
    halves = array.array("f", numbers).tobytes()
    return b"".join(halves[i + 2:i + 4] for i in range(0, len(halves), 4))  # BF16, cut


def main(folder, element="F32", tokenizer=None):
    to = pathlib.Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    size = 4 if element == "F32" else 2
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in shapes():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": element, "shape": shape, "data_offsets": [at, at + size * count]}
        at += size * count
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    block = block_of(element)
    with open(to / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _ in range(at // len(block)):
            file.write(block)
        file.write(block[:at % len(block)])
    config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": D,
              "n_head": 12, "n_layer": LAYERS, "n_positions": POSITIONS, "vocab_size": VOCABULARY,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
              "bos_token_id": 50256, "eos_token_id": 50256, "tie_word_embeddings": True}
    (to / "config.json").write_text(json.dumps(config, indent=1))
    if tokenizer:
        shutil.copy(tokenizer, to / "tokenizer.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
