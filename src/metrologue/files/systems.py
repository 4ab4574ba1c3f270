"""The texts of many systems from one file, whose rows name their system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from metrologue.errors import InputError, number_of
from metrologue.files.packed import Path
from metrologue.files.parts import read_segments


def read_systems(
    path: Path,
    references: Sequence[Path],
    system_key: str,
    *,
    prediction_key: str | None = None,
    reference_key: str | None = None,
    plain: bool = False,
) -> tuple[dict[str, pa.Array], pa.Array | None]:
    """The texts of each system, in the order of the file, and their references.

    Parameters
    ----------
    path : str or path
        JSON Lines or a table, with a row for each text of each system. The rows of each system are in the same order.
    references : sequence of paths
        Files with a reference for each segment; or the same rows again, whose references must be equal for all systems.
    system_key, prediction_key, reference_key : str
        The keys, or columns, of the system, of the text and of the reference.
    plain : bool
        As for ``read_segments``.

    Returns
    -------
    (dict of str to pyarrow.Array, pyarrow.Array or None)

    Raises
    ------
    InputError
        If the systems do not have the same number of texts, or if their references differ; or as for ``read_segments``.
    """
    [named], _ = read_segments([path], [], prediction_key=system_key, plain=plain)
    [texts], _ = read_segments([path], [], prediction_key=prediction_key, plain=plain)
    names = np.array(named.to_pylist(), object)
    places = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
    first = next(iter(places), "")
    for name, own in places.items():
        if len(own) != len(places[first]):
            counts = f"{first} has {number_of(len(places[first]), 'text')}, but {name} {len(own)}"
            raise InputError(f"{path}: {counts}; each system needs a text for each segment.")
    systems = {name: texts.take(pa.array(own)) for name, own in places.items()}
    if not references:
        return systems, None
    # A file of references is read as a column of predictions, so that its length is its own.
    columns = [
        read_segments([each], [], prediction_key=reference_key, groups=True, plain=plain)[0][0] for each in references
    ]  # fmt: skip
    if any(len(each) not in (len(texts), len(places.get(first, ()))) for each in columns):
        told = ", ".join(number_of(len(each), "reference") for each in columns)
        raise InputError(f"{path}: {number_of(len(places.get(first, ())), 'segment')} of each system, but {told}.")
    aligned = [_of_segments(column, places, path) if len(column) == len(texts) else column for column in columns]
    if len(aligned) == 1:
        return systems, aligned[0]
    return systems, pa.array([[*each] for each in zip(*(column.to_pylist() for column in aligned), strict=True)])


def _of_segments(column: pa.Array, places: dict[str, np.ndarray], path: Path) -> pa.Array:
    """The references of the first system, which must be those of all others."""
    taken = {name: column.take(pa.array(own)) for name, own in places.items()}
    first, found = next(iter(taken.items()))
    for name, own in taken.items():
        if not own.equals(found):
            index = next(i for i in range(len(own)) if own[i] != found[i])
            raise InputError(
                f"{path}: the references of segment {index}, counted from 0, differ between {first} and {name}; the "
                "rows of each system must be in the same order."
            )
    return found
