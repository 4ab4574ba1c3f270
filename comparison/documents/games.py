"""A coalition game that a document works out: the worth of each coalition, and the Shapley value of a player."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

from metrologue.attribution import shapley

__all__ = ["WORTHS", "Game"]

# The worth of a coalition of numbers.
WORTHS: Mapping[str, Callable[[frozenset[int]], float]] = {
    "square-of-sum": lambda team: float(sum(team) ** 2),
    "sum-of-squares": lambda team: float(sum(number**2 for number in team)),
}


@dataclass(frozen=True, kw_only=True)
class Game:
    """Players that are numbers, the rule for the worth of a coalition, and the player in question."""

    players: tuple[int, ...]
    worth: str
    player: int

    def numbers(self) -> dict[str, float]:
        """The Shapley value, and for each coalition of the others its worth without and with the player.

        The names are those of a table: "[2, 4] contribution" is what the player adds to the players 2 and 4, and
        "[2, 4] share" is its part of the value.

        Examples
        --------
        >>> game = Game(players=(1, 2), worth="square-of-sum", player=2)
        >>> game.numbers()["[1] contribution"], game.numbers()["[1] share"], game.numbers()["value"]
        (8.0, 4.0, 6.0)
        """
        worth, count = WORTHS[self.worth], len(self.players)
        others = [player for player in self.players if player != self.player]
        found = {"value": shapley(self.players, worth)[self.player]}
        for team in chain.from_iterable(combinations(others, size) for size in range(count)):
            own, joined = worth(frozenset(team)), worth(frozenset({*team, self.player}))
            share = (joined - own) / (count * math.comb(count - 1, len(team)))
            row = {"without": own, "with": joined, "contribution": joined - own, "share": share}
            found |= {f"{[*team]} {name}": value for name, value in row.items()}
        return found
