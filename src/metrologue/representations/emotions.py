"""Emotions: how probably a text has a positive one, by a model or a function."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.language_models.pretrained import Loaded
from metrologue.representations.pairs import PairModel

__all__ = ["POSITIVE", "EmotionModel", "FunctionEmotions"]

# What models call positive emotions: those of six or seven emotions, of GoEmotions, and of sentiment.
# fmt: off
POSITIVE = frozenset((
    "admiration", "amusement", "approval", "caring", "excitement", "gratitude", "happiness", "happy", "joy", "love",
    "optimism", "pos", "positive", "pride", "relief",
))
# fmt: on


class EmotionModel(PairModel):
    """A model of `transformers` that classifies texts by emotion or sentiment.

    Parameters
    ----------
    model_id, batch_size, device, dtype, revision
        As for ``TransformerEncoder``.
    positive : sequence of str, optional
        The labels of positive emotions, as `id2label` of its configuration has them; by default those of ``POSITIVE``.

    Raises
    ------
    InputError
        As ``PairModel``, and if the model has none of these labels, or no others.
    """

    _kind = "a classifier of emotions"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        *args: Any,
        positive: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self._wanted = POSITIVE if positive is None else {*map(str.lower, positive)}
        self._mark = "" if positive is None else f"+{'+'.join(sorted(self._wanted))}"
        super().__init__(model_id, *args, **kwargs)

    @property
    def name(self) -> str:
        """As for ``PairModel``, with the labels if they are given."""
        return super().name + self._mark

    def _check_labels(self, source: str, config: Any) -> None:
        names = [str(config.id2label[place]).lower() for place in range(config.num_labels)]
        self._places = [place for place, name in enumerate(names) if name in self._wanted]
        if not 0 < len(self._places) < len(names):
            raise InputError(
                f"EmotionModel: {source!r} has the labels {', '.join(names)}; some of them, and not all, are expected "
                "among those of `positive`."
            )

    def positive_shares(self, texts: Sequence[str]) -> Floats:
        """The probability that a text has a positive emotion, float64 (n,)."""
        outputs, _ = self._outputs(texts, None)
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True, initial=-np.inf))
        found: Floats = powers[:, self._places].sum(axis=1) / powers.sum(axis=1)
        return found


class FunctionEmotions:
    """Any function as a classifier of emotions, under a name and a digest.

    Parameters
    ----------
    name : str
    function : callable
        From a text to the probability that it has a positive emotion.
    digest : str
        A text that identifies this version of the function.

    Attributes
    ----------
    name : str
        ``name@digest``.

    Raises
    ------
    InputError
        If the name or the digest cannot be part of a signature, or `function` is no function.

    Examples
    --------
    >>> laughs = FunctionEmotions("laughs", lambda text: float("haha" in text), "1")
    >>> laughs.positive_shares(["haha, yes", "no"])
    array([1., 0.])
    """

    def __init__(self, name: str, function: Callable[[str], float], digest: str) -> None:
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"FunctionEmotions: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"FunctionEmotions: `function` is {shown(function)}; a callable is expected.")
        self.name = f"{name}@{digest[:12]}"
        self._function = function

    def positive_shares(self, texts: Sequence[str]) -> Floats:
        """As ``EmotionModel.positive_shares``. Raises an InputError if what the function gives is no probability."""
        found = np.zeros(len(texts))
        for row, text in enumerate(texts):
            given = self._function(text)
            try:
                found[row] = given
            except (TypeError, ValueError):
                found[row] = np.nan
            if not 0 <= found[row] <= 1:
                raise InputError(f"{self.name}: the function gave {shown(given)}; a probability is expected.")
        return found
