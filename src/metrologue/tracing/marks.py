"""The marks of traces: shapes, not colours.

A monochrome print keeps them, and colour-blind readers can tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from metrologue.tracing.blocks import Key, Legend

__all__ = ["CLIPPING", "FUNCTION_WORD", "MARKS", "SHAPES", "state_legend"]

# The mark of each state of a token.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○", "bits-1": "░", "bits-2": "▒", "bits-3": "▓", "bits-4": "█"}
# The mark of each shape of a link.
SHAPES = {"circle": "●", "triangle": "▲", "diamond": "◆", "square": "■"}
FUNCTION_WORD = "ƒ"
# What the states of an n-gram mean where counts are clipped to those of the references.
CLIPPING = {"matched": "counts in full", "clipped": "clipped to the references' count", "missing": "in no reference"}


def state_legend(meanings: Mapping[str, str], title: str = "") -> Legend:
    """A legend with the marks of these states and what they mean."""
    return Legend(
        keys=tuple(Key(mark=MARKS[state], meaning=meaning) for state, meaning in meanings.items()), title=title
    )
