"""Each check of ``metrologue.testing`` finds the mistake that it is for, and says what to change."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from metrologue.author import PairScorer, Tokenized, Variant, by_name, counted, number, option, ratio
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Scorer
from metrologue.testing import CHECKS, check_metric, parametrize_with_checks

CORPORA: list[dict[str, Any]] = [
    {"predictions": ["a b c", "a", "c d"], "references": [["a b", "c"], ["a d e f"], ["c d"]]},
    {"predictions": ["e f", "a a a"], "references": [["e"], ["b"]]},
]
NUMBERS = (
    number("gap_here", 0, float("inf"), better="lower", title="Gap", about="words too many or too few, for each word"),
    counted("difference", "words", about="words too many or too few"),
    counted("reference_length", "words", about="words of the references"),
)


@pytest.fixture(autouse=True)
def no_new_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the metrics of a test for this test only."""
    monkeypatch.setattr(Scorer._registered, "_loaded", {**Scorer._registered._loaded})


def right_rows(self: Any, segments: Any) -> Any:
    view = self._view(segments)
    hypotheses, references = view.pairs
    lengths = np.diff(view.offsets).astype(float)
    differences = abs(lengths[hypotheses] - lengths[references])
    return np.column_stack([differences**2 if self.by_square else differences, lengths[references]])


def metric(**changed: Any) -> Any:
    """A metric that keeps everything, but for what is changed."""

    @dataclass(frozen=True, kw_only=True)
    class Gap(Tokenized, PairScorer):
        """Difference of the lengths."""

        name: ClassVar[str] = "gap_here"
        floor: int = option(1, stage="score", choice="floor", least=1, greatest=9, about="The least length.")
        by_square: bool = option(False, stage="pairs", choice="square", about="Whether differences are squared.")
        _columns = ("difference", "reference_length")
        numbers: ClassVar = changed.pop("numbers", NUMBERS)
        _variants: ClassVar = {"own": Variant("own", "its own"), "floor": Variant("own", "with a floor", {"floor": 3})}

        def _pair_statistics(self, segments: Any) -> Any:
            return right_rows(self, segments)

        def _score(self, statistics: Any) -> Any:
            counts = by_name(self._columns, statistics)
            longest = np.maximum(counts["reference_length"], self.floor)
            return {"gap_here": ratio(counts["difference"], longest), **counts}

    for name, value in changed.items():
        setattr(Gap, name, value)
    return Gap


def scored(change: Any) -> Any:
    """A `_score` that changes its result."""

    def _score(self: Any, statistics: Any) -> Any:
        counts = by_name(self._columns, statistics)
        numbers = {
            "gap_here": ratio(counts["difference"], np.maximum(counts["reference_length"], self.floor)),
            **counts,
        }
        return change(self, numbers)

    return _score


def counted_as(change: Any) -> Any:
    """A `_pair_statistics` that changes the right rows."""
    return lambda self, segments: change(self, segments, right_rows(self, segments))


def with_another_first(self: Any, segments: Any, rows: Any) -> Any:
    return rows + (len(segments) > 3)


def test_what_keeps_everything_passes() -> None:
    scorer = metric()()
    for name, check in CHECKS.items():
        if name != "copies":  # the class is none of a module
            check(scorer, CORPORA)
    check_metric(Bleu.variant("nltk"))


