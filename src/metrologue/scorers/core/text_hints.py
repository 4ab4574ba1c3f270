"""Hints about the characters of texts: what only looks equal, and what a tokenizer or normalizer makes of a script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.strings import changed, of_strings
from metrologue.errors import InputError, number_of
from metrologue.scorers.core.hints import LOOKED_AT, NORMALIZING
from metrologue.segments import Segments
from metrologue.text.glance import may_deceive
from metrologue.text.normalizers import normalizer_of
from metrologue.text.reading.text import Text
from metrologue.text.tokenizers import get_tokenizer

# A scorer. The module that has the class imports this one.
Scorer = Any

# So many texts of a column are looked at, and so many of their words.
_TEXTS, _WORDS = LOOKED_AT, 300
# So many of the words with marks are cut, or so many of the letters are gone.
_CUT, _GONE = 0.1, 0.1
# A hint about marks at the end of words is told if the score rises by so much of its scale.
_RISE = 0.05
# The shares of texts of both sides with such marks differ by so much.
_ONE_SIDE = 0.2
# Tokenizers that cut words at marks, or take letters away; the others keep a word of any script together. ptb's own
# hint names the characters that it drops. Of registered functions, nothing is known.
TEARING = frozenset({"moses", "ptb", "rouge-score", "rouge-1.5.5", "scikit-learn"})
_13A = frozenset({"13a", "13a-unstripped", "13a-rust", "mteval-v13a"})
_LONGEST_EMPTIED = 16
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
# The danda, and the comma, semicolon, question mark and full stop of Arabic, Urdu, Armenian and Ethiopic.
_ON_WORD = re.compile("\\S([\u0964\u0965\u060c\u061b\u061f\u06d4\u0589\u1361-\u1368])")
_MAY_MARK = re.compile(rb"\xe0\xa5[\xa4\xa5]|\xd8[\x8c\x9b\x9f]|\xdb\x94|\xd6\x89|\xe1\x8d[\xa1-\xa8]")


def hints_of_texts(scorer: Scorer, segments: Segments, of_each: bool = False) -> list[str]:
    """What is said of the characters of the texts. A quick look at the first texts tells whether there is anything.

    Examples
    --------
    >>> from metrologue.scorers import WordErrorRate
    >>> hints_of_texts(WordErrorRate(), Segments(["a\\u00a0b"], ["a b"]))[0].partition("; ")[2]
    'the score is 1.00, and 0.00 with plain spaces.'
    """
    predictions, given = segments.columns["predictions"], segments.columns.get("references")
    if not isinstance(predictions, Text) or not len(predictions):
        return []
    tokenizer, normalizer = scorer._cut_by, getattr(scorer, "normalizer", None)
    references = given if isinstance(given, Text) and given.entry_count else predictions
    known = references.strings.leading(_TEXTS)
    ours = b"" if references is predictions else predictions.strings.leading(_TEXTS)
    hints: list[str] = []
    if (normalizer or _may_tear(tokenizer)) and not known.isascii():
        hints += torn(scorer, references, tokenizer, normalizer, segments, of_each)
    if references is predictions:
        return hints
    if getattr(scorer, "tokenizer", "") in NORMALIZING and _are_pairs(segments):
        hints += _emptied(scorer, references)
        hints += _joined_numbers(scorer, segments)
    if may_deceive(known + ours) and _are_pairs(segments):
        hints += _only_look_equal(scorer, segments, predictions, references, of_each)
    if tokenizer in _13A and not of_each and not known.isascii() and _MAY_MARK.search(known) and _are_pairs(segments):
        hints += _marks_on_words(scorer, segments, predictions, references)
    return hints


def _may_tear(tokenizer: str) -> bool:
    return "@" in tokenizer or tokenizer.partition(":")[0] in TEARING


def _are_pairs(segments: Segments) -> bool:
    offsets = segments.reference_offsets
    return bool((offsets[1:] > offsets[:-1]).all())


def _number(scorer: Scorer, segments: Segments, of_each: bool) -> float | None:
    """The score, or the mean of the segments' own scores; None if there is none."""
    try:
        if of_each:
            return float(scorer._of_each(segments, None)[scorer.primary].mean())
        return float(scorer._scored(segments, None).value)
    except InputError:
        return None


def _is_better(scorer: Scorer, after: float, before: float) -> bool:
    better = scorer.higher_is_better.get(scorer.primary)  # None for a number without a direction
    return better is not None and (after > before if better else after < before)


