"""Models of sentence-transformers that are loaded already, as encoders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from metrologue.errors import InputError
from metrologue.language_models.pretrained import Pretrained
from metrologue.representations.base import Matrix
from metrologue.representations.transformer import TransformerEncoder

__all__ = ["SentenceEncoder", "is_sentence_transformer"]

_MOST = 2**31 - 1


def is_sentence_transformer(value: Any) -> bool:
    """Whether a value is a ``SentenceTransformer``, or has its methods."""
    return all(hasattr(value, name) for name in ("encode", "max_seq_length", "state_dict", "tokenizer"))


class SentenceEncoder(TransformerEncoder):
    """A loaded ``SentenceTransformer``: the vector of a text is that of its ``encode``, whatever its modules are.

    The vectors of tokens are those of the model of `transformers` in it. What is loaded stays as it is, see
    ``TransformerEncoder``.

    Parameters
    ----------
    model : sentence_transformers.SentenceTransformer
    batch_size : int
        The texts that go through the model at once, at most.
    device : str or torch.device, optional
        That on which the model is already.

    Raises
    ------
    InputError
        If its first module is no model of `transformers`, or the model is on another device.

    Examples
    --------
    >>> SentenceEncoder(SentenceTransformer("all-MiniLM-L6-v2")).encode_texts(["a cat"]).shape  # doctest: +SKIP
    (1, 384)
    """

    def __init__(self, model: Any, batch_size: int = 64, device: Any = None) -> None:
        self._sentences = model
        inner = getattr(next(iter(model), None), "auto_model", None)
        if inner is None:
            raise InputError(
                "SentenceEncoder: the first module of this SentenceTransformer is no model of transformers; a "
                "metrologue.representations.FunctionEncoder takes its `encode`."
            )
        super().__init__((inner, model.tokenizer), batch_size=batch_size, device=device)
        self._sentence_width = min(self._width, int(model.max_seq_length or _MOST))

    def _had(self, model_id: Any, **options: Any) -> Pretrained:
        modules = [(type(each).__name__, each.get_config_dict()) for each in [*self._sentences][1:]]
        names = ("max_seq_length", "truncate_dim", "prompts", "default_prompt_name")
        about = [modules, [getattr(self._sentences, name, None) for name in names]]
        settings = json.dumps(about, default=str, sort_keys=True)
        return Pretrained(
            type(self).__name__, model_id, "AutoModel", "an encoder", **options, whole=self._sentences,
            settings=settings,
        )  # fmt: skip

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """What ``encode`` gives, float32 (n, width), with the model's own prompt if it has one by default."""
        if not len(texts):
            return np.zeros((0, 0), np.float32)
        with self._pretrained.running():
            found = self._sentences.encode([*texts], batch_size=self.batch_size, show_progress_bar=False)
        return np.ascontiguousarray(found, np.float32)
