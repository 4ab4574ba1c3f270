"""Where one system beats another: parts of the segments, orders of n-grams, and the segments that differ most."""

from __future__ import annotations

import json
from collections import Counter
from html import escape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from metrologue.cli import main
from metrologue.comparison import compare
from metrologue.comparison.findings.ngrams import ngram_matches
from metrologue.comparison.findings.number import Sampling
from metrologue.comparison.findings.where import where
from metrologue.comparison.report.page import render
from metrologue.errors import InputError
from metrologue.inference import paired_test
from metrologue.scorers import Bleu, Rouge, Scorer, SelfBleu, Ter
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments

WORDS = ["a", "the", "cat", "dog", "bird", "house", "tree", "river", "stone", "cloud", "runs", "sits", "sees", ",", "."]
RUSSIAN = ["кошка", "собака", "дом", "река", "видит", "бежит"]
HOW = Sampling(resamples=100)


def made(seed: int, segments: int = 120) -> tuple[dict[str, list[str]], list[str]]:
    """Two systems that copy references with some errors; every fifth segment is Russian."""
    rng = np.random.default_rng(seed)
    references, first, second = [], [], []
    for index in range(segments):
        known = RUSSIAN if index % 5 == 0 else WORDS
        words = rng.choice(known, rng.integers(3, 25))
        references.append(" ".join(words))
        for texts, errors in ((first, 0.2), (second, 0.4)):
            texts.append(" ".join(np.where(rng.random(len(words)) < errors, "wrong", words)))
    return {"first": first, "second": second}, references


@pytest.fixture(scope="module")
def texts() -> dict[str, Segments]:
    systems, references = made(1)
    one = Segments(systems["first"], references)
    return {"first": one, "second": one.with_predictions(systems["second"])}


@pytest.mark.parametrize("scorer", [Bleu(), Bleu(aggregation="mean"), Rouge(), Ter()], ids=str)
def test_a_part_has_the_scores_and_the_interval_of_its_segments(scorer: Scorer, texts: dict[str, Segments]) -> None:
    found = where("own", scorer, texts, HOW)
    assert found is not None
    lengths = [len(texts["first"].pair(index)[1][0].split()) for index in range(120)]
    factor = 100 / perfect_score(scorer) if perfect_score(scorer) else 1
    for part in found.by("length"):
        ends = [int(word) for word in part.name.split() if word.isdigit()]
        low, high = (0, ends[0]) if "up" in part.name else (ends[0], 99) if "more" in part.name else (ends[0], ends[-1])
        chosen = [index for index, length in enumerate(lengths) if low <= length <= high]
        assert part.segments == len(chosen)
        own = {
            name: Segments([s.pair(i)[0] for i in chosen], [s.pair(i)[1] for i in chosen]) for name, s in texts.items()
        }
        values = [factor * scorer.corpus(segments).value for segments in own.values()]
        assert [part.first, part.second] == pytest.approx(values)
        assert part.difference == pytest.approx(values[0] - values[1])
        [test] = paired_test(scorer, "second", own, resamples=100)
        assert test.difference_interval is not None
        ends_of = [factor * test.difference_interval.low, factor * test.difference_interval.high]
        assert part.limits == pytest.approx(ends_of)
    for by in ("length", "frequency", "script"):
        assert sum(part.segments for part in found.by(by)) == 120
    assert {part.name: part.segments for part in found.by("script")} == {"Cyrillic": 24, "Latin": 96}


def test_orders_are_those_of_ngrams_whatever_the_metric(texts: dict[str, Segments]) -> None:
    found = where("own", Ter(), texts, HOW)
    assert found is not None
    for order, part in enumerate(found.by("order"), 1):
        for name, value in (("first", part.first), ("second", part.second)):
            assert value == pytest.approx(Bleu().corpus(texts[name]).scores[f"precision_{order}"])


def test_the_segments_that_differ_most_come_from_both_sides(texts: dict[str, Segments]) -> None:
    for scorer, sign in ((Bleu(), 1), (Ter(), -1)):
        found = where("own", scorer, texts, HOW)
        scores = [scorer.segments(segments) for segments in texts.values()]
        lead = sign * (scores[0] - scores[1])
        assert found is not None
        shown = [each.segment for each in found.segments]
        assert lead[shown[:3]].tolist() == np.sort(lead)[::-1][:3].tolist()
        assert lead[shown[3:]].tolist() == np.sort(lead)[:3].tolist()


