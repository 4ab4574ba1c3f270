"""The trace of NIST: the n-grams of each order with their information, what they add to the sum, and the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.nist_mt import NistMt
from metrologue.segments import Segments
from metrologue.tracing import (
    CLIPPING,
    Row,
    Span,
    Table,
    Trace,
    ngrams,
    reference_names,
    short,
    state_legend,
    token_texts,
)

Ngram = tuple[str, ...]


def build(scorer: NistMt, segment: Segments) -> Trace:
    """The trace of one segment: a table of n-grams for each order, whose bits add up to the scorer's sums."""
    result = scorer.corpus(segment)
    view = scorer._view(segment)
    hypothesis, references = view.tokens(0)
    bits, starts = scorer._bits_of(segment), view.offsets[1:-1].tolist()
    tables = []
    for n in range(1, scorer.max_order + 1):
        information: dict[Ngram, float] = {}
        for tokens, start in zip(references, starts, strict=True):
            information.update(zip(ngrams(tokens, n), bits[n - 1, start:].tolist(), strict=False))
        tables.append(_table(scorer, n, information, hypothesis, references, result.scores))
    terms = " + ".join(
        f"{short(result.scores[f'information_{n}'])}/{result.scores[f'count_{n}']:g}"
        for n in range(1, scorer.max_order + 1)
        if result.scores[f"count_{n}"]
    )
    scale = factor(scorer.scale)
    whence = "the references of a test set" if scorer.information else "the references of this segment"
    formula = f"NIST = {scale}{short(result.scores['brevity_penalty'])} · ({terms or 0}) = {result.value}"
    remarks = (f"the information of the n-grams comes from {whence}", _length(result.scores))
    blocks = (token_texts([hypothesis, *references]), state_legend(CLIPPING), *tables)
    return trace_of(scorer, result, formula, blocks, remarks)


def _length(scores: Mapping[str, float]) -> str:
    """The penalty in words, with its numbers."""
    lengths = f"{scores['hypothesis_length']:g}/{scores['reference_length']:g}"
    return f"length ratio {lengths} = {short(scores['length_ratio'])}, penalty {short(scores['brevity_penalty'])}"


def _table(
    scorer: NistMt,
    order: int,
    information: Mapping[Ngram, float],
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    scores: Mapping[str, float],
) -> Table:
    """The n-grams of one order: how often they count, the bits of each, and what they add to the sum."""
    counts = Counter(ngrams(hypothesis, order))
    in_references = [Counter(ngrams(tokens, order)) for tokens in references]
    most, chosen = _joined(scorer.multi_reference, counts, in_references, information, references)
    rows = []
    for ngram, count in counts.items():
        clipped, weight = min(count, most[ngram]), information.get(ngram, 0.0)
        shown = weight if ngram in information else ""
        state = "missing" if not clipped else "matched" if clipped == count else "clipped"
        cells = (Span(tokens=ngram, state=state), clipped, count, shown, clipped * weight)
        rows.append(Row(cells=cells))
    total, number = scores[f"information_{order}"], scores[f"count_{order}"]
    mean = f" = {short(total / number)}" if number else ""
    return Table(
        name=f"{order}-grams",
        header=("n-gram", "clipped", "count", "bits", "sum"),
        rows=tuple(rows),
        caption=f"{order}-grams: {short(total)}/{number:g}{mean} bits{chosen}",
        meanings=tuple(CLIPPING.items()),
    )


def _joined(
    rule: str,
    counts: Counter[Ngram],
    in_references: Sequence[Counter[Ngram]],
    information: Mapping[Ngram, float],
    references: Sequence[Sequence[str]],
) -> tuple[Counter[Ngram], str]:
    """How often each n-gram may count, and which reference counts if it is a single one of several."""
    if rule == "most":
        most: Counter[Ngram] = Counter()
        for each in in_references:
            most |= each
        return most, ""
    sums = [
        sum(min(count, each[ngram]) * information.get(ngram, 0.0) for ngram, count in counts.items())
        for each in in_references
    ]
    # Sums of equal n-grams are equal, because they are added in the same order.
    best = max(range(len(in_references)), key=lambda index: (sums[index], len(references[index]), index))
    return in_references[best], f", with {reference_names(len(in_references))[best]}" if len(in_references) > 1 else ""
