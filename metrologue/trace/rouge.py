"""The trace of ROUGE: what matched of each type, the hits and totals, and the formulas."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.subsequence import union_lcs
from metrologue.scorers.rouge import MEASURES, Rouge
from metrologue.scorers.rouge.matches import LEADING, Texts
from metrologue.scorers.rouge.types import RougeType, parse_type
from metrologue.segments import Segments, View
from metrologue.trace.base import MARKS, Trace, legend, ngrams, table, token_grid, trace, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Alignment", "Overlap", "RougeTrace", "Run", "Token", "TypeTrace", "Unit"]

UNIT_LEGEND = {"matched": "counts in full", "clipped": "counts as often as the reference has it"}
TOKEN_LEGEND = {
    "matched": "in the common subsequence",
    "clipped": "in it, but one text has no more of this token to give",
}
# Sentences of tokens.
Text = tuple[tuple[str, ...], ...]
Drawn = tuple[tuple["Token", ...], ...]
# How often an n-gram or a skip-bigram is in a text: the tokens that each occurrence skips.
Occurrences = Mapping[tuple[str, ...], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Unit:
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


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token of a drawn text: ``matched`` if it is in the common subsequence, ``clipped`` if it is but is no hit."""

    text: str
    state: str

    @property
    def drawn(self) -> str:
        """The token after the mark of its state; without a mark where it is not in the common subsequence."""
        return MARKS.get(self.state, "") + visible(self.text)


@dataclass(frozen=True, kw_only=True)
class Run:
    """Hits in a row, and what ROUGE-W gives for them: 0 for a run that ROUGE-1.5.5 loses at a sentence's end."""

    tokens: tuple[str, ...]
    weight: float


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """A common subsequence, or the union of those of all sentences, drawn in both texts.

    Attributes
    ----------
    hypothesis, reference : tuple of tuple of Token
        Sentences of tokens.
    runs : tuple of Run
        The reference's, for ROUGE-W.
    """

    hypothesis: Drawn
    reference: Drawn
    runs: tuple[Run, ...]


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """What the hypothesis and one reference have in common.

    Attributes
    ----------
    hits : float
        Matches that count; for ROUGE-W their weight.
    hypothesis, reference : float
        What there is to hit in each text.
    precision, recall, fmeasure : float
        The scorer's, 0 to 1, as if there were this reference alone.
    compared : float
        By what ROUGE-1.5.5 finds the best reference: recall before its rounding, of ROUGE-W before the second power.
    """

    hits: float
    hypothesis: float
    reference: float
    precision: float
    recall: float
    fmeasure: float
    compared: float


@dataclass(frozen=True, kw_only=True)
class TypeTrace:
    """One type of ROUGE.

    Attributes
    ----------
    name : str
        "rouge1", "rougeL", ….
    precision, recall, fmeasure : float
        The scorer's, 0 to 1, all references joined.
    overlaps : tuple of Overlap
        With each reference.
    units : tuple of Unit
        All n-grams, in the order of the hypothesis and then of the references; or the skip-bigrams that match.
    alignments : tuple of Alignment
        With each reference, for the types of common subsequences.
    """

    name: str
    precision: float
    recall: float
    fmeasure: float
    overlaps: tuple[Overlap, ...]
    units: tuple[Unit, ...] = ()
    alignments: tuple[Alignment, ...] = ()

    @property
    def matches(self) -> list[Unit]:
        """The units that hit."""
        return [unit for unit in self.units if any(unit.hits)]

    @property
    def misses(self) -> dict[str, list[str]]:
        """The n-grams that hit nothing, by where they are."""
        words: dict[str, list[str]] = {"in the hypothesis only": [], "in the references only": []}
        hypothesis, references = words.values()
        for unit in self.units:
            if not any(unit.hits):
                (hypothesis if unit.gaps[0] else references).append(" ".join(map(visible, unit.tokens)))
        return {where: found for where, found in words.items() if found}

    @property
    def unit_name(self) -> str:
        """What the type counts."""
        kind, number = parse_type(self.name)
        return f"{number}-gram" if kind == "n" else "skip-bigram"

    @property
    def rows(self) -> list[tuple[str, tuple[str, ...]]]:
        """State and cells of each match."""
        return [(unit.state, self.cells(unit)) for unit in self.matches]

    def cells(self, unit: Unit) -> tuple[str, ...]:
        """What the table prints for a unit: occurrences with their gaps in each text, and the hits."""
        skips = self.unit_name == "skip-bigram" and len(unit.tokens) == 2
        first, *others = (
            str(len(gaps)) + (f", gap {' '.join(map(str, gaps))}" if skips and gaps else "") for gaps in unit.gaps
        )
        counts = (cell for pair in zip(others, map(str, unit.hits), strict=True) for cell in pair)
        return (f"{MARKS[unit.state]} {' '.join(map(visible, unit.tokens))}", first, *counts)


