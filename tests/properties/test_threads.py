"""Threads: what they read and weigh is what one thread reads and weighs, and little work is left outside of them."""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier, active_count, current_thread, main_thread
from time import sleep
from traceback import walk_stack
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import SAMPLES, Columns, columns_of
from needs import data_of, made, provide
from strategies import Corpus, corpora

from metrologue import threads as shared_work
from metrologue.errors import InputError, heard, warn_caller
from metrologue.inference import FewSegmentsWarning
from metrologue.kernels.sums import exact_terms
from metrologue.native.kernel import Kernel
from metrologue.scorers import (
    Bleu,
    Chrf,
    Cider,
    EditDistance,
    Gtm,
    Hlepor,
    LexicalDiversity,
    NistMt,
    Ribes,
    Rouge,
    Scorer,
    SelfBleu,
    Ter,
    TokenF1,
    WordErrorRate,
    list_scorers,
)
from metrologue.scorers import cider as cider_module
from metrologue.scorers.core import threads as parts
from metrologue.scorers.core.kernels.ngram_numbers import numbered_ngrams, put_values, room_of, shared_tokens
from metrologue.segments import Segments
from metrologue.text.reading import Lower, LowerTokens, Reading, Tokenize, words
from metrologue.text.reading.steps import Drop, Sentences
from metrologue.text.reading.vocabulary import ItemTypes, Vocabulary
from metrologue.text.tokenizers.spans import intern
from metrologue.threads import Memo, each_of

READINGS: list[Reading] = [
    words("whitespace"),
    words("13a", lowercase=True),
    words("ptb"),
    words("intl"),
    (Lower(), Sentences("newline"), Tokenize("rouge-score")),
    (Tokenize("whitespace"), LowerTokens()),
]


def _texts(count: int, seed: int = 5) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and one to three references each, of words that are as unequally frequent as real ones."""
    draws = random.Random(seed)
    known = ["0", "the", "a", "Cat", "cat,", "of", *(f"w{i}" for i in range(200))]
    weights = [1 / (i + 1) for i in range(len(known))]

    def text() -> str:
        return " ".join(draws.choices(known, weights, k=draws.randrange(1, 14)))

    return [text() for _ in range(count)], [[text() for _ in range(1 + i % 3)] for i in range(count)]


@pytest.mark.parametrize("reading", READINGS, ids=str)
@given(corpus=corpora(), threads=st.integers(2, 5))
def test_slices_are_read_as_one_text(reading: Reading, corpus: Corpus, threads: int) -> None:
    whole, sliced = Segments(*corpus).read(reading), Segments(*corpus).read(reading, threads=threads)
    for name in ("ids", "offsets", "reference_offsets", "sentences", "sentence_offsets"):
        np.testing.assert_array_equal(getattr(sliced, name), getattr(whole, name))
    assert (sliced.type_count, sliced.spellings()) == (whole.type_count, whole.spellings())


@given(corpus=corpora(), threads=st.integers(2, 5))
def test_slices_without_stop_words(corpus: Corpus, threads: int) -> None:
    """Dropped types have no token, so the ids may differ."""
    reading = Tokenize("rouge-1.5.5"), Drop()
    whole, sliced = Segments(*corpus).read(reading), Segments(*corpus).read(reading, threads=threads)
    assert [sliced.tokens(i) for i in range(len(sliced))] == [whole.tokens(i) for i in range(len(whole))]


@given(corpus=corpora(), cut=st.data())
def test_a_part_has_the_texts_of_its_segments(corpus: Corpus, cut: st.DataObject) -> None:
    segments = Segments(*corpus)
    start = cut.draw(st.integers(0, len(segments) - 1))
    stop = cut.draw(st.integers(start + 1, len(segments)))
    part, alone = parts.Part(segments, start, stop), segments.slice(start, stop)
    view, own = part.read(words("13a")), alone.read(words("13a"))
    assert (len(part), len(view), part.first) == (len(alone), len(own), alone.first)
    assert [view.tokens(i) for i in range(len(view))] == [own.tokens(i) for i in range(len(own))]
    for name in ("lengths", "reference_lengths", "reference_offsets"):
        np.testing.assert_array_equal(getattr(view, name), getattr(own, name))
    for indices, its in zip(view.pairs, own.pairs, strict=True):
        assert [view.tokens_of(i) for i in indices.tolist()] == [own.tokens_of(i) for i in its.tolist()]
    np.testing.assert_array_equal(part.reference_offsets, alone.reference_offsets)
    assert part.pair(0) == alone.pair(0)


SHARING: list[Scorer] = [
    Cider(tokenizer="whitespace"),
    Cider(tokenizer="whitespace", sigma=float("inf"), clipped=False, multi_reference="best", max_order=6),
    NistMt(tokenizer="whitespace"),
    NistMt(tokenizer="whitespace", zero_is_false=False, multi_reference="best-each-order"),
    SelfBleu(tokenizer="whitespace"),
    LexicalDiversity(),
]


@pytest.mark.parametrize("most", [1000, 1 << 24])
@pytest.mark.parametrize("scorer", SHARING, ids=str)
def test_what_all_segments_share_is_the_same_in_threads(
    scorer: Scorer, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In several parts and threads, and with weights by numbers or by hashes of n-grams."""
    texts = _texts(150)
    expected, rows = scorer.corpus(*texts).scores, scorer.segment_scores(*texts)
    monkeypatch.setattr(parts, "_MOST_BYTES", most)
    for few in (0, 1 << 30):
        monkeypatch.setattr(cider_module, "_FEW", few)
        for threads in (1, 2, 3, 7):
            assert scorer.corpus(Segments(*texts), threads=threads).scores == expected
            for name, values in scorer.segment_scores(Segments(*texts), threads=threads).items():
                np.testing.assert_array_equal(values, rows[name])


