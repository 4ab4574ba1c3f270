"""The bridge to Hugging Face `evaluate`: what all modules in ``metrics/`` have in common.

`evaluate` checks only the first example and lets Arrow turn the rest into strings. A number, a missing value or a
string among lists then gets a score without any error. ``MetricModule`` checks everything first. After that, the texts
stay in Arrow from the batch to the scorer, which is also fast.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from metrologue.bridge.inputs import named_tokenizer, opened_model, text_features
from metrologue.bridge.results import by_order, named, plain_intervals
from metrologue.bridge.strict_module import MOST_BYTES, Batch, StrictModule
from metrologue.data.columns import Items, Numbers
from metrologue.errors import InputError, respelled
from metrologue.reading.text import Groups
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.citing import bibtex
from metrologue.scorers.core.groups import holds_groups
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.models import is_trained, model_field, model_of
from metrologue.scorers.core.registry import scorer_of
from metrologue.segments import Segments

__all__ = ["MetricModule"]


@dataclass
class _Call:
    """What a call of ``compute`` is asked beside the module's own arguments, and what it finds."""

    confidence: float | None = None
    intervals: dict[str, Any] = field(default_factory=dict)


# That of this thread. It is not the module's, because several threads can use one module at once.
_current: ContextVar[_Call | None] = ContextVar("call of compute", default=None)