@dataclass(frozen=True, kw_only=True)
class RougeTrace(Trace):
    """How ROUGE comes to its numbers for one segment.

    Attributes
    ----------
    value : float
        The score, on the scorer's own scale.
    scorer : Rouge
        Whose numbers they are.
    hypothesis : tuple of tuple of str
        Sentences of tokens, stemmed and shortened as the scorer reads them.
    references : tuple of tuple of tuple of str
        The same of each reference.
    types : tuple of TypeTrace
        In the scorer's order.
    """

    template: ClassVar[str] = "trace_rouge.html"

    value: float
    scorer: Rouge
    hypothesis: Text
    references: tuple[Text, ...]
    types: tuple[TypeTrace, ...]

    @property
    def signature(self) -> str:
        """The scorer's configuration."""
        return self.scorer.signature

    @property
    def formula(self) -> str:
        """The formula of the primary number with this segment's numbers in it."""
        key, scale = self.scorer.primary, "" if self.scorer.scale == 1 else f"{self.scorer.scale:g} · "
        primary = next(found for found in self.types if key == f"{found.name}_fmeasure")
        return f"{key} = {scale}{self._fmeasure_terms(primary)} = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """The rules behind the formulas."""
        scorer, weight = self.scorer, f"{self.scorer.lcs_weight:g}"
        remarks = [f"F = {self._f_formula('P', 'R')}, and 0 where P or R is 0"]
        if scorer.round_digits is not None:
            remarks.append(f"every number is rounded to {scorer.round_digits} decimals before the next is made of it")
        if "rougeW" in scorer.types:
            sentences = f", the reference (the sum of its sentences' lengths^{weight})^{weight}"
            remarks.append(
                f"rougeW: a run of k hits weighs k^{weight}, a text its length^{weight}"
                + (sentences if scorer.weight_rule == "runs" else "")
            )
        return remarks

    @property
    def names(self) -> list[str]:
        """What the references are called."""
        return [f"reference {index}" for index in range(1, len(self.references) + 1)]

    @property
    def texts(self) -> list[tuple[str, Text]]:
        """Name and sentences of the hypothesis and of each reference."""
        return [("hypothesis", self.hypothesis), *zip(self.names, self.references, strict=True)]

    @property
    def legends(self) -> list[str]:
        """What the marks mean, of those there are."""
        counted, drawn = (any(getattr(found, part) for found in self.types) for part in ("units", "alignments"))
        both = ((counted, f"n-grams: {legend(UNIT_LEGEND)}"), (drawn, f"texts: {legend(TOKEN_LEGEND)}"))
        return [line for there, line in both if there]

    def header(self, found: TypeTrace) -> tuple[str, ...]:
        """Names of the columns of ``TypeTrace.cells``."""
        numbers = range(1, len(self.references) + 1)
        return (found.unit_name, "hypothesis", *(name for n in numbers for name in (f"ref {n}", f"hits {n}")))

    def title(self, found: TypeTrace) -> str:
        """The numbers of a type, all references joined, and the formula of its F."""
        precision, recall, fmeasure = (f"{getattr(found, measure):.6g}" for measure in MEASURES)
        return f"{found.name}: P = {precision}, R = {recall}, F = {self._fmeasure_terms(found)} = {fmeasure}"

    def lines(self, found: TypeTrace) -> list[str]:
        """The formulas of a type: with each reference, and how these join."""
        lines = [
            f"{name}: {self._ratios(found, [overlap], overlap)}"
            for name, overlap in zip(self.names, found.overlaps, strict=True)
        ]
        return [*lines, f"together: {self._joined(found)}"] if len(lines) > 1 else lines

    def drawn(self, found: TypeTrace) -> list[tuple[str, Drawn]]:
        """Name and sentences of the texts in which the alignments of a type are drawn, pair after pair."""
        return [
            text
            for name, pair in zip(self.names, found.alignments, strict=False)
            for text in (("hypothesis", pair.hypothesis), (name, pair.reference))
        ]

    def runs(self, found: TypeTrace) -> list[str]:
        """The runs of hits with each reference, and their weights."""
        return [
            f"runs, {name}: {'; '.join(map(self._run, pair.runs))}"
            for name, pair in zip(self.names, found.alignments, strict=False)
            if pair.runs
        ]

    def parts(self) -> Iterator[RenderableType]:
        yield from (self.formula, *self.remarks, self.signature, "")
        yield token_grid(
            row for name, text in self.texts for row in _lines(name, [" ".join(map(visible, line)) for line in text])
        )
        for found in self.types:
            yield from ("", self.title(found), *self.lines(found))
            if found.alignments:
                yield token_grid(
                    row
                    for name, text in self.drawn(found)
                    for row in _lines(name, [" ".join(token.drawn for token in line) for line in text])
                )
            yield from self.runs(found)
            if found.matches:
                yield table(self.header(found), map(found.cells, found.matches))
            yield from (f"{where}: {' · '.join(words)}" for where, words in found.misses.items())
        yield from ("", *self.legends)

    def _run(self, run: Run) -> str:
        words = " ".join(map(visible, run.tokens))
        if not run.weight:
            return f"{words} 0, as its sentence ends before the run does"
        return f"{words} {len(run.tokens)}^{self.scorer.lcs_weight:g} = {run.weight:.6g}"

    def _f_formula(self, precision: str, recall: str) -> str:
        square = self.scorer.beta**2
        if square == math.inf:
            return recall
        epsilon = f" + {self.scorer.f_epsilon:g}" if self.scorer.f_epsilon else ""
        weighed = precision if square == 1 else f"{square:g}·{precision}"
        return f"{1 + square:g}·{precision}·{recall}/({weighed} + {recall}{epsilon})"

    def _ratios(self, found: TypeTrace, overlaps: Sequence[Overlap], measured: Overlap | TypeTrace) -> str:
        """Precision, recall and F of one reference, or of several whose hits and totals are added up."""
        hits, hypothesis, reference = (
            _sum(getattr(overlap, side) for overlap in overlaps) for side in ("hits", "hypothesis", "reference")
        )

        def ratio(total: str) -> str:
            return f"({hits}/{total})^(1/{self.scorer.lcs_weight:g})" if found.name == "rougeW" else f"{hits}/{total}"

        precision, recall, fmeasure = (f"{getattr(measured, measure):.6g}" for measure in MEASURES)
        return f"P = {ratio(hypothesis)} = {precision}, R = {ratio(reference)} = {recall}, F = {fmeasure}"

    def _joined(self, found: TypeTrace) -> str:
        """How several references make one result."""
        best = {
            measure: 1 + max(range(len(found.overlaps)), key=lambda i: getattr(found.overlaps[i], measure))
            for measure in (*MEASURES, "compared")
        }
        single = 1 + max(range(len(found.overlaps)), key=lambda i: np.float32(found.overlaps[i].fmeasure))
        if self.scorer.multi_reference == "pooled":
            return f"hits and totals added up, {self._ratios(found, found.overlaps, found)}"
        return {
            "best": f"reference {best['fmeasure']}, the first with the best F",
            "best-single": f"reference {single}, the first with the best F in float32",
            "best-recall": f"reference {best['recall']}, the first with the best R",
            "best-1.5.5": f"reference {best['compared']}, the first with the best R as ROUGE-1.5.5 compares it",
            "best-each": f"P of reference {best['precision']}, R of reference {best['recall']}, F of these",
            "mean": f"the means of the references{', F of mean P and mean R' if self._f_of_means else ''}",
            "jackknife": "the mean of the best by F over all sets that leave one reference out: "
            f"reference {best['fmeasure']} wins all but the set without it",
        }[self.scorer.multi_reference]

    @property
    def _f_of_means(self) -> bool:
        return self.scorer.aggregation == "mean-pr"

    def _fmeasure_terms(self, found: TypeTrace) -> str:
        values = [overlap.fmeasure for overlap in found.overlaps]
        if len(values) > 1 and not self._f_of_means:
            if self.scorer.multi_reference == "mean":
                return f"{_sum(values)}/{len(values)}"
            if self.scorer.multi_reference == "jackknife":
                second, best = sorted(values)[-2:]
                return f"({len(values) - 1}·{best:.6g} + {second:.6g})/{len(values)}"
        return self._f_formula(f"{found.precision:.6g}", f"{found.recall:.6g}")


def _sum(numbers: Iterable[float]) -> str:
    terms = [f"{number:.0f}" if number.is_integer() else f"{number:.6g}" for number in numbers]
    return terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"


def _lines(name: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A text for a grid, its name at the first line only."""
    return zip_longest([name], lines, fillvalue="")


