"""A link that holds the input of a page: opening it restores the texts and the choices."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

__all__ = ["FIELDS", "from_link", "to_link"]

FIELDS = ("metric", "variant", "against", "predictions", "references", "segment", "model")
# What servers and chats take in one address.
LONGEST = 8000


def to_link(given: Mapping[str, str]) -> str:
    """The query of an address with these fields; "" if it is longer than servers take.

    Examples
    --------
    >>> to_link({"metric": "bleu", "predictions": "a cat", "model": ""})
    '?metric=bleu&predictions=a+cat'
    """
    link = "?" + urlencode({name: given[name] for name in FIELDS if given.get(name)})
    return link if len(link) <= LONGEST else ""


def from_link(query: str) -> dict[str, str]:
    """The fields of an address's query. What is no field is left out, such as the theme that a Space adds.

    Examples
    --------
    >>> from_link("?metric=bleu&predictions=a+cat&__theme=dark")
    {'metric': 'bleu', 'predictions': 'a cat'}
    """
    found = dict(parse_qsl(query.removeprefix("?")[: 8 * LONGEST]))
    return {name: found[name] for name in FIELDS if name in found}
