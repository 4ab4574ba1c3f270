"""MoverScore against its definition by linear programming, and what its fields do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_encoder import Letters

import metrologue
from metrics.moverscore.plain import moverscore
from metrologue import InputError, MoverScore, Segments, explain, pairwise, trace
from metrologue.representations import FunctionEncoder
from metrologue.scorers.families.kernels.transport import Bags, transport_costs, transport_plan
from metrologue.text.lexicon import register_stop_words

WORDS = ["cat", "cats", "dog", "hub", "-cat", "##ing", ".", "of"]
texts = st.lists(st.sampled_from(WORDS), max_size=6)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2)), min_size=1, max_size=4)
ENCODER = Letters()


def with_vectors(words: list[str]) -> list[tuple[str, list[float]]]:
    found = ENCODER.encode_tokens([" ".join(words)], (1,)).vectors[0]
    return [(word, vector.tolist()) for word, vector in zip(words, found, strict=True)]


@pytest.mark.filterwarnings("ignore:MoverScore")
@pytest.mark.parametrize("idf", [False, True])
@settings(max_examples=60)
@given(corpus=corpora)
def test_definition(corpus: list[tuple[list[str], list[list[str]]]], idf: bool) -> None:
    expected = moverscore(
        [with_vectors(own) for own, _ in corpus], [[*map(with_vectors, its)] for _, its in corpus], idf
    )
    given_texts = [" ".join(own) for own, _ in corpus], [[*map(" ".join, its)] for _, its in corpus]
    scorer = MoverScore(model=ENCODER, idf=idf)
    assert scorer.segments(*given_texts) == pytest.approx(expected, abs=1e-7)
    assert scorer.corpus(*given_texts).value == pytest.approx(np.mean(expected), abs=1e-7)
    moved = trace(scorer.fit(Segments(*given_texts)) if idf else scorer, given_texts[0][0], given_texts[1][0])
    assert moved.value == pytest.approx(expected[0], abs=1e-7)


def test_worked_numbers() -> None:
    vectors = {"a": [1, 0], "b": [0, 2], "c": [3, 4]}
    mover = MoverScore(
        model=FunctionEncoder("toy", lambda texts: [[vectors[w] for w in t.split()] for t in texts], "1")
    )
    assert mover.corpus(["a"], ["b"]).value == pytest.approx(1 - 2**0.5)
    assert mover.corpus(["a b"], ["a c"]).value == pytest.approx(1 - 0.4**0.5 / 2, rel=1e-6)
    assert mover.corpus(["a b", "a"], ["b a a", "a"]).value == pytest.approx(1 - 2**0.5 / 12)
    assert mover.segments(["a"], [["b", "a"]]).tolist() == [1]
    mean = MoverScore(model=mover.model, multi_reference="mean")
    assert mean.segments(["a"], [["b", "a"]]) == pytest.approx([1 - 2**0.5 / 2])
    assert mover.range["moverscore"] == (-1, 1)


@pytest.mark.filterwarnings("ignore:MoverScore")
def test_which_tokens_count() -> None:
    stops = register_stop_words("movers", ["of"])
    scorers = {
        "pieces": MoverScore(model=ENCODER, pieces="all"),
        "punctuation": MoverScore(model=ENCODER, punctuation=True),
        "stop words": MoverScore(model=ENCODER, stop_words=stops, layer=0),
    }
    plain = MoverScore(model=ENCODER)
    for text, changed in (("cat ##ing", "pieces"), ("cat .", "punctuation"), ("of cat", "stop words")):
        for name, scorer in scorers.items():
            base = MoverScore(model=ENCODER, layer=scorer.layer)
            differs = scorer.corpus([text], ["cat"]).value != base.corpus([text], ["cat"]).value
            assert differs == (name == changed), (name, text)
    assert scorers["stop words"].corpus(["of cat"], ["cat"]).value == 1
    assert plain.corpus(["dog ##s ."], ["dog"]).value == 1
    assert "left out: ##s, ." in trace(plain, "dog ##s .", ["dog"]).remarks
    found = explain(plain, scorers["punctuation"], ["cat ."], ["cat"])
    assert [part.choice for part in found.contributions] == ["punctuation"]


@pytest.mark.filterwarnings("ignore:MoverScore")
def test_tables_of_both_sides() -> None:
    """Equal texts may be bags of other weights; a table of other texts makes them equal again."""
    texts, references = ["cat dog", "cat", "cat"], ["cat dog", "dog", "dog"]
    by_idf = MoverScore(model=ENCODER, idf=True, layer=0)
    assert by_idf.segments(texts, references)[0] < 0.9
    fitted = by_idf.fit(Segments(texts, texts))
    assert fitted.segments(texts, references)[0] == 1
    assert fitted.document_frequency is not None
    assert MoverScore.from_signature(fitted.signature) == fitted
    with pytest.raises(InputError, match="`document_frequency, hypothesis_frequency` must be the same for all batches"):
        by_idf.accumulate(texts, references)


def test_texts_without_weight() -> None:
    with pytest.warns(UserWarning, match=r"2 pairs have a text of which no token has a weight, .*: each counts as 0; "):
        assert MoverScore(model=ENCODER).segments(["", ".", "cat"], ["cat", "", "cat"]).tolist() == [0, 0, 1]
    with pytest.warns(UserWarning, match=r"1 pair has .* nothing was read: each counts as 1, as if nothing moved; "):
        assert MoverScore(model=ENCODER, empty="one").segments([""], ["cat"]).tolist() == [1]
    with pytest.raises(InputError, match=r"`references\[1\]` has no token with a weight"):
        MoverScore(model=ENCODER, empty="error").corpus(["cat", "cat"], ["cat", ". ##ing"])
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no token with a weight"):
        MoverScore(model=ENCODER, empty="error", idf=True).corpus(["cat"], ["dog"])


@pytest.mark.parametrize("config", [*MoverScore.variants()])
def test_the_card_says_what_an_empty_text_scores(config: str) -> None:
    card = (Path(metrologue.__file__).parent / "metrics" / "moverscore" / "README.md").read_text("utf-8")
    assert MoverScore.variant(config, model=ENCODER).corpus(["", "cat"], ["cat", ""]).value == 1
    assert "such as an empty one, scores 1 in both configs" in " ".join(card.split())


def test_a_matrix_is_that_of_pairs() -> None:
    texts = ["cat dog", "hub", "of cats ."]
    scorer = MoverScore(model=ENCODER)
    expected = [[scorer.corpus([one], [other]).value for other in texts] for one in texts]
    assert pairwise(scorer, texts, texts) == pytest.approx(np.array(expected), abs=1e-6)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="`layer` is 2; an int from 0 to 1 is expected"):
        MoverScore(model=ENCODER, layer=2)
    nothing = FunctionEncoder("none", lambda texts: [[[np.nan]] for _ in texts], "1")
    with pytest.raises(InputError, match="not finite"):
        MoverScore(model=nothing).corpus(["a"], ["b"])
    unknown = FunctionEncoder("ones", lambda texts: [[[1.0]] for _ in texts], "1")
    with pytest.raises(InputError, match="does not say which tokens are of one type, so there is no idf"):
        MoverScore(model=unknown, idf=True).corpus(["a"], ["b"])


def test_masses_of_equal_totals_may_be_large() -> None:
    """Weights are rounded to parts of 2^40, and the product of two such totals would not fit 64 bits."""
    rng = np.random.default_rng(0)
    whole = 1 << 40
    vectors = rng.normal(size=(9, 3))
    small = rng.multinomial(12, [0.2] * 5), rng.multinomial(12, [0.25] * 4)
    counts = np.concatenate(small) + 1
    counts[4] += 24 - counts[:5].sum()
    counts[8] += 24 - counts[5:].sum()
    offsets, rows = np.array([0, 5, 9]), np.arange(9)
    expected = transport_costs(vectors, Bags(offsets, rows, counts), np.array([0]), np.array([1]))
    large = Bags(offsets, rows, counts * (whole // 8))
    assert transport_costs(vectors, large, np.array([0]), np.array([1])) == pytest.approx(expected, rel=1e-12)
    costs = rng.random((5, 4))
    plan = transport_plan(costs, counts[:5] * whole, counts[5:] * whole)
    assert plan == pytest.approx(transport_plan(costs, counts[:5], counts[5:]), abs=1e-12)
