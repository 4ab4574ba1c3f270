"""chrF against sacrebleu."""

from __future__ import annotations

import sys

from sacrebleu.metrics.chrf import CHRF

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, installed, row
from metrologue.scorers import Chrf

__all__ = ["in_process"]

SLICE = 3_000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Ours on all pairs, and sacrebleu, which is slow, on one system. Nothing is kept between rounds."""
    predictions, references = corpus.predictions, corpus.references
    few, few_references = predictions[:SLICE], references[:SLICE]
    mojo = installed("sacrebleu_mojo", "sacrebleu-mojo") if sys.version_info >= (3, 12) else None
    seconds = in_turn(
        {
            "chrF": lambda: Chrf().corpus(predictions, references),
            "chrF++": lambda: Chrf.variant("chrf++").corpus(predictions, references),
            "sacrebleu": lambda: CHRF().corpus_score(few, [few_references]),
            "sacrebleu, words": lambda: CHRF(word_order=2).corpus_score(few, [few_references]),
            **({"sacrebleu-mojo": lambda: mojo.corpus_chrf(few, [few_references])} if mojo else {}),
        },
        min(rounds, 3),
    )
    share = SLICE / len(predictions)
    return [
        row("chrF", seconds, "chrF", "sacrebleu", 25, 50, share),
        *([row("chrF", seconds, "chrF", "sacrebleu-mojo", 1, 1, share)] if mojo else []),
        row("chrF++", seconds, "chrF++", "sacrebleu, words", 25, 50, share),
    ]
