"""The marks of traces: shapes, not colours.

They survive a monochrome print, and the colour-blind can tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.tracing.blocks import Key, Legend

__all__ = ["FUNCTION_WORD", "MARKS", "SHAPES", "state_legend"]

# Of the states of tokens.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○"}
# Of the shapes of links.
SHAPES = {"circle": "●", "triangle": "▲", "diamond": "◆", "square": "■"}
FUNCTION_WORD = "ƒ"


def state_legend(meanings: Mapping[str, str], title: str = "") -> Legend:
    """The marks of these states and what they mean."""
    return Legend(
        keys=tuple(Key(mark=MARKS[state], meaning=meaning) for state, meaning in meanings.items()), title=title
    )