@trace.register
def _trace_rouge(scorer: Rouge, prediction: str, references: Sequence[str]) -> RougeTrace:
    segment = Segments([prediction], [references], owner=type(scorer).__name__)
    result = scorer.score_segments(segment)
    counts = np.split(scorer.pair_statistics(segment), len(scorer.types), axis=1)
    types, views = [], []
    for name, pairs in zip(scorer.types, counts, strict=True):
        kind = parse_type(name, scorer.lcs_of, scorer.weight_rule)
        texts = scorer._texts(segment, kind.kind)
        common = kind.kind[0] in "LW"
        others = range(1, 1 + len(pairs))
        types.append(
            TypeTrace(
                name=name,
                **{measure: result.scores[f"{name}_{measure}"] / scorer.scale for measure in MEASURES},
                overlaps=tuple(map(_overlap, pairs.tolist(), scorer._measured(name, pairs).tolist())),
                units=() if common else _units(scorer, kind, texts.whole),
                alignments=tuple(_alignment(scorer, kind.kind, texts, other) for other in others) if common else (),
            )
        )
        views.append(texts.whole)
    # Texts are shown as the type reads them that sees most sentences.
    shown = max(views, key=lambda view: len(view.sentence_offsets))
    first, *rest = (_sentences(shown, text) for text in range(len(shown.offsets) - 1))
    return RougeTrace(value=result.value, scorer=scorer, hypothesis=first, references=tuple(rest), types=tuple(types))


