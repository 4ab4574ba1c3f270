"""Entities of tagged tokens: precision, recall and F1 as conlleval and seqeval count them (Nakayama 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.confusion import NONE, Confusion, count_pairs
from metrologue.errors import InputError, shown
from metrologue.inference.metric import Metric, OfRows
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import LabelText, option
from metrologue.scorers.core.rows import by_name, columns_of, harmonic_mean, ratio
from metrologue.scorers.core.shapes import SetScorer
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.base import INPUTS, OfLabels
from metrologue.scorers.seqeval.tags import (
    LETTERS,
    MEANINGS,
    SCHEMES,
    Entity,
    entities,
    is_of_a_scheme,
    is_tag,
    of_any_scheme,
    parted,
    runs,
    scheme_of,
    strict_runs,
    strictly_parted,
)
from metrologue.segments import Segments

__all__ = ["Entity", "Seqeval", "average_of_types", "entities"]

_COUNTS = (
    "both_count", "predicted_count", "actual_count", "correct_count", "tag_count",
    "tag_true_positive", "tag_false_positive", "tag_false_negative", "tag_true_negative",
)  # fmt: skip
_SHARES = ("precision", "recall", "f1")
# Rows of counts of types have no more cells than this, 512 MB.
_MOST_CELLS = 1 << 26


class _Side(NamedTuple):
    """What a sequence has on both sides."""

    predicted: set[Entity]
    actual: set[Entity]
    counts: tuple[int, ...]  # those of ``_COUNTS``


def average_of_types(counts: Floats, average: str, zero: float = 0.0) -> Floats:
    """Precision, recall and F1 over types of entities, (..., 3), as the package seqeval averages them.

    Parameters
    ----------
    counts : float64 (..., types, 3)
        Of each type the entities that are right, that are predicted, and that should be. A type without any counts is
        none.
    average : str
        "micro": of the summed counts. "macro": the mean over types. "weighted": the mean over types, weighted by how
        many entities should be.
    zero : float
        The value of a share of no entities; F1 is the harmonic mean of both shares.

    Examples
    --------
    >>> counts = np.array([[2.0, 4.0, 2.0], [0.0, 0.0, 2.0]])
    >>> average_of_types(counts, "macro").round(4), average_of_types(counts, "micro")
    (array([0.25  , 0.5   , 0.3333]), array([0.5, 0.5, 0.5]))
    """
    whole = counts.sum(axis=-2)
    both, predicted, actual = columns_of(whole if average == "micro" else counts)
    precision, recall = ratio(both, predicted, zero), ratio(both, actual, zero)
    scores = np.stack([precision, recall, harmonic_mean(precision, recall)], axis=-1)
    if average == "micro":
        return scores
    weights = actual if average == "weighted" else (predicted + actual > 0).astype(np.float64)
    given = whole[..., 1] > 0
    # Without right entities, precision and F1 of the weighted mean are 0 if any are predicted.
    nothing = np.stack([np.where(given, 0.0, zero), np.full(given.shape, zero), np.where(given, 0.0, zero)], axis=-1)
    sums = weights.sum(axis=-1)[..., None]
    return np.where(sums > 0, (scores * weights[..., None]).sum(axis=-2) / np.where(sums > 0, sums, 1.0), nothing)


@dataclass(frozen=True, kw_only=True)
class Seqeval(OfLabels, SetScorer):
    """Precision, recall and F1 of the entities that sequences of tags stand for; higher is better, 0-1.

    An entity is right if its type, its first and its last token are. Tags are such as B-PER, I-PER and O, as many as
    the reference has; a text is cut at whitespace. ``accuracy`` is the share of right tags. With ``mode="strict"`` only
    tags that follow the scheme make an entity. The variant ``metrologue`` knows the letters of all schemes.

    Raises
    ------
    InputError
        If a tag is not a str, or is empty; if it is none of the scheme, or for ``letters="schemes"`` of no scheme.

    References
    ----------
    Tjong Kim Sang and De Meulder 2003, https://aclanthology.org/W03-0419, and their script conlleval; Nakayama 2018,
    the package seqeval 1.2.2.

    Examples
    --------
    >>> Seqeval().corpus([["B-PER", "I-PER", "O"], ["B-LOC", "O"]], [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]).value
    0.5
    """

    name: ClassVar[str] = "seqeval"
    title: ClassVar[str] = "seqeval"
    inputs: ClassVar[tuple[Input, ...]] = INPUTS[:2]
    about: ClassVar = replace(
        OfLabels.about,
        papers=("tjong-kim-sang-de-meulder-2003-introduction", "nakayama-2018-seqeval"),
        whole_trace=False,
        one_call=True,  # the package reads all sequences as one, and finds the scheme from all of them
    )

    # fmt: off
    lists: str = option(
        "sequences", stage="read", choice=None, about="What the labels of a segment are.",
        one_of={"sequences": "a sequence with as many labels as its reference; a text is cut at whitespace"},
    )
    suffix: bool = option(
        False, stage="pairs", choice="suffix", about="Whether the letter comes after the type, as in PER-B."
    )
    letters: str = option(
        "BIES", stage="pairs", choice="letters", about="Which letters begin and end entities.", one_of=LETTERS
    )
    mode: str | None = option(
        None, stage="pairs", choice="scheme",
        about="None: any tag of another type begins an entity, also an I, as in conlleval.",
        one_of={"strict": "only tags that follow the scheme make an entity"},
    )
    scheme: str | None = option(
        None, stage="pairs", choice="scheme",
        about="The scheme of strict tags. None: IOB2, IOE2, IOBES or BILOU, by the letters of the references.",
        one_of=MEANINGS,
    )
    average: str = option(
        "micro", stage="pairs", choice="average", about="How the types of entities make one score.",
        one_of={
            "micro": "their summed counts", "macro": "the mean over types",
            "weighted": "the mean over types, weighted by how many entities should be",
        },
    )
    zero_division: LabelText = option(
        "warn", stage="pairs", choice="zero division", about="The value of a share of no entities.",
        one_of={"warn": "0, with a warning", "0": "0", "1": "1"},
    )
    # fmt: on

    @property
    def _columns(self) -> tuple[str, ...]:
        return (*(() if self.average == "micro" else (f"corpus_{name}" for name in _SHARES)), *_COUNTS)

    @property
    def _added(self) -> tuple[str, ...]:
        return _COUNTS

    @property
    def _additive(self) -> bool:
        return self.average == "micro"

    numbers: ClassVar = (
        number("f1", 0, "scale", better="higher", title="F1", about="harmonic mean of precision and recall"),
        number("precision", 0, "scale", better="higher", about="share of the predicted entities that are right"),
        number("recall", 0, "scale", better="higher", about="share of the right entities that are predicted"),
        number("accuracy", 0, "scale", better="higher", about="share of the tags that are right"),
        counted("both_count", "entities", about="entities that are right"),
        counted("predicted_count", "entities", about="predicted entities"),
        counted("actual_count", "entities", about="right entities, predicted or not"),
        counted("correct_count", "tags", about="tags that are right"),
        counted("tag_count", "tags", about="all tags"),
        counted("tag_true_positive", "tags", about="right tags other than O"),
        counted("tag_false_positive", "tags", about="wrong tags other than O"),
        counted("tag_false_negative", "tags", about="O in place of another tag"),
        counted("tag_true_negative", "tags", about="right O"),
    )  # fmt: skip

    def _sides(self, segments: Segments) -> list[_Side]:
        """The entities of both sides of each segment, and its counts."""
        key = ("seqeval", self.suffix, self.letters, self.mode, self.scheme)
        return segments.memoize(key, lambda: self._found(segments))

    def _found(self, segments: Segments) -> list[_Side]:
        pairs = self._paired(segments)
        assert pairs.segments is not None
        limits = np.searchsorted(pairs.segments, np.arange(len(segments) + 1)).tolist()
        names = [*pairs.labels]
        for argument, codes in (("predictions", pairs.predicted), ("references", pairs.actual)):
            self._check_tags(segments, argument, codes, names, limits)
        tags = [str(name) for name in names]
        read = self._read(tags, segments, pairs.actual, pairs.predicted, limits)
        outside = tags.index("O") if "O" in tags else NONE
        begins = [0, 0]
        found: list[_Side] = []
        scheme = self._strict_scheme(segments)
        for place, (start, stop) in enumerate(pairwise(limits)):
            both: list[set[Entity]] = []
            for side, codes in enumerate((pairs.predicted, pairs.actual)):
                own = [read[code] for code in codes[start:stop].tolist()]
                if scheme is not None:
                    both.append({*strict_runs(own, scheme)})
                else:  # the package puts an O after each sequence
                    of_side, begins[side] = runs(own, start + place, begins[side])
                    both.append({*of_side})
            predicted, actual = pairs.predicted[start:stop], pairs.actual[start:stop]
            equal = predicted == actual
            given, right = predicted != outside, actual != outside
            counts = (
                len(both[0] & both[1]), len(both[0]), len(both[1]), equal.sum(), stop - start,
                (equal & given).sum(), (~equal & given).sum(), (right & ~given).sum(), (equal & ~given).sum(),
            )  # fmt: skip
            found.append(_Side(both[0], both[1], tuple(map(int, counts))))
        return found

    def _check_tags(
        self, segments: Segments, argument: str, codes: Any, names: Sequence[Any], limits: Sequence[int]
    ) -> None:
        """Refuse what is no str, or has no letter."""
        wrong = np.array([not isinstance(name, str) or not name for name in names], bool)
        if len(codes) and wrong[codes].any():
            place = int(np.argmax(wrong[codes]))
            row = int(np.searchsorted(limits, place, side="right")) - 1
            what = f" has the tag {shown(names[codes[place]])}; a str such as 'B-PER' or 'O' is expected."
            raise InputError.at(self._label, argument, segments.first + row, what)

    def _strict_scheme(self, segments: Segments) -> str | None:
        """The scheme whose rules count; None if none does."""
        if self.mode is None or self.scheme is not None:
            return self.scheme if self.mode else None

        def detect() -> str:
            pairs = self._paired(segments)
            tags = [str(pairs.labels[code]) for code in np.unique(pairs.actual).tolist()]
            found = scheme_of({strictly_parted(tag, self.suffix)[0] for tag in tags})
            if found is None:
                raise InputError(
                    f"{self._label}: `scheme` is None, and the references have the letters of no scheme that can be "
                    f"found, with tags such as {', '.join(map(repr, tags[:5]))}; choose one of {', '.join(SCHEMES)}."
                )
            return found

        return segments.memoize(("seqeval", "scheme", self.suffix), detect)

    def _read(
        self, tags: Sequence[str], segments: Segments, actual: Any, predicted: Any, limits: Sequence[int]
    ) -> list[tuple[str, str]]:
        """The letter and the type of each tag. Raises an InputError for a tag that is none."""
        scheme = self._strict_scheme(segments)
        if scheme is None and self.letters == "BIES":
            return [parted(tag, self.suffix) for tag in tags]
        if scheme is None:
            found = [of_any_scheme(tag, self.suffix) for tag in tags]
            wrong, of = np.array([each is None for each in found], bool), "of no scheme"
        else:
            found = [strictly_parted(tag, self.suffix) for tag in tags]
            wrong = np.array([not is_of_a_scheme(tag, self.suffix, scheme) for tag in tags], bool)
            of = f"not of the scheme {scheme}"
        for argument, codes in (("predictions", predicted), ("references", actual)):
            if len(codes) and wrong[codes].any():
                place = int(np.argmax(wrong[codes]))
                row = int(np.searchsorted(limits, place, side="right")) - 1
                what = f" has the tag {shown(tags[codes[place]])}, which is {of}."
                raise InputError.at(self._label, argument, segments.first + row, what)
        return [each or ("O", "_") for each in found]

    def _statistics(self, segments: Segments) -> Floats:
        sides = self._sides(segments)
        counts = np.array([each.counts for each in sides], np.float64).reshape(-1, len(_COUNTS))
        if self.average == "micro":
            return counts
        own = [
            average_of_types(
                np.array([*_of_types([each]).values()], np.float64).reshape(-1, 3), self.average, self._zero
            )
            for each in sides
        ]
        return np.column_stack([np.array(own).reshape(-1, 3), counts])

    def _tables(self, segments: Segments) -> dict[str, Confusion]:
        self._check_inputs(segments)
        types: dict[str, int] = {}
        actual: list[int] = []
        predicted: list[int] = []
        for each in self._sides(segments) if len(segments) else ():
            for entity in each.predicted | each.actual:
                code = types.setdefault(entity.type, len(types))
                predicted.append(code if entity in each.predicted else NONE)
                actual.append(code if entity in each.actual else NONE)
        order = sorted(types)
        ranks = np.array([*(order.index(name) for name in types), NONE], np.int64)
        right, ours = (ranks[np.array(codes, np.int64)] for codes in (actual, predicted))
        return {"confusion": count_pairs(tuple(order), right, ours)}

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        scores = average_of_types(tables["confusion"].of_labels(), self.average, self._zero).tolist()
        return {f"corpus_{name}": score for name, score in zip(_SHARES, scores, strict=True)}

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        if self._additive:
            return super()._totals(segments, threads)
        rows = self.statistics(segments, threads)[:, len(_SHARES) :]
        return Totals.of_sums(self.signature, _COUNTS, rows, len(segments), self._tables(segments))

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        if self._additive:
            return self
        types = sorted(set().union(*(_of_types(self._sides(each)) for each in samples)))
        cells = (3 * len(types) + len(_COUNTS)) * sum(map(len, samples))
        return None if cells > _MOST_CELLS else TypeRows(self, tuple(types))

    def counts_of_types(self, segments: Segments) -> dict[str, tuple[int, int, int]]:
        """For each type of entities, in ascending order: those that are right, are predicted, and should be.

        Errors are those of ``corpus``.

        Examples
        --------
        >>> Seqeval().counts_of_types(Segments.of_items([["B-PER", "B-LOC"]], [["B-PER", "O"]]))
        {'LOC': (0, 1, 0), 'PER': (1, 1, 1)}
        """
        self._check_inputs(segments)
        return _of_types(self._sides(segments))

    @property
    def _zero(self) -> float:
        return 1.0 if self.zero_division == "1" else 0.0

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        columns = by_name(self._columns, statistics)
        counts = {name: columns[name] for name in _COUNTS}
        if self.average == "micro":
            shares = average_of_types(statistics[..., None, :3], "micro", self._zero)
        else:
            shares = statistics[..., :3]
        return self._numbers_of(shares, counts)

    def _numbers_of(self, shares: Floats, counts: Mapping[str, Floats]) -> dict[str, Floats]:
        """Every number, each (...), from precision, recall and F1 (..., 3), and the counts."""
        precision, recall, f1 = columns_of(self.scale * shares)
        accuracy = self.scale * ratio(counts["correct_count"], counts["tag_count"])
        return {"f1": f1, "precision": precision, "recall": recall, "accuracy": accuracy, **counts}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of tags that are none, of a scheme without effect, and of shares of no entities."""
        told = []
        if self.scheme and not self.mode:
            told.append(f"{self._label}: `scheme` has no effect without mode='strict'.")
        strange = [str(tag) for tag in self._paired(segments).labels if not is_tag(str(tag), self.suffix)]
        if strange and not self.mode and self.letters == "BIES":
            listed = ", ".join(map(repr, strange[:5])) + ", …" * (len(strange) > 5)
            told.append(
                f"{self._label}: {listed}: no B, I, E or S with a type. Tags are read as in the package seqeval: one "
                "character is the letter, and no other letter begins or ends an entity. For BILOU and BMES give "
                "letters='schemes', or mode='strict' with the scheme."
            )
        if not of_each and self.zero_division == "warn":
            counts = np.sum([each.counts[:3] for each in self._sides(segments)], axis=0)
            told += [
                f"{self._label}: {share} is 0/0, as there are no {which} entities, and counts as 0; see zero_division."
                for share, which, count in (("precision", "predicted", counts[1]), ("recall", "right", counts[2]))
                if not count
            ]
        return told

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `seqeval`, which calls the package of that name", live="evaluate.seqeval"
        ),
        "metrologue": Variant(
            "metrologue", "the letters of all schemes: L, U and M of BILOU and BMES end, are and continue entities",
            {"letters": "schemes"},
        ),
    }  # fmt: skip


