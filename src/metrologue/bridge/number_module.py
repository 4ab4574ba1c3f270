"""Modules of `evaluate` whose input is numbers: correlations, agreement of annotators, tests, Shapley values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from metrologue.bridge.inputs import number_features
from metrologue.bridge.strict_module import Batch, StrictModule
from metrologue.data.intake import as_text
from metrologue.errors import InputError, heard, instead_of, shown, warn_caller
from metrologue.inference.agreement import Agreement
from metrologue.inference.correlation import Correlation, UndefinedCorrelationWarning, correlation
from metrologue.inference.intervals import Interval


class NumberModule(StrictModule):
    """Mix-in that comes before ``evaluate.Metric``, ``Measurement`` or ``Comparison``: strict columns of numbers.

    Attributes
    ----------
    numbers, labels, rows : tuple of str
        The names of the columns that hold numbers, ints, or lists of numbers, with None where one is missing.
    takes_texts : bool
        Whether categories may be texts in place of numbers.
    configs : tuple of str
        The names that ``config_name`` can have, the default first. "evaluate" rounds numbers to 32 bits, as the Hub's
        module of that name does; "float64" does not.

    Parameters
    ----------
    config_name : str, optional
        One of `configs`.
    seed, **options
        As for ``StrictModule``, with its errors. The seed is 12345 by default.

    Examples
    --------
    >>> import metrologue
    >>> spearman = metrologue.load("spearmanr")
    >>> spearman.compute(predictions=[1, 2, "3"], references=[1, 3, 2])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Spearmanr: `predictions[2]` is str '3'; a finite number is expected.
    """

    numbers: ClassVar[tuple[str, ...]] = ()
    labels: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[tuple[str, ...]] = ()
    configs: ClassVar[tuple[str, ...]] = ("default",)
    takes_texts: ClassVar[bool] = False

    @property
    def columns(self) -> dict[str, str]:
        """What each column holds."""
        kinds = {"number": self.numbers, "label": self.labels, "row": self.rows}
        return {name: kind for kind, names in kinds.items() for name in names}

    def __init__(self, config_name: str | None = None, seed: int | None = None, **options: Any) -> None:
        super().__init__(config_name or self.configs[0], seed, **options)

    def _check_config(self, config_name: str) -> None:
        if config_name not in self.configs:
            cure = instead_of(config_name, self.configs)
            raise self._error(f"there is no configuration {config_name!r}; {cure}")

    def _features(self) -> list[Any]:
        return number_features(self.columns, self.takes_texts)

    def _check_form(self, form: int, before: int) -> None:
        if form != before:
            kinds = ("numbers", "texts", "sets of texts")
            raise self._error(f"these are {kinds[form]}, but earlier batches had {kinds[before]}.")

    def add(self, **unit: Any) -> None:
        """Add one unit: an entry of each column, by the column's name or by its singular.

        Raises
        ------
        InputError
            As for ``add_batch``.
        """
        plural = {re.sub(r"s(?=\d?$)", "", name): name for name in self.columns}
        self.add_batch(**{plural.get(name, name): [value] for name, value in unit.items()})

    def add_batch(self, **batch: Any) -> None:
        """Add units to those that ``compute`` will take. An empty batch changes nothing.

        Parameters
        ----------
        **batch : sequences of n entries
            Each column by its name: a list, tuple, NumPy array, pandas Series, `datasets` column or Arrow array.

        Raises
        ------
        InputError
            If a column is missing, the counts differ, or an entry is not what its column holds. In this case nothing
            from the batch is kept.
        TypeError
            If there is no such column.
        """
        self._add(self._batch(**batch))

    def _batch(self, **batch: Any) -> Batch:
        owner = self._owner
        for name in batch:
            if name not in self.columns:
                raise TypeError(f"{owner}: unknown column {name!r}; there are {', '.join(self.columns)}.")
        form = max((_form(batch.get(name), kind) for name, kind in self.columns.items()), default=0)
        form = form if self.takes_texts else 0
        arrays = {name: _arrow(owner, name, kind, batch.get(name), form) for name, kind in self.columns.items()}
        first, *others = arrays
        for name in others:
            if len(arrays[name]) != len(arrays[first]):
                counts = f"{len(arrays[first])} {first} but {len(arrays[name])} {name}"
                raise InputError(f"{owner}: {counts}; each unit needs one of each.")
        return Batch([arrays] if len(arrays[first]) else [], form)

    def compute(self, **given: Any) -> Any:
        """Compute the result of all units added so far, and those given here; with threads as in ``MetricModule``.

        Parameters
        ----------
        **given
            A last batch, as for ``add_batch``, and the module's own arguments, listed below.

        Returns
        -------
        dict or None
            Plain Python numbers. With several ranks (``num_process``), every rank except the first gets None.

        Raises
        ------
        InputError
            As for ``add_batch``, or if the units have no result.
        TypeError
            If an option is unknown.
        """
        batch = {name: given.pop(name, None) for name in self.columns}
        needed = " and ".join(f"`{name}`" for name in self.columns)
        return self._computed(batch, needed, given)

    def _numbers(self, column: Any) -> Any:
        """A column of numbers as float64, or as float32 if the configuration rounds them; texts as a list."""
        if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
            return column.to_pylist()
        return np.asarray(column, np.float32 if self.config_name == "evaluate" else np.float64)

    @staticmethod
    def _labels(column: Any) -> Any:
        return np.asarray(column, np.int64)

    @staticmethod
    def _matrix(column: Any) -> Any:
        """Rows as float64 (n, longest), with NaN where a number is missing; rows of texts, or of sets of them."""
        if not pa.types.is_floating(column.type.value_type):
            of_sets = pa.types.is_list(column.type.value_type)
            rows = column.to_pylist()
            return [[frozenset(e) if of_sets and e is not None else e for e in row] for row in rows]
        rows = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        lengths = np.asarray(pa.compute.list_value_length(rows))
        matrix = np.full((len(rows), int(lengths.max(initial=0))), math.nan)
        matrix[np.arange(matrix.shape[1]) < lengths[:, None]] = np.asarray(
            rows.flatten().to_numpy(zero_copy_only=False), float
        )
        return matrix

    def _seed(self) -> int:
        return 12345 if self.given_seed is None else self.given_seed

    def _agreement(self, agreement: Agreement) -> dict[str, Any]:
        """The result of a statistic of agreement."""
        result = {agreement.statistic: agreement.value, "observed": agreement.observed, "expected": agreement.expected}
        return {**result, **self._confidence(agreement.statistic, agreement.interval)}

    @staticmethod
    def _confidence(name: str, interval: Interval | None) -> dict[str, Any]:
        """The entry "confidence" of a result, if an interval was asked for and there is one."""
        if interval is None:
            return {}
        limits = {key: getattr(interval, key) for key in ("low", "high", "mean")}
        return {"confidence": {name: limits, "signature": interval.signature}}

    def _correlation(
        self, predictions: Any, references: Any, method: str, confidence: Any, resamples: int
    ) -> Correlation:
        """The correlation of two columns of numbers."""
        x, y = (np.asarray(self._numbers(column), float) for column in (predictions, references))
        with _as_columns(self._owner):
            return correlation(x, y, method=method, confidence=confidence, resamples=resamples, seed=self._seed())


@contextmanager
def _as_columns(owner: str) -> Iterator[None]:
    """Errors and warnings that name the columns of a module."""

    def renamed(told: str) -> str:
        told = told.replace("`scores", "`predictions").replace("`human", "`references")
        return f"{owner}: {told.replace(' with scores of people', '')}"

    try:
        with heard(UndefinedCorrelationWarning) as warned:
            yield
    except InputError as error:
        raise InputError(renamed(str(error))) from error
    for each in warned:
        warn_caller(renamed(each), UndefinedCorrelationWarning)


def _form(given: Any, kind: str) -> int:
    """0 for numbers, 1 for texts, 2 for sets of texts, by the first entry that is not missing."""
    if given is None or isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        return 0
    entries = given.to_pylist() if hasattr(given, "to_pylist") else given
    if kind == "row":
        entries = (each for row in entries if hasattr(row, "__iter__") and not isinstance(row, str) for each in row)
    first = next((each for each in entries if each is not None and each == each), None)
    return 1 if isinstance(first, str) else 2 if isinstance(first, set | frozenset | list | tuple) else 0


def _texts(owner: str, name: str, kind: str, entries: Any, form: int) -> pa.Array:
    """A column of texts, or of sets of texts."""

    def entry(value: Any, place: str) -> Any:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if form == 1 and isinstance(value, str):
            return str(value)
        if form == 2 and isinstance(value, set | frozenset | list | tuple) and all(isinstance(e, str) for e in value):
            return sorted(value)
        what = "a text" if form == 1 else "a set of texts"
        raise InputError(f"{owner}: `{name}{place}` is {_named(value)}; {what} is expected, as before, or None.")

    text = pa.string() if form == 1 else pa.list_(pa.string())
    if kind != "row":
        return pa.array([entry(each, f"[{i}]") for i, each in enumerate(entries)], text)
    rows = []
    for i, row in enumerate(entries):
        if isinstance(row, str | bytes) or not hasattr(row, "__iter__"):
            raise InputError.at(owner, name, i, f" is {_named(row)}; a list of texts is expected.")
        rows.append([entry(each, f"[{i}][{j}]") for j, each in enumerate(row)])
    return pa.array(rows, pa.list_(text))


def _arrow(owner: str, name: str, kind: str, given: Any, form: int = 0) -> pa.Array:
    """A column as an Arrow array. Raises an InputError if an entry is not of its kind."""
    if given is None or isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
        raise InputError(f"{owner}: `{name}` is {_named(given)}; a list of {_KINDS[kind]}s is expected.")
    if isinstance(given, np.ndarray) and kind == "row" and given.ndim != 2:
        raise InputError(f"{owner}: `{name}` has the shape {given.shape}; (units, annotators) is expected.")
    entries = (
        given.tolist() if hasattr(given, "tolist") else given.to_pylist() if hasattr(given, "to_pylist") else given
    )
    if len(entries) and hasattr(entries[0], "ndim"):  # arrays and tensors without dimensions
        entries = [each.item() if getattr(each, "ndim", None) == 0 else each for each in entries]
    if form:
        return _texts(owner, name, kind, entries, form)
    if kind == "text":
        return as_text([*entries], name, owner)
    if kind == "row":
        return pa.array([_row(owner, name, i, entry) for i, entry in enumerate(entries)], pa.list_(pa.float64()))
    checked = Integral if kind == "label" else Real
    for i, entry in enumerate(entries):
        if kind == "label" and isinstance(entry, Real) and float(entry).is_integer():
            continue
        if not isinstance(entry, checked) or (kind == "number" and not _is_finite(entry)):
            raise InputError.at(owner, name, i, f" is {_named(entry)}; {_KINDS[kind]} is expected.")
    return pa.array(map(int if kind == "label" else float, entries), pa.int64() if kind == "label" else pa.float64())


_KINDS = {"number": "a finite number", "label": "an int", "row": "a list of numbers", "text": "a text"}


def _is_finite(value: Any) -> bool:
    return not isinstance(value, bool) and math.isfinite(value)


def _row(owner: str, name: str, index: int, row: Any) -> list[float | None]:
    if isinstance(row, (str, bytes)) or not hasattr(row, "__iter__"):
        raise InputError.at(owner, name, index, f" is {_named(row)}; {_KINDS['row']} is expected.")
    numbers: list[float | None] = []
    for j, entry in enumerate(row):
        if entry is None or (isinstance(entry, Real) and math.isnan(entry)):
            numbers.append(None)
        elif isinstance(entry, Real) and _is_finite(entry):
            numbers.append(float(entry))
        else:
            raise InputError(
                f"{owner}: `{name}[{index}][{j}]` is {_named(entry)}; a finite number is expected, or None if missing."
            )
    return numbers


def _named(value: Any) -> str:
    return "a NoneType" if value is None else f"{type(value).__name__} {shown(value)}"
