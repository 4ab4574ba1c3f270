"""distinct-n against its definition over lists of tokens, and what merges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from growth import takes_less
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, token_lists

from metrics.distinct_n import plain
from metrologue import trace
from metrologue.errors import InputError
from metrologue.scorers import DistinctN, Totals
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]
SPEC = ["the cat sat", "the cat ran", "a dog ran fast"]


def numbers(texts: list[list[str]], n: int, denominator: str, vocabulary: int | None) -> dict[str, float]:
    """The definition's numbers by their names."""
    found = [gram for tokens in texts for gram in plain.ngrams(tokens, n)]
    return {
        f"distinct_{n}": plain.distinct_n(texts, n, denominator, vocabulary),
        f"mean_distinct_{n}": plain.mean_distinct_n(texts, n, denominator, vocabulary),
        f"entropy_{n}": plain.entropy_n(texts, n),
        f"distinct_count_{n}": len(set(found)),
        f"count_{n}": len(found),
    }


@pytest.mark.parametrize("vocabulary", [None, 50, 1])
@pytest.mark.parametrize("denominator", ["ngrams", "tokens"])
@given(
    texts=st.lists(token_lists, min_size=1, max_size=4) | corpora().map(lambda corpus: [*map(str.split, corpus[0])]),
    orders=st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True),
)
def test_definition(denominator: str, vocabulary: int | None, texts: list[list[str]], orders: list[int]) -> None:
    predictions = [*map(" ".join, texts)]
    scorer = DistinctN(denominator=denominator, vocabulary=vocabulary, orders=tuple(orders))
    scores = scorer.corpus(predictions).scores
    rows = scorer.segment_scores(predictions)
    for order in orders:
        for key, value in numbers(texts, order, denominator, vocabulary).items():
            assert scores[key] == pytest.approx(value, rel=1e-12, abs=1e-12), key
        for index, tokens in enumerate(texts):
            for key, value in numbers([tokens], order, denominator, vocabulary).items():
                assert rows[key][index] == pytest.approx(value, rel=1e-12, abs=1e-12), key


def test_worked_numbers() -> None:
    scores = DistinctN().corpus(SPEC).scores
    assert (scores["distinct_1"], scores["distinct_2"]) == (0.7, 6 / 7)
    assert (scores["mean_distinct_1"], scores["mean_distinct_2"]) == (1.0, 1.0)
    assert DistinctN.variant("paper-2016").corpus(SPEC).scores["distinct_2"] == 0.6
    adjusted = DistinctN(orders=(1,), vocabulary=1000).corpus(SPEC).value
    assert adjusted == pytest.approx(0.703156, abs=5e-7)


@given(first=corpora(), second=corpora())
def test_batches_merge_by_the_text_of_n_grams(first: Corpus, second: Corpus) -> None:
    scorer = DistinctN(orders=(1, 2, 3))
    totals = scorer.accumulate(second[0], totals=scorer.accumulate(first[0]))
    assert scorer.score_totals(totals).scores == pytest.approx(scorer.corpus(first[0] + second[0]).scores, rel=1e-12)


def test_references_change_nothing() -> None:
    with_references = DistinctN().corpus(Segments(SPEC, ["x y z w v u"] * 3))
    assert with_references == DistinctN().corpus(SPEC) == DistinctN().corpus(SPEC, ["x"] * 3)


def test_the_level_chooses_the_value() -> None:
    texts = ["the the cat", "a cat"]
    corpus, sentence = (DistinctN(orders=(1,), level=level).corpus(texts) for level in ("corpus", "sentence"))
    assert corpus.scores == sentence.scores
    assert (corpus.value, sentence.value) == (0.6, pytest.approx(plain.mean_distinct_n([*map(str.split, texts)], 1)))
    adjusted = DistinctN(orders=(1,), level="sentence", vocabulary=20).corpus(texts).value
    assert adjusted == pytest.approx(plain.mean_distinct_n([*map(str.split, texts)], 1, vocabulary=20), rel=1e-12)


