"""What every metric is: statistics of each segment, their aggregate, and a score of the aggregate."""

from __future__ import annotations

import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

import metrologue
from metrologue.errors import InputError
from metrologue.segments import Segments

__all__ = ["Choice", "Result", "Scorer", "Totals", "Variant", "get_scorer", "list_scorers"]

Floats = NDArray[np.float64]

_scorers: dict[str, type[Scorer]] = {}
_MOST_SEGMENTS = 1 << 14  # counted at once


@dataclass(frozen=True)
class Choice:
    """Fields that only make sense together, and the stage that they change.

    Attributes
    ----------
    name : str
    fields : tuple of str
    stage : str
        "view" (how text is cut), "statistics" (what is counted) or "score" (what is made of the counts).
    """

    name: str
    fields: tuple[str, ...]
    stage: str


@dataclass(frozen=True)
class Variant:
    """A library's number as field values.

    Attributes
    ----------
    library, version : str
        What is mirrored.
    about : str
        One sentence on what marks it.
    fields : mapping
        The values that differ from the scorer's defaults.
    """

    library: str
    version: str
    about: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """A corpus score.

    Attributes
    ----------
    value : float
        The primary number, on the scorer's own scale.
    scores : dict of str to float or int
        Every number; counts are int.
    signature : str
        All choices behind it; ``Scorer.from_signature`` gives the scorer back.
    primary : str
        The key of `value` in `scores`.
    decimals : int or None
        How many the mirrored program prints, where it prints.
    """

    value: float
    scores: dict[str, float | int]
    signature: str
    primary: str
    decimals: int | None = None

    @property
    def printed(self) -> dict[str, str]:
        """Every number as the mirrored program prints it; in full where it is a library and prints nothing."""
        decimals = self.decimals
        return {key: repr(n) if decimals is None else f"{n:.{decimals}f}" for key, n in self.scores.items()}

    def __str__(self) -> str:
        return f"{self.primary} = {self.value:.4f}  {self.signature}"