def _of_types(sides: Sequence[_Side]) -> dict[str, tuple[int, int, int]]:
    """For each type in ascending order: the entities that are right, that are predicted, and that should be."""
    counts: dict[str, list[int]] = {}
    for each in sides:
        for column, found in enumerate((each.predicted & each.actual, each.predicted, each.actual)):
            for entity in found:
                counts.setdefault(entity.type, [0, 0, 0])[column] += 1
    return {name: (counts[name][0], counts[name][1], counts[name][2]) for name in sorted(counts)}


@dataclass(frozen=True)
class TypeRows(OfRows):
    """A metric of types of entities that are known beforehand, so that the counts of segments add up.

    Examples
    --------
    >>> segments = Seqeval._to_segments(["B-A O", "B-B O"], ["B-A B-A", "B-B O"])
    >>> metric = TypeRows(Seqeval(average="macro"), ("A", "B"))
    >>> rows = metric.statistics(segments)
    >>> rows.sum(axis=0)[:6]
    array([1., 1., 2., 1., 1., 1.])
    >>> round(float(metric.score(rows.sum(axis=0))["f1"]), 4)
    0.8333
    """

    scorer: Any
    types: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """For each type: entities that are right, that are predicted, that should be. Then the counts of all."""
        kinds = ("both", "predicted", "actual")
        return (*(f"{kind}_{i}" for i in range(len(self.types)) for kind in kinds), *_COUNTS)

    def statistics(self, segments: Segments) -> Floats:
        """The counts of each segment, float64 (n, 3 types + counts)."""
        sides, place = self.scorer._sides(segments), {name: 3 * i for i, name in enumerate(self.types)}
        rows = np.zeros((len(sides), len(self.columns)))
        for row, each in zip(rows, sides, strict=True):
            for name, counts in _of_types([each]).items():
                row[place[name] : place[name] + 3] = counts
            row[3 * len(self.types) :] = each.counts
        return rows

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number of the scorer, each (...), from totals (..., 3 types + counts)."""
        size = 3 * len(self.types)
        counts = totals[..., :size].reshape(*totals.shape[:-1], len(self.types), 3)
        shares = average_of_types(counts, self.scorer.average, self.scorer._zero)
        return dict(self.scorer._numbers_of(shares, by_name(_COUNTS, totals[..., size:])))