def test_the_trace_shows_what_comes_again() -> None:
    shown = trace(DistinctN(), "a b a b a c")
    assert shown.table("repeated 1-grams").column("share") == ("3/6", "2/6")
    assert shown.table("repeated 2-grams").column("count") == (2, 2)
    assert "no 1-gram comes again" in trace(DistinctN(), "a b").text()
    assert shown.value == DistinctN().corpus(["a b a b a c"]).value


def test_an_n_gram_is_its_tokens_and_not_their_letters() -> None:
    assert DistinctN(orders=(2,)).corpus(["ab c", "a bc", "c ab", "ab c"]).scores["distinct_count_2"] == 3


def test_texts_below_an_n_gram() -> None:
    """The numbers are 0, and a warning says so."""
    with pytest.warns(UserWarning, match="DistinctN: no text has a 3-gram or a 9-gram, and 0 stands for their numbers"):
        scores = DistinctN(orders=(1, 3, 9)).corpus(["a b", "a c"]).scores
    assert (scores["distinct_1"], scores["distinct_3"], scores["entropy_9"], scores["count_9"]) == (0.75, 0, 0, 0)
    with pytest.warns(UserWarning, match="no text has a 1-gram or a 2-gram"):
        assert set(DistinctN().corpus(["", " "]).scores.values()) == {0}


def test_threads_and_parts_change_nothing() -> None:
    texts = SPEC * 50
    assert DistinctN().corpus(texts, threads=3).scores == pytest.approx(DistinctN().corpus(texts).scores, rel=1e-15)


def test_many_texts_alike_take_no_longer() -> None:
    """Of one n-gram in many texts, the hashes differ in one lane only."""
    texts = ["that is one sentence of the test"] * 50_000
    assert takes_less(lambda: DistinctN().corpus(texts), lambda: DistinctN().corpus(texts[:5000]), 25)
    scores = DistinctN().corpus(texts).scores
    assert (scores["distinct_count_1"], scores["mean_distinct_1"]) == (7, 1.0)


def test_rows_of_several_segments_have_no_sum() -> None:
    scorer = DistinctN()
    rows = scorer.statistics(Segments(SPEC))
    assert float(scorer.score(scorer.aggregate(rows[:1]))["distinct_1"]) == 1.0
    with pytest.raises(InputError, match="rows of several segments have no sum; use corpus or accumulate"):
        scorer.aggregate(rows)
    with pytest.raises(InputError, match="no segments"):
        scorer.corpus([])


def test_saved_tables(tmp_path: Path) -> None:
    scorer, path = DistinctN(), tmp_path / "totals.json"
    scorer.accumulate(SPEC).save(path)
    saved = json.loads(path.read_text())
    assert {name: len(table) for name, table in saved["tables"].items()} == {"ngrams_1": 7, "ngrams_2": 6}
    assert scorer.score_totals(Totals.load(path)) == scorer.corpus(SPEC)
    for wrong in (
        [],
        {"ngrams_1": []},
        {"ngrams_1": {"0" * 31: 1}},
        {"ngrams_1": {"0" * 32: 0}},
        {"ngrams_1": {"0" * 32: 1.5}},
        {"ngrams_1": {"g" * 32: 1}},
    ):
        path.write_text(json.dumps({**saved, "tables": wrong}))
        with pytest.raises(InputError, match=r"totals\.json holds no saved totals"):
            Totals.load(path)
    del saved["digest"]
    path.write_text(json.dumps({**saved, "tables": {"ngrams_1": {}}}))
    with pytest.raises(InputError, match="has no table 'ngrams_2'"):
        scorer.score_totals(Totals.load(path))


@pytest.mark.parametrize("orders", [(), (1, 1), (0,), (101,)])
def test_orders(orders: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="`orders` is"):
        DistinctN(orders=orders)
