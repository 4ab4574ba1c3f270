"""Special kinds of scorers: metrics of the tokens of texts, of pairs of texts, and of sets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.errors import InputError
from metrologue.scorers.core.declared import check_rows
from metrologue.scorers.core.inputs import AS_GIVEN, in_form
from metrologue.scorers.core.numbers import declared_numbers
from metrologue.scorers.core.options import option
from metrologue.scorers.core.result import check_counted
from metrologue.scorers.core.rows import join
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.tables import State, merge_states
from metrologue.scorers.core.threads import each_part
from metrologue.scorers.core.totals import Totals
from metrologue.segments import Segments, View
from metrologue.text.reading import Reading, words


@dataclass(frozen=True, kw_only=True)
class OfTexts:
    """The part of a scorer of texts that says in which Unicode form they are compared; ``in_form`` asks it."""

    unicode: str = option(
        AS_GIVEN, stage="read", choice="Unicode form",
        about="The Unicode form of texts before they are read, by ``unicodedata.normalize``.",
        one_of={
            AS_GIVEN: "texts stay as they are, so that an accent as a character of its own is a difference",
            "NFC": "letters with their accents as one character",
            "NFKC": "the same, and variants of a character, such as full-width letters and ligatures, are one",
        },
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Tokenized(OfTexts):
    """The part of a scorer that says how texts become tokens. It stands before the scorer's kind among the bases."""

    tokenizer: str = option(
        "whitespace", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows.",
    )  # fmt: skip
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")

    @cached_property
    def _words(self) -> Reading:
        return words(self.tokenizer, self.lowercase)

    def _view(self, segments: Segments) -> View:
        return segments.read(self._words)


@dataclass(frozen=True, kw_only=True)
class PairScorer(OfTexts, Scorer):
    """A metric that compares a hypothesis with one reference at a time.

    A metric defines `pair_statistics`, and `_quality` if the best reference is not the one with the best score, or if
    `multi_reference` has names for several qualities.
    """

    multi_reference: str = option(
        "best",
        stage="join",
        choice="several references",
        about="Which of several references counts.",
        one_of={"best": "the one with the best score; ties: the first"},
    )
    # The scale can change the last bit of a score, which may decide between two references that are about equally good.
    scale: float = option(1.0, stage="join", choice=None, least=1e-9)

    def __init_subclass__(cls, **arguments: Any) -> None:
        if "name" in vars(cls) and cls._quality is PairScorer._quality:
            primary = next((one for one in declared_numbers(cls) if one.name == cls.name), None)
            first = primary or next(declared_numbers(cls))
            if first.better is None:
                raise TypeError(
                    f'{cls.__name__}: the number {first.name!r} has no `better`; give "higher" or "lower", because the '
                    "best of several references counts, or define `_quality`."
                )
        super().__init_subclass__(**arguments)

    @abstractmethod
    def _pair_statistics(self, segments: Segments) -> Floats:
        """The counts of each hypothesis with each of its references, float64 (n_pairs, k).

        The pairs of segment s are ``offsets[s]:offsets[s + 1]``, with ``self._compared(segments).reference_offsets``.
        """

    def _compared(self, segments: Segments) -> Segments:
        """The texts that are compared: the given ones, unless the metric derives others, perhaps more references."""
        return segments

    def _quality(self, rows: Floats) -> Floats:
        """How good each pair is, (n_pairs,): the greatest is the best."""
        values = self._score(rows)[self.primary]
        return values if self.higher_is_better[self.primary] else -values

    def _refuse_long_pairs(self, segments: Segments, left_out: Integers, told: str, end: str = "the end") -> None:
        """Refuse the first pair of which a model left out tokens, (n_pairs,); `told` says what is too long."""
        if left_out.any():
            pair = int(np.flatnonzero(left_out)[0])
            row = int(np.searchsorted(self._compared(segments).reference_offsets, pair, side="right")) - 1
            raise InputError.at(
                self._label, "predictions", segments.first + row,
                f"{told} longer than the model's context, by {left_out[pair]} tokens. Give "
                f'too_long="cut" to leave {end} out.',
            )  # fmt: skip

    def _pairs(self, segments: Segments) -> Floats:
        """`pair_statistics`, computed once for all scorers that differ only in the stages join and score."""
        return segments.memoize(self._pairs_key, lambda: self._pair_statistics(segments))

    @cached_property
    def _pairs_key(self) -> tuple[object, ...]:
        return self._key("pairs")

    def _statistics(self, segments: Segments) -> Floats:
        rows, offsets = self._pairs(segments), self._compared(segments).reference_offsets
        if "_pair_statistics" not in self._proven:
            joined = len(rows) == len(segments)  # by the metric itself
            check_rows(self, rows, len(rows) if joined else int(offsets[-1]), "_pair_statistics")
        return join(self.multi_reference, rows, offsets, self._quality)


@dataclass(frozen=True, kw_only=True)
class SetScorer(Scorer):
    """A metric of the distinct things in a corpus. Its score is not made from sums over segments.

    A metric defines two methods: `_tables` gives tables that can be merged, and `_of_tables` computes columns from
    them. The other columns, `_added`, add up. A row scores its segment as a corpus of its own. If a metric has the
    aggregation "mean" too, the numbers of the segments add up.
    """

    aggregation: str = option("corpus", stage="score", choice=None, one_of=("corpus",))

    @property
    @abstractmethod
    def _added(self) -> tuple[str, ...]:
        """The names of the columns that add up."""

    @abstractmethod
    def _tables(self, segments: Segments) -> Mapping[str, State]:
        """How often each thing was seen in all these segments."""

    @abstractmethod
    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        """The values of the columns that do not add up, by their names, whatever the order in the tables."""

    @property
    def _totals_in_order(self) -> bool:
        """Whether the tables depend on the order of the segments, as all tokens do."""
        return False

    @property
    def _additive(self) -> bool:
        """False, unless the score is a mean: a thing that is in two segments counts once."""
        return self.aggregation == "mean"

    def aggregate(self, rows: Floats) -> Floats:
        """Totals (k,) of a single row. Several rows have no sum, unless the score is a mean.

        Raises
        ------
        InputError
            If there are several rows, because their sets are unknown. Use ``corpus`` or ``accumulate``.
        """
        if len(rows) > 1 and not self._separable:
            raise InputError(f"{self._label}: rows of several segments have no sum; use corpus or accumulate.")
        return super().aggregate(rows)

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        if self._additive:
            return super()._totals(segments, threads)
        segments = in_form(self, segments)
        rows = self.statistics(segments, threads)[:, [self._columns.index(name) for name in self._added]]
        parts = each_part(self._tables, segments, threads)
        tables = {name: reduce(merge_states, (part[name] for part in parts)) for name in parts[0]}
        return Totals.of_sums(self.signature, self._added, rows, len(segments), tables)

    def _from_totals(self, totals: Totals) -> Floats:
        if self._additive:
            return super()._from_totals(totals)
        try:
            fixed = self._of_tables(totals.tables)
        except (KeyError, AttributeError) as error:
            raise InputError(f"{self._label}: {totals.place} has no table {error}.") from None
        known = {**dict(zip(self._added, totals.in_order(self._added).tolist(), strict=True)), **fixed}
        return np.array([known[name] for name in self._columns])

    def _total(self, segments: Segments, threads: int | None) -> Floats:
        if self._additive:
            return super()._total(segments, threads)
        check_counted(self._label, len(segments))
        key = (*self._key("join"), "total")
        return segments.memoize(key, lambda: self._from_totals(self._totals(segments, threads)))
