"""Traces of diversity: which n-grams a text repeats. The trace of distinct-n."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from metrologue.scorers.core.inputs import single_texts
from metrologue.scorers.distinct_n import DistinctN
from metrologue.segments import Segments
from metrologue.tracing import Block, Notes, Row, Span, Table, Trace, ngrams, scores_trace

# A table of repeated n-grams has at most this many rows.
MOST_NGRAMS = 10


def build(scorer: DistinctN, segment: Segments) -> Trace:
    """The trace of one text or group: its numbers, and for each order the n-grams that occur most often."""
    result = scorer.corpus(segment)
    view = single_texts(segment).read(scorer._words)
    plain = scores_trace(scorer.name, result.signature, result.primary, result.scores)
    return replace(plain, blocks=(*plain.blocks, *repeated([*map(view.tokens_of, range(len(view)))], scorer.orders)))


def repeated(texts: Sequence[Sequence[str]], orders: Sequence[int] = (1, 2, 3)) -> list[Block]:
    """A table for each order with the n-grams that occur most often; a line if none occurs more than once."""
    blocks: list[Block] = []
    for order in orders:
        counts = Counter(ngram for tokens in texts for ngram in ngrams(tokens, order))
        total = counts.total()
        often = [(ngram, count) for ngram, count in counts.most_common(MOST_NGRAMS) if count > 1]
        rows = tuple(Row(cells=(Span(tokens=ngram), count, f"{count}/{total}")) for ngram, count in often)
        name, caption = f"repeated {order}-grams", f"{order}-grams that come again"
        table = Table(name=name, header=("n-gram", "count", "share"), rows=rows, caption=caption)
        blocks.append(table if rows else Notes(lines=(f"no {order}-gram comes again",)))
    return blocks
