"""torchmetrics: ``bleu_score`` and ``rouge_score`` of ``torchmetrics.functional.text``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from metrologue.comparison.libraries.base import Library, LibraryError, Scores, lead

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

    def score_rouge(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        types: Sequence[str] | None = None,
        accumulate: Literal["best", "avg"] = "best",
        stem: bool = False,
    ) -> Scores:
        """``rouge_score``; rougeLsum is among the types only where nltk's punkt is, which finds its sentences."""
        from torchmetrics.functional.text import rouge_score

        if types is None:
            types = ("rouge1", "rouge2", "rougeL", *["rougeLsum"] * _has_punkt())
        elif "rougeLsum" in types and not _has_punkt():
            raise LibraryError("torchmetrics: rougeLsum needs nltk's data; python -m nltk.downloader punkt_tab")
        found = rouge_score(predictions, references, accumulate=accumulate, use_stemmer=stem, rouge_keys=tuple(types))
        return lead({name: float(value) for name, value in found.items()})


def _has_punkt() -> bool:
    try:
        import nltk

        nltk.data.find("tokenizers/punkt_tab")
    except (ImportError, LookupError):
        return False
    return True
