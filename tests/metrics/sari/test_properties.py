"""SARI against its definition over lists of tokens, EASSE's recorded numbers and the Hub's module."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TokenCorpus, characters, corpora_of, spelled, token_corpora, token_lists

from metrics.sari.plain import sari
from metrologue import compare, explain, trace
from metrologue.comparison.harness import compare_metrics
from metrologue.comparison.libraries import get_library
from metrologue.errors import InputError
from metrologue.scorers import Sari
from metrologue.tracing import Row, Span

SOURCE = "About 95 species are currently accepted ."
SPECIES: dict[str, Any] = {  # the example of Xu's script, of the Hub's module and of EASSE
    "references": [
        [
            "About 95 species are currently known .",
            "About 95 species are now accepted .",
            "95 species are now accepted .",
        ]
    ],
    "sources": [SOURCE],
}

# A field and its values, beside the same option of the definition.
OPTIONS: dict[str, tuple[str, dict[Any, Any]]] = {
    "max_order": ("orders", {1: 1, 2: 2, 4: 4, 6: 6}),
    "binary": ("once", {False: False, True: True}),
    "shares": ("means", {"summed": (False, False), "mean-precision": (True, False), "mean": (True, True)}),
    "right_deletions": ("remainder", {"remainder": True, "lesser": False}),
    "counted_references": ("only_long", {"all": False, "long": True}),
    "use_f1_for_deletion": ("f1", {False: False, True: True}),
    "use_paper_version": ("of_means", {False: False, True: True}),
    "zero_division": ("zero", {0.0: 0, 0.5: 0.5, 1.0: 1}),
    "aggregation": ("corpus", {"mean": False, "corpus": True}),
}
fields = st.fixed_dictionaries({name: st.sampled_from([*values]) for name, (_, values) in OPTIONS.items()})


@given(corpus=token_corpora, data=st.data(), chosen=fields)
def test_definition(corpus: TokenCorpus, data: st.DataObject, chosen: dict[str, Any]) -> None:
    count = len(corpus[0])
    sources = data.draw(st.lists(token_lists, min_size=count, max_size=count))
    options = {OPTIONS[name][0]: OPTIONS[name][1][value] for name, value in chosen.items()}
    scorer = Sari(tokenizer="whitespace", empty_token=False, **chosen)
    columns = dict(zip(("predictions", "references"), spelled(corpus), strict=True))
    columns["sources"] = [*map(" ".join, sources)]
    assert scorer.corpus(**columns).value == pytest.approx(sari(*corpus, sources, **options), rel=1e-12)
    for row, *segment in zip(scorer.segments(**columns), *corpus, sources, strict=True):
        assert row == pytest.approx(sari(*([each] for each in segment), **options), rel=1e-12)


@given(corpus=token_corpora)
def test_an_empty_text_has_one_empty_token(corpus: TokenCorpus) -> None:
    predictions, references = spelled(corpus)
    sources = [own[-1] for own in references]
    words = [text.split(" ") for text in predictions], [[text.split(" ") for text in own] for own in references]
    expected = sari(*words, [text.split(" ") for text in sources])
    assert Sari(tokenizer="whitespace").corpus(predictions, references, sources=sources).value == pytest.approx(
        expected
    )


texts = st.one_of(
    st.lists(st.sampled_from(["a", "B", "b", "cat.", "It's", "3.5", "&amp;", "é", "的"]), max_size=9).map(" ".join),
    st.text(characters, max_size=9),
)


@given(corpus=corpora_of(texts), data=st.data())
def test_the_hubs_module(hub_modules: Path, corpus: tuple[list[str], list[list[str]]], data: st.DataObject) -> None:
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install sacremoses")
    module = evaluate.load(str(hub_modules / "sari"))
    predictions, references = corpus
    sources = data.draw(st.lists(texts, min_size=len(predictions), max_size=len(predictions)))
    found = module.compute(sources=sources, predictions=predictions, references=references)["sari"]
    assert Sari().corpus(predictions, references, sources=sources).value == pytest.approx(found, rel=1e-12)


def test_a_comparison_gives_the_live_module_the_sources(hub_modules: Path) -> None:
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install 'metrologue[moses]'")
    texts: dict[str, Any] = {"references": [*SPECIES["references"], ["a c"]], "sources": [SOURCE, "a b"]}
    systems = {"one": ["About 95 you now get in .", "a"], "other": ["About 95 species .", "a c"]}
    found = compare(systems, metric="sari", processes=0, tests=False, confidence=None, **texts)
    live = {number.system: number for number in found.numbers if number.kind == "library"}
    assert [*live] == [*systems]
    assert all(
        number.value == pytest.approx(Sari().corpus(systems[name], **texts).value) for name, number in live.items()
    )
    rows = get_library("evaluate").segments("sari", systems["one"], **texts)
    assert [row["sari"] for row in rows] == pytest.approx(Sari().segments(systems["one"], **texts).tolist(), rel=1e-12)
    # The metric beside it takes no sources, and its libraries run as ever.
    [_, bleu] = compare_metrics(
        systems, metrics=["sari", "bleu"], libraries=["evaluate"], processes=0, **texts
    ).comparisons
    assert [number.name for number in bleu.numbers if number.kind == "library"] == ["evaluate", "evaluate"]


def test_easses_recorded_numbers(shared_data: Path) -> None:
    path = shared_data / "easse_sari" / "cases.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install sacremoses")
    recorded = json.loads(path.read_text("utf-8"))
    names = ("add", "keep", "delete")
    for case in recorded["cases"]:
        rows = [row for row in recorded["rows"] if len(row["references"]) == case["references"]]
        texts = [row["prediction"] for row in rows], [row["references"] for row in rows]
        scorer, sources = Sari.variant("easse", **case["settings"]), [row["source"] for row in rows]
        if case["level"] == "corpus":
            ours = scorer.corpus(*texts, sources=sources).scores
            for name in (*names, "sari"):
                assert ours[name] == pytest.approx(case[name], rel=1e-10), (case, name)
        else:
            columns = scorer.segment_scores(*texts, sources=sources)
            for index, each in enumerate(case["each"]):
                assert [columns[name][index] for name in names] == pytest.approx(each, rel=1e-10), (case, index)


@pytest.mark.parametrize(
    ("prediction", "hub", "xu"),
    [
        ("About 95 you now get in .", 26.953601953601954, 26.827824116980743),
        ("About 95 species are now agreed .", 61.70965608465608, 58.89995423074249),
        ("About 95 species are currently agreed .", 50.88681849551415, 50.71608864657479),
    ],
)
def test_the_example_of_the_authors_script(prediction: str, hub: float, xu: float) -> None:
    assert Sari().corpus([prediction], **SPECIES).value == pytest.approx(hub, rel=1e-12)
    assert Sari.variant("xu-2016").corpus([prediction], **SPECIES).value == pytest.approx(xu, rel=1e-12)


def test_worked_numbers() -> None:
    """Unigrams of "a b c" from "a b e", of which the reference makes "a b d"."""
    scorer = Sari.variant("easse", max_order=1)
    scores = scorer.corpus(["a b c"], ["a b d"], sources=["a b e"]).scores
    # c is added and d should be; a and b are kept, as they should be; e is deleted, as it should be.
    assert (scores["add"], scores["keep"], scores["delete"]) == (0, 100, 100)
    assert scores["sari"] == pytest.approx(200 / 3)
    # A bigram is deleted that should be, and one is added that should not be.
    both = Sari.variant("easse", max_order=2).corpus(["a b c"], ["a b d"], sources=["a b e"]).scores
    assert (both["add_precision"], both["keep_recall"], both["delete_precision"]) == (0, 100, 100)
    # Of two references one keeps the e, so that half of a deletion is asked for.
    half = scorer.corpus(["a b"], [["a b", "a b e"]], sources=["a b e"]).scores
    assert (half["delete_precision"], half["delete_recall"]) == (50, 100)


def test_what_is_left_as_it_is_scores_by_zero_over_zero() -> None:
    same = ["the cat sat on it"], ["the cat sat on it"]
    assert Sari().corpus(*same, sources=same[0]).value == 100
    assert Sari.variant("easse").corpus(*same, sources=same[0]).value == pytest.approx(100 / 3)


def test_legacy_sources_are_not_tokenized() -> None:
    call = ["It ran."], ["It ran."]
    scorer = Sari.variant("easse", legacy=True, max_order=1)
    assert scorer.corpus(*call, sources=["It ran."]).scores["delete"] == 100  # "ran." is no token of the others
    assert Sari.variant("easse", max_order=1).corpus(*call, sources=["It ran."]).scores["delete"] == 0


def test_the_choices_share_the_gap() -> None:
    texts: dict[str, Any] = {"predictions": ["About 95 you now get in ."], **SPECIES}
    gap = explain("sari:evaluate", "sari:easse", **texts)
    shares = {part.choice: part.share for part in gap.contributions}
    assert {*shares} == {
        "aggregation", "empty text", "shares", "right deletions", "F1 of deletion", "zero over zero",
    }  # fmt: skip
    assert sum(shares.values()) == pytest.approx(gap.gap)
    assert max(shares, key=lambda choice: shares[choice]) == "F1 of deletion"


def test_missing_inputs() -> None:
    with pytest.raises(InputError, match="`sources` are missing; the texts before they were simplified"):
        Sari().corpus(["a"], ["a"])
    with pytest.raises(InputError, match="`references` are missing"):
        Sari().corpus(["a"], sources=["a"])
    with pytest.raises(InputError, match="1 prediction but 2 source"):
        Sari().corpus(["a"], ["a"], sources=["a", "b"])


@pytest.mark.parametrize("binary", [False, True])
def test_long_texts(binary: bool) -> None:
    """So many words that n-grams are found by their hashes."""
    words = [[f"w{(i * step) % 397}" for i in range(700)] for step in (7, 11, 13)]
    source, prediction, reference = map(" ".join, words)
    scorer = Sari.variant("tensor2tensor", tokenizer="whitespace", binary=binary)
    expected = sari(
        [words[1]],
        [[words[2], words[0][:9]]],
        [words[0]],
        means=(False, False),
        remainder=False,
        only_long=True,
        once=binary,
    )
    found = scorer.corpus([prediction], [[reference, " ".join(words[0][:9])]], sources=[source]).value
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_trace_shows_what_is_done_with_each_ngram() -> None:
    references = ["a d b", "a b"]
    found = trace("sari:easse", "a c a", references, sources="a b a e e", max_order=1)
    ngrams = found.table("1-grams")
    assert [(_tokens(row), row.cells[-1], row.state) for row in ngrams.rows] == [
        (("a",), "kept", "clipped"),
        (("b",), "deleted", "missing"),
        (("e",), "deleted", "matched"),
        (("c",), "added", "missing"),
        (("d",), "not added", "missing"),
    ]
    assert found.table("precision and recall").column("keep P") == ("0.5000",)
    scorer = Sari.variant("easse", max_order=1)
    assert found.value == scorer.corpus(["a c a"], [references], sources=["a b a e e"]).value
    assert "source       5 tokens" in found.text()
    empty = trace("sari", "", ["a"], sources="a", max_order=1).table("1-grams")
    assert [*map(_tokens, empty.rows)] == [("a",), ("",)]


def _tokens(row: Row) -> tuple[str, ...]:
    """The n-gram that a row is about."""
    assert isinstance(row.cells[0], Span)
    return row.cells[0].tokens
