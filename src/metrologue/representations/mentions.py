"""Mentions: the names, numbers and dates in texts, found by rules alone or by a parser that marks entities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import Parses

KINDS: Mapping[str, str] = {
    "name": "people, places, organizations, and other things with a name of their own",
    "number": "numbers, amounts and ranks",
    "date": "dates and times",
}

# The labels of OntoNotes, which most pipelines of spaCy give, and those of CoNLL 2003. Any other label is a name's.
_KIND_OF = {
    "DATE": "date", "TIME": "date",
    "CARDINAL": "number", "MONEY": "number", "ORDINAL": "number", "PERCENT": "number", "QUANTITY": "number",
}  # fmt: skip

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_NUMBER = r"\d+(?:[.,:]\d+)*"
_WHOLE = r"(?![.,:]?\d|\w)"  # what stands before is a number of its own
_FOUND = re.compile(
    rf"(?P<date>(?:(?<![\w.,:])\d{{1,2}} )?\b(?:{_MONTHS})\b(?: \d{{1,2}}{_WHOLE})?(?:,? \d{{4}}{_WHOLE})?"
    rf"|\b(?:{_DAYS})\b)"
    rf"|(?P<number>(?<!\w){_NUMBER})"
    r"|(?P<name>(?<!\w)[^\W\d_]\w+)"
)
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_WORD = re.compile(rf"{_NUMBER}|\w+")
_ENDS = ".!?\u2026"  # what ends a sentence
_AROUND = " \t\n\r\"'`(\u201c\u201d\u2018\u2019"  # what may stand between that and the next sentence
_WITHIN = (" ", "-", "'", "\u2019")  # what may stand between the words of a name


class Mention(NamedTuple):
    """A name, a number or a date in a text.

    Attributes
    ----------
    start, stop : int
        Where it begins and ends in the text, in characters.
    kind : str
        One of ``KINDS``.
    label : str
        What the parser calls it, such as "PERSON"; by rule, its kind.
    """

    start: int
    stop: int
    kind: str
    label: str


def mentions_by_rule(text: str) -> list[Mention]:
    """The mentions that digits and capitals show.

    A number has digits. A date is a weekday, a month with what stands around it, or a year from 1000 to 2099. A name is
    a run of words with a capital; a word that begins a sentence is left out, for any word has a capital there.

    Examples
    --------
    >>> text = "Yesterday Anna Smith paid 1,000 euros. Then she left on 2 May 2015."
    >>> [(text[found.start : found.stop], found.kind) for found in mentions_by_rule(text)]
    [('Anna Smith', 'name'), ('1,000', 'number'), ('2 May 2015', 'date')]
    """
    mentions: list[Mention] = []
    for match in _FOUND.finditer(text):
        (start, stop), kind = match.span(), str(match.lastgroup)
        if kind == "name" and (not text[start].isupper() or _begins(text, start)):
            continue
        if kind == "number" and _YEAR.fullmatch(match[0]):
            kind = "date"
        last = mentions[-1] if mentions else None
        if kind == "name" and last and last.kind == kind and text[last.stop : start] in _WITHIN:
            mentions[-1] = last._replace(stop=stop)
        else:
            mentions.append(Mention(start, stop, kind, kind))
    return mentions


def _begins(text: str, start: int) -> bool:
    """Whether a word begins a sentence."""
    before = start - 1
    while before >= 0 and text[before] in _AROUND:
        before -= 1
    return before < 0 or text[before] in _ENDS


def mentions_in_parse(parses: Parses, index: int) -> list[Mention]:
    """The entities that a parser marks in a text.

    Examples
    --------
    >>> from metrologue.representations.parses import Parses, Token
    >>> parses = Parses.of_texts(["Anna ran"], [[Token("Anna", entity="B-PERSON"), Token("ran")]])
    >>> mentions_in_parse(parses, 0)
    [Mention(start=0, stop=4, kind='name', label='PERSON')]
    """
    first = int(parses.offsets[index])
    mentions = []
    for start, stop, label in parses.labelled(index):
        spans = parses.spans[first + start : first + stop]
        begin, end = int(spans[0, 0]), int(spans[-1, 1])
        if end > begin:
            mentions.append(Mention(begin, end, _KIND_OF.get(label, "name"), label))
    return mentions


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, by ``str.casefold()``, numbers without the commas in them.

    Examples
    --------
    >>> words_of("Anna paid 1,000.50 euros.")
    ['anna', 'paid', '1000.50', 'euros']
    """
    return [each.replace(",", "") if each[0].isdigit() else each for each in _WORD.findall(text.casefold())]


def word_spans(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """Where the words and numbers between two places of a text begin and end.

    Examples
    --------
    >>> word_spans("then Anna-Maria", 5, 15)
    [(5, 9), (10, 15)]
    """
    return [match.span() for match in _WORD.finditer(text, start, stop)]
