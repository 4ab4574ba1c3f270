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


LETTERS = "BIOESLUMW"
ANY_TAG = (
    st.sampled_from(
        ["O", "OBJ", "NOUN", "-", "--", ".", "X-", "-PER", "B", "M", "L", "S", "O-PER", "IPER", "B--A", "X"]
    )
    | st.tuples(st.sampled_from([*LETTERS, "X", "."]), st.sampled_from(["PER", "LOC", "A-B", "", "_"])).map("-".join)
    | st.text("BIESOLUM-.PX", min_size=1, max_size=4)
)
AVERAGES = ["micro", "macro", "weighted"]


def in_both(package: Any, call: dict[str, Any], **options: Any) -> None:
    """Every number of the package for these sequences and options is ours."""
    from seqeval import scheme as schemes
    from seqeval.metrics import accuracy_score, performance_measure

    right, ours = call["references"], call["predictions"]
    asked = {name: getattr(schemes, value) if name == "scheme" and value else value for name, value in options.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            report = package.classification_report(right, ours, output_dict=True, **asked)
        except (KeyError, ValueError):
            with pytest.raises(InputError):
                Seqeval(**options).corpus(**call)
            return
        fields = {**options, "zero_division": str(options.get("zero_division", "warn"))}
        counts = performance_measure(right, ours)
        for average in AVERAGES:
            scorer = Seqeval(**fields, average=average)
            scores = scorer.corpus(**call).scores
            expected = report.pop(f"{average} avg")
            found = [scores[name] for name in ("precision", "recall", "f1", "actual_count")]
            assert found == pytest.approx(
                # without any entity, the package's mean over types is NaN
                [scorer._zero if value != value else value for value in expected.values()], rel=1e-12
            )  # fmt: skip
            assert scores["accuracy"] == accuracy_score(right, ours)
            told = [
                scores[f"tag_{each}"] for each in ("true_positive", "false_positive", "false_negative", "true_negative")
            ]
            assert told == [counts[name] for name in ("TP", "FP", "FN", "TN")]
        assert [*Seqeval(**fields).counts_of_types(Seqeval._to_segments(**call))] == [*report]


@st.composite
def sequences(draw: st.DrawFn, tags: st.SearchStrategy[str]) -> dict[str, Any]:
    """Sequences of tags on both sides, some of which are empty; one tag at least."""
    lengths = [*draw(st.lists(st.integers(0, 6), max_size=4)), draw(st.integers(1, 5))]
    sides = [[draw(st.lists(tags, min_size=n, max_size=n)) for n in lengths] for _ in range(2)]
    return {"predictions": sides[0], "references": sides[1]}


@given(call=sequences(ANY_TAG), suffix=st.booleans(), zero=st.sampled_from(["warn", 0, 1]))
def test_any_tags_in_the_package(call: dict[str, Any], suffix: bool, zero: Any) -> None:
    package = pytest.importorskip("seqeval.metrics.sequence_labeling", reason="seqeval is not installed")
    if suffix:
        call = {name: [[each[::-1] for each in row] for row in rows] for name, rows in call.items()}
    in_both(package, call, suffix=suffix, zero_division=zero)


OF_SCHEMES = {
    None: "BIOESLU", "IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "IOBES", "BILOU": "BILOU",
}  # fmt: skip


@pytest.mark.parametrize("scheme", OF_SCHEMES)
def test_strict_schemes_in_the_package(scheme: str | None) -> None:
    package = pytest.importorskip("seqeval.metrics.sequence_labeling", reason="seqeval is not installed")
    letters = st.sampled_from([*OF_SCHEMES[scheme]])
    kinds = st.sampled_from(["-A", "-B", "", "-A-", "--A-B"])
    tags = st.tuples(letters, kinds).map(lambda parts: "O" if parts[0] == "O" and parts[1] == "-A" else "".join(parts))
    of_two = st.sampled_from(["BI", "BIO", "E", "IEO", "BEIO", "BESO", "S", "BLUO", "BIL", "U"]).flatmap(
        lambda some: sequences(st.tuples(st.sampled_from([*some]), kinds).map("".join))
    )

    @given(call=sequences(tags) | of_two if scheme is None else sequences(tags), zero=st.sampled_from(["warn", 1]))
    def compare(call: dict[str, Any], zero: Any) -> None:
        in_both(package, call, mode="strict", scheme=scheme, zero_division=zero)

    compare()


@pytest.mark.filterwarnings("ignore:Seqeval. .*no B, I, E or S")
def test_letters_of_other_schemes() -> None:
    """The package's end of an entity knows B, I, E and S; the gap to a count that knows all is a choice."""
    for right, predicted, ours in (
        ("B-PER L-PER B-PER L-PER O", "O O B-PER L-PER O", (1, 0.5, 2 / 3)),
        ("U-PER B-PER L-PER", "O B-PER L-PER", (1, 0.5, 2 / 3)),
        ("B-LOC M-LOC B-LOC E-LOC", "O O B-LOC E-LOC", (1, 0.5, 2 / 3)),
    ):
        scores = [Seqeval.variant(name).corpus([predicted], [right]).scores for name in ("evaluate", "metrologue")]
        found = [tuple(each[name] for name in ("precision", "recall", "f1")) for each in scores]
        assert found[0] == (1, 1, 1)
        assert found[1] == pytest.approx(ours)
        gap = metrologue.explain("seqeval:metrologue", "seqeval:evaluate", [predicted], [right])
        assert [each.choice for each in gap.contributions if each.share] == ["letters"]


def test_what_is_no_tag() -> None:
    module = metrologue.load("seqeval", keep_in_memory=True)
    for call in (lambda **sides: module.compute(**sides), lambda **sides: Seqeval().corpus(**sides)):
        with pytest.warns(UserWarning, match="'OBJ': no B, I, E or S with a type"):
            call(predictions=[["B-A", "OBJ"]], references=[["B-A", "OBJ"]])
        for wrong in ([[1, 2]], [["B-A", ""]], [["B-A", None]], [[True, False]]):
            with pytest.raises(InputError):
                call(predictions=wrong, references=wrong)
    with pytest.raises(InputError, match=r"`predictions\[0\]` has the tag 'X-A', which is of no scheme"):
        Seqeval(letters="schemes").corpus([["X-A"]], [["O"]])
    with pytest.raises(InputError, match=r"`references\[1\]` has the tag 'S-A', which is not of the scheme IOB2"):
        Seqeval(mode="strict", scheme="IOB2").corpus([["O"], ["O"]], [["O"], ["S-A"]])
    with pytest.raises(InputError, match="the letters of no scheme"):
        Seqeval(mode="strict").corpus([["O"]], [["O"]])
    with pytest.warns(UserWarning, match="`scheme` has no effect without mode='strict'"):
        Seqeval(scheme="IOB2").corpus([["B-A"]], [["B-A"]])


@pytest.mark.parametrize("average", AVERAGES)
def test_parts_and_resamples_of_averages(average: str) -> None:
    """Batches merge, and a resample that draws each segment once has the score."""
    sides = [["B-A I-A O", "B-B O", "O B-A"], ["B-A I-A O", "B-B B-C", "B-B B-A"]]
    scorer = Seqeval(average=average)
    whole = scorer.corpus(*sides)
    totals = scorer.accumulate(sides[0][:1], sides[1][:1])
    assert scorer.score_totals(scorer.accumulate(sides[0][1:], sides[1][1:], totals)).scores == whole.scores
    interval = scorer.corpus(*sides, confidence=0.9).interval
    assert interval.low <= whole.value <= interval.high


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
