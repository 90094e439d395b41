#!/usr/bin/env python3
"""Makes inside_gradients.txt beside it: which tokens a logit of the checkpoints in
tests/models/checkpoints stands on, by transformers' own attention weights and by autograd. In float64.

    python3 -P tests/reference/make_inside_gradients.py

Of each family attention × gradient (Chefer et al. 2021), integrated gradients of the input embeddings
from zeros (Sundararajan et al. 2017; 64 nodes of α = t⁴) with the logits at both ends, and rollout
(Abnar and Zuidema 2020), where the two stacks of an encoder-decoder stand beside each other. A line
"name rows columns" is followed by one line a row. Tokens of the source come first.
"""
import importlib.util
import pathlib
import sys

import numpy
import torch
import transformers as T

HERE = pathlib.Path(__file__).parent
# Not by sys.path: a script beside this one has the name of a package.
spec = importlib.util.spec_from_file_location("make_inside", HERE / "make_inside.py")
inside = importlib.util.module_from_spec(spec)
spec.loader.exec_module(inside)
AGAINST, TOKEN, WORD = inside.AGAINST, inside.TOKEN, inside.WORD
ROOT, call_of, write = inside.ROOT, inside.call_of, inside.write

NODES = 64
ALL = {**inside.CLASSES, "albert": T.AlbertForMaskedLM}
del ALL["gemma2"]


def asked(logits, against):
    z = logits[0, TOKEN]
    return z[WORD] - (z[against] if against is not None else 0)


def run(m, call):
    extra = {} if "Bert" in type(m).__name__ else {"use_cache": False}
    return m(**call, output_attentions=True, **extra)


def maps_of(out, two):
    """(kind, heads × queries × keys) as they are computed."""
    if not two:
        return [("self", a) for a in out.attentions]
    maps = [("encoder", a) for a in out.encoder_attentions]
    for own, cross in zip(out.decoder_attentions, out.cross_attentions):
        maps += [("decoder", own), ("cross", cross)]
    return maps


def residual_normed(r):
    eye = torch.eye(len(r), dtype=r.dtype)
    rest = r - eye
    sums = rest.sum(1, keepdim=True)
    return torch.where(sums > 0, rest / torch.where(sums > 0, sums, 1.0), rest) + eye


def relevance(m, call, against, two):
    out = run(m, call)
    maps = maps_of(out, two)
    grads = torch.autograd.grad(asked(out.logits, against), [a for _, a in maps])
    bars = [(kind, (a * g).clamp(min=0)[0].mean(0)) for (kind, a), g in zip(maps, grads)]
    if not two:
        r = torch.eye(len(bars[0][1]), dtype=torch.float64)
        for _, bar in bars:
            r = r + bar @ r
        return r[TOKEN]
    n = [a.shape[-1] for kind, a in maps if kind == "decoder"][0]
    s = [a.shape[-1] for kind, a in maps if kind == "encoder"][0]
    source, target = (torch.eye(k, dtype=torch.float64) for k in (s, n))
    crossed = torch.zeros(n, s, dtype=torch.float64)
    for kind, bar in bars:
        if kind == "encoder":
            source = source + bar @ source
        elif kind == "decoder":
            crossed, target = crossed + bar @ crossed, target + bar @ target
        else:
            crossed = crossed + residual_normed(target).T @ bar @ residual_normed(source)
    return torch.cat([crossed[TOKEN], target[TOKEN]])


def rollout(m, call, two):
    maps = [(kind, a[0].mean(0)) for kind, a in maps_of(run(m, call), two)]
    s = sum(a.shape[-1] for kind, a in maps[:1]) if two else 0
    n = maps[-2][1].shape[-1] if two else maps[0][1].shape[-1]
    eye = torch.eye(s + n, dtype=torch.float64)
    held = eye
    for kind, a in maps:
        mixed = eye.clone()
        rows = slice(0, s) if kind == "encoder" else slice(s, s + n)
        columns = slice(0, s) if kind in ("encoder", "cross") else slice(s, s + n)
        mixed[rows] *= 0.5
        mixed[rows, columns] += 0.5 * a
        held = mixed @ held
    return held[s + TOKEN]


def integrated(m, call, against, two):
    words = [("inputs_embeds", m.get_input_embeddings()(call["input_ids"]).detach())]
    if two:
        words.append(("decoder_inputs_embeds",
                      m.get_decoder().embed_tokens(call["decoder_input_ids"]).detach()))
    rest = {k: v for k, v in call.items() if k not in ("input_ids", "decoder_input_ids")}
    t, weights = numpy.polynomial.legendre.leggauss(NODES)
    t, weights = (1 + t) / 2, weights / 2
    sums = [torch.zeros(w.shape[1], dtype=torch.float64) for _, w in words]
    for place, weight in zip(t, weights):
        share = place ** 4
        leaves = [(share * w).requires_grad_(True) for _, w in words]
        out = run(m, {**rest, **{name: x for (name, _), x in zip(words, leaves)}})
        for i, g in enumerate(torch.autograd.grad(asked(out.logits, against), leaves)):
            sums[i] += weight * 4 * place ** 3 * (g * words[i][1])[0].sum(-1)
    ends = [asked(run(m, {**rest, **{name: share * w for name, w in words}}).logits, against)
            for share in (0.0, 1.0)]
    return torch.cat(sums), torch.stack(ends)


def make(name, out):
    m = ALL[name].from_pretrained(ROOT / name, dtype=torch.float64,
                                  attn_implementation="eager").eval()
    call, two = call_of(name), name in ("bart", "t5")
    for what, against in (("logit", None), ("difference", AGAINST)):
        write(out, f"{name}.{what}.relevance", relevance(m, call, against, two))
        tokens, ends = integrated(m, call, against, two)
        print(name, what, "residue", float(ends[1] - ends[0] - tokens.sum()), file=sys.stderr)
        write(out, f"{name}.{what}.integrated", tokens)
        write(out, f"{name}.{what}.ends", ends)
    write(out, name + ".rollout", rollout(m, call, two))


if __name__ == "__main__":
    lines = []
    for family in ALL:
        make(family, lines)
    (HERE / "inside_gradients.txt").write_text("\n".join(lines) + "\n")
