#!/usr/bin/env python3
"""Makes inside.txt beside it: what transformers says of the checkpoints in tests/models/checkpoints
when it is looked into: logit lens, direct logit attribution, ablation and patching. In float64.

    python3 -P tests/reference/make_inside.py

The attribution is made by another way than Heed's: the factor of every norm (and of BERT's
activation before the logits) is held, each part is a leaf, and the logit's gradient times the part
is what the part gave. A line "name rows columns" is followed by one line a row.
"""
import pathlib
import sys

import torch
import transformers as T
from safetensors.torch import load_file

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent / "models" / "checkpoints"
CLASSES = {"gpt2": T.GPT2LMHeadModel, "llama": T.LlamaForCausalLM, "gemma2": T.Gemma2ForCausalLM,
           "neox": T.GPTNeoXForCausalLM, "bert": T.BertForMaskedLM,
           "bart": T.BartForConditionalGeneration, "t5": T.T5ForConditionalGeneration}
TOKEN, WORD, AGAINST, CHANGED, OTHER = 5, 17, 9, 3, 44


class Layer:
    """Modules of one layer: its whole, the maps that join heads, and what ends in the stream."""
    def __init__(self, block, self_out, ff, cross_out=None):
        self.block, self.ff, self.outs = block, ff, [self_out] + ([cross_out] if cross_out else [])


def stacks(name, m):
    """The encoder's layers and the decoder's."""
    if name == "gpt2":
        return [], [Layer(b, b.attn.c_proj, b.mlp.c_proj) for b in m.transformer.h]
    if name in ("llama", "gemma2"):
        return [], [Layer(b, b.self_attn.o_proj, b.mlp.down_proj) for b in m.model.layers]
    if name == "neox":
        return [], [Layer(b, b.attention.dense, b.mlp.dense_4h_to_h) for b in m.gpt_neox.layers]
    if name == "bert":
        return [Layer(b, b.attention.output.dense, b.output.dense)
                for b in m.bert.encoder.layer], []
    if name == "bart":
        return ([Layer(b, b.self_attn.out_proj, b.fc2) for b in m.model.encoder.layers],
                [Layer(b, b.self_attn.out_proj, b.fc2, b.encoder_attn.out_proj)
                 for b in m.model.decoder.layers])
    return ([Layer(b, b.layer[0].SelfAttention.o, b.layer[1].DenseReluDense.wo)
             for b in m.encoder.block],
            [Layer(b, b.layer[0].SelfAttention.o, b.layer[2].DenseReluDense.wo,
                   b.layer[1].EncDecAttention.o) for b in m.decoder.block])


def heads(m):
    c = m.config
    return getattr(c, "num_attention_heads", None) or c.num_heads


def first(x):
    return x[0] if isinstance(x, tuple) else x


def with_first(x, y):
    return (y,) + x[1:] if isinstance(x, tuple) else y


class Hooks:
    """Hooks that hold inside a `with`."""
    def __init__(self):
        self.all = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for hook in self.all:
            hook.remove()

    def before(self, module, change):
        self.all.append(module.register_forward_pre_hook(
            lambda _, args: (change(args[0]),) + args[1:]))

    def after(self, module, change):
        self.all.append(module.register_forward_hook(
            lambda _, args, out: with_first(out, change(first(out)))))


def call_of(name):
    said = load_file(ROOT / name / "expected.safetensors")
    call = {"input_ids": said["source_ids"].reshape(1, -1)}
    if "target_ids" in said:
        call["decoder_input_ids"] = said["target_ids"].reshape(1, -1)
    if "type_ids" in said:
        call["token_type_ids"] = said["type_ids"].reshape(1, -1)
    return call


def logits_at(m, call):
    return m(**call, use_cache=False).logits[0, TOKEN] if "bert" not in type(m).__name__.lower() \
        else m(**call).logits[0, TOKEN]


def readout(name, m):
    if name == "gpt2":
        return lambda x: m.lm_head(m.transformer.ln_f(x))
    if name == "llama":
        return lambda x: m.lm_head(m.model.norm(x))
    if name == "gemma2":
        cap = m.config.final_logit_softcapping
        return lambda x: torch.tanh(m.lm_head(m.model.norm(x)) / cap) * cap
    if name == "neox":
        return lambda x: m.embed_out(m.gpt_neox.final_layer_norm(x))
    if name == "bert":
        return m.cls
    if name == "bart":
        return lambda x: m.lm_head(x) + m.final_logits_bias
    factor = m.config.d_model ** -0.5 if m.config.tie_word_embeddings else 1
    return lambda x: m.lm_head(m.decoder.final_layer_norm(x) * factor)