@dataclass(frozen=True, eq=False)
class Totals:
    """An aggregate that can be merged with others of the same scorer, saved and loaded.

    Attributes
    ----------
    signature : str
    columns : tuple of str
    values : float64 (k,) or (segments, k)
        Sums; or the rows, where the score is not one of sums (a bootstrap).
    segments : int
        How many segments went in.
    """

    signature: str
    columns: tuple[str, ...]
    values: Floats
    segments: int

    def merge(self, other: Totals) -> Totals:
        """The totals of both.

        Raises
        ------
        InputError
            If they are of different scorers.
        """
        if self.signature != other.signature:
            raise InputError(f"merge: totals of unlike scorers: {self.signature} and {other.signature}.")
        both = self.values, other.values
        values = np.concatenate(both) if self.values.ndim == 2 else both[0] + both[1]
        return replace(self, values=values, segments=self.segments + other.segments)

    def save(self, path: str | Path) -> None:
        """Write as JSON."""
        columns = dict(zip(self.columns, self.values.T.tolist(), strict=True))
        Path(path).write_text(
            json.dumps({"signature": self.signature, "segments": self.segments, "totals": columns}) + "\n", "utf-8"
        )

    @classmethod
    def load(cls, path: str | Path) -> Totals:
        """Read what ``save`` wrote.

        Raises
        ------
        InputError
            If the file holds something else.
        """
        try:
            data = json.loads(Path(path).read_text("utf-8"))
            columns = data["totals"]
            return cls(data["signature"], tuple(columns), np.array([*columns.values()], float).T, data["segments"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"Totals.load: {path} holds no saved totals ({error}).") from error


@dataclass(frozen=True, kw_only=True)
class Scorer(ABC):
    """A metric. The scorer is its configuration: equal fields are an equal metric.

    A metric defines `counts`, sufficient statistics of each segment, and `numbers`, what is made of them; because
    `numbers` works on sums as on single rows, all else is here.

    Parameters
    ----------
    aggregation : str
        "corpus": the score of the summed counts; "mean": the mean of the segments' own scores.
    scale : float
        What a perfect score is.
    """

    name: ClassVar[str]
    choices: ClassVar[tuple[Choice, ...]]
    _variants: ClassVar[dict[str, Variant]] = {}
    _aggregations: ClassVar[tuple[str, ...]] = ("corpus", "mean")

    aggregation: str = "corpus"
    scale: float = 1.0

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__:
            _scorers[cls.name] = cls

    # How a metric checks its fields.

    def __post_init__(self) -> None:
        self._check_names(aggregation=self._aggregations)
        self._check_numbers("scale")
        self._check("scale", self.scale > 0, "a finite number above 0")

    @property
    def _owner(self) -> str:
        """How messages name the scorer."""
        return type(self).__name__

    def _check(self, field: str, holds: bool, expected: str) -> None:
        """An InputError unless a field's value is as expected."""
        if not holds:
            raise InputError(f"{self._owner}: `{field}` is {getattr(self, field)!r}; {expected} is expected.")

    def _check_names(self, **known: Iterable[str]) -> None:
        """An InputError unless each field is one of its names."""
        for field, names in known.items():
            self._check(field, getattr(self, field) in [*names], " or ".join(names))

    def _check_numbers(
        self, *names: str, kind: type[int] | type[float] = float, least: float = 0, greatest: float = math.inf
    ) -> None:
        """An InputError unless each field is a finite number of this kind, a tuple of such, or None as by default.

        They are held as that kind: with 1 and 1.0 it is one scorer.
        """
        abstract, expected = (Integral, "an int") if kind is int else (Real, "a finite number")
        expected += f" of {least:g} or more" if greatest == math.inf else f" from {least:g} to {greatest:.10g}"
        for field in names:
            value, optional = getattr(self, field), getattr(type(self), field) is None
            if optional and value is None:
                continue
            items = value if isinstance(value, tuple) else (value,)
            holds = all(isinstance(n, abstract) and math.isfinite(n) and least <= float(n) <= greatest for n in items)
            self._check(field, holds, "None or " * optional + expected)
            items = tuple(map(kind, items))
            self._settle(**{field: items if isinstance(value, tuple) else items[0]})

    def _settle(self, **values: Any) -> None:
        """Hold the one form of what can be given in several."""
        for field, value in values.items():
            object.__setattr__(self, field, value)

    # What a metric defines.

    @property
    @abstractmethod
    def count_columns(self) -> tuple[str, ...]:
        """Names of the columns of `counts`."""

    @property
    @abstractmethod
    def primary(self) -> str:
        """The number that `value` is."""

    @property
    @abstractmethod
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number, in the order in which `numbers` gives them."""

    @property
    @abstractmethod
    def higher_is_better(self) -> dict[str, bool]:
        """Direction of each number that has one."""

    @abstractmethod
    def counts(self, segments: Segments) -> Floats:
        """Sufficient statistics of each segment, (n_segments, len(count_columns))."""

    @abstractmethod
    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """Every number from counts of shape (..., len(count_columns)), each of shape (...)."""

    # What every metric can do.

    @property
    def share_of(self) -> float | None:
        """What `value` is a share of, 100 points: the scale. None if it is no share of anything, as a distance is."""
        return self.scale

    @property
    def printed_decimals(self) -> int | None:
        """Decimals of the numbers that the mirrored program prints; None for a library, which returns them."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the k statistics: what is summed over segments."""
        return self.count_columns if self.aggregation == "corpus" else (*self.range, "segments")

    @property
    def additive(self) -> bool:
        """Whether the totals are a sum of rows, so that batches can be summed too; else their rows are kept."""
        return True

    def statistics(self, segments: Segments) -> Floats:
        """What is summed over segments, (n_segments, k): the counts, or for a mean each segment's numbers and a 1."""
        return self.from_counts(self.counts(segments))

    def from_counts(self, counts: Floats) -> Floats:
        """The statistics of segments whose counts are known, (n_segments, k)."""
        if self.aggregation == "corpus":
            return counts
        return np.column_stack([*self.numbers(counts).values(), np.ones(len(counts))])

    def aggregate(self, rows: Floats) -> Floats:
        """Totals (k,) of rows (n, k): their sum.

        Raises
        ------
        InputError
            If there are no rows: nothing has no score.
        """
        if not len(rows):
            raise InputError(f"{self._owner}: no segments; a score needs at least one.")
        totals: Floats = rows.sum(axis=0)
        return totals

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number from totals of shape (..., k), each of shape (...): resamples, systems or segments at once."""
        if self.aggregation == "corpus":
            return self.numbers(totals)
        return {key: totals[..., i] / totals[..., -1] for i, key in enumerate(self.range)}

    @classmethod
    def variants(cls) -> dict[str, Variant]:
        """Whose numbers this scorer gives, by name."""
        return dict(cls._variants)

    @classmethod
    def variant(cls, name: str, **overrides: Any) -> Self:
        """The scorer that gives a library's number.

        Parameters
        ----------
        name : str
            One of ``variants()``.
        **overrides
            Field values that differ from it.

        Raises
        ------
        InputError
            If there is no such variant or field, or a value is out of range.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk", max_order=2).weights
        (0.5, 0.5)
        """
        if name not in cls._variants:
            raise InputError(f"{cls.__name__}: no variant is called {name!r}; there are {', '.join(cls._variants)}.")
        return cls.configured({**cls._variants[name].fields, **overrides})

    @classmethod
    def configured(cls, values: Mapping[str, Any]) -> Self:
        """The scorer of these field values; an unknown field is an InputError that lists the known ones."""
        known = [field.name for field in fields(cls)]
        if unknown := sorted(set(values) - set(known)):
            raise InputError(f"{cls.__name__}: unknown field {unknown[0]!r}; the fields are {', '.join(known)}.")
        return cls(**values)

    @property
    def mirrors(self) -> str | None:
        """The variant that has exactly these fields, if one has."""
        return next((name for name in self._variants if self.variant(name) == self), None)

    @property
    def signature(self) -> str:
        """All field values on one line, with the version mirrored and our own.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk").signature.split("|")[1]
        'mirrors=nltk-3.10.4'
        """
        parts = [self.name]
        if self.mirrors:
            variant = self._variants[self.mirrors]
            parts.append(f"mirrors={variant.library}-{variant.version}")
        parts += [f"{field.name}={json.dumps(getattr(self, field.name))}" for field in fields(self)]
        return "|".join([*parts, f"metrologue={metrologue.__version__}"]).replace('"', "").replace(" ", "")

    @staticmethod
    def from_signature(signature: str) -> Scorer:
        """The scorer that a signature describes.

        Raises
        ------
        InputError
            If it is no signature, or names a tokenizer that is not registered here.

        Examples
        --------
        >>> from metrologue.scorers import Bleu, Scorer
        >>> Scorer.from_signature(Bleu(lowercase=True).signature) == Bleu(lowercase=True)
        True
        """
        name, *parts = signature.strip().split("|")
        if name not in _scorers or not all("=" in part for part in parts):
            raise InputError(f"from_signature: {signature!r:.60} is no signature of {', '.join(_scorers)}.")
        values = dict(part.split("=", 1) for part in parts)
        return _scorers[name].configured(
            {key: parse_value(value) for key, value in values.items() if key not in ("mirrors", "metrologue")}
        )

    def _rows(self, predictions: Any, references: Any, threads: int | None) -> Floats:
        segments = Segments(predictions, references, owner=self._owner)
        return self.from_counts(_over_shards(self.counts, segments, threads))

    def corpus(self, predictions: Any, references: Any, threads: int | None = None) -> Result:
        """The score of a whole corpus.

        Parameters
        ----------
        predictions : n strings
        references : n strings, or n lists of strings
            See ``Segments`` for all that is taken.
        threads : int, optional
            ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.

        Returns
        -------
        Result

        Raises
        ------
        InputError
            If the input has no score; the message says where and why.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk").corpus(["a b c d e"], ["a b c d x"]).value
        0.668740304976422
        """
        return self.result(self.score(self.aggregate(self._rows(predictions, references, threads))))

    def result(self, numbers: Mapping[str, Floats]) -> Result:
        """The numbers of one corpus as plain Python numbers."""
        # What was counted is an int, except where it is a mean.
        counted = self.count_columns if self.aggregation == "corpus" else ()
        scores = {key: _plain(value, key in counted) for key, value in numbers.items()}
        return Result(float(scores[self.primary]), scores, self.signature, self.primary, self.printed_decimals)

    def segment_scores(self, predictions: Any, references: Any, threads: int | None = None) -> dict[str, Floats]:
        """Every number of every segment on its own, each (n,). Arguments and errors as for ``corpus``."""
        segments = Segments(predictions, references, owner=self._owner)
        return self.numbers(_over_shards(self.counts, segments, threads))

    def segments(self, predictions: Any, references: Any, key: str | None = None, threads: int | None = None) -> Floats:
        """One number of every segment on its own, (n,): the primary one, or that of `key`.

        Raises
        ------
        InputError
            As for ``corpus``, and if there is no such number.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu(max_order=1).segments(["a b", "c"], ["a x", "c"])
        array([ 50., 100.])
        """
        numbers = self.segment_scores(predictions, references, threads)
        if (key or self.primary) not in numbers:
            raise InputError(f"{self._owner}: no number is called {key!r}; there are {', '.join(numbers)}.")
        return numbers[key or self.primary]

    def accumulate(
        self, predictions: Any, references: Any, totals: Totals | None = None, threads: int | None = None
    ) -> Totals:
        """Totals of a batch, added to those of the batches before.

        Raises
        ------
        InputError
            As for ``corpus``; also if `totals` are another scorer's.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> bleu = Bleu()
        >>> totals = bleu.accumulate(["a b c d"], ["a b c d"])
        >>> totals = bleu.accumulate(["e f g h"], ["e f g h"], totals)
        >>> bleu.score_totals(totals).value
        100.0
        """
        rows = self._rows(predictions, references, threads)
        batch = Totals(self.signature, self.columns, self.aggregate(rows) if self.additive else rows, len(rows))
        return totals.merge(batch) if totals else batch

    def score_totals(self, totals: Totals) -> Result:
        """The score of accumulated totals.

        Raises
        ------
        InputError
            If they are another scorer's.
        """
        if totals.signature != self.signature:
            raise InputError(f"{self._owner}: the totals are of another scorer: {totals.signature}.")
        return self.result(self.score(totals.values if self.additive else self.aggregate(totals.values)))


def _over_shards(function: Callable[[Segments], Floats], segments: Segments, threads: int | None) -> Floats:
    """The rows of `function`, made in several threads: kernels let go of the interpreter.

    Python answers an interrupt between two calls, so that none gets too many segments.
    """
    count = _thread_count(threads)
    parts = segments.shards(max(count, -(-len(segments) // _MOST_SEGMENTS)))
    if len(parts) < 2:
        return function(segments)
    if count == 1:
        return np.concatenate([*map(function, parts)])
    with ThreadPoolExecutor(count) as pool:
        return np.concatenate([*pool.map(function, parts)])


def _thread_count(threads: int | None) -> int:
    chosen = threads if threads is not None else os.environ.get("METROLOGUE_THREADS", "1")
    try:
        count = int(chosen)
    except ValueError:
        count = 0
    if count < 1:
        raise InputError(f"threads: {chosen!r} is no number of threads; give 1 or more.")
    return count


def _plain(value: Floats, counted: bool) -> float | int:
    number = float(value)
    return int(number) if counted and number.is_integer() else number


def parse_value(text: str) -> Any:
    """A field's value as a signature or the command line spells it: JSON, with the quotes of strings left out."""
    if text.startswith("[") and text.endswith("]"):
        return tuple(parse_value(item) for item in text[1:-1].split(",") if item)
    try:
        return json.loads(text)
    except ValueError:
        return text


def get_scorer(name: str) -> type[Scorer]:
    """The class of a metric.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> get_scorer("bleu").__name__
    'Bleu'
    """
    if name not in _scorers:
        raise InputError(f"no metric is called {name!r}; there are {', '.join(list_scorers())}.")
    return _scorers[name]


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(_scorers)
