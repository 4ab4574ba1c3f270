"""A quick look at the bytes of texts, before ``metrologue.text.looks`` is imported, which takes longer than a score."""

from __future__ import annotations

import re

__all__ = ["MARKS", "may_deceive"]

# Text in UTF-8, for a quick look: "a" for each letter of ASCII, "g" for each first byte of Greek and Cyrillic, first
# bytes of characters of a kind as they are, and a space for others.
_KINDS = b"\xc2\xc4\xcd\xd8\xda\xdb\xe1\xe2\xe3\xef\xf0"
_CLASSES = bytes(
    ord("a")
    if chr(byte).isalpha() and byte < 0x80
    else ord("g")
    if 0xCE <= byte < 0xD5
    else byte
    if byte in _KINDS
    else 32
    for byte in range(256)
)
_LATER = bytes(range(0x80, 0xC0))
_MAY = re.compile(
    rb"\xc2[\x85\xa0\xad]|\xc4\xa0|\xcd\x8f|\xd8\x9c|\xda\xa9|\xdb\x8c|\xe1\xa0\x8e"
    rb"|\xe2(?:\x80[\x80-\x91\xa8-\xaf]|\x81[\x9f-\xaf]|\x96\x81)|\xe3\x80\x80"
    rb"|\xef(?:[\xac-\xb9\xba\xbb]|\xbc[\x90-\x99\xa1-\xba]|\xbd[\x81-\x9a\xa6-\xbf]|\xbe[\x80-\x9f]|\xbf\xad)|\xf0\x9d"
)

# What markup, and the joints of subwords, have in ASCII.
MARKS = (b"@@", b"##", b"<", b"[")


def may_deceive(text: bytes) -> bool:
    """Whether a text in UTF-8 may have some of these characters. It is a quick look before all others.

    Examples
    --------
    >>> may_deceive("Übung".encode()), may_deceive("no\\u00a0break".encode()), may_deceive(b"lo@@ wer")
    (False, True, True)
    """
    if any(map(text.__contains__, MARKS)):
        return True
    if text.isascii():
        return False
    classes = text.translate(_CLASSES, _LATER)
    if b"ag" in classes or b"ga" in classes:
        return True
    return bool(classes.translate(None, b"ag ")) and _MAY.search(text) is not None
