"""GTM against what the Java program GTM 1.4 printed: match sizes, F-measures, and the runs that it chose."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from compared import compared

from metrologue.scorers import Gtm

RECORDED: dict[str, Any] = {
    name: json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in Gtm.variants()
}
RUNS = [(name, exponent) for name, recorded in RECORDED.items() for exponent in recorded["exponents"]]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(("name", "exponent"), RUNS)
def test_the_program_as_it_prints(name: str, exponent: str, count: int) -> None:
    recorded = RECORDED[name]
    printed = recorded["exponents"][exponent][str(count)]
    own = Gtm.variant(name).exponent
    scorer = Gtm.variant(name, **({"exponent": float(exponent)} if float(exponent) != own else {}))
    texts = recorded["predictions"], [references[:count] for references in recorded["references"]]
    scores = scorer.segment_scores(*texts)
    assert scores["match_size"].tolist() == pytest.approx(printed["match_size"], rel=1e-12, abs=0)
    assert scores["gtm"].tolist() == pytest.approx(printed["segments"], rel=1e-12, abs=0)
    assert scorer.corpus(*texts).value == pytest.approx(printed["corpus"], rel=1e-12, abs=0)
    compared(2 * len(texts[0]) + 1)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(("name", "exponent"), RUNS)
def test_the_runs_are_those_of_the_program(name: str, exponent: str, count: int) -> None:
    recorded, runs = RECORDED[name], 0
    printed = recorded["exponents"][exponent][str(count)]["runs"]
    for prediction, references, theirs in zip(recorded["predictions"], recorded["references"], printed, strict=True):
        found = Gtm(exponent=float(exponent))._matching(prediction, references[:count])
        # The program counts a break after each reference as a token.
        places = [0, *accumulate(len(reference) + 1 for reference in found.references)]
        ours = [[i, places[r] + j, i + int(n), places[r] + j + int(n)] for i, r, j, n in found.runs]
        assert ours == theirs
        runs += len(theirs)
    compared(runs)


def test_the_recorded_texts_tell_the_fields_apart() -> None:
    recorded = RECORDED["gtm-1.4"]
    fields: list[dict[str, Any]] = [
        {},
        {"exponent": 2.0},
        {"exponent": 3.0},
        {"multi_reference": "best"},
        {"tokenizer": "whitespace"},
        {"lowercase": True},
    ]
    texts = recorded["predictions"], recorded["references"]
    assert len({Gtm(**each).corpus(*texts).value for each in fields}) == len(fields)


# The match sizes and F-measures for exponents of 1, 2 and 3, as far as they are known.
@pytest.mark.parametrize(
    ("prediction", "references", "exponent", "size", "value"),
    [
        ("the cat sat on the mat", ["on the mat sat the cat"], 1, 6, 1),
        ("the cat sat on the mat", ["on the mat sat the cat"], 2, 14**0.5, 14**0.5 / 6),
        ("the cat sat on the mat", ["on the mat sat the cat"], 3, 36 ** (1 / 3), 36 ** (1 / 3) / 6),
        ("police killed the gunman", ["police kill the gunman"], 1, 3, 0.75),
        ("police killed the gunman", ["police kill the gunman"], 2, 5**0.5, 5**0.5 / 4),
        ("police killed the gunman", ["police kill the gunman"], 3, 9 ** (1 / 3), 9 ** (1 / 3) / 4),
        ("a b c d h i k", ["a b c d e f g"], 2, 4, 4 / 7),
        ("a h b k c i d", ["a b c d e f g"], 2, 2, 2 / 7),
        ("x y a b", ["a b x y z"], 1, 4, 8 / 9),
        ("x y a b", ["a b x y z"], 2, 8**0.5, 2 * 8**0.5 / 9),
        ("a b c", ["a b c d", "a b"], 1, 3, 1),
        ("a b c d", ["a b", "c d"], 1, 2, 2 / 3),
        ("a a a", ["a"], 1, 1, 0.5),
        ("a", ["a a a"], 1, 1, 0.5),
        ("", ["a"], 2, 0, 0),
        ("a", [""], 2, 0, 0),
        ("", [""], 1, 0, 0),
    ],
)
def test_worked_numbers(prediction: str, references: list[str], exponent: float, size: float, value: float) -> None:
    scores = Gtm(exponent=exponent).corpus([prediction], [references]).scores
    assert scores["match_size"] == pytest.approx(size, rel=1e-12)
    assert scores["gtm"] == pytest.approx(value, rel=1e-12)
