"""RIBES against what RIBES.py printed and nltk 3.8.1 returned, the numbers of the literature, and nltk's parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from compared import compared
from hypothesis import given
from strategies import token_lists

from metrologue.errors import InputError
from metrologue.scorers import Ribes
from metrologue.segments import Segments

PRINTED, RETURNED = (
    json.loads(Path(__file__).with_name(name).read_text("utf-8")) for name in ("ribes-1.03.json", "nltk-3.8.1.json")
)


def as_printed(scorer: Ribes, predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
    segments = [f"{value:.6f}" for value in scorer.segments(predictions, references)]
    return {"segments": segments, "corpus": f"{scorer.corpus(predictions, references).value:.6f}"}


@pytest.mark.parametrize(
    ("options", "fields"),
    [("", {}), ("-c", {"lowercase": False}), ("-a 0.5 -b 0.2", {"alpha": 0.5, "beta": 0.2})],
)
def test_the_program_as_it_prints(options: str, fields: dict[str, Any]) -> None:
    scorer, texts = Ribes.variant("ribes-1.03", **fields), (PRINTED["predictions"], PRINTED["references"])
    assert as_printed(scorer, *texts) == PRINTED["runs"][options]
    compared(len(texts[0]) + 1)


def test_references_without_words_as_the_program_skips_them() -> None:
    """It prints minus infinity where there is no other reference, and leaves this segment out of the mean."""
    printed, scorer = PRINTED["blank_runs"]["-z"], Ribes(empty_reference="skip")
    ours = as_printed(scorer, PRINTED["blank_predictions"], PRINTED["blank_references"])
    assert ours["corpus"] == printed["corpus"]
    assert ours["segments"] == ["0.000000" if value == "-inf" else value for value in printed["segments"]]
    assert printed["segments"].count("-inf") == 1
    compared(len(printed["segments"]))
    # In batches too, and one of them may have no segment that counts.
    totals = scorer.accumulate(["a b"], [""])
    totals = scorer.accumulate(["b a c"], ["a b c"], totals)
    assert scorer.score_totals(totals).value == scorer.corpus(["b a c"], ["a b c"]).value
    corpus = Ribes(empty_reference="skip", aggregation="corpus")
    assert corpus.corpus(["a b", "b a c"], ["", "a b c"]).scores == corpus.corpus(["b a c"], ["a b c"]).scores
    with pytest.raises(InputError, match="`references` have no words in any segment"):
        scorer.corpus(["a b", "c"], ["", " "])


def test_nltk_3_8_1_as_it_was() -> None:
    scorer, texts = Ribes.variant("nltk-3.8.1"), (RETURNED["predictions"], RETURNED["references"])
    assert scorer.segments(*texts) == pytest.approx(RETURNED["segments"], rel=1e-12, abs=0)
    assert scorer.corpus(*texts).value == pytest.approx(RETURNED["corpus"], rel=1e-12, abs=0)
    compared(len(RETURNED["segments"]) + 1)


def test_the_recorded_texts_tell_the_variants_apart() -> None:
    texts = PRINTED["predictions"], PRINTED["references"]
    fields: list[dict[str, Any]] = [
        {},
        {"first_context": "right"},
        {"whole_left_context": False},
        {"single_word_matches": False},
        {"lowercase": False},
        {"correlation": "kendall-runs"},
    ]
    assert len({Ribes(**each).corpus(*texts).value for each in fields}) == len(fields)


HISTORY = "he read the book because he was interested in world history"
BOOK = "he was interested in world history because he read the book"


@pytest.mark.parametrize(
    ("prediction", "reference", "program", "nltk", "old"),
    [
        # The paper's example. The program finds "because he" for both "he".
        (HISTORY, BOOK, 17 / 55, 21 / 55, 21 / 55),
        ("Bob hit John yesterday", "John hit Bob yesterday", 0.5, 0.5, 0.0),
        ("a c b d e", "a b c d e", 0.9, 0.9, 0.1),
        ("a x b c d", "a b c d", 0.8**0.25, 0.8**0.25, 0.8**0.25),
        ("on the mat sat the cat", "the cat sat on the mat", 4 / 15, 4 / 15, 4 / 15),
        ("a", "a", 1.0, 0.0, 0.0),
        ("a", "a b", 0.0, 0.0, 0.0),
        # The whole text is unique; it tells the first word and the last one.
        ("a a a", "a a a", (2 / 3) ** 0.25, 0.0, 0.0),
    ],
)
def test_worked_numbers(prediction: str, reference: str, program: float, nltk: float, old: float) -> None:
    for variant, value in (("ribes-1.03", program), ("nltk", nltk), ("nltk-3.8.1", old)):
        assert Ribes.variant(variant).corpus([prediction], [reference]).value == pytest.approx(value, rel=1e-12)


@given(hypothesis=token_lists, reference=token_lists)
def test_the_ranks_are_nltks(hypothesis: list[str], reference: list[str]) -> None:
    from nltk.translate.ribes_score import word_rank_alignment

    ranks = Ribes.variant("nltk").ranks(" ".join(hypothesis), " ".join(reference)).ranks
    assert ranks[ranks >= 0].tolist() == word_rank_alignment(reference, hypothesis)


def test_spearman_is_nltks_rho() -> None:
    """nltk's function takes places in the reference for ranks: they agree if all words of the reference are found."""
    from nltk.translate.ribes_score import spearman_rho

    scorer = Ribes.variant("nltk", correlation="spearman", alpha=0, beta=0)
    ranks = scorer.ranks(HISTORY, BOOK).ranks
    assert scorer.corpus([HISTORY], [BOOK]).value == pytest.approx(spearman_rho([*ranks.tolist()]), rel=1e-12)
    # Places 5, 0, 2, 6 are the ranks 2, 0, 1, 3: the squared differences are 4, 1, 1, 0, and rho is 1 - 6·6/60.
    assert scorer.corpus(["c x a b d"], ["a y b z z c d"]).value == pytest.approx(0.7, rel=1e-12)


def test_nltk_refuses_long_texts_and_we_do_not() -> None:
    from nltk.translate.ribes_score import sentence_ribes

    long = [f"w{number}" for number in range(2001)]
    with pytest.raises(ValueError, match="MAX_ALIGNMENT_LEN"):
        sentence_ribes([long], long)
    assert Ribes.variant("nltk").corpus([" ".join(long)], [" ".join(long)]).value == 1.0


def test_input_that_has_no_score() -> None:
    with pytest.raises(InputError, match=r"`references\[1\]` has no words.*choose empty_reference='zero'"):
        Ribes().corpus(["a", "b"], [["a"], ["b", " "]])
    with pytest.raises(InputError, match=r"`predictions\[1\]` has no words.*choose empty_hypothesis='zero'"):
        Ribes.variant("nltk-3.8.1").corpus(["a", ""], ["a", "b"])
    later = Segments(["a", "b"], ["a", ""]).placed(5)
    with pytest.raises(InputError, match=r"`references\[6\]` has no words"):
        Ribes().statistics(later)
    with pytest.raises(InputError, match=r"`alpha` is -0\.5; a finite number from 0"):
        Ribes(alpha=-0.5)
    with pytest.raises(InputError, match="`correlation` is 'pearson'; kendall or kendall-runs or spearman"):
        Ribes(correlation="pearson")
    with pytest.raises(InputError, match="`references` are missing"):
        Ribes().corpus(["a"])
