"""Transcripts with an id in each line: before the words in Kaldi's ``text``, after them, in brackets, in NIST's TRN."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, check_once, never, numbered_lines

# A word is an id only if it has more than letters, so that "The" and "1." are none. A number alone may begin a text.
_ID = re.compile(r"[\w@+/.:-]+")
_LONGEST = 200  # characters of an id
_TRN, _KALDI = OF_UTTERANCES = "TRN", "Kaldi's text"
_OF_SPEAKER = re.compile("[-_]")


def _kaldi(line: str) -> tuple[str, str]:
    """The id and the text of a line."""
    name, *text = line.split(None, 1)
    return name, " ".join(text).rstrip()


def _trn(line: str) -> tuple[str, str] | None:
    text, opened, rest = line.rstrip().rpartition("(")
    name = rest.removesuffix(")")
    return (name, text.rstrip()) if opened and name != rest and name and not name.split()[1:] else None


def is_id(word: str) -> bool:
    """Whether a word can be the id of an utterance: it has a letter and a digit, "-" or "_", or numbers joined by "-".

    Examples
    --------
    >>> [is_id(word) for word in ("utt1", "84-121123-0000", "spk_a", "The", "1.", "2019", "-", "Q1:")]
    [True, True, True, False, False, False, False, False]
    """
    if len(word) > _LONGEST or not _ID.fullmatch(word) or not word[-1].isalnum():
        return False
    marks = sum(map(word.count, "-_"))
    digits, letters = any(map(str.isdigit, word)), any(map(str.isalpha, word))
    return (letters and (digits or bool(marks))) or (digits and bool(marks))


def _rows(kind: str, cut: Callable[[str], tuple[str, str] | None], path: Path) -> Rows:
    ids, texts = [], []
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        pair = cut(line)
        if pair is None:
            raise InputError(f"{path}:{number}: {shown(line)} does not end with an id in brackets, as {kind} does.")
        ids.append(pair[0])
        texts.append(pair[1])
    check_once(ids, path)
    return Rows(kind, texts=texts, ids=ids)


def speakers_of(ids: Sequence[str]) -> list[str] | None:
    """The speaker of each utterance: what stands before the first "-" or "_", as sclite and Kaldi have it.

    None if an id has neither, or no speaker has two utterances.
    """
    cut = [_OF_SPEAKER.split(each, maxsplit=1) for each in ids]
    speakers = [parts[0] for parts in cut if len(parts) == 2 and parts[0]]
    return speakers if len(speakers) == len(ids) > len({*speakers}) else None


def _ids(cut: Callable[[str], tuple[str, str] | None], lines: Iterable[str]) -> list[str] | None:
    """The ids of all lines; None if a line has none, or one stands twice."""
    ids = []
    for line in lines:
        if not line.strip():
            continue
        pair = cut(line)
        if pair is None or not is_id(pair[0]):
            return None
        ids.append(pair[0])
    return ids if len(ids) == len({*ids}) else None


FORMATS = (
    Format(
        "trn", (".trn",), never, lambda path, key, name: _rows(_TRN, _trn, path),
        by_ids=lambda lines: _ids(_trn, lines),
    ),
    Format(
        "kaldi", (), never, lambda path, key, name: _rows(_KALDI, _kaldi, path),
        by_ids=lambda lines: _ids(_kaldi, lines),
    ),
)  # fmt: skip
