"""Readings: the steps that turn a text into ids of tokens, before anything is counted."""

from metrologue.text.reading.pages import Reading, Step
from metrologue.text.reading.steps import (
    Drop,
    EraseCharacters,
    EraseMatches,
    FirstBytes,
    FirstOfStripped,
    FirstWords,
    Lower,
    LowerTokens,
    Normalize,
    Retokenize,
    Sentences,
    Stem,
    Tokenize,
    Transform,
    words,
)
from metrologue.text.reading.text import Text
from metrologue.text.reading.view import View
from metrologue.text.reading.vocabulary import Types, Vocabulary

__all__ = [
    "Drop",
    "EraseCharacters",
    "EraseMatches",
    "FirstBytes",
    "FirstOfStripped",
    "FirstWords",
    "Lower",
    "LowerTokens",
    "Normalize",
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
