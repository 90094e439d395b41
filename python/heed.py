"""Heed from a notebook: attention in its window, as pictures, and as arrays.

    import heed
    heed.show(output.attentions, tokens)                   # opens the window
    heed.picture(output.attentions, tokens, view="heads")  # SVG, which Jupyter draws
    heed.save(output, "trace.npz", tokens)                 # what the window and `heed export` open
    heed.load("trace.npz")["encoder.layers.0.self_attn.weights"]
    heed.attend("models/gpt2", "The cat sat on the")       # a live run, as arrays

Attention is what transformers return with output_attentions=True (the whole output, or a tuple
of one array a layer), or arrays of layers x heads x queries x keys. Tensors of torch are taken as
they are. This file needs NumPy alone, and the program heed: named by $HEED, found on the PATH, or
built beside this file's folder (build/release/bin/heed).
"""
import atexit
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

__all__ = ["HeedError", "Picture", "attend", "load", "picture", "program", "save", "show"]

_HOW = 'run the model with output_attentions=True, and load it with attn_implementation="eager"'
_NAMES = {
    "encoder": "encoder.layers.{}.self_attn.weights",
    "decoder": "decoder.layers.{}.self_attn.weights",
    "cross": "decoder.layers.{}.multihead_attn.weights",
}
# As the outputs of transformers name them.
_FIELDS = {
    "encoder_attentions": "encoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
}


class HeedError(Exception):
    """What is wrong with attention that was given, or what the program complained of."""


class Picture:
    """An SVG picture, which Jupyter draws."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")


def program():
    """The path of the program heed."""
    named = os.environ.get("HEED")
    if named:
        if not os.access(named, os.X_OK):
            raise HeedError(f"$HEED is {named}, which is no program")
        return named
    built = pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "bin" / "heed"
    found = shutil.which("heed") or (str(built) if os.access(built, os.X_OK) else None)
    if not found:
        raise HeedError("the program heed was not found: put it on the PATH, or its path into "
                        "$HEED")
    return found


def show(attentions, tokens=None, target_tokens=None, kind=None):
    """Opens the window on these maps; returns its process. Arguments as of save(). A window that is
    open when Python ends stays, and so does its file."""
    folder = tempfile.mkdtemp(prefix="heed-")
    try:
        path = os.path.join(folder, "attention.npz")
        save(attentions, path, tokens, target_tokens, kind)
        window = subprocess.Popen([program(), path])
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    atexit.register(_remove_of_closed, window, folder)
    return window


def picture(attentions, tokens=None, target_tokens=None, kind=None, view="heads", **options):
    """A picture as Heed's views have it: heads, heatmap, lines, flow. Options are flags of
    `heed export`: layer=2, head=3, attention="cross", theme="dark", no_caption=True."""
    path = _temporary("attention.npz")
    save(attentions, path, tokens, target_tokens, kind)
    flags = ["export", "--maps", path, "--view", view, "--format", "svg", "-o", "-"]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        flags += [flag] if value is True else [] if value in (None, False) else [flag, str(value)]
    return Picture(_run(flags).decode("utf-8"))


def attend(model, text, target=None, stages="weights", logits=True):
    """The arrays of a run of a model (a folder of a checkpoint, a file, or the name of one that
    comes with Heed), as load() has them."""
    path = _temporary("trace.npz")
    flags = ["attend", "--model", str(model), "--source", text, "--stages", stages, "-o", path]
    flags += ["--target", target] if target is not None else []
    flags += ["--logits"] if logits else []
    _run(flags)
    return load(path)


def save(attentions, path, tokens=None, target_tokens=None, kind=None):
    """Writes an .npz that Heed opens.

    attentions: an output of transformers, one of its tuples, a dict of "encoder", "decoder" and
    "cross", a dict as load() has it, or arrays. tokens: a string a token, of the source where
    there are two sides; target_tokens: those of the decoder's side. kind: of one stack alone,
    "encoder", "decoder" or "cross" (default: decoder where no query sees a later key). Raises
    HeedError, which says what is wrong with which layer."""
    arrays = {}
    for name, layers in _kinds(attentions, kind).items():
        for i, layer in enumerate(_layers(layers, name + " attention")):
            arrays[_NAMES[name].format(i)] = layer
    sides = _sides(arrays)
    if not sides["source"] and target_tokens is None:
        target_tokens, tokens = tokens, None
    held = attentions if isinstance(attentions, dict) else {}
    for side, given in (("source", tokens), ("target", target_tokens)):
        given = held.get(side + "_tokens") if given is None else given
        if given is None or not sides[side]:
            continue
        words = [str(word) for word in given]
        if len(words) != sides[side]:
            raise HeedError(f"{len(words)} tokens were given for the {side}, and its maps have "
                            f"{sides[side]}")
        arrays[side + "_tokens"] = np.array([word or " " for word in words])
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def load(path):
    """The arrays of an .npz of save() or `heed attend`, by name; tokens are lists of strings."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    return {name: [str(x) for x in a] if a.dtype.kind == "U" and a.ndim == 1 else a
            for name, a in arrays.items()}


