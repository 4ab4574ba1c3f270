"""The metrics by their names."""

from __future__ import annotations

from metrologue.scorers.core.scorer import Scorer

__all__ = ["get_scorer", "list_scorers"]


def get_scorer(name: str) -> type[Scorer]:
    """The class of a metric.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> get_scorer("bleu").__name__
    'Bleu'
    """
    return Scorer.named(name)


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(Scorer.registered)
