"""Masked language models of `transformers`: the log-probability of each token when it alone is masked."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.errors import InputError, checked_int
from metrologue.language_models.base import TokenScores
from metrologue.language_models.pretrained import Loaded, PretrainedRunner, class_of, is_masked

if TYPE_CHECKING:
    import torch


class MaskedModel(PretrainedRunner):
    """A masked language model of `transformers`, with its tokenizer.

    Every token of a text is masked in turn, and its log-probability is that in its place; their sum is the text's
    pseudo-log-likelihood (Salazar et al. 2020). A text of n tokens goes through the model n times.

    Parameters
    ----------
    model_id : str, path or (model, tokenizer)
        A folder with a model such as RoBERTa and its tokenizer, or a name on the Hub; or both as `transformers` loaded
        them, see ``CausalModel``.
    batch_size : int
        The copies of a text that go through the model at once. It does not change the numbers.
    last : int, optional
        Only so many of the last tokens of a text are read, with the tokens that the tokenizer puts around it. The first
        and the last one of them are never masked. USR's program has 100, and so leaves one more word out of long texts.
    device, dtype, revision
        As for ``CausalModel``.

    Attributes
    ----------
    name : str
        As for ``CausalModel``; "+last-100" follows if `last` is given.
    base : float
        e.

    Raises
    ------
    InputError
        If torch or transformers is not installed, there is no such model or device, the tokenizer has no mask, or a
        number is out of range.

    Examples
    --------
    >>> MaskedModel("roberta-base", last=100)  # doctest: +SKIP
    """

    base = math.e
    cuts_texts = False
    _opener, _kind = "AutoModelForMaskedLM", "a masked language model"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        batch_size: int = 32,
        last: int | None = None,
        device: str | torch.device | None = None,
        dtype: str | None = None,
        revision: str | None = None,
    ) -> None:
        self.batch_size = checked_int("batch_size", batch_size, 1)
        self.last = None if last is None else checked_int("last", last, 3)
        needed = {"mask_token_id": "has no mask"}
        self._hold(model_id, device=device, dtype=dtype, revision=revision, usual="float32", needed=needed)
        if self._pretrained.is_given and not is_masked(self._model):
            raise InputError(f"MaskedModel: a {class_of(self._model)} is none that AutoModelForMaskedLM loads.")
        self._width = self._context()

    def _marks(self) -> dict[str, Any]:
        return {f"last-{self.last}": self.last}

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """The natural log-probabilities of the tokens of each text, each masked alone.

        Raises
        ------
        InputError
            If a text is longer than the model's context and `last` is not given, or the model gives NaN.
        """
        with self._pretrained.running():
            rows = [self._of_text(place, text) for place, text in enumerate(texts.to_pylist())]
        logs = np.concatenate([np.zeros(0), *rows])
        offsets = np.cumsum([0, *map(len, rows)])
        return TokenScores(log_probabilities=logs, offsets=offsets, unknown=np.zeros(len(logs), np.bool_))

    def _of_text(self, place: int, text: str) -> NDArray[np.float64]:
        """The log-probabilities of a text; `place` is its index for messages."""
        ids = np.array(self._tokenizer(text, return_attention_mask=False, verbose=False)["input_ids"], np.int64)
        kept = ids[-self.last :] if self.last else ids
        if len(kept) > self._width:
            what = f" has {len(kept)} tokens, and the model's context is {self._width}; give `last`."
            raise InputError.at("MaskedModel", "texts", place, what)
        logs = self._scored(kept)
        if np.isnan(logs).any():
            raise InputError.at("MaskedModel", "texts", place, ": the model gives NaN; give dtype='float32'.")
        return logs

    def _scored(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The log-probability of each token but the first and the last."""
        import torch

        places = np.arange(1, max(len(ids) - 1, 1))
        scores = np.empty(len(places))
        for first in range(0, len(places), self.batch_size):
            hidden = places[first : first + self.batch_size]
            rows = torch.arange(len(hidden))
            masked = np.tile(ids, (len(hidden), 1))
            masked[np.arange(len(hidden)), hidden] = self._tokenizer.mask_token_id
            logits = self._model(input_ids=torch.from_numpy(masked).to(self._device)).logits
            logs = logits[rows, torch.from_numpy(hidden)].float().log_softmax(-1)
            scores[first : first + len(hidden)] = logs[rows, torch.from_numpy(ids[hidden])].cpu().numpy()
        return scores

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text that are scored, as the tokenizer spells them."""
        ids = self._tokenizer(text, verbose=False)["input_ids"]
        kept = ids[-self.last :] if self.last else ids
        return [self._tokenizer.decode([one]) for one in kept[1:-1]]
