"""Totals of metrics of diversity that two other processes made: they merge to the score of all texts."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from metrologue.errors import InputError
from metrologue.scorers import DistinctN, LexicalDiversity, Scorer, SelfBleu
from metrologue.segments import Segments

# The parts share types and n-grams, with other numbers in each process.
PARTS = [
    [f"the {animal} sat on the {place}" for animal in ("cat", "dog", "bird") for place in ("mat", "roof")],
    ["a bird sat on the roof and the cat ran", "", "ein Vöglein 鳥 sat", "on the mat the dog"] * 4,
]
TEXTS = [text for part in PARTS for text in part]
COUNTED = ("ttr", "yule_k", "hdd", "vocd_d", "entropy")
SCORERS = {
    "distinct_n": DistinctN(orders=(1, 2, 3)),
    "expected": DistinctN(vocabulary=50, level="sentence"),
    "counts": LexicalDiversity(measures=COUNTED, entropy_order=2, draws=9),
    "order": LexicalDiversity(window=7, draws=9, vocd_samples=5),
    "mean": LexicalDiversity(measures=("ttr", "mtld"), aggregation="mean"),
    "self_bleu": SelfBleu(max_order=2).fit(Segments(TEXTS)),
}
PROGRAM = """
import pickle, sys
scorers, texts, first = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps([scorer.accumulate(texts, first=first) for scorer in scorers]))
"""


@pytest.fixture(scope="module")
def made() -> list[dict[str, object]]:
    """For each part, the totals of each scorer, from a process of its own."""

    def run(part: list[str], first: int, seed: str) -> dict[str, object]:
        given = pickle.dumps(([*SCORERS.values()], part, first))
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=given,
            capture_output=True,
            check=True,
            timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        return dict(zip(SCORERS, pickle.loads(done.stdout), strict=True))

    return [run(PARTS[0], 0, "1"), run(PARTS[1], len(PARTS[0]), "2")]


@pytest.mark.parametrize("name", SCORERS)
def test_totals_of_two_processes(name: str, made: list[dict[str, object]]) -> None:
    scorer: Scorer = SCORERS[name]
    first, second = (totals[name] for totals in made)
    merged, backwards = first.merge(second), second.merge(first)
    assert merged.segments == len(TEXTS)
    assert scorer.score_totals(merged).scores == pytest.approx(scorer.corpus(TEXTS).scores, rel=1e-12)
    assert (
        scorer.score_totals(merged) == scorer.score_totals(backwards) == scorer.score_totals(scorer.accumulate(TEXTS))
    )


def test_texts_in_their_order_need_a_place() -> None:
    scorer = SCORERS["order"]
    parts = [scorer.accumulate(part) for part in PARTS]
    with pytest.raises(
        InputError, match=r"both totals have counted segment 0, counted from 0.*accumulate\(\.\.\., first=1000\)"
    ):
        parts[0].merge(parts[1])
    assert SCORERS["counts"]._totals_in_order is SCORERS["mean"]._totals_in_order is False


def test_what_is_kept(made: list[dict[str, object]], tmp_path: Path) -> None:
    """Counts by the hash of an n-gram; for measures that read a running text, all tokens."""
    tables = {name: {*made[0][name].tables} for name in SCORERS}
    assert tables == {
        "distinct_n": {"ngrams_1", "ngrams_2", "ngrams_3"},
        "expected": {"ngrams_1", "ngrams_2"},
        "counts": {"ngrams_1", "ngrams_2"},
        "order": {"tokens"},
        "mean": set(),
        "self_bleu": set(),
    }
    assert made[0]["order"].tables["tokens"].lengths.tolist() == [len(text.split()) for text in PARTS[0]]


def test_self_bleu_needs_one_pool() -> None:
    with pytest.raises(InputError, match=r"`pool` must be the same for all batches; fit\(segments\) makes it"):
        SelfBleu().accumulate(PARTS[0])
