"""How the Java program spells a token that it has cut: brackets, quotation marks, spaces within a token."""

from __future__ import annotations

import re

_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
# ‚ „ ‟ and ` stay.
_QUOTES = {
    **dict.fromkeys("\u2018\u201b\u2039\x91", "`"),
    **dict.fromkeys("\u2019\u203a\x92", "'"),
    **dict.fromkeys("\u201c\xab\x93", "``"),
    **dict.fromkeys("\u201d\xbb\x94", "''"),
}
_MARKS = re.compile("[`\u201a\u201e\u201f" + "".join(_QUOTES) + "]{1,2}")
_SUFFIX = re.compile(
    "n(?:['`\u2018\u2019\u201b\x91\x92]|&apos;)t|(?:['\u2019\x92]|&apos;)(?:s|d|m|re|ve|ll)", re.IGNORECASE
)
_AMPERSAND = re.compile("&amp;", re.IGNORECASE)
_JOINED_CAPITALS = re.compile("(?<![A-Z])[A-Z]+(?:(?:[&+]|&(?i:amp);)[A-Z]+)+|(?i:s&amp;ls)")
_SMILEY_OR_PHONE = re.compile(r"[<>]?[:;=].{1,2}|\(.*\d.*|\(.{2,3}\)")


def spelled(token: str) -> str:
    """The text of the token that this part of a text becomes, in its own case.

    Examples
    --------
    >>> spelled("("), spelled("“"), spelled("’s"), spelled(":-)"), spelled("AT&amp;T")
    ('-LRB-', '``', "'s", ':--RRB-', 'AT&T')
    """
    if token.isascii() and token.isalnum():
        return token
    if token in _BRACKETS:
        return _BRACKETS[token]
    if _MARKS.fullmatch(token) or _SUFFIX.fullmatch(token):
        return "".join([_QUOTES.get(mark, mark) for mark in token.replace("&apos;", "'")])
    if _JOINED_CAPITALS.fullmatch(token):
        return _AMPERSAND.sub("&", token)
    if _SMILEY_OR_PHONE.fullmatch(token):
        token = token.replace("(", "-LRB-").replace(")", "-RRB-")
    return token.replace(" ", "\xa0")
