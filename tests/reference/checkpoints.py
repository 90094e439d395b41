#!/usr/bin/env python3
"""Makes tests/models/checkpoints: a small random checkpoint of each family of transformers, saved as
the library saves it, and beside it expected.safetensors: what the library says of given ids, in
float64, written as float32.

    python3 tests/reference/checkpoints.py [FAMILY …]

Arrays of expected.safetensors are named as `heed attend` names them; "source_ids", "target_ids" and
"type_ids" are what was read, "pixels" (channels · height × width) is the image.
"""
import json
import pathlib
import shutil
import sys

import torch
import transformers as T
from safetensors.torch import load_file, save_file

ROOT = pathlib.Path(__file__).parents[1] / "models" / "checkpoints"
V = 61
LLAMA3 = dict(rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0,
              high_freq_factor=4.0, original_max_position_embeddings=32)
DECODER = dict(vocab_size=V, hidden_size=18, num_hidden_layers=2, intermediate_size=22,
               max_position_embeddings=40, pad_token_id=0, bos_token_id=1, eos_token_id=2)
ENCODER = dict(vocab_size=V, hidden_size=18, num_attention_heads=3, num_hidden_layers=2,
               intermediate_size=22, max_position_embeddings=24)
SEQUENCE = dict(vocab_size=V, d_model=18, encoder_layers=2, decoder_layers=2,
                encoder_attention_heads=3, decoder_attention_heads=3, encoder_ffn_dim=22,
                decoder_ffn_dim=22, max_position_embeddings=24)
T5 = dict(vocab_size=V, d_model=18, d_kv=5, d_ff=22, num_layers=2, num_heads=3,
          relative_attention_num_buckets=8, relative_attention_max_distance=20)
IMAGE = dict(hidden_size=18, num_attention_heads=3, num_hidden_layers=2, intermediate_size=22,
             image_size=12, patch_size=4)

