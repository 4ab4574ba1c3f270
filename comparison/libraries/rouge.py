"""rouge: pltrdy's ``rouge.Rouge``."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from metrologue.comparison.libraries.base import Library, References, Scores, Texts, primary_first

__all__ = ["PltrdyRouge"]


class PltrdyRouge(Library):
    """rouge. A full stop ends a sentence, and whitespace separates words.

    The package compares two texts. Of several references, the one with the best F counts, for each type on its own.
    """

    name = "rouge"
    distributions = ("rouge",)

    def score_rouge(
        self, predictions: Texts, references: References, *, max_order: int = 2, exclusive: bool = True
    ) -> Scores:
        """``get_scores``, and its means. With ``exclusive`` False, n-grams count as often as they occur."""
        from rouge import Rouge

        kinds = [*(f"rouge-{order}" for order in range(1, max_order + 1)), "rouge-l"]
        scorer = Rouge(metrics=kinds, exclusive=exclusive)
        if all(len(texts) == 1 for texts in references):
            return numbers(scorer.get_scores(predictions, [text for (text,) in references], avg=True))
        rows = [
            [scorer.get_scores(prediction, text)[0] for text in texts]
            for prediction, texts in zip(predictions, references, strict=True)
        ]
        best = [
            {kind: max((row[kind] for row in own), key=lambda triple: triple["f"]) for kind in kinds} for own in rows
        ]
        return numbers(
            {kind: {letter: fmean(each[kind][letter] for each in best) for letter in "prf"} for kind in kinds}
        )


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
