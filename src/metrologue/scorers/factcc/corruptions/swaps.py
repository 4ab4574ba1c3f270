"""Swaps: a name, a number, a date or a pronoun becomes another one of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metrologue.scorers.factcc.corruptions.edits import Edit
from metrologue.scorers.factcc.corruptions.sentences import Sentence

__all__ = ["PRONOUNS", "exchange_names", "swap_date", "swap_name", "swap_number", "swap_pronoun"]

_LISTED = frozenset(("", ",", "/", "&", "and", "or", ", and", ", or"))  # what stands between the parts of a list

# Pronouns of one class may stand in each other's place. "her" and "his" have two, which the tag tells apart.
PRONOUNS = {
    "subject": ("he", "i", "she", "they", "we", "you"),
    "object": ("her", "him", "me", "them", "us", "you"),
    "possessive": ("her", "his", "its", "my", "our", "their", "your"),
    "reflexive": ("herself", "himself", "itself", "myself", "ourselves", "themselves", "yourself"),
}


def swap_name(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """Another name with the same label takes the place of a name. The sentence may have no word of it."""
    return _swap("name", sentence, source, draw)


def swap_number(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """The same, of numbers."""
    return _swap("number", sentence, source, draw)


def swap_date(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """The same, of dates."""
    return _swap("date", sentence, source, draw)


def _swap(kind: str, sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """The first of the texts that has a mention to swap with gives it: the source, and then others."""
    own = [mention for mention in sentence.mentions if mention.kind == kind]
    for place in draw.permutation(len(own)):
        mention = own[place]
        for text in source:
            others = sorted({*_others(sentence, mention.label, text)})
            if others:
                return Edit(mention.start, mention.stop, others[int(draw.integers(len(others)))])
    return None


def _others(sentence: Sentence, label: str, text: Sentence) -> Iterator[str]:
    words = {*sentence.text.lower().split()}
    for mention in text.mentions:
        said = text.said(mention)
        if mention.label == label and words.isdisjoint(said.lower().split()):
            yield said


def exchange_names(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """Two names with the same label change places, with what is between them as it was; not those of "A and B"."""
    own = [mention for mention in sentence.mentions if mention.kind == "name"]
    pairs = [
        (one, other)
        for place, one in enumerate(own)
        for other in own[place + 1 :]
        if one.label == other.label
        and sentence.said(one).lower() != sentence.said(other).lower()
        and sentence.text[one.stop : other.start].strip().lower() not in _LISTED
    ]
    if not pairs:
        return None
    one, other = pairs[int(draw.integers(len(pairs)))]
    between = sentence.text[one.stop : other.start]
    return Edit(one.start, other.stop, sentence.said(other) + between + sentence.said(one))


def swap_pronoun(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """A pronoun becomes another one of its class."""
    own = [place for place, token in enumerate(sentence.tokens) if _class_of(token.form, token.tag)]
    if not own:
        return None
    place = own[int(draw.integers(len(own)))]
    form, tag = sentence.tokens[place].form, sentence.tokens[place].tag
    others = [each for each in PRONOUNS[_class_of(form, tag)] if each != form.lower()]
    other = others[int(draw.integers(len(others)))]
    start, stop = sentence.spans[place]
    capital = other == "i" or (form[0].isupper() and (len(form) > 1 or place == 0))
    return Edit(start, stop, other.capitalize() if capital else other)


def _class_of(form: str, tag: str) -> str:
    """The class of a pronoun; "" for any other word. "it" is left alone: it is often not a pronoun for anything."""
    word = form.lower()
    found = [name for name, members in PRONOUNS.items() if word in members]
    if tag == "PRP$":
        return "possessive" if "possessive" in found else ""
    if word in ("her", "you"):
        return "object" if word == "her" else "subject"
    return found[0] if found else ""
