"""The segments of files, one chunk after another."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from metrologue.cli.faults import shown_path
from metrologue.cli.options import Keys
from metrologue.cli.printing import size_in_bytes
from metrologue.errors import InputError
from metrologue.files.writing import progress_bar

if TYPE_CHECKING:
    import pyarrow as pa

    from metrologue.scorers import Scorer
    from metrologue.segments import Segments

__all__ = ["Chunks", "beside", "counted", "need_all", "streamed", "warn_of"]

Chunks = Iterable[tuple[list["pa.Array"], "pa.Array | None"]]


@contextmanager
def streamed(
    scorers: Sequence[Scorer],
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    hidden: bool = False,
    whole: bool = False,
) -> Iterator[Chunks]:
    """The chunks of files, with a progress bar; one chunk if a scorer needs all references at once, or if `whole`."""
    from metrologue.files.lines import read_segments, stream_segments

    groups = all(scorer._takes_groups for scorer in scorers)
    if whole or need_all(scorers):
        systems, texts = read_segments(predictions, references, **keys, groups=groups)
        yield [(systems, texts)] if len(systems[0]) else []
        return
    size = size_in_bytes([*predictions, *references])
    with progress_bar(size, in_bytes=True, hidden=hidden) as update:
        yield stream_segments(
            predictions, references, **keys, groups=groups, progress=lambda read: update(advance=read)
        )


def need_all(scorers: Sequence[Scorer]) -> bool:
    return not all(scorer._is_fitted for scorer in scorers)


def warn_of(scorer: Scorer, name: str, segments: Segments, start: int, of_each: bool = False) -> None:
    """Warn about what may be surprising in a system's score. Only the first chunk is checked."""
    for hint in scorer._hints(segments, of_each) if start == 0 else ():
        warnings.warn(f"{shown_path(name)}: {hint}", UserWarning, stacklevel=2)


def beside(
    segments: Segments | None, system: pa.Array, references: pa.Array | None, owner: str, shared: bool, start: int
) -> Segments:
    """The segments of a system, from the index `start` on. The references of the previous system are not read again."""
    from metrologue.data.intake import are_lists
    from metrologue.scorers.core.groups import group_segments
    from metrologue.segments import Segments

    if segments:
        return segments.with_predictions(system, owner)
    if are_lists(system):
        return group_segments(system, references, owner).placed(start)
    return Segments(system, references, owner, shared).placed(start)


def counted(chunks: Chunks) -> Iterator[tuple[int, list[pa.Array], pa.Array | None]]:
    """The chunks, each with the index of its first segment. Files without a line are refused."""
    start = 0
    for systems, references in chunks:
        yield start, systems, references
        start += len(systems[0])
    if not start:
        raise InputError("the files have no lines; a score needs at least one segment.")
