"""The disagreements that the documents publish: their numbers, the steps between them, and what is said of them."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from screens import printed_on_terminal

from metrologue.cli import main
from metrologue.comparison.documents import load_cases
from metrologue.comparison.documents.disagreements import Disagreement, disagreements
from metrologue.text.tokenizers import get_tokenizer

CASES = load_cases()
IDS = ("bleu-ru", "rouge-ru", "meteor-ru", "rouge-w-en")


@pytest.fixture(params=IDS)
def found(request: pytest.FixtureRequest) -> Disagreement:
    [shown] = disagreements(CASES, request.param)
    lacking = {value.missing for panel in shown.panels for value in panel.values if value.ours is None}
    if lacking:
        pytest.skip("; ".join(sorted(lacking)))
    return shown


def test_each_has_every_part(found: Disagreement) -> None:
    assert found.document
    assert found.claims
    for panel in found.panels:
        assert len(panel.steps) == len(panel.values) - 1 >= 2
        assert [bar.shown for bar in panel.bars] == [f"{value.points:.2f}" for value in panel.values]


def test_steps_are_whole_and_leave_nothing_unexplained(found: Disagreement) -> None:
    for panel in found.panels:
        points = {value.label: value.points for value in panel.values}
        for step in panel.steps:
            assert step.gap == pytest.approx(points[step.second] - points[step.first], abs=1e-9)
            assert sum(share for _, share in step.parts) == pytest.approx(step.gap, abs=0.02)
            assert step.parts or step.about
            assert "unexplained" not in step.told


def test_published_numbers_are_ours_but_where_the_document_errs(found: Disagreement) -> None:
    differing = {
        value.label
        for panel in found.panels
        for value in panel.values
        if value.points != pytest.approx(value.ours, rel=1e-4, abs=1e-9)
    }
    assert differing == ({"rouge-1.5.5"} if found.id == "rouge-ru" else set())


def test_marks_are_words_of_the_texts(found: Disagreement) -> None:
    texts = [text for panel in found.panels for own, others in panel.texts for text in (own, *others)]
    marked = {piece for text in texts for piece, mark in found.pieces(text) if mark}
    assert marked == {*found.marks}
    for text in texts:
        assert "".join(piece for piece, _ in found.pieces(text)) == text.replace("\n", " / ")


def test_the_words_marked_for_bleu_are_those_that_two_libraries_read_differently() -> None:
    [found] = disagreements(CASES, "bleu-ru")
    tokens = get_tokenizer("13a")
    texts = [text for panel in found.panels for own, others in panel.texts for text in (own, *others)]
    words = {word for text in texts for word in text.split()}
    assert {word for word in words if len(tokens(word)) > 1} == {*found.marks}


def test_a_command_shows_one_of_them() -> None:
    run = CliRunner().invoke(main, ["documents", "--explain", "bleu-ru"])
    assert run.exit_code == 0
    for words in (
        "0.4969770530031034",
        "54.017258985951415",
        "tokenizer +4.32",
        "[party.]",
        "The document:",
        "In truth:",
    ):
        assert words in run.stdout
    assert "Verdicts" not in run.stdout
    given = json.loads(CliRunner().invoke(main, ["documents", "--explain", "rouge-w-en", "--format", "json"]).stdout)
    assert given["id"] == "rouge-w-en"
    assert "bleu-ru" in CliRunner().invoke(main, ["documents", "--explain", "none"]).stderr


def test_a_terminal_of_80_columns_has_room() -> None:
    [screen] = printed_on_terminal([["documents", "--explain", "rouge-ru"]], 80)
    assert all(len(line) <= 80 for line in screen.splitlines())
    assert re.search(r"rouge-1.5.5 +█+ +53.62  0.53622\n", screen)
