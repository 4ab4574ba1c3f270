"""The comparator against its definition, its symmetry, ratings of systems, and what is refused."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from inspect import signature
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.comparator import Comparator
from metrologue_research.comparator.ratings import Game, openskill, rate_systems
from metrologue_research.comparator.ratings import elo as ratings_of
from metrologue_research.comparator.training import held_out_pairs, pairs_of
from papers.comparator.plain import comparator, elo
from small_encoder import Letters
from small_trained import BETTER, trained

from metrologue import InputError
from metrologue.cli import main
from metrologue.learned import Examples, Features, Network, Ridge, TrainedModel, read_examples, train
from metrologue.learned.store import SAMPLE
from metrologue.learned.training import PairClassifier

texts = st.lists(st.sampled_from(["a", "b", "ab", "abc", "bcd", "e"]), min_size=1, max_size=6).map(" ".join)


def drawn_model(seed: int = 0) -> TrainedModel:
    draws = np.random.default_rng(seed)
    network = Network(np.zeros(72), np.ones(72), [(draws.normal(size=(3, 72)) / 5, draws.normal(size=3))], "classes")
    return TrainedModel("comparator", Features.of(encoders=[Letters()]), network, BETTER)


@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_definition_and_symmetry(pairs: list[tuple[str, str]]) -> None:
    model = drawn_model()
    [(weights, biases)] = model.network.layers
    one, other = (list(each) for each in zip(*pairs, strict=True))
    vectors = [Letters().encode_texts(each).astype(float).tolist() for each in (one, other)]
    expected = [comparator(a, b, weights.tolist(), biases.tolist()) for a, b in zip(*vectors, strict=True)]
    scorer = Comparator(model=model)
    there, back = scorer.segments(one, other), scorer.segments(other, one)
    assert there == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(there + back, 1.0, rtol=0, atol=1e-15)
    assert scorer.segments(one, one).tolist() == [0.5] * len(one)


def test_elo() -> None:
    assert ratings_of([Game("a", "b", 1.0)]) == {"a": 1516.0, "b": 1484.0}
    played = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.2), ("a", "b", 0.0)]
    expected = dict.fromkeys("abc", 1500.0)
    for one, other, result in played:
        expected[one], expected[other] = elo((expected[one], expected[other]), result)
    assert ratings_of([Game(*each) for each in played]) == expected


def test_systems_are_rated() -> None:
    """The stand-in model prefers the text with more common letters."""
    scorer = Comparator(model=trained("comparator"))
    systems = {"short": ["c", "d"] * 9, "long": ["cdefgh", "hgfedc"] * 9, "middle": ["cde", "edc"] * 9}
    found = rate_systems(scorer, systems)
    assert [*found] == ["long", "middle", "short"]
    assert sum(found.values()) == pytest.approx(4500)
    same = rate_systems(scorer, {"one": ["a", "b"], "other": ["a", "b"]})
    assert same == {"one": 1500.0, "other": 1500.0}
    with pytest.raises(InputError, match="1 system; give two or more"):
        rate_systems(scorer, {"one": ["a"]})
    with pytest.raises(InputError, match="'other' has 1 texts, and 'one' 2"):
        rate_systems(scorer, {"one": ["a", "b"], "other": ["a"]})
    with pytest.raises(InputError, match="`method` is 'trueskill'; did you mean 'openskill'"):
        rate_systems(scorer, {"one": ["a"], "other": ["a"]}, "trueskill")


def test_systems_are_rated_by_openskill() -> None:
    models = pytest.importorskip("openskill.models", reason="openskill is not installed: pip install openskill")
    games = [Game("a", "b", 0.9), Game("a", "c", 0.7), Game("b", "c", 0.5)]
    found = openskill(games)
    assert found["a"] > max(found["b"], found["c"])
    model = models.PlackettLuce()
    [[one], [other]] = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert openskill(games[:1]) == {"a": one.ordinal(), "b": other.ordinal()}
    scorer = Comparator(model=trained("comparator"))
    assert [*rate_systems(scorer, {"short": ["c"] * 5, "long": ["cdefgh"] * 5}, "openskill")] == ["long", "short"]


@pytest.mark.parametrize(
    ("result", "ranks"),
    [(1.0, [1, 2]), (0.7, [1, 2]), (0.54, [1, 1]), (0.5, [1, 1]), (0.46, [1, 1]), (0.3, [2, 1]), (0.0, [2, 1])],
)
def test_the_result_of_a_game_is_a_rank(result: float, ranks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    class Model:
        def rating(self, name: str) -> str:
            return name

        def rate(self, own: list[list[Any]], ranks: list[float]) -> list[list[Any]]:
            given.append((own, ranks))
            return [[SimpleNamespace(ordinal=lambda: 25.0)] for _ in own]

    monkeypatch.setitem(sys.modules, "openskill", ModuleType("openskill"))
    monkeypatch.setitem(sys.modules, "openskill.models", SimpleNamespace(PlackettLuce=Model))
    assert openskill([Game("a", "b", result)]) == {"a": 25.0, "b": 25.0}
    assert given == [([["a"], ["b"]], ranks)]


def test_pairs_are_of_one_group() -> None:
    rated = Examples(
        tuple("abcdef"), (("x",),) * 6, np.array([1.0, 2.0, 2.1, 5.0, 5.0, 1.0]), ("g", "g", "g", "h", "h", "h")
    )
    found = pairs_of(rated, margin=0.5)
    assert found.one.tolist() == [0, 0, 1, 3, 3, 4]
    assert found.labels.tolist() == [-1, -1, 0, 0, 1, 1]
    with pytest.raises(InputError, match="no two texts of a group have different ratings"):
        pairs_of(Examples(("a", "b"), (("x",), ("y",)), np.array([1.0, 2.0])))


def test_it_learns_which_text_is_better() -> None:
    """Of two texts the longer one is better; what it says of groups that were held out is right."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    rated = rated_by_length(120, 0)
    trainer = PairClassifier(hidden=(8,), epochs=40)
    model = train("comparator", rated, encoders=[Letters()], trainer=trainer)
    found = model.report["held_out"]["compared"]["accuracy"]
    assert all(0 <= reached["low"] <= reached["mean"] <= reached["high"] <= 1 for reached in found.values())
    assert found["learned"]["mean"] > 0.9
    scorer = Comparator(model=model)
    pairs = [*itertools.combinations(["a", "a b c", "a b c a b c a b"], 2)]
    assert all(scorer.corpus([long], [short]).value > 0.5 for short, long in pairs)


