"""JSON that every reader takes, text for LaTeX, short names, and lines of a terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

__all__ = ["as_json", "filled", "in_json", "latex_text", "short_names"]

_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",  # this and the next two are other signs in LaTeX's oldest fonts
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "−": "$-$",  # the minus sign
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


def filled(text: str, width: int, first: str = "", rest: str = "") -> str:
    """A text in lines of at most `width` characters, after indents; a signature is broken at "|" only.

    Examples
    --------
    >>> print(filled("the signature wer|variant=jiwer|mirrors=jiwer-4.0.0|metrologue=1.0", 40))
    the signature wer|variant=jiwer|
    mirrors=jiwer-4.0.0|metrologue=1.0
    """
    words = (word.replace("|", "| ") if len(word) > width - len(rest) else word for word in text.split(" "))
    lines = fill(
        " ".join(words),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return lines.replace("| ", "|") if "| " not in text else lines


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without what all of them begin and end with, at a dot, a dash or an underscore.

    Examples
    --------
    >>> short_names(["newstest.KIT.en-de", "newstest.FBK-2.en-de"])
    {'newstest.KIT.en-de': 'KIT', 'newstest.FBK-2.en-de': 'FBK-2'}
    >>> short_names(["amber.txt"])
    {'amber.txt': 'amber.txt'}
    """
    if len(names) < 2:
        return {name: name for name in names}
    start, end = _shared(names), _shared([name[::-1] for name in names])[::-1]
    start = start[: max(map(start.rfind, ".-_")) + 1]
    places = [place for mark in ".-_" if (place := end.find(mark)) >= 0]
    end = end[min(places) :] if places else ""
    return {name: name[len(start) : len(name) - len(end)] or name for name in names}


def _shared(texts: Sequence[str]) -> str:
    """The letters that all texts begin with."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
