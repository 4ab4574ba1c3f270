"""A trace of chrF: the n-grams that it lists sum up to the scorer's counts, and its formula is the number."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import related_texts

from metrologue import trace
from metrologue.scorers import Chrf, Scorer
from metrologue.tracing import Listing, Section, Span, Table, Trace

TEXTS = "the cat sat on the mat", ["a cat sat on the mat mat", "dog", ""]
COMBINED = "猫が e\u0301 مرحبا 👩‍👩‍👧 x\u202e", ["猫 が e\u0301t مرحبا 👩 x", "<b>"]


UNITS = {"char": "characters", "word": "words"}


def listed(section: Section | Trace) -> dict[str, tuple[Span, ...]]:
    """The n-grams that both texts have, by the name of their order."""
    return {block.name: block.spans for block in section.every(Listing)}


def times(span: Span) -> int:
    return int(span.note.removeprefix("×") or 1)


def drawn(span: Span) -> str:
    return " ".join(filter(None, ({"matched": "●", "clipped": "◐"}[span.state], *span.tokens, span.note)))


def counting(found: Trace) -> list[str]:
    """The references that are said to count."""
    return [section.name for section in found.sections if ", which counts" in section.title]


def check(found: Trace, scorer: Chrf, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    assert found.value == scorer.corpus([prediction], [references]).value
    assert len(found.sections) == len(references)
    (best,) = counting(found) if len(references) > 1 else ["reference 1"]
    counts = next(section for section in found.sections if section.name == best)
    assert counts.values["chrf"] == pytest.approx(found.value, rel=1e-12)
    for section, reference in zip(found.sections, references, strict=True):
        scores = scorer.corpus([prediction], [reference]).scores
        assert section.values == scores
        (table,) = section.every(Table)
        columns = zip(*(table.column(name) for name in table.header), strict=True)
        for (level, n), (name, matched, hypothesis, other, *ratios) in zip(scorer._orders, columns, strict=True):
            assert name == f"{n}-grams of {UNITS[level]}"
            key = f"{level}_{{}}_count_{n}"
            spans = listed(section).get(name, ())
            assert sum(map(times, spans)) == matched == scores[key.format("match")]
            assert hypothesis == scores[key.format("hypothesis")]
            assert other == scores[key.format("reference")]
            assert all(len(span.tokens if level == "word" else span.tokens[0]) == n for span in spans)
            alone = [scores[f"{level}_{kind}_{n}"] / scorer.scale for kind in ("precision", "recall", "fscore")]
            counted = (hypothesis and other) or not scorer.effective_order
            assert ratios == (alone if counted else ["left out"] * 3)
        if scorer.average == "precision-recall":
            for letter, ratio in (("P", "precision"), ("R", "recall")):
                if values := table.numbers(letter):
                    assert sum(values) / len(values) == pytest.approx(scores[ratio] / scorer.scale, rel=1e-12)
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
    lines = found.text().split("\n")
    assert [re.split(r" {2,}", line) for line in lines if re.match(r"\d-grams of \w+ ", line)] == [
        ["1-grams of characters", "2", "3", "2", "0.666667", "1", "0.909091"],
        ["2-grams of characters", "1", "2", "1", "0.5", "1", "0.833333"],
        ["1-grams of words", "0", "1", "1", "0", "0", "0"],
    ]
    start = lines.index("P = (0.6667 + 0.5000 + 0.000)/3 = 0.388889")
    assert lines[start + 1] == "R = (1.000 + 1.000 + 0.000)/3 = 0.666667"
    assert found.formula.startswith("chrF = 100·5·0.388889·0.666667/(4·0.388889 + 0.666667) = 58.33")


def test_clipping_is_marked_without_colour() -> None:
    found = trace(Chrf(char_order=1), "aaab", ["aab"])
    assert [drawn(span) for span in listed(found)["1-grams of characters"]] == ["◐ a ×2", "● b"]
    assert "1-grams of characters: ◐ a ×2 · ● b" in found.text()


def test_orders_that_one_text_lacks_are_left_out() -> None:
    found = trace(Chrf(), "the cat", ["dog"])
    (table,) = found.every(Table)
    assert [cell == "left out" for cell in table.column("F")] == [False] * 3 + [True] * 3
    assert "left out" in found.text()
    assert "left out" not in trace(Chrf(effective_order=False), "the cat", ["dog"]).text()


def test_blanks_are_made_visible() -> None:
    found = trace(Chrf(whitespace=True, char_order=2), "a b", ["a b c"])
    assert "2-grams of characters: ● a␣ · ● ␣b" in found.text()
    assert "3 characters" in found.text()
    assert "a␣b" in found.text()
    words = trace(Chrf(char_order=0, word_order=2), "a b", ["a b c"])
    assert [span.tokens for span in listed(words)["2-grams of words"]] == [("a", "b")]
    assert "2-grams of words: ● a b" in words.text()
    assert "2 words" in words.text()


def test_the_reference_that_counts_is_named() -> None:
    found = trace(Chrf(), *TEXTS)
    assert len(found.sections) == 3
    assert counting(found) == ["reference 1"]


def test_long_lists_are_folded_and_right_to_left_texts_run_so() -> None:
    page = trace(Chrf(char_order=1), "abcdefghijklmn", ["abcdefghijklmn"]).html(style=False)
    assert re.findall("<summary>(.*)</summary>", page) == ["14 1-grams of characters", "Signature: every choice"]
    page = trace(Chrf(), "مرحبا", ["مرحبا"]).html(style=False)
    assert re.findall("<summary>(.*)</summary>", page) == ["Signature: every choice"]
    assert re.findall('<dd dir="(.*?)">', page) == ["rtl", "rtl"]


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Chrf.variant("chrf++"), *TEXTS)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Scorer.from_signature(plain["signature"]) == Chrf.variant("chrf++")
    section = plain["blocks"][2]
    assert (section["kind"], section["name"]) == ("section", "reference 1")
    assert section["values"]["chrf"] == found.sections[0].values["chrf"]
    listing = next(block for block in section["blocks"] if block["kind"] == "listing")
    assert listing["spans"][0] == {"tokens": ["t"], "state": "matched", "note": "×5"}
