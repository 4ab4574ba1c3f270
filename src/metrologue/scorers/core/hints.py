"""Errors and warnings about texts: an error if they have no score, and a warning if it may surprise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Flags, Integers
from metrologue.data.strings import Strings, of_strings
from metrologue.errors import InputError, warn_caller
from metrologue.scorers.core.result import at_fault
from metrologue.segments import Segments
from metrologue.text.glance import MARKS
from metrologue.text.reading.text import Text
from metrologue.text.scripts import Joined, joined_words, may_join_words
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.registry import missing_for

# A scorer. The module that has the class imports this one.
Scorer = Any


def refuse_empty(
    owner: str, argument: str, empty: Flags, reason: str, first: int = 0, offsets: Integers | None = None
) -> None:
    """Raise an InputError for the first text that is `empty`, bool (n_texts,).

    `reason` says what the text lacks, and what to do; `first` is the index of the first segment. The texts of segment s
    are ``offsets[s]:offsets[s + 1]``; without `offsets`, each segment has one.

    Examples
    --------
    >>> empty = np.array([False, False, True])
    >>> refuse_empty("Ribes", "references", empty, "has no words; drop it", offsets=np.array([0, 2, 3]))
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Ribes: `references[1]` has no words; drop it.
    """
    if empty.any():
        text = int(np.argmax(empty))
        index = text if offsets is None else int(np.searchsorted(offsets, text, "right")) - 1
        raise InputError.at(owner, argument, first + index, f" {reason}.")


def refuse_undefined(owner: str, undefined: Flags, reason: str) -> None:
    """Raise an InputError if a score is undefined: that of a corpus (), of a segment (n,), or of a resample.

    Examples
    --------
    >>> refuse_undefined("Bleu", np.array([False, True]), "has no token in its references; drop it")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Bleu: segment 1, counted from 0, has no token in its references; drop it.
    """
    if undefined.any():
        raise InputError(f"{owner}: {at_fault(undefined)} {reason}.")


# sacrebleu warns from this number of lines on.
_TOKENIZED_LINES = 100
# How many texts are examined.
_SAMPLE = 50
# Words that are a quarter of any English text, without those that are as usual in German, French or Dutch ("in").
_ENGLISH = frozenset(
    re.split(
        " ",
        "a about and are been but by can for from had has have he his i if it its my not of our she that the their "
        "there they this to were what when which who with would you your",
    )
)
# Tokenizers that keep a to z and 0 to 9 alone, and the share of other letters that is told.
ASCII_WORDS, DROPPED = ("rouge-score", "rouge-1.5.5"), 0.01
_WORD = re.compile(r"[^\W\d_]+")
# Tokenizers that normalize answers: articles and punctuation are gone.
NORMALIZING = frozenset({"squad", "drop"})
# So many texts of a column are looked at for characters that may surprise.
LOOKED_AT = 200
# With fewer words than these, names and quotations may be all there is.
_FEWEST = 30
# English text has at least this share of its own function words, or has so few words that a lexicon does not know.
_FUNCTION_SHARE, _UNKNOWN_SHARE = 0.1, 0.25


def looks_tokenized(segments: Segments) -> bool:
    """Whether 100 or more predictions end with a full stop after a space.

    Examples
    --------
    >>> looks_tokenized(Segments(["so it is ."] * 100))
    True
    """
    if len(segments) < _TOKENIZED_LINES:
        return False
    return segments.strings().ending(b" .") >= _TOKENIZED_LINES


def are_plain(scorer: Scorer, segments: Segments) -> bool:
    """Whether the first texts are ASCII without markup: then no hint is about their characters.

    A tokenizer for which there are hints about ASCII, or about all texts, has none of these.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> are_plain(Bleu(), Segments(["a cat"], ["the cat"])), are_plain(Bleu(), Segments(["a c@@ at"], ["the cat"]))
    (True, False)
    """
    if "ptb" in scorer._cut_by or getattr(scorer, "tokenizer", "") in NORMALIZING:
        return False
    for name in ("predictions", "references"):
        column = segments.columns.get(name)
        if isinstance(column, Text):
            text = column.strings.leading(LOOKED_AT)
            if not text.isascii() or any(map(text.__contains__, MARKS)):
                return False
    return True


def _examined(segments: Segments) -> Strings:
    """The references, of which the first ones are a sample; without references, the predictions."""
    return segments.strings("references" if segments.references else "predictions")


def other_letters(segments: Segments) -> float:
    """The share of non-ASCII letters among all letters of the first references (without references, predictions).

    Examples
    --------
    >>> other_letters(Segments(["a"], ["мат"])), other_letters(Segments(["a"], ["mat"]))
    (1.0, 0.0)
    """
    sample = _examined(segments).leading(_SAMPLE)
    if sample.isascii():
        return 0.0
    letters = "".join(filter(str.isalpha, sample.decode()))
    return (len(letters) - len(letters.encode("ascii", "ignore"))) / len(letters) if letters else 0.0


def dropped_letters(tokenizer: str, segments: Segments) -> float:
    """The share of the letters of the first references that a tokenizer of ASCII words drops.

    Examples
    --------
    >>> dropped_letters("rouge-score", Segments(["a"], ["мат"])), dropped_letters("13a", Segments(["a"], ["мат"]))
    (1.0, 0.0)
    """
    of_ascii = tokenizer.partition(":")[0] in ASCII_WORDS
    return other_letters(segments) if of_ascii and not segments.holds_items else 0.0


def looks_english(segments: Segments, known: Callable[[Sequence[str]], NDArray[np.bool_]]) -> bool:
    """Whether the first references (without references, predictions) may be English. A few words always may.

    They are not if function words of English are below 10 % of the running words, and words that an English lexicon
    does not have are above 25 %. `known` says which words it has.

    Examples
    --------
    >>> dogs = Segments(["the dog barks at the cat"] * 6)
    >>> looks_english(dogs, lambda words: np.zeros(len(words), bool))  # function words are enough
    True
    >>> hunde = Segments(["der Hund bellt die Katze an"] * 6)
    >>> looks_english(hunde, lambda words: np.array([word == "die" for word in words]))
    False
    """
    running = [word for text in _examined(segments).cut(0, _SAMPLE).to_pylist() for word in _WORD.findall(text.lower())]
    if (total := len(running)) < _FEWEST:
        return True
    counts = Counter(running)
    if sum(counts[word] for word in _ENGLISH) >= _FUNCTION_SHARE * total:
        return True
    words = [*counts.keys() - _ENGLISH]
    unknown = sum(counts[word] for word, is_known in zip(words, known(words).tolist(), strict=True) if not is_known)
    return unknown <= _UNKNOWN_SHARE * total


def dropped_characters(tokenizer: str, segments: Segments) -> list[str]:
    """A hint that counts the characters that the tokenizer `ptb` drops; no hint for other tokenizers.

    The program drops what it does not know, such as emoji, and prints a warning for each.

    Examples
    --------
    >>> dropped_characters("ptb", Segments(["a 🙂 b🙂"], ["a café"]))
    ['the tokenizer ptb drops characters that it does not know, 2 in all: 🙂 (2).']
    """
    if "ptb" not in tokenizer or segments.holds_items:
        return []
    counts: Counter[str] = Counter()
    for name in segments.columns:
        texts = segments.strings(name)
        points = np.frombuffer(texts.leading(len(texts)).decode().encode("utf-32-le"), np.uint32)
        found, times = np.unique(points[points > 0x7F], return_counts=True)
        counts.update({chr(point): count for point, count in zip(found.tolist(), times.tolist(), strict=True)})
    characters = [character for character in counts if not character.isspace()]
    tokens = get_tokenizer("ptb", punctuation=True)(of_strings([f"a{each}b" for each in characters]))
    kept = ["".join(tokens.of_text(i)) != "ab" for i in range(len(characters))]
    dropped = Counter({each: counts[each] for each, stays in zip(characters, kept, strict=True) if not stays})
    if not dropped:
        return []
    shown = ", ".join(f"{each} ({count})" for each, count in dropped.most_common(5))
    more = f" and {len(dropped) - 5} others" if len(dropped) > 5 else ""
    return [f"the tokenizer ptb drops characters that it does not know, {dropped.total()} in all: {shown}{more}."]


def joined_words_of(scorer: Scorer, segments: Segments) -> Joined | None:
    """What the scorer's tokenizer makes of scripts without spaces, if it does not find their words there."""
    tokenizer = scorer._cut_by
    if not tokenizer or not isinstance(segments.references or segments.predictions, Text):
        return None
    texts = _examined(segments)
    return joined_words(texts.cut(0, _SAMPLE), tokenizer) if may_join_words(texts.leading(_SAMPLE)) else None


