"""How machine code reads Python's strings.

A string keeps, after the head that all objects have, its length, its hash, and a word with its state: whether its
characters take one, two or four bytes, whether they follow in the same block of memory, and whether all are ASCII.
Strings never change, so a kernel reads them without the interpreter's lock while something else holds references to
them. Where the bits of the state and the characters lie depends on the version of Python. `LAYOUT` says it, or is None
if strings of known contents are not found so; they are then read in Python.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.native import arrays

_WORD = 8
_HEAD = object.__basicsize__
# Strings with characters of one byte, all ASCII; of one byte; of two; of four. The state of each, as five bits: the
# size of a character in three, then whether the string is compact, and whether it is ASCII.
_KNOWN = {"plain text": 0b11001, "café au lait": 0b01001, "price in €": 0b01010, "a smile 😀": 0b01100}


class _Addresses:
    """The pointers in a tuple, as NumPy asks for them."""

    def __init__(self, objects: tuple[Any, ...]) -> None:
        self.objects = objects  # which holds a reference to each
        where = (id(objects) + tuple.__basicsize__, True)
        self.__array_interface__ = {"version": 3, "shape": (len(objects),), "typestr": "<i8", "data": where}


def addresses(objects: tuple[Any, ...]) -> NDArray[np.int64]:
    """The addresses of the objects of a tuple, (n,), without a copy. They hold a reference to the tuple."""
    return np.asarray(_Addresses(objects))


@cache
def layout() -> NDArray[np.int64] | None:
    """Where a string's memory has what: six numbers, or None if this interpreter keeps strings in another way.

    The address of the type; in words, where its pointer and the length are; how many bits of the word of the state come
    before the five that are asked for; in bytes, where the characters begin if they are ASCII, and otherwise.
    """
    if not arrays.ARE_READ or addresses(texts := tuple(_KNOWN)).tolist() != [*map(id, texts)]:
        return None
    words = _HEAD // _WORD
    for shift in range(27):
        found = np.array([id(str), words - 1, words, shift, sys.getsizeof("") - 1, str.__basicsize__ - _WORD])
        if all(_holds(text, state, found) for text, state in _KNOWN.items()):
            return found
    return None


def _holds(text: str, state: int, found: NDArray[np.int64]) -> bool:
    """Whether a string's memory has what the layout expects."""
    kind, type_word, length_word, shift, plain, other = found.tolist()
    fields = (ctypes.c_int64 * (length_word + 3)).from_address(id(text))
    if (fields[type_word], fields[length_word]) != (kind, len(text)) or fields[length_word + 2] >> shift & 31 != state:
        return False
    coding = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[state & 7]
    expected = text.encode(coding)
    return ctypes.string_at(id(text) + (plain if text.isascii() else other), len(expected)) == expected
