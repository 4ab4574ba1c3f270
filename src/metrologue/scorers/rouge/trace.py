"""The trace of ROUGE: for each type, the matches, the hits and totals, and the formulas."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.rouge import Rouge
from metrologue.scorers.rouge.kernels import Sentences, union_lcs
from metrologue.scorers.rouge.matches import LEADING
from metrologue.scorers.rouge.matches import Texts as ReadTexts
from metrologue.scorers.rouge.rules import MEASURES, RougeType, parse_type
from metrologue.segments import Segments, View
from metrologue.tracing import (
    Block,
    Legend,
    Listing,
    Notes,
    Row,
    Section,
    Span,
    Table,
    Text,
    Texts,
    Trace,
    ngrams,
    reference_names,
    state_legend,
)

# Sentences of tokens, each with its state.
Drawn = tuple[tuple[Span, ...], ...]
# The occurrences of each n-gram or skip-bigram in a text: how many tokens each of them skips.
Occurrences = Mapping[tuple[str, ...], Sequence[int]]

UNIT_MEANINGS = {"matched": "counts in full", "clipped": "counts as often as the reference has it"}
TOKEN_MEANINGS = {
    "matched": "in the common subsequence",
    "clipped": "in it, but one text has no further occurrence of this token",
}


class _Overlap(NamedTuple):
    """What the hypothesis and one reference have in common."""

    hits: float  # matches that count; for ROUGE-W their weight
    hypothesis: float  # the units to hit
    reference: float
    precision: float  # the scorer's numbers, 0 to 1, for this reference alone
    recall: float
    fmeasure: float
    # The number by which ROUGE-1.5.5 finds the best reference: the recall before rounding, and for ROUGE-W before the
    # second power.
    compared: float


class _Type(NamedTuple):
    """One type of ROUGE: the scorer's numbers over all references, 0 to 1, and the overlap with each reference."""

    name: str
    precision: float
    recall: float
    fmeasure: float
    overlaps: tuple[_Overlap, ...]


def build(scorer: Rouge, segment: Segments) -> Trace:
    """The trace of one segment: for each type, its formulas, and its matching n-grams or its common subsequences.

    The values ``rougeL_hits``, ``rougeL_hypothesis`` and ``rougeL_reference`` are sums over all references: of the
    matches, of the units of the hypothesis, and of the units of the reference.
    """
    result = scorer.corpus(segment)
    counts = scorer._pair_statistics(segment).reshape(-1, len(scorer.types), 4)
    overlaps = np.concatenate([counts[..., :3], scorer._measured(counts)], axis=-1)
    types, sections, views = [], [], []
    for i, name in enumerate(scorer.types):
        kind = parse_type(name, scorer.lcs_of, scorer.weight_rule)
        texts = scorer._texts(segment, kind.kind)
        precision, recall, fmeasure = (result.scores[f"{name}_{measure}"] / scorer.scale for measure in MEASURES)
        of_type = _Type(name, precision, recall, fmeasure, tuple(_Overlap(*row) for row in overlaps[:, i].tolist()))
        types.append(of_type)
        sections.append(_section(scorer, of_type, kind, texts))
        views.append(texts.whole)
    primary = next(of_type for of_type in types if scorer.primary == f"{of_type.name}_fmeasure")
    scale = factor(scorer.scale)
    formula = f"{scorer.primary} = {scale}{_fmeasure_terms(scorer, primary)} = {result.value}"
    # Types may split texts into sentences differently. The texts are shown with the most sentences.
    blocks = (_texts(max(views, key=lambda view: len(view.sentence_offsets))), *_legends(sections), *sections)
    values = {**result.scores, **{key: number for of_type in types for key, number in _sums(of_type).items()}}
    return trace_of(scorer, result, formula, blocks, _rules(scorer), values)


def _sums(of_type: _Type) -> dict[str, float]:
    sides = ("hits", "hypothesis", "reference")
    return {
        f"{of_type.name}_{side}": math.fsum(getattr(overlap, side) for overlap in of_type.overlaps) for side in sides
    }