@pytest.mark.parametrize("scorer", SHARING[:4], ids=str)
def test_shared_weights_are_those_of_a_fitted_table(scorer: Scorer) -> None:
    segments = Segments(*_texts(150))
    fitted = scorer.fit(Segments(*_texts(150))).segment_scores(segments)
    for name, values in scorer.segment_scores(segments, threads=3).items():
        np.testing.assert_array_equal(values, fitted[name])


@given(texts=st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=8), threads=st.integers(1, 4))
def test_numbers_of_ngrams(texts: list[list[int]], threads: int) -> None:
    """All shares together count each n-gram whose first n - 1 tokens occur more than once."""
    ids = np.array([token for text in texts for token in text], np.int32)
    offsets = np.cumsum([0, *map(len, texts)])
    starts = [(tuple(text[i:]), int(first) + i) for text, first in zip(texts, offsets, strict=False)
              for i in range(len(text))]  # fmt: skip
    shares = shared_tokens(ids, threads)
    assert len(shares) >= threads
    assert np.sort(np.concatenate(shares)).tolist() == [*range(len(ids))]
    orders = [[*numbered_copy(ids, offsets, 3, share)] for share in shares]
    for order in range(1, 4):
        counts = Counter(rest[:order] for rest, _ in starts if len(rest) >= order)
        before = Counter(rest[: order - 1] for rest, _ in starts) if order > 1 else {(): len(ids)}
        expected = {
            at: counts[rest[:order]] for rest, at in starts if len(rest) >= order and before[rest[: order - 1]] > 1
        }
        values = np.zeros(len(ids))
        for each in orders:
            values += each[order - 1]
        assert values.tolist() == [expected.get(at, 0) for at in range(len(ids))]


def numbered_copy(ids: Any, offsets: Any, most: int, share: Any) -> Iterator[Any]:
    """For each order, how often the n-gram that begins at each token occurs; 0 without a number."""
    for found in numbered_ngrams(ids, room_of(offsets), most, share):
        values = np.zeros(len(ids))
        put_values(found, found.counts.astype(float), values)
        assert (ids[found.places] == ids[found.tokens[np.unique(found.numbers, return_index=True)[1]]]).all()
        yield values


@given(rows=st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2), min_size=1))
def test_exact_terms(rows: list[list[float]]) -> None:
    terms = exact_terms(np.array(rows))
    for column in range(2):
        own = terms[:, column].tolist()
        if np.isfinite(own).all():
            assert sum(map(Fraction, own)) == sum(Fraction(row[column]) for row in rows)


def test_types_are_found_by_their_text() -> None:
    many = Vocabulary()
    many.ids(intern(["a", "0", "10"]))
    many.ids(intern(["00", "0", "ü"]))
    for types in (Vocabulary(intern(["a", "0", "10"])), many, ItemTypes(["a", 0, "10"])):
        assert [types.find(text) for text in ("a", "0", "10", "1", "")] == [0, 1, 2, -1, -1]
    assert many.find("ü") == 4
    assert Vocabulary().find("a") == -1


