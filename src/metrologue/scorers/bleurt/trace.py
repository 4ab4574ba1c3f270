"""The trace of BLEURT: what the model gives with each reference, and what each word of the text adds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metrologue.learned.trace import trace_of
from metrologue.scorers.bleurt import Bleurt
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Section, Table, Trace, reference_names, short

_MOST = 60  # words that are left out, one after another


def build(scorer: Bleurt, segment: Segments) -> Trace:
    """The trace of one segment."""
    return trace_of(scorer, segment, _sections(scorer._trained.network, segment))


def _sections(network: Any, segment: Segments) -> Iterator[Block]:
    """For each reference, the score, and how much lower it is without a word."""
    [text] = segment.texts().to_pylist()
    references = segment.texts("references").to_pylist()
    words = text.split()[:_MOST]
    rest = text.split()[_MOST:]
    without = [" ".join([*words[:place], *words[place + 1 :], *rest]) for place in range(len(words))]
    for name, reference in zip(reference_names(len(references)), references, strict=True):
        scores = network.score_pairs([reference] * (len(words) + 1), [text, *without])[0].tolist()
        rows = [
            Row(cells=(word, score, scores[0] - score)) for word, score in zip(words, scores[1:], strict=True)
        ]  # fmt: skip
        table = Table(
            name=f"words with {name}",
            header=("word", "score without it", "adds"),
            rows=tuple(rows),
            caption=f"the model gives {short(scores[0])}; a word adds what the score loses without it",
            summary=f"{len(rows)} words",
        )
        yield Section(name=name, title=name, blocks=(table,), values={"bleurt": scores[0]})
