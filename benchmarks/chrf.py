"""chrF against sacrebleu."""

from __future__ import annotations

from sacrebleu.metrics.chrf import CHRF

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Chrf

__all__ = ["in_process"]

SLICE = 3_000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Ours on all pairs, and sacrebleu, which is slow, on one system. Nothing is kept between rounds."""
    predictions, references = corpus.predictions, corpus.references
    few, few_references = predictions[:SLICE], references[:SLICE]
    seconds = in_turn(
        {
            "chrF": lambda: Chrf().corpus(predictions, references),
            "chrF++": lambda: Chrf.variant("chrf++").corpus(predictions, references),
            "sacrebleu": lambda: CHRF().corpus_score(few, [few_references]),
            "sacrebleu, words": lambda: CHRF(word_order=2).corpus_score(few, [few_references]),
        },
        min(rounds, 3),
    )
    share = SLICE / len(predictions)
    return [
        row("chrF", seconds, "chrF", "sacrebleu", 25, 50, share),
        row("chrF++", seconds, "chrF++", "sacrebleu, words", 25, 50, share),
    ]
