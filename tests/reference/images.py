#!/usr/bin/env python3
"""Makes tests/files/pictures: small pictures of every kind that Heed reads, and expected.safetensors,
what Pillow makes of them: "NAME" as convert("RGB") gives it after exif_transpose (height × width × 3),
"NAME.FILTER.WIDTHxHEIGHT" resized. Beside the checkpoints of ViT and DeiT it writes
preprocessor_config.json, and into tests/models/checkpoints/images.safetensors what their processors
(of the Pillow backend) and models say of two of the pictures, in float64, written as float32.

    python3 tests/reference/images.py
"""
import json
import pathlib

import numpy as np
import torch
import transformers as T
from PIL import Image, ImageOps
from safetensors.torch import save_file

ROOT = pathlib.Path(__file__).parents[1]
PICTURES = ROOT / "files" / "pictures"
CHECKPOINTS = ROOT / "models" / "checkpoints"
FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}


def scene(width, height):
    """Slopes, edges and a disc, in three colours: what filters and decoders differ on."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    red = 255 * x / (width - 1)
    green = 127 + 120 * np.sin(x / 3.1) * np.cos(y / 4.3)
    blue = np.where((x - width * 0.6) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2, 230.0, 20.0)
    red = np.where(x + y < 12, 255.0, red)
    return np.stack([red, green, blue], axis=-1).round().astype(np.uint8)


def make_pictures():
    PICTURES.mkdir(exist_ok=True)
    rgb = Image.fromarray(scene(37, 23))
    grey = rgb.convert("L")
    alpha = rgb.copy()
    alpha.putalpha(Image.fromarray(np.linspace(0, 255, 37 * 23).reshape(23, 37).astype(np.uint8)))
    grey_alpha = Image.merge("LA", [grey, alpha.getchannel("A")])
    palette = rgb.quantize(9)
    for name, image, how in [
            ("rgb.png", rgb, {}), ("grey.png", grey, {}), ("alpha.png", alpha, {}),
            ("grey_alpha.png", grey_alpha, {}), ("palette.png", palette, {"bits": 4}),
            ("palette_clear.png", palette, {"transparency": 3}), ("black_white.png", grey.convert("1"), {}),
            ("grey_16.png", Image.fromarray(np.array(grey).astype(np.uint16) * np.uint16(255) + np.uint16(77)), {}),
            ("full.jpg", rgb, dict(quality=90, subsampling=0)),
            ("half.jpg", rgb, dict(quality=90, subsampling=2)),
            ("grey.jpg", grey, dict(quality=90)),
            ("progressive.jpg", rgb, dict(quality=90, subsampling=0, progressive=True)),
            ("print.jpg", rgb.convert("CMYK"), dict(quality=60))]:
        image.save(PICTURES / name, **how)
    for orientation in range(2, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        rgb.resize((12, 8)).save(PICTURES / f"turned_{orientation}.jpg", quality=90, subsampling=0, exif=exif)


def read(path):
    return ImageOps.exif_transpose(Image.open(path)).convert("RGB")


def expected_pictures():
    said = {}
    for path in sorted(PICTURES.iterdir()):
        if path.suffix in (".png", ".jpg") and path.name not in ("print.jpg", "grey_16.png"):
            said[path.name] = np.array(read(path))
    rgb = read(PICTURES / "rgb.png")
    for name, number in FILTERS.items():
        for size in [(12, 12), (16, 40), (37, 9), (50, 23), (1, 1)]:
            said[f"{name}.{size[0]}x{size[1]}"] = np.array(rgb.resize(size, number))
    tensors = {k: torch.from_numpy(v.copy()) for k, v in said.items()}
    save_file(tensors, PICTURES / "expected.safetensors")


VIT = T.ViTImageProcessorPil(size=12, resample=2)
DEIT = T.DeiTImageProcessorPil(size={"shortest_edge": 15}, crop_size=12, resample=3,
                               image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])


def expected_runs():
    said = {}
    for name, cls, processor in [("vit", T.ViTForImageClassification, VIT), ("deit", T.DeiTForImageClassification, DEIT)]:
        folder = CHECKPOINTS / name
        processor.save_pretrained(folder)
        processor = type(processor).from_pretrained(folder)
        model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
        for picture in ("alpha.png", "half.jpg"):
            pixels = processor(read(PICTURES / picture), return_tensors="pt")["pixel_values"]
            with torch.no_grad():
                out = model(pixel_values=pixels.double(), output_attentions=True)
            said[f"{name}.{picture}.pixels"] = pixels[0].reshape(36, 12)
            said[f"{name}.{picture}.logits"] = out.logits
            for layer, weights in enumerate(out.attentions):
                said[f"{name}.{picture}.encoder.layers.{layer}.self_attn.weights"] = weights[0]
    save_file({k: v.contiguous().float() for k, v in said.items()}, CHECKPOINTS / "images.safetensors")


if __name__ == "__main__":
    make_pictures()
    expected_pictures()
    expected_runs()
