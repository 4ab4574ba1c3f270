"""What matches in two texts for each type of ROUGE, token by token: counted anew for a trace, in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.subsequence import union_lcs
from metrologue.scorers.rouge import Rouge
from metrologue.scorers.rouge.matches import LEADING, Texts
from metrologue.scorers.rouge.types import RougeType
from metrologue.segments import View
from metrologue.tracing import Span, ngrams

__all__ = ["Drawing", "Unit", "draw", "drawn_sentences", "find_units"]

# Sentences of tokens, each with its state.
Drawn = tuple[tuple[Span, ...], ...]
# How often an n-gram or a skip-bigram is in a text: the tokens that each occurrence skips.
Occurrences = Mapping[tuple[str, ...], Sequence[int]]


class Unit(NamedTuple):
    """An n-gram, a skip-bigram or its unigram: how often each text holds it, and how many of these count.

    Attributes
    ----------
    tokens : tuple of str
    gaps : tuple of tuple of int
        Of the hypothesis and then of each reference: the tokens that each occurrence skips.
    hits : tuple of int
        With each reference: the smaller of both numbers of occurrences.
    """

    tokens: tuple[str, ...]
    gaps: tuple[tuple[int, ...], ...]
    hits: tuple[int, ...]

    @property
    def state(self) -> str:
        """``matched`` (all occurrences in the hypothesis count), ``clipped`` (some do) or ``missing`` (none does)."""
        most = max(self.hits)
        if most == 0:
            return "missing"
        return "matched" if most == len(self.gaps[0]) else "clipped"


class Drawing(NamedTuple):
    """A common subsequence, or the union of those of all sentences, drawn in both texts.

    Attributes
    ----------
    hypothesis, reference : tuple of tuple of Span
        Sentences of tokens: "matched" in the subsequence, "clipped" in it but no hit, "apart" from it.
    runs : tuple of (tuple of str, bool)
        Hits in a row of the reference, for ROUGE-W, and whether they count.
    """

    hypothesis: Drawn
    reference: Drawn
    runs: tuple[tuple[tuple[str, ...], bool], ...]


def drawn_sentences(view: View, text: int) -> tuple[tuple[str, ...], ...]:
    """The sentences of a text as they are read."""
    bounds = view.sentence_offsets[view.sentences[text] : view.sentences[text + 1] + 1]
    return tuple(tuple(map(view.spelling, view.ids[start:stop])) for start, stop in pairwise(bounds))


def find_units(scorer: Rouge, kind: RougeType, view: View) -> list[Unit]:
    """All n-grams, in the order of the hypothesis and then of the references; or the skip-bigrams that match."""
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
        # Of skip-bigrams there are too many: only those that hit are kept.
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

    # With both sides swapped and the other one giving way, the same subsequence is marked in the hypothesis.
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
    """The tokens of a text, sentence by sentence, those with a mark as ``matched``."""
    start = bounds[0]
    return tuple(
        tuple(
            Span(tokens=(view.spelling(view.ids[i]),), state="matched" if marks[i - start] else "apart")
            for i in range(first, last)
        )
        for first, last in pairwise(bounds)
    )


def _clipped(text: Drawn, left: Sequence[Counter[str]], binary: bool) -> Drawn:
    """Marked tokens are hits only while both texts have unigrams of them left, or but once."""
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
    """Runs of hits in the reference, and whether they count: by ROUGE-1.5.5 what is not in the subsequence ends one.

    A token that is in it but no hit does not, and a run that such a token leaves open where its sentence ends is lost.
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
    """Runs of matches that follow each other in both texts, as the paper weighs them."""
    ours, theirs = np.flatnonzero(hypothesis), np.flatnonzero(reference)
    ends = 1 + np.flatnonzero((np.diff(ours) > 1) | (np.diff(theirs) > 1))
    for run in np.split(theirs, ends):
        if len(run):
            yield tuple(text[0][i].tokens[0] for i in run), True
