"""Modules of benchmarks: a table of tasks, each with the numbers that its benchmark reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from metrologue.bridge.hub_modules import entry
from metrologue.bridge.number_module import NumberModule
from metrologue.bridge.strict_module import Batch, StrictModule
from metrologue.data.intake import listed
from metrologue.data.labels import Labels
from metrologue.errors import InputError, instead_of, shown
from metrologue.inference.correlation import correlation
from metrologue.scorers import (
    F1,
    Accuracy,
    Bleu,
    CharacterErrorRate,
    MatthewsCorrelation,
    Scorer,
    TokenF1,
    WordErrorRate,
)
from metrologue.scorers.core.engine import hints_of
from metrologue.scorers.core.hints import warn
from metrologue.segments import Segments

Number = Callable[[Any, Any], float]
_BLOCK = 1024  # rows whose distances are in memory at once


def accuracy(predictions: Any, references: Any) -> float:
    """The share of labels that are right."""
    return _of_labels(Accuracy.variant("evaluate"), predictions, references)


def f1(predictions: Any, references: Any) -> float:
    """F1 of the label 1."""
    return _of_labels(F1.variant("evaluate"), predictions, references)


def macro_f1(predictions: Any, references: Any) -> float:
    """The mean of the labels' F1."""
    return _of_labels(F1.variant("evaluate", average="macro"), predictions, references)


def matthews(predictions: Any, references: Any) -> float:
    """Matthews' correlation of labels."""
    return _of_labels(MatthewsCorrelation.variant("evaluate"), predictions, references)


def pearson(predictions: Any, references: Any) -> float:
    """Pearson's correlation of numbers of 32 bits."""
    return _of_numbers("pearson", predictions, references)


def spearman(predictions: Any, references: Any) -> float:
    """Spearman's correlation of numbers of 32 bits."""
    return _of_numbers("spearman", predictions, references)


def precision_at_10(predictions: Any, references: Any) -> float:
    """How often the vector of a row is among the ten references that are nearest, by the cosine of centred vectors."""
    sides = [
        _centred(NumberModule._matrix(column), name)
        for name, column in (("predictions", predictions), ("references", references))
    ]
    if sides[0].shape != sides[1].shape:
        raise InputError(f"vectors have {sides[0].shape[1]} and {sides[1].shape[1]} numbers; as many are expected.")
    right = 0
    for first in range(0, len(sides[0]), _BLOCK):
        near = sides[0][first : first + _BLOCK] @ sides[1].T
        own = near[np.arange(len(near)), np.arange(first, first + len(near))][:, None]
        earlier = np.arange(near.shape[1]) < np.arange(first, first + len(near))[:, None]
        right += int(((((near > own) | ((near == own) & earlier)).sum(axis=1) < 10) & ~np.isnan(own[:, 0])).sum())
    return right / len(sides[0])


def _centred(rows: Any, name: str) -> Any:
    if np.isnan(rows).any():
        raise InputError(
            f"`{name}[{int(np.isnan(rows).any(axis=1).argmax())}]` has not as many numbers as the longest row."
        )
    rows = rows.astype(np.float32).astype(float)
    rows = rows - rows.mean(axis=0)
    with np.errstate(invalid="ignore"):
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _of_labels(scorer: Any, predictions: Any, references: Any) -> float:
    columns = {"predictions": predictions, "references": references}
    segments = Segments.of_columns({name: Labels.of(np.asarray(each, np.int64)) for name, each in columns.items()})
    warn(hints_of(scorer, segments))
    return float(scorer.corpus(segments).value)


def _of_numbers(method: str, predictions: Any, references: Any) -> float:
    x, y = (np.asarray(column, np.float32).astype(float) for column in (predictions, references))
    return correlation(x, y, method=method).value


