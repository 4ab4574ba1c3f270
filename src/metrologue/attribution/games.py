"""Shapley values: the worth of a team, divided among its players."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, number_of, shown

P = TypeVar("P", bound=Hashable)

# Exact values need the worth of 2^n coalitions.
MOST_PLAYERS = 20
# At least so many pairs of orders are drawn, and none after so many coalitions have been valued.
_LEAST_PAIRS, _MOST_VALUED = 8, 512
# Two shares are told apart up to this part of the largest one.
_TIE = 0.02


def shapley(players: Sequence[P], value: Callable[[frozenset[P]], float] | ArrayLike) -> dict[P, float]:
    """Exact Shapley values (Shapley 1953): each player's mean contribution over all orders of joining.

    Parameters
    ----------
    players : sequence of n hashable items
        Up to 20, each once. ``sampled_shapley`` takes more.
    value : callable, or numbers (2^n,)
        Gives the worth of a coalition; called once for each of the 2^n coalitions. Or the worth of all coalitions: that
        at index i is of the players whose bits are set in i; bit 0 is the first player.

    Returns
    -------
    dict
        One float for each player; they sum to ``value(all) - value(none)``. They are NaN or infinite if values are.

    Raises
    ------
    InputError
        If there are more than 20 players, one of them twice, or not 2^n values.

    Examples
    --------
    >>> shapley("ab", lambda team: {0: 0.0, 1: 1.0, 2: 4.0}[len(team)])
    {'a': 2.0, 'b': 2.0}
    >>> shapley(["left", "right"], [0, 0, 0, 1])
    {'left': 0.5, 'right': 0.5}
    """
    count = len(_checked(players))
    if count > MOST_PLAYERS:
        raise InputError(f"shapley: {count} players have 2^{count} coalitions; sample if above {MOST_PLAYERS}.")
    worth = _worths(players, value)
    sizes = np.zeros(1, np.int64)
    for _ in range(max(count - 1, 0)):
        sizes = np.concatenate([sizes, sizes + 1])
    # The share of the n! orders in which exactly a given team of this size comes before the player.
    weights = np.array([1 / (count * math.comb(count - 1, size)) for size in range(count)])
    return {player: float(weights[sizes] @ _gains(worth, place)) for place, player in enumerate(players)}


def _checked(players: Sequence[P]) -> Sequence[P]:
    """The players. Raises an InputError if one of them is there twice."""
    if len(set(players)) != len(players):
        twice = next(player for i, player in enumerate(players) if player in players[:i])
        raise InputError(f"shapley: the player {shown(twice)} is there twice; each player joins once.")
    return players


def _worths(players: Sequence[P], value: Callable[[frozenset[P]], float] | ArrayLike) -> Floats:
    count = len(players)
    if not callable(value):
        worth = np.asarray(value, float)
        if worth.shape != (1 << count,):
            raise InputError(
                f"shapley: `value` has the shape {worth.shape}; {number_of(count, 'player')}: {1 << count} coalitions."
            )
        return worth
    worth = np.empty(1 << count)
    for size in range(count + 1):
        for places in combinations(range(count), size):
            worth[sum(1 << place for place in places)] = value(frozenset(players[place] for place in places))
    return worth


def _gains(worth: Floats, place: int) -> Floats:
    """What the player at this place adds to each coalition without it, by the bits of the others: (2^(n - 1),)."""
    without = worth.reshape(-1, 2, 1 << place)
    return (without[:, 1] - without[:, 0]).reshape(-1)


def sampled_shapley(
    players: Sequence[P], value: Callable[[frozenset[P]], float], seed: int = 12345, *, pairs: int | None = None
) -> dict[P, tuple[float, float]]:
    """Shapley values from a sample of the orders of joining, with standard errors (Castro et al. 2009).

    Orders are drawn in pairs, each with its reverse, so that their errors partly cancel. The drawing stops when the
    ranking of the players is settled: at least 8 pairs are drawn, and every two players that follow each other by the
    size of their values either differ by more than two standard errors, or are known to be equal up to 2 % of the
    largest value. It also stops when 512 coalitions have been valued.

    Parameters
    ----------
    players : sequence of k hashable items
    value : callable
        Gives the worth of a coalition; called at most once for each.
    seed : int
    pairs : int, optional
        Draw exactly so many pairs of orders instead, 2 or more.

    Returns
    -------
    dict
        For each player its value and the standard error of it. The values sum to ``value(all) - value(none)``.

    Raises
    ------
    InputError
        If a player is there twice, or `pairs` is out of range.

    References
    ----------
    Castro, Gómez and Tejada 2009, https://doi.org/10.1016/j.cor.2008.04.004.

    Examples
    --------
    >>> sampled_shapley("ab", lambda team: {0: 0.0, 1: 1.0, 2: 4.0}[len(team)])
    {'a': (2.0, 0.0), 'b': (2.0, 0.0)}
    """
    worth = cache(value)
    generator = np.random.default_rng(seed)
    count, valued = len(_checked(players)), set[frozenset[P]]()
    wanted = None if pairs is None else checked_int("`pairs`", pairs, 2, 10_000_000)
    drawn: list[list[float]] = []
    while True:
        order = generator.permutation(count).tolist()
        gains = [0.0] * count
        for each in (order, order[::-1]):
            team: frozenset[P] = frozenset()
            for place in each:
                joined = team | {players[place]}
                gains[place] += (worth(joined) - worth(team)) / 2
                team = joined
                valued.add(team)
        drawn.append(gains)
        if len(drawn) < (wanted or _LEAST_PAIRS):
            continue
        samples = np.array(drawn)
        shares, errors = samples.mean(axis=0), samples.std(axis=0, ddof=1) / math.sqrt(len(drawn))
        if wanted or len(valued) >= _MOST_VALUED or _is_settled(np.abs(shares), errors):
            return {player: (float(shares[i]), float(errors[i])) for i, player in enumerate(players)}


def exact_or_sampled(
    players: Sequence[P], value: Callable[[frozenset[P]], float], exact: int, seed: int
) -> dict[P, tuple[float, float]]:
    """``shapley`` of up to `exact` players, with standard errors of 0; ``sampled_shapley`` of more."""
    if len(players) <= exact:
        return {player: (share, 0.0) for player, share in shapley(players, value).items()}
    return sampled_shapley(players, value, seed)


def _is_settled(sizes: np.ndarray, errors: np.ndarray) -> bool:
    """Whether the ranking of shares is known: neighbours differ by two standard errors, or hardly differ at all."""
    order = np.argsort(-sizes)
    tie = _TIE * float(sizes.max(initial=0.0))
    return all(2 * math.hypot(errors[i], errors[j]) <= max(float(sizes[i] - sizes[j]), tie) for i, j in pairwise(order))


def kernel_shapley(
    players: Sequence[P], value: Callable[[frozenset[P]], float], *, samples: int | None = None, seed: int = 12345
) -> dict[P, float]:
    """Shapley values by KernelSHAP: a weighted regression of the worth of coalitions on who is in them.

    Coalitions of the extreme sizes, 1 and n - 1 first, are taken as a whole as long as `samples` allows it. Others are
    drawn, each with the rest of the players. If all are taken, the values are exact.

    Parameters
    ----------
    players : sequence of n hashable items
    value : callable
        Gives the worth of a coalition; called at most once for each.
    samples : int, optional
        The number of coalitions beside none and all; by default 2 n + 2048, as in SHAP.
    seed : int

    Returns
    -------
    dict
        One float for each player; they sum to ``value(all) - value(none)``.

    Raises
    ------
    InputError
        If a player is there twice, or `samples` is less than 2 n.

    References
    ----------
    Lundberg and Lee 2017, https://arxiv.org/abs/1705.07874.

    Examples
    --------
    >>> found = kernel_shapley([1, 2, 3, 4], lambda team: sum(team) ** 2)
    >>> {player: round(share, 9) for player, share in found.items()}
    {1: 10.0, 2: 20.0, 3: 30.0, 4: 40.0}
    """
    count = len(_checked(players))
    everything, nothing = value(frozenset(players)), value(frozenset())
    if count < 2:
        return dict.fromkeys(players, everything - nothing)
    samples = 2 * count + 2048 if samples is None else checked_int("`samples`", samples, 2 * count, 10_000_000)
    teams, weights = _weighted_teams(count, samples, np.random.default_rng(seed))
    worth = np.array(
        [value(frozenset(player for player, on in zip(players, team, strict=True) if on)) for team in teams]
    )
    # The shares must sum to the whole, so that the last one follows from the others.
    design = teams[:, :-1] - teams[:, -1:]
    target = worth - nothing - teams[:, -1] * (everything - nothing)
    root = np.sqrt(weights)
    shares, *_ = np.linalg.lstsq(design * root[:, None], target * root, rcond=None)
    return {
        player: float(share)
        for player, share in zip(players, [*shares, everything - nothing - shares.sum()], strict=True)
    }


def _weighted_teams(count: int, samples: int, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Coalitions as rows of 0 and 1, (teams, n), and the weight of each: Shapley's kernel, or the share of draws."""
    sizes = np.arange(1, count)
    masses = (count - 1) / (sizes * (count - sizes))
    masses /= masses.sum()
    teams: list[Floats] = []
    weights: list[Floats] = []
    left, open_sizes = samples, sizes.tolist()
    while open_sizes:
        pair = {open_sizes[0], open_sizes[-1]}
        several = sum(math.comb(count, size) for size in pair)
        # As a whole, if the draws would meet most of them.
        share = masses[np.array(sorted(pair)) - 1].sum() / masses[np.array(open_sizes) - 1].sum()
        if several > left * share * (1 + 1e-9):
            break
        for size in sorted(pair):
            rows = np.zeros((math.comb(count, size), count))
            for row, places in enumerate(combinations(range(count), size)):
                rows[row, list(places)] = 1
            teams.append(rows)
            weights.append(np.full(len(rows), masses[size - 1] / len(rows)))
        left -= several
        open_sizes = open_sizes[1:-1]
    if open_sizes and left > 0:
        rest = masses[np.array(open_sizes) - 1]
        drawn = np.zeros((left - left % 2, count))
        for row, size in enumerate(generator.choice(open_sizes, left // 2, p=rest / rest.sum()).tolist()):
            drawn[2 * row, generator.permutation(count)[:size]] = 1
            drawn[2 * row + 1] = 1 - drawn[2 * row]
        distinct, counts = np.unique(drawn, axis=0, return_counts=True)
        teams.append(distinct)
        weights.append(counts * (rest.sum() / counts.sum()))
    return np.concatenate(teams), np.concatenate(weights)


@dataclass(frozen=True)
class Headings:
    """The words of the table of contributions."""

    title: str = "CONTRIBUTIONS OF {player}"
    columns: tuple[str, ...] = ("No.", "Coalition", "Without", "With", "Contribution", "Weighted contribution")


@dataclass(frozen=True)
class Contributions(Generic[P]):
    """What a player adds to each coalition of the others: the terms of its Shapley value.

    Attributes
    ----------
    player
    rows : tuple of (tuple of players, float, float, float, float)
        The coalition, its worth without and with the player, the difference, and the difference times the share of
        orders in which exactly this coalition comes before the player. Small coalitions come first.
    """

    player: P
    rows: tuple[tuple[tuple[P, ...], float, float, float, float], ...]

    @property
    def value(self) -> float:
        """The Shapley value: the sum of the last column."""
        return math.fsum(row[-1] for row in self.rows)

    def text(self, headings: Headings = Headings()) -> str:
        """The table as text: a title, a line of headings, and a numbered line for each coalition."""
        number, coalition, *others = headings.columns
        head = f"{number}:\t {coalition}:\t\t\t" + "\t\t".join(f"{each}:" for each in others[:2]) + "\t\t"
        lines = [headings.title.format(player=self.player), head + "\t".join(f"{each}:" for each in others[2:])]
        for i, (team, *numbers) in enumerate(self.rows, 1):
            cells = [f"{i})", str(list(team)), *(f"{number:g}" for number in numbers)]
            lines.append("".join(f"{cell:<{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


_WIDTHS = (9, 31, 24, 24, 24, 20)


def contributions(players: Sequence[P], value: Callable[[frozenset[P]], float], player: P) -> Contributions[P]:
    """What a player adds to each coalition of the others, as a table.

    Parameters
    ----------
    players : sequence of n hashable items
    value : callable
        Gives the worth of a coalition; called once for each of the 2^n coalitions.
    player
        One of the players.

    Raises
    ------
    InputError
        If the player is not among the players, one of them is there twice, or there are more than 20.

    Examples
    --------
    >>> table = contributions([1, 2, 3, 4], lambda team: sum(team) ** 2, 3)
    >>> table.value, table.rows[4]
    (30.0, ((2, 4), 36, 81, 45, 3.75))
    """
    count = len(_checked(players))
    if player not in players:
        raise InputError(f"contributions: {shown(player)} is not among the players {shown([*players])}.")
    if count > MOST_PLAYERS:
        raise InputError(f"contributions: {count} players have 2^{count} coalitions; up to {MOST_PLAYERS} are valued.")
    others = [each for each in players if each != player]
    rows = []
    for size in range(count):
        weight = 1 / (count * math.comb(count - 1, size))
        for team in reversed([*combinations(others, size)]):
            without, joined = value(frozenset(team)), value(frozenset((*team, player)))
            rows.append((team, without, joined, joined - without, weight * (joined - without)))
    return Contributions(player, tuple(rows))
