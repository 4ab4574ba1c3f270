"""ROUGE against its definition, its own laws, the paper's examples, and the ways in which several references join."""

from __future__ import annotations

from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, corpora_of, token_lists

from metrics.rouge import plain
from metrologue.errors import InputError
from metrologue.scorers import Rouge
from metrologue.scorers.rouge import MEASURES, rouge
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]
Summary = list[list[str]]

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS2", "rougeSU4", "rougeS*", "rougeSU*")


def numbers(rouge: Rouge, prediction: str, references: list[str], name: str) -> tuple[float, ...]:
    scores = rouge.corpus([prediction], [references]).scores
    return tuple(scores[f"{name}_{measure}"] for measure in MEASURES)


GAPS = {"0": 0, "2": 2, "*": None}


def definitions(ours: Summary, theirs: Summary, weight: float, beta: float) -> dict[str, plain.Score]:
    hypothesis, reference = ([token for sentence in summary for token in sentence] for summary in (ours, theirs))
    return {
        **{f"rouge{n}": plain.overlap(plain.ngrams(hypothesis, n), plain.ngrams(reference, n), beta) for n in (1, 3)},
        "rougeL": plain.rouge_l(hypothesis, reference, beta),
        "rougeLsum": plain.rouge_l_summary(ours, theirs, beta),
        "rougeW": plain.rouge_w(hypothesis, reference, weight, beta),
        **{
            f"rougeS{unigrams}{name}": plain.overlap(
                *(plain.skip_bigrams(text, gap, bool(unigrams)) for text in (hypothesis, reference)), beta
            )
            for name, gap in GAPS.items()
            for unigrams in ("", "U")
        },
    }


@given(
    corpus=corpora_of(st.lists(token_lists, max_size=3)),
    beta=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    weight=st.sampled_from([1.0, 1.2, 2.0]),
)
def test_definition(corpus: tuple[list[Summary], list[list[Summary]]], beta: float, weight: float) -> None:
    """Every type of the paper: of each pair of summaries, of several references, and of the corpus."""
    own = [[definitions(ours, theirs, weight, beta) for theirs in others] for ours, others in zip(*corpus, strict=True)]
    paper = Rouge.variant(
        "paper-2004", types=(*own[0][0],), tokenizer="whitespace", lcs_of="texts", beta=beta, lcs_weight=weight
    )
    predictions, references = [*map(written, corpus[0])], [[*map(written, others)] for others in corpus[1]]
    pairs = [(text, other) for text, others in zip(predictions, references, strict=True) for other in others]
    rows = paper.segment_scores(*map(list, zip(*pairs, strict=True)))
    for i, expected in enumerate(chain.from_iterable(own)):
        for name, values in expected.items():
            found = [rows[f"{name}_{measure}"][i] for measure in MEASURES]
            assert found == pytest.approx(values, rel=1e-12), name
    # Of two references whose F is the same, precision and recall may be those of either.
    rows, scores = paper.segment_scores(predictions, references), paper.corpus(predictions, references).scores
    for name in own[0][0]:
        joined = [plain.jackknife([each[name] for each in found])[2] for found in own]
        assert rows[f"{name}_fmeasure"] == pytest.approx(joined, rel=1e-12), name
        assert scores[f"{name}_fmeasure"] == pytest.approx(fmean(joined), rel=1e-12), name


def written(summary: Summary) -> str:
    """A sentence on each line."""
    return "\n".join(map(" ".join, summary))


@given(corpus=corpora())
def test_references_join_as_they_say(corpus: Corpus) -> None:
    rouge = Rouge(types=TYPES)
    for prediction, references in zip(*corpus, strict=True):
        alone = {name: [numbers(rouge, prediction, [own], name) for own in references] for name in TYPES}
        for name, each in alone.items():
            best = max(each, key=lambda found: found[2])
            assert numbers(rouge, prediction, references, name) == best
            average = numbers(Rouge(types=(name,), multi_reference="mean"), prediction, references, name)
            assert average == pytest.approx(np.mean(each, axis=0), rel=1e-14, abs=0)
            recalled = max(each, key=lambda found: found[1])
            assert (
                numbers(Rouge(types=(name,), multi_reference="best-recall"), prediction, references, name) == recalled
            )
            apart = numbers(Rouge(types=(name,), multi_reference="best-each"), prediction, references, name)
            assert apart[:2] == (max(found[0] for found in each), max(found[1] for found in each))
            sets = [each[:i] + each[i + 1 :] for i in range(len(each))] if len(each) > 1 else [each]
            left_out = np.mean([max(some, key=lambda found: found[2]) for some in sets], axis=0)
            jackknife = numbers(Rouge(types=(name,), multi_reference="jackknife"), prediction, references, name)
            assert jackknife[2] == pytest.approx(left_out[2], rel=1e-12, abs=0)


