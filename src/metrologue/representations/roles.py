"""The classes of semantic roles that YiSi and MEANT compare, whatever labels a parser gives (Lo 2019)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

__all__ = ["PREDICATE", "ROLES", "role_class"]

PREDICATE = 0
ROLES = ("predicate", "agent", "patient", "beneficiary", "time", "place", "cause", "manner")

_TIME, _PLACE, _CAUSE, _MANNER = 4, 5, 6, 7
# The function tags of PropBank in several languages. Other additions to a label, such as a preposition, say nothing.
_TAGS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("TMP", "TM", "FIN"), _TIME),
        **dict.fromkeys(("LOC", "DIR", "EFI", "DES", "ORI", "EIN"), _PLACE),
        **dict.fromkeys(("CAU", "PNC", "PRP"), _CAUSE),
        **dict.fromkeys(("MNR", "EXT", "ADV", "PRD", "DIS", "MOD", "NEG", "TPC", "CND", "FRQ", "DGR"), _MANNER),
        **dict.fromkeys(("BNF", "EXP", "ATR", "BEN"), 3),
    }
)
_NUMBERED = (1, 2, 3, _PLACE, _PLACE)  # A0 to A4; the rarer ones are "manner", with all that is left
_LABEL = re.compile(r"(?:[CR]-)*(?:(V|VB|TARGET)|(?:ARG|AM?)(\d|M|L|A)?(?:-([A-Z]+))?|REL-([A-Z]+)|([A-Z]+))", re.I)
_MODIFIERS_OF_PLACE = "TO", "FROM", "INTO"


@cache
def role_class(label: str) -> int | None:
    """The index in ``ROLES`` of a label of PropBank, such as A0, ARG1-TO, R-AM-TMP or LOC; None for another text.

    Examples
    --------
    >>> [ROLES[role_class(label)] for label in ("V", "A0", "C-ARG1", "AM-TMP", "R-ARGM-LOC", "AM-NEG")]
    ['predicate', 'agent', 'patient', 'time', 'place', 'manner']
    >>> role_class("subject")
    """
    match = _LABEL.fullmatch(label)
    if match is None:
        return None
    verb, number, tag, *rest = (part and part.upper() for part in match.groups())
    if verb:
        return PREDICATE
    bare = rest[0] or rest[1]
    if bare:
        return _MANNER if bare == "REC" else _TAGS.get(bare)
    if tag in _TAGS:
        return _TAGS[tag]
    if number in ("M", None) and tag in _MODIFIERS_OF_PLACE:
        return _PLACE
    return _NUMBERED[int(number)] if number and number.isdigit() and int(number) < len(_NUMBERED) else _MANNER
