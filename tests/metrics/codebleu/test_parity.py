"""CodeBLEU against what the package codebleu and the scripts of CodeXGLUE and XLCoST gave."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from compared import compared

from metrologue.attribution import explain
from metrologue.scorers import Codebleu

HERE = Path(__file__).parent
RECORDED: dict[str, Any] = {
    name: json.loads((HERE / f"{name}.json").read_text("utf-8"))["cases"]
    for name in ("codebleu", "codexglue", "xlcost")
}
LANGUAGES = [
    (name, language) for name, cases in RECORDED.items() for language in sorted({c["language"] for c in cases})
]

pytestmark = pytest.mark.filterwarnings("ignore:Codebleu")


@pytest.mark.parametrize(("name", "language"), LANGUAGES)
def test_the_whole_and_its_parts_are_those_of_the_program(name: str, language: str) -> None:
    scorer = Codebleu.variant("codexglue" if name == "xlcost" else name, language=language)
    cases = [case for case in RECORDED[name] if case["language"] == language]
    for case in cases:
        scores = scorer.corpus(case["predictions"], case["references"]).scores
        assert {part: scores[part] for part in case["scores"]} == pytest.approx(case["scores"], rel=1e-12, abs=1e-15)
    compared(5 * len(cases))


def test_the_recorded_texts_tell_the_fields_apart() -> None:
    changed: Counter[str] = Counter()
    for case in RECORDED["codebleu"]:
        texts = case["predictions"], case["references"]
        own = Codebleu(language=case["language"]).corpus(*texts).value
        for field, value in (
            ("comments", "java"),
            ("soft_keywords", False),
            ("no_flow", "zero"),
            ("weighted_match", "precision"),
            ("weighted_length", "closest"),
            ("weights", (0.1, 0.1, 0.4, 0.4)),
        ):
            other: dict[str, Any] = {field: value}
            changed[field] += Codebleu(language=case["language"], **other).corpus(*texts).value != own
    assert len(changed) == 6
    assert min(changed.values()) > 0


def test_the_gap_between_forks_is_shared_among_their_choices() -> None:
    case = next(each for each in RECORDED["codexglue"] if each["language"] == "python" and len(each["predictions"]) > 9)
    texts = case["predictions"], case["references"]
    ours, theirs = Codebleu.variant("codebleu"), Codebleu.variant("codexglue")
    gap = explain(ours, theirs, *texts)
    assert {part.choice for part in gap.contributions} <= {"comments", "keywords", "no data flow"}
    difference = theirs.corpus(*texts).value - ours.corpus(*texts).value
    assert sum(part.share for part in gap.contributions) == pytest.approx(difference, rel=1e-9)
    assert difference


def test_given_numbers_of_the_package(shared_data: Path) -> None:
    """The given numbers are those of a call with both sides swapped. A part of them depends on the order of a set."""
    given = json.loads((shared_data / "codebleu/codebleu-0.7.0.json").read_text("utf-8"))
    pairs = [case for case in given if not case.get("corpus")]
    for case in pairs:
        scores = Codebleu(language=case["language"]).corpus(case["references"], [case["prediction"]]).scores
        for part in ("ngram_match", "weighted_ngram_match", "syntax_match"):
            assert scores[part] == pytest.approx(case["scores"][f"{part}_score"], rel=1e-12, abs=1e-15)
    compared(3 * len(pairs))
