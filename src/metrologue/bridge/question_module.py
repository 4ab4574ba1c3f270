"""Answers to questions: the input of the Hub's `squad`, which matches predictions and references by an id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrologue.bridge.metric_module import MetricModule
from metrologue.bridge.strict_module import Batch
from metrologue.data.intake import as_text, is_list, listed, with_type
from metrologue.errors import InputError

__all__ = ["QuestionModule"]


class QuestionModule(MetricModule):
    """Mix-in in place of ``MetricModule`` for a module that also takes dicts with ids."""

    def _batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> Batch:
        name = type(self).__name__
        if predictions is not None and references is not None:
            given, right = listed(predictions, "predictions", name), listed(references, "references", name)
            is_dict = any(isinstance(item, Mapping) for item in (*given[:1], *right[:1]))
            predictions, references = _texts(given, right, name) if is_dict else (given, right)
        return super()._batch(predictions=predictions, references=references, **columns)


def _texts(predictions: list[Any], references: list[Any], owner: str) -> tuple[list[Any], list[Any]]:
    """The answers and the lists of right answers, in the order of the references."""
    if len(predictions) != len(references):
        count = f"{len(predictions)} predictions but {len(references)} references"
        raise InputError(f"{owner}: {count}; each question needs both.")
    texts = [_entry(item, "prediction_text", f"predictions[{i}]", object, owner) for i, item in enumerate(predictions)]
    as_text(texts, "predictions", owner)  # a wrong one is refused under its own index
    answers = {}
    for index, (item, text) in enumerate(zip(predictions, texts, strict=True)):
        question = _entry(item, "id", f"predictions[{index}]", str, owner)
        if question in answers:
            raise InputError(f"{owner}: `predictions[{index}]` has the id {question!r} of an earlier prediction.")
        answers[question] = text
    given, right = [], []
    for index, item in enumerate(references):
        place = f"references[{index}]"
        question = _entry(item, "id", place, str, owner)
        if question not in answers:
            raise InputError(f"{owner}: `{place}` has the id {question!r}, which no prediction has, or an earlier one.")
        given.append(answers.pop(question))
        own = _entry(_entry(item, "answers", place, dict, owner), "text", place, object, owner)
        if not is_list(own):
            raise InputError(f"{owner}: 'text' of `{place}` is {with_type(own)}; a list of texts is expected.")
        right.append(own)
    return given, right


def _entry(item: Any, key: str, place: str, kind: type, owner: str) -> Any:
    """An entry of a dict. Raises an InputError if it is missing, or not of this type."""
    if not isinstance(item, Mapping):
        raise InputError(f"{owner}: `{place}` is {with_type(item)}; a dict is expected.")
    if key not in item:
        keys = f"its keys are {', '.join(map(repr, item))}" if item else "it is empty"
        raise InputError(f"{owner}: `{place}` has no {key!r}; {keys}.")
    if not isinstance(item[key], kind):
        raise InputError(f"{owner}: {key!r} of `{place}` is {with_type(item[key])}; a {kind.__name__} is expected.")
    return item[key]
