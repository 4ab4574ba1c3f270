"""Characters that a person does not see, or takes for others: what they are, and the text as it looks.

``LOOKS`` is one table for the hints of scores and for the doctor. A kind is told only if one side of a comparison has
it and the other one does not: text that both sides write alike is right as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

__all__ = ["LOOKS", "Look", "differing", "shares"]

# A kind is told if so many of the texts of one side have it, and at most half as many of the other side.
_SHARE, _OTHER = 0.02, 0.5


class Look(NamedTuple):
    """A kind of characters that look like others, or like nothing.

    Attributes
    ----------
    name : str
        What a text has, in the plural.
    has : callable
        Whether a text has some.
    plain : callable
        From a text to the text as it looks, or without what a program has left in it.
    repair : str
        What `plain` does, after "the score is …".
    """

    name: str
    has: Callable[[str], object]
    plain: Callable[[str], str]
    repair: str


def _replaced(name: str, pattern: str, replacement: str | Callable[[re.Match[str]], str], repair: str) -> Look:
    found = re.compile(pattern)
    return Look(name, found.search, partial(found.sub, replacement), repair)


def _as_space(match: re.Match[str]) -> str:
    """A space, if a special token stands between words that spaces part."""
    at_end = match.start() == 0 or match.end() == len(match.string)
    return "" if at_end or " " not in (match[0][0], match[0][-1]) else " "


def _joined(mark: str, text: str) -> str:
    """The text of pieces of which those that begin a word have a mark; the mark is a space if there are no pieces."""
    if text.count(f" {mark}") < text.count(" ") / 4:
        return text.replace(mark, " ").strip()
    return text.replace(" ", "").replace(mark, " ").strip()


# Joiners of letters belong to the spelling of Persian, of Indic scripts and of emoji, but not beside these letters.
_PLAIN_LETTER = "[0-9A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u0531-\u058f\u05d0-\u05ea\u10a0-\u10ff]"
_INVISIBLE = (
    "[\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff\x00-\x08\x0e-\x1b\x7f]"
    f"|(?<={_PLAIN_LETTER})[\u200c\u200d]|[\u200c\u200d](?={_PLAIN_LETTER})"
)
_SPECIAL = (
    r"\s?(?:</?s>|<(?:pad|unk|eos|bos|mask|(?:start|end)_of_turn)>|<\|[A-Za-z_]+\|>|<extra_id_\d+>"
    r"|\[(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS|/?INST)\])\s?"
)
# Forms that look like plain letters and digits. Full-width punctuation is right in Chinese and Japanese.
_WIDE = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_FORMS = re.compile(
    f"[{_WIDE}\uff66-\uff9f]+|[\ufb00-\ufb06]|[\ufb1d-\ufb4f\ufb50-\ufdf1\ufe70-\ufefc]+|[\U0001d400-\U0001d7ff]+"
)
_HAS_WIDE, _HAN_OR_KANA = re.compile(f"[{_WIDE}]"), re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_WIDE_TO_PLAIN = {point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def _plain_forms(text: str) -> str:
    """Full-width letters as plain ones, with the punctuation between them; ligatures and other forms as letters."""
    if _HAS_WIDE.search(text) and not _HAN_OR_KANA.search(text):
        text = text.translate(_WIDE_TO_PLAIN)
    return _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


# Letters that look like Latin ones, and the letters of each script.
_LIKE_LATIN = {
    "Cyrillic": dict(zip("аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅ", "aeopcyxijshdqwABEKMHOPCTYXIJS", strict=True)),
    "Greek": dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oABEZHIKMNOPTYX", strict=True)),
}
_LETTERS = {"Latin": "A-Za-z\u00c0-\u024f", "Cyrillic": "\u0400-\u052f", "Greek": "\u0370-\u03ff"}


def _mixed(script: str, inside: str) -> Look:
    """Letters of a script in words of another one that they look like; one of both is Latin."""
    like = _LIKE_LATIN[script if inside == "Latin" else inside]
    table = like if inside == "Latin" else {latin: own for own, latin in like.items()}
    own, strange = re.compile(f"[{_LETTERS[inside]}]"), re.compile(f"[{_LETTERS[script]}]")
    seam = re.compile("[{0}][{1}]|[{1}][{0}]".format(_LETTERS[inside], "".join(table)))
    word, points = re.compile(f"[{_LETTERS[inside]}{''.join(table)}]+"), str.maketrans(table)

    def is_host(text: str) -> bool:
        return len(own.findall(text)) > len(strange.findall(text))

    def has(text: str) -> bool:
        return seam.search(text) is not None and is_host(text)

    def plain(text: str) -> str:
        """The letters of these words, and those that stand alone, as in other texts of the same file."""
        return word.sub(lambda match: _translated(match[0]), text) if is_host(text) else text

    def _translated(found: str) -> str:
        return found.translate(points) if len(found) == 1 or own.search(found) else found

    return Look(f"{script} letters in {inside} words", has, plain, f"with {inside} letters in these words")


_TO_PERSIAN = str.maketrans("يىك", "ییک")
_PIECES = "with the pieces joined"

LOOKS: tuple[Look, ...] = (
    _replaced("joints of BPE (@@)", r"(?<=\S)@@ (?=\S)|(?<=\S)@@$| ?\uffed ?", "", _PIECES),
    _replaced("joints of WordPiece (##)", r"(?<=\w) ##(?=\w)", "", _PIECES),
    Look("marks of SentencePiece (▁)", re.compile("▁").search, partial(_joined, "▁"), _PIECES),
    Look("marks of byte pairs (Ġ)", re.compile(r"\S Ġ\w.*\S Ġ\w").search, partial(_joined, "Ġ"), _PIECES),
    _replaced("special tokens of a model, such as <s>", _SPECIAL, _as_space, "without them"),
    _replaced(
        "direction marks, such as the right-to-left mark (U+200F)",
        "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", "without them",
    ),
    _replaced(
        "no-break spaces (U+00A0) or other rare spaces",
        "[\u00a0\u2000-\u200a\u202f\u205f\u3000\u0085\u2028\u2029]", " ", "with plain spaces",
    ),
    _replaced("zero-width or invisible characters, such as U+200B", _INVISIBLE, "", "without them"),
    _replaced("hyphens that are not that of ASCII (U+2010, U+2011)", "[\u2010\u2011]", "-", "with the hyphen of ASCII"),
    Look(
        "full-width letters, ligatures or other forms that NFKC replaces",
        _FORMS.search, _plain_forms, "with plain letters in their place",
    ),
    _mixed("Cyrillic", "Latin"), _mixed("Greek", "Latin"), _mixed("Latin", "Cyrillic"), _mixed("Latin", "Greek"),
    Look(
        "Arabic forms of the Persian letters ی and ک", re.compile("[يىك]").search,
        lambda text: text.translate(_TO_PERSIAN), "with the Persian letters",
    ),
)  # fmt: skip


def shares(texts: Sequence[str]) -> Mapping[str, float]:
    """The share of texts that have some of each kind, by its name; kinds that none has are left out.

    Examples
    --------
    >>> shares(["lo@@ wer", "low"])
    {'joints of BPE (@@)': 0.5}
    """
    found = {look.name: sum(1 for text in texts if look.has(text)) / max(len(texts), 1) for look in LOOKS}
    return {name: share for name, share in found.items() if share}


def differing(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[tuple[Look, bool]]:
    """The kinds that one side has and the other one does not, and whether the first side has them.

    Examples
    --------
    >>> [(look.name, is_first) for look, is_first in differing(shares(["lo@@ wer"]), shares(["lower"]))]
    [('joints of BPE (@@)', True)]
    >>> differing(shares(["lo@@ wer"]), shares(["lo@@ w"]))
    []
    """
    found = []
    for look in LOOKS:
        shown = ours.get(look.name, 0.0), theirs.get(look.name, 0.0)
        if max(shown) >= _SHARE and min(shown) <= _OTHER * max(shown):
            found.append((look, shown[0] > shown[1]))
    return found
