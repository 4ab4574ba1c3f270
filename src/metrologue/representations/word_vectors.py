"""Word vectors: one vector for each word, whatever its context (Mikolov et al. 2013, Pennington et al. 2014).

A text file is read once and kept in the cache, as arrays that are mapped into memory. Nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise, starmap
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.cache import kept, told_if_long
from metrologue.data.strings import of_strings
from metrologue.errors import InputError, shown
from metrologue.files.regular import MOST_WEIGHTS, check_regular, open_regular, read_regular
from metrologue.files.values import whole_of_text
from metrologue.files.wholeness import check_array
from metrologue.language_models.loaded_digest import name_in_signature
from metrologue.representations.base import Matrix, TokenVectors, spans_in
from metrologue.text.lexicon.file_digest import digest
from metrologue.text.tokenizers import canonical_name, get_tokenizer

_SHOWN = 12
_TOKENIZER = "13a"
_BLOCK = 1 << 24  # bytes of a text file that are looked at to tell what it is


class WordVectors:
    """An encoder that gives each word its vector, from a file.

    Parameters
    ----------
    path : str or path
        A text file of GloVe, word2vec or fastText (``.vec``); a binary file of word2vec; a ``.npy`` file (words, width)
        with a ``.parquet`` file beside it that has the words in its first column; or a folder with these two.
    tokenizer : str
        How a text is cut, as `metrologue list tokenizers` shows.
    lowercase : bool
        Whether to apply ``str.lower()`` first.

    Attributes
    ----------
    name : str
        The name of the file with the digest of its content, and what is not the default:
        "glove.6B.50d.txt@06dcd770684d+nist+cased".
    words : Arrow array of n large_string
    vectors : float32 (n, width)
    layers : int
        0.

    Raises
    ------
    InputError
        If the path holds no word vectors, or its parts do not fit together.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "small.txt"
    >>> _ = path.write_text("cat 1 0\\ndog 0 1\\n")
    >>> encoder = WordVectors(path)
    >>> encoder.encode_tokens(["A cat"], (0,)).vectors
    array([[[0., 0.],
            [1., 0.]]], dtype=float32)
    """

    layers = 0

    def __init__(self, path: str | os.PathLike[str], tokenizer: str = _TOKENIZER, lowercase: bool = True) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise InputError(f"WordVectors: `path` is {shown(path)}; a path is expected.")
        place = Path(os.fsdecode(path))
        files = _files(place)
        content = digest(files)
        if len(files) == 2:
            self.vectors, self.words = _arrays(*files)
        else:
            self.vectors, self.words = _kept(place, content)
        self._set(f"{name_in_signature(place.name)}@{content}", tokenizer, lowercase)

    def _set(self, name: str, tokenizer: str, lowercase: bool) -> None:
        if len(self.words) != len(self.vectors):
            raise InputError(f"{name} has {len(self.words)} words, but {len(self.vectors)} vectors.")
        tokenizer = canonical_name(tokenizer)
        self._tokenizer, self._lowercase = get_tokenizer(tokenizer), lowercase
        marks = {name_in_signature(tokenizer): tokenizer != _TOKENIZER, "cased": not lowercase}
        self.name = "+".join([name, *(mark for mark, told in marks.items() if told)])

    @classmethod
    def of_keyed_vectors(
        cls, keyed: Any, name: str = "keyed-vectors", tokenizer: str = _TOKENIZER, lowercase: bool = True
    ) -> Self:
        """The encoder of gensim's ``KeyedVectors``, which the caller has loaded.

        Raises
        ------
        InputError
            If the object has no ``index_to_key`` and ``vectors``.
        """
        words, vectors = getattr(keyed, "index_to_key", None), getattr(keyed, "vectors", None)
        if words is None or vectors is None:
            raise InputError(f"WordVectors: `keyed` is {shown(keyed)}; KeyedVectors of gensim are expected.")
        made = cls.__new__(cls)
        made.words, made.vectors = of_strings([*words]), np.asarray(vectors, np.float32)
        content = hashlib.sha256("\n".join(words).encode() + made.vectors.tobytes()).hexdigest()[:_SHOWN]
        made._set(f"{name_in_signature(name)}@{content}", tokenizer, lowercase)
        return made

    @cached_property
    def _rows(self) -> dict[str, int]:
        """The row of each word; of the first one, if a word comes twice."""
        words: list[str] = self.words.to_pylist()
        return {word: row for row, word in reversed([*enumerate(words)])}

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vector of each token; zeros and the id -1 for a word that is not in the file.

        Raises
        ------
        InputError
            If another layer than 0 is asked for.
        """
        for layer in layers:
            if layer != 0:
                raise InputError(f"{self.name} has one layer, 0, and no layer {layer}.")
        lowered = [text.lower() for text in texts] if self._lowercase else [*texts]
        tokens = self._tokenizer(of_strings(lowered))
        spelled = tokens.spellings()
        rows = self._places(spelled)
        ids = rows[tokens.ids]
        numbers = tokens.ids.tolist()
        forms = ([spelled[i] for i in numbers[a:b]] for a, b in pairwise(tokens.offsets.tolist()))
        return TokenVectors(
            layers=tuple(layers),
            vectors=np.repeat(self._at(rows)[tokens.ids][None], len(layers), axis=0),
            offsets=tokens.offsets,
            ids=ids,
            spans=np.concatenate([np.zeros((0, 2), np.int64), *starmap(spans_in, zip(lowered, forms, strict=True))]),
            counted=np.ones(len(ids), np.bool_),
            left_out=np.zeros(len(texts), np.int64),
        )

    def of_words(self, words: Sequence[str]) -> tuple[Matrix, NDArray[np.bool_]]:
        """The vectors of words as they are spelled, (n, width), and whether the file has each; zeros for one that it
        lacks.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> keyed = SimpleNamespace(index_to_key=["cat", "dog"], vectors=np.eye(2))
        >>> WordVectors.of_keyed_vectors(keyed).of_words(["dog", "Cat"])
        (array([[0., 1.],
               [0., 0.]], dtype=float32), array([ True, False]))
        """
        rows = self._places(words)
        return self._at(rows), rows >= 0

    def _places(self, words: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self._rows.get(word, -1) for word in words], np.int64)

    def _at(self, rows: NDArray[np.int64]) -> Matrix:
        """The vectors of these rows; zeros for -1."""
        vectors = np.asarray(self.vectors[rows]) * (rows >= 0)[:, None] if len(rows) else np.zeros((0, self.width))
        return vectors.astype(np.float32)

    @property
    def width(self) -> int:
        """The numbers in a vector."""
        return int(self.vectors.shape[1])

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """The mean of the vectors of each text's known words; zeros for a text without any."""
        tokens = self.encode_tokens(texts, (0,))
        limits = [*pairwise(tokens.offsets.tolist())]
        counts = np.array([(tokens.ids[a:b] >= 0).sum() for a, b in limits])
        sums = np.array([tokens.vectors[0, a:b].sum(axis=0) for a, b in limits]).reshape(len(texts), self.width)
        return np.asarray(sums / np.maximum(counts, 1)[:, None], np.float32)

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [*self._tokenizer(of_strings([text.lower() if self._lowercase else text])).of_text(0)]


