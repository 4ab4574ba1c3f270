"""The matrix of every hypothesis with every reference has the scores that `segments` gives for each pair."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from amounts import everyday
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import data_of, made, provide
from numpy.typing import NDArray
from strategies import related_texts

import metrologue
from metrologue.errors import InputError
from metrologue.scorers import (
    Bleu,
    Chrf,
    Cider,
    Dice,
    EditDistance,
    Gtm,
    Hlepor,
    Masi,
    Meteor,
    NistMt,
    Ribes,
    Rouge,
    Scorer,
    Ter,
    WordErrorRate,
    WordInformationPreserved,
    get_scorer,
    list_scorers,
)
from metrologue.scorers.core import pairwise
from metrologue.segments import Segments

Floats = NDArray[np.float64]

COMPARING = [
    name for name in list_scorers() for kind in [get_scorer(name)]
    if kind.about.two_texts and not kind.about.by_index
    and {each.name for each in kind.inputs if each.required} == {"predictions", "references"}
]  # fmt: skip
SPECIAL: dict[str, Scorer] = {
    "bleu-nine": Bleu(reference_length="average", lowercase=True, max_order=9, smoothing="add-k", aggregation="mean"),
    "bleu-chen-cherry": Bleu(reference_length="longest", weights=(0, 0, 0.25), smoothing="chen-cherry-4"),
    "chrf-even": Chrf(beta=1.0, word_order=1, lowercase=True),
    "chrf-mixed": Chrf(average="fscore", drop_unmatched=True, min_char_order=2, whitespace=True, char_order=9),
    "dice-bags": Dice(order=2, binary=False),
    "edit-distance-costs": EditDistance(insertion_cost=0.5, deletion_cost=2.0, transpositions="any"),
    "edit-distance-even": EditDistance(insertion_cost=0.3, deletion_cost=0.3, normalization="longer"),
    "edit-distance-graphemes": EditDistance(normalization="sum", tokenizer="graphemes", beam=2),
    "gtm-2": Gtm(exponent=2.0, multi_reference="best"),
    "hlepor-orders": Hlepor(max_order=3, context=1),
    "masi-means": Masi(multi_reference="mean", lowercase=True),
    "meteor-paper": Meteor.variant("nltk", aligner="paper", stages=("exact", "stem"), weights=(0.9, 0.5)),
    "meteor-protocol": Meteor.variant("nltk", stages=("exact",), weights=(1.0,), protocol=True),
    "nist-best-each": NistMt(multi_reference="best-each-order", empty="zero"),
    "rouge-bytes": Rouge(types=("rougeSU*", "rougeW"), max_bytes=20, sentences="period", lcs_of="sentences"),
    "rouge-many": Rouge(types=("rouge3", "rougeW", "rougeS*"), weight_rule="paper", binary=True, round_digits=3),
    "ter-options": Ter(normalized=True, no_punct=True, asian_support=True, references_twice=True, max_candidates=3),
    "wer-words": WordErrorRate(tokenizer="whitespace", hits="most"),
    "wip-fewest": WordInformationPreserved(hits="fewest", tokenizer="unicode-words"),
}  # fmt: skip
# Every variant of every metric, and fields that no variant has.
ALL: dict[str, Scorer] = {
    f"{name}-{variant}": made(name, variant) for name in COMPARING for variant in get_scorer(name).variants()
} | SPECIAL  # fmt: skip
# Lists of n-grams, of matches in order, of edits, of shifts, of weights, of sets.
EVERYDAY = [
    Bleu(), Bleu.variant("nltk"), Chrf(), Chrf.variant("torchmetrics"), Rouge(), Rouge.variant("rouge-1.5.5"),
    WordErrorRate(), EditDistance(), EditDistance(transpositions="adjacent"), Ter(), Cider.variant("pycocoevalcap"),
    NistMt(empty="zero"), Dice(), Masi(),
]  # fmt: skip
EACH = everyday(
    ALL, {*SPECIAL, *(f"{name}-{next(iter(get_scorer(name).variants()))}" for name in COMPARING)}.__contains__
)
WORDS = ["the cat sat on the mat", "a cat sat on the mat .", "the the the cat", "dogs bark", "a b c d e", "mat", "é ü"]


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def fitted(scorer: Scorer, references: list[str]) -> Scorer:
    return scorer if scorer._is_fitted else scorer.fit(Segments(references, references))


def one_by_one(scorer: Scorer, hypotheses: list[str], references: list[str]) -> Floats | None:
    """The score of each pair; None if a pair has none."""
    try:
        scorer = fitted(scorer, references)._narrowed()
        return np.array([[scorer.segments([text], [other])[0] for other in references] for text in hypotheses])
    except InputError:
        return None


def agrees(scorer: Scorer, hypotheses: list[str], references: list[str]) -> None:
    """The matrix is that of the pairs, to the last bit; or both are refused."""
    for given_references in (references, None):
        expected = one_by_one(scorer, hypotheses, given_references or hypotheses)
        if expected is None:
            with pytest.raises(InputError):
                scorer.pairwise(hypotheses, given_references)
        else:
            found = scorer.pairwise(hypotheses, given_references)
            assert isinstance(found, np.ndarray)
            assert found.dtype == np.float64
            np.testing.assert_allclose(found, expected, rtol=0, atol=scorer.about.tolerance)


@pytest.mark.parametrize("scorer", EVERYDAY, ids=lambda scorer: scorer.signature[:40])
@settings(max_examples=10)
@given(texts=related_texts(6))
def test_generated_text(scorer: Scorer, texts: list[str]) -> None:
    agrees(scorer, texts[:3], texts[3:])


@pytest.mark.parametrize("key", EACH)
def test_every_scorer(request: pytest.FixtureRequest, key: str) -> None:
    provide(request, data_of(ALL[key].name))
    agrees(ALL[key], WORDS[:4], WORDS[3:])


@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_scorer_on_generated_text(request: pytest.FixtureRequest, key: str, data: st.DataObject) -> None:
    provide(request, data_of(ALL[key].name))
    texts = data.draw(related_texts(7))
    agrees(ALL[key], texts[:3], texts[3:])


@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
def test_every_scorer_on_real_text(request: pytest.FixtureRequest, newstest: Any, key: str) -> None:
    provide(request, data_of(ALL[key].name))
    systems, references = newstest
    agrees(ALL[key], next(iter(systems.values()))[:12], references[:15])


@pytest.mark.parametrize("key", EACH)
def test_symmetric_numbers(request: pytest.FixtureRequest, key: str) -> None:
    """Half of the pairs are computed where a number does not depend on which text comes first."""
    provide(request, data_of(ALL[key].name))
    for number in filter(ALL[key]._symmetric, ALL[key].range):
        texts = WORDS[:6]  # some variants refuse a text without words of ASCII
        whole = ALL[key].pairwise(texts, texts, key=number)
        np.testing.assert_array_equal(whole, whole.T)
        np.testing.assert_array_equal(ALL[key].pairwise(texts, key=number), whole)


def test_some_numbers_are_symmetric() -> None:
    assert EditDistance()._symmetric("edit_distance")
    assert Rouge()._symmetric("rougeL_fmeasure")
    assert Chrf(beta=1)._symmetric("chrf")
    assert not Chrf()._symmetric("chrf")
    assert not EditDistance(insertion_cost=2)._symmetric("edit_distance")


@pytest.mark.parametrize("scorer", EVERYDAY, ids=lambda scorer: scorer.signature[:40])
@pytest.mark.parametrize("most", [1, 3, 8, 100])
def test_blocks_and_threads(scorer: Scorer, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix depends neither on the blocks in which it is computed, nor on the threads."""
    expected = [scorer.pairwise(WORDS, WORDS[:5]), scorer.pairwise(WORDS)]
    monkeypatch.setattr(pairwise, "_MOST_PAIRS", most)
    for threads in (1, 2, 3):
        found = [scorer.pairwise(WORDS, WORDS[:5], threads), scorer.pairwise(WORDS, threads=threads)]
        for matrix, same in zip(found, expected, strict=True):
            np.testing.assert_array_equal(matrix, same)


