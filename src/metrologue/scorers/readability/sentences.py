"""How many sentences a text has, by the rules of the packages that measure readability."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrologue.text.tokenizers.external import nltk_sentences

__all__ = ["sample_of_sentences", "sentence_counts"]

# From a word on to the next marks that end a sentence, with these.
_TO_AN_END = re.compile(r"\b[^.!?]+[.!?]*")
_WITH_LETTERS = re.compile(r"\w")
_LINES = re.compile("[^\n]+")
# A sentence has more words than these.
_FEW = 2
# SMOG's sample: so many sentences from each of three places.
_SAMPLED = 10


def sentence_counts(texts: Sequence[str], rule: str) -> list[int]:
    """The number of sentences of each text: by "endings", "lines", or nltk's "punkt".

    Examples
    --------
    >>> sentence_counts(["He came, e.g. to us. We left.", "Yes! No.", ""], "endings")
    [1, 1, 0]
    """
    if rule == "endings":
        return [_ended(text) for text in texts]
    if rule == "lines":
        return [len(_LINES.findall(text)) for text in texts]
    sentences = nltk_sentences()
    return [len(sentences(text)) for text in texts]


def _ended(text: str) -> int:
    """The parts between marks that have more than two words; at least one, unless the text is empty."""
    if not text:
        return 0
    parts = (part.split() for part in _TO_AN_END.findall(text))
    return max(1, sum(sum(map(bool, map(_WITH_LETTERS.search, words))) > _FEW for words in parts))


def sample_of_sentences(text: str) -> str | None:
    """The first ten, middle ten and last ten sentences, by nltk's punkt; None if there are fewer than thirty."""
    sentences = nltk_sentences()(text)
    if len(sentences) < 3 * _SAMPLED:
        return None
    middle = len(sentences) // 2 - _SAMPLED // 2
    return " ".join(sentences[:_SAMPLED] + sentences[middle : middle + _SAMPLED] + sentences[-_SAMPLED:])
