"""Entity recall by rule (after Nan et al. 2021). A text is a string; each word of a name counts."""

import re

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|\w+")
_CALENDAR = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
}  # fmt: skip


def spelled(word: str) -> list[str]:
    """A word as it is compared. A letter may become several characters, which can end a word."""
    return [part.replace(",", "") if part[0].isdigit() else part for part in _WORD.findall(word.casefold())]


def names(text: str) -> list[str]:
    """The words of names and numbers. A word that begins a sentence is a name only if the calendar has it."""
    found = []
    for match in _WORD.finditer(text):
        word, before = match[0], text[: match.start()]
        if before and (before[-1].isalnum() or before[-1] == "_"):
            continue
        number = re.match(r"\d", word) is not None
        begins = before.rstrip(" \t\n\r\"'`(\u201c\u201d\u2018\u2019")[-1:] in ("", ".", "!", "?", "\u2026")
        capital = word[0].isupper() and word[0].isalpha() and len(word) > 1
        if number or word in _CALENDAR or (capital and not begins):
            found += spelled(word)
    return found


def entity_recall(texts: list[str], references: list[list[str]]) -> float:
    """The share of the names of all references that the texts have; 1 if there are none.

    There is a list of references for each text.

    >>> entity_recall(["In 2015 Anna left."], [["Then Anna Smith left in 2015."]])
    0.6666666666666666
    """
    there = wanted = 0
    for text, own in zip(texts, references, strict=True):
        words = set(spelled(text))
        looked_for = [name for reference in own for name in names(reference)]
        there, wanted = there + sum(name in words for name in looked_for), wanted + len(looked_for)
    return there / wanted if wanted else 1.0
