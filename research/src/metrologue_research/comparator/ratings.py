"""Ratings of systems from games between their texts: Elo's, and those of OpenSkill."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.scorers.core.scorer import Scorer

METHODS = ("elo", "openskill")


@dataclass(frozen=True)
class Game:
    """A game of two players.

    Attributes
    ----------
    result : float
        1 if the first player wins, 0 if the second one does, .5 for a draw; or how probably the first one wins.
    """

    one: str
    other: str
    result: float


def elo(games: Iterable[Game], start: float = 1500.0, k: float = 32.0) -> dict[str, float]:
    """The ratings after these games, by the rule of Elo (1978): the winner takes `k` times what was not expected.

    Parameters
    ----------
    games : iterable of Game
        In the order in which they were played; the ratings depend on it.
    start : float
        The rating of a player before the first game.
    k : float

    Examples
    --------
    >>> elo([Game("a", "b", 1.0)])
    {'a': 1516.0, 'b': 1484.0}
    """
    ratings: dict[str, float] = {}
    for game in games:
        one, other = (ratings.setdefault(name, start) for name in (game.one, game.other))
        expected = 1 / (1 + 10 ** ((other - one) / 400))
        taken = k * (game.result - expected)
        ratings[game.one], ratings[game.other] = one + taken, other - taken
    return ratings


def openskill(games: Iterable[Game], tie: float = 0.05) -> dict[str, float]:
    """The ordinal ratings after these games by OpenSkill's Plackett-Luce model, mu - 3 sigma.

    Raises an InputError if the package openskill is not installed.

    Parameters
    ----------
    tie : float
        A result that is no farther from .5 is a draw.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise InputError("rate_systems: openskill is not installed: pip install openskill") from None
    model = PlackettLuce()
    ratings: dict[str, Any] = {}
    for game in games:
        teams = [[ratings.setdefault(name, model.rating(name=name))] for name in (game.one, game.other)]
        gap = game.result - 0.5
        ranks = [1.0, 1.0] if abs(gap) <= tie else [1.0, 2.0] if gap > 0 else [2.0, 1.0]
        [[ratings[game.one]], [ratings[game.other]]] = model.rate(teams, ranks=ranks)
    return {name: float(rating.ordinal()) for name, rating in ratings.items()}


def games_of(scorer: Scorer, systems: Mapping[str, Sequence[str]], seed: int = 0) -> list[Game]:
    """A game of every two systems on every segment, in an order that the seed decides.

    Raises an InputError if there are fewer than two systems, or they have different numbers of texts.
    """
    names = [*systems]
    if len(names) < 2:
        raise InputError(f"rate_systems: {number_of(len(names), 'system')}; give two or more.")
    count = len(systems[names[0]])
    for name in names:
        if len(systems[name]) != count:
            raise InputError(
                f"rate_systems: {shown(name)} has {len(systems[name])} texts, and {shown(names[0])} {count}."
            )
    found = [
        Game(one, other, float(result))
        for one, other in itertools.combinations(names, 2)
        for result in scorer.segments([*systems[one]], [*systems[other]])
    ]
    return [found[place] for place in np.random.default_rng(seed).permutation(len(found))]


def rate_systems(
    scorer: Scorer, systems: Mapping[str, Sequence[str]], method: str = "elo", seed: int = 0
) -> dict[str, float]:
    """The ratings of several systems by a comparator, the best first.

    Parameters
    ----------
    scorer : Comparator
    systems : mapping of str to sequence of n str
        The texts of each system for the same n inputs.
    method : str
        One of ``METHODS``.
    seed : int
        Of the order of the games.

    Raises
    ------
    InputError
        If there is no such method, there are fewer than two systems, or they have different numbers of texts.

    Examples
    --------
    >>> from metrologue_research.comparator import Comparator
    >>> from metrologue.learned import sample_model
    >>> comparator = Comparator(model=sample_model("comparator"))
    >>> texts = ["The cat slept on a sofa.", "She has worked as a nurse."]
    >>> sorted(rate_systems(comparator, {"amber": texts, "birch": [text[:9] for text in texts]}))
    ['amber', 'birch']
    """
    if method not in METHODS:
        raise InputError(f"rate_systems: `method` is {shown(method)}; {instead_of(method, METHODS)}")
    games = games_of(scorer, systems, seed)
    ratings = elo(games) if method == "elo" else openskill(games)
    return dict(sorted(ratings.items(), key=lambda each: -each[1]))
