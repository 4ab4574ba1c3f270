"""Confusion counts: how often each label of a reference met each label of a prediction. They merge across batches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Integers
from metrologue.data.exact_sums import exact_group_sums
from metrologue.data.labels import Label
from metrologue.errors import InputError, shown

# The code of "no label": a label of a set that the other set lacks is paired with it.
NONE = -1
# Up to this many pairs of labels, or four for each segment, every pair has a place in a table.
_PAIRS = 1 << 16
# The labels of the largest matrix, which takes 800 MB.
MOST_LABELS = 10_000
_BOOLS = {"True": 1, "False": 0}


class Confusion(NamedTuple):
    """How often each label of a reference met each label of a prediction.

    For sets of labels, a label that is in both sets is paired with itself. A label that only one of them has is paired
    with `NONE`.

    Attributes
    ----------
    labels : tuple of int, of str or of bool
        Each label once, in ascending order.
    actual, predicted : int64 (k,)
        The labels of each pair, as indices of `labels`. Each pair is there once.
    counts : float64 (k,)
        The number of segments with the pair, or the sum of their weights.
    rests : float64 (m, k)
        What has to be added to the sums of weights, to be exact. So parts that merge in any order are equal.

    Examples
    --------
    >>> counted = Confusion(("cat", "dog"), np.array([0, 1]), np.array([0, 0]), np.array([3.0, 1.0]))
    >>> counted.matrix()
    array([[3., 0.],
           [1., 0.]])
    >>> counted.merge(counted).of_labels()
    array([[6., 8., 6.],
           [0., 0., 2.]])
    """

    labels: tuple[Label, ...]
    actual: Integers
    predicted: Integers
    counts: Floats
    rests: Floats = np.zeros((0, 0))

    def merge(self, other: Confusion) -> Confusion:
        """The counts of both together.

        Raises
        ------
        InputError
            If one has texts as labels, and the other one numbers.
        """
        if self.labels and other.labels and isinstance(self.labels[0], str) != isinstance(other.labels[0], str):
            raise InputError(
                f"merge: one part has labels such as {shown(self.labels[0])}, the other one such as "
                f"{shown(other.labels[0])}; all labels must be numbers, or all must be str."
            )
        labels = common_labels([self.labels, other.labels])
        place = {label: code for code, label in enumerate(labels)}
        sides = []
        for name in ("actual", "predicted"):
            # The last code is that of no label, so that the index -1 finds it.
            parts = [
                np.tile(
                    np.array([*(place[label] for label in each.labels), NONE])[getattr(each, name)], 1 + len(each.rests)
                )
                for each in (self, other)
            ]
            sides.append(np.concatenate(parts))
        terms = [each.ravel() for part in (self, other) for each in (part.counts, part.rests)]
        return count_pairs(labels, sides[0], sides[1], np.concatenate(terms))

    def chosen(self, labels: Sequence[str] | None) -> Integers:
        """The codes of these labels, which are given as text; `NONE` for a label that was never seen. None: all."""
        return codes_of(labels, self.labels)

    def matrix(self, labels: Sequence[str] | None = None) -> Floats:
        """Counts (L, L): row i is the label i of references, column j the label j of predictions.

        `labels` are those of rows and columns, as text, in this order; by default all, in ascending order. Raises an
        InputError if there are more than ``MOST_LABELS`` (10,000), because most cells of so large a matrix are 0: the
        pairs that occur are in `actual`, `predicted` and `counts`.
        """
        codes = self.chosen(labels)
        if len(codes) > MOST_LABELS:
            raise InputError(
                f"a confusion matrix of {len(codes):,} labels has {len(codes) ** 2:,} cells; at most {MOST_LABELS:,} "
                "labels make a matrix. Choose `labels`, or use the pairs that occur: `actual`, `predicted` and "
                "`counts` of Result.confusion."
            )
        places = np.full(len(self.labels) + 1, NONE)
        places[codes[codes != NONE]] = np.flatnonzero(codes != NONE)
        found = np.zeros((len(codes), len(codes)))
        actual, predicted = places[self.actual], places[self.predicted]
        inside = (actual != NONE) & (predicted != NONE)
        np.add.at(found, (actual[inside], predicted[inside]), self.counts[inside])
        return found

    def of_labels(self, labels: Sequence[str] | None = None) -> Floats:
        """Counts (L, 3) of each label: in both (true positives), in predictions, in references. Labels as above."""
        size = len(self.labels)
        both = self.counts * (self.actual == self.predicted)
        columns = [
            np.bincount(codes + 1, weights, size + 1)[1:]
            for codes, weights in ((self.actual, both), (self.predicted, self.counts), (self.actual, self.counts))
        ]
        # The last row is that of a label that was never seen.
        table = np.column_stack([np.append(column, 0.0) for column in columns])
        return table[self.chosen(labels)]

    def agreement(self, labels: Sequence[str] | None = None) -> tuple[float, float]:
        """The sum of the diagonal of ``matrix(labels)``, and the sum of all its cells, for any number of labels."""
        codes = self.chosen(labels)
        among = np.zeros(len(self.labels) + 1, bool)
        among[codes[codes != NONE]] = True
        inside = among[self.actual] & among[self.predicted]
        return float(self.counts[inside & (self.actual == self.predicted)].sum()), float(self.counts[inside].sum())

    @property
    def is_square(self) -> bool:
        """Whether each pair has two labels, as it has unless segments have sets of labels."""
        return bool((self.actual != NONE).all() and (self.predicted != NONE).all())

    def to_json(self) -> dict[str, list[Any]]:
        """The labels, and the codes and the count of each pair."""
        return {
            "labels": list(self.labels),
            "actual": self.actual.tolist(),
            "predicted": self.predicted.tolist(),
            "counts": self.counts.tolist(),
            **({"rests": self.rests.tolist()} if len(self.rests) else {}),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Confusion:
        """The counts that ``to_json`` wrote. Raises a ValueError for anything else."""
        columns = [saved.get(key) for key in ("labels", "actual", "predicted", "counts")]
        labels, actual, predicted, counts = (column if isinstance(column, list) else [] for column in columns)
        if not all(isinstance(column, list) for column in columns):
            raise ValueError("`labels`, `actual`, `predicted` and `counts` are expected, a list each")
        kinds = {type(label) for label in labels}
        if len(kinds) > 1 or not kinds <= {int, str, bool} or labels != sorted(set(labels)):
            raise ValueError("`labels` are not distinct ints, str or bools in ascending order")
        if any(type(code) is not int or not NONE <= code < len(labels) for code in [*actual, *predicted]):
            raise ValueError("a pair has a number that is not that of a label")
        if any(type(count) not in (int, float) or not 0 <= count < float("inf") for count in counts):
            raise ValueError("a count is not a finite number of 0 or more")
        rests = saved.get("rests", [])
        if not len(actual) == len(predicted) == len(counts):
            raise ValueError("`actual`, `predicted` and `counts` are not equally long")
        if not isinstance(rests, list) or not all(isinstance(row, list) and len(row) == len(counts) for row in rests):
            raise ValueError("`rests` is not a list of lists as long as `counts`")
        if any(type(rest) not in (int, float) or not abs(rest) < float("inf") for row in rests for rest in row):
            raise ValueError("a rest is not a finite number")
        sides = np.array(actual, np.int64), np.array(predicted, np.int64)
        left = np.array(rests, float).reshape(len(rests), len(counts))
        return cls(tuple(labels), *sides, np.array(counts, float), left)


def count_pairs(
    labels: tuple[Label, ...], actual: NDArray[Any], predicted: NDArray[Any], weights: Floats | None = None
) -> Confusion:
    """The confusion counts of pairs with these codes, (n,), of which `NONE` is no label.

    Labels that no pair has are left out. The weight of each pair is 1 by default.

    Examples
    --------
    >>> count_pairs(("cat", "dog"), np.array([0, 0, 1]), np.array([0, 0, 0])).to_json()
    {'labels': ['cat', 'dog'], 'actual': [0, 1], 'predicted': [0, 0], 'counts': [2.0, 1.0]}
    """
    size = len(labels) + 1
    keys = actual.astype(np.int64)
    keys += 1
    keys *= size
    keys += predicted
    keys += 1
    if size * size <= max(_PAIRS, 4 * len(keys)):
        # A pair whose weights are all 0 is kept: its labels were seen.
        tally = np.bincount(keys, minlength=size * size)
        found = np.flatnonzero(tally)
        sums = tally[found].astype(np.float64)[None]
        numbers = (np.cumsum(tally > 0) - 1)[keys] if weights is not None else keys
    else:
        found, numbers, tally = np.unique(keys, return_inverse=True, return_counts=True)
        sums = tally.astype(np.float64)[None]
    if weights is not None:
        sums = exact_group_sums(weights, numbers, len(found))
    sides = found // size - 1, found % size - 1
    # Segments that were cut from others may lack some of their labels.
    seen = np.zeros(size, bool)
    seen[np.concatenate(sides)] = True
    seen[NONE] = False
    if not seen[:-1].all():
        places = np.append(np.cumsum(seen[:-1]) - 1, NONE)
        labels, sides = tuple(compress(labels, seen)), (places[sides[0]], places[sides[1]])
    return Confusion(labels, *sides, sums[0], sums[1:])


def common_labels(parts: Iterable[Iterable[Label]]) -> tuple[Label, ...]:
    """All labels in ascending order. A bool is the int that it equals, if there are ints too.

    Examples
    --------
    >>> common_labels([[False, True], [2]]), common_labels([["b"], ["a", "b"]])
    ((0, 1, 2), ('a', 'b'))
    """
    found = [label for part in parts for label in part]
    return tuple(sorted({*map(int, found)} if {*map(type, found)} == {bool, int} else {*found}))


def codes_of(wanted: Sequence[str] | None, labels: Sequence[Label]) -> Integers:
    """The index of each wanted label, which is given as text, as for ``code_of``. None: the indices of all labels."""
    if wanted is None:
        return np.arange(len(labels))
    return np.array([code_of(label, labels) for label in wanted], np.int64)


def code_of(label: str, labels: Sequence[Label]) -> int:
    """The index of the label that is given as text, `NONE` if it is not there. "1" and "True" are 1 and True.

    Examples
    --------
    >>> code_of("10", [1, 10]), code_of("10", ["1", "10"]), code_of("1", [False, True]), code_of("a", [0])
    (1, 1, 1, -1)
    >>> code_of("True", [0, 1])
    1
    """
    wanted: Label = label
    if labels and not isinstance(labels[0], str):
        try:
            wanted = _BOOLS[label] if label in _BOOLS else int(label)
        except ValueError:
            return NONE
    # The labels ascend, so that the place is found by bisection.
    place = bisect_left(labels, wanted)  # all labels are of one type
    return place if place < len(labels) and labels[place] == wanted else NONE
