"""Two threads beside one, by the clock on the wall: every metric, on a machine that has nothing else to do."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import partial

from benchmarks.against import ROWS
from benchmarks.texts import Corpus
from benchmarks.timing import in_turn
from metrologue.scorers import get_scorer

__all__ = ["Threads", "threads"]


@dataclass(frozen=True)
class Threads:
    """The median of the seconds with one thread, and with two."""

    what: str
    one: float
    two: float

    @property
    def ratio(self) -> float:
        """How many times faster two threads are."""
        return self.one / self.two


def threads(corpus: Corpus, english: Corpus, rounds: int) -> list[Threads]:
    """Each metric from Python lists. Nothing is kept from one round to the next."""
    found = []
    for what, (metric, variant, values) in ROWS.items():
        text = english if what.startswith("METEOR") else corpus
        scorer = get_scorer(metric).variant(variant, **values)
        score = partial(scorer.corpus, text.predictions, text.references)
        contenders = {str(count): partial(score, threads=count) for count in (1, 2)}
        one, two = (statistics.median(each) for each in in_turn(contenders, rounds).values())
        found.append(Threads(what, one, two))
    return found
