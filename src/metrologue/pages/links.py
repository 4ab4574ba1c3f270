"""A link that holds the input of a page: opening it restores the texts and the choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, urlencode

FIELDS = ("metric", "variant", "against", "predictions", "references", "segment", "model")
# What servers and chats take in one address.
LONGEST = 8000


def to_link(given: Mapping[str, str]) -> str:
    """The query of an address with these fields, and a metric's other inputs; "" if it is longer than servers take.

    Examples
    --------
    >>> to_link({"metric": "bleu", "predictions": "a cat", "model": ""})
    '?metric=bleu&predictions=a+cat'
    """
    fields = (*FIELDS, *(name for name in given if name not in FIELDS))
    link = "?" + urlencode({name: given[name] for name in fields if given.get(name)})
    return link if len(link) <= LONGEST else ""


def from_link(query: str, inputs: Iterable[str] = ()) -> dict[str, str]:
    """The fields of an address's query, and a metric's other inputs. What is neither is left out, such as a theme.

    Examples
    --------
    >>> from_link("?metric=bleu&predictions=a+cat&__theme=dark")
    {'metric': 'bleu', 'predictions': 'a cat'}
    """
    fields = dict(parse_qsl(query.removeprefix("?")[: 8 * LONGEST]))
    return {name: fields[name] for name in (*FIELDS, *inputs) if name in fields}
