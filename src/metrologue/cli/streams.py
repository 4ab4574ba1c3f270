"""The segments of files, one chunk after another."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from metrologue.cli.faults import shown_path
from metrologue.cli.inputs import Files, Inputs
from metrologue.cli.printing import size_in_bytes
from metrologue.errors import InputError, number_of
from metrologue.scorers.core.engine import hints_of, is_fitted
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from metrologue.files.lines import Lines, Part
    from metrologue.scorers import Scorer
    from metrologue.segments import Segments

Parts = Iterable["Part"]


class Chunk(NamedTuple):
    """Segments that are counted together.

    Attributes
    ----------
    start : int
        The index of the first one.
    systems : list of Strings or pyarrow.Array
    references : Strings, pyarrow.Array or None
    others : list of Strings or pyarrow.Array
        What else the segments have: contexts and facts.
    ids : list of str or None
        The id of each segment, if the files have ids.
    digests : list of str
        Of all texts up to here, of each system, of the references and of the others, if there is a checkpoint.
    """

    start: int
    systems: list[Lines]
    references: Lines | None
    others: list[Lines]
    ids: list[str] | None
    digests: list[str]


@contextmanager
def streamed(
    scorers: Sequence[Scorer],
    files: Files,
    *,
    hidden: bool = False,
    whole: bool = False,
    chunked: Callable[[Parts], Generator[Chunk, None, None]] | None = None,
) -> Iterator[Iterable[Chunk]]:
    """The chunks of files, with a progress bar; one chunk if a scorer needs all references at once, or if `whole`.

    A chunk is read while the one before it is counted. `chunked` makes the chunks of parts, by default all of them.
    Files without a line are refused.
    """
    from metrologue.cli.ahead import reading_ahead
    from metrologue.files.parts import stream_parts

    if whole or files.keys["resegment"] or need_all(scorers):
        part = files.read(scorers)
        yield _numbered([part] if len(part.systems[0]) else [])
        return
    size = size_in_bytes([*files.predictions, *files.references, *files.inputs.paths])
    with progress_bar(size, in_bytes=True, hidden=hidden) as update:
        read = stream_parts(*files.columns(scorers), progress=lambda read: update(advance=read))
        parts = (files.inputs.cut(part, files.predictions, scorers) for part in read)
        with reading_ahead((chunked or _numbered)(parts)) as chunks:
            yield _timed(chunks, update, "pairs" if files.references else "segments")


def _numbered(parts: Parts) -> Generator[Chunk, None, None]:
    """The chunks of all parts."""
    start = 0
    for part in parts:
        yield Chunk(start, *part[:4], [])
        start += len(part.systems[0])
    require_lines(start)


def require_lines(count: int) -> None:
    """Raise an InputError if files have no lines."""
    if not count:
        raise InputError("the files have no lines; a score needs at least one segment.")


def _timed(chunks: Iterable[Chunk], update: Callable[..., None], counted: str) -> Iterator[Chunk]:
    """The same chunks. The bar shows how many pairs were counted a second, until the last chunk that is done."""
    begun, count = time.monotonic(), 0
    for chunk in chunks:
        count += len(chunk.systems) * len(chunk.systems[0])
        yield chunk
        del chunk  # what was counted is not kept while the next chunk is read
        update(rate=f"{count / max(time.monotonic() - begun, 1e-3):,.0f} {counted}/s")


def need_all(scorers: Sequence[Scorer]) -> bool:
    return not all(is_fitted(scorer) for scorer in scorers)


@contextmanager
def warning_once() -> Iterator[Callable[..., None]]:
    """A function that notes what may be surprising in a system's score; at the end, each thing is told once for all.

    Only the first chunk is checked.
    """
    told: dict[str, list[str]] = {}

    def note(scorer: Scorer, name: str, segments: Segments, start: int, of_each: bool = False) -> None:
        for hint in hints_of(scorer, segments, of_each) if start == 0 else ():
            told.setdefault(hint, []).append(shown_path(name))

    yield note
    for hint, names in told.items():
        others = f" and {number_of(len(names) - 1, 'other')}" if len(names) > 1 else ""
        warnings.warn(f"{names[0]}{others}: {hint}", UserWarning, stacklevel=3)


def beside(segments: Segments | None, system: Lines, chunk: Chunk, inputs: Inputs, owner: str) -> Segments:
    """The segments of a system in a chunk. What the previous system had too is not read again."""
    from metrologue.data.intake import are_lists
    from metrologue.scorers.core.inputs import REFERENCES, groups, segments_of
    from metrologue.segments import Segments

    if segments:
        return segments.with_predictions(_checked(system), owner)
    if are_lists(system):
        given = {"predictions": system, "references": chunk.references}
        made = segments_of((groups("predictions"), REFERENCES), given, owner)
    else:
        made = Segments(_checked(system), _checked(chunk.references), owner, shared=len(chunk.systems) > 1)
    if chunk.others:
        made = Segments.of_columns(inputs.added(made.columns, chunk.others, owner, chunk.start), owner)
    return made.placed(chunk.start)


def _checked(lines: Lines | None) -> Any:
    """Lines as texts whose UTF-8 was checked when they were read; lists and None as they are."""
    from metrologue.data.arrow import is_arrow, pa
    from metrologue.data.strings import Strings

    return Strings.of_arrow(lines) if is_arrow(lines) and isinstance(lines, pa.LargeStringArray) else lines
