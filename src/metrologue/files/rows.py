"""What a file of the field holds, and how a format is declared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from metrologue.errors import InputError, number_of, shown
from metrologue.files.lines import stream_lines
from metrologue.files.packed import Path, unpacked
from metrologue.files.regular import MOST_SETTINGS, parsed_json

_CHUNK_BYTES = 1 << 20  # of lines that are strings of Python at the same time


class Time(NamedTuple):
    """When a text was spoken, in seconds."""

    begin: float
    end: float


@dataclass(frozen=True)
class Rows:
    """The n rows of a file. A column that the file does not have is None.

    Attributes
    ----------
    kind : str
        The format in words, such as "SQuAD data".
    texts : list of n str or None
        The text of each row, if the file does not say whether it is a prediction or a reference.
    predictions : list of n str, or of n lists of str (of the speakers of a session), or None
    sources : list of n str or None
    references : list of n lists of str, or None
    ids : list of n str or None
        No id stands twice.
    speakers, sessions : list of n str or None
    times : list of n Time or None
    scores : dict of str to list of n float
        The scores that the file has, by their names; NaN where a row has none.
    metrics : tuple of str
        The metrics that a log names.
    filter : str or None
        The filter of lm-evaluation-harness that was read.

    Examples
    --------
    >>> Rows("Kaldi's text", texts=["a cat"], ids=["utt-1"]).of("references")
    ['a cat']
    """

    kind: str
    texts: list[str] | None = None
    predictions: list[str] | list[list[str]] | None = None
    references: list[list[str]] | None = None
    sources: list[str] | None = None
    ids: list[str] | None = None
    speakers: list[str] | None = None
    sessions: list[str] | None = None
    times: list[Time] | None = None
    scores: dict[str, list[float]] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    filter: str | None = None

    @classmethod
    def of_parts(cls, parts: Iterable[Rows]) -> Rows:
        """The rows of several parts of a file. The last part says the kind."""
        held = [*parts]
        first, last = held[0], held[-1]
        if len(held) == 1:
            return last
        counts = [len(each.ids or each.predictions or ()) for each in held]
        names = dict.fromkeys(name for each in held for name in each.scores)
        joined: dict[str, Any] = {
            column: [row for each in held for row in getattr(each, column) or ()]
            for column in ("texts", "predictions", "sources", "references", "ids")
            if getattr(first, column) is not None
        }
        joined["scores"] = {
            name: [
                value
                for each, count in zip(held, counts, strict=True)
                for value in each.scores.get(name) or [math.nan] * count
            ]
            for name in names
        }
        return replace(last, **joined, metrics=tuple(dict.fromkeys(name for each in held for name in each.metrics)))

    def of(self, name: str) -> list[Any] | None:
        """The rows of an input: the column of this name, or the texts."""
        own: list[Any] | None = getattr(self, name, None) if name in ("predictions", "references", "sources") else None
        return self.texts if own is None else own


# Gets the path, the key that chooses among columns, and the name of the input that is read.
Reader = Callable[[Path, str | None, str], Rows]


def never(head: Any) -> bool:
    """For what does not tell a format."""
    return False


class Format(NamedTuple):
    """A format of files.

    Attributes
    ----------
    name : str
        As ``metrologue.read`` takes it, such as "squad".
    suffixes : tuple of str
        The ends of file names that say the format.
    looks : callable
        Whether the beginning of a file, some lines of it, has the unmistakable structure of the format.
    read : callable
    is_log : bool
        Whether a file has predictions and references, as the log of a harness has.
    holds : callable, optional
        Whether the value of a JSON file is of this format.
    parts : callable, optional
        The same as `read`, some thousand rows at a time; of a file that may be larger than memory.
    by_ids : callable, optional
        The ids of lines, if the structure is only unmistakable beside another file with the same ids; None if a line
        has none.
    """

    name: str
    suffixes: tuple[str, ...]
    looks: Callable[[str], bool]
    read: Reader
    is_log: bool = False
    holds: Callable[[Any], bool] = never
    by_ids: Callable[[Iterable[str]], list[str] | None] | None = None
    parts: Callable[[Path, str | None, str], Iterator[Rows]] | None = None


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file, counted from 1."""
    chunks = stream_lines(path, plain=True, chunk_bytes=_CHUNK_BYTES)
    lines = (line for chunk in chunks for line in chunk.to_pylist())
    yield from enumerate(lines, 1)


def whole_json(path: Path) -> Any:
    """The value of a JSON file."""
    return parsed_json(whole(path), str(path))


def whole(path: Path, most: int = MOST_SETTINGS) -> bytes:
    """All bytes of a file, perhaps packed. Raises an InputError if it has more than `most`, after unpacking."""
    with unpacked(path) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise InputError(f"{path}: more than {most:,} bytes, unpacked; such a file is read whole.")
    return content


def check_once(ids: Sequence[str], path: Path) -> None:
    """Refuse an id that stands twice."""
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            raise InputError(f"{path}: the id {shown(each)} stands twice.")
        seen.add(each)


def chosen(named: dict[str, dict[str, str]], key: str | None, path: Path, what: str) -> list[str]:
    """The names of the columns that a key chooses: without a key, all. Raises an InputError if there is none."""
    if key is not None and key not in named:
        there = ", ".join(map(shown, [*named][:20])) or "none"
        raise InputError(f"{path}: there is no {what} {shown(key)}; there are {there}.")
    return [*named] if key is None else [key]


def single(names: Sequence[str], path: Path, what: str) -> str:
    """The only name. Raises an InputError if there are several."""
    if len(names) != 1:
        listed = ", ".join(map(shown, names[:20]))
        raise InputError(f"{path}: {number_of(len(names), what)}: {listed}; name one as the key.")
    return names[0]
