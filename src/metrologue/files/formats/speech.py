"""Transcripts with times: STM and CTM of NIST, and SegLST, which is JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, Time, never, numbered_lines, whole_json
from metrologue.files.values import finite, number_of_text

K = TypeVar("K")

_COMMENT = ";;"
# A segment of an STM with these words is not scored; a word of a CTM of this form begins or ends alternatives.
_IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"
_ALTERNATIVES = re.compile(r"<ALT(_BEGIN|_END)?>", re.IGNORECASE)
_OF_STM, _OF_CTM = 5, 5  # how many cells a line has at least


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in numbered_lines(path):
        if line.strip() and not line.lstrip().startswith(_COMMENT):
            yield number, line


def _looks_like_stm(head: str) -> bool:
    """Whether each line has a file, a channel, a speaker and two times, the later one last."""
    rows = [line.split(None, 5) for line in head.split("\n") if line.strip() and not line.startswith(_COMMENT)]
    times = [(number_of_text(row[3]), number_of_text(row[4])) for row in rows if len(row) >= _OF_STM]
    return 1 < len(rows) == len(times) and all(a is not None and b is not None and a <= b for a, b in times)


def _time(begin: object, end: object, where: str) -> Time:
    times = [number_of_text(each) if isinstance(each, str) else finite(each) for each in (begin, end)]
    if times[0] is None or times[1] is None or times[1] < times[0]:
        raise InputError(f"{where}: {shown(begin)} and {shown(end)} are no times of a beginning and an end.")
    return Time(times[0], times[1])


def _of(kind: str, rows: Iterable[tuple[str, str, Time | None, str]]) -> Rows:
    """Rows of sessions, speakers, times and texts."""
    sessions, speakers, times, texts = ([*column] for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    return Rows(
        kind, texts=texts, sessions=sessions, speakers=speakers, times=times if all(times) else None
    )  # fmt: skip


def _stm(path: Path, key: str | None, name: str) -> Rows:
    rows = []
    for number, line in _lines(path):
        cells = line.split(None, _OF_STM)
        if len(cells) < _OF_STM:
            told = "a file, a channel, a speaker, two times and words are expected"
            raise InputError(f"{path}:{number}: {shown(line)}; {told}.")
        text = cells[_OF_STM].rstrip() if len(cells) > _OF_STM else ""
        if text.startswith("<"):  # labels, such as <o,f0,male>
            label, *said = text.split(None, 1)
            text = " ".join(said) if label.endswith(">") else text
        time = _time(cells[3], cells[4], f"{path}:{number}")
        if text.upper() != _IGNORED:
            rows.append((cells[0], cells[2], time, text))
    return _of("STM", rows)


def _ctm(path: Path, key: str | None, name: str) -> Rows:
    rows = []
    for number, line in _lines(path):
        cells = line.split()
        if len(cells) < _OF_CTM or _ALTERNATIVES.fullmatch(cells[4]):
            what = "alternatives are not read" if len(cells) >= _OF_CTM else (
                "a file, a channel, two times and a word are expected")  # fmt: skip
            raise InputError(f"{path}:{number}: {shown(line)}; {what}.")
        begin, duration = _time(0, cells[2], f"{path}:{number}").end, _time(0, cells[3], f"{path}:{number}").end
        rows.append((cells[0], cells[1], Time(begin, begin + duration), cells[4]))
    return _of("CTM", rows)


def is_seglst(value: Any) -> bool:
    """Whether the value of a JSON file is SegLST: a list of objects with a session and words."""
    rows = value if isinstance(value, list) else []
    return bool(rows) and all(isinstance(each, dict) and {"session_id", "words"} <= {*each} for each in rows)


def _seglst(path: Path, key: str | None, name: str) -> Rows:
    value = whole_json(path)
    if not is_seglst(value):
        raise InputError(f"{path}: no list of objects with session_id and words.")
    rows = []
    for i, each in enumerate(value):
        where = f"{path}: [{i}]"
        session, speaker, words = each["session_id"], each.get("speaker", ""), each["words"]
        if not isinstance(words, str) or not all(isinstance(one, str | int) for one in (session, speaker)):
            raise InputError(f"{where} is {shown(each)}; words, a session and a speaker are texts.")
        timed = "start_time" in each and "end_time" in each
        time = _time(each["start_time"], each["end_time"], where) if timed else None
        rows.append((str(session), str(speaker), time, words))
    return _of("SegLST", rows)


def in_order(rows: Rows, groups: Sequence[K]) -> dict[K, list[int]]:
    """The rows of each group, in the order of their times, or of the file if it has none."""
    times = rows.times
    order = range(len(groups)) if times is None else sorted(range(len(groups)), key=lambda row: times[row].begin)
    members: dict[K, list[int]] = {group: [] for group in groups}
    for row in order:
        members[groups[row]].append(row)
    return members


FORMATS = (
    Format("stm", (".stm",), _looks_like_stm, _stm),
    Format("ctm", (".ctm",), never, _ctm),
    Format("seglst", (".seglst",), never, _seglst, holds=is_seglst),
)
