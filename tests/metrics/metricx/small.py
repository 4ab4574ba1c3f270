"""Small checkpoints of drawn weights, as MetricX's are saved. Both the authors' program and the tests make them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = (
    "candidate:", "source:", "reference:", "a", "the", "cat", "dog", "sat", "mat", "on", "big", "house", "green", "not",
    "is", "was", ",", ".", "hund", "katze", "das", "ein", "haus", "grün", "nicht",
)  # fmt: skip
VOCABULARY = 250112  # the rows of mT5, of which the rating is one
SIZES = {"d_model": 8, "d_kv": 4, "d_ff": 12, "num_heads": 2, "num_layers": 2, "num_decoder_layers": 2}


def draws_texts(seed: int, count: int = 12) -> list[dict[str, str]]:
    """Triples of texts, by the names of the authors' program: empty, with unknown words, and long ones."""
    rng = np.random.default_rng(seed)

    def text() -> str:
        return " ".join(rng.choice([*WORDS[3:], "unheard"], int(rng.choice([0, 1, 3, 8, 20, 40]))))

    triples = [{"source": text(), "hypothesis": text(), "reference": text()} for _ in range(count)]
    return [*triples, {"source": "das haus", "hypothesis": "the house", "reference": "the house"}]


def make_tokenizer(folder: Path) -> None:
    """A tokenizer with mT5's first ids in a folder: padding 0, the mark at the end 1, and unknown words 2."""
    words = ["<pad>", "</s>", "<unk>", *WORDS]
    folder.mkdir(parents=True, exist_ok=True)
    marks = [{"id": place, "content": word, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": True} for place, word in enumerate(words[:3])]  # fmt: skip
    around = [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": marks, "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": None,
        "post_processor": {
            "type": "TemplateProcessing", "single": around, "pair": around,
            "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}},
        },
        "model": {"type": "WordLevel", "vocab": {word: place for place, word in enumerate(words)},
                  "unk_token": "<unk>"},
    }  # fmt: skip
    told = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "</s>", "pad_token": "<pad>",
            "unk_token": "<unk>"}  # fmt: skip
    for name, content in (("tokenizer", tokenizer), ("tokenizer_config", told)):
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")


def shapes() -> dict[str, tuple[int, ...]]:
    """The arrays of a checkpoint."""
    width, inner, hidden = SIZES["d_model"], SIZES["d_kv"] * SIZES["num_heads"], SIZES["d_ff"]
    found: dict[str, tuple[int, ...]] = {
        "shared.weight": (VOCABULARY, width), "lm_head.weight": (VOCABULARY, width),
    }  # fmt: skip
    for part, attentions in (("encoder", ["SelfAttention"]), ("decoder", ["SelfAttention", "EncDecAttention"])):
        found[f"{part}.final_layer_norm.weight"] = (width,)
        found[f"{part}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"] = (32, SIZES["num_heads"])
        for block in range(SIZES["num_layers"]):
            for layer, kind in enumerate([*attentions, "DenseReluDense"]):
                name = f"{part}.block.{block}.layer.{layer}"
                found[f"{name}.layer_norm.weight"] = (width,)
                if kind == "DenseReluDense":
                    found |= {f"{name}.{kind}.{each}.weight": (hidden, width) for each in ("wi_0", "wi_1")}
                    found[f"{name}.{kind}.wo.weight"] = (width, hidden)
                else:
                    found |= {f"{name}.{kind}.{each}.weight": (inner, width) for each in "qkv"}
                    found[f"{name}.{kind}.o.weight"] = (width, inner)
    return found


def make_checkpoint(folder: Path, seed: int = 0, dtype: str = "float32", form: str = "bin", **settings: Any) -> Path:
    """A folder with config.json and the weights ("bin" or "safetensors"), and the tokenizer in ``tokenizer``."""
    import torch

    make_tokenizer(folder / "tokenizer")
    config = {
        "architectures": ["MT5ForRegression"], "model_type": "mt5", "vocab_size": VOCABULARY, "pad_token_id": 0,
        "eos_token_id": 1, "decoder_start_token_id": 0, "is_encoder_decoder": True, "tie_word_embeddings": False,
        "feed_forward_proj": "gated-gelu", "dropout_rate": 0.1, "layer_norm_epsilon": 1e-6,
        "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128, "torch_dtype": dtype, **SIZES,
        **settings,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    rng = np.random.default_rng(seed)
    state = {}
    for name, shape in sorted(shapes().items()):
        drawn = rng.normal(0, 1 if name == "shared.weight" else 0.3, shape) + name.endswith("norm.weight")
        if name == "lm_head.weight":  # ratings of about 0 to 25
            drawn[250089] = rng.normal(0, 5, shape[1])
        state[name] = torch.tensor(drawn, dtype=getattr(torch, dtype))
    if form == "safetensors":
        from safetensors.torch import save_file

        save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    else:
        torch.save(state, folder / "pytorch_model.bin")
    return folder


# What a recorded checkpoint is made of and how it is run, by the name of its scores: the program, and its options.
KINDS: dict[str, dict[str, Any]] = {
    "metricx-24": {"seed": 12, "year": 24, "longest": 1536},
    "metricx-24 without references": {"seed": 7, "year": 24, "longest": 1536, "qe": True},
    "metricx-24 cut": {"seed": 6, "year": 24, "longest": 30},
    "metricx-24 bfloat16": {"seed": 4, "year": 24, "longest": 1536, "dtype": "bfloat16"},
    "metricx-23": {"seed": 7, "year": 23, "longest": 1024},
    "metricx-23-qe": {"seed": 12, "year": 23, "longest": 1024, "qe": True},
}


def model() -> Any:
    """A function as the model: the letters that the counts of both texts differ by, and a little for a long source."""
    from small_encoder import Letters
    from small_trained import BETTER

    from metrologue.scorers.metricx.network import MetricXFunction

    def rated(texts: list[str], sources: list[str], references: list[str]) -> list[float]:
        one, other = (Letters().encode_texts(each).astype(float) for each in (references, texts))
        gaps = np.abs(one - other).sum(axis=1)
        return [min(25.0, float(gap) / 8 + len(source) / 256) for gap, source in zip(gaps, sources, strict=True)]

    return MetricXFunction("letters", "1", rated).model("metricx", BETTER)
