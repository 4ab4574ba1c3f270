"""What a metric takes for each segment, declared once: the name of each input, its kind, and how it becomes a column.

From the declarations come the checks of input, the columns of modules and tables, the options of the command line, and
what pages and tests show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from metrologue.data.arrow import is_arrow, pa
from metrologue.data.columns import Column, Items, Numbers
from metrologue.data.intake import (
    are_lists,
    as_strings,
    holds_lists,
    is_list,
    listed,
    nested_text,
    ragged_text,
    with_type,
)
from metrologue.errors import InputError, instead_of
from metrologue.segments import Segments
from metrologue.text.reading.text import Groups, Text

Columns: TypeAlias = Mapping[str, Column]
Make: TypeAlias = Callable[[Any, str, str, Columns], Column]


@dataclass(frozen=True)
class Kind:
    """What an input holds.

    Attributes
    ----------
    name : str
        "texts", "groups" (lists of texts, or texts), "turns" (the same, and a list may be empty), "sets" (sets of
        labels, or texts), "spans" (lists of texts that are one answer, or texts), "graphs" (of scenes, or texts),
        "labels", "numbers" or "weights".
    make : callable
        The column of some rows, given the rows, the names of the argument and of the caller for messages, and the
        columns that are made already. It raises an InputError for rows of another kind.
    """

    name: str
    make: Make


@dataclass(frozen=True)
class Input:
    """An input of a metric.

    Attributes
    ----------
    name : str
        As an argument in Python. The first input of each metric is called "predictions".
    kind : Kind
    many : bool
        Whether a segment may have several, as it may have several references.
    required : bool
        Whether there is no score without it.
    about : str
        What it is, for help, pages and messages.
    """

    name: str
    kind: Kind
    many: bool = False
    required: bool = True
    about: str = ""

    @property
    def missing(self) -> str:
        """What a message says if it is not there."""
        return f"`{self.name}` are missing; {self.about or 'each segment has its own'}."

    def column(self, rows: Any, owner: str, columns: Columns) -> Column:
        """The column of these rows. Raises an InputError if they are of another kind."""
        return self.kind.make(rows, self.name, owner, columns)


def _texts(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    return Text(as_strings(listed(rows, argument, owner), argument, owner))


def _texts_of_each(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    return Text(*nested_text(listed(rows, argument, owner), len(columns["predictions"]), owner, argument))


def _groups(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = listed(rows, argument, owner)
    return Groups.others(rows, owner) if are_lists(rows) else _texts(rows, argument, owner, columns)


def _turns(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = listed(rows, argument, owner)
    return Groups(*ragged_text(rows, argument, owner)) if are_lists(rows) else _texts(rows, argument, owner, columns)


def _sets(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = listed(rows, argument, owner)
    return Items.of(rows, argument, owner) if holds_lists(rows) else _texts(rows, argument, owner, columns)


def _sets_of_each(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    predictions = columns["predictions"]
    if not isinstance(predictions, Items):
        return _texts_of_each(rows, argument, owner, columns)
    # Tuples inside of a list are references of their own, unless some prediction has a tuple as an item.
    tuples = any(isinstance(item, tuple) for item in predictions.types)
    return Items.of(rows, argument, owner, several=True, tuples=tuples)


def _spans(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = _in_lists(listed(rows, argument, owner))
    return Items.of(rows, argument, owner) if holds_lists(rows) else _texts(rows, argument, owner, columns)


def _spans_of_each(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    rows = listed(rows, argument, owner)
    nested = isinstance(rows, list) and any(is_list(row) and any(map(is_list, row)) for row in rows)
    if isinstance(columns["predictions"], Items) or nested:
        return Items.of(_in_lists(rows, True), argument, owner, several=True, tuples=False)
    return _texts_of_each(rows, argument, owner, columns)


def _in_lists(rows: Any, always: bool = False) -> Any:
    """Rows in which a text is a list of one text, if any other one is a list."""
    if not isinstance(rows, list) or not (always or any(map(is_list, rows))):
        return rows
    return [[row] if isinstance(row, str) else row for row in rows]


def _numbers(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    return Numbers(rows, argument, owner)


def _numbers_or_texts(rows: Any, argument: str, owner: str, columns: Columns) -> Column:
    if _is_matrix(rows):
        return Numbers(rows, argument, owner)
    rows = listed(rows, argument, owner, "lists of numbers")
    if isinstance(rows, list) and rows and isinstance(rows[0], (int, float, np.number)):
        raise InputError(
            f"{owner}: `{argument}[0]` is {with_type(rows[0])}; a list with the numbers of each text is expected."
        )
    lists = holds_lists(rows) or not len(rows)
    return Numbers(rows, argument, owner) if lists else _texts(rows, argument, owner, columns)


def _is_matrix(rows: Any) -> bool:
    if is_arrow(rows):
        kind: Any = rows.type
        is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        return bool(is_list and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)))
    return isinstance(rows, np.ndarray) and rows.ndim == 2


_TEXTS, _TEXTS_OF_EACH = Kind("texts", _texts), Kind("texts", _texts_of_each)
_SETS, _SETS_OF_EACH = Kind("sets", _sets), Kind("sets", _sets_of_each)
_SPANS, _SPANS_OF_EACH = Kind("spans", _spans), Kind("spans", _spans_of_each)


def texts(name: str, *, many: bool = False, required: bool = True, about: str = "") -> Input:
    """An input of n strings; with `many`, of n strings or n lists of strings.

    Examples
    --------
    >>> texts("sources", about="the text before it was simplified").kind.name
    'texts'
    """
    return Input(name, _TEXTS_OF_EACH if many else _TEXTS, many, required, about)


def groups(name: str, *, required: bool = True, about: str = "") -> Input:
    """An input of n strings, or of n lists of strings of which none is empty."""
    return Input(name, Kind("groups", _groups), required=required, about=about)


def turns(name: str, *, lists: bool = True, required: bool = True, about: str = "") -> Input:
    """An input of n strings, whose lines are turns; with `lists`, also of n lists of strings, which may be empty."""
    return Input(name, Kind("turns", _turns if lists else _texts), required=required, about=about)


def sets(name: str, *, many: bool = False, required: bool = True, about: str = "") -> Input:
    """An input of n strings, or of n sets or lists of labels; with `many`, of n lists of these, too."""
    return Input(name, _SETS_OF_EACH if many else _SETS, many, required, about)


def spans(name: str, *, many: bool = False, required: bool = True, about: str = "") -> Input:
    """An input of n answers, each a string or a list of strings; with `many`, of n lists of these, too.

    With `many`, a list of strings is one answer if predictions are lists, and several answers otherwise.
    """
    return Input(name, _SPANS_OF_EACH if many else _SPANS, many, required, about)


def number_rows(name: str, *, or_texts: bool = False, required: bool = True, about: str = "") -> Input:
    """An input of n lists of numbers; with `or_texts`, also of n strings."""
    return Input(name, Kind("numbers", _numbers_or_texts if or_texts else _numbers), required=required, about=about)


AS_GIVEN = "as-given"  # the Unicode form of texts that are not changed

REFERENCES = texts("references", many=True, about="the metric compares texts with them")


def segments_of(inputs: tuple[Input, ...], given: Mapping[str, Any], owner: str) -> Segments:
    """The segments of what is given for some inputs, of which the first is "predictions".

    References are also checked and kept if they are no input. What is missing is refused when it is scored. Messages
    begin with `owner`.

    Raises
    ------
    InputError
        If rows are of another kind, the counts differ, or something is given that is no input.

    Examples
    --------
    >>> segments_of((texts("predictions"), texts("sources")), {"predictions": ["a"], "sources": ["b"]}, "Sari")
    Segments(1 of predictions, sources)
    """
    left = dict(given)
    for each in (*inputs, REFERENCES):
        left.pop(each.name, None)
    if left:
        name = next(iter(left))
        raise InputError(f"{owner}: there is no input {name!r}; {instead_of(name, [each.name for each in inputs])}")
    columns: dict[str, Column] = {}
    for each in (*inputs, REFERENCES):
        values = given.get(each.name)
        if each.name not in columns and (values is not None or not columns):
            columns[each.name] = each.kind.make(values, each.name, owner, columns)
    return Segments.of_columns(columns, owner)


def given_to(scorer: Any, predictions: Any, references: Any, inputs: Mapping[str, Any]) -> Segments:
    """The segments of what a scorer is given, in its Unicode form; a ``Segments`` as it is."""
    if not isinstance(predictions, Segments):
        given = {"predictions": predictions, "references": references, **inputs}
        return in_form(scorer, segments_of(scorer.inputs, given, scorer._label))
    if others := [*(["references"] if references is not None else []), *inputs]:
        raise InputError(f"{scorer._label}: `predictions` is a Segments, which holds `{others[0]}`; leave it out.")
    return predictions


def in_form(scorer: Any, segments: Segments) -> Segments:
    """The segments in the Unicode form of the scorer, before the first step of its reading."""
    form: Any = getattr(scorer, "unicode", AS_GIVEN)
    return segments if form == AS_GIVEN else segments.in_form(form)


def holds_groups(segments: Segments) -> bool:
    """Whether the segments are groups of texts."""
    return isinstance(segments.predictions, Groups)


def single_texts(segments: Segments) -> Segments:
    """The texts of all groups, each as a segment without references; the segments themselves if there are no groups."""
    if not holds_groups(segments):
        return segments
    return segments.memoize(("single texts",), lambda: Segments.of_columns({"predictions": Text(segments.texts())}))


def spans_of(column: Column, by_lines: bool, owner: str, argument: str) -> list[list[str]]:
    """The spans of each entry of a column: the items of a list; a text, or the lines of it that are not empty.

    Raises an InputError if an item is no text.

    Examples
    --------
    >>> spans_of(Items.of([["a", "b"], []]), False, "Cuad", "predictions")
    [['a', 'b'], []]
    """
    if not isinstance(column, Items):
        assert isinstance(column, Text)
        texts = column.strings.to_pylist()
        return (
            [[line for line in text.split("\n") if line] or [""] for text in texts]
            if by_lines
            else [[text] for text in texts]
        )
    for each in column.types:
        if not isinstance(each, str):
            raise InputError(f"{owner}: `{argument}` have the span {with_type(each)}; a text is expected.")
    types, limits = [str(each) for each in column.types], column.item_offsets.tolist()
    ids = column.ids.tolist()
    return [[types[code] for code in ids[start:stop]] for start, stop in pairwise(limits)]
