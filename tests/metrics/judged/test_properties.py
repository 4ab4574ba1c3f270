"""A function as a metric: its numbers, what it gets, its name in signatures, tests and comparisons, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrics.judged.plain import judged
from metrologue import InputError
from metrologue.inference import paired_test
from metrologue.meta import meta_evaluate, read_judgements
from metrologue.scorers import Judged, Scorer, make_scorer
from metrologue.scorers.judged import Judge
from metrologue.segments import Segments


def length(texts: list[str], *_: Any) -> list[int]:
    return [len(text) for text in texts]


@given(numbers=st.lists(st.floats(-9, 9), min_size=1, max_size=6))
def test_definition(numbers: list[float]) -> None:
    texts = [*map(str, range(len(numbers)))]
    found = metrologue.score("judged", texts, function=lambda texts: numbers, name="given@1")
    assert found.value == pytest.approx(judged(numbers), rel=1e-12, abs=1e-12)
    scorer = make_scorer("judged", function=lambda texts: numbers, name="given@1")
    assert scorer.segments(texts).tolist() == numbers


def test_what_the_function_gets() -> None:
    calls: list[Any] = []

    def judge(*columns: Any) -> list[float]:
        calls.append(columns)
        return [0.0] * len(columns[0])

    scorer = make_scorer("judged", function=judge, name="calls@1")
    scorer.corpus(["a", "b"])
    scorer.corpus(["a", "b"], ["x", "y"])
    scorer.corpus(["a", "b"], [["x"], ["y", "z"]], sources=["s", "t"])
    scorer.corpus(["a"], sources=["s"])
    assert calls == [
        (["a", "b"],), (["a", "b"], ["x", "y"]), (["a", "b"], [["x"], ["y", "z"]], ["s", "t"]), (["a"], ["s"]),
    ]  # fmt: skip


def test_its_name_stands_for_it() -> None:
    scorer = make_scorer("judged", function=length, name="gpt-9-turbo-2026@prompt-0123456789")
    assert "|judge=gpt-9-turbo-2026@prompt-0123456789|" in scorer.signature
    assert Scorer.from_signature(scorer.signature) == scorer
    with pytest.raises(InputError, match="'other@1' is not in use here"):
        Scorer.from_signature(scorer.signature.replace("gpt-9-turbo-2026@prompt-0123456789", "other@1"))
    assert Judged(judge=Judge("length", length, "1")).corpus(["abc"]).value == 3  # type: ignore[arg-type]


def test_tests_comparisons_and_people(tmp_path: Path) -> None:
    scorer = make_scorer("judged", function=length, name="length@1")
    systems = {"long": ["abc", "abcd", "ab"] * 4, "short": ["a", "ab", "a"] * 4}
    segments = {name: Segments(texts, ["a", "b", "c"] * 4) for name, texts in systems.items()}
    [test] = paired_test(scorer, "short", segments, method="bootstrap")
    assert test.difference == pytest.approx(3 - 4 / 3)
    judge: Any = Judge("length", length, "1")
    found = metrologue.compare(systems, ["a", "b", "c"] * 4, "judged", model=judge)
    assert found.groups[0].members == ["metrologue metrologue"]
    assert scorer.corpus(["ab", "c"], confidence=0.9).interval is not None
    rows = [{"system": system, "segment": place, "prediction": text, "references": ["a"], "rating": len(text)}
            for system, texts in systems.items() for place, text in enumerate(texts)]  # fmt: skip
    file = tmp_path / "rated.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    [correlated] = meta_evaluate(read_judgements(file), [scorer]).correlations.values()
    assert correlated["rating"].value == pytest.approx(1)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="the function is missing; it is given in Python"):
        Judged().corpus(["a"])
    for name in (None, "judge", "judge@", "@1", 3):
        with pytest.raises(InputError, match="a name with a digest is expected, such as 'my-judge@2026-11'"):
            metrologue.score("judged", ["a"], function=length, name=name)
    with pytest.raises(InputError, match="`function` is None; a callable is expected"):
        metrologue.score("judged", ["a"], name="judge@1")
    with pytest.raises(InputError, match="'judge@1' is the name of no judge in use"):
        Judged(judge="judge@1")  # type: ignore[arg-type]
    for wrong in ([1.0, 2.0], [], [float("nan")], "x", None, [None]):
        with pytest.raises(InputError, match=r"wrong@1: the function gave .* for 1 texts; a finite number for each"):
            metrologue.score("judged", ["a"], function=lambda texts, wrong=wrong: wrong, name="wrong@1")
