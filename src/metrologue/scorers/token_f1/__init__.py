"""Token F1: the words that an answer shares with the right one, as SQuAD counts them (Rajpurkar et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, join
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.answers import OfAnswers, token_f1
from metrologue.scorers.families.kernels.assignment import assignment
from metrologue.segments import Segments, View
from metrologue.text.reading import Sentences, Tokenize

__all__ = ["TokenF1", "compared_spans", "token_f1"]

_COUNTS = ("match_count", "hypothesis_count", "reference_count")


class Span(NamedTuple):
    """An answer of several: its words in their order, as a set, and those that are numbers."""

    words: tuple[int, ...]
    bag: frozenset[int]
    numbers: frozenset[int]


def compared_spans(answers: Sequence[Span], right: Sequence[Span]) -> tuple[float, float]:
    """DROP's F1 of some spans and the right ones, to two digits, and 1 if they are the same spans, otherwise 0.

    Examples
    --------
    "7 yards" and "7" share a number; "9" has another one.

    >>> seven, nine = (Span((word,), frozenset([word]), frozenset([word])) for word in (7, 9))
    >>> yards = Span((7, 0), frozenset([7, 0]), frozenset([7]))
    >>> compared_spans([seven], [yards]), compared_spans([seven, nine], [yards])
    ((0.67, 0.0), (0.33, 0.0))
    """
    scores = np.zeros((len(right), len(answers)))
    for i, one in enumerate(right):
        for j, other in enumerate(answers):
            if not one.numbers or one.numbers & other.numbers:
                shared = len(one.bag & other.bag)
                scores[i, j] = _f1_of(shared, len(other.bag), len(one.bag))
    pairs = assignment(scores)
    f1 = np.round(scores[pairs].sum() / max(scores.shape), 2)
    same = len(answers) == len(right) and {each.words for each in answers} == {each.words for each in right}
    return float(f1), float(same)


def _f1_of(shared: int, given: int, right: int) -> float:
    """The harmonic mean of precision and recall of sets; a share of no words is 1."""
    precision, recall = shared / given if given else 1.0, shared / right if right else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _spans(view: View, text: int, is_number: Sequence[bool]) -> list[Span]:
    """The spans of a text; one without words if there are none."""
    found = []
    for sentence in range(view.sentences[text], view.sentences[text + 1]):
        words = view.ids[view.sentence_offsets[sentence] : view.sentence_offsets[sentence + 1]].tolist()
        found.append(Span(tuple(words), frozenset(words), frozenset(word for word in words if is_number[word])))
    return found or [Span((), frozenset(), frozenset())]


@dataclass(frozen=True, kw_only=True)
class TokenF1(OfAnswers):
    """The F1 of the tokens of an answer and of the right one, and the share of exact answers; 0-100, higher is better.

    Tokens are compared as bags: a token matches as often as both texts have it. ``exact_match`` is the share of texts
    that have the same tokens as a reference, in the same order. With several references, each number is the best one.
    The score is the mean over the texts. The variant ``drop`` is for answers that are numbers or several spans, each on
    its line.

    References
    ----------
    Rajpurkar et al. 2016, https://aclanthology.org/D16-1264, and the evaluation script of SQuAD 1.1; Dua et al. 2019,
    https://aclanthology.org/N19-1246, and the script of DROP.

    Examples
    --------
    >>> TokenF1().corpus(["The cat sat."], ["cat sat down"]).value
    80.0
    """

    name: ClassVar[str] = "token_f1"
    _papers: ClassVar[tuple[str, ...]] = ("rajpurkar-etal-2016-squad", "dua-etal-2019-drop")

    # fmt: off
    spans: str = option(
        "one", stage="pairs", choice="spans",
        about="What a text holds.",
        one_of={
            "one": "an answer, a bag of words",
            "lines": "an answer on each line, as in DROP: each is a set of words; those of both texts are assigned to "
            "each other so that the sum of F1 is the greatest; answers without a number in common have an F1 of 0 if "
            "the reference has a number; the mean is rounded to two digits",
        },
    )
    # fmt: on
    aggregation: str = "mean"
    scale: float = 100.0

    @property
    def _columns(self) -> tuple[str, ...]:
        counts = _COUNTS if self.spans == "one" else ("span_f1",)
        return (*counts, "exact_count", "text_count")

    numbers: ClassVar = (
        number(
            "token_f1", 0, "scale", better="higher", title="token F1",
            about="harmonic mean of the shares of the tokens of both texts that match",
        ),
        number(
            "exact_match", 0, "scale", better="higher",
            about="share of the texts with the same tokens as a reference, in the same order",
        ),
        counted("match_count", "tokens", about="tokens that both texts have", when={"spans": ("one",)}),
        counted("hypothesis_count", "tokens", about="tokens of the hypotheses", when={"spans": ("one",)}),
        counted("reference_count", "tokens", about="tokens of the references", when={"spans": ("one",)}),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key in ("token_f1", "exact_match")

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: shared tokens, hypothesis tokens, reference tokens, 1 if all are equal, and a 1."""
        counts = self._compared_counts(segments) if self.spans == "one" else self._of_spans(segments)
        return np.column_stack([counts, np.ones(len(counts))])

    def _of_spans(self, segments: Segments) -> Floats:
        """The F1 of each pair, and 1 if all spans are equal, (n_pairs, 2); both are 0 for a blank reference."""
        view = segments.read((Sentences("newline"), *self._words))
        is_blank = segments.read((Tokenize("whitespace"),)).text_lengths == 0
        is_number = [*map(_is_number, view.spellings())]
        texts = {text: _spans(view, text, is_number) for text in {*np.concatenate(view.pairs).tolist()}}
        found = np.zeros((len(view.pairs[0]), 2))
        for row, ours, right in zip(found, *(side.tolist() for side in view.pairs), strict=True):
            if not is_blank[right]:
                row[:] = compared_spans(texts[ours], texts[right])
        return found

    def _statistics(self, segments: Segments) -> Floats:
        if self.spans == "one":
            return super()._statistics(segments)
        return join("best-each", self._pairs(segments), segments.reference_offsets, self._quality)

    def _quality(self, rows: Floats) -> Floats:
        if self.spans == "lines":
            return rows[:, 0]
        # A reference that is equal is the best for both numbers, even where "zero" gives each reference an F1 of 0.
        *_, exact, _ = columns_of(rows)
        quality: Floats = self._f1(rows) + exact
        return quality

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *counts, exact, texts = columns_of(statistics)
        f1 = self._f1(statistics) if self.spans == "one" else counts[0] / texts
        shares = {"token_f1": self.scale * f1, "exact_match": self.scale * exact / texts}
        return shares | dict(zip(_COUNTS, counts, strict=True)) if self.spans == "one" else shares

    _variants: ClassVar = {
        "squad": Variant(
            "evaluate", "the Hub's `squad`: the first script of SQuAD", live="evaluate-squad.token_f1",
            recommended=Recommended("it is SQuAD's own script, for English", "rajpurkar-etal-2016-squad"),
        ),
        "torchmetrics": Variant(
            "torchmetrics", "squad, in float32 there: two texts without tokens have an F1 of 1", {"empty": "equal"},
            live="torchmetrics-squad.token_f1",
        ),
        "drop": Variant(
            "DROP", "DROP's script: numbers and spans, an answer on each line", {"tokenizer": "drop", "spans": "lines"}
        ),
    }  # fmt: skip
