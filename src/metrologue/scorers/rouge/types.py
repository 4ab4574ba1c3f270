"""The types of ROUGE: what their names mean, and the numbers that each type has."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from metrologue.errors import InputError
from metrologue.scorers.core.options import LARGEST, LONGEST_NGRAM

__all__ = ["MEASURES", "UNLIMITED", "RougeType", "parse_type"]

MEASURES = ("precision", "recall", "fmeasure")
UNLIMITED = -1

_NAME = re.compile(
    r"rouge(?:(?P<n>[1-9][0-9]{0,9})|(?P<whole>Lsum|L|W)|(?P<skip>SU?)(?:(?P<gap>0|[1-9][0-9]{0,9})|\*))"
)


class RougeType(NamedTuple):
    """The units that a type counts.

    Attributes
    ----------
    kind : str
        "n" (n-grams), "L" and "W" (common subsequences of whole texts), "Lsum" and "Wsum" (unions of the common
        subsequences of sentences), "S" (skip-bigrams) or "SU" (skip-bigrams and unigrams).
    number : int
        The n of n-grams; the gap of skip-bigrams, ``UNLIMITED`` for any; otherwise 0.
    """

    kind: str
    number: int


@cache
def parse_type(name: str, lcs_of: str = "texts", weight_rule: str = "runs") -> RougeType:
    """The meaning of a type's name under these options of the scorer.

    Raises
    ------
    InputError
        If there is no such type.

    Examples
    --------
    >>> parse_type("rouge2"), parse_type("rougeSU*"), parse_type("rougeL", lcs_of="sentences")
    (RougeType(kind='n', number=2), RougeType(kind='SU', number=-1), RougeType(kind='Lsum', number=0))
    """
    if match := _NAME.fullmatch(name):
        if whole := match["whole"]:
            united = (whole == "L" and lcs_of == "sentences") or (whole == "W" and weight_rule == "runs")
            return RougeType(f"{whole}sum" if united else whole, 0)
        if match["n"] and int(match["n"]) <= LONGEST_NGRAM:
            return RougeType("n", int(match["n"]))
        if match["skip"] and int(match["gap"] or 0) <= LARGEST:
            return RougeType(match["skip"], int(match["gap"]) if match["gap"] else UNLIMITED)
    raise InputError(
        f"Rouge: `types`: {name!r:.60} is no type; rouge1, rouge2 and so on to rouge{LONGEST_NGRAM}, rougeL, "
        f"rougeLsum, rougeW, rougeS4 or rougeSU4 with any gap up to {LARGEST}, rougeS* or rougeSU* is expected."
    )
