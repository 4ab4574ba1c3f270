"""What every adapter shares: which library it runs, whether that library is here, and how its numbers are asked for.

An adapter is thin on purpose. It hands texts to a library in the library's own layout and gives back the library's
own numbers under the names that our scorers use, so that a difference between two columns is never the adapter's.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import Any, ClassVar

__all__ = ["Available", "Library", "LibraryError", "Missing", "Scores", "primary_first"]

Scores = dict[str, float]


@dataclass(frozen=True)
class Available:
    """A library that can be run, in this version."""

    version: str

    def __str__(self) -> str:
        return self.version


@dataclass(frozen=True)
class Missing:
    """What a library lacks here, and what gets it."""

    what: str
    cure: str
    is_package: bool = False  # whether an extra of ours installs it

    def __str__(self) -> str:
        return f"{self.what}; {self.cure}"


class LibraryError(RuntimeError):
    """A library was asked for something that it cannot give: it is missing, or it has no such number."""


class Library(ABC):
    """One library that computes metrics.

    A subclass states the facts below and has one method for each metric, ``score_NAME(predictions, references,
    **options)``; that method is all it takes to add a metric. ``NAME`` may also be another call of the library, such
    as nltk's ``modified_precision``. A library that gives all segments' numbers in one run has ``segments_NAME`` too.

    Attributes
    ----------
    name : str
        The column's name, equal to the name of our variant that mirrors it, where there is one.
    distributions : tuple of str
        The packages it needs; the first one gives the version.
    extra : str
        The extra of ours that installs them.
    scale : float
        The library's 1.0: 100.0 where it reports per cent.
    resolution : float
        Relative difference below which two of its numbers are one: larger where it computes in float32.
    printed_digits : int or None
        The decimals of its numbers, where it is a program that prints them.
    """

    name: ClassVar[str]
    distributions: ClassVar[tuple[str, ...]]
    extra: ClassVar[str] = "compare"
    scale: ClassVar[float] = 1.0
    resolution: ClassVar[float] = 1e-12
    printed_digits: ClassVar[int | None] = None

    @classmethod
    def metrics(cls) -> list[str]:
        """Names that ``scores`` takes, in alphabetical order.

        Examples
        --------
        >>> from metrologue.comparison.libraries import adapters
        >>> [library.name for library in adapters() if "modified_precision" in library.metrics()]
        ['nltk']
        """
        return sorted(name.removeprefix("score_") for name in dir(cls) if name.startswith("score_"))

    def status(self, metric: str | None = None) -> Available | Missing:
        """The version that would run, or what is missing and the command that gets it.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics()``: what this metric needs beyond the library's packages must be there too.
        """
        versions: dict[str, str] = {}
        for distribution in self.distributions:
            try:
                versions[distribution] = metadata.version(distribution)
            except metadata.PackageNotFoundError:
                continue
        absent = [distribution for distribution in self.distributions if distribution not in versions]
        if absent:
            return Missing(
                f"{' and '.join(absent)} not installed",
                f"pip install {' '.join(self.distributions)}, or pip install 'metrologue[{self.extra}]'",
                is_package=True,
            )
        return Available(versions[self.distributions[0]])

    def scores(
        self,
        metric: str,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        **options: Any,
    ) -> Scores:
        """The library's numbers for a corpus.

        Parameters
        ----------
        metric : str
            One of ``metrics()``.
        predictions : sequence of n str
            The hypotheses.
        references : sequence of n str or n sequences of str
            The references of each segment; their number may vary.
        **options
            Handed to ``score_<metric>``, with the library's own values: ``max_order``, ``weights``, ``tokenize``,
            ``smooth``, ``lowercase``, as far as the library has them.

        Returns
        -------
        dict of str to float
            On the library's own scale. The first entry is the metric's primary number; others carry the names of
            ``Scorer.corpus(...).scores`` where they mean the same.

        Raises
        ------
        LibraryError
            If the library is missing or has no such metric. Its own exceptions pass through.

        Examples
        --------
        >>> from metrologue.comparison.libraries import get_library
        >>> get_library("nltk").scores("bleu", ["a b c d"], ["a b c d"])
        {'bleu': 1.0}
        """
        self._check(metric)
        method: Callable[..., Scores] = getattr(self, f"score_{metric}")
        return method(list(predictions), _nested(references), **options)

    def segments(
        self,
        metric: str,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        **options: Any,
    ) -> list[Scores]:
        """The numbers of each segment as a corpus of its own: n dicts like that of ``scores``.

        Parameters and exceptions are those of ``scores``.

        Examples
        --------
        >>> from metrologue.comparison.libraries import get_library
        >>> get_library("nltk").segments("bleu", ["a b c d", "e f g h"], ["a b c d", "e f g h"])
        [{'bleu': 1.0}, {'bleu': 1.0}]
        """
        self._check(metric)
        method: Callable[..., list[Scores]] = getattr(self, f"segments_{metric}", partial(self._one_by_one, metric))
        return method(list(predictions), _nested(references), **options)

    def segment_scores(
        self,
        metric: str,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        **options: Any,
    ) -> list[float]:
        """The metric's primary number for each segment, as a corpus of its own: n floats on the library's scale.

        Parameters and exceptions are those of ``scores``.
        """
        return [next(iter(row.values())) for row in self.segments(metric, predictions, references, **options)]

    def _single(self, references: list[list[str]]) -> list[str]:
        """The one reference of each segment; a LibraryError where a segment has more."""
        for index, texts in enumerate(references):
            if len(texts) != 1:
                raise LibraryError(f"{self.name}: one reference a segment; segment {index} has {len(texts)}")
        return [text for (text,) in references]

    def _one_by_one(
        self, metric: str, predictions: list[str], references: list[list[str]], **options: Any
    ) -> list[Scores]:
        return [
            self.scores(metric, [prediction], [texts], **options)
            for prediction, texts in zip(predictions, references, strict=True)
        ]

    def _check(self, metric: str) -> None:
        status = self.status(metric)
        if isinstance(status, Missing):
            raise LibraryError(f"{self.name}: {status}")
        if metric not in self.metrics():
            raise LibraryError(f"{self.name}: no {metric!r} here; there is {', '.join(self.metrics())}")


def by_order(**values: Sequence[float]) -> Scores:
    """Spread sequences over numbered names: ``precision=[0.5, 0.25]`` becomes ``precision_1`` and ``precision_2``."""
    return {f"{name}_{order}": value for name, column in values.items() for order, value in enumerate(column, start=1)}


def primary_first(scores: Mapping[str, float]) -> Scores:
    """ROUGE's numbers with the F of ROUGE-L first: the one that every library has is the primary one."""
    return dict(sorted(scores.items(), key=lambda item: item[0] != "rougeL_fmeasure"))


def _nested(references: Sequence[str] | Sequence[Sequence[str]]) -> list[list[str]]:
    return [[item] if isinstance(item, str) else list(item) for item in references]
