"""What every metric is: statistics of each segment, their aggregate, and a score of the aggregate."""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from types import UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

import metrologue
from metrologue.errors import InputError, shown
from metrologue.output import write_whole
from metrologue.segments import Segments

__all__ = [
    "LARGEST",
    "LONGEST_NGRAM",
    "Choice",
    "Result",
    "Scorer",
    "Totals",
    "Variant",
    "checked_int",
    "get_scorer",
    "list_scorers",
    "parse_value",
]

Floats = NDArray[np.float64]

# What fields take at most: numbers, so that sums in int64 and products in float64 hold them; orders of n-grams, since
# each segment has several columns of each order.
LARGEST, LONGEST_NGRAM = 2**31 - 1, 100
_MOST_THREADS = 1024

_scorers: dict[str, type[Scorer]] = {}
# Text that is counted at once. In parts, a reference that comes with many systems is read again in each.
_MOST_BYTES = 1 << 24


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
        What each value is: a column goes by its name, wherever it stands.
    values : float64 (k,) or (segments, k)
        Sums; or the rows, where the score is not one of sums (a bootstrap).
    segments : int
        How many segments went in.
    place : str
        Where the totals are from, as messages name them.

    Raises
    ------
    InputError
        If a column has no name of its own, a value is no finite number, or values and `segments` disagree.
    """

    signature: str
    columns: tuple[str, ...]
    values: Floats
    segments: int
    place: str = field(default="totals", repr=False)

    def __post_init__(self) -> None:
        self._require(isinstance(self.signature, str), "`signature` is no str")
        self._require(
            isinstance(self.segments, Integral) and not isinstance(self.segments, bool) and self.segments >= 0,
            f"`segments` is {shown(self.segments)}; an int of 0 or more is expected",
        )
        self._require(all(isinstance(name, str) for name in self.columns), "the name of a column is no str")
        self._require(0 < len(self.columns) == len(set(self.columns)), "each column is needed once")
        values = np.asarray(self.values)
        self._require(values.dtype.kind in "fiu", "`values` are no numbers")
        self._require(
            values.ndim in (1, 2) and values.shape[-1] == len(self.columns), "a value of each column is needed"
        )
        rows = values.astype(float).reshape(-1, len(self.columns))
        for name, column in zip(self.columns, rows.T, strict=True):
            self._require(bool(np.isfinite(column).all()), f"the column {name!r} holds a number that is not finite")
            self._require(
                name != "segments" or column.sum() == self.segments,
                f"the column 'segments' comes to {column.sum():g}, but `segments` is {self.segments}",
            )
        self._require(
            values.ndim == 1 or len(values) == self.segments,
            f"there are {len(values)} rows, but `segments` is {self.segments}",
        )
        object.__setattr__(self, "values", values.astype(float))

    def _require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise InputError(f"{self.place}: {otherwise}.")

    def in_order(self, columns: tuple[str, ...]) -> Floats:
        """The values with these columns in this order.

        Raises
        ------
        InputError
            If one is missing, or there are others.
        """
        for name in columns:
            self._require(name in self.columns, f"the column {name!r} is missing")
        for name in self.columns:
            self._require(name in columns, f"the column {name!r} is none of the scorer's")
        return self.values[..., [self.columns.index(name) for name in columns]]

    def merge(self, other: Totals) -> Totals:
        """The totals of both.

        Raises
        ------
        InputError
            If they are of different scorers, or have not the same columns.
        """
        if not isinstance(other, Totals):
            raise InputError(f"merge: {shown(other)} is no Totals.")
        if self.signature != other.signature:
            raise InputError(f"merge: totals of unlike scorers: {self.signature} and {other.signature}.")
        both = self.values, other.in_order(self.columns)
        other._require(both[0].ndim == both[1].ndim, "one of the totals to merge is sums, the other one is rows")
        with np.errstate(over="ignore"):
            values = np.concatenate(both) if self.values.ndim == 2 else both[0] + both[1]
        return replace(self, values=values, segments=self.segments + other.segments)

    def save(self, path: str | Path) -> None:
        """Write as JSON, at once and whole: what stood there stays until all is written."""
        columns = dict(zip(self.columns, self.values.T.tolist(), strict=True))
        data = {"signature": self.signature, "segments": int(self.segments), "totals": columns}
        write_whole(path, (json.dumps(data) + "\n").encode())

    @classmethod
    def load(cls, path: str | Path) -> Totals:
        """Read what ``save`` wrote.

        Raises
        ------
        InputError
            If the file cannot be read or holds something else; the message names it, and the column at fault.
        """
        try:
            data = json.loads(Path(path).read_bytes().decode(), object_pairs_hook=_each_once)
            wanted = {"signature", "segments", "totals"}
            if not isinstance(data, dict) or not wanted <= data.keys() or not isinstance(data["totals"], dict):
                raise ValueError("an object with `signature`, `segments` and `totals` is expected")
            columns = data["totals"]
            values = [_column(name, column) for name, column in columns.items()]
            for name, column in zip(columns, values, strict=True):
                if column.shape != values[0].shape:
                    raise ValueError(f"the column {name!r} has not as many rows as the first one")
            rows = np.array(values, float).T
            return cls(data["signature"], tuple(columns), rows, data["segments"], str(path))
        except (OSError, ValueError, OverflowError, RecursionError) as error:
            raise InputError(f"Totals.load: {path} holds no saved totals ({error}).") from error


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, each key once: of several values of one key `json` alone would keep the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands there twice")
    return found


def _column(name: str, column: Any) -> Floats:
    """A column of saved totals: a number, or one of each row."""
    for value in column if isinstance(column, list) else [column]:
        if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
            raise ValueError(f"the column {name!r} holds {shown(value)}; a finite number is expected")
    return np.array(column, float)


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
        What a perfect score is, 1e-9 to 2^31 - 1.

    Raises
    ------
    InputError
        If a value is not of its field's type, or out of range. A bool is no number, and 1 is no bool; a number is held
        as the type says and a list or a NumPy array as a tuple, so that all that is written alike is one scorer.
    """

    name: ClassVar[str]
    choices: ClassVar[tuple[Choice, ...]]
    # Fields that name a table of the user's.
    tables: ClassVar[tuple[str, ...]] = ()
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
        for name, kind in _field_types(type(self)).items():
            try:
                self._set_field(**{name: _converted(getattr(self, name), kind)})
            except (TypeError, ValueError, OverflowError):
                raise self._refused(name, _described(kind)) from None
        self._check_names(aggregation=self._aggregations)
        self._check_numbers("scale", least=1e-9)

    @property
    def _label(self) -> str:
        """How messages name the scorer."""
        return type(self).__name__

    def _refused(self, name: str, expected: str) -> InputError:
        return InputError(f"{self._label}: `{name}` is {shown(getattr(self, name))}; {expected} is expected.")

    def _check(self, name: str, holds: bool, expected: str) -> None:
        """An InputError unless a field's value is as expected."""
        if not holds:
            raise self._refused(name, expected)

    def _check_names(self, **known: Iterable[str]) -> None:
        """An InputError unless each field is one of its names."""
        for name, names in known.items():
            self._check(name, getattr(self, name) in [*names], " or ".join(names))

    def _check_numbers(self, *names: str, least: float = 0, greatest: float = LARGEST) -> None:
        """An InputError unless each field, or each item of it, is within the range; None is where it may be."""
        for name in names:
            value = getattr(self, name)
            items = value if isinstance(value, tuple) else () if value is None else (value,)
            expected = f"{_described(_field_types(type(self))[name])} from {least:.10g} to {greatest:.10g}"
            self._check(name, all(least <= number <= greatest for number in items), expected)

    def _set_field(self, **values: Any) -> None:
        """Hold the one form of what can be given in several."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

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
    def perfect_score(self) -> float | None:
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
            raise InputError(f"{self._label}: no segments; a score needs at least one.")
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
        if not isinstance(name, str) or name not in cls._variants:
            known = ", ".join(cls._variants)
            raise InputError(f"{cls.__name__}: no variant is called {shown(name)}; there are {known}.")
        return cls.from_fields({**cls._variants[name].fields, **overrides})

    @classmethod
    def from_fields(cls, values: Mapping[str, Any]) -> Self:
        """The scorer of these field values; an unknown field is an InputError that lists the known ones."""
        known = [field.name for field in fields(cls)]
        if unknown := sorted(set(values) - set(known)):
            raise InputError(f"{cls.__name__}: unknown field {shown(unknown[0])}; the fields are {', '.join(known)}.")
        return cls(**values)

    @classmethod
    def parsed(cls, texts: Mapping[str, str]) -> dict[str, Any]:
        """Field values as a signature or the command line spells them; unknown fields stay text.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.parsed({"lowercase": "Yes", "weights": "[0.5,0.5]", "tokenizer": "none"})
        {'lowercase': True, 'weights': (0.5, 0.5), 'tokenizer': 'none'}
        """
        kinds = _field_types(cls)
        return {name: parse_value(text, kinds.get(name, str)) for name, text in texts.items()}

    @property
    def variant_name(self) -> str | None:
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
        if self.variant_name:
            variant = self._variants[self.variant_name]
            parts.append(f"mirrors={variant.library}-{variant.version}")
        parts += [f"{each.name}={_spelled(getattr(self, each.name))}" for each in fields(self)]
        return "|".join([*parts, f"metrologue={metrologue.__version__}"])

    @staticmethod
    def from_signature(signature: str, **tables: str) -> Scorer:
        """The scorer that a signature describes.

        A signature opens no file: it names tables that are built in or registered, by their digests.

        Parameters
        ----------
        signature : str
        **tables
            The path of a table that the signature names and that is not registered here, by the name of the field.

        Raises
        ------
        InputError
            If it is no signature, or names a tokenizer or a table that is not registered here; if a table given here
            is none that it names, or has another digest.

        Examples
        --------
        >>> from metrologue.scorers import Bleu, Scorer
        >>> Scorer.from_signature(Bleu(lowercase=True).signature) == Bleu(lowercase=True)
        True
        """
        name, *parts = signature.strip().split("|") if isinstance(signature, str) else ("",)
        if name not in _scorers or not all("=" in part for part in parts):
            raise InputError(f"from_signature: {shown(signature)} is no signature of {', '.join(_scorers)}.")
        scorer, texts = _scorers[name], dict(part.split("=", 1) for part in parts)
        if len(texts) < len(parts):
            raise InputError(f"from_signature: {shown(signature)} has one field twice.")
        values = scorer.parsed({key: text for key, text in texts.items() if key not in ("mirrors", "metrologue")})
        named = [key for key in scorer.tables if values.get(key) is not None]
        if unknown := sorted(tables.keys() - set(named)):
            raise InputError(f"from_signature: `{unknown[0]}` is no table that the signature names.")
        for key in named:
            from metrologue.lexicon import named_source

            values[key] = named_source(key, values[key], tables.get(key))
        return scorer.from_fields(values)

    def _rows(self, predictions: Any, references: Any, threads: int | None) -> Floats:
        segments = Segments(predictions, references, owner=self._label)
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
        scores = {key: _plain(value, key in counted) for key, value in self._finite(numbers).items()}
        return Result(float(scores[self.primary]), scores, self.signature, self.primary, self.printed_decimals)

    def segment_scores(self, predictions: Any, references: Any, threads: int | None = None) -> dict[str, Floats]:
        """Every number of every segment on its own, each (n,). Arguments and errors as for ``corpus``."""
        segments = Segments(predictions, references, owner=self._label)
        return self._finite(self.numbers(_over_shards(self.counts, segments, threads)))

    def _finite(self, numbers: Mapping[str, Floats]) -> dict[str, Floats]:
        """The numbers, or an InputError: fields can be within their ranges and too much together."""
        for key, values in numbers.items():
            if not np.isfinite(values).all():
                raise InputError(
                    f"{self._label}: `{key}` is too large for a number, or none; choose other values of the fields."
                )
        return dict(numbers)

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
        chosen = self.primary if key is None else key
        if not isinstance(chosen, str) or chosen not in numbers:
            raise InputError(f"{self._label}: no number is called {shown(key)}; there are {', '.join(numbers)}.")
        return numbers[chosen]

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
        if not isinstance(totals, Totals | None):
            raise InputError(f"{self._label}: `totals` is {shown(totals)}; a Totals is expected.")
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
        if not isinstance(totals, Totals):
            raise InputError(f"{self._label}: `totals` is {shown(totals)}; a Totals is expected.")
        if totals.signature != self.signature:
            raise InputError(f"{self._label}: the totals are of another scorer: {totals.signature}.")
        values = totals.in_order(self.columns)
        if values.ndim != (1 if self.additive else 2):
            raise InputError(f"{self._label}: {totals.place} has {'sums' if values.ndim == 1 else 'rows'} of segments.")
        return self.result(self.score(values if self.additive else self.aggregate(values)))


def _over_shards(function: Callable[[Segments], Floats], segments: Segments, threads: int | None) -> Floats:
    """The rows of `function`, made in several threads: kernels let go of the interpreter.

    Python answers an interrupt between two calls, so that none gets too much text.
    """
    count = _thread_count(threads)
    parts = segments.shards(max(count, -(-segments.texts.nbytes // _MOST_BYTES)))
    if len(parts) < 2:
        return function(segments)
    if count == 1:
        return np.concatenate([*map(function, parts)])
    with ThreadPoolExecutor(count) as pool:
        return np.concatenate([*pool.map(function, parts)])


def _thread_count(threads: int | None) -> int:
    chosen = parse_value(os.environ.get("METROLOGUE_THREADS", "1"), int) if threads is None else threads
    return checked_int("threads", chosen, 1, _MOST_THREADS)


def checked_int(argument: str, value: Any, least: int, greatest: int) -> int:
    """An argument as an int; an InputError unless it is one within the range."""
    try:
        number: int = _converted(value, int)
        if least <= number <= greatest:
            return number
    except TypeError:
        pass
    raise InputError(f"{argument}: {shown(value)} is no int from {least} to {greatest}.")


def _plain(value: Floats, counted: bool) -> float | int:
    number = float(value)
    return int(number) if counted and number.is_integer() else number


# The declared types of fields: what is taken for each, and how messages call one and several.
_TYPES: dict[Any, tuple[Any, str, str]] = {
    bool: ((bool, np.bool_), "True or False", "True or False"),
    int: (Integral, "an int", "ints"),
    float: (Real, "a finite number", "finite numbers"),
    str: (str, "a str", "str"),
}
_BOOLS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@cache
def _field_types(scorer: type[Scorer]) -> dict[str, Any]:
    """The declared type of each field: one of `_TYPES`, a tuple of such or one that may be None."""
    hints = get_type_hints(scorer)
    return {each.name: hints[each.name] for each in fields(scorer)}


def _described(kind: Any) -> str:
    if isinstance(kind, UnionType):
        return f"None or {_described(get_args(kind)[0])}"
    return f"a list of {_TYPES[get_args(kind)[0]][2]}" if get_origin(kind) is tuple else _TYPES[kind][1]


def _converted(value: Any, kind: Any) -> Any:
    """The value as a plain one of a declared type; a TypeError, a ValueError or an OverflowError if it is none."""
    if isinstance(kind, UnionType):
        return None if value is None else _converted(value, get_args(kind)[0])
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple, np.ndarray)):
            raise TypeError
        return tuple(_converted(item, get_args(kind)[0]) for item in value)
    if not isinstance(value, _TYPES[kind][0]) or (kind is not bool and isinstance(value, bool)):
        raise TypeError
    return str.__str__(value) if kind is str else kind(value)


def parse_value(text: str, kind: Any) -> Any:
    """A value of a declared type as a signature or the command line spells it; text that spells none stays text.

    Examples
    --------
    >>> parse_value("[1,0.5]", tuple[float, ...]), parse_value("null", int | None), parse_value("2 or so", int)
    ((1.0, 0.5), None, '2 or so')
    """
    if isinstance(kind, UnionType):
        return None if text == "null" else parse_value(text, get_args(kind)[0])
    if get_origin(kind) is tuple:
        listed = text.startswith("[") and text.endswith("]")
        return tuple(parse_value(item, get_args(kind)[0]) for item in text[1:-1].split(",") if item) if listed else text
    if kind is bool:
        return _BOOLS.get(text.lower(), text)
    try:
        return kind(text)
    except ValueError:
        return text


def _spelled(value: Any) -> str:
    """What ``parse_value`` reads."""
    if isinstance(value, tuple):
        return f"[{','.join(map(_spelled, value))}]"
    return value if isinstance(value, str) else json.dumps(value)


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
    if not isinstance(name, str) or name not in _scorers:
        raise InputError(f"no metric is called {shown(name)}; there are {', '.join(list_scorers())}.")
    return _scorers[name]


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(_scorers)
