"""The trace of CIDEr: the heaviest n-grams of both texts, the cosine of each order, and the formula."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.cider import Cider, length_penalty
from metrologue.scorers.core.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import (
    Block,
    Notes,
    Row,
    Section,
    Span,
    Table,
    Trace,
    ngrams,
    reference_names,
    short,
    state_legend,
)

Tokens = Sequence[str]
NGram = tuple[str, ...]

MEANINGS = {"matched": "counts in full", "clipped": "clipped to the reference's entry", "missing": "in one text only"}
# How many n-grams of each order are shown.
_SHOWN = 5


def build(scorer: Cider, segment: Segments) -> Trace:
    """The trace of one segment: for each reference the cosines, and the n-grams with the greatest entries."""
    fitted = scorer if scorer.document_frequency else scorer.fit(segment)
    result = fitted.corpus(segment)
    view = fitted._view(segment)
    hypothesis, references = view.tokens(0)
    entries = _weights(fitted, segment)
    pairs = fitted._pair_statistics(segment)
    sections = [
        _section(fitted, name, (hypothesis, tokens), entries, row[:-1], float(row[-1]))
        for name, tokens, row in zip(reference_names(len(references)), references, pairs, strict=True)
    ]
    orders = [result.scores[f"cider_{n}"] / fitted.scale for n in range(1, fitted.max_order + 1)]
    join = "mean" if len(references) > 1 and fitted.multi_reference == "mean" else "best" * (len(references) > 1)
    of_references = f", each the {join} of {len(references)} references" if join else ""
    formula = f"CIDEr = {fitted.scale:g} · ({' + '.join(map(short, orders))})/{fitted.max_order} = {result.value}"
    remarks = (f"one term for each order{of_references}", *scorer._hints(segment))
    blocks = (state_legend(MEANINGS), *sections)
    return trace_of(scorer, result, formula, blocks, remarks)


def _weights(scorer: Cider, segment: Segments) -> dict[NGram, float]:
    """The weight of each n-gram of the texts."""
    view = scorer._view(segment)
    weights = scorer._weights(view)
    by_ngram = {}
    for text in range(len(view.offsets) - 1):
        tokens, first = view.tokens_of(text), view.offsets[text]
        for order in range(1, scorer.max_order + 1):
            for i, ngram in enumerate(ngrams(tokens, order)):
                by_ngram[ngram] = float(weights[first + i, order - 1])
    return by_ngram


def _section(
    scorer: Cider,
    name: str,
    texts: tuple[Tokens, Tokens],
    weights: dict[NGram, float],
    cosines: NDArray[np.float64],
    difference: float,
) -> Section:
    """The hypothesis and one reference."""
    penalty = float(length_penalty(np.array(difference), scorer.sigma))
    rows, tables = [], []
    for order, value in enumerate(cosines.tolist(), start=1):
        ours, theirs = (Counter(ngrams(tokens, order)) for tokens in texts)
        norms = [math.sqrt(sum((n * weights[g]) ** 2 for g, n in counts.items())) for counts in (ours, theirs)]
        rows.append(Row(cells=(f"{order}-grams", *norms, value, value * penalty)))
        tables.append(_entries(scorer, name, order, ours, theirs, weights))
    header = ("order", "|hypothesis|", "|reference|", "cosine", "with penalty")
    by_order = Table(name=f"cosines with {name}", header=header, rows=tuple(rows))
    lengths = " and ".join(f"{len(tokens)}" for tokens in texts)
    rule = "no length penalty" if math.isinf(scorer.sigma) else f"exp(-({difference:g})²/(2·{scorer.sigma:g}²))"
    note = Notes(lines=(f"length penalty {short(penalty)}: {lengths} words; {rule}",))
    blocks: tuple[Block, ...] = (note, by_order, *tables)
    mean = float(np.mean(cosines)) * penalty * scorer.scale
    return Section(name=name, title=f"{name}: CIDEr = {mean:.6g}", blocks=blocks, values={"cider": mean})


def _entries(
    scorer: Cider, name: str, order: int, ours: Counter[NGram], theirs: Counter[NGram], weights: dict[NGram, float]
) -> Table:
    """The n-grams of one order with the greatest tf-idf in either text."""
    heaviest = sorted({**ours, **theirs}, key=lambda g: -weights[g] * max(ours[g], theirs[g]))
    rows = []
    for ngram in heaviest[:_SHOWN]:
        clipped = scorer.clipped and ours[ngram] > theirs[ngram] and weights[ngram] > 0
        state = "missing" if not (ours[ngram] and theirs[ngram]) else "clipped" if clipped else "matched"
        weight = weights[ngram]
        tfidf = ours[ngram] * weight, theirs[ngram] * weight
        cells = (Span(tokens=ngram, state=state), weight, ours[ngram], theirs[ngram], *tfidf)
        rows.append(Row(cells=cells, state=state))
    left = len(heaviest) - len(rows)
    return Table(
        name=f"{order}-grams with {name}",
        header=("n-gram", "weight", "hypothesis", "reference", "tf-idf of hypothesis", "tf-idf of reference"),
        rows=tuple(rows),
        caption=f"{order}-grams" + (f", and {left} lighter ones" if left else ""),
        meanings=tuple(MEANINGS.items()),
    )
