#!/usr/bin/env python3
"""Makes tests/models/generation.json: what `generate` of the transformers library says with small
random checkpoints (checkpoints.py), greedily and by beam search, under several settings of
generation_config.json; and what its temperature, top-k and top-p leave of given probabilities.

    python3 -P tests/reference/generation.py
"""
import json
import pathlib

import torch
import transformers as T
from transformers.generation import logits_process as L

HERE = pathlib.Path(__file__).parents[1] / "models"
CLASSES = {"bart": T.BartForConditionalGeneration, "marian": T.MarianMTModel,
           "t5": T.T5ForConditionalGeneration, "gpt2": T.GPT2LMHeadModel, "llama": T.LlamaForCausalLM}
# name, settings of generation_config.json, tokens at most
SETTINGS = [
    ("bart", {}, 9),
    ("bart", {"forced_bos_token_id": 7, "forced_eos_token_id": 2}, 9),
    ("bart", {"eos_token_id": [2, 17, 30, 31, 32, 33], "length_penalty": 0.0}, 10),
    ("bart", {"eos_token_id": [2, 17, 30, 31, 32, 33], "length_penalty": 2.0, "early_stopping": True}, 10),
    ("marian", {"bad_words_ids": [[60], [11]]}, 9),
    ("marian", {"eos_token_id": [0, 5, 6, 7, 8, 9, 10, 11, 12], "num_beams": 4}, 10),
    ("t5", {"decoder_start_token_id": 3, "suppress_tokens": [5, 9], "begin_suppress_tokens": [20]}, 9),
    ("t5", {"eos_token_id": [1, 40, 41, 42, 43, 44, 45], "early_stopping": True}, 10),
    ("gpt2", {"eos_token_id": [60]}, 8),
    ("llama", {"eos_token_id": [2, 21, 22, 23, 24, 25, 26, 27]}, 8),
    ("bart", {"no_repeat_ngram_size": 2, "eos_token_id": [2, 17, 30, 31, 32, 33], "min_length": 6}, 12),
    ("bart", {"encoder_no_repeat_ngram_size": 1, "bad_words_ids": [[60, 60], [11, 3], [7]]}, 10),
    ("marian", {"no_repeat_ngram_size": 1, "eos_token_id": list(range(13)), "min_new_tokens": 5}, 10),
    ("t5", {"no_repeat_ngram_size": 3, "eos_token_id": [1, 40, 41, 42, 43, 44, 45], "min_new_tokens": 4}, 12),
    ("gpt2", {"no_repeat_ngram_size": 2, "eos_token_id": list(range(20)), "min_length": 9}, 10),
    ("gpt2", {"encoder_no_repeat_ngram_size": 1}, 8),
    ("llama", {"no_repeat_ngram_size": 1, "eos_token_id": list(range(2, 30)), "min_new_tokens": 3}, 10),
]


def generated(name, settings, limit, source, width):
    model = CLASSES[name].from_pretrained(HERE / "checkpoints" / name, dtype=torch.float64,
                                          attn_implementation="eager").eval()
    config = T.GenerationConfig.from_model_config(model.config)
    for key in ("forced_eos_token_id", "forced_bos_token_id"):
        setattr(config, key, None)  # the file alone tells
    if not hasattr(config, "eos_token_id") or name == "gpt2":
        config.eos_token_id = None
    for key, value in settings.items():
        setattr(config, key, value)
    config.min_length = settings.get("min_length", 0)
    if config.pad_token_id is None:
        config.pad_token_id = 0
    if config.decoder_start_token_id is None:
        config.decoder_start_token_id = config.pad_token_id
    model.generation_config = config
    with torch.no_grad():
        out = model.generate(torch.tensor([source]), num_beams=width, do_sample=False,
                             num_return_sequences=width, max_new_tokens=limit,
                             return_dict_in_generate=True, output_scores=True, use_cache=False)
    given = 1 if model.config.is_encoder_decoder else len(source)
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    said = []
    for row in out.sequences[:, given:].tolist():
        kept = []
        for token in row:
            kept.append(token)
            if token in ends:
                break
        said.append(kept)
    scores = out.sequences_scores.tolist() if width > 1 else []
    return {"width": width, "said": said, "scores": scores, "start": int(out.sequences[0, 0])}


def cases():
    generator = torch.Generator().manual_seed(17)
    for name, settings, limit in SETTINGS:
        for _ in range(2):
            source = torch.randint(4, 58, (5,), generator=generator).tolist()
            runs = [generated(name, settings, limit, source, width) for width in (1, 2, 4)]
            yield {"model": name, "settings": settings, "limit": limit, "source": source, "runs": runs}


def cuts():
    generator = torch.Generator().manual_seed(5)
    for temperature, top_k, top_p in [(1, 0, 0.6), (0.5, 4, 1), (2, 0, 0.9), (0.7, 6, 0.8), (1.5, 3, 0.3),
                                      (1, 1, 1), (1, 0, 0.001), (1.3, 40, 0.95)]:
        logits = torch.randn((1, 12), generator=generator, dtype=torch.float64) * 2
        scores = logits
        if temperature != 1:
            scores = L.TemperatureLogitsWarper(float(temperature))(None, scores)
        if top_k:
            scores = L.TopKLogitsWarper(top_k)(None, scores)
        if top_p < 1:
            scores = L.TopPLogitsWarper(top_p)(None, scores)
        yield {"temperature": temperature, "top_k": top_k, "top_p": top_p,
               "p": logits.softmax(-1)[0].tolist(), "drawn_with": scores.softmax(-1)[0].tolist()}


if __name__ == "__main__":
    made = {"generated": list(cases()), "cuts": list(cuts())}
    (HERE / "generation.json").write_text(json.dumps(made, indent=0) + "\n")
    ended = sum(len(s) < c["limit"] for c in made["generated"] for r in c["runs"] for s in r["said"])
    print(len(made["generated"]), "cases;", ended, "texts ended before the limit")
