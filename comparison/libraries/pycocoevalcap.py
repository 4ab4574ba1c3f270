"""pycocoevalcap: ``pycocoevalcap.bleu.bleu.Bleu``."""

from __future__ import annotations

from metrologue.comparison.libraries.base import Library, Scores, by_order

__all__ = ["Pycocoevalcap"]


class Pycocoevalcap(Library):
    """pycocoevalcap on the texts as they are: its PTB tokenizer is a step that its callers may run first."""

    name = "pycocoevalcap"
    distributions = ("pycocoevalcap",)

    def score_bleu(self, predictions: list[str], references: list[list[str]], *, max_order: int = 4) -> Scores:
        """``Bleu(max_order).compute_score``: BLEU-1 to BLEU-N, of which the longest is the primary number."""
        from pycocoevalcap.bleu.bleu import Bleu

        scores, _ = Bleu(max_order).compute_score(
            dict(enumerate(references)), {i: [text] for i, text in enumerate(predictions)}, verbose=0
        )
        return {"bleu": scores[-1], **by_order(bleu=scores)}
