"""A function of the user's as a metric, such as a judge that asks a language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.named import NamedFunction, NamedValue
from metrologue.errors import InputError, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import REFERENCES, Input, texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["Judge", "Judged", "NamedJudge"]


class Judge(NamedFunction[Callable[..., Sequence[float]]]):
    """Any function that gives a number to each text.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures. The digest changes with whatever changes
        the numbers, such as a model or a prompt.
    function : callable
        From lists to as many finite numbers: the predictions, then those of references, sources that are given. Each
        is a list of n texts; the references are n lists of texts if a segment has several.

    Examples
    --------
    >>> Judge("shorter", lambda texts, references: [len(r) - len(t) for t, r in zip(texts, references)], "1").name
    'shorter@1'
    """

    def __init__(self, name: str, function: Callable[..., Sequence[float]], digest: str) -> None:
        super().__init__(name, function, digest)
        self.name = f"{name}@{digest}"  # the whole of it: it need not be a hash, whose beginning is enough

    def judge(self, columns: Sequence[list[Any]]) -> Floats:
        """The number of each segment, (n,). Raises an InputError if the function gives no finite number for each."""
        given, count = self._function(*columns), len(columns[0])
        scores = np.array([np.nan])
        with suppress(TypeError, ValueError):
            scores = np.array([*given], np.float64)
        if scores.shape != (count,) or not np.isfinite(scores).all():
            raise InputError(
                f"{self.name}: the function gave {shown(given)} for {count} texts; a finite number for each is "
                "expected."
            )
        return scores


@dataclass(frozen=True)
class NamedJudge(NamedValue):
    """A function that judges texts, with its name. Two with the same name are equal. A signature has the name."""

    function: Judge = field(compare=False, repr=False)

    noun = "judge"
    expected = "a Judge, or the name of one in use"
    plural = "judges"
    opener = "Judge(name, function, digest)"
    methods = ("judge",)

    @staticmethod
    def opened(path: Any, **options: Any) -> Any:  # a function is in no file
        """Refuse a path. Raises an InputError."""
        raise InputError(f"{shown(path)} is the name of no judge in use; give `function` and `name`.")


@dataclass(frozen=True, kw_only=True)
class Judged(OfTexts, Scorer):
    """The mean of the numbers that a function of yours gives to texts; higher is better.

    This is the place of a judge that is no metric of this package, such as a language model that is asked for a rating.
    The function gets lists, and gives a number for each text; intervals, tests, comparisons and correlations with
    people are then as for any metric. Its name and a digest are required, because a signature has them in place of the
    function: "my-judge@2026-11" stands for all that changes the numbers, such as the model, its version and the prompt.
    A score for which lower is better is given with a minus.

    ``metrologue.score`` takes the function as `function`, and its name as `name`. The function is called once for the
    texts of each system. Scores that stand in a file need no function: ``metrologue compare --scores`` and
    ``metrologue meta --scores-from`` read them.

    Raises
    ------
    InputError
        If there is no function, its name has no digest, or it does not give a finite number for each text.

    References
    ----------
    Zheng et al. 2023, https://arxiv.org/abs/2306.05685: language models as judges, and their biases.

    Examples
    --------
    >>> import metrologue
    >>> def judge(texts, references):  # yours may ask a model
    ...     return [float(text == reference) for text, reference in zip(texts, references)]
    >>> found = metrologue.score("judged", ["a cat", "a dog"], ["a cat", "dogs"], function=judge, name="equal@1")
    >>> found.value, "|judge=equal@1|" in found.signature
    (0.5, True)
    """

    name: ClassVar[str] = "judged"
    about: ClassVar = About(papers=("zheng-etal-2023-judging",), one_call=True, two_texts=False)
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        replace(REFERENCES, required=False),
        texts("sources", required=False, about="the text that each prediction was made from"),
    )

    judge: NamedJudge | None = option(
        None, stage="read", choice="judge", kind="function",
        about="The function with its name: a ``Judge``, or the name of one in use, as a signature has it. There is no "
        "score without one.",
    )  # fmt: skip
    aggregation: str = of_means("the mean of the numbers of the segments")
    scale: float = with_default(1.0, about="A factor of the numbers.")

    numbers: ClassVar = (
        number("judged", -math.inf, math.inf, better="higher", about="mean of the numbers that the function gives"),
        counted("segments", "segments", about="segments, of whose numbers this is the mean"),
    )

    _columns = ("judged_sum", "segments")

    @classmethod
    def _from_fields(cls, values: Mapping[str, Any]) -> Self:
        """Also from `function` and `name`."""
        given = dict(values)
        if "function" not in given and "name" not in given:
            return super()._from_fields(given)
        function, named = given.pop("function", None), given.pop("name", None)
        name, mark, digest = named.partition("@") if isinstance(named, str) else ("", "", "")
        if not (name and mark and digest):
            raise InputError(
                f"{cls.__name__}: `name` is {shown(named)}; a name with a digest is expected, such as "
                "'my-judge@2026-11': a signature has it in place of the function."
            )
        return super()._from_fields({**given, "judge": Judge(name, function, digest)})

    def _statistics(self, segments: Segments) -> Floats:
        """The number of each segment, and a 1."""
        if self.judge is None:
            raise InputError(
                f"{self._label}: the function is missing; it is given in Python, as in metrologue.score('judged', ..., "
                "function=judge, name='my-judge@1'). `metrologue compare --scores FILE` reads scores from elsewhere."
            )
        rows = np.ones((len(segments), 2))
        rows[:, 0] = self.judge.function.judge([_listed(segments, name) for name in self.input_names() if
                                                segments.has(name)])  # fmt: skip
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 1]
        return {"judged": self.scale * ratio(statistics[..., 0], segments), "segments": segments}

    _variants: ClassVar = {"metrologue": Variant("metrologue", "the numbers of the function that is given")}


def _listed(segments: Segments, name: str) -> list[Any]:
    """The texts of a column; lists of them if a segment has several."""
    rows = [segments.columns[name].entries(row) for row in range(len(segments))]
    return [row[0] for row in rows] if all(len(row) == 1 for row in rows) else [[*row] for row in rows]
