"""What the fields of a scorer and their values mean, read from the docstring of its class."""

from __future__ import annotations

import inspect
import re

from metrologue.scorers import Scorer

__all__ = ["meaning_of", "meanings"]

# What follows the name of a value in a docstring: perhaps a library in brackets, then its description.
_OWN = re.compile(r'(?: \([^)]*\))?[:,] ((?:[^";.]|\.\d)+)')


def meanings(scorer: type[Scorer]) -> dict[str, str]:
    """The description of each field in the docstrings of a class and its bases.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> meanings(Bleu)["lowercase"]
    'Whether to apply ``str.lower()`` first.'
    """
    found: dict[str, str] = {}
    for base in reversed(scorer.__mro__):
        match = re.search(
            r"^Parameters\n-+\n(.*?)(?:\n\n\w+\n-+\n|\Z)", inspect.cleandoc(base.__doc__ or ""), re.M | re.S
        )
        for names, text in re.findall(
            r"^(\w[\w, ]*?) : .*\n((?: {4}.*\n?|\n)*)", f"{match[1]}\n" if match else "", re.M
        ):
            found |= dict.fromkeys(names.split(", "), " ".join(text.split()))
        for names, text in re.findall(r"^(\w[\w, ]*)\n((?: {4}.*\n?)+)", f"{match[1]}\n" if match else "", re.M):
            found |= dict.fromkeys(names.split(", "), " ".join(text.split()))
    return found


def meaning_of(scorer: type[Scorer], field: str, value: object) -> str:
    """What a value of a field means; for a value without a description of its own, what the field means.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> meaning_of(Bleu, "zero_when", "any-order")
    'if at least one order has no match'
    >>> meaning_of(Bleu, "floor_totals", True)
    'count at least one n-gram of each order in each segment, however short'
    """
    about = meanings(scorer).get(field, "")
    if isinstance(value, str):
        after = about.split(f'"{value}"')[1:] if value else []
        text = next((own[1] for own in map(_OWN.match, after) if own), "")
    else:
        text = re.split(r"[.:;](?:\s|$)", about, maxsplit=1)[0]
    text = re.sub(r" ?\([^()]*\)?|, -?[\d.]+ to .*|`", "", text).strip().removesuffix(",")
    if text.startswith("or") or re.search(r"\b(and|or)$", text):  # the end of a list of values
        return ""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
