"""The base of all adapters: which library it runs, whether that library is installed, and how it gives its numbers.

An adapter is thin on purpose. It hands texts to a library in the library's own layout. It gives back the library's own
numbers under the names that our scorers use. So a difference between two columns never comes from the adapter.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from statistics import fmean
from typing import Any, ClassVar

from metrologue.origin import pip_install

__all__ = [
    "Available",
    "Library",
    "LibraryError",
    "Missing",
    "References",
    "Scores",
    "Texts",
    "by_order",
    "primary_first",
    "renamed",
]

Scores = dict[str, float]
# What an adapter gets: the predictions, and the references of each.
Texts = list[str]
References = list[list[str]]


@dataclass(frozen=True)
class Available:
    """A library that can be run, in this version."""

    version: str

    def __str__(self) -> str:
        return self.version


@dataclass(frozen=True)
class Missing:
    """What is missing to run a library, and the cure."""

    what: str
    cure: str
    is_package: bool = False  # whether an extra of ours installs it

    def __str__(self) -> str:
        return f"{self.what}; {self.cure}"


class LibraryError(RuntimeError):
    """An error of a library that is missing, or that has no such number."""


class Library(ABC):
    """One library that computes metrics.

    A subclass has the attributes below and one method for each metric, ``score_NAME(predictions, references,
    **options)``. To add a metric, add such a method. ``NAME`` may also be another call of the library, such as nltk's
    ``modified_precision``. A library that gives all segments' numbers in one run has ``segments_NAME`` too; if it has
    no ``score_NAME``, the number of the corpus is their mean. Options with a library's own names are handed on.

    Attributes
    ----------
    name : str
        The column's name. It is the name of our variant that mirrors the library, if there is one.
    distributions : tuple of str
        The packages that it needs. The first one gives the version.
    extra : str
        Our extra that installs them.
    bare : tuple of str
        Those of the packages that ask for others which they do not need here, and which can no longer be installed. No
        extra has them.
    scale : float
        The library's number for 1.0: 100.0 if it reports per cent.
    resolution : float
        Two of its numbers are equal if their relative difference is at most this. It is larger for float32.
    printed_digits : int or None
        The number of decimals, if the library is a program that prints its numbers.
    is_told_at_once : bool
        Whether ``status`` needs no time: it imports nothing, and asks no network.
    takes_model : bool
        Whether it scores texts by a language model. Its methods have the option ``model``, the path of the model.
    model_needed : str
        What this model is, for the message if there is none.
    inputs : mapping of str to tuple of str
        The inputs beside predictions and references that its methods of some metrics take, by their names: n texts.
    """

    name: ClassVar[str]
    distributions: ClassVar[tuple[str, ...]]
    extra: ClassVar[str] = "compare"
    bare: ClassVar[tuple[str, ...]] = ()
    scale: ClassVar[float] = 1.0
    resolution: ClassVar[float] = 1e-12
    printed_digits: ClassVar[int | None] = None
    is_told_at_once: ClassVar[bool] = True
    takes_model: ClassVar[bool] = False
    model_needed: ClassVar[str] = "an encoder; give `model`, the path of its folder"
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @classmethod
    def metrics(cls) -> list[str]:
        """The names that ``scores`` takes, in alphabetical order.

        Examples
        --------
        >>> from metrologue.comparison.libraries import adapters
        >>> [library.name for library in adapters() if "modified_precision" in library.metrics()]
        ['nltk']
        """
        kinds = ("score_", "segments_")
        return sorted({name.partition("_")[2] for name in dir(cls) if name.startswith(kinds)})

    @classmethod
    def scale_of(cls, metric: str) -> float:
        """The library's number for 1.0 under this metric: `scale`, unless a metric has another scale than the others.

        Examples
        --------
        >>> from metrologue.comparison.libraries import get_library
        >>> get_library("pycocoevalcap").scale_of("cider"), get_library("pycocoevalcap").scale_of("bleu")
        (10.0, 1.0)
        """
        return cls.scale

    def status(self, metric: str | None = None) -> Available | Missing:
        """The version that would run, or what is missing and the command that installs it.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics()``. What this metric needs beyond the library's packages is checked too.
        """
        versions: dict[str, str] = {}
        for distribution in self.distributions:
            try:
                versions[distribution] = metadata.version(distribution)
            except metadata.PackageNotFoundError:
                continue
        absent = [distribution for distribution in self.distributions if distribution not in versions]
        if absent:
            return Missing(f"{' and '.join(absent)} not installed", self._cure(), is_package=not self.bare)
        return Available(versions[self.distributions[0]])

    def _cure(self) -> str:
        """The commands that install the packages."""
        whole = [each for each in self.distributions if each not in self.bare]
        if self.bare:
            return f"pip install --no-deps {' '.join(self.bare)}" + f", and pip install {' '.join(whole)}" * bool(whole)
        return f"pip install {' '.join(whole)}, or {pip_install(self.extra)}"

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
            The `inputs` of the metric, and the library's own options with its values. ``max_order``, ``weights``,
            ``tokenize``, ``stem`` and ``smooth`` have these names for all libraries that have them.

        Returns
        -------
        dict of str to float
            The numbers on the library's own scale. The first one is the metric's primary number. Numbers with the same
            meaning have the names of ``Scorer.corpus(...).scores``.

        Raises
        ------
        LibraryError
            If the library is missing or has no such metric. The library's own exceptions are not caught.

        Examples
        --------
        >>> from metrologue.comparison.libraries import get_library
        >>> get_library("nltk").scores("bleu", ["a b c d"], ["a b c d"])
        {'bleu': 1.0}
        """
        self._check(metric, options)
        method: Callable[..., Scores] = getattr(self, f"score_{metric}", partial(self._mean, metric))
        return method(list(predictions), _nested(references), **options)

    def segments(
        self,
        metric: str,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        **options: Any,
    ) -> list[Scores]:
        """The numbers of each segment, scored as a corpus of one segment: n dicts like that of ``scores``.

        Parameters and exceptions are those of ``scores``.

        Examples
        --------
        >>> from metrologue.comparison.libraries import get_library
        >>> get_library("nltk").segments("bleu", ["a b c d", "e f g h"], ["a b c d", "e f g h"])
        [{'bleu': 1.0}, {'bleu': 1.0}]
        """
        self._check(metric, options)
        method: Callable[..., list[Scores]] = getattr(self, f"segments_{metric}", partial(self._one_by_one, metric))
        return method(list(predictions), _nested(references), **options)

    def segment_scores(
        self,
        metric: str,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        **options: Any,
    ) -> list[float]:
        """The metric's primary number for each segment, scored as a corpus of one segment: n floats.

        They are on the library's scale.

        Parameters and exceptions are those of ``scores``.
        """
        return [next(iter(row.values())) for row in self.segments(metric, predictions, references, **options)]

    def _single(self, references: References) -> Texts:
        """The one reference of each segment. A segment with more references is a LibraryError."""
        for index, texts in enumerate(references):
            if len(texts) != 1:
                what = f"segment {index + 1}, counted from 1, has {len(texts)}"
                raise LibraryError(f"{self.name}: takes one reference per segment; {what}")
        return [text for (text,) in references]

    def _one_by_one(self, metric: str, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        inputs = {name: options.pop(name) for name in self.inputs.get(metric, ())}
        return [
            self.scores(metric, [prediction], [texts], **{name: [inputs[name][index]] for name in inputs}, **options)
            for index, (prediction, texts) in enumerate(zip(predictions, references, strict=True))
        ]

    def _mean(self, metric: str, predictions: Texts, references: References, **options: Any) -> Scores:
        rows = self.segments(metric, predictions, references, **options)
        return {name: fmean(row[name] for row in rows) for name in rows[0]}

    def _check(self, metric: str, options: Mapping[str, Any]) -> None:
        status = self.status(metric)
        if isinstance(status, Missing):
            raise LibraryError(f"{self.name}: {status}")
        if metric not in self.metrics():
            raise LibraryError(f"{self.name}: no {metric!r} here; there are {', '.join(self.metrics())}")
        if self.takes_model and options.get("model") is None:
            raise LibraryError(f"{self.name}: `{metric}` needs {self.model_needed}")


def by_order(**values: Sequence[float]) -> Scores:
    """Sequences as numbers with numbered names: ``precision=[0.5, 0.25]`` gives ``precision_1`` and ``precision_2``."""
    return {f"{name}_{order}": value for name, column in values.items() for order, value in enumerate(column, start=1)}


def renamed(options: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """The options by the library's names of them, for those that it calls otherwise: ``smooth="smooth_method"``."""
    return {names.get(name, name): value for name, value in options.items()}


def primary_first(scores: Mapping[str, float]) -> Scores:
    """ROUGE's numbers with the F of ROUGE-L first. Every library has this number, so it is the primary one."""
    return dict(sorted(scores.items(), key=lambda item: item[0] != "rougeL_fmeasure"))


def _nested(references: Sequence[str] | Sequence[Sequence[str]]) -> References:
    return [[item] if isinstance(item, str) else list(item) for item in references]
