"""Entities of tagged tokens: precision, recall and F1 as conlleval and seqeval count them (Nakayama 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name, harmonic_mean, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.classification.base import INPUTS, OfLabels
from metrologue.segments import Segments

__all__ = ["Entity", "Seqeval", "entities"]


class Entity(NamedTuple):
    """An entity: its type, and the places of its first and its last tag."""

    type: str
    first: int
    last: int


def entities(tags: Sequence[str], suffix: bool = False) -> set[Entity]:
    """The entities of a sequence of tags, such as B-PER and I-PER, by the rules of the Perl script conlleval.

    B and S begin an entity, and so does any tag of another type; E and S end it. An I after O begins one, too. A tag
    without a type is of the type "_".

    Parameters
    ----------
    tags : sequence of n str
    suffix : bool
        Whether the letter comes after the type, as in PER-B.

    Examples
    --------
    >>> sorted(entities(["B-PER", "I-PER", "O", "I-LOC"]))
    [Entity(type='LOC', first=3, last=3), Entity(type='PER', first=0, last=1)]
    """
    found, first = set(), 0
    before, type_before = "O", ""
    for place, tag in enumerate([*tags, "O"]):
        letter, kind = _parted(tag, suffix)
        inside = before not in ("O", ".")
        if inside and (before in "ES" or letter in "BSO" or type_before != kind):
            found.add(Entity(type_before, first, place - 1))
        if letter in "BS" or (letter in "EI" and before in "ESO") or (letter not in ("O", ".") and type_before != kind):
            first = place
        before, type_before = letter, kind
    return found


def _parted(tag: str, suffix: bool) -> tuple[str, str]:
    """The letter of a tag, and its type."""
    letter, rest = (tag[-1:], tag[:-1]) if suffix else (tag[:1], tag[1:])
    parts = rest.rsplit("-", 1) if suffix else rest.split("-", 1)
    return letter, (parts[0] if suffix else parts[-1]) or "_"


@dataclass(frozen=True, kw_only=True)
class Seqeval(OfLabels):
    """Precision, recall and F1 of the entities that sequences of tags stand for; higher is better, 0-1.

    An entity is right if its type, its first and its last token are. Tags are such as B-PER, I-PER and O, as many as
    the reference has; a text is cut at whitespace. ``accuracy`` is the share of right tags. A share of none is 0.

    References
    ----------
    Tjong Kim Sang and De Meulder 2003, https://aclanthology.org/W03-0419, and their script conlleval; Nakayama 2018,
    the package seqeval, without its `scheme`.

    Examples
    --------
    >>> Seqeval().corpus([["B-PER", "I-PER", "O"], ["B-LOC", "O"]], [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]).value
    0.5
    """

    name: ClassVar[str] = "seqeval"
    title: ClassVar[str] = "seqeval"
    inputs: ClassVar[tuple[Input, ...]] = INPUTS[:2]
    _papers: ClassVar[tuple[str, ...]] = ("tjong-kim-sang-de-meulder-2003-introduction", "nakayama-2018-seqeval")
    _traces_all: ClassVar[bool] = False

    # fmt: off
    lists: str = option(
        "sequences", stage="read", choice=None, about="What the labels of a segment are.",
        one_of={"sequences": "a sequence with as many labels as its reference; a text is cut at whitespace"},
    )
    suffix: bool = option(
        False, stage="pairs", choice="suffix", about="Whether the letter comes after the type, as in PER-B."
    )
    # fmt: on

    _columns = ("both_count", "predicted_count", "actual_count", "correct_count", "tag_count")

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
    )  # fmt: skip

    def _sides(self, segments: Segments) -> Iterator[tuple[set[Entity], set[Entity], int, int]]:
        """Of each segment: the predicted and the right entities, the tags that are right, and all tags."""
        pairs = self._paired(segments)
        assert pairs.segments is not None
        names = [str(label) for label in pairs.labels]
        limits = np.searchsorted(pairs.segments, np.arange(len(segments) + 1)).tolist()
        for start, stop in pairwise(limits):
            sides = [side[start:stop] for side in (pairs.predicted, pairs.actual)]
            predicted, actual = (entities([names[code] for code in side.tolist()], self.suffix) for side in sides)
            yield predicted, actual, int((sides[0] == sides[1]).sum()), stop - start

    def _statistics(self, segments: Segments) -> Floats:
        rows = [
            (len(predicted & actual), len(predicted), len(actual), correct, tags)
            for predicted, actual, correct, tags in self._sides(segments)
        ]
        return np.array(rows, np.float64).reshape(-1, len(self._columns))

    def counts_of_types(self, segments: Segments) -> dict[str, tuple[int, int, int]]:
        """For each type of entities, in ascending order: those that are right, are predicted, and should be.

        Errors are those of ``corpus``.

        Examples
        --------
        >>> Seqeval().counts_of_types(Segments.of_items([["B-PER", "B-LOC"]], [["B-PER", "O"]]))
        {'LOC': (0, 1, 0), 'PER': (1, 1, 1)}
        """
        self._check_inputs(segments)
        both, predicted, actual = Counter[str](), Counter[str](), Counter[str]()
        for ours, right, _, _ in self._sides(segments):
            for counts, found in ((both, ours & right), (predicted, ours), (actual, right)):
                counts.update(each.type for each in found)
        return {each: (both[each], predicted[each], actual[each]) for each in sorted({*predicted, *actual})}

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        precision = ratio(counts["both_count"], counts["predicted_count"])
        recall = ratio(counts["both_count"], counts["actual_count"])
        shares = {
            "f1": harmonic_mean(precision, recall),
            "precision": precision,
            "recall": recall,
            "accuracy": ratio(counts["correct_count"], counts["tag_count"]),
        }
        return {name: self.scale * share for name, share in shares.items()} | counts

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `seqeval`, which calls the package of that name", live="evaluate.seqeval"
        ),
    }