class BenchmarkModule(NumberModule):
    """Mix-in that comes before ``evaluate.Metric``: `config_name` is a task, which says what goes in and comes out.

    Attributes
    ----------
    tasks : mapping
        The numbers of each task, by their names in the result: functions of two columns.
    holds : mapping of str to str
        What the columns of a task hold if it is not labels: "number", "row" or "text".

    Parameters
    ----------
    config_name : str
        One of `tasks`. If there are several, none is the default, as on the Hub.
    **options
        As for ``NumberModule``, with its errors.

    Examples
    --------
    >>> import metrologue
    >>> metrologue.load("glue", "mrpc").compute(predictions=[0, 1, 1], references=[0, 1, 0])["f1"]
    0.6666666666666666
    """

    tasks: ClassVar[Mapping[str, Mapping[str, Number]]]
    holds: ClassVar[Mapping[str, str]] = {}

    @property
    def columns(self) -> dict[str, str]:
        return dict.fromkeys(("predictions", "references"), self.holds.get(self.config_name, "label"))

    def __init__(self, config_name: str | None = None, seed: int | None = None, **options: Any) -> None:
        if config_name is None and len(self.tasks) == 1:
            [config_name] = self.tasks
        self.config_name = config_name or ""  # which the features depend on
        StrictModule.__init__(self, config_name or "", seed, **options)

    def _check_config(self, config_name: str) -> None:
        if config_name not in self.tasks and len(self.tasks) > 1:  # the Hub's module of one task takes any name
            told = instead_of(config_name, self.tasks) if config_name else f"there are {', '.join(self.tasks)}."
            given = f"there is no task {config_name!r}" if config_name else "a task is missing"
            raise InputError(f"{self._owner}: {given}; {told}")

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        numbers = self.tasks.get(self.config_name) or next(iter(self.tasks.values()))
        return {name: number(predictions, references) for name, number in numbers.items()}


class PassageModule(BenchmarkModule):
    """A ``BenchmarkModule`` with the two tasks of SuperGLUE that ask several questions about a passage."""

    _KEYS: ClassVar = {"record": ("passage", "query"), "multirc": ("answer", "paragraph", "question")}

    def _features(self) -> list[Any]:
        if self.config_name not in self._KEYS:
            return super()._features()
        from datasets import Features, Sequence, Value

        text, label = Value("string"), Value("int64")
        place = dict.fromkeys(self._KEYS[self.config_name], label)
        if self.config_name == "multirc":
            return [Features({"predictions": {"idx": place, "prediction": label}, "references": label})]
        answers = {"idx": place, "answers": Sequence(text)}
        return [Features({"predictions": {"idx": place, "prediction_text": text}, "references": answers})]

    def _batch(self, **batch: Any) -> Batch:
        if self.config_name not in self._KEYS:
            return super()._batch(**batch)
        owner, record = self._owner, self.config_name == "record"
        for name in batch:
            if name not in self.columns:
                raise TypeError(f"{owner}: unknown column {name!r}; there are {', '.join(self.columns)}.")
        for name in self.columns:
            if batch.get(name) is None:
                raise InputError(f"{owner}: `{name}` is a NoneType; a list is expected.")
        predictions, references = (listed(batch[name], name, owner) for name in self.columns)
        if len(predictions) != len(references):
            raise InputError(
                f"{owner}: {len(predictions)} predictions but {len(references)} references; each unit needs both."
            )
        answer, kind = ("prediction_text", str) if record else ("prediction", Integral)
        columns: dict[str, list[Any]] = {
            "predictions": [self._row(each, answer, kind, f"predictions[{i}]") for i, each in enumerate(predictions)]
        }
        if record:
            columns["references"] = [
                self._row(each, "answers", list, f"references[{i}]") for i, each in enumerate(references)
            ]
            for i, each in enumerate(columns["references"]):
                if not each["answers"] or not all(isinstance(one, str) for one in each["answers"]):
                    raise self._error(
                        f"'answers' of `references[{i}]` is {shown(each['answers'])}; one text or more is expected."
                    )
        schema = self._features()[0].arrow_schema
        arrays = {name: pa.array(rows, schema.field(name).type) for name, rows in columns.items()}
        if not record:
            arrays["references"] = super()._batch(predictions=[0] * len(references), references=references).parts
            arrays["references"] = arrays["references"][0]["references"] if references else pa.array([], pa.int64())
        return Batch([arrays] if predictions else [])

    def _row(self, given: Any, key: str, kind: type, where: str) -> dict[str, Any]:
        place = entry(given, "idx", where, Mapping, self._owner)
        index = {
            each: int(entry(place, each, f"{where}['idx']", Integral, self._owner))
            for each in self._KEYS[self.config_name]
        }
        return {"idx": index, key: entry(given, key, where, kind, self._owner)}

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        if self.config_name == "record":
            return self._answers(predictions.to_pylist(), references.to_pylist())
        if self.config_name == "multirc":
            return self._paragraphs(predictions.to_pylist(), np.asarray(references, np.int64))
        return super()._compute(predictions, references)

    def _answers(self, predictions: list[Any], references: list[Any]) -> dict[str, Any]:
        """ReCoRD's numbers: a question without an answer counts as wrong."""
        given = {each["idx"]["query"]: each["prediction_text"] for each in predictions}
        asked = [each for each in references if each["idx"]["query"] in given]
        if lost := len(references) - len(asked):
            warn([f"{self._owner}: {lost} of {len(references)} questions have no prediction, and count as wrong."])
        if not asked:
            return {"exact_match": 0.0, "f1": 0.0}
        texts = [given[each["idx"]["query"]] for each in asked]
        scores = TokenF1.variant("squad", scale=1.0).corpus(texts, [each["answers"] for each in asked]).scores
        share = len(asked) / len(references)
        return {"exact_match": scores["exact_match"] * share, "f1": scores["token_f1"] * share}

    def _paragraphs(self, predictions: list[Any], right: Any) -> dict[str, Any]:
        """MultiRC's numbers: of questions, whose answers are right or wrong together, and of all answers."""
        places = [f"{each['idx']['paragraph']}-{each['idx']['question']}" for each in predictions]
        said = np.array([each["prediction"] for each in predictions], np.int64)
        questions = np.unique(places, return_inverse=True)[1]
        labels = np.unique(np.concatenate([said, right]), return_inverse=True)[1].reshape(2, -1)
        count, kinds = questions.max() + 1, labels.max() + 1
        both, ours, theirs = (
            np.bincount(questions[chosen] * kinds + side[chosen], minlength=count * kinds).reshape(count, kinds)
            for side, chosen in ((labels[0], said == right), (labels[0], slice(None)), (labels[1], slice(None)))
        )
        occurs = ours + theirs > 0
        shares = np.divide(2.0 * both, ours + theirs, out=np.zeros(both.shape), where=occurs)
        wrong = np.bincount(questions, said != right, minlength=count)
        return {
            "exact_match": float((wrong == 0).mean()),
            "f1_m": float((shares.sum(axis=1) / occurs.sum(axis=1)).mean()),
            "f1_a": f1(said, right),
        }