# name: class, configuration, how it is saved
CASES = {
    "gpt2": (T.GPT2LMHeadModel, T.GPT2Config(vocab_size=V, n_embd=18, n_head=3, n_layer=2,
             n_positions=32, n_inner=22, scale_attn_by_inverse_layer_idx=True), {}),
    "gpt2_plain": (T.GPT2LMHeadModel, T.GPT2Config(vocab_size=V, n_embd=12, n_head=2, n_layer=2,
                   n_positions=16), {"strip": "transformer."}),
    "llama": (T.LlamaForCausalLM, T.LlamaConfig(**DECODER, num_attention_heads=3,
              num_key_value_heads=1, rope_parameters=LLAMA3, attention_bias=True, mlp_bias=True), {}),
    "llama_tied": (T.LlamaForCausalLM, T.LlamaConfig(**DECODER, num_attention_heads=6, head_dim=4,
                   num_key_value_heads=2, tie_word_embeddings=True,
                   rope_parameters=dict(rope_type="linear", rope_theta=900.0, factor=3.0)),
                   {"shards": "10KB"}),
    "mistral": (T.MistralForCausalLM, T.MistralConfig(**DECODER, num_attention_heads=3,
                num_key_value_heads=3, head_dim=4, sliding_window=4), {"dtype": torch.bfloat16}),
    "qwen2": (T.Qwen2ForCausalLM, T.Qwen2Config(**DECODER, num_attention_heads=3,
              num_key_value_heads=1, use_sliding_window=True, sliding_window=3, max_window_layers=1,
              tie_word_embeddings=True), {"dtype": torch.float16}),
    "qwen3": (T.Qwen3ForCausalLM, T.Qwen3Config(**DECODER, num_attention_heads=4,
              num_key_value_heads=2, head_dim=6), {}),
    "bert": (T.BertForMaskedLM, T.BertConfig(**ENCODER), {}),
    "bert_old": (T.BertForMaskedLM, T.BertConfig(**(ENCODER | dict(hidden_act="gelu_new"))),
                 {"old": True}),
    "bert_alone": (T.BertModel, T.BertConfig(**ENCODER), {}),
    "distilbert": (T.DistilBertForMaskedLM, T.DistilBertConfig(vocab_size=V, dim=18, n_heads=3,
                   n_layers=2, hidden_dim=22, max_position_embeddings=24), {}),
    "roberta": (T.RobertaForMaskedLM, T.RobertaConfig(**(ENCODER | dict(type_vocab_size=1)),
                layer_norm_eps=1e-5, pad_token_id=1), {}),
    "albert": (T.AlbertForMaskedLM, T.AlbertConfig(**ENCODER, embedding_size=10), {}),
    "bart": (T.BartForConditionalGeneration, T.BartConfig(**SEQUENCE, scale_embedding=True), {}),
    "marian": (T.MarianMTModel, T.MarianConfig(**SEQUENCE, activation_function="swish",
               scale_embedding=True, pad_token_id=V - 1, decoder_start_token_id=V - 1), {}),
    "t5": (T.T5ForConditionalGeneration, T.T5Config(**T5), {}),
    "t5_gated": (T.T5ForConditionalGeneration, T.T5Config(**T5, feed_forward_proj="gated-gelu",
                 tie_word_embeddings=False, num_decoder_layers=1), {}),
    "mt5": (T.MT5ForConditionalGeneration, T.MT5Config(**T5), {}),
    "neox": (T.GPTNeoXForCausalLM, T.GPTNeoXConfig(**(DECODER | dict(hidden_size=24)),
             num_attention_heads=3), {}),
    "neox_sequential": (T.GPTNeoXForCausalLM, T.GPTNeoXConfig(**(DECODER | dict(hidden_size=24)),
                        num_attention_heads=2, use_parallel_residual=False,
                        rope_parameters=dict(rope_type="default", rope_theta=700.0,
                                             partial_rotary_factor=0.5)), {}),
    "gemma": (T.GemmaForCausalLM, T.GemmaConfig(**DECODER, num_attention_heads=3,
              num_key_value_heads=1, head_dim=8), {}),
    "gemma2": (T.Gemma2ForCausalLM, T.Gemma2Config(**DECODER, num_attention_heads=2,
               num_key_value_heads=1, head_dim=8, query_pre_attn_scalar=12, sliding_window=4,
               attn_logit_softcapping=3.0, final_logit_softcapping=5.0), {}),
    "phi3": (T.Phi3ForCausalLM, T.Phi3Config(**(DECODER | dict(hidden_size=24)),
             num_attention_heads=3, num_key_value_heads=1, sliding_window=5,
             rope_parameters=dict(rope_type="default", rope_theta=800.0,
                                  partial_rotary_factor=0.75)), {}),
    "vit": (T.ViTForImageClassification, T.ViTConfig(**IMAGE, id2label={i: f"thing {i}" for i in range(5)}), {}),
    "deit": (T.DeiTForImageClassification, T.DeiTConfig(**IMAGE, id2label={i: f"thing {i}" for i in range(4)}), {}),
    "deit_teacher": (T.DeiTForImageClassificationWithTeacher,
                     T.DeiTConfig(**IMAGE, id2label={i: f"thing {i}" for i in range(4)}), {}),
    "gemma_half": (T.GemmaForCausalLM, T.GemmaConfig(**DECODER, num_attention_heads=3,
                   num_key_value_heads=3, head_dim=6, attention_bias=True),
                   {"dtype": torch.bfloat16}),
    "bert_untied": (T.BertForMaskedLM, T.BertConfig(**ENCODER, tie_word_embeddings=False), {}),
}


def draw(model, generator):
    """Weights so wide that maps are sharp; biases and norms off neutral."""
    zero_based = type(model).__name__.startswith("Gemma")
    scaled = "T5" not in type(model).__name__
    sines = [n for n, m in model.named_modules() if "SinusoidalPositional" in type(m).__name__]
    for name, p in model.named_parameters():
        if name.removesuffix(".weight") in sines:
            continue
        noise = torch.randn(p.shape, generator=generator, dtype=torch.float64)
        last = name.rsplit(".", 2)[-2].lower() if "." in name else name
        if "norm" in last or last.startswith("ln_"):
            gain = name.endswith("weight")
            value = noise * 0.3 + (1.0 if gain and not zero_based else 0.0)
        elif p.dim() < 2:
            value = noise * 0.3
        elif "relative_attention_bias" in name:
            value = noise * 1.5
        elif "embed" in name or "wte" in name or "wpe" in name or "shared" in name:
            value = noise * 0.6
        else:
            # A map of n features to a spread of about 1.3; sharper where scores are made.
            fan = p.shape[0] if "c_" in name else p.shape[1] * (p[0, 0].numel() if p.dim() > 2 else 1)
            sharp = any(part in name for part in ("q_", "k_", "query", "key", "c_attn", ".q.", ".k.", "qkv"))
            value = noise * ((1.7 if scaled else 1.0) if sharp else 1.1) / fan**0.5
        p.data.copy_(value)
    for name, buffer in model.named_buffers():
        if name == "final_logits_bias":
            buffer.copy_(torch.randn(buffer.shape, generator=generator, dtype=torch.float64) * 0.5)