# What only looks equal.


def _shares(column: Text) -> Mapping[str, float]:
    from metrologue.text.looks import shares  # seldom needed, and slow to import

    return column.memoize(("looks",), lambda: shares(column.strings.cut(0, _TEXTS).to_pylist()))


def _only_look_equal(
    scorer: Scorer, segments: Segments, predictions: Text, references: Text, of_each: bool
) -> Iterator[str]:
    """A hint for each kind of characters that one side has, if the score is better for the texts as they look."""
    from metrologue.text.looks import differing

    for look, is_ours in differing(_shares(predictions), _shares(references)):
        name, column = ("predictions", predictions) if is_ours else ("references", references)
        plain = type(column)(changed(column.strings, look.plain), column.offsets)
        as_it_looks = Segments.of_columns({**segments.columns, name: plain}, first=segments.first)
        before, after = (_number(scorer, each, of_each) for each in (segments, as_it_looks))
        if before is None or after is None or not _is_better(scorer, after, before):
            continue
        if f"{before:.2f}" == f"{after:.2f}":
            continue
        other = "references" if is_ours else "predictions"
        yield (
            f"{scorer._label}: {_shares(column)[look.name]:.0%} of the {name} have {look.name}, most of the {other} "
            f"have none; the score is {before:.2f}, and {after:.2f} {look.repair}."
        )


# What a tokenizer or a normalizer makes of a script.

Cut = Callable[[Sequence[str]], list[list[str]]]


class Torn(NamedTuple):
    """How many words have marks of vowels, how many are cut there, the share of letters that are gone, an example."""

    marked: int
    cut: int
    gone: float
    example: tuple[str, list[str]] | None


def torn_words(words: Sequence[str], cut: Cut) -> Torn:
    """What becomes of words of scripts whose vowels, points or tones are marks beside the letters.

    Examples
    --------
    >>> torn_words(["राम", "घर"], lambda words: [re.findall(r"[^\\W_]+", word) for word in words])
    Torn(marked=1, cut=1, gone=0.33..., example=('राम', ['र', 'म']))
    """
    composed = [unicodedata.normalize("NFC", word) for word in words]
    bare = ["".join(mark for mark in word if not _is_mark(mark)) for word in composed]
    whole, plain = cut(composed), cut(bare)
    marked = cut_count = 0
    example = None
    letters = left = 0
    for word, own, tokens, other in zip(composed, bare, whole, plain, strict=True):
        count = sum(map(_is_letter, word))
        if count > 2:
            letters += count
            left += min(count, sum(_is_letter(mark) for token in tokens for mark in token))
        if own == word:
            continue
        marked += 1
        if len(other) <= 1 < len(tokens) or (len(own) > 1 and len(other) == 1 and not tokens):
            cut_count += 1
            example = example or (word, tokens)
    return Torn(marked, cut_count, 1 - left / letters if letters else 0.0, example)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _is_letter(character: str) -> bool:
    return character.isalpha() or _is_mark(character)


def _words(column: Text) -> list[str]:
    """Distinct words beyond ASCII, without the punctuation around them."""
    texts = column.strings.cut(0, _TEXTS).to_pylist()
    every = dict.fromkeys(_bare(word) for text in texts for word in text.split() if not word.isascii())
    return [word for word in every if any(map(_is_letter, word))][:_WORDS]


def _bare(word: str) -> str:
    start, stop = 0, len(word)
    while start < stop and not _is_letter(word[start]):
        start += 1
    while start < stop and not _is_letter(word[stop - 1]):
        stop -= 1
    return word[start:stop]


def torn(
    scorer: Scorer, column: Text, tokenizer: str, normalizer: str | None, segments: Segments, of_each: bool
) -> Iterator[str]:
    """A hint if words are cut at their marks, or letters are taken away."""
    ways: list[tuple[str, str, Cut, dict[str, Any]]] = []
    if normalizer is not None:
        normalize = normalizer_of(normalizer)
        ways.append(
            (
                "normalizer",
                normalizer,
                lambda words: [text.split() for text in normalize([*words])],
                {"normalizer": None},
            )
        )
    if _may_tear(tokenizer):
        tokenize = get_tokenizer(tokenizer)
        ways.append(("tokenizer", tokenizer, lambda words: _tokens(tokenize, words), {"tokenizer": "whitespace"}))
    words = _words(column) if ways else []
    for kind, own, cut, cure in ways:
        found = torn_words(words, cut)
        what = ""
        if found.example and found.cut >= _CUT * found.marked:
            word, tokens = found.example
            into = f"into {' and '.join(map(repr, tokens))}" if tokens else "away"
            what = f"cuts {found.cut} of {found.marked} distinct words at their marks, such as {word!r} {into}"
        elif found.gone >= _GONE and not own.startswith("ptb"):
            what = f"takes {found.gone:.0%} of the letters of words beyond ASCII away"
        if what:
            value = None
            if all(field in scorer.__dataclass_fields__ for field in cure) and not of_each:
                value = _number(replace(scorer, **cure), segments, False)
            (field, other), *_ = cure.items()
            told = "" if value is None else f"; {field}={other!r} gives {value:.2f}"
            yield f"{scorer._label}: the {kind} {own!r} {what}{told}."
            return


