"""Small checkpoints of drawn weights, as unbabel-comet saves them. Both that package and the tests make them anew."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = (
    "a", "the", "cat", "dog", "sat", "mat", "on", "big", "house", "green", "not", "is", "was", "very", ",", ".", "hund",
    "katze", "das", "ein", "haus", "grün", "nicht",
)  # fmt: skip
# Features of the feed-forward network, each as wide as the encoder.
FEATURES = {"regression_metric": 6, "referenceless_regression_metric": 4, "unified_metric": 1, "xcomet_metric": 1}
JOINT = ("unified_metric", "xcomet_metric")
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
         "max_position_embeddings": 40}  # fmt: skip
# The kinds of encoders: the model's type, and the tokens before a text, after it, in place of none and of unknown ones.
ENCODERS = {
    "XLM-RoBERTa": ("xlm-roberta", ("<s>", "</s>", "<pad>", "<unk>")),
    "BERT": ("bert", ("[CLS]", "[SEP]", "[PAD]", "[UNK]")),
}


def draws_texts(seed: int, count: int = 12) -> list[dict[str, str]]:
    """Triples of texts: empty, with unknown words, longer than the encoder's context, and equal ones."""
    rng = np.random.default_rng(seed)

    def text() -> str:
        return " ".join(rng.choice([*WORDS, "unheard"], int(rng.choice([0, 1, 3, 8, 20, 60]))))

    triples = [{"src": text(), "mt": text(), "ref": text()} for _ in range(count)]
    return [*triples, {"src": "das haus", "mt": "the house", "ref": "the house"}]