def _overlap(counts: Sequence[float], measured: Sequence[float]) -> Overlap:
    hits, hypothesis, reference, _ = counts
    precision, recall, fmeasure, compared = measured
    return Overlap(
        hits=hits, hypothesis=hypothesis, reference=reference, precision=precision, recall=recall, fmeasure=fmeasure,
        compared=compared,
    )  # fmt: skip


def _sentences(view: View, text: int) -> Text:
    bounds = view.sentence_offsets[view.sentences[text] : view.sentences[text + 1] + 1]
    return tuple(tuple(map(view.spelling, view.ids[start:stop])) for start, stop in pairwise(bounds))


def _units(scorer: Rouge, kind: RougeType, view: View) -> tuple[Unit, ...]:
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
            units.append(Unit(tokens=tokens, gaps=gaps, hits=hits))
    return tuple(units)


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


def _alignment(scorer: Rouge, kind: str, texts: Texts, other: int) -> Alignment:
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
    runs: tuple[Run, ...] = ()
    if kind.startswith("W"):
        found = _runs_of_both(reference, *marks) if whole else _runs(reference)
        runs = tuple(Run(tokens=tokens, weight=len(tokens) ** weight * counts) for tokens, counts in found)
    return Alignment(hypothesis=hypothesis, reference=reference, runs=runs)


def _marked(view: View, bounds: NDArray[np.int64], marks: NDArray[np.uint8]) -> Drawn:
    """The tokens of a text, sentence by sentence, those with a mark as ``matched``."""
    start = bounds[0]
    return tuple(
        tuple(
            Token(text=view.spelling(view.ids[i]), state="matched" if marks[i - start] else "")
            for i in range(first, last)
        )
        for first, last in pairwise(bounds)
    )


def _clipped(text: Drawn, left: Sequence[Counter[str]], binary: bool) -> Drawn:
    """Marked tokens are hits only while both texts have unigrams of them left, or but once."""
    hits: Counter[str] = Counter()

    def judged(token: Token) -> Token:
        most = min(min(bag[token.text], 1) if binary else bag[token.text] for bag in left)
        if not token.state or hits[token.text] == most:
            return replace(token, state=token.state and "clipped")
        hits[token.text] += 1
        return token

    return tuple(tuple(map(judged, sentence)) for sentence in text)


def _runs(text: Drawn) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Runs of hits in the reference, and whether they count: by ROUGE-1.5.5 what is not in the subsequence ends one.

    A token that is in it but no hit does not, and a run that such a token leaves open where its sentence ends is lost.
    """
    for sentence in text:
        run: list[str] = []
        for token, following in zip_longest(sentence, sentence[1:]):
            if token.state == "matched":
                run.append(token.text)
                if not (following and following.state):
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
            yield tuple(text[0][i].text for i in run), True
