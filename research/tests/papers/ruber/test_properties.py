"""RUBER against its definition, and its classifier: what it learns from, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.ruber import BLENDS, Ruber
from needs import made
from papers.ruber.plain import referenced, ruber
from small_encoder import Letters

from metrologue import trace
from metrologue.errors import InputError
from metrologue.learned import NgramEncoder, open_model, save_model, train
from metrologue.learned.exchanges import exchanges_of, read_exchanges
from metrologue.learned.store import DIALOGUES
from metrologue.learned.training import Mlp
from metrologue.scorers import Scorer

TEXT = st.lists(st.sampled_from(["cat", "-cat", "dog", "the", "sat"]), max_size=4).map(" ".join)


def vectors(text: str) -> list[list[float]]:
    return Letters().encode_tokens([text], (1,)).vectors[0].tolist()


def probability(before: str, response: str) -> float:
    """The small classifier of the tests: the closer the letters, the more probable."""
    u, v = (
        np.asarray(each, float) for each in Letters().encode_texts([before.strip() or ".", response.strip() or "."])
    )
    return 1 / (1 + math.exp(-(4.0 - 2.0 * np.abs(u - v).sum())))


@given(
    rows=st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3), TEXT), min_size=1, max_size=4),
    blend=st.sampled_from([*BLENDS]),
)
def test_definition(rows: list[tuple[str, list[str], str]], blend: str) -> None:
    responses, references, befores = ([*each] for each in zip(*rows, strict=True))
    scorer = made("ruber", blend=blend)
    found = scorer.segment_scores(responses, references, contexts=[[each] for each in befores])
    for row, (response, own, before) in enumerate(rows):
        other = probability(before, response)
        values = [referenced(vectors(response), vectors(each)) if response and each else 0.0 for each in own]
        plain = max(ruber(each, other, blend) for each in values)
        assert found["ruber"][row] == pytest.approx(plain, abs=1e-6)
        assert found["unreferenced"][row] == pytest.approx(other, abs=1e-6)
    whole = scorer.corpus(responses, references, contexts=[[each] for each in befores])
    assert whole.value == pytest.approx(found["ruber"].mean(), abs=1e-12)


def test_a_dialogue_ends_with_its_response() -> None:
    scorer = made("ruber")
    alone = scorer.corpus(["a cat"], ["the cat"], contexts=[["hi", "the dog"]]).scores
    assert scorer.corpus([["hi", "the dog", "a cat"]], ["the cat"]).scores == alone
    assert scorer.corpus(["the dog\na cat"], ["the cat"]).scores == alone
    with pytest.warns(UserWarning, match="1 conversation has one turn only"):
        assert 0 <= scorer.corpus(["a cat"], ["the cat"]).value <= 1


def test_an_encoder_of_its_own() -> None:
    scorer = made("ruber", encoder=NgramEncoder(8))
    assert "encoder=ngrams-8@3" in scorer.signature
    assert Scorer.from_signature(scorer.signature) == scorer
    data = {"predictions": ["a cat"], "references": ["the dog"], "contexts": ["the cat"]}
    other = made("ruber")
    one, two = scorer.corpus(**data).scores, other.corpus(**data).scores
    assert one["unreferenced"] == two["unreferenced"]
    assert one["referenced"] != two["referenced"]


def test_trace_has_the_unreferenced_number_after_each_turn() -> None:
    scorer, turns = made("ruber"), ["the cat", "a cat sat", "the dog"]
    shown = trace(scorer, turns[-1], ["a dog"], contexts=turns[:-1])
    expected = [probability(before, response) for before, response in zip(["", *turns], turns, strict=False)]
    assert shown.table("turns").column("unreferenced") == pytest.approx(expected, abs=1e-6)
    assert shown.value == scorer.corpus([turns], ["a dog"]).value


# ----- What the classifier learns from -----


def test_exchanges_have_responses_of_other_dialogues() -> None:
    dialogues = [[f"{name} {place}" for place in range(4)] for name in "abcde"]
    found = exchanges_of([*dialogues, ["alone"]], seed=3)
    assert len(found) == 2 * 5 * 3
    for response, (before,), label, group in zip(
        found.predictions, found.references, found.targets, found.groups or (), strict=True
    ):
        name, place = before.split()
        assert group == f"dialogue {'abcde'.index(name) + 1}"
        if label:
            assert response == f"{name} {int(place) + 1}"
        else:
            assert response[0] != name
    assert exchanges_of(dialogues, seed=3).predictions == found.predictions
    assert exchanges_of(dialogues, seed=4).predictions != found.predictions
    with pytest.raises(InputError, match="1 dialogues have two turns or more; two are needed"):
        exchanges_of([["a", "b"], ["c"]])


def test_reading_dialogues(tmp_path: Path) -> None:
    file = tmp_path / "dialogues.jsonl"
    file.write_text('{"turns": ["a", "b"]}\n{"turns": "c\\nd\\n"}\n', "utf-8")
    assert read_exchanges(file).predictions == ("b", "d", "d", "b")
    file.write_text('{"turns": ["a", "b"]}\n{"turns": [1]}\n', "utf-8")
    with pytest.raises(InputError, match=r"dialogues.jsonl:2: 'turns' is \[1\]; write a text, or a list"):
        read_exchanges(file)


@pytest.fixture(scope="module")
def model() -> Any:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    few = exchanges_of(
        [[f"{word} one", f"{word} two"] for word in ("cat", "dog", "sun", "map", "egg", "ink", "owl", "fig")]
    )
    trainer = Mlp(hidden=(16,), head="classes", epochs=150, batch=16, share=0.0)
    return few, train("ruber", few, encoders=[NgramEncoder(32)], trainer=trainer, measure=False)


def test_a_few_exchanges_can_be_learned_by_heart(model: Any) -> None:
    few, learned = model
    scorer = Ruber(model=learned)
    found = scorer.segment_scores(
        [*few.predictions], [each[0] for each in few.references], contexts=[[*each] for each in few.references]
    )
    assert ((found["unreferenced"] > 0.5) == (few.targets == 1)).all()


def test_a_saved_model_has_the_same_bits(model: Any, tmp_path: Path) -> None:
    _, learned = model
    opened = open_model(save_model(learned, tmp_path / "model"))
    data = {"predictions": ["cat two", "x"], "references": ["a", "b"], "contexts": ["cat one", "y"]}
    one, two = (Ruber(model=each).segments(**data) for each in (learned, opened))
    np.testing.assert_array_equal(one, two)


def test_examples_of_one_class_are_refused() -> None:
    one = read_exchanges(DIALOGUES)
    with pytest.raises(InputError, match="labels are 1; there is nothing to tell apart"):
        train("ruber", one.take(np.flatnonzero(one.targets == 1)), encoders=[NgramEncoder(8)])


def test_rows_that_are_in_the_training_too_are_refused() -> None:
    every = read_exchanges(DIALOGUES)
    with pytest.raises(InputError, match="12 "):
        train("ruber", every, encoders=[NgramEncoder(8)], test=every.take(range(12)))
