#!/usr/bin/env python3
"""Makes tests/tensors/gguf and tests/models/gguf: small GGUF files, and beside each what their
numbers come to: dequantised by the package gguf, run by transformers in float64. And
tests/tokenizers/data/gguf: tokenisers of that folder, written into GGUF files.

    python3 tests/reference/make_gguf.py [types | tokenizers | FAMILY …]

Weights are drawn as checkpoints.py draws them, stored under GGUF's names in the order of rows that
GGUF has, and read back for the library from what was stored. Blocks that the package cannot write
(Q4_K, Q5_K, Q6_K) are drawn, byte by byte.
"""
import json
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


NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6


def add_bytes_tokenizer(writer, path, cut):
    """A tokenizer.json with byte-level merges."""
    data = json.loads(path.read_text())
    kinds = {t: NORMAL for t in data["model"]["vocab"]}
    ids = dict(data["model"]["vocab"])
    for token in data["added_tokens"]:
        ids[token["content"]] = token["id"]
        kinds[token["content"]] = CONTROL if token["special"] else USER
    tokens = sorted(ids, key=ids.get)
    assert [ids[t] for t in tokens] == list(range(len(tokens)))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(cut)
    writer.add_token_list(tokens)
    writer.add_token_types([kinds[t] for t in tokens])
    writer.add_token_merges([" ".join(m) for m in data["model"]["merges"]])
    writer.add_bos_token_id(0)


def add_scores_tokenizer(writer, tokens, scores, kinds):
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(tokens.index("<s>"))
    writer.add_eos_token_id(tokens.index("</s>"))
    writer.add_unk_token_id(tokens.index("<unk>"))
    writer.add_add_bos_token(True)


def make_tokenizers():
    import sentencepiece
    data = ROOT / "tokenizers" / "data"
    for name, cut in (("gpt2", "gpt-2"), ("llama3", "llama-bpe"), ("qwen2", "qwen2"), ("gpt4o", "gpt-4o")):
        writer = gguf.GGUFWriter(data / "gguf" / f"{name}.gguf", "none")
        add_bytes_tokenizer(writer, data / f"{name}.json", cut)
        finish(writer)
    sp = sentencepiece.SentencePieceProcessor(str(data / "old_llama" / "tokenizer.model"))
    kinds = [UNKNOWN if sp.is_unknown(i) else CONTROL if sp.is_control(i) else BYTE if sp.is_byte(i)
             else USER if sp.id_to_piece(i) == "NEWTOKEN" else NORMAL for i in range(len(sp))]
    writer = gguf.GGUFWriter(data / "gguf" / "old_llama.gguf", "none")
    add_scores_tokenizer(writer, [sp.id_to_piece(i) for i in range(len(sp))],
                         [sp.get_score(i) for i in range(len(sp))], kinds)
    finish(writer)


DECODER = checkpoints.DECODER
BIG = DECODER | dict(hidden_size=256, num_hidden_layers=1, intermediate_size=256)
BLOCKS = dict(attn_q=Q.Q4_K, attn_k=Q.Q8_0, attn_v=Q.Q6_K, attn_output=Q.Q5_K, ffn_gate=Q.Q4_0,
              ffn_up=Q.Q4_K, ffn_down=Q.Q6_K, token_embd=Q.Q8_0, output=Q.Q6_K)


def known(name):
    cls, config, _ = checkpoints.CASES[name]
    return cls, config


# name: architecture, class and configuration, types of the tables
CASES = {
    "llama": ("llama", *known("llama"), Q.F32),
    "llama_tied": ("llama", *known("llama_tied"), Q.F32),
    "llama_blocks": ("llama", T.LlamaForCausalLM, T.LlamaConfig(
        **BIG, num_attention_heads=8, num_key_value_heads=2, rope_parameters=dict(
            rope_type="llama3", rope_theta=100.0, factor=5.0, low_freq_factor=1.5,
            high_freq_factor=3.5, original_max_position_embeddings=60)), BLOCKS),
    "mistral": ("llama", *known("mistral"), Q.BF16),
    "qwen2": ("qwen2", T.Qwen2ForCausalLM, T.Qwen2Config(**DECODER, num_attention_heads=3,
              num_key_value_heads=1, tie_word_embeddings=True), Q.F16),
    "qwen3": ("qwen3", *known("qwen3"), Q.F32),
    "gemma": ("gemma", *known("gemma"), Q.F32),
    "gemma2": ("gemma2", T.Gemma2ForCausalLM, T.Gemma2Config(
        **DECODER, num_attention_heads=2, num_key_value_heads=1, head_dim=8,
        query_pre_attn_scalar=8, sliding_window=4, attn_logit_softcapping=3.0,
        final_logit_softcapping=5.0), Q.F32),
    "phi3": ("phi3", *known("phi3"), Q.F32),
    "gpt2": ("gpt2", *known("gpt2_plain"), Q.F16),
}


