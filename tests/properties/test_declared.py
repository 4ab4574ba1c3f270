"""A metric that gives something else than it declares is refused at its first score, or when it is defined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import metrologue
from metrologue.data.arrays import Floats
from metrologue.scorers import Bleu, PairScorer, Scorer, get_scorer
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import variant_of
from metrologue.segments import Segments

TEXTS = ["a b", "c"]
SEVERAL = [["a b", "x"], ["c"]]


@pytest.fixture(autouse=True)
def no_new_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the metrics of a test for this test only."""
    monkeypatch.setattr(Scorer._registered, "_loaded", {**Scorer._registered._loaded})


def metric(
    base: type[Any] = Scorer, *, rows: Any = 1, gives: dict[str, float] | None = None, better: Any = "higher"
) -> Any:
    """A metric with one column and the numbers `mine` and `other`, which are 0 to 1."""

    @dataclass(frozen=True, kw_only=True)
    class Mine(base):  # type: ignore[misc]  # which base it is, the test says
        name: ClassVar[str] = "mine"
        numbers: ClassVar = (
            number("mine", 0, 1, better=better, about="one number"),
            number("other", 0, 1, about="another number"),
        )
        _columns = ("share",)

        def _statistics(self, segments: Segments) -> Floats:
            return super()._statistics(segments) if base is PairScorer else np.full((len(segments), rows), 0.5)

        def _pair_statistics(self, segments: Segments) -> Floats:
            return np.full((int(segments.reference_offsets[-1]), rows), 0.5)

        def _score(self, statistics: Floats) -> dict[str, Floats]:
            share = statistics[..., 0] / np.maximum(statistics[..., 0], 0.5)
            return {name: share * value for name, value in (gives or {"mine": 1.0, "other": 0.5}).items()}

    return Mine


def calls(scorer: Any) -> Iterator[Any]:
    """Every way to a number."""
    yield lambda: scorer.corpus(TEXTS, SEVERAL)
    yield lambda: scorer.segments(TEXTS, SEVERAL)
    yield lambda: scorer.score_totals(scorer.accumulate(TEXTS, SEVERAL))


@pytest.mark.parametrize("aggregation", ["corpus", "mean"])
@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"rows": 3}, TypeError, r"Mine: `_statistics` gives the shape \(2, 3\); \(2, 1\) is expected.*share"),
        ({"gives": {"mine": 1, "others": 1}}, TypeError, "Mine: `_score` gives 'others', which `numbers` does not"),
        ({"gives": {"mine": 1}}, TypeError, "Mine: `_score` does not give 'other', which `numbers` declares"),
        ({"gives": {"other": 1, "mine": 1}}, TypeError, "Mine: .* in another order"),
        ({"gives": {"mine": 7, "other": 0.5}}, ValueError, "Mine: `mine` is 7; its declared range is 0 to 1"),
        ({"gives": {"mine": 1, "other": -0.1}}, ValueError, "Mine: `other` is -0.1; its declared range is 0 to 1"),
    ],
)
def test_what_is_not_as_declared_is_refused(given: Any, error: type[Exception], said: str, aggregation: str) -> None:
    kind = metric(**given)
    for index in range(len([*calls(None)])):
        scorer = kind(aggregation=aggregation)
        with pytest.raises(error, match=said):
            [*calls(scorer)][index]()


def test_what_is_as_declared_is_scored() -> None:
    scorer = metric()()
    for call in calls(scorer):
        call()
    assert scorer.corpus(TEXTS, SEVERAL).scores == {"mine": 1.0, "other": 0.5}


def test_columns_of_pairs_are_checked_before_the_best_reference_is_sought() -> None:
    with pytest.raises(TypeError, match=r"`_pair_statistics` gives the shape \(3, 2\); \(3, 1\) is expected"):
        metric(PairScorer, rows=2)().corpus(TEXTS, SEVERAL)
    assert metric(PairScorer)().corpus(TEXTS, SEVERAL).value == 1.0


def test_a_metric_of_pairs_without_a_direction_is_refused_when_it_is_defined() -> None:
    with pytest.raises(TypeError, match='Mine: the number \'mine\' has no `better`; give "higher" or "lower"'):
        metric(PairScorer, better=None)
    assert "mine" not in metrologue.list_metrics()
    assert metric(better=None)().corpus(TEXTS, SEVERAL).value == 1.0  # of a text and all references, none is the best


def test_a_variant_of_a_subclass_keeps_the_defaults_of_the_metric() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Characters(Bleu):
        tokenizer: str = "char"
        added: int = option(3, stage="score", choice="added")

    assert Characters.variant("sacrebleu").tokenizer == "13a"
    assert Characters.variant("nltk").tokenizer == Bleu.variant("nltk").tokenizer
    assert Characters.variant("sacrebleu", tokenizer="zh").tokenizer == "zh"
    assert Characters.variant("sacrebleu").added == 3
    assert variant_of(Characters()) is None
    assert "mirrors" not in Characters().signature
    assert "mirrors=sacrebleu" in Characters(tokenizer="13a").signature


def test_a_field_without_a_declaration_is_refused_by_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Characters(Bleu):
        added: int = 3

    with pytest.raises(TypeError, match="Characters: the field `added` is not declared"):
        Characters()


def test_a_second_class_of_a_name_is_refused() -> None:
    before = metrologue.score("bleu", TEXTS, SEVERAL).signature
    for name in ("bleu", "spice"):  # perhaps a metric that no one has imported
        with pytest.raises(TypeError, match=f"Taken: a metric is called '{name}' already, metrologue.scorers.{name}"):
            type("Taken", (Bleu,), {"name": name, "__qualname__": "Taken"})
    assert metrologue.score("bleu", TEXTS, SEVERAL).signature == before
    metric()
    with pytest.raises(TypeError, match=r"Other: a metric is called 'mine' already, .*test_declared.*Mine"):
        type("Other", (Bleu,), {"name": "mine"})


def test_the_same_class_may_be_defined_again() -> None:
    metric()
    again = metric(gives={"mine": 0.25, "other": 0.5})
    assert get_scorer("mine") is again
    assert metrologue.score("mine", TEXTS, SEVERAL).value == 0.25