# The most work outside of what threads share, of all work. Two threads are 1.4 times as fast as one with a share of
# 0.42, 1.6 times with 0.25.
SHARES: list[tuple[Scorer, float]] = [
    (scorer, 0.1)
    for scorer in (
        Bleu(), Chrf(), Rouge(), Ter(), WordErrorRate(), Ribes(), Hlepor(), Gtm(), TokenF1(), EditDistance(), NistMt(),
        Cider(),
    )
]  # fmt: skip
SHARES += [(SelfBleu(), 0.2), (LexicalDiversity(), 0.2)]


@pytest.mark.parametrize(("scorer", "most"), SHARES, ids=[type(scorer).__name__ for scorer, _ in SHARES])
def test_little_work_is_left_to_one_thread(scorer: Scorer, most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is counted, not timed: the bytes of all arrays that kernels get, in what threads share and outside."""
    texts, done, run = _texts(3000), {True: 0, False: 0}, Kernel.__call__

    def counted(kernel: Kernel, *arguments: Any) -> Any:
        callers = [frame.f_code.co_filename for frame, _ in walk_stack(sys._getframe())]
        done[shared_work.__file__ not in callers] += sum(
            each.nbytes for each in arguments if isinstance(each, np.ndarray)
        )
        return run(kernel, *arguments)

    segments = Segments(texts[0], [text for text, *_ in texts[1]])
    monkeypatch.setattr(Kernel, "__call__", counted)
    scorer.corpus(segments, threads=2)
    assert done[True] <= most * sum(done.values()), done


def test_scores_of_slices_are_those_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of the segments' scores, and the index of a segment without a score."""
    monkeypatch.setattr(parts, "_FEW_ROWS", 1)
    texts = [["a b", "c d", "e", "f g h", "c"], ["a x", "c d", "e f", "h g f", "a"]]
    for scorer in (Rouge(aggregation="mean"), Bleu(aggregation="mean"), TokenF1()):
        expected = scorer.corpus(*texts, threads=1).scores
        assert scorer.corpus(*texts, threads=3).scores == expected
    undefined = WordErrorRate(aggregation="mean", empty="error")
    for threads in (1, 2, 5):
        with pytest.raises(InputError, match="segment 3, counted from 0"):
            undefined.corpus(texts[0], [*texts[1][:3], "", "a"], threads=threads)


def test_the_error_of_the_first_part_is_raised() -> None:
    begun = []

    def work(part: int) -> int:
        begun.append(part)
        if part >= 2:
            sleep(0.05 * (part == 2))  # the error of part 3 is there before
            raise InputError(f"part {part}")
        return -part

    for count in (2, 3, 8):
        with pytest.raises(InputError, match="part 2"):
            each_of(work, range(100), count)
    assert max(begun) < 20
    assert each_of(work, iter(range(2)), 4) == [0, -1]
    assert each_of(work, [], 4) == []


def test_an_interrupt_ends_all_threads() -> None:
    begun = []

    def work(part: int) -> None:
        begun.append(part)
        sleep(0.01)
        if current_thread() is main_thread():
            raise KeyboardInterrupt
        raise InputError("another error")

    before = active_count()
    with pytest.raises(KeyboardInterrupt):
        each_of(work, range(100), 3)
    assert active_count() == before
    assert len(begun) < 10


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _at_once(work: Callable[[int], Any], threads: int = 4) -> list[Any]:
    """The results of `work` for the number of each thread. All of them start together."""
    start = Barrier(threads)

    def one(thread: int) -> Any:
        start.wait()
        return work(thread)

    with ThreadPoolExecutor(threads) as pool:
        return [*pool.map(one, range(threads))]


# One of each kind; all of them in the long tests.
EVERYDAY = ("accuracy", "bleu", "cider", "gtm", "lexical_diversity", "perplexity", "rouge", "ter")
EVERY = [pytest.param(name, marks=() if name in EVERYDAY else pytest.mark.slow) for name in list_scorers()]


def _sample(name: str) -> Columns:
    return columns_of(name, *(SAMPLES[name] if name in SAMPLES else _texts(12)))


@pytest.mark.usefixtures("switching")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EVERY)
def test_threads_share_a_scorer_and_its_segments(name: str, request: pytest.FixtureRequest) -> None:
    """Both are used for the first time by all threads at once."""
    provide(request, data_of(name))
    texts = _sample(name)
    alone = made(name)
    expected = repr((alone.corpus(**texts).scores, alone.segment_scores(**texts)))
    for _ in range(2 if name in SAMPLES else 5):
        scorer = made(name)
        segments = scorer._to_segments(**texts, owner="test")

        def work(thread: int, scorer: Scorer = scorer, segments: Segments = segments) -> str:
            numbers = [lambda: scorer.corpus(segments).scores, lambda: scorer.segment_scores(segments)]
            found = [number() for number in numbers[:: 1 - 2 * (thread % 2)]]
            return repr(tuple(found[:: 1 - 2 * (thread % 2)]))

        assert _at_once(work) == [expected] * 4


