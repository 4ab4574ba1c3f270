"""Bleu against every live library where the contract does not go: few words, what is broken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import corpora

from metrologue.comparison.libraries import Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Bleu

Corpus = tuple[list[str], list[list[str]]]


@dataclass(frozen=True)
class Setting:
    """One call of a library, and the field values that mirror it."""

    library: str
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-12

    def __str__(self) -> str:
        return ",".join([self.library, *(f"{key}={value}" for key, value in self.options.items())]).replace(" ", "")

    def scorer(self) -> Bleu:
        return Bleu.variant(self.library, **self.fields)

    def live(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
        library = get_library(self.library)
        status = library.status()
        if isinstance(status, Missing):
            pytest.skip(str(status))
        return library.scores("bleu", predictions, references, **self.options)


# What the contract does not draw: weights of 0, tokens of another kind, and weights that nltk knows for its defaults.
SPECIAL = [
    Setting("nltk", {"weights": (0, 0, 0.25)}, {"weights": (0, 0, 0.25)}),
    Setting("nltk", {"tokenize": "characters"}, {"tokenizer": "every-character"}),
    Setting("nltk", {"auto_reweigh": True}, {"auto_reweigh": True}),
    *(
        Setting("nltk", {"smooth": f"method{method}", "auto_reweigh": True}, {"smoothing": name, "auto_reweigh": True})
        for method, name in enumerate(("floor", "add-k", "exp", "chen-cherry-4"), start=1)
    ),
    Setting("nltk", {"auto_reweigh": True, "max_order": 3}, {"auto_reweigh": True, "max_order": 3}),
    Setting("torchmetrics", {"max_order": 3, "weights": (0.2, 0.5, 0.0)}, {"weights": (0.2, 0.5, 0.0)}, 1e-6),
]


@pytest.fixture(autouse=True, scope="module")
def every_character() -> None:
    """nltk is often fed with the characters of a text, blanks included."""
    from metrologue.text.tokenizers import register_tokenizer

    register_tokenizer("every-character", list, digest="list")


def same(ours: float, theirs: float, tolerance: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=0.0)


def assert_parity(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    theirs = setting.live(predictions, references)
    ours = setting.scorer().corpus(predictions, references).scores
    # sacrebleu's add-k adds to the counts that it reports; bleuscore's ratio of lengths is NaN where there is none.
    compared = [
        key
        for key in theirs
        if not ("count" in key and setting.options.get("smooth") == "add-k")
        and not (key == "length_ratio" and not ours["reference_length"])
    ]
    assert "bleu" in compared
    wrong = {key: (ours[key], theirs[key]) for key in compared if not same(ours[key], theirs[key], setting.tolerance)}
    assert not wrong


@pytest.mark.parametrize("setting", SPECIAL, ids=str)
@given(corpus=corpora())
def test_generated_corpora(setting: Setting, corpus: Corpus) -> None:
    assert_parity(setting, *corpus)


@pytest.mark.parametrize("setting", SPECIAL, ids=str)
@given(corpus=corpora())
def test_generated_segments(setting: Setting, corpus: Corpus) -> None:
    predictions, references = corpus
    ours = setting.scorer().segments(predictions, references)
    for value, prediction, own in zip(ours, predictions, references, strict=True):
        assert same(value, setting.live([prediction], [own])["bleu"], setting.tolerance)


@pytest.mark.parametrize("weights", [(0.25,) * 4, (0.5, 0.5), (0.2,) * 5, (1 / 6,) * 6], ids=len)
@pytest.mark.parametrize("method", [5, 6, 7])
@given(corpus=corpora(max_segments=1), reweighed=st.booleans())
def test_methods_of_one_segment(method: int, weights: tuple[float, ...], corpus: Corpus, reweighed: bool) -> None:
    """nltk's methods 5 to 7 read the segment's own texts."""
    if method == 6 and len(weights) < 3:
        with pytest.raises(InputError, match="3 or more under chen-cherry-6"):
            Bleu.variant("nltk", smoothing="chen-cherry-6", weights=weights)
        return
    scorer = Bleu.variant("nltk", smoothing=f"chen-cherry-{method}", weights=weights, auto_reweigh=reweighed)
    options = {"weights": weights, "smooth": f"method{method}", "auto_reweigh": reweighed}
    try:
        theirs = get_library("nltk").scores("bleu", *corpus, **options)["bleu"]
    except AssertionError:  # method6 asserts that there is a match of order 3
        with pytest.raises(InputError, match="no trigrams in common"):
            scorer.segments(*corpus)
        return
    assert same(scorer.segments(*corpus)[0], theirs, 1e-12)
    assert scorer.corpus(*corpus).value == scorer.segments(*corpus)[0]


def test_method_4_of_nltk_3_5() -> None:
    """An order n without a match counts n - 1 + k / ln(length) matches; one word has no logarithm to divide by."""
    scorer = Bleu.variant("nltk", smoothing="chen-cherry-4-sum")
    k, length = 5, 4
    precisions = [3 / 4, 1 / 3, (2 + k / math.log(length)) / 2, (3 + k / math.log(length)) / 1]
    expected = math.prod(precisions) ** 0.25
    assert math.isclose(scorer.corpus(["a b x d"], ["a b c d"]).value, expected, rel_tol=1e-12)
    with pytest.raises(InputError, match="one token in its predictions"):
        scorer.corpus(["a"], ["a b"])
    assert scorer.corpus(["x"], ["a b"]).value == 0


SHORT = [
    ["a"],
    ["a b"],
    ["a b c"],
    ["a x c"],
    ["a b c d"],
    ["x"],
    [""],
    ["a", "b"],
    ["a b", "c"],
    ["a", "", "b x", "c"],
]


@pytest.mark.parametrize("setting", SPECIAL[:-1], ids=str)
@pytest.mark.parametrize("predictions", SHORT, ids=" | ".join)
def test_hypotheses_of_few_words(predictions: list[str], setting: Setting) -> None:
    for reference in ("a b c", "a b c d e", "c", ""):
        assert_parity(setting, predictions, [[reference, "b x"]] * len(predictions))


class TestBrokenLibraries:
    """What a library gets wrong, pinned: the day this fails, the library has changed."""

    def test_nltk_hands_the_last_segment_to_methods_5_to_7(self) -> None:
        nltk = pytest.importorskip("nltk.translate.bleu_score", reason="nltk is not installed")
        first = (["a", "b", "c", "d", "e", "f", "g", "h"], [["a", "b", "c", "d", "e", "f", "x", "h"]])
        last = (["q", "r", "s", "t"], [["q", "r", "s", "t", "u", "w"]])
        method = nltk.SmoothingFunction().method5
        pooled = nltk.corpus_bleu([first[1], last[1]], [first[0], last[0]], smoothing_function=method)
        swapped = nltk.corpus_bleu([last[1], first[1]], [last[0], first[0]], smoothing_function=method)
        assert pooled != swapped  # a corpus score that depends on the order of the segments
        with pytest.raises(InputError, match="for one segment only"):
            Bleu.variant("nltk", smoothing="chen-cherry-5").corpus(
                ["a b c d e f g h", "q r s t"], ["a b c d e f x h", "q r s t u w"]
            )

    def test_pycocoevalcap_fails_above_order_4(self) -> None:
        """It counts to 4 whatever it is asked for; ours goes on by the same formula."""
        with pytest.raises(IndexError):
            get_library("pycocoevalcap").scores("bleu", ["a b c d e"], [["a b c d e"]], max_order=5)
        assert Bleu.variant("pycocoevalcap", max_order=5).corpus(["a b c d e"], ["a b c d e"]).value > 0.99

    def test_bleuscore_has_no_ratio_for_empty_references(self) -> None:
        live = get_library("bleuscore").scores("bleu", [""], [[""]])
        assert math.isnan(live["length_ratio"])
        assert Bleu.variant("bleuscore").corpus([""], [[""]]).scores["length_ratio"] == 0


@given(corpus=corpora())
def test_the_hub_is_bleuscore_but_for_blanks_and_empty_text(corpus: Corpus) -> None:
    """Our two variants differ in nothing else but the last bit. Tests of the modules have the Hub's own module."""
    control = set("\x1c\x1d\x1e\x1f")
    predictions, references = corpus
    assume(not control & set("".join([*predictions, *(text for own in references for text in own)])))
    twin = Bleu.variant("bleuscore").corpus(*corpus)
    if twin.scores["hypothesis_length"] and twin.scores["reference_length"]:
        found = Bleu.variant("evaluate").corpus(*corpus).scores
        assert found == pytest.approx(twin.scores, rel=1e-14, abs=0)  # the order of operations differs
    else:
        with pytest.raises(InputError, match="divides by zero"):
            Bleu.variant("evaluate").corpus(*corpus)


def test_sentences_are_those_of_sentence_bleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    texts = ["a b", "the cat sat on the mat", "", "a", "so it is, then"]
    references = [["a b c"], ["the cat is on the mat", "a cat sat"], ["a"], ["a"], ["it is so"]]
    found = Bleu.variant("sacrebleu-sentence").segments(texts, references)
    live = [sacrebleu.sentence_bleu(text, own).score for text, own in zip(texts, references, strict=True)]
    assert found.tolist() == pytest.approx(live, rel=1e-12, abs=0)
    assert found.tolist() != pytest.approx(Bleu().segments(texts, references).tolist())
