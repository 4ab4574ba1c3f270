"""rouge: pltrdy's ``rouge.Rouge``."""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, primary_first

__all__ = ["PltrdyRouge"]


class PltrdyRouge(Library):
    """rouge. It takes one reference per segment. A full stop ends a sentence, and whitespace separates words."""

    name = "rouge"
    distributions = ("rouge",)

    def score_rouge(
        self, predictions: Texts, references: References, *, max_order: int = 2, exclusive: bool = True
    ) -> Scores:
        """``get_scores(avg=True)``. With ``exclusive`` False, n-grams count as often as they occur."""
        from rouge import Rouge

        firsts = self._single(references)
        kinds = [*(f"rouge-{order}" for order in range(1, max_order + 1)), "rouge-l"]
        scorer = Rouge(metrics=kinds, exclusive=exclusive)
        return numbers(scorer.get_scores(predictions, firsts, avg=True))


def numbers(found: Mapping[str, Mapping[str, float]]) -> Scores:
    """The result of several packages, such as ``{"rouge-su4": {"p": ..., "r": ..., "f": ...}}``, under our names.

    ROUGE-W's weight is left out. Their ROUGE-L joins the matches of all sentences, so it is our rougeLsum as well.
    """
    triples = {label.upper().split("-")[1]: triple for label, triple in found.items()}
    triples["Lsum"] = triples["L"]
    return primary_first(
        {
            f"rouge{kind}_{name}": float(triple[letter])
            for kind, triple in triples.items()
            for letter, name in (("p", "precision"), ("r", "recall"), ("f", "fmeasure"))
        }
    )
