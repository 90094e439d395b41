"""What tests/app/notebook_test.cpp runs: python/heed.py as a notebook uses it. Arguments: the
folder of heed.py, a folder to write to. Prints one line a check that failed."""
import os
import stat
import subprocess
import sys
import time

sys.path.insert(0, sys.argv[1])
FOLDER = sys.argv[2]

import numpy as np

import heed

failed = []


def check(good, name):
    if not good:
        failed.append(name)


def refused(words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except heed.HeedError as error:
        check(words in str(error), f"'{words}' is not in: {error}")
    else:
        failed.append(f"not refused: {words}")


def weights(*shape, causal=False):
    x = np.random.default_rng(1).normal(size=shape)
    if causal:
        x = np.where(np.triu(np.ones(shape[-2:]), 1) > 0, -np.inf, x)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


class Tensor:
    """What torch's are to heed.py."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    def cpu(self):
        return self

    def float(self):
        return Tensor(self.array.astype(np.float32))

    def numpy(self):
        return self.array


class Output:
    def __init__(self, **fields):
        self.__dict__.update(fields)


path = os.path.join(FOLDER, "trace.npz")
tokens = ["the", "cat", "<sat>", "猫"]
causal = tuple(Tensor(weights(1, 2, 4, 4, causal=True).astype(np.float16)) for _ in range(3))
both = weights(3, 2, 4, 4)

heed.save(Output(attentions=causal, logits=0), path, tokens)
read = heed.load(path)
check(read["target_tokens"] == tokens, "tokens of a decoder")
check(read["decoder.layers.2.self_attn.weights"].shape == (2, 4, 4), "layers of a decoder")
sums = read["decoder.layers.0.self_attn.weights"].sum(-1)
check(np.allclose(sums, 1, atol=1e-6), "sums of 16 bits")
heed.save(Output(attentions=causal, cross_attentions=()), path, tokens)  # GPT-2's output
check(heed.load(path)["target_tokens"] == tokens, "no cross-attention is none")
heed.save(both, path, tokens)
check(heed.load(path)["source_tokens"] == tokens, "tokens of an encoder")
heed.save(both[0, 0], path, tokens)
check(heed.load(path)["encoder.layers.0.self_attn.weights"].shape == (1, 4, 4), "one map alone")
heed.save(heed.load(path), path)
check(heed.load(path)["source_tokens"] == tokens, "what was loaded is saved again")
heed.save(Output(encoder_attentions=list(both), decoder_attentions=[weights(1, 2, 3, 3)],
                 cross_attentions=[weights(1, 2, 3, 4)]), path, tokens, ["le", "chat", "."])
check(len([n for n in heed.load(path) if n.endswith("weights")]) == 5, "encoder, decoder and cross")

for view in ("heads", "heatmap", "lines"):
    svg = heed.picture(causal, tokens, view=view)._repr_svg_()
    check(svg.startswith(("<?xml", "<svg")) and "</svg>" in svg, f"picture of {view}")
cross = heed.picture({"cross": [weights(2, 3, 4)]}, tokens, ["a", "b", "c"], view="heatmap",
                     attention="cross", head=2, no_caption=True)
cross.save(os.path.join(FOLDER, "cross.svg"))
check(os.path.getsize(os.path.join(FOLDER, "cross.svg")) > 500, "a picture is saved")

run = heed.attend("repeat", "a b c d a b c")
check(run["target_tokens"] == list("abcdabc"), "attend reads what it is given, whole")
maps = run["decoder.layers.1.self_attn.weights"]
check(maps.shape == (4, 7, 7) and maps[:, 6, 3].max() > 0.5, "the induction head looks at d")
check(run["probabilities"].shape[0] == 7, "probabilities of every position")
heed.picture(run, view="heads")

refused("5 tokens were given for the target, and its maps have 4",
        heed.save, causal, path, tokens + ["x"])
refused("has 2 sentences", heed.save, [weights(2, 2, 4, 4)], path)
refused("below 0", heed.save, -both, path)
refused("sums to 2", heed.save, 2 * both, path)
refused("not finite", heed.save, np.where(both > 0.5, np.nan, both), path)
refused("attention has no layer: run the model",
        heed.save, Output(attentions=(), logits=0), path)
refused("heads x queries x keys", heed.save, [np.ones(3)], path)
refused("alike in all layers", heed.save, [both[0], both[0][:1]], path)
refused("3 queries and 4 keys", heed.save, [weights(2, 3, 4)], path, kind="encoder")
refused("output_attentions=True", heed.save, Output(attentions=None, logits=0), path)
refused("output_attentions=True", heed.save, (None, None), path)
refused("no array of numbers", heed.save, [["a"]], path)
refused("kind is", heed.save, both, path, kind="self")
refused("--view", heed.picture, both, tokens, view="heats")
refused("nowhere", heed.attend, "/nowhere", "a")

# The window: a program that writes down what it was asked for stands in for it.
fake = os.path.join(FOLDER, "window.sh")
with open(fake, "w") as file:
    file.write(f'#!/bin/sh\ncp "$1" "{FOLDER}/shown.npz"\n')
os.chmod(fake, os.stat(fake).st_mode | stat.S_IXUSR)
own, os.environ["HEED"] = os.environ["HEED"], fake
# Python ends before a slow window reads its file: a script whose last line shows something.
slow = os.path.join(FOLDER, "slow.sh")
with open(slow, "w") as file:
    file.write(f'#!/bin/sh\nsleep 1\ncp "$1" "{FOLDER}/slow.npz"\n'
               f'rm -r "$(dirname "$1")"\necho > "{FOLDER}/slow.done"\n')
os.chmod(slow, os.stat(slow).st_mode | stat.S_IXUSR)
subprocess.run([sys.executable, "-c", "import heed; heed.show([[[[1.0]]]])"], check=True,
               env={**os.environ, "HEED": slow, "PYTHONPATH": sys.argv[1]})
for _ in range(100):
    if os.path.exists(os.path.join(FOLDER, "slow.done")):
        break
    time.sleep(0.1)
check(os.path.exists(os.path.join(FOLDER, "slow.npz")), "a window outlives the notebook")
check(heed.show(causal, tokens).wait() == 0, "the window opens")
check(heed.load(os.path.join(FOLDER, "shown.npz"))["target_tokens"] == tokens, "what it shows")
os.environ["HEED"] = "/nowhere/heed"
refused("$HEED is /nowhere/heed", heed.show, causal, tokens)
del os.environ["HEED"]
os.environ["PATH"] = os.path.dirname(own)
check(heed.program() == own, "the program is found on the PATH")

for name in failed:
    print(name)
sys.exit(1 if failed else 0)
