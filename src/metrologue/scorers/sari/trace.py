"""The trace of SARI: for each order, the n-grams that the text adds, keeps and deletes, and those that it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from metrologue.scorers.core.trace import factor, trace_of
from metrologue.scorers.sari import Sari
from metrologue.scorers.sari.kernels import OPERATIONS
from metrologue.segments import Segments
from metrologue.tracing import Row, Span, Table, Trace, ngrams, short, state_legend, token_texts

MEANINGS = {
    "matched": "as the references have it",
    "clipped": "as some of the references have it",
    "missing": "as no reference has it",
}


def build(scorer: Sari, segment: Segments) -> Trace:
    """The trace of one segment: the ratios of each operation and order, then the n-grams of each order."""
    result = scorer.corpus(segment)
    source, hypothesis, references = _texts(scorer, segment)
    terms = " + ".join(short(result.scores[name] / scorer.scale) for name in OPERATIONS)
    formula = f"SARI = {factor(scorer.scale)}({terms})/3 = {result.value}"
    measure = "F1" if scorer.use_f1_for_deletion else "precision"
    of_means = "F1 of the mean precision and recall" if scorer.use_paper_version else "mean F1 of the orders"
    remarks = (
        f"add and keep are the {of_means}; delete is the {measure}",
        f"a ratio is {scorer.zero_division:g} where there is nothing to divide by",
    )
    tables = [_ngrams(scorer, source, hypothesis, references, n) for n in range(1, scorer.max_order + 1)]
    texts = token_texts([source, hypothesis, *references], ("source", "hypothesis"))
    return trace_of(
        scorer, result, formula, (texts, _ratios(scorer, segment), state_legend(MEANINGS), *tables), remarks
    )


def _texts(scorer: Sari, segment: Segments) -> tuple[list[str], list[str], list[list[str]]]:
    """The tokens of the source, the hypothesis and each reference."""
    tokens = scorer._tokens(segment)
    empty = len(tokens.types)  # the id of the token of an empty text
    texts = [
        ["" if number == empty else tokens.types.spelling(number) for number in tokens.ids[start:stop].tolist()]
        for start, stop in pairwise(tokens.offsets.tolist())
    ]
    hypothesis, source, *references = texts
    return source, hypothesis, references


def _ratios(scorer: Sari, segment: Segments) -> Table:
    """Precision and recall of each operation, order by order."""
    precision, recall = (each[0] for each in scorer._ratios(scorer._statistics(segment)))
    columns = np.stack([precision, recall], axis=-1).reshape(scorer.max_order, -1)
    header = ("n-grams", *(f"{operation} {letter}" for operation in OPERATIONS for letter in "PR"))
    rows = (Row(cells=(f"{n}-grams", *map(short, row))) for n, row in enumerate(columns.tolist(), 1))
    return Table(name="precision and recall", header=header, rows=tuple(rows))


def _ngrams(
    scorer: Sari, source: Sequence[str], hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int
) -> Table:
    """The n-grams of one order, as they first occur in the source, the hypothesis and the references."""
    before, after, *others = (Counter(ngrams(text, order)) for text in (source, hypothesis, *references))
    if scorer.binary:
        before, after, *others = (Counter([*counts]) for counts in (before, after, *others))
    if scorer.counted_references == "long":
        others = [counts for counts in others if counts] or others
    rows = []
    for ngram in dict.fromkeys([*before, *after, *(ngram for counts in others for ngram in counts)]):
        old, new, asked = before[ngram], after[ngram], sum(counts[ngram] for counts in others) / len(others)
        what, right, done = _operation(old, new, asked)
        state = "matched" if right >= done else "clipped" if right else "missing"
        rows.append(Row(cells=(Span(tokens=ngram, state=state), old, new, short(asked), what), state=state))
    return Table(
        name=f"{order}-grams",
        header=("n-gram", "source", "hypothesis", "mean of references", "operation"),
        rows=tuple(rows),
        caption=f"{order}-grams",
        meanings=tuple(MEANINGS.items()),
    )


def _operation(old: int, new: int, asked: float) -> tuple[str, float, float]:
    """What is done with an n-gram, how much of it is right, and how much is done."""
    if not old:
        return ("added", float(asked > 0), 1.0) if new else ("not added", 0.0, 1.0)
    kept, deleted = min(old, new), max(old - new, 0)
    right = min(kept, asked), min(deleted, max(old - asked, 0.0))
    what = f"{kept} kept, {deleted} deleted" if kept and deleted else "kept" if kept else "deleted"
    return what, sum(right), kept + deleted