def _texts(view: View) -> Texts:
    texts = [drawn_sentences(view, text) for text in range(len(view.offsets) - 1)]
    names = ["hypothesis", *reference_names(len(texts) - 1)]
    return Texts(
        texts=tuple(
            Text(name=name, sentences=sentences, size=f"{sum(map(len, sentences))} tokens")
            for name, sentences in zip(names, texts, strict=True)
        )
    )


def _legends(sections: Sequence[Section]) -> Iterator[Legend]:
    """Legends of the marks that the sections use."""
    blocks = [block for section in sections for block in section.blocks]
    if any(isinstance(block, Table) for block in blocks):
        yield state_legend(UNIT_MEANINGS, "n-grams")
    if any(isinstance(block, Texts) for block in blocks):
        yield state_legend(TOKEN_MEANINGS, "texts")


def _rules(scorer: Rouge) -> Iterator[str]:
    """The rules behind the formulas."""
    yield f"F = {_f_formula(scorer, 'P', 'R')}, and 0 where P or R is 0"
    if scorer.round_digits is not None:
        yield f"every number is rounded to {scorer.round_digits} decimals before the next is computed from it"
    if "rougeW" in scorer.types:
        weight = f"{scorer.lcs_weight:g}"
        sentences = f", the reference (the sum of its sentences' lengths^{weight})^{weight}"
        yield f"rougeW: a run of k hits weighs k^{weight}, a text its length^{weight}" + (
            sentences if scorer.weight_rule == "runs" else ""
        )


# A type.


def _section(scorer: Rouge, of_type: _Type, kind: RougeType, texts: ReadTexts) -> Section:
    precision, recall, fmeasure = (f"{getattr(of_type, measure):.6g}" for measure in MEASURES)
    terms = _fmeasure_terms(scorer, of_type)
    matches = _subsequences if kind.kind[0] in "LW" else _units
    columns = zip(*of_type.overlaps, strict=True)
    numbers = ("hits", "hypothesis", "reference", "precisions", "recalls", "fmeasures", "compared")
    return Section(
        name=of_type.name,
        title=f"{of_type.name}: P = {precision}, R = {recall}, F = {terms} = {fmeasure}",
        blocks=(Notes(lines=tuple(_lines(scorer, of_type))), *matches(scorer, kind, texts, of_type.name)),
        values={
            **{measure: getattr(of_type, measure) for measure in MEASURES},
            **dict(zip(numbers, columns, strict=True)),
        },
    )


def _lines(scorer: Rouge, of_type: _Type) -> list[str]:
    """The formulas of a type: one for each reference, and one that joins several references."""
    lines = [
        f"{name}: {_ratios(scorer, of_type.name, [overlap], overlap)}"
        for name, overlap in zip(reference_names(len(of_type.overlaps)), of_type.overlaps, strict=True)
    ]
    return [*lines, f"together: {_joined(scorer, of_type)}"] if len(lines) > 1 else lines


def _subsequences(scorer: Rouge, kind: RougeType, texts: ReadTexts, _: str) -> Iterator[Block]:
    """The common subsequence with each reference, marked in both texts, and for ROUGE-W its runs of hits."""
    count = len(texts.whole.offsets) - 2
    drawings = [draw(scorer, kind.kind, texts, other) for other in range(1, 1 + count)]
    names = reference_names(count)
    yield Texts(
        texts=tuple(
            Text(name=name, sentences=sentences)
            for reference, drawing in zip(names, drawings, strict=True)
            for name, sentences in (("hypothesis", drawing.hypothesis), (reference, drawing.reference))
        )
    )
    for name, drawing in zip(names, drawings, strict=True):
        if drawing.runs:
            spans = tuple(Span(tokens=tokens, note=_weight(scorer, tokens, counts)) for tokens, counts in drawing.runs)
            yield Listing(name=f"runs, {name}", spans=spans, summary=f"{len(spans)} runs, {name}")


def _weight(scorer: Rouge, run: Sequence[str], counts: bool) -> str:
    """The weight of a run in ROUGE-W. It is 0 for a run that ROUGE-1.5.5 loses at the end of a sentence."""
    if not counts:
        return "0, as its sentence ends before the run does"
    return f"{len(run)}^{scorer.lcs_weight:g} = {len(run) ** scorer.lcs_weight:.6g}"


