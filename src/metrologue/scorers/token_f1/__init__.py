"""Token F1: the words that an answer shares with the right one, as SQuAD counts them (Rajpurkar et al. 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple
from unicodedata import normalize

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.columns import Items
from metrologue.errors import InputError
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import AS_GIVEN, Input, spans, spans_of
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, join
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.answers import OfAnswers, token_f1
from metrologue.scorers.families.kernels.assignment import best_pairs
from metrologue.segments import Segments

__all__ = ["TokenF1", "compared_spans", "token_f1"]

# What stands for the words of a span without words: two of them have an F1 of 1.
_NO_WORDS = frozenset([-1])
# The pairs of spans with common words that are assigned to each other; more would take gigabytes, and minutes.
_MOST_PAIRS = 4_000_000
_TOO_MANY = f"has so many spans that share words with a reference's that they make more than {_MOST_PAIRS:,} pairs."

_COUNTS = ("match_count", "hypothesis_count", "reference_count")


class Span(NamedTuple):
    """An answer of several: its words in their order, as a set, and those that are numbers."""

    words: tuple[int, ...]
    bag: frozenset[int]
    numbers: frozenset[int]


def compared_spans(answers: Sequence[Span], right: Sequence[Span]) -> tuple[float, float]:
    """DROP's F1 of some spans and the right ones, to two digits, and 1 if they are the same spans, otherwise 0.

    Spans without a word in common have an F1 of 0, so that each part of the spans that common words connect is assigned
    alone. Raises an InputError if there are too many pairs of spans with common words.

    Examples
    --------
    "7 yards" and "7" share a number; "9" has another one.

    >>> seven, nine = (Span((word,), frozenset([word]), frozenset([word])) for word in (7, 9))
    >>> yards = Span((7, 0), frozenset([7, 0]), frozenset([7]))
    >>> compared_spans([seven], [yards]), compared_spans([seven, nine], [yards])
    ((0.67, 0.0), (0.33, 0.0))
    """
    best = np.zeros(max(len(right), len(answers)))
    scored = _scores(answers, right)
    for rows, columns in _connected(scored):
        if len(rows) * len(columns) > _MOST_PAIRS:
            raise InputError(_TOO_MANY)
        place = {column: j for j, column in enumerate(columns)}
        weights = np.zeros((len(rows), len(columns)))
        for i, row in enumerate(rows):
            for column, score in scored[row].items():
                weights[i, place[column]] = score
        pairs = best_pairs(weights)
        best[np.array(rows)[pairs[0]]] = weights[pairs]
    same = len(answers) == len(right) and {each.words for each in answers} == {each.words for each in right}
    return float(np.round(best.mean(), 2)), float(same)


def _scores(answers: Sequence[Span], right: Sequence[Span]) -> list[dict[int, float]]:
    """For each right span the F1 of each answer with which it has one, by the answer's index."""
    holders: dict[int, list[int]] = {}
    for j, other in enumerate(answers):
        for word in other.bag or _NO_WORDS:
            holders.setdefault(word, []).append(j)
    if sum(len(holders.get(word, ())) for one in right for word in one.bag or _NO_WORDS) > _MOST_PAIRS:
        raise InputError(_TOO_MANY)
    found: list[dict[int, float]] = []
    for one in right:
        shared = Counter(j for word in one.bag or _NO_WORDS for j in holders.get(word, ()))
        found.append({
            j: _f1_of(count, len(answers[j].bag or _NO_WORDS), len(one.bag or _NO_WORDS))
            for j, count in shared.items() if not one.numbers or one.numbers & answers[j].numbers
        })  # fmt: skip
    return found


def _connected(scored: Sequence[Mapping[int, float]]) -> Iterator[tuple[list[int], list[int]]]:
    """The rows and columns of each part that scores connect."""
    rows_of: dict[int, list[int]] = {}
    for row, scores in enumerate(scored):
        for column in scores:
            rows_of.setdefault(column, []).append(row)
    left = {row for row, scores in enumerate(scored) if scores}
    while left:
        waiting = [left.pop()]
        rows: list[int] = []
        columns: set[int] = set()
        while waiting:
            row = waiting.pop()
            rows.append(row)
            for column in scored[row].keys() - columns:
                columns.add(column)
                for other in rows_of[column]:
                    if other in left:
                        left.remove(other)
                        waiting.append(other)
        yield sorted(rows), sorted(columns)


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


