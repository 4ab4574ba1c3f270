"""The metrics by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrologue.errors import InputError, shown

if TYPE_CHECKING:
    from metrologue.scorers.core.scorer import Scorer

__all__ = ["get_scorer", "list_scorers", "register"]

_scorers: dict[str, type[Scorer]] = {}


def register(scorer: type[Scorer]) -> None:
    """Make a scorer known by its `name`."""
    _scorers[scorer.name] = scorer


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
    if not isinstance(name, str) or name not in _scorers:
        raise InputError(f"no metric is called {shown(name)}; there are {', '.join(list_scorers())}.")
    return _scorers[name]


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(_scorers)
