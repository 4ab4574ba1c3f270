"""CIDEr against its definition over lists of tokens, and its table of document frequencies."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.cider.plain import cider, frequencies, images
from metrologue.errors import InputError
from metrologue.scorers import Cider, NistMt
from metrologue.scorers.cider import kernels as tfidf
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

REFERENCES = [
    ["a cat sits on the mat", "the cat is on the mat"],
    ["a dog runs in the park", "a brown dog is running"],
    ["two people ride bikes"],
]
HYPOTHESES = ["a cat is on the mat", "a dog is running in the park", "people ride bikes on the road"]
sigmas = st.one_of(st.just(math.inf), st.floats(0.5, 50))
close = {"rel": 1e-12, "abs": 1e-12}


def plain(**fields: object) -> Cider:
    return Cider.variant("pycocoevalcap", **fields)


def has_words(corpus: TokenCorpus) -> bool:
    return any(text for own in corpus[1] for text in own)


@given(corpus=token_corpora, order=st.integers(1, 6), clipped=st.booleans(), sigma=sigmas)
def test_definition(corpus: TokenCorpus, order: int, clipped: bool, sigma: float) -> None:
    assume(has_words(corpus))
    scorer = plain(max_order=order, clipped=clipped, sigma=sigma)
    assert scorer.corpus(Segments(*spelled(corpus))).value == pytest.approx(
        cider(*corpus, order, clipped, sigma), **close
    )
    rows = scorer.segment_scores(Segments(*spelled(corpus)))["cider"]
    assert rows == pytest.approx(images(*corpus, order, clipped, sigma), **close)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assume(has_words(words))
    assert plain().corpus(Segments(*corpus)).value == pytest.approx(cider(*words), **close)


def test_a_table_of_each_order_counts_what_one_table_of_all_orders_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = Segments(HYPOTHESES, REFERENCES)
    of_all, alone = plain().fit(segments).document_frequency, plain().segment_scores(segments)["cider"]
    monkeypatch.setattr(tfidf, "_FEW", 0)
    assert plain().fit(segments).document_frequency == of_all
    assert plain().segment_scores(Segments(HYPOTHESES, REFERENCES))["cider"].tolist() == alone.tolist()


@given(corpus=token_corpora, order=st.integers(1, 4))
def test_the_table_has_the_frequencies_of_the_definition(corpus: TokenCorpus, order: int) -> None:
    assume(has_words(corpus))
    table = plain(max_order=order).fit(Segments(*spelled(corpus))).document_frequency.table
    expected = [n for k in range(1, order + 1) for n in frequencies(corpus[1], k).values()]
    assert sorted(table["frequency"]) == sorted(expected)
    assert table["documents"] == [len(corpus[0])]


@given(corpus=token_corpora)
def test_frequencies_that_are_given(corpus: TokenCorpus) -> None:
    """Counts of the same references by hand make the same scores, and an equal scorer for every corpus."""
    assume(has_words(corpus))
    counts = {g: float(n) for order in range(1, 5) for g, n in frequencies(corpus[1], order).items()}
    assume(max(map(len, counts)) == 4)
    given = plain().with_frequencies(counts, len(corpus[0]))
    segments = Segments(*spelled(corpus))
    assert given.segment_scores(segments)["cider"] == pytest.approx(plain().segment_scores(segments)["cider"], **close)


def test_frequencies_below_one() -> None:
    """They count as one, as in ``max(1.0, frequency)`` of pycocoevalcap: no n-gram weighs more than an unknown one."""
    counts = {(word,): 2.0 for word in ("a", "cat", "on", "the", "mat")}
    segments = Segments(["a cat sits"], [["a dog sits on the mat"]])
    expected = plain(max_order=1).with_frequencies(counts, 10).segment_scores(segments)["cider"]
    for frequency in (0.0, 0.25, 0.5, 1.0):
        scorer = plain(max_order=1).with_frequencies({**counts, ("sits",): frequency}, 10)
        assert scorer.segment_scores(segments)["cider"] == expected
    other = plain(max_order=1).with_frequencies({**counts, ("sits",): 1.5}, 10)
    assert other.segment_scores(segments)["cider"] != expected
    # By hand: "a" and the words of one text alone weigh ln(10 / 2) or ln(10), and "sits" ln(10).
    some, full = math.log(5), math.log(10)
    ours, theirs = math.sqrt(2 * some**2 + full**2), math.sqrt(4 * some**2 + 2 * full**2)
    assert expected == pytest.approx(10 * (some**2 + full**2) / (ours * theirs) * math.exp(-(3**2) / 72), rel=1e-12)


@given(corpus=token_corpora, seed=st.randoms(use_true_random=False))
def test_order_of_images_and_of_references(corpus: TokenCorpus, seed: object) -> None:
    assume(has_words(corpus))
    predictions, references = spelled(corpus)
    value = plain().corpus(Segments(predictions, references)).value
    turned = Segments(predictions[::-1], [own[::-1] for own in references[::-1]])
    assert plain().corpus(turned).value == pytest.approx(value, **close)


@given(corpus=token_corpora)
def test_ranges(corpus: TokenCorpus) -> None:
    assume(has_words(corpus))
    rows = plain().segment_scores(Segments(*spelled(corpus)))["cider"]
    assert ((rows >= 0) & (rows <= 10 * (1 + 1e-12))).all()
    assert (
        Cider.variant("cider", tokenizer="whitespace").segment_scores(Segments(*spelled(corpus)))["cider"] >= 0
    ).all()


@pytest.mark.parametrize(
    ("variant", "value", "rows"),
    [
        ("pycocoevalcap", 4.368843565943421, [6.108084326919505, 3.375855132, 3.622591239]),
        ("cider", 4.47507092526365, [6.108084326919505, 3.487586740278457, 3.82954170859299]),
    ],
)
def test_worked_numbers(variant: str, value: float, rows: list[float]) -> None:
    scorer = Cider.variant(variant, tokenizer="whitespace")
    assert scorer.corpus(HYPOTHESES, REFERENCES).value == pytest.approx(value, rel=1e-12)
    assert scorer.segments(HYPOTHESES, REFERENCES) == pytest.approx(rows, rel=1e-9)


def test_hypotheses_that_equal_a_reference() -> None:
    first = [own[0] for own in REFERENCES]
    assert plain().corpus(first, REFERENCES).value == pytest.approx(7.406188804743789, rel=1e-12)
    assert plain().segments(first, first) == pytest.approx([10, 10, 10], rel=1e-12)
    assert plain().segments(["a b", "c d"], ["a b", "c d"]) == pytest.approx([5, 5], rel=1e-12)  # no n-gram of 3 words


def test_an_ngram_of_all_images_has_no_weight() -> None:
    assert plain().segments(["the cat", "the dog"], ["the bird", "the fish"]).tolist() == [0, 0]
    assert plain().segments(["the", "the dog"], ["the bird", "the dog"])[0] == 0


def test_lengths_and_clipping_make_the_difference() -> None:
    """Without them a caption gains by repeating the right words, and with them it loses."""
    references = [["a red bus"], ["two dogs run"]]
    repeated = ["a red bus a red bus a red bus", "two dogs run"]
    gap = [
        Cider.variant(name, tokenizer="whitespace").segments(repeated, references)[0] for name in ("cider", "cider-d")
    ]
    assert gap[0] > 2 * gap[1]


def test_one_image_scores_zero_and_says_why() -> None:
    with pytest.warns(UserWarning, match=r"single image, so all of them are ln\(1/1\) = 0.*fit\(segments\)"):
        assert plain().corpus(HYPOTHESES[:1], REFERENCES[:1]).value == 0
    with pytest.warns(UserWarning, match="single image"):
        assert plain().segments(HYPOTHESES[:1], REFERENCES[:1]).tolist() == [0]
    counts = {
        g: n for order in range(1, 5) for g, n in frequencies([[t.split() for t in REFERENCES[0]]], order).items()
    }
    fitted = plain().with_frequencies(counts, 40504)
    assert fitted.corpus(HYPOTHESES[:1], REFERENCES[:1]).value == pytest.approx(5.957531754730549, rel=1e-12)


def test_texts_without_words() -> None:
    rows = plain().segments(["", "a b c d", ""], [["a b c d"], ["", "a b c d"], [""]])
    assert rows[0] == rows[2] == 0
    assert rows[1] == pytest.approx(images([[], list("abcd"), []], [[list("abcd")], [[], list("abcd")], [[]]])[1])
    with pytest.raises(InputError, match="the references have no tokens"):
        plain().corpus(["a", "b"], ["", " "])


def test_a_table_is_saved_and_serves_batches(tmp_path: Path) -> None:
    segments = Segments(HYPOTHESES, REFERENCES)
    with pytest.raises(InputError, match=r"`document_frequency` must be the same for all batches; fit\(segments\)"):
        plain().accumulate(HYPOTHESES, REFERENCES)
    fitted = plain().fit(segments)
    fitted.document_frequency.save(tmp_path / "frequencies.arrow")
    again = Scorer.from_signature(fitted.signature, document_frequency=str(tmp_path / "frequencies.arrow"))
    totals = again.accumulate(HYPOTHESES[:1], REFERENCES[:1])
    totals = again.accumulate(HYPOTHESES[1:], REFERENCES[1:], totals)
    assert again.score_totals(totals).value == pytest.approx(plain().corpus(segments).value, rel=1e-12)


def test_tables_that_do_not_fit() -> None:
    segments = Segments(HYPOTHESES, REFERENCES)
    table = plain(max_order=2).fit(segments).document_frequency
    with pytest.raises(InputError, match="has n-grams of at most 2 tokens, but `max_order` is 4"):
        plain(document_frequency=table)
    assert plain(max_order=1, document_frequency=table).corpus(["a cat"], ["a cat"]).value == pytest.approx(10)
    with pytest.raises(InputError, match="was fitted with tokenizer=whitespace, not tokenizer=13a"):
        plain(max_order=2, tokenizer="13a", document_frequency=table)
    with pytest.raises(InputError, match="a table for another metric or field"):
        plain(document_frequency=NistMt().fit(segments).information)
    assert isinstance(table, Resource)


@pytest.mark.parametrize(
    ("frequencies", "documents", "message"),
    [
        ({("a",): 1}, 0, "`documents` is 0; a number of 1 or more"),
        ({("a",): 1}, True, "`documents` is True"),
        ({("a",): 3}, 2, r"\('a',\) is in 3 documents; a number from 0 to 2"),
        ({("a",): math.nan}, 2, "is in nan documents"),
        ({("a",): "1"}, 2, "is in '1' documents"),
        ({"a": 1}, 2, "the key 'a' is not an n-gram; a tuple of str"),
        ({(): 1}, 2, r"the key \(\) is not an n-gram"),
        ({("a", 1): 1}, 2, r"the key \('a', 1\) is not an n-gram"),
    ],
)
def test_frequencies_that_are_refused(frequencies: dict[object, object], documents: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plain().with_frequencies(frequencies, documents)  # type: ignore[arg-type]  # wrong on purpose


def test_thousands_of_tokens_and_one_token() -> None:
    chance = np.random.default_rng(1)
    texts = [" ".join(chance.choice(list("abcdefgh"), size)) for size in (5000, 3000, 1, 1)]
    references = [[texts[1], texts[0]], [texts[0]], [texts[2]], ["x"]]
    words = [text.split() for text in texts], [[text.split() for text in own] for own in references]
    assert plain().segments(texts, references) == pytest.approx(images(*words), **close)


def test_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Cider().corpus(["a"])
