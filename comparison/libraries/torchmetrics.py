"""torchmetrics: the functions of ``torchmetrics.functional.text``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from metrologue.comparison.libraries.base import LibraryError, Scores, primary_first
from metrologue.comparison.libraries.labels import CodedLabels
from metrologue.comparison.libraries.nltk import has_punkt

__all__ = ["Torchmetrics"]


class Torchmetrics(CodedLabels):
    """torchmetrics. It computes in float32."""

    name = "torchmetrics"
    distributions = ("torchmetrics", "torch")
    extra = "torch"
    resolution = 1e-6

    def _of_codes(
        self, metric: str, predictions: list[int], references: list[int], count: int, options: Mapping[str, Any]
    ) -> Any:
        """``multiclass_...`` of at least two classes. The averages are "macro", and "micro" for the accuracy."""
        import torch
        from torchmetrics.functional import classification

        name = {"f1": "multiclass_f1_score"}.get(metric, f"multiclass_{metric}")
        averages = {} if metric == "confusion_matrix" else {"average": "micro" if metric == "accuracy" else "macro"}
        given = {key: value for key, value in options.items() if key != "pos_label"}
        score = getattr(classification, name)
        return score(
            torch.tensor(predictions), torch.tensor(references), num_classes=max(2, count), **{**averages, **given}
        )

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smooth: bool = False,
    ) -> Scores:
        """``bleu_score``, on tokens split at whitespace."""
        from torchmetrics.functional.text import bleu_score

        return {"bleu": float(bleu_score(predictions, references, n_gram=max_order, smooth=smooth, weights=weights))}

    def score_chrf(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """``chrf_score``; for ``options`` see ``_chrf``."""
        return {"chrf": float(_chrf(predictions, references, **options)[0])}

    def segments_chrf(self, predictions: list[str], references: list[list[str]], **options: Any) -> list[Scores]:
        """The number of ``chrf_score`` for each segment."""
        return [{"chrf": float(value)} for value in _chrf(predictions, references, **options)[1]]

    def score_perplexity(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``perplexity`` of lines of probabilities. Each token is the first of two in the vocabulary.

        torchmetrics takes logits, whose softmax gives the probabilities back. Short lines are padded.
        """
        import torch
        from torchmetrics.functional.text import perplexity

        rows = [[float(item) for item in line.split()] for line in predictions]
        padding, longest = -100, max(map(len, rows))
        targets = torch.full((len(rows), longest), padding)
        logits = torch.zeros((len(rows), longest, 2), dtype=torch.float64)
        for i, row in enumerate(rows):
            targets[i, : len(row)] = 0
            both = torch.tensor([(value, max(1 - value, 0.0)) for value in row], dtype=torch.float64)
            logits[i, : len(row)] = both.reshape(-1, 2).log()
        return {"perplexity": float(perplexity(logits, targets, ignore_index=padding))}

    def score_rouge(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        types: Sequence[str] | None = None,
        accumulate: Literal["best", "avg"] = "best",
        stem: bool = False,
        normalize: Callable[[str], str] | None = None,
        tokenize: Callable[[str], Sequence[str]] | None = None,
    ) -> Scores:
        """``rouge_score``. rougeLsum is included only if nltk's punkt is installed, which finds its sentences."""
        from torchmetrics.functional.text import rouge_score

        if types is None:
            types = ("rouge1", "rouge2", "rougeL", *["rougeLsum"] * has_punkt())
        elif "rougeLsum" in types and not has_punkt():
            raise LibraryError("torchmetrics: rougeLsum needs nltk's data; python -m nltk.downloader punkt_tab")
        found = rouge_score(
            predictions,
            references,
            accumulate=accumulate,
            use_stemmer=stem,
            normalizer=normalize,
            tokenizer=tokenize,
            rouge_keys=tuple(types),
        )
        return primary_first({name: float(value) for name, value in found.items()})

    def score_ter(self, predictions: list[str], references: list[list[str]], **options: bool) -> Scores:
        """``translation_edit_rate``; for ``options`` see ``_ter``."""
        return {"ter": float(_ter(predictions, references, **options)[0])}

    def segments_ter(self, predictions: list[str], references: list[list[str]], **options: bool) -> list[Scores]:
        """The number of ``translation_edit_rate`` for each segment."""
        return [{"ter": float(value)} for value in _ter(predictions, references, **options)[1]]

    def _rate(self, name: str, function: str, predictions: list[str], references: list[list[str]]) -> Scores:
        from torchmetrics.functional import text

        return {name: float(getattr(text, function)(predictions, self._single(references)))}

    def score_wer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``word_error_rate``."""
        return self._rate("wer", "word_error_rate", predictions, references)

    def score_cer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``char_error_rate``."""
        return self._rate("cer", "char_error_rate", predictions, references)

    def score_mer(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``match_error_rate``."""
        return self._rate("mer", "match_error_rate", predictions, references)

    def score_wil(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``word_information_lost``."""
        return self._rate("wil", "word_information_lost", predictions, references)

    def score_wip(self, predictions: list[str], references: list[list[str]]) -> Scores:
        """``word_information_preserved``."""
        return self._rate("wip", "word_information_preserved", predictions, references)

    def score_edit_distance(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        substitution_cost: int = 1,
        reduction: Literal["mean", "sum"] = "mean",
    ) -> Scores:
        """``edit_distance``."""
        from torchmetrics.functional.text import edit_distance

        found = edit_distance(predictions, self._single(references), substitution_cost, reduction)
        return {"edit_distance": float(found)}


def _ter(
    predictions: list[str],
    references: list[list[str]],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> Any:
    """The scores of the corpus and of each segment."""
    from torchmetrics.functional.text import translation_edit_rate

    return translation_edit_rate(predictions, references, normalized, no_punct, not case_sensitive, asian_support, True)


def _chrf(
    predictions: list[str],
    references: list[list[str]],
    *,
    char_order: int = 6,
    word_order: int = 2,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
) -> Any:
    """The scores of the corpus and of each segment."""
    from torchmetrics.functional.text import chrf_score

    return chrf_score(predictions, references, char_order, word_order, beta, lowercase, whitespace, True)
