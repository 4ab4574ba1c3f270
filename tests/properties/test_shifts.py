"""The shift search against a slow version that tries every shift and keeps nothing from one to the next."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from metrologue.kernels.shifts import COUNTS, DELETE, EQUAL, INSERT, SUBSTITUTE, shift_edits

Words = list[int]
Limits = tuple[int, int, int, int]

# Few types, so that stretches come again and gains tie; some lengths that a beam of one column hardly joins.
texts = st.one_of(
    st.lists(st.integers(0, 2), max_size=10),
    st.permutations(range(9)),
    st.lists(st.integers(0, 5), max_size=14),
    st.lists(st.integers(0, 1), min_size=20, max_size=30),
)
limits = st.tuples(
    st.sampled_from([1, 2, 3, 25]), st.sampled_from([1, 2, 3, 10]), st.sampled_from([1, 3, 50]),
    st.sampled_from([1, 7, 40, 1000]),
)  # fmt: skip
SACREBLEU = (25, 10, 50, 1000)


def aligned(hypothesis: Words, reference: Words, beam: int) -> tuple[float, Words]:
    """The least cost in the beam, and the steps that it comes from."""
    n, m = len(hypothesis), len(reference)
    ratio = m / n if n else 1.0
    reach = math.ceil(ratio / 2 + beam) if beam < ratio / 2 else beam
    cost = {(0, j): float(j) for j in range(m + 1)}
    step = dict.fromkeys(cost, DELETE)
    for i in range(1, n + 1):
        diagonal = math.floor(i * ratio)
        for j in range(max(0, diagonal - reach), m + 1 if i == n else min(m + 1, diagonal + reach)):
            differ = j == 0 or hypothesis[i - 1] != reference[j - 1]
            choices = [
                (cost.get((i - 1, j - 1), math.inf) + differ, SUBSTITUTE if differ else EQUAL),
                (cost.get((i - 1, j), math.inf) + 1, INSERT),
                (cost.get((i, j - 1), math.inf) + 1, DELETE),
            ]
            cost[i, j], step[i, j] = min(choices, key=lambda choice: choice[0])
    i, j, steps = n, m, []
    while i or j:
        steps.insert(0, step[i, j])
        i, j = i - (steps[0] != DELETE), j - (steps[0] != INSERT)
    return cost[n, m], steps


def moved(words: Words, start: int, length: int, target: int) -> tuple[int, Words]:
    """Where a block begins, and the words, once it is taken out and put in front of word `target`."""
    block, rest = words[start : start + length], words[:start] + words[start + length :]
    begin = target - length if target > start + length else min(target, len(rest))
    return begin, rest[:begin] + block + rest[begin:]


def searched(hypothesis: Words, reference: Words, limits: Limits) -> tuple[list[tuple[int, int, int]], Words]:
    """The shifts and the steps, each candidate being the whole tuple that sacrebleu compares."""
    beam, longest, farthest, limit = limits
    words, shifts, checked = hypothesis, [], 0
    while True:
        distance, steps = aligned(words, reference, beam)
        # How many words of the hypothesis go up to each word of the reference, and what is wrong on either side.
        up_to, wrong, missed = [], [], []
        for step in steps:
            wrong += [step != EQUAL] * (step != DELETE)
            missed += [step != EQUAL] * (step != INSERT)
            up_to += [len(wrong)] * (step != INSERT)
        candidates = []
        if reference:
            for start in range(len(words)):
                for place in range(len(reference)):
                    for length in range(1, longest + 1):
                        stretch = words[start : start + length]
                        if abs(start - place) > farthest or stretch != reference[place : place + length]:
                            break
                        if start + length > len(words) or not any(wrong[start : start + length]):
                            continue
                        if not any(missed[place : place + length]) or 0 < up_to[place] - start <= length:
                            continue
                        targets = [up_to[k] if k >= 0 else 0 for k in range(place - 1, place + length)]
                        for before, target in zip([None, *targets], targets, strict=False):
                            if target != before:
                                begin, after = moved(words, start, length, target)
                                gain = distance - aligned(after, reference, beam)[0]
                                candidates.append((gain, length, -start, -target, after, begin))
        checked += len(candidates)
        if checked >= limit or not candidates or max(candidates)[0] <= 0:
            return shifts, steps
        _, length, start, _, words, begin = max(candidates)
        shifts.append((-start, length, begin))


def laid_out(parts: list[Words]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    words = [word for part in parts for word in part]
    return np.array(words, np.int32), np.cumsum([0, *map(len, parts)], dtype=np.int64)


def script(hypothesis: Words, reference: Words, limits: Limits) -> tuple[list[tuple[int, int, int]], Words]:
    ids, offsets = laid_out([hypothesis, reference])
    _, shifts, steps = shift_edits(ids, offsets, np.array([0]), np.array([1]), *limits)
    return [tuple(shift) for shift in shifts.tolist()], steps.tolist()


@given(hypothesis=texts, reference=texts, limits=limits)
def test_every_shift_and_every_step(hypothesis: Words, reference: Words, limits: Limits) -> None:
    assert script(hypothesis, reference, limits) == searched(hypothesis, reference, limits)


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
    limits = (chance.choice([2, 5, 25]), chance.choice([4, 10]), chance.choice([5, 50]), chance.choice([60, 1000]))
    assert script(other, words, limits) == searched(other, words, limits)


@given(pairs=st.lists(st.tuples(texts, texts), max_size=5))
def test_counts_are_those_of_the_scripts(pairs: list[tuple[Words, Words]]) -> None:
    parts = [part for pair in pairs for part in pair]
    hypotheses, references = np.arange(0, len(parts), 2), np.arange(1, len(parts), 2)
    counts, all_shifts, all_steps = shift_edits(*laid_out(parts), hypotheses, references, *SACREBLEU)
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
    assert script([0] * 460_000, [1] * 460_000, (1, 2**31 - 1, 50, 1000)) == ([], [SUBSTITUTE] * 460_000)


def test_no_more_than_ten_words_move_together() -> None:
    words = list(range(40))
    assert script(words[30:] + words[:30], words, SACREBLEU)[0] == [(0, 10, 30)]
    assert len(script(words[29:] + words[:29], words, SACREBLEU)[0]) == 2


LONG = """
import re
import numpy as np
from metrologue.kernels.shifts import EQUAL, SUBSTITUTE, INSERT, DELETE, shift_edits

chance = np.random.default_rng(0)
reference = chance.integers(0, 10**6, 60_000)
hypothesis = reference[:20_000].copy()
hypothesis[100:110], hypothesis[120:130] = reference[120:130], reference[100:110]
ids = np.concatenate([hypothesis, reference]).astype(np.int32)
(counts,), _, _ = shift_edits(ids, np.array([0, 20_000, 80_000]), np.array([0]), np.array([1]), 25, 10, 50, 1000)
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
