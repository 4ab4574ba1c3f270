"""AlignScore's checkpoints as classifiers of transformers (Zha et al. 2023, https://aclanthology.org/2023.acl-long.634)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.language_models.pretrained import libraries, lightning_checkpoint, reading, tokenizer_at
from metrologue.representations.pairs import EntailmentModel

__all__ = ["LABELS", "open_alignscore"]

LABELS = ("entailment", "neutral", "contradiction")  # of the three-way head, in its order
# Where a classifier of a kind has the arrays of a checkpoint: the encoder's, the pooler's and the head's.
_PARTS: Mapping[str, Mapping[str, str]] = {
    "roberta": {"base_model.pooler.": "classifier.", "base_model.": "roberta.", "tri_layer.": "classifier.out_proj."},
    "bert": {"base_model.": "bert.", "tri_layer.": "classifier."},
}


def open_alignscore(
    checkpoint: str | os.PathLike[str], encoder: str | os.PathLike[str], **options: Any
) -> EntailmentModel:
    """The three-way head of a checkpoint of AlignScore, for ``NliFaithfulness.variant("alignscore", model=...)``.

    No object but arrays and plain values is made of the checkpoint.

    Parameters
    ----------
    checkpoint : path
        A file such as ``AlignScore-large.ckpt``, from the authors.
    encoder : path
        The folder of the encoder that it was trained from, such as roberta-large: its configuration and its tokenizer.
    **options
        `batch_size` of ``EntailmentModel``.

    Raises
    ------
    InputError
        If a file is missing or holds more than weights and plain values, the encoder is neither RoBERTa nor BERT, or an
        array is missing or has another shape.

    Examples
    --------
    >>> model = open_alignscore("AlignScore-base.ckpt", "path/of/roberta-base")  # doctest: +SKIP
    """
    torch, transformers = libraries("open_alignscore")
    with reading("open_alignscore", os.fspath(encoder), "an encoder"):
        config = transformers.AutoConfig.from_pretrained(encoder, local_files_only=True, trust_remote_code=False)
        tokenizer = tokenizer_at(transformers.AutoTokenizer, encoder, local_files_only=True)
    parts = _PARTS.get(config.model_type)
    if parts is None:
        raise InputError(f"open_alignscore: {encoder} is a {config.model_type}; {' or '.join(_PARTS)} is expected.")
    state, _ = lightning_checkpoint("open_alignscore", torch, checkpoint)
    config.update({"id2label": dict(enumerate(LABELS)), "label2id": {name: at for at, name in enumerate(LABELS)}})
    model = transformers.AutoModelForSequenceClassification.from_config(config, trust_remote_code=False)
    given = {_renamed(name, parts): array for name, array in state.items()}
    wanted = model.state_dict()
    for name, array in wanted.items():
        if name not in given or given[name].shape != array.shape:
            there = f"has the shape {shown(tuple(given[name].shape))}" if name in given else "is missing"
            raise InputError(
                f"open_alignscore: {checkpoint}: the array of {name} {there}; {tuple(array.shape)} is expected."
            )
    model.load_state_dict({name: given[name] for name in wanted})
    return EntailmentModel((model.eval(), tokenizer), **options)


def _renamed(name: str, parts: Mapping[str, str]) -> str:
    """The name that a classifier has for an array of a checkpoint; its own if the classifier has none."""
    begin = next((begin for begin in parts if name.startswith(begin)), "")
    return parts[begin] + name.removeprefix(begin) if begin else name