def _tokens(tokenize: Any, words: Sequence[str]) -> list[list[str]]:
    tokens = tokenize(of_strings([*words]))
    return [tokens.of_text(i) for i in range(len(words))]


def _marks_on_words(scorer: Scorer, segments: Segments, predictions: Text, references: Text) -> Iterator[str]:
    """A hint if 13a leaves marks of punctuation on the words of one side, and the score depends on it."""
    sides = [[*map(_ON_WORD.search, each.strings.cut(0, _TEXTS).to_pylist())] for each in (predictions, references)]
    ours, theirs = (sum(map(bool, side)) / len(side) for side in sides)
    if "tokenizer" not in scorer.__dataclass_fields__ or abs(ours - theirs) < _ONE_SIDE:
        return
    before = _number(scorer, segments, False)
    after = _number(replace(scorer, tokenizer="intl"), segments, False)
    if before is None or after is None or abs(after - before) < _RISE * getattr(scorer, "scale", 1.0):
        return
    if _is_better(scorer, after, before):
        mark = next(filter(None, sides[ours < theirs]))
        yield (
            f"{scorer._label}: the tokenizer {scorer._cut_by!r} leaves marks such as {mark[1]!r} on words; the score "
            f"is {before:.2f}, and {after:.2f} with tokenizer='intl'."
        )


# What the normalization of answers takes away.


def _emptied(scorer: Scorer, references: Text) -> Iterator[str]:
    """A hint if the normalization leaves nothing of an answer, such as "A", which is an article."""
    texts, sizes = references.strings, np.diff(references.strings.offsets)
    few = np.flatnonzero((sizes > 0) & (sizes <= _LONGEST_EMPTIED)).tolist()
    short = [text for i in few if (text := texts.cut(i, i + 1).to_pylist()[0]).strip()]
    if not short:
        return
    tokens = get_tokenizer(scorer.tokenizer)(of_strings(short))
    if gone := [text for text, size in zip(short, np.diff(tokens.offsets).tolist(), strict=True) if not size]:
        are = "is" if len(gone) == 1 else "are"
        yield (
            f"{scorer._label}: {len(gone)} of {number_of(len(sizes), 'reference')} {are} empty after the normalization "
            f"of answers, which drops articles and punctuation, such as {gone[0]!r}: no word matches it, and an empty "
            "text equals it."
        )


def _joined_numbers(scorer: Scorer, segments: Segments) -> Iterator[str]:
    """A hint if two different numbers are equal without their points, such as 3.14 and 314."""
    if scorer.tokenizer != "squad":  # drop reads numbers as numbers
        return
    found: list[tuple[str, str]] = []
    for segment in range(min(len(segments), _TEXTS)):
        prediction, answers = segments.pair(segment)
        for text in [prediction] if isinstance(prediction, str) else prediction:
            found += [(text, answer) for answer in answers if _only_joined(text, answer)]
    if found:
        ours, theirs = found[0]
        yield (
            f"{scorer._label}: {number_of(len(found), 'prediction')} with another number than the reference "
            f"{'is' if len(found) == 1 else 'are'} equal to it after the normalization of answers, which drops points, "
            f"such as {ours!r} and {theirs!r}."
        )


def _only_joined(text: str, answer: str) -> bool:
    """Whether two texts have different numbers, whose digits are the same, and are the same otherwise."""
    if ("." not in text and "." not in answer) or text == answer:
        return False
    own, its = _NUMBER.findall(text), _NUMBER.findall(answer)
    digits = [[each.replace(".", "").replace(",", "") for each in side] for side in (own, its)]
    values = [[each.replace(",", "") for each in side] for side in (own, its)]
    return digits[0] == digits[1] and values[0] != values[1]
