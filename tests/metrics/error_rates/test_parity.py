"""The error rates against every live library where the contract does not go: alignments, long and empty texts."""

from __future__ import annotations

import math
import random

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import blank_corpora, corpora, texts

from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import CharacterErrorRate, WordErrorRate, get_scorer
from metrologue.scorers.families import error_rates
from metrologue.segments import Segments

RATES = ("wer", "cer", "mer", "wil", "wip")
Newstest = tuple[dict[str, list[str]], list[str]]
generated = st.one_of(corpora(max_references=1), blank_corpora).map(
    lambda corpus: (corpus[0], [text for (text,) in corpus[1]])
)


def live(name: str) -> Library:
    library = get_library(name)
    status = library.status()
    if isinstance(status, Missing):
        pytest.skip(f"{name}: {status}")
    return library


def assert_parity(name: str, metric: str, predictions: list[str], references: list[str], tolerance: float) -> None:
    scorer = get_scorer(metric).variant(name)
    theirs = live(name).scores(metric, predictions, references)
    if not math.isfinite(theirs[metric]):
        with pytest.raises(InputError, match="would divide by zero"):
            scorer.corpus(predictions, references)
        return
    ours = scorer.corpus(predictions, references).scores
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, rel=tolerance, abs=0 if name == "jiwer" else 1e-6), key


@pytest.mark.parametrize("metric", RATES)
@pytest.mark.parametrize("name", ["jiwer", "torchmetrics"])
def test_newstest(name: str, metric: str, newstest: Newstest) -> None:
    systems, reference = newstest
    few = slice(None) if name == "jiwer" else slice(50)  # torchmetrics fills a table in Python
    for system in list(systems)[::8]:
        assert_parity(name, metric, systems[system][few], reference[few], 0 if name == "jiwer" else 1e-5)


@given(prediction=texts(max_pieces=40), reference=texts(max_pieces=40))
def test_the_alignment_is_jiwers(prediction: str, reference: str) -> None:
    for scorer, process in (
        (WordErrorRate(), jiwer.process_words),
        (CharacterErrorRate(), jiwer.process_characters),
    ):
        found = process(reference, prediction)
        edits = scorer.edits(prediction, reference)
        assert list(edits.reference) == found.references[0]
        assert list(edits.hypothesis) == found.hypotheses[0]
        assert [tuple(step) for step in edits.operations] == steps(found.alignments[0])


def steps(chunks: list[jiwer.AlignmentChunk]) -> list[tuple[str, int, int]]:
    """jiwer's chunks, one step each."""
    kinds = {"equal": "H", "substitute": "S", "insert": "I", "delete": "D"}
    found = []
    for chunk in chunks:
        ours, theirs = range(chunk.hyp_start_idx, chunk.hyp_end_idx), range(chunk.ref_start_idx, chunk.ref_end_idx)
        for k in range(max(len(ours), len(theirs))):
            found.append((kinds[chunk.type], ours.start + k * (len(ours) > 0), theirs.start + k * (len(theirs) > 0)))
    return found


@pytest.mark.parametrize(("length", "edits"), [(3_000, 900), (5_000, 40), (2_100, 2_100)])
def test_long_texts_are_cut_as_rapidfuzz_cuts_them(length: int, edits: int) -> None:
    chance = random.Random(length)
    reference = chance.choices("abcd", k=length)
    prediction = [*reference]
    for _ in range(edits):
        place = chance.randrange(len(prediction))
        prediction[place : place + chance.randrange(2)] = chance.choices("abcd", k=chance.randrange(2))
    pair = [" ".join(prediction)], [" ".join(reference)]
    assert_parity("jiwer", "wer", *pair, tolerance=0)


CASES = [
    ("", ""),
    ("a b", ""),
    ("", "a b"),
    (" ", "\u3000"),
    ("a", "a"),
    ("\ta", "a\n"),
    ("a\tb", "a b"),
    ("a\t b", "a b"),
]


@pytest.mark.parametrize("pair", CASES)
@pytest.mark.parametrize("metric", RATES)
@pytest.mark.parametrize("name", ["jiwer", "torchmetrics"])
def test_empty_texts_and_blanks(name: str, metric: str, pair: tuple[str, str]) -> None:
    assert_parity(name, metric, [pair[0]], [pair[1]], 0 if name == "jiwer" else 1e-6)


