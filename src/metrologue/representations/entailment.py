"""Inference: how probably a text contradicts another one, says nothing of it, or entails it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.representations.pairs import PairModel

__all__ = ["LABELS", "EntailmentModel", "FunctionEntailment"]

# The order of the probabilities, and what names of a model's labels begin with.
LABELS = ("contradiction", "neutral", "entailment")
_BEGIN = ("contra", "neutral", "entail")

Judged = tuple[NDArray[np.float64], NDArray[np.int64]]


class EntailmentModel(PairModel):
    """A model of `transformers` that was trained on natural language inference, such as one for MNLI.

    The order of its labels is read from `id2label` of its configuration. Parameters are those of ``PairModel``.

    Raises
    ------
    InputError
        As ``PairModel``, and if the labels are not contradiction, neutral and entailment.
    """

    _kind = "a model of inference"

    def _check_labels(self, source: str, config: Any) -> None:
        names = [str(config.id2label[place]).lower() for place in range(config.num_labels)]
        found = [[place for place, name in enumerate(names) if name.startswith(begin)] for begin in _BEGIN]
        if len(names) != len(LABELS) or any(len(places) != 1 for places in found):
            raise InputError(
                f"EntailmentModel: {source!r} has the labels {', '.join(names)}; contradiction, neutral and "
                "entailment are expected, as `id2label` in its config.json."
            )
        self._places = [place for [place] in found]

    def judge_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """The probabilities of ``LABELS`` of each pair, float64 (n, 3), and the tokens left out, int64 (n,)."""
        outputs, left_out = self._outputs(premises, hypotheses)
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        return (powers / powers.sum(axis=1, keepdims=True))[:, self._places], left_out


class FunctionEntailment:
    """Any function as a model of inference, under a name and a digest that stand for it in signatures.

    Parameters
    ----------
    name : str
    function : callable
        From a premise and a hypothesis to three probabilities, those of ``LABELS``.
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
    >>> equal = FunctionEntailment("equal", lambda premise, text: (0, 0, 1) if premise == text else (0, 1, 0), "1")
    >>> equal.judge_pairs(["a", "a"], ["a", "b"])[0]
    array([[0., 0., 1.],
           [0., 1., 0.]])
    """

    layers = 0

    def __init__(self, name: str, function: Callable[[str, str], Sequence[float]], digest: str) -> None:
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"FunctionEntailment: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"FunctionEntailment: `function` is {shown(function)}; a callable is expected.")
        self.name = f"{name}@{digest[:12]}"
        self._function = function

    @classmethod
    def of_table(cls, name: str, table: Mapping[tuple[str, str], Sequence[float]]) -> FunctionEntailment:
        """Probabilities that are given for each premise and hypothesis. Another pair is refused.

        Examples
        --------
        >>> given = FunctionEntailment.of_table("given", {("a cat sat", "a cat"): (0.0, 0.1, 0.9)})
        >>> given.judge_pairs(["a cat sat"], ["a cat"])[0]
        array([[0. , 0.1, 0.9]])
        """
        rows = sorted([premise, text, [*map(float, given)]] for (premise, text), given in table.items())

        def look_up(premise: str, text: str) -> Sequence[float]:
            if (premise, text) not in table:
                raise InputError(f"{name}: no probabilities are given of {shown(premise)} and {shown(text)}.")
            return table[premise, text]

        return cls(name, look_up, hashlib.sha256(json.dumps(rows).encode()).hexdigest())

    def judge_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """As ``EntailmentModel.judge_pairs``. Raises an InputError if what the function gives are no probabilities."""
        found = np.zeros((len(premises), len(LABELS)))
        for row, (premise, text) in enumerate(zip(premises, hypotheses, strict=True)):
            given = self._function(premise, text)
            try:
                found[row] = given
            except (TypeError, ValueError):
                found[row] = np.nan
            if not (found[row] >= 0).all() or abs(found[row].sum() - 1) > 1e-3:
                raise InputError(f"{self.name}: the function gave {shown(given)}; three probabilities are expected.")
        return found, np.zeros(len(premises), np.int64)
