"""Values that no field should be given: each is refused with an InputError, or makes a scorer that works."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np


class Raising:
    """Whatever is asked of it fails."""

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> NoReturn:
        raise RuntimeError("no repr")


class Text(str):
    """A str that cannot be compared or hashed."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("no comparison")

    def __str__(self) -> NoReturn:
        raise RuntimeError("no text")


class Int(int):
    """An int of a class of its own."""


NUMBERS: list[Any] = [
    0, 1, -1, 2, 3, 100, 101, 1000, 10**9, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33, 2**63 - 1, 2**63, 2**64, 10**400,
    -(10**400), 10**5000, 0.0, -0.0, 0.5, 1.0, 1.5, 400.0, 5e-324, 1e-300, 1e-9, 1e9, 1e200, 1e308, -1e308, math.nan,
    math.inf, -math.inf, np.float32(0.5), np.int8(3), np.uint64(2**64 - 1), Fraction(1, 3), Fraction(10) ** 400,
    Decimal(1), 1j, Int(2),
]  # fmt: skip
STRINGS: list[Any] = [
    "", " ", "abc", "0", "1", "0.5", "true", "True", "no", "null", "nan", "a|b", "a=b", "a,b", "a\nb", "a@b", "\x00",
    "\ud800", "é", "/etc/passwd", "/", ".", "../x", "x" * 5000, "9" * 5000, "[" * 100_000, "[]", "rouge1", "exact",
    "wordnet@zzz", "gone@0123456789ab", Text("13a"), np.str_("13a"), b"13a", bytearray(b"abc"),
]  # fmt: skip
OTHERS: list[Any] = [
    None, True, False, np.True_, np.False_, object(), len, Raising(), [], (), {}, set(), frozenset({1}), {"a": 1}, [1],
    [[1]], [None], [True], [Raising()], range(3), iter([1]), np.array(1.0), np.array([]), np.array([0.5, 0.5]),
    np.array([[1.0]]), np.array(["rouge1"]), np.array([object()]),
]  # fmt: skip
LISTS: list[Any] = [
    [1e308] * 4, (-1e308,) * 4, (math.nan, 1.0), (10**400, 1), (5e-324,) * 4, (100.0,) * 4, (-100.0,) * 4, (0.0,) * 4,
    (-1.0, 1.0, -1.0, 1.0), (1.0,) * 1000, ("rouge1", "rouge1"), ("rougeS9223372036854775806",),
    ("rougeSU9223372036854775807",), ("rouge" + "9" * 5000,), ("rouge1000000000",), ("rougeS2147483647",), ("rougeS٤",),
    ("rouge100", "rougeSU0"), ("exact", "exact"), ["exact"], ("exact", Text("stem")), ("a", 1),
]  # fmt: skip
HOSTILE = [*NUMBERS, *STRINGS, *OTHERS, *LISTS]
