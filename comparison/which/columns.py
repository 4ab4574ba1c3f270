"""What explains one column of a printed table: one setting for all its cells, or for each its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from metrologue.comparison.which.checked import (
    COPIED,
    FOUND,
    NEAR,
    ONE_IN,
    SWAPPED,
    UNEXPLAINED,
    Cell,
    Column,
)
from metrologue.comparison.which.search import Answer, Printed, Tried, chance_of, first_of_equal, rank, scaled_values
from metrologue.comparison.which.settings import ALL, Setting, reads_tokens
from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of
from metrologue.files.printed import PrintedCell
from metrologue.inference.paired import paired_test
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.engine import is_additive
from metrologue.segments import Segments

__all__ = ["FEWEST", "Asked", "ColumnSearch", "roundness"]

# What a changed choice, another scale, a cell that is not printed, and one that is nearly printed cost a setting.
_CHANGED, _SCALED, _MISSED, _NEAR = 1.0, 1.5, 2.0, 1.0
# An explanation by a changed setting that an arbitrary column would get so often explains nothing.
_WEAK = 0.2
# A part of a test set has at least so many segments.
FEWEST = 10


@dataclass(frozen=True)
class Asked:
    """The metric of a column, and which of its numbers stand there."""

    metric: str
    numbers: frozenset[str]


class ColumnSearch:
    """The search for what explains one column.

    Parameters
    ----------
    heading : str
    asked : Asked
    cells : mapping of str to PrintedCell
        The cell of each row that has one.
    rows : mapping of str to str
        The system of each row.
    texts : mapping of str to mapping of str to Segments
        What may have been compared, for each system.
    tried : Tried
        The numbers of all settings for the systems of `texts`.
    defaults : set of str
        The tokenizers that people run on their files before they score them by words between whitespace.
    compared : str
        The name of the texts that are compared if a setting names no others.
    """

    def __init__(
        self,
        heading: str,
        asked: Asked,
        cells: Mapping[str, PrintedCell],
        rows: Mapping[str, str],
        texts: Mapping[str, Mapping[str, Segments]],
        tried: Tried,
        defaults: set[str],
        compared: str = ALL,
    ) -> None:
        self.heading, self.asked, self.cells_of, self.tried, self.texts = heading, asked, cells, tried, texts
        self.defaults, self.compared = defaults, compared
        self.rows, self.cells = [*cells], [*cells.values()]
        self.systems = [rows[name] for name in self.rows]
        self.printed = [Printed.of(cell.number) for cell in self.cells]
        own = [each for each in tried.candidates if each.name in asked.numbers]
        if compared != ALL:
            own = [
                replace(each, setting=replace(each.setting, texts=compared))
                for each in own
                if each.setting.texts == ALL
            ]
        self.scaled = scaled_values(replace(tried, candidates=own))
        places = [[*texts].index(name) for name in self.systems]
        self.values = np.array([values for _, _, values in self.scaled])[:, places]
        self.allowed = len(self.cells) // ONE_IN
        self.fits = self._fitting(self.values)
        units = np.array([each.unit for each in self.printed])
        wanted = np.array([each.value for each in self.printed])
        self.near = (np.abs(self.values - wanted) <= units * (1 + 1e-9)) & ~self.fits
        self.steps = np.array([candidate.steps for candidate, _, _ in self.scaled])
        self.is_default = np.array([self._is_default(candidate.setting) for candidate, _, _ in self.scaled])
        self.different = self.values[first_of_equal(self.values)]
        self.chance = chance_of(self.different, self.printed)

    def _is_default(self, setting: Setting) -> bool:
        """Whether it is a library's default on the texts as they are, in lower case, or tokenized."""
        if setting.texts != self.compared or {*setting.changes} - {"lowercase", "tokenizer"}:
            return False
        tokens = setting.changes.get("tokenizer")
        return tokens is None or (tokens in self.defaults and reads_tokens(get_scorer(setting.metric), setting.variant))

    def _fitting(self, values: Floats) -> Any:
        return np.stack([each.fits(values[..., at]) for at, each in enumerate(self.printed)], axis=-1)

    def is_settled(self, most: int) -> bool:
        """Whether nothing is left to explain, and no setting with more changes than so many can be likelier."""
        best = self._best()
        if best is not None and self.fits[best].all():
            return self._cost(best) <= most
        column = self.column() if most else None
        return bool(column and column.is_found and not any(cell.verdict == UNEXPLAINED for cell in column.cells))

    def column(self) -> Column:
        """The column with its cells."""
        best = self._best()
        swapped: dict[int, int] = {}
        if best is None or self._misses(best) >= 2:
            place, moved = self._swapped()
            if place is not None and (best is None or len(moved) >= 2):
                best, swapped = place, moved
        cells = tuple(self._cell(at, best, swapped) for at in range(len(self.cells)))
        judge = best if best is not None else self._widest()
        return self._column(cells, best, self._winner(judge, best is None) if judge is not None else [])

    def of_another(self, other: str) -> Column | None:
        """A column that a library's default of another metric prints, whose numbers stand under the wrong heading."""
        best = self._best()
        if best is None or not self.is_default[best] or len(self.cells) < 2 or self.chance >= _WEAK:
            return None
        if np.count_nonzero(self.fits[best]) < len(self.cells) - self.allowed:
            return None
        own = self.column()
        cells = tuple(
            replace(cell, verdict=COPIED, about=own.answer.about) if own.answer and cell.verdict == FOUND else cell
            for cell in own.cells
        )
        note = f"Its numbers are those of {other}, not of {self.heading}."
        return replace(own, cells=cells, notes=(note, *own.notes))

    def _widest(self) -> int | None:
        """The library's default that prints the most cells, at least two, of rows with different settings."""
        counts = np.count_nonzero(self.fits, axis=1) * self.is_default
        most = int(counts.max(initial=0))
        return self._likeliest(np.flatnonzero(counts == most)) if most > 1 else None

    def _column(self, cells: tuple[Cell, ...], best: int | None, notes: Sequence[str]) -> Column:
        like = 0 if best is None else int(np.count_nonzero((self.fits == self.fits[best]).all(axis=1)))
        return Column(
            self.heading, cells, None if best is None else self._answer(best), self.tried.tried,
            len(self.different), self.tried.untried, like, self.chance, tuple(notes), tuple(self.systems),
        )  # fmt: skip

    def _misses(self, place: int) -> int:
        return int(np.count_nonzero(~self.fits[place] & ~self.near[place]))

    def _best(self) -> int | None:
        """The likeliest candidate that prints all cells, or all but one in four; None if there is none."""
        explains = np.count_nonzero(~self.fits, axis=1) <= self.allowed
        if self.chance >= _WEAK:
            explains &= self.is_default
        if not explains.any():  # a library's default that nearly prints them
            close = np.count_nonzero(~self.fits & ~self.near, axis=1) <= self.allowed
            explains = close & self.is_default & (self.fits.any(axis=1) | (len(self.cells) == 1))
        return self._likeliest(np.flatnonzero(explains))

    def _cost(self, place: int) -> float:
        near, is_scaled = np.count_nonzero(self.near[place]), self.scaled[place][1] != 1
        return float(_CHANGED * self.steps[place] + _SCALED * is_scaled + _MISSED * self._misses(place) + _NEAR * near)

    def _likeliest(self, places: Any) -> int | None:
        if not len(places):
            return None
        costs = {int(place): self._cost(int(place)) for place in places}
        least = min(costs.values())
        some = [place for place, cost in costs.items() if cost == least]
        return min(some, key=lambda place: (np.count_nonzero(~self.fits[place]), rank((*self.scaled[place], 0.0))))

    def _answer(self, place: int) -> Answer:
        candidate, scale, _ = self.scaled[place]
        decimals = max(each.decimals for each in self.printed)
        return Answer(tuple(self.values[place].tolist()), candidate.setting, candidate.name, 1, scale, decimals)

    def _cell(self, at: int, best: int | None, swapped: Mapping[int, int]) -> Cell:
        printed = self.printed[at]
        value = None if best is None else float(self.values[best, at])
        cell = partial(Cell, self.rows[at], printed, self.cells[at].is_bold)
        if best is not None and self.fits[best, at]:
            return cell(FOUND, "", value, self._answer(best))
        if best is not None and at in swapped:
            return cell(SWAPPED, f"it is the number of {self.rows[swapped[at]]}", value, self._answer(best))
        if best is not None and self.near[best, at]:
            how = "cut, not rounded" if _is_cut(value, printed) else "one unit of the last digit away"
            return cell(NEAR, f"{how}: {_spelled(value, printed)}", value, self._answer(best))
        prints = np.flatnonzero(self.fits[:, at])
        default = self._likeliest_alone([place for place in prints.tolist() if self.is_default[place]])
        instead = "" if value is None else f"; the column's setting gives {_spelled(value, printed)}"
        if default is not None:
            answer = self._answer(default)
            verdict = FOUND if best is None else COPIED
            return cell(verdict, f"{answer.about}{instead}", value, answer)
        settings = len({id(self.scaled[place][0].setting) for place in prints})
        matches = f" ({number_of(settings, 'setting')} match{'es' * (settings == 1)} by chance)" if settings else ""
        about = f"{self.tried.tried:,} settings were tried{matches}{instead}{self._as_another(at, best)}"
        return cell(UNEXPLAINED, about, value, None, settings)

    def _as_another(self, at: int, best: int | None) -> str:
        """Which other rows have this number, if it is that of their systems."""
        if best is None:
            return ""
        fits = self.printed[at].fits(self.values[best]) & self.fits[best]
        others = [self.rows[other] for other in np.flatnonzero(fits).tolist() if other != at]
        return f"; it is the number of {' and '.join(others)}" if others else ""

    def _likeliest_alone(self, places: Sequence[int]) -> int | None:
        return min(places, key=lambda place: rank((*self.scaled[place], 0.0)), default=None)

    def _swapped(self) -> tuple[int | None, dict[int, int]]:
        """The likeliest candidate under which rows have each other's numbers, and whose number each row has."""
        found: list[tuple[float, int, dict[int, int]]] = []
        for place in np.flatnonzero(self.steps <= 1).tolist():
            wrong = np.flatnonzero(~self.fits[place] & ~self.near[place])
            if len(wrong) < 2:
                continue
            fits = self._fitting(np.repeat(self.values[place][:, None], len(self.printed), axis=1))  # [system, row]
            moved = _matching(wrong.tolist(), fits)
            left = np.count_nonzero(~self.fits[place]) - len(moved)
            if len(moved) >= 2 and left <= self.allowed:
                found.append((_CHANGED * float(self.steps[place]) + _MISSED * left, int(place), moved))
        if not found:
            return None, {}
        least = min(cost for cost, _, _ in found)
        some = [(place, moved) for cost, place, moved in found if cost == least]
        return min(some, key=lambda each: rank((*self.scaled[each[0]], 0.0)))

    def sizes(self) -> list[int]:
        """The numbers n for which the likeliest library's default prints the column for the first n segments.

        Only those that an arbitrary column would hardly have, if no other n is as round.
        """
        seen: set[Any] = set()
        if len(self.cells) < 2 or len(next(iter(self.texts.values()))[self.compared]) < FEWEST:
            return []
        for place in sorted(np.flatnonzero(self.is_default).tolist(), key=lambda at: rank((*self.scaled[at], 0.0))):
            candidate, scale, _ = self.scaled[place]
            scorer = candidate.setting.scorer()
            key = candidate.setting.variant, str(candidate.setting.changes), scale
            if key in seen or not is_additive(scorer):
                continue
            seen.add(key)
            values = self._growing(scorer, candidate.name)
            if values is None:
                continue
            fits = np.count_nonzero(self._fitting(values * scale), axis=1)
            hits = [at + FEWEST for at in np.flatnonzero(fits == fits.max()).tolist()]
            if fits.max() < max(2, len(self.cells) - self.allowed):
                continue
            best = max(map(roundness, hits))
            alike = np.array([size - FEWEST for size in range(FEWEST, FEWEST + len(values)) if roundness(size) >= best])
            if chance_of(values[alike] * scale, self.printed) * len(seen) < _WEAK:
                return hits
        return []

    def _growing(self, scorer: Scorer, name: str) -> Floats | None:
        """The numbers of the first 10, 11, and so on segments, (sizes, systems); None if one has none."""
        totals = [np.cumsum(scorer.statistics(self.texts[own][self.compared]), axis=0) for own in self.systems]
        try:
            scores = [scorer.score(each[FEWEST - 1 :])[name] for each in totals]
        except InputError:
            return None
        return np.stack(scores, axis=1)

    def _winner(self, best: int, is_mixed: bool) -> list[str]:
        """What is said if the best system of the column is not the best one under a setting, with p."""
        candidate = self.scaled[best][0]
        scorer = candidate.setting.scorer()
        named = candidate.name if candidate.name in scorer.higher_is_better else scorer.primary
        up = scorer.higher_is_better.get(named)
        if up is None or len(self.cells) < 2 or candidate.name not in scorer.range:
            return []
        sign = 1 if up else -1
        bold = [at for at, cell in enumerate(self.cells) if cell.is_bold]
        top = max(sign * each.value for each in self.printed)
        printed = bold or [at for at, each in enumerate(self.printed) if sign * each.value == top]
        values = self.values[best]
        winner = int(np.argmax(sign * values))
        if winner in printed or len(bold) == len(self.cells):
            return []
        first = max(printed, key=lambda at: sign * values[at])
        both = {self.rows[at]: self.texts[self.systems[at]][candidate.setting.texts] for at in (first, winner)}
        try:
            [result] = paired_test(scorer, self.rows[first], both, key=candidate.name)
        except InputError:
            return []
        label = "bold" if bold else "best"
        ahead = abs(float(values[winner] - values[first]))
        under = self._answer(best).about if is_mixed else "this setting"
        return [
            f"{self.rows[first]} is {label}, but under {under} {self.rows[winner]} is better, by "
            f"{_spelled(ahead, self.printed[first])} (p = {result.p_value:.2g})."
        ]


def roundness(number: int) -> int:
    """How round a number is: that of its divisors 1000, 500, 250, 100, 50 and 10 which is the greatest."""
    return next((each for each in (1000, 500, 250, 100, 50, 10) if number % each == 0), 1)


def _is_cut(value: float | None, printed: Printed) -> bool:
    return value is not None and 0 <= value - printed.value < printed.unit


def _spelled(value: float | None, printed: Printed) -> str:
    return "" if value is None else f"{value:.{printed.decimals + 1}f}"


def _matching(wrong: Sequence[int], fits: Any) -> dict[int, int]:
    """Rows that have the numbers of other rows, each of one: as many as there can be (augmenting paths)."""
    row_of: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for system in wrong:
            if system != row and system not in seen and fits[system, row]:
                seen.add(system)
                if system not in row_of or place(row_of[system], seen):
                    row_of[system] = row
                    return True
        return False

    for row in wrong:
        place(row, set())
    return {row: system for system, row in row_of.items()}
