"""fast-bleu: Self-BLEU in C++."""

from __future__ import annotations

from statistics import fmean

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["FastBleu"]


class FastBleu(Library):
    """fast-bleu, on tokens split at whitespace.

    It reads one length more than there are other texts, from memory that is not its own. A text without another text of
    its own length can so have another score in each run. Its weights are float32.
    """

    name = "fast-bleu"
    distributions = ("fast-bleu",)
    extra = "fastbleu"
    resolution = 1e-6

    def score_self_bleu(
        self, predictions: Texts, references: References, *, max_order: int = 4, smoothing_func: int = 1
    ) -> Scores:
        """The mean of ``SelfBLEU.get_score``; ``max_order`` is at least 2."""
        from fast_bleu import SelfBLEU

        tokens = [text.split() for text in predictions]
        scores = SelfBLEU(tokens, {max_order: (1 / max_order,) * max_order}, smoothing_func).get_score()
        return {"self_bleu": fmean(scores[max_order])}
