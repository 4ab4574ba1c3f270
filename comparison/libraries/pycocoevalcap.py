"""pycocoevalcap: its ``Bleu``, its ``Rouge``, its ``Meteor`` and its ``Cider``."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from typing import Any

from metrologue.comparison.libraries.base import (
    Available,
    Library,
    LibraryError,
    Missing,
    References,
    Scores,
    Texts,
    by_order,
)
from metrologue.comparison.libraries.meteor import java

__all__ = ["Coco", "Pycocoevalcap"]


def _of_tokens(metric: str) -> tuple[Callable[..., Scores], Callable[..., list[Scores]]]:
    """The methods of a metric of the tokens of pycocoevalcap's PTB tokenizer, as in COCO's table."""

    def score(_self: Library, predictions: Texts, references: References, **options: Any) -> Scores:
        return Pycocoevalcap().scores(metric, *_tokenized(predictions, references), **options)

    def segments(_self: Library, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        return Pycocoevalcap().segments(metric, *_tokenized(predictions, references), **options)

    return score, segments


class Pycocoevalcap(Library):
    """pycocoevalcap on the texts as they are. Its PTB tokenizer is a step that callers may run before."""

    name = "pycocoevalcap"
    distributions = ("pycocoevalcap",)

    @classmethod
    def scale_of(cls, metric: str) -> float:
        """10 for CIDEr, otherwise 1."""
        return 10.0 if metric.endswith("cider") else cls.scale

    def status(self, metric: str | None = None) -> Available | Missing:
        """The status of the library. For METEOR, Java must be installed too."""
        status = super().status(metric)
        return (java() if metric == "meteor" and not isinstance(status, Missing) else None) or status

    def score_bleu(self, predictions: Texts, references: References, *, max_order: int = 4) -> Scores:
        """``Bleu(max_order).compute_score``: BLEU-1 to BLEU-N. BLEU-N is the primary number."""
        from pycocoevalcap.bleu.bleu import Bleu

        scores, _ = Bleu(max_order).compute_score(*_by_image(predictions, references), verbose=0)
        return {"bleu": scores[-1], **by_order(bleu=scores)}

    def score_rouge(self, predictions: Texts, references: References) -> Scores:
        """``Rouge().compute_score``: ROUGE-L's F with beta 1.2, of the best precision and the best recall."""
        from pycocoevalcap.rouge.rouge import Rouge

        mean, _ = Rouge().compute_score(*_by_image(predictions, references))
        return {"rougeL_fmeasure": float(mean)}

    def score_meteor(self, predictions: Texts, references: References) -> Scores:
        """``Meteor().compute_score``: METEOR 1.5's own score of the sum of all segments' statistics, not a mean."""
        return {"meteor": _meteor_scores(predictions, references)[0]}

    def segments_meteor(self, predictions: Texts, references: References) -> list[Scores]:
        """The scores of the segments, which ``compute_score`` returns as well."""
        return [{"meteor": score} for score in _meteor_scores(predictions, references)[1]]

    def score_cider(self, predictions: Texts, references: References, *, sigma: float = 6.0) -> Scores:
        """``Cider(sigma=sigma).compute_score``: CIDEr-D, with weights from these references."""
        return {"cider": _cider_scores(predictions, references, sigma)[0]}

    def segments_cider(self, predictions: Texts, references: References, *, sigma: float = 6.0) -> list[Scores]:
        """The scores of the images, which ``compute_score`` returns as well."""
        return [{"cider": score} for score in _cider_scores(predictions, references, sigma)[1]]

    score_coco_bleu, segments_coco_bleu = _of_tokens("bleu")
    score_coco_rouge, segments_coco_rouge = _of_tokens("rouge")
    score_coco_meteor, segments_coco_meteor = _of_tokens("meteor")
    score_coco_cider, segments_coco_cider = _of_tokens("cider")


class Coco(Library):
    """pycocoevalcap after its PTB tokenizer, which runs in Java, as for COCO's table."""

    name = "coco"
    distributions = ("pycocoevalcap",)

    @classmethod
    def scale_of(cls, metric: str) -> float:
        """As for ``Pycocoevalcap``."""
        return Pycocoevalcap.scale_of(metric)

    def status(self, metric: str | None = None) -> Available | Missing:
        """The status of the library. Java must be installed too."""
        status = super().status(metric)
        return status if isinstance(status, Missing) else java() or status

    score_cider = Pycocoevalcap.score_coco_cider
    segments_cider = Pycocoevalcap.segments_coco_cider


def _by_image(predictions: Texts, references: References) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The references, then the predictions, each under its image's id."""
    return dict(enumerate(references)), {i: [text] for i, text in enumerate(predictions)}


def _tokenized(predictions: Texts, references: References) -> tuple[list[str], list[list[str]]]:
    """The texts as PTB tokens between spaces, without punctuation."""
    if missing := java():
        raise LibraryError(f"pycocoevalcap: {missing}")
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    texts = {
        i: [{"caption": text} for text in own] for i, own in enumerate([*references, *([text] for text in predictions)])
    }
    tokens = PTBTokenizer().tokenize(texts)
    return [tokens[len(references) + i][0] for i in range(len(predictions))], [
        tokens[i] for i in range(len(references))
    ]


def _cider_scores(predictions: Texts, references: References, sigma: float) -> tuple[float, list[float]]:
    from pycocoevalcap.cider.cider import Cider

    mean, scores = Cider(sigma=sigma).compute_score(*_by_image(predictions, references))
    return float(mean), scores.tolist()


def _meteor_scores(predictions: Texts, references: References) -> tuple[float, list[float]]:
    if missing := java():
        raise LibraryError(f"pycocoevalcap: {missing}")
    meteor = _meteor()
    try:
        overall, scores = meteor.compute_score(*_by_image(predictions, references))
    except BaseException:
        # After a line end or "|||" in a text, questions and answers no longer match, so the next call needs a new
        # process. The lock is still held, and the object's finalizer would wait for it forever.
        meteor.lock.release()
        _meteor.cache_clear()
        raise
    return overall, scores


@cache
def _meteor() -> Any:
    """The one Meteor object. It starts a Java process that takes seconds to load, and ends together with it."""
    from pycocoevalcap.meteor.meteor import Meteor

    return Meteor()


atexit.register(_meteor.cache_clear)
