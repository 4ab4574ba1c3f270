"""A parser without a model: pairs of neighbouring words for arcs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metrologue.representations.parses.columns import Parses, Token

_TOKEN = re.compile(r"\w+(?:['’.,-]\w+)*|[^\w\s]")
_ENDS = frozenset(".!?")


class WordParser:
    """A parser that uses the spelling of a text alone: no grammar, no file and no package.

    A word depends on the word before it in its sentence, with the relation "next"; a mark depends on it too, as
    "punct". A lemma is the word in small letters. There are no entities.

    Examples
    --------
    >>> parses = WordParser().parse(["The plane left, at 9. It is old."])
    >>> parses.texts("forms", 0)
    ['The', 'plane', 'left', ',', 'at', '9', '.', 'It', 'is', 'old', '.']
    >>> parses.heads, parses.sentences[6:8]
    (array([-1,  0,  1,  2,  2,  4,  5, -1,  7,  8,  9]), array([0, 1]))
    """

    name = "words@1"

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses of texts."""
        return Parses.of_texts(texts, [[*_tokens(text)] for text in texts])


def _tokens(text: str) -> Iterator[Token]:
    forms = _TOKEN.findall(text)
    head, before = -1, -1
    for place, (form, sentence) in enumerate(zip(forms, _sentences(forms), strict=True)):
        is_word = form[0].isalnum() or form[0] == "_"
        head = head if sentence == before else -1
        relation = ("next" if is_word else "punct") if head >= 0 else "ROOT"
        yield Token(form, form.lower(), head=head, relation=relation, sentence=sentence)
        head, before = place if is_word else head, sentence


def _sentences(forms: Sequence[str]) -> Iterator[int]:
    """The number of each token's sentence, which begins at the first word after a mark that ends one."""
    number, ended = 0, False
    for form in forms:
        number += ended and form[0].isalnum()
        ended = form in _ENDS or (ended and not form[0].isalnum())
        yield number
