"""CharacTER against the package cer, CharCut against charcut, and EED against torchmetrics."""

from __future__ import annotations

from cer import calculate_cer_corpus, cer
from charcut import calculate_charcut

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.scorers import Character, CharcutMt, Eed

__all__ = ["in_process"]

# The sample has every n-th pair, evenly from all systems: the other libraries would take minutes for all pairs.
STEP = 60


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """The scores of a sample, which are the same for both. cer starts without the distances that it keeps."""
    from torchmetrics.functional.text import extended_edit_distance

    predictions, references = corpus.predictions[::STEP], corpus.references[::STEP]

    def of_cer() -> float:
        cer.calculate_levenshtein.cache_clear()
        found = calculate_cer_corpus([text.split() for text in predictions], [text.split() for text in references])
        return float(found["mean"])

    peers = {
        "CharacTER": (Character(), "cer", of_cer, 10, 30),
        "CharCut": (CharcutMt(), "charcut", lambda: calculate_charcut(predictions, references)[0], 20, 30),
        "EED": (Eed(), "torchmetrics", lambda: float(extended_edit_distance(predictions, references)), 50, 50),
    }
    rows = []
    for name, (scorer, library, peer, promised, aim) in peers.items():
        ours, theirs = scorer.corpus(predictions, references).value, peer()
        if abs(ours - theirs) > 1e-6:
            raise RuntimeError(f"{name} is {ours} here and {theirs} in {library}")
        calls = {name: lambda scorer=scorer: scorer.corpus(predictions, references), library: peer}
        rows.append(row(name, in_turn(calls, min(rounds, 3)), name, library, promised, aim))
    return rows