def _files(place: Path) -> list[Path]:
    """The file of word vectors, or the ``.npy`` file and the ``.parquet`` file of its words."""
    if place.is_dir():
        matrices = sorted(place.glob("*.npy"))
        if len(matrices) != 1:
            raise InputError(f"WordVectors: {place} has {len(matrices)} .npy files; one is expected.")
        place = matrices[0]
    if not place.is_file():
        raise InputError(f"WordVectors: there is no file {place}.")
    if place.suffix != ".npy":
        return [place]
    beside = place.with_suffix(".parquet")
    words = [beside] if beside.is_file() else [*place.parent.glob("*.parquet")]
    if len(words) != 1:
        raise InputError(f"WordVectors: beside {place} are {len(words)} .parquet files with words; one is expected.")
    return [place, words[0]]


def _arrays(matrix: Path, words: Path) -> tuple[Matrix, pa.LargeStringArray]:
    """The vectors of a ``.npy`` file, which is mapped into memory, and the words of a ``.parquet`` file."""
    import pyarrow.parquet

    check_regular(words, "WordVectors")
    try:
        with open_regular(matrix, "WordVectors") as file:
            check_array(file, os.fstat(file.fileno()).st_size)
        vectors = np.load(matrix, mmap_mode="r", allow_pickle=False)
        column = pyarrow.parquet.read_table(words).column(0).cast(pa.large_string())
    except (OSError, ValueError, IndexError, ArithmeticError, pa.ArrowException) as error:
        raise InputError(f"WordVectors: {matrix} and {words} cannot be read: {error}.") from error
    if vectors.ndim != 2 or vectors.dtype.kind != "f":
        raise InputError(
            f"WordVectors: {matrix} has {vectors.dtype} {vectors.shape}; floats (words, width) are expected."
        )
    return vectors, column.combine_chunks()


