"""Cross-entropy, likelihood and perplexity against their definitions, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_model import WordModel
from strategies import probabilities, probability_lines, texts

import metrologue
from metrics.token_probabilities import plain
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.inference import confidence_interval, confidence_intervals, paired_test
from metrologue.language_models import NamedModel, TokenScores
from metrologue.scorers import CrossEntropy, Likelihood, Perplexity, Scorer
from metrologue.scorers.core.variants import short_signature
from metrologue.scorers.families.token_probabilities import TokenProbabilities
from metrologue.segments import Segments

SCORERS: tuple[type[TokenProbabilities], ...] = (CrossEntropy, Likelihood, Perplexity)
Rows = list[list[float]]
ragged = st.lists(st.lists(probabilities, max_size=6), min_size=1, max_size=5).filter(any)


def expected(scorer: type[TokenProbabilities], rows: Rows) -> float:
    capped = [[min(value, 1.0) for value in row] for row in rows]
    try:
        return float(getattr(plain, scorer.name)(capped))
    except OverflowError:
        return math.inf


@given(rows=ragged)
def test_definition(rows: Rows) -> None:
    for scorer in SCORERS:
        result = scorer().corpus(rows)
        # Powers of large exponents magnify the last bits of the exponent.
        assert result.value == pytest.approx(expected(scorer, rows), rel=1e-12, abs=1e-15)
        assert result.scores["tokens"] == sum(map(len, rows))
        assert result.scores["impossible"] == sum(value == 0 for row in rows for value in row)
        full = [row for row in rows if row]
        for value, row in zip(scorer().segments(full), full, strict=True):
            assert value == pytest.approx(expected(scorer, [row]), rel=1e-12, abs=1e-15)
        mean = scorer(aggregation="mean").corpus(full).value
        assert mean == pytest.approx(sum(expected(scorer, [row]) for row in full) / len(full), rel=1e-12, abs=1e-15)


@given(rows=ragged, base=st.sampled_from(["2", "e", "10", "1.5"]), of=st.sampled_from(["2", "e", "10", "7"]))
def test_logarithms_of_any_base(rows: Rows, base: str, of: str) -> None:
    number = {"2": 2.0, "e": math.e, "10": 10.0, "1.5": 1.5, "7": 7.0}
    logs = [[math.log(min(value, 1.0), number[of]) if value else -math.inf for value in row] for row in rows]
    scorer = CrossEntropy(values="log-probabilities", log_base=of, base=base)
    entropy = plain.cross_entropy([[min(value, 1.0) for value in row] for row in rows], number[base])
    scores = scorer.corpus(logs).scores
    assert scores["cross_entropy"] == pytest.approx(entropy, rel=1e-12, abs=1e-15)
    assert scores["likelihood"] == pytest.approx(expected(Likelihood, rows), rel=1e-12, abs=1e-15)


@given(corpus=probability_lines())
def test_lines_of_numbers_are_the_numbers(corpus: tuple[list[str], list[list[str]]]) -> None:
    lines = corpus[0]
    rows = [[float(item) for item in line.split()] for line in lines]
    for scorer in SCORERS:
        try:
            scores: Any = scorer().corpus(lines).scores
        except InputError:
            assert not any(rows)
            return
        assert scores == scorer().corpus(rows).scores
        for form in (pa.array(rows, pa.list_(pa.float64())), iter(rows), [np.array(row) for row in rows]):
            assert scorer().corpus(form).scores == scores


@given(data=st.data(), rows=ragged)
def test_masks_and_words_outside_of_the_vocabulary(data: st.DataObject, rows: Rows) -> None:
    flags = [st.lists(st.sampled_from([0, 1]), min_size=len(row), max_size=len(row)) for row in rows]
    mask, unknown = data.draw(st.tuples(*flags)), data.draw(st.tuples(*flags))
    inputs = {"mask": mask, "unknown": unknown}
    kept = [[own for own, on in zip(row, flag, strict=True) if on] for row, flag in zip(rows, mask, strict=True)]
    known = [
        [own for own, on, off in zip(row, flag, other, strict=True) if on and not off]
        for row, flag, other in zip(rows, mask, unknown, strict=True)
    ]
    for scorer in SCORERS:
        for oov, counted in (("include", kept), ("exclude", known)):
            if any(counted):
                scores = scorer(oov=oov).corpus(rows, **inputs).scores
                assert scores[scorer.name] == pytest.approx(expected(scorer, counted), rel=1e-12, abs=1e-15)
                assert scores["tokens"] == sum(map(len, kept))
                assert scores["oovs"] == sum(map(len, kept)) - sum(map(len, known))
            else:
                with pytest.raises(InputError, match="there are no tokens to score"):
                    scorer(oov=oov).corpus(rows, **inputs)
    if any(known):
        scores = Perplexity(oov="both").corpus(rows, **inputs).scores
        assert scores["perplexity"] == Perplexity().corpus(rows, **inputs).value
        assert scores["perplexity_excluding_oovs"] == Perplexity(oov="exclude").corpus(rows, **inputs).value


@given(rows=ragged, cut=st.integers(0, 5), threads=st.integers(1, 3))
def test_batches_and_threads(rows: Rows, cut: int, threads: int) -> None:
    for scorer in SCORERS:
        totals = scorer().accumulate(rows[:cut]) if rows[:cut] else None
        totals = scorer().accumulate(rows[cut:], totals=totals) if rows[cut:] else totals
        assert totals is not None
        whole = scorer().corpus(rows, threads=threads).scores
        assert scorer().score_totals(totals).scores == pytest.approx(whole, rel=1e-12)


def test_worked_numbers() -> None:
    """32 choices that are equally probable; 1, 2 and 3 bits; a binary forecast as GEval scores it."""
    scores = Perplexity().corpus([[1 / 32] * 5, [1 / 32]]).scores
    assert (scores["cross_entropy"], scores["perplexity"], scores["likelihood"]) == (5.0, 32.0, 0.03125)
    scores = CrossEntropy(base="e").corpus([[0.5, 0.25, 0.125]]).scores
    assert scores["cross_entropy"] == pytest.approx(1.386294, abs=5e-7)
    assert (scores["likelihood"], scores["perplexity"]) == (0.25, 4.0)
    likelihood = Likelihood(values="log-probabilities").corpus([[-0.31824]]).value
    assert likelihood == pytest.approx(0.72743, abs=5e-6)


def test_an_impossible_token() -> None:
    for rows, fields in (([[0.5, 0.0]], {}), ([[-1.0, -math.inf]], {"values": "log-probabilities"})):
        scores = Perplexity(**fields).corpus(rows).scores
        assert (scores["cross_entropy"], scores["perplexity"], scores["likelihood"]) == (math.inf, math.inf, 0.0)
        assert scores["impossible"] == 1
    assert Perplexity().corpus([[0.5, 0.0]], mask=[[1, 0]]).value == 2.0
    assert Perplexity(oov="exclude").corpus([[0.5, 0.0]], unknown=[[0, 1]]).value == 2.0
    assert Perplexity(aggregation="mean").corpus([[0.5], [0.0]]).value == math.inf
    assert Perplexity().segments([[0.5], [0.0]]).tolist() == [2.0, math.inf]
    with pytest.raises(InputError, match="perplexity is infinite under"):
        explain(Perplexity(), Perplexity(aggregation="mean"), [[0.0]], None)


def test_resamples() -> None:
    texts = [f"{0.3 + i % 5 / 10} 0.25 {0.9 - i % 3 / 5}" for i in range(20)]
    sure = Segments(texts)
    unsure = sure.with_predictions([text.replace("0.25", "0.01") for text in texts])
    impossible = sure.with_predictions(["0", *texts[1:]])
    for kind in SCORERS:
        for scorer in (kind(), kind(aggregation="mean"), kind(oov="both")):
            result = scorer.corpus(sure, confidence=0.95)
            assert result.interval is not None
            assert result.interval.low < result.value < result.interval.high
            assert result.intervals == confidence_intervals(scorer, scorer.statistics(sure))
            (test,) = paired_test(scorer, "sure", {"sure": sure, "unsure": unsure}, resamples=200)
            assert test.wins == 0.0
            assert not {*scorer._infinite} & confidence_intervals(scorer, impossible).keys()
            if scorer.primary in scorer._infinite:
                with pytest.raises(InputError, match="is infinite in a resample, so that it has no interval"):
                    confidence_interval(scorer, impossible)
                with pytest.raises(
                    InputError,
                    match=r"`systems\['impossible'\]`: its `.*` is infinite, so that no difference can be tested",
                ):
                    paired_test(scorer, "sure", {"sure": sure, "impossible": impossible}, resamples=200)


@given(rows=st.lists(st.lists(st.floats(-9, 0), min_size=1, max_size=40), min_size=1, max_size=4))
def test_sums_in_single_precision(rows: Rows) -> None:
    """The total of a text is rounded to 32 bits after each token; the totals of texts are added as doubles."""
    totals = []
    for row in rows:
        total = np.float32(0)
        for value in row:
            total = np.float32(total + np.float32(value))
        totals.append(float(total))
    scorer = Perplexity(precision="single", values="log-probabilities", log_base="10")
    mean = sum(totals) / sum(map(len, rows))
    assert scorer.corpus(rows).value == pytest.approx(10.0**-mean, rel=1e-15)


def test_the_power_is_that_of_c() -> None:
    from metrologue.scorers.families.token_probabilities import power

    exponents = np.random.default_rng(0).uniform(0, 5, 1000)
    assert power(10.0, exponents).tolist() == [math.pow(10.0, each) for each in exponents]


@pytest.fixture(params=[2.0, math.e, 10.0])
def model(request: pytest.FixtureRequest) -> WordModel:
    """Probabilities of 1/2, 1/4 and 1/8, and 1/16 for any other word, as logarithms to some base."""
    logs = [-bits * math.log(2) / math.log(request.param) for bits in (1, 2, 3, 4)]
    return WordModel(f"words@{request.param:.0f}", request.param, dict(zip("abc", logs, strict=False)), logs[3])


def test_a_model(model: WordModel) -> None:
    scorer = Perplexity(model=model, oov="both")
    assert scorer._unit == model.base
    scores = scorer.corpus(["a b c", "a x"]).scores
    assert scores["cross_entropy"] == pytest.approx(11 / 5, rel=1e-15)
    assert scores["perplexity_excluding_oovs"] == pytest.approx(2 ** (7 / 4), rel=1e-15)
    assert (scores["tokens"], scores["oovs"]) == (5, 1)
    assert scorer.statistics(Segments(["a b c"]))[0, 0] == pytest.approx(-6 * math.log(2) / math.log(model.base))
    assert Perplexity(model=model).corpus(["a b c"], mask=[[1, 1, 0]]).scores["cross_entropy"] == pytest.approx(1.5)
    totals = scorer.accumulate(["a x"], totals=scorer.accumulate(["a b c"]))
    assert scorer.score_totals(totals).scores == pytest.approx(scores, rel=1e-15)


LENGTHS = {"word": lambda text: len(text.split()), "character": len, "byte": lambda text: len(text.encode())}


@given(corpus=st.lists(texts(), min_size=1, max_size=4), per=st.sampled_from([*LENGTHS]))
def test_per_word_character_and_byte(corpus: list[str], per: str) -> None:
    model = WordModel("words@2", 2.0, {"a": -1.0, "the": -2.0}, -5.0)
    rows = [[2.0 ** model.known.get(word, -5.0) for word in text.split()] for text in corpus]
    each = [LENGTHS[per](text) for text in corpus]
    scorer = CrossEntropy(model=model, per=per)
    if not sum(each):
        with pytest.raises(InputError, match=f"there are no {per}s to score"):
            scorer.corpus(corpus)
        return
    scores = scorer.corpus(corpus).scores
    expected = plain.cross_entropy(rows, length=sum(each))
    assert scores["cross_entropy"] == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert scores["perplexity"] == pytest.approx(2.0**expected, rel=1e-12)
    assert scores["likelihood"] == pytest.approx(2.0**-expected, rel=1e-12)
    assert (scores[f"{per}s"], scores["tokens"]) == (sum(each), sum(map(len, rows)))
    if not all(each):
        with pytest.raises(
            InputError, match=rf"`predictions\[{each.index(0)}\]` has no {per}s to score; drop the text"
        ):
            scorer.segments(corpus)
        return
    means = [plain.cross_entropy([row], length=own) for row, own in zip(rows, each, strict=True)]
    assert scorer.segments(corpus).tolist() == pytest.approx(means, rel=1e-12, abs=1e-15)
    mean = CrossEntropy(model=model, per=per, aggregation="mean").corpus(corpus).value
    assert mean == pytest.approx(sum(means) / len(means), rel=1e-12, abs=1e-15)


def test_what_per_refuses(model: WordModel) -> None:
    with pytest.raises(InputError, match="`per` is 'byte', which needs a `model` that reads texts"):
        CrossEntropy(per="byte").corpus([[0.5]])
    with pytest.raises(InputError, match="`per` is 'word', which is for whole texts; drop the `mask`"):
        CrossEntropy(per="word", model=model).corpus(["a b"], mask=[[1, 0]])
    for oov in ("exclude", "both"):
        with pytest.raises(InputError, match="`per` is 'character'; 'token', or oov='include', is expected"):
            Perplexity(per="character", oov=oov)
    with pytest.raises(InputError, match="`per` is 'words'; token or word or character or byte is expected"):
        Perplexity(per="words")


def test_a_model_in_a_signature(model: WordModel) -> None:
    scorer = Perplexity(model=model)
    assert f"|model={model.name}|" in scorer.signature
    assert Scorer.from_signature(scorer.signature) == scorer == Scorer.from_signature(short_signature(scorer))
    assert Perplexity(model=model.name) == scorer
    missing = scorer.signature.replace(model.name, "other@0123")
    with pytest.raises(InputError, match=r"`model`: the language model 'other@0123' is not in use here; open it with"):
        Scorer.from_signature(missing)
    for wrong in (3, WordModel, [model]):
        with pytest.raises(InputError, match=r"^Perplexity: `model` is .*; None or a language model, its file or"):
            Perplexity(model=wrong)
    with pytest.raises(InputError, match="which cannot be part of a signature"):
        NamedModel.of(WordModel("a b", 2.0, {}, -1.0))


@pytest.mark.parametrize(
    ("predictions", "inputs", "message"),
    [
        (
            [[0.5], [0.5, 1.5]],
            {},
            r"`predictions\[1\]` has 1\.5 at index 1; a probability from 0 to 1 \(or",
        ),
        ([[-0.5]], {}, r"`predictions\[0\]` has -0\.5 at index 0; a probability from 0 to 1"),
        ([[0.5, math.nan]], {}, r"`predictions\[0\]\[1\]` is nan"),
        (["0.5", "0.5 nan"], {}, r"`predictions\[1\]` has nan at index 1; a probability"),
        ([[math.inf]], {}, r"`predictions\[0\]` has inf at index 0"),
        ([[], []], {}, "there are no tokens to score"),
        ([""], {}, "there are no tokens to score"),
        ([], {}, "no segments"),
        ([0.5, 0.25], {}, r"`predictions\[0\]` is float 0\.5; a list with the numbers of each text is expected"),
        ([[0.5], "0.5"], {}, r"`predictions\[1\]` is str '0\.5'; a list of numbers is expected"),
        ([["0.5"]], {}, r"`predictions\[0\]\[0\]` is str '0\.5'; a number is expected"),
        (["0.5", "0.5  the"], {}, r"`predictions\[1\]`, column 6: 'the' is not a number; numbers separated by white"),
        ([[0.5, 0.5]], {"mask": [[1]]}, r"`mask\[0\]` has 1 items, but there are 2 tokens"),
        ([[0.5], [0.5]], {"mask": [[1]]}, "2 predictions but 1 mask"),
        ([[0.5], [0.5]], {"unknown": [[1], [0.5]]}, r"`unknown\[1\]` has 0\.5 at index 0; 0 or 1 is expected"),
        ([[0.5]], {"mask": ["1"]}, r"`mask\[0\]` is str '1'; a list of numbers is expected"),
        ([[0.5]], {"mask": [[0]]}, "there are no tokens to score"),
    ],
)
def test_what_is_refused(predictions: Any, inputs: dict[str, Any], message: str) -> None:
    for scorer in SCORERS:
        with pytest.raises(InputError, match=message) as caught:
            scorer().corpus(predictions, **inputs)
        assert str(caught.value).startswith(scorer.__name__)


def test_bases_as_numbers() -> None:
    numbers = ((2, "2"), (10.0, "10"), (math.e, "e"), (np.float64(2), "2"), (2.5, "2.5"), ("3.0", "3"), ("1e3", "1000"))
    for number, name in numbers:
        scorer = CrossEntropy(base=number, log_base=number)
        assert scorer == CrossEntropy(base=name, log_base=name) == Scorer.from_signature(scorer.signature)
        assert f"|base={name}|" in scorer.signature
    for wrong in (1, 0.5, -2, True, math.nan, math.inf, "x", "", None, [2], 10**400):
        for field in ("base", "log_base"):
            with pytest.raises(InputError, match=rf"`{field}` is .*; 'e' or a number above 1 is expected"):
                CrossEntropy(**{field: wrong})


def test_other_predictions_with_the_same_masks() -> None:
    segments = Perplexity._to_segments([[0.5, 0.25]], mask=[[1, 0]])
    other = segments.with_predictions([[0.125, 1.0]])
    assert Perplexity().corpus(other).value == 8.0
    with pytest.raises(InputError, match="a list of numbers is expected"):
        segments.with_predictions(["0.5"])


def test_score_by_name() -> None:
    assert metrologue.score("perplexity", [[0.5, 0.1]], mask=[[1, 0]]).value == 2.0
    assert metrologue.score("perplexity", [[0.5, 0.1]], unknown=[[0, 1]], oov="exclude").value == 2.0


def test_more_that_is_refused(model: WordModel) -> None:
    with pytest.raises(InputError, match=r"\[0\]` has 0\.5 at index 1; a log-probability of at most 0 \(or"):
        Perplexity(values="log-probabilities").corpus([[0.0, 0.5]])
    assert Perplexity(values="log-probabilities").corpus([[1e-7]]).value == 1.0
    for scorer in (Perplexity(), Perplexity(aggregation="mean")):
        with pytest.raises(InputError, match=r"`predictions\[1\]` has no tokens to score; drop the text"):
            scorer.segments([[0.5], [], [0.5]])
    with pytest.raises(InputError, match=r"`predictions\[1\]` has no tokens to score"):
        Perplexity(aggregation="mean").corpus([[0.5], []])
    with pytest.raises(InputError, match=r"`predictions\[3\]` has 2 at index 0; a prob"):
        Perplexity().corpus(Segments.of_columns(Perplexity._to_segments([[2]]).columns, first=3))
    with pytest.raises(InputError, match="are numbers; with a `model`, texts are expected"):
        Perplexity(model=model).corpus([[0.5]])
    with pytest.raises(InputError, match="`unknown` is given with a `model`, which knows its own vocabulary"):
        Perplexity(model=model).corpus(["a"], unknown=[[0]])
    with pytest.raises(InputError, match="no input 'masks'; did you mean 'mask'"):
        Perplexity().corpus([[0.5]], masks=[[1]])
    broken = WordModel("broken@1", 2.0, {}, math.nan)
    with pytest.raises(InputError, match=r"`predictions\[0\]` has nan at index 0; a number is expected"):
        Perplexity(model=broken).corpus(["a"])


@pytest.mark.parametrize(
    "change", [{"unknown": [False]}, {"offsets": [0, 3]}, {"offsets": [0, 2, 2]}, {"offsets": [2, 2]}]
)
def test_a_model_with_another_layout(model: WordModel, change: dict[str, Any]) -> None:
    class Broken(WordModel):
        def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
            return replace(super().score_texts(texts), **{key: np.array(value) for key, value in change.items()})

    broken = Broken(model.name, model.base, model.known, model.other)
    with pytest.raises(InputError, match=r"words@\d+ gives 2 log-probabilities, . flags and . offsets for 1 text"):
        Perplexity(model=broken).corpus(["a b"])
