"""chrF with the mean of all references (Vamvas & Sennrich 2024): linear in their number, where chrF is quadratic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.scorers.core.kernels.ngram_index import bags_of
from metrologue.scorers.core.pairwise import grouped_texts
from metrologue.text.reading import words

if TYPE_CHECKING:
    from metrologue.scorers.chrf import Chrf, Level


def aggregate_groups(
    scorer: Chrf, hypotheses: Any, references: Any = None, weights: Sequence[Floats | None] | None = None
) -> list[Floats]:
    """The chrF of each hypothesis with the mean of the references of its group.

    The mean reference has each n-gram as often as the references have it on average. Its score is not the mean of the
    scores, but close to it.

    Parameters
    ----------
    scorer : Chrf
    hypotheses : g lists of strings
    references : g lists of strings, optional
        By default the hypotheses themselves.
    weights : g arrays of float64 (m,), optional
        The weights of the references of each group; None for equal ones.

    Returns
    -------
    list of g arrays of float64 (n,)

    Raises
    ------
    InputError
        As for ``Scorer.pairwise``.

    References
    ----------
    Vamvas and Sennrich 2024, https://aclanthology.org/2024.acl-short.71.

    Examples
    --------
    >>> from metrologue.scorers import Chrf
    >>> references = ["The cat sat on the mat.", "The fat cat sat on the mat.", "A cat sat on a mat."]
    >>> aggregate_groups(Chrf(), [["The cat sat on the mat.", "The cat sat on the hat."]], [references])[0].round(4)
    array([78.5639, 63.3719])
    """
    collection, ours, theirs = grouped_texts(scorer, hypotheses, references)
    scores = []
    for group, (left, right) in enumerate(zip(ours, theirs, strict=True)):
        given = weights[group] if weights else None
        share = np.full(len(right), 1.0) if given is None else given
        levels = []
        for level in scorer._levels:
            reading = words(level.tokenizer, scorer.lowercase)
            view, shift = collection.read(reading, reading)
            sides = [left] if shift == 0 else [left, range(shift + right.start, shift + right.stop)]
            levels.append(_level_counts(*view.texts(sides), len(left), share, level))
        scores.append(scorer._score(scorer._counts(levels))["chrf"])
    return scores


def _level_counts(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], hypotheses: int, weights: Floats, level: Level
) -> tuple[Floats, Floats, Floats]:
    """Matches with the mean reference, n-grams of each hypothesis and of the mean reference, (hypotheses, orders)."""
    lengths, whole = np.diff(offsets), float(weights.sum())
    first = len(lengths) - len(weights)  # 0 if the references are the hypotheses
    totals = np.maximum(lengths[:, None] - np.arange(level.last), 0.0)
    matches = np.empty((hypotheses, level.last))
    for column, bag in enumerate(bags_of(ids, offsets, level.last, False)):
        texts = np.repeat(np.arange(len(lengths)), np.diff(bag.ends))
        start, stop = int(bag.ends[first]), int(bag.ends[hypotheses])
        weighed = bag.counts[start:] * weights[texts[start:] - first]
        sums = np.bincount(bag.numbers[start:], weighed, bag.types)
        shared = np.minimum(bag.counts[:stop] * whole, sums[bag.numbers[:stop]])
        matches[:, column] = np.bincount(texts[:stop], shared, hypotheses) / whole
        if first == 0:  # an n-gram that one text alone has
            matches[:, column] += bag.alone * weights / whole
    mean = np.broadcast_to(weights @ totals[first:] / whole, matches.shape)
    wanted = slice(level.first - 1, None)
    return matches[:, wanted], totals[:hypotheses, wanted], mean[:, wanted]
