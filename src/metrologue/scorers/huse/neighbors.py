"""The classifier of HUSE: who wrote a text is what most of its nearest neighbours say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.errors import InputError
from metrologue.scorers.huse.reading import Points

__all__ = ["FEATURES", "Neighbors", "neighbors_of"]

# The features of each classification.
FEATURES = ((0, 1), (0,), (1,))
# Distances that are in memory at once.
_MOST_DISTANCES = 1 << 21


class Neighbors(NamedTuple):
    """How the neighbours of n texts vote, by both features, by judgements and by probabilities.

    Attributes
    ----------
    for_model, for_people : int64 (n, 3)
        How many neighbours the model wrote, and how many people did.
    by_model : bool (n,)
        Whether the model wrote the text itself.
    """

    for_model: Integers
    for_people: Integers
    by_model: Flags

    @property
    def wrong(self) -> Flags:
        """Whether the vote is wrong, (n, 3). A tie is a vote for people."""
        found: Flags = (self.for_model > self.for_people) != self.by_model[:, None]
        return found


def neighbors_of(texts: Points, pool: Points, neighbors: int, radius: str, owner: str) -> Neighbors:
    """The votes of the neighbours of each text among those of a pool, without the text itself.

    Each feature is divided by its standard deviation in the pool; one that is the same for all texts tells nothing.
    The sums are those of the authors' code, one after another, because a distance decides which texts are as far.

    Raises
    ------
    InputError
        If a text has too few others, or all texts of the pool have one author.
    """
    place = neighbors - (radius == "last")
    own = _places(texts, pool)
    others = len(pool.by_model) - (own >= 0)
    if len(others) and others.min() <= place:
        raise InputError(
            f"{owner}: there are {others.min()} other texts; `neighbors` is {neighbors}, which needs {place + 1}."
        )
    if len(others) and pool.by_model.all() | ~pool.by_model.any():
        raise InputError(f"{owner}: all texts are by {'the model' if pool.by_model[0] else 'people'}; give both.")
    spread = np.array([_spread(pool.features[:, feature]) for feature in range(2)])
    ours, theirs = texts.features / spread, pool.features / spread
    votes = np.zeros((2, len(own), len(FEATURES)), np.int64)
    step = max(1, _MOST_DISTANCES // max(1, len(theirs)))
    for start in range(0, len(own), step):
        rows = slice(start, start + step)
        squares = [_squares(ours[rows, feature], theirs[:, feature]) for feature in range(2)]
        for at, features in enumerate(FEATURES):
            distances = squares[features[0]] if len(features) == 1 else squares[0] + squares[1]
            near = _near(distances, own[rows], place)
            votes[0, rows, at] = (near & pool.by_model).sum(axis=1)
            votes[1, rows, at] = (near & ~pool.by_model).sum(axis=1)
    return Neighbors(votes[0], votes[1], texts.by_model)


def _spread(values: Floats) -> float:
    """The standard deviation; 1 if all are the same. NumPy sums a column and a row in another order."""
    return float(np.ascontiguousarray(values).std()) if len(values) and np.ptp(values) > 0 else 1.0


def _squares(ours: Floats, theirs: Floats) -> Floats:
    apart: Floats = theirs[None] - ours[:, None]
    return apart * apart


def _near(distances: Floats, own: Integers, place: int) -> Flags:
    """Which texts of the pool are neighbours of each text: no farther than the one at this place, without itself."""
    distances = distances.copy()
    inside = np.flatnonzero(own >= 0)
    distances[inside, own[inside]] = np.inf
    limits = np.partition(distances, place, axis=1)[:, place, None]
    near: Flags = distances <= limits
    return near


def _places(texts: Points, pool: Points) -> Integers:
    """The first place of each text in the pool; -1, if it is not there."""
    keys = [np.column_stack([each.features, each.by_model]) for each in (pool, texts)]
    _, first, which = np.unique(np.concatenate(keys), axis=0, return_index=True, return_inverse=True)
    found = first[which.ravel()[len(keys[0]) :]]
    return np.where(found < len(keys[0]), found, -1)
