"""Folders of BLEURT's port to PyTorch (https://github.com/lucadiliello/bleurt-pytorch).

Such a folder has config.json, model.safetensors and a tokenizer. A model with narrow embeddings, as BLEURT-20 has them,
is laid out as RemBERT is, and any other one as BERT is; only the names of the arrays differ.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.errors import InputError
from metrologue.files.regular import MOST_WEIGHTS, read_regular
from metrologue.language_models.pretrained import libraries, reading, tokenizer_at
from metrologue.learned.features import Features
from metrologue.learned.tensors import tensors_from
from metrologue.learned.trained_model import TrainedModel
from metrologue.scorers.bleurt.network import PairTransformer, tokenizer_files

__all__ = ["open_port"]

_SHARED = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
    "hidden_dropout_prob", "attention_probs_dropout_prob", "max_position_embeddings", "type_vocab_size",
    "initializer_range", "layer_norm_eps", "pad_token_id",
)  # fmt: skip
_WEIGHTS, _PICKLED, _SENTENCE_PIECE = "model.safetensors", "pytorch_model.bin", "spm.model"


def open_port(place: Path, config: Mapping[str, Any]) -> TrainedModel:
    """The model of a folder.

    Raises
    ------
    InputError
        If its weights are pickled or missing, it has several outputs, or its tokenizer cannot be read.
    """
    if not (place / _WEIGHTS).is_file():
        pickled = (place / _PICKLED).is_file()
        why = f"and {_PICKLED}, which is pickled, is not read; save it anew with save_pretrained" if pickled else ""
        raise InputError(f"open_model: {place} has no {_WEIGHTS}{', ' * pickled}{why}.")
    tensors, _ = tensors_from(read_regular(place / _WEIGHTS, "open_model", MOST_WEIGHTS), str(place / _WEIGHTS))
    if "classifier.bias" not in tensors or tensors["classifier.bias"].shape != (1,):
        raise InputError(f"open_model: {place} has no classifier with one output, which BLEURT has.")
    narrow = config.get("embedding_size")
    own = {key: config[key] for key in _SHARED if key in config}
    if narrow is None:
        kind = {"model_type": "bert", **own}
    else:
        kind = {"model_type": "rembert", "input_embedding_size": narrow, **own}
        kind |= dict.fromkeys(("bos_token_id", "eos_token_id"))
    most, where = own.get("max_position_embeddings", 512), f"open_model: {place / 'config.json'}"
    PairTransformer.settings_form({"config": kind, "longest": most}, where)
    with reading("open_model", str(place), "a tokenizer"):
        tokenizer = _tokenizer(place)
        longest = min(most, int(tokenizer.model_max_length or most))
    weights = {_renamed(name): each.astype(np.float32) for name, each in tensors.items() if "position_ids" not in name}
    network = PairTransformer(weights, kind, tokenizer_files(tokenizer), longest)
    named = os.path.basename(os.path.realpath(place))
    told = f"it was trained elsewhere, as {named}; its authors say what it reaches"
    return TrainedModel("bleurt", Features(()), network, {"trainer": "BLEURT's port to PyTorch", "elsewhere": told})


def _tokenizer(place: Path) -> Any:
    _, transformers = libraries("open_model")
    kind = transformers.DebertaV2Tokenizer if (place / _SENTENCE_PIECE).is_file() else transformers.BertTokenizer
    return tokenizer_at(kind, place, local_files_only=True)


def _renamed(name: str) -> str:
    """The name of an array as `transformers` has it."""
    own = name.removeprefix("bleurt.").replace("embedding_projection", "embedding_hidden_mapping_in")
    return own.replace("classifier.", "head.") if own.startswith("classifier.") else own
