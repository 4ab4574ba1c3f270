"""Unicode general categories N, Nd, P and S, as tables of code points.

Python's own tables depend on its version (3.11 has Unicode 14, 3.13 has 15.1). sacrebleu's `intl` uses the tables of
the `regex` package, so the tables in ``unicode.json`` were taken from `regex` 2026.11.15. Each run of code points is
two hexadecimal numbers: the distance from the end of the run before it, and its length. A test compares them with the
installed `regex`.
"""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

CODE_POINTS = 0x110000


def category(name: str) -> NDArray[np.int64]:
    """The code points of general category N, Nd, P or S, ascending.

    Examples
    --------
    >>> chr(category("P")[0])
    '!'
    """
    from pathlib import Path  # slow to import

    lines = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))[name]
    steps = np.array([int(step, 16) for line in lines for step in line.split()])
    stops = np.cumsum(steps)[1::2]
    return np.concatenate([np.arange(stop - length, stop) for stop, length in zip(stops, steps[1::2], strict=True)])
