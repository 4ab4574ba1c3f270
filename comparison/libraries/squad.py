"""The script of SQuAD, as the Hub's module and torchmetrics have it, in per cent."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from metrologue.comparison.libraries.base import Library, References, Scores, Texts
from metrologue.comparison.libraries.hub import Hub

__all__ = ["HubSquad", "TorchmetricsSquad", "questions", "with_trapz"]


def questions(predictions: Texts, references: References) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Answers and right answers in the layout of SQuAD, each with the id of its question."""
    answers = [{"id": str(index), "prediction_text": text} for index, text in enumerate(predictions)]
    right = [
        {"id": str(index), "answers": {"text": own, "answer_start": [0] * len(own)}}
        for index, own in enumerate(references)
    ]
    return answers, right


@contextmanager
def with_trapz() -> Iterator[None]:
    """NumPy with ``trapz``, which CUAD's script calls; newer ones have it as ``trapezoid``."""
    import numpy as np

    if hasattr(np, "trapz"):
        yield
        return
    np.trapz = np.trapezoid  # type: ignore[attr-defined]  # as it was called before NumPy 2.4
    try:
        yield
    finally:
        del np.trapz  # type: ignore[attr-defined]


class _Squad(Library):
    """Answers to questions. Both numbers come from one call."""

    scale = 100.0

    @abstractmethod
    def _call(self, answers: list[dict[str, Any]], right: list[dict[str, Any]]) -> Mapping[str, Any]:
        """The library's result for answers and right answers."""

    def score_exact_match(self, predictions: Texts, references: References) -> Scores:
        """The exact match."""
        return {"exact_match": self.score_token_f1(predictions, references)["exact_match"]}

    def score_token_f1(self, predictions: Texts, references: References) -> Scores:
        """The F1, and the exact match."""
        found = self._call(*questions(predictions, references))
        return {"token_f1": float(found["f1"]), "exact_match": float(found["exact_match"])}


class HubSquad(_Squad, Hub):
    """``evaluate.load("squad")``."""

    name = "evaluate-squad"
    modules: ClassVar[Mapping[str, str]] = {"exact_match": "squad", "token_f1": "squad"}

    def score_cuad(self, predictions: Texts, references: References) -> Scores:
        """``evaluate.load("cuad")``. A text is one span; an empty one is none."""
        answers, right = questions(predictions, [[text for text in own if text] for own in references])
        given = [
            {**each, "prediction_text": [text] if text else []} for each, text in zip(answers, predictions, strict=True)
        ]
        with with_trapz():
            found = self._compute("cuad", predictions=given, references=right)
        return {name: float(found[name]) for name in ("f1", "exact_match")}

    def score_squad_v2(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``evaluate.load("squad_v2")``. All probabilities of no answer are 0."""
        answers, right = questions(predictions, [[] if own == [""] else own for own in references])
        given = [{**each, "no_answer_probability": 0.0} for each in answers]
        found = self._compute("squad_v2", predictions=given, references=right, **options)
        named = {name: float(found[name]) for name in found if not name.startswith("best_")}
        return {"f1": named["f1"], **named}

    def _call(self, answers: list[dict[str, Any]], right: list[dict[str, Any]]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._compute("token_f1", predictions=answers, references=right)
        return found


class TorchmetricsSquad(_Squad):
    """``torchmetrics.functional.text.squad``, in float32."""

    name = "torchmetrics-squad"
    distributions = ("torchmetrics", "torch")
    extra = "torch"
    resolution = 1e-6

    def _call(self, answers: list[dict[str, Any]], right: list[dict[str, Any]]) -> Mapping[str, Any]:
        from torchmetrics.functional.text import squad

        found: Mapping[str, Any] = squad(answers, right)
        return found