@given(corpus=corpora())
def test_a_reference_twice_changes_nothing(corpus: Corpus) -> None:
    predictions, references = corpus
    twice = [[*own, *own] for own in references]
    for join in ("best", "best-recall", "mean", "best-each"):
        rouge = Rouge(types=TYPES, multi_reference=join)
        once = rouge.corpus(predictions, references).scores
        assert rouge.corpus(predictions, twice).scores == pytest.approx(once, rel=1e-14, abs=0)


@pytest.mark.parametrize("variant", Rouge.variants())
def test_a_copy(variant: str) -> None:
    text = "the cat sat on the mat and looked at a dog. it was happy then\n"
    scores = Rouge.variant(variant).corpus([text], [[text]]).scores
    # ROUGE-1.5.5 raises the weights of a reference to the power twice, so that a copy has no full recall of W.
    perfect = {name: score for name, score in scores.items() if "rougeW" not in name or variant == "paper-2004"}
    assert perfect == pytest.approx(dict.fromkeys(perfect, 1.0), abs=1e-7)


class TestPaper:
    """Worked examples of Lin 2004."""

    paper = Rouge.variant("paper-2004", types=("rouge2", "rougeL", "rougeW", "rougeS*", "rougeSU*"), lcs_weight=2.0)
    police = "police killed the gunman"

    def test_weighted_subsequences(self) -> None:
        """Consecutive matches weigh more: 16 and 4 of 49, of which the root is 4/7 and 2/7."""
        x = "A B C D E F G"
        for y, value in (("A B C D H I K", 4 / 7), ("A H B K C I D", 2 / 7)):
            assert numbers(self.paper, y, [x], "rougeW") == pytest.approx((value,) * 3)
            assert numbers(self.paper, y, [x], "rougeL") == pytest.approx((4 / 7,) * 3)

    def test_police(self) -> None:
        for text, lcs, skipped in (
            ("police kill the gunman", 0.75, 0.5),
            ("the gunman kill police", 0.5, 1 / 6),
            ("the gunman police killed", 0.5, 1 / 3),
        ):
            assert numbers(self.paper, text, [self.police], "rougeL")[2] == pytest.approx(lcs)
            assert numbers(self.paper, text, [self.police], "rougeS*")[2] == pytest.approx(skipped)

    def test_unigrams_save_a_text_without_a_common_pair(self) -> None:
        turned = "gunman the killed police"
        assert numbers(self.paper, turned, [self.police], "rougeS*") == (0, 0, 0)
        assert numbers(self.paper, turned, [self.police], "rougeSU*") == pytest.approx((0.4,) * 3)

    def test_union_over_sentences(self) -> None:
        found = numbers(Rouge(types=("rougeLsum",)), "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ["w1 w2 w3 w4 w5"], "rougeLsum")
        assert found[1] == 4 / 5


def test_a_gap_of_nothing_is_a_bigram() -> None:
    corpus = (["a b c a b d"], ["a b a c b d"])
    rouge = Rouge(types=("rouge2", "rougeS0", "rougeS*"))
    scores = rouge.corpus(*corpus).scores
    assert [scores[f"rougeS0_{m}"] for m in MEASURES] == [scores[f"rouge2_{m}"] for m in MEASURES]
    assert scores["rougeS*_recall"] > scores["rougeS0_recall"]


def test_what_is_read() -> None:
    """Length limits, stop words and stems, each against the text that they leave."""
    perl = Rouge.variant("rouge-1.5.5", types=("rouge1",))
    long, short = "one two three four five six", "one two three"
    for limit in ({"max_words": 3}, {"max_bytes": len(short)}):
        cut = Rouge.variant("rouge-1.5.5", types=("rouge1",), **limit)
        assert cut.corpus([long], [long]).scores == perl.corpus([short], [short]).scores
    assert Rouge(types=("rouge1",)).corpus(["he runs"], ["he ran runs running"]).scores["rouge1_recall"] == 0.5
    stemmed = Rouge(types=("rouge1",), stemmer="porter").corpus(["he running"], ["he ran runs running"])
    assert stemmed.scores["rouge1_recall"] == 0.5
    assert stemmed.scores["rouge1_precision"] == 1.0


def test_printed_figures() -> None:
    result = Rouge.variant("rouge-1.5.5").corpus(["a b c"], ["a b d"])
    assert result.printed["rouge1_fmeasure"] == "0.66667"
    assert float(result.printed["rouge1_fmeasure"]) == result.scores["rouge1_fmeasure"]
    library = Rouge().corpus(["a b c"], ["a b d"])
    assert library.printed["rouge1_fmeasure"] == repr(library.scores["rouge1_fmeasure"])


@pytest.mark.parametrize("references", [["a b d e f g"], ["a b d e f g", "d a e"]])
def test_rounded_f_of_the_best_of_each(references: list[str]) -> None:
    """With one reference and with several, as for every other rule."""
    rouge = Rouge(types=("rouge1",), multi_reference="best-each", round_digits=2)
    (fmeasure,) = rouge.segments(["a b c"], [references])
    assert fmeasure == 0.44


@given(
    pairs=st.lists(st.tuples(st.integers(0, 4000), st.integers(1, 4000)), min_size=1, max_size=30),
    digits=st.integers(0, 17),
)
def test_shares_are_rounded_as_printf_rounds(pairs: list[tuple[int, int]], digits: int) -> None:
    """Halves, which lie in the middle between two decimals or beside it, too."""
    shares = [(min(pair), max(pair)) for pair in pairs] + [(1, 8), (3, 8), (1, 16), (2675, 4000), (1, 400)]
    hits, totals = np.array(shares, float).T
    precision, *_ = rouge(hits, totals, totals, round_digits=digits)
    assert precision.tolist() == [float(f"{some / total:.{digits}f}") for some, total in shares]


def test_bootstraps_know_their_seed() -> None:
    predictions = ["a b c", "a x c", "q", "a b"] * 3
    references = ["a b d", "a b c", "q r", "b a"] * 3
    few = [Rouge.variant("evaluate", seed=seed, samples=3) for seed in (0, 0, 1)]
    first, again, other = (rouge.corpus(predictions, references).value for rouge in few)
    assert first == again != other
    assert "|seed=0|" in Rouge.variant("evaluate").signature
    whole = Rouge.variant("evaluate").corpus(predictions, references).scores
    rouge = Rouge.variant("evaluate")
    totals = rouge.accumulate(predictions[5:], references[5:], rouge.accumulate(predictions[:5], references[:5]))
    assert rouge.score_totals(totals).scores == whole


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"types": "rouge1"}, "`types` is 'rouge1'; a list"),
        ({"types": ()}, "a list of at least one type"),
        ({"types": ("rouge0",)}, "'rouge0' is no type; rouge1, rouge2 and so on"),
        ({"types": ("rougeS",)}, "'rougeS' is no type"),
        ({"types": ("rougeS-2",)}, "'rougeS-2' is no type"),
        ({"types": ("rougel",)}, "'rougel' is no type"),
        ({"stemmer": "snowball"}, "`stemmer` is 'snowball'; None or porter"),
        ({"max_words": 0}, "`max_words` is 0; None or an int from 1"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rouge(**fields)


@pytest.mark.parametrize(
    ("prediction", "reference", "where"), [("", "a", r"predictions\[1\]"), ("a", "..", r"references\[1\]")]
)
def test_what_a_library_refuses(prediction: str, reference: str, where: str) -> None:
    with pytest.raises(InputError, match=f"{where}.* has no sentence"):
        Rouge.variant("rouge").corpus(["x", prediction], [["x"], [reference]])


@pytest.mark.parametrize(
    "fields",
    [
        {"binary": True},
        {"lcs_tie_break": "skip-hypothesis"},
        {"lcs_weight": 2.0},
        {"weight_rule": "paper"},
        {"skip_unigrams": "begin"},
        {"lcs_of": "sentences"},
        {"sentences": "none"},
        {"beta": 2.0},
        {"f_epsilon": 0.5},
        {"round_digits": 2},
        {"multi_reference": "pooled"},
        {"aggregation": "mean-pr"},
    ],
)
@pytest.mark.parametrize("types", [TYPES, ("rougeW",)])
def test_scorers_of_the_same_segments_differ_as_they_should(types: tuple[str, ...], fields: dict[str, Any]) -> None:
    """What was counted for one scorer is not taken for another one that counts in another way."""
    corpus = (["a b a c\nb a d", "d c a b b"], [["b a a d\nc b", "a b c"], ["a b d\nc d a"]])
    segments = Segments(*corpus)
    plain, other = Rouge(types=types), Rouge(types=types, **fields)
    before = plain.corpus(segments).scores
    after = other.corpus(segments).scores
    assert after == other.corpus(*corpus).scores
    if types == TYPES:
        assert after != before


@pytest.mark.parametrize(
    ("fields", "symmetric"),
    [
        ({}, {"rouge1_fmeasure", "rougeL_fmeasure"}),
        ({"beta": 1.2}, set()),
        ({"max_bytes": 75}, set()),
        ({"lcs_of": "sentences"}, {"rouge1_fmeasure"}),
    ],
)
def test_which_numbers_do_not_depend_on_which_text_comes_first(fields: dict[str, Any], symmetric: set[str]) -> None:
    rouge = Rouge(types=("rouge1", "rougeL", "rougeLsum"), **fields)
    assert {*filter(rouge._symmetric, rouge.range)} == symmetric


def test_the_definition_of_weighted_subsequences() -> None:
    """Both shares are raised to the inverse of the weight."""
    precision, recall, fmeasure = rouge(np.array([4.0]), np.array([9.0]), np.array([16.0]), lcs_weight=2.0)
    assert [precision[0], recall[0], fmeasure[0]] == pytest.approx([2 / 3, 1 / 2, 4 / 7])
