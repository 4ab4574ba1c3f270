"""FineD-Eval against its definition: scores, traces, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.fined_eval import FinedEval
from metrologue_research.fined_eval.network import HEADS, DialogueHeads
from needs import made
from papers.fined_eval.plain import fined_eval, heads, neighbours, steps
from small_encoder import Letters
from small_trained import BETTER

from metrologue import trace
from metrologue.errors import InputError
from metrologue.learned import Features, Network, TrainedModel, Vectors, open_model, save_model
from metrologue.scorers import Scorer

TURN = st.lists(st.sampled_from(["cat", "-cat", "dog", "the", "sat"]), max_size=4).map(" ".join)
DIALOGUES = st.lists(st.lists(TURN, min_size=1, max_size=5), min_size=1, max_size=4)


def drawn() -> Any:
    """A model whose weights are drawn."""
    draws = np.random.default_rng(0)
    layer = Network(draws.normal(size=96), np.ones(96), [(draws.normal(size=(5, 96)) / 5, draws.normal(size=5))])
    network = DialogueHeads(layer, draws.normal(size=(3, 5)), draws.normal(size=3))
    return TrainedModel("fined_eval", Features((Vectors.of(Letters()),)), network, BETTER)


DRAWN = drawn()


def vector(text: str) -> list[float]:
    return np.asarray(Letters().encode_texts([text.strip() or "."])[0], float).tolist()


@given(dialogues=DIALOGUES)
def test_definition(dialogues: list[list[str]]) -> None:
    layer = DRAWN.network.layer
    [(weights, biases)] = layer.layers
    found = FinedEval(model=DRAWN).segment_scores(dialogues)
    for row, turns in enumerate(dialogues):
        vectors = [vector(turn) for turn in turns]
        rows = [[x - m for x, m in zip(each, layer.mean.tolist(), strict=True)] for each in steps(vectors, vector("."))]
        network = weights.tolist(), biases.tolist(), DRAWN.network.weights.tolist(), DRAWN.network.biases.tolist()
        plain = heads(rows, *network) if any(turns) else [0.0] * 3
        assert [found[head][row] for head in HEADS] == pytest.approx(plain, abs=1e-9)
        assert found["fined_eval"][row] == pytest.approx(fined_eval(plain), abs=1e-9)
        assert found["neighbours"][row] == pytest.approx(neighbours(vectors) if any(turns) else 0.0, abs=1e-6)
    whole = FinedEval(model=DRAWN).corpus(dialogues)
    assert whole.value == pytest.approx(found["fined_eval"].mean(), abs=1e-12)


def test_a_dialogue_has_the_same_bits_in_any_company() -> None:
    scorer, dialogues = FinedEval(model=DRAWN), [["a cat"], ["the cat", "a dog", "sat"], ["dog"] * 9]
    together = scorer.segment_scores(dialogues)
    for row, turns in enumerate(dialogues):
        alone = scorer.segment_scores([turns])
        assert all(alone[name][0] == together[name][row] for name in alone)


def test_a_dialogue_in_three_forms() -> None:
    scorer = made("fined_eval")
    expected = scorer.corpus([["hi", "the cat", "a cat"]]).scores
    assert scorer.corpus(["hi\nthe cat\n a cat \n"]).scores == expected
    assert scorer.corpus(["a cat"], contexts=[["hi", "the cat"]]).scores == expected
    assert scorer.corpus(["a cat"], contexts=["hi\nthe cat"]).scores == expected


def test_a_dialogue_of_one_turn_or_without_content() -> None:
    scorer = FinedEval(model=DRAWN)
    with pytest.warns(UserWarning, match="2 conversations have one turn only; give `contexts`"):
        found = scorer.segment_scores(["a cat", ""])
    assert 0 < found["fined_eval"][0] < 1
    assert [found[name][1] for name in ("fined_eval", *HEADS, "neighbours")] == [0.0] * 5
    assert found["neighbours"].tolist() == [0.0, 0.0]
    assert scorer.segments([["", " "]]).tolist() == [0.0]


def test_the_last_turns() -> None:
    scorer, turns = FinedEval(model=DRAWN, last_turns=2), ["hi", "the cat", "a dog", "sat"]
    assert scorer.corpus([turns]).scores == FinedEval(model=DRAWN).corpus([turns[-2:]]).scores
    assert Scorer.from_signature(scorer.signature) == scorer


def test_trace_has_every_head_after_each_turn() -> None:
    scorer, turns = FinedEval(model=DRAWN), ["the cat", "a cat sat", "the dog"]
    shown = trace(scorer, turns[-1], contexts=turns[:-1])
    for name in ("fined_eval", *HEADS):
        expected = [scorer.segments([turns[: stop + 1]], key=name)[0] for stop in range(1, 3)]
        assert list(shown.table("turns").column(name))[1:] == expected
    assert {"fined_eval after each turn", "topic_depth after each turn"} <= {block.name for block in shown.blocks}
    assert shown.value == scorer.corpus([turns]).value


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"`predictions\[1\]\[0\]` is int 1; a str is expected"):
        FinedEval(model=DRAWN).corpus([["a", "b"], [1]])
    with pytest.raises(InputError, match=r"`contexts\[0\]`"):
        FinedEval(model=DRAWN).corpus(["a"], contexts=[3])


def test_networks_that_do_not_fit_are_refused() -> None:
    layer = DRAWN.network.layer
    with pytest.raises(InputError, match=r"the shape of 'heads' is .*does not fit the others"):
        DialogueHeads(layer, np.zeros((3, 4)), np.zeros(3))
    with pytest.raises(InputError, match="has a number that is not finite"):
        DialogueHeads(layer, np.full((3, 5), np.nan), np.zeros(3))
    tensors = {name: each for name, each in DRAWN.network.tensors().items() if name != "heads"}
    with pytest.raises(InputError, match="there is no array 'heads'"):
        DialogueHeads.of_tensors(tensors, {}, {})


def test_a_saved_model_has_the_same_bits(tmp_path: Path) -> None:
    model = replace(DRAWN, report={})
    opened = open_model(save_model(model, tmp_path / "model"), encoder=Letters())
    dialogues = [["the cat", "a dog"], ["sat"] * 3]
    one, two = (FinedEval(model=each).segments(dialogues) for each in (model, opened))
    np.testing.assert_array_equal(one, two)
