"""Unicode general categories N, P and S, as tables of code points.

Python's own tables depend on its version (3.11 has Unicode 14, 3.13 has 15.1). sacrebleu's `intl` uses the tables of
the `regex` package, so these tables were taken from `regex` 2026.11.15. Each run of code points is two hexadecimal
numbers: the distance from the end of the run before it, and its length. A test compares them with the installed
`regex`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["CODE_POINTS", "category"]

CODE_POINTS = 0x110000

_RUNS = {
    "N": """
    30 a 78 2 5 1 2 3 5a1 a 86 a c6 a 19c a 76 a 4 6 6c a 76 a 76 a 2 6 6e d 73 a 8 7 67 a 68 7 7 13 6d a 60 a 76 a
    46 14 10c a 46 a 2cf 14 371 3 ef a 6 a 16 a 12c a 80 b a5 a 6 a b6 a 56 a 86 a 6 a 416 1 3 6 6 a c6 33 2 5 2d6
    3c 4e 16 276 1e 569 1 309 1 19 9 e 3 157 4 8a a 1e 8 1 f 20 a 27 f 7360 a bc a 140 6 9a a 26 a c6 a 16 a 56 a
    196 a 5316 a 1ed 2d c 39 11 2 155 1b 24 4 1d 1 8 1 86 5 ca a 3ae 8 19 7 27 9 4b 5 16 6 a0 2 2 10 2 2e 40 9 34 2
    1e 3 4b 5 68 8 18 8 29 7 14a 6 30 a 6 a 116 1f 9e a 2a 4 70 7 86 1e 80 a 3c a 90 a 7 14 fb a 156 a 76 a 176 a 66
    a 6 14 4c c 1a4 13 5d a 296 a 56 1d e3 a 46 a 36 a 166 a 66 15 42b 70 5 b d0 137 3aa9 a 926 a 56 a 86 a 1 7 20e
    a 106 17 15d 3 5cf9 a 5c6 14 c 14 6c 19 455 32 940 a 1a6 a 1f6 a f7 a 2cc 9 80 a 317 3b 1 3 1 4 4c 2d 1 f 3c2 d
    ae3 a
    """,
    "P": """
    21 3 1 6 1 4 a 2 3 2 1a 3 1 1 1b 1 1 1 23 1 5 1 3 1 a 2 3 1 3 1 2be 1 8 1 1d2 6 29 2 33 1 1 1 2 1 2 1 2c 2 14 2
    1 2 d 1 1 3 4a 4 66 1 2b e e9 3 36 f 1f 1 105 2 a 1 8c 1 78 1 79 1 186 1 c 1 16f 1 5a 1 a 2 a8 f 1 1 25 4 47 1
    4a 5 4 2 6f 6 ab 1 264 9 97 1 26d 1 2c 2 4e 3 47 2 9d 3 1 3 25 b 139 2 d8 2 80 7 1 6 a0 2 a 7 1c 3 7c 4 3b 5 3e
    2 40 8 b 1 33c 18 8 14 1 d 1 c 1e 2 e 2 279 4 1d 2 43d e 4f 2 1f a 193 16 3f 4 20 2 2fb 4 1 2 70 1 8f 2f 1 20 2
    c 2 4 19d 3 4 a 2 c 10 1 c 1 62 1 5a 1 7402 2 10d 3 63 1 a 1 73 6 17c 4 56 2 28 3 1 1 31 2 2f 1 61 d 10 2 7c 4
    7e 2 10 2 f9 1 5152 2 d0 a 16 23 1 e 1 1 4 1 1 2 95 3 1 6 1 4 a 2 3 2 1a 3 1 1 1b 1 1 1 1 7 19a 3 29c 1 30 1 19e
    1 2e7 1 c7 1 1f 1 110 9 26 1 70 7 42 7 59 4 1d1 1 13e 1 22 1 84 5 2c 4 bd 7 6d 2 1 4 7e 4 30 2 4f 4 4 1 d 1 1 3
    58 6 6b 1 12a 2 1 2 72 5 a 2 1 1 68 1 fa 17 69 3 1c d 4c 1 82 3 fc 1 108 3 9b 1 5c 8 53 3 1 5 5d a d7 1 5f 5 2a
    2 285 2 4a d af 1 470 5 b7c 2 3a7b 2 85 1 41 5 8 1 228 3 127 4 147 1 4cbc 1 1de7 5 b73 1 35e 2
    """,
    "S": """
    24 1 6 1 10 3 1f 1 1 1 1b 1 1 1 23 5 1 2 2 1 1 4 2 1 3 1 1e 1 1f 1 1ca 4 c e 5 7 1 1 1 11 75 1 e 2 70 1 8b 1 10a
    3 76 3 2 1 2 2 ce 1 a 1 13 2 f7 1 7 2 88 1 169 2 6 2 f5 1 7e 1 82 8 84 1 cf 1 29 1 c5 1 c1 3 f 1 1 3 2 6 14 1 1
    1 1 1 85 8 1 6 1 2 5 4 c5 2 2f0 a 2d3 1 16d 1 164 1 9d 22 161 a 9 9 440 1 1 3 b 3 d 3 d 3 d 2 45 1 d 1 27 3 d 3
    13 25 3b 2 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 3a 2 4 178 4 1d 2 ff 16 b 51 4e 16 268 2c 31 2 1f
    a 193 16 3f 4 20 2 176 2 8a e5 6 165 2 2e 1a 1 59 c d6 1a 10 4 1 d 2 c 1 15 2 6 2 5b 2 f3 2 4 a 20 26 9 1 10 1f
    b 1e 8 1 f 20 a 27 f 140 19c0 40 5690 37 239 17 9 2 67 2 9d 4 a 4 23d 3 e1 1 e 2 4fbd 1 88 21 16d 10 40 2 36 8
    2c 4 62 1 1 3 2 1 9a 1 6 1 10 3 1f 1 1 1 1b 1 1 1 81 7 1 7 d 2 139 9 39 11 2 3 1 d 3 1 2f 2d 67a 2 24f 1 2c5 2
    139 2 6 8 866 1 895 1d 4b4a 4 5 1 5156 1 f63 f0 a 3 3 1b4 6 17 1 3 8 21 52 74 3c f6 a 27 2 3c 5 3 16 2 7 1e 4 94
    3 1 d 8 2 2 1 20 80 57 36a 1 19 1 1f 1 19 1 1f 1 19 1 1f 1 19 1 1f 1 19 1 3c 200 37 4 32 8 1 e 1 2 79 1d 632 1
    1af 1 9ac 1 3 1 7d 1 1c1 2 10e 2c 4 64 c f 2 f 1 f 1 25 17 a2 37 1d d 2c 4 9 7 2 e 6 9a 3da 2 11 3 d 3 dc 4 c 4
    1c 4 38 8 a 6 28 8 1e 2 c 4 2 e 9 27 158 8 e 2 d 3 47 1 1 3 12 1 d 3 c 5 93 1 5c a 1
    """,
}


def category(name: str) -> NDArray[np.int64]:
    """The code points of general category N, P or S, ascending.

    Examples
    --------
    >>> chr(category("P")[0])
    '!'
    """
    steps = np.array([int(step, 16) for step in _RUNS[name].split()])
    stops = np.cumsum(steps)[1::2]
    return np.concatenate([np.arange(stop - length, stop) for stop, length in zip(stops, steps[1::2], strict=True)])
