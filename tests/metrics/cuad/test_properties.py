"""CUAD against its definition, and the module against the Hub's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, corpora, corpora_of

import metrologue
from metrics.cuad.plain import cuad
from metrologue.comparison.libraries import Missing, hub
from metrologue.comparison.libraries.squad import with_trapz
from metrologue.errors import InputError
from metrologue.scorers import Cuad

SPAN = st.sampled_from(
    ["The seller:", "the seller", "the buyer, X/Y", "buyer X", "Lohas Ltd.", "a b c d", "a b", "x\n"]
)


@given(corpus=corpora_of(SPAN) | corpora())
def test_definition(corpus: Corpus) -> None:
    assert Cuad().corpus(*corpus).value == pytest.approx(cuad(*corpus), rel=1e-12)


@given(spans=st.lists(st.lists(SPAN | st.just("x\ny"), max_size=3), min_size=1, max_size=3), data=st.data())
def test_definition_of_several_spans(spans: list[list[str]], data: st.DataObject) -> None:
    right = [data.draw(st.lists(SPAN | st.just("x\ny"), min_size=1, max_size=3)) for _ in spans]
    expected = pytest.approx(cuad(spans, right), rel=1e-12)
    assert Cuad().corpus(spans, right).value == expected
    if not any("\n" in span for row in (*spans, *right) for span in row):
        assert Cuad(spans="lines").corpus(["\n".join(row) for row in spans], right).value == expected


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """Spans, and right spans in another order; some questions are of the parties."""
    ids = draw(st.lists(st.sampled_from(["a", "b", "c__Parties", "d__Parties", "e"]), min_size=1, unique=True))
    spans = st.lists(SPAN | st.just(""), max_size=3)
    predictions = [{"id": each, "prediction_text": draw(spans)} for each in ids]
    right = [(each, draw(st.lists(SPAN, max_size=3))) for each in ids]
    references = [{"id": each, "answers": {"text": own, "answer_start": [0] * len(own)}} for each, own in right]
    return {"predictions": predictions, "references": draw(st.permutations(references))}


def test_the_hubs_module(hub_modules: Path, tmp_path: Path) -> None:
    if isinstance(theirs := hub.load("cuad"), Missing):
        pytest.skip(str(theirs))
    ours = metrologue.load("cuad", cache_dir=str(tmp_path))

    @given(call=questions())
    def compare(call: dict[str, Any]) -> None:
        with with_trapz():
            expected = theirs.compute(**call)
        found = ours.compute(**call)
        assert [*found] == [*expected]
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)

    compare()


def test_batches_and_texts() -> None:
    module = metrologue.load("cuad", keep_in_memory=True)
    given = [{"id": "1", "prediction_text": ["a b", "c"]}, {"id": "2", "prediction_text": ["x"]}]
    right = [{"id": "2", "answers": {"text": ["x"]}}, {"id": "1", "answers": {"text": ["a b"]}}]
    whole = module.compute(predictions=given, references=right)
    module.add(prediction=given[0], reference=right[1])
    module.add_batch(predictions=given[1:], references=right[:1])
    assert module.compute() == whole
    assert module.compute(predictions=[["x"], ["a b", "c"]], references=[["x"], ["a b"]]) == whole
    assert module.compute(predictions=["x", "a b\nc"], references=[["x"], ["a b"]])["f1"] == 50
    with pytest.raises(InputError, match=r"`references\[0\]` has an empty text"):
        module.compute(predictions=[["x"]], references=[["x", ""]])
    with pytest.raises(InputError, match=r"`predictions\[0\]` is int 3; a list of texts is expected"):
        module.compute(predictions=[{"id": "1", "prediction_text": 3}], references=right[1:])
