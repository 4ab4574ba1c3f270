"""Readings: the steps that turn a text into ids of tokens, before anything is counted."""

from metrologue.reading.steps import (
    Drop,
    EraseCharacters,
    EraseMatches,
    FirstBytes,
    FirstWords,
    Lower,
    LowerTokens,
    Reading,
    Retokenize,
    Sentences,
    Stem,
    Step,
    Tokenize,
    Transform,
    words,
)
from metrologue.reading.text import Text
from metrologue.reading.view import View
from metrologue.reading.vocabulary import Types, Vocabulary

__all__ = [
    "Drop",
    "EraseCharacters",
    "EraseMatches",
    "FirstBytes",
    "FirstWords",
    "Lower",
    "LowerTokens",
    "Reading",
    "Retokenize",
    "Sentences",
    "Stem",
    "Step",
    "Text",
    "Tokenize",
    "Transform",
    "Types",
    "View",
    "Vocabulary",
    "words",
]
