"""JSON that every reader takes, and text for LaTeX."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

__all__ = ["as_json", "in_json", "latex_text"]

_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",  # this and the next two are other signs in LaTeX's oldest fonts
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def in_json(value: Any) -> Any:
    """Plain values as JSON has them: an infinite number is the text "Infinity" or "-Infinity".

    JSON has no infinite numbers (RFC 8259, section 6). ``json.dumps`` would write the bare word Infinity, which most
    other readers refuse. A null would say that there is no number. The text is that of Protocol Buffers' JSON. Python's
    ``float``, JavaScript's ``Number`` and pandas' ``to_numeric`` read it as the number.

    Parameters
    ----------
    value : mapping, list, tuple, str, number, bool or None

    Examples
    --------
    >>> in_json({"value": math.inf, "segments": [1, -math.inf]})
    {'value': 'Infinity', 'segments': [1, '-Infinity']}
    >>> float("Infinity")
    inf
    """
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: in_json(each) for key, each in value.items()}
    return [in_json(each) for each in value] if isinstance(value, list | tuple) else value


def as_json(value: Any) -> str:
    """JSON text of plain values, on several lines. Infinite numbers are as in ``in_json``.

    Raises
    ------
    ValueError
        If a number is NaN.

    Examples
    --------
    >>> from metrologue.scorers import PerplexityHashed
    >>> as_json(PerplexityHashed().corpus(["cat:1"], ["dog"]).value)
    '"Infinity"'
    """
    return json.dumps(in_json(value), indent=2, ensure_ascii=False, allow_nan=False)


def latex_text(text: str) -> str:
    """A text whose marks LaTeX prints as they are.

    Examples
    --------
    >>> print(latex_text("100 % of a_b"))
    100 \\% of a\\_b
    """
    return "".join(_LATEX.get(mark, mark) for mark in text)
