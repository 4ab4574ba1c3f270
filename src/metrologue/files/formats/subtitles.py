"""The texts of subtitles: SubRip's SRT and WebVTT. Numbers, times, styles and marks are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, Time, numbered_lines

_CLOCK = r"(?:(\d+):)?(\d\d?):(\d\d)[.,](\d{3})"
_TIMES = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}(?:\s.*)?")
_MARKS = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_BLOCKS = ("WEBVTT", "NOTE", "STYLE", "REGION")


def _looks_like_srt(head: str) -> bool:
    lines = head.lstrip("\ufeff \n").split("\n")
    return len(lines) > 1 and lines[0].strip().isdecimal() and bool(_TIMES.fullmatch(lines[1]))


def _looks_like_vtt(head: str) -> bool:
    return bool(re.match(r"\ufeff?WEBVTT([ \t].*)?(\n|$)", head)) and "-->" in head


def _seconds(clock: Sequence[str | None]) -> float:
    hours, minutes, seconds, thousandths = (each or "0" for each in clock)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(thousandths) / 1000


def _read(path: Path, key: str | None, name: str) -> Rows:
    """A row for each cue; its lines are joined by spaces."""
    texts: list[str] = []
    times: list[Time] = []
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in numbered_lines(path):
        if line.strip():
            blocks[-1].append((number, line.strip()))
        elif blocks[-1]:
            blocks.append([])
    from html import unescape  # a table of names, which only subtitles need

    is_vtt = bool(blocks[0]) and blocks[0][0][1].lstrip("\ufeff").startswith("WEBVTT")
    for block in filter(None, blocks):
        found = next(((i, each) for i, (_, line) in enumerate(block[:2]) if (each := _TIMES.fullmatch(line))), None)
        if found is None:
            number, line = block[0]
            if is_vtt and line.lstrip("\ufeff").startswith(_BLOCKS):
                continue
            raise InputError(f"{path}:{number}: {shown(line)} begins no cue; a number and times are expected.")
        at, clock = found
        times.append(Time(_seconds(clock.groups()[:4]), _seconds(clock.groups()[4:])))
        said = " ".join(_MARKS.sub("", line).strip() for _, line in block[at + 1 :])
        texts.append(unescape(said) if is_vtt else said)
    return Rows("WebVTT" if is_vtt else "SRT", texts=texts, times=times)


FORMATS = (
    Format("srt", (".srt",), _looks_like_srt, _read),
    Format("vtt", (".vtt",), _looks_like_vtt, _read),
)
