"""The matches of two texts for each type of ROUGE, token by token. A trace counts them again in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.rouge import Rouge
from metrologue.scorers.rouge.kernels import union_lcs
from metrologue.scorers.rouge.matches import LEADING, Texts
from metrologue.scorers.rouge.types import RougeType
from metrologue.segments import View
from metrologue.tracing import Span, ngrams

__all__ = ["Drawing", "Unit", "draw", "drawn_sentences", "find_units"]

# Sentences of tokens, each with its state.
Drawn = tuple[tuple[Span, ...], ...]
# The occurrences of each n-gram or skip-bigram in a text: how many tokens each of them skips.
Occurrences = Mapping[tuple[str, ...], Sequence[int]]


class Unit(NamedTuple):
    """An n-gram, a skip-bigram, or a unigram of ROUGE-SU: its occurrences in each text, and how many of them count.

    Attributes
    ----------
    tokens : tuple of str
    gaps : tuple of tuple of int
        For the hypothesis and then for each reference: how many tokens each occurrence skips.
    hits : tuple of int
        For each reference: the smaller number of occurrences in the two texts.
    """

    tokens: tuple[str, ...]
    gaps: tuple[tuple[int, ...], ...]
    hits: tuple[int, ...]

    @property
    def state(self) -> str:
        """``matched`` if all occurrences in the hypothesis count, ``clipped`` if some do, ``missing`` if none does."""
        most = max(self.hits)
        if most == 0:
            return "missing"
        return "matched" if most == len(self.gaps[0]) else "clipped"


class Drawing(NamedTuple):
    """A common subsequence, or the union of the common subsequences of all sentences, marked in both texts.

    Attributes
    ----------
    hypothesis, reference : tuple of tuple of Span
        Sentences of tokens. A token is "matched" if it is in the subsequence, "clipped" if it is there but is no hit,
        and "apart" otherwise.
    runs : tuple of (tuple of str, bool)
        For ROUGE-W: each run of hits in the reference, and whether it counts.
    """

    hypothesis: Drawn
    reference: Drawn
    runs: tuple[tuple[tuple[str, ...], bool], ...]


def drawn_sentences(view: View, text: int) -> tuple[tuple[str, ...], ...]:
    """The sentences of a text, as lists of the tokens that are compared."""
    bounds = view.sentence_offsets[view.sentences[text] : view.sentences[text + 1] + 1]
    return tuple(tuple(map(view.spelling, view.ids[start:stop])) for start, stop in pairwise(bounds))


def find_units(scorer: Rouge, kind: RougeType, view: View) -> list[Unit]:
    """All n-grams, or the skip-bigrams that match, in the order of the hypothesis and then of the references."""
    hypothesis, *references = (
        _ngrams(tokens, kind.number, scorer.binary)
        if kind.kind == "n"
        else _skip_bigrams(tokens, kind.number, scorer.skip_unigrams if kind.kind == "SU" else None)
        for tokens in map(view.tokens_of, range(len(view.offsets) - 1))
    )
    units = []
    for tokens in dict.fromkeys(unit for text in (hypothesis, *references) for unit in text):
        gaps = tuple(tuple(text.get(tokens, ())) for text in (hypothesis, *references))
        hits = tuple(min(len(gaps[0]), len(found)) for found in gaps[1:])
        # There are too many skip-bigrams to keep them all, so only those that hit are kept.
        if kind.kind == "n" or any(hits):
            units.append(Unit(tokens, gaps, hits))
    return units


def _ngrams(tokens: Sequence[str], order: int, binary: bool) -> Occurrences:
    return {unit: [0] * (1 if binary else count) for unit, count in Counter(ngrams(tokens, order)).items()}


def _skip_bigrams(tokens: Sequence[str], gap: int, unigrams: str | None) -> Occurrences:
    found: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    reach = len(tokens) if gap < 0 else gap + 1
    for i, first in enumerate(tokens):
        for skipped, second in enumerate(tokens[i + 1 : i + 1 + reach]):
            found[first, second].append(skipped)
    if unigrams:
        (leading,) = LEADING[unigrams](np.array([len(tokens)]), gap)
        for token in tokens[:leading]:
            found[token,].append(0)
    return found


def draw(scorer: Rouge, kind: str, texts: Texts, other: int) -> Drawing:
    """The common subsequence of the hypothesis, text 0, and a reference, text `other`."""
    whole = kind in ("L", "W")
    view = texts.whole if whole else texts.parted
    # A whole text is a text of one sentence.
    bounds, sentences = (
        (view.offsets, np.arange(len(view.offsets))) if whole else (view.sentence_offsets, view.sentences)
    )
    weight = scorer.lcs_weight if kind.startswith("W") else 1.0
    keep_reference = scorer.lcs_tie_break == "skip-hypothesis"

    def marked(text: int, by: int, keep: bool) -> NDArray[np.uint8]:
        return union_lcs(view.ids, bounds, sentences, np.array([by]), np.array([text]), view.type_count, weight, keep)

    # Swapping both the texts and the tie-break marks the same subsequence in the hypothesis.
    marks = marked(0, other, not keep_reference), marked(other, 0, keep_reference)
    hypothesis, reference = (
        _marked(view, bounds[sentences[text] : sentences[text + 1] + 1], found)
        for text, found in zip((0, other), marks, strict=True)
    )
    if not whole:
        reference = _clipped(reference, [Counter(texts.whole.tokens_of(text)) for text in (0, other)], scorer.binary)
    runs: tuple[tuple[tuple[str, ...], bool], ...] = ()
    if kind.startswith("W"):
        runs = tuple(_runs_of_both(reference, *marks) if whole else _runs(reference))
    return Drawing(hypothesis, reference, runs)


def _marked(view: View, bounds: NDArray[np.int64], marks: NDArray[np.uint8]) -> Drawn:
    """The tokens of a text, sentence by sentence. A token with a mark is ``matched``."""
    start = bounds[0]
    return tuple(
        tuple(
            Span(tokens=(view.spelling(view.ids[i]),), state="matched" if marks[i - start] else "apart")
            for i in range(first, last)
        )
        for first, last in pairwise(bounds)
    )


def _clipped(text: Drawn, left: Sequence[Counter[str]], binary: bool) -> Drawn:
    """The text with surplus matches as ``clipped``.

    A marked token is a hit only until one of the texts has no further occurrence of it. If `binary`, it is a hit once.
    """
    hits: Counter[str] = Counter()

    def judged(span: Span) -> Span:
        if span.state == "apart":
            return span
        (token,) = span.tokens
        most = min(min(bag[token], 1) if binary else bag[token] for bag in left)
        if hits[token] == most:
            return Span(tokens=span.tokens, state="clipped")
        hits[token] += 1
        return span

    return tuple(tuple(map(judged, sentence)) for sentence in text)


def _runs(text: Drawn) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Runs of hits in the reference, and whether they count, as in ROUGE-1.5.5.

    A token outside the subsequence ends a run. A token in the subsequence that is no hit does not end it. A run that
    such a token leaves open until the end of its sentence does not count.
    """
    for sentence in text:
        run: list[str] = []
        for span, following in zip_longest(sentence, sentence[1:]):
            if span.state == "matched":
                run += span.tokens
                if not following or following.state == "apart":
                    yield tuple(run), True
                    run = []
        if run:
            yield tuple(run), False


def _runs_of_both(
    text: Drawn, hypothesis: NDArray[np.uint8], reference: NDArray[np.uint8]
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Runs of matches that are contiguous in both texts, as the paper weighs them. All of them count."""
    ours, theirs = np.flatnonzero(hypothesis), np.flatnonzero(reference)
    ends = 1 + np.flatnonzero((np.diff(ours) > 1) | (np.diff(theirs) > 1))
    for run in np.split(theirs, ends):
        if len(run):
            yield tuple(text[0][i].tokens[0] for i in run), True