def neighbours(rows, heads):
    """Rows of a head's two halves, in turn: what GGUF has where rotary pairs are neighbours."""
    return rows.reshape(heads, 2, -1, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def halves(rows, heads):
    return rows.reshape(heads, -1, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def ways(arch, name, config):
    """How numbers of a checkpoint become those of GGUF, and back."""
    last = name.rsplit(".", 2)[-2]
    if arch == "llama" and last in ("q_proj", "k_proj"):
        heads = config.num_attention_heads if last == "q_proj" else config.num_key_value_heads
        return lambda v: neighbours(v, heads), lambda v: halves(v, heads)
    if arch.startswith("gemma") and last.endswith("norm"):
        return lambda v: v + 1, lambda v: v - 1
    if arch == "gpt2" and last.startswith("c_") and name.endswith("weight"):
        return lambda v: np.ascontiguousarray(v.T), lambda v: v.T
    return lambda v: v, lambda v: v


def divisors(rope, width):
    """What llama3's scaling divides the frequency of each pair by."""
    low = rope["original_max_position_embeddings"] / rope["low_freq_factor"]
    high = rope["original_max_position_embeddings"] / rope["high_freq_factor"]
    result = []
    for pair in range(width // 2):
        length = 2 * np.pi * rope["rope_theta"] ** (2 * pair / width)
        share = (rope["original_max_position_embeddings"] / length - rope["low_freq_factor"]) / (
            rope["high_freq_factor"] - rope["low_freq_factor"])
        between = 1 / ((1 - share) / rope["factor"] + share)
        result.append(1.0 if length < high else rope["factor"] if length > low else between)
    return np.array(result, dtype=np.float32)


def add_settings(writer, arch, c):
    get = lambda *names: next((getattr(c, n) for n in names if getattr(c, n, None) is not None), None)
    width = get("head_dim") or get("hidden_size", "n_embd") // get("num_attention_heads", "n_head")
    writer.add_name("a test")
    writer.add_context_length(get("max_position_embeddings", "n_positions"))
    writer.add_embedding_length(get("hidden_size", "n_embd"))
    writer.add_block_count(get("num_hidden_layers", "n_layer"))
    writer.add_feed_forward_length(get("intermediate_size") or 4 * c.n_embd)
    writer.add_head_count(get("num_attention_heads", "n_head"))
    if arch == "gpt2":
        writer.add_layer_norm_eps(c.layer_norm_epsilon)
        return
    writer.add_vocab_size(c.vocab_size)
    writer.add_head_count_kv(c.num_key_value_heads)
    writer.add_layer_norm_rms_eps(c.rms_norm_eps)
    if get("head_dim"):
        writer.add_key_length(width)
        writer.add_value_length(width)
    rope = c.rope_parameters
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_dimension_count(int(width * rope.get("partial_rotary_factor", 1)))
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "llama3":
        add(writer, "rope_freqs.weight", divisors(rope, width), Q.F32)
    if get("sliding_window"):
        writer.add_sliding_window(c.sliding_window)
    if arch == "gemma2":
        writer.add_attn_logit_softcapping(c.attn_logit_softcapping)
        writer.add_final_logit_softcapping(c.final_logit_softcapping)


def make(name, seed):
    arch, cls, config, kinds = CASES[name]
    folder = ROOT / "models" / "gguf"
    generator = torch.Generator().manual_seed(seed)
    config._attn_implementation = "eager"
    model = cls(config).eval().double()
    model.tie_weights()
    checkpoints.draw(model, generator)
    writer = gguf.GGUFWriter(folder / f"{name}.gguf", arch)
    add_settings(writer, arch, config)
    words = ["<unk>", "<s>", "</s>", "▁", *"etaoinshrdlucmfwypvbgkjqxz", "th", "he", "the", "▁the", "in",
             "er", "▁a", *".,;:!?'0123456789", *"ABCDEFGH"]
    assert len(words) >= checkpoints.V
    words = words[:checkpoints.V]
    add_scores_tokenizer(writer, words, [-float(i) for i in range(len(words))],
                         [UNKNOWN, CONTROL, CONTROL] + [NORMAL] * (len(words) - 3))
    number = next(k for k, v in gguf.MODEL_ARCH_NAMES.items() if v == arch)
    names = gguf.get_tensor_name_map(number, model.config.num_hidden_layers)
    state = model.state_dict()
    for theirs, values in state.items():
        if theirs == "lm_head.weight" and config.tie_word_embeddings:
            continue
        ours = names.get_name(theirs, try_suffixes=(".weight", ".bias"))
        there, back = ways(arch, theirs, config)
        kind = Q.F32 if values.dim() == 1 else kinds if not isinstance(kinds, dict) else (
            kinds[ours.split(".")[-2]])
        raw, read = stored(there(values.numpy().astype(np.float32)), kind, generator)
        add(writer, ours, raw, kind)
        values.copy_(torch.from_numpy(np.ascontiguousarray(back(read.astype(np.float64)))))
    finish(writer)
    said = checkpoints.expected(name, model, generator)
    said = {k: v.float().numpy() if v.is_floating_point() else v.reshape(-1).numpy()
            for k, v in said.items()}
    save_file({k: np.ascontiguousarray(v) for k, v in said.items()}, folder / f"{name}.safetensors")
    print(name, (folder / f"{name}.gguf").stat().st_size)


if __name__ == "__main__":
    wanted = sys.argv[1:]
    if not wanted or "types" in wanted:
        make_types()
    if not wanted or "tokenizers" in wanted:
        make_tokenizers()
    for place, case in enumerate(CASES):
        if not wanted or case in wanted:
            make(case, 300 + place)