class SpeechModule(BenchmarkModule):
    """A ``BenchmarkModule`` with the tasks of XTREME-S whose columns are texts.

    Args:
        bleu_kwargs: dict of arguments of the Hub's `sacrebleu`, for "covost2".
        wer_kwargs: dict of arguments of the Hub's `wer`, for the error rates.
    """

    _BLEU: ClassVar = {
        "smooth_method": "smoothing", "smooth_value": "smooth_value", "lowercase": "lowercase", "tokenize": "tokenizer",
        "use_effective_order": "effective_order", "force": None,
    }  # fmt: skip

    def _compute(
        self, predictions: Any, references: Any, bleu_kwargs: Any = None, wer_kwargs: Any = None
    ) -> dict[str, Any]:
        if self.holds.get(self.config_name) != "text":
            return super()._compute(predictions, references)
        bleu, rates = (
            self._options("bleu_kwargs", bleu_kwargs, self._BLEU),
            self._options("wer_kwargs", wer_kwargs, {"concatenate_texts": None}),
        )
        segments = Segments(predictions, references, owner=self._owner)
        if self.config_name == "covost2":
            named = {self._BLEU[name]: value for name, value in bleu.items() if value is not None}
            fields: dict[str, Any] = {str(name): value for name, value in named.items() if name}
            return {"bleu": self._scored(Bleu.variant("sacrebleu", **fields), segments)["bleu"]}
        fields = {"empty": "insertions"} if rates.get("concatenate_texts") else {}
        kinds: dict[str, type[Scorer]] = {"wer": WordErrorRate, "cer": CharacterErrorRate}
        scores = {name: self._scored(kind.variant("evaluate", **fields), segments) for name, kind in kinds.items()}
        return {name: each[name] if each["reference_length"] else each["insertions"] for name, each in scores.items()}

    def _options(self, argument: str, given: Any, known: Mapping[str, Any]) -> Mapping[str, Any]:
        if not isinstance(given or {}, Mapping):
            raise self._error(f"`{argument}` is {shown(given)}; a dict is expected.")
        for name in given or {}:
            if name not in known:
                raise self._error(f"`{argument}` has {shown(name)}; {instead_of(name, known)}")
        return given or {}

    @staticmethod
    def _scored(scorer: Any, segments: Segments) -> Mapping[str, Any]:
        scores: Mapping[str, Any] = scorer.corpus(segments).scores
        warn(hints_of(scorer, segments))
        return scores