class EitherType:
    """The type of a module that the Hub has under several types: equal to each of their names.

    ``evaluate.load(path, module_type=...)`` compares the type of the module with the type that it is asked for.

    Examples
    --------
    >>> both = EitherType(("metric", "measurement"))
    >>> both == "metric", both == "measurement", both == "comparison"
    (True, True, False)
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __eq__(self, other: object) -> bool:
        return other in self._names if isinstance(other, str) else str(other) == str(self)

    def __hash__(self) -> int:
        return hash(self._names[0])

    def __str__(self) -> str:
        return self._names[0]


class MetricModule(StrictModule):
    """Mix-in that comes before ``evaluate.Metric``: strict input, no leaks, variants by ``config_name``.

    It is not an ``EvaluationModule`` itself, because `evaluate` takes the first such class in a file as the module.

    Attributes
    ----------
    metric : str
        Name of the scorer, one of ``metrologue.scorers.list_scorers()``.
    default_variant : str
        The variant of the module if no ``config_name`` is given.
    reported : tuple of str or None
        The numbers of a result; by default the primary one only. None: all of them.
    grouping : tuple of (str, str) or None
        An option, and the value that it has for predictions that are lists of texts if it is left out.
    renamed : tuple of (str, str)
        Options, each with the module's argument that sets it, if this has another name.
    module_types : tuple of str
        The types under which the Hub has the module, "metric" first.

    Parameters
    ----------
    config_name : str, optional
        A variant of the scorer.
    seed : int, optional
        The seed of resampling, from 0 to 2**32 - 1; the variant's own seed by default. `evaluate` alone would draw a
        random seed in each process.
    model : path or model, optional
        The language model, encoder or trained model of a metric that takes one, if ``compute`` gets none.
    encoder : encoder or path, or a list of them, optional
        The encoder that the trained model of a folder needs.
    **options
        The options that ``evaluate.load`` passes on: ``keep_in_memory``, ``experiment_id``, ``num_process``, …

    Raises
    ------
    InputError
        If there is no such variant, or the seed is out of range.
    TypeError
        For any other option. `evaluate` alone would ignore it.

    Examples
    --------
    >>> import metrologue
    >>> bleu = metrologue.load("bleu", "nltk")
    >>> bleu.config_name
    'nltk'
    >>> bleu.add_batch(predictions=["a cat", 3], references=["a cat", "a dog"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: `predictions[1]` is int 3; a str is expected.
    """

    metric: ClassVar[str]
    default_variant: ClassVar[str]
    reported: ClassVar[tuple[str, ...] | None] = ()
    grouping: ClassVar[tuple[str, str] | None] = None
    module_types: ClassVar[tuple[str, ...]] = ("metric",)
    renamed: ClassVar[tuple[tuple[str, str], ...]] = ()

    def __init__(
        self,
        config_name: str | None = None,
        seed: int | None = None,
        model: Any = None,
        encoder: Any = None,
        **options: Any,
    ) -> None:
        if model is not None and model_field(self._scorer) is None:
            raise TypeError(f"{type(self).__name__}: it takes no model; leave out 'model'.")
        if encoder is not None and (model is None or not is_trained(self._scorer)):
            raise TypeError(
                f"{type(self).__name__}: 'encoder' is that of a trained model; leave it out, or give 'model'."
            )
        self._model = model if encoder is None else model_of(self._scorer, model, encoder=encoder)
        super().__init__(config_name or self.default_variant, seed, **options)

    def _check_config(self, config_name: str) -> None:
        get_scorer(self.metric).variant(config_name)

    @property
    def _forms(self) -> dict[int, str]:
        """What the rows of each form of features are, by the index of the form."""
        return {0: "texts", 1: "lists of texts" if self._scorer.takes("groups") else "numbers", -1: "labels"}

    @property
    def _scorer(self) -> type[Scorer]:
        return get_scorer(self.metric)

    @property
    def module_type(self) -> Any:
        """The type that `evaluate` asks for, equal to each of ``module_types``."""
        return self.module_types[0] if len(self.module_types) == 1 else EitherType(self.module_types)

    def _features(self) -> list[Any]:
        """The forms of predictions and references that the scorer takes, for `evaluate`."""
        scorer = self._scorer
        references = scorer.input("references") is not None
        return text_features(references, scorer.takes("sets"), scorer.takes("numbers"), scorer.takes("groups"))

    def _papers(self) -> list[str]:
        """The BibTeX entries of the scorer's papers."""
        scorer = self._scorer()
        return bibtex([scorer])[: len(scorer._papers)]

    def _paper_urls(self) -> list[str]:
        """Where the papers are."""
        found = [re.search(r'(doi|url)\s*=\s*["{]+([^"}]+)', paper) for paper in self._papers()]
        return [f"https://doi.org/{each[2]}" if each[1] == "doi" else each[2] for each in found if each]

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        name = type(self).__name__
        needed = self._scorer.input("references")
        if references is None and needed and predictions is not None:
            raise InputError(f"{name}: {needed.missing}")
        return self._scorer._to_segments(predictions, references, owner=name, **inputs)

    def add(self, *, prediction: Any = None, reference: Any = None, **columns: Any) -> None:
        """Add one segment.

        Parameters
        ----------
        prediction : str
        reference : str or list of str
        **columns
            The same values under the names ``predictions`` and ``references``; ``evaluate.combine`` uses these names.

        Raises
        ------
        InputError
            As for ``add_batch``.
        """
        segment = {"predictions": prediction, "references": reference, **columns}
        if not self._scorer.input("references") and segment["references"] is None:
            del segment["references"]
        self.add_batch(**{name: [value] for name, value in segment.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add segments to those that ``compute`` will score. An empty batch changes nothing.

        Parameters
        ----------
        predictions : sequence of n str
            A list, tuple, NumPy array, pandas Series, `datasets` column or Arrow array. A metric of sets also takes n
            sets or lists of labels. A label is a str, a number or a tuple of these. A metric of probabilities also
            takes lists of numbers, and one of diversity lists of texts.
        references : sequence of n str, or of n lists of str
            One reference for each prediction, or a list of one or more (the numbers may differ). A later batch may have
            the other form. A metric that needs no references checks them and then ignores them.

        Raises
        ------
        InputError
            If the counts differ, an item is not a text, a segment has no reference, or strings and lists are mixed; if
            one batch has labels or numbers and another has texts. In this case nothing from the batch is kept.
        """
        self._add(self._batch(predictions=predictions, references=references))

    def _batch(self, *, predictions: Any = None, references: Any = None) -> Batch:
        segments = self._segments(predictions, references)
        if not len(segments):
            return Batch([])
        parts = [segments] if segments.nbytes <= MOST_BYTES else segments.parts(MOST_BYTES)
        return Batch([self._columns(part) for part in parts], self._form(segments))

    def _check_form(self, form: int, before: int) -> None:
        if form != before:
            now, then = self._forms[form], self._forms[before]
            raise InputError(f"{type(self).__name__}: `predictions` are {now}, but earlier batches had {then}.")

    def _form(self, segments: Segments) -> int:
        """The index of the form of features that these segments have."""
        return {Items: -1, Numbers: 1, Groups: 1}.get(type(segments.predictions), 0)

    def _columns(self, part: Segments) -> dict[str, pa.Array]:
        """The columns of a batch as Arrow text, or as lists of numbers."""

        def flat(name: str) -> pa.Array:
            column = part.columns[name]
            if isinstance(column, Numbers):
                return pa.LargeListArray.from_arrays(column.offsets, column.values)
            if isinstance(column, Groups):
                return pa.LargeListArray.from_arrays(column.offsets, column.texts)
            return column.spelled(name, type(self).__name__) if isinstance(column, Items) else part.texts(name)

        columns = {"predictions": flat("predictions")}
        if self._scorer.input("references") and part.references:
            columns["references"] = pa.LargeListArray.from_arrays(part.reference_offsets, flat("references"))
        return columns

    def compute(
        self, *, predictions: Any = None, references: Any = None, confidence: float | None = None, **options: Any
    ) -> Any:
        """Score all segments added so far, together with those given here.

        Several threads can use one module. If some of them add segments while others compute, each segment belongs to
        the first ``compute`` that begins after it was added.

        Parameters
        ----------
        predictions, references
            A last batch, as for ``add_batch``.
        confidence : float, optional
            A level such as 0.95: also give "confidence", a dict with the intervals by the names of the scorer's
            numbers, each with "low", "high" and "mean", and with what they were computed with. Their seed is that of
            the module, 12345 by default.
        **options
            The metric's own arguments, listed below.

        Returns
        -------
        dict, float or None
            Plain Python numbers in a dict, or a single number where the Hub's module gives one (``wer``, ``cer``). With
            several ranks (``num_process``), every rank except the first gets None.

        Raises
        ------
        InputError
            As for ``add_batch``, or if there is nothing to score. Segments that were added before are then kept. After
            scoring has begun, any exception drops them.
        TypeError
            If an option is unknown.
        """
        module: Any = self
        self._refuse_unknown(options, module._compute)
        needed = "`predictions` and `references`" if self._scorer.input("references") else "`predictions`"
        call = _Call(confidence)
        outer = _current.set(call)
        try:
            result = self._computed({"predictions": predictions, "references": references}, needed, options)
        except InputError as error:
            error.args = (respelled(str(error), self._spelled),)
            raise
        finally:
            _current.reset(outer)
        if confidence is None or result is None:
            return result
        numbers = result if isinstance(result, dict) else {self.metric: float(result)}
        return {**numbers, "confidence": call.intervals}

    def _spelled(self, name: str, value: str | None) -> str | None:
        """How a message names an option: by the module's argument for it."""
        argument = dict(self.renamed).get(name)
        return None if argument is None else f"`{argument}`" if value is None else f"{argument}={value}"

    @property
    def _call(self) -> _Call:
        """The call of ``compute`` that is running in this thread."""
        return _current.get() or _Call()

    def _variant(self, **arguments: Any) -> Scorer:
        """The chosen variant with these field values. For an argument that is None, the variant's own value stays."""
        given = {name: value for name, value in arguments.items() if value is not None}
        field = model_field(self._scorer)
        if self._model is not None and field and field not in given:
            given[field] = opened_model(self._model) if self._scorer._options()[field].kind == "model" else self._model
        return scorer_of(self._scorer, self.config_name, given)

    def _score(
        self, scorer: Scorer, predictions: Any, references: Any, signature: bool, per_segment: bool, **inputs: Any
    ) -> tuple[dict[str, float | int], dict[str, Any]]:
        """All numbers of the corpus, and the extras that were asked for. `inputs` are the metric's other inputs."""
        segments = self._segments(predictions, references, **inputs)
        return self._score_segments(scorer, segments, signature, per_segment)

    def _score_segments(
        self, scorer: Scorer, segments: Segments, signature: bool, per_segment: bool
    ) -> tuple[dict[str, float | int], dict[str, Any]]:
        seed = 12345 if self.given_seed is None else self.given_seed
        call = self._call
        result = scorer.corpus(segments, confidence=call.confidence, seed=seed)
        warn(scorer._hints(segments))
        call.intervals = plain_intervals(result.intervals, scorer)
        return result.scores, self._extras(scorer, segments, signature, per_segment)

    def _extras(self, scorer: Scorer, segments: Segments, signature: bool, per_segment: bool) -> dict[str, Any]:
        """The signature and the numbers of each segment, if they were asked for."""
        extras: dict[str, Any] = {"signature": scorer.signature} if signature else {}
        if per_segment:
            columns = scorer.segment_scores(segments)  # the counts of the corpus are used again
            extras["segments"] = {name: column.tolist() for name, column in columns.items()}
        return extras

    @contextmanager
    def _chosen(self, table: Mapping[str, Any] | None = None, **arguments: Any) -> Iterator[Scorer]:
        """A context manager that gives ``_variant(**arguments)``.

        A function may stand for a tokenizer and a path for a language model. If `table` is given, a path may also stand
        for the scorer's table. `table` has the other arguments of the scorer's ``with_table``.
        """
        kinds = {name: declared.kind for name, declared in self._scorer._options().items()}
        path = None
        for name, value in arguments.items():
            if kinds[name] == "model":
                arguments[name] = opened_model(value)
            elif kinds[name] == "fitted" and table is not None and isinstance(value, (str, os.PathLike)):
                path, arguments[name] = value, None
        with named_tokenizer(arguments.get("tokenizer")) as tokenizer:
            scorer: Any = self._variant(**{**arguments, "tokenizer": tokenizer} if tokenizer else arguments)
            yield scorer if path is None else scorer.with_table(path, **table or {})

    def _result(
        self, predictions: Any, references: Any, signature: bool, per_segment: bool,
        inputs: Mapping[str, Any] | None = None, **arguments: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """The ``reported`` numbers, and the extras that were asked for.

        `inputs` are the metric's other inputs, `arguments` those of ``_chosen``.
        """
        segments = self._segments(predictions, references, **(inputs or {}))
        if self.grouping and holds_groups(segments) and arguments.get(self.grouping[0]) is None:
            arguments |= dict([self.grouping])
        with self._chosen(**arguments) as scorer:
            scores, extras = self._score_segments(scorer, segments, signature, per_segment)
        reported = scores if self.reported is None else self.reported or (scorer.primary,)
        return {**{name: scores[name] for name in reported}, **extras}

    # What a result is made of, for modules whose `_compute` makes its own.
    _named = staticmethod(named)
    _by_order = staticmethod(by_order)