@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_the_hub_divides_by_what_all_references_have(metric: str) -> None:
    scorer = get_scorer(metric).variant("evaluate")
    assert (
        scorer.corpus(["a b", "c"], ["", "c"]).value
        == get_scorer(metric).variant("jiwer").corpus(["a b", "c"], ["", "c"]).value
    )
    with pytest.raises(InputError, match="the corpus has no unit in its references"):
        scorer.corpus(["a b", "c"], ["", " "])
    with pytest.raises(InputError, match="segment 0, counted from 0, has no unit in its references"):
        scorer.segments(["a b", "c"], ["", "c"])


def test_hits_of_one_distance() -> None:
    pair = ["the cat sit on mat today"], ["the cat sat on the mat"]
    hits = {rule: WordErrorRate(hits=rule).corpus(*pair).scores for rule in ("fewest", "aligned", "most")}
    assert [found["hits"] for found in hits.values()] == [3, 3, 4]
    assert [found["wer"] for found in hits.values()] == [0.5] * 3
    assert hits["most"]["mer"] == 3 / 7
    assert hits["most"]["wip"] == (4 / 6) * (4 / 6)


@given(corpus=generated)
def test_rules_for_hits_are_in_order(corpus: tuple[list[str], list[str]]) -> None:
    fewest, aligned, most = (WordErrorRate(hits=rule).segment_scores(*corpus) for rule in ("fewest", "aligned", "most"))
    assert (fewest["hits"] <= aligned["hits"]).all()
    assert (aligned["hits"] <= most["hits"]).all()
    for key in ("wer", "hypothesis_length", "reference_length"):
        np.testing.assert_array_equal(fewest[key], most[key])
        np.testing.assert_array_equal(aligned[key], most[key])
    for found in (fewest, aligned, most):
        assert all((found[key] >= 0).all() for key in ("hits", "substitutions", "deletions", "insertions"))


@given(prediction=texts(), reference=texts())
def test_the_alignment_with_the_most_hits(prediction: str, reference: str) -> None:
    scorer = WordErrorRate(hits="most")
    kinds = [step.kind for step in scorer.edits(prediction, reference).operations]
    counts = scorer.statistics(Segments([prediction], [reference]))[0, :4]
    assert counts.tolist() == [kinds.count(kind) for kind in "HSDI"]


@pytest.mark.parametrize("metric", RATES)
@given(corpus=corpora())
def test_several_references(metric: str, corpus: tuple[list[str], list[list[str]]]) -> None:
    scorer = get_scorer(metric)()
    higher = scorer.higher_is_better[metric]
    rows = scorer.statistics(Segments(*corpus))
    for prediction, own, row in zip(*corpus, rows, strict=True):
        each = scorer.statistics(Segments([prediction] * len(own), own))
        rates = scorer.score(each)[metric]
        chosen = int(np.argmax(rates) if higher else np.argmin(rates))
        np.testing.assert_array_equal(row, each[chosen])


def test_fewest_errors_need_not_be_the_best_rate() -> None:
    pair = ["a b x y"], [["a b", "a b c d e f x y z z"]]
    assert WordErrorRate().corpus(*pair).scores["reference_length"] == 10
    assert WordErrorRate(multi_reference="fewest-errors").corpus(*pair).scores["reference_length"] == 2


def test_a_reference_that_does_not_count_may_have_no_rate() -> None:
    scorer = WordErrorRate.variant("evaluate")
    assert scorer.corpus(["a"], [["", "a"]]).value == 0
    with pytest.raises(InputError, match="the corpus has no unit in its references"):
        scorer.corpus(["a"], [["", " "]])


def test_error_rates_of_one_text_align_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    segments, expected = Segments(["a b x"], [["a b", "a b c"]]), {"wer": 1 / 3, "mer": 1 / 3, "wil": 1 / 3}
    values = {"wer": get_scorer("wer")().corpus(segments).value}
    monkeypatch.setitem(error_rates.HITS, "aligned", None)
    values |= {name: get_scorer(name)().corpus(segments).value for name in ("mer", "wil")}
    assert values == pytest.approx(expected)