def _array(layer, where):
    """An array of anything that is one: a tensor on any device, of any precision."""
    if layer is None:
        raise HeedError(f"{where} is None: {_HOW}")
    if hasattr(layer, "detach"):
        layer = layer.detach().cpu()
        layer = layer.float() if hasattr(layer, "float") else layer
        layer = layer.numpy()
    try:
        return np.asarray(layer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise HeedError(f"{where} is no array of numbers: {error}") from None


def _kinds(attentions, kind):
    """Layers by kind of attention."""
    if attentions is None:
        _array(None, "attention")
    if kind is not None and kind not in _NAMES:
        raise HeedError(f"kind is '{kind}'; it is one of {', '.join(_NAMES)}")
    if isinstance(attentions, dict) and any(name in attentions for name in _NAMES):
        return {name: attentions[name] for name in _NAMES if attentions.get(name) is not None}
    if isinstance(attentions, dict) and any(name.endswith("_attn.weights") for name in attentions):
        return {name: _numbered(attentions, pattern) for name, pattern in _NAMES.items()
                if pattern.format(0) in attentions}
    get = attentions.get if isinstance(attentions, dict) else lambda n: getattr(attentions, n, None)
    # A decoder without an encoder tells of cross-attention by an empty tuple.
    named = {name: get(field) for field, name in _FIELDS.items()
             if get(field) is not None and len(get(field)) > 0}
    if named:
        if "decoder" not in named and get("attentions") is not None:
            named["decoder"] = get("attentions")
        return named
    own = get("attentions")
    if own is None and (isinstance(attentions, dict) or hasattr(attentions, "logits") or
                        hasattr(attentions, "last_hidden_state")):
        raise HeedError(f"this output holds no attentions: {_HOW}")
    layers = attentions if own is None else own
    return {kind or _guessed(layers): layers}


def _numbered(arrays, pattern):
    layers = []
    while pattern.format(len(layers)) in arrays:
        layers.append(arrays[pattern.format(len(layers))])
    return layers


def _guessed(layers):
    """Decoder where no query of any head sees a later key."""
    for layer in _layers(layers, "attention"):
        if layer.shape[1] != layer.shape[2]:
            return "cross"
        if layer.shape[1] < 2 or np.any(np.triu(layer, 1) > 0):
            return "encoder"
    return "decoder"


def _layers(given, name):
    """A list of arrays of heads x queries x keys; `name` is of messages."""
    is_array = hasattr(given, "ndim") or hasattr(given, "detach")
    if is_array:
        whole = _array(given, name)
        if whole.ndim < 2:
            raise HeedError(f"{name} has shape {whole.shape}; layers x heads x queries x "
                            "keys are expected")
        while whole.ndim < 4:
            whole = whole[None]
        given = list(whole)
    layers = [_layer(layer, f"layer {i} of {name}") for i, layer in enumerate(given)]
    if not layers:
        raise HeedError(f"{name} has no layer: {_HOW}")
    for i, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            raise HeedError(f"layer {i} of {name} has shape {layer.shape}, and layer 0 "
                            f"has {layers[0].shape}: heads x queries x keys, alike in all layers")
        if name in ("encoder attention", "decoder attention") and layer.shape[1] != layer.shape[2]:
            raise HeedError(f"layer {i} of {name} has {layer.shape[1]} queries and "
                            f"{layer.shape[2]} keys; of self-attention they are the same tokens "
                            '(kind="cross" where they are not)')
    return layers


def _layer(layer, where):
    a = _array(layer, where)
    if a.ndim == 4:
        if a.shape[0] != 1:
            raise HeedError(f"{where} has {a.shape[0]} sentences (shape {a.shape}): choose one, "
                            "[layer[:1] for layer in attentions]")
        a = a[0]
    if a.ndim == 2:
        a = a[None]
    if a.ndim != 3 or 0 in a.shape:
        raise HeedError(f"{where} has shape {a.shape}; heads x queries x keys are expected, or "
                        "1 x heads x queries x keys")
    if not np.isfinite(a).all():
        raise HeedError(f"{where} has numbers that are not finite")
    if (a < 0).any():
        raise HeedError(f"{where} has weights below 0: scores before the softmax are no weights")
    sums = a.sum(axis=-1, keepdims=True)
    wrong = (abs(sums - 1) > 0.02) & (sums != 0)
    if wrong.any():
        head, query, _ = np.argwhere(wrong)[0]
        raise HeedError(f"{where}: head {head}, query {query} sums to {sums[head, query, 0]:.4g}; "
                        "the weights of a query sum to 1")
    return a / np.where(sums == 0, 1, sums)  # what 16 bits left off


def _sides(arrays):
    """How many tokens the source and the target have, by their maps; 0 where nothing tells."""
    sides = {"source": 0, "target": 0}
    for name, layer in arrays.items():
        cross, decoder = "multihead_attn" in name, name.startswith("decoder")
        queries = "target" if decoder else "source"
        keys = "target" if decoder and not cross else "source"
        for side, count in ((queries, layer.shape[1]), (keys, layer.shape[2])):
            if sides[side] not in (0, count):
                raise HeedError(f"the {side} has {sides[side]} tokens in one map and {count} in "
                                f"another ({name})")
            sides[side] = count
    return sides


def _run(arguments):
    ran = subprocess.run([program(), *arguments], capture_output=True)
    if ran.returncode != 0:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise HeedError(said or f"heed {arguments[0]} failed")
    return ran.stdout


def _remove_of_closed(window, folder):
    if window.poll() is not None:
        shutil.rmtree(folder, ignore_errors=True)


_folder = None


def _temporary(name):
    """A new path, in a folder that goes when Python ends."""
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="heed-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    return os.path.join(tempfile.mkdtemp(dir=_folder), name)
