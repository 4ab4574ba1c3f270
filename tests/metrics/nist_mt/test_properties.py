"""NIST against its definition over lists of tokens, and its table of information."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TokenCorpus, spelled, token_corpora

from metrics.nist_mt.plain import information, nist
from metrologue import trace
from metrologue.errors import InputError
from metrologue.scorers import NistMt
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource
from metrologue.tracing import Table

PLAIN = {"tokenizer": "whitespace", "zero_is_false": False}


@given(corpus=token_corpora, order=st.integers(1, 6))
def test_definition(corpus: TokenCorpus, order: int) -> None:
    assume(any(reference for own in corpus[1] for reference in own))
    ours = NistMt(**PLAIN, max_order=order).corpus(*spelled(corpus)).value
    assert ours == pytest.approx(nist(*corpus, order), rel=1e-12, abs=1e-12)


@given(corpus=token_corpora, order=st.integers(1, 4))
def test_the_table_has_the_bits_of_the_definition(corpus: TokenCorpus, order: int) -> None:
    table = NistMt(**PLAIN, max_order=order).fit(Segments(*spelled(corpus))).information.table
    bits = [bits for bits in information(corpus[1], order).values() if bits]  # the others weigh as unknown ones do
    assert sorted(table["bits"]) == pytest.approx(sorted(bits), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("multi_reference", ["most", "best-each-order"])
@given(corpus=token_corpora, order=st.integers(1, 6), zero=st.booleans())
def test_a_table_of_the_same_references_changes_nothing(
    corpus: TokenCorpus, order: int, zero: bool, multi_reference: str
) -> None:
    assume(any(reference for own in corpus[1] for reference in own))
    predictions, references = spelled(corpus)
    predictions, references = [f"0 {text}" for text in predictions], [[f"0 {t}" for t in own] for own in references]
    plain = NistMt(tokenizer="whitespace", zero_is_false=zero, max_order=order, multi_reference=multi_reference)
    segments = Segments(predictions, references)
    assert (plain.statistics(segments) == plain.fit(segments).statistics(segments)).all()


def test_a_table_of_other_references(tmp_path: Path) -> None:
    """Rare words weigh by the corpus that was fitted; a segment alone has the same score as in company."""
    corpus = ["the cat sat on the mat", "the dog sat", "the cat ran"]
    plain = NistMt(**PLAIN, max_order=2)
    fitted = plain.fit(Segments(corpus, corpus))
    alone = fitted.corpus(["the cat sat"], ["the cat sat down"]).value
    assert alone != plain.corpus(["the cat sat"], ["the cat sat down"]).value
    fitted.information.save(tmp_path / "information.arrow")
    again = Scorer.from_signature(fitted.signature, information=str(tmp_path / "information.arrow"))
    assert again.corpus(["the cat sat"], ["the cat sat down"]).value == alone
    totals = fitted.accumulate(["the cat sat"], ["the cat sat down"])
    totals = fitted.accumulate(["a dog"], ["the dog"], totals)
    both = fitted.corpus(["the cat sat", "a dog"], ["the cat sat down", "the dog"])
    assert fitted.score_totals(totals).value == both.value


def test_a_table_of_another_tokenizer() -> None:
    information = NistMt(tokenizer="13a").fit(Segments(["a"], ["a"])).information
    with pytest.raises(InputError, match="`information` was fitted with tokenizer=13a, not tokenizer=whitespace"):
        NistMt(tokenizer="whitespace", information=information)
    with pytest.raises(InputError, match="a table for another metric or field"):
        NistMt(information=Resource.of("idf", {"high": [], "low": []}))


@given(corpus=token_corpora, rule=st.sampled_from(["most", "best-each-order"]), fitted=st.booleans())
def test_trace(corpus: TokenCorpus, rule: str, fitted: bool) -> None:
    """The bits of the tables add up to the scorer's sums, and the formula has them."""
    assume(all(reference for own in corpus[1] for reference in own))
    texts = spelled(corpus)
    scorer = NistMt(**PLAIN, max_order=3, multi_reference=rule)
    bits = information(corpus[1] if fitted else corpus[1][:1], 3)
    if fitted:
        scorer = scorer.fit(Segments(*texts))
    found, result = trace(scorer, texts[0][0], texts[1][0]), scorer.corpus(texts[0][:1], texts[1][:1])
    assert found.value == result.value
    assert found.formula.endswith(f" = {result.value}")
    for n, table in enumerate(found.every(Table), start=1):
        assert sum(table.numbers("sum")) == pytest.approx(result.scores[f"information_{n}"], rel=1e-12, abs=1e-12)
        assert sum(table.numbers("count")) == result.scores[f"count_{n}"]
        for span, weight in zip(table.column("n-gram"), table.column("bits"), strict=True):
            # With another reference of the segment, an n-gram can have information without a match.
            assert (weight == "") <= (span.state == "missing")
            if weight != "":
                assert weight == pytest.approx(bits[span.tokens], rel=1e-12, abs=1e-12)


def test_the_trace_of_two_texts() -> None:
    found = trace(NistMt(max_order=2), "the cat the cat sat", ["the cat sat on the mat", "a cat"])
    assert found.formula == "NIST = 1.000 · (9.000/5 + 2.000/4) = 2.3"
    words, pairs = found.every(Table)
    assert words.caption == "1-grams: 9.000/5 = 1.800 bits"
    assert [words.column(name) for name in ("clipped", "count", "bits", "sum")] == [
        (2, 1, 1),
        (2, 2, 1),
        (2.0, 2.0, 3.0),
        (4.0, 2.0, 3.0),
    ]
    assert [span.state for span in pairs.column("n-gram")] == ["clipped", "missing", "matched"]
    nltk = trace(NistMt.variant("nltk", max_order=1, scale=2.0), "the cat sat", ["a dog", "the cat"])
    assert nltk.table("1-grams").caption.endswith("bits, with reference 2")
    assert nltk.formula.startswith("NIST = 2 · ")
    assert "the references of this segment" in nltk.text()
    assert trace(NistMt(max_order=1), "", ["a b"]).formula == "NIST = 0.000 · (0) = 0.0"
