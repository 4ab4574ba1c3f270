"""TER against sacrebleu."""

from __future__ import annotations

from sacrebleu.metrics.ter import TER

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Ter

__all__ = ["in_process"]

# The sample has every n-th pair, evenly from all systems. sacrebleu would take minutes for all pairs.
STEP = 15


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """The score of a sample, the same for both. sacrebleu's tokenizer and its edit distance start without a cache."""
    predictions, references = corpus.predictions[::STEP], corpus.references[::STEP]

    def peer() -> float:
        ter = TER()
        # The cache belongs to the class, not to the object.
        type(ter.tokenizer).__call__.cache_clear()
        return float(ter.corpus_score(predictions, [references]).score)

    ours, theirs = Ter().corpus(predictions, references).value, peer()
    if ours != theirs:
        raise RuntimeError(f"TER is {ours} here and {theirs} in sacrebleu")
    seconds = in_turn(
        {"TER": lambda: Ter().corpus(predictions, references), "sacrebleu": peer},
        min(rounds, 3),
    )
    return [row("TER", seconds, "TER", "sacrebleu", 60, 150)]
