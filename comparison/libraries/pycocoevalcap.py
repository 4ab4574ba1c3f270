"""pycocoevalcap: ``pycocoevalcap.bleu.bleu.Bleu`` and ``pycocoevalcap.rouge.rouge.Rouge``."""

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

        scores, _ = Bleu(max_order).compute_score(*_by_image(predictions, references), verbose=0)
        return {"bleu": scores[-1], **by_order(bleu=scores)}

    def score_rouge(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``Rouge().compute_score``: ROUGE-L's F with beta 1.2, of the best precision and the best recall."""
        from pycocoevalcap.rouge.rouge import Rouge

        mean, _ = Rouge().compute_score(*_by_image(predictions, references))
        return {"rougeL_fmeasure": float(mean)}


def _by_image(predictions: list[str], references: list[list[str]]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """References, then predictions, each under its image's id."""
    return dict(enumerate(references)), {i: [text] for i, text in enumerate(predictions)}