def _units(scorer: Rouge, kind: RougeType, texts: ReadTexts, name: str) -> Iterator[Block]:
    """A table of the n-grams or skip-bigrams that match, and lists of the n-grams that only one side has."""
    units = find_units(scorer, kind, texts.whole)
    called = f"{kind.number}-gram" if kind.kind == "n" else "skip-bigram"
    matches = [unit for unit in units if any(unit.hits)]
    if matches:
        numbers = range(1, len(units[0].hits) + 1)
        yield Table(
            name=f"{name}: {called}s that match",
            header=(called, "hypothesis", *(column for n in numbers for column in (f"ref {n}", f"hits {n}"))),
            rows=tuple(_row(unit, kind) for unit in matches),
            summary=f"{len(matches)} {called}s match",
        )
    misses = [unit for unit in units if not any(unit.hits)]
    for where, of_side in (
        ("in the hypothesis only", [unit for unit in misses if unit.gaps[0]]),
        ("in the references only", [unit for unit in misses if not unit.gaps[0]]),
    ):
        if of_side:
            spans = tuple(Span(tokens=unit.tokens) for unit in of_side)
            yield Listing(name=where, spans=spans, summary=f"{len(spans)} {where}")


def _row(unit: Unit, kind: RougeType) -> Row:
    """One unit's row: its occurrences in each text (with the gaps of a skip-bigram), and its hits."""
    skips = kind.kind != "n" and len(unit.tokens) == 2
    first, *others = (
        f"{len(gaps)}, gap {' '.join(map(str, gaps))}" if skips and gaps else len(gaps) for gaps in unit.gaps
    )
    counts = (cell for pair in zip(others, unit.hits, strict=True) for cell in pair)
    return Row(cells=(Span(tokens=unit.tokens, state=unit.state), first, *counts), state=unit.state)


# The formulas.


def _f_formula(scorer: Rouge, precision: str, recall: str) -> str:
    square = scorer.beta**2
    if square == math.inf:
        return recall
    epsilon = f" + {scorer.f_epsilon:g}" if scorer.f_epsilon else ""
    weighed = precision if square == 1 else f"{square:g}·{precision}"
    return f"{1 + square:g}·{precision}·{recall}/({weighed} + {recall}{epsilon})"


def _ratios(scorer: Rouge, name: str, overlaps: Sequence[_Overlap], measured: _Overlap | _Type) -> str:
    """Precision, recall and F of one reference, or of the summed hits and totals of several references."""
    hits, hypothesis, reference = (
        _sum(getattr(overlap, side) for overlap in overlaps) for side in ("hits", "hypothesis", "reference")
    )

    has_root = name == "rougeW" or (scorer.root_of == "subsequences" and name.startswith("rougeL"))

    def ratio(total: str) -> str:
        return f"({hits}/{total})^(1/{scorer.lcs_weight:g})" if has_root else f"{hits}/{total}"

    precision, recall, fmeasure = (f"{getattr(measured, measure):.6g}" for measure in MEASURES)
    return f"P = {ratio(hypothesis)} = {precision}, R = {ratio(reference)} = {recall}, F = {fmeasure}"


def _joined(scorer: Rouge, of_type: _Type) -> str:
    """How several references join, in words."""
    best = {
        measure: 1 + max(range(len(of_type.overlaps)), key=lambda i: getattr(of_type.overlaps[i], measure))
        for measure in (*MEASURES, "compared")
    }
    single = 1 + max(range(len(of_type.overlaps)), key=lambda i: np.float32(of_type.overlaps[i].fmeasure))
    if scorer.multi_reference == "pooled":
        return f"hits and totals added up, {_ratios(scorer, of_type.name, of_type.overlaps, of_type)}"
    return {
        "best": f"reference {best['fmeasure']}, the first with the best F",
        "best-single": f"reference {single}, the first with the best F in float32",
        "best-recall": f"reference {best['recall']}, the first with the best R",
        "best-1.5.5": f"reference {best['compared']}, the first with the best R as ROUGE-1.5.5 compares it",
        "best-each": f"P of reference {best['precision']}, R of reference {best['recall']}, F of these",
        "mean": f"the means of the references{', F of mean P and mean R' if _f_of_means(scorer) else ''}",
        "jackknife": "the mean of the best by F over all sets that leave one reference out: "
        f"reference {best['fmeasure']} wins all but the set without it",
    }[scorer.multi_reference]