def rated_by_length(count: int, seed: int, groups: bool = False) -> Examples:
    """Texts in fours that have a reference in common, of which the longer one is better."""
    draws = np.random.default_rng(seed)
    made = [" ".join(draws.choice(["a", "b", "c"], size)) for size in draws.integers(1, 20, count)]
    return Examples(
        tuple(made),
        tuple((f"reference {seed} {row // 4}",) for row in range(count)),
        np.array([float(len(text.split())) for text in made]),
        tuple(f"{seed} {row // 4}" for row in range(count)) if groups else None,
    )


def test_it_is_measured_on_a_test() -> None:
    """Rows of the training that have a reference of the test are left out and counted."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    rated, test = rated_by_length(120, 0), rated_by_length(40, 1)
    trainer = PairClassifier(hidden=(8,), epochs=40)
    model = train("comparator", rated, encoders=[Letters()], trainer=trainer, test=test)
    found = model.report["held_out"]
    assert [*found["compared"]["accuracy"]["learned"]["parts"]] == ["test"]
    for reached in found["compared"]["accuracy"].values():
        assert 0 <= reached["low"] <= reached["mean"] <= reached["high"] <= 1
    assert found["compared"]["accuracy"]["learned"]["mean"] > 0.9
    assert found["dropped"] == {"test": 0}
    alone = train("comparator", rated, encoders=[Letters()], trainer=trainer, measure=False)
    assert model.name == alone.name
    shared = replace(test, references=(rated.references[0], *test.references[1:]))
    again = train("comparator", rated, encoders=[Letters()], trainer=trainer, test=shared)
    assert again.report["held_out"]["dropped"] == {"test": 4}
    seen = replace(
        test,
        predictions=test.predictions + rated.predictions[:5],
        references=test.references + rated.references[:5],
        targets=np.concatenate([test.targets, rated.targets[:5]]),
    )
    with pytest.raises(InputError, match="5 of 45 rows for the test are in the training data too"):
        train("comparator", rated, encoders=[Letters()], trainer=trainer, test=seen)
    with pytest.raises(InputError, match="either the training or the test has groups"):
        train("comparator", rated, encoders=[Letters()], trainer=trainer, test=rated_by_length(8, 2, groups=True))
    level = replace(test, targets=np.ones(40))
    with pytest.raises(InputError, match="no two texts of a group that is held out have different ratings"):
        train("comparator", rated, encoders=[Letters()], trainer=trainer, test=level)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="the comparator has a classifier of pairs; leave the trainer out"):
        train("comparator", read_examples(SAMPLE), encoders=["ngrams-8@1"], trainer=Ridge())
    with pytest.raises(InputError, match="a classifier of pairs says which of two texts is better, and ruse rates one"):
        train("ruse", read_examples(SAMPLE), encoders=["ngrams-8@1"], trainer=PairClassifier())
    with pytest.raises(InputError, match="comparator takes no metrics"):
        train("comparator", read_examples(SAMPLE), scores=["chrf"])


def test_parts_that_are_done_are_not_trained_again(torch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that is ended while a part is held out goes on with that part, and ends with the same figures."""
    options = ["train", "comparator", "--data", str(SAMPLE), "--encoder", "ngrams-16@2", "--epochs", "2"]
    run, whole, out = CliRunner(), tmp_path / "whole", tmp_path / "model"
    own, calls, ends = PairClassifier.fit_pairs, [], [0]

    def counted(*arguments: Any, **given: Any) -> Any:
        calls.append(arguments)
        if len(calls) == ends[0]:
            raise KeyboardInterrupt
        return own(*arguments, **given)

    def command(folder: Path, *others: str, until: int = 0) -> Any:
        calls[:], ends[:] = [], [until]
        return run.invoke(main, [*options, "--hidden", "4", *others, "--out", str(folder)])

    monkeypatch.setattr(PairClassifier, "fit_pairs", counted)
    assert command(whole).exit_code == 0
    parts = len(calls)
    command(out, until=4)
    again = command(out, "--resume")
    assert again.exit_code == 0, again.output
    assert len(calls) == parts - 3
    assert (out / "README.md").read_text("utf-8") == (whole / "README.md").read_text("utf-8")


def test_there_are_a_thousand_resamples_unless_the_user_says_otherwise() -> None:
    assert signature(held_out_pairs).parameters["resamples"].default == 1000
