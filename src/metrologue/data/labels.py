"""A column of labels: one int, str or bool for each segment, as a number of its type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Ids, Offsets
from metrologue.data.arrow import is_arrow, pa
from metrologue.data.columns import Column
from metrologue.data.intake import as_text, listed, with_type
from metrologue.data.strings import of_numbers
from metrologue.errors import InputError
from metrologue.threads import Memo

# All labels of a column, and of the columns that are compared with it, have one of these types.
Label = int | str | bool

# Up to this span, or twice the number of labels, each int from the least to the greatest has a place in a table.
_SPAN = 1 << 16
_EXPECTED = "a label must be an int, a str or a bool"


class Labels(Column):
    """One label for each segment.

    Parameters
    ----------
    codes : int32 (n,)
        The index of each label in `types`.
    types : sequence of label
        Each distinct label once, in ascending order. All are int, all are str or all are bool.

    Examples
    --------
    >>> column = Labels.of([3, 1, 3])
    >>> column.codes, column.types
    (array([1, 0, 1], dtype=int32), [1, 3])
    """

    def __init__(self, codes: Ids, types: Sequence[Label]) -> None:
        self.shared = False
        self._memo = Memo()
        self.codes = codes
        self.types = types

    @cached_property
    def offsets(self) -> Offsets:  # type: ignore[override]  # made only if it is needed
        """Each segment has one entry, (n + 1,)."""
        return np.arange(len(self.codes) + 1)

    @classmethod
    def of(cls, values: Any, argument: str = "predictions", owner: str = "Labels") -> Self:
        """The column of these labels: a list, a NumPy array, a pandas Series, an Arrow array or another sequence.

        Floats that are whole, such as 1.0, are ints. If ints and bools are mixed, True is 1.

        Raises
        ------
        InputError
            If a label is a float that is not whole, NaN, None or of another type; if there are strings and numbers.
        """
        array = values
        if not isinstance(array, np.ndarray):
            if hasattr(values, "detach"):  # a tensor, perhaps of a GPU; NumPy has no bfloat16
                values = values.detach().cpu()
                array = np.array(values.tolist()) if "bfloat16" in str(values.dtype) else values.numpy()
            elif hasattr(values, "to_numpy") and not is_arrow(values):
                array = values.to_numpy()
        if is_arrow(values) and pa.types.is_integer(values.type) and not values.null_count:
            array = values.to_numpy() if isinstance(values, pa.ChunkedArray) else values.to_numpy(zero_copy_only=False)
        if isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype.kind in "iufb":
            return cls(*_of_numbers(array, argument, owner))
        return cls._of_list(listed(values, argument, owner, of="labels"), argument, owner)

    @classmethod
    def others(cls, predictions: Any, owner: str) -> Self:
        return cls.of(predictions, "predictions", owner)

    @classmethod
    def _of_list(cls, values: list[Any] | pa.Array, argument: str, owner: str) -> Self:
        if is_arrow(values):
            return cls(*encoded(as_text(values, argument, owner)))
        kinds = set(map(type, values))
        if all(issubclass(kind, str) for kind in kinds):
            return cls(*encoded(as_text(values, argument, owner)))
        if not all(issubclass(kind, (int, float, np.number, np.bool_)) for kind in kinds):
            # Arrays and tensors without dimensions, as a loop over a tensor gives them.
            plain = [each.item() if getattr(each, "ndim", None) == 0 else each for each in values]
            if kinds == {*map(type, plain)}:
                raise _refused(values, argument, owner)
            return cls._of_list(plain, argument, owner)
        if any(issubclass(kind, (float, np.floating)) for kind in kinds):
            return cls(*_of_numbers(np.array(values, np.float64), argument, owner))
        flags = all(issubclass(kind, (bool, np.bool_)) for kind in kinds)
        try:  # twice as quick as np.array, which looks for lists among the values first
            array: NDArray[Any] = np.fromiter(values, np.bool_ if flags else np.int64, len(values))
        except OverflowError:
            at = next(i for i, value in enumerate(values) if not -(2**63) <= value < 2**63)
            raise InputError(
                f"{owner}: `{argument}[{at}]` is {with_type(values[at])}; an int of 64 bits is expected."
            ) from None
        return cls(*_of_numbers(array, argument, owner))

    def __len__(self) -> int:
        return len(self.codes)

    def count(self, label: Label) -> int:
        """How many segments have a label."""
        places = [place for place, each in enumerate(self.types) if each == label]
        return int(np.isin(self.codes, places).sum())

    @property
    def entry_count(self) -> int:
        return len(self.codes)

    @property
    def ends(self) -> Offsets:
        return np.arange(1, len(self) + 1) * self.codes.itemsize

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes

    def entries(self, segment: int) -> list[Label]:
        return [self.types[self.codes[segment]]]

    def part(self, start: int, stop: int) -> Self:
        return type(self)(self.codes[start:stop], self.types)

    def take(self, indices: NDArray[np.int64]) -> Self:
        return type(self)(self.codes[indices], self.types)

    def _cut(self, first: int, last: int, offsets: Offsets) -> Self:
        return self.part(first, last)

    def _taken(self, rows: NDArray[np.int64], offsets: Offsets) -> Self:
        return self.take(rows)


def refuse_logits(values: Any, argument: str, owner: str) -> None:
    """Raise an InputError for floats of two dimensions or more in the place of labels: what a model gives each class.

    Examples
    --------
    >>> refuse_logits(np.array([[0.1, 0.9]]), "predictions", "Accuracy")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Accuracy: `predictions` are a 2-D array of floats, such as logits; take \