def _f_of_means(scorer: Rouge) -> bool:
    return scorer.aggregation == "mean-pr"


def _fmeasure_terms(scorer: Rouge, of_type: _Type) -> str:
    values = [overlap.fmeasure for overlap in of_type.overlaps]
    if len(values) > 1 and not _f_of_means(scorer):
        if scorer.multi_reference == "mean":
            return f"{_sum(values)}/{len(values)}"
        if scorer.multi_reference == "jackknife":
            second, best = sorted(values)[-2:]
            return f"({len(values) - 1}·{best:.6g} + {second:.6g})/{len(values)}"
    return _f_formula(scorer, f"{of_type.precision:.6g}", f"{of_type.recall:.6g}")


def _sum(numbers: Iterable[float]) -> str:
    terms = [f"{number:.0f}" if number.is_integer() else f"{number:.6g}" for number in numbers]
    return terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"


# What is drawn: the matches of two texts, token by token, counted again in plain Python.


class Unit(NamedTuple):
    """An n-gram, a skip-bigram, or a unigram of ROUGE-SU: its occurrences in each text, and how many of them count."""

    tokens: tuple[str, ...]
    gaps: tuple[tuple[int, ...], ...]  # for the hypothesis and each reference: how many tokens each occurrence skips
    hits: tuple[int, ...]  # for each reference: the smaller number of occurrences in the two texts

    @property
    def state(self) -> str:
        """``matched`` if all occurrences in the hypothesis count, ``clipped`` if some do, ``missing`` if none does."""
        most = max(self.hits)
        if most == 0:
            return "missing"
        return "matched" if most == len(self.gaps[0]) else "clipped"


class Drawing(NamedTuple):
    """A common subsequence, or the union of the common subsequences of all sentences, marked in both texts.

    A token is "matched" if it is in the subsequence, "clipped" if it is there but is no hit, and "apart" otherwise.
    """

    hypothesis: Drawn
    reference: Drawn
    runs: tuple[tuple[tuple[str, ...], bool], ...]  # for ROUGE-W: each run of hits, and whether it counts


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
        hits = tuple(min(len(gaps[0]), len(occurrences)) for occurrences in gaps[1:])
        # There are too many skip-bigrams to keep them all, so only those that hit are kept.
        if kind.kind == "n" or any(hits):
            units.append(Unit(tokens, gaps, hits))
    return units


def _ngrams(tokens: Sequence[str], order: int, binary: bool) -> Occurrences:
    return {unit: [0] * (1 if binary else count) for unit, count in Counter(ngrams(tokens, order)).items()}


def _skip_bigrams(tokens: Sequence[str], gap: int, unigrams: str | None) -> Occurrences:
    bigrams: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    reach = len(tokens) if gap < 0 else gap + 1
    for i, first in enumerate(tokens):
        for skipped, second in enumerate(tokens[i + 1 : i + 1 + reach]):
            bigrams[first, second].append(skipped)
    if unigrams:
        (leading,) = LEADING[unigrams](np.array([len(tokens)]), gap)
        for token in tokens[:leading]:
            bigrams[token,].append(0)
    return bigrams


def draw(scorer: Rouge, kind: str, texts: ReadTexts, other: int) -> Drawing:
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
        written = Sentences(view.ids, bounds, sentences, np.array([by]), np.array([text]))
        return union_lcs(written, view.type_count, weight, keep)

    # Swapping both the texts and the tie-break marks the same subsequence in the hypothesis.
    marks = marked(0, other, not keep_reference), marked(other, 0, keep_reference)
    hypothesis, reference = (
        _marked(view, bounds[sentences[text] : sentences[text + 1] + 1], mask)
        for text, mask in zip((0, other), marks, strict=True)
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
