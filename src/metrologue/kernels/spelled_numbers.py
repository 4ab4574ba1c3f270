"""Numbers that are spelled in decimal digits, read byte by byte."""

from __future__ import annotations

import math

import numpy as np
from numpy import int64, uint64

from metrologue.kernels.arrays import Bytes, Floats, Number
from metrologue.kernels.utf8 import word_at
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper

__all__ = ["POWERS", "spelled_number"]

_ZERO, _NINE = 0x30, 0x39
# The powers of ten that a double can be multiplied by; beyond them a number is 0 or infinite.
POWERS = np.array([float(f"1e{k}") for k in range(-400, 401)])


@helper
def _digit(buffer: Bytes, i: Number, stop: Number) -> Number:
    return i < stop and buffer[i] >= _ZERO and buffer[i] <= _NINE


@helper
def spelled_number(buffer: Bytes, start: Number, stop: Number, powers: Floats) -> Number:
    """The number that the bytes spell: digits, perhaps a sign, a fraction and an exponent. NaN if they spell none.

    The first 19 digits count: they fit 64 bits, and a double holds fewer than 18. With an exponent below -308, a number
    is 0: GEval multiplies by the inverse of a power of ten, which is then infinite.
    """
    n = stop - start - 2
    if 0 < n <= 8 <= len(buffer) and buffer[start + 1] == 0x2E and _digit(buffer, start, stop):
        # The digits after the point as eight bytes, with zeros before them.
        word = (word_at(buffer, start + 2) << uint64(64 - 8 * n)) ^ (uint64(0x3030303030303030) << uint64(64 - 8 * n))
        if ((word + uint64(0x7676767676767676)) | word) & uint64(0x8080808080808080) == 0:
            word = (word * uint64(10) + (word >> uint64(8))) & uint64(0x00FF00FF00FF00FF)
            word = (word * uint64(100) + (word >> uint64(16))) & uint64(0x0000FFFF0000FFFF)
            word = (word * uint64(10000) + (word >> uint64(32))) & uint64(0xFFFFFFFF)
            scale = powers[400 + n]
            return (np.float64(buffer[start] - _ZERO) * scale + np.float64(word)) / scale
    i = start
    negative = i < stop and buffer[i] == 0x2D
    if i < stop and (buffer[i] == 0x2D or buffer[i] == 0x2B):
        i += 1
    if not _digit(buffer, i, stop):
        return math.nan
    digits, mantissa, exponent = int64(0), uint64(0), int64(0)
    fraction = False
    while True:
        while _digit(buffer, i, stop):
            if digits < 19:
                mantissa = mantissa * uint64(10) + uint64(buffer[i] - _ZERO)
                digits += mantissa > 0
                exponent -= fraction
            else:
                exponent += not fraction
            i += 1
        if fraction or not (i < stop and buffer[i] == 0x2E and _digit(buffer, i + 1, stop)):
            break
        fraction = True
        i += 1
    if i < stop and (buffer[i] == 0x65 or buffer[i] == 0x45):
        i += 1
        down = i < stop and buffer[i] == 0x2D
        if i < stop and (buffer[i] == 0x2D or buffer[i] == 0x2B):
            i += 1
        if not _digit(buffer, i, stop):
            return math.nan
        power = int64(0)
        while _digit(buffer, i, stop):
            power = lesser(power * 10 + int64(buffer[i] - _ZERO), int64(1) << 40)
            i += 1
        exponent += -power if down else power
        if down and power > 308:
            mantissa = uint64(0)
    if i < stop:
        return math.nan
    magnitude = np.float64(mantissa)
    # A negative power of ten is rounded, its inverse is not: short decimals come out as Python reads them.
    if -22 <= exponent < 0:
        magnitude /= powers[400 - exponent]
    elif magnitude > 0:
        # Of many digits, those after the point first: 10^-324 is 0, though 2.250738585072014e-308 is not.
        if exponent < -308:
            magnitude *= powers[greater(exponent + 308, -400) + 400]
            exponent = int64(-308)
        magnitude *= powers[lesser(exponent, 400) + 400]
    return -magnitude if negative else magnitude
