"""torchmetrics: the functions of ``torchmetrics.functional.text``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from metrologue.comparison.libraries.base import LibraryError, References, Scores, Texts, primary_first, renamed
from metrologue.comparison.libraries.labels import CodedLabels
from metrologue.comparison.libraries.nltk import has_punkt

__all__ = ["Torchmetrics"]


def _rate(metric: str, function: str) -> Callable[..., Scores]:
    """The method of a metric that takes one reference, by a function of the library, with its options."""

    def score(self: Torchmetrics, predictions: Texts, references: References, **options: Any) -> Scores:
        from torchmetrics.functional import text

        return {metric: float(getattr(text, function)(predictions, self._single(references), **options))}

    return score


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

    def score_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``bleu_score``, on tokens split at whitespace, with its ``smooth`` and ``weights``."""
        from torchmetrics.functional.text import bleu_score

        return {"bleu": float(bleu_score(predictions, references, **renamed(options, max_order="n_gram")))}

    def score_chrf(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``chrf_score``, with its ``beta``, ``lowercase`` and ``whitespace``."""
        return {"chrf": float(_chrf(predictions, references, options)[0])}

    def segments_chrf(self, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        """The number of ``chrf_score`` for each segment."""
        return [{"chrf": float(value)} for value in _chrf(predictions, references, options)[1]]

    def score_perplexity(self, predictions: Texts, references: References) -> Scores:
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
        self, predictions: Texts, references: References, *, types: Sequence[str] | None = None, **options: Any
    ) -> Scores:
        """``rouge_score``. rougeLsum is included only if nltk's punkt is installed, which finds its sentences."""
        from torchmetrics.functional.text import rouge_score

        if types is None:
            types = ("rouge1", "rouge2", "rougeL", *["rougeLsum"] * has_punkt())
        elif "rougeLsum" in types and not has_punkt():
            raise LibraryError("torchmetrics: rougeLsum needs nltk's data; python -m nltk.downloader punkt_tab")
        given = renamed(options, stem="use_stemmer", normalize="normalizer", tokenize="tokenizer")
        found = rouge_score(predictions, references, rouge_keys=tuple(types), **given)
        return primary_first({name: float(value) for name, value in found.items()})

    def score_ter(self, predictions: Texts, references: References, **options: bool) -> Scores:
        """``translation_edit_rate``, with its ``asian_support``."""
        return {"ter": float(_ter(predictions, references, **options)[0])}

    def segments_ter(self, predictions: Texts, references: References, **options: bool) -> list[Scores]:
        """The number of ``translation_edit_rate`` for each segment."""
        return [{"ter": float(value)} for value in _ter(predictions, references, **options)[1]]

    def segments_eed(self, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        """The numbers of ``extended_edit_distance`` for the segments, with its ``language`` and its costs."""
        from torchmetrics.functional.text import extended_edit_distance

        found = extended_edit_distance(predictions, references, return_sentence_level_score=True, **options)[1]
        return [{"eed": float(value)} for value in found]

    score_wer = _rate("wer", "word_error_rate")
    score_cer = _rate("cer", "char_error_rate")
    score_mer = _rate("mer", "match_error_rate")
    score_wil = _rate("wil", "word_information_lost")
    score_wip = _rate("wip", "word_information_preserved")
    score_edit_distance = _rate("edit_distance", "edit_distance")


def _ter(predictions: Texts, references: References, *, case_sensitive: bool = False, **options: bool) -> Any:
    """The scores of the corpus and of each segment."""
    from torchmetrics.functional.text import translation_edit_rate

    given = renamed(options, normalized="normalize", no_punct="no_punctuation")
    return translation_edit_rate(
        predictions, references, lowercase=not case_sensitive, return_sentence_level_score=True, **given
    )


def _chrf(predictions: Texts, references: References, options: Mapping[str, Any]) -> Any:
    """The scores of the corpus and of each segment."""
    from torchmetrics.functional.text import chrf_score

    given = renamed(options, char_order="n_char_order", word_order="n_word_order")
    return chrf_score(predictions, references, return_sentence_level_score=True, **given)
