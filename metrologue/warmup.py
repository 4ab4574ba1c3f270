"""Compiling ahead: what a container, a Space or a job would otherwise wait for at its first number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metrologue import trace
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer, list_scorers

__all__ = ["scorers_to_warm", "warm_up"]

# Words that match, move, and are missing, and a reference more than there is a hypothesis.
_PREDICTIONS = ["on the mat, the cat sat", "A cat."]
_REFERENCES = [["the cat sat on the mat.", "a cat sat"], ["The dog runs."]]


def scorers_to_warm(metrics: Iterable[str] = ()) -> list[Scorer]:
    """The scorers of all variants of these metrics, or of all metrics.

    Raises
    ------
    InputError
        If there is no such metric.

    Examples
    --------
    >>> [scorer.name for scorer in scorers_to_warm(["wer"])]
    ['wer', 'wer', 'wer']
    """
    kinds = [get_scorer(name) for name in metrics or list_scorers()]
    return [kind.variant(name) for kind in kinds for name in kind.variants()]


def warm_up(scorers: Iterable[Scorer]) -> Iterator[str | None]:
    """Score and trace a small text with each scorer, so that all kernels and tables that it needs are in the cache.

    Parameters
    ----------
    scorers : iterable of Scorer

    Yields
    ------
    str or None
        After each scorer, what it lacks on this machine, if anything.

    Examples
    --------
    >>> list(warm_up(scorers_to_warm(["edit_distance"])))[0] is None
    True
    """
    for scorer in scorers:
        try:
            scorer.corpus(_PREDICTIONS, _REFERENCES)
            trace(scorer, _PREDICTIONS[0], _REFERENCES[0][:1])
            yield None
        except InputError as error:
            yield str(error)
