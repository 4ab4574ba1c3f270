"""The bridge to Hugging Face `evaluate`: what all modules in ``metrics/`` have in common.

`evaluate` checks only the first example and lets Arrow turn the rest into strings. A number, a missing value or a
string among lists then gets a score without any error. ``MetricModule`` checks everything first. After that, the texts
stay in Arrow from the batch to the scorer, which is also fast.

A module is derived from its scorer: its columns from the inputs, its arguments from the options, its result from the
numbers. A file in ``metrics/`` has what the Hub's module calls otherwise.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from metrologue.bridge.arguments import Arguments, arguments_of, documentation, parts_of
from metrologue.bridge.inputs import text_features
from metrologue.bridge.results import by_order, named, plain_intervals
from metrologue.bridge.strict_module import MOST_BYTES, Batch, StrictModule
from metrologue.data.columns import Items, Numbers
from metrologue.data.named import NamedValue
from metrologue.errors import InputError, respelled
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.capabilities import told_beside
from metrologue.scorers.core.citing import bibtex, cited
from metrologue.scorers.core.engine import hints_of, segments_for
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.inputs import holds_groups
from metrologue.scorers.core.needs import model_field, model_kind, model_of
from metrologue.scorers.core.options import field_types, item_type, options_of
from metrologue.scorers.core.registry import scorer_of
from metrologue.scorers.core.typed import with_number
from metrologue.segments import Segments
from metrologue.text.reading.text import Groups, Text
from metrologue.text.tokenizers.registry import named_tokenizer
from metrologue.threads import Memo


@dataclass(frozen=True)
class Call:
    """What a call of ``compute`` is given beside the texts.

    Attributes
    ----------
    inputs : mapping
        The metric's other inputs.
    hub : mapping
        The arguments of the module's ``_fields``.
    fields : mapping
        Values of the scorer's fields.
    table : mapping
        With what a table is read.
    confidence : float or None
    signature, per_segment : bool
    """

    inputs: Mapping[str, Any]
    hub: Mapping[str, Any]
    fields: Mapping[str, Any]
    table: Mapping[str, Any]
    confidence: float | None = None
    signature: bool = False
    per_segment: bool = False


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
    The docstring of a module is its description, and may have the sections "Args" (of what the Hub calls otherwise),
    "Returns" and "Examples". All arguments of ``compute`` are derived; see ``metrologue.bridge.arguments``.

    Attributes
    ----------
    metric : str
        Name of the scorer, one of ``metrologue.scorers.list_scorers()``.
    default_variant : str
        The variant of the module if no ``config_name`` is given.
    reported : tuple of str or None
        The numbers of a result; by default the primary one only. None: all of them.
    arguments : mapping of str to str
        Options of the scorer, by the names that the Hub's module has for them.
    hub_names : mapping of str to str
        Options that an argument of ``_fields`` sets, each with this argument, for messages.
    tables : mapping of str to tuple of str
        An option that takes the path of a table, and the arguments with which the scorer reads it.
    grouping : tuple of (str, str) or None
        An option, and the value that it has for predictions that are lists of texts if it is left out.
    module_types : tuple of str
        The types under which the Hub has the module, "metric" first.
    takes_data : bool
        Whether `data` is another name of the predictions, as in the Hub's measurements.
    programs, pages : tuple of str
        Addresses of source code, and of descriptions.

    Parameters
    ----------
    config_name : str, optional
        A variant of the scorer, or a signature of it.
    seed : int, optional
        The seed of resampling, from 0 to 2**32 - 1; the variant's own seed by default. `evaluate` alone would draw a
        random seed in each process.
    encoder : encoder or path, or a list of them, optional
        The encoder that the trained model of a folder needs.
    **options
        The module's own arguments, for each ``compute`` that is not given another value; and the options that
        ``evaluate.load`` passes on: ``keep_in_memory``, ``experiment_id``, ``num_process``, …

    Raises
    ------
    InputError
        If there is no such variant, or a value is out of range.
    TypeError
        For any other option. `evaluate` alone would ignore it.

    Examples
    --------
    >>> import metrologue
    >>> bleu = metrologue.load("bleu", "nltk", max_order=2)
    >>> bleu.config_name, bleu.compute(predictions=["a b c"], references=["a b d"])["bleu"].__round__(4)
    ('nltk', 0.5774)
    >>> bleu.add_batch(predictions=["a cat", 3], references=["a cat", "a dog"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: `predictions[1]` is int 3; a str is expected.
    """

    metric: ClassVar[str]
    default_variant: ClassVar[str]
    reported: ClassVar[tuple[str, ...] | None] = ()
    arguments: ClassVar[Mapping[str, str]] = {}
    hub_names: ClassVar[Mapping[str, str]] = {}
    tables: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    grouping: ClassVar[tuple[str, str] | None] = None
    module_types: ClassVar[tuple[str, ...]] = ("metric",)
    takes_data: ClassVar[bool] = False

    _scorer: ClassVar[type[Scorer]]
    _arguments: ClassVar[Arguments]
    _made: ClassVar[Any]  # its ``_compute``, which an edited copy may have another of

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "metric" not in vars(cls):
            return
        cls._scorer = scorer = get_scorer(cls.metric)
        cls._arguments = arguments_of(cls, scorer)
        cls._settings = cls._arguments.settings

        def _compute(self: MetricModule, predictions: Any, references: Any = None, **given: Any) -> Any:
            return self._derived(predictions, references, given)

        declared = cls._arguments.signature(scorer.input("references") is not None)
        setattr(_compute, "__signature__", declared)  # noqa: B010  # a function has no such attribute for a type checker
        setattr(cls, "_compute", _compute)  # noqa: B010
        cls._made = _compute

    def __init__(
        self, config_name: str | None = None, seed: int | None = None, encoder: Any = None, **options: Any
    ) -> None:
        self._models = Memo()  # those that it has opened; a copy of the module opens its own
        self._given_signature: Scorer | None = None
        self._number: tuple[str, ...] = ()
        settings = {name: options.pop(name) for name in [*options] if name in self._settings}
        if seed is not None and "seed" in self._settings:
            settings["seed"] = seed
        chosen = config_name or self.default_variant
        # `evaluate` makes a folder of this name, which a signature is too long for.
        folder = f"signature-{hashlib.sha256(chosen.encode()).hexdigest()[:16]}" if "|" in chosen else chosen
        self.config_name = chosen
        self._loaded: Mapping[str, Any] = {}
        super().__init__(chosen, seed, folder=folder, **options)
        self.config_name = chosen
        if encoder is not None:
            is_own = "encoder" in self._settings
            settings = {**settings, "encoder": encoder} if is_own else self._with_encoder(settings, encoder)
        self._check_loaded(settings)
        self._loaded = settings

    def _with_encoder(self, settings: Mapping[str, Any], encoder: Any) -> dict[str, Any]:
        """The arguments with a trained model that has this encoder."""
        field = model_field(self._scorer)
        model = next((value for name, value in settings.items() if self._arguments.canonical(name) == field), None)
        if model is None or model_kind(self._scorer) != "trained":
            raise TypeError(f"{self._owner}: 'encoder' is that of a trained model; leave it out, or give 'model'.")
        others = {name: value for name, value in settings.items() if self._arguments.canonical(name) != field}
        return {**others, str(field): model_of(self._scorer, model, encoder=encoder)}

    def _check_loaded(self, settings: Mapping[str, Any]) -> None:
        """Refuse values of options that no scorer has. What is opened or made first is checked when it is used."""
        canonical, declared = self._arguments.canonical, options_of(self._scorer)
        plain = {
            name: value
            for name, value in settings.items()
            if canonical(name) not in declared or not declared[canonical(name)].kind
        }
        if plain and not self._arguments.hub.keys() & plain.keys():
            self._variant({canonical(name): value for name, value in plain.items() if value is not None})

    def choose(self, number: tuple[str, ...]) -> None:
        """Give this number alone, by its own name, in place of the Hub's: ("recall",) of "rouge[rouge1,recall]"."""
        with_number(self._variant({}), number)
        self._number = number

    def _check_config(self, config_name: str) -> None:
        if "|" not in config_name:
            self._scorer.variant(config_name)
            return
        scorer = Scorer.from_signature(config_name)
        if type(scorer) is not self._scorer:
            raise self._error(f"the signature is one of {scorer.name}, not of {self.metric}.")
        self._given_signature = scorer

    @property
    def _forms(self) -> dict[int, str]:
        """What the rows of each form of features are, by the index of the form."""
        return {0: "texts", 1: "lists of texts" if self._scorer.takes("groups") else "numbers", -1: "labels"}

    @property
    def module_type(self) -> Any:
        """The type that `evaluate` asks for, equal to each of ``module_types``."""
        return self.module_types[0] if len(self.module_types) == 1 else EitherType(self.module_types)

    def _info(self) -> Any:
        """What `evaluate` asks of a module."""
        from evaluate import MetricInfo

        module: Any = type(self)
        texts, urls = _told_of(module)
        return MetricInfo(
            **texts, features=self._features(), codebase_urls=[*self.programs], reference_urls=[*urls, *self.pages]
        )

    def _features(self) -> list[Any]:
        """The forms of the columns that the scorer takes, for `evaluate`."""
        return text_features(self._scorer)

    def _segments(self, predictions: Any, references: Any, **inputs: Any) -> Segments:
        name, needed = self._owner, self._scorer.input("references")
        if references is None and needed and needed.required and predictions is not None:
            raise InputError(f"{name}: {needed.missing}")
        return segments_for(self._scorer, predictions, references, owner=name, **inputs)

    @property
    def _columns_needed(self) -> list[str]:
        """The names of the columns: predictions, and what the metric requires beside them, or can compare them with."""
        return [each.name for each in self._scorer.inputs if each.required or each.name == "references"]

    @property
    def _needs_references(self) -> bool:
        references = self._scorer.input("references")
        return references is not None and references.required

    def add(self, *, prediction: Any = None, reference: Any = None, **columns: Any) -> None:
        """Add one segment.

        Parameters
        ----------
        prediction : str
        reference : str or list of str
        **columns
            The metric's other columns, in the singular, such as ``source``; or the same values under the names
            ``predictions`` and ``references``: ``evaluate.combine`` uses these names.

        Raises
        ------
        InputError
            As for ``add_batch``.
        """
        needed = self._columns_needed
        columns, prediction = self._without_data(columns, prediction)
        singular = {name.removesuffix("s"): name for name in needed}
        others = {singular.get(name, name): value for name, value in columns.items()}
        segment = {"predictions": prediction, "references": reference, **others}
        if not self._needs_references and segment["references"] is None:
            del segment["references"]
        self.add_batch(**{name: [value] for name, value in segment.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> None:
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
        **columns
            The other columns that the metric requires, such as ``sources``.

        Raises
        ------
        InputError
            If the counts differ, an item is not a text, a segment has no reference, or strings and lists are mixed; if
            one batch has labels or numbers and another has texts. In this case nothing from the batch is kept.
        TypeError
            If there is no such column.
        """
        columns, predictions = self._without_data(columns, predictions)
        self._add(self._batch(predictions=predictions, references=references, **columns))

    def _without_data(self, columns: Mapping[str, Any], predictions: Any) -> tuple[dict[str, Any], Any]:
        """The other columns, and the predictions, which may be called `data`."""
        others = {name: column for name, column in columns.items() if name != "data" or not self.takes_data}
        if not self.takes_data or columns.get("data") is None:
            return others, predictions
        if predictions is not None:
            raise self._error("both `predictions` and `data` are given; give one of them.")
        return others, columns["data"]

    def _batch(self, *, predictions: Any = None, references: Any = None, **columns: Any) -> Batch:
        owner, needed = self._owner, self._columns_needed
        for name in columns:
            if name not in needed:
                raise TypeError(f"{owner}: unknown column {name!r}; there are {', '.join(needed)}.")
        for name in needed:
            declared = self._scorer.input(name)
            if declared and name not in ("predictions", "references") and columns.get(name) is None:
                raise InputError(f"{owner}: {declared.missing}")
        segments = self._segments(predictions, references, **columns)
        if not len(segments):
            return Batch([])
        parts = [segments] if segments.nbytes <= MOST_BYTES else segments.parts(MOST_BYTES)
        return Batch([*parts], self._form(segments))

    def _of_batch(self, batch: Batch, options: Mapping[str, Any]) -> Any:
        module: Any = self
        (part, *others), inputs = batch.parts, self._arguments.inputs
        is_edited = getattr(module._compute, "__func__", None) is not type(self)._made
        are_texts = all(type(column) is Text for column in part.columns.values())
        if others or is_edited or not are_texts or any(options.get(each.name) is not None for each in inputs):
            return super()._of_batch(batch, options)
        return self._of_segments(part, self._call(options))  # they need not be read again

    def _check_form(self, form: int, before: int) -> None:
        if form != before:
            now, then = self._forms[form], self._forms[before]
            raise self._error(f"`predictions` are {now}, but earlier batches had {then}.")

    def _form(self, segments: Segments) -> int:
        """The index of the form of features that these segments have."""
        return {Items: -1, Numbers: 1, Groups: 1}.get(type(segments.predictions), 0)

    def _rows(self, part: Segments) -> dict[str, pa.Array]:
        """The columns of a batch as Arrow text, or as lists of numbers."""

        def flat(name: str) -> pa.Array:
            column = part.columns[name]
            if isinstance(column, Numbers):
                return pa.LargeListArray.from_arrays(column.offsets, column.values)
            if isinstance(column, Groups):
                return pa.LargeListArray.from_arrays(column.offsets, column.texts)
            return column.spelled(name, self._owner) if isinstance(column, Items) else part.texts(name)

        columns = {}
        for name in self._columns_needed:
            declared, column = self._scorer.input(name), part.columns.get(name)
            if column is None and name == "references":  # which some models of the metric do not read
                none = pa.array([], pa.large_string())
                columns[name] = pa.LargeListArray.from_arrays(np.zeros(len(part) + 1, np.int64), none)
            elif column is not None:
                several = name == "references" or (declared is not None and declared.many)
                columns[name] = pa.LargeListArray.from_arrays(column.offsets, flat(name)) if several else flat(name)
        return columns

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Score all segments added so far, together with those given here.

        Several threads can use one module. If some of them add segments while others compute, each segment belongs to
        the first ``compute`` that begins after it was added.

        Parameters
        ----------
        predictions, references
            A last batch, as for ``add_batch``; the other columns that the metric requires come by their names, too.
        **options
            The metric's own arguments, listed below. With ``confidence=0.95`` the result also has "confidence", a dict
            with the intervals by the names of the scorer's numbers, each with "low", "high" and "mean", and with what
            they were computed with. Their seed is that of the module, 12345 by default.

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

        Warns
        -----
        UserWarning
            As ``metrologue.score`` does, if the texts are unlike those that the scorer is made for.
        """
        needed = self._columns_needed
        options, predictions = self._without_data(options, predictions)
        columns = {name: options.pop(name) for name in [*options] if name in needed}
        given = {"predictions": predictions, "references": references, **columns}
        try:
            return self._computed(given, " and ".join(f"`{name}`" for name in needed), options)
        except InputError as error:
            error.args = (respelled(str(error), self._spelled),)
            raise

    def _spelled(self, name: str, value: str | None) -> str | None:
        """How a message names an option: by the Hub's argument for it."""
        named = {**{option: argument for argument, option in self.arguments.items()}, **self.hub_names}
        argument = named.get(name)
        return None if argument is None else f"`{argument}`" if value is None else f"{argument}={value}"

    def _derived(self, predictions: Any, references: Any, given: Mapping[str, Any]) -> Any:
        """What ``compute`` gives for these columns and arguments."""
        call = self._call(given)
        if references is not None and not (self._needs_references or len(references.combine_chunks().flatten())):
            references = None
        return self._of_segments(self._segments(predictions, references, **call.inputs), call)

    def _of_segments(self, segments: Segments, call: Call) -> Any:
        """What ``compute`` gives for these segments."""
        with self._chosen(call, segments) as scorer:
            if not self._number:
                return self._answer(scorer, segments, call)
            scorer = with_number(scorer, self._number)
            scores, extras = self._scored(scorer, segments, call)
            return {scorer.primary: scores[scorer.primary], **extras}

    def _call(self, given: Mapping[str, Any]) -> Call:
        """The arguments of a call by what they are. What is left out has the value with which the module was loaded."""
        arguments = self._arguments
        told = {name: given[name] for name in ("confidence", "signature", "per_segment") if name in given}

        def is_given(name: str, value: Any) -> bool:
            return name in self._settings and not arguments.is_left_out(name, value)

        settings = {name: value for name, value in given.items() if is_given(name, value)}
        named = {arguments.canonical(name) for name in settings}
        loaded = {name: value for name, value in self._loaded.items() if arguments.canonical(name) not in named}
        settings = {**{name: value for name, value in loaded.items() if is_given(name, value)}, **settings}
        given_as: dict[str, str] = {}
        for name in settings:
            if name in arguments.options and (other := given_as.setdefault(arguments.options[name], name)) != name:
                raise TypeError(f"{self._owner}: {other!r} and {name!r} are the same option; give one.")
        return Call(
            {each.name: given[each.name] for each in arguments.inputs if given.get(each.name) is not None},
            {name: settings[name] for name in arguments.hub if name in settings},
            {option: settings[name] for option, name in given_as.items()},
            {name: settings[name] for name in arguments.table if name in settings},
            **told,
        )

    def _fields(self) -> Mapping[str, Any]:
        """The fields that the Hub's own arguments set, which are the keyword arguments of this method. One that is
        None has the variant's value."""
        return {}

    def _values(self, call: Call, segments: Segments) -> dict[str, Any]:
        """The values of the scorer's fields for a call."""
        set_by_hub = {name: value for name, value in self._fields(**call.hub).items() if value is not None}
        fields = {**call.fields, **set_by_hub}
        if self.grouping and holds_groups(segments):
            fields = {self.grouping[0]: self.grouping[1], **fields}
        return fields

    @contextmanager
    def _chosen(self, call: Call, segments: Segments) -> Iterator[Any]:
        """A context manager that gives the scorer of a call.

        A function may stand for a tokenizer, and a path for a model, or for a table that `tables` names.
        """
        fields = self._values(call, segments)
        paths = {name: fields.pop(name) for name in self.tables if isinstance(fields.get(name), (str, os.PathLike))}
        with named_tokenizer(fields.get("tokenizer")) as tokenizer:
            if tokenizer:
                fields["tokenizer"] = tokenizer
            scorer = self._variant({name: self._held(name, value) for name, value in fields.items()})
            for path in paths.values():
                scorer = scorer.with_table(path, **call.table)
            yield scorer

    def _held(self, name: str, value: Any) -> Any:
        """The value of an option. A model that a path names is opened once for the module, not once for each call."""
        kind = item_type(field_types(self._scorer)[name])
        if not (isinstance(value, (str, os.PathLike)) and issubclass(kind, NamedValue)):
            return value
        try:
            return self._models.get((name, os.fspath(value)), lambda: kind.of(value))
        except InputError as error:
            raise InputError(f"{self._scorer.__name__}: `{name}`: {error}") from error

    def _variant(self, fields: Mapping[str, Any]) -> Any:
        """The scorer of the configuration with these values."""
        if self._given_signature is not None:
            return replace(self._given_signature, **fields)
        return scorer_of(self._scorer, self.config_name, fields)

    def _answer(self, scorer: Any, segments: Segments, call: Call) -> Any:
        """The result of a call: the numbers of the corpus, and what else was asked for."""
        scores, extras = self._scored(scorer, segments, call)
        return {**self._numbers(scores, scorer), **extras}

    def _scored(self, scorer: Any, segments: Segments, call: Call) -> tuple[dict[str, Any], dict[str, Any]]:
        """All numbers of the corpus, and the extras that were asked for."""
        seed = 12345 if self.given_seed is None else self.given_seed
        result = scorer.corpus(segments, confidence=call.confidence, seed=seed)
        warn(hints_of(scorer, segments))
        return result.scores, self._extras(scorer, segments, call, result.intervals)

    def _extras(self, scorer: Any, segments: Segments, call: Call, intervals: Mapping[str, Any] | None = None) -> Any:
        """The signature, the numbers of each segment and the intervals, if they were asked for."""
        extras: dict[str, Any] = {"signature": scorer.signature} if call.signature else {}
        if call.per_segment:
            columns = scorer.segment_scores(segments)  # the counts of the corpus are used again
            extras["segments"] = {name: column.tolist() for name, column in columns.items()}
            extras |= {name: [*each] for name, each in told_beside(scorer, segments).items()}
        if call.confidence is not None:
            extras["confidence"] = plain_intervals(intervals or {}, scorer)
        return extras

    def _each(
        self, scorer: Any, segments: Segments, call: Call
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """All numbers of the corpus, those of each segment, and the extras that were asked for."""
        scores, extras = self._scored(scorer, segments, replace(call, per_segment=True))
        if call.per_segment:
            return scores, extras["segments"], extras
        for name in told_beside(scorer, segments):
            del extras[name]
        return scores, extras.pop("segments"), extras

    def _numbers(self, scores: Mapping[str, Any], scorer: Any) -> dict[str, Any]:
        """The numbers of a result, by the names that the Hub's module has for them."""
        reported = scores if self.reported is None else self.reported or (scorer.primary,)
        return {name: scores[name] for name in reported}

    @staticmethod
    def _bare(result: dict[str, Any]) -> Any:
        """A result of one number as that number, with its name; any other one as it is."""
        return named(*result.values(), *result) if len(result) == 1 else result

    # For the numbers of modules that the Hub has.
    _by_order = staticmethod(by_order)


@cache
def _told_of(module: type[MetricModule]) -> tuple[dict[str, Any], list[str]]:
    """What a module says of itself, and where its papers are; made once: programs load a module again and again."""
    scorer = module._scorer()
    papers = bibtex([scorer])[: len(cited(scorer)[0])]
    addresses = [re.search(r'(doi|url)\s*=\s*["{]+([^"}]+)', paper) for paper in papers]
    urls = [f"https://doi.org/{each[2]}" if each[1] == "doi" else each[2] for each in addresses if each]
    texts = {
        "description": parts_of(module)[""],
        "citation": "\n".join(papers),
        "inputs_description": documentation(module, module._scorer.variant(module.default_variant)),
    }
    return texts, urls
