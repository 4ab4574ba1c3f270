"""TER and its shift search against the definition, which keeps nothing from one shift to the next."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import Corpus, shuffled_corpora

from metrics.ter import plain
from metrologue.kernels.pairs import Pairs
from metrologue.scorers import Ter
from metrologue.scorers.ter.kernels import COUNTS, DELETE, EQUAL, INSERT, SUBSTITUTE, Limits, shift_edits

Words = list[int]

# Few types, so that stretches come again and gains tie; some lengths that a beam of one column hardly joins.
texts = st.one_of(
    st.lists(st.integers(0, 2), max_size=10),
    st.permutations(range(9)),
    st.lists(st.integers(0, 5), max_size=14),
    st.lists(st.integers(0, 1), min_size=20, max_size=30),
)
limits = st.tuples(
    st.sampled_from([1, 2, 3, 25]),
    st.sampled_from([1, 2, 3, 10]),
    st.sampled_from([1, 3, 50]),
    st.sampled_from([1, 7, 40, 1000]),
).map(lambda drawn: Limits(*drawn))
SACREBLEU = Limits(25, 10, 50, 1000)


def searched(hypothesis: Words, reference: Words, limits: Limits) -> tuple[list[tuple[int, int, int]], Words]:
    """The definition's shifts, and its steps by the numbers that the kernel has for them."""
    shifts, steps = plain.shift_and_edit(hypothesis, reference, *limits)
    numbers = {"H": EQUAL, "S": SUBSTITUTE, "I": INSERT, "D": DELETE}
    return shifts, [numbers[step] for step in steps]


def laid_out(parts: list[Words]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    words = [word for part in parts for word in part]
    return np.array(words, np.int32), np.cumsum([0, *map(len, parts)], dtype=np.int64)


def script(hypothesis: Words, reference: Words, limits: Limits) -> tuple[list[tuple[int, int, int]], Words]:
    pair = Pairs(*laid_out([hypothesis, reference]), np.array([0]), np.array([1]))
    _, shifts, steps = shift_edits(pair, limits)
    return [tuple(shift) for shift in shifts.tolist()], steps.tolist()


@given(hypothesis=texts, reference=texts, limits=limits)
def test_every_shift_and_every_step(hypothesis: Words, reference: Words, limits: Limits) -> None:
    assert script(hypothesis, reference, limits) == searched(hypothesis, reference, limits)


@given(corpus=shuffled_corpora)
def test_definition(corpus: Corpus) -> None:
    """Edits by kind and shifts to the closest reference, and the rate of each segment and of the corpus."""
    hypotheses = [text.split() for text in corpus[0]]
    references = [[text.split() for text in own] for own in corpus[1]]
    scorer = Ter(case_sensitive=True, scale=1)
    assert scorer.corpus(*corpus).value == pytest.approx(plain.ter(hypotheses, references), rel=1e-12)
    rows = scorer.segment_scores(*corpus)
    for i, (hypothesis, own) in enumerate(zip(hypotheses, references, strict=True)):
        assert rows["ter"][i] == pytest.approx(plain.ter([hypothesis], [own]), rel=1e-12)
        scripts = [plain.shift_and_edit(hypothesis, reference) for reference in own]
        shifts, steps = min(scripts, key=lambda script: len(script[0]) + len(script[1].replace("H", "")))
        kinds = [("hits", "H"), ("substitutions", "S"), ("insertions", "I"), ("deletions", "D")]
        assert {name: rows[name][i] for name, _ in kinds} == {name: steps.count(step) for name, step in kinds}
        assert rows["shifts"][i] == len(shifts)
        assert rows["reference_length"][i] == pytest.approx(sum(map(len, own)) / len(own), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_longer_texts(seed: int) -> None:
    chance = random.Random(seed)
    words = chance.choices(range(chance.choice([3, 10, 40])), k=chance.randrange(60))
    other = list(words)
    for _ in range(chance.randrange(5)):
        start, stop = sorted(chance.choices(range(len(other) + 1), k=2))
        block, other = other[start : min(stop, start + 9)], other[:start] + other[min(stop, start + 9) :]
        target = chance.randrange(len(other) + 1)
        other[target:target] = block
    other = other[: chance.randrange(len(other) + 1)] if seed % 3 == 0 else other
    within = chance.choice([2, 5, 25]), chance.choice([4, 10]), chance.choice([5, 50]), chance.choice([60, 1000])
    limits = Limits(*within)
    assert script(other, words, limits) == searched(other, words, limits)


@given(pairs=st.lists(st.tuples(texts, texts), max_size=5))
def test_counts_are_those_of_the_scripts(pairs: list[tuple[Words, Words]]) -> None:
    parts = [part for pair in pairs for part in pair]
    hypotheses, references = np.arange(0, len(parts), 2), np.arange(1, len(parts), 2)
    counts, all_shifts, all_steps = shift_edits(Pairs(*laid_out(parts), hypotheses, references), SACREBLEU)
    assert counts.shape == (len(pairs), len(COUNTS))
    scripts = [script(*pair, SACREBLEU) for pair in pairs]
    assert [tuple(shift) for shift in all_shifts.tolist()] == [shift for shifts, _ in scripts for shift in shifts]
    assert all_steps.tolist() == [step for _, steps in scripts for step in steps]
    for row, (shifts, steps) in zip(counts.tolist(), scripts, strict=True):
        assert row == [*(steps.count(step) for step in (EQUAL, SUBSTITUTE, INSERT, DELETE)), len(shifts)]


def test_words_that_moved_far() -> None:
    """Fifty places are not too far, fifty-one are."""
    words = list(range(52))
    assert script([51, *words[:51]], words, SACREBLEU) == ([], [INSERT, *[EQUAL] * 51, DELETE])
    words = list(range(51))
    assert script([50, *words[:50]], words, SACREBLEU) == ([(0, 1, 50)], [EQUAL] * 51)


def test_more_candidates_than_64_bits_hold() -> None:
    """What could be shifted in a long text under wide limits is counted to make room for it."""
    assert script([0] * 460_000, [1] * 460_000, Limits(1, 2**31 - 1, 50, 1000)) == ([], [SUBSTITUTE] * 460_000)


def test_no_more_than_ten_words_move_together() -> None:
    words = list(range(40))
    assert script(words[30:] + words[:30], words, SACREBLEU)[0] == [(0, 10, 30)]
    assert len(script(words[29:] + words[:29], words, SACREBLEU)[0]) == 2


LONG = """
import re
import numpy as np
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.ter.kernels import EQUAL, SUBSTITUTE, INSERT, DELETE, Limits, shift_edits

chance = np.random.default_rng(0)
reference = chance.integers(0, 10**6, 60_000)
hypothesis = reference[:20_000].copy()
hypothesis[100:110], hypothesis[120:130] = reference[120:130], reference[100:110]
ids = np.concatenate([hypothesis, reference]).astype(np.int32)
pair = Pairs(ids, np.array([0, 20_000, 80_000]), np.array([0]), np.array([1]))
(counts,), _, _ = shift_edits(pair, Limits(25, 10, 50, 1000))
kept = counts[EQUAL] + counts[SUBSTITUTE]
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]
print(kept + counts[INSERT], kept + counts[DELETE], peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc that tells the peak of a process")
def test_long_texts_take_little_memory() -> None:
    """20,000 words with 60,000: a whole table would take 5 GB."""
    done = subprocess.run([sys.executable, "-c", LONG], capture_output=True, text=True, check=True)
    words, reference_words, kilobytes = map(int, done.stdout.split())
    assert (words, reference_words) == (20_000, 60_000)
    assert kilobytes < 500_000
