"""A parser without a model: pairs of neighbouring words for arcs, and names and numbers for entities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from metrologue.representations.parses.columns import Parses, Token
from metrologue.representations.parses.named import NamedParser

__all__ = ["WordParser", "word_parser"]

_TOKEN = re.compile(r"\w+(?:['’.,-]\w+)*|[^\w\s]")
_ENDS = frozenset(".!?")


class WordParser:
    """What spelling alone says of a text. It knows no grammar, and needs no file and no package.

    A word depends on the word before it in its sentence, with the relation "next"; a mark depends on it too, as
    "punct". A lemma is the word in small letters. An entity is a number, or one capitalized word or several in a row. A
    capital at the beginning of a sentence counts only if the next word has one too, or the text has the word with a
    capital inside of a sentence.

    Examples
    --------
    >>> parses = WordParser().parse(["The plane to New York left at 9. York is old."])
    >>> tokens = parses.texts("forms", 0)
    >>> [(" ".join(tokens[start:stop]), label) for start, stop, label in parses.labelled(0)]
    [('New York', 'NAME'), ('9', 'NUMBER'), ('York', 'NAME')]
    >>> parses.heads[:4], parses.sentences[-3:]
    (array([-1,  0,  1,  2]), array([1, 1, 1]))
    """

    name = "words@1"

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses of texts."""
        return Parses.of_texts(texts, [[*_tokens(text)] for text in texts])


@cache
def word_parser() -> NamedParser:
    """The parser as the value of a field."""
    return NamedParser.of(WordParser())


def _tokens(text: str) -> Iterator[Token]:
    forms = _TOKEN.findall(text)
    sentences = [*_sentences(forms)]
    marks = _entities(forms, sentences)
    head, before = -1, -1
    for place, (form, sentence) in enumerate(zip(forms, sentences, strict=True)):
        is_word = form[0].isalnum() or form[0] == "_"
        head = head if sentence == before else -1
        relation = ("next" if is_word else "punct") if head >= 0 else "ROOT"
        yield Token(form, form.lower(), head=head, relation=relation, entity=marks[place], sentence=sentence)
        head, before = place if is_word else head, sentence


def _sentences(forms: Sequence[str]) -> Iterator[int]:
    """The number of each token's sentence, which begins at the first word after a mark that ends one."""
    number, ended = 0, False
    for form in forms:
        number += ended and form[0].isalnum()
        ended = form in _ENDS or (ended and not form[0].isalnum())
        yield number


def _entities(forms: Sequence[str], sentences: Sequence[int]) -> list[str]:
    """The mark of each token as ``Token`` has it."""
    places = range(len(forms))
    first = [place == 0 or sentences[place] != sentences[place - 1] for place in places]
    capital = [form[0].isupper() for form in forms]
    inside = {forms[place] for place in places if capital[place] and not first[place] and len(forms[place]) > 1}

    def kind(place: int) -> tuple[str, int]:
        form, sentence = forms[place], sentences[place]
        if form[0].isdigit():
            return "NUMBER", sentence
        near = place + 1 < len(forms) and capital[place + 1] and sentences[place + 1] == sentence
        named = capital[place] and (form in inside or (first[place] and near))
        return ("NAME", sentence) if named else ("", sentence)

    marks: list[str] = []
    for (label, _), group in groupby(places, kind):
        run = len([*group])
        marks += [f"B-{label}", *[f"I-{label}"] * (run - 1)] if label else [""] * run
    return marks