def test_without_sums_or_references_there_is_no_answer(texts: dict[str, Segments]) -> None:
    assert where("own", SelfBleu(), texts, HOW) is None
    few = {name: Segments(["a b", "c"], ["a b", "d"]) for name in ("first", "second")}
    found = where("own", Bleu(), few, HOW)
    assert found is not None
    assert [part.by for part in found.parts] == ["order"] * 4
    assert found.segments == []


def test_a_comparison_has_the_best_system_and_the_next_or_those_asked_for() -> None:
    systems, references = made(2)
    systems["third"] = references
    found = compare(systems, references, "ter", libraries=[], resamples=100)
    assert found.where is not None
    assert (found.where.first, found.where.second, found.where.variant) == ("third", "first", "sacrebleu")
    assert all(part.difference < 0 for part in found.where.by("length"))
    own = compare(systems, references, libraries=[], resamples=100, between=("second", "first"))
    assert own.where is not None
    assert (own.where.first, own.where.second) == ("second", "first")
    assert compare(systems, references, libraries=[], confidence=None).where is None
    with pytest.raises(InputError, match=r"`between` is \('first', 'none'\); two of the systems are expected: first"):
        compare(systems, references, libraries=[], between=("first", "none"))


def test_every_form_of_the_answer_has_it(tmp_path: Path) -> None:
    systems, references = made(3)
    for name, lines in {**systems, "reference": references}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = compare(systems, references, libraries=[], resamples=100)
    assert "## bleu: where first beats second, by sacrebleu" in found.to_markdown()
    assert escape("Where first beats second, by sacrebleu") in render(found)
    assert json.loads(found.to_json())["where"]["parts"][0]["by"] == "length"
    files = [option for name in ("second", "first") for option in ("-p", str(tmp_path / name))]
    call = ["compare", "--no-live", *files, "-r", str(tmp_path / "reference"), "--resamples", "100"]
    told = CliRunner().invoke(
        main, [*call, "--between", "second", "first", "--format", "markdown"], catch_exceptions=False
    )
    assert "## bleu: where second beats first, by sacrebleu" in told.output
    refused = CliRunner().invoke(main, [*call, "--between", "second", "none"])
    assert refused.exit_code
    assert "two of the systems are expected" in refused.output


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6).map(" ".join), min_size=3, max_size=9))
def test_ngrams_are_counted_as_their_definition_does(texts: list[str]) -> None:
    count = len(texts) // 3
    sides = [texts[place * count : (place + 1) * count] for place in range(3)]
    first = Segments(sides[0], sides[2])
    second = first.with_predictions(sides[1])

    def ngrams(text: str) -> Counter[str]:
        tokens = text.split()
        return Counter(
            " ".join(tokens[at : at + order]) for order in range(1, 5) for at in range(len(tokens) - order + 1)
        )

    right = [
        sum(((ngrams(a) & ngrams(b)) for a, b in zip(side, sides[2], strict=True)), Counter()) for side in sides[:2]
    ]
    shown = {each.text: (each.first, each.second) for each in ngram_matches(first, second)}
    assert all((right[0][text], right[1][text]) == counts for text, counts in shown.items())
    ahead = sum(right[0][text] > right[1][text] for text in right[0])
    behind = sum(right[1][text] > right[0][text] for text in right[1])
    assert len(shown) == min(ahead, 5) + min(behind, 5)
    best = max(((right[0][text] + 1) / (right[0][text] + right[1][text] + 2) for text in right[0]), default=0.5)
    if best > 0.5:
        one, other = next(iter(shown.values()))
        assert (one + 1) / (one + other + 2) == best


def test_lengths_and_ngrams_are_printed(texts: dict[str, Segments]) -> None:
    found = where("own", Bleu(), texts, HOW)
    assert found is not None
    assert sum(each.first for each in found.lengths) == sum(each.second for each in found.lengths) == 120
    assert found.ngrams
