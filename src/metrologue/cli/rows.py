"""What is printed for single segments: the numbers of each, or the segments that cost most."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.faults import located, shown_path
from metrologue.cli.inputs import Files
from metrologue.cli.streams import Chunk, beside, streamed, warning_once
from metrologue.output import tsv_cell

if TYPE_CHECKING:
    from metrologue.scorers import Scorer
    from metrologue.segments import Segments


def _scored(scorer: Scorer, files: Files, threads: int | None) -> Iterator[tuple[Chunk, list[dict[str, Any]]]]:
    """Each chunk, with every number of each segment of each system, and what is told beside them."""
    import numpy as np

    from metrologue.scorers.core.capabilities import told_beside

    owner = type(scorer).__name__
    # On a terminal, the rows themselves show the progress.
    with streamed([scorer], files, hidden=sys.stdout.isatty()) as chunks:
        for chunk in chunks:
            numbers = []
            segments: Segments | None = None
            with warning_once() as note:
                for name, system in zip(files.predictions, chunk.systems, strict=True):
                    with located(name, files.references, chunk.start, chunk.ids):
                        segments = beside(segments, system, chunk, files.inputs, owner)
                        note(scorer, name, segments, chunk.start, of_each=True)
                        told = {name: np.array([*map(_line, own)], object)
                                for name, own in told_beside(scorer, segments).items()}  # fmt: skip
                        numbers.append({**scorer.segment_scores(segments, threads=threads), **told})
            yield chunk, numbers


def _line(parts: Any) -> str:
    """What is told of a segment beside its numbers, on one line; quotation marks would need marks around it."""
    told = "; ".join(" ".join(map(str, each.values())) for each in parts)
    return tsv_cell(re.sub(r'[\s"]+', " ", told))


def print_segments(scorer: Scorer, files: Files, threads: int | None, digits: int | None = None) -> None:
    """Print a line for each segment of each system: its number from 1, the system, the primary number, all others.

    Where files have ids, the last column has them. Numbers have so many decimals as `digits` says, or all.
    """
    import numpy as np
    import pyarrow as pa
    from pyarrow.csv import WriteOptions, write_csv

    def rounded(values: Any) -> Any:
        return values if digits is None or values.dtype.kind != "f" else values.round(digits)

    options = WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
    cells = [tsv_cell(re.sub(r'[\s"]', "_", shown_path(name))) for name in files.predictions]
    for chunk, numbers in _scored(scorer, files, threads):
        start, systems = chunk.start, chunk.systems
        names = sorted(numbers[0], key=lambda name: name != scorer.primary)
        if start == 0:
            header = ["segment", "system", *names, *["id"] * bool(chunk.ids)]
            sys.stdout.buffer.write(("\t".join(header) + "\n").encode())
        columns = {
            "segment": np.repeat(np.arange(start + 1, start + len(systems[0]) + 1), len(systems)),
            "system": cells * len(systems[0]),
            **{name: rounded(np.stack([each[name] for each in numbers], axis=1).ravel()) for name in names},
        }
        if chunk.ids:
            columns["id"] = [tsv_cell(each) for each in chunk.ids for _ in systems]
        write_csv(pa.table(columns), sys.stdout.buffer, options)


def print_worst(scorer: Scorer, count: int, files: Files, threads: int | None, digits: int | None = None) -> None:
    """Print the `count` segments with the worst scores, the worst first: score, segment from 1 or its id, texts.

    The columns are those of GEval's line-by-line view, with the segment in place of the input. A tab in a text is shown
    as "<tab>", which also separates several references.
    """
    import numpy as np

    from metrologue.data.strings import arrow

    sign = 1 if scorer.higher_is_better[scorer.primary] else -1
    worst: list[tuple[float, int | str, str, str]] = []
    for chunk, [numbers] in _scored(scorer, files, threads):
        scores, texts, system = numbers[scorer.primary], chunk.references, arrow(chunk.systems[0])
        for i in np.argsort(sign * scores, kind="stable")[:count].tolist():
            expected = "" if texts is None else _cell(arrow(texts)[i].as_py())
            segment = tsv_cell(chunk.ids[i]) if chunk.ids else chunk.start + i + 1
            worst.append((float(scores[i]), segment, expected, _cell(system[i].as_py())))
        # Of equal scores, the first segment stays in front.
        worst = sorted(worst, key=lambda row: sign * row[0])[:count]
    click.echo("\t".join([scorer.primary, "segment", *["expected"] * bool(files.references), "out"]))
    for score, segment, expected, out in worst:
        shown = repr(score if digits is None else round(score, digits))
        click.echo("\t".join([shown, str(segment), *[expected] * bool(files.references), out]))


def _cell(text: str | list[str]) -> str:
    """One text or several as one cell of a line."""
    joined = text if isinstance(text, str) else "\t".join(text)
    return tsv_cell(joined.replace("\t", "<tab>").replace("\n", "<newline>").replace("\r", "<return>"))