@pytest.mark.parametrize(
    "scorer", [each for each in EVERYDAY if not each.takes("sets")], ids=lambda scorer: scorer.signature[:40]
)
@pytest.mark.parametrize("most", [2, 7, 1000])
def test_groups(scorer: Scorer, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each group has the matrix that it has alone, with one table for all of them."""
    monkeypatch.setattr(pairwise, "_MOST_PAIRS", most)
    hypotheses, references = [WORDS[:3], WORDS[3:4], WORDS[2:]], [WORDS[4:], WORDS[:1], WORDS[:2]]
    for its in (references, None):
        table = fitted(scorer, [text for group in its or hypotheses for text in group])
        found = scorer.pairwise(hypotheses, its)
        assert len(found) == 3
        for matrix, own, others in zip(found, hypotheses, its or hypotheses, strict=True):
            np.testing.assert_array_equal(matrix, table.pairwise(own, others))


def test_a_key_and_a_name() -> None:
    expected = Rouge().pairwise(WORDS, WORDS[:2], key="rouge2_recall")
    found = metrologue.pairwise("rouge", WORDS, WORDS[:2], key="rouge2_recall")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(
        metrologue.pairwise("bleu", WORDS, variant="nltk", max_order=2),
        Bleu.variant("nltk", max_order=2).pairwise(WORDS),
    )
    np.testing.assert_array_equal(metrologue.pairwise(Chrf(), WORDS), Chrf().pairwise(WORDS))


def test_a_fitted_table_is_used() -> None:
    fit = Cider.variant("pycocoevalcap").fit(Segments(["a b", "c"], ["a cat", "the mat"]))
    expected = [[fit.segments([text], [other])[0] for other in WORDS[:2]] for text in WORDS]
    np.testing.assert_array_equal(fit.pairwise(WORDS, WORDS[:2]), expected)
    assert (fit.pairwise(WORDS) != Cider.variant("pycocoevalcap").pairwise(WORDS)).any()


def test_sets_of_labels() -> None:
    sets = [{"a", "b"}, ["a"], ["c", "a"]]
    expected = [[Dice().segments([one], [other])[0] for other in sets[:2]] for one in sets]
    np.testing.assert_array_equal(Dice().pairwise(sets, sets[:2]), expected)
    np.testing.assert_array_equal(Dice().pairwise(sets), Dice().pairwise(sets, sets))
    (first, second) = Masi().pairwise([sets, sets[:1]], [sets[:2], sets])
    np.testing.assert_array_equal(first, Masi().pairwise(sets, sets[:2]))
    np.testing.assert_array_equal(second, Masi().pairwise(sets[:1], sets))


def test_columns_of_other_libraries() -> None:
    import pyarrow as pa

    expected = Bleu().pairwise(WORDS, WORDS[:3])
    for kind in (tuple, np.array, pa.array):
        np.testing.assert_array_equal(Bleu().pairwise(kind(WORDS), kind(WORDS[:3])), expected)
    (found,) = Bleu().pairwise(pa.array([WORDS]), pa.array([WORDS[:3]]))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", [name for name in list_scorers() if name not in COMPARING])
def test_scores_that_are_not_of_one_pair(name: str) -> None:
    told = f"{name} is not a score of one text with one reference"
    kind = get_scorer(name)
    sources = kind.input("sources")
    if kind.about.two_texts and sources and sources.required and kind.input("references"):
        told = "`sources` are missing"
    if name == "metricx":  # with references or without them; it has no default model
        with pytest.raises(InputError, match="MetricX: `model` is missing"):
            get_scorer(name)().pairwise(["a"], ["b"])
        return
    with pytest.raises(InputError, match=f"pairwise: {told}"):
        get_scorer(name)().pairwise(["a"], ["b"])


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ([], ["a"], "Bleu.pairwise: `hypotheses` is empty"),
        (["a"], [], "Bleu.pairwise: `references` is empty"),
        ("a", ["a"], "Bleu.pairwise: `hypotheses` is a bare str 'a'"),
        (["a", None], ["a"], r"Bleu.pairwise: `hypotheses\[1\]` is None"),
        (["a"], ["b", 3], r"Bleu.pairwise: `references\[1\]` is int 3"),
        (["a", ["b"]], ["a"], r"Bleu.pairwise: `hypotheses\[1\]` is list .* but earlier items are strings"),
        ([["a"], "b"], [["a"], ["b"]], r"Bleu.pairwise: `hypotheses\[1\]` is str 'b' but earlier items are lists"),
        ([["a"], []], [["a"], ["b"]], r"Bleu.pairwise: `hypotheses\[1\]` is an empty list"),
        ([["a"], ["b"]], [["a"], []], r"Bleu.pairwise: `references\[1\]` is an empty list"),
        ([["a"], ["b"]], [["a"]], "Bleu.pairwise: 2 groups of `hypotheses`, but 1 groups of `references`"),
        (["a"], [["a"]], "`hypotheses` are one list of texts, but `references` are lists of texts"),
        ([["a"]], ["a"], "`hypotheses` are lists of texts, one for each group, but `references` are one list"),
        ([["a", 3]], [["a"]], r"Bleu.pairwise: `hypotheses\[0\]\[1\]` is int 3"),
    ],
)
def test_bad_input(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Bleu().pairwise(hypotheses, references)


def test_bad_options() -> None:
    with pytest.raises(InputError, match=r"Bleu.pairwise: no number is called 'blue'; did you mean 'bleu'"):
        Bleu().pairwise(["a"], key="blue")
    with pytest.raises(InputError, match="threads: 0 is not an int"):
        Bleu().pairwise(["a"], threads=0)


@pytest.mark.parametrize("most", [1, 4, 1000])
def test_the_pair_without_a_score_is_named(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairwise, "_MOST_PAIRS", most)
    place = r"\(the pair of `hypotheses\[0\]` and `references\[2\]`\)"
    with pytest.raises(InputError, match=rf"Ribes: `references\[2\]` has no words.*{place}"):
        Ribes().pairwise(["a b", "c", ""], ["a", "b", " ", "d"])
    place = r"\(the pair of `hypotheses\[1\]\[0\]` and `hypotheses\[1\]\[1\]`\)"
    with pytest.raises(InputError, match=rf"`hypotheses\[1\]\[1\]` has no words.*{place}"):
        Ribes().pairwise([["a b"], ["c", ""], ["d"]])
    with pytest.raises(InputError, match=r"2 units.*the pair of `hypotheses\[1\]` and `references\[0\]`"):
        EditDistance(max_length=1).pairwise(["a", "ab"], ["c"])


def test_texts_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from metrologue import segments

    counts = []

    def counted(texts: Any, reading: Any) -> Any:
        counts.append(len(texts))
        return original(texts, reading)

    original = segments.read
    monkeypatch.setattr(segments, "read", counted)
    monkeypatch.setattr(pairwise, "_MOST_PAIRS", 5)
    Meteor.variant("nltk", stages=("exact",), weights=(1.0,)).pairwise(WORDS, WORDS[:3])
    Chrf().pairwise([WORDS, WORDS[:2]])
    assert counts == [len(WORDS) + 3, len(WORDS) + 2]


def test_edit_distance_of_texts_of_any_length() -> None:
    """One word of bits, several of them, and the band of longer texts."""
    cdist = pytest.importorskip("rapidfuzz.process").cdist
    from rapidfuzz.distance import Levenshtein

    draw = np.random.default_rng(0)
    texts = ["".join(draw.choice([*"abcde"], size)) for size in (0, 1, 63, 64, 65, 128, 129, 300, 512, 513, 700)]
    np.testing.assert_array_equal(EditDistance().pairwise(texts), cdist(texts, texts, scorer=Levenshtein.distance))
    np.testing.assert_array_equal(EditDistance().pairwise(texts, texts[::-1]), EditDistance().pairwise(texts)[:, ::-1])


def test_memory_is_a_matrix_and_a_block() -> None:
    """What was counted for one block is gone before the next one."""
    import gc
    import tracemalloc

    texts = [f"{text} {number}" for number in range(100) for text in WORDS]
    gc.disable()  # whatever waits for it is counted
    try:
        tracemalloc.start()
        matrix = Bleu().pairwise(texts)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert isinstance(matrix, np.ndarray)
    assert peak < matrix.nbytes + 40 * 8 * pairwise._MOST_PAIRS * 4
