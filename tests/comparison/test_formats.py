"""A comparison as JSON with a published schema, and as LaTeX with BibTeX."""

from __future__ import annotations

import json
import re
from importlib import resources

import jsonschema
import pytest

from metrologue.comparison import Comparison, Study, compare, compare_metrics
from metrologue.comparison.showing.schema import schema

SYSTEMS = {
    "a_1": ["The cat, it sat there.", "A dog ran home (fast)."] * 20,
    "b": ["The cat, it sat here.", "One dog ran to a home."] * 20,
    "c": ["", "One dog ran to a home."] * 20,
}
REFERENCES = ["The cat sat, there.", "A dog ran home, fast."] * 20
SCORES = {"comet": {name: [0.5 + 0.1 * place] * 40 for place, name in enumerate(SYSTEMS)}}


@pytest.fixture(scope="module")
def one() -> Comparison:
    return compare(SYSTEMS, REFERENCES, libraries=["sacrebleu"], resamples=100, processes=0)


@pytest.fixture(scope="module")
def several() -> Study:
    return compare_metrics(SYSTEMS, REFERENCES, ["ter", "gtm"], libraries=[], resamples=100, scores=SCORES)


def test_the_file_is_the_schema_of_the_classes() -> None:
    file = resources.files("metrologue.comparison") / "comparison.schema.json"
    assert json.loads(file.read_text("utf-8")) == schema(), "run `python -m metrologue.comparison.showing.schema`"
    jsonschema.Draft202012Validator.check_schema(schema())


def test_json_has_the_form_of_the_schema(one: Comparison, several: Study) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    quick = compare({"a": ["x"]}, ["x y"], libraries=[], confidence=None)
    for found in (one, several, quick):
        validator.validate(json.loads(found.to_json()))
    for key in json.loads(one.to_json()):
        value = json.loads(one.to_json())
        del value[key]
        assert not validator.is_valid(value), key
    assert not validator.is_valid(json.loads(one.to_json()) | {"more": 1})


def test_latex_has_every_number_and_cites_what_it_defines(one: Comparison, several: Study) -> None:
    for found in (one, several):
        text = found.to_latex()
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")
        assert re.findall(r"\\begin\{([\w*]+)\}", text) == ["filecontents*", "table", "tabular"]
        keys = {key for own in re.findall(r"\\cite\{([^}]+)\}", text) for key in own.split(",")}
        assert keys
        assert keys <= {*re.findall(r"@\w+\{([^,]+),", text)}
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        columns = found.columns if isinstance(found, Comparison) else found.matrix
        given = [] if isinstance(found, Comparison) else found.elsewhere
        assert len(rows) == 1 + len(columns) + len(given)
        assert {row.count(" & ") for row in rows} == {1 + len(SYSTEMS)}
        for row, column in zip(rows[1:], columns, strict=False):
            assert all(point is None or f"{point:.2f}" in row for point in column.points.values())
        assert r"a\_1" in rows[0]
    assert "comet & from elsewhere & 0.5 [0.5, 0.5] & 0.6" in several.to_latex()
    assert r"Report sacrebleu" in one.to_latex()
    assert r"bleu\textbar{}variant=sacrebleu" in one.to_latex()