@dataclass(frozen=True, kw_only=True)
class TokenF1(OfAnswers):
    """The F1 of the tokens of an answer and of the right one, and the share of exact answers; 0-100, higher is better.

    Tokens are compared as bags: a token matches as often as both texts have it. ``exact_match`` is the share of texts
    that have the same tokens as a reference, in the same order. With several references, each number is the best one.
    The score is the mean over the texts. The variant ``drop`` is for answers that are numbers or several spans: a text
    is one span, a list of texts several. If predictions are lists, so is each reference, or a list of such lists.

    References
    ----------
    Rajpurkar et al. 2016, https://aclanthology.org/D16-1264, and the evaluation script of SQuAD 1.1; Dua et al. 2019,
    https://aclanthology.org/N19-1246, and the script of DROP.

    Examples
    --------
    >>> TokenF1().corpus(["The cat sat."], ["cat sat down"]).value
    80.0
    >>> TokenF1.variant("drop").corpus([["ten", "blue cars"]], [["blue cars", "ten"]]).value
    100.0
    """

    name: ClassVar[str] = "token_f1"
    inputs: ClassVar[tuple[Input, ...]] = (
        spans("predictions"), spans("references", many=True, about="the right answers"),
    )  # fmt: skip
    about: ClassVar = About(papers=("rajpurkar-etal-2016-squad", "dua-etal-2019-drop"))

    # fmt: off
    spans: str = option(
        "one", stage="pairs", choice="spans",
        about="What a text holds.",
        one_of={
            "one": "an answer, a bag of words",
            "list": "an answer, or a list of answers, as in DROP: each is a set of words; those of both sides are "
            "assigned to each other so that the sum of F1 is the greatest; answers without a number in common have an "
            "F1 of 0 if the reference has a number; the mean is rounded to two digits",
            "lines": "the same, with an answer on each line of a text",
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
        lists = [name for name, column in segments.columns.items() if isinstance(column, Items)]
        if lists and self.spans == "one":
            raise InputError(f"{self._label}: `{lists[0]}` are lists of spans; spans='list' compares them, as in DROP.")
        counts = self._compared_counts(segments) if self.spans == "one" else self._of_spans(segments)
        return np.column_stack([counts, np.ones(len(counts))])

    def _of_spans(self, segments: Segments) -> Floats:
        """The F1 of each pair, and 1 if all spans are equal, (n_pairs, 2); both are 0 for a blank reference."""
        columns = [segments.columns[name] for name in ("predictions", "references")]
        by_lines = self.spans == "lines"
        ours, right = (
            spans_of(column, by_lines, self._label, name)
            for column, name in zip(columns, ("predictions", "references"), strict=True)
        )
        places: dict[str, int] = {}
        for text in (text for entry in (*ours, *right) for text in entry):
            places.setdefault(text, len(places))
        form: Any = self.unicode
        view = Segments([*places] if form == AS_GIVEN else [normalize(form, text) for text in places]).read(self._words)
        is_number = [*map(_is_number, view.spellings())]
        read = [
            Span(tuple(words), frozenset(words), frozenset(word for word in words if is_number[word]))
            for words in (view.ids[start:stop].tolist() for start, stop in pairwise(view.offsets.tolist()))
        ]
        limits = segments.reference_offsets.tolist()
        found = np.zeros((limits[-1], 2))
        for segment, (start, stop) in enumerate(pairwise(limits)):
            answers = [read[places[text]] for text in ours[segment]]
            for row in range(start, stop):
                if not right[row]:
                    raise InputError.at(
                        self._label, "references", segments.first + segment, " has no span; one at least is expected."
                    )
                # DROP's script passes over an answer whose first span is blank; of lines, one that is blank as a whole.
                if "".join(right[row] if by_lines else right[row][:1]).strip():
                    try:
                        found[row] = compared_spans(answers, [read[places[text]] for text in right[row]])
                    except InputError as error:
                        raise InputError.at(self._label, "predictions", segments.first + segment, f" {error}") from None
        return found

    def _statistics(self, segments: Segments) -> Floats:
        if self.spans == "one":
            return super()._statistics(segments)
        return join("best-each", self._pairs(segments), segments.reference_offsets, self._quality)

    def _quality(self, rows: Floats) -> Floats:
        if self.spans != "one":
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
            "DROP", "DROP's script: numbers and spans; a text is one span, a list several",
            {"tokenizer": "drop", "spans": "list"},
        ),
    }  # fmt: skip