`.argmax(-1)`.
    """
    whole, found = values, argument
    if isinstance(values, (list, tuple)) and len(values):
        if getattr(values[0], "ndim", 0) > 1 and isinstance(values, tuple):  # what a model gives beside its logits
            whole, found = values[0], f"{argument}[0]"
        row = _first_row(values[0])
        if whole is values and _is_float(row, deep=row is not values[0]):
            dimensions = 2 + (row is not values[0])
            raise _of_logits(owner, argument, found, dimensions, "list")
    dimensions = getattr(whole, "ndim", 1)
    if isinstance(dimensions, int) and dimensions > 1 and "float" in str(getattr(whole, "dtype", "")):
        raise _of_logits(owner, argument, found, dimensions, "array")


def _first_row(row: Any) -> Any:
    """The numbers of a row, or of the first one in it."""
    while isinstance(row, (list, tuple)) and len(row) and isinstance(row[0], (list, tuple)):
        row = row[0]
    return row


def _is_float(row: Any, deep: bool) -> bool:
    """Whether a row of a list has floats that are no labels; a row of a list of lists has none that are."""
    if "float" in str(getattr(row, "dtype", "")):
        return getattr(row, "ndim", 0) > 0
    entries = row if isinstance(row, (list, tuple)) else ()
    return any(isinstance(each, (float, np.floating)) and (deep or each != np.floor(each)) for each in entries)


def _of_logits(owner: str, argument: str, found: str, dimensions: int, kind: str) -> InputError:
    taken = f"`{found}.argmax(-1)`" if found != argument else "`.argmax(-1)`"
    return InputError(f"{owner}: `{argument}` are a {dimensions}-D {kind} of floats, such as logits; take {taken}.")


def _refused(values: list[Any], argument: str, owner: str) -> InputError:
    for at, value in enumerate(values):
        if not isinstance(value, (str, int, float, np.number, np.bool_)):
            return InputError(f"{owner}: `{argument}[{at}]` is {with_type(value)}; {_EXPECTED}.")
        if isinstance(value, str) != isinstance(values[0], str):
            break
    return InputError(
        f"{owner}: `{argument}[{at}]` is {with_type(value)}, but the first label is {with_type(values[0])}; "
        "all labels must be numbers, or all must be str."
    )


def _of_numbers(values: NDArray[Any], argument: str, owner: str) -> tuple[Ids, list[Label]]:
    if values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = (values == np.floor(values)) & (np.abs(values) < 2**63)
        if not whole.all():
            at = int(np.argmin(whole))
            raise InputError(f"{owner}: `{argument}[{at}]` is {with_type(values[at].item())}; {_EXPECTED}.")
        values = values.astype(np.int64)
    if not len(values):
        return np.zeros(0, np.int32), []
    least, greatest = int(values.min()), int(values.max())
    if greatest >= 2**63:
        at = int(np.argmax(values))
        raise InputError(f"{owner}: `{argument}[{at}]` is int {greatest}; an int of 64 bits is expected.")
    if greatest - least >= max(_SPAN, 2 * len(values)):
        return encoded(of_numbers(values.astype(np.int64)))
    is_bool = values.dtype.kind == "b"
    places = values.view(np.int8) if is_bool else values
    if least:
        places = places.astype(np.int64) - least
    seen = np.zeros(greatest - least + 1, np.bool_)
    seen[places] = True
    numbers = (np.flatnonzero(seen) + least).tolist()
    found: list[Label] = [bool(each) for each in numbers] if is_bool else [*numbers]
    codes = places if seen.all() else (np.cumsum(seen) - 1).astype(np.int32)[places]
    return codes.astype(np.int32, copy=False), found


def encoded(values: pa.Array) -> tuple[Ids, list[Label]]:
    """The codes of texts or ints, an Arrow array without nulls, and each distinct one in ascending order.

    Examples
    --------
    >>> encoded(pa.array(["b", "a", "b"]))
    (array([1, 0, 1], dtype=int32), ['a', 'b'])
    """
    dictionary = values.dictionary_encode()
    types = dictionary.dictionary.to_pylist()
    order = sorted(range(len(types)), key=types.__getitem__)
    ranks = np.empty(len(types), np.int32)
    ranks[order] = np.arange(len(types), dtype=np.int32)
    return ranks[np.from_dlpack(dictionary.indices)], [types[i] for i in order]
