"""How much of the frames of a text, who did what to whom, another text has (Lo 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers, Offsets
from metrologue.kernels.assignment import assignment
from metrologue.representations.frames import PREDICATE, Frame, role_class
from metrologue.scorers.core.rows import ratio

__all__ = ["Roles", "assigned_roles", "structure"]


class Roles(NamedTuple):
    """The predicates and arguments of a text, a row each; those of a frame follow each other, the predicate first."""

    spans: Offsets  # (n, 2): where each begins in the text, and how many tokens it has
    classes: Integers  # (n,): indices in ``metrologue.representations.frames.ROLES``
    offsets: Offsets  # (n_frames + 1,): the rows of frame f are ``offsets[f]:offsets[f + 1]``

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> Roles:
        """The roles of some frames."""
        rows = [
            (start, stop - start, kind)
            for frame in frames
            for start, stop, kind in (
                (*frame.predicate, PREDICATE),
                *((start, stop, role_class(label)) for label, start, stop in frame.arguments),
            )
        ]
        table = np.array(rows, np.int64).reshape(-1, 3)
        ends = np.cumsum([0, *(1 + len(frame.arguments) for frame in frames)])
        return cls(np.ascontiguousarray(table[:, :2]), table[:, 2], ends)


def assigned_roles(similarities: Floats, its: Roles, own: Roles) -> tuple[Integers, Integers]:
    """The roles of a reference and those of a hypothesis that are assigned to each other.

    The predicates of both texts are assigned to each other so that the sum of their similarities is the greatest, and
    then the arguments of each two predicates.

    Parameters
    ----------
    similarities : float64 (roles of the reference, roles of the hypothesis)
        0 to 1.
    its, own : Roles
        Those of the reference and of the hypothesis.

    Returns
    -------
    rows, columns : int64 (n,)

    Examples
    --------
    >>> one = Roles.of([Frame((1, 2), (("A0", 0, 1), ("A1", 2, 3)))])
    >>> other = Roles.of([Frame((1, 2), (("A1", 0, 1),))])
    >>> assigned_roles(np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]]), one, other)
    (array([0, 1]), array([0, 1]))
    """
    rows: list[Integers] = []
    columns: list[Integers] = []
    starts, others = its.offsets[:-1], own.offsets[:-1]
    for frame, other in zip(*assignment(similarities[np.ix_(starts, others)]), strict=True):
        first, second = starts[frame], others[other]
        within = similarities[first + 1 : its.offsets[frame + 1], second + 1 : own.offsets[other + 1]]
        i, j = assignment(within)
        rows += [first[None], first + 1 + i]
        columns += [second[None], second + 1 + j]
    nothing = np.zeros(0, np.int64)
    return np.concatenate([nothing, *rows]), np.concatenate([nothing, *columns])


def structure(found: Floats, roles: Roles, weights: Floats, by_length: bool) -> float:
    """The mean similarity of the frames of a text; 0 without any.

    The similarity of a frame is the mean of those of its roles, by the weights of their classes. With `by_length`, a
    frame weighs as many tokens as its roles have.

    Examples
    --------
    >>> roles = Roles.of([Frame((1, 2), (("A0", 0, 1), ("A1", 2, 3)))])
    >>> weights = np.array([0.25, 1, 1, 1, 1, 1, 1, 1])
    >>> round(structure(np.array([1.0, 1.0, 0.5]), roles, weights, True), 6)
    0.777778
    """
    if not len(found):
        return 0.0
    starts, own = roles.offsets[:-1], weights[roles.classes]
    means = ratio(np.add.reduceat(own * found, starts), np.add.reduceat(own, starts))
    lengths = np.add.reduceat(roles.spans[:, 1], starts) if by_length else np.ones(len(starts))
    return float((lengths * means).sum() / lengths.sum())
