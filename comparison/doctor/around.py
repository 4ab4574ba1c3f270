"""What stands around the texts of one side only: an answer's opening, numbers, quotation marks, Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

__all__ = ["peeled"]

# So many of the texts have what a person would not write around a text; so many have what may be chance elsewhere.
_SOME, _MOST, _NEARLY_ALL = 0.02, 0.5, 0.9
# A beginning that so many texts share is looked at, and it goes on where so many of these go on alike.
_BEGIN, _GO_ON = 0.3, 0.9
# At most this share of the other side's texts may have it, in shares of this side's.
_OTHER = 0.25
_PASSES, _SHOWN = 4, 60

_ANSWER = "translation|summary|answer|response|result|sentence|caption|text|version|rewrite|paraphrase|correction"
_OPENING = re.compile(
    r"\A\s*(?:(?:sure|certainly|of course|absolutely|okay|great question)\b[^:\n]{0,40}?)?"
    rf"(?:\bhere(?:'s|’s| is| are| you go)\b|\bbelow is\b|\bthe (?=(?:\w+ )?(?:{_ANSWER})))[^:\n]{{0,80}}[:\n]\s*",
    re.IGNORECASE,
)
_CHAT = re.compile(rf"sure|certainly|of course|absolutely|okay|great question|{_ANSWER}", re.IGNORECASE)
_FENCE = re.compile(r"\A\s*```(?:[\w+-]*[ \t]*\n)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_MARKED = re.compile(r"\A\s*(\*\*\*|\*\*|\*|___|__|_|~~|`+)(?=\S)(.*)(?<=\S)\1\s*\Z", re.DOTALL)
_HEADING = re.compile(r"\A\s*(?:#{1,6}|>)[ \t]+")
_ITEM = re.compile(r"\A\s*[-*•‣–—][ \t]+")
_NUMBER = re.compile(r"\A\s*(?:[^\W\d_]{1,12} ?)?[\[(#]?([0-9]{1,7})(?:[.):\]]+\s*|\s+[-–—|:]\s*|\s+)")
_QUOTES = {
    '"': '"',
    "'": "'",
    "“": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    "‘": "’",
    "‚": "‘’",
    "「": "」",
    "『": "』",
    "”": "”",
}
_MARKS = frozenset("*#`<>|[]{}=_~")

# What a kind takes from text t; None where it does not have it.
Peel = Callable[[int, str], str | None]


def _opening(_: int, text: str) -> str | None:
    match = _OPENING.match(text)
    return text[match.end() :] if match and _CHAT.search(match[0]) and match.end() < len(text) else None


def _fence(_: int, text: str) -> str | None:
    return match[1] if (match := _FENCE.match(text)) else None


def _marked(_: int, text: str) -> str | None:
    if match := _MARKED.match(text):
        return match[2]
    return text[match.end() :] if (match := _HEADING.match(text)) else None


def _item(_: int, text: str) -> str | None:
    return text[match.end() :] if (match := _ITEM.match(text)) else None


def _quoted(_: int, text: str) -> str | None:
    own = text.strip()
    return own[1:-1] if len(own) > 2 and own[-1] in _QUOTES.get(own[0], "") else None


def _numbered(first: int) -> Peel:
    def peel(segment: int, text: str) -> str | None:
        match = _NUMBER.match(text)
        return text[match.end() :] if match and int(match[1]) == segment + first else None

    return peel


def _first_number(texts: Sequence[str], segments: Sequence[int]) -> int:
    """The number of the first text if texts are numbered."""
    numbers = (
        match and int(match[1]) - i for i, text in zip(segments, texts, strict=True) for match in [_NUMBER.match(text)]
    )
    return max((counts := Counter(each for each in numbers if each is not None)), key=counts.__getitem__, default=1)


def _beginning(texts: Sequence[str]) -> tuple[str, int]:
    """The longest beginning that many texts share, up to the end of a word, and how many have it; "" for none."""
    left, at, ends = [*texts], 0, [("", 0)]
    while left:
        counts = Counter(text[at] for text in left if at < len(text))
        if not counts:
            break
        character, count = counts.most_common(1)[0]
        before = left[0][at - 1] if at else " "
        if at and not (before.isalnum() and any(text[at : at + 1].isalnum() for text in left)):
            ends.append((left[0][:at], len(left)))
        if count < _BEGIN * len(texts):
            break
        left, at = [text for text in left if text[at : at + 1] == character], at + 1
    if len(ends) == 1:
        return "", 0
    chosen = ends[1]
    for _, following in pairwise(ends[1:]):
        if following[1] < _GO_ON * chosen[1]:
            break
        chosen = following
    return chosen


def _is_strange(found: str, share: float, at_end: bool) -> bool:
    """Whether a beginning or an end that texts share is hardly their own."""
    own = found.strip()
    if not any(each.isalnum() or each in _MARKS for each in own):
        return False
    if any(not (each.isalnum() or each.isspace()) for each in own):
        return not at_end or len(own) > 1
    return not at_end and share >= _NEARLY_ALL and " " in own


def _without_theirs(found: str, others: Sequence[str]) -> str:
    """A beginning without its last part, if that is the beginning of many other texts, too."""
    for at in range(len(found)):
        if sum(text.startswith(found[at:]) for text in others) >= _BEGIN * len(others):
            return found[:at]
    return found


def _kinds(texts: Sequence[str], segments: Sequence[int], others: Sequence[str]) -> list[tuple[str, float, Peel]]:
    """Each kind as it is told, the least share of texts that have it, and what it takes."""
    kinds: list[tuple[str, float, Peel]] = [
        ("stand in a code fence (```)", _SOME, _fence),
        ("begin with an answer's opening", _SOME, _opening),
        ("begin with their number", _MOST, _numbered(_first_number(texts, segments))),
        ("are marked by Markdown", _SOME, _marked),
        ("begin with the mark of a list", _MOST, _item),
        ("stand in quotation marks", _MOST, _quoted),
    ]
    first, count = _beginning(texts)
    first = _without_theirs(first, others)
    if first and _is_strange(first, count / len(texts), False):
        kinds.append(("begin alike", _BEGIN, lambda _, text: text[len(first) :] if text.startswith(first) else None))
    turned, count = _beginning([text[::-1] for text in texts])
    last = _without_theirs(turned, [text[::-1] for text in others])[::-1]
    if last and _is_strange(last, count / len(texts), True):
        kinds.append(("end alike", _BEGIN, lambda _, text: text[: -len(last)] if text.endswith(last) else None))
    return kinds


def peeled(
    texts: Sequence[str], segments: Sequence[int], others: Sequence[str], their_segments: Sequence[int]
) -> tuple[list[str], list[str]]:
    """The texts without what stands around them and not around the others, and what that was, in words.

    Parameters
    ----------
    texts, others : sequence of str
        Those of one side, and those of the other one.
    segments, their_segments : sequence of int
        The number of the segment of each text.

    Examples
    --------
    >>> peeled(["1. **A cat**", "2. **A dog**", "3. **Birds**"], [0, 1, 2], ["A cat", "A dog", "Birds"], [0, 1, 2])
    (['A cat', 'A dog', 'Birds'],
     ['3 begin with their number, such as “1. ”', '3 are marked by Markdown, such as “**”'])
    """
    now, found = [*texts], []
    for _ in range(_PASSES):
        for about, least, peel in _kinds(now, segments, others):
            after = [peel(i, text) for i, text in zip(segments, now, strict=True)]
            changed = [(old, new) for old, new in zip(now, after, strict=True) if new is not None and new.strip()]
            share = len(changed) / max(len(now), 1)
            if len(changed) < 2 or share < least:
                continue
            old, new = changed[0]
            gone = old[: old.index(new)] or old[old.index(new) + len(new) :]
            theirs = sum(peel(i, text) is not None for i, text in zip(their_segments, others, strict=True))
            if about.endswith("alike"):
                theirs = sum(gone.strip() in text for text in others)
            if theirs > _OTHER * share * len(others):
                continue
            quoted = gone[:_SHOWN].replace("\n", "\\n")
            found.append(f"{len(changed):,} {about}, such as “{quoted}”")
            now = [old if new is None or not new.strip() else new for old, new in zip(now, after, strict=True)]
            break
        else:
            break
    return now, found
