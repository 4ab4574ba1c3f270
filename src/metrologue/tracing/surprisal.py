"""The surprisal of words: as a text with marks, which a page colours, and as a curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrologue.tracing.blocks import Key, Legend, Span, Text, Texts
from metrologue.tracing.curve import Curve
from metrologue.tracing.marks import MARKS

__all__ = ["surprisal_curve", "surprisal_text"]

# A word has no mark below the first of these numbers of bits, the strongest mark from the last one on.
LIMITS = (2.0, 5.0, 8.0, 12.0)
# A curve has at most this many points.
MOST_POINTS = 200


def surprisal_text(name: str, words: Sequence[str], bits: Sequence[float]) -> tuple[Texts, Legend]:
    """A text whose words are marked by their surprisal, and what the marks mean. `name` is what they are called.

    Examples
    --------
    >>> text, legend = surprisal_text("tokens", ["the", "zebra"], [0.1, 9.0])
    >>> [getattr(piece, "state", "") for piece in text.texts[0].sentences[0]]
    ['', 'bits-3']
    >>> text.texts[0].size
    '2 tokens'
    >>> [key.meaning for key in legend.keys]
    ['2 or more', '5 or more', '8 or more', '12 or more']
    """
    states = ["", *(f"bits-{level}" for level in range(1, len(LIMITS) + 1))]
    found = [
        Span(tokens=(word,), state=states[level]) if level else word
        for word, level in zip(words, np.searchsorted(LIMITS, bits, "right").tolist(), strict=True)
    ]
    keys = (
        Key(mark=MARKS[state], meaning=f"{limit:g} or more", state=state)
        for state, limit in zip(states[1:], LIMITS, strict=True)
    )
    text = Text(name=name, sentences=(tuple(found),), size=f"{len(words)} {name}")
    return Texts(texts=(text,)), Legend(keys=tuple(keys), title="bits of surprisal")


def surprisal_curve(axis: str, first: int, bits: Sequence[float]) -> Curve:
    """The surprisal at each place, counted from `first`. Infinite values are left out.

    Many places are joined to equal stretches, and the curve shows the mean of each.

    Examples
    --------
    >>> curve = surprisal_curve("line", 1, [2.0, np.inf, 4.0])
    >>> curve.places, curve.values
    ((1.0, 3.0), (2.0, 4.0))
    """
    places = np.flatnonzero(np.isfinite(bits))
    parts = np.array_split(places, min(MOST_POINTS, len(places))) if len(places) else []
    values = np.asarray(bits, np.float64)
    means = f", means of {len(parts)} stretches" if len(parts) < len(places) else ""
    return Curve(
        name=f"bits of surprisal{means}",
        axis=axis,
        places=tuple(float(part.mean()) + first for part in parts),
        values=tuple(float(values[part].mean()) for part in parts),
    )
