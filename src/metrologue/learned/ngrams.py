"""An encoder without a model: how often each character n-gram of a text occurs, in a few hundred numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from metrologue.errors import InputError, checked_int, shown
from metrologue.representations.base import Matrix, TokenVectors


class NgramEncoder:
    """Vectors of words by their character n-grams, each counted at a place that its CRC-32 gives.

    It knows spellings and no meanings, and needs no file and no package. A text's vector is the sum of its words',
    divided by its length. So it is a rival for every encoder that was trained, and what the models are made with that
    metrologue has for its examples and tests.

    Parameters
    ----------
    width : int
        The length of a vector.
    order : int
        The longest n-gram; a word has a mark at both ends.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> encoder = NgramEncoder(64)
    >>> encoder.name
    'ngrams-64@3'
    >>> one, other, third = encoder.encode_texts(["The cats", "the cat", "a dog"])
    >>> round(float(one @ other), 2), round(float(one @ third), 2)
    (0.93, 0.31)
    """

    layers = 0

    def __init__(self, width: int = 64, order: int = 3) -> None:
        self.width = checked_int("NgramEncoder: `width`", width, 1, 1 << 20)
        self.order = checked_int("NgramEncoder: `order`", order, 1, 10)
        self.name = f"ngrams-{self.width}@{self.order}"

    @classmethod
    def named(cls, name: str) -> NgramEncoder | None:
        """The encoder of this name; None for another name."""
        match = re.fullmatch(r"ngrams-(\d{1,7})@(\d{1,2})", name)
        return cls(*map(int, match.groups())) if match else None

    def tokens(self, text: str) -> list[str]:
        """The words, in lower case."""
        return text.lower().split()

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors of the words, divided by their lengths; there is one layer."""
        if wrong := [layer for layer in layers if layer]:
            raise InputError(f"{self.name}: there is no layer {shown(wrong[0])}; it has the layer 0.")
        made: dict[str, Matrix] = {}
        words = [self.tokens(text) for text in texts]
        for word in {word for own in words for word in own}:
            made[word] = self._of_word(word)
        none = np.zeros((0, self.width), np.float32)
        return TokenVectors.of_texts([np.array([made[word] for word in own]) if own else none for own in words])

    def _of_word(self, word: str) -> Matrix:
        marked = f"<{word}>"
        counts = np.zeros(self.width, np.float32)
        for order in range(1, self.order + 1):
            for start in range(len(marked) - order + 1):
                place = crc32(marked[start : start + order].encode("utf-8", "surrogatepass"))
                counts[place % self.width] += 1 if place >> 31 else -1
        return counts / max(float(np.linalg.norm(counts)), 1e-9)

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """The sum of the vectors of each text's words, of length 1; zeros for a text without words."""
        found = self.encode_tokens(texts, (0,))
        sums = np.array([found.part(i, i + 1).vectors[0].sum(axis=0) for i in range(len(texts))], np.float32)
        sums = sums.reshape(len(texts), self.width)
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
        scaled: Matrix = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
        return scaled
