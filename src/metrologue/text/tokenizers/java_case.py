"""Java's lower case."""

from __future__ import annotations

import re
from unicodedata import category

# Java lower-cases a capital sigma by the words of its own BreakIterator. A word is letters with at most one hyphen,
# quotation mark or period between two of them; numbers work in the same way. Marks and format characters belong to the
# character before them. So does a character beyond the first plane of Unicode, but the word ends after it. The patterns
# use these kinds: a letter, n number, e mark, f format, s beyond the first plane, w within words, d within numbers, b
# within both.
_WORD = "a[aef]*(?:[bw]f*a[aef]*)*"
_NUMBER = "n[nef]*(?:[bd]f*n[nef]*)*"
_BETWEEN_BREAKS = re.compile(f"(?:{_WORD}|{_NUMBER})+s?")
_KINDS = {"Lu": "a", "Ll": "a", "Lt": "a", "Lm": "a", "Lo": "a", "Mc": "a", "Mn": "e", "Me": "e", "Nd": "n", "Nl": "n",
          "No": "n", "Pd": "w", "Pc": "w", "Cf": "f"}  # fmt: skip
# Kanji and kana are in no word with other letters.
_APART = re.compile("[\u3005\u3041-\u3094\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u4e00-\u9fa5\uf900-\ufa2d]")
_CASED = re.compile("[\u02b0-\u02b8\u02c0\u02c1\u02e0-\u02e4\u0345\u037a\u1d2c-\u1d61\u2160-\u217f\u24b6-\u24e9]")


def java_lower(text: str) -> str:
    """The text in Java's lower case, ``String.toLowerCase``. It differs from Python's in which sigma is final.

    Beside letters with case beyond the first plane of Unicode, such as Deseret's, a final sigma may differ from Java's.

    Examples
    --------
    >>> java_lower("ΟΔΟΣ-ΟΔΟΣ"), "ΟΔΟΣ-ΟΔΟΣ".lower()
    ('οδοσ-οδος', 'οδος-οδος')
    """
    if "Σ" not in text:
        return text.lower()
    kinds = "".join(map(_kind, text))
    letters = [character.lower() for character in text]
    for match in _BETWEEN_BREAKS.finditer(kinds):
        start, stop = match.span()
        cased = [at for at in range(start, stop) if _is_cased(text[at])]
        for at in range(start, stop):
            if text[at] == "Σ" and cased[0] < at == cased[-1]:
                letters[at] = "ς"
    return "".join(letters)


def _kind(character: str) -> str:
    if character > "\uffff":
        return "s"
    if _APART.match(character):
        return "x"
    if character in "\"'.":
        return "b"
    if character in ",\u066b":
        return "d"
    return "w" if character in "\xad\u2027" else _KINDS.get(category(character), "x")


def _is_cased(character: str) -> bool:
    return category(character) in ("Lu", "Ll", "Lt") or bool(_CASED.match(character))
