"""Shapley values: arrays, samples, KernelSHAP, the table of coalitions, and parts of a composite metric."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from growth import takes_less

from metrologue import InputError
from metrologue.attribution import (
    Headings,
    composite_scores,
    composite_shares,
    contributions,
    kernel_shapley,
    sampled_shapley,
    shapley,
)
from metrologue.inference.correlation import UndefinedCorrelationWarning, correlation

NOTEBOOK = Headings(
    "TABELA DLA: {player}",
    ("Nr", "Kombinacja", "Bez gracza", "Z graczem", "Wkład marginalny", "Skalowany wkład marginalny"),
)
# What the notebook shows, up to where its output is cut off.
PRINTED = """\
TABELA DLA: 3
Nr:	 Kombinacja:			Bez gracza:		Z graczem:		Wkład marginalny:	Skalowany wkład marginalny:
1)       []                             0                       9                       9                       2.25                
2)       [4]                            16                      49                      33                      2.75                
3)       [2]                            4                       25                      21                      1.75                
4)       [1]                            1                       16                      15                      1.25                
5)       [2, 4]                         36                      81                      45                      3.75                
6)       [1, 4]                         25                      64                      39                      3.25                
7)       [1, 2]                         9                       36                      27        """  # noqa: E501, W291


def square_of_sum(team: frozenset[int]) -> float:
    return sum(team) ** 2


def test_the_notebooks_table() -> None:
    table = contributions([1, 2, 3, 4], square_of_sum, 3)
    assert table.text(NOTEBOOK).startswith(PRINTED)
    assert table.value == 30
    assert str(table).startswith("CONTRIBUTIONS OF 3\nNo.:")
    assert contributions([1, 2, 3, 4], lambda team: sum(each**2 for each in team), 3).value == 9
    assert table.value == shapley([1, 2, 3, 4], square_of_sum)[3]


def test_the_glove_game() -> None:
    found = shapley(["L1", "R1", "R2"], lambda team: float("L1" in team and len(team) > 1))
    assert found == pytest.approx({"L1": 2 / 3, "R1": 1 / 6, "R2": 1 / 6}, abs=1e-15)


def test_an_array_and_a_function_are_the_same_game() -> None:
    worth = np.random.default_rng(1).random(1 << 6)
    players = list("abcdef")
    found = shapley(players, worth)
    by_function = shapley(players, lambda team: float(worth[sum(1 << players.index(each) for each in team)]))
    assert found == by_function
    assert sum(found.values()) == pytest.approx(worth[-1] - worth[0], abs=1e-12)
    other = np.random.default_rng(2).random(1 << 6)
    both, second = shapley(players, worth + other), shapley(players, other)
    assert both == pytest.approx({player: found[player] + second[player] for player in players}, abs=1e-12)
    assert shapley([], [3.0]) == {}


@pytest.mark.parametrize(
    "estimate", [kernel_shapley, lambda *game, **_: {k: v for k, (v, _) in sampled_shapley(*game).items()}]
)
def test_what_holds_of_every_estimate(estimate: Callable[..., dict[int, float]]) -> None:
    """The sum is the whole; equal players have equal shares if all is counted; one who adds nothing has none."""

    def worth(team: frozenset[int]) -> float:
        return math.sqrt(len(team - {9})) + 3 * ({0, 1} <= team)

    found = estimate(range(10), worth)
    assert sum(found.values()) == pytest.approx(worth(frozenset(range(10))), abs=1e-12)
    assert found[9] == pytest.approx(0, abs=1e-9)
    assert found[0] == pytest.approx(shapley(range(10), worth)[0], abs=0.2)


def test_sampled_values_approach_the_exact_ones() -> None:
    generator = np.random.default_rng(3)
    worth = generator.random(1 << 9)

    def value(team: frozenset[int]) -> float:
        return float(worth[sum(1 << each for each in team)])

    exact = shapley(range(9), worth)
    off = []
    for pairs in (20, 320):
        found = sampled_shapley(range(9), value, pairs=pairs)
        off.append(max(abs(found[i][0] - exact[i]) for i in exact))
        assert all(abs(found[i][0] - exact[i]) < 5 * found[i][1] for i in exact)
    assert off[1] < off[0]
    assert sampled_shapley(range(9), value, pairs=20) == sampled_shapley(range(9), value, pairs=20)


@pytest.mark.parametrize("players", [4, 7])
def test_shap(players: int) -> None:
    """With all coalitions, SHAP's KernelExplainer gives the exact values, and so does ours."""
    shap = pytest.importorskip("shap", reason="shap is not installed")
    worth = np.random.default_rng(4).random(1 << players)
    bits = 1 << np.arange(players)
    explainer = shap.KernelExplainer(lambda rows: worth[(rows @ bits).astype(int)], np.zeros((1, players)))
    theirs = explainer.shap_values(np.ones((1, players)), nsamples=1 << players, l1_reg=False, silent=True)[0]
    ours = kernel_shapley(range(players), lambda team: float(worth[sum(1 << each for each in team)]))
    exact = shapley(range(players), worth)
    assert [*ours.values()] == pytest.approx(theirs, abs=1e-9)
    assert [*ours.values()] == pytest.approx([*exact.values()], abs=1e-12)


