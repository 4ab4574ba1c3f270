"""The bridge to Hugging Face `evaluate`: what all modules in ``metrics/`` have in common.

`evaluate` checks only the first example and lets Arrow turn the rest into strings. A number, a missing value or a
string among lists then gets a score without any error. ``MetricModule`` checks everything first. After that, the texts
stay in Arrow from the batch to the scorer, which is also fast.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from metrologue.bridge.strict_module import MOST_BYTES, StrictModule
from metrologue.data.columns import Items, Numbers
from metrologue.errors import InputError
from metrologue.reading.text import Groups
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.registry import scorer_of
from metrologue.segments import Segments
from metrologue.tokenizers import register_tokenizer

if TYPE_CHECKING:
    from metrologue.inference import Interval

__all__ = [
    "BothTypes",
    "MetricModule",
    "NamedRate",
    "by_order",
    "named",
    "named_tokenizer",
    "opened_model",
    "text_features",
]


class MetricModule(StrictModule):
    """Mix-in that comes before ``evaluate.Metric``: strict input, no leaks, variants by ``config_name``.

    It is not an ``EvaluationModule`` itself, because `evaluate` takes the first such class in a file as the module.

    Attributes
    ----------
    metric : str
        Name of the scorer, one of ``metrologue.scorers.list_scorers()``.
    default_variant : str
        The variant of the module if no ``config_name`` is given.

    Parameters
    ----------
    config_name : str, optional
        A variant of the scorer.
    seed : int, optional
        The seed of resampling, from 0 to 2**32 - 1; the variant's own seed by default. `evaluate` alone would draw a
        random seed in each process.
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

    def __init__(self, config_name: str | None = None, seed: int | None = None, **options: Any) -> None:
        self._written_form = 0  # that of the segments added so far
        self._confidence: float | None = None
        self._intervals: dict[str, Any] = {}
        super().__init__(config_name or self.default_variant, seed, **options)

    def _check_config(self, config_name: str) -> None:
        get_scorer(self.metric).variant(config_name)

    @property
    def _forms(self) -> dict[int, str]:
        """What the rows of each form of features are, by the index of the form."""
        return {0: "texts", 1: "lists of texts" if self._scorer.takes_groups else "numbers", -1: "labels"}

    @property
    def _scorer(self) -> type[Scorer]:
        return get_scorer(self.metric)

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        name = type(self).__name__
        if references is None and self._scorer.needs_references and predictions is not None:
            raise InputError(f"{name}: `references` is a NoneType; a list of strings is expected.")
        return self._scorer.to_segments(predictions, references, owner=name, **inputs)

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
        if not self._scorer.needs_references and segment["references"] is None:
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
        segments = self._segments(predictions, references)
        if not len(segments):
            return
        form = self._form(segments)
        if self.writer is not None and form != self._written_form:
            now, before = self._forms[form], self._forms[self._written_form]
            raise InputError(f"{type(self).__name__}: `predictions` are {now}, but earlier batches had {before}.")
        self._written_form = form
        parts = [segments] if segments.nbytes <= MOST_BYTES else segments.parts(MOST_BYTES)
        for columns in [self._columns(part) for part in parts]:
            self._write(columns, form=form)

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
        if self._scorer.needs_references and part.references:
            columns["references"] = pa.LargeListArray.from_arrays(part.reference_offsets, flat("references"))
        return columns

    def compute(
        self, *, predictions: Any = None, references: Any = None, confidence: float | None = None, **options: Any
    ) -> Any:
        """Score all segments added so far, together with those given here.

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
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        needed = "`predictions` and `references`" if self._scorer.needs_references else "`predictions`"
        self._confidence, self._intervals = confidence, {}
        result = self._computed(needed, options)
        if confidence is None or result is None:
            return result
        named = result if isinstance(result, dict) else {self.metric: float(result)}
        return {**named, "confidence": self._intervals}

    def _variant(self, **arguments: Any) -> Scorer:
        """The chosen variant with these field values. For an argument that is None, the variant's own value stays."""
        given = {name: value for name, value in arguments.items() if value is not None}
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
        result = scorer.score_segments(segments, confidence=self._confidence, seed=seed)
        self._intervals = _plain_intervals(result.intervals, scorer)
        return result.scores, self._extras(scorer, segments, signature, per_segment)

    def _extras(self, scorer: Scorer, segments: Segments, signature: bool, per_segment: bool) -> dict[str, Any]:
        """The signature and the numbers of each segment, if they were asked for."""
        extras: dict[str, Any] = {"signature": scorer.signature} if signature else {}
        if per_segment:
            columns = scorer.score_each(segments)  # the counts of the corpus are used again
            extras["segments"] = {name: column.tolist() for name, column in columns.items()}
        return extras

    def _value(
        self, scorer: Scorer, predictions: Any, references: Any, signature: bool, per_segment: bool, **inputs: Any
    ) -> dict[str, Any]:
        """The scorer's primary number under its name, and the extras that were asked for."""
        scores, extras = self._score(scorer, predictions, references, signature, per_segment, **inputs)
        return {scorer.primary: scores[scorer.primary], **extras}


