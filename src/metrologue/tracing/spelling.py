"""How a trace shows invisible characters, and in which direction a text is read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def visible(token: str) -> str:
    r"""A token with its invisible characters made visible, so that a table shows them and keeps its order.

    Examples
    --------
    >>> visible("a b"), visible(""), visible("\frac"), visible("\u0301"), visible("\u200d")
    ('a␣b', '∅', '\\x0crac', '◌́', '\\u200d')
    """
    if all(unicodedata.category(character) == "Cf" for character in token):
        # Joiners and the like belong to the spelling of a word, but alone they are invisible.
        return token.encode("unicode_escape").decode() or "∅"
    # A combining mark would combine with whatever stands before it.
    base = "◌" if unicodedata.category(token[0]).startswith("M") else ""
    return base + "".join(map(_visible_character, token))


def width_of(text: str) -> int:
    """The columns of a terminal that a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


# Explicit changes of direction: they would mirror the columns that follow.
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def _visible_character(character: str) -> str:
    if character == " ":
        return "␣"
    cannot_be_seen = unicodedata.category(character) in {"Cc", "Zl", "Zp", "Zs"}
    if cannot_be_seen or unicodedata.bidirectional(character) in _DIRECTIONS:
        return character.encode("unicode_escape").decode()
    return character


def direction(texts: Iterable[str]) -> str:
    """The direction in which a text is read, as in HTML's ``dir``. It is the direction of the first letter.

    Examples
    --------
    >>> direction(["«", "שלום", "a"]), direction(["1"])
    ('rtl', 'ltr')
    """
    kinds = (unicodedata.bidirectional(character) for text in texts for character in text)
    return "rtl" if next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L" else "ltr"


def in_place(cell: str) -> str:
    """A cell that keeps its column. Without the added mark, a terminal mirrors neighbouring right-to-left cells."""
    return f"{cell}\N{LEFT-TO-RIGHT MARK}" if any(map(_is_right_to_left, cell)) else cell


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in {"R", "AL", "AN"}
