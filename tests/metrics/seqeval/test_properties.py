"""Entities of tags against their definition, the package seqeval and the Hub's module."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrics.seqeval import plain
from metrologue.comparison.libraries import Missing, hub
from metrologue.errors import InputError
from metrologue.scorers import Seqeval
from metrologue.scorers.seqeval import entities

KNOWN = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER", "B", "I", "B-A-B"]
tag, ordered = st.sampled_from(KNOWN), st.sampled_from(["O", "B-PER", "I-PER", "I-LOC", "B-LOC"])


@st.composite
def tagged(draw: st.DrawFn, tags: st.SearchStrategy[str] = tag) -> dict[str, Any]:
    """Sequences of tags, predicted and right, and an entity on either side."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    sides = [[draw(st.lists(tags, min_size=n, max_size=n)) for n in lengths] for _ in range(2)]
    return {"predictions": [*sides[0], ["B-PER"]], "references": [*sides[1], ["B-PER"]]}


@given(call=tagged())
def test_definition(call: dict[str, Any]) -> None:
    assert Seqeval().corpus(**call).value == pytest.approx(plain.seqeval(**call), rel=1e-12)
    spelled = {name: [*map(" ".join, rows)] for name, rows in call.items()}
    assert Seqeval().corpus(**spelled) == Seqeval().corpus(**call)


@given(tags=st.lists(tag, max_size=9), suffix=st.booleans())
def test_entities_of_the_package(tags: list[str], suffix: bool) -> None:
    package = pytest.importorskip("seqeval.metrics.sequence_labeling", reason="seqeval is not installed")
    turned = ["-".join(reversed(each.split("-", 1))) for each in tags] if suffix else tags
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert {tuple(each) for each in entities(turned, suffix)} == {*package.get_entities(turned, suffix)}


@pytest.mark.parametrize("options", [{}, {"zero_division": 1}, {"mode": "strict", "scheme": "IOB2"}])
def test_the_hubs_module(options: dict[str, Any], hub_modules: Path, tmp_path: Path) -> None:
    if isinstance(theirs := hub.load("seqeval"), Missing):
        pytest.skip(str(theirs))
    ours = metrologue.load("seqeval", cache_dir=str(tmp_path))

    @given(call=tagged(ordered if options.get("scheme") else tag))
    def compare(call: dict[str, Any]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = theirs.compute(**call, **options)
        found = ours.compute(**call, **options)
        assert [*found] == [*expected]
        for name, value in found.items():
            assert value == pytest.approx(expected[name], rel=1e-12), name

    compare()


def test_batches_and_wrong_input() -> None:
    module = metrologue.load("seqeval", keep_in_memory=True)
    call = {"predictions": [["B-PER", "O"], ["O"]], "references": [["B-PER", "B-LOC"], ["O"]]}
    whole = module.compute(**call)
    for ours, right in zip(*call.values(), strict=True):
        module.add(prediction=ours, reference=right)
    assert module.compute() == whole
    with pytest.raises(InputError, match=r"`predictions\[0\]` has 1 labels, but its reference has 2"):
        module.compute(predictions=[["O"]], references=[["O", "O"]])
    with pytest.raises(InputError, match="`scheme` is 'IOB3'"):
        module.compute(**call, scheme="IOB3")
    assert module.compute(predictions=["B-PER O", "O"], references=["B-PER B-LOC", "O"]) == whole
