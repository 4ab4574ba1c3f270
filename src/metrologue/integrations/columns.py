"""Columns of a table as the inputs of a scorer: which they are, whether they suit it, and their totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeAlias

import pyarrow as pa

from metrologue.errors import InputError, instead_of, shown
from metrologue.origin import pip_install
from metrologue.scorers import Scorer, Totals
from metrologue.scorers.core.capabilities import fit_totals
from metrologue.scorers.core.engine import segments_for
from metrologue.segments import Segments

# The column of each argument of a scorer.
Inputs: TypeAlias = dict[str, str]

_NESTED = (pa.ListType, pa.LargeListType, pa.ListViewType, pa.LargeListViewType, pa.FixedSizeListType)


class MissingPackage(InputError, ImportError):
    """A package that an integration needs is not installed."""


def required(package: str, extra: str) -> Any:
    """The module of a package that the core does not need.

    Raises
    ------
    MissingPackage
        An InputError and an ImportError, if it is not installed; the message says what to install.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package.partition(".")[0]:
            raise
        raise MissingPackage(f"{package} is not installed: {pip_install(extra)}.") from None


def chosen_columns(
    owner: str, scorer: Scorer, schema: pa.Schema, predictions: str, references: str | None, others: Mapping[str, str]
) -> Inputs:
    """The column of each argument of the scorer. A scorer that needs no references gets none.

    Raises
    ------
    InputError
        If `scorer` is not one, has no such input, or there is no such column; if one column has texts and the other
        one does not.
    """
    _check_scorer(owner, scorer)
    inputs = {"predictions": predictions, "references": references, **others}
    for argument in others:
        if not scorer.input(argument):
            raise InputError(
                f"{owner}: {scorer.name} has no input {argument!r}; {instead_of(argument, scorer.input_names())}"
            )
    chosen: Inputs = {}
    for argument, column in inputs.items():
        if scorer.input(argument):
            chosen[argument] = _checked(owner, argument, column, schema)
    sides = {name: schema.field(chosen[name]).type for name in ("predictions", "references") if name in chosen}
    if len({_is_text(kind) for kind in sides.values()}) > 1:
        (one, first), (other, second) = sides.items()
        raise InputError(
            f"{owner}: the column {chosen[one]!r} ({one}) is of {first}, but {chosen[other]!r} ({other}) of {second}; "
            "texts are compared with texts."
        )
    return chosen


def check_fit(owner: str, scorer: Scorer, schema: pa.Schema, references: str) -> None:
    """Raise an InputError if the scorer has no table, its table is not made from counts, or there is no such column."""
    _check_scorer(owner, scorer)
    fit_counts(scorer, pa.array([], pa.string()))
    _checked(owner, "references", references, schema)


def _check_scorer(owner: str, scorer: Any) -> None:
    if not isinstance(scorer, Scorer):
        raise InputError(f"{owner}: `scorer` is {shown(scorer)}; a Scorer is expected, such as Bleu().")


def _checked(owner: str, argument: str, column: Any, schema: pa.Schema) -> str:
    """The name of a column that there is."""
    if isinstance(column, str) and column in schema.names:
        return column
    listed = instead_of(column, schema.names)
    raise InputError(f"{owner}: `{argument}` is {shown(column)}, and no column is called so; {listed}")


def _is_text(kind: pa.DataType) -> bool:
    while isinstance(kind, _NESTED):
        kind = kind.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def segments_of(scorer: Scorer, rows: pa.Table | pa.RecordBatch, inputs: Inputs) -> Segments:
    """The segments of some rows."""
    columns = {argument: rows.column(name) for argument, name in inputs.items()}
    return segments_for(scorer, **{"references": None, **columns})


def numbered(batches: Iterable[Any], first: int = 0) -> Iterator[tuple[int, Any]]:
    """Each batch of rows with the index of its first row."""
    for batch in batches:
        yield first, batch
        first += batch.num_rows


def counted(scorer: Scorer, parts: Iterable[tuple[int, Any]], inputs: Inputs, place: str = "") -> Totals:
    """The totals of some parts of a table, each with the index of its first row."""
    nothing = scorer.accumulate(segments_for(scorer, [], []))
    return _merged(
        nothing, parts, place, lambda first, rows: scorer.accumulate(segments_of(scorer, rows, inputs), first=first)
    )


def _merged(
    totals: Totals, parts: Iterable[tuple[int, Any]], place: str, count: Callable[[int, Any], Totals]
) -> Totals:
    for first, rows in parts:
        with located(f"{place}rows {first} to {first + rows.num_rows - 1}"):
            totals = totals.merge(count(first, rows))
    return totals


def fit_counts(scorer: Scorer, references: Any) -> Totals:
    """What ``scorer.fit`` needs of a part of the references. Merge those of all parts, and fit with the sum.

    Parameters
    ----------
    scorer : Scorer
        One with a table that is made from counts: CIDEr or NIST.
    references : n strings, or n lists of strings

    Raises
    ------
    InputError
        If the scorer has no table, or its table is not made from counts.

    Examples
    --------
    >>> from metrologue.scorers import NistMt
    >>> from metrologue.segments import Segments
    >>> parts = [fit_counts(NistMt(), ["a cat sat"]), fit_counts(NistMt(), ["a dog", "the dog"])]
    >>> fitted = NistMt().fit(parts[0].merge(parts[1]))
    >>> texts = ["a cat sat", "a dog", "the dog"]
    >>> fitted == NistMt().fit(Segments(texts, texts))
    True
    """
    return fit_totals(scorer, _of_references(references))


def counted_for_fit(scorer: Scorer, parts: Iterable[tuple[int, Any]], column: str, place: str = "") -> Totals:
    """As ``counted``, the counts that ``fit`` needs."""
    nothing = fit_counts(scorer, pa.array([], pa.string()))
    return _merged(nothing, parts, place, lambda _, rows: fit_counts(scorer, rows.column(column)))


def _of_references(references: Any) -> Segments:
    """Segments whose predictions are empty."""
    return Segments(pa.repeat(pa.scalar("", pa.large_string()), len(references)), references, "fit_counts")


@contextmanager
def located(place: str) -> Iterator[None]:
    """An InputError inside says which rows of a table are meant."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
