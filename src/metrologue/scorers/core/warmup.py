"""Tables made in advance: otherwise a container, a Space or a job would wait for them at its first number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metrologue.errors import InputError
from metrologue.scorers.core.registry import get_scorer, list_scorers
from metrologue.scorers.core.scorer import Scorer

__all__ = ["scorers_to_warm", "warm_up"]


def scorers_to_warm(metrics: Iterable[str] = ()) -> list[Scorer]:
    """The scorers of all variants of these metrics, or of all metrics.

    Raises
    ------
    InputError
        If there is no such metric.

    Examples
    --------
    >>> [scorer.name for scorer in scorers_to_warm(["wer"])]
    ['wer', 'wer', 'wer', 'wer']
    """
    kinds = [get_scorer(name) for name in metrics or list_scorers()]
    return [kind.variant(name) for kind in kinds for name in kind.variants()]


def warm_up(scorers: Iterable[Scorer]) -> Iterator[str | None]:
    """Put all tables that these scorers need into the cache: each scores a small text.

    Parameters
    ----------
    scorers : iterable of Scorer

    Yields
    ------
    str or None
        After each scorer: None, or a message that says what it lacks on this machine.

    Examples
    --------
    >>> list(warm_up(scorers_to_warm(["edit_distance"])))[0] is None
    True
    """
    for scorer in scorers:
        try:
            scorer.corpus(["on the mat, the cat sat"], ["the cat sat on the mat."])
            yield None
        except InputError as error:
            yield str(error)