def _plain_intervals(intervals: Mapping[str, Interval], scorer: Scorer) -> dict[str, Any]:
    """The intervals of the numbers that are better or worse, and what all of them were computed with."""
    shown = [key for key in intervals if key in scorer.higher_is_better]
    limits = {key: {name: getattr(intervals[key], name) for name in ("low", "high", "mean")} for key in shown}
    about = intervals[shown[0]] if shown else None
    return {**limits, "signature": about.signature} if about else {}


class NamedRate(float):
    """A float that a module returns. `evaluate.combine` can also read it as a dict with one number.

    Examples
    --------
    >>> rate = NamedRate(0.5, "wer")
    >>> rate, rate == 0.5, dict(rate.items())
    (0.5, True, {'wer': 0.5})
    """

    name: str

    def __new__(cls, value: float, name: str) -> NamedRate:
        """The value, with its name in a combined result."""
        rate = super().__new__(cls, value)
        rate.name = name
        return rate

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)  # a saved rate can be read without this package

    def keys(self) -> list[str]:
        """A list that holds only the name."""
        return [self.name]

    def items(self) -> list[tuple[str, float]]:
        """A list that holds the name with the plain float."""
        return [(self.name, float(self))]


class BothTypes(str):
    """The type "metric" of a module that the Hub has as a metric and as a measurement. It is equal to both types.

    ``evaluate.load(path, module_type=...)`` compares the type of the module with the type that it is asked for.

    Examples
    --------
    >>> BothTypes("metric") == "measurement", BothTypes("metric") == "comparison"
    (True, False)
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return other in ("metric", "measurement")

    def __ne__(self, other: object) -> bool:
        return not self == other


def named(rate: float, name: str) -> float:
    """A rate with its name. An int stays an int, because the Hub's modules return it as an int."""
    return NamedRate(rate, name) if isinstance(rate, float) else rate


def by_order(scores: Mapping[str, float | int], name: str) -> list[float | int]:
    """The numbers ``name_1``, ``name_2``, … as a list.

    Examples
    --------
    >>> by_order({"count_1": 4, "count_2": 3, "clipped_count_1": 2}, "count")
    [4, 3]
    """
    return [value for key, value in scores.items() if key.startswith(f"{name}_")]


_naming = threading.Lock()


@contextmanager
def named_tokenizer(tokenizer: str | Callable[[str], list[str]] | None) -> Iterator[str | None]:
    """A context manager that gives the name of a tokenizer for scorers. A function is named after its definition.

    Parameters
    ----------
    tokenizer : str, callable or None
        A name, which stays as it is, or a function from a text to its list of tokens.

    Raises
    ------
    InputError
        Inside the block, if the function returns something else.

    Examples
    --------
    >>> with named_tokenizer(str.split) as name:
    ...     print(name.partition("@")[0])
    builtins.str.split
    """
    if not callable(tokenizer):
        yield tokenizer
        return
    owner = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    name = f"{getattr(owner, '__module__', None) or 'builtins'}.{owner.__qualname__}"
    # Two functions can have the same name, as lambdas do. While one of them is in use, the other has to wait.
    with _naming:
        yield register_tokenizer(name, tokenizer)


def opened_model(model: Any) -> Any:
    """The language model that a path or a name stands for; anything else as it is."""
    if not isinstance(model, (str, os.PathLike)):
        return model
    from metrologue.language_models import open_model

    return open_model(model)


def text_features(
    references: bool = True, labels: bool = False, numbers: bool = False, groups: bool = False
) -> list[Any]:
    """The forms of predictions and references for `evaluate`: a list of references for each, or one for each.

    The stricter form comes first, because `evaluate` takes the first that fits. If `references` is False, there are
    only predictions. With `labels`, the last form is that of sets of labels; with `numbers` or
    `groups`, that of lists of numbers or of texts.
    """
    from datasets import Features, Sequence, Value

    text = Value("string", id="sequence")
    if not references:
        items = [Value("float64")] * numbers + [text] * groups
        return [Features({"predictions": text}), *(Features({"predictions": Sequence(item)}) for item in items)]
    return [
        Features({"predictions": text, "references": Sequence(text, id="references")}),
        Features({"predictions": text, "references": text}),
        *([Features({"predictions": Sequence(text), "references": Sequence(Sequence(text))})] if labels else []),
    ]
