"""torchmetrics: ``torchmetrics.functional.text.bleu_score``."""

from __future__ import annotations

from collections.abc import Sequence

from metrologue.comparison.libraries.base import Library, Scores

__all__ = ["Torchmetrics"]


class Torchmetrics(Library):
    """torchmetrics, which computes in float32."""

    name = "torchmetrics"
    distributions = ("torchmetrics", "torch")
    extra = "torch"
    resolution = 1e-6

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smooth: bool = False,
    ) -> Scores:
        """``bleu_score``, tokens split at blanks."""
        from torchmetrics.functional.text import bleu_score

        return {"bleu": float(bleu_score(predictions, references, n_gram=max_order, smooth=smooth, weights=weights))}
