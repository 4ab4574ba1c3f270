"""Paired tests over several tasks: each task counts alike, and its test sets are its own."""

from __future__ import annotations

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.inference import paired_test, paired_test_over_tasks
from metrologue.scorers import Bleu, TokenF1
from metrologue.segments import Segments

_WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "we", "saw", "it", "go", "home"]


def systems(seed: int, n: int, kept: dict[str, float]) -> dict[str, Segments]:
    """Systems that keep each word of the reference with some probability."""
    draws = np.random.default_rng(seed)
    references = [" ".join(draws.choice(_WORDS, 12)) for _ in range(n)]
    made = {}
    for name, share in kept.items():
        predictions = [
            " ".join(word if draws.random() < share else "x" for word in text.split()) for text in references
        ]
        made[name] = Segments(predictions, references)
    return made


@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
@pytest.mark.parametrize("scorer", [Bleu(), TokenF1()])
def test_one_task_is_the_paired_test(scorer: Bleu | TokenF1, method: str) -> None:
    one = systems(1, 50, {"a": 0.9, "b": 0.8, "c": 0.9})
    assert paired_test_over_tasks(scorer, "a", {"only": one}, method=method) == paired_test(
        scorer, "a", one, method=method
    )


def test_each_task_counts_alike() -> None:
    tasks = {"small": systems(1, 40, {"a": 0.9, "b": 0.5}), "large": systems(2, 400, {"a": 0.8, "b": 0.9})}
    apart = [paired_test(TokenF1(), "a", each)[0] for each in tasks.values()]
    (over,) = paired_test_over_tasks(TokenF1(), "a", tasks)
    assert over.difference == pytest.approx(np.mean([each.difference for each in apart]), rel=1e-12)
    assert over.score == pytest.approx(np.mean([each.score for each in apart]), rel=1e-12)
    # Draws of tasks are independent: the error of the mean is that of a sum of independent numbers.
    margins = [each.difference_interval.margin for each in apart if each.difference_interval]
    assert over.difference_interval is not None
    assert over.difference_interval.margin == pytest.approx(np.hypot(*margins) / 2, rel=0.1)
    assert over.segments == 440


def test_p_values_under_the_null_hypothesis_are_not_too_small() -> None:
    """Two equal systems on four tasks: p is below 0.1 in about a tenth of 200 worlds, 32 at most but in one of 500."""
    found = 0
    for seed in range(200):
        tasks = {str(i): systems(4 * seed + i, 30, {"a": 0.8, "b": 0.8}) for i in range(4)}
        (test,) = paired_test_over_tasks(TokenF1(), "a", tasks, method="randomization", resamples=200)
        found += test.p_value < 0.1
    assert 8 <= found <= 32


def test_equal_systems_have_p_1() -> None:
    one = systems(1, 40, {"a": 0.9})["a"]
    (test,) = paired_test_over_tasks(TokenF1(), "a", {"x": {"a": one, "b": one}, "y": {"a": one, "b": one}})
    assert test.p_value == 1


def test_what_is_refused() -> None:
    one = systems(1, 40, {"a": 0.9, "b": 0.8})
    with pytest.raises(InputError, match="`tasks` are no mapping, or empty"):
        paired_test_over_tasks(TokenF1(), "a", {})
    with pytest.raises(InputError, match=r"`tasks\['y'\]` has other systems than `tasks\['x'\]`"):
        paired_test_over_tasks(TokenF1(), "a", {"x": one, "y": {"a": one["a"], "c": one["b"]}})
    with pytest.raises(InputError, match="`baseline` is 'z'"):
        paired_test_over_tasks(TokenF1(), "z", {"x": one})
