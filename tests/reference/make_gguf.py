#!/usr/bin/env python3
"""Makes tests/tensors/gguf and tests/models/gguf: small GGUF files, and beside each what their
numbers come to: dequantised by the package gguf, run by transformers in float64.

    python3 tests/reference/make_gguf.py [types | FAMILY …]

Weights are drawn as checkpoints.py draws them, stored under GGUF's names in the order of rows that
GGUF has, and read back for the library from what was stored. Blocks that the package cannot write
(Q4_K, Q5_K, Q6_K) are drawn, byte by byte.
"""
import pathlib
import sys

import gguf
import numpy as np
import torch
import transformers as T
from gguf import GGMLQuantizationType as Q
from safetensors.numpy import save_file

import checkpoints

ROOT = pathlib.Path(__file__).parents[1]
HALF = {Q.Q4_K: (4, 900.0), Q.Q5_K: (4, 1800.0), Q.Q6_K: (210, 1400.0)}


def drawn_blocks(kind, shape, spread, generator):
    """Blocks of any bytes, with scales that give numbers of about this spread."""
    numbers, size = gguf.GGML_QUANT_SIZES[kind]
    count = int(np.prod(shape)) // numbers
    blocks = torch.randint(0, 256, (count, size), generator=generator).numpy().astype(np.uint8)
    vary = torch.rand(count, generator=generator).numpy() * 0.5 + 0.75
    scale = (spread * vary / HALF[kind][1]).astype(np.float16)
    if kind == Q.Q6_K:
        blocks[:, 208:210] = scale.view(np.uint8).reshape(-1, 2)
    else:  # what is taken off is about what the numbers are in the mean
        mean = (scale * (7.5 if kind == Q.Q4_K else 15.5)).astype(np.float16)
        blocks[:, 0:2] = scale.view(np.uint8).reshape(-1, 2)
        blocks[:, 2:4] = mean.view(np.uint8).reshape(-1, 2)
    return blocks.reshape(*shape[:-1], -1)


def stored(values, kind, generator):
    """Bytes of a type, as add_tensor() takes them, and the floats that they are."""
    if kind in HALF:
        raw = drawn_blocks(kind, values.shape, float(values.std()), generator)
    else:
        raw = gguf.quants.quantize(np.ascontiguousarray(values, dtype=np.float32), kind)
    back = np.ascontiguousarray(gguf.quants.dequantize(raw, kind), dtype=np.float32)
    return raw, back.reshape(values.shape)


def add(writer, name, raw, kind):
    plain = {Q.F32: np.float32, Q.F16: np.float16}.get(kind)
    writer.add_tensor(name, raw if plain is None else raw.view(plain), raw_dtype=kind)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make_types():
    folder = ROOT / "tensors" / "gguf"
    generator = torch.Generator().manual_seed(7)
    writer = gguf.GGUFWriter(folder / "types.gguf", "none")
    writer.add_uint32("one.number", 3)
    writer.add_int32("one.negative", -3)
    writer.add_float32("one.float", 0.5)
    writer.add_bool("one.flag", True)
    writer.add_string("one.text", "für")
    writer.add_array("one.texts", ["a", "", "zwei"])
    writer.add_array("one.numbers", [1, 2, 70000])
    expected = {}
    for kind in (Q.F32, Q.F16, Q.BF16, Q.Q8_0, Q.Q4_0, Q.Q4_K, Q.Q5_K, Q.Q6_K):
        values = torch.randn((3, 256), generator=generator).numpy()
        raw, back = stored(values, kind, generator)
        add(writer, kind.name, raw, kind)
        expected[kind.name] = back
    finish(writer)
    save_file(expected, folder / "types.safetensors")


if __name__ == "__main__":
    wanted = sys.argv[1:]
    if not wanted or "types" in wanted:
        make_types()