def unparted(scorer: Scorer, segments: Segments, of_each: bool = False) -> list[str]:
    """A hint if the scorer does not find the words of a script without spaces: what finds them, and the score then.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> texts = ["他昨天买了一本新书。", "我们讨论了环境政策。"]
    >>> unparted(Bleu(), Segments(texts, texts[::-1]))[0].partition("; ")[2]
    "tokenizer='zh' gives 2.97."
    """
    if not (joined := joined_words_of(scorer, segments)):
        return []
    fields = getattr(scorer, "_of_characters", None) or scorer._for_language(joined.language)
    cure = spelled_fields(fields) or "a metric of characters is right here"
    if needed := missing_for(fields.get("tokenizer", "")):
        cure += f" finds the words, but needs {needed}"
    elif fields:
        value = None if of_each else _value_with(scorer, fields, segments)
        cure = f"use {cure}" if value is None else f"{cure} gives {value:.2f}"
    return [f"{type(scorer).__name__}: {joined.about}; {cure}."]


def spelled_fields(fields: Mapping[str, Any]) -> str:
    """Values of fields as arguments of a call."""
    return ", ".join(f"{name}={value!r}" for name, value in fields.items())


def _value_with(scorer: Scorer, fields: Mapping[str, Any], segments: Segments) -> float | None:
    """The score with other fields; None if there is none."""
    try:
        return float(replace(scorer, **fields)._scored(segments, None).value)
    except InputError:
        return None


def are_compared(segments: Segments) -> bool:
    """Whether each segment has its references. ``pairwise`` asks for hints with texts whose pairs are not segments.

    Examples
    --------
    >>> are_compared(Segments(["a"], ["b"])), are_compared(Segments(["a"]))
    (True, False)
    """
    return bool(np.diff(segments.reference_offsets).all()) and len(segments) > 0


def warn(hints: Iterable[str]) -> None:
    """Warn of each of these, at the line outside this package that asked for a score."""
    for hint in hints:
        warn_caller(hint)