def make_encoder(folder: Path, kind: str = "XLM-RoBERTa") -> dict[str, Any]:
    """An encoder's configuration and tokenizer in a folder; gives the configuration."""
    model, (first, last, padding, unknown) = ENCODERS[kind]
    words = [first, padding, last, unknown, *WORDS]
    folder.mkdir(parents=True, exist_ok=True)
    marks = [{"id": place, "content": word, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": True} for place, word in enumerate(words[:4])]  # fmt: skip
    around = [{"SpecialToken": {"id": first, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": last, "type_id": 0}}]  # fmt: skip
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": False, "strip_accents": False,
                  "lowercase": False}  # fmt: skip
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": marks,
        "normalizer": normalizer if kind == "BERT" else None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": None,
        "post_processor": {
            "type": "TemplateProcessing", "single": around,
            "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                word: {"id": word, "ids": [words.index(word)], "tokens": [word]} for word in (first, last)
            },
        },
        "model": {"type": "WordLevel", "vocab": {word: place for place, word in enumerate(words)},
                  "unk_token": unknown},
    }  # fmt: skip
    told = {"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": first, "sep_token": last, "pad_token": padding,
            "unk_token": unknown, "model_max_length": 40, "do_lower_case": False,
            "tokenize_chinese_chars": False}  # fmt: skip
    config = {
        "model_type": model, "vocab_size": len(words), "type_vocab_size": 2,
        "layer_norm_eps": 1e-12, "pad_token_id": 1, "hidden_act": "gelu", "bos_token_id": 0, "eos_token_id": 2, **SIZES,
    }  # fmt: skip
    for name, content in (("tokenizer", tokenizer), ("tokenizer_config", told), ("config", config)):
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return config


def shapes(config: dict[str, Any], settings: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """The arrays of a checkpoint."""
    width, inner = SIZES["hidden_size"], SIZES["intermediate_size"]
    kinds = ("word", config["vocab_size"]), ("position", config["max_position_embeddings"]), ("token_type", 2)
    found: dict[str, tuple[int, ...]] = {f"embeddings.{name}_embeddings.weight": (n, width) for name, n in kinds}
    layers = {"attention.self.query": (width, width), "attention.self.key": (width, width),
              "attention.self.value": (width, width), "attention.output.dense": (width, width),
              "intermediate.dense": (inner, width), "output.dense": (width, inner)}  # fmt: skip
    norms = ["embeddings.LayerNorm"]
    for number in range(SIZES["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
        for name, shape in layers.items():
            found |= {f"{layer}.{name}.weight": shape, f"{layer}.{name}.bias": shape[:1]}
    found |= {f"{name}.{part}": (width,) for name in norms for part in ("weight", "bias")}
    found = {f"encoder.model.{name}": shape for name, shape in found.items()}
    if settings["sent_layer" if settings["class_identifier"] in JOINT else "layer"] == "mix":
        found |= {f"layerwise_attention.scalar_parameters.{layer}": (1,) for layer in range(len(norms) // 2 + 1)}
        found["layerwise_attention.gamma"] = (1,)
    sizes = [FEATURES[settings["class_identifier"]] * width, *settings["hidden_sizes"], 1]
    for place, (before, after) in enumerate(itertools.pairwise(sizes)):
        found |= {f"estimator.ff.{3 * place}.weight": (after, before), f"estimator.ff.{3 * place}.bias": (after,)}
    if settings["class_identifier"] == "xcomet_metric":
        found |= {"hidden2tag.weight": (4, width), "hidden2tag.bias": (4,), "wordloss.weight": (4,)}
    return found


def make_checkpoint(folder: Path, kind: str, seed: int = 0, **settings: Any) -> Path:
    """A folder with hparams.yaml, checkpoints/model.ckpt, and the encoder in ``encoder``."""
    import torch
    import yaml

    chosen = {
        "encoder_model": "XLM-RoBERTa", "pretrained_model": str(folder / "encoder"), "layer_transformation": "softmax",
        "layer_norm": False, "hidden_sizes": [20, 8], "activations": "Tanh", "final_activation": None, "dropout": 0.1,
        **({"sent_layer": "mix", "input_segments": ["mt", "src"], "word_level_training": False}
           if kind == "unified_metric" else {"sent_layer": "mix", "word_layer": 1, "word_level_training": True,
                                             "error_labels": ["minor", "major", "critical"]}
           if kind == "xcomet_metric" else {"layer": "mix", "pool": "avg"}),
        **settings,
    }  # fmt: skip
    config = make_encoder(folder / "encoder", chosen["encoder_model"])
    named = {**chosen, "class_identifier": kind}
    rng = np.random.default_rng(seed)
    state = {}
    for name, shape in sorted(shapes(config, named).items()):
        drawn = rng.normal(0, 0.3, shape) + (name.endswith("LayerNorm.weight") or name.endswith("gamma"))
        if name == "hidden2tag.bias":  # most tokens are in no error
            drawn[0] += 1.0
        state[name] = torch.tensor(drawn, dtype=torch.float32)
    (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
    (folder / "hparams.yaml").write_text(yaml.safe_dump(named), "utf-8")
    held = {"state_dict": state, "hyper_parameters": chosen, "pytorch-lightning_version": "2.6.0", "epoch": 0,
            "global_step": 0, "loops": None}  # fmt: skip
    torch.save(held, folder / "checkpoints" / "model.ckpt")
    return folder


# What a recorded checkpoint is made of, by the name of its scores.
KINDS: dict[str, dict[str, Any]] = {
    "means": {"kind": "regression_metric", "seed": 1},
    "sparse": {"kind": "regression_metric", "seed": 2, "layer_transformation": "sparsemax", "pool": "cls"},
    "maxima": {"kind": "regression_metric", "seed": 3, "pool": "max", "layer_norm": True, "activations": "Sigmoid"},
    "one-layer": {"kind": "referenceless_regression_metric", "seed": 4, "layer": 1, "final_activation": "Sigmoid"},
    "normal": {"kind": "referenceless_regression_metric", "seed": 5, "layer_norm": True, "hidden_sizes": [12]},
    "patched": {"kind": "unified_metric", "seed": 6, "layer_transformation": "sparsemax_patch"},
    "three": {"kind": "unified_metric", "seed": 7, "input_segments": ["mt", "src", "ref"], "layer_norm": True},
    "references": {"kind": "unified_metric", "seed": 8, "input_segments": ["mt", "ref"], "sent_layer": 2},
    "bert": {"kind": "unified_metric", "seed": 9, "encoder_model": "BERT", "input_segments": ["mt", "src", "ref"]},
    "xcomet": {"kind": "xcomet_metric", "seed": 11, "layer_transformation": "sparsemax"},
    "xcomet-bert": {"kind": "xcomet_metric", "seed": 12, "encoder_model": "BERT", "sent_layer": 2, "word_layer": 2},
    "bert-means": {"kind": "regression_metric", "seed": 10, "encoder_model": "BERT"},
}
# The scores of "three" without references.
WITHOUT = "three without references"
# What xCOMET says with and without references, and the threshold of its errors.
MARKED = {"xcomet": (True, None), "xcomet without references": (False, None), "xcomet threshold": (True, 0.7),
          "xcomet-bert": (True, None)}  # fmt: skip
