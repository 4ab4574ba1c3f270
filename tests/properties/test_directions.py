"""What each scorer declares of its numbers: a better text never scores worse, and each limit is met or nearly so.

A declaration that is wrong is noticed here, whichever it is: the last two tests turn round every direction, and move
every limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from ladders import TEXTS, against
from layouts import columns_of
from needs import made
from other_values import written_of

from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.numbers import Number, declared_numbers, tabled

# For limits: the opposite, as small encoders see it.
FURTHER = (against("-cat", "cat"),)


def written(name: str, what: str, default: Any) -> Any:
    return written_of(get_scorer(name), what, default)


def scorers_of(name: str) -> list[Scorer]:
    return [made(name, **fields) for fields in written(name, "REPORTING", [{}])]


@cache
def scores(scorer: Scorer) -> tuple[dict[str, float], ...]:
    """The numbers of each input of a metric that it takes, the best first."""
    corpora = (*written(scorer.name, "LADDER", TEXTS).values(), *written(scorer.name, "FURTHER", FURTHER))
    given = [corpus if isinstance(corpus, dict) else columns_of(scorer.name, *corpus) for corpus in corpora]
    if not {*given[0]} <= {"predictions", "references"}:  # for limits, further texts that are the prediction itself
        given.append(dict.fromkeys(given[0], given[0]["predictions"]))
    found = []
    for columns in given:
        try:
            found.append(dict(scorer.corpus(**columns).scores))
        except InputError:
            assert found, "the best input must have a score"
    return tuple(found)


def wrong_directions(scorer: Scorer) -> set[str]:
    """The numbers that are better for a worse input, or are never worse for one."""
    best, *worse = scores(scorer)[: len(written(scorer.name, "LADDER", TEXTS))]
    found = set()
    for name, higher in scorer.higher_is_better.items():
        gains = [(each[name] - best[name]) * (1 if higher else -1) for each in worse if each[name] != best[name]]
        if not gains or max(gains) > 1e-12:
            found.add(name)
    return found


def wrong_limits(scorer: Scorer) -> set[tuple[str, int]]:
    """The numbers that are beyond their least (0) or greatest (1) value, or do not come near to it.

    A number without a limit is above the scale, or below 0. A column without a direction is a count.
    """
    found = set()
    loose = written(scorer.name, "LOOSE", ())
    for name, limits in scorer.range.items():
        low, high = ends(scorer, name)
        if name in scorer._columns and name not in scorer.higher_is_better:
            found |= {(name, side) for side, limit in enumerate((0.0, math.inf)) if limits[side] != limit}
            continue
        near = 0.03 * max(1.0, limits[1])
        low_holds, high_holds = low < 0, high > scorer.scale * (name in scorer.higher_is_better)
        if math.isfinite(limits[0]):
            low_holds = limits[0] - 1e-9 <= low and (low <= limits[0] + 0.03 or (name, 0) in loose)
        if math.isfinite(limits[1]):
            high_holds = high <= limits[1] + 1e-9 and (high >= limits[1] - near or (name, 1) in loose)
        found |= {(name, side) for side, holds in enumerate((low_holds, high_holds)) if not holds}
    return found


def ends(scorer: Scorer, name: str) -> tuple[float, float]:
    """The least and the greatest value of a number here."""
    values = [each[name] for each in scores(scorer)]
    return min(values), max(values)


def declared_of(scorer: Scorer) -> Iterator[tuple[Number, list[str]]]:
    """The declarations of the numbers that a scorer reports, each with the names of its numbers."""
    for declared, names, _ in tabled(scorer):
        if {*names} <= {*scorer.range} and not (declared.when and declared is not scorer._reported[names[0]]):
            yield declared, names


@contextmanager
def declared_as(scorer: Scorer, old: Number, new: Number) -> Iterator[Scorer]:
    """The scorer, as if a declaration were another one. Its scores are known before."""
    scores(scorer)
    changed = tuple(
        (new if one is old else one)
        if isinstance(one, Number)
        else replace(one, members=tuple(new if member is old else member for member in one.members))
        for one in scorer.numbers
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(scorer), "numbers", changed)
        yield replace(scorer)


@pytest.mark.parametrize("name", list_scorers())
def test_each_declared_number_is_reported(name: str) -> None:
    reported = {id(declared) for scorer in scorers_of(name) for declared, _ in declared_of(scorer)}
    missing = {one.name for one in declared_numbers(get_scorer(name)) if id(one) not in reported}
    assert missing - {*written(name, "ELSEWHERE", ())} == set()


@pytest.mark.parametrize("name", list_scorers())
def test_a_better_text_does_not_score_worse(name: str) -> None:
    for scorer in scorers_of(name):
        if scorer.higher_is_better:  # otherwise it is a measurement, of which neither more nor less is better
            assert scorer.primary in scorer.higher_is_better
        assert wrong_directions(scorer) == set()


@pytest.mark.parametrize("name", list_scorers())
def test_limits_are_met(name: str) -> None:
    for scorer in scorers_of(name):
        assert wrong_limits(scorer) == set()


@pytest.mark.parametrize("name", list_scorers())
def test_a_direction_that_is_turned_round_is_noticed(name: str) -> None:
    for scorer in scorers_of(name):
        for declared, names in declared_of(scorer):
            if declared.better:
                turned = replace(declared, better="lower" if declared.better == "higher" else "higher")
                with declared_as(scorer, declared, turned) as other:
                    assert wrong_directions(other) == {*names}, declared


@pytest.mark.parametrize("name", list_scorers())
def test_a_limit_that_is_moved_is_noticed(name: str) -> None:
    loose = written(name, "LOOSE", ())
    for scorer in scorers_of(name):
        for declared, names in declared_of(scorer):
            for side, limit in enumerate(declared.limits(scorer)):
                # Inside of what the numbers are, and beyond it; a limit where there is none.
                sign = 1 if side else -1
                values = [ends(scorer, each)[side] for each in names]
                moved = [(max if side else min)(values) - sign * 0.2]
                if not all((each, side) in loose for each in names):
                    moved += [scorer.scale * side] if math.isinf(limit) else [limit + sign * max(1.0, abs(limit))]
                for value in {*moved} - {limit}:
                    changed = replace(declared, greatest=value) if side else replace(declared, least=value)
                    with declared_as(scorer, declared, changed) as other:
                        assert {each for each in names if (each, side) in wrong_limits(other)}, (declared, value)
