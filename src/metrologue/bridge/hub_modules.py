"""Modules with what a metric of the Hub does for its callers: models and checkpoints by name, answers by their ids."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import islice
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from metrologue.bridge.metric_module import MetricModule
from metrologue.bridge.strict_module import Batch
from metrologue.data.intake import as_text, is_list, listed, with_type
from metrologue.errors import InputError, shown
from metrologue.scorers.core.registry import run_fields, scorer_of


class LanguageModule(MetricModule):
    """A ``MetricModule`` with the Hub's arguments for a causal model of transformers."""

    def _causal_model(self, model: Any, *options: Any) -> Any:
        """The model of a folder or a name, opened once for this module; or the one of (model, tokenizer)."""
        from metrologue.language_models.causal import CausalModel

        if not isinstance(model, str | os.PathLike):  # it is open, and may have been trained since the last call
            return CausalModel(model, *options)
        key = ("causal", os.fspath(model), *options)
        return self._models.get(key, lambda: CausalModel(model, *options))


class CheckpointModule(MetricModule):
    """A ``MetricModule`` whose `config_name` may also be that of a checkpoint. Its folder is given; none is downloaded.

    Attributes
    ----------
    checkpoints : tuple of str
        Their names; capitals do not count, as on the Hub.
    form : str
        What the Hub's checkpoints are for, after a comma.
    asked : str
        What is to be given in place of one, with {} for its name.
    """

    checkpoints: ClassVar[tuple[str, ...]] = ()
    form: ClassVar[str] = ""
    asked: ClassVar[str] = ""

    def _check_config(self, config_name: str) -> None:
        if self._checkpoint(config_name) is None:
            super()._check_config(config_name)

    def _checkpoint(self, name: str) -> str | None:
        bare = name.rpartition("/")[2].lower()
        return next((each for each in self.checkpoints if each.lower() == bare), None)

    def _variant(self, fields: Mapping[str, Any]) -> Any:
        named = self._checkpoint(self.config_name)
        if named is None:
            return super()._variant(fields)
        if "model" not in fields:
            raise self._error(
                f"the Hub's module downloads the checkpoint {named}{self.form}. This one downloads none: give "
                f"{self.asked.format(named)}."
            )
        return scorer_of(self._scorer, self.default_variant, fields)

    def _with_its_encoder(self, model: Any, encoder: Any, device: str | None) -> Any:
        """The model of a folder with an encoder, opened once for this module; anything else as it is."""
        is_path = isinstance(model, str | os.PathLike)
        if encoder is not None and not is_path:
            raise self._error("`encoder` belongs to `model`, the folder of a checkpoint; give both.")
        if not is_path or (encoder is None and not os.path.isdir(model)):
            return model
        from metrologue.learned import open_model

        key = ("checkpoint", os.fspath(model), str(encoder), device)
        return self._models.get(key, lambda: open_model(model, encoder, device=device))

    def _run_fields(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that the metric has in place of `batch_size` and `dtype`."""
        return run_fields(self._scorer, asked, {})


class QuestionModule(MetricModule):
    """Mix-in in place of ``MetricModule`` for a module that also takes dicts with ids."""

    def _batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> Batch:
        name = self._owner
        if predictions is not None and references is not None:
            given, right = listed(predictions, "predictions", name), listed(references, "references", name)
            is_dict = any(isinstance(item, Mapping) for item in (*given[:1], *right[:1]))
            if is_dict:
                texts, answers, places = _matched(given, right, name)
                predictions, references = [texts[place] for place in places], answers
            else:
                predictions, references = given, right
        return super()._batch(predictions=predictions, references=references, **columns)


class UnansweredModule(MetricModule):
    """A ``MetricModule`` of questions of which some have no answer, as dicts with ids or as texts.

    A list of right answers may be empty. Each prediction has a probability that there is no answer, in 32 bits, as in
    the Hub's module; with texts, it may be left out.
    """

    @property
    def _columns_needed(self) -> list[str]:
        return [*super()._columns_needed, _PROBABILITY]

    def _features(self) -> list[Any]:
        from datasets import Features, Sequence, Value

        return [Features({**form, _PROBABILITY: Sequence(Value("float64"))}) for form in super()._features()]

    def _batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> Batch:
        name = self._owner
        probabilities = columns.pop(_PROBABILITY, None)
        if predictions is not None and references is not None:
            given, right = listed(predictions, "predictions", name), listed(references, "references", name)
            if any(isinstance(item, Mapping) for item in (*given[:1], *right[:1])):
                predictions, answers, places = _matched(given, right, name)
                probabilities = [
                    entry(item, _PROBABILITY, f"predictions[{i}]", Real, name) for i, item in enumerate(given)
                ]
                right = [[]] * len(given)
                for place, own in zip(places, answers, strict=True):
                    right[place] = own
            references = [_or_none(own) for own in right]
            probabilities = [0.0] * len(given) if probabilities is None else probabilities
        if probabilities is not None:
            columns[_PROBABILITY] = np.asarray(probabilities, np.float32)
        return super()._batch(predictions=predictions, references=references, **columns)


class SpanModule(MetricModule):
    """A ``MetricModule`` of questions with several spans as answers, or none: dicts with ids, or lists of texts."""

    @property
    def _columns_needed(self) -> list[str]:
        return [*super()._columns_needed, "questions"]

    def _features(self) -> list[Any]:
        from datasets import Features, Value

        return [Features({**form, "questions": Value("string")}) for form in super()._features()]

    def _batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> Batch:
        name = self._owner
        if predictions is not None and references is not None:
            given, right = listed(predictions, "predictions", name), listed(references, "references", name)
            if any(isinstance(item, Mapping) for item in (*given[:1], *right[:1])):
                texts = [
                    {**item, "prediction_text": self._lines(item["prediction_text"], f"predictions[{i}]")}
                    if isinstance(item, Mapping) and "prediction_text" in item
                    else item
                    for i, item in enumerate(given)
                ]
                lines, answers, places = _matched(texts, right, name)
                columns["questions"] = [item["id"] for item in right]
                predictions, right = [lines[place] for place in places], answers
            else:
                predictions = [self._lines(item, f"predictions[{i}]") for i, item in enumerate(given)]
                columns.setdefault("questions", [""] * len(given))
            references = [self._right(own, i) for i, own in enumerate(right)]
        return super()._batch(predictions=predictions, references=references, **columns)

    def _variant(self, fields: Mapping[str, Any]) -> Any:
        return super()._variant({**fields, "spans": "lines"})

    def _lines(self, spans: Any, place: str) -> Any:
        """Spans as the lines of a text, as the scorer of this module reads them; a text is one span, or none."""
        if isinstance(spans, str):
            return _line(spans) if spans else ""
        if not is_list(spans):
            raise self._error(f"`{place}` is {with_type(spans)}; a list of texts is expected.")
        return "\n".join(_line(text) for text in as_text([*spans], place, self._owner).to_pylist())

    def _right(self, spans: Any, index: int) -> Any:
        if not is_list(spans):
            return spans
        if any(text == "" for text in spans):
            raise self._error(f"`references[{index}]` has an empty text; leave it out.")
        return [_line(text) for text in spans] or [""]


def _line(text: Any) -> Any:
    """A span on one line: no rule tells U+000B from a line end. An empty span is one of U+0020."""
    return (text.replace("\n", "\v") or " ") if isinstance(text, str) else text


_PROBABILITY = "no_answer_probability"


def _or_none(right: Any) -> Any:
    """The right answers as ``SquadV2`` takes them: [""] if there is none. An empty text is one, as on the Hub."""
    if not is_list(right):
        return right
    return [" " if text == "" else text for text in right] or [""]


def _matched(predictions: list[Any], references: list[Any], owner: str) -> tuple[list[Any], list[Any], list[int]]:
    """The answers; the lists of right answers; and for each of these, the index of its answer."""
    if len(predictions) != len(references):
        count = f"{len(predictions)} predictions but {len(references)} references"
        raise InputError(f"{owner}: {count}; each question needs both.")
    texts = [entry(item, "prediction_text", f"predictions[{i}]", object, owner) for i, item in enumerate(predictions)]
    as_text(texts, "predictions", owner)  # a wrong one is refused under its own index
    answers = {}
    for index, item in enumerate(predictions):
        question = entry(item, "id", f"predictions[{index}]", str, owner)
        if question in answers:
            raise InputError(f"{owner}: `predictions[{index}]` has the id {shown(question)} of an earlier prediction.")
        answers[question] = index
    places, right = [], []
    for index, item in enumerate(references):
        place = f"references[{index}]"
        question = entry(item, "id", place, str, owner)
        if question not in answers:
            raise InputError(
                f"{owner}: `{place}` has the id {shown(question)}, which no prediction has, or an earlier one."
            )
        places.append(answers.pop(question))
        answered = entry(entry(item, "answers", place, dict, owner), "text", place, object, owner)
        if not is_list(answered):
            raise InputError(f"{owner}: 'text' of `{place}` is {with_type(answered)}; a list of texts is expected.")
        right.append(answered)
    return texts, right, places


def entry(item: Any, key: str, place: str, kind: type, owner: str) -> Any:
    """An entry of a dict. Raises an InputError if it is missing, or not of this type."""
    if not isinstance(item, Mapping):
        raise InputError(f"{owner}: `{place}` is {with_type(item)}; a dict is expected.")
    if key not in item:
        keys = f"its keys are {', '.join(map(shown, islice(item, 10)))}" if item else "it is empty"
        raise InputError(f"{owner}: `{place}` has no {key!r}; {keys}.")
    if not isinstance(item[key], kind):
        raise InputError(f"{owner}: {key!r} of `{place}` is {with_type(item[key])}; a {kind.__name__} is expected.")
    return item[key]
