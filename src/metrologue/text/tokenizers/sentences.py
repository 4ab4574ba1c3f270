"""Sentences of texts, and the beginnings of texts: what ROUGE does before it cuts words.

Every rule except nltk's is arithmetic on offsets into the bytes of the text. No sentence becomes a Python object.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import AnyTexts, Strings, buffers, of_strings
from metrologue.errors import InputError
from metrologue.kernels.utf8 import joined

# The byte that ends a sentence. "newline" is rouge_score's rougeLsum and ROUGE-1.5.5's SPL format, both of which skip
# empty lines; "period" is what `rouge` 1.0.1 does to each text.
_ENDS = {"newline": ord("\n"), "period": ord(".")}
SENTENCE_RULES = ("none", *_ENDS, "spaced-period", "punkt")
# The bytes that \s matches in Perl.
_PERL_BLANKS = [*b"\t\n\v\f\r "]


class Sentences(NamedTuple):
    """Texts that are cut into sentences.

    Attributes
    ----------
    texts : Strings or Arrow large_string (n_sentences,)
        The sentences of all texts, one after another.
    offsets : int64 (n_texts + 1,)
        The sentences of text t are ``texts[offsets[t]:offsets[t + 1]]``.
    """

    texts: AnyTexts
    offsets: NDArray[np.int64]


def split_sentences(texts: AnyTexts, rule: str) -> Sentences:
    """Cut texts into sentences.

    Raises an InputError if there is no such rule, or nltk or its data is missing.

    Parameters
    ----------
    texts : Arrow large_string (n_texts,)
    rule : str
        "newline" or "period": this character separates sentences. Empty sentences are dropped, but sentences of
        whitespace are kept. "spaced-period": a space and a period end a sentence, and what follows a "<" in it is left
        out. "none": each text is one sentence, even if it is empty. "punkt": nltk's English model finds the sentences.

    Examples
    --------
    >>> import pyarrow as pa
    >>> split_sentences(pa.array(["one\\n\\ntwo", ""], pa.large_string()), "newline").texts.to_pylist()
    ['one', 'two']
    """
    if rule not in SENTENCE_RULES:
        raise InputError(f"split_sentences: `rule` is {rule!r}; {' or '.join(SENTENCE_RULES)} is expected.")
    if rule == "none":
        return Sentences(texts, np.arange(len(texts) + 1))
    if rule == "punkt":
        from metrologue.text.tokenizers.external import nltk_sentences

        cut = list(map(nltk_sentences(), texts.to_pylist()))
        sentences = of_strings([*map(str.__str__, chain.from_iterable(cut))])
        return Sentences(sentences, np.cumsum([0, *map(len, cut)]))
    buffer, limits = buffers(texts)
    if rule == "spaced-period":
        return _spaced_periods(buffer, limits)
    ends = buffer[limits[0] : limits[-1]] == _ENDS[rule]
    if not ends.any() and (limits[:-1] < limits[1:]).all():
        return Sentences(texts, np.arange(len(texts) + 1))
    marks = np.flatnonzero(ends) + limits[0]
    # Sentences are in order and do not overlap, so the k-th start and the k-th stop belong to one sentence.
    starts = np.sort(np.concatenate([limits[:-1], marks + 1]), kind="stable")
    stops = np.sort(np.concatenate([marks, limits[1:]]), kind="stable")
    offsets = np.arange(len(limits)) + np.searchsorted(marks, limits)
    return _kept(buffer, starts, stops, offsets, starts < stops)


def _spaced_periods(buffer: NDArray[np.uint8], limits: NDArray[np.int64]) -> Sentences:
    """Sentences that end in " .", each up to its first "<": files2rouge writes them to a page of HTML."""
    pairs = np.flatnonzero((buffer[:-1] == ord(" ")) & (buffer[1:] == ord(".")))
    marks = pairs[np.searchsorted(limits, pairs, "right") == np.searchsorted(limits, pairs + 1, "right")] + 2
    marks = marks[(marks > limits[0]) & (marks <= limits[-1])]
    starts = np.sort(np.concatenate([limits[:-1], marks]), kind="stable")
    stops = np.sort(np.concatenate([marks, limits[1:]]), kind="stable")
    offsets = np.arange(len(limits)) + np.searchsorted(marks, limits, "right")
    tags = np.append(np.flatnonzero(buffer == ord("<")), len(buffer))
    stops = np.minimum(stops, np.maximum(starts, tags[np.searchsorted(tags, starts)]))
    return _kept(buffer, starts, stops, offsets, starts < stops)


def first_words(sentences: Sentences, limit: int) -> Sentences:
    """The first words of each text, as ROUGE-1.5.5 counts them (its option ``-l``).

    ASCII whitespace separates words. Whitespace at the start of a sentence has an empty word before it, which counts.
    Raises an InputError if the limit is below 1.

    Parameters
    ----------
    limit : int
        How many words of each text to keep, 1 or more.

    Examples
    --------
    >>> import pyarrow as pa
    >>> first_words(split_sentences(pa.array(["a b\\nc d"], pa.large_string()), "newline"), 3).texts.to_pylist()
    ['a b', 'c']
    """
    _check(limit, "first_words")
    buffer, limits = buffers(sentences.texts)
    starts, stops = limits[:-1], limits[1:].copy()
    blank = np.append(np.isin(buffer, _PERL_BLANKS), True)
    ending = blank[1:].copy()
    ending[limits[limits > 0] - 1] = True
    ends = np.flatnonzero(ending & ~blank[:-1]) + 1
    first = np.searchsorted(ends, limits, "right")
    words = np.diff(first)
    empty_first = blank[starts] & (words > 0)
    left = limit - _before(words + empty_first, sentences.offsets)
    cut = np.flatnonzero((left > 0) & (words + empty_first >= left))
    wanted = (left - empty_first)[cut]
    stops[cut] = np.where(wanted > 0, ends[first[cut] + wanted - 1], starts[cut])
    return _kept(buffer, starts, stops, sentences.offsets, left > 0)


def first_bytes(sentences: Sentences, limit: int, each: bool = False) -> Sentences:
    """The first bytes of each text, as ROUGE-1.5.5 counts them (its option ``-b``): only bytes of sentences count.

    An incomplete character at the end is dropped. This changes nothing: the words of ROUGE-1.5.5 are ASCII, so it
    treats such bytes as whitespace. Raises an InputError if the limit is below 1.

    Parameters
    ----------
    limit : int
        How many bytes of each text to keep, 1 or more.
    each : bool
        Apply the whole limit to each sentence, and stop after the first sentence that reaches it. ROUGE-1.5.5 does this
        for ROUGE-L and ROUGE-W, where it forgets to count.

    Examples
    --------
    >>> import pyarrow as pa
    >>> sentences = split_sentences(pa.array(["one\\ntwo\\nthree\\nfour"], pa.large_string()), "newline")
    >>> first_bytes(sentences, 4).texts.to_pylist(), first_bytes(sentences, 4, each=True).texts.to_pylist()
    (['one', 't'], ['one', 'two', 'thre'])
    """
    _check(limit, "first_bytes")
    buffer, limits = buffers(sentences.texts)
    lengths = np.diff(limits)
    counted = np.where(lengths >= limit, limit, 0) if each else lengths
    left = limit - _before(counted, sentences.offsets)
    stops = limits[:-1] + np.clip(left, 0, lengths)
    cut = np.flatnonzero(stops < limits[1:])
    for _ in range(3):  # a character has up to three bytes after its first
        stops[cut] -= (buffer[stops[cut]] & 0xC0) == 0x80
    return _kept(buffer, limits[:-1], stops, sentences.offsets, left > 0)


def first_of_stripped(sentences: Sentences, words: int | None = None, characters: int | None = None) -> Sentences:
    """The first words of ``str.split()``, or the first characters, of sentences without whitespace at their ends.

    py-rouge limits texts so. Whitespace between sentences is not counted.

    Examples
    --------
    >>> import pyarrow as pa
    >>> lines = split_sentences(pa.array(["  one two \\n three"], pa.large_string()), "newline")
    >>> first_of_stripped(lines, words=2).texts.to_pylist(), first_of_stripped(lines, characters=9).texts.to_pylist()
    (['one two'], ['one two', 'th'])
    """
    texts = sentences.texts.to_pylist()
    found: list[str] = []
    offsets = [0]
    for first, last in pairwise(sentences.offsets.tolist()):
        left_words, left = words, characters
        for text in texts[first:last]:
            if left_words is not None:
                parts = text.split()[:left_words]
                text, left_words = " ".join(parts), left_words - len(parts)
            if left is not None:
                text = text.strip()[:left]
                left -= len(text)
            found.append(text)
            if 0 in (left_words, left):
                break
        offsets.append(len(found))
    return Sentences(of_strings(found), np.array(offsets))


def _check(limit: int, owner: str) -> None:
    if limit < 1:
        raise InputError(f"{owner}: `limit` is {limit}; 1 or more is expected.")


def _before(counts: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each sentence, the sum of the counts of the sentences before it in its text."""
    sums = np.concatenate([[0], np.cumsum(counts)])
    before: NDArray[np.int64] = sums[:-1] - np.repeat(sums[offsets[:-1]], np.diff(offsets))
    return before


def _kept(
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    offsets: NDArray[np.int64],
    wanted: NDArray[np.bool_],
) -> Sentences:
    """The wanted spans as sentences."""
    texts = Strings(*joined(buffer, starts[wanted], (stops - starts)[wanted]))
    return Sentences(texts, np.concatenate([[0], np.cumsum(wanted)])[offsets])