@pytest.mark.usefixtures("switching")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["bleu", "cider", pytest.param("meteor", marks=pytest.mark.slow), "rouge"])
def test_threads_score_systems_with_the_same_references(name: str, request: pytest.FixtureRequest) -> None:
    """The systems add to one vocabulary, each in its thread."""
    provide(request, data_of(name))
    scorer = made(name)
    for seed in range(6):
        predictions, references = _texts(12, seed)
        systems = [[f"{text} own{thread}{i}s" for i, text in enumerate(predictions)] for thread in range(4)]
        expected = [scorer.corpus(system, references).scores for system in systems]
        first = Segments(systems[0], references)
        segments = [first, *map(first.with_predictions, systems[1:])]
        assert _at_once(lambda thread, of=segments: scorer.corpus(of[thread]).scores) == expected


@pytest.mark.usefixtures("switching")
def test_a_vocabulary_that_threads_add_to() -> None:
    for _ in range(10):
        types = Vocabulary()
        words = [[f"{(7 * i + thread) % 50}" for i in range(40)] for thread in range(4)]

        def add(thread: int, types: Vocabulary = types, words: list[list[str]] = words) -> list[str]:
            ids = types.ids(intern(words[thread]))
            lengths = types.layer("length", lambda spellings: np.array([*map(len, spellings)]))
            lowered = types.derived("same", lambda texts: texts)
            assert [lowered.types.spelling(lowered.numbers.item(i)) for i in ids.tolist()] == words[thread]
            assert lengths[ids].tolist() == [*map(len, words[thread])]
            return [types.spelling(number) for number in ids.tolist()]

        assert _at_once(add) == words
        assert len(types) == len({word for each in words for word in each})


@pytest.mark.usefixtures("switching")
def test_what_is_kept_is_made_once() -> None:
    for _ in range(20):
        memo, made_for = Memo(), []

        def make(thread: int, of: list[int] = made_for) -> int:
            of.append(thread)
            return thread

        found = _at_once(lambda thread, memo=memo, make=make: memo.get("key", lambda: make(thread)))
        assert found == made_for * 4


def test_what_could_not_be_made_is_made_again() -> None:
    memo = Memo()
    with pytest.raises(InputError, match="first"):
        memo.get("key", lambda: _refuse("first"))
    assert memo.get("key", lambda: memo.get("other", lambda: 1)) == 1


def _refuse(why: str) -> None:
    raise InputError(why)


def test_what_a_thread_listens_for_is_said_to_others(recwarn: pytest.WarningsRecorder) -> None:
    """A filter of ``warnings`` would act on all threads, and could stay behind when they end in another order."""
    listens, said = Barrier(2), Barrier(2)
    filters = [*warnings.filters]

    def work(thread: int) -> list[str]:
        if thread:
            listens.wait()
            warn_caller("of another thread")
            said.wait()
            return []
        with heard(UserWarning) as told:
            listens.wait()
            said.wait()
            each_of(warn_caller, ["of its own"] * 3, 2)  # which has threads of its own
        return told

    assert _at_once(work, 2) == [["of its own"] * 3, []]
    assert [str(each.message) for each in recwarn] == ["of another thread"]
    assert [*warnings.filters] == filters


def test_the_innermost_listener_hears() -> None:
    with heard(UserWarning) as outer, heard(FewSegmentsWarning) as inner:
        warn_caller("few", FewSegmentsWarning)
        warn_caller("other")
    assert (outer, inner) == (["other"], ["few"])
