"""The kernels of edits against the definition, and against what every distance is."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from growth import takes_less
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from strategies import TokenCorpus, spelled, token_corpora

from metrics.edit_distance.plain import edit_distance
from metrologue.kernels.pairs import Pairs
from metrologue.scorers import EditDistance
from metrologue.scorers.families.edits import Edits
from metrologue.scorers.families.kernels.edit import alignments, distances
from metrologue.scorers.families.kernels.weighted import ADJACENT, ANY, NONE, EditCosts, weighted_distances

# Around the widths of one and of two words, and few letters, so that many alignments are equally short.
lengths = st.sampled_from([0, 1, 2, 5, 63, 64, 65, 127, 128, 129, 200])
runs = st.tuples(lengths, st.integers(1, 4), st.integers()).map(
    lambda drawn: random.Random(drawn[2]).choices(range(drawn[1]), k=drawn[0])
)
short = st.lists(st.integers(0, 3), max_size=8)
some_pairs = st.lists(st.tuples(runs, runs), min_size=1, max_size=4)
costs = st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0])
some_costs = st.tuples(costs, costs, costs)

Run = list[int]


def packed(pairs: list[tuple[Run, Run]]) -> Pairs:
    texts = [text for pair in pairs for text in pair]
    offsets = np.cumsum([0, *map(len, texts)])
    count = len(texts)
    return Pairs(
        np.array([u for text in texts for u in text], np.int32),
        offsets,
        np.arange(0, count, 2),
        np.arange(1, count, 2),
    )


def reachable(text: Run, letters: int) -> set[tuple[int, ...]]:
    """What one edit makes of a text: an insertion, a deletion, a substitution or a transposition of neighbours."""
    found = set()
    for i in range(len(text) + 1):
        found |= {(*text[:i], letter, *text[i:]) for letter in range(letters)}
        found |= {(*text[:i], letter, *text[i + 1 :]) for letter in range(letters)}
        found.add((*text[:i], *text[i + 1 :]))
        found.add((*text[:i], *text[i : i + 2][::-1], *text[i + 2 :]))
    return found


@given(pairs=some_pairs)
def test_distances(pairs: list[tuple[Run, Run]]) -> None:
    found = distances(packed(pairs), 4)
    assert found.tolist() == [edit_distance(*pair) for pair in pairs]


@given(pairs=some_pairs)
def test_alignments(pairs: list[tuple[Run, Run]]) -> None:
    counts, partners = alignments(packed(pairs), 4)
    begin = 0
    for (hypothesis, reference), count in zip(pairs, counts.tolist(), strict=True):
        own = partners[begin : begin + len(reference)]
        begin += len(reference)
        paired = own[own >= 0].tolist()
        assert all(one < other for one, other in pairwise(paired))
        equal = sum(hypothesis[i] == reference[j] for j, i in enumerate(own.tolist()) if i >= 0)
        deleted, inserted = len(reference) - len(paired), len(hypothesis) - len(paired)
        assert count == [equal, len(paired) - equal, deleted, inserted, len(hypothesis), len(reference)]
        assert sum(count[1:4]) == edit_distance(hypothesis, reference)
    assert begin == len(partners)


def test_time_of_the_edits_of_many_types() -> None:
    """The text of a type is read by itself, without a copy of all texts."""
    scorer = EditDistance(tokenizer="whitespace")
    small, large = (" ".join(f"word{i}" for i in range(count)) for count in (10_000, 40_000))
    assert takes_less(lambda: scorer.edits(large, large), lambda: scorer.edits(small, small), 8)


@given(pair=st.tuples(runs, runs), weights=some_costs)
def test_costs(pair: tuple[Run, Run], weights: tuple[float, float, float]) -> None:
    expected = pytest.approx(edit_distance(*pair, *weights), rel=1e-12)
    assert weighted_distances(packed([pair]), EditCosts(*weights, NONE, 0), 4)[0] == expected


@given(corpus=token_corpora, transpositions=st.sampled_from(["none", "adjacent", "any"]), weights=some_costs)
@example(corpus=([[*"axb"]], [[[*"ba"]]]), transpositions="any", weights=(0.5, 3.0, 3.0))  # an edit between the two
def test_definition(corpus: TokenCorpus, transpositions: str, weights: tuple[float, float, float]) -> None:
    insertion, deletion, substitution = weights
    scorer = EditDistance(
        tokenizer="whitespace",
        transpositions=transpositions,
        insertion_cost=insertion,
        deletion_cost=deletion,
        substitution_cost=substitution,
    )
    expected = [
        min(edit_distance(hypothesis, reference, *weights, transpositions) for reference in references)
        for hypothesis, references in zip(*corpus, strict=True)
    ]
    assert scorer.segments(*spelled(corpus)) == pytest.approx(expected, rel=1e-12)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(fmean(expected), rel=1e-12)


@given(start=st.lists(st.integers(0, 2), max_size=4))
def test_transpositions_of_any_kind_are_steps_of_single_edits(start: list[int]) -> None:
    """Damerau's distance is the length of the shortest way, found by trying all ways of up to three edits."""
    steps = {tuple(start): 0}
    for step in range(1, 4):
        for text in [text for text, at in steps.items() if at == step - 1]:
            for other in reachable(list(text), 3):
                steps.setdefault(other, step)
    targets = [text for text in steps if len(text) <= 5]
    ours = weighted_distances(packed([(list(text), start) for text in targets]), EditCosts(1.0, 1.0, 1.0, ANY, 0), 3)
    assert ours.tolist() == [steps[text] for text in targets]


