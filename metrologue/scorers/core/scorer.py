"""What every metric is: statistics of each segment, their aggregate, and a score of the aggregate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

import metrologue
from metrologue.errors import InputError, shown
from metrologue.scorers.core import options
from metrologue.scorers.core.options import Choice, Option, option
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.threads import each_part
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["Scorer"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Scorer(ABC):
    """A metric. The scorer is its configuration: equal fields are an equal metric.

    A metric defines `_columns` and `_statistics`, what is counted in each segment, and `_score`, the numbers that come
    of it; because `_score` works on sums as on single rows, all else is here.

    Parameters
    ----------
    aggregation : str
        "corpus": the score of the summed statistics; "mean": the mean of the segments' own scores.
    scale : float
        The value of a perfect score, 1e-9 to 2^31 - 1.

    Raises
    ------
    InputError
        If a value is not of its field's type, or out of range. A bool is no number, and 1 is no bool; a number is held
        as the type says and a list or a NumPy array as a tuple, so that all that is written alike is one scorer.
    """

    # Every class of a metric, by its name.
    registered: ClassVar[dict[str, type[Scorer]]] = {}

    name: ClassVar[str]
    needs_references: ClassVar[bool] = True
    _variants: ClassVar[Mapping[str, Variant]] = {}

    aggregation: str = option("corpus", stage="score", choice="aggregation", one_of=("corpus", "mean"))
    scale: float = option(1.0, stage="score", choice=None, least=1e-9)

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "name" in cls.__dict__:
            Scorer.registered[cls.name] = cls

    @staticmethod
    def named(name: str) -> type[Scorer]:
        """The class of a metric; an InputError if there is none of that name."""
        if not isinstance(name, str) or name not in Scorer.registered:
            known = ", ".join(sorted(Scorer.registered))
            raise InputError(f"no metric is called {shown(name)}; there are {known}.")
        return Scorer.registered[name]

    # The fields.

    def __post_init__(self) -> None:
        kinds = options.field_types(type(self))
        for name, kind in kinds.items():
            try:
                self._set_field(**{name: options.converted(getattr(self, name), kind)})
            except (TypeError, ValueError, OverflowError):
                raise self._refused(name, options.described(kind)) from None
        self._derive()
        for name, declared in self.options().items():
            if expected := options.refusal(type(self), name, getattr(self, name)):
                raise self._refused(name, expected)
            self._set_field(**{name: options.canonical(declared, getattr(self, name))})
        self._check_together()

    def _derive(self) -> None:  # noqa: B027  # most metrics have nothing to derive
        """Set the fields whose default depends on other fields."""

    def _check_together(self) -> None:  # noqa: B027
        """Refuse fields that contradict each other."""

    def _set_field(self, **values: Any) -> None:
        """Give fields the one form of what can be given in several."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def _label(self) -> str:
        """The scorer's name in messages."""
        return type(self).__name__

    def _refused(self, name: str, expected: str) -> InputError:
        return InputError(f"{self._label}: `{name}` is {shown(getattr(self, name))}; {expected} is expected.")

    def _check(self, name: str, holds: bool, expected: str) -> None:
        """An InputError unless a field's value is as expected."""
        if not holds:
            raise self._refused(name, expected)

    @classmethod
    def options(cls) -> Mapping[str, Option]:
        """What is known of each field, by its name."""
        return options.options_of(cls)

    @classmethod
    def choices(cls) -> tuple[Choice, ...]:
        """The choices that tell two scorers of this metric apart: the players of ``explain``."""
        return options.choices_of(cls)

    @classmethod
    def table_fields(cls) -> tuple[str, ...]:
        """The fields that name a table, which a signature holds by its digest."""
        return tuple(name for name, declared in cls.options().items() if declared.kind == "table")

    def _key(self, stage: str) -> tuple[object, ...]:
        """The same for two scorers where the outcome of a stage is the same."""
        return (type(self), stage, *(getattr(self, name) for name in options.stage_fields(type(self), stage)))

    # What a metric defines.

    @property
    @abstractmethod
    def _columns(self) -> tuple[str, ...]:
        """Names of the columns of `_statistics`."""

    @abstractmethod
    def _statistics(self, segments: Segments) -> Floats:
        """What is counted in each segment, float64 (n_segments, len(_columns)); of stages read, pairs and join."""

    @abstractmethod
    def _score(self, statistics: Floats) -> dict[str, Floats]:
        """Every number from statistics of shape (..., len(_columns)), each of shape (...)."""

    @property
    @abstractmethod
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number, in the order in which ``score`` gives them."""

    @property
    @abstractmethod
    def higher_is_better(self) -> dict[str, bool]:
        """Direction of each number that has one."""

    @property
    def primary(self) -> str:
        """The number that `value` is: the first one, unless the metric says otherwise."""
        return next(iter(self.range))

    # What every metric can do.

    @property
    def perfect_score(self) -> float | None:
        """The value of a perfect score, 100 points; None for a quantity without a perfect value, such as a distance."""
        return self.scale

    @property
    def printed_digits(self) -> int | None:
        """Decimals of the numbers that the mirrored program prints; None for a library, which returns them."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the k statistics: what is summed over segments."""
        return self._columns if self.aggregation == "corpus" else (*self.range, "segments")

    @property
    def additive(self) -> bool:
        """Whether the totals are a sum of rows; otherwise the rows, or tables, are kept to be merged."""
        return True

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """What is summed over segments; for a mean, each segment's numbers and a 1.

        Parameters
        ----------
        segments : Segments
        threads : int, optional
            ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.

        Returns
        -------
        float64 (n_segments, k)

        Raises
        ------
        InputError
            If the scorer needs references and there are none, or as the metric says.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu(max_order=1).statistics(Segments(["a b"], ["a c d"]))
        array([[2., 3., 1., 2.]])
        """
        rows = self._rows(segments, threads)
        if self.aggregation == "corpus":
            return rows
        return np.column_stack([*self._score(rows).values(), np.ones(len(rows))])

    def _rows(self, segments: Segments, threads: int | None) -> Floats:
        """`_statistics`, made once for all scorers that differ in nothing before the score."""
        if self.needs_references and not segments.has_references:
            raise InputError(f"{self._label}: `references` are missing; the metric compares texts with them.")
        # The columns stand in the key too: they may depend on how a score is made.
        return segments.memoize(
            (*self._key("join"), self._columns),
            lambda: np.concatenate(each_part(self._statistics, segments, threads)),
        )

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
            return self._score(totals)
        return {key: totals[..., i] / totals[..., -1] for i, key in enumerate(self.range)}

    def score_segments(self, segments: Segments, threads: int | None = None) -> Result:
        """The score of a corpus of segments: ``score(aggregate(statistics(segments)))`` as a ``Result``.

        Raises
        ------
        InputError
            If the input has no score; the message says where and why.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu(max_order=1).score_segments(Segments(["a b", "c"], ["a x", "c"])).value
        66.66666666666666
        """
        return self._result(self.score(self._total(segments, threads)))

    def _total(self, segments: Segments, threads: int | None) -> Floats:
        return self.aggregate(self.statistics(segments, threads))

    def score_each(self, segments: Segments, threads: int | None = None) -> dict[str, Floats]:
        """Every number of every segment on its own, each (n,)."""
        return self._finite(self._score(self._rows(segments, threads)))

    def corpus(self, predictions: Any, references: Any = None, threads: int | None = None) -> Result:
        """The score of a whole corpus.

        Parameters
        ----------
        predictions : n strings
        references : n strings, or n lists of strings
            See ``Segments`` for all that is taken. A metric that needs none does not look at them.
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
        return self.score_segments(self._segments(predictions, references), threads)

    def segment_scores(self, predictions: Any, references: Any = None, threads: int | None = None) -> dict[str, Floats]:
        """Every number of every segment on its own, each (n,). Arguments and errors as for ``corpus``."""
        return self.score_each(self._segments(predictions, references), threads)

    def segments(
        self, predictions: Any, references: Any = None, key: str | None = None, threads: int | None = None
    ) -> Floats:
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

    def _segments(self, predictions: Any, references: Any) -> Segments:
        return Segments(predictions, references, owner=self._label)

    def _result(self, numbers: Mapping[str, Floats]) -> Result:
        """The numbers of one corpus as plain Python numbers."""
        # What was counted is an int, except where it is a mean.
        counted = self._columns if self.aggregation == "corpus" else ()
        scores = {key: _plain(value, key in counted) for key, value in self._finite(numbers).items()}
        return Result(float(scores[self.primary]), scores, self.signature, self.primary, self.printed_digits)

    def _finite(self, numbers: Mapping[str, Floats]) -> dict[str, Floats]:
        """The numbers, or an InputError: fields can be within their ranges and too much together."""
        for key, values in numbers.items():
            if not np.isfinite(values).all():
                raise InputError(
                    f"{self._label}: `{key}` is too large for a number, or none; choose other values of the fields."
                )
        return dict(numbers)

    # Batches.

    def accumulate(
        self, predictions: Any, references: Any = None, totals: Totals | None = None, threads: int | None = None
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
        return self.accumulate_segments(self._segments(predictions, references), totals, threads)

    def accumulate_segments(
        self, segments: Segments, totals: Totals | None = None, threads: int | None = None
    ) -> Totals:
        """``accumulate`` of segments: several systems with the same references read those once.

        Raises
        ------
        InputError
            As for ``accumulate``.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> first = Segments(["a b c d"], ["a b c d"])
        >>> [Bleu().accumulate_segments(each).segments for each in (first, first.with_predictions(["a b c e"]))]
        [1, 1]
        """
        if not isinstance(totals, Totals | None):
            raise InputError(f"{self._label}: `totals` is {shown(totals)}; a Totals is expected.")
        batch = self._totals(segments, threads)
        return totals.merge(batch) if totals else batch

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        rows = self.statistics(segments, threads)
        return Totals(self.signature, self.columns, self.aggregate(rows) if self.additive else rows, len(segments))

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
            raise InputError(
                f"{self._label}: the totals are of another scorer: {totals.signature}{self._renamed(totals.signature)}."
            )
        return self._result(self.score(self._from_totals(totals)))

    def _from_totals(self, totals: Totals) -> Floats:
        """Totals (k,) as ``score`` takes them."""
        values = totals.in_order(self.columns)
        if values.ndim != (1 if self.additive else 2):
            raise InputError(f"{self._label}: {totals.place} has {'sums' if values.ndim == 1 else 'rows'} of segments.")
        return values if self.additive else self.aggregate(values)

    # Names: variants, fields and signatures.

    @classmethod
    def variants(cls) -> dict[str, Variant]:
        """The variants of this metric by name: each gives the numbers of a library."""
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
        known = cls.options()
        if unknown := sorted(set(values) - set(known)):
            now = next((name for name, one in known.items() if one.formerly == unknown[0]), None)
            cure = f"it is `{now}` now" if now else f"the fields are {', '.join(known)}"
            raise InputError(f"{cls.__name__}: unknown field {shown(unknown[0])}; {cure}.")
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
        kinds = options.field_types(cls)
        return {name: options.parse_value(text, kinds.get(name, str)) for name, text in texts.items()}

    @property
    def variant_name(self) -> str | None:
        """The variant that has exactly these fields, or None."""
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
        parts += [f"{each.name}={options.spelled(getattr(self, each.name))}" for each in fields(self)]
        return "|".join([*parts, f"metrologue={metrologue.__version__}"])

    @classmethod
    def _renamed(cls, signature: str) -> str:
        """Which fields of a signature have another name now, for a message."""
        old = {part.partition("=")[0] for part in signature.split("|")}
        now = [f"`{one.formerly}` is `{name}` now" for name, one in cls.options().items() if one.formerly in old]
        return f" ({', '.join(now)})" if now else ""

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
        if name not in Scorer.registered or not all("=" in part for part in parts):
            known = ", ".join(sorted(Scorer.registered))
            raise InputError(f"from_signature: {shown(signature)} is no signature of {known}.")
        scorer, texts = Scorer.registered[name], dict(part.split("=", 1) for part in parts)
        if len(texts) < len(parts):
            raise InputError(f"from_signature: {shown(signature)} has one field twice.")
        values = scorer.parsed({key: text for key, text in texts.items() if key not in ("mirrors", "metrologue")})
        named = [key for key in scorer.table_fields() if values.get(key) is not None]
        if unknown := sorted(tables.keys() - set(named)):
            raise InputError(f"from_signature: `{unknown[0]}` is no table that the signature names.")
        for key in named:
            from metrologue.lexicon import named_source

            values[key] = named_source(key, values[key], tables.get(key))
        return scorer.from_fields(values)


def _plain(value: Floats, counted: bool) -> float | int:
    number = float(value)
    return int(number) if counted and number.is_integer() else number