def lens(name, m, layers, call):
    states = []
    with Hooks() as hooks:
        for layer in layers:
            hooks.after(layer.block, lambda x: (states.append(x), x)[1])
        m(**call)
    return torch.stack([readout(name, m)(x)[0, TOKEN].softmax(-1) for x in states])


class Held(torch.nn.Module):
    """A norm whose factor is no function of its input any more."""
    def __init__(self, norm, kind):
        super().__init__()
        self.norm, self.kind = norm, kind

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True) if self.kind == "layer" else x
        epsilon = getattr(self.norm, "eps", None) or getattr(self.norm, "variance_epsilon", None)
        scale = torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + epsilon).detach()
        gain = self.norm.weight + (1 if "Gemma" in type(self.norm).__name__ else 0)
        y = centred * scale * gain
        bias = getattr(self.norm, "bias", None)
        return y if bias is None else y + bias


class HeldActivation(torch.nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, z):
        return z * (self.f(z) / z).detach()


def hold(module):
    for child_name, child in list(module.named_children()):
        kind = type(child).__name__
        if kind == "LayerNorm":
            setattr(module, child_name, Held(child, "layer"))
        elif kind.endswith("RMSNorm") or kind == "T5LayerNorm":
            setattr(module, child_name, Held(child, "rms"))
        elif child_name == "transform_act_fn":
            setattr(module, child_name, HeldActivation(child))
        else:
            hold(child)


def attribution(m, layers, call, word, against):
    """Rows as Heed counts parts: embedding, then of each layer its heads and feed-forward."""
    hold(m)
    leaves = []

    def leaf(x):
        leaves.append(x.detach().requires_grad_(True))
        return leaves[-1]

    with Hooks() as hooks:
        hooks.before(layers[0].block, leaf)
        for layer in layers:
            for out in layer.outs:
                hooks.before(out, leaf)
            hooks.after(layer.ff, leaf)
        raw = {}
        end = m.lm_head if hasattr(m, "lm_head") else None
        if end is not None and getattr(m.config, "final_logit_softcapping", None):
            hooks.after(end, lambda x: (raw.update(x=x), x)[1])
        z = logits_at(m, call)
        if "x" in raw:
            z = raw["x"][0, TOKEN]  # before the softcap
    logit = z[word] - (z[against] if against is not None else 0)
    given = torch.autograd.grad(logit, leaves)
    n, each, parts = heads(m), 1 + len(layers[0].outs), []
    for i, (x, g) in enumerate(zip(leaves, given)):
        product = (x * g)[0]
        whole = i == 0 or (i - 1) % each == each - 1
        if whole:
            parts.append(product.sum()[None])
        else:
            parts.append(product.reshape(len(product), n, -1).sum((0, 2)))
    return torch.cat(parts), logit