@given(pair=st.tuples(short, short))
def test_more_is_allowed_costs_no_more(pair: tuple[Run, Run]) -> None:
    plain, adjacent, anywhere = (
        weighted_distances(packed([pair]), EditCosts(1.0, 1.0, 1.0, kind, 0), 4)[0] for kind in (NONE, ADJACENT, ANY)
    )
    assert anywhere <= adjacent <= plain == edit_distance(*pair)
    narrow, wide = (weighted_distances(packed([pair]), EditCosts(1.0, 1.0, 1.0, NONE, beam), 4)[0] for beam in (1, 50))
    assert narrow >= wide == plain


@given(
    prediction=st.text("abc", max_size=9),
    reference=st.text("abc", max_size=9),
    transpositions=st.sampled_from(["none", "adjacent", "any"]),
    substitution=st.sampled_from([0.5, 1.0, 1.5, 3.0]),
)
def test_the_alignment_costs_the_distance(
    prediction: str, reference: str, transpositions: str, substitution: float
) -> None:
    scorer = EditDistance(transpositions=transpositions, substitution_cost=substitution)
    edits = scorer.edits(prediction, reference)
    prices = {"H": 0.0, "S": substitution, "I": 1.0, "D": 1.0, "T": 1.0}
    assert sum(prices[step.kind] for step in edits.operations) == scorer.corpus([prediction], [reference]).value
    assert_covers(edits)


def assert_covers(edits: Edits) -> None:
    """Each unit of both texts is in one step."""
    taken = {"H": (1, 1), "S": (1, 1), "I": (1, 0), "D": (0, 1), "T": (2, 2)}
    ours, theirs = (sum(taken[step.kind][side] for step in edits.operations) for side in (0, 1))
    assert (ours, theirs) == (len(edits.hypothesis), len(edits.reference))
    for step in edits.operations:
        if step.kind in "HS":
            equal = edits.hypothesis[step.hypothesis] == edits.reference[step.reference]
            assert equal == (step.kind == "H")


@pytest.mark.parametrize("alphabet", [2, 26])
@pytest.mark.parametrize(("length", "edits"), [(2_500, 1_200), (6_000, 30), (4_500, 4_500)])
def test_long_texts(alphabet: int, length: int, edits: int) -> None:
    """Above rapidfuzz's limit the alignment is the one that it finds in parts, unit by unit."""
    chance = random.Random(length + alphabet)
    reference = chance.choices(range(alphabet), k=length)
    hypothesis = [*reference]
    for _ in range(edits):
        place = chance.randrange(len(hypothesis))
        hypothesis[place : place + chance.randrange(2)] = chance.choices(range(alphabet), k=chance.randrange(2))
    for pair in ((hypothesis, reference), (reference, hypothesis)):
        expected = np.full(len(pair[1]), -1)
        for step in Levenshtein.opcodes(pair[1], pair[0]):
            if step.tag in ("equal", "replace"):
                expected[step.src_start : step.src_end] = np.arange(step.dest_start, step.dest_end)
        counts, partners = alignments(packed([pair]), alphabet)
        np.testing.assert_array_equal(partners, expected)
        assert counts[0, 1:4].sum() == distances(packed([pair]), alphabet)[0] == Levenshtein.distance(*pair)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_long_texts_of_every_shape(seed: int) -> None:
    chance = random.Random(seed)
    alphabet = chance.choice([2, 4, 30, 5_000])
    longer, shorter = chance.randrange(2_000, 30_000), chance.randrange(5, 6_000)
    pair = [chance.choices(range(alphabet), k=length) for length in (longer, shorter)]
    for hypothesis, reference in (pair, pair[::-1]):
        steps = Levenshtein.opcodes(reference, hypothesis)
        replaced = sum(step.src_end - step.src_start for step in steps if step.tag == "replace")
        counts, _ = alignments(packed([(hypothesis, reference)]), alphabet)
        assert counts[0, 1] == replaced


LONG_TEXTS = """
import random, re
from metrologue.scorers import CharacterErrorRate, EditDistance

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])

chance = random.Random(1)
one, other = ("".join(chance.choices("abcdefgh", k=100_000)) for _ in range(2))
scorers = EditDistance(), CharacterErrorRate()
for scorer in scorers:
    scorer.corpus(["a"], ["b"])
before = peak()
distances = [scorer.corpus([other[:100] + one[200:]], [one]).value for scorer in scorers]
print(*distances, scorers[0].corpus([other], [one]).value, peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc/self/status, where the peak of memory is")
def test_a_hundred_thousand_characters_take_no_square() -> None:
    """Their table would have 10^10 cells, and two bits for each are 2.5 GB."""
    done = subprocess.run([sys.executable, "-c", LONG_TEXTS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    alike, rate, unlike, grown = map(float, done.stdout.split())
    assert 100 <= alike <= 200
    assert rate == alike / 100_000
    assert unlike > 50_000
    assert grown < 50_000