def test_kernel_shapley_from_a_part_of_the_coalitions() -> None:
    def worth(team: frozenset[int]) -> float:
        return sum(team) ** 1.2 + 10 * ({2, 5} <= team)

    exact = shapley(range(14), worth)
    found = kernel_shapley(range(14), worth, samples=3000)
    assert found == kernel_shapley(range(14), worth, samples=3000)
    assert max(abs(found[i] - exact[i]) for i in exact) < 0.05 * max(exact.values())


def test_time_is_linear_in_the_coalitions() -> None:
    worth = np.random.default_rng(5).random(1 << 20)
    found = shapley(range(20), worth)
    # Sixteen times the coalitions; over all pairs of them, it takes 256 times as long.
    assert takes_less(lambda: shapley(range(20), worth), lambda: shapley(range(16), worth[: 1 << 16]), 60)
    assert sum(found.values()) == pytest.approx(worth[-1] - worth[0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shapley("aa", [0, 1, 1, 2]), "the player 'a' is there twice"),
        (lambda: shapley("ab", [0, 1, 2]), r"`value` has the shape \(3,\); 2 players: 4 coalitions"),
        (lambda: shapley(range(21), len), "21 players have 2\\^21 coalitions"),
        (lambda: contributions([1, 2], len, 3), "3 is not among the players"),
        (lambda: kernel_shapley(range(9), len, samples=3), "`samples`: 3 is not an int from 18"),
        (lambda: sampled_shapley("ab", len, pairs=1), "`pairs`: 1 is not an int from 2"),
        (lambda: composite_scores({}), "the scores of at least one metric"),
        (lambda: composite_scores({"a": [1, 2], "b": [1, 2, 3]}), r"`scores\['b'\]` has the shape \(3,\)"),
        (lambda: composite_shares({"a": [1, 2]}, [1, 2]), "2 segments"),
    ],
)
def test_bad_input(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("level", ["segment", "item", "system"])
@pytest.mark.filterwarnings("ignore::metrologue.inference.correlation.UndefinedCorrelationWarning")
def test_shares_of_a_composite(level: str) -> None:
    generator = np.random.default_rng(6)
    human = generator.random((4, 12))
    scores = {f"m{noise}": human + generator.normal(0, noise, human.shape) for noise in (0.3, 1, 3)}
    found = composite_shares(scores, human, method="spearman", level=level)
    z = {name: (each - each.mean()) / each.std() for name, each in scores.items()}
    assert composite_scores(scores) == pytest.approx(np.mean([*z.values()], axis=0))

    def worth(team: tuple[str, ...]) -> float:
        mean = np.mean([z[name] for name in team], axis=0) if team else None
        return 0.0 if mean is None else correlation(mean, human, method="spearman", level=level).value

    expected = dict.fromkeys(scores, 0.0)
    for order in itertools.permutations(scores):
        for i, name in enumerate(order):
            expected[name] += (worth(order[: i + 1]) - worth(order[:i])) / 6
    assert found.shares == pytest.approx(expected)
    assert sum(found.shares.values()) == pytest.approx(found.value)
    assert set(found.standard_errors.values()) == {0.0}


def test_a_part_that_does_not_vary_adds_nothing() -> None:
    with pytest.warns(UndefinedCorrelationWarning, match=r"`scores\['flat'\]` do not vary; they add nothing"):
        found = composite_shares({"good": [1, 3, 2, 4], "flat": [0.1] * 4}, [1, 2, 3, 4])
    assert found.shares["flat"] == pytest.approx(0)


def test_many_parts_are_sampled() -> None:
    generator = np.random.default_rng(7)
    human = generator.random(30)
    scores = {str(i): human + generator.normal(0, 1 + i / 5, 30) for i in range(12)}
    found = composite_shares(scores, human)
    assert sum(found.shares.values()) == pytest.approx(found.value)
    assert all(error > 0 for error in found.standard_errors.values())
