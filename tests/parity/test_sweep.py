"""The sweep: ten million numbers against the live libraries, a part a variant.

    python -m pytest -m slow tests/parity/test_sweep.py -k bleu-nltk

runs one part. What a part has compared is kept in build/sweep, so that one that was ended goes on, as long as the
commit and the library are the same. METROLOGUE_SWEEP is the count of all parts together.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from compared import compared, totals
from hypothesis import Phase, given, settings
from layouts import SAMPLES
from parity.options import Options
from parity.test_contract import CONTRACTS, Contract, cases, contract
from resumed import commit_of
from strategies import BLANKS, Corpus

__all__ = ["contract"]  # the fixture

ROOT = Path(__file__).parents[2]
TOTAL = int(os.environ.get("METROLOGUE_SWEEP", "10_000_000"))
CALLS = 40  # the options that are drawn for a variant, which its chunks take in turn
# Microseconds of processor time for a number, ours and the library's together, measured; COST where none stands here.
COST = 100
COSTS = {
    "meteor-evaluate": 18_000,
    "self_bleu-sacrebleu": 15_000,
    **dict.fromkeys(("nist_mt-evaluate", "self_bleu-nltk", "self_bleu-fast-bleu"), 10_000),
    "rouge-evaluate": 9_000,
    **dict.fromkeys(("chrf-torchmetrics", "exact_match-squad", "wer-evaluate", "meteor-nltk"), 8_000),
    **dict.fromkeys(("cer-evaluate", "exact_match-evaluate", "google_bleu-evaluate", "token_f1-squad"), 6_000),
    **dict.fromkeys((f"{metric}-torchmetrics" for metric in ("bleu", "cer", "mer", "wer", "wil", "wip")), 2_000),
    **dict.fromkeys(("edit_distance-torchmetrics", "hlepor-pypi", "hlepor-nltk"), 2_000),
    **dict.fromkeys(("chrf-chrf++", "ter-torchmetrics", "token_f1-torchmetrics", "nist_mt-nltk"), 1_000),
    **dict.fromkeys(("chrf-sacrebleu", "edit_distance-nltk", "bleu-evaluate"), 800),
    **dict.fromkeys(("lexical_diversity-lexicalrichness", "bleu-nltk", "chrf-nltk", "ribes-nltk"), 500),
    **dict.fromkeys(("rouge-torchmetrics", "ter-sacrebleu", "cider-pycocoevalcap", "google_bleu-nltk"), 400),
}
SWEPT = [each for each in CONTRACTS if each.variant.live and not each.runs_a_program and each.metric not in SAMPLES]
WORDS = [
    "the", "a", "of", "The", "cat", "cats", "sat", "running", "Mr.", "U.S.", "don't", "1,000.5", "naïve", "e-mail",
    "&amp;", "日本語", "Ünï", "🙂", "x", "y", "-", ".", ",", "?", "\"", "'s", "(", ")", "word", "words", "worded",
    "I", "İ", "ß", "",
]  # fmt: skip


LEAST = TOTAL // 2_000  # of each


def quota(each: Contract) -> int:
    """How many numbers a part compares: what costs more compares fewer, and takes less time in all."""
    shares = {str(one): COSTS.get(str(one), COST) ** -1.25 for one in SWEPT}
    return LEAST + int((TOTAL - LEAST * len(SWEPT)) * shares[str(each)] / sum(shares.values()))


def pairs(each: Contract) -> int:
    """How many pairs a chunk has. Of Self-BLEU, a segment is compared with all others."""
    return 12 if each.metric == "self_bleu" else 500


@cache
def drawn(each: Contract) -> list[tuple[Options, Options]]:
    """Options of the library with ours, the first of which are its defaults."""
    found: list[tuple[Options, Options]] = [({}, {})]
    if (calls := each.peer.calls) is not None:

        @settings(max_examples=CALLS, database=None, phases=(Phase.generate,))
        @given(call=calls)
        def collect(call: tuple[Options, Options]) -> None:
            found.append(call)

        collect()
    return found


def texts(seed: int, count: int) -> Corpus:
    """So many pairs of texts, half of whose words are the reference's, with one to three references."""
    draws = random.Random(seed)

    def text(source: list[str]) -> str:
        blank = " " if draws.random() < 0.9 else draws.choice(BLANKS)
        return blank.join(draws.choices(source, k=draws.randrange(12)))

    predictions, references = [], []
    for _ in range(count):
        own = draws.choices(WORDS, k=8)
        predictions.append(text(own))
        references.append([text(own if draws.random() < 0.8 else WORDS) for _ in range(draws.choice((1, 1, 2, 3)))])
    return predictions, references


class Kept:
    """What a part has compared so far: a line a chunk."""

    def __init__(self, each: Contract, folder: Path = ROOT / "build" / "sweep") -> None:
        commit = commit_of(ROOT)
        self.facts = {"commit": commit, "library": each.variant.version, "pairs": pairs(each)}
        self.path = folder / f"{each}.jsonl"
        lines = self.path.read_text("utf-8").splitlines() if commit and self.path.is_file() else []
        self.chunks: dict[int, list[int]] = {
            one["chunk"]: one["compared"] for one in map(json.loads, lines) if one["of"] == self.facts
        }
        self.numbers = sum(counts[0] for counts in self.chunks.values())

    def add(self, chunk: int, counts: list[int]) -> None:
        self.chunks[chunk] = counts
        self.numbers += counts[0]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"of": self.facts, "chunk": chunk, "compared": counts}) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("contract", cases(lambda each: each in SWEPT), indirect=True)
def test_sweep(contract: Contract) -> None:
    kept, calls = Kept(contract), drawn(contract)
    for numbers, _, equal in ([*map(int, counts)] for counts in kept.chunks.values()):
        compared(numbers, equal)
    for chunk in chunks(kept, most=quota(contract)):
        if kept.numbers >= quota(contract):
            break
        before = totals()
        contract.check(calls[chunk % len(calls)], texts(chunk, pairs(contract)))
        kept.add(chunk, [after - own for after, own in zip(totals(), before, strict=True)])
    assert kept.numbers >= quota(contract)


def chunks(kept: Kept, most: int) -> Iterator[int]:
    """The chunks that are still to be compared, each of which has a number or more."""
    return (chunk for chunk in range(most) if chunk not in kept.chunks)


def test_the_quotas_are_the_total_and_no_part_takes_long() -> None:
    quotas = {str(each): quota(each) for each in SWEPT}
    assert TOTAL - len(SWEPT) <= sum(quotas.values()) <= TOTAL
    assert COSTS.keys() <= quotas.keys()
    seconds = {name: 1e-6 * COSTS.get(name, COST) * numbers for name, numbers in quotas.items()}
    assert max(seconds.values()) < 300 * TOTAL / 1e7
    assert sum(seconds.values()) < 5_400 * TOTAL / 1e7


def test_a_part_that_was_ended_goes_on(tmp_path: Path) -> None:
    part: Any = SWEPT[0]
    first = Kept(part, tmp_path)
    first.add(0, [9, 9, 8])
    first.add(2, [5, 5, 5])
    assert first.numbers == 14
    again = Kept(part, tmp_path)
    assert [*chunks(again, most=4)] == ([1, 3] if again.facts["commit"] else [0, 1, 2, 3])
