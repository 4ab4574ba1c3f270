"""What was measured on parts that were held out, kept in a file, so that a measuring that was ended goes on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.files.regular import MOST_WEIGHTS, read_regular
from metrologue.learned.examples import Examples
from metrologue.learned.tensors import tensors_from, tensors_to
from metrologue.writing import write_whole

_SUFFIX, _DATA = ".measured", ".data"


def measuring_file(checkpoint: str | os.PathLike[str] | None) -> Path | None:
    """The file of the measuring, beside that of the training."""
    return None if checkpoint is None else Path(checkpoint).with_suffix(_SUFFIX)


def check_same_data(checkpoint: str | os.PathLike[str], examples: Any) -> None:
    """Refuse to go on with a training that was begun with other examples, with an InputError.

    Their digest lies beside its file.

    Parameters
    ----------
    checkpoint : path
        The file of the training, if it has been begun.
    """
    path = Path(checkpoint)
    content = json.dumps(asdict(examples), default=lambda array: array.tolist(), sort_keys=True)
    digest, kept = hashlib.sha256(content.encode()).hexdigest()[:16], path.with_suffix(_DATA)
    begun = any(path.parent.glob(f"{path.stem}*{path.suffix}"))
    if begun and kept.exists() and kept.read_bytes() != digest.encode():
        raise InputError(f"train: {path} is of a training with other data; give the same data, or delete it.")
    write_whole(kept, digest.encode())


def digest_of(settings: object, *columns: Examples | Floats) -> str:
    """What identifies a measuring: its settings, as they are shown, the texts with their targets, and features.

    Examples
    --------
    >>> digest_of("ridge", np.zeros(2)) == digest_of("ridge", np.zeros(2)) != digest_of("ridge", np.ones(2))
    True
    """
    state = hashlib.sha256(repr(settings).encode())
    for column in columns:
        if isinstance(column, Examples):
            told: Any = (column.predictions, column.references, column.groups, column.contexts, column.systems)
            state.update(repr(told).encode("utf-8", "surrogatepass"))
            column = column.targets
        state.update(np.ascontiguousarray(column).tobytes())
    return state.hexdigest()[:16]


class FinishedParts:
    """The numbers of each part that is done.

    Raises an InputError if the file is damaged or of another measuring.

    Parameters
    ----------
    path : path or None
        The file, which is written after each part. None: nothing is kept.
    digest : str
        What identifies the measuring, as ``digest_of`` gives it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "numbers"
    >>> FinishedParts(path, "a").numbers("part 1", lambda: np.array([1.0]))
    array([1.])
    >>> FinishedParts(path, "a").numbers("part 1", lambda: 1 / 0)
    array([1.])
    """

    def __init__(self, path: str | os.PathLike[str] | None, digest: str) -> None:
        self._path, self._digest = None if path is None else Path(path), digest
        self._numbers: dict[str, Floats] = {}
        if self._path is not None and self._path.exists():
            self._numbers, told = tensors_from(read_regular(self._path, "train", MOST_WEIGHTS), shown(str(self._path)))
            if json.loads(told.get("measuring", "{}")).get("digest") != digest:
                raise InputError(f"train: {self._path} is of another measuring, of other data or settings; delete it.")

    def numbers(self, part: str, make: Callable[[], Floats]) -> Floats:
        """The numbers of a part: the known ones, or those that `make` gives."""
        if part not in self._numbers:
            self._numbers[part] = np.asarray(make(), np.float64)
            if self._path is not None:
                about = {"measuring": json.dumps({"digest": self._digest})}
                write_whole(self._path, tensors_to(self._numbers, about, sealed=True))
        return self._numbers[part]