def without(x, head, n, how):
    y = x.clone()
    part = y if head is None else y[..., head * (x.shape[-1] // n):(head + 1) * (x.shape[-1] // n)]
    part.copy_(torch.zeros_like(part) if how == "zero" else part.mean(1, keepdim=True).expand_as(part))
    return y


def ablations(m, all_layers, call, how):
    rows, n = [], heads(m)
    for layer in all_layers:
        for out in layer.outs:
            for head in range(n):
                with Hooks() as hooks:
                    hooks.before(out, lambda x: without(x, head, n, how))
                    rows.append(logits_at(m, call))
        with Hooks() as hooks:
            hooks.after(layer.ff, lambda x: without(x, None, n, how))
            rows.append(logits_at(m, call))
    return torch.stack(rows)


def patches(m, layers, all_layers, clean, corrupted):
    states, contexts, n = {}, {}, heads(m)
    with Hooks() as hooks:
        for layer in all_layers:
            hooks.after(layer.block, lambda x, key=layer: (states.update({key: x}), x)[1])
            for out in layer.outs:
                hooks.before(out, lambda x, key=out: (contexts.update({key: x}), x)[1])
        logits = [logits_at(m, clean)]
    kept, whole = dict(states), dict(contexts)
    logits.append(logits_at(m, corrupted))
    residual, by_head = [], []
    for layer in layers:
        for token in range(kept[layer].shape[1]):
            def put(x):
                y = x.clone()
                y[0, token] = kept[layer][0, token]
                return y
            with Hooks() as hooks:
                hooks.after(layer.block, put)
                residual.append(logits_at(m, corrupted))
    for layer in all_layers:
        for out in layer.outs:
            width = whole[out].shape[-1] // n
            for head in range(n):
                def put(x):
                    y = x.clone()
                    y[..., head * width:(head + 1) * width] = \
                        whole[out][..., head * width:(head + 1) * width]
                    return y
                with Hooks() as hooks:
                    hooks.before(out, put)
                    by_head.append(logits_at(m, corrupted))
    return torch.stack(logits), torch.stack(residual), torch.stack(by_head)


def paths(m, layers, clean, corrupted):
    """Every head of the first layer to every head of the second: the first one speaks as in the
    clean run, all others of its layer as in the corrupted one; feed-forward networks answer."""
    n, sender, receiver = heads(m), layers[0], layers[1]

    def contexts(call):
        found = {}
        with Hooks() as hooks:
            for out in sender.outs:
                hooks.before(out, lambda x, key=out: (found.update({key: x}), x)[1])
            logits_at(m, call)
        return found
    kept, base = contexts(clean), contexts(corrupted)
    width, rows = kept[sender.outs[0]].shape[-1] // n, []
    for a in range(n):
        speaks = dict(base)
        speaks[sender.outs[0]] = base[sender.outs[0]].clone()
        speaks[sender.outs[0]][..., a * width:(a + 1) * width] = \
            kept[sender.outs[0]][..., a * width:(a + 1) * width]
        seen = {}
        with Hooks() as hooks:
            for out in sender.outs:
                hooks.before(out, lambda x, key=out: speaks[key])
            hooks.before(receiver.outs[0], lambda x: (seen.update(z=x), x)[1])
            logits_at(m, corrupted)
        for b in range(n):
            def put(x):
                y = x.clone()
                y[..., b * width:(b + 1) * width] = seen["z"][..., b * width:(b + 1) * width]
                return y
            with Hooks() as hooks:
                hooks.before(receiver.outs[0], put)
                rows.append(logits_at(m, corrupted))
    return torch.stack(rows)


def write(out, name, values):
    values = values.detach().double()
    values = values.reshape(1, -1) if values.dim() < 2 else values
    out.append(f"{name} {values.shape[0]} {values.shape[1]}")
    out += [" ".join(f"{x:.6g}" for x in row) for row in values.tolist()]


def make(name, out):
    load = lambda: CLASSES[name].from_pretrained(
        ROOT / name, dtype=torch.float64, attn_implementation="eager").eval()
    m, call = load(), call_of(name)
    encoder, decoder = stacks(name, m)
    said = decoder or encoder
    with torch.no_grad():
        write(out, name + ".lens", lens(name, m, said, call))
        for how in ("zero", "mean"):
            write(out, f"{name}.ablated.{how}", ablations(m, encoder + decoder, call, how))
        other = dict(call)
        other["input_ids"] = call["input_ids"].clone()
        other["input_ids"][0, CHANGED] = OTHER
        ends, residual, by_head = patches(m, encoder or decoder, encoder + decoder, call, other)
        write(out, name + ".ends", ends)
        write(out, name + ".patched", residual)
        write(out, name + ".patched_heads", by_head)
        if name in ("gpt2", "llama", "neox", "t5"):
            write(out, name + ".paths", paths(m, encoder or decoder, call, other))
    for what, against in (("logit", None), ("difference", AGAINST)):
        m = load()
        encoder, decoder = stacks(name, m)
        parts, logit = attribution(m, decoder or encoder, call, WORD, against)
        write(out, f"{name}.{what}.parts", parts)
        write(out, f"{name}.{what}", logit[None])


if __name__ == "__main__":
    lines = []
    for family in CLASSES:
        make(family, lines)
        print(family, file=sys.stderr)
    (HERE / "inside.txt").write_text("\n".join(lines) + "\n")
