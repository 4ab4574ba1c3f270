"""A trace of chrF: the n-grams that it lists sum up to the scorer's counts, and its formula is the number."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import related_texts

from metrologue.scorers import Chrf
from metrologue.trace import ChrfTrace, trace

TEXTS = "the cat sat on the mat", ["a cat sat on the mat mat", "dog", ""]
COMBINED = "猫が e\u0301 مرحبا 👩‍👩‍👧 x\u202e", ["猫 が e\u0301t مرحبا 👩 x", "<b>"]


def check(found: ChrfTrace, scorer: Chrf, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    assert found.value == scorer.corpus([prediction], [references]).value
    assert found.pairs[found.best].value == pytest.approx(found.value, rel=1e-12)
    for pair, reference in zip(found.pairs, references, strict=True):
        scores = scorer.corpus([prediction], [reference]).scores
        assert pair.value == scores["chrf"]
        for order in pair.orders:
            name = f"{order.level}_{{}}_count_{order.order}"
            assert sum(ngram.matched for ngram in order.common) == order.matched == scores[name.format("match")]
            assert order.hypothesis == scores[name.format("hypothesis")]
            assert order.reference == scores[name.format("reference")]
            assert all(len(ngram.tokens) == order.order for ngram in order.common)
        if pair.counted and scorer.average == "precision-recall":
            for ratio in ("precision", "recall"):
                values = [getattr(order, ratio) for order in pair.counted]
                assert sum(values) / len(values) == pytest.approx(getattr(pair, ratio), rel=1e-12)
    terms, value = re.fullmatch(r"chrF = (.*) = (\S+)", found.formula).groups()
    assert float(value) == found.value
    assert eval(terms.replace("·", "*")) == pytest.approx(found.value, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("variant", Chrf.variants())
@pytest.mark.parametrize("texts", [TEXTS, COMBINED, ("", ["a"]), ("", [""]), ("a", ["b"]), ("aaaa", ["aa"])])
def test_ngrams_and_formula_are_the_scorers(variant: str, texts: tuple[str, list[str]]) -> None:
    scorer = Chrf.variant(variant)
    check(trace(scorer, *texts), scorer, *texts)


@given(
    texts=related_texts(3),
    options=st.fixed_dictionaries(
        {
            "char_order": st.integers(1, 7),
            "word_order": st.integers(0, 2),
            "whitespace": st.booleans(),
            "beta": st.sampled_from([0.5, 1.0, 3.0]),
            "average": st.sampled_from(["precision-recall", "fscore"]),
            "effective_order": st.booleans(),
            "smoothing": st.sampled_from(["none", "epsilon", "epsilon-all"]),
            "count_unpaired": st.booleans(),
        }
    ),
)
def test_invariants_hold_for_any_configuration(texts, options) -> None:
    scorer = Chrf(**options)
    found = trace(scorer, texts[0], texts[1:])
    check(found, scorer, texts[0], texts[1:])
    found.html()


def test_a_table_of_orders() -> None:
    found = trace(Chrf(char_order=2, word_order=1), "aab", ["ab"])
    (pair,) = found.pairs
    assert [order.cells for order in pair.orders] == [
        ("1-grams of characters", "2", "3", "2", "0.666667", "1", "0.909091"),
        ("2-grams of characters", "1", "2", "1", "0.5", "1", "0.833333"),
        ("1-grams of words", "0", "1", "1", "0", "0", "0"),
    ]
    assert found.lines(pair) == [
        "P = (0.6667 + 0.5000 + 0.000)/3 = 0.388889",
        "R = (1.000 + 1.000 + 0.000)/3 = 0.666667",
    ]
    assert found.formula.startswith("chrF = 100·5·0.388889·0.666667/(4·0.388889 + 0.666667) = 58.33")


def test_clipping_is_marked_without_colour() -> None:
    (pair,) = trace(Chrf(char_order=1), "aaab", ["aab"]).pairs
    assert pair.orders[0].matches == ["◐ a ×2", "● b"]


def test_orders_that_one_text_lacks_are_left_out() -> None:
    found = trace(Chrf(), "the cat", ["dog"])
    assert [order.counted for order in found.pairs[0].orders] == [True] * 3 + [False] * 3
    assert "left out" in found.text()
    assert "left out" not in trace(Chrf(effective_order=False), "the cat", ["dog"]).text()


def test_blanks_are_made_visible() -> None:
    found = trace(Chrf(whitespace=True, char_order=2), "a b", ["a b c"])
    assert found.pairs[0].orders[1].matches == ["● a␣", "● ␣b"]
    assert "3 characters" in found.text()
    assert "a␣b" in found.text()
    words = trace(Chrf(char_order=0, word_order=2), "a b", ["a b c"])
    assert words.pairs[0].orders[1].matches == ["● a b"]
    assert "2 words" in words.text()


def test_the_reference_that_counts_is_named() -> None:
    found = trace(Chrf(), *TEXTS)
    assert found.best == 0
    assert Counter(", which counts" in found.title(*named) for named in found.named) == {True: 1, False: 2}


def test_long_lists_are_folded_and_right_to_left_texts_run_so() -> None:
    page = trace(Chrf(char_order=1), "abcdefghijklmn", ["abcdefghijklmn"]).html(style=False)
    assert re.findall("<summary>(.*)</summary>", page) == ["14 1-grams of characters"]
    page = trace(Chrf(), "مرحبا", ["مرحبا"]).html(style=False)
    assert "<details" not in page
    assert re.findall('<dd dir="(.*?)">', page) == ["rtl", "rtl"]


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Chrf.variant("chrf++"), *TEXTS)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Chrf.from_fields(plain["scorer"]) == found.scorer
    assert plain["pairs"][0]["orders"][0]["common"][0] == {"tokens": ["t"], "hypothesis": 5, "reference": 5}
