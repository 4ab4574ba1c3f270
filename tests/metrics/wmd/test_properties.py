"""Word Mover's Distance against its definition by linear programming, and what must hold of distances."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import TokenCorpus, spelled

from metrics.wmd.plain import distance, least_cost, wmd
from metrologue import InputError, Wmd, explain, trace
from metrologue.representations import FunctionEncoder, WordVectors
from metrologue.scorers.families.kernels.transport import Bags, transport_costs, transport_plan

VECTORS: dict[str, tuple[float, ...]] = {
    "obama": (1, 0), "president": (0.9, 0.1), "speaks": (0, 1), "greets": (0.1, 0.9), "media": (0.5, 0.5),
    "press": (0.55, 0.5), "illinois": (0, 0.3), "chicago": (0.05, 0.25), "the": (0.2, 0.2), "twin": (0.5, 0.5),
}  # fmt: skip
EXACT = {word: tuple(np.float32(vector).astype(float).tolist()) for word, vector in VECTORS.items()}


def table(vectors: dict[str, tuple[float, ...]] = VECTORS) -> WordVectors:
    return WordVectors.of_keyed_vectors(
        SimpleNamespace(index_to_key=[*vectors], vectors=np.array([*vectors.values()], np.float32)), "toy"
    )


TOY = table()
OBAMA, PRESIDENT = "obama speaks media illinois", "president greets press chicago"
tokens = st.lists(st.sampled_from([*VECTORS, "unknown"]), max_size=7)
segments = st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=2)), min_size=1, max_size=3)
token_corpora = segments.map(lambda rows: ([own for own, _ in rows], [its for _, its in rows]))


@pytest.mark.filterwarnings("ignore:Wmd")
@settings(max_examples=60)
@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    scorer = Wmd(vectors=TOY, tokenizer="whitespace")
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(wmd(*corpus, EXACT), rel=1e-9, abs=1e-12)
    found = scorer.segments(*spelled(corpus))
    for value, hypothesis, references in zip(found, *corpus, strict=True):
        assert value == pytest.approx(min(distance(hypothesis, other, EXACT) for other in references), abs=1e-12)


@pytest.mark.filterwarnings("ignore:Wmd")
@given(one=tokens, other=tokens)
def test_what_holds_of_a_distance(one: list[str], other: list[str]) -> None:
    own, its = " ".join(one), " ".join(other)
    scorer = Wmd(vectors=TOY)
    bounds = [Wmd(vectors=TOY, transport=kind).corpus([own], [its]).value for kind in ("centroids", "relaxed", "exact")]
    assert max(bounds) <= bounds[2] + 1e-12
    assert bounds[2] == pytest.approx(scorer.corpus([its], [own]).value, abs=1e-12)
    shuffled = " ".join(sorted(one * 3))
    assert bounds[2] == pytest.approx(scorer.corpus([shuffled], [its]).value, abs=1e-12)
    if {*one} - {"unknown"}:
        assert scorer.corpus([own], [shuffled]).value == 0.0


def test_worked_numbers() -> None:
    scorer = Wmd(vectors=TOY)
    assert scorer.corpus([OBAMA], [PRESIDENT]).value == pytest.approx(0.100888347648, rel=1e-6)
    assert Wmd(vectors=TOY, normalize=True).corpus([OBAMA], [PRESIDENT]).value == pytest.approx(
        0.116463848333, rel=1e-6
    )
    assert scorer.corpus(["obama speaks media"], [PRESIDENT]).value == pytest.approx(0.270609883217, rel=1e-6)
    assert scorer.segments([OBAMA], [["the", PRESIDENT]]).tolist() == scorer.segments([OBAMA], [PRESIDENT]).tolist()
    assert scorer.range["wmd"] == (0, math.inf)
    assert not scorer.higher_is_better["wmd"]
    units = {word: tuple((np.array(each) / np.linalg.norm(each)).tolist()) for word, each in VECTORS.items()}
    assert Wmd(vectors=table(units)).corpus([OBAMA], [PRESIDENT]).value == pytest.approx(
        Wmd(vectors=TOY, normalize=True).corpus([OBAMA], [PRESIDENT]).value, rel=1e-6
    )


def test_stop_words_go_before_the_weights() -> None:
    stopped = Wmd(vectors=TOY, stop_words="sklearn")
    assert "stop_words=sklearn@" in stopped.signature
    assert (
        stopped.corpus(["the the obama"], ["The president"]).value
        == Wmd(vectors=TOY).corpus(["obama"], ["president"]).value
    )
    gap = explain(stopped, Wmd(vectors=TOY, normalize=True), ["the obama"], ["president"])
    assert {part.choice for part in gap.contributions} == {"stop words", "normalization"}
    with pytest.raises(InputError, match=r"stop_words: 'english' is neither a file nor a table known here; .*sklearn"):
        Wmd(stop_words="english")


@pytest.mark.filterwarnings("ignore:Wmd")
def test_texts_without_known_words() -> None:
    texts, references = ["unknown", "", "obama"], ["x", "obama", "obama"]
    found = Wmd(vectors=TOY).corpus(texts, references)
    assert (found.value, found.scores["infinite"], found.scores["segments"]) == (0.0, 2.0, 3.0)
    assert Wmd(vectors=TOY).segments(texts, references).tolist() == [math.inf, math.inf, 0.0]
    assert Wmd(vectors=TOY).corpus(["x"], ["y"]).value == math.inf
    assert Wmd(vectors=TOY, empty="equal").segments(texts, references).tolist() == [0.0, math.inf, 0.0]
    assert Wmd(vectors=TOY, missing="zero").segments(["x"], ["obama"]).tolist() == [1.0]
    with pytest.warns(UserWarning, match="Wmd: 3 texts have no word with a vector"):
        Wmd(vectors=TOY).corpus(texts, references)
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no word that has a vector"):
        Wmd(vectors=TOY, empty="error").corpus(texts, references)
    with pytest.raises(InputError, match=r"`references\[0\]` has no word that has a vector"):
        Wmd(vectors=TOY, empty="error").corpus(["obama"], ["x"])
    with pytest.raises(InputError, match=r"`references\[1\]` has the word 'y', which has no vector"):
        Wmd(vectors=TOY, missing="error").corpus(["obama", "media"], ["press", "press y"])


@pytest.mark.filterwarnings("ignore:Wmd")
def test_costs_that_are_all_zero() -> None:
    pairs = (["media", "media", "media media"], ["twin", "media", "media"])
    assert Wmd(vectors=TOY).segments(*pairs).tolist() == [0.0, 0.0, 0.0]
    assert Wmd(vectors=TOY, all_zero="infinite").segments(*pairs).tolist() == [math.inf, 0.0, 0.0]


def test_what_is_refused(tmp_path: Path) -> None:
    encoder = FunctionEncoder("f", lambda texts: [[[1.0]] for _ in texts], "1")
    with pytest.raises(InputError, match="`vectors` is f@1, which has no vectors of single words"):
        Wmd(vectors=encoder)
    path = tmp_path / "bad.txt"
    path.write_text("cat 1 2\ndog nan 0\n")
    with pytest.raises(InputError, match=r"the vector of 'dog' in bad\.txt@.* holds NaN or infinity"):
        Wmd(vectors=path).corpus(["dog"], ["cat"])
    path.write_text("cat 1 2\ndog 0\n")
    with pytest.raises(InputError, match=r"line 2 of .* has no word with 2 numbers"):
        Wmd(vectors=path)


def test_the_trace_is_the_score() -> None:
    shown = trace(Wmd(vectors=TOY, stop_words="sklearn"), OBAMA + " the", [PRESIDENT, "unknown"])
    moves = shown.table("moves to reference 1")
    assert sum(moves.column("cost")) == pytest.approx(shown.value, rel=1e-12)
    assert sum(moves.column("weight")) == pytest.approx(1)
    text = shown.text()
    assert "one of the texts has no words to move" in text
    assert "stop words: the" in text
    assert "without a vector: unknown" in text


masses = st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any)


@settings(max_examples=150)
@given(own=masses, its=masses, seed=st.integers(0, 2**32), kind=st.sampled_from(["random", "few", "zero"]))
def test_the_plan_is_the_cheapest(own: list[int], its: list[int], seed: int, kind: str) -> None:
    """Costs with many ties and masses of 0 too, where methods that walk along corners could turn in circles."""
    generator = np.random.default_rng(seed)
    costs = generator.random((len(own), len(its)))
    costs = {"random": costs, "few": np.round(2 * costs), "zero": 0 * costs}[kind]
    plan = transport_plan(costs, np.array(own), np.array(its))
    assert (plan >= 0).all()
    np.testing.assert_allclose(plan.sum(axis=1), np.array(own) / sum(own), atol=1e-15)
    np.testing.assert_allclose(plan.sum(axis=0), np.array(its) / sum(its), atol=1e-15)
    expected = least_cost([each / sum(own) for each in own], [each / sum(its) for each in its], costs.tolist())
    assert (plan * costs).sum() == pytest.approx(expected, abs=1e-9)


def test_bags_against_pot() -> None:
    pot: Any = pytest.importorskip("ot", reason="POT is not installed: pip install POT")
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(300, 7))
    sizes = generator.integers(0, 60, 60)
    rows = [np.sort(generator.choice(300 if at % 3 else 70, size, replace=False)) for at, size in enumerate(sizes)]
    counts = generator.integers(1, 5, sum(sizes))
    bags = Bags(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(rows), counts)
    own, its = np.arange(30), np.arange(30, 60)
    found = transport_costs(vectors, bags, own, its)
    relaxed = transport_costs(vectors, bags, own, its, relaxed=True)
    for pair in range(30):
        one, other = (counts[bags.offsets[t] : bags.offsets[t + 1]] for t in (pair, pair + 30))
        if not (len(one) and len(other)):
            assert np.isnan(found[pair]).all()
            continue
        costs = np.linalg.norm(vectors[rows[pair]][:, None] - vectors[rows[pair + 30]], axis=2)
        expected = pot.emd2(one / one.sum(), other / other.sum(), costs)
        assert found[pair, 0] == pytest.approx(expected, rel=1e-12)
        assert found[pair, 1] == pytest.approx(costs.sum(), rel=1e-12)
        bounds = one @ costs.min(axis=1) / one.sum(), other @ costs.min(axis=0) / other.sum()
        assert relaxed[pair, 0] == pytest.approx(max(bounds), rel=1e-12)


@pytest.mark.parametrize(
    ("costs", "own", "its", "message"),
    [
        (np.zeros((1, 2)), [1], [2, -1], r"`demands\[1\]` is negative"),
        (np.zeros((2, 1)), [0, 0], [1], "all `supplies` are 0; a mass above 0 is expected"),
        (np.zeros((2, 2)), [1], [1], r"`costs` has the shape \(2, 2\); \(1, 1\) is expected"),
        (np.full((1, 1), np.nan), [1], [1], "negative or not finite"),
    ],
)
def test_masses_that_are_refused(costs: Any, own: list[int], its: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        transport_plan(costs, np.array(own), np.array(its))
