"""The hashed metrics against GEval's own cases and their definition with all buckets."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hashed_lines

from metrics.hashed_words import plain
from metrologue.attribution import explain
from metrologue.data.strings import buffers
from metrologue.errors import InputError
from metrologue.scorers import LikelihoodHashed, LogLossHashed, PerplexityHashed
from metrologue.scorers.families.hashed_words import HashedWords
from metrologue.scorers.families.hashed_words.kernels import hash_lines, read_items
from metrologue.segments import Segments

SCORERS = (LogLossHashed, LikelihoodHashed, PerplexityHashed)
Lines = tuple[list[str], list[list[str]]]


@given(lines=hashed_lines(), bits=st.integers(1, 12))
def test_definition(lines: Lines, bits: int) -> None:
    words = [own[0] for own in lines[1]]
    for scorer in SCORERS:
        expected = getattr(plain, scorer.name)(lines[0], words, bits)
        assert scorer(bits=bits).corpus(*lines).value == pytest.approx(expected, rel=1e-12, abs=1e-15)
    losses = LogLossHashed(bits=bits).segments(*lines)
    for number, (line, word, loss) in enumerate(zip(lines[0], words, losses, strict=True), 1):
        assert loss == pytest.approx(-plain.log_probability(line, word, number, bits), rel=1e-12, abs=1e-15)


@given(values=st.lists(st.floats(-90, 90), min_size=8, max_size=8), word=st.text(max_size=5))
def test_a_number_for_each_bucket(values: list[float], word: str) -> None:
    line = " ".join(map(repr, values))
    expected = -plain.log_probability(line, word, 1, 3)
    assert LogLossHashed(bits=3).corpus([line], [word]).value == pytest.approx(max(expected, 0), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("scorer", "challenge", "expected"),
    [
        (LogLossHashed(bits=8), "log-loss-hashed-simple", 2.398479083333333),
        (LogLossHashed(bits=8), "log-loss-hashed-not-normalized", 1.0468455186722887),
        (LogLossHashed(), "log-loss-hashed-probs", 4.11631293099392),
        (LogLossHashed(), "log-loss-hashed-probs-normalized", 1.55537749098853),
        (LogLossHashed(), "log-loss-hashed-normalization", 5.16395069238851),
        (PerplexityHashed(bits=8), "perplexity-hashed-simple", 11.006423790840),
        (LikelihoodHashed(bits=8), "likelihood-hashed-not-normalized", 0.351043364110715),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_cases_of_geval(shared_data: Path, scorer: HashedWords, challenge: str, expected: float) -> None:
    """The expected numbers are those of GEval's test suite (test/Spec.hs), which asks for a difference below 1e-4.

    For the two "simple" challenges, its numbers are 2e-8 away from what its rules give.
    """
    folder = shared_data / "geval_tests" / challenge
    configured = (folder / challenge / "config.txt").read_text().split()[1]
    assert configured.endswith(str(scorer.bits)) or scorer.bits == 10
    words = (folder / challenge / "test-A" / "expected.tsv").read_text("utf-8").splitlines()
    lines = (folder / f"{challenge}-solution" / "test-A" / "out.tsv").read_text("utf-8").splitlines()
    assert scorer.corpus(lines, words).value == pytest.approx(expected, rel=2e-7 if "simple" in challenge else 1e-13)


def bytes_of(*texts: str) -> tuple[Any, Any]:
    return buffers(Segments(list(texts)).texts())


def test_hashes_of_geval() -> None:
    assert hash_lines(*bytes_of("ma", "źdźbło"), 1).tolist() == [945945677, 3472588322]
    assert hash_lines(*bytes_of("A", "A"), 1).tolist() == [1691979062, 116685281]


@given(words=st.lists(st.text(), min_size=1), first=st.integers(0, 2**31 - 1))
def test_murmur3(words: list[str], first: int) -> None:
    expected = [plain.murmur3(word.encode(), first + i) for i, word in enumerate(words)]
    assert hash_lines(*bytes_of(*words), first).tolist() == expected


@given(number=st.floats(-1e300, 1e300), digits=st.integers(0, 25))
def test_numbers_as_python_reads_them(number: float, digits: int) -> None:
    for text in (repr(number), f"{number:.{digits}e}", f"{number:+.{digits}f}"):
        offsets, values, _, error = read_items(*bytes_of(text), 1)
        assert error is None
        assert offsets.tolist() == [0, 1]
        assert values[0] == pytest.approx(float(text), rel=4e-16, abs=1e-307)


def test_tiny_numbers_are_0_as_in_geval() -> None:
    """A lone 0 is a log-probability, so the word is certain; a tiny probability leaves all the mass to the rest."""
    lines = ["a:5e-324", "a:1e-309", "a:1e-308", "a:2.2250738585072014e-308", "a:0.000001e-300"]
    found = LogLossHashed().segments(lines, ["a"] * 5).tolist()
    assert found == pytest.approx([0.0] * 2 + [math.log(1024)] * 3)
    assert found == pytest.approx([-plain.log_probability(line, "a", i) for i, line in enumerate(lines, 1)])


@pytest.mark.parametrize("item", ["1.", ".5", "1e", "1e+", "", "-", "+-1", "nan", "inf", "1,5", "0x1", "１"])
def test_what_is_no_number(item: str) -> None:
    assert read_items(*bytes_of("1 2", f"3 {item} 4"), 1)[3] is not None


def test_the_number_of_a_line_is_its_seed() -> None:
    lines, words = ["a:0.5 b:0.3", "a:0.1 b:0.7", "b:1 a:2 :0"], ["a", "b", "c"]
    scorer = LogLossHashed(bits=2)
    whole = scorer.segments(lines, words)
    assert whole.tolist() != scorer.segments(lines[::-1], words[::-1])[::-1].tolist()
    assert scorer.segments(lines[1:], words[1:])[0] != whole[1]
    assert LogLossHashed(bits=2, first_line=2).segments(lines[1:], words[1:]).tolist() == whole[1:].tolist()
    totals = scorer.accumulate(lines[:1], words[:1])
    totals = scorer.accumulate(lines[1:], words[1:], totals)
    assert scorer.score_totals(totals).value == pytest.approx(whole.mean(), rel=1e-15)
    for threads in (1, 3):
        assert scorer.segments(lines * 50, words * 50, threads=threads)[:3].tolist() == whole.tolist()


def test_a_word_without_probability() -> None:
    lines, words = ["a:0.6 b:0.4", "a:1"], ["a", "zebra"]
    assert LogLossHashed().corpus(lines, words).value == math.inf
    assert PerplexityHashed().corpus(lines, words).value == math.inf
    scores = LikelihoodHashed().corpus(lines, words).scores
    assert (scores["likelihood_hashed"], scores["impossible"], scores["lines"]) == (0.0, 1, 2)
    totals = LogLossHashed().accumulate(lines, words)
    assert LogLossHashed().score_totals(totals).value == math.inf
    assert LogLossHashed().segments(lines, words).tolist()[1] == math.inf
    # 1,024 logits of -1,000 are all 0 as exponentials; the words have a probability nevertheless.
    assert LogLossHashed().corpus(["a:-1000 b:-1000"], ["a"]).value == pytest.approx(math.log(2))
    assert LogLossHashed().corpus(["a:1000 b:1000"], ["a"]).value == pytest.approx(math.log(2))
    # A single 0 is a log-probability.
    assert LogLossHashed().corpus(["a:0"], ["a"]).value == 0.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a:0.5 b", r"`predictions\[1\]`, column 7: 'b' cannot be read; a word with its number, such as 'cat:0\.5'"),
        ("a:0.5  b:1", r"column 7: '' cannot be read"),
        ("źółw:x", r"column 1: 'źółw:x' cannot be read"),
        ("ź:1 :", r"column 5: ':' cannot be read"),
        ("", r"column 1: '' cannot be read; a number is expected\."),
        ("0.1 0.2 x", r"column 9: 'x' cannot be read; a number is expected\."),
        ("-1 -2", r"`predictions\[1\]` has 2 numbers; with 10 bits 1024 log-probabilities are expected"),
    ],
)
def test_lines_that_do_not_parse(line: str, message: str) -> None:
    for scorer in SCORERS:
        with pytest.raises(InputError, match=message):
            scorer().corpus(["a:1", line], ["a", "b"])


def test_other_input() -> None:
    with pytest.raises(InputError, match=r"`references\[1\]` has several words; a line has one right word"):
        LogLossHashed().corpus(["a:1", "a:1"], [["a"], ["a", "b"]])
    with pytest.raises(InputError, match="`bits` is 33; an int from 1 to 32 is expected"):
        LogLossHashed(bits=33)
    with pytest.raises(InputError, match="`references` are missing"):
        LogLossHashed().corpus(["a:1"])
    assert json.loads(json.dumps(LikelihoodHashed().corpus(["a:1"], ["b"]).scores["likelihood_hashed"])) == 0.0


def test_no_gap_is_infinite() -> None:
    with pytest.raises(InputError, match="log_loss_hashed is infinite under"):
        explain(LogLossHashed(), LogLossHashed(bits=8), ["a:1"], ["b"])
    assert explain(LikelihoodHashed(), LikelihoodHashed(bits=1), ["a:1"], ["b"]).value_a == 0.0