def _kept(place: Path, content: str) -> tuple[Matrix, pa.LargeStringArray]:
    """The words and vectors of a file that is no array: from the cache, otherwise read and put there."""

    def make() -> memoryview:
        with told_if_long(f"reading the word vectors of {place}"):
            words, vectors = _read(place)
        flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel(), pa.float32()), vectors.shape[1])
        table = pa.table({"word": words, "vector": flat})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        return memoryview(sink.getvalue())

    table = pa.ipc.open_file(pa.py_buffer(kept(f"vectors/{content}.arrow", make))).read_all()
    combined = (table.column(name).combine_chunks() for name in ("vector", "word"))
    vectors, words = (each.chunk(0) if isinstance(each, pa.ChunkedArray) else each for each in combined)
    return np.asarray(vectors.flatten()).reshape(len(vectors), -1), words


def _read(place: Path) -> tuple[pa.LargeStringArray, Matrix]:
    """The words and vectors of a text file, or of a binary file of word2vec."""
    with open_regular(place, "WordVectors") as file:
        first = file.readline(_BLOCK).split()
        start = file.read(4096)
    sizes = [whole_of_text(part.decode("latin-1")) for part in first]
    header = [size for size in sizes if size is not None] if len(sizes) == 2 and None not in sizes else None
    if header and not _is_text(start):
        return _binary(place, *header)
    if not header and not _is_text(b" ".join(first)[:4096] + b"\n" + start):
        raise InputError(f"WordVectors: {place} holds no word vectors.")
    return _text(place, header)


def _is_text(start: bytes) -> bool:
    """Whether lines of a word and numbers begin here."""
    line = start.splitlines()[0] if start else b""
    try:
        float(line.split()[1])
    except (IndexError, ValueError):
        return False
    return b"\0" not in start


def _text(place: Path, header: list[int] | None) -> tuple[pa.LargeStringArray, Matrix]:
    """The lines of a text file. The width is that of the header, otherwise that of the first line."""
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    width = header[1] if header else 0
    with open_regular(place, "WordVectors") as file:
        if header:
            file.readline()
        for number, line in enumerate(iter(lambda: file.readline(_BLOCK), b""), start=2 if header else 1):
            if len(line) == _BLOCK:
                raise InputError(f"WordVectors: line {number} of {place} has more than {_BLOCK:,} bytes.")
            parts = line.rstrip().rsplit(b" ", width) if width else line.split(b" ")
            width = width or len(parts) - 1
            try:
                row = np.array(parts[1:], np.float32)
            except ValueError:
                row = np.zeros(0, np.float32)
            if len(row) != width or not width:
                raise InputError(f"WordVectors: line {number} of {place} has no word with {width} numbers after it.")
            words.append(parts[0].decode("utf-8", "replace"))
            rows.append(row)
    if not rows:
        raise InputError(f"WordVectors: {place} holds no word vectors.")
    return of_strings(words), np.stack(rows)


def _binary(place: Path, count: int, width: int) -> tuple[pa.LargeStringArray, Matrix]:
    """The records of a binary file of word2vec: a word, a space, the numbers as little-endian float32."""
    size = 4 * width
    if count * (size + 1) > check_regular(place, "WordVectors"):
        what = f"is too short for {count:,} words of {width:,} numbers"
        raise InputError(f"WordVectors: {place} {what}, which its first line promises.")
    content = read_regular(place, "WordVectors", MOST_WEIGHTS)
    at, words, vectors = content.index(b"\n") + 1, list[str](), np.empty((count, width), np.float32)
    for row in range(count):
        end = content.find(b" ", at)
        if end < 0 or end + 1 + size > len(content):
            raise InputError(f"WordVectors: {place} ends after {row} of {count} words.")
        words.append(content[at:end].lstrip(b"\n").decode("utf-8", "replace"))
        vectors[row] = np.frombuffer(content, "<f4", width, end + 1)
        at = end + 1 + size
    return of_strings(words), vectors
