"""Document frequencies of n-grams: the pickled tables that captioning projects use, read without running code."""

from __future__ import annotations

import math
import pickle
import struct
from collections.abc import Callable
from numbers import Real
from pathlib import Path
from typing import Any

from metrologue.cache import cache_folder
from metrologue.errors import InputError, shown
from metrologue.files.regular import MOST_WEIGHTS, open_regular

# What a dtype of NumPy is for the module struct.
_FORMATS = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "u8": "Q", "u4": "I", "i2": "h", "u2": "H"}


class _StandIn:
    """A function of ours that a table may call under another name. The table cannot change it."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __setstate__(self, state: Any) -> None:
        raise pickle.UnpicklingError("it changes a function, and a table has no code")


class _Dtype:
    """A stand-in for a dtype of NumPy: the format of a number for the module struct."""

    def __init__(self, name: str | bytes, *_: Any) -> None:
        self.format = "<" + _FORMATS[_text(name)]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order = _text(state[1])
        self.format = {"<": "<", ">": ">", "|": "<"}[order] + self.format[1:]


def _scalar(dtype: _Dtype, content: str | bytes) -> float:
    """The number with these bytes."""
    (number,) = struct.unpack(dtype.format, content.encode("latin-1") if isinstance(content, str) else content)
    return float(number)


# The only names that a table may use. Each stands for a function of ours, so that no other code ever runs. A
# defaultdict becomes a dict, with the counts that it has. Bytes are written for Python 2 by `_codecs.encode`.
_NUMBERS = [(module, name) for module in ("builtins", "__builtin__") for name in ("float", "int", "long")]
_ALLOWED = {
    ("collections", "defaultdict"): _StandIn(lambda default=None: {}),
    ("collections", "Counter"): _StandIn(lambda counts=(): dict(counts)),
    ("collections", "OrderedDict"): _StandIn(lambda items=(): dict(items)),
    ("_codecs", "encode"): _StandIn(lambda text, encoding: str(text).encode("latin-1")),
    ("numpy.core.multiarray", "scalar"): _StandIn(_scalar),
    ("numpy._core.multiarray", "scalar"): _StandIn(_scalar),
    ("numpy", "dtype"): _StandIn(_Dtype),
    **dict.fromkeys(_NUMBERS, _StandIn(float)),
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"it uses {module}.{name}, and a table has no code")
        return _ALLOWED[module, name]

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("it refers to other data")


# Tables by their names: the number of images, which the files do not have, and where they are published.
_NAMED = {"coco-val-df": (40504.0, "the authors of CIDEr publish it in https://github.com/vrama91/coco-caption")}


def named_frequencies(path: str | Path) -> tuple[Path, float | None]:
    """The path of a table that may be given by its name, and the number of images, if the table is known by its name.

    Raises an InputError if there is no file of this name here, in the folder ``data`` or in the cache's folder. The
    message says where it is published.
    """
    name = Path(path).name.removesuffix(".p")
    if name not in _NAMED:
        return Path(path), None
    images, published = _NAMED[name]
    file = f"{name}.p"
    places = [Path(path)] if str(path) != name else [Path(file), Path("data", file), cache_folder() / file]
    for place in places:
        if place.is_file():
            return place, images
    raise InputError(f"there is no {', '.join(map(str, places))}; {published}: put the file there, or give its path.")


def read_frequencies(path: str | Path) -> tuple[dict[tuple[str, ...], float], float | None]:
    """The document frequencies in a pickled table, such as ``coco-val-df.p``.

    There are two layouts: a dict of n-grams, or ``{"ref_len": ..., "document_frequency": dict of n-grams}``. An n-gram
    is a tuple of tokens. Tables of Python 2 can be read too. A pickle is a program, so only the names that such a table
    needs are allowed in it (dict, defaultdict, numbers of NumPy), and none of them runs code from elsewhere. Raises an
    InputError if the file cannot be read, or holds anything else. The message names the file.

    Returns
    -------
    dict of n-grams to float, float or None
        The images with each n-gram; the number of all images, if the table has it. The table with COCO's validation
        images of 2014 that has none comes from 40504 images.

    Examples
    --------
    >>> import pickle, tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(pickle.dumps({"ref_len": 10.0, "document_frequency": {("a", "cat"): 2.0}}))
    ...     file.flush()
    ...     read_frequencies(file.name)
    ({('a', 'cat'): 2.0}, 10.0)
    """
    try:
        with open_regular(path, "the table", MOST_WEIGHTS) as file:
            table = _Reader(file, encoding="bytes").load()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    except Exception as error:  # a damaged pickle raises almost anything
        raise InputError(f"{path} is not a pickled table of document frequencies: {error}.") from error
    if not isinstance(table, dict):
        raise InputError(f"{path} is not a table of document frequencies: it holds {shown(table)}.")
    documents: float | None = None
    named = {_text(key): value for key, value in table.items() if isinstance(key, (str, bytes))}
    if "document_frequency" in named:
        table, documents = named["document_frequency"], named.get("ref_len")
        if not isinstance(table, dict) or not is_number(documents):
            raise InputError(f"{path}: `document_frequency` is not a dict, or `ref_len` is not a number.")
    try:
        return {tuple(map(_text, _ngram(key))): value for key, value in table.items()}, documents
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} is not a table of document frequencies: {error}.") from error


def _ngram(key: Any) -> tuple[Any, ...]:
    if not isinstance(key, tuple):
        raise TypeError(f"the key {shown(key)} is not a tuple of tokens")
    return key


def _text(value: Any) -> str:
    """The text of a str of Python 2 or 3. Python 2 has bytes of UTF-8."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.decode("latin-1")
    if not isinstance(value, str):
        raise TypeError(f"{shown(value)} is not a str")
    return value


def is_number(value: Any) -> bool:
    """Whether a value is a finite number; a bool is none."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