DECLARES = "`numbers` declares gap_here, difference"
MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("declarations", {"numbers": (*NUMBERS, NUMBERS[1])}, "'difference' stands twice among its numbers"),
    ("declarations", {"numbers": (replace(NUMBERS[0], about="A sentence."), *NUMBERS[1:])}, "without a final stop"),
    ("declarations", {"numbers": (replace(NUMBERS[0], about="long " * 30 + "x"), *NUMBERS[1:])}, "longer than 110"),
    ("declarations", {"numbers": (replace(NUMBERS[0], about="for {n} words"), *NUMBERS[1:])}, "which its name has not"),
    ("declarations", {"numbers": (replace(NUMBERS[0], about="at `least` 1"), *NUMBERS[1:])}, "which is no option"),
    ("numbers", {"numbers": (replace(NUMBERS[0], greatest=0.5), *NUMBERS[1:])}, "range"),
    (
        "numbers",
        {"_score": scored(lambda self, found: dict(reversed(found.items())))},
        "`numbers` declares gap_here, difference",
    ),
    (
        "numbers",
        {"_score": scored(lambda self, found: {name: found[name] for name in [*found][:2]})},
        "`numbers` declares gap_here, difference",
    ),
    (
        "numbers",
        {"_score": scored(lambda self, found: {**found, "gap_here": found["gap_here"] + (found["gap_here"].ndim > 1)})},
        "another `gap_here` for one row than for many at once",
    ),
    ("numbers", {"_pair_statistics": lambda self, segments: np.ones((1, 2))}, "is expected"),
    ("addition", {"_pair_statistics": counted_as(with_another_first)}, "count each segment from its own texts alone"),
    ("options", {"_score": scored(lambda self, found: {n: v - (self.floor > 1) for n, v in found.items()})}, "range"),
    ("signatures", {"signature": property(lambda self: "gap_here|floor=2|metrologue=1")}, "gives another scorer"),
    ("variants", {"_variants": {"own": Variant("own", "its own", {"flor": 3})}}, "sets `flor`, which is no option"),
    ("trace", {"segments": lambda self, *texts, **more: np.ones(3) * 7}, "shows .* and its score is 7.0"),
    ("copies", {}, "cannot be pickled"),
    ("nothing", {"aggregate": lambda self, rows: np.ones(2)}, "it has a score of no segments"),
]


@pytest.mark.parametrize(
    ("check", "changed", "said"), MISTAKES, ids=[f"{i}-{each[0]}" for i, each in enumerate(MISTAKES)]
)
def test_each_mistake_is_told(check: str, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(AssertionError, match=rf"^Gap: .*{said}"):
        CHECKS[check](metric(**changed)(), CORPORA)


def test_a_class_without_a_docstring_is_told() -> None:
    bare: Any = type("Bare", (metric(),), {})
    with pytest.raises(AssertionError, match=r"^Bare: the class has no docstring; say in one line"):
        CHECKS["declarations"](bare(), CORPORA)


def test_what_a_thread_keeps_is_told() -> None:
    calls = itertools.count()
    changed = counted_as(lambda self, segments, rows: rows + next(calls))
    with pytest.raises(AssertionError, match=r"^Gap: .* differs with three threads"):
        CHECKS["threads"](metric(_pair_statistics=changed)(), CORPORA)


def test_totals_that_do_not_add_are_told() -> None:
    changed = counted_as(with_another_first)
    with pytest.raises(AssertionError, match=r"^Gap: the totals of parts, .*, are not those of the whole"):
        CHECKS["merging"](metric(_pair_statistics=changed)(), CORPORA)


def test_pairs_that_differ_are_told() -> None:
    changed = {"pairwise": lambda self, *texts: np.full((3, 2), 5.0)}
    with pytest.raises(AssertionError, match=r"^Gap: `pairwise` gives 5.0 for a pair that alone scores 0.5"):
        CHECKS["pairs"](metric(**changed)(), CORPORA)


def test_plain_texts_must_have_a_score() -> None:
    def refused(self: Any, segments: Any) -> Any:
        raise InputError("Gap: not these.")

    with pytest.raises(AssertionError, match=r"^Gap: plain texts have no score \(Gap: not these.\); give `corpora`"):
        check_metric(metric(_pair_statistics=refused)())


@parametrize_with_checks([Bleu(max_order=2)])
def test_a_test_of_each_check(check: Any) -> None:
    check()


def test_tests_are_named_by_metric_and_check() -> None:
    [mark] = [each for each in test_a_test_of_each_check.pytestmark if each.name == "parametrize"]
    assert [param.id for param in mark.args[1]] == [f"bleu-{name}" for name in CHECKS]
