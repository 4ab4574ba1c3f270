"""The vectors of texts, each computed once for all scorers, systems and settings of a run."""

from __future__ import annotations

import hashlib
import io
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from metrologue.errors import InputError, checked_int, shown
from metrologue.files.regular import MOST_WEIGHTS, read_regular
from metrologue.files.wholeness import UNREADABLE, zipped_arrays
from metrologue.representations.base import Encoder, Matrix, TokenVectors, joined
from metrologue.writing import write_whole

_MOST_BYTES = 1 << 30
_AT_ONCE = 4096  # texts that are encoded before they are kept
_ARRAYS = ("vectors", "offsets", "ids", "spans", "counted", "left_out")
_POOLED = -1  # the layer under which the vectors of whole texts are kept

Key = tuple[str, int, str]


class VectorStore:
    """Vectors by encoder, layer and text, float32.

    Parameters
    ----------
    folder : path, optional
        Where vectors are also kept on disk, so that other processes and later runs find them. The encoder's digest is
        in the names of the files.
    most_bytes : int
        The memory for vectors; the oldest ones are dropped first.

    Raises
    ------
    InputError
        If the folder cannot be made, or a number is out of range.

    Examples
    --------
    >>> from metrologue.representations import FunctionEncoder
    >>> asked = []
    >>> def vectors(texts):
    ...     asked.extend(texts)
    ...     return [[[1.0]] * len(text) for text in texts]
    >>> store, encoder = VectorStore(), FunctionEncoder("letters", vectors, "1")
    >>> store.tokens(encoder, ["ab", "c", "ab"], (0,)).offsets
    array([0, 2, 3, 5])
    >>> _ = store.tokens(encoder, ["c", "ab"], (0,))
    >>> asked
    ['ab', 'c']
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, most_bytes: int = _MOST_BYTES) -> None:
        self._most = checked_int("VectorStore: `most_bytes`", most_bytes, 0, 1 << 60)
        self._folder = None if folder is None else Path(folder)
        self._lock = threading.RLock()
        self._blocks: dict[int, tuple[list[Key], TokenVectors]] = {}
        self._places: dict[Key, tuple[int, int]] = {}
        self._read: set[str] = set()
        self._made = 0
        if self._folder is not None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"VectorStore: {shown(str(folder))} is no folder to write in: {error}.") from error

    @property
    def nbytes(self) -> int:
        """The size of all vectors in memory, in bytes."""
        return sum(block.nbytes for _, block in self._blocks.values())

    def tokens(self, encoder: Encoder, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors of the tokens of each text, on these layers.

        Raises
        ------
        InputError
            If the encoder has no such layer, refuses a text, or gives a number that is not finite.
        """
        for layer in layers:
            if not 0 <= layer <= encoder.layers:
                raise InputError(f"{encoder.name} has the layers 0 to {encoder.layers}, and no layer {layer}.")
        with self._lock:
            of_layers = self._of_layers(encoder, texts, tuple(layers))
        if len(layers) == 1:
            return of_layers[0]
        vectors = np.concatenate([each.vectors for each in of_layers])
        return replace(of_layers[0], layers=tuple(layers), vectors=vectors)

    def texts(self, encoder: Encoder, texts: Sequence[str]) -> Matrix:
        """One vector for each text, float32 (n, width). Raises as ``tokens``."""
        with self._lock:
            [pooled] = self._of_layers(encoder, texts, (_POOLED,))
        return np.asarray(pooled.vectors[0])

    def _of_layers(self, encoder: Encoder, texts: Sequence[str], layers: tuple[int, ...]) -> list[TokenVectors]:
        """The vectors of each layer."""
        name = encoder.name  # which looks whether a loaded model has changed
        self._load(name)
        missing = [*dict.fromkeys(t for t in texts if any((name, n, t) not in self._places for n in layers))]
        for first in range(0, len(missing), _AT_ONCE):
            self._keep(encoder, missing[first : first + _AT_ONCE], layers)
        gathered = [self._gathered(name, texts, layer) for layer in layers]
        self._shrink()
        return gathered

    def _gathered(self, name: str, texts: Sequence[str], layer: int) -> TokenVectors:
        runs: list[list[int]] = []  # neighbours in a block are taken together
        for text in texts:
            block, place = self._places[name, layer, text]
            if runs and runs[-1][0] == block and runs[-1][2] == place:
                runs[-1][2] = place + 1
            else:
                runs.append([block, place, place + 1])
        if not runs:
            return replace(TokenVectors.of_texts([]), layers=(layer,))
        return joined([self._blocks[block][1].part(start, stop) for block, start, stop in runs])

    def _keep(self, encoder: Encoder, texts: list[str], layers: tuple[int, ...]) -> None:
        """Encode texts, and keep the vectors of each layer."""
        if layers == (_POOLED,):
            matrix = np.ascontiguousarray(encoder.encode_texts(texts), np.float32)
            made = replace(TokenVectors.of_texts([row[None] for row in matrix]), layers=layers)
        else:
            made = encoder.encode_tokens(texts, layers)
        name = encoder.name
        _check_finite(name, texts, made)
        for layer in layers:
            block = made.of_layer(layer)
            self._add(name, layer, texts, block)
            if self._folder is not None:
                self._write(name, layer, texts, block)

    def _add(self, name: str, layer: int, texts: Sequence[str], block: TokenVectors) -> None:
        keys = [(name, layer, text) for text in texts]
        self._made += 1
        self._blocks[self._made] = keys, block
        self._places.update({key: (self._made, place) for place, key in enumerate(keys)})

    def _shrink(self) -> None:
        """Drop the oldest blocks until the others fit."""
        while self._blocks and self.nbytes > self._most:
            number = next(iter(self._blocks))
            keys, _ = self._blocks.pop(number)
            for key in keys:
                if self._places.get(key, (0,))[0] == number:
                    del self._places[key]

    def _file(self, name: str, layer: int, texts: Sequence[str]) -> Path:
        assert self._folder is not None
        digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
        return self._folder / f"{_safe(name)}-{layer}-{digest}.npz"

    def _write(self, name: str, layer: int, texts: Sequence[str], block: TokenVectors) -> None:
        encoded = [text.encode() for text in texts]
        arrays = {each: getattr(block, each) for each in _ARRAYS}
        limits = np.cumsum([0, *map(len, encoded)])
        letters = np.frombuffer(b"".join(encoded), np.uint8)
        content = io.BytesIO()
        np.savez(content, texts=letters, limits=limits, name=np.frombuffer(name.encode(), np.uint8), **arrays)
        write_whole(self._file(name, layer, texts), content.getvalue())

    def _load(self, name: str) -> None:
        """Read what the folder has for an encoder, once."""
        if self._folder is None or name in self._read:
            return
        self._read.add(name)
        for path in sorted(self._folder.glob(f"{_safe(name)}-*.npz")):
            layer = int(path.stem.removeprefix(_safe(name))[1:].rpartition("-")[0])
            try:
                file = zipped_arrays(read_regular(path, "VectorStore", MOST_WEIGHTS))
                arrays = {each: file[each] for each in _ARRAYS}
                letters, limits, whose = file["texts"].tobytes(), file["limits"], file["name"].tobytes().decode()
            except UNREADABLE as error:
                raise InputError(f"VectorStore: {path} holds no vectors: {error}; delete it.") from error
            if whose == name:
                texts = [letters[a:b].decode() for a, b in pairwise(limits)]
                self._add(name, layer, texts, TokenVectors(layers=(layer,), **arrays))


def _safe(name: str) -> str:
    """The name of an encoder as a part of the name of a file."""
    return "".join(each if each.isalnum() or each in "._@+-" else "_" for each in name)


def _check_finite(name: str, texts: Sequence[str], made: TokenVectors) -> None:
    """Raise an InputError that names the first text with a number that is NaN or infinite."""
    rows = np.isfinite(made.vectors).all(axis=(0, 2))
    if not rows.all():
        index = int(np.searchsorted(made.offsets, np.flatnonzero(~rows)[0], "right")) - 1
        raise InputError(
            f"{name} gives a number that is not finite for the text {shown(texts[index])}, or for one in its batch; "
            "give dtype='float32', or a sound model."
        )


@cache
def vector_store() -> VectorStore:
    """The store that scorers use. It also keeps vectors on disk if ``$METROLOGUE_VECTORS`` names a folder."""
    return VectorStore(os.environ.get("METROLOGUE_VECTORS") or None)
