"""TESLA-CELAB against its definition with a general solver, and against what the authors' program printed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

import metrologue
from metrics.tesla_celab.plain import tesla_celab
from metrologue.errors import InputError
from metrologue.scorers import TeslaCelab
from metrologue.scorers.tesla_celab import kernels as covered_ngrams
from metrologue.text.lexicon import register_synonyms

close = {"rel": 1e-12, "abs": 1e-13}
RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("tc-match.py.json").read_text("utf-8"))


@given(corpus=token_corpora, order=st.integers(1, 5), weight=st.sampled_from([0.0, 0.25, 1.0]))
def test_definition(corpus: TokenCorpus, order: int, weight: float) -> None:
    scorer = TeslaCelab(tokenizer="whitespace", max_order=order, precision_weight=weight)
    expected = tesla_celab(*corpus, max_order=order, precision_weight=weight)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(expected, **close)
    for row, hypothesis, references in zip(scorer.segments(*spelled(corpus)), *corpus, strict=True):
        expected = tesla_celab([hypothesis], [references], max_order=order, precision_weight=weight)
        assert row == pytest.approx(expected, **close)


@given(corpus=corpora(max_segments=2))
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assert TeslaCelab(tokenizer="whitespace").corpus(*corpus).value == pytest.approx(tesla_celab(*words), **close)


@given(
    corpus=token_corpora,
    synonyms=st.sampled_from([[["a", "b"]], [["ab", "c"], ["a", "cd"]], [["ab", "cd"], ["abc", "d"], ["b", "dd"]]]),
    short=st.booleans(),
)
def test_definition_with_synonyms(corpus: TokenCorpus, synonyms: list[list[str]], short: bool) -> None:
    scorer = TeslaCelab(
        tokenizer="whitespace",
        synonyms=register_synonyms("letters", synonyms),
        first_units="short" if short else "any",
    )
    expected = tesla_celab(*corpus, [{*own} for own in synonyms], short=short)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(expected, **close)


@given(texts=st.tuples(*[st.text("abc", min_size=6, max_size=24)] * 2), kinds=st.integers(2, 3))
def test_repeated_ngrams_that_overlap(texts: tuple[str, str], kinds: int) -> None:
    """Which make programs for the simplex method."""
    one, other = (text if kinds == 3 else text.replace("c", "a") for text in texts)
    expected = tesla_celab([[*one]], [[[*other]]])
    assert TeslaCelab().corpus([one], [other]).value == pytest.approx(expected, **close)


def test_a_program_gets_the_room_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["abababbaabab", "x", "abba"], ["babaabba", "x", "baab"]
    expected = TeslaCelab().segments(*texts)
    monkeypatch.setattr(covered_ngrams, "_CELLS", 0)
    assert TeslaCelab().segments(*texts).tolist() == expected.tolist()
    monkeypatch.setattr(covered_ngrams, "_MOST", 0)
    with pytest.raises(
        InputError, match=r"TeslaCelab: pair 0, counted from 0, has a program of \d+ rows and \d+ columns, too many"
    ):
        TeslaCelab().segments(*texts)


def test_the_authors_program() -> None:
    """Its solver is exact to about 1e-8."""
    synonyms = register_synonyms("recorded", RECORDED["synonyms"])
    scorer = TeslaCelab.variant("tc-match.py", synonyms=synonyms)
    texts = RECORDED["predictions"], RECORDED["references"]
    scores = scorer.segments(*texts)
    assert scores == pytest.approx(RECORDED["scores"], abs=1e-7)
    compared(len(scores))
    # The paper's matches may begin with any two synonyms, as in 晓得 and 知道.
    paper = TeslaCelab(tokenizer="whitespace", synonyms=synonyms).segments(*texts)
    assert (paper >= scores - 1e-12).all()
    assert (paper > scores + 1e-3).any()


def test_the_example_of_the_authors_program() -> None:
    """With the whole dictionary, which is not ours to ship."""
    folder = Path(os.environ.get("METROLOGUE_TESLA_CELAB", "none"))
    if not folder.is_dir():
        pytest.skip("METROLOGUE_TESLA_CELAB names no folder with a copy of github.com/drplanar/tesla-celab")
    hypotheses, references, scores = (
        (folder / "testdata" / name).read_text("utf-8").split("\n")[:-1]
        for name in ("sys-tch.txt", "ref.txt", "scores-output")
    )
    scorer = TeslaCelab.variant("tc-match.py", synonyms=str(folder / "resources" / "cilin.utf8"))
    assert scorer.segments(hypotheses, references) == pytest.approx([*map(float, scores)], abs=1e-7)
    assert scorer.segments(hypotheses[:1], references[:1]) == pytest.approx([0.470297], abs=5e-7)
    compared(len(scores))


def test_worked_numbers() -> None:
    umbrellas = register_synonyms("umbrellas", [["雨伞", "伞"]])
    assert TeslaCelab(synonyms=umbrellas).corpus(["买伞"], ["买雨伞"]).scores == {
        "tesla_celab": 1, "precision": 1, "recall": 1, "segments": 1
    }  # fmt: skip
    assert TeslaCelab().corpus(["买伞"], ["买雨伞"]).scores["recall"] == pytest.approx(2 / 6)


def test_several_references_and_empty_texts() -> None:
    assert TeslaCelab().corpus(["ab"], [["ab", "c", ""]]).value == pytest.approx(1 / 3)
    assert TeslaCelab(multi_reference="best").corpus(["ab"], [["ab", "c"]]).value == 1
    assert TeslaCelab().segments(["", "a", "", "a"], ["", "", "a", "a"]).tolist() == [0, 0, 0, 1]
    assert TeslaCelab().corpus(["a b"], ["ab"]).value == 1
    assert TeslaCelab(tokenizer="whitespace").corpus(["a b"], ["ab"]).scores["recall"] == 1
    assert TeslaCelab(lowercase=True).corpus(["A"], ["a"]).value == 1


def test_long_texts() -> None:
    """Time and memory depend on the distinct n-grams, and on the repeated ones that overlap."""
    same = "the cat sat on the mat " * 2000
    assert TeslaCelab().corpus([same], [same]).value == 1
    assert TeslaCelab(tokenizer="whitespace").corpus([same], [same.replace("the mat", "a mat")]).value == pytest.approx(
        0.5916, abs=1e-4
    )


def test_pairs_of_every_two_texts() -> None:
    texts = ["abc", "cd", ""]
    scorer = TeslaCelab(synonyms=register_synonyms("letters", [["a", "d"]]))
    expected = np.array([scorer.segments([one] * 2, ["ac", "d"]) for one in texts])
    assert scorer.pairwise(texts, ["ac", "d"]) == pytest.approx(expected, **close)


def test_trace_shows_what_matches() -> None:
    scorer = TeslaCelab(synonyms=register_synonyms("umbrellas", [["雨伞", "伞"]]))
    trace = metrologue.trace(scorer, "买伞", ["买雨伞", "买"])
    table = trace.table("n-grams that match reference 1")
    assert ("伞", "雨 伞") in set(zip(table.column("hypothesis"), table.column("reference"), strict=True))
    assert trace.table("coverage with reference 1").column("covered in the reference") == (3, 2, 1)
    assert "not wholly covered in the hypothesis: 伞" in trace.text()
    assert "n-grams that match" in trace.html()
    assert "only equal n-grams match" in metrologue.trace(TeslaCelab(), "", "a").text()


def test_refused() -> None:
    with pytest.raises(InputError, match="synonyms: 'no-such-table' is neither a file nor a table"):
        TeslaCelab(synonyms="no-such-table").corpus(["a"], ["a"])