def rename_to_old(folder):
    """The names that norms had in the first checkpoints of BERT, and what they held beside."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    old = {k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v
           for k, v in tensors.items()}
    old["bert.embeddings.position_ids"] = torch.arange(24)[None]
    old["bert.pooler.dense.weight"] = torch.zeros(18, 18)
    old["bert.pooler.dense.bias"] = torch.zeros(18)
    old["cls.seq_relationship.weight"] = torch.zeros(2, 18)
    old["cls.seq_relationship.bias"] = torch.zeros(2)
    save_file(old, path, metadata={"format": "pt"})


def expected(name, model, generator):
    ids = lambda n: torch.randint(4, V - 2, (1, n), generator=generator)
    call, said = {}, {}
    config = model.config
    if hasattr(config, "patch_size"):
        pixels = torch.randn((1, 3, 12, 12), generator=generator, dtype=torch.float64)
        call["pixel_values"], said["pixels"] = pixels, pixels[0].reshape(36, 12)
    else:
        source = ids(11)
        if name == "roberta":
            source[0, 4] = source[0, 9] = 1  # padding, which positions go around
        call["input_ids"] = said["source_ids"] = source
    if getattr(config, "type_vocab_size", 0) > 1:
        types = torch.tensor([[0] * 5 + [1] * 6])
        call["token_type_ids"] = said["type_ids"] = types
    if config.is_encoder_decoder:
        call["decoder_input_ids"] = said["target_ids"] = ids(7)
    with torch.no_grad():
        out = model(**call, output_attentions=True, output_hidden_states=True, return_dict=True)
    causal = not config.is_encoder_decoder and "attentions" in out and (
        type(model).__name__.endswith(("CausalLM", "GPT2LMHeadModel")))
    kinds = [("attentions", ("decoder" if causal else "encoder") + ".layers.{}.self_attn.weights"),
             ("encoder_attentions", "encoder.layers.{}.self_attn.weights"),
             ("decoder_attentions", "decoder.layers.{}.self_attn.weights"),
             ("cross_attentions", "decoder.layers.{}.multihead_attn.weights")]
    for key, array in kinds:
        for layer, weights in enumerate(out.get(key) or ()):
            said[array.format(layer)] = weights[0]
    if config.is_encoder_decoder:
        said["memory"] = out.encoder_last_hidden_state[0]
        said["decoder_output"] = out.decoder_hidden_states[-1][0]
    else:
        said["decoder_output" if causal else "memory"] = out.hidden_states[-1][0]
    if hasattr(config, "patch_size"):
        del said["memory"]  # the library gives it before the last norm
    if out.get("logits") is not None:
        said["logits"] = out.logits[0] if out.logits.dim() == 3 else out.logits
    return said


def make(name, seed):
    cls, config, how = CASES[name]
    folder = ROOT / name
    shutil.rmtree(folder, ignore_errors=True)
    generator = torch.Generator().manual_seed(seed)
    config._attn_implementation = "eager"
    model = cls(config).eval().double()
    model.tie_weights()
    draw(model, generator)
    dtype = how.get("dtype", torch.float32)
    model = model.to(dtype)
    model.config.dtype = dtype
    model.save_pretrained(folder, max_shard_size=how.get("shards", "1GB"))
    for other in ("generation_config.json",):
        (folder / other).unlink(missing_ok=True)
    if "strip" in how:
        path = folder / "model.safetensors"
        save_file({k.removeprefix(how["strip"]): v for k, v in load_file(path).items()}, path)
    if how.get("old"):
        rename_to_old(folder)
    # From the file again: a buffer of angles that was 16 bits wide would stay as coarse.
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    said = expected(name, model, generator)
    said = {k: v.contiguous().float() if v.is_floating_point() else v.reshape(-1).contiguous() for k, v in said.items()}
    save_file(said, folder / "expected.safetensors")
    print(name, sum(f.stat().st_size for f in folder.iterdir()), sorted(f.name for f in folder.iterdir()))


if __name__ == "__main__":
    for number, name in enumerate(CASES):
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            make(name, 100 + number)
